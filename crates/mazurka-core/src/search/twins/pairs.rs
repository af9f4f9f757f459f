//! Pairs of neighbours among twins: which of them have done the same so far, and which wait.

use super::Twins;
use super::steps::Taken;
use crate::model::{Machine, Performed, Precedence, ProcessId, Step};

/// The index that stands for "none".
pub(super) const NONE: u32 = u32::MAX;

/// A process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// The number of steps after which it was created, or [`NONE`].
    pub(super) created: u32,
    /// The twins that were created immediately before and after it.
    pub(super) previous: Option<ProcessId>,
    pub(super) next: Option<ProcessId>,
    /// Whether it forms a pair with the previous twin that is not broken.
    pub(super) is_paired: bool,
    /// Whether it waits for the previous twin.
    pub(super) is_held: bool,
    /// Whether it has received an edge since its last step.
    pub(super) is_released: bool,
    /// The number of its steps in the log, and the last of them, or [`NONE`].
    pub(super) steps: u32,
    pub(super) last: u32,
    /// The number of its steps before the first one that may be in no order with that of the previous
    /// twin although the two differ, or [`NONE`].
    pub(super) unordered: u32,
}

pub(super) const FRESH: Member = Member {
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

impl Twins {
    pub(super) fn note(
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
    pub(super) fn meet(&mut self, machine: &dyn Machine, process: ProcessId) {
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

    /// Returns a member that is about to change.
    pub(super) fn change(&mut self, process: ProcessId) -> &mut Member {
        if self.members.len() <= process.index() {
            self.members.resize(process.index() + 1, FRESH);
        }
        let member = &mut self.members[process.index()];
        self.changes.push((self.len, process, *member));
        member
    }

    /// Counts the processes that wait, and the pairs.
    pub(super) fn count(&mut self) {
        let count = |is_it: fn(&Member) -> bool| {
            self.members.iter().filter(|member| is_it(member)).count() as u32
        };
        self.held = count(|member| member.is_held);
        self.pairs = count(|member| member.is_paired);
        let twins = count(|member| member.previous.is_some() || member.next.is_some());
        self.most = self.most.max(twins);
    }

    pub(super) fn undo(&mut self, len: u32) {
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
