//! JSON output of verdicts and reports.
//!
//! The names of the members are a stable interface: members may be added, but none is renamed or
//! changes its meaning.

use mazurka_core::verdict::{Bound, Restart, SamplingStatistics, UnfoldingStatistics, Verdict};
use serde::{Serialize, Serializer};

use crate::recording::{Line, LineKind};
use crate::{DecisiveRead, Explanation, Report};

/// The statistics of a verdict, a part of the object that describes a check.
///
/// ```
/// use mazurka_core::verdict::Verdict;
/// use mazurka_report::Statistics;
///
/// let verdict = Verdict { executions: 6, ..Verdict::default() };
/// let json = serde_json::to_value(Statistics::from(&verdict)).unwrap();
/// assert_eq!(json["executions"], 6);
/// assert_eq!(json["complete"], true);
/// ```
#[derive(Clone, Serialize, Debug)]
pub struct Statistics {
    algorithm: &'static str,
    executions: u64,
    blocked: u64,
    events: u64,
    max_depth: usize,
    complete: bool,
    /// The reason why the check is incomplete; `null` if it is complete.
    stopped: Option<&'static str>,
    seconds: f64,
    rate: f64,
    restarts: Vec<RestartJson>,
    ordered_locations: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unfolding: Option<Unfolding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling: Option<Sampling>,
    /// The samples that an exhaustive search ran to find violations early.
    scouts: u64,
    /// The bound on preemptions that was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    preemptions: Option<Preemptions>,
    notes: Vec<String>,
}

/// A restart of the search.
#[derive(Clone, Copy, Serialize, Debug)]
struct RestartJson {
    lesson: &'static str,
    executions: u64,
    blocked: u64,
    seconds: f64,
}

impl From<&Restart> for RestartJson {
    fn from(restart: &Restart) -> Self {
        RestartJson {
            lesson: restart.lesson.name(),
            executions: restart.executions,
            blocked: restart.blocked,
            seconds: rounded(restart.elapsed.as_secs_f64(), 1e6),
        }
    }
}

/// The size of an unfolding.
#[derive(Clone, Copy, Serialize, Debug)]
struct Unfolding {
    events: u64,
    cut_offs: u64,
    maximal_configurations: u64,
    most_events: usize,
}

/// A bound on preemptions, and whether everything within it was explored.
#[derive(Clone, Copy, Serialize, Debug)]
struct Preemptions {
    bound: u32,
    explored: bool,
}

/// The samples and their classes.
#[derive(Clone, Copy, Serialize, Debug)]
struct Sampling {
    seed: u64,
    samples: u64,
    classes: u64,
    /// The estimated probability that the next sample is in a new class.
    unseen_probability: f64,
    /// An estimate of the number of classes without a sample; a lower bound.
    unseen_classes: f64,
    /// The bug depth of `pct`, and the probability that one sample finds a bug of this depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    bug_depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bug_probability: Option<f64>,
}

impl From<&SamplingStatistics> for Sampling {
    fn from(sampling: &SamplingStatistics) -> Self {
        Sampling {
            seed: sampling.seed,
            samples: sampling.samples,
            classes: sampling.classes,
            unseen_probability: sampling.unseen_probability(),
            unseen_classes: sampling.unseen_classes(),
            bug_depth: sampling.guarantee.map(|(depth, _)| depth),
            bug_probability: sampling.guarantee.map(|(_, probability)| probability),
        }
    }
}

impl From<&Verdict> for Statistics {
    fn from(verdict: &Verdict) -> Self {
        Statistics {
            algorithm: verdict.algorithm.name(),
            executions: verdict.executions,
            blocked: verdict.blocked,
            events: verdict.events,
            max_depth: verdict.max_depth,
            complete: verdict.is_complete(),
            stopped: verdict.stopped.map(name_of),
            seconds: rounded(verdict.elapsed.as_secs_f64(), 1e6),
            rate: rounded(verdict.rate(), 10.0),
            restarts: verdict.restarts.iter().map(RestartJson::from).collect(),
            ordered_locations: verdict.ordered_locations,
            unfolding: verdict.unfolding.as_ref().map(Unfolding::from),
            sampling: verdict.sampling.as_ref().map(Sampling::from),
            scouts: verdict.scouts,
            preemptions: verdict
                .preemptions
                .map(|level| Preemptions { bound: level.bound, explored: level.is_explored }),
            notes: verdict
                .notes
                .iter()
                .map(ToString::to_string)
                .chain(verdict.weak_access.iter().map(ToString::to_string))
                .collect(),
        }
    }
}

impl From<&UnfoldingStatistics> for Unfolding {
    fn from(unfolding: &UnfoldingStatistics) -> Self {
        Unfolding {
            events: unfolding.events,
            cut_offs: unfolding.cut_offs,
            maximal_configurations: unfolding.maximal_configurations,
            most_events: unfolding.most_events,
        }
    }
}

fn name_of(bound: Bound) -> &'static str {
    match bound {
        Bound::Violation => "violation",
        Bound::Executions => "executions",
        Bound::Depth => "depth",
        Bound::Time => "time",
        Bound::Preemptions => "preemptions",
        Bound::Samples => "samples",
        Bound::Interrupted => "interrupted",
    }
}

/// Rounds to a multiple of `1 / parts`.
fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}

/// The members of a report.
#[derive(Serialize)]
struct Members<'a> {
    name: &'a str,
    kind: Option<&'static str>,
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    execution: Option<u64>,
    schedule: String,
    /// The two steps of a data race, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    accesses: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<ExplanationJson<'a>>,
    threads: &'a [String],
    /// Under a memory model: the writes to each location in coherence order, by their steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coherence: Vec<Vec<usize>>,
    steps: Vec<Step<'a>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    output: &'a str,
}

/// Why the execution fails.
#[derive(Serialize)]
struct ExplanationJson<'a> {
    sentences: &'a [String],
    /// Pairs of steps, counted from 1.
    orders: Vec<[usize; 2]>,
    /// Under a memory model: what decides which write a read reads from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reads: Vec<DecisiveReadJson>,
    /// Whether the execution passes only if all orders are reversed and all reads are different.
    together: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    passing: Option<String>,
}

/// A read of a write that decides. Steps are counted from 1, and 0 is the initial value.
#[derive(Serialize)]
struct DecisiveReadJson {
    step: usize,
    from: usize,
    instead: usize,
}

impl From<&DecisiveRead> for DecisiveReadJson {
    fn from(choice: &DecisiveRead) -> Self {
        let write = |step: Option<usize>| step.map_or(0, |step| step + 1);
        DecisiveReadJson {
            step: choice.read + 1,
            from: write(choice.reads_from),
            instead: write(choice.instead),
        }
    }
}

impl<'a> From<&'a Explanation> for ExplanationJson<'a> {
    fn from(explanation: &'a Explanation) -> Self {
        let orders = explanation.orders.iter();
        ExplanationJson {
            sentences: &explanation.sentences,
            orders: orders.map(|(first, second)| [first + 1, second + 1]).collect(),
            reads: explanation.reads.iter().map(DecisiveReadJson::from).collect(),
            together: explanation.together,
            passing: explanation.passing.as_ref().map(ToString::to_string),
        }
    }
}

/// One line of the execution.
#[derive(Serialize)]
struct Step<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
    thread: &'a str,
    operation: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    /// The step that wrote what the operation reads, or 0 for the initial value.
    #[serde(skip_serializing_if = "Option::is_none")]
    reads_from: Option<usize>,
    /// The steps of the newer writes that the operation did not see.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missed: Vec<usize>,
}

impl<'a> Step<'a> {
    fn of(index: usize, line: &'a Line, report: &'a Report) -> Self {
        let kind = match line.kind {
            LineKind::Operation => "operation",
            LineKind::Spawn(_) => "spawn",
            LineKind::Local => "local",
            LineKind::Failure => "failure",
            LineKind::End => "end",
            LineKind::Stuck => "stuck",
        };
        let place = line.place.as_ref();
        let source = report.sources.of_line(&report.recording, index);
        Step {
            kind,
            step: (line.kind == LineKind::Operation).then_some(line.step + 1),
            thread: &report.threads[line.process.index()],
            operation: &line.text,
            file: place.map(|place| place.file.as_str()),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            reads_from: source.map(|source| source.reads_from.map_or(0, |step| step + 1)),
            missed: source.map_or_else(Vec::new, |source| from_one(&source.missed)),
        }
    }
}

/// Returns steps that are counted from 0, counted from 1.
fn from_one(steps: &[usize]) -> Vec<usize> {
    steps.iter().map(|step| step + 1).collect()
}

/// Serializes a report as an object; [`Report::to_json`] lists its members.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let violation = self.violation.as_ref();
        let accesses = violation.and_then(|violation| violation.accesses);
        let lines = self.recording.lines.iter().enumerate();
        let members = Members {
            name: &self.name,
            kind: violation.map(|violation| violation.kind.name()),
            message: violation.map(|violation| violation.message.as_str()),
            execution: violation.map(|violation| violation.execution),
            schedule: self.schedule.to_string(),
            accesses: accesses.map(|(first, second)| [first + 1, second + 1]),
            explanation: self.explanation.as_ref().map(ExplanationJson::from),
            threads: &self.threads,
            coherence: self.sources.coherence.iter().map(|order| from_one(order)).collect(),
            steps: lines.map(|(index, line)| Step::of(index, line, self)).collect(),
            output: &self.recording.output,
        };
        members.serialize(serializer)
    }
}

impl Report {
    /// Returns the report as one JSON object with these members:
    ///
    /// - `name`;
    /// - `kind` and `message`, or `null` if there is no violation; `kind` is the [name of a
    ///   kind](mazurka_core::verdict::ViolationKind::name);
    /// - `execution` and `schedule`;
    /// - `accesses`, for a data race: the two steps;
    /// - `explanation`, if there is one: `sentences`, `orders` (pairs of steps whose order is decisive),
    ///   `reads` (under a memory model: the `step` of a decisive read, the step that it reads `from`, and the
    ///   step that it reads from `instead` if the execution passes; 0 for the initial value),
    ///   `together` (whether all of that has to be different, and not only one of it), and `passing` (a
    ///   schedule that does not fail);
    /// - `threads`;
    /// - `coherence`, under a memory model: for each location with several writes, the steps that write
    ///   to it, in coherence order;
    /// - `steps`: a list of objects with `kind` (`operation`, `spawn`, `local`, `failure`, `end`,
    ///   or `stuck`), `step` (the number in the schedule, for operations), `thread`, `operation`,
    ///   `file`, `line` and `column`. Under a memory model, a read has `reads_from`, the step of the
    ///   write that it reads from, or 0 for the initial value; a read of an old value has `missed`, the
    ///   steps of the newer writes that it did not see;
    /// - `output`, if the program printed something.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("every member of a report has a form in JSON")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mazurka_core::model::Lesson;

    use super::*;
    use crate::tests::{lost_update, report};

    #[test]
    fn a_report_is_one_object() {
        let json = report(lost_update()).to_json();
        assert!(json.starts_with(r#"{"name":"lost_update","kind":"panic","message":"thread"#));
        assert!(
            json.contains(r#""execution":3,"schedule":"1-2x2-1-0","threads":["main","a","b"]"#)
        );
        let store = r#"{"kind":"operation","step":3,"thread":"b","operation":"counter.store(1)","file":"src/bank.rs","line":12,"column":9}"#;
        assert!(json.contains(store), "{json}");
        assert!(json.contains(r#"{"kind":"end","thread":"b","operation":"end"}"#), "{json}");
        assert!(json.ends_with("]}"), "{json}");
    }

    #[test]
    fn statistics_keep_their_names() {
        let verdict = Verdict {
            executions: 4,
            unfolding: Some(UnfoldingStatistics::default()),
            stopped: Some(Bound::Time),
            restarts: vec![Restart {
                lesson: Lesson::Overlap,
                executions: 2,
                blocked: 1,
                elapsed: Duration::from_millis(500),
            }],
            ..Verdict::default()
        };
        let json = serde_json::to_string(&Statistics::from(&verdict)).unwrap();
        assert_eq!(
            json,
            r#"{"algorithm":"observers","executions":4,"blocked":0,"events":0,"max_depth":0,"complete":false,"stopped":"time","seconds":0.0,"rate":4000000000.0,"restarts":[{"lesson":"overlap","executions":2,"blocked":1,"seconds":0.5}],"ordered_locations":0,"unfolding":{"events":0,"cut_offs":0,"maximal_configurations":0,"most_events":0},"scouts":0,"notes":[]}"#
        );
    }
}
