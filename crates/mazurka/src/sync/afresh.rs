//! What a primitive keeps outside of the runtime.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mazurka_core::model::ObjectId;

use crate::rt::ObjectCell;

/// An object with a state of its own, which starts afresh in every execution.
pub(super) struct Afresh<S> {
    object: ObjectCell,
    // Never contended: a process holds it for as long as it looks, and does not suspend.
    state: Mutex<S>,
}

impl<S> Afresh<S> {
    #[track_caller]
    pub(super) const fn new(state: S) -> Self {
        Afresh { object: ObjectCell::new(), state: Mutex::new(state) }
    }

    pub(super) const fn set_label(&mut self, label: &'static str) {
        self.object.set_label(label);
    }

    /// The object's id in this execution; `reset` is called if it is the first to ask.
    pub(super) fn id(
        &self,
        kind: &'static str,
        initial: u64,
        reset: impl FnOnce(&mut S),
    ) -> ObjectId {
        let is_new = self.object.known_id().is_none();
        let id = self.object.id_unshared(kind, initial);
        if is_new {
            reset(&mut self.state());
        }
        id
    }

    /// Makes the object a new one, for who has it alone.
    pub(super) fn forget(&mut self) {
        self.object.forget();
    }

    pub(super) fn state(&self) -> MutexGuard<'_, S> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
