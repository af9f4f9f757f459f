//! loom's API on top of Mazurka.
//!
//! A project that is tested with [loom](https://docs.rs/loom/0.7) changes one line of its `Cargo.toml`, and
//! runs its tests unchanged on Mazurka:
//!
//! ```toml
//! [target.'cfg(loom)'.dependencies]
//! loom = { package = "mazurka-loom", version = "0.1" }
//! ```
//!
//! ```
//! use loom::sync::Arc;
//! use loom::sync::atomic::{AtomicUsize, Ordering::SeqCst};
//! use loom::thread;
//!
//! loom::model(|| {
//!     let number = Arc::new(AtomicUsize::new(0));
//!     let child = thread::spawn({
//!         let number = Arc::clone(&number);
//!         move || number.fetch_add(1, SeqCst)
//!     });
//!     number.fetch_add(1, SeqCst);
//!     child.join().unwrap();
//!     assert_eq!(number.load(SeqCst), 2);
//! });
//! ```
//!
//! To patch all crates of a build instead, a package with the name `loom` that re-exports this one does:
//! `cargo xtask ports` in Mazurka's repository makes such a package.
//!
//! # What is different
//!
//! * **Memory orderings.** A test with orderings weaker than `SeqCst` is checked under RC11, the memory model
//!   of C++20 and Rust.
//! * **Executions.** Mazurka explores fewer executions than loom: of all schedules with the same order of
//!   dependent operations, it runs one. If a model fails, the report shows the schedule step by step, and a
//!   variable `MAZURKA_REPLAY` runs it again. All variables of Mazurka apply, and take precedence.
//! * **Panics.** As in loom, a panic of any thread fails the model. `JoinHandle::join` passes it on.
//! * **Yielding.** `yield_now` and `spin_loop` hold a thread back only if it would repeat what it did. In
//!   loom, another thread must run first.
//! * **`Notify`** does not wake up spuriously. [`future::block_on`] does, once, as in loom.
//! * **Time.** As in loom, `Condvar::wait_timeout` never times out. Unlike in loom, [`sync::Barrier`] and
//!   `Receiver::recv_timeout` work; the latter may time out at any moment.
//! * **[`sync::atomic::AtomicUsize::new`] and the others are `const`.** A `static` atomic starts afresh in
//!   every execution.
//! * **[`MAX_THREADS`]** is no limit. [`model::Builder::max_threads`] is one if you set it.
//! * **[`explore`], [`stop_exploring`] and [`skip_branch`]** have no effect. In loom they restrict the
//!   search, to save time. Mazurka always explores all executions, from their start to their end.
//! * **Checkpoints.** [`model::Builder::checkpoint_file`] keeps the schedule of a failure, which the next run
//!   runs first. It does not keep the progress of a search.
//! * **Logging.** `LOOM_LOG` prints a line with the number of executions. There are no events of `tracing`:
//!   the report of a failure has what they say.

pub mod alloc;
pub mod cell;
mod confined;
mod execution;
pub mod future;
pub mod hint;
pub mod lazy_static;
mod macros;
pub mod model;
pub mod sync;
pub mod thread;

#[doc(inline)]
pub use crate::model::model;
pub use mazurka::thread_local;

/// Begins to explore, in loom. Mazurka always explores.
pub fn explore() {}

/// Stops exploring until [`explore`] is called, in loom. Mazurka goes on: it explores the executions that
/// loom would skip as well.
pub fn stop_exploring() {}

/// Stops exploring for the rest of an execution, in loom. Mazurka goes on, as for [`stop_exploring`].
pub fn skip_branch() {}

/// The maximum number of threads in a model: there is no limit.
pub const MAX_THREADS: usize = usize::MAX;
