//! Actions: the operations that processes perform on locations.

use super::{Location, MemoryOrdering, Values};

/// The operation of an action on its location.
///
/// The set is small on purpose. The explorers reason about cells that hold a value and about
/// queues. Front ends express everything else by these operations:
///
/// | operation | as |
/// |---|---|
/// | load, store, swap and other read-modify-writes | `Read`, `Write`, `Update` |
/// | compare-exchange | `Update` under [`When::Equals`]; a `Read` once it has failed |
/// | lock a mutex | waiting `Update` under `Equals(0)`, 0 meaning free |
/// | `try_lock` | the same, not waiting; a `Read` if it fails |
/// | unlock | `Write` |
/// | lock for reading, unlock from reading | `Add` (+1, waiting under `Differs(WRITER)`; −1) |
/// | lock for writing | waiting `Update` under `Equals(0)`; unlock: `Write` |
/// | begin to wait on a condition variable | `Add` of the waiter's bit, with the unlock in one step |
/// | time out | `Add` under `Any` of that bit, which removes it; a `Read` if it was notified |
/// | notify | `Update` under `Differs(0)`, which removes bits; a `Read` if no process waits |
/// | park, unpark | waiting `Update` under `Equals(1)`; `Write` |
/// | re-read after a yield | waiting `Read` under `Differs(seen)` |
/// | await: read in a loop that ends at some values | waiting `Read` under `Outside(values)` |
/// | send to and receive from a channel | `Send`, `Receive`, and `SendNone`, `ReceiveNone` if they fail |
/// | send to an actor; selective receive | `Deliver`; `Take`, with its [rivals](super::Rival), and `Miss` or `TakeNone` if it fails |
/// | post to an event loop; begin to handle an event | `Post`; `Dequeue` |
/// | free memory, end or begin the life of a local | `Update` of the [life](super::Location::life) of the object |
/// | spawn, join, being notified | no action: an [`Edge`](super::Edge) |
/// | choose | no action: alternatives |
/// | an action that earlier steps of other processes prevented | [`Forgone`](Op::Forgone) |
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Reads the value.
    Read,
    /// Replaces the value without reading it.
    Write,
    /// Reads the value and replaces it.
    Update,
    /// Adds to the value without reading it beyond its condition: two additions commute. Not for
    /// locations whose value a process [spins](Action::guard) on.
    Add,
    /// Reads a part of the location, by an access to another location that overlaps with it.
    /// Explorers record this operation; no machine performs it.
    ReadPart,
    /// Writes to a part of the location, by an access to another location that overlaps with it.
    /// Explorers record this operation; no machine performs it.
    WritePart,
    /// Writes to all of the location, by a write to another location that contains it. Explorers record
    /// this operation; no machine performs it.
    CoverPart,
    /// Begins or ends the life of the object that the location belongs to, by an update of the
    /// [life](super::Location::life) of the object. It neither reads nor changes the value. Explorers
    /// record this operation; no machine performs it.
    LifePart,
    /// Puts message `number` into a queue.
    ///
    /// In a bounded queue, `freed_by` is the message whose removal made room for it.
    Send {
        /// The number of the message in the queue: messages are numbered in the order of their
        /// sends.
        number: u32,
        /// The message that had to be removed first, or [`Op::NONE`].
        freed_by: u32,
    },
    /// Takes message `number` out of a queue.
    Receive {
        /// The message that it takes.
        number: u32,
    },
    /// Tries to receive, and finds no message.
    ReceiveNone,
    /// Tries to send, but there is no room or no receiver.
    SendNone,
    /// Puts a message into a mailbox, from which receives may take messages out of order.
    Deliver {
        /// The message. Its number depends only on its sender and the number of steps that the
        /// sender has taken, not on the messages of other processes.
        message: u32,
    },
    /// Takes the oldest matching message out of a mailbox. Only one process takes from a mailbox,
    /// or looks into it.
    Take {
        /// The message that it takes, or [`Op::NONE`] while there is none.
        message: u32,
    },
    /// Looks for a message in a mailbox, and finds no matching one. Every delivery there counts as
    /// one that it would have matched.
    TakeNone,
    /// Looks for a message in a mailbox, and finds no matching one. The machine reports a
    /// [rival](super::Rival) for each message that it would have matched.
    Miss {
        /// The number of the receive. It is distinct from the numbers of messages, and like these
        /// depends only on the process and the number of steps that it has taken.
        look: u32,
    },
    /// Posts an event to the back of a queue.
    Post {
        /// The event. As for a message in a mailbox, its number depends only on its sender and the
        /// number of steps that the sender has taken. Numbers are dense.
        message: u32,
    },
    /// Takes the event at the front of the process's own queue, and begins to handle it. The
    /// handler has ended once this is the next action of its process again, or the process has
    /// ended.
    Dequeue {
        /// The event, or [`Op::NONE`] while there is none.
        message: u32,
    },
    /// Drops a sender.
    Hangup,
    /// Drops the receiver.
    Close,
    /// Performs no operation because of earlier steps of other processes, but would perform this
    /// one if these steps came later. It is independent of all operations.
    ///
    /// Explorers assume that moving a step does not change its actions. `Forgone` lists the actions
    /// it would gain.
    Forgone(Forgone),
    /// A fence: it has no location. Machines perform it only if they are checked under a memory model.
    Fence,
}

/// An operation that is not performed: see [`Op::Forgone`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Forgone {
    /// A read.
    Read,
    /// A write, an update, or an addition.
    Update,
    /// The delivery of a message.
    Deliver {
        /// The message.
        message: u32,
    },
    /// A look into a mailbox, or the receipt of a message from it.
    TakeNone,
    /// Any operations on any locations: a value that the step reads decides what it does. The location of
    /// the action is one that the step accesses, and does not matter. Explorers that move the step run it
    /// there.
    Anything,
}

impl Forgone {
    /// Returns the operation that was not performed, if it is known.
    pub const fn op(self) -> Option<Op> {
        match self {
            Forgone::Read => Some(Op::Read),
            Forgone::Update => Some(Op::Update),
            Forgone::Deliver { message } => Some(Op::Deliver { message }),
            Forgone::TakeNone => Some(Op::TakeNone),
            Forgone::Anything => None,
        }
    }
}

impl Op {
    /// The number that stands for "no message".
    pub const NONE: u32 = u32::MAX;

    /// Returns whether the operation is on a location that holds a value, not on a queue.
    #[inline]
    pub const fn is_memory(self) -> bool {
        use Op::*;
        matches!(self, Read | Write | Update | Add | ReadPart | WritePart | CoverPart | LifePart)
    }

    /// Returns whether the operation is on a channel, which keeps the order of its messages.
    pub(crate) const fn is_on_channel(self) -> bool {
        use Op::*;
        matches!(self, Send { .. } | Receive { .. } | ReceiveNone | SendNone | Hangup | Close)
    }

    /// Returns the operation as one that is not performed. Operations without a counterpart in
    /// [`Forgone`] map to one with more dependencies.
    ///
    /// # Panics
    ///
    /// Panics for operations on channels and event queues, and for [`Op::ReadPart`], [`Op::WritePart`],
    /// [`Op::CoverPart`] and [`Op::LifePart`].
    pub fn forgone(self) -> Op {
        Op::Forgone(match self {
            Op::Read => Forgone::Read,
            Op::Write | Op::Update | Op::Add => Forgone::Update,
            Op::Deliver { message } => Forgone::Deliver { message },
            Op::Take { .. } | Op::TakeNone | Op::Miss { .. } => Forgone::TakeNone,
            Op::Forgone(forgone) => forgone,
            op => unreachable!("{op:?} cannot be forgone"),
        })
    }

    /// Returns whether the operation only reads the value, or a part of it.
    #[inline]
    pub const fn is_read(self) -> bool {
        matches!(self, Op::Read | Op::ReadPart)
    }
}

/// The condition on the previous value under which an action takes effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum When {
    /// For every value.
    #[default]
    Always,
    /// If the value is this one.
    Equals(u64),
    /// If the value is a different one.
    Differs(u64),
    /// If the value has one of these bits.
    Any(u64),
    /// If the value is none of these.
    Outside(Values),
}

impl When {
    /// Returns whether the condition holds for `value`.
    #[inline]
    pub fn holds(self, value: u64) -> bool {
        match self {
            When::Always => true,
            When::Equals(wanted) => value == wanted,
            When::Differs(unwanted) => value != unwanted,
            When::Any(bits) => value & bits != 0,
            When::Outside(values) => !values.contains(value),
        }
    }
}

/// The number of alternatives of an action, if it depends on the value of the location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ways {
    /// One alternative, or a number that does not depend on the value.
    #[default]
    One,
    /// If the condition holds, the action may fail nevertheless: the second alternative is a read.
    MayFail,
    /// One alternative for each bit of the value, and one if the value is 0.
    PerBit,
}

impl Ways {
    /// Returns the number of alternatives if the location has this value. `holds` says whether the
    /// condition holds for it.
    pub const fn count(self, value: u64, holds: bool) -> u32 {
        match self {
            Ways::One => 1,
            Ways::MayFail => 1 + holds as u32,
            Ways::PerBit if value == 0 => 1,
            Ways::PerBit => value.count_ones(),
        }
    }
}

/// One visible operation of a process on one location.
///
/// A *pending* action is the next action of a process. A *performed* action describes its outcome:
/// a compare-exchange that failed is performed as an [`Op::Read`], and `before` and `after` are the
/// values of the location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    /// The location.
    pub on: Location,
    /// The operation.
    pub op: Op,
    /// The condition under which it takes effect.
    pub when: When,
    /// Whether the process waits until the condition holds (or, on a queue, until there is a
    /// message or room). An action that does not wait is performed without its effect if the
    /// condition does not hold.
    pub waits: bool,
    /// Whether the action is only a guard: the step is enabled if the condition of one of its
    /// guards holds.
    pub guard: bool,
    /// Whether this is an access to plain memory, which must not race.
    pub plain: bool,
    /// Whether the action locks an object that protects only other locations and has no data of its
    /// own. Handlers of one process cannot contend for such a lock and may acquire it in any order.
    pub merely_locks: bool,
    /// Whether the action waits as a loop does that reads the location until its value ends the loop.
    /// Other processes may write any value there, at any time.
    pub awaits: bool,
    /// Whether the action adds to the value, and the process does not use what it reads. Two such
    /// updates commute, but most explorers order them, as their papers do. `observers` counts an
    /// [`Op::Update`] of this kind as [`Op::Add`].
    pub unread: bool,
    /// The number of its alternatives, as far as it depends on the value.
    pub ways: Ways,
    /// Its memory ordering; `None` if it is plain, or if the machine does not
    /// [know](super::Machine::has_memory_orderings) any. An action that may wait, or may not take
    /// effect, has this ordering if it takes effect.
    pub ordering: Option<MemoryOrdering>,
    /// Its memory ordering if it does not take effect; `None` if that is the same, without the release.
    pub failure_ordering: Option<MemoryOrdering>,
    /// The value before the action, once performed.
    pub before: u64,
    /// The value after the action, once performed.
    pub after: u64,
}

impl Action {
    /// Creates an unconditional action.
    pub const fn new(op: Op, on: Location) -> Self {
        Action {
            on,
            op,
            when: When::Always,
            waits: false,
            guard: false,
            plain: false,
            merely_locks: false,
            awaits: false,
            unread: false,
            ways: Ways::One,
            ordering: None,
            failure_ordering: None,
            before: 0,
            after: 0,
        }
    }

    /// Returns this action with a condition under which it takes effect.
    pub const fn when(self, when: When) -> Self {
        Action { when, ..self }
    }

    /// Returns this receive, which is an [`Op::Miss`] with this number if it finds no message.
    ///
    /// The number takes the place of the value [`before`](Self::before): a mailbox has none, or a
    /// version that is far smaller.
    pub const fn or_miss(self, look: u32) -> Self {
        Action { before: Action::MISSES | look as u64, ..self }
    }

    /// Returns the number of an [`or_miss`](Self::or_miss) receive, given its value before.
    pub(crate) const fn look(before: u64) -> Option<u32> {
        match before & Action::MISSES {
            0 => None,
            _ => Some(before as u32),
        }
    }

    /// Marks the number of a receive.
    const MISSES: u64 = 1 << 63;

    /// Returns this action, waiting until it can take effect.
    pub const fn waiting(self) -> Self {
        Action { waits: true, ..self }
    }

    /// Returns this action as a guard.
    pub const fn guarding(self) -> Self {
        Action { waits: true, guard: true, ..self }
    }

    /// Returns this action on plain memory.
    pub const fn plain(self) -> Self {
        Action { plain: true, ..self }
    }

    /// Returns this action, marked as one that [merely locks](Self::merely_locks).
    pub const fn merely_locking(self) -> Self {
        Action { merely_locks: true, ..self }
    }

    /// Returns this action, waiting as a [loop](Self::awaits) does.
    pub const fn awaiting(self) -> Self {
        Action { waits: true, awaits: true, ..self }
    }

    /// Returns this update as an addition whose result is not [used](Self::unread).
    pub const fn unread(self) -> Self {
        Action { unread: true, ..self }
    }

    /// Returns whether this is the arrival at a barrier whose result is not used: it adds to a counter that
    /// only arrivals read.
    pub const fn is_arrival(&self) -> bool {
        let is_certain = matches!(self.when, When::Always) && !self.waits;
        matches!(self.op, Op::Add) && self.unread && is_certain && !self.plain
    }

    /// Returns this action with several alternatives.
    pub const fn ways(self, ways: Ways) -> Self {
        Action { ways, ..self }
    }

    /// Returns this action with the memory ordering of an operation on a lock or a similar object. An
    /// action that locks acquires, an action that unlocks or posts releases, and an unconditional update
    /// does both. An attempt that fails is relaxed. Plain actions, and actions that have an ordering,
    /// stay the same.
    pub fn ordered_as_object(self) -> Self {
        if self.plain || self.ordering.is_some() {
            return self;
        }
        match self.op {
            Op::Write => self.ordered(MemoryOrdering::Release),
            Op::Read => self.ordered(MemoryOrdering::Acquire),
            _ if self.when == When::Always => self.ordered(MemoryOrdering::AcqRel),
            _ => self.ordered(MemoryOrdering::Acquire).ordered_on_failure(MemoryOrdering::Relaxed),
        }
    }

    /// Returns this action with a memory ordering.
    pub const fn ordered(self, ordering: MemoryOrdering) -> Self {
        Action { ordering: Some(ordering), ..self }
    }

    /// Returns this action with another memory ordering for the case that it does not take effect.
    pub const fn ordered_on_failure(self, ordering: MemoryOrdering) -> Self {
        Action { failure_ordering: Some(ordering), ..self }
    }

    /// Returns whether this is an atomic access that may order less than `SeqCst`.
    #[inline]
    pub fn is_weak(&self) -> bool {
        let is_weak = |ordering: MemoryOrdering| ordering.is_weak();
        self.ordering.is_some_and(is_weak) || self.failure_ordering.is_some_and(is_weak)
    }

    /// Creates a fence.
    pub const fn fence(ordering: MemoryOrdering) -> Self {
        Action::new(Op::Fence, Location::NOWHERE).ordered(ordering)
    }

    /// Returns this action as performed: the location had the value `before` and has `after`.
    pub const fn performed(self, before: u64, after: u64) -> Self {
        Action { before, after, ..self }
    }

    /// Returns the action of a step that failed instead of taking effect, at a location with this
    /// value. The step has accessed the location, so the action is a read, or an update if it would
    /// have changed the value.
    pub const fn failed(self, value: u64) -> Self {
        let op = match self.op {
            Op::Write | Op::Add => Op::Update,
            op => op,
        };
        Action { op, before: value, after: value, ..self }
    }

    /// Returns the operation that the action performs on a location with this value: a conditional
    /// action without effect only reads.
    pub fn op_at(&self, value: u64) -> Op {
        match self.when.holds(value) {
            true => self.op,
            false => Op::Read,
        }
    }
}
