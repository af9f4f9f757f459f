//! The explorers: algorithms that decide which executions to run.
//!
//! | name | runs |
//! |---|---|
//! | [`naive`] | every interleaving |
//! | [`dpor`] | persistent sets, found dynamically |
//! | [`source`] | source sets with sleep sets |
//! | [`optimal`] | exactly one execution per Mazurkiewicz trace |
//!
//! Every explorer is a [`Strategy`](strategy::Strategy), driven by one loop over one stack of
//! events. A new one is one module and one line in [`Algorithm`].

mod algorithm;
mod options;

pub use algorithm::{Algorithm, UnknownAlgorithm};
pub use options::{DataRaces, Monitor, Options, Progress};
