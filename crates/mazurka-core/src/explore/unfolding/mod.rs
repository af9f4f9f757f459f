//! `unfolding`: one execution per maximal configuration of the program's unfolding.
//!
//! This is Algorithm 1 of Rodríguez, Sousa, Sharma and Kroening, *Unfolding-based Partial Order
//! Reduction* (CONCUR 2015), with the cut-offs and the event cache of its section 5.
//!
//! # The unfolding
//!
//! An *event* is a pair ⟨t, H⟩. The transition `t` is a step of a process, with the alternative that it
//! takes. The *history* `H` is the set of its causes: the earlier events of the process, the events that
//! edges into the process bring along, and, with all of their causes, the events that the step is
//! dependent on. What the step accesses follows from `t` and `H`, since machines are deterministic.
//!
//! Two events are in *conflict* if no execution contains both: they are different steps of one process
//! at the same place; or they are dependent and neither is a cause of the other; or their causes are in
//! conflict. The conflict is *immediate* if it is not inherited from their causes.
//!
//! A *configuration* is a conflict-free set of events that contains the causes of each. It corresponds
//! to a Mazurkiewicz trace: its interleavings are equivalent executions. The *local configuration* `[e]`
//! of an event is the smallest configuration that contains it.
//!
//! # The algorithm
//!
//! The search extends a configuration `C` event by event. `D` is the set of events that were explored
//! before and must be avoided, and `U` the set of all known events. At a maximal configuration, `Extend`
//! adds to `U` the conflicting extensions of `C`: steps that could have been taken with other histories.
//! The search then removes the last event `e` of `C` and asks `Alt` for an *alternative*: a
//! configuration `J` in `U`, compatible with `C`, that has for `e` and for every event of `D` an event
//! in conflict with it. If there is one, the search runs all of `J` and then any enabled events; every
//! maximal configuration that it reaches avoids `e` and `D`. If there is none, every configuration
//! without `e` has been explored.
//!
//! The search visits every maximal configuration exactly once, and no execution is blocked: it is
//! optimal.
//!
//! | lines of Algorithm 1 | here |
//! |---|---|
//! | 3 and 13–14 (`Extend`) | `extend/`, with `history.rs` for candidates of `H` and `probe.rs` for what steps do |
//! | 4–8 (choose an event) | `Strategy::next` in `strategy.rs` |
//! | 9 (take it) | `Strategy::look`, with `recognise.rs` |
//! | 10 (`Alt`) | `alternative.rs` |
//! | 11 (run the alternative) | `Strategy::backtrack`; the set `A` is the `plan` |
//! | 12 and 15–18 (`Remove`, `G`) | `sweep.rs` |
//! | condition 7 (cut-offs) | `cutoffs/` |
//!
//! The recursion is unrolled: the right child of a node differs from it in `D` alone, so all events that
//! are tried after one `C` share a level of the path.
//!
//! # Cut-offs
//!
//! If `[e]` leads to the same state as a smaller `[e']` that is known, whatever can happen after `e` can
//! happen after `e'`. Then `e` is a *cut-off*: it is not added to `U`, and not taken. A configuration all
//! of whose enabled events are cut-offs counts as maximal. So a program that loops forever is explored in
//! finitely many executions if it has finitely many states.
//!
//! With cut-offs, not every trace is run. But for every reachable state, some visited configuration
//! contains a configuration that leads to it (theorem 12). Hence:
//!
//! * Every reachable local state of a process occurs in some execution. So every failing assertion and
//!   every use of invalid memory is found. (A step that fails is never a cut-off, and no other event is
//!   cut off by it.)
//! * Every *deadlock* is found. No event is enabled after a deadlocked configuration, so no other
//!   configuration contains it, and it is visited itself. A configuration that has only cut-offs enabled
//!   is not reported as a deadlock.
//! * Every *data race* is found. Its accesses are two events in immediate conflict that both extend a
//!   visited configuration, whether or not they are cut-offs.
//!
//! Two things are *not* preserved. An execution need not pass through every reachable state of several
//! processes together, although some configuration within a visited one leads to it. And the number of
//! executions, or whether some are infinite, says nothing about the program.
//!
//! Cut-offs rest on [`Machine::fingerprint`](crate::model::Machine::fingerprint), by which states are looked up. If the machine can write
//! its [state](crate::model::Machine::write_state) down, as those of C programs and Petri nets can, states with equal
//! fingerprints are compared in full. If it cannot, the fingerprint stands for the state: among a billion
//! states, two share one with a probability of about 10⁻²¹. Without a fingerprint nothing is cut off,
//! and the verdict says so.
//!
//! # Departures from the paper
//!
//! * *`Extend` runs at maximal configurations only.* `extend/` explains why that is enough.
//! * *What a transition does depends on the history.* A compare-exchange may succeed or fail, and a
//!   receive may take one message or another. `extend/probe.rs` finds out, for every history, whether the
//!   step is enabled and what it accesses. The label of an event includes that. So independence of
//!   labels is unconditional, as the paper requires.
//! * *`Remove` runs late.* Events stay in `U` until there are more than the cache allows. Then all are
//!   dropped but `Q` and as many others as the cache holds. Keeping more events than needed is sound.
//! * *States outlive events.* A removed event still cuts off larger ones; see `cutoffs/`.
//! * *Cut-offs are kept*, as events that no alternative may contain. They are needed to find data races,
//!   and a known cut-off is not tried again. An event that is not a cut-off stays so while it is kept.
//! * *k-partial alternatives* (Nguyen, Rodríguez, Sousa, Coti and Petrucci, *Quasi-optimal partial order
//!   reduction*, CAV 2018). An option asks for alternatives that avoid `e` and only k − 1 other events of
//!   `D`. Executions may then be blocked. The default is k = ∞: on the programs of the catalogue that
//!   were measured no smaller k is faster, and k = 1 has up to four blocked executions for each counted
//!   one.
//! * *The total adequate order* of Esparza, Römer and Vogler needs labels that determine dependence.
//!   Edges (spawn, join, notification) are not visible in labels, so configurations with edges that have
//!   equal size and equal steps are not compared further.
//! * *Late names.* The search must decide whether two events access the same object even if no execution
//!   contains both; see `names.rs`. With cut-offs and late names the search gives up, since states that
//!   contain late names cannot be compared either, and
//!   [`optimal`](crate::explore::dpor::optimal) takes over.

mod alternative;
mod cutoffs;
mod events;
mod extend;
mod names;
mod recognise;
mod strategy;
mod sweep;

use self::alternative::AlternativeSearch;
use self::cutoffs::Cutter;
use self::cutoffs::states::States;
use self::events::configuration::Configuration;
use self::events::event::EventId;
use self::events::levels::Levels;
use self::events::prefix::Prefix;
use self::extend::history::{Histories, HistoryChoice};
use self::extend::probe::Probe;
use self::names::Names;
use crate::search::UnfoldingOptions;
use crate::verdict::UnfoldingStatistics;

/// The state of the search; capital letters are the names in Algorithm 1.
#[derive(Debug)]
pub(crate) struct Unfolding {
    options: UnfoldingOptions,
    has_started: bool,
    /// Whether events are cut off.
    has_cut_offs: bool,
    /// U and G.
    prefix: Prefix,
    /// C.
    configuration: Configuration,
    /// D: at every depth the events of D that are enabled there.
    sleepers: Levels,
    /// The cut-offs that are enabled, at every depth.
    cut_offs: Levels,
    /// A: the events of the alternative that are still to be taken, the last first.
    plan: Vec<EventId>,
    /// How often objects had been merged when the alternative was found.
    planned_at: u64,
    names: Names,
    states: States,
    cutter: Cutter,
    /// The position of the first event that is new since the last maximal configuration.
    new_from: usize,
    /// Whether events cannot be identified, so that the search must give up.
    is_lost: bool,
    /// How many events may be kept before some are removed.
    limit: usize,
    statistics: UnfoldingStatistics,
    probe: Probe,
    search: AlternativeSearch,
    histories: Histories,
    history: Vec<u32>,
    past: Vec<u32>,
    choices: Vec<HistoryChoice>,
}

impl Unfolding {
    fn with_options(options: UnfoldingOptions) -> Self {
        Unfolding {
            options,
            has_started: false,
            has_cut_offs: false,
            prefix: Prefix::new(),
            configuration: Configuration::default(),
            sleepers: Levels::new(),
            cut_offs: Levels::new(),
            plan: Vec::new(),
            planned_at: 0,
            names: Names::default(),
            states: States::new(),
            cutter: Cutter::new(options.order),
            new_from: 0,
            is_lost: false,
            limit: options.cache.unwrap_or(usize::MAX),
            statistics: UnfoldingStatistics::default(),
            probe: Probe::default(),
            search: AlternativeSearch::default(),
            histories: Histories::default(),
            history: Vec::new(),
            past: Vec::new(),
            choices: Vec::new(),
        }
    }
}
