//! The loop that drives an explorer: what an explorer decides, what a user can ask for, and which
//! limits end a search.

mod algorithm;
pub(crate) mod driver;
mod options;
pub(crate) mod reported_races;
pub(crate) mod strategy;

pub use algorithm::{Algorithm, UnknownAlgorithm};
pub use options::{CutOffOrder, DataRaces, Monitor, Options, Progress, UnfoldingOptions};
