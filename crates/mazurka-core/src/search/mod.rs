//! The loop that drives an explorer, the interface of explorers, and the options and limits of a
//! search.

pub(crate) mod driver;
pub(crate) mod estimate;
mod options;
pub(crate) mod reported_races;
pub(crate) mod sampling;
pub(crate) mod strategy;
pub(crate) mod subject;
pub(crate) mod team;
pub(crate) mod twins;

pub use crate::algorithm::{Algorithm, UnknownAlgorithm};
pub use estimate::Estimate;
pub use options::{
    Coherence, CutOffOrder, DataRaces, Monitor, Options, ParseBoundError, ParseCoherenceError,
    PreemptionBound, Progress, UnfoldingOptions,
};
pub use sampling::SamplingOptions;
