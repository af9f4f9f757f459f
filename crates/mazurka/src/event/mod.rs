//! Event loops: threads that handle the events that are posted to their queue, one after the
//! other.
//!
//! An event is a closure. [`EventLoop::spawn`] creates a thread with a queue, and
//! [`Handle::post`] puts an event at its back; any thread may do that, and any handler. The events
//! of a queue are handled in the order in which they were posted, each to its end before the next;
//! but other threads may do something in between.
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
//! # How it is explored
//!
//! The explorers for threads take two posts to one queue for dependent, and try them in both orders.
//! The explorer `event-driven` reorders events only if that makes a difference: if their handlers
//! touch the same things, or have to do with others that do. It is the one to use for programs like
//! this:
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
//! Handlers of one loop that lock a [`Mutex`](crate::sync::Mutex) share what it keeps, and are tried in
//! both orders. If it keeps nothing, as a `Mutex<()>`, then it is only a lock: handlers of one loop cannot
//! contend for it, and their order is no matter.
//!
//! If a handler waits for what another handler does, and not for a lock, then the program is left to
//! `optimal`, and the verdict has a [note](crate::Note::HandlersWait).

mod event_loop;
mod handle;
mod queue;

pub use event_loop::EventLoop;
pub use handle::Handle;
