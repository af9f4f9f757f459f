//! Small programs on weak memory, and all of their execution graphs by brute force.
//!
//! * [`program`] is the language: threads with loads, stores, read-modify-writes, fences and locks, each
//!   with a memory ordering, and jumps that depend on what was read.
//! * [`machine`] runs such a program under the scheduler's control.
//! * [`candidates`] enumerates all graphs with the right values: all `rf` and all `mo`.
//! * [`models`] says which of them are consistent, by the definitions and as plainly as possible.
//! * [`random`] generates programs.

pub mod candidates;
pub mod compare;
pub mod machine;
pub mod models;
pub mod program;
pub mod random;
pub mod symmetry;
