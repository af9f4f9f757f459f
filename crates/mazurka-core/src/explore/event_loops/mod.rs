//! Explorers for programs with event loops: threads that take events from a queue, and run a handler for
//! each.
//!
//! [`em_dpor`] is EM-DPOR as published. [`event_driven`] solves the same problem with exactly one
//! execution per class. Both reason about `tasks`.

pub mod em_dpor;
pub mod event_driven;
mod tasks;
