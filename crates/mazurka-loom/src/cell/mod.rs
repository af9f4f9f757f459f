//! Cells for plain memory, whose data races are violations.

mod tracked;
mod unsafe_cell;

pub use tracked::Cell;
pub use unsafe_cell::{ConstPtr, MutPtr, UnsafeCell};
