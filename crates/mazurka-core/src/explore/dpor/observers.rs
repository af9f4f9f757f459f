//! `observers`: one execution per class of schedules that no observer distinguishes.
//!
//! This is Optimal DPOR with Observers (Aronis, Jonsson, Lång and Sagonas, *Optimal dynamic partial
//! order reduction with observers*, TACAS 2018). It is [`optimal`](super::optimal) under a coarser
//! happens-before relation, `ObservedConflicts`: two writes to one location are ordered only if an
//! event reads the value of the later one. For `n` writers followed by one reader, it runs `n`
//! executions instead of `n!`: one for each value that is read. Likewise, two messages to one
//! mailbox are ordered only if the receive that took the first would have taken the second, had it
//! come first.
//!
//! # The parts of Algorithm 1 that differ
//!
//! * *The relation.* Whether two writes are dependent is known only when the location is read. See
//!   `execution/order/observed.rs`.
//! * *Wakeup sequences* (lines 6 to 10). To reverse a race that needs an observer, the sequence
//!   extends to that observer: `v = notdep(e, E).e'.e.(notobs(e, e', E) \ e').o`. Otherwise no
//!   event would observe the reversal, and the sequence would be redundant. (The printed line 8
//!   lacks the primes and the observer; the proof of Claim 8 has them.) See `parts/reversal.rs`.
//! * *Redundancy* (line 11). The paper replaces sleep sets by a test over the `done` sets of all
//!   prefixes, and sketches an incremental version. This implementation keeps sleep sets. A
//!   sleeping write stays asleep when other writes, or even the write itself, are performed, until
//!   an event reads the location; `Standing` records the state. To decide `v ∈ redundant(E',
//!   done)`, the search walks over `v` with each sleeper of `E'` as a bystander, as without
//!   observers.
//!
//! # Departures from the paper
//!
//! * *Short sequences.* For two deliveries, `e` is left out of the wakeup sequence if no event in
//!   it needs `e`: `notdep(e, E).e'.o` suffices to observe the reversal, and `e` may come later.
//!   Less has to be repeated then when `e` is reversed with other deliveries. For the same reason,
//!   processes that can receive a message move before others.
//! * *Races that disappear.* A later observer may order the events of a race in another way. The
//!   search skips such a race, and considers it again in the next execution that has it.
//!
//! # What is observed
//!
//! | actions | dependent |
//! |---|---|
//! | two writes to one location | if an event reads the value of the later one |
//! | writes to overlapping, unequal locations | always; a write does not observe the writes to locations that it contains |
//! | writes to a location that contains or crosses another one | always |
//! | the begin or the end of the life of an object, and accesses to it | always; it does not observe writes |
//! | writes that come with other actions in one step (behind a yield, in an atomic block) | always |
//! | writes to a location that a process waits for: locks, tokens, spin loops | always |
//! | two deliveries to one mailbox | if the first is received, and that receive would have taken the second |
//! | a receive that finds no message ([miss](Op::Miss)), and a later delivery | if the receive would have taken the message |
//! | all other pairs | as for `optimal` |
//!
//! The machine reports which messages a receive would have taken: see
//! [`Rival`](crate::model::Rival). A machine that cannot tell this of a receive that finds no message
//! reports [`Op::TakeNone`], which is dependent on every delivery to its mailbox.
//!
//! Writes to an awaited location are always ordered. Their order decides whether the waiting
//! process is enabled, and equivalent executions must enable the same processes (property 5 of
//! Definition 1). The search may learn that a location is awaited after it has treated writes to it
//! as unobserved. It then [starts over](crate::model::Lesson::AwaitedWrites).

use smallvec::SmallVec;

use crate::execution::footprint::{Footprint, Touch};
use crate::execution::order::ObservedConflicts;
use crate::explore::dpor::optimal::Optimal;
use crate::explore::dpor::parts::weak_initials::{Fate, Taken, WeakInitials};
use crate::model::{Op, Step, dependence};
use crate::wire::{wire_enum, wire_struct};

/// The explorer.
pub(crate) type Observers = Optimal<ObservedConflicts>;

/// The state of a step that might have been the first of a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Standing {
    /// No step so far accessed its cells.
    #[default]
    Ready,
    /// Another step has written to its location, or delivered to its mailbox, and no event has
    /// observed that.
    Behind,
    /// It has been taken after such a step, and no event has observed that.
    TakenBehind,
    /// It is an initial, whatever follows: it was taken first, or it was overwritten or received
    /// before an event observed the order.
    Initial,
}

/// A step that might have been the first of a sequence, while other steps are taken.
///
/// Another write to the same location alone does not exclude a write. The write is excluded once an
/// event reads the location before the write is taken, or reads its value after it was taken behind
/// the other write. If it is overwritten before that, it might have been the first, whatever
/// follows.
///
/// Likewise, another delivery to the same mailbox does not exclude a delivery. It is excluded once
/// a receive takes the other message although it would have taken this one. After this message is
/// received, that cannot happen any more.
#[derive(Debug, Default)]
pub(crate) struct Bystander {
    standing: Standing,
    /// The messages that were delivered before its own.
    overtakers: SmallVec<[u32; 6]>,
}

wire_enum!(Standing {
    0 => Ready,
    1 => Behind,
    2 => TakenBehind,
    3 => Initial,
});
wire_struct!(Bystander { standing: standing, overtakers: overtakers });

impl Clone for Bystander {
    #[inline]
    fn clone(&self) -> Self {
        // A derived implementation clones element by element, which takes several times as long.
        let overtakers = SmallVec::from_slice(&self.overtakers);
        Bystander { standing: self.standing, overtakers }
    }
}

impl Bystander {
    /// Updates the state for an operation `theirs` of another step on a cell on which its own step
    /// performs `mine`. Returns whether it may still be a weak initial.
    fn watch_touch(&mut self, mine: Op, theirs: Op, taken: &Taken<'_>) -> bool {
        let was_taken = self.standing == Standing::TakenBehind;
        match (mine, theirs) {
            // It was taken, and the accesses to its own location say whether an event observes it.
            (Op::ReadPart | Op::WritePart, _) | (Op::Write, Op::LifePart) if was_taken => true,
            (Op::Write, Op::CoverPart) if was_taken => {
                self.standing = Standing::Initial;
                true
            }
            (Op::Write, Op::Write) => {
                self.standing = if was_taken { Standing::Initial } else { Standing::Behind };
                true
            }
            (Op::Deliver { .. }, Op::Deliver { message }) => {
                if !was_taken {
                    self.overtakers.push(message);
                    self.standing = Standing::Behind;
                }
                true
            }
            (Op::Deliver { message: mine }, Op::Take { message }) => {
                if message == mine {
                    self.standing = Standing::Initial;
                }
                let known_by = taken.known_by.unwrap_or(message);
                let observes = || taken.may_match(known_by, mine);
                message == mine || !self.overtakers.contains(&message) || !observes()
            }
            // A delivery does not depend on later receives that find no message.
            (Op::Deliver { .. }, Op::TakeNone | Op::Miss { .. }) if was_taken => true,
            (Op::Deliver { message }, Op::Miss { look })
            | (Op::Miss { look }, Op::Deliver { message }) => !taken.may_match(look, message),
            _ => !dependence::dependent(mine, theirs),
        }
    }
}

impl WeakInitials for ObservedConflicts {
    type Bystander = Bystander;

    #[inline]
    fn watch(
        bystander: &mut Bystander,
        (step, footprint): (Step, &Footprint),
        taken: &Taken<'_>,
        touches: impl Iterator<Item = Touch>,
    ) -> Fate {
        if bystander.standing == Standing::Initial {
            return Fate::Initial;
        }
        let is_mine = taken.step.process == step.process;
        if is_mine && bystander.standing != Standing::TakenBehind {
            if taken.step.choice != step.choice {
                return Fate::Overtaken;
            }
            if bystander.standing == Standing::Behind {
                bystander.standing = Standing::TakenBehind;
                return Fate::Open;
            }
            bystander.standing = Standing::Initial;
            return Fate::Initial;
        }
        for touch in touches {
            for mine in footprint.0.iter().filter(|mine| mine.cell == touch.cell) {
                if !bystander.watch_touch(mine.op, touch.op, taken) {
                    return Fate::Overtaken;
                }
                if bystander.standing == Standing::Initial {
                    return Fate::Initial;
                }
            }
        }
        Fate::Open
    }

    #[inline]
    fn is_ready(bystander: &Bystander) -> bool {
        bystander.standing == Standing::Ready
    }

    #[inline]
    fn is_initial(bystander: &Bystander) -> bool {
        bystander.standing == Standing::Initial
    }

    #[inline]
    fn is_taken(bystander: &Bystander) -> bool {
        matches!(bystander.standing, Standing::TakenBehind | Standing::Initial)
    }

    fn is_observed_later(footprint: &Footprint) -> bool {
        let is_observed = |touch: &Touch| matches!(touch.op, Op::Write | Op::Deliver { .. });
        footprint.0.iter().any(is_observed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execution::Execution;
    use crate::execution::cells::CellId;
    use crate::execution::order::AllConflicts;
    use crate::model::ProcessId;

    /// Returns the fate of a write of the first process to a cell while these processes access that
    /// cell.
    fn fate<R: WeakInitials>(steps: &[(usize, Op)]) -> (Fate, R::Bystander) {
        let cell = CellId(0);
        let step = Step::of(ProcessId::new(0));
        let footprint = [Touch { cell, op: Op::Write }].into_iter().collect();
        let execution = Execution::new();
        let mut bystander = R::Bystander::default();
        for (process, op) in steps {
            let taken = Taken {
                step: Step::of(ProcessId::new(*process)),
                known_by: None,
                is_planned: false,
                execution: &execution,
            };
            let touches = std::iter::once(Touch { cell, op: *op });
            match R::watch(&mut bystander, (step, &footprint), &taken, touches) {
                Fate::Open => {}
                decided => return (decided, bystander),
            }
        }
        (Fate::Open, bystander)
    }

    fn observed_fate(steps: &[(usize, Op)]) -> (Fate, Standing) {
        let (fate, bystander) = fate::<ObservedConflicts>(steps);
        (fate, bystander.standing)
    }

    #[test]
    fn a_write_is_overtaken_by_another_write_only_if_an_event_reads() {
        use Op::{Read, Write};
        assert_eq!(fate::<AllConflicts>(&[(1, Write)]).0, Fate::Overtaken);
        assert_eq!(observed_fate(&[(1, Write)]), (Fate::Open, Standing::Behind));
        assert_eq!(observed_fate(&[(1, Write), (2, Read)]).0, Fate::Overtaken);
        let taken_behind = [(1, Write), (0, Write)];
        assert_eq!(observed_fate(&taken_behind), (Fate::Open, Standing::TakenBehind));
        assert_eq!(observed_fate(&[(1, Write), (0, Write), (2, Read)]).0, Fate::Overtaken);
    }

    #[test]
    fn a_write_that_is_overwritten_unread_might_have_been_the_first() {
        let unread = [(1, Op::Write), (0, Op::Write), (1, Op::Write), (2, Op::Read)];
        assert_eq!(observed_fate(&unread), (Fate::Initial, Standing::Initial));
        let first = [(0, Op::Write), (2, Op::Read)];
        assert_eq!(observed_fate(&first), (Fate::Initial, Standing::Initial));
    }
}
