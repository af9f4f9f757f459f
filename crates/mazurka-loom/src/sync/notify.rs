//! `Notify`.

use std::cell::Cell;

/// A token for which one thread waits and which others make available, as `park` and `unpark` do.
///
/// A wait does not return spuriously. In loom it may, but only after the other threads have run.
///
/// ```
/// use loom::sync::{Arc, Notify};
///
/// loom::model(|| {
///     let notify = Arc::new(Notify::new());
///     let child = loom::thread::spawn({
///         let notify = Arc::clone(&notify);
///         move || notify.notify()
///     });
///     notify.wait();
///     child.join().unwrap();
/// });
/// ```
#[derive(Debug)]
pub struct Notify {
    inner: mazurka::sync::Notify,
    is_waiting: Cell<bool>,
}

// SAFETY: all threads of an execution run on one OS thread, and are not interrupted while they use a cell.
unsafe impl Send for Notify {}
// SAFETY: as above.
unsafe impl Sync for Notify {}

impl Notify {
    /// Creates a `Notify` whose token is not available.
    #[track_caller]
    pub fn new() -> Notify {
        Notify { inner: mazurka::sync::Notify::new(), is_waiting: Cell::new(false) }
    }

    /// Makes the token available.
    #[track_caller]
    pub fn notify(&self) {
        self.inner.notify();
    }

    /// Waits until the token is available, and takes it.
    ///
    /// # Panics
    ///
    /// If another thread waits.
    #[track_caller]
    pub fn wait(&self) {
        assert!(!self.is_waiting.replace(true), "only one thread may wait on a `Notify`");
        self.inner.wait();
        self.is_waiting.set(false);
    }
}

impl Default for Notify {
    #[track_caller]
    fn default() -> Self {
        Notify::new()
    }
}
