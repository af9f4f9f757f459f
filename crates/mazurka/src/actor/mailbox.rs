//! Mailboxes.
//!
//! To the explorers a mailbox is a location to which messages are delivered, and from which they
//! are taken in any order. Whether a receive would have taken another message, had that been
//! there, is found by asking its pattern; so patterns are kept. They are code of the user, and
//! are asked only in steps of processes, never by the scheduler: whether a receive can go on is
//! noted when a message comes.

use std::cell::RefMut;
use std::collections::VecDeque;
use std::iter;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use mazurka_core::model::{Action, Location, MemoryOrdering, ObjectId, Op, ProcessId};

use super::asking::find_match;
use super::pattern::Pattern;
use super::taken::Taken;
use crate::rt::{self, Confined, Ended, Own, Retire, Runtime, Shared};

/// Where messages to one process are put.
pub(super) struct Mailbox<M> {
    /// Whose it is, as two numbers in one. [`NOBODYS`] if it was made while the execution was being
    /// torn down.
    home: AtomicU64,
    /// The execution in which it is somebody's: who has kept a `Pid` may send in another one.
    execution: AtomicU64,
    state: Confined<State<M>>,
    /// What becomes of it when the last reference is gone.
    leave: fn(Rc<Self>),
}

/// A mailbox without an owner.
const NOBODYS: u64 = u64::MAX;

/// Whose a mailbox is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Home {
    pub(super) process: ProcessId,
    pub(super) object: ObjectId,
    pub(super) execution: u64,
}

impl Home {
    pub(super) fn location(self) -> Location {
        Location::whole(self.object)
    }
}

pub(super) struct State<M> {
    pub(super) messages: VecDeque<Envelope<M>>,
    /// Messages of processes that are just about to send them.
    pub(super) sending: Vec<Envelope<M>>,
    /// The receive that is pending.
    pub(super) looking: Option<Looking<M>>,
    /// The messages that were taken.
    pub(super) taken: Taken<M>,
    /// After how many steps the owner found the mailbox empty, if it did so last.
    pub(super) found_empty: Option<u32>,
}

impl<M> Default for State<M> {
    fn default() -> Self {
        State {
            messages: VecDeque::new(),
            sending: Vec::new(),
            looking: None,
            taken: Taken::default(),
            found_empty: None,
        }
    }
}

impl<M> State<M> {
    /// Drops what is in it, but keeps the room.
    fn clear(&mut self) {
        self.messages.clear();
        self.sending.clear();
        self.looking = None;
        self.taken.clear();
        self.found_empty = None;
    }
}

pub(super) struct Looking<M> {
    pub(super) pattern: Box<dyn Pattern<M>>,
    /// The place of the oldest message that it matches. Only the owner takes messages away, so
    /// it stays the same.
    pub(super) found: Option<usize>,
    /// Whether it matches every message.
    pub(super) is_any: bool,
    /// Whether the receive waits for one.
    pub(super) waits: bool,
}

impl<M: 'static> Looking<M> {
    /// Whether it would take a message.
    fn matches(&self, envelope: &Envelope<M>) -> bool {
        self.is_any || find_match(iter::once((envelope, &*self.pattern, ()))).is_some()
    }
}

/// A message on its way.
pub(super) struct Envelope<M> {
    pub(super) number: u32,
    pub(super) sender: ProcessId,
    pub(super) content: Content<M>,
    /// Whose end it tells of.
    pub(super) about: Option<ProcessId>,
}

pub(super) enum Content<M> {
    Message(M),
    /// A process to which the receiver is linked has panicked: every receive takes this. It is rare, and
    /// elsewhere so that messages are small.
    Exit(Box<Ended>),
}

impl<M: 'static> Mailbox<M> {
    /// Returns an empty mailbox without an owner, with the room that an earlier one had.
    pub(super) fn shared() -> Shared<Self> {
        let kept = rt::try_with(|rt| rt.kept().take()).flatten();
        Shared::of(kept.unwrap_or_else(|| Rc::new(Mailbox::new())))
    }

    fn new() -> Self {
        Mailbox {
            home: AtomicU64::new(NOBODYS),
            execution: AtomicU64::new(0),
            state: Confined::new(State::default()),
            leave: Mailbox::leave,
        }
    }

    /// Drops what is in it, and leaves its room to a later one.
    fn leave(mut mailbox: Rc<Self>) {
        let Some(it) = Rc::get_mut(&mut mailbox) else { return };
        it.state.get_mut().clear();
        *it.home.get_mut() = NOBODYS;
        rt::try_with(|rt| rt.kept().put(mailbox));
    }
}

impl<M> Retire for Mailbox<M> {
    fn retire(self: Rc<Self>) {
        (self.leave)(self);
    }
}

impl<M> Mailbox<M> {
    /// Makes it that of a process.
    pub(super) fn settle(&self, process: ProcessId) {
        let (object, execution) =
            rt::with(|rt| (rt.own_object(process, Own::Mailbox), rt.execution()));
        let home = (process.index() as u64) << 32 | u64::from(object.0);
        debug_assert!(self.home().is_none(), "a mailbox has one owner");
        self.home.store(home, Relaxed);
        self.execution.store(execution, Relaxed);
    }

    pub(super) fn home(&self) -> Option<Home> {
        match self.home.load(Relaxed) {
            NOBODYS => None,
            home => {
                let process = ProcessId::new((home >> 32) as usize);
                let execution = self.execution.load(Relaxed);
                Some(Home { process, object: ObjectId(home as u32), execution })
            }
        }
    }

    #[inline]
    #[track_caller]
    pub(super) fn state(&self) -> RefMut<'_, State<M>> {
        self.state.get()
    }
}

impl<M: 'static> State<M> {
    /// Puts in a message, and reports which receives would have taken it.
    #[inline(always)]
    pub(super) fn put(&mut self, home: Home, envelope: Envelope<M>) {
        let place = self.messages.len();
        // Whatever is asked of it can be asked there: it is not copied once more.
        self.messages.push_back(envelope);
        let envelope = &self.messages[place];
        if !self.taken.is_empty() && rt::with(|rt| rt.is_asked()) {
            self.taken.report_rivals(home.location(), envelope);
        }
        if let Some(looking) = &mut self.looking
            && looking.found.is_none()
            && looking.matches(envelope)
        {
            looking.found = Some(place);
            rt::with(|rt| rt.let_go(home.process, home.execution));
        }
    }
}

/// An action on a mailbox, performed, that adds to the number of messages. Each changes the value, so
/// that nobody is thought to spin because of it: the explorers do not know how to wait for a mailbox to
/// change. Under a memory model, the value is the number of messages.
#[inline(always)]
pub(super) fn changing(rt: &Runtime, action: Action, added: i64) -> Action {
    let before = rt.value(action.on.object);
    let added = if action.op.is_memory() { added } else { 1 };
    action.performed(before, before.wrapping_add_signed(added))
}

/// Returns an action on a mailbox under a memory model.
///
/// The explorer `graphs` knows cells and no mailboxes. So every operation is a read-modify-write of a cell
/// that holds the number of messages. These read from each other in a chain. Therefore the operations
/// on a mailbox are totally ordered, and each sees the messages that are there. A delivery releases, and
/// a receive acquires.
pub(super) fn update(home: Home, ordering: MemoryOrdering) -> Action {
    Action::new(Op::Update, home.location())
        .ordered(ordering)
        .ordered_on_failure(MemoryOrdering::Relaxed)
}
