//! Cells for plain memory, as in [`std::cell`]. Mazurka finds their data races.
//!
//! Every access is an operation. If two accesses of different threads are not ordered by happens-before
//! and one of them writes, there is a data race, which is a violation.

mod tracked;
mod unsafe_cell;

pub use tracked::Cell;
pub use unsafe_cell::UnsafeCell;
