//! Threads, as in [`std::thread`].
//!
//! Spawning and joining are not steps of an execution: a thread starts in the step that spawns it, and
//! a thread that joins another goes on in the last step of that one. Time does not pass in a check; see
//! [`sleep`] and [`park_timeout`].

mod builder;
mod current;
mod handle;
mod local;
mod park;
mod scoped;

pub use builder::Builder;
pub use current::{Thread, ThreadId, current, panicking};
pub use handle::{JoinHandle, Result, spawn};
pub use local::{AccessError, LocalKey};
pub use park::{park, park_timeout};
pub use scoped::{Scope, ScopedJoinHandle, scope};
pub use std::thread::available_parallelism;

#[doc(inline)]
pub use crate::thread_local;

use std::time::Duration;

/// Says that this thread has nothing to do until somebody else changes what it has read since
/// its last yield.
///
/// That makes spin loops finite: the thread is not scheduled until one of the atomics that it
/// has read since then holds another value. If it has changed something itself in the meantime,
/// or has read nothing, a yield does nothing.
///
/// ```
/// use mazurka::sync::atomic::{AtomicBool, Ordering::SeqCst};
/// use mazurka::thread;
///
/// mazurka::check(|| {
///     let ready = AtomicBool::new(false);
///     thread::scope(|s| {
///         s.spawn(|| ready.store(true, SeqCst));
///         while !ready.load(SeqCst) {
///             thread::yield_now();
///         }
///     });
/// });
/// ```
#[track_caller]
pub fn yield_now() {
    crate::rt::yield_now();
}

/// Does nothing. At every operation, Mazurka explores what happens if other threads run first, so a
/// duration makes no difference.
///
/// A loop that polls and sleeps has executions of any length. Call [`yield_now`] in it instead.
pub fn sleep(_duration: Duration) {}
