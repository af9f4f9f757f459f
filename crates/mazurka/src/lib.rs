//! Mazurka: a stateless model checker for concurrent Rust.
//!
//! It runs a closure that uses threads, again and again, under its own scheduler, and steps
//! through every *meaningfully different* schedule of it, once. It finds the one that breaks an
//! assertion, deadlocks or races; or it shows that there is none.
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
//! The modules mirror those of `std`: replace `std::thread` by [`thread`], `std::sync` by
//! [`sync`], and wrap the body of the test in [`check`].
//!
//! # What it needs of a program
//!
//! * It must be deterministic but for its schedule. A program that is not is told apart, with
//!   both histories. State that is kept outside of the closure, or in statics, is not reset from
//!   one execution to the next, with the exception of [`sync::atomic`]'s types, and of `Once`,
//!   `OnceLock` and `LazyLock`.
//! * Code between two operations of this crate runs without interruption: an endless loop that
//!   contains none of them hangs the check.
//! * A thread's stack has 256 KiB unless [`Check::stack_size`] says otherwise.
//!
//! # Memory orderings
//!
//! All orderings are treated as sequentially consistent. A mistake that shows only because an
//! ordering is too weak (a `Relaxed` store that is seen too late, say) is not found.

pub mod actor;
pub mod cell;
mod check;
mod choice;
pub mod event;
pub mod hint;
#[cfg(test)]
mod random;
mod report;
mod rt;
mod settings;
pub mod sync;
pub mod thread;

pub use check::{Check, check};
pub use choice::{assume, choose};
pub use mazurka_core::search::{Algorithm, CutOffOrder};
pub use mazurka_core::verdict::{
    Bound, Note, Schedule, UnfoldingStatistics, Verdict, Violation, ViolationKind,
};
pub use mazurka_report::Report;
