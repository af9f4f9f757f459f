//! Litmus tests in the C format of herd7, explored under a memory model.
//!
//! A litmus test is a small program and a question about its final states. [`Test`] parses one, and
//! [`Outcome::of`] finds all final states that a memory model allows.
//!
//! ```
//! use mazurka_core::memory::MemoryModel;
//! use mazurka_litmus::{Outcome, Test};
//!
//! let test: Test = "C SB
//! {}
//! P0 (atomic_int* x, atomic_int* y) {
//!   atomic_store_explicit(x, 1, memory_order_release);
//!   int r0 = atomic_load_explicit(y, memory_order_acquire);
//! }
//! P1 (atomic_int* x, atomic_int* y) {
//!   atomic_store_explicit(y, 1, memory_order_release);
//!   int r0 = atomic_load_explicit(x, memory_order_acquire);
//! }
//! exists (0:r0=0 /\\ 1:r0=0)"
//!     .parse()?;
//! let outcome = Outcome::of(&test, MemoryModel::Rc11);
//! assert_eq!(outcome.states.len(), 4);
//! assert!(outcome.is_validated());
//! # Ok::<(), mazurka_litmus::ParseError>(())
//! ```
//!
//! # The language
//!
//! A thread has registers of 64 bits, which a declaration or an assignment creates, and pointers to
//! locations, which are its parameters. Statements are assignments, `if` with `else`, and calls of the
//! functions of `<stdatomic.h>`. `*x` is a plain access. There are no loops.

mod machine;
mod outcome;
mod parse;
mod test;
mod token;

pub use machine::LitmusMachine;
pub use outcome::Outcome;
pub use test::Test;
pub use token::ParseError;
