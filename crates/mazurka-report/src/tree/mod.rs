//! The search tree of an exploration, as a page for teaching.
//!
//! The page has one column for each execution, in the order in which the explorer ran them. A column
//! has only the steps that are new: it branches off the column of the execution whose prefix it
//! shares. Beside the steps are the sleep sets, and below the drawing is a list that says which
//! steps each execution reverses.

mod drawing;

use mazurka_core::execution::Execution;
use mazurka_core::model::{Ending, ProcessId, Step};
use mazurka_core::search::{Monitor, Options};
use mazurka_core::verdict::{Restart, Schedule, Violation};

use crate::recording::{Line, LineKind};
use crate::report::threads;
use crate::{Recording, Run, Subject};

/// The maximum number of executions on a page.
const MOST: usize = 200;

/// The executions of a search, in order.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    name: String,
    algorithm: &'static str,
    branches: Vec<Branch>,
    /// Whether the search has more executions.
    is_cut: bool,
}

/// An execution as a part of the tree.
#[derive(Clone, Debug)]
struct Branch {
    schedule: Schedule,
    /// The number of steps that an earlier execution has taken, too.
    shared: usize,
    /// The earlier execution, counted from 0, whose column has the last of these steps.
    parent: usize,
    /// A step of this execution, and a later one that came first in an earlier execution.
    reversed: Option<(usize, usize)>,
    /// The sleep set after each number of steps.
    asleep: Vec<Vec<Step>>,
    end: End,
    recording: Recording,
}

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
enum End {
    Passed,
    Failed(String),
    /// An assumption failed.
    Assumption,
    /// All enabled steps were asleep.
    Redundant,
    /// It reached a bound.
    Cut,
}

impl Tree {
    /// Explores a subject again, by one worker and without scouts, and collects its first
    /// executions.
    pub fn of<S: Subject>(subject: &S, options: &Options<'_>) -> Self {
        // One more, to know whether there are more.
        let most = options.max_executions.map_or(MOST as u64 + 1, |max| max.min(MOST as u64 + 1));
        let options = Options { max_executions: Some(most), scouts: false, ..options.clone() };
        let mut collector = Collector::default();
        let verdict = Run::check(subject, &options, &mut collector).verdict;
        let mut branches = collector.branches;
        let is_cut = branches.len() > MOST || !verdict.is_complete();
        branches.truncate(MOST);
        for branch in &mut branches {
            branch.recording = subject.record(&branch.schedule);
        }
        Tree { name: subject.name(), algorithm: verdict.algorithm.name(), branches, is_cut }
    }

    /// Returns the tree as a page.
    pub fn page(&self) -> String {
        drawing::page(self)
    }
}

impl Branch {
    /// Returns the line of the operation of a step.
    fn operation(&self, step: usize) -> Option<&Line> {
        let from = self.recording.lines.partition_point(|line| line.step < step);
        let own = self.recording.lines[from..].iter().take_while(|line| line.step == step);
        own.filter(|line| line.kind == LineKind::Operation).last()
    }

    /// Returns the text of a step.
    fn text(&self, step: usize) -> &str {
        let line = self.operation(step).map(|line| line.text.as_str());
        line.and_then(|text| text.lines().next()).unwrap_or("a step")
    }

    fn process(&self, step: usize) -> ProcessId {
        self.schedule.steps()[step].process
    }

    /// Returns the name of a process.
    fn name(&self, process: ProcessId) -> String {
        let names = threads(&self.recording);
        names.into_iter().nth(process.index()).unwrap_or_else(|| process.to_string())
    }
}

/// Collects the executions of a search.
#[derive(Default)]
struct Collector {
    branches: Vec<Branch>,
    /// The sleep sets of the current execution, with the ids of the machine.
    asleep: Vec<Vec<Step>>,
}

impl<M: ?Sized> Monitor<M> for Collector {
    fn hears_of_sleep_sets(&self) -> bool {
        self.branches.len() < MOST
    }

    fn asleep(&mut self, depth: usize, steps: &[Step]) {
        self.asleep.truncate(depth);
        self.asleep.push(steps.to_vec());
    }

    fn started_over(&mut self, _: &Restart) {
        self.branches.clear();
    }

    fn ended(
        &mut self,
        _: &M,
        execution: &Execution,
        ending: Option<&Ending>,
        violation: Option<&Violation>,
    ) {
        if self.branches.len() > MOST {
            return;
        }
        let schedule = execution.schedule();
        let asleep = renumbered(std::mem::take(&mut self.asleep), execution, &schedule);
        let end = match (violation, ending) {
            (Some(violation), _) => End::Failed(violation.kind.to_string()),
            (None, Some(Ending::Finished)) => End::Passed,
            (None, Some(Ending::AssumptionFailed)) => End::Assumption,
            (None, Some(Ending::Stuck(violation))) => End::Failed(violation.kind.to_string()),
            (None, None) if asleep.last().is_some_and(|last| !last.is_empty()) => End::Redundant,
            (None, None) => End::Cut,
        };
        let (shared, parent) = self.place(&schedule);
        let reversed = self.reversed(execution, &schedule, shared);
        let recording = Recording::default();
        self.branches.push(Branch { schedule, shared, parent, reversed, asleep, end, recording });
    }
}

impl Collector {
    /// Returns the length of the longest prefix that an earlier execution has, too, and the
    /// execution that had it first.
    fn place(&self, schedule: &Schedule) -> (usize, usize) {
        let lengths = self.branches.iter().map(|branch| shared(&branch.schedule, schedule));
        let mut best = (0, 0);
        for (index, length) in lengths.enumerate() {
            if length > best.0 {
                best = (length, index);
            }
        }
        best
    }

    /// Returns two dependent steps that came in the other order in an earlier execution which
    /// differs from this one after `depth` steps.
    fn reversed(
        &self,
        execution: &Execution,
        schedule: &Schedule,
        depth: usize,
    ) -> Option<(usize, usize)> {
        let steps = schedule.steps();
        let siblings = self.branches.iter().filter(|b| shared(&b.schedule, schedule) == depth);
        siblings.filter_map(|branch| branch.schedule.steps().get(depth)).find_map(|sibling| {
            let later = (depth..steps.len()).find(|i| steps[*i].process == sibling.process)?;
            let first = (depth..later).find(|first| execution.happens_before(*first, later))?;
            Some((first, later))
        })
    }
}

/// Returns the length of the common prefix.
fn shared(one: &Schedule, other: &Schedule) -> usize {
    one.steps().iter().zip(other.steps()).take_while(|(a, b)| a == b).count()
}

/// Returns sleep sets with the ids of a schedule. A process without a step in the execution keeps
/// its id.
fn renumbered(
    asleep: Vec<Vec<Step>>,
    execution: &Execution,
    schedule: &Schedule,
) -> Vec<Vec<Step>> {
    let ids: Vec<(ProcessId, ProcessId)> = execution
        .steps()
        .zip(schedule.steps())
        .map(|(own, renumbered)| (own.process, renumbered.process))
        .collect();
    let renumber = |step: Step| {
        let known = ids.iter().find(|(own, _)| *own == step.process);
        Step { process: known.map_or(step.process, |(_, id)| *id), ..step }
    };
    asleep.into_iter().map(|set| set.into_iter().map(renumber).collect()).collect()
}
