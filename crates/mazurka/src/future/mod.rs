//! Futures and tasks.
//!
//! [`block_on`] runs a future on the current thread. [`spawn`] runs one as a *task*: a process of its own,
//! as if each task had a thread of the executor to itself. Futures of other crates work unchanged, such as
//! those of `async` blocks and `select`, `join` and `join_all` of the `futures` crate. Combinators that wrap the waker,
//! such as `FuturesUnordered`, have atomics of their own, which Mazurka does not see.
//!
//! ```
//! use mazurka::future;
//!
//! mazurka::check(|| {
//!     let answer = future::block_on(async {
//!         let task = future::spawn(async { 6 });
//!         task.await.unwrap() * 7
//!     });
//!     assert_eq!(answer, 42);
//! });
//! ```
//!
//! # What is a step
//!
//! A poll is not a step by itself: it consists of the operations that the future performs. A task whose
//! poll has returned `Pending` waits for a wake-up, and [`Waker::wake`](std::task::Waker::wake) is a step
//! that happens before the next poll. A task that wakes itself takes no step for that.
//!
//! # What is found
//!
//! * A task that is pending and that nothing wakes is a deadlock. The report names the operations that its
//!   last poll was waiting for, and says if no waker of the task exists any more.
//! * A panic of a task becomes a [`JoinError`]. If its [`JoinHandle`] is never awaited, it is a violation.
//! * A task is polled only after a wake-up, unless [`Check::spurious_polls`](crate::Check::spurious_polls)
//!   allows more.
//!
//! # Synchronisation between tasks
//!
//! The types of [`sync`](crate::sync) block the whole task, as those of `std` do. [`AtomicWaker`] and
//! [`Monitor`] are for those who write futures by hand. The crate `mazurka-tokio` has the channels, locks
//! and timers of tokio.

mod atomic_waker;
mod drive;
mod handle;
mod join;
mod join_error;
mod monitor;
mod task;
mod time;
mod yielding;

pub use atomic_waker::AtomicWaker;
pub use drive::block_on;
pub use handle::{AbortHandle, JoinHandle, TaskId};
pub use join::{Builder, spawn};
pub use join_error::JoinError;
pub use monitor::{Access, Monitor};
pub use time::{Sleep, elapsed, sleep};
pub use yielding::yield_now;
