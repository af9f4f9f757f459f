//! Processes.

use super::twins::Kin;
use crate::term::{Atom, Term, atom};

/// The status of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// It has not been created in this execution.
    Absent,
    /// It is alive.
    Alive,
    /// It has ended, and still has to notify other processes.
    Ending,
    Ended,
}

/// A visible operation of a process, other than to send and to receive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Visible {
    /// Looks up the process with a name. Sending to it is another step.
    SendToName,
    /// Sends to an alias.
    SendToAlias,
    /// Notifies the owner of a monitor of an end, if the monitor still exists. Only channels do this.
    SendNews,
    /// Creates a process or a timer. The arguments of the call are in a tuple.
    Create(Creation),
    Register,
    Unregister,
    Whereis,
    Registered,
    Link,
    Unlink,
    Monitor,
    Demonitor,
    /// Removes the notification of an end from the mailbox: the second step of `demonitor`.
    Flush,
    Unalias,
    ExitSignal,
    TrapExit,
    Suspend,
    Resume,
    /// Changes the group leader of a process.
    GroupLeader,
    /// Reads the group leader of the process itself.
    OwnLeader,
    /// Prints to the group leader: a function of `io` with a list of arguments.
    Print,
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
    /// An operation on the code of a module that is loaded while the program runs.
    Code(CodeOperation),
    /// An operation on a number of an array.
    Atomic(AtomicOperation),
    /// An operation on the entry of one key.
    EtsKey(KeyOperation),
    /// An operation on a whole table.
    EtsTable(TableOperation),
}

/// Operations on the code of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum CodeOperation {
    /// Calls a function by name.
    Call,
    /// `erlang:load_module`.
    Load,
    /// `code:load_binary`, which purges old code.
    LoadBinary,
    /// `code:delete`.
    Delete,
    /// `erlang:delete_module`.
    DeleteModule,
    Purge,
    SoftPurge,
    HasOld,
    ModuleLoaded,
    Exported,
    IsLoaded,
    EnsureLoaded,
    Which,
    Info,
}

impl CodeOperation {
    pub(crate) fn only_reads(self) -> bool {
        use CodeOperation::{Delete, DeleteModule, Load, LoadBinary, Purge, SoftPurge};
        !matches!(self, Load | LoadBinary | Delete | DeleteModule | Purge | SoftPurge)
    }
}

/// Calls that create a process or a timer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Creation {
    /// `spawn`.
    Process,
    /// `spawn_link`.
    Linked,
    /// `spawn_monitor`.
    Monitored,
    /// `spawn_opt`.
    WithOptions,
    /// `spawn_request`.
    Request,
    /// `send_after`.
    Timer,
    /// `start_timer`.
    WrappingTimer,
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
    /// A limited number of objects behind a key.
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

/// The next step of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pending {
    /// None: the process has ended.
    Nothing,
    /// Delivers a message, and continues with the result.
    Send {
        to: u32,
        message: Term,
        result: Term,
    },
    /// Receives a message. Waits for one unless there is a time limit.
    Receive {
        waits: bool,
    },
    /// Waits for ever.
    Sleep,
    Do {
        what: Visible,
        arguments: [Term; 3],
    },
    /// Delivers the message of a timer, unless the timer was cancelled.
    Fire {
        to: Term,
        message: Term,
    },
    /// Ends.
    End,
    /// Notifies the first process of [`Local::to_tell`] of its end.
    Tell,
}

/// The state of a process without its stack and its mailbox.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub(crate) status: Status,
    pub(crate) pending: Pending,
    /// The next instruction, the return address, and the number of handlers on the stack.
    pub(crate) pc: u32,
    pub(crate) cp: u32,
    pub(crate) handlers: u32,
    /// The height of its stack.
    pub(super) height: u32,
    /// The numbers of its steps, references and children.
    pub(crate) steps: u32,
    pub(crate) references: u32,
    pub(crate) children: u32,
    /// Its clock, in milliseconds.
    pub(crate) ticks: u64,
    /// The place of the oldest message in its mailbox that the pending receive matches.
    pub(crate) found: Option<u32>,
    pub(crate) traps_exits: bool,
    /// The number of processes that suspend it.
    pub(crate) suspenders: u32,
    /// Only the process itself can read it, and schedules do not depend on it.
    pub(crate) priority: Atom,
    /// The state of the timer, if this is one.
    pub(crate) timer: Timer,
    /// The reason of the exit signal that ends it, or no term.
    pub(crate) signal: Term,
    /// The reason for which it ends.
    pub(crate) reason: Term,
    /// The processes that it still has to notify of its end: a list.
    pub(crate) to_tell: Term,
    /// The number of [steps](super::Local::steps) by which the next notification is numbered.
    pub(crate) news: u32,
    pub(crate) name: Option<Atom>,
    /// Whether the process registered this name itself.
    pub(crate) named_itself: bool,
    /// A map, from any term.
    pub(crate) dictionary: Term,
    /// A map, from processes.
    pub(crate) links: Term,
    /// The monitors of this process: a map from references.
    pub(crate) watchers: Term,
    /// The processes that it monitors: a map from references.
    pub(crate) watched: Term,
    /// The channels for messages that it sends: a map from receivers.
    pub(crate) channels: Term,
    /// Its aliases: a map from references.
    pub(crate) aliases: Term,
    /// How often it suspends other processes: a map from processes.
    pub(crate) suspending: Term,
    pub(crate) group_leader: Term,
    /// Whether its group leader is a process of the program, which gets its output.
    pub(crate) leads_to_program: bool,
    /// The module, function and arity that started it.
    pub(crate) initial_call: Term,
    pub(crate) parent: u32,
    /// The number of receives that its parent had performed when it created the process.
    pub(super) parent_taken: u32,
}

/// The state of a timer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Timer {
    /// This is a process, not a timer.
    No,
    Running,
    Fired,
    Cancelled,
}

impl Timer {
    /// Returns the value of its cell: 0 as long as it can fire or be cancelled.
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
    /// The time of the sender's clock.
    pub(crate) ticks: u64,
    /// What the receiver learns of the sender, of the process that the sender heard of last, and of the
    /// process that this one heard of last.
    pub(crate) known: [Known; 3],
}

/// A process, and the number of its receives that are known to have been performed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Known {
    pub(crate) process: u32,
    pub(crate) receives: u32,
}

impl Message {
    /// Returns a message that a process is about to send.
    pub(crate) fn to_come(number: u32, content: Term) -> Message {
        Message { number, content, ticks: 0, known: [Known::NOTHING; 3] }
    }
}

impl Known {
    pub(crate) const NOTHING: Known = Known { process: 0, receives: 0 };
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
    /// The head that it replaced because the two are [alike](super::alike), and where that was among
    /// the heads.
    pub(super) replaced: Option<(usize, u32)>,
}

/// A process.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) local: Local,
    pub(crate) stack: Vec<Term>,
    /// Oldest first.
    pub(crate) mailbox: Vec<Message>,
    /// Its receives that were performed.
    pub(crate) taken: Vec<Taken>,
    /// The receives that no later one is known to be [alike](super::alike) to, oldest first.
    pub(super) heads: Vec<u32>,
    /// Whether it is in the list of processes whose actions are computed again.
    pub(crate) has_changed: bool,
    /// Whether it is in the list [`Vm::senders`](super::Vm).
    pub(crate) is_sender: bool,
    /// The numbers of its children, and of its messages by the number of steps before. They never change.
    pub(crate) child_ids: Vec<u32>,
    pub(crate) message_numbers: Vec<u32>,
    /// Its name in reports.
    pub(crate) symbol: String,
    /// Whether it is a system process: it was started before the program.
    pub(crate) is_system: bool,
    /// Whether it only forwards messages of its parent.
    pub(crate) is_channel: bool,
    pub(crate) kin: Kin,
}

impl Process {
    pub(crate) fn absent(symbol: String) -> Process {
        Process {
            local: Local::ABSENT,
            stack: Vec::new(),
            mailbox: Vec::new(),
            taken: Vec::new(),
            heads: Vec::new(),
            has_changed: false,
            is_sender: false,
            child_ids: Vec::new(),
            message_numbers: Vec::new(),
            symbol,
            is_system: false,
            is_channel: false,
            kin: Kin::default(),
        }
    }
}

impl Process {
    /// Removes all receives that were performed.
    pub(super) fn forget_receives(&mut self) {
        self.taken.clear();
        self.heads.clear();
        self.local.parent_taken = 0;
        self.mailbox.iter_mut().for_each(|message| message.known = [Known::NOTHING; 3]);
    }

    /// Undoes the last receive.
    pub(super) fn forget_last_receive(&mut self) -> Option<Taken> {
        let taken = self.taken.pop()?;
        self.heads.pop();
        if let Some((place, head)) = taken.replaced {
            self.heads.insert(place, head);
        }
        Some(taken)
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
        suspenders: 0,
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
        suspending: Term::NIL,
        group_leader: Term::NIL,
        leads_to_program: false,
        initial_call: Term::NIL,
        parent: 0,
        parent_taken: 0,
    };

    pub(crate) fn is_alive(&self) -> bool {
        self.status == Status::Alive
    }
}
