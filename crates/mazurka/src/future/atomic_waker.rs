//! `AtomicWaker`.

use std::fmt;
use std::panic::Location as SourceLocation;
use std::task::Waker;

use super::Monitor;

/// A place for the waker of one task, which other threads wake. It has the methods of the `AtomicWaker` of
/// the `futures` crate.
///
/// Every operation is one step.
///
/// ```
/// use mazurka::future::{self, AtomicWaker};
/// use mazurka::sync::atomic::{AtomicBool, Ordering::SeqCst};
/// use mazurka::thread;
/// use std::future::poll_fn;
/// use std::sync::Arc;
/// use std::task::Poll;
///
/// mazurka::check(|| {
///     let shared = Arc::new((AtomicBool::new(false), AtomicWaker::new()));
///     let theirs = Arc::clone(&shared);
///     thread::spawn(move || {
///         theirs.0.store(true, SeqCst);
///         theirs.1.wake();
///     });
///     future::block_on(poll_fn(|context| {
///         shared.1.register(context.waker()); // first register, then look
///         if shared.0.load(SeqCst) { Poll::Ready(()) } else { Poll::Pending }
///     }));
/// });
/// ```
pub struct AtomicWaker {
    waker: Monitor<Option<Waker>>,
}

impl AtomicWaker {
    /// Creates a place without a waker.
    #[track_caller]
    pub const fn new() -> Self {
        let waker = Monitor::new("AtomicWaker", None);
        AtomicWaker { waker: waker.with_reset(|waker| *waker = None) }
    }

    /// Gives the place a name for reports.
    pub fn with_label(self, label: &'static str) -> Self {
        AtomicWaker { waker: self.waker.with_label(label) }
    }

    /// Registers a clone of `waker` in place of the previous one.
    #[track_caller]
    pub fn register(&self, waker: &Waker) {
        let replaced = self.waker.update("register", SourceLocation::caller(), |place| match place
            .as_ref()
            .is_some_and(|old| old.will_wake(waker))
        {
            true => None,
            false => place.replace(waker.clone()),
        });
        drop(replaced);
    }

    /// Removes the waker and wakes it, if there is one.
    #[track_caller]
    pub fn wake(&self) {
        if let Some(waker) = self.take_at("wake", SourceLocation::caller()) {
            waker.wake();
        }
    }

    /// Removes the waker, if there is one.
    #[track_caller]
    pub fn take(&self) -> Option<Waker> {
        self.take_at("take", SourceLocation::caller())
    }

    #[track_caller]
    fn take_at(&self, name: &'static str, site: &'static SourceLocation<'static>) -> Option<Waker> {
        self.waker.update(name, site, |place| match place.is_some() {
            true => place.take(),
            false => None,
        })
    }
}

impl Default for AtomicWaker {
    #[track_caller]
    fn default() -> Self {
        AtomicWaker::new()
    }
}

impl fmt::Debug for AtomicWaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AtomicWaker")
    }
}
