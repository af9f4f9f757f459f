//! The dependence relation: which actions do not commute.
//!
//! This is the only definition for all front ends and all explorers. Two actions are *independent*
//! if they commute in every state: both orders lead to the same state and to the same results, and
//! neither action enables or disables the other.
//!
//! On one location that holds a value:
//!
//! | | read | write | update | add |
//! |---|---|---|---|---|
//! | **read** | | × | × | × |
//! | **write**, **update** | × | × | × | × |
//! | **add** | × | × | × | |
//!
//! Locations are ranges. On two locations that overlap but differ, two reads are independent, and
//! all other pairs are dependent, even two additions. Explorers record an access to a location as
//! an access to a *part* of every location that overlaps with it:
//!
//! | | read | write, update, add | another part |
//! |---|---|---|---|
//! | **read a part** | | × | |
//! | **write a part**, **cover it** | × | × | |
//! | **begin or end its life** | × | × | |
//!
//! Two parts of a location that overlap with each other are dependent at their own locations. An access
//! to a location is recorded as a read of a part of the [life](Location::life) of its object, and the
//! begin and the end of that life as `LifePart` on every location in the object.
//!
//! In a channel, which keeps the order of its messages:
//!
//! | | send j | receive j | receive-none | send-none | hangup | close |
//! |---|---|---|---|---|---|---|
//! | **send k** | × | k=j, or j made room | × | × | | × |
//! | **receive k** | k=j, or k made room | × | × | × | | |
//! | **receive-none** | × | × | | | × | |
//! | **send-none** | × | × | | | | × |
//! | **hangup** | | | × | | | |
//! | **close** | × | | | × | | |
//!
//! Two sends are dependent because a channel keeps their order. A receive depends only on the send
//! of its own message: it takes the same message whether or not others are sent behind it. A
//! receive that finds the channel empty depends on every send and on every hangup, since its result
//! says whether a sender is left.
//!
//! In a mailbox, from which one process takes messages in any order:
//!
//! | | deliver j | take j | take-none, miss |
//! |---|---|---|---|
//! | **deliver k** | × | k=j | × |
//! | **take k** | k=j | × | × |
//! | **take-none**, **miss** | × | × | |
//!
//! With observers, a miss depends only on later deliveries that it would have matched.
//!
//! In the queue of an event loop:
//!
//! | | post j | dequeue j |
//! |---|---|---|
//! | **post k** | × | k=j |
//! | **dequeue k** | k=j | × |
//!
//! Explorers for event-driven programs do not order two posts to one queue; see
//! [`depend_in_tasks`].
//!
//! A [forgone](Op::Forgone) action is independent of all actions. A location either holds a value
//! or is a queue of one kind, so two operations of different kinds are never on one location. If a
//! front end breaks this rule, they are dependent.

use super::{Location, Op};

/// Returns whether two actions are dependent, each given by its location and operation.
#[inline]
pub fn depend((here, a): (Location, Op), (there, b): (Location, Op)) -> bool {
    match here == there {
        true => dependent(a, b),
        false => here.overlaps(there) && !(a.is_read() && b.is_read()),
    }
}

/// Returns whether two actions on the same location are dependent.
#[inline]
pub const fn dependent(a: Op, b: Op) -> bool {
    do_depend(&a, &b)
}

/// Returns whether two actions on the same location are dependent. Copying the operations would take longer
/// than comparing them.
#[inline]
pub(crate) const fn do_depend(a: &Op, b: &Op) -> bool {
    use Op::*;
    match (a, b) {
        (Read, Read) | (Add, Add) => false,
        (Read | Write | Update | Add, Read | Write | Update | Add) => true,
        _ => dependent_elsewhere(a, b),
    }
}

/// Returns whether two actions on the same location are dependent, for all pairs. It has no `_` for
/// both operations: a new operation does not compile until its pairs are decided.
const fn dependent_elsewhere(a: &Op, b: &Op) -> bool {
    use Op::*;
    match (a, b) {
        (Forgone(_), _) | (_, Forgone(_)) => false,

        // A fence has no location.
        (Fence, _) | (_, Fence) => false,

        // Memory.
        (Read, Read) | (Add, Add) => false,
        (Read, Write | Update | Add)
        | (Write | Update, Read | Write | Update | Add)
        | (Add, Read | Write | Update) => true,

        // Parts of a location in memory.
        (
            ReadPart | WritePart | CoverPart | LifePart,
            ReadPart | WritePart | CoverPart | LifePart,
        ) => false,
        (ReadPart, Read) | (Read, ReadPart) => false,
        (ReadPart, Write | Update | Add) | (Write | Update | Add, ReadPart) => true,
        (WritePart | CoverPart | LifePart, Read | Write | Update | Add)
        | (Read | Write | Update | Add, WritePart | CoverPart | LifePart) => true,

        // Channels.
        (Send { .. }, Send { .. }) | (Receive { .. }, Receive { .. }) => true,
        (Send { number, freed_by }, Receive { number: received })
        | (Receive { number: received }, Send { number, freed_by }) => {
            *number == *received || *freed_by == *received
        }
        (ReceiveNone, Send { .. } | Receive { .. } | Hangup)
        | (Send { .. } | Receive { .. } | Hangup, ReceiveNone) => true,
        (SendNone, Send { .. } | Receive { .. } | Close)
        | (Send { .. } | Receive { .. } | Close, SendNone) => true,
        (Close, Send { .. }) | (Send { .. }, Close) => true,
        (ReceiveNone, ReceiveNone | SendNone | Close)
        | (SendNone, ReceiveNone | SendNone | Hangup)
        | (Hangup, Send { .. } | Receive { .. } | SendNone | Hangup | Close)
        | (Close, Receive { .. } | ReceiveNone | Hangup | Close)
        | (Send { .. }, Hangup)
        | (Receive { .. }, Hangup | Close) => false,

        // Mailboxes.
        (Deliver { .. }, Deliver { .. }) | (Take { .. }, Take { .. }) => true,
        (Deliver { message }, Take { message: taken })
        | (Take { message: taken }, Deliver { message }) => *message == *taken,
        (TakeNone | Miss { .. }, Deliver { .. } | Take { .. })
        | (Deliver { .. } | Take { .. }, TakeNone | Miss { .. }) => true,
        (TakeNone | Miss { .. }, TakeNone | Miss { .. }) => false,

        // Queues of event loops.
        (Post { .. }, Post { .. }) | (Dequeue { .. }, Dequeue { .. }) => true,
        (Post { message }, Dequeue { message: taken })
        | (Dequeue { message: taken }, Post { message }) => *message == *taken,

        // Operations of different kinds.
        (
            Read | Write | Update | Add | ReadPart | WritePart | CoverPart | LifePart,
            Send { .. }
            | Receive { .. }
            | ReceiveNone
            | SendNone
            | Hangup
            | Close
            | Deliver { .. }
            | Take { .. }
            | TakeNone
            | Miss { .. }
            | Post { .. }
            | Dequeue { .. },
        )
        | (
            Send { .. } | Receive { .. } | ReceiveNone | SendNone | Hangup | Close,
            Read
            | Write
            | Update
            | Add
            | ReadPart
            | WritePart
            | CoverPart
            | LifePart
            | Deliver { .. }
            | Take { .. }
            | TakeNone
            | Miss { .. }
            | Post { .. }
            | Dequeue { .. },
        )
        | (
            Deliver { .. } | Take { .. } | TakeNone | Miss { .. },
            Read
            | Write
            | Update
            | Add
            | ReadPart
            | WritePart
            | CoverPart
            | LifePart
            | Send { .. }
            | Receive { .. }
            | ReceiveNone
            | SendNone
            | Hangup
            | Close
            | Post { .. }
            | Dequeue { .. },
        )
        | (
            Post { .. } | Dequeue { .. },
            Read
            | Write
            | Update
            | Add
            | ReadPart
            | WritePart
            | CoverPart
            | LifePart
            | Send { .. }
            | Receive { .. }
            | ReceiveNone
            | SendNone
            | Hangup
            | Close
            | Deliver { .. }
            | Take { .. }
            | TakeNone
            | Miss { .. },
        ) => true,
    }
}

/// Returns whether two actions on the same location are dependent for explorers of event-driven
/// programs. These explorers compare the actions of handlers instead of the order of events in a
/// queue, so posts and dequeues are independent of all actions.
#[inline]
pub const fn depend_in_tasks(a: Op, b: Op) -> bool {
    !matches!(a, Op::Post { .. } | Op::Dequeue { .. }) && dependent(a, b)
}

/// Returns whether every action on the same location is dependent on this one, so that a search for
/// earlier dependent actions can stop here.
#[inline]
pub const fn is_barrier(op: Op) -> bool {
    matches!(op, Op::Write | Op::Update)
}

/// Returns whether an action on memory that `other` depends on is one that `op` depends on, too.
pub(crate) const fn covers(op: Op, other: Op) -> bool {
    use Op::*;
    matches!(
        (op, other),
        (Write | Update, Read | Write | Update | Add | ReadPart | WritePart | CoverPart | LifePart)
            | (Read, Read)
            | (Add, Add)
            | (ReadPart, ReadPart)
            | (WritePart | CoverPart, ReadPart | WritePart | CoverPart | LifePart)
            | (LifePart, LifePart)
    )
}

#[cfg(test)]
mod semantics;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Forgone;

    const OPS: [Op; 29] = [
        Op::ReadPart,
        Op::WritePart,
        Op::CoverPart,
        Op::LifePart,
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
        Op::Miss { look: 3 },
        Op::Post { message: 1 },
        Op::Post { message: 2 },
        Op::Dequeue { message: 1 },
        Op::Dequeue { message: Op::NONE },
        Op::Forgone(Forgone::Update),
        Op::Forgone(Forgone::Deliver { message: 1 }),
    ];

    #[test]
    fn an_operation_that_covers_another_depends_on_as_much() {
        for (a, b) in OPS.iter().flat_map(|a| OPS.iter().map(move |b| (*a, *b))) {
            let depends_on_as_much = || OPS.iter().all(|c| !dependent(b, *c) || dependent(a, *c));
            assert!(!covers(a, b) || depends_on_as_much(), "{a:?}, {b:?}");
            assert!(!is_barrier(a) || !b.is_memory() || covers(a, b), "{a:?}, {b:?}");
        }
    }

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
