//! Mirrors `std::cell`, with data races found.
//!
//! Each access is an operation on plain memory. Two of them that are not ordered by anything, one
//! of which writes, are a violation.

mod tracked;
mod unsafe_cell;

pub use tracked::Cell;
pub use unsafe_cell::UnsafeCell;
