//! Event loops: threads that handle events from a queue, one after the other.
//!
//! An event is a closure. [`EventLoop::spawn`] creates a thread with a queue, and [`Handle::post`] puts
//! an event at the end of the queue. Every thread and every handler can post. The loop handles events in
//! the order in which they were posted. A handler runs to its end before the next one begins, but steps
//! of other threads may come in between.
//!
//! ```
//! use mazurka::event::EventLoop;
//! use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
//! use std::sync::Arc;
//!
//! mazurka::check(|| {
//!     let ui = EventLoop::spawn("ui");
//!     let clicks = Arc::new(AtomicU32::new(0));
//!     for _ in 0..2 {
//!         let clicks = Arc::clone(&clicks);
//!         ui.post(move || {
//!             let before = clicks.load(SeqCst);
//!             clicks.store(before + 1, SeqCst); // nothing comes between: one handler at a time
//!         });
//!     }
//!     ui.quit();
//!     ui.join().unwrap();
//!     assert_eq!(clicks.load(SeqCst), 2);
//! });
//! ```
//!
//! # How event loops are explored
//!
//! Most explorers treat two posts to one queue as dependent, and run both orders. The explorer
//! `event-driven` reorders two events only if their handlers, or events that depend on these, are
//! dependent. Use it for programs like this:
//!
//! ```
//! use mazurka::event::EventLoop;
//! use mazurka::{Algorithm, Check};
//!
//! let verdict = Check::new().algorithm(Algorithm::EventDriven).run(|| {
//!     let worker = EventLoop::spawn("worker");
//!     for _ in 0..4 {
//!         let handle = worker.handle();
//!         mazurka::thread::spawn(move || handle.post(|| ()));
//!     }
//! });
//! assert_eq!(verdict.executions, 1); // and not 24
//! ```
//!
//! Two handlers of one loop that lock the same [`Mutex`](crate::sync::Mutex) are dependent, since they
//! share its data. A `Mutex<()>` has no data, and handlers of one loop cannot contend for it: they are
//! independent.
//!
//! If a handler waits for another handler, other than for a lock, Mazurka uses `optimal` instead, and the
//! verdict has a [note](crate::Note::HandlersWait).

mod event_loop;
mod handle;
mod queue;

pub use event_loop::EventLoop;
pub use handle::Handle;
