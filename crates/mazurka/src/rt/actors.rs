//! What actors need of the kernel: mailboxes that live as long as their process, news of ends,
//! numbers for messages, and code of the user that must not use operations.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use mazurka_core::model::{Action, Alike, ObjectId, Op, ProcessId, Rival};

use super::process::{Handle, Site, State};
use super::shared::{AnyShared, Shared};
use super::start::{discard, end_of_panicked};
use super::{Runtime, finished, with};

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

/// A process that is notified of the end of another one.
pub(crate) struct Watcher {
    /// Who.
    pub(crate) process: ProcessId,
    /// Tells it, in a step of the process that ends. Returns whether it did.
    pub(crate) tell: Tell,
}

/// The notification of an end.
pub(crate) type Tell = Box<dyn FnOnce(&Ended, Site) -> bool + Send>;

/// A name, and who has it.
pub(crate) struct Registered {
    object: ObjectId,
    mailbox: Option<Shared<dyn AnyShared>>,
}

/// The current process is at its end: it needs no mailbox any more, and whoever wants to know is
/// told. That takes steps: others may do something between the last operation of a process and its
/// end, and between that and the news of it.
pub(super) fn end_of_current() {
    let mailbox = with(|rt| rt.processes[rt.current].mailbox.take());
    if mailbox.is_some() {
        attempt(|| drop(mailbox));
    }
    if with(|rt| rt.watched.ends && !rt.dead) {
        attempt(finished::end);
    }
    if with(|rt| rt.processes[rt.current].watchers.is_empty()) {
        return;
    }
    let mut watchers = with(|rt| std::mem::take(&mut rt.processes[rt.current].watchers));
    // Not in the order in which they came, which is that of steps that are independent.
    watchers.sort_by_key(|watcher| watcher.process);
    let (ended, site) = with(|rt| (rt.ended(rt.current()), rt.processes[rt.current].pending.site));
    let mut is_told = false;
    for watcher in watchers {
        attempt(|| is_told |= !with(|rt| rt.dead) && (watcher.tell)(&ended, site));
    }
    with(|rt| {
        let current = rt.current;
        let slot = &mut rt.processes[current];
        if is_told && slot.handle == Handle::Dropped {
            // A process may still learn of the panic.
            slot.handle = Handle::Held;
        }
    });
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
    #[inline]
    pub(crate) fn number_message(&mut self) -> u32 {
        let slot = &mut self.processes[self.current];
        let rank = slot.messages;
        slot.messages += 1;
        if rank == 0
            && slot.handles.is_none()
            && let Some(message) = self.names.first_message(self.current, slot.steps)
        {
            return message;
        }
        let (namer, steps) = self.namer();
        self.names.message(namer, steps, rank)
    }

    /// Reports that the receive in this step is alike to another one.
    #[inline]
    pub(crate) fn report_alike(&mut self, alike: Alike) {
        if let Some(performed) = self.performed() {
            performed.alike = Some(alike);
        }
    }

    /// Reports two messages that were in competition for a receive.
    #[inline]
    pub(crate) fn report_rival(&mut self, rival: Rival) {
        if let Some(performed) = self.performed() {
            performed.rivals.push(rival);
        }
    }

    /// The mailbox of a process.
    pub(crate) fn mailbox_of(&self, process: ProcessId) -> Option<Shared<dyn AnyShared>> {
        self.processes[process.index()].mailbox.clone()
    }

    /// Gives a process a mailbox, which it keeps until its end.
    pub(crate) fn set_mailbox(&mut self, process: ProcessId, mailbox: Shared<dyn AnyShared>) {
        let slot = &mut self.processes[process.index()];
        debug_assert!(slot.mailbox.is_none(), "a process has one mailbox");
        slot.mailbox = Some(mailbox);
    }

    /// Lets a process be notified of the end of another one, which is yet to come.
    pub(crate) fn watch(&mut self, process: ProcessId, watcher: Watcher) {
        let slot = &mut self.processes[process.index()];
        debug_assert!(!matches!(slot.state, State::Absent | State::Ended));
        slot.watchers.push(watcher);
    }

    /// How a process has ended, of which it is known that it has.
    pub(crate) fn ended(&self, process: ProcessId) -> Ended {
        let slot = &self.processes[process.index()];
        Ended { process, name: slot.shared_name(), panic: slot.panic.clone() }
    }

    /// The current process has learnt how another one has ended.
    pub(crate) fn learn_of_end(&mut self, process: ProcessId) {
        self.processes[process.index()].handle = Handle::Claimed;
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
    pub(crate) fn registered(&mut self, cell: ObjectId) -> &mut Option<Shared<dyn AnyShared>> {
        let mut all = self.registry.iter_mut();
        &mut all.find(|registered| registered.object == cell).expect("a cell of a name").mailbox
    }

    /// Whether a process that cannot go on is a server without anything to do, or waits for the
    /// end of one, and that is allowed. An event loop without events always is.
    pub(super) fn is_idle(&self, process: usize) -> bool {
        if self.is_idle_loop(process) {
            return true;
        }
        if !self.tuning.allow_idle_receivers {
            return false;
        }
        let mut process = process;
        // A process that is joined was created before; but be careful.
        for _ in 0..self.created.len() {
            let slot = &self.processes[process];
            match slot.state {
                State::Waiting(waiting) => match waiting.process {
                    Some(joined) => process = joined.index(),
                    None => return false,
                },
                State::AtOperation => {
                    let action = slot.pending.action();
                    let receives = |a: &Action| match a.op {
                        Op::Take { .. } => true,
                        // A mailbox under a memory model.
                        op => op.is_memory() && self.is_mailbox(a.on.object),
                    };
                    return action.is_some_and(|a| a.waits && receives(a))
                        && !self.is_at_possible_operation(process);
                }
                _ => return false,
            }
        }
        false
    }
}
