//! The steps of twins: which of them are equal, and which are in order whatever follows.

use super::Twins;
use super::pairs::Member;
use crate::model::{Action, Op, ProcessId, dependence};

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    /// The number of steps before it.
    pub(super) at: u32,
    pub(super) process: ProcessId,
    pub(super) choice: u32,
    /// The previous step of its process in the log, or [`NONE`].
    pub(super) previous: u32,
    /// The end of its actions.
    pub(super) actions: u32,
    /// Whether it failed or has edges.
    pub(super) is_special: bool,
    /// Whether its process has received an edge before it, and after the previous step.
    pub(super) is_released: bool,
}

impl Twins {
    /// Returns the index of the step `number` of a process in the log.
    pub(super) fn index_of(&self, process: ProcessId, number: u32) -> u32 {
        let Member { steps, mut last, .. } = self.members[process.index()];
        for _ in number..steps {
            last = self.log[last as usize].previous;
        }
        last
    }

    /// Returns whether the step `number` of `elder` equals the step at an index of the log.
    pub(super) fn is_equal(&self, elder: ProcessId, number: u32, index: u32) -> bool {
        let is_special = |step: u32| self.log[step as usize].is_special;
        !is_special(self.index_of(elder, number))
            && !is_special(index)
            && self.is_like(elder, number, index)
    }

    /// Returns whether these steps are equal, apart from their edges.
    pub(super) fn is_like(&self, elder: ProcessId, number: u32, index: u32) -> bool {
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
    pub(super) fn is_ordered(&self, elder: ProcessId, number: u32, index: u32) -> bool {
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
    pub(super) fn actions_of(&self, index: u32) -> &[Action] {
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
}
