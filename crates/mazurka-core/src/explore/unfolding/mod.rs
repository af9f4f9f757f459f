//! `unfolding`: one execution per maximal configuration of the program's unfolding.
//!
//! This is Algorithm 1 of Rodríguez, Sousa, Sharma and Kroening, *Unfolding-based Partial Order
//! Reduction* (CONCUR 2015), with the cut-offs and the event cache of its section 5.
//!
//! # The unfolding
//!
//! An *event* is a step together with its *history*: all that must have happened before it. In the
//! paper's terms it is ⟨t, H⟩. The transition t is a step of a process (and which of its alternatives
//! it takes); the history H is the set of its causes: what the process did before, what edges into it
//! bring along, and, with all of their causes, the events that it is dependent on by what it touches.
//! What it touches is part of t, too, but follows from the step and the history, since machines are
//! deterministic. Two events are in *conflict* if they cannot be in one execution: they are two
//! steps of a process in the same place, or dependent, and neither is a cause of the other; or they
//! have causes in conflict.
//!
//! A *configuration* is a set of events without conflicts that contains the causes of each. It is a
//! Mazurkiewicz trace: all of its interleavings are equivalent executions. The *local configuration*
//! `[e]` of an event is the smallest one that it is in.
//!
//! # The algorithm
//!
//! The search goes through configurations C, as a path of events. D holds the events that were
//! explored before and must not be taken again; U all events that are known. At a maximal
//! configuration, `Extend` adds to U what the configuration shows to exist besides its own events:
//! steps that could have been taken earlier, with other histories. Then the search goes back event by
//! event. Without the last event e of C, it asks for an *alternative*: a configuration J in U that goes
//! together with C, and that is in conflict with e and with every event of D. If there is one, all of J
//! is run first, and then whatever is enabled; every maximal configuration found so avoids e and D. If
//! there is none, everything without e has been explored.
//!
//! So the search visits every maximal configuration once, and nothing in vain: it is optimal.
//!
//! # Cut-offs
//!
//! If `[e]` leads to the same state as a smaller `[e']` that is known, then whatever can happen after e
//! can happen after e', and e is *cut off*: it is not added to U, and not taken. A configuration
//! all of whose enabled events are cut off counts as maximal. So a program that loops for ever is
//! explored in finitely many executions if it has finitely many states.
//!
//! With cut-offs, not every trace is run, but for every reachable state some configuration is visited
//! that has a part which leads there (theorem 12). It follows that
//!
//! * every state that a single process can be in is met by some execution; so every failing assertion
//!   and every use of invalid memory is found (a step that fails is never cut off, nor is it known by
//!   the state it leads to);
//! * every *deadlock* is met: a configuration after which nothing is enabled is part of no other one, so
//!   the one that is visited is that one. It is not mistaken for one that only has cut-offs behind it;
//! * every *data race* is found: the accesses are two events in immediate conflict which both extend
//!   a configuration that is visited, be they cut off or not.
//!
//! What is *not* preserved: a state of several processes together is reachable if and only if some
//! *part* of a visited configuration leads there, but executions need not pass through it. And what
//! executions count, and whether some go on for ever, is not told.
//!
//! All this rests on [`Machine::fingerprint`]: states are looked up by it. If the machine can write its
//! [state](Machine::write_state) down, as those of C programs and Petri nets do, it is compared with what the
//! machine wrote before, so that two states with the same fingerprint are told apart. If it cannot, a
//! fingerprint stands for its state: with 128 bits, that two of a billion states share one by chance has
//! a probability of about 10⁻²¹. Without a fingerprint, nothing is cut off, and the verdict says so.
//!
//! # The lines of Algorithm 1
//!
//! | lines | here |
//! |---|---|
//! | 3 and 13–14 (`Extend`) | `extend.rs`, with `history.rs` for the histories and `probe.rs` for what steps do |
//! | 4–8 (choose an event) | `Strategy::next` |
//! | 9 (take it) | `Strategy::look` |
//! | 10 (`Alt`) | `alternative.rs` |
//! | 11 (run the alternative) | `Strategy::backtrack`; A is the `plan` |
//! | 12 and 15–18 (`Remove`, G) | `sweep.rs` |
//! | condition 7 (cut-offs) | `cutoff.rs`, with `states.rs` for what states are the same |
//!
//! The recursion is unrolled: the right child of a node differs from it in D alone, so that all
//! events that are tried after one C share a level of the path.
//!
//! # Where it departs from the paper
//!
//! * *Extensions only at the end.* `Extend` runs at maximal configurations only; see `extend.rs`.
//! * *What a transition does depends on the history.* A compare-exchange succeeds or fails, a receive
//!   takes this message or that, and is dependent on other events accordingly. For every history that a
//!   step may have it is found out, from the values that events leave behind or by sending the machine
//!   there, whether the step is enabled and what it touches. The label of an event includes that, so that
//!   independence of labels is unconditional, as the paper wants it.
//! * *Removing later.* Events stay in U until there are more than the cache allows; then all but Q and
//!   as many others as the cache holds are dropped. What is in U needlessly does no harm.
//! * *States outlive events.* An event is cut off by smaller ones that have been removed, too; see `cutoff.rs`.
//! * *Cut-offs are remembered*, as events that no alternative may contain, so that what is dependent on
//!   them (data races) can be found, and a known one need not be tried again. An event once found not to
//!   be cut off stays so as long as it is remembered.
//! * *k-partial alternatives* (Nguyen, Rodríguez, Sousa, Coti and Petrucci, *Quasi-optimal partial order
//!   reduction*, CAV 2018): an alternative may be asked to avoid e and only k − 1 other events of D. Then
//!   an execution may end up with nothing enabled but events of D: it is blocked. The default is k = ∞:
//!   on the programs of the catalogue that were measured no smaller k is faster, and with k = 1 there are
//!   up to four executions in vain for one that counts.
//! * *The total order* of Esparza, Römer and Vogler is made for labels by which dependence can be told.
//!   Spawns, joins and notifications cannot be told by labels, so that behind them two configurations of
//!   the same size and with the same steps are not compared further.
//! * *Names.* Whether two events touch the same object must be told across executions. Where objects get
//!   their names only as processes come upon them, it is found out by who announces to touch them; see
//!   `names.rs`. With cut-offs the search gives up instead, since then states cannot be told apart
//!   either, and the program is left to [`optimal`](super::optimal).

mod alternative;
mod cutoffs;
mod events;
mod extend;
mod hash;
mod names;
mod sweep;

use self::alternative::AlternativeSearch;
use self::cutoffs::Cutter;
use self::cutoffs::states::{StateId, States};
use self::events::configuration::Configuration;
use self::events::event::{EventId, UnfoldingEvent};
use self::events::levels::Levels;
use self::events::prefix::{Known, NewEvent, Prefix};
use self::extend::history::{Histories, HistoryChoice};
use self::extend::probe::{Probe, Whereabouts};
use self::names::{Names, Same};
use crate::execution::Execution;
use crate::execution::cells::CellId;
use crate::model::{Machine, Step};
use crate::search::UnfoldingOptions;
use crate::search::strategy::{Next, Position, Standing, Strategy};
use crate::verdict::{Note, UnfoldingStatistics, Verdict, Violation};

/// The state of the search.
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
    /// D: at every depth those events of it that are enabled there.
    sleepers: Levels,
    /// The cut-offs that were met on the way and are still enabled.
    cut_offs: Levels,
    /// A: what is still to be taken before there is a choice, the last first.
    plan: Vec<EventId>,
    /// How often objects had been merged when that was planned.
    planned_at: u64,
    names: Names,
    states: States,
    cutter: Cutter,
    /// The first event that is new since the last maximal configuration.
    new_from: usize,
    /// Whether the step that was just taken turned out to be cut off.
    takes_back: bool,
    /// How many pairs of cells were known to overlap at the start.
    overlaps: usize,
    /// Whether events cannot be told apart, so that all was in vain.
    is_lost: bool,
    /// How many events there may be before some are removed.
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
    pub(crate) fn new(options: UnfoldingOptions) -> Self {
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
            takes_back: false,
            overlaps: 0,
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

    fn start<M: Machine>(&mut self, machine: &M, execution: &Execution) {
        self.has_started = true;
        self.overlaps = execution.overlaps();
        if self.options.cut_offs {
            let initial = self.states.of(machine);
            self.has_cut_offs = initial.is_some();
            self.cutter.set_initial(initial);
        }
        self.statistics.has_cut_offs = self.has_cut_offs;
    }

    /// The event that the last step of the execution is.
    fn recognise<M: Machine>(
        &mut self,
        machine: &mut M,
        execution: &mut Execution,
        failed: bool,
    ) -> Result<EventId, Box<Violation>> {
        let index = self.configuration.len() - 1;
        let member = *self.configuration.member(index);
        self.history.clear();
        self.history.extend_from_slice(self.configuration.clock(index));
        self.history[member.step.process.index()] -= 1;
        let parents = self.configuration.maximal(&self.history);
        if let Some(Known::Event(event)) = self.prefix.find(member.step, &parents) {
            self.compare_touches(event, index);
            return Ok(event);
        }
        let state = match self.has_cut_offs && !failed {
            true => self.state_of_last(machine, execution)?,
            false => None,
        };
        let process = member.step.process;
        let new = NewEvent {
            step: member.step,
            parents,
            number: member.number,
            touches: self.configuration.touches(index, &self.history),
            is_choice: member.alternatives > 1,
            has_edges: self.has_edges(process, self.configuration.past(index)),
            state,
        };
        Ok(self.discover(new))
    }

    /// Compares what an event touches with what the step at `index` touched, which is that event.
    fn compare_touches(&mut self, event: EventId, index: usize) {
        let accesses = self.configuration.accesses_of(index).len();
        self.is_lost |= self.prefix.get(event).touches.len() != accesses;
        for i in 0..accesses.min(self.prefix.get(event).touches.len()) {
            let touched = self.prefix.get(event).touches[i].cell;
            let touches = self.configuration.accesses_of(index)[i].cell;
            match touched == touches {
                true => {}
                // If it touches something else, that is the same under another name.
                false if self.names.may_be_same(touched, touches) => {
                    self.merge(&Same(touches, touched));
                }
                false => self.is_lost = true,
            }
        }
    }

    /// The state that the local configuration of the last event leads to.
    fn state_of_last<M: Machine>(
        &mut self,
        machine: &mut M,
        execution: &mut Execution,
    ) -> Result<Option<StateId>, Box<Violation>> {
        let len = self.configuration.len();
        let local = self.configuration.clock(len - 1);
        if local.iter().sum::<u32>() as usize == len {
            return Ok(self.states.of(machine));
        }
        self.probe.intact = len;
        let at = Whereabouts { configuration: &self.configuration, names: &self.names };
        let state = self.probe.state_after(machine, execution, at, local, &mut self.states)?;
        self.probe.return_to_end(machine, &self.configuration)?;
        Ok(state)
    }

    /// Whether a step is in a set of enabled events.
    fn is_among(&self, events: &[EventId], step: Step) -> bool {
        events.iter().any(|event| self.prefix.get(*event).step == step)
    }
}

impl<M: Machine> Strategy<M> for Unfolding {
    /// Lines 5 to 8. If A is empty, any event will do. But what is met first cuts off what is met
    /// later, and it can do so only if it is smaller: so the process with the smallest past goes first.
    fn next(&mut self, at: &Position<'_, M>) -> Next {
        if std::mem::take(&mut self.takes_back) {
            return Next::TakeBack;
        }
        if !self.has_started {
            self.start(at.machine, at.execution);
        }
        if let Some(event) = self.plan.last() {
            return Next::Step(self.prefix.get(*event).step);
        }
        let (mut is_cut, mut is_asleep) = (false, false);
        let mut best: Option<(u32, Step)> = None;
        for process in at.enabled() {
            let size = match self.has_cut_offs {
                true => at.execution.size_of_past(process),
                false => 0,
            };
            if best.is_some_and(|(least, _)| least <= size) {
                continue;
            }
            for choice in 0..at.machine.alternatives(process) {
                let step = Step { process, choice };
                if self.is_among(self.sleepers.last(), step) {
                    is_asleep = true;
                } else if self.is_among(self.cut_offs.last(), step) {
                    is_cut = true;
                } else {
                    best = Some((size, step));
                    break;
                }
            }
            if best.is_some() && !self.has_cut_offs {
                break;
            }
        }
        match (best, is_asleep, is_cut) {
            (Some((_, step)), ..) => Next::Step(step),
            (None, true, _) => Next::Asleep,
            (None, false, true) => Next::CutOff,
            (None, false, false) => Next::End,
        }
    }

    fn took(&mut self, machine: &M, execution: &mut Execution) {
        self.prefix.widen(machine.processes());
        self.configuration.widen(machine.processes());
        for i in 0..execution.accesses_of(execution.len() - 1).len() {
            let name = execution.accesses_of(execution.len() - 1)[i].cell;
            self.names.object_or_new(execution, name);
        }
        self.configuration.push(execution, &self.names);
    }

    fn look(
        &mut self,
        machine: &mut M,
        execution: &mut Execution,
        failed: bool,
    ) -> Result<(), Box<Violation>> {
        let event = self.recognise(machine, execution, failed)?;
        if self.plan.pop().is_some_and(|planned| planned != event) {
            // What was planned is not what happens. If events that touch one object were held to be
            // independent by then, the plan is void; otherwise nothing can be relied on.
            self.is_lost |= self.planned_at == self.names.merged;
            self.plan.clear();
        }
        let depth = self.configuration.len() - 1;
        if self.prefix.get(event).is_cut_off {
            self.configuration.truncate(depth);
            self.cut_offs.push(event);
            self.takes_back = true;
            return Ok(());
        }
        self.configuration.identify(event);
        self.prefix.get_mut(event).position = depth as u32;
        if machine.names_late() {
            self.hear_announcements(machine, execution);
        }
        self.sleepers.descend(&self.prefix, event);
        self.cut_offs.descend(&self.prefix, event);
        Ok(())
    }

    fn ended(&mut self, _machine: &M, _execution: &mut Execution) {}

    fn extend(
        &mut self,
        machine: &mut M,
        execution: &mut Execution,
    ) -> Result<usize, Box<Violation>> {
        self.statistics.maximal_configurations += 1;
        self.add_extensions(machine, execution)
    }

    fn backtrack(&mut self, _execution: &Execution) -> Option<usize> {
        self.sweep();
        let most = self.options.alternatives.unwrap_or(usize::MAX);
        for depth in (0..self.configuration.len()).rev() {
            let event = self.configuration.member(depth).id;
            self.prefix.get_mut(event).position = UnfoldingEvent::OUTSIDE;
            self.sleepers.truncate(depth);
            self.cut_offs.truncate(depth);
            let explored = (event, self.sleepers.last());
            let Unfolding { search, prefix, configuration, .. } = self;
            if let Some(plan) = search.run(prefix, configuration, depth, explored, most) {
                self.plan.clear();
                self.plan.extend(plan.iter().rev());
                self.planned_at = self.names.merged;
                self.sleepers.push(event);
                self.configuration.truncate(depth);
                self.names.truncate(depth);
                self.new_from = depth;
                return Some(depth);
            }
        }
        None
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        let event = self.configuration.members().get(depth);
        let is_contested =
            event.is_some_and(|member| !self.prefix.get(member.id).conflicts.is_empty());
        (self.sleepers.added(depth), usize::from(is_contested))
    }

    fn standing(&self, execution: &Execution) -> Standing {
        match () {
            // Those who touched one of two overlapping cells were not known to touch the other.
            () if execution.overlaps() != self.overlaps => Standing::StartsOver,
            () if self.is_lost || self.probe.is_lost => Standing::GivesUp,
            () => Standing::Reliable,
        }
    }

    fn take_data_race(&mut self) -> Option<(CellId, Violation)> {
        let (first, second, cell) = self.prefix.race.take().filter(|_| self.has_cut_offs)?;
        // Run what both need, then the two one after the other.
        let mut events = self.prefix.causes_of([first, second]);
        events.extend([first, second]);
        let mut violation = Violation::data_race(events.len() - 2, events.len() - 1);
        violation.schedule = events.iter().map(|event| self.prefix.get(*event).step).collect();
        Some((cell, violation))
    }

    fn report(&self, verdict: &mut Verdict) {
        verdict.unfolding = Some(self.statistics);
        if self.has_started && self.options.cut_offs && !self.has_cut_offs {
            verdict.notes.push(Note::NoFingerprint);
        }
    }
}
