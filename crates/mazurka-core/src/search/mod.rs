//! The loop that drives an explorer: what an explorer decides, what a user can ask for, and which
//! limits end a search.

pub(crate) mod driver;
mod options;
pub(crate) mod reported_races;
pub(crate) mod strategy;
pub(crate) mod team;

pub use crate::algorithm::{Algorithm, UnknownAlgorithm};
pub use options::{CutOffOrder, DataRaces, Monitor, Options, Progress, UnfoldingOptions};
