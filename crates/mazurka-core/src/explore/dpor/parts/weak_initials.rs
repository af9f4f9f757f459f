//! How a step that could have been taken fares while others are taken instead.
//!
//! This decides whether a step is a *weak initial* of a sequence: whether the sequence, or an
//! extension of it, is equivalent to one that starts with the step. Sleep sets ask that of the
//! steps that have been explored, wakeup trees of the steps that are planned.
//!
//! Without observers it is simple: the step is overtaken, and no weak initial, once a dependent
//! one is taken before it.
//!
//! With observers, a write is not overtaken by another write to the same location alone. It is
//! once somebody reads the location while the write has not been taken, or reads what it wrote
//! after it has been taken behind the other one. If on the other hand it is overwritten before
//! anybody reads it, it might as well have been first, whatever follows.
//!
//! Likewise, the delivery of a message is not overtaken by that of another one to the same mailbox.
//! It is once a receive takes the other one that would have taken this one instead. And once this
//! one is received, that can no longer happen.

use smallvec::SmallVec;

use crate::execution::Execution;
use crate::execution::footprint::{Footprint, Touch};
use crate::explore::dpor::parts::reversal::{Item, Reversal};
use crate::model::{Op, Step, dependence};

/// Where a step stands that might have been the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Standing {
    /// Nothing was taken yet that has to do with it.
    #[default]
    Ready,
    /// Its location has been written to, or its mailbox delivered to, but nobody has looked.
    Behind,
    /// It has been taken behind another one, and nobody has looked yet.
    TakenBehind,
    /// It is an initial, whatever follows.
    First,
}

/// A step that might have been the first, while others are taken.
#[derive(Debug, Default)]
pub(crate) struct Bystander {
    pub(crate) standing: Standing,
    /// The messages that were delivered before its own.
    overtakers: SmallVec<[u32; 6]>,
}

impl Clone for Bystander {
    #[inline]
    fn clone(&self) -> Self {
        // One by one, as a derived one would, takes several times as long.
        let overtakers = SmallVec::from_slice(&self.overtakers);
        Bystander { standing: self.standing, overtakers }
    }
}

/// How a step fares that is overtaken by every dependent one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// It is taken, as the item with this number, before any dependent one.
    Taken(usize),
    /// Nothing among the items has to do with it.
    Ignored,
    /// It is no weak initial.
    Overtaken,
}

/// What becomes of a step while these `items` of a sequence are taken, where no observers are needed for two steps to
/// be dependent: the same as [`Bystander`] would tell, and faster.
#[inline]
pub(crate) fn fate<'a>(
    step: Step,
    footprint: &Footprint,
    sequence: &'a Reversal,
    items: impl Iterator<Item = &'a Item>,
) -> Fate {
    for (i, item) in items.enumerate() {
        if item.step.process == step.process {
            return if item.step.choice == step.choice { Fate::Taken(i) } else { Fate::Overtaken };
        }
        if sequence.touches(item).iter().any(|touch| footprint.conflicts_with(*touch)) {
            return Fate::Overtaken;
        }
    }
    Fate::Ignored
}

/// What others do.
pub(crate) struct Taken<'a> {
    pub(crate) step: Step,
    /// By which message the receive in it, if any, is known in the execution.
    pub(crate) known_by: Option<u32>,
    pub(crate) execution: &'a Execution,
}

impl Bystander {
    /// Watches a step being taken that touches these. Returns `false` once this one is no weak
    /// initial any more.
    #[inline]
    pub(crate) fn watch(
        &mut self,
        (step, footprint): (Step, &Footprint),
        taken: &Taken<'_>,
        touches: impl Iterator<Item = Touch>,
    ) -> bool {
        if self.standing == Standing::First {
            return true;
        }
        let is_mine = taken.step.process == step.process;
        if is_mine && self.standing != Standing::TakenBehind {
            self.standing = match self.standing {
                Standing::Behind => Standing::TakenBehind,
                _ => Standing::First,
            };
            return taken.step.choice == step.choice;
        }
        for touch in touches {
            for mine in footprint.0.iter().filter(|mine| mine.cell == touch.cell) {
                if !self.watch_touch(mine.op, touch.op, taken) {
                    return false;
                }
                if self.standing == Standing::First {
                    return true;
                }
            }
        }
        true
    }

    /// The same for what both steps do to one cell.
    fn watch_touch(&mut self, mine: Op, theirs: Op, taken: &Taken<'_>) -> bool {
        let was_taken = self.standing == Standing::TakenBehind;
        let with_observers = taken.execution.with_observers;
        match (mine, theirs) {
            (Op::Write, Op::Write) if with_observers => {
                self.standing = if was_taken { Standing::First } else { Standing::Behind };
                true
            }
            (Op::Deliver { .. }, Op::Deliver { message }) if with_observers => {
                if !was_taken {
                    self.overtakers.push(message);
                    self.standing = Standing::Behind;
                }
                true
            }
            (Op::Deliver { message: mine }, Op::Take { message }) if with_observers => {
                if message == mine {
                    self.standing = Standing::First;
                }
                let known_by = taken.known_by.unwrap_or(message);
                let observes = || taken.execution.would_take(known_by, mine);
                message == mine || !self.overtakers.contains(&message) || !observes()
            }
            // What comes after a delivery does not matter to what came before it.
            (Op::Deliver { .. }, Op::TakeNone) if was_taken => true,
            _ => !dependence::dependent(mine, theirs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execution::cells::CellId;
    use crate::model::ProcessId;

    /// Runs the first process's write of a cell against steps of other processes (or its own),
    /// each on that cell.
    fn fate(steps: &[(usize, Op)], with_observers: bool) -> Option<Standing> {
        let cell = CellId(0);
        let step = Step::of(ProcessId::new(0));
        let footprint = [Touch { cell, op: Op::Write }].into_iter().collect();
        let execution = Execution::with_observers(with_observers);
        let mut bystander = Bystander::default();
        let stays = steps.iter().all(|(process, op)| {
            let step_taken = Step::of(ProcessId::new(*process));
            let taken = Taken { step: step_taken, known_by: None, execution: &execution };
            bystander.watch((step, &footprint), &taken, std::iter::once(Touch { cell, op: *op }))
        });
        stays.then_some(bystander.standing)
    }

    #[test]
    fn a_write_is_overtaken_by_another_one_only_if_somebody_looks() {
        assert_eq!(fate(&[(1, Op::Write)], false), None);
        assert_eq!(fate(&[(1, Op::Write)], true), Some(Standing::Behind));
        assert_eq!(fate(&[(1, Op::Write), (2, Op::Read)], true), None);
        assert_eq!(fate(&[(1, Op::Write), (0, Op::Write)], true), Some(Standing::TakenBehind));
        assert_eq!(fate(&[(1, Op::Write), (0, Op::Write), (2, Op::Read)], true), None);
    }

    #[test]
    fn a_write_that_is_overwritten_unseen_might_have_been_the_first() {
        let unseen = [(1, Op::Write), (0, Op::Write), (1, Op::Write), (2, Op::Read)];
        assert_eq!(fate(&unseen, true), Some(Standing::First));
        assert_eq!(fate(&[(0, Op::Write), (2, Op::Read)], true), Some(Standing::First));
    }
}
