//! How a check is run.

mod environment;

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use mazurka_core::explore::Sharing;
use mazurka_core::memory::MemoryModel;
use mazurka_core::search::{
    Algorithm, Coherence, Options, PreemptionBound, SamplingOptions, UnfoldingOptions,
};
use mazurka_core::verdict::{Bound, Schedule};

use crate::rt::{Fingerprint, Tuning};

/// What [`Check::check`](crate::Check::check) does if the check is incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Incomplete {
    /// It panics, so that the test fails.
    Fail,
    /// It prints a warning to standard error.
    Warn,
}

/// The settings of a check.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) name: Option<String>,
    /// The explorer, if the user has chosen one.
    pub(crate) algorithm: Option<Algorithm>,
    pub(crate) memory_model: MemoryModel,
    /// Which execution graphs to tell apart, if the user has said so.
    pub(crate) coherence: Option<Coherence>,
    /// Whether executions that differ by a permutation of threads count as one, if the user has said so.
    pub(crate) symmetry: Option<bool>,
    pub(crate) max_executions: Option<u64>,
    pub(crate) max_depth: Option<usize>,
    pub(crate) time_limit: Option<Duration>,
    pub(crate) preemption_bound: Option<PreemptionBound>,
    /// How long to look for explanations.
    pub(crate) explain: Option<Duration>,
    pub(crate) keep_going: bool,
    /// What an incomplete check does; by default that depends on the bound.
    pub(crate) incomplete: Option<Incomplete>,
    pub(crate) workers: Option<NonZero<usize>>,
    pub(crate) sharing: Sharing,
    /// The directory for checkpoints, and the time between two of them.
    pub(crate) checkpoint: Option<PathBuf>,
    pub(crate) checkpoint_every: Option<Duration>,
    /// The NATS servers of a cluster.
    pub(crate) cluster: Option<String>,
    pub(crate) nats: Nats,
    pub(crate) replay: Option<Schedule>,
    pub(crate) tuning: Tuning,
    pub(crate) unfolding: UnfoldingOptions,
    pub(crate) sampling: SamplingOptions,
    pub(crate) no_scout: bool,
    /// The directory for pages on violations.
    pub(crate) html: Option<PathBuf>,
    /// The directory for pages with search trees.
    pub(crate) tree: Option<PathBuf>,
    pub(crate) fingerprint: Option<Fingerprint>,
}

/// How to log in to the NATS servers of a cluster.
#[derive(Clone, Debug, Default)]
#[cfg_attr(not(feature = "cluster"), allow(dead_code, reason = "only clusters need it"))]
pub(crate) struct Nats {
    pub(crate) credentials: Option<PathBuf>,
    pub(crate) nkey: Option<PathBuf>,
    pub(crate) authorities: Option<PathBuf>,
    pub(crate) certificate: Option<PathBuf>,
    pub(crate) key: Option<PathBuf>,
    pub(crate) replicas: Option<NonZero<usize>>,
}

impl Settings {
    /// Returns whether a check fails that `bound` has kept from being complete. By default it does unless
    /// the user has set that bound.
    pub(crate) fn fails_at(&self, bound: Bound) -> bool {
        let is_set = match bound {
            Bound::Executions => self.max_executions.is_some(),
            Bound::Depth => self.max_depth.is_some(),
            Bound::Time => self.time_limit.is_some(),
            Bound::Preemptions => self.preemption_bound.is_some(),
            // The user has chosen an explorer that samples.
            Bound::Samples => true,
            Bound::Violation | Bound::Interrupted => false,
        };
        match self.incomplete {
            Some(incomplete) => incomplete == Incomplete::Fail,
            None => !is_set,
        }
    }

    /// What the explorers need to know.
    pub(crate) fn options(&self) -> Options<'static> {
        let defaults = Options::default();
        Options {
            algorithm: self.algorithm.unwrap_or(match self.memory_model {
                _ if self.coherence.is_some() => Algorithm::Graphs,
                MemoryModel::Auto | MemoryModel::Sc => defaults.algorithm,
                _ => Algorithm::Graphs,
            }),
            memory_model: self.memory_model,
            may_switch: self.algorithm.is_none(),
            // A schedule to run again may be one without execution graphs.
            coherence: self.coherence.filter(|_| self.replay.is_none()),
            symmetry: match self.replay {
                Some(_) => Some(false),
                None => self.symmetry,
            },
            max_executions: self.max_executions,
            max_depth: self.max_depth.or(defaults.max_depth),
            time_limit: self.time_limit,
            preemption_bound: self.preemption_bound,
            keep_going: self.keep_going,
            unfolding: self.unfolding,
            sampling: self.sampling,
            scouts: !self.no_scout,
            ..defaults
        }
    }
}
