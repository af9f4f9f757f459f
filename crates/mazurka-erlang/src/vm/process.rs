//! Processes.

use crate::term::{Atom, Term, atom};

/// What becomes of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// It has not been created in this execution.
    Absent,
    /// It is there.
    Alive,
    /// It is at its end, and has yet to tell others.
    Ending,
    Ended,
}

/// A visible operation of a process, other than to send and to receive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Visible {
    /// Sends to whoever has a name: looks the name up; to deliver is another step.
    SendToName,
    /// Sends to an alias.
    SendToAlias,
    /// Sends the news of an end to the process that has a monitor, if it still has it. Only channels do.
    SendNews,
    Register,
    Unregister,
    Whereis,
    Registered,
    Link,
    Unlink,
    Monitor,
    Demonitor,
    /// Takes the news of an end out of the mailbox: the second step of `demonitor`.
    Flush,
    Unalias,
    ExitSignal,
    TrapExit,
    /// Changes the group leader of the process itself.
    GroupLeader,
    IsAlive,
    ProcessInfo,
    CancelTimer,
    ReadTimer,
    PersistentGet,
    /// All persistent terms.
    PersistentAll,
    PersistentPut,
    PersistentErase,
    EtsNew,
    EtsDelete,
    EtsWhereis,
    /// All tables.
    EtsAll,
    EtsInfo,
    EtsGiveAway,
    /// Changes the heir of a table.
    EtsOptions,
    /// All processes that are alive.
    Processes,
    EtsRename,
    /// An operation on a number of an array.
    Atomic(AtomicOperation),
    /// An operation on the entry of one key.
    EtsKey(KeyOperation),
    /// One on a whole table.
    EtsTable(TableOperation),
}

/// Operations on a number that processes share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum AtomicOperation {
    Get,
    Put,
    Add,
    AddGet,
    Exchange,
    CompareExchange,
}

/// Operations on the entry of one key of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum KeyOperation {
    Lookup,
    LookupElement,
    Member,
    Insert,
    InsertNew,
    Delete,
    DeleteObject,
    Take,
    UpdateElement,
    UpdateCounter,
}

impl KeyOperation {
    pub(crate) fn only_reads(self) -> bool {
        use KeyOperation::{Lookup, LookupElement, Member};
        matches!(self, Lookup | LookupElement | Member)
    }
}

/// Operations on a whole table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TableOperation {
    InsertList,
    InsertNewList,
    DeleteAll,
    FirstLookup,
    LastLookup,
    NextLookup,
    PrevLookup,
    First,
    Last,
    Next,
    Prev,
    ToList,
    Select,
    SelectCount,
    SelectDelete,
    SelectReverse,
    SelectReplace,
    /// Some of what there is behind a place.
    SelectSome,
    Match,
    MatchObject,
    MatchDelete,
    Slot,
}

impl TableOperation {
    pub(crate) fn only_reads(self) -> bool {
        use TableOperation::*;
        !matches!(
            self,
            InsertList | InsertNewList | DeleteAll | SelectDelete | SelectReplace | MatchDelete
        )
    }
}

/// What a process does at its next step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pending {
    /// Nothing: it has ended.
    Nothing,
    /// Delivers a message. The result is what it goes on with.
    Send {
        to: u32,
        message: Term,
        result: Term,
    },
    /// Looks for a message, and waits until there is one unless it has a time limit.
    Receive {
        waits: bool,
    },
    /// Waits for ever.
    Sleep,
    Do {
        what: Visible,
        arguments: [Term; 3],
    },
    /// Is a timer that goes off unless it has been cancelled, and delivers then.
    Fire {
        to: Term,
        message: Term,
    },
    /// Comes to its end.
    End,
    /// Tells others of its end: the first of [`Local::to_tell`].
    Tell,
}

/// What a process is like at some point: all of it but its stack and its mailbox.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub(crate) status: Status,
    pub(crate) pending: Pending,
    /// Where it goes on, where it returns to then, and how many handlers are on its stack.
    pub(crate) pc: u32,
    pub(crate) cp: u32,
    pub(crate) handlers: u32,
    /// How high its stack is.
    pub(super) height: u32,
    /// How many steps it has taken, references and children.
    pub(crate) steps: u32,
    pub(crate) references: u32,
    pub(crate) children: u32,
    /// Its clock, in milliseconds.
    pub(crate) ticks: u64,
    /// The place of the oldest message in its mailbox that the pending receive matches.
    pub(crate) found: Option<u32>,
    pub(crate) traps_exits: bool,
    /// Only the process itself can ask for it: schedules do not depend on it.
    pub(crate) priority: Atom,
    /// Whether this is a timer, and what has become of it.
    pub(crate) timer: Timer,
    /// A reason to end for that it was sent, or no term.
    pub(crate) signal: Term,
    /// The reason that it ends for.
    pub(crate) reason: Term,
    /// Whom it has yet to tell of its end: a list.
    pub(crate) to_tell: Term,
    /// The steps that the number of the next news is [named](super::Local::steps) after.
    pub(crate) news: u32,
    pub(crate) name: Option<Atom>,
    /// Whether it has given itself that name.
    pub(crate) named_itself: bool,
    /// A map, from any term.
    pub(crate) dictionary: Term,
    /// A map, from processes.
    pub(crate) links: Term,
    /// Who wants to know of its end: a map from references.
    pub(crate) watchers: Term,
    /// Whose end it wants to know of: a map from references.
    pub(crate) watched: Term,
    /// The channels for messages that it sends: a map from receivers.
    pub(crate) channels: Term,
    /// A map from references by which it can be reached.
    pub(crate) aliases: Term,
    pub(crate) group_leader: Term,
    /// Module, function and arity that it was started with.
    pub(crate) initial_call: Term,
    pub(crate) parent: u32,
}

/// What a timer is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Timer {
    /// It is a process, not a timer.
    No,
    Running,
    Fired,
    Cancelled,
}

impl Timer {
    /// Returns what its cell holds: 0 as long as it can go off or be cancelled.
    pub(crate) fn value(self) -> u64 {
        match self {
            Timer::Running => 0,
            Timer::No | Timer::Fired => 1,
            Timer::Cancelled => 2,
        }
    }
}

/// A message in a mailbox.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Message {
    pub(crate) number: u32,
    pub(crate) content: Term,
    /// What the sender's clock showed.
    pub(crate) ticks: u64,
}

/// A receive that took a message, or that found none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    /// The message, unless it found none.
    pub(super) message: Option<Message>,
    /// The number of the receive as one that finds no message. `None` if it waits until there is one.
    pub(super) look: Option<u32>,
    /// Where the receive is in the code.
    pub(super) pc: u32,
    /// Its frame, in [`Vm::frames`](super::Vm).
    pub(super) frame: (u32, u32),
}

/// A process.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) local: Local,
    pub(crate) stack: Vec<Term>,
    /// Oldest first.
    pub(crate) mailbox: Vec<Message>,
    pub(crate) taken: Vec<Taken>,
    /// Whether it is among those that are to be looked at again.
    pub(crate) has_changed: bool,
    /// The ids of its children, and of the messages that it sent after so many steps: these stay.
    pub(crate) child_ids: Vec<u32>,
    pub(crate) message_numbers: Vec<u32>,
    /// What others call it.
    pub(crate) symbol: String,
    /// Whether it is part of the system: it was started before the program.
    pub(crate) is_system: bool,
    /// Whether it only forwards messages of its parent.
    pub(crate) is_channel: bool,
}

impl Process {
    pub(crate) fn absent(symbol: String) -> Process {
        Process {
            local: Local::ABSENT,
            stack: Vec::new(),
            mailbox: Vec::new(),
            taken: Vec::new(),
            has_changed: false,
            child_ids: Vec::new(),
            message_numbers: Vec::new(),
            symbol,
            is_system: false,
            is_channel: false,
        }
    }
}

impl Local {
    pub(crate) const ABSENT: Local = Local {
        status: Status::Absent,
        pending: Pending::Nothing,
        pc: 0,
        cp: 0,
        handlers: 0,
        height: 0,
        steps: 0,
        references: 0,
        children: 0,
        ticks: 0,
        found: None,
        traps_exits: false,
        priority: atom::NORMAL,
        timer: Timer::No,
        signal: Term::NONE,
        reason: Term::NONE,
        to_tell: Term::NIL,
        news: 0,
        name: None,
        named_itself: false,
        dictionary: Term::NIL,
        links: Term::NIL,
        watchers: Term::NIL,
        watched: Term::NIL,
        channels: Term::NIL,
        aliases: Term::NIL,
        group_leader: Term::NIL,
        initial_call: Term::NIL,
        parent: 0,
    };

    pub(crate) fn is_alive(&self) -> bool {
        self.status == Status::Alive
    }
}
