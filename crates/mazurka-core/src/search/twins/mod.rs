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

mod arrangements;
mod orbits;
mod whole;

use self::orbits::Orbits;
use crate::algorithm::Algorithm;
use crate::execution::Execution;
use crate::execution::order::Relation;
use crate::model::{
    Action, Edge, Ending, Lesson, Machine, Op, Performed, Precedence, ProcessId, Step, Violation,
    dependence,
};

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

/// The index that stands for "none".
const NONE: u32 = u32::MAX;

/// A process.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// The number of steps after which it was created, or [`NONE`].
    created: u32,
    /// The twins that were created immediately before and after it.
    previous: Option<ProcessId>,
    next: Option<ProcessId>,
    /// Whether it forms a pair with the previous twin that is not broken.
    is_paired: bool,
    /// Whether it waits for the previous twin.
    is_held: bool,
    /// Whether it has received an edge since its last step.
    is_released: bool,
    /// The number of its steps in the log, and the last of them, or [`NONE`].
    steps: u32,
    last: u32,
    /// The number of its steps before the first one that may be in no order with that of the previous
    /// twin although the two differ, or [`NONE`].
    unordered: u32,
}

const FRESH: Member = Member {
    created: NONE,
    previous: None,
    next: None,
    is_paired: false,
    is_held: false,
    is_released: false,
    steps: 0,
    last: NONE,
    unordered: NONE,
};

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
struct Taken {
    /// The number of steps before it.
    at: u32,
    process: ProcessId,
    choice: u32,
    /// The previous step of its process in the log, or [`NONE`].
    previous: u32,
    /// The end of its actions.
    actions: u32,
    /// Whether it failed or has edges.
    is_special: bool,
    /// Whether its process has received an edge before it, and after the previous step.
    is_released: bool,
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

    fn note(
        &mut self,
        machine: &dyn Machine,
        step: Step,
        performed: &mut Performed,
        has_failed: bool,
    ) {
        if self.pairs != 0 {
            self.record(machine, step, performed, has_failed);
        }
        for edge in &performed.edges {
            let len = self.len;
            self.edges.push((len, *edge));
            let member = self.change(edge.to);
            match member.created {
                NONE => member.created = len + 1,
                _ => {
                    // A process that has a next action waits for no edge.
                    debug_assert!(!member.is_held, "it has a next action, and receives an edge");
                    member.is_released = true;
                }
            }
        }
        for edge in &performed.edges {
            if self.members[edge.to.index()].created == self.len + 1 {
                self.meet(machine, edge.to);
            }
        }
        self.count();
    }

    /// Adds a step to the log, breaks the pair of its process unless the step equals that of the
    /// previous twin, and lets processes wait or go on.
    fn record(
        &mut self,
        machine: &dyn Machine,
        Step { process, choice }: Step,
        performed: &mut Performed,
        has_failed: bool,
    ) {
        self.actions.extend_from_slice(&performed.actions);
        let (index, at) = (self.log.len() as u32, self.len);
        let actions = self.actions.len() as u32;
        let member = self.change(process);
        let is_special = has_failed || !performed.edges.is_empty();
        let is_released = member.is_released;
        let previous = std::mem::replace(&mut member.last, index);
        member.is_released = false;
        member.steps += 1;
        let Member { previous: elder, next: younger, steps, is_paired, .. } = *member;
        self.log.push(Taken { at, process, choice, previous, actions, is_special, is_released });
        if let Some(elder) = elder.filter(|_| is_paired) {
            performed.elder = Some(Precedence { from: elder, steps, to: process });
            match self.is_equal(elder, steps, index) {
                true => self.wait(machine, process, elder, performed),
                false => {
                    let unordered = match self.is_ordered(elder, steps, index) {
                        true => NONE,
                        // The edges of the two differ, and what follows.
                        false if self.is_like(elder, steps, index) => steps,
                        false => steps - 1,
                    };
                    let member = self.change(process);
                    (member.is_paired, member.unordered) = (false, unordered);
                }
            }
        }
        if let Some(younger) = younger {
            let waits = &self.members[younger.index()];
            if waits.is_held && waits.steps + 1 == steps {
                self.change(younger).is_held = false;
                performed.precedences.push(Precedence { from: process, steps, to: younger });
            }
        }
    }

    /// Makes a process, which forms a pair with `elder`, wait for the next step of `elder`, or
    /// happen after it. Breaks the pair if it cannot wait.
    fn wait(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
        elder: ProcessId,
        performed: &mut Performed,
    ) {
        // A mere choice is always possible. Other steps without an action may wait for an edge.
        let chooses = || machine.is_enabled(process) && machine.alternatives(process) > 1;
        let can_wait = (machine.next(process).is_some() || chooses())
            && machine.guards(process).is_empty()
            && machine.others(process).is_empty();
        if !can_wait {
            let member = self.change(process);
            (member.is_paired, member.unordered) = (false, member.steps);
            return;
        }
        let steps = self.members[process.index()].steps + 1;
        match self.members[elder.index()].steps < steps {
            true => self.change(process).is_held = true,
            false => performed.precedences.push(Precedence { from: elder, steps, to: process }),
        }
    }

    /// Forms a pair of a process that was just created and its twin, if it has one.
    fn meet(&mut self, machine: &dyn Machine, process: ProcessId) {
        let Some(elder) = machine.twin(process) else { return };
        let created = |process: ProcessId| self.members.get(process.index()).map(|m| m.created);
        if created(elder) != created(process) {
            return;
        }
        debug_assert!(self.members[elder.index()].next.is_none(), "it has one next twin");
        self.change(elder).next = Some(process);
        let member = self.change(process);
        (member.previous, member.is_paired) = (Some(elder), true);
        // Neither has taken a step, so that there is nothing to precede.
        self.wait(machine, process, elder, &mut Performed::default());
    }

    /// Returns the index of the step `number` of a process in the log.
    fn index_of(&self, process: ProcessId, number: u32) -> u32 {
        let Member { steps, mut last, .. } = self.members[process.index()];
        for _ in number..steps {
            last = self.log[last as usize].previous;
        }
        last
    }

    /// Returns whether the step `number` of `elder` equals the step at an index of the log.
    fn is_equal(&self, elder: ProcessId, number: u32, index: u32) -> bool {
        let is_special = |step: u32| self.log[step as usize].is_special;
        !is_special(self.index_of(elder, number))
            && !is_special(index)
            && self.is_like(elder, number, index)
    }

    /// Returns whether these steps are equal, apart from their edges.
    fn is_like(&self, elder: ProcessId, number: u32, index: u32) -> bool {
        let earlier = self.index_of(elder, number);
        let (first, second) = (&self.log[earlier as usize], &self.log[index as usize]);
        let (mine, theirs) = (self.actions_of(earlier), self.actions_of(index));
        !first.is_released
            && !second.is_released
            && first.choice == second.choice
            && mine.len() == theirs.len()
            && !self.depend(mine, theirs)
            && mine.iter().zip(theirs).all(|(mine, theirs)| match mine.on == theirs.on {
                true => {
                    let is_between = |other| self.depend(self.actions_of(other), &[*theirs]);
                    self.is_same(mine, theirs) && !(earlier + 1..index).any(is_between)
                }
                false => {
                    self.is_same(
                        mine,
                        &Action { on: mine.on, before: mine.before, after: mine.after, ..*theirs },
                    ) && self.is_own(mine, earlier)
                        && self.is_own(theirs, index)
                }
            })
    }

    /// Returns whether only the process itself has done something before a step that an action of the step
    /// depends on. Equal twins access different locations only if each has created one for itself.
    fn is_own(&self, action: &Action, step: u32) -> bool {
        let process = self.log[step as usize].process;
        let is_other = |other: &u32| self.log[*other as usize].process != process;
        !(0..step).filter(is_other).any(|other| self.depend(self.actions_of(other), &[*action]))
    }

    /// Returns whether the step `number` of `elder` happens before the step at an index of the log in every
    /// execution with the same class as one that begins in this way. If not, that is not known yet.
    fn is_ordered(&self, elder: ProcessId, number: u32, index: u32) -> bool {
        let earlier = self.index_of(elder, number);
        let (mine, theirs) = (self.actions_of(earlier), self.actions_of(index));
        let is_between = |actions| self.conflict(mine, actions) && self.conflict(actions, theirs);
        // The greater alternative comes first.
        let is_choice = mine.is_empty() && theirs.is_empty();
        let is_released = |step: u32| self.log[step as usize].is_released;
        (is_choice && !is_released(earlier) && !is_released(index))
            || self.conflict(mine, theirs)
            || (earlier + 1..index).any(|other| is_between(self.actions_of(other)))
    }

    /// Returns the actions of a step of the log.
    fn actions_of(&self, index: u32) -> &[Action] {
        let start = match index {
            0 => 0,
            _ => self.log[index as usize - 1].actions as usize,
        };
        &self.actions[start..self.log[index as usize].actions as usize]
    }

    /// Returns whether two actions on one location do the same. Two additions may find different values: they
    /// add the same to it, or put the same value there.
    fn is_same(&self, a: &Action, b: &Action) -> bool {
        let change = |action: &Action| action.after.wrapping_sub(action.before);
        let is_like = || Action { before: a.before, after: a.after, ..*b } == *a;
        match (a.op, b.op) {
            (Op::Add, Op::Add) => (change(a) == change(b) || a.after == b.after) && is_like(),
            // What it adds depends on the order of such updates, as that of a bit to a set.
            (Op::Update, Op::Update) if self.op(a) == Op::Add => is_like(),
            _ => a == b,
        }
    }

    fn op(&self, action: &Action) -> Op {
        match self.adds_unread && action.unread && action.op == Op::Update {
            true => Op::Add,
            false => action.op,
        }
    }

    fn depend(&self, first: &[Action], second: &[Action]) -> bool {
        let depend =
            |a: &Action, b: &Action| dependence::depend((a.on, self.op(a)), (b.on, self.op(b)));
        first.iter().any(|a| second.iter().any(|b| depend(a, b)))
    }

    /// Returns whether two steps are in order whatever follows. With observers, the order of two writes or
    /// deliveries may not matter.
    fn conflict(&self, first: &[Action], second: &[Action]) -> bool {
        let is_blind = |op| matches!(op, Op::Write | Op::Deliver { .. } | Op::Miss { .. });
        let conflict = |a: &Action, b: &Action| {
            let is_certain = !self.adds_unread || !is_blind(a.op) || !is_blind(b.op);
            is_certain && dependence::depend((a.on, self.op(a)), (b.on, self.op(b)))
        };
        first.iter().any(|a| second.iter().any(|b| conflict(a, b)))
    }

    /// Returns a member that is about to change.
    fn change(&mut self, process: ProcessId) -> &mut Member {
        if self.members.len() <= process.index() {
            self.members.resize(process.index() + 1, FRESH);
        }
        let member = &mut self.members[process.index()];
        self.changes.push((self.len, process, *member));
        member
    }

    /// Counts the processes that wait, and the pairs.
    fn count(&mut self) {
        let count = |is_it: fn(&Member) -> bool| {
            self.members.iter().filter(|member| is_it(member)).count() as u32
        };
        self.held = count(|member| member.is_held);
        self.pairs = count(|member| member.is_paired);
        let twins = count(|member| member.previous.is_some() || member.next.is_some());
        self.most = self.most.max(twins);
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

    fn undo(&mut self, len: u32) {
        while let Some((_, process, member)) = self.changes.pop_if(|(at, ..)| *at >= len) {
            self.members[process.index()] = member;
        }
        while self.log.pop_if(|taken| taken.at >= len).is_some() {}
        while self.edges.pop_if(|(at, _)| *at >= len).is_some() {}
        let actions = self.log.last().map_or(0, |taken| taken.actions);
        self.actions.truncate(actions as usize);
        self.count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Location, ObjectId};

    /// Processes that perform the same operations on one location. Process 0 has no twin.
    struct Alike {
        ops: Vec<Op>,
        actions: Vec<Action>,
        taken: Vec<ProcessId>,
    }

    impl Alike {
        fn new(ops: &[Op]) -> Self {
            let at = Location::whole(ObjectId(0));
            let actions = ops.iter().map(|op| Action::new(*op, at)).collect();
            Alike { ops: ops.to_vec(), actions, taken: Vec::new() }
        }

        fn steps(&self, process: ProcessId) -> usize {
            self.taken.iter().filter(|taken| **taken == process).count()
        }
    }

    impl Machine for Alike {
        fn processes(&self) -> usize {
            4
        }

        fn next(&self, process: ProcessId) -> Option<&Action> {
            self.actions.get(self.steps(process))
        }

        fn guards(&self, _process: ProcessId) -> &[Action] {
            &[]
        }

        fn others(&self, _process: ProcessId) -> &[Action] {
            &[]
        }

        fn is_enabled(&self, process: ProcessId) -> bool {
            self.steps(process) < self.ops.len()
        }

        fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
            performed.actions.extend(self.next(step.process).copied());
            self.taken.push(step.process);
            Ok(())
        }

        fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
            self.taken.truncate(len);
            Ok(())
        }

        fn ending(&self) -> Ending {
            Ending::Finished
        }

        fn twin(&self, process: ProcessId) -> Option<ProcessId> {
            (process.index() > 1).then(|| ProcessId::new(process.index() - 1))
        }
    }

    /// Takes a step, and returns the processes that then happen after another one.
    fn take(machine: &mut Alike, twins: &mut Twins, process: usize) -> Vec<(usize, u32, usize)> {
        let step = Step::of(ProcessId::new(process));
        assert!(!twins.holds(step.process), "process {process} waits");
        let mut performed = Performed::default();
        let result = machine.step(step, &mut performed);
        twins.took(machine, step, &mut performed, &result);
        let precedences = performed.precedences.iter();
        precedences.map(|p| (p.from.index(), p.steps, p.to.index())).collect()
    }

    fn held(twins: &Twins) -> Vec<usize> {
        (0..4).filter(|process| twins.holds(ProcessId::new(*process))).collect()
    }

    #[test]
    fn twins_take_equal_steps_in_turn() {
        let machine = &mut Alike::new(&[Op::Read, Op::Read, Op::Write]);
        let twins = &mut Twins::new(machine, Algorithm::Optimal);
        assert_eq!((held(twins), twins.most()), (vec![2, 3], 3));
        assert_eq!(take(machine, twins, 1), [(1, 1, 2)]);
        assert_eq!(held(twins), [3]);
        // The first may run ahead.
        assert_eq!(take(machine, twins, 1), []);
        assert_eq!(take(machine, twins, 2), [(1, 2, 2), (2, 1, 3)]);
        assert_eq!(take(machine, twins, 2), []);
        assert_eq!(held(twins), [2]);
        assert_eq!(twins.ending(machine), Some(Ending::AssumptionFailed));
    }

    #[test]
    fn a_write_between_two_reads_breaks_a_pair() {
        let machine = &mut Alike::new(&[Op::Read, Op::Write, Op::Write]);
        let twins = &mut Twins::new(machine, Algorithm::Optimal);
        take(machine, twins, 1);
        take(machine, twins, 0);
        assert_eq!(take(machine, twins, 0), [], "it has no twins");
        take(machine, twins, 2);
        // The second has read another value.
        assert_eq!(held(twins), []);
        take(machine, twins, 2);
        // The third reads after a write of the second.
        take(machine, twins, 3);
        assert_eq!(held(twins), [] as [usize; 0]);
    }

    #[test]
    fn going_back_restores_who_waits() {
        let machine = &mut Alike::new(&[Op::Read, Op::Update, Op::Read]);
        let twins = &mut Twins::new(machine, Algorithm::Optimal);
        let mut states = vec![format!("{:?} {:?}", twins.members, held(twins))];
        let schedule = [1, 1, 2, 3, 0, 2, 2, 3];
        for process in schedule {
            take(machine, twins, process);
            states.push(format!("{:?} {:?}", twins.members, held(twins)));
        }
        for len in (0..schedule.len()).rev() {
            machine.rewind(len).unwrap();
            twins.rewind(len);
            assert_eq!(format!("{:?} {:?}", twins.members, held(twins)), states[len], "{len}");
        }
        assert!(twins.log.is_empty() && twins.actions.is_empty() && twins.changes.is_empty());
    }

    /// Both orders of two additions are the same, but those of two updates are not.
    #[test]
    fn updates_whose_result_is_not_read_may_count_as_additions() {
        for (algorithm, expected) in [(Algorithm::Optimal, vec![]), (Algorithm::Observers, vec![2])]
        {
            let machine = &mut Alike::new(&[Op::Update, Op::Update]);
            machine.actions.iter_mut().for_each(|action| action.unread = true);
            let twins = &mut Twins::new(machine, algorithm);
            take(machine, twins, 1);
            take(machine, twins, 2);
            assert_eq!(held(twins).first(), expected.first(), "{algorithm}");
        }
    }
}
