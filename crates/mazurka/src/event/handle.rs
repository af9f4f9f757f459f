//! `Handle`.

use std::fmt;
use std::panic::Location as SourceLocation;
use std::sync::Arc;

use super::queue::{Event, Queue};
use crate::thread;

/// Posts events to an [event loop](super::EventLoop).
///
/// It can be cloned, and moved to other threads and handlers:
///
/// ```
/// use mazurka::event::EventLoop;
///
/// mazurka::check(|| {
///     let worker = EventLoop::spawn("worker");
///     let handle = worker.handle();
///     worker.post(move || {
///         // The handler of an event posts another one, and then the last.
///         handle.post(|| ());
///         handle.quit();
///     });
///     worker.join().unwrap();
/// });
/// ```
#[derive(Clone)]
pub struct Handle {
    queue: Arc<Queue>,
}

impl Handle {
    pub(super) fn new(queue: Arc<Queue>) -> Self {
        Handle { queue }
    }

    /// Posts an event: the event loop runs `handler` after it has handled all events that were posted
    /// before.
    ///
    /// If the loop quits first, the event is never handled.
    #[track_caller]
    pub fn post(&self, handler: impl FnOnce() + Send + 'static) {
        let event = Event::Handle(Box::new(handler));
        self.queue.post("post", event, SourceLocation::caller());
    }

    /// Posts an event after some time.
    ///
    /// The delay makes no difference: a thread of its own posts the event, before or after anything else
    /// that happens.
    ///
    /// ```
    /// use mazurka::event::EventLoop;
    /// use mazurka::{Algorithm, Check};
    /// use std::sync::Arc;
    /// use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
    ///
    /// let verdict = Check::new().algorithm(Algorithm::EventDriven).run(|| {
    ///     let last = Arc::new(AtomicU32::new(0));
    ///     let worker = EventLoop::spawn("worker");
    ///     let (one, two) = (Arc::clone(&last), Arc::clone(&last));
    ///     worker.post_delayed(move || one.store(1, SeqCst));
    ///     worker.post(move || two.store(2, SeqCst));
    /// });
    /// assert_eq!(verdict.executions, 2); // the delayed one first, or last
    /// ```
    #[track_caller]
    pub fn post_delayed(&self, handler: impl FnOnce() + Send + 'static) {
        let queue = Arc::clone(&self.queue);
        let site = SourceLocation::caller();
        let event = Event::Handle(Box::new(handler));
        let timer = thread::Builder::new().name("timer".to_owned());
        let timer = timer.spawn(move || queue.post("post_delayed", event, site));
        drop(timer.expect("failed to spawn thread"));
    }

    /// Ends the loop after it has handled all events that were posted before.
    #[track_caller]
    pub fn quit(&self) {
        self.queue.post("quit", Event::Quit, SourceLocation::caller());
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").finish_non_exhaustive()
    }
}
