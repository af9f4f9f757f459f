//! Mazurka: a stateless model checker for concurrent Rust.
//!
//! Mazurka runs a closure that uses threads under its own scheduler, again and again. It explores
//! every schedule that can make a difference exactly once: of two schedules in which all dependent
//! operations have the same order, it runs one. It finds the schedule that breaks an assertion,
//! deadlocks or races, or it proves that there is none.
//!
//! ```
//! use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
//! use mazurka::thread;
//! use std::sync::Arc;
//!
//! mazurka::check(|| {
//!     let counter = Arc::new(AtomicUsize::new(0));
//!     let other = Arc::clone(&counter);
//!     let child = thread::spawn(move || other.fetch_add(1, SeqCst));
//!     counter.fetch_add(1, SeqCst);
//!     child.join().unwrap();
//!     assert_eq!(counter.load(SeqCst), 2);
//! });
//! ```
//!
//! # How to port a test
//!
//! The modules mirror those of `std`. Replace `std::thread` by [`thread`] and `std::sync` by [`sync`],
//! and wrap the body of the test in [`check`].
//!
//! # What a closure must do
//!
//! * **It must be deterministic**, apart from its schedule. If it is not, the check fails with both
//!   histories. Data outside of the closure, and statics, keep their value from one execution to the
//!   next. The exceptions are the types of [`sync::atomic`], `Once`, `OnceLock` and `LazyLock`: a static
//!   of these starts afresh in every execution.
//! * **It must not loop for ever** without an operation of this crate: Mazurka switches between threads
//!   only at such operations, and would hang.
//! * **Its threads need room on their stacks**: 256 KiB, unless [`Check::stack_size`] sets another size.
//!
//! # Memory orderings
//!
//! A closure whose atomics are all `SeqCst` is explored by schedules. If it uses a weaker ordering, it is
//! explored under RC11, the memory model of Rust and C++20: a check finds a `Relaxed` store that another
//! thread sees too late. [`Check::memory_model`] and `MAZURKA_MEMORY_MODEL` choose another model.
//!
//! # Speed
//!
//! `cargo test` compiles dependencies without optimisations. Checks are about five times as fast if the
//! `Cargo.toml` of the workspace has `opt-level = 3` in `[profile.dev.package.mazurka-core]` and in
//! `[profile.dev.package.mazurka]`.

pub mod actor;
pub mod alloc;
pub mod cell;
mod check;
mod checkpoint;
mod choice;
#[cfg(feature = "cluster")]
mod cluster;
pub mod event;
pub mod future;
pub mod hint;
mod identity;
#[cfg(test)]
mod random;
mod report;
mod rt;
mod settings;
pub mod sync;
pub mod thread;

pub use check::{Check, check};
pub use choice::{assume, choose};
pub use mazurka_core::memory::MemoryModel;
pub use mazurka_core::search::{Algorithm, Coherence, CutOffOrder, PreemptionBound};
pub use mazurka_core::verdict::{
    Bound, Note, PreemptionLevel, Schedule, Treated, UnfoldingStatistics, Verdict, Violation,
    ViolationKind, WeakAccess,
};
pub use mazurka_report::Report;
pub use settings::Incomplete;
