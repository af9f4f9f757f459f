//! What an explorer decides, and the one loop that carries it out.

use std::cell::Cell;

use crate::execution::cells::CellId;
use crate::execution::order::Relation;
use crate::execution::{Execution, Settings};
use crate::model::{Action, Machine, Op, ProcessId, Step, Violation};
use crate::search::Options;
use crate::verdict::Verdict;

/// Where to go next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// Take this step.
    Step(Step),
    /// No process is enabled: the execution is maximal.
    End,
    /// Whatever could be done has been seen: the execution is abandoned.
    Asleep,
    /// Whatever could be done is beyond a bound: the execution is cut.
    Cut,
    /// Whatever could be done leads to states that are explored elsewhere.
    CutOff,
}

/// A [`Strategy`] that the table of explorers can name.
pub(crate) trait Explorer {
    /// The strategy at the beginning of a search.
    fn new(options: &Options<'_>) -> Self;
}

/// Decides which executions to run.
///
/// It is asked for one step after the other until an execution ends, looks at that execution's
/// races, and says to which prefix to go back.
pub(crate) trait Strategy<M: Machine> {
    /// Which events of an execution it orders.
    type Relation: Relation;

    /// What it needs of the execution.
    fn settings(_has_plain_memory: bool) -> Settings
    where
        Self: Sized,
    {
        Settings::default()
    }

    /// What to do after the current execution.
    fn next(&mut self, at: &Position<'_, M>) -> Next;

    /// A step was taken: it is the last event of the execution.
    fn took(&mut self, machine: &M, execution: &mut Execution);

    /// Looks at the machine after that step, which may have `failed`. It may send the machine
    /// elsewhere, but brings it back. Returns whether the step is kept: otherwise it leads to a state
    /// that is explored elsewhere, and is taken back at once.
    fn look(
        &mut self,
        _machine: &mut M,
        _execution: &mut Execution,
        _failed: bool,
    ) -> Result<bool, Box<Violation>> {
        Ok(true)
    }

    /// Whether the strategy cannot explore this program.
    fn gives_up(&self) -> bool {
        false
    }

    /// Takes over what an `earlier` search has learnt about the locations of the program, before the
    /// search starts over.
    fn inherit(&mut self, _earlier: Self)
    where
        Self: Sized,
    {
    }

    /// A data race that was found without running into it, with its location and its schedule.
    fn take_data_race(&mut self) -> Option<(CellId, Violation)> {
        None
    }

    /// Looks at what the machine would do elsewhere, once an execution has ended and was accounted
    /// for. Returns how many steps of the execution the machine is still at.
    fn extend(
        &mut self,
        _machine: &mut M,
        execution: &mut Execution,
    ) -> Result<usize, Box<Violation>> {
        Ok(execution.len())
    }

    /// The execution has ended, in whatever way.
    fn ended(&mut self, machine: &M, execution: &mut Execution);

    /// To how many events to go back; `None` when everything has been explored.
    fn backtrack(&mut self, execution: &Execution) -> Option<usize>;

    /// If nothing more is to be explored behind the current execution: the steps to a prefix where the
    /// search goes on. It may wait for other workers to leave one; `None` if there is none.
    fn elsewhere(&mut self, _execution: &Execution) -> Option<Vec<Step>> {
        None
    }

    /// How many branches at a depth have been explored, and how many are still to be explored,
    /// the current one not counted.
    fn branches(&self, depth: usize) -> (usize, usize);

    /// Adds to the verdict what only this explorer can tell.
    fn report(&self, _verdict: &mut Verdict) {}
}

/// The end of the current execution.
pub(crate) struct Position<'a, M> {
    pub(crate) machine: &'a M,
    pub(crate) execution: &'a Execution,
    /// Whether preemptions are bounded.
    pub(crate) bounded: bool,
    /// Who may not be interrupted, if the bound on preemptions is exhausted.
    pub(crate) confined_to: Option<ProcessId>,
    /// Whether something was left out because of that.
    pub(crate) left_out: Cell<bool>,
    /// Who moved last, if preemptions count: it is the first choice.
    pub(crate) favourite: Option<ProcessId>,
}

impl<M: Machine> Position<'_, M> {
    pub(crate) fn depth(&self) -> usize {
        self.execution.len()
    }

    /// Whether a process may move without exceeding the bound on preemptions. Asking for one
    /// that may not makes the check incomplete.
    pub(crate) fn allows(&self, process: ProcessId) -> bool {
        let allowed = self.confined_to.is_none_or(|only| only == process);
        self.left_out.set(self.left_out.get() || !allowed);
        allowed
    }

    /// For a process that may not move here, because that would be one preemption too many: the
    /// depth where the one that may not be interrupted was let in, where the other might go first
    /// for free. Without looking there too, schedules within the bound would be missed.
    pub(crate) fn where_to_try_instead(&self, process: ProcessId) -> Option<usize> {
        let only = self.confined_to.filter(|only| *only != process)?;
        let others = |depth: &usize| self.execution.event(*depth).step.process != only;
        let start = (0..self.depth()).rev().find(others).map_or(0, |depth| depth + 1);
        (start < self.depth()).then_some(start)
    }

    /// The enabled processes, lowest id first, save that a favourite comes before all others.
    pub(crate) fn enabled(&self) -> impl Iterator<Item = ProcessId> + '_ {
        let favourite = self.favourite.filter(|p| self.machine.is_enabled(*p));
        let others = (0..self.machine.processes()).map(ProcessId::new);
        let others = others.filter(move |p| Some(*p) != favourite && self.machine.is_enabled(*p));
        favourite.into_iter().chain(others)
    }

    /// The process that moved last, if it is enabled, or else the first one that is. So there are few
    /// switches from one process to another: they take time, and make schedules hard to read.
    ///
    /// Before others come those who can receive a message: that races with nothing. What does is put off,
    /// and so is what has to be run again when it is reversed.
    #[inline(always)]
    pub(crate) fn first_enabled(&self) -> Option<ProcessId> {
        let is_enabled = |p: &ProcessId| self.machine.is_enabled(*p);
        let last = self.execution.last_process().filter(is_enabled);
        if last.is_some() {
            return last;
        }
        let has_messages = self.execution.has_messages();
        let takes = |action: &Action| matches!(action.op, Op::Take { .. });
        let mut first = None;
        for process in (0..self.machine.processes()).map(ProcessId::new).filter(is_enabled) {
            if !has_messages || self.machine.next(process).is_some_and(takes) {
                return Some(process);
            }
            first = first.or(Some(process));
        }
        first
    }
}
