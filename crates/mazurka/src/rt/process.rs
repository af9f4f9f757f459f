//! One process of the current execution.

use std::any::Any;
use std::cell::RefCell;
use std::panic::Location as SourceLocation;
use std::ptr::{self, NonNull};
use std::rc::Rc;
use std::sync::Arc;

use corosensei::{Coroutine, Yielder};
use mazurka_core::model::{Action, Birth, Location, ObjectId, Op};

use super::actors::Watcher;
use super::awaits::Await;
use super::blocking::Waiting;
use super::leftover::Leftover;
use super::names::OWN;
use super::operation::{Blocker, Role};
use super::panics::PanicNote;
use super::shared::{AnyShared, Shared};
use super::spin::Watch;
use super::stack::Stack;
use super::twins::Kin;
use super::watchdog;

/// A place in the source of the program under test.
pub(crate) type Site = &'static SourceLocation<'static>;

pub(super) type Thread = Coroutine<(), (), (), Stack>;
pub(super) type Suspender = Yielder<(), ()>;

/// Where a coroutine is kept, unless it has ended. It stays there while it runs.
pub(super) type Seat = Rc<RefCell<Option<Thread>>>;

/// Where a process is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum State {
    /// It does not exist in this execution.
    Absent,
    /// It runs, or will before the current step is over.
    Running,
    /// It is about to perform the operation in `pending`.
    AtOperation,
    /// It waits until another process releases it.
    Waiting(Waiting),
    /// It stays where it is for ever, since an assumption failed.
    Stopped,
    /// It has ended, or is never run again.
    Ended,
}

/// Who learns of a panic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Handle {
    /// A process has a handle, and may join it.
    Held,
    /// The handle is gone: no process can learn the result.
    Dropped,
    /// The result has been taken, or a scope will take it.
    Claimed,
}

/// What a process is about to do.
pub(super) struct Pending {
    pub(super) name: &'static str,
    pub(super) site: Site,
    /// The action, if it has one. No `Option`, so that it can be [written](Self::announce) field by field.
    action: Action,
    acts: bool,
    pub(super) alternatives: u32,
    /// On the stack of the process, and valid as long as that is at this operation.
    pub(super) blocker: Option<NonNull<dyn Blocker>>,
    /// What the blocker is there for.
    pub(super) role: Role,
}

impl Pending {
    /// Sets what it does, if anything: all but the values, which are known once it is performed. They would
    /// be written elsewhere first, and copied with what is beside them before they are there.
    #[inline(always)]
    pub(super) fn announce(&mut self, action: Option<Action>) {
        self.acts = action.is_some();
        if let Some(action) = action {
            let Action { on, op, when, waits, guard, plain, merely_locks, ways, .. } = action;
            let Action { ordering, failure_ordering, unread, .. } = action;
            self.action.on = on;
            self.action.op = op;
            self.action.when = when;
            self.action.waits = waits;
            self.action.guard = guard;
            self.action.plain = plain;
            self.action.merely_locks = merely_locks;
            self.action.unread = unread;
            self.action.ways = ways;
            self.action.ordering = ordering;
            self.action.failure_ordering = failure_ordering;
        }
    }

    /// Gives its action a memory ordering, if it has none.
    #[cold]
    pub(super) fn order(&mut self) {
        self.action = self.action.ordered_as_object();
    }

    /// What it does. Without an action it is a pure choice.
    #[inline]
    pub(super) fn action(&self) -> Option<&Action> {
        self.acts.then_some(&self.action)
    }

    /// Returns the next action of the process, to be changed.
    pub(super) fn action_mut(&mut self) -> Option<&mut Action> {
        self.acts.then_some(&mut self.action)
    }
}

/// A value of a thread-local key; `None` while it is being destroyed and afterwards.
pub(super) struct Local {
    pub(super) key: usize,
    pub(super) value: Option<Box<dyn Any>>,
}

/// Whether a process is unwound by a panic that [does not count](super::quiet).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Quiet {
    No,
    Yes,
    /// It is, and another panic has begun since then.
    Disturbed,
}

/// The handler that a process is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handling {
    pub(super) event: u32,
    /// Steps taken since it began.
    pub(super) steps: u32,
    /// Children created since it began.
    pub(super) children: u32,
}

pub(super) struct Process {
    pub(super) state: State,
    /// Its coroutine. This slot may be moved while that runs.
    pub(super) thread: Seat,
    pub(super) suspender: *const Suspender,
    /// The lowest address of its stack, where the guard page is.
    pub(super) stack_limit: usize,
    /// Where on its stack its code began, while that runs; see [`leave`](super::leave).
    pub(super) root: usize,
    /// The end of its stack.
    pub(super) stack_end: usize,
    pub(super) pending: Pending,
    /// Steps taken.
    pub(super) steps: u32,
    /// Since when a name is known that it gives now.
    pub(super) naming: Birth,
    /// Objects named since the last step.
    pub(super) named: u32,
    /// Messages numbered since the last step.
    pub(super) messages: u32,
    /// Children created.
    pub(super) children: u32,
    /// The event that it is handling, if any.
    pub(super) handles: Option<Handling>,
    /// What it leaves behind.
    pub(super) leftover: Leftover,
    /// Who waits for its end.
    pub(super) joiner: Option<usize>,
    pub(super) watch: Watch,
    /// Whether its operation waits as a loop does.
    pub(super) await_: Await,
    /// A digest of everything that happened before its next step, if the digests are tracked.
    pub(super) past: u64,
    /// Which of its own objects have been set up in this execution.
    pub(super) own_ready: [bool; OWN],
    /// What it is called, or was when it was last there: mostly that is the same in every execution.
    name: Option<Arc<str>>,
    /// Its name for the [watchdog](super::watchdog), or null.
    pub(super) watched_name: *mut String,
    /// How many processes were created before it in this execution.
    pub(super) rank: usize,
    /// Its creator, the event that this was handling, if any, and how many processes that has created before.
    pub(super) origin: (usize, Option<u32>, u32),
    /// Its twins.
    pub(super) kin: Kin,
    pub(super) locals: Vec<Local>,
    /// Its mailbox, if it is an actor.
    pub(super) mailbox: Option<Shared<dyn AnyShared>>,
    /// Who is to be told of its end.
    pub(super) watchers: Vec<Watcher>,
    pub(super) handle: Handle,
    /// The last panic that began in it.
    pub(super) note: Option<PanicNote>,
    /// The one before that.
    pub(super) note_before: Option<PanicNote>,
    /// The panic that ended it.
    pub(super) panic: Option<String>,
    /// The panic of another process that it has learnt of by joining.
    pub(super) joined_panic: Option<String>,
    /// Whether a panic has begun in it; it may have been caught since.
    pub(super) panicked: bool,
    /// Whether it is suspended in the middle of unwinding.
    pub(super) suspended_unwinding: bool,
    /// Whether it is being torn down without the standard library knowing.
    pub(super) quiet: Quiet,
    /// How often it was asked to die.
    pub(super) dying: u32,
    /// Whether it has given up in the middle of something.
    pub(super) is_abandoned: bool,
    /// How many values that may be statics it is initialising.
    pub(super) initialises: u32,
}

impl Process {
    #[track_caller]
    pub(super) fn absent() -> Self {
        Process {
            state: State::Absent,
            thread: Rc::default(),
            suspender: ptr::null(),
            stack_limit: 0,
            root: 0,
            stack_end: 0,
            pending: Pending {
                name: "",
                site: SourceLocation::caller(),
                action: Action::new(Op::Read, Location::whole(ObjectId(0))),
                acts: false,
                alternatives: 1,
                blocker: None,
                role: Role::Explains,
            },
            steps: 0,
            naming: Birth::START,
            named: 0,
            messages: 0,
            children: 0,
            handles: None,
            leftover: Leftover::NOTHING,
            joiner: None,
            watch: Watch::default(),
            await_: Await::default(),
            past: 0,
            own_ready: [false; OWN],
            name: None,
            watched_name: ptr::null_mut(),
            rank: 0,
            origin: (0, None, 0),
            kin: Kin::default(),
            locals: Vec::new(),
            mailbox: None,
            watchers: Vec::new(),
            handle: Handle::Claimed,
            note: None,
            note_before: None,
            panic: None,
            joined_panic: None,
            panicked: false,
            suspended_unwinding: false,
            quiet: Quiet::No,
            dying: 0,
            is_abandoned: false,
            initialises: 0,
        }
    }

    /// Gives it a name.
    #[inline]
    pub(super) fn call(&mut self, name: Option<&str>) {
        if self.name.as_deref() != name {
            self.name = name.map(Arc::from);
            self.watched_name = name.map_or(ptr::null_mut(), watchdog::intern);
        }
    }

    /// The name that it was given.
    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref().filter(|_| self.state != State::Absent)
    }

    /// Returns the name, to be kept.
    pub(super) fn shared_name(&self) -> Option<Arc<str>> {
        self.name.clone().filter(|_| self.state != State::Absent)
    }

    /// Forgets the execution that is over. What has been allocated is kept for the next one.
    pub(super) fn clear(&mut self) {
        debug_assert!(self.thread.borrow().is_none() && self.locals.is_empty());
        debug_assert!(self.mailbox.is_none() && self.watchers.is_empty());
        self.state = State::Absent;
        self.suspender = ptr::null();
        self.root = 0;
        self.pending.acts = false;
        self.pending.blocker = None;
        self.steps = 0;
        self.naming = Birth::START;
        self.named = 0;
        self.messages = 0;
        self.children = 0;
        self.handles = None;
        self.leftover.clear();
        self.joiner = None;
        self.watch.clear();
        self.await_.clear();
        (self.pending.action.awaits, self.pending.action.before) = (false, 0);
        self.past = 0;
        self.own_ready = [false; OWN];
        self.handle = Handle::Claimed;
        self.note = None;
        self.note_before = None;
        self.panic = None;
        self.joined_panic = None;
        self.panicked = false;
        self.suspended_unwinding = false;
        self.quiet = Quiet::No;
        self.dying = 0;
        self.is_abandoned = false;
        self.initialises = 0;
    }
}
