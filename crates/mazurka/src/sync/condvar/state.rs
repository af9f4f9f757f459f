//! Who waits.

use mazurka_core::model::{ObjectId, ProcessId};

use crate::rt::{Blocker, Runtime};
use crate::sync::afresh::Afresh;

/// What a condition variable keeps.
pub(super) struct State {
    /// Who waits and has not been notified, by process id.
    pub(super) waiters: Vec<Waiter>,
    /// Who has been notified and does not know yet.
    pub(super) notified: Vec<ProcessId>,
    /// Who has woken for no reason since the last notification.
    pub(super) woken: Vec<ProcessId>,
    /// The mutex that it goes with.
    pub(super) mutex: Option<ObjectId>,
}

#[derive(Clone, Copy)]
pub(super) struct Waiter {
    pub(super) process: ProcessId,
    /// Whether it does not wait to be released, but finds out in a step of its own.
    pub(super) looks: bool,
}

impl State {
    pub(super) const fn new() -> Self {
        State { waiters: Vec::new(), notified: Vec::new(), woken: Vec::new(), mutex: None }
    }

    pub(super) fn clear(&mut self) {
        self.waiters.clear();
        self.notified.clear();
        self.woken.clear();
        self.mutex = None;
    }

    pub(super) fn register(&mut self, waiter: Waiter) {
        let place = self.waiters.partition_point(|other| other.process < waiter.process);
        self.waiters.insert(place, waiter);
    }
}

/// What stands for a process among the waiters.
///
/// From the bits the explorers tell who would be notified in another order. Of more than 64
/// processes some share a bit; that matters only if they wait on one condition variable at once,
/// and then makes these predictions less exact.
pub(super) fn bit(process: ProcessId) -> u64 {
    1 << (process.index() % 64)
}

/// Takes one item off a list, if it is there.
pub(super) fn take<T>(list: &mut Vec<T>, wanted: impl FnMut(&T) -> bool) -> bool {
    let found = list.iter().position(wanted);
    if let Some(index) = found {
        list.remove(index);
    }
    found.is_some()
}

/// Whom to notify, if only one.
pub(super) struct Notifying<'a> {
    pub(super) state: &'a Afresh<State>,
}

impl Blocker for Notifying<'_> {
    fn alternatives(&self, _rt: &Runtime) -> u32 {
        let waiters = self.state.state().waiters.len();
        u32::try_from(waiters.max(1)).unwrap_or(u32::MAX)
    }
}
