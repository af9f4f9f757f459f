//! `AtomicWaker`.

use std::task::Waker;

use mazurka::sync::Mutex;

/// A place for the waker of one task.
#[derive(Debug, Default)]
pub struct AtomicWaker {
    waker: Mutex<Option<Waker>>,
}

impl AtomicWaker {
    /// Creates a place without a waker.
    #[track_caller]
    pub fn new() -> AtomicWaker {
        AtomicWaker { waker: Mutex::new(None) }
    }

    /// Registers a waker in place of the previous one. If another thread uses the place, the waker is
    /// woken at once instead.
    #[track_caller]
    pub fn register(&self, waker: Waker) {
        let previous = match self.waker.try_lock() {
            Ok(mut place) => place.replace(waker),
            Err(_) => {
                waker.wake();
                // The task will be polled again, but not before the other thread is done: otherwise it
                // could come back here for ever.
                drop(self.waker.lock());
                return;
            }
        };
        drop(previous);
    }

    /// Registers a clone of a waker: see [`register`](AtomicWaker::register).
    #[track_caller]
    pub fn register_by_ref(&self, waker: &Waker) {
        self.register(waker.clone());
    }

    /// Wakes and removes the waker, if there is one.
    #[track_caller]
    pub fn wake(&self) {
        if let Some(waker) = self.take_waker() {
            waker.wake();
        }
    }

    /// Removes the waker, if there is one.
    #[track_caller]
    pub fn take_waker(&self) -> Option<Waker> {
        self.waker.lock().ok()?.take()
    }
}
