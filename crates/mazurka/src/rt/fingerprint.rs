//! What tells the states of a closure apart, with the user's help.
//!
//! The runtime knows the value of every atomic and lock, and the operation that each process is at. It
//! does not know what processes keep in their variables, nor what is inside of a mutex or a channel: that
//! is for the user to tell.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use mazurka_core::model::Action;

use super::process::{Process, State};
use super::resources::Restriction;
use super::{Entered, Runtime};

/// What the user tells of the state.
#[derive(Clone)]
pub(crate) struct Fingerprint(Arc<dyn Fn() -> u64 + Send + Sync>);

impl Fingerprint {
    pub(crate) fn new(tell: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Fingerprint(Arc::new(tell))
    }

    /// The fingerprint of a runtime between two steps.
    ///
    /// # Safety
    ///
    /// Nothing else uses the runtime.
    pub(super) unsafe fn of(&self, rt: *mut Runtime) -> u128 {
        let told = {
            let _entered = Entered::new(rt);
            // SAFETY: the caller vouches for it, and the reference is gone at once.
            unsafe { (*rt).restriction = Restriction::NoOperations };
            let _no_operations = NoOperations(rt);
            (self.0)()
        };
        // SAFETY: as above.
        let rt = unsafe { &*rt };
        let half = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            (salt, told).hash(&mut hasher);
            rt.hash_state(&mut hasher);
            hasher.finish()
        };
        u128::from(half(1)) << 64 | u128::from(half(2))
    }
}

/// Whatever it may leave behind when it panics is the user's, and no part of a check.
impl UnwindSafe for Fingerprint {}
impl RefUnwindSafe for Fingerprint {}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fingerprint")
    }
}

/// Lets operations be used again, even if the user's code has panicked.
struct NoOperations(*mut Runtime);

impl Drop for NoOperations {
    fn drop(&mut self) {
        // SAFETY: the runtime outlives this, and no reference into it is around.
        unsafe { (*self.0).restriction = Restriction::None };
    }
}

impl Runtime {
    /// Digests everything that the runtime knows of the state.
    fn hash_state(&self, hasher: &mut DefaultHasher) {
        self.assumption_failed.hash(hasher);
        for (id, value) in self.live_objects() {
            (id, value).hash(hasher);
        }
        for index in &self.created {
            index.hash(hasher);
            self.processes[*index].hash_state(hasher);
        }
    }
}

impl Process {
    fn hash_state(&self, hasher: &mut DefaultHasher) {
        std::mem::discriminant(&self.state).hash(hasher);
        (self.children, self.panicked).hash(hasher);
        match self.state {
            State::AtOperation => {
                let pending = &self.pending;
                (pending.name, pending.site, pending.alternatives).hash(hasher);
                // With which values a loop ends follows from the local state of the process.
                let when = |action: &Action| (!action.awaits).then_some(action.when);
                let action = pending.action().map(|it| (it.on, it.op, when(it)));
                action.hash(hasher);
            }
            State::Waiting(waiting) => (waiting.object, waiting.process, waiting.site).hash(hasher),
            _ => {}
        }
        self.watch.hash_state(hasher);
    }
}
