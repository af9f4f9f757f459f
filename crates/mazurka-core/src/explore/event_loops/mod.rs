//! Explorers for programs with event loops.

pub mod em_dpor;
pub mod event_driven;
mod tasks;
