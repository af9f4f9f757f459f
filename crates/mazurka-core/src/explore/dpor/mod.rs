//! Dynamic partial order reduction: explorers that reverse the races of an execution.

pub mod classic;
pub(crate) mod division;
pub(crate) mod forks;
pub mod observers;
pub mod optimal;
pub(crate) mod parts;
pub mod source;
