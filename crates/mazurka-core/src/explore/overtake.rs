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

use super::footprint::{Footprint, Touch};
use crate::model::{Op, Step, dependence};

/// Where a step stands that might have been the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// Nothing was taken yet that has to do with it.
    Ready,
    /// Its location has been written to, but nobody has looked.
    Behind,
    /// It has been taken behind another write, and nobody has looked yet.
    TakenBehind,
    /// It is an initial, whatever follows.
    First,
}

/// Where a step stands after another one has been taken; `None` once it is no weak initial any
/// more.
#[inline]
pub(crate) fn after(
    standing: Standing,
    (step, footprint): (Step, &Footprint),
    taken: Step,
    touches: impl Iterator<Item = Touch>,
    with_observers: bool,
) -> Option<Standing> {
    match standing {
        Standing::First => return Some(Standing::First),
        Standing::Ready if taken.process == step.process => {
            return (taken.choice == step.choice).then_some(Standing::First);
        }
        Standing::Behind if taken.process == step.process => {
            return (taken.choice == step.choice).then_some(Standing::TakenBehind);
        }
        _ => {}
    }
    let mut standing = standing;
    for touch in touches {
        let mut mine = footprint.0.iter().filter(|mine| mine.cell == touch.cell);
        let Some(mine) = mine.find(|mine| dependence::dependent(mine.op, touch.op)) else {
            continue;
        };
        if !(with_observers && mine.op == Op::Write && touch.op == Op::Write) {
            return None;
        }
        standing = match standing {
            Standing::Ready | Standing::Behind => Standing::Behind,
            Standing::TakenBehind | Standing::First => return Some(Standing::First),
        };
    }
    Some(standing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::cells::CellId;
    use crate::model::ProcessId;

    /// Runs the first process's write of a cell against steps of other processes (or its own),
    /// each on that cell.
    fn fate(steps: &[(usize, Op)], with_observers: bool) -> Option<Standing> {
        let cell = CellId(0);
        let step = Step::of(ProcessId::new(0));
        let footprint = [Touch { cell, op: Op::Write }].into_iter().collect();
        steps.iter().try_fold(Standing::Ready, |standing, (process, op)| {
            let taken = Step::of(ProcessId::new(*process));
            let touches = std::iter::once(Touch { cell, op: *op });
            after(standing, (step, &footprint), taken, touches, with_observers)
        })
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
