//! The options of a check, and the interface for monitors.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::memory::MemoryModel;
use crate::model::Ending;
use crate::model::Lesson;
use crate::model::Schedule;
use crate::model::Step;
use crate::model::Violation;
use crate::search::{Algorithm, Estimate, SamplingOptions};
use crate::verdict::Restart;

/// How to treat data races on plain memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataRaces {
    /// A data race is a violation.
    #[default]
    Report,
    /// A data race is a violation where it is undefined behaviour, that is under the memory models `ra`
    /// and `rc11`, and a [warning](crate::verdict::Verdict::warnings) elsewhere.
    Undefined,
    /// A data race is a [warning](crate::verdict::Verdict::warnings). The explorer records the
    /// first one on each location and continues.
    Warn,
    /// Data races are explored like races on atomic memory.
    Ignore,
}

/// The order by which `unfolding` compares the local configurations of two events that lead to the
/// same state. The event with the larger configuration is a cut-off. Both orders are adequate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CutOffOrder {
    /// McMillan's order: the configuration with more events is larger.
    #[default]
    Size,
    /// The order of Esparza, Römer and Vogler: configurations of equal size are compared by their
    /// steps, and then by the levels of these steps. It finds more cut-offs, and comparisons take
    /// longer.
    Total,
}

/// Options that only `unfolding` uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnfoldingOptions {
    /// Whether to skip the events behind an event that leads to a known state. This needs a machine
    /// that can [fingerprint](crate::model::Machine::fingerprint) its state.
    pub cut_offs: bool,
    /// The order that decides which events are cut-offs.
    pub order: CutOffOrder,
    /// The number of events to keep beyond the events that are needed; `None` keeps all.
    pub cache: Option<usize>,
    /// The number of previously explored events that an alternative must avoid; `None` for all. A
    /// smaller number finds alternatives faster, but makes some executions redundant.
    pub alternatives: Option<usize>,
}

impl Default for UnfoldingOptions {
    fn default() -> Self {
        let order = CutOffOrder::default();
        UnfoldingOptions { cut_offs: true, order, cache: None, alternatives: None }
    }
}

/// The number of preemptions that schedules may have. A preemption is a switch away from an enabled
/// process.
///
/// ```
/// use mazurka_core::search::PreemptionBound;
///
/// assert_eq!("auto".parse(), Ok(PreemptionBound::Auto));
/// assert_eq!("2".parse(), Ok(PreemptionBound::from(2)));
/// assert_eq!("some".parse::<PreemptionBound>().unwrap_err().to_string(), "not a number, and not `auto`");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PreemptionBound {
    /// At most this many.
    AtMost(u32),
    /// First 0, then 1, 2 and so on, until everything is explored.
    Auto,
}

impl PreemptionBound {
    /// Returns the number, unless the bound is raised until everything is explored.
    pub fn number(self) -> Option<u32> {
        match self {
            PreemptionBound::AtMost(bound) => Some(bound),
            PreemptionBound::Auto => None,
        }
    }
}

impl From<u32> for PreemptionBound {
    fn from(bound: u32) -> Self {
        PreemptionBound::AtMost(bound)
    }
}

/// A text that is no bound on preemptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseBoundError;

impl fmt::Display for ParseBoundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a number, and not `auto`")
    }
}

impl std::error::Error for ParseBoundError {}

impl FromStr for PreemptionBound {
    type Err = ParseBoundError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "auto" => Ok(PreemptionBound::Auto),
            number => number.parse().map(PreemptionBound::AtMost).map_err(|_| ParseBoundError),
        }
    }
}

/// Which execution graphs `graphs` tells apart.
///
/// ```
/// use mazurka_core::search::Coherence;
///
/// assert_eq!("observed".parse(), Ok(Coherence::Observed));
/// assert_eq!(Coherence::default().to_string(), "observed");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Coherence {
    /// Graphs with different reads-from or coherence orders. Coherence is a total order of the writes to
    /// each location.
    Total,
    /// Graphs with different reads-from. The writes to a location are ordered only as far as reads observe
    /// their order.
    ///
    /// If a step turns out to depend on the order of other writes, the search
    /// [starts over](crate::model::Lesson::CoherenceOrder) with [`Total`](Coherence::Total).
    #[default]
    Observed,
}

impl Coherence {
    /// Both of them.
    pub const ALL: [Coherence; 2] = [Coherence::Total, Coherence::Observed];

    /// Returns its name, as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Coherence::Total => "total",
            Coherence::Observed => "observed",
        }
    }

    /// Returns a one-line summary.
    pub const fn summary(self) -> &'static str {
        match self {
            Coherence::Total => "by reads-from and coherence order",
            Coherence::Observed => "by reads-from",
        }
    }
}

impl fmt::Display for Coherence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that does not say which execution graphs to tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseCoherenceError;

impl fmt::Display for ParseCoherenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not `total`, and not `observed`")
    }
}

impl std::error::Error for ParseCoherenceError {}

impl FromStr for Coherence {
    type Err = ParseCoherenceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Coherence::ALL.into_iter().find(|coherence| coherence.name() == text.trim());
        found.ok_or(ParseCoherenceError)
    }
}

/// The options of an exploration and its limits.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The explorer to use.
    pub algorithm: Algorithm,
    /// The memory model. Only `graphs` explores under one other than [`MemoryModel::Sc`].
    pub memory_model: MemoryModel,
    /// Under [`MemoryModel::Auto`]: whether the check starts over with `graphs` when it meets an access
    /// that is weaker than `SeqCst`. Otherwise the [verdict](crate::verdict::Verdict::weak_access) says
    /// that there is one.
    pub may_switch: bool,
    /// For `graphs`: which execution graphs it tells apart, if that is not the default. Other explorers
    /// refuse this option.
    pub coherence: Option<Coherence>,
    /// For `graphs`: whether the order of arrivals at a barrier matters. A search
    /// [learns](Lesson::Arrivals) that it does.
    pub ordered_arrivals: bool,
    /// For `graphs`: run only this execution, as far as the schedule goes.
    pub follow: Option<&'a Schedule>,
    /// Stop after this many executions, including blocked ones. Each further worker may complete the one that it is running.
    pub max_executions: Option<u64>,
    /// Cut each execution after this many steps.
    pub max_depth: Option<usize>,
    /// Stop after this time.
    pub time_limit: Option<Duration>,
    /// Explore the classes that some schedule within this bound reaches. With a bound, `data-centric`,
    /// `unfolding`, `em-dpor` and `event-driven` explore Mazurkiewicz traces, and the verdict says so.
    pub preemption_bound: Option<PreemptionBound>,
    /// Whether to continue after a violation.
    pub keep_going: bool,
    /// Whether executions that differ by a permutation of [twins](crate::model::Machine::twin) count as
    /// one; `None` for the default of the explorer.
    pub symmetry: Option<bool>,
    /// Whether `dpor` uses sleep sets.
    pub sleep_sets: bool,
    /// The options of `unfolding`.
    pub unfolding: UnfoldingOptions,
    /// The options of the explorers that sample.
    pub sampling: SamplingOptions,
    /// Whether the search runs samples besides its own executions, to find violations that its order
    /// of exploration reaches late, and to learn lessons early: one for a hundred executions at 1,000,
    /// 10,000, … executions, and a tenth of the time after the first second.
    pub scouts: bool,
    /// How to treat data races on plain memory.
    pub data_races: DataRaces,
    /// Stop as soon as this flag is set.
    pub interrupt: Option<&'a AtomicBool>,
}

impl<'a> Options<'a> {
    /// Returns the options of a search that has started over for these reasons.
    pub(crate) fn after(&self, restarts: &[Restart]) -> Options<'a> {
        let mut options = self.clone();
        for restart in restarts {
            match restart.lesson {
                Lesson::CoherenceOrder(_) => options.coherence = Some(Coherence::Total),
                Lesson::Arrivals => options.ordered_arrivals = true,
                _ => {}
            }
        }
        options
    }

    /// Returns whether executions that differ by a permutation of
    /// [twins](crate::model::Machine::twin) count as one. By default, this is so for `observers` and `graphs`,
    /// unless preemptions are bounded. The other explorers count what their papers count. A schedule that is
    /// followed may belong to any execution.
    pub fn reduces_symmetry(&self) -> bool {
        let reduces = matches!(self.algorithm, Algorithm::Observers | Algorithm::Graphs);
        let is_default = reduces && self.preemption_bound.is_none();
        self.follow.is_none() && self.symmetry.unwrap_or(is_default)
    }

    /// Returns the bound on preemptions that the driver enforces: for `naive`, and for samples. Other
    /// explorers bound preemptions themselves.
    pub(crate) fn confinement(&self) -> Option<u32> {
        let is_confined = self.algorithm == Algorithm::Naive || self.algorithm.samples();
        self.preemption_bound.filter(|_| is_confined)?.number()
    }

    /// Returns how to treat data races under the memory model.
    pub(crate) fn data_races(&self) -> DataRaces {
        let is_undefined = self.algorithm == Algorithm::Graphs
            && matches!(self.memory_model, MemoryModel::Auto | MemoryModel::Ra | MemoryModel::Rc11);
        match self.data_races {
            DataRaces::Undefined if is_undefined => DataRaces::Report,
            DataRaces::Undefined => DataRaces::Warn,
            data_races => data_races,
        }
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            algorithm: Algorithm::default(),
            memory_model: MemoryModel::default(),
            may_switch: false,
            coherence: None,
            ordered_arrivals: false,
            follow: None,
            max_executions: None,
            max_depth: Some(100_000),
            time_limit: None,
            preemption_bound: None,
            keep_going: false,
            symmetry: None,
            sleep_sets: true,
            unfolding: UnfoldingOptions::default(),
            sampling: SamplingOptions::default(),
            scouts: false,
            data_races: DataRaces::default(),
            interrupt: None,
        }
    }
}

/// The progress of an exploration.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The number of executions so far.
    pub executions: u64,
    /// The number of executions that ended early so far.
    pub blocked: u64,
    /// The time since the check started.
    pub elapsed: Duration,
    /// An estimate of the number of executions of the whole search, including those that end early, if
    /// there is one.
    pub estimate: Option<Estimate>,
    /// The steps of the current execution.
    pub position: &'a [Step],
}

/// Receives the progress of an exploration and the executions that it runs.
pub trait Monitor<M: ?Sized> {
    /// Called when an execution has ended.
    ///
    /// `ending` says how it ended. It is `None` if the execution was cut short by a sleep set or a
    /// bound, or if it failed. In the latter case, `violation` is the failure.
    fn ended(
        &mut self,
        _machine: &M,
        _execution: &crate::execution::Execution,
        _ending: Option<&Ending>,
        _violation: Option<&Violation>,
    ) {
    }

    /// A maximal execution of `graphs` has ended, and has this graph. With [`follow`](Options::follow),
    /// this is also called for an execution that fails or is cut. Called before
    /// [`ended`](Monitor::ended).
    fn graph(&mut self, _graph: &crate::memory::Graph) {}

    /// Returns whether [`ended`](Self::ended) is to be called. If several workers run executions,
    /// they wait for each other to call it.
    fn hears_of_ends(&self) -> bool {
        true
    }

    /// Returns whether [`asleep`](Self::asleep) is to be called.
    fn hears_of_sleep_sets(&self) -> bool {
        false
    }

    /// Called before [`ended`](Self::ended), once for each prefix of the execution: after `depth` steps,
    /// the explorer skips these steps, because they were explored before.
    fn asleep(&mut self, _depth: usize, _steps: &[Step]) {}

    /// Called when the search [starts over](crate::verdict::Verdict::restarts). The executions that
    /// have ended so far do not count.
    fn started_over(&mut self, _restart: &Restart) {}

    /// Called when an execution has ended. Returns whether to call [`progress`](Self::progress) now,
    /// whatever the time is. `runs` is the number of executions so far, including those that ended early.
    fn wants_progress(&mut self, _runs: u64) -> bool {
        false
    }

    /// Called about ten times a second.
    fn progress(&mut self, _progress: &Progress<'_>) {}
}

/// A monitor that ignores everything.
impl<M: ?Sized> Monitor<M> for () {
    fn hears_of_ends(&self) -> bool {
        false
    }
}
