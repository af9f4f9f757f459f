//! The interface between an explorer and the loop that runs it.

use std::cell::Cell;

use crate::execution::cells::CellId;
use crate::execution::order::Relation;
use crate::execution::{Execution, Settings};
use crate::memory::Graph;
use crate::model::{Action, Lesson, Machine, Op, Performed, ProcessId, Step, View, Violation};
use crate::search::Options;
use crate::verdict::Verdict;

/// The decision of a strategy at the end of the current execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// Take this step.
    Step(Step),
    /// Take this step with this view of memory.
    See(Step, View),
    /// No process is enabled: the execution is maximal.
    End,
    /// Every enabled step is in the sleep set: the execution is abandoned.
    Asleep,
    /// Every enabled step exceeds a bound: the execution is cut.
    Cut,
    /// Every enabled step leads to a state that is explored elsewhere.
    CutOff,
    /// No memory model allows what could be done: the execution is abandoned, and does not count.
    Inconsistent,
    /// Another part of a divided search runs an equivalent execution: this one does not count.
    Elsewhere,
}

/// A [`Strategy`] that the table of explorers can name.
pub(crate) trait Explorer {
    /// Creates the strategy at the beginning of a search.
    fn new(options: &Options<'_>) -> Self;
}

/// Decides which executions to run.
///
/// The driver asks a strategy for one step at a time until the execution ends. The strategy then
/// analyses the races of the execution and chooses the prefix to backtrack to.
pub(crate) trait Strategy {
    /// The relation that orders the events of an execution.
    type Relation: Relation;

    /// Returns the settings of the execution.
    fn settings(_has_plain_memory: bool) -> Settings
    where
        Self: Sized,
    {
        Settings::default()
    }

    /// Decides how to continue the current execution.
    fn next(&mut self, at: &Position<'_>) -> Next;

    /// Returns whether the strategy rebuilds its state at each prefix of the steps that
    /// [`elsewhere`](Self::elsewhere) returns. Then the driver repeats all of them.
    fn rebuilds(&self) -> bool {
        false
    }

    /// Called at each prefix of these steps that the driver comes to, the whole one included. The strategy
    /// may move the machine and add events, but must restore their states. Returns `false` if the next
    /// step is not possible.
    fn arrives(
        &mut self,
        _machine: &mut dyn Machine,
        _execution: &mut Execution,
    ) -> Result<bool, Box<Violation>> {
        Ok(true)
    }

    /// The driver is about to take a step of the prefix that [`elsewhere`](Self::elsewhere) has returned.
    #[inline]
    fn repeats(&mut self, _machine: &dyn Machine, _execution: &Execution, _step: Step) {}

    /// The driver has taken that step, which did this.
    #[inline]
    fn repeated(&mut self, _machine: &dyn Machine, _performed: &Performed) {}

    /// Called before an execution is reported. The strategy may change what its steps saw of memory, if
    /// it has learnt that only later.
    #[inline]
    fn review(&mut self, _execution: &mut Execution) {}

    /// A step was taken, and did this.
    #[inline]
    fn performed(&mut self, _machine: &dyn Machine, _performed: &Performed) {}

    /// Returns the graph of the current execution, if the explorer knows it.
    fn graph(&self) -> Option<&Graph> {
        None
    }

    /// Returns whether a whole execution does not count, because another one counts that differs from it by a
    /// permutation of twins.
    fn is_repeated(&self, _execution: &Execution) -> bool {
        false
    }

    /// Called after each step, which is the last event of the execution.
    fn took(&mut self, machine: &dyn Machine, execution: &mut Execution);

    /// Inspects the machine after that step, which may have `failed`. The strategy may move the
    /// machine, but must restore its state. Returns whether to keep the step. Otherwise it leads to
    /// a state that is explored elsewhere, and the driver undoes it.
    fn look(
        &mut self,
        _machine: &mut dyn Machine,
        _execution: &mut Execution,
        _failed: bool,
    ) -> Result<bool, Box<Violation>> {
        Ok(true)
    }

    /// Returns whether the strategy cannot explore this program.
    fn gives_up(&self) -> bool {
        false
    }

    /// Takes over the knowledge of an `earlier` search about the locations of the program, before
    /// the search starts over.
    fn inherit(&mut self, _earlier: Self)
    where
        Self: Sized,
    {
    }

    /// Returns a data race that was predicted without being executed, with its location and its
    /// schedule.
    fn take_data_race(&mut self) -> Option<(CellId, Violation)> {
        None
    }

    /// Inspects the steps of the machine in other states, after an execution has ended and was
    /// counted. Returns the number of steps of the execution that the machine is still at.
    fn extend(
        &mut self,
        _machine: &mut dyn Machine,
        execution: &mut Execution,
    ) -> Result<usize, Box<Violation>> {
        Ok(execution.len())
    }

    /// Takes the lesson that the machine has learnt outside of the current execution, if there is
    /// one.
    fn take_lesson(&mut self) -> Option<Lesson> {
        None
    }

    /// Called when the execution has ended for any reason.
    fn ended(&mut self, machine: &dyn Machine, execution: &mut Execution);

    /// Returns the number of events to backtrack to, or `None` when the exploration is complete.
    fn backtrack(&mut self, execution: &Execution) -> Option<usize>;

    /// Returns the steps of a prefix elsewhere in the search tree, once the subtree of the current
    /// execution is explored. It may wait for other workers to share one. Returns `None` if there
    /// is none.
    fn elsewhere(&mut self, _execution: &Execution) -> Option<Vec<Step>> {
        None
    }

    /// Returns the numbers of explored and of open branches at a depth, without the current one.
    fn branches(&self, depth: usize) -> (usize, usize);

    /// Returns the sleep set at a depth of the current execution, if the explorer has one.
    fn asleep(&self, _depth: usize) -> Vec<Step> {
        Vec::new()
    }

    /// Adds the statistics that are specific to this explorer to the verdict.
    fn report(&self, _verdict: &mut Verdict) {}
}

/// The end of the current execution.
pub(crate) struct Position<'a> {
    pub(crate) machine: &'a dyn Machine,
    pub(crate) execution: &'a Execution,
    /// The process that must not be preempted, if the bound on preemptions is exhausted.
    pub(crate) confined_to: Option<ProcessId>,
    /// Whether the bound excluded a process.
    pub(crate) left_out: Cell<bool>,
    /// The process that moved last, if the driver bounds preemptions. Strategies prefer it.
    pub(crate) favourite: Option<ProcessId>,
}

impl Position<'_> {
    pub(crate) fn depth(&self) -> usize {
        self.execution.len()
    }

    /// Returns whether a process may move without exceeding the bound on preemptions. If the answer
    /// is no, the check becomes incomplete.
    pub(crate) fn allows(&self, process: ProcessId) -> bool {
        let allowed = self.confined_to.is_none_or(|only| only == process);
        self.left_out.set(self.left_out.get() || !allowed);
        allowed
    }

    /// Returns the enabled processes in the order of their ids, except that the favourite comes
    /// first.
    pub(crate) fn enabled(&self) -> impl Iterator<Item = ProcessId> + '_ {
        let favourite = self.favourite.filter(|p| self.machine.is_enabled(*p));
        let others = self.machine.enabled().filter(move |p| Some(*p) != favourite);
        favourite.into_iter().chain(others)
    }

    /// Returns the process that moved last if it is enabled, and otherwise the first enabled
    /// process. This avoids context switches, which take time and make schedules hard to read.
    ///
    /// After a switch, processes that can receive a message come first, since a receive has no
    /// races. This delays racing steps, so that less has to be repeated when their races are
    /// reversed.
    #[inline(always)]
    pub(crate) fn first_enabled(&self) -> Option<ProcessId> {
        let last = self.execution.last_process().filter(|p| self.machine.is_enabled(*p));
        if last.is_some() {
            return last;
        }
        let first = self.machine.first_enabled(ProcessId::MAIN)?;
        if !self.execution.has_messages() {
            return Some(first);
        }
        let takes = |action: &Action| matches!(action.op, Op::Take { .. });
        let receives = |p: &ProcessId| self.machine.next(*p).is_some_and(takes);
        self.machine.enabled().find(receives).or(Some(first))
    }
}
