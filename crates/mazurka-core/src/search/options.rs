//! How far to explore, and who watches.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::model::Ending;
use crate::model::Step;
use crate::model::Violation;
use crate::search::Algorithm;
use crate::verdict::Restart;

/// What to do about data races on plain memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataRaces {
    /// They are violations.
    #[default]
    Report,
    /// They are [warnings](crate::verdict::Verdict::warnings): the first one on each location is
    /// noted, and the exploration goes on.
    Warn,
    /// They are explored like races on atomic memory.
    Ignore,
}

/// By which order `unfolding` compares the local configurations of two events that lead to the same
/// state: the larger one is a cut-off. Both are adequate orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CutOffOrder {
    /// McMillan's: the one with more events is larger.
    #[default]
    Size,
    /// Esparza, Römer and Vogler's: if both have as many events, their steps decide, and if these
    /// are the same, the levels on which these are. It cuts off more, and takes longer to compare.
    Total,
}

/// What is peculiar to `unfolding`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnfoldingOptions {
    /// Whether to leave out what lies behind events that lead to known states. That takes a machine
    /// that can tell its [state](crate::model::Machine::fingerprint).
    pub cut_offs: bool,
    /// By which order events are compared for that.
    pub order: CutOffOrder,
    /// How many events to remember beyond those that are needed; `None` for all.
    pub cache: Option<usize>,
    /// How many of the events that were explored before an alternative must avoid; `None` for all.
    /// With less, alternatives are found faster, but some executions turn out to be in vain.
    pub alternatives: Option<usize>,
}

impl Default for UnfoldingOptions {
    fn default() -> Self {
        let order = CutOffOrder::default();
        UnfoldingOptions { cut_offs: true, order, cache: None, alternatives: None }
    }
}

/// How to explore, and how far.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// Who explores.
    pub algorithm: Algorithm,
    /// Stop after so many executions, blocked ones included.
    pub max_executions: Option<u64>,
    /// Cut executions after so many steps.
    pub max_depth: Option<usize>,
    /// Stop after so long.
    pub time_limit: Option<Duration>,
    /// Leave out schedules in which processes that could go on are interrupted more often. As
    /// `data-centric` does not explore schedules but observations, `source` does it instead, and the
    /// verdict says so.
    pub preemption_bound: Option<u32>,
    /// Whether to go on after a violation.
    pub keep_going: bool,
    /// Whether `dpor` uses sleep sets.
    pub sleep_sets: bool,
    /// How `unfolding` explores.
    pub unfolding: UnfoldingOptions,
    /// What to do about data races on plain memory.
    pub data_races: DataRaces,
    /// Stop as soon as this is set.
    pub interrupt: Option<&'a AtomicBool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            algorithm: Algorithm::default(),
            max_executions: None,
            max_depth: Some(100_000),
            time_limit: None,
            preemption_bound: None,
            keep_going: false,
            sleep_sets: true,
            unfolding: UnfoldingOptions::default(),
            data_races: DataRaces::default(),
            interrupt: None,
        }
    }
}

/// How far an exploration has come.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Executions so far.
    pub executions: u64,
    /// Executions that ended early so far.
    pub blocked: u64,
    /// How long it has taken so far.
    pub elapsed: Duration,
    /// Which part of the search tree is done, between 0 and 1: an estimate that assumes that
    /// the open branches are as large as those that were explored.
    pub fraction: f64,
    /// Where the search is: the steps of the current execution.
    pub position: &'a [Step],
}

/// Somebody who watches an exploration.
pub trait Monitor<M: ?Sized> {
    /// An execution has ended. `steps` led there; `ending` says how, and is `None` if it was
    /// cut short (asleep, a bound) or failed on the way, in which case `violation` says how.
    fn ended(
        &mut self,
        _machine: &M,
        _execution: &crate::execution::Execution,
        _ending: Option<&Ending>,
        _violation: Option<&Violation>,
    ) {
    }

    /// Whether it wants to hear of the end of executions. If several workers run them, they have to wait
    /// for each other to tell.
    fn hears_of_ends(&self) -> bool {
        true
    }

    /// The search [starts over](crate::verdict::Verdict::restarts): the executions that have ended so
    /// far do not count.
    fn started_over(&mut self, _restart: &Restart) {}

    /// Some time has passed; called about ten times a second.
    fn progress(&mut self, _progress: &Progress<'_>) {}
}

/// Nobody watches.
impl<M: ?Sized> Monitor<M> for () {
    fn hears_of_ends(&self) -> bool {
        false
    }
}
