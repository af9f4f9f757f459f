//! `EventLoop`.

use std::fmt;
use std::ops::Deref;
use std::panic::Location as SourceLocation;
use std::sync::Arc;

use super::Handle;
use super::queue::{Event, Queue};
use crate::rt::{self, Site};
use crate::thread::{self, Builder, JoinHandle};

/// A thread that handles the events that are posted to it.
///
/// The loop ends when it is told to [quit](Handle::quit). If it is not, it waits for events for ever,
/// which is not a deadlock. If a handler panics, the thread ends. That is a violation, unless another
/// thread [joins](Self::join) it.
///
/// It dereferences to a [`Handle`].
///
/// ```
/// use mazurka::event::EventLoop;
///
/// mazurka::check(|| {
///     let worker = EventLoop::spawn("worker");
///     worker.post(|| panic!("on purpose"));
///     assert!(worker.join().is_err());
/// });
/// ```
pub struct EventLoop {
    handle: Handle,
    thread: JoinHandle<()>,
}

impl EventLoop {
    /// Spawns a thread with an event loop. Reports call it by its name.
    ///
    /// # Panics
    ///
    /// If there is no memory for the thread's stack.
    #[track_caller]
    pub fn spawn(name: impl Into<String>) -> Self {
        let queue = Arc::new(Queue::new());
        let (theirs, site) = (Arc::clone(&queue), SourceLocation::caller());
        let builder = Builder::new().name(name.into());
        let thread = builder.spawn(move || run(&theirs, site));
        let thread = thread.unwrap_or_else(|error| panic!("failed to spawn event loop: {error}"));
        if let Some(process) = thread.process() {
            queue.settle(process);
        }
        EventLoop { handle: Handle::new(queue), thread }
    }

    /// Returns a handle to post events with.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Waits for the end of the loop, which must be told to [quit](Handle::quit).
    ///
    /// # Errors
    ///
    /// Returns the payload of the panic, if a handler panicked.
    #[track_caller]
    pub fn join(self) -> thread::Result<()> {
        self.thread.join()
    }
}

impl Deref for EventLoop {
    type Target = Handle;

    fn deref(&self) -> &Handle {
        &self.handle
    }
}

impl fmt::Debug for EventLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventLoop").finish_non_exhaustive()
    }
}

/// Handles events until it is told to quit.
#[track_caller]
fn run(queue: &Queue, site: Site) {
    while let Some((message, Event::Handle(handler))) = queue.dequeue(site) {
        rt::with(|rt| rt.begin_handler(message));
        handler();
        if !rt::alive() {
            return;
        }
        rt::with(rt::Runtime::end_handler);
    }
}
