//! Symmetry reduction: executions that differ by a permutation of *twins* count as one.
//!
//! Twins are processes that were created by one step, one after the other, with the same code and
//! the same arguments; see [`Machine::twin`]. If no process tells twins apart, a permutation of
//! their ids turns every execution into another one, with the same violations. The executions that
//! permutations make out of one are its *orbit*. [`Twins`] restricts a machine to executions such
//! that every orbit keeps one.
//!
//! # The restriction
//!
//! Let `a` and `b` be neighbours among twins, `a` created first, and `a.k` the `k`-th step of `a`.
//! The steps `a.k` and `b.k` are *equal* if
//!
//! * their actions are the same, on the same locations, and so is their alternative;
//! * the two steps are independent of each other;
//! * no event between `a.k` and `b.k` is dependent on them: what they read is the same;
//! * neither has [edges](crate::model::Edge): it creates no process, ends none that another process
//!   joins, and was not released by another process.
//!
//! Two actions are also the same if they differ only in their locations, and no other process has done
//! anything before that they depend on. Twins that have done the same so far access different locations
//! only if each has created one for itself.
//!
//! As long as all earlier steps of `a` and `b` are equal, `b.k` has to wait for `a.k`. While `a.k`
//! has not been taken, `b` has no next step, as if it waited for an edge. Once both have been
//! taken, a [`Precedence`] says that `b.k` happens after `a.k`. If the steps are not equal, the
//! pair is *broken*, and `b` waits for `a` no more in this execution.
//!
//! If the next steps of both are mere choices, without an action, then `b` must not choose a greater
//! alternative than `a`.
//!
//! A pair also breaks before a step that cannot wait in this way: one that has
//! [guards](Machine::guards) or [others](Machine::others), or that has no action and is no choice.
//!
//! # Every orbit keeps an execution
//!
//! Whether a pair is broken depends only on the trace, because each of the conditions does. With
//! observers, it depends only on the class: two writes are never equal, and other events are ordered
//! with the events that they depend on. Let `L` be an execution with trace `T`. Equality of steps is an
//! equivalence, so the twins with equal first `j` steps form a *block*, and the blocks form a tree. Move
//! every step `b.j` of `L` to the place of the first of the steps equal to it, `a.j`. The result `L'` has
//! the trace `T`. An event that `b.j` depends on is a step of `b` on a location of its own, or comes before
//! `a.j`: it is not between the two. The earlier steps of `b` have been moved to places before `a.j` as
//! well, because they equal those of `a`. Move choices that are equal except for their alternatives to one
//! place, too: they depend on nothing.
//!
//! Now order the twins of each block by the place of their next step in `L'`, those without a next
//! step last, and those that choose at one place by their alternatives, the greater first. This order is
//! total, except for twins that have only equal steps. Rename the twins
//! in this order, and order steps at one place in the same way. If `a` and `b` are
//! neighbours then, and `k` is their first step that is not equal, then `a.j` comes before `b.j` in
//! `L'` for all `j <= k`: for `j < k` the two are at the same place, and for `j = k` this is the
//! order of the twins. This is all that the restriction asks for. So the renamed execution remains.
//!
//! # And only one counts
//!
//! If `a.k` and `b.k` are the first steps that are not equal, and one of them happens before the
//! other, then every execution of the trace orders the twins in the same way, and no other
//! execution of the orbit remains. This is so whenever the two are dependent, or read from
//! different events. It is not so if a pair breaks for another reason: the two steps write what no
//! observer distinguishes, have edges, or cannot wait. Then more than one execution of an orbit
//! may remain. Explorers that run one execution of each class count one of these, and the others are
//! blocked: [`orbits`] decides which one counts.
//!
//! # Executions that end too early
//!
//! If `a` never takes its next step, `b` waits for ever although it could go on. That execution is
//! [blocked](Ending::AssumptionFailed), and not a deadlock: the execution in which the two are
//! swapped remains.
//!
//! # Data races
//!
//! Let `e` and `f` be a data race, next to each other at the end of an execution. Both are the last
//! steps of their processes. So in the order of twins above, their twins that have taken as many
//! steps come first, and no twin waits for `e` or `f`. The restriction thus orders `e` and `f` only
//! if one of them waits for the other, `e` being `a.k` and `f` being `b.k`. So the execution compares
//! these two as if `b.k` had not waited; see [`Performed::elder`].
//!
//! # The files
//!
//! | file | its part |
//! |---|---|
//! | `pairs` | which twins wait for their elders, and which pairs are broken |
//! | `steps` | which steps are equal, and which are in order |
//! | `orbits`, `whole`, `arrangements` | which execution of an orbit counts |

mod arrangements;
mod orbits;
mod pairs;
mod steps;
#[cfg(test)]
mod tests;
mod whole;

use self::orbits::Orbits;
use self::pairs::Member;
use self::steps::Taken;
use crate::algorithm::Algorithm;
use crate::execution::Execution;
use crate::execution::order::Relation;
use crate::model::{Action, Edge, Ending, Lesson, Machine, Performed, ProcessId, Step, Violation};

/// The twins of an execution, and the processes that wait for their twins.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    /// Whether to reduce at all.
    is_on: bool,
    /// Whether only to count twins: the explorer restricts the executions.
    counts: bool,
    /// Whether an update whose result is [unread](Action::unread) counts as an addition.
    adds_unread: bool,
    /// Decides which of several executions of an orbit counts, if the explorer runs one of each class.
    orbits: Option<Box<Orbits>>,
    /// The number of steps of the current execution.
    len: u32,
    /// By process.
    members: Vec<Member>,
    /// The number of processes that wait for their twins.
    held: u32,
    /// The number of pairs that are not broken.
    pairs: u32,
    /// The largest number of twins that an execution has had.
    most: u32,
    /// The steps that were taken while there was a pair that was not broken.
    log: Vec<Taken>,
    /// The actions of these steps.
    actions: Vec<Action>,
    /// The edges, with the number of steps before the step that has them.
    edges: Vec<(u32, Edge)>,
    /// The members as they were before a change, with the number of steps at that time.
    changes: Vec<(u32, ProcessId, Member)>,
}

/// Drops the lesson that twins are told apart, which matters only to symmetry reduction.
#[inline]
pub(crate) fn ignore_lesson(performed: &mut Performed) {
    if performed.lesson == Some(Lesson::Twins) {
        performed.lesson = None;
    }
}

impl Twins {
    /// Creates the twins of a search that reduces. For `observers`, an update whose result is
    /// [unread](Action::unread) counts as an addition.
    pub(crate) fn new(machine: &dyn Machine, algorithm: Algorithm) -> Self {
        let runs_classes = matches!(algorithm, Algorithm::Optimal | Algorithm::Observers);
        let orbits = runs_classes.then(Box::default);
        let adds_unread = algorithm == Algorithm::Observers;
        let mut twins = Twins { is_on: true, adds_unread, orbits, ..Twins::default() };
        twins.start(machine);
        twins
    }

    /// Creates the twins of a search whose explorer reduces by itself. They are counted.
    pub(crate) fn counting(machine: &dyn Machine) -> Self {
        let mut twins = Twins { counts: true, ..Twins::default() };
        twins.start(machine);
        twins
    }

    /// Forgets everything, and meets the processes of a machine in its initial state.
    pub(crate) fn start(&mut self, machine: &dyn Machine) {
        if self.counts {
            *self = Twins { counts: true, ..Twins::default() };
            self.count_of(machine);
        }
        if !self.is_on {
            return;
        }
        let (adds_unread, orbits) = (self.adds_unread, self.orbits.take());
        *self = Twins { is_on: true, adds_unread, orbits, ..Twins::default() };
        let processes = || (0..machine.processes()).map(ProcessId::new);
        // The other processes may be created later.
        let twins = processes().filter_map(|process| Some([process, machine.twin(process)?]));
        for process in twins.flatten() {
            self.change(process).created = 0;
        }
        processes().for_each(|process| self.meet(machine, process));
        // The initial state is never left.
        self.changes.clear();
        self.count();
    }

    /// Returns the largest number of twins that an execution has had.
    pub(crate) fn most(&self) -> u32 {
        self.most
    }

    /// Returns whether a process waits for its twin.
    #[inline]
    pub(crate) fn holds(&self, process: ProcessId) -> bool {
        self.held != 0 && self.members.get(process.index()).is_some_and(|member| member.is_held)
    }

    /// Returns the number of alternatives of a process that has `all` of them. If the step is a mere choice,
    /// and the previous twin has done the same so far, then its alternative must not be less.
    #[inline]
    pub(crate) fn alternatives(&self, process: ProcessId, all: u32) -> u32 {
        match all > 1 && self.pairs != 0 {
            true => self.alternatives_of_twin(process).map_or(all, |some| all.min(some)),
            false => all,
        }
    }

    fn alternatives_of_twin(&self, process: ProcessId) -> Option<u32> {
        let member = self.members.get(process.index())?;
        if !member.is_paired || member.is_released {
            return None;
        }
        let (elder, number) = (member.previous?, member.steps + 1);
        if self.members[elder.index()].steps < number {
            return None;
        }
        let step = self.index_of(elder, number);
        let Taken { choice, is_released, .. } = self.log[step as usize];
        (!is_released && self.actions_of(step).is_empty()).then_some(choice + 1)
    }

    /// Returns how an execution has ended that the machine cannot continue, or `None` if that is up
    /// to the machine.
    pub(crate) fn ending(&self, machine: &dyn Machine) -> Option<Ending> {
        let could_run = |process: ProcessId| self.holds(process) && machine.is_enabled(process);
        let mut processes = (0..self.members.len()).map(ProcessId::new);
        let is_cut = self.held != 0 && processes.any(could_run);
        is_cut.then_some(Ending::AssumptionFailed)
    }

    /// Returns whether another execution of the orbit of a whole execution counts in its place.
    pub(crate) fn is_repeated<R: Relation>(&mut self, execution: &Execution) -> bool {
        let Some(orbits) = &mut self.orbits else { return false };
        let may_be_unordered = |(process, member): (usize, &Member)| {
            member.unordered < execution.steps_of(ProcessId::new(process))
        };
        if !self.members.iter().enumerate().any(may_be_unordered) {
            return false;
        }
        let mut families = Vec::new();
        for (process, member) in self.members.iter().enumerate() {
            if member.previous.is_none() && member.next.is_some() {
                let next = |process: &ProcessId| self.members[process.index()].next;
                families.push(std::iter::successors(Some(ProcessId::new(process)), next).collect());
            }
        }
        orbits.is_repeated::<R>(execution, &families, &self.edges)
    }

    /// Notes a step that the machine has just taken, and adds the precedences of twins to what it
    /// performed.
    #[inline]
    pub(crate) fn took(
        &mut self,
        machine: &dyn Machine,
        step: Step,
        performed: &mut Performed,
        result: &Result<(), Box<Violation>>,
    ) {
        if self.counts {
            if !performed.edges.is_empty() {
                self.count_of(machine);
            }
        } else if !self.is_on {
            ignore_lesson(performed);
        } else {
            if self.pairs != 0 || !performed.edges.is_empty() {
                self.note(machine, step, performed, result.is_err());
            }
            self.len += 1;
        }
    }
    /// Counts the twins of a machine in its current state.
    fn count_of(&mut self, machine: &dyn Machine) {
        let processes = (0..machine.processes()).map(ProcessId::new);
        let elders = processes.filter_map(|process| machine.twin(process));
        // The first of several twins is the elder of one.
        let twins = elders.map(|elder| 1 + u32::from(machine.twin(elder).is_none())).sum();
        self.most = self.most.max(twins);
    }

    /// Goes back to the state after the first `len` steps.
    #[inline]
    pub(crate) fn rewind(&mut self, len: usize) {
        if self.is_on {
            self.len = len as u32;
            if self.changes.last().is_some_and(|(at, ..)| *at as usize >= len) {
                self.undo(len as u32);
            }
        }
    }
}
