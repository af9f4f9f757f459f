//! tokio's API on top of Mazurka.
//!
//! An application that uses tokio is checked by renaming a dependency:
//!
//! ```toml
//! [dependencies]
//! tokio = { package = "mazurka-tokio", version = "0.1" }
//! ```
//!
//! ```
//! use tokio::sync::mpsc;
//!
//! # #[allow(clippy::needless_doctest_main)]
//! #[tokio::main]
//! async fn main() {
//!     let (sender, mut receiver) = mpsc::channel(1);
//!     let producer = tokio::spawn(async move {
//!         for i in 0..2 {
//!             sender.send(i).await.unwrap();
//!         }
//!     });
//!     let mut sum = 0;
//!     while let Some(i) = receiver.recv().await {
//!         sum += i;
//!     }
//!     producer.await.unwrap();
//!     assert_eq!(sum, 1);
//! }
//! ```
//!
//! `#[tokio::test]` and `#[tokio::main]` run the body under every schedule that can make a difference.
//! Elsewhere, use [`mazurka::check`] with a [`runtime::Runtime`] or with `mazurka::future::block_on`.
//!
//! # What is different
//!
//! * **Tasks** are processes of Mazurka: other tasks run between any two of its operations, as on a
//!   multi-threaded runtime, whatever the flavour. [`mazurka::future`] says what is a step.
//! * **Time** may pass at any moment. A timer fires sooner or later, whatever its duration; of the timers of one
//!   task, the one with the earlier deadline fires first. So a `timeout` that guards a test against hanging
//!   may elapse. `time::pause` and `start_paused` do not exist.
//! * **`select!`** without `biased` explores every branch as the one that is polled first, once for each
//!   execution of the macro.
//! * **Fairness.** Locks and semaphores are fair, as in tokio. There is no budget for cooperative scheduling.
//! * **Panics.** A panic of a task whose `JoinHandle` is not awaited fails the check. tokio only prints it.
//! * **Shutdown.** At the end of `#[tokio::test]`, `#[tokio::main]`, and when a [`runtime::Runtime`] is
//!   dropped, tasks that still run are aborted, as in tokio.
//! * **What is missing**: `fs`, `io`, `net`, `process`, `signal`, `LocalSet`, and `task_local!`.
//!
//! # Why these are not tokio's own primitives
//!
//! tokio's `sync` compiles on a model checker only with `--cfg loom`, which is set for all crates of a build, and
//! then hides the rest of its API. Without it, its atomics are those of `std`, which Mazurka cannot see: each
//! operation would be atomic by accident, and the conflicts between operations unknown to the explorers. The
//! types of this crate have one location each, and one step for each operation, so that a check needs
//! far fewer executions than one of tokio's implementation would. tokio's implementation is checked as it
//! is with `mazurka-loom`.

pub mod macros;
pub mod runtime;
pub mod sync;
pub mod task;
pub mod time;

pub use mazurka_tokio_macros::{main, test};
pub use task::spawn;
