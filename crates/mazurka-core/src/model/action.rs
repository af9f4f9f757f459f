//! What processes do.

use super::Location;

/// What an action does to its location.
///
/// The set is small on purpose. The explorers reason about cells that hold a value and about
/// queues; front ends express everything else by these:
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
/// | time out | `Add` under `Any` of that bit, taking it away; a `Read` if it was notified |
/// | notify | `Update` under `Differs(0)`, taking bits away; a `Read` if nobody waits |
/// | park, unpark | waiting `Update` under `Equals(1)`; `Write` |
/// | re-read after a yield | waiting `Read` under `Differs(seen)` |
/// | send to and receive from a channel | `Send`, `Receive` and their refusals |
/// | send to an actor; receive, selectively | `Deliver`; `Take`, with its [rivals](super::Rival) |
/// | post to an event loop; begin to handle an event | `Post`; `Dequeue` |
/// | spawn, join, being notified | no action: an [`Edge`](super::Edge) |
/// | choose | no action: alternatives |
/// | what is not done because of what others did before | [`Forgone`](Op::Forgone) |
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Reads the value.
    Read,
    /// Replaces the value without looking at it.
    Write,
    /// Reads the value and replaces it.
    Update,
    /// Adds to the value without looking at it beyond its condition: two of these commute. Not
    /// for locations whose value a process [spins](Action::guard) on.
    Add,
    /// Reads a part of the location, by an access to another one that overlaps with it. Explorers
    /// note this; no machine performs it.
    ReadPart,
    /// Writes to a part of the location, likewise.
    WritePart,
    /// Puts message `number` into a queue.
    ///
    /// In a bounded queue `freed_by` is the message whose removal made room for it.
    Send {
        /// Its number in the queue: messages are numbered as they come.
        number: u32,
        /// The message that had to leave first, or [`Op::NONE`].
        freed_by: u32,
    },
    /// Takes message `number` out of a queue.
    Receive {
        /// The message that it takes.
        number: u32,
    },
    /// Looks for a message, and there is none.
    ReceiveNone,
    /// Would send, but there is no room, or nobody to receive.
    SendNone,
    /// Puts a message into a mailbox, where receives may pick it out of order.
    Deliver {
        /// The message. Its number depends only on who sends it after how many steps, not on
        /// what others send.
        message: u32,
    },
    /// Takes a message out of a mailbox: the oldest that it matches. Only one process ever takes from
    /// a mailbox, or looks into it.
    Take {
        /// The message that it takes, or [`Op::NONE`] while there is none.
        message: u32,
    },
    /// Looks for a message in a mailbox, and there is none that it matches.
    TakeNone,
    /// Posts an event to a queue, at its back.
    Post {
        /// The event. Like that of a message in a mailbox, its number depends only on who posts it
        /// after how many steps; numbers are dense.
        message: u32,
    },
    /// Takes the event in front of its own queue, and begins to handle it. The handler has ended
    /// once this is the next action of its process again, or the process has ended.
    Dequeue {
        /// The event, or [`Op::NONE`] while there is none.
        message: u32,
    },
    /// A sender goes away.
    Hangup,
    /// The receiver goes away.
    Close,
    /// Does nothing to the location because of what others did before, but would do this if that
    /// came later: it is dependent on nothing. What a step does is thought to stay the same when it
    /// is run before another one that it is dependent on; where it would do more then, it says so
    /// in this way.
    Forgone(Forgone),
}

/// What is not done: see [`Op::Forgone`].
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
    /// A look into a mailbox, or a message taken out of it.
    TakeNone,
}

impl Forgone {
    /// What would have been done.
    pub const fn op(self) -> Op {
        match self {
            Forgone::Read => Op::Read,
            Forgone::Update => Op::Update,
            Forgone::Deliver { message } => Op::Deliver { message },
            Forgone::TakeNone => Op::TakeNone,
        }
    }
}

impl Op {
    /// No message.
    pub const NONE: u32 = u32::MAX;

    /// Whether it is on a location that holds a value, not on a queue.
    #[inline]
    pub const fn is_memory(self) -> bool {
        use Op::*;
        matches!(self, Read | Write | Update | Add | ReadPart | WritePart)
    }

    /// The same, as something that is not done. What is not told apart is dependent on more.
    /// Queues that are received from in order are not supported.
    pub fn forgone(self) -> Op {
        Op::Forgone(match self {
            Op::Read => Forgone::Read,
            Op::Write | Op::Update | Op::Add => Forgone::Update,
            Op::Deliver { message } => Forgone::Deliver { message },
            Op::Take { .. } | Op::TakeNone => Forgone::TakeNone,
            Op::Forgone(forgone) => forgone,
            op => unreachable!("{op:?} cannot be forgone"),
        })
    }

    /// Whether all that it does is to look at the value, or at a part of it.
    #[inline]
    pub const fn is_read(self) -> bool {
        matches!(self, Op::Read | Op::ReadPart)
    }
}

/// The condition, on the value before, under which an action takes effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum When {
    /// Whatever the value.
    #[default]
    Always,
    /// If the value is this one.
    Equals(u64),
    /// If the value is another one.
    Differs(u64),
    /// If the value has one of these bits.
    Any(u64),
}

impl When {
    /// Whether the condition holds of `value`.
    #[inline]
    pub const fn holds(self, value: u64) -> bool {
        match self {
            When::Always => true,
            When::Equals(wanted) => value == wanted,
            When::Differs(unwanted) => value != unwanted,
            When::Any(bits) => value & bits != 0,
        }
    }
}

/// In how many ways an action can go, where that depends on the location's value: each is an
/// alternative of its step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ways {
    /// In one way, or in a number of ways that does not depend on the value.
    #[default]
    One,
    /// If its condition holds, it may fail all the same: the second way is a read.
    MayFail,
    /// One for each bit of the value, if there are any.
    PerBit,
}

impl Ways {
    /// How many ways there are if the location has this value and the condition `holds` of it.
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
/// A *pending* action says what the process is about to do. A *performed* one says how it went:
/// a compare-exchange that failed is performed as a [`Op::Read`], and `before` and `after` are
/// the location's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    /// Where.
    pub on: Location,
    /// What it does, or did.
    pub op: Op,
    /// The condition under which it takes effect.
    pub when: When,
    /// Whether the process waits until the condition holds (or, on a queue, until there is a
    /// message or room). An action that does not wait is performed without its effect instead.
    pub waits: bool,
    /// Whether this only holds the process back: of the guards of one step, one must hold.
    pub guard: bool,
    /// Whether this is an access to plain memory, which must not race.
    pub plain: bool,
    /// Whether this locks something that keeps nothing: what it protects are locations of their own.
    /// Then handlers of one process, which cannot contend for it, may lock it in any order.
    pub merely_locks: bool,
    /// In how many ways it can go.
    pub ways: Ways,
    /// The value before, once performed.
    pub before: u64,
    /// The value after, once performed.
    pub after: u64,
}

impl Action {
    /// An unconditional action.
    pub const fn new(op: Op, on: Location) -> Self {
        Action {
            on,
            op,
            when: When::Always,
            waits: false,
            guard: false,
            plain: false,
            merely_locks: false,
            ways: Ways::One,
            before: 0,
            after: 0,
        }
    }

    /// The same action, taking effect only under a condition.
    pub const fn when(self, when: When) -> Self {
        Action { when, ..self }
    }

    /// The same action, waiting until it can take effect.
    pub const fn waiting(self) -> Self {
        Action { waits: true, ..self }
    }

    /// The same action, only holding its process back.
    pub const fn guarding(self) -> Self {
        Action { waits: true, guard: true, ..self }
    }

    /// The same action on plain memory.
    pub const fn plain(self) -> Self {
        Action { plain: true, ..self }
    }

    /// The same action, locking something that keeps nothing.
    pub const fn merely_locking(self) -> Self {
        Action { merely_locks: true, ..self }
    }

    /// The same action, with several ways to go.
    pub const fn ways(self, ways: Ways) -> Self {
        Action { ways, ..self }
    }

    /// The same action once performed: the location had the value `before` and has `after`.
    pub const fn performed(self, before: u64, after: u64) -> Self {
        Action { before, after, ..self }
    }

    /// Returns the action of a step that failed instead of having its effect, at a location with this
    /// value. The step has looked at the location, so the action is a read, or an update if it would
    /// have changed the value.
    pub const fn failed(self, value: u64) -> Self {
        let op = match self.op {
            Op::Write | Op::Add => Op::Update,
            op => op,
        };
        Action { op, before: value, after: value, ..self }
    }

    /// What the action would do if the location's value was `value`: without its effect, a
    /// conditional action only reads.
    pub fn op_at(&self, value: u64) -> Op {
        match self.when.holds(value) {
            true => self.op,
            false => Op::Read,
        }
    }
}
