//! What actors need of the kernel: mailboxes that live as long as their process, news of ends,
//! numbers for messages, and code of the user that must not use operations.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use mazurka_core::model::{Action, Location, ObjectId, Op, ProcessId, Rival};

use super::names::Own;
use super::operation::Operation;
use super::process::{Handle, Site, State};
use super::start::{discard, end_of_panicked};
use super::{Runtime, with};

/// How a process has ended.
#[derive(Clone, Debug)]
pub(crate) struct Ended {
    /// Which one.
    pub(crate) process: ProcessId,
    /// Its name, if it has one.
    pub(crate) name: Option<Arc<str>>,
    /// What it panicked with, in a sentence, if it did.
    pub(crate) panic: Option<String>,
}

/// Somebody who is to be told of the end of a process.
pub(crate) struct Watcher {
    /// Who.
    pub(crate) process: ProcessId,
    /// How.
    pub(crate) news: Box<dyn News>,
}

/// How somebody is told of the end of a process.
pub(crate) trait News: Send {
    /// The process is about to end. Makes ready what is to be delivered, and says what that will
    /// be; `None` if it is nothing.
    fn prepare(&mut self, ended: &Ended) -> Option<Action>;

    /// Delivers it, in the current step.
    fn deliver(self: Box<Self>);
}

/// A name, and who has it.
pub(crate) struct Registered {
    object: ObjectId,
    mailbox: Option<Arc<dyn Any + Send + Sync>>,
}

/// Runs code of the user that must not use any operation.
pub(crate) fn without_operations<R>(f: impl FnOnce() -> R) -> R {
    struct Over;
    impl Drop for Over {
        fn drop(&mut self) {
            with(|rt| rt.in_pattern = false);
        }
    }
    with(|rt| rt.in_pattern = true);
    let _over = Over;
    f()
}

/// Panics if the operation that is about to begin is in code that must not use any.
#[cold]
#[track_caller]
pub(super) fn refuse_in_pattern() {
    if with(|rt| rt.in_pattern && !rt.dead) {
        panic!(
            "the pattern of a receive, and what makes a message of the end of an actor, must not \
             use threads, locks, atomics, channels or actors: they are run again and again, \
             whenever a message comes that they could match"
        );
    }
}

/// The current process is at its end: it needs no mailbox any more, and whoever wants to know is
/// told. If anybody does, that is a step of its own: others may do something between the last
/// operation of the process and its end.
///
/// Nothing that suspends may come between this and the end.
pub(super) fn end_of_current() {
    let mailbox = with(|rt| rt.processes[rt.current].mailbox.take());
    if mailbox.is_some() {
        attempt(|| drop(mailbox));
    }
    if with(|rt| !rt.watch_ends && rt.processes[rt.current].watchers.is_empty()) {
        return;
    }
    let is_told = match with(|rt| rt.dead) {
        true => false,
        false => tell(),
    };
    let watchers = with(|rt| {
        let current = rt.current;
        let slot = &mut rt.processes[current];
        if is_told && slot.handle == Handle::Dropped {
            // Somebody may learn of a panic yet.
            slot.handle = Handle::Held;
        }
        std::mem::take(&mut slot.watchers)
    });
    attempt(|| drop(watchers));
}

/// Takes the step in which the current process ends. Returns whether anybody was told.
fn tell() -> bool {
    let ended = with(|rt| rt.ended(rt.current()));
    let mut ready = Vec::new();
    let mut first: Option<(ProcessId, Action)> = None;
    // Code of the user runs meanwhile, and others may begin to watch.
    while let Some(mut watcher) = with(|rt| next_watcher(rt, &mut ready)) {
        attempt(|| {
            if let Some(delivery) = watcher.news.prepare(&ended) {
                if first.is_none_or(|(process, _)| watcher.process < process) {
                    first = Some((watcher.process, delivery));
                }
                ready.push(watcher);
            }
        });
    }
    let end = with(|rt| {
        let process = rt.current();
        rt.watch_ends.then(|| Location::whole(rt.own_object(process, Own::End)))
    });
    let end = end.map(|on| Action::new(Op::Write, on).performed(0, 1));
    let Some(action) = end.or(first.map(|(_, delivery)| delivery)) else { return false };
    let site = with(|rt| rt.processes[rt.current].pending.site);
    let mut turn = None;
    attempt(|| turn = Operation::new("end", site).action(action).turn());
    if turn.is_none() {
        return false;
    }
    let mut watchers = with(|rt| {
        if let Some(end) = end {
            rt.perform(end);
        }
        std::mem::take(&mut rt.processes[rt.current].watchers)
    });
    // Not in the order in which they came, which is that of steps that are independent.
    watchers.sort_by_key(|watcher| watcher.process);
    let is_told = !watchers.is_empty();
    for watcher in watchers {
        watcher.news.deliver();
    }
    is_told
}

/// The next watcher of the current process that is to be prepared. When there is none, all those
/// that are `ready` wait for the end.
fn next_watcher(rt: &mut Runtime, ready: &mut Vec<Watcher>) -> Option<Watcher> {
    let slot = &mut rt.processes[rt.current];
    if slot.watchers.is_empty() {
        slot.watchers.append(ready);
        slot.is_ending = true;
        return None;
    }
    Some(slot.watchers.remove(0))
}

/// Takes all names away, when the execution is over and its processes are gone.
///
/// # Safety
///
/// `rt` is valid and entered, and no reference into it exists.
pub(super) unsafe fn forget_names(rt: *mut Runtime) {
    let registry = {
        // SAFETY: as the caller promises; the reference ends before code of the user runs.
        let rt = unsafe { &mut *rt };
        // Whatever that code does, it must do nothing.
        rt.dead = true;
        std::mem::take(&mut rt.registry)
    };
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(registry))) {
        discard(payload);
    }
}

/// Runs code of the user at the end of a process.
fn attempt(f: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(f)) {
        end_of_panicked(&*payload);
        discard(payload);
    }
}

impl Runtime {
    /// A number for a message of the current process. It depends only on how many steps that has
    /// taken, and on how many numbers it has asked for since the last one.
    pub(crate) fn number_message(&mut self) -> u32 {
        let slot = &mut self.processes[self.current];
        let rank = slot.messages as usize;
        slot.messages += 1;
        self.names.message(self.current, slot.steps, rank)
    }

    /// Reports that two messages were in competition for a receive.
    pub(crate) fn report_rival(&mut self, rival: Rival) {
        self.performed.rivals.push(rival);
    }

    /// The mailbox of a process.
    pub(crate) fn mailbox_of(&self, process: ProcessId) -> Option<Arc<dyn Any + Send + Sync>> {
        self.processes[process.index()].mailbox.clone()
    }

    /// Gives a process a mailbox, which it keeps until its end.
    pub(crate) fn set_mailbox(&mut self, process: ProcessId, mailbox: Arc<dyn Any + Send + Sync>) {
        let slot = &mut self.processes[process.index()];
        debug_assert!(slot.mailbox.is_none(), "a process has one mailbox");
        slot.mailbox = Some(mailbox);
    }

    /// How a process that is about to end will have ended; then all its watchers are prepared.
    pub(crate) fn imminent_end_of(&self, process: ProcessId) -> Option<Ended> {
        self.processes[process.index()].is_ending.then(|| self.ended(process))
    }

    /// Has somebody told of the end of a process, which is yet to come.
    pub(crate) fn watch(&mut self, process: ProcessId, watcher: Watcher) {
        let slot = &mut self.processes[process.index()];
        debug_assert!(!matches!(slot.state, State::Absent | State::Ended));
        slot.watchers.push(watcher);
    }

    /// How a process has ended, if it has.
    pub(crate) fn end_of(&self, process: ProcessId) -> Option<Ended> {
        let has_ended = self.processes[process.index()].state == State::Ended;
        has_ended.then(|| self.ended(process))
    }

    fn ended(&self, process: ProcessId) -> Ended {
        let slot = &self.processes[process.index()];
        Ended { process, name: slot.name.clone(), panic: slot.panic.clone() }
    }

    /// The current process has learnt how another one has ended.
    pub(crate) fn learn_of_end(&mut self, process: ProcessId) {
        self.edge(process, self.current());
        let slot = &mut self.processes[process.index()];
        if slot.handle == Handle::Held {
            slot.handle = Handle::Claimed;
        }
    }

    /// The cell that says who has a name.
    pub(crate) fn name_cell(&mut self, name: &str, site: Site) -> ObjectId {
        let object = self.names.given(name);
        if self.registry.iter().all(|registered| registered.object != object) {
            self.put_given(object, site);
            self.registry.push(Registered { object, mailbox: None });
        }
        object
    }

    /// The mailbox of who has the name of a cell.
    pub(crate) fn registered(&mut self, cell: ObjectId) -> &mut Option<Arc<dyn Any + Send + Sync>> {
        let mut all = self.registry.iter_mut();
        &mut all.find(|registered| registered.object == cell).expect("a cell of a name").mailbox
    }

    /// Whether a process that cannot go on is a server without anything to do, or waits for the
    /// end of one, and that is allowed.
    pub(super) fn is_idle(&self, process: usize) -> bool {
        if !self.tuning.allow_idle_receivers {
            return false;
        }
        let mut process = process;
        // Whoever is joined was created before; but be careful.
        for _ in 0..self.created.len() {
            let slot = &self.processes[process];
            match slot.state {
                State::Waiting(waiting) => match waiting.process {
                    Some(joined) => process = joined.index(),
                    None => return false,
                },
                State::AtOperation => {
                    let action = slot.pending.action.as_ref();
                    return action.is_some_and(|a| a.waits && matches!(a.op, Op::Take { .. }))
                        && !self.is_at_possible_operation(process);
                }
                _ => return false,
            }
        }
        false
    }
}
