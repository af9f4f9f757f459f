//! Which actions may not be swapped.
//!
//! This is the one place that says so, for every front end and every explorer.
//!
//! On one location:
//!
//! | | read | write | update | add | send j | receive j | receive-none | send-none | hangup | close |
//! |---|---|---|---|---|---|---|---|---|---|---|
//! | **read** | | × | × | × | | | | | | |
//! | **write**, **update** | × | × | × | × | | | | | | |
//! | **add** | × | × | × | | | | | | | |
//! | **send k** | | | | | × | k=j, or j made room | × | × | | × |
//! | **receive k** | | | | | k=j, or k made room | × | × | × | | |
//! | **receive-none** | | | | | × | × | | | × | |
//! | **send-none** | | | | | × | × | | | | × |
//! | **hangup** | | | | | | | × | | | |
//! | **close** | | | | | × | | | × | | |
//!
//! An access to another location that overlaps with this one reads or writes a part of it:
//!
//! | | read | write, update, add | another part |
//! |---|---|---|---|
//! | **read a part** | | × | |
//! | **write a part** | × | × | |
//!
//! and in a mailbox:
//!
//! | | deliver j | take j | take-none |
//! |---|---|---|---|
//! | **deliver k** | × | k=j | × |
//! | **take k** | k=j | × | × |
//! | **take-none** | × | × | |
//!
//! and in the queue of an event loop:
//!
//! | | post j | dequeue j |
//! |---|---|---|
//! | **post k** | × | k=j |
//! | **dequeue k** | k=j | × |
//!
//! What is [forgone](Op::Forgone) is dependent on nothing.
//!
//! Two sends are ordered, since a queue keeps their order. A receive is ordered only after the
//! send of its own message: it would have taken the same message whether or not others came
//! behind it. Looking into an empty queue depends on whoever could have filled it, and so does
//! being told that all senders are gone. Two posts to one queue are ordered for the same reason as two
//! sends; the explorers for event-driven programs are the ones that know better, see
//! [`depend_in_tasks`].

use super::Op;

/// Whether two actions on the same location are dependent.
#[inline]
pub const fn dependent(a: Op, b: Op) -> bool {
    use Op::*;
    match (a, b) {
        (Read, Read) | (Add, Add) => false,
        (Read | Write | Update | Add, Read | Write | Update | Add) => true,
        _ => dependent_elsewhere(a, b),
    }
}

/// The same for what is less common than whole locations in memory.
const fn dependent_elsewhere(a: Op, b: Op) -> bool {
    use Op::*;
    match (a, b) {
        // If two parts have something in common, that is noted where they are.
        (ReadPart | WritePart, ReadPart | WritePart) => false,
        (ReadPart, Read) | (Read, ReadPart) => false,
        (ReadPart | WritePart, Read | Write | Update | Add)
        | (Read | Write | Update | Add, ReadPart | WritePart) => true,
        (Send { .. }, Send { .. }) | (Receive { .. }, Receive { .. }) => true,
        (Send { number, freed_by }, Receive { number: received })
        | (Receive { number: received }, Send { number, freed_by }) => {
            number == received || freed_by == received
        }
        (ReceiveNone, Send { .. } | Receive { .. } | Hangup)
        | (Send { .. } | Receive { .. } | Hangup, ReceiveNone) => true,
        (SendNone, Send { .. } | Receive { .. } | Close)
        | (Send { .. } | Receive { .. } | Close, SendNone) => true,
        (Close, Send { .. }) | (Send { .. }, Close) => true,
        (Deliver { .. }, Deliver { .. }) | (Take { .. }, Take { .. }) => true,
        (Deliver { message }, Take { message: taken })
        | (Take { message: taken }, Deliver { message }) => message == taken,
        (Post { .. }, Post { .. }) | (Dequeue { .. }, Dequeue { .. }) => true,
        (Post { message }, Dequeue { message: taken })
        | (Dequeue { message: taken }, Post { message }) => message == taken,
        (TakeNone, Deliver { .. } | Take { .. }) | (Deliver { .. } | Take { .. }, TakeNone) => true,
        _ => false,
    }
}

/// Whether two actions on the same location are dependent where the order of events in a queue is
/// no matter by itself, but only what their handlers do: everything but posts and dequeues.
#[inline]
pub const fn depend_in_tasks(a: Op, b: Op) -> bool {
    !matches!(a, Op::Post { .. } | Op::Dequeue { .. }) && dependent(a, b)
}

/// Whether every action on the location, now or later, is dependent on this one, so that what
/// came before it need not be looked at again.
#[inline]
pub const fn is_barrier(op: Op) -> bool {
    matches!(op, Op::Write | Op::Update)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Forgone;

    const OPS: [Op; 26] = [
        Op::ReadPart,
        Op::WritePart,
        Op::Read,
        Op::Write,
        Op::Update,
        Op::Add,
        Op::Send { number: 1, freed_by: Op::NONE },
        Op::Send { number: 2, freed_by: 1 },
        Op::Receive { number: 1 },
        Op::Receive { number: 2 },
        Op::Receive { number: 3 },
        Op::ReceiveNone,
        Op::SendNone,
        Op::Hangup,
        Op::Close,
        Op::Deliver { message: 1 },
        Op::Deliver { message: 2 },
        Op::Take { message: 1 },
        Op::Take { message: Op::NONE },
        Op::TakeNone,
        Op::Post { message: 1 },
        Op::Post { message: 2 },
        Op::Dequeue { message: 1 },
        Op::Dequeue { message: Op::NONE },
        Op::Forgone(Forgone::Update),
        Op::Forgone(Forgone::Deliver { message: 1 }),
    ];

    #[test]
    fn dependence_is_symmetric() {
        for a in OPS {
            for b in OPS {
                assert_eq!(dependent(a, b), dependent(b, a), "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn what_is_forgone_is_dependent_on_nothing() {
        for forgone in OPS.into_iter().filter(|op| matches!(op, Op::Forgone(_))) {
            assert!(OPS.into_iter().all(|op| !dependent(forgone, op)), "{forgone:?}");
        }
    }

    #[test]
    fn a_barrier_is_dependent_on_every_action_on_memory() {
        for barrier in OPS.into_iter().filter(|op| is_barrier(*op)) {
            for op in [Op::Read, Op::Write, Op::Update, Op::Add] {
                assert!(dependent(barrier, op), "{barrier:?} and {op:?}");
            }
        }
    }

    #[test]
    fn an_event_is_dequeued_after_its_own_post_alone() {
        let dequeue = Op::Dequeue { message: 1 };
        assert!(dependent(dequeue, Op::Post { message: 1 }));
        assert!(!dependent(dequeue, Op::Post { message: 2 }));
        assert!(dependent(Op::Post { message: 1 }, Op::Post { message: 2 }));
        assert!(!depend_in_tasks(Op::Post { message: 1 }, Op::Post { message: 2 }));
    }

    #[test]
    fn a_receive_depends_on_the_message_it_takes_and_on_the_one_it_makes_room_for() {
        let send = Op::Send { number: 5, freed_by: 3 };
        assert!(dependent(send, Op::Receive { number: 5 }));
        assert!(dependent(send, Op::Receive { number: 3 }));
        assert!(!dependent(send, Op::Receive { number: 4 }));
    }
}
