//! Threads, as in [`std::thread`].
//!
//! Spawning and joining are not steps of an execution: a thread starts in the step that spawns it, and
//! a thread that joins another goes on in the last step of that one. Time does not pass in a check; see
//! [`sleep`] and [`park_timeout`].

mod builder;
mod current;
mod handle;
mod local;
mod many;
mod park;
mod scoped;

pub use builder::Builder;
pub use current::{Thread, ThreadId, current, panicking};
pub use handle::{JoinHandle, Result, spawn};
pub use local::{AccessError, LocalKey};
pub use many::{JoinAll, spawn_many};
pub use park::{park, park_timeout};
pub use scoped::{Scope, ScopedJoinHandle, scope};
pub use std::thread::available_parallelism;

#[doc(inline)]
pub use crate::thread_local;

use std::time::Duration;

/// Ends a round of a spin loop.
///
/// If the thread would only repeat itself as long as the values that it has read stay the same, it is not
/// scheduled until one of them changes. That makes spin loops finite. In all other cases, a yield does
/// nothing: if the thread has changed something since the last one, if it has read nothing, or if it will
/// leave the loop by itself after a number of rounds.
///
/// To find out what the thread would do, Mazurka lets it go on alone, for up to 500 rounds, and then runs the
/// execution again without them. A loop that leaves by itself only after more rounds is taken for one that
/// never does. So is a loop that counts its rounds without a limit: it is suspended after the first round, and
/// executions in which it counts more rounds than values have changed are not explored.
///
/// Loops without a yield are recognised, too, once a thread has read the same values 64 times. The check then
/// starts over.
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
