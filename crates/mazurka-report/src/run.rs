//! Running checks and replays.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mazurka_core::execution::Execution;
use mazurka_core::explore::{
    CheckpointError, Checkpoints, Explored, Part, PartError, Sharing, explore_part, rerun,
};
use mazurka_core::memory::{Graph, MemoryModel};
use mazurka_core::model::{Ending, Program, Step, View};
use mazurka_core::search::{Algorithm, DataRaces, Monitor, Options};
use mazurka_core::verdict::{Note, Schedule, Verdict, Violation, ViolationKind};

use crate::explain::explain_until;
use crate::sources::Sources;
use crate::{Explanation, Report, Scripted, Subject};

/// The result of a check, or of the replay of a schedule.
#[derive(Clone, Debug)]
pub struct Run {
    /// The verdict.
    pub verdict: Verdict,
    /// The schedule to replay, if this is a replay.
    pub asked: Option<Schedule>,
    /// In a replay, the steps that were taken: those of the schedule, and the steps after its end.
    pub taken: Schedule,
    /// Why the first violations happen, as far as that is known.
    explanations: Vec<Option<Explanation>>,
}

impl Run {
    /// Explores the executions of a subject.
    pub fn check<S: Subject>(
        subject: &S,
        options: &Options<'_>,
        monitor: &mut dyn Monitor<S::Machine>,
    ) -> Self {
        prepare(subject, options);
        Run::of_check(subject, subject.check(options, monitor))
    }

    /// Explores the executions of a subject with several workers, whose machines must agree on
    /// names.
    pub fn check_by<S: Subject>(
        (workers, sharing): (NonZeroUsize, Sharing),
        subject: &S,
        options: &Options<'_>,
        monitor: &mut (dyn Monitor<S::Machine> + Send),
    ) -> Self {
        prepare(subject, options);
        let verdict = subject.check_with_workers(workers, sharing, options, monitor);
        Run::of_check(subject, verdict)
    }

    /// Explores the executions of a subject with several workers, and saves the search now and then.
    ///
    /// # Errors
    ///
    /// If the search cannot be saved, or the checkpoint to continue from is damaged.
    pub fn check_saved<S: Subject>(
        workers: NonZeroUsize,
        subject: &S,
        options: &Options<'_>,
        monitor: &mut (dyn Monitor<S::Machine> + Send),
        checkpoints: Checkpoints<'_>,
    ) -> Result<Self, CheckpointError> {
        prepare(subject, options);
        let verdict = subject.check_with_checkpoints(workers, options, monitor, checkpoints)?;
        Ok(Run::of_check(subject, verdict))
    }

    /// Returns the whole search of a subject, to be explored in parts.
    ///
    /// # Errors
    ///
    /// If the search cannot be divided.
    pub fn whole<S: Subject>(subject: &S, options: &Options<'_>) -> Result<Part, PartError> {
        prepare(subject, options);
        Part::whole(subject, options)
    }

    /// Explores a part of the search of a subject for a while. Besides the outcome, returns a text for
    /// each violation, and then for each warning, that is the same for findings that are the same to
    /// readers. Each of these is found once.
    ///
    /// # Errors
    ///
    /// If the part does not belong to the subject.
    pub fn explore_part<S: Subject>(
        subject: &S,
        part: &Part,
        options: &Options<'_>,
    ) -> Result<(Explored, Vec<String>), PartError> {
        prepare(subject, options);
        let mut explored = explore_part(subject, part, options, &mut ())?;
        let mut keys = Vec::new();
        let Verdict { violations, warnings, .. } = &mut explored.verdict;
        for (found, kind) in [(violations, "violation"), (warnings, "warning")] {
            found.retain(|violation| {
                let key = format!("{kind}: {}", key_of(subject, violation));
                let is_new = !keys.contains(&key);
                keys.extend(is_new.then_some(key));
                is_new
            });
        }
        Ok((explored, keys))
    }

    /// Returns the result of a check whose parts have been explored elsewhere.
    pub fn of_parts<S: Subject>(subject: &S, verdict: Verdict) -> Self {
        Run::of_check(subject, verdict)
    }

    /// Replays a schedule of a subject. If the execution has not ended after it, Mazurka chooses
    /// the remaining steps.
    pub fn replay<S: Subject>(subject: &S, schedule: &Schedule, options: &Options<'_>) -> Self {
        subject.set_memory_orderings(schedule.memory_model().is_some());
        let replay = || replay(subject, schedule, options);
        let plain = replay();
        if plain.is_misfit() {
            while subject.suppose() {
                let other = replay();
                // With some set of lessons, almost any schedule fits, but few of these executions
                // fail.
                if !other.is_misfit() && !other.verdict.violations.is_empty() {
                    return other;
                }
            }
        }
        plain
    }

    /// Returns whether the schedule does not fit the program, which may have other steps with other
    /// lessons.
    fn is_misfit(&self) -> bool {
        let is_misfit = |violation: &Violation| violation.kind == ViolationKind::Nondeterminism;
        self.verdict.violations.iter().any(is_misfit)
    }

    fn of_check<S: Subject>(subject: &S, mut verdict: Verdict) -> Run {
        tell_races_once(subject, &mut verdict);
        // Of a program that loops for ever, cut-offs may leave only executions with pure iterations.
        let is_cut = verdict.unfolding.is_some_and(|unfolding| unfolding.cut_offs > 0);
        let is_blocked = verdict.executions == 0 && verdict.blocked > 0;
        if verdict.is_complete() && is_blocked && !is_cut {
            verdict.notes.push(Note::OnlyBlocked);
        }
        verdict.note_symmetry();
        Run { verdict, asked: None, taken: Schedule::default(), explanations: Vec::new() }
    }

    /// Looks for an [explanation](crate::explain()) of each of the first violations, for at most this
    /// time. A violation that is explained gets the schedule of the explanation, which is at least as
    /// simple, and its [report](Run::reports) has the explanation.
    #[must_use]
    pub fn explained<S: Subject>(self, subject: &S, budget: Duration) -> Self {
        self.explained_until(subject, budget, &AtomicBool::new(false))
    }

    /// Explains the failure as [`Run::explained`] does, and ends with what is found so far once `stop` is set.
    #[must_use]
    pub fn explained_until<S: Subject>(
        mut self,
        subject: &S,
        budget: Duration,
        stop: &AtomicBool,
    ) -> Self {
        let started = Instant::now();
        for violation in &mut self.verdict.violations {
            let left = budget.saturating_sub(started.elapsed());
            if self.asked.is_some() || left.is_zero() || stop.load(Ordering::Relaxed) {
                break;
            }
            let explanation = explain_until(subject, violation, left, Some(stop));
            if let Some(explanation) = &explanation {
                violation.schedule = explanation.schedule.clone();
            }
            self.explanations.push(explanation);
        }
        self
    }

    /// Returns a report on each violation. For a replay, returns one report on it.
    pub fn reports<S: Subject>(&self, subject: &S) -> Vec<Report> {
        let Some(asked) = &self.asked else {
            let explanations = self.explanations.iter().cloned().chain(std::iter::repeat(None));
            let violations = self.verdict.violations.iter().zip(explanations);
            let report = |(violation, explanation): (&Violation, Option<Explanation>)| {
                let report = report_on(subject, violation);
                match explanation {
                    Some(explanation) => report.explained(explanation),
                    None => report,
                }
            };
            return violations.map(report).collect();
        };
        let name = subject.name();
        let report = match self.violation_asked_for(asked) {
            Some(violation) if violation.schedule.steps().len() < asked.steps().len() => {
                // The execution may have failed early, or the schedule may not fit the program. The
                // recording says which.
                let recording = subject.record(asked);
                Report::on_violation(&name, violation, recording)
                    .with_sources(sources(subject, &violation.schedule))
            }
            Some(violation) => report_on(subject, violation),
            None => {
                let recording = subject.record(&self.taken);
                Report::on_nothing(&name, self.taken.clone(), recording)
                    .with_sources(sources(subject, &self.taken))
            }
        };
        let report = report.with_replay_command(|schedule| subject.replay_command(schedule));
        vec![report.replayed(asked)]
    }

    /// Returns the violation of the schedule to replay. Of several data races, it is the one at the
    /// end of the schedule.
    fn violation_asked_for(&self, asked: &Schedule) -> Option<&Violation> {
        let violations = &self.verdict.violations;
        let ends_there = |violation: &&Violation| ends_at(violation, asked.steps().len());
        violations.iter().find(ends_there).or(violations.first())
    }

    /// Returns a report on each warning.
    pub fn warnings<S: Subject>(&self, subject: &S) -> Vec<Report> {
        self.verdict.warnings.iter().map(|warning| report_on(subject, warning)).collect()
    }
}

/// Gives the machines of a subject memory orderings if the explorer needs them.
fn prepare<S: Subject>(subject: &S, options: &Options<'_>) {
    subject.set_memory_orderings(options.algorithm == Algorithm::Graphs);
}

fn report_on<S: Subject>(subject: &S, violation: &Violation) -> Report {
    let steps = violation.schedule.steps();
    // After a data race, the execution may have continued.
    let end = violation.accesses.map_or(steps.len(), |(_, second)| second + 1);
    let schedule = violation.schedule.first(end);
    let recording = subject.record(&schedule);
    let sources = sources(subject, &schedule);
    let violation = Violation { schedule, ..violation.clone() };
    Report::on_violation(&subject.name(), &violation, recording)
        .with_sources(sources)
        .with_replay_command(|schedule| subject.replay_command(schedule))
}

/// Returns a text that is the same for violations that are the same to readers.
fn key_of<S: Subject>(subject: &S, violation: &Violation) -> String {
    let is_race = violation.kind == ViolationKind::DataRace;
    let places = is_race.then(|| report_on(subject, violation).racing_places()).flatten();
    match places {
        Some([first, second]) => format!("data race of {first} and {second}"),
        None => format!("{} {}", violation.kind.name(), violation.message),
    }
}

/// Keeps only one data race for each pair of places in the source. Readers do not care about
/// different events at the same places.
fn tell_races_once<S: Subject>(subject: &S, verdict: &mut Verdict) {
    let is_race = |violation: &Violation| violation.kind == ViolationKind::DataRace;
    if verdict.violations.iter().filter(|violation| is_race(violation)).count() < 2 {
        return;
    }
    let mut told = HashSet::new();
    verdict.violations.retain(|violation| {
        let places = is_race(violation).then(|| report_on(subject, violation).racing_places());
        places.flatten().is_none_or(|places| told.insert(places))
    });
}

/// A program that follows a schedule to its end.
pub(crate) struct ScriptedProgram<'a, P> {
    pub(crate) program: &'a P,
    pub(crate) schedule: &'a Schedule,
}

impl<P: Program> Program for ScriptedProgram<'_, P> {
    type Machine = Scripted<P::Machine>;

    fn start(&self) -> Result<Self::Machine, Box<Violation>> {
        Ok(Scripted::new(self.program.start()?, self.schedule.clone()))
    }
}

/// Replays a schedule with the explorer `naive`, which needs only the enabled processes, or with `graphs`
/// if it is a schedule under a memory model.
fn replay<P: Program>(program: &P, schedule: &Schedule, options: &Options<'_>) -> Run {
    let program = ScriptedProgram { program, schedule };
    let (algorithm, memory_model, follow) = match schedule.memory_model() {
        Some(model) => (Algorithm::Graphs, model, Some(schedule)),
        None => (Algorithm::Naive, MemoryModel::Sc, None),
    };
    let max_executions = Some(1);
    let options = Options {
        algorithm,
        memory_model,
        follow,
        max_executions,
        preemption_bound: None,
        ..options.clone()
    };
    let mut seen = Seen::default();
    let mut verdict = rerun(&program, &options, &mut seen);
    let is_early = |violation: &Violation| {
        violation.kind == ViolationKind::DataRace
            && violation.schedule.steps().len() < schedule.steps().len()
    };
    if verdict.violations.first().is_some_and(is_early) {
        // The schedule may be that of a later data race.
        let options = Options { keep_going: true, ..options };
        let mut beyond = Seen::default();
        let all = rerun(&program, &options, &mut beyond);
        if all.violations.iter().any(|violation| ends_at(violation, schedule.steps().len())) {
            (verdict, seen) = (all, beyond);
        }
    }
    // The explorer does not see the choices that the scripted machine makes.
    let choose = |taken: &[Step]| {
        let mut chosen = schedule.first(taken.len());
        taken
            .iter()
            .skip(schedule.steps().len())
            .for_each(|step| chosen.push(*step, View::PRESENT));
        chosen
    };
    for violation in &mut verdict.violations {
        violation.schedule = choose(violation.schedule.steps());
    }
    let taken = choose(&seen.0);
    Run { verdict, asked: Some(schedule.clone()), taken, explanations: Vec::new() }
}

/// Returns which writes the reads of a schedule read from, if it is one under a memory model.
fn sources<P: Program>(program: &P, schedule: &Schedule) -> Sources {
    let steps = schedule.steps().len();
    look_at_graph(program, schedule, |graph| Sources::of(graph, steps)).unwrap_or_default()
}

/// Runs a schedule and looks at its execution graph, if it is one under a memory model.
pub(crate) fn look_at_graph<P: Program, R>(
    program: &P,
    schedule: &Schedule,
    look: impl FnMut(&Graph) -> R,
) -> Option<R> {
    struct Follow<F, R>(F, Option<R>);
    impl<M: ?Sized, R, F: FnMut(&Graph) -> R> Monitor<M> for Follow<F, R> {
        fn graph(&mut self, graph: &Graph) {
            self.1 = Some(self.0(graph));
        }
    }
    let mut follow = Follow(look, None);
    let options = Options {
        algorithm: Algorithm::Graphs,
        memory_model: schedule.memory_model()?,
        follow: Some(schedule),
        max_executions: Some(1),
        max_depth: Some(schedule.steps().len()),
        keep_going: true,
        data_races: DataRaces::Ignore,
        ..Options::default()
    };
    rerun(&ScriptedProgram { program, schedule }, &options, &mut follow);
    follow.1
}

/// Returns whether the second access of a data race is the last of this many steps.
fn ends_at(violation: &Violation, steps: usize) -> bool {
    violation.accesses.is_some_and(|(_, second)| second + 1 == steps)
}

/// A monitor that records the steps of an execution.
#[derive(Default)]
struct Seen(Vec<Step>);

impl<M: ?Sized> Monitor<M> for Seen {
    fn ended(&mut self, _: &M, execution: &Execution, _: Option<&Ending>, _: Option<&Violation>) {
        self.0 = execution.steps().collect();
    }
}
