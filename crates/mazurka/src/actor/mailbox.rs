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
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use mazurka_core::model::{Action, Location, ObjectId, ProcessId, Rival};

use super::pattern::Pattern;
use crate::rt::{self, Confined, Ended, Own, Runtime, without_operations};

/// Where messages to one process are put.
pub(super) struct Mailbox<M> {
    /// Whose it is, as two numbers in one. [`NOBODYS`] if it was made while the execution was being
    /// torn down.
    home: AtomicU64,
    /// Whether there is what the pending receive looks for.
    ready: AtomicBool,
    /// Taken out only when this is dropped.
    state: Confined<ManuallyDrop<Box<State<M>>>>,
    /// What becomes of it then.
    leave: fn(Box<State<M>>),
}

/// A mailbox without an owner.
const NOBODYS: u64 = u64::MAX;

/// Whose a mailbox is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Home {
    pub(super) process: ProcessId,
    pub(super) object: ObjectId,
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
    /// The messages that were taken, and by which patterns.
    pub(super) taken: Vec<(u32, Box<dyn Pattern<M>>)>,
    /// After how many steps the owner found the mailbox empty, if it did so last.
    pub(super) found_empty: Option<u32>,
}

impl<M> Default for State<M> {
    fn default() -> Self {
        State {
            messages: VecDeque::new(),
            sending: Vec::new(),
            looking: None,
            taken: Vec::new(),
            found_empty: None,
        }
    }
}

impl<M: 'static> State<M> {
    /// An empty one, with the room that an earlier one had.
    fn new() -> Box<Self> {
        rt::try_with(|rt| rt.kept().take()).flatten().unwrap_or_default()
    }

    /// Drops what is in it, and leaves its room to a later one.
    fn leave(mut state: Box<Self>) {
        state.messages.clear();
        state.sending.clear();
        state.looking = None;
        state.taken.clear();
        state.found_empty = None;
        rt::try_with(|rt| rt.kept().put(state));
    }
}

pub(super) struct Looking<M> {
    pub(super) pattern: Box<dyn Pattern<M>>,
    /// The place of the oldest message that it matches. Only the owner takes messages away, so
    /// it stays the same.
    pub(super) found: Option<usize>,
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
    /// Somebody to whom the receiver is linked has panicked: every receive takes this. It is rare, and
    /// elsewhere so that messages are small.
    Exit(Box<Ended>),
}

/// A message, a receive that could take it or not, and what they are to the one who asks.
pub(super) type Question<'a, M, T> = (&'a Envelope<M>, &'a dyn Pattern<M>, T);

/// Asks whether receives could take messages, and calls `found` for those that could, as long as that
/// returns `true`.
///
/// A pattern that panics counts as one that matches: the receive would have panicked, so it makes a
/// difference.
fn ask<'a, M: 'static, T: Copy>(
    mut questions: impl Iterator<Item = Question<'a, M, T>>,
    mut found: impl FnMut(T) -> bool,
) {
    loop {
        let mut asked = None;
        let all = || {
            for (envelope, pattern, it) in &mut questions {
                asked = Some(it);
                let matches = match &envelope.content {
                    Content::Message(message) => pattern.matches(message),
                    Content::Exit(_) => true,
                };
                if matches && !found(it) {
                    break;
                }
            }
        };
        let result = without_operations(|| catch_unwind(AssertUnwindSafe(all)));
        match (result, asked) {
            (Err(_), Some(it)) if found(it) => {}
            _ => break,
        }
    }
}

/// The first question of which the answer is yes.
pub(super) fn find_match<'a, M: 'static, T: Copy>(
    questions: impl Iterator<Item = Question<'a, M, T>>,
) -> Option<T> {
    let mut first = None;
    ask(questions, |it| {
        first = Some(it);
        false
    });
    first
}

/// Reports all messages that were in competition, by the numbers of the one that was or would be taken
/// and of the other one.
pub(super) fn report_rivals<'a, M: 'static>(
    on: Location,
    questions: impl Iterator<Item = Question<'a, M, (u32, u32)>>,
) {
    ask(questions, |(taken, other)| {
        rt::with(|rt| rt.report_rival(Rival { on, taken, other }));
        true
    });
}

impl<M: 'static> Mailbox<M> {
    pub(super) fn new() -> Self {
        Mailbox {
            home: AtomicU64::new(NOBODYS),
            ready: AtomicBool::new(false),
            state: Confined::new(ManuallyDrop::new(State::new())),
            leave: State::leave,
        }
    }
}

impl<M> Drop for Mailbox<M> {
    fn drop(&mut self) {
        // SAFETY: it is not used any more.
        let state = unsafe { ManuallyDrop::take(self.state.get_mut()) };
        (self.leave)(state);
    }
}

impl<M> Mailbox<M> {
    /// Makes it that of a process.
    pub(super) fn settle(&self, process: ProcessId) {
        let object = rt::with(|rt| rt.own_object(process, Own::Mailbox));
        let home = (process.index() as u64) << 32 | u64::from(object.0);
        debug_assert!(self.home().is_none(), "a mailbox has one owner");
        self.home.store(home, Relaxed);
    }

    pub(super) fn home(&self) -> Option<Home> {
        match self.home.load(Relaxed) {
            NOBODYS => None,
            home => {
                let process = ProcessId::new((home >> 32) as usize);
                Some(Home { process, object: ObjectId(home as u32) })
            }
        }
    }

    #[inline]
    #[track_caller]
    pub(super) fn state(&self) -> RefMut<'_, State<M>> {
        RefMut::map(self.state.get(), |state| &mut ***state)
    }

    #[inline]
    pub(super) fn is_ready(&self) -> bool {
        self.ready.load(Relaxed)
    }

    pub(super) fn set_ready(&self, ready: bool) {
        self.ready.store(ready, Relaxed);
    }
}

impl<M: 'static> Mailbox<M> {
    /// Puts in a message that has been on its way.
    pub(super) fn put_sent(&self, on: Location, message: u32) {
        let state = &mut *self.state();
        let mut sending = state.sending.iter();
        if let Some(place) = sending.position(|envelope| envelope.number == message) {
            let envelope = state.sending.remove(place);
            self.put(state, on, envelope);
        }
    }

    /// Puts in a message, and reports which receives would have taken it.
    pub(super) fn put(&self, state: &mut State<M>, on: Location, envelope: Envelope<M>) {
        if rt::with(|rt| rt.is_asked()) {
            let (number, taken) = (envelope.number, state.taken.iter());
            report_rivals(on, taken.map(|(taken, by)| (&envelope, &**by, (*taken, number))));
        }
        if let Some(looking) = &mut state.looking
            && looking.found.is_none()
            && find_match(iter::once((&envelope, &*looking.pattern, ()))).is_some()
        {
            looking.found = Some(state.messages.len());
            self.set_ready(true);
        }
        state.messages.push_back(envelope);
    }
}

/// An action on a mailbox, performed. Each changes the value, so that nobody is thought to spin
/// because of it: the explorers do not know how to wait for a mailbox to change.
#[inline(always)]
pub(super) fn changing(rt: &Runtime, action: Action) -> Action {
    let before = rt.value(action.on.object);
    action.performed(before, before.wrapping_add(1))
}
