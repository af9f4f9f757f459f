//! How a check is run.

mod environment;

use std::num::NonZero;
use std::time::Duration;

use mazurka_core::explore::Sharing;
use mazurka_core::search::{Algorithm, Options, UnfoldingOptions};
use mazurka_core::verdict::Schedule;

use crate::rt::{Fingerprint, Tuning};

/// All that can be set about a check.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) name: Option<String>,
    pub(crate) algorithm: Algorithm,
    pub(crate) max_executions: Option<u64>,
    pub(crate) max_depth: Option<usize>,
    pub(crate) time_limit: Option<Duration>,
    pub(crate) preemption_bound: Option<u32>,
    pub(crate) keep_going: bool,
    pub(crate) workers: Option<NonZero<usize>>,
    pub(crate) sharing: Sharing,
    pub(crate) replay: Option<Schedule>,
    pub(crate) tuning: Tuning,
    pub(crate) unfolding: UnfoldingOptions,
    pub(crate) fingerprint: Option<Fingerprint>,
}

impl Settings {
    /// What the explorers need to know.
    pub(crate) fn options(&self) -> Options<'static> {
        let defaults = Options::default();
        Options {
            algorithm: self.algorithm,
            max_executions: self.max_executions,
            max_depth: self.max_depth.or(defaults.max_depth),
            time_limit: self.time_limit,
            preemption_bound: self.preemption_bound,
            keep_going: self.keep_going,
            unfolding: self.unfolding,
            ..defaults
        }
    }
}
