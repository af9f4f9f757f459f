//! Options of the search: limits, explorers, data races.

use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use mazurka_core::search::{
    Algorithm, CutOffOrder, DataRaces, Options, PreemptionBound, SamplingOptions, UnfoldingOptions,
};

use super::ProgramOptions;
use crate::{Complaint, interrupt, values};

/// How much to explore.
#[derive(Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Bounds {
    /// Stop after N executions
    #[arg(long, value_name = "N", value_parser = values::count)]
    pub(crate) max_executions: Option<u64>,
    /// End each execution after this number of steps [default: 100000]
    #[arg(long, value_name = "STEPS", value_parser = values::number::<usize>)]
    pub(crate) max_depth: Option<usize>,
    /// Stop after this time: seconds, or a number with a unit as in `500ms`, `90s`, `5m`, `1h`
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Stop if the check uses more memory than this: bytes, or a number with a unit as in `500M`, `2G`
    /// [default: three quarters of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = values::memory)]
    pub(crate) memory_limit: Option<u64>,
    /// Explore only what schedules with at most N preemptions reach: switches away from a thread that
    /// could have continued; `auto` raises N from 0 until everything is explored
    #[arg(long, value_name = "N", value_parser = values::preemptions)]
    pub(crate) preemption_bound: Option<PreemptionBound>,
    /// Do not look for violations by samples besides an exhaustive search
    ///
    /// A search that takes longer than a second spends a tenth of its time on random schedules, which
    /// find some violations long before the search reaches them.
    #[arg(long)]
    pub(crate) no_scout: bool,
}

impl Bounds {
    /// Returns the options of an explorer.
    pub(crate) fn options(&self, algorithm: Algorithm, data_races: DataRaces) -> Options<'static> {
        let defaults = Options::default();
        Options {
            algorithm,
            max_executions: self.max_executions,
            max_depth: self.max_depth.or(defaults.max_depth),
            time_limit: self.time_limit,
            preemption_bound: self.preemption_bound,
            scouts: !self.no_scout,
            data_races,
            interrupt: Some(interrupt::flag()),
            ..defaults
        }
    }
}

/// How `random`, `pct`, `pos` and `surw` explore.
#[derive(Args)]
#[command(next_help_heading = "The explorers `random`, `pct`, `pos` and `surw`")]
pub(crate) struct SamplingArgs {
    /// Run N samples [default: 10000, or as many as a limit allows]
    #[arg(long, value_name = "N", value_parser = values::number::<u64>)]
    pub(crate) samples: Option<u64>,
    /// The seed: the same seed runs the same samples [default: 0]
    #[arg(long, value_name = "SEED", value_parser = values::number::<u64>)]
    pub(crate) seed: Option<u64>,
    /// The bug depth of `pct`: it changes priorities at D-1 points [default: 3]
    #[arg(long, value_name = "D", value_parser = values::number::<u32>)]
    pub(crate) bug_depth: Option<u32>,
}

impl SamplingArgs {
    /// Returns the options of the explorers that sample; an error if an option is given without one.
    pub(crate) fn options(&self, algorithms: &[Algorithm]) -> Result<SamplingOptions, Complaint> {
        let samples = algorithms.iter().any(|algorithm| algorithm.samples());
        let given = [("--samples", self.samples.is_some()), ("--seed", self.seed.is_some())];
        if let Some((name, _)) = given.iter().find(|(_, given)| *given && !samples) {
            return Err(format!(
                "`{name}` works only with an explorer that samples: add `--algorithm random`, `pct`, \
                 `pos` or `surw`"
            ));
        }
        if self.bug_depth.is_some() && !algorithms.contains(&Algorithm::Pct) {
            return Err("`--bug-depth` works only with the explorer `pct`: add `--algorithm pct`"
                .to_owned());
        }
        for (name, number) in
            [("--samples", self.samples), ("--bug-depth", self.bug_depth.map(u64::from))]
        {
            if number == Some(0) {
                return Err(format!("`{name}` needs a number of at least 1"));
            }
        }
        let defaults = SamplingOptions::default();
        Ok(SamplingOptions {
            seed: self.seed.unwrap_or(defaults.seed),
            samples: self.samples,
            bug_depth: self.bug_depth.unwrap_or(defaults.bug_depth),
        })
    }
}

/// How `unfolding` explores.
#[derive(Args)]
#[command(next_help_heading = "The explorer `unfolding`")]
pub(crate) struct UnfoldingArgs {
    /// Continue after events that lead to known states
    #[arg(long)]
    pub(crate) no_cutoffs: bool,
    /// The order that decides which of two events with the same state is cut off
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = CutOffs::Size)]
    pub(crate) cutoff_order: CutOffs,
    /// Keep at most this number of events that are not needed at the moment [default: all]
    #[arg(long, value_name = "EVENTS", value_parser = values::number::<usize>)]
    pub(crate) cache: Option<usize>,
    /// Look for alternatives that avoid at most K of the explored events [default: all]
    #[arg(long, value_name = "K", value_parser = values::number::<usize>)]
    pub(crate) alternatives: Option<usize>,
}

/// The order of events for cut-offs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum CutOffs {
    /// Cut off the event with more causes (McMillan)
    Size,
    /// A total order, which cuts off more events (Esparza, Römer and Vogler)
    Total,
}

impl UnfoldingArgs {
    /// Returns the options of `unfolding`; an error if an option is given without that explorer.
    pub(crate) fn options(&self, algorithms: &[Algorithm]) -> Result<UnfoldingOptions, Complaint> {
        let unfolds = algorithms.contains(&Algorithm::Unfolding);
        let given = [
            ("--no-cutoffs", self.no_cutoffs),
            ("--cutoff-order", self.cutoff_order != CutOffs::Size),
            ("--cache", self.cache.is_some()),
            ("--alternatives", self.alternatives.is_some()),
        ];
        if let Some((name, _)) = given.iter().find(|(_, given)| *given && !unfolds) {
            return Err(format!(
                "`{name}` works only with the explorer `unfolding`: add `--algorithm unfolding`"
            ));
        }
        if self.alternatives == Some(0) {
            return Err("`--alternatives` needs a number of at least 1".to_owned());
        }
        Ok(UnfoldingOptions {
            cut_offs: !self.no_cutoffs,
            order: match self.cutoff_order {
                CutOffs::Size => CutOffOrder::Size,
                CutOffs::Total => CutOffOrder::Total,
            },
            cache: self.cache,
            alternatives: self.alternatives,
        })
    }
}

/// What to look for in memory.
#[derive(Args)]
#[command(next_help_heading = "What to look for")]
pub(crate) struct Memory {
    /// What to do about a data race on plain memory [default: error under the memory models ra and
    /// rc11, where it is undefined behaviour, and warn otherwise]
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) races: Option<Races>,
}

impl Memory {
    /// Returns what a check does about data races.
    ///
    /// # Errors
    ///
    /// If there is a property file that cannot be read.
    pub(crate) fn data_races(&self, program: &ProgramOptions) -> Result<DataRaces, Complaint> {
        Ok(match (self.races, program.property()?) {
            (Some(races), _) => races.into(),
            (None, Some(property)) if property.has_races() => DataRaces::Report,
            (None, Some(_)) => DataRaces::Ignore,
            (None, None) => DataRaces::Undefined,
        })
    }
}

/// What to do about data races.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Races {
    /// Warn, once for each location
    Warn,
    /// Report a violation
    Error,
    /// Ignore it
    Off,
}

impl From<Races> for DataRaces {
    fn from(races: Races) -> Self {
        match races {
            Races::Warn => DataRaces::Warn,
            Races::Error => DataRaces::Report,
            Races::Off => DataRaces::Ignore,
        }
    }
}

/// Returns a parser of the names of explorers, which suggests a name for a typo.
pub(super) fn explorer() -> impl TypedValueParser<Value = Algorithm> {
    let names = Algorithm::EVERY.map(|a| PossibleValue::new(a.name()).help(a.summary()));
    PossibleValuesParser::new(names).map(|name| name.parse().unwrap_or_default())
}
