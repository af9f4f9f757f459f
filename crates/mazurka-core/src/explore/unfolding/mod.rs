//! `unfolding`: one execution per maximal configuration of the program's unfolding.

mod alternative;
mod configuration;
mod conflict;
mod cutoff;
mod event;
mod extend;
mod hash;
mod history;
mod levels;
mod prefix;
mod probe;
mod sweep;

use self::alternative::Search;
use self::configuration::Configuration;
use self::cutoff::States;
use self::event::{Event, EventId};
use self::history::Histories;
use self::levels::Levels;
use self::prefix::{Known, NewEvent, Prefix};
use self::probe::Probe;
use super::cells::CellId;
use super::execution::Execution;
use super::options::UnfoldingOptions;
use super::strategy::{Next, Position, Standing, Strategy};
use crate::model::{Machine, Step};
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
    states: States,
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
    search: Search,
    histories: Histories,
    history: Vec<u32>,
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
            states: States::new(options.order),
            new_from: 0,
            takes_back: false,
            overlaps: 0,
            is_lost: false,
            limit: options.cache.unwrap_or(usize::MAX),
            statistics: UnfoldingStatistics::default(),
            probe: Probe::default(),
            search: Search::default(),
            histories: Histories::default(),
            history: Vec::new(),
        }
    }

    fn start<M: Machine>(&mut self, machine: &M, execution: &Execution) {
        self.has_started = true;
        self.overlaps = execution.overlaps();
        if self.options.cut_offs {
            let initial = machine.fingerprint();
            self.has_cut_offs = initial.is_some();
            self.states.set_initial(initial);
        }
        self.statistics.has_cut_offs = self.has_cut_offs;
    }

    /// The event that the last step of the execution is.
    fn recognise<M: Machine>(
        &mut self,
        machine: &mut M,
        execution: &Execution,
        failed: bool,
    ) -> Result<EventId, Box<Violation>> {
        let index = self.configuration.len() - 1;
        let member = *self.configuration.member(index);
        self.history.clear();
        self.history.extend_from_slice(self.configuration.clock(index));
        self.history[member.step.process.index()] -= 1;
        let parents = self.configuration.maximal(&self.history);
        if let Some(Known::Event(event)) = self.prefix.find(member.step, &parents) {
            let touched = self.prefix.get(event).touches.iter().map(|touch| touch.cell);
            let touches = self.configuration.accesses_of(index).iter().map(|access| access.cell);
            // If it touches something else, that is another name for the same.
            self.is_lost |= touched.ne(touches);
            return Ok(event);
        }
        let state = match self.has_cut_offs && !failed {
            true => self.state_of_last(machine)?,
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
        Ok(self.discover(execution, new))
    }

    /// The state that the local configuration of the last event leads to.
    fn state_of_last<M: Machine>(
        &mut self,
        machine: &mut M,
    ) -> Result<Option<u128>, Box<Violation>> {
        let len = self.configuration.len();
        let local = self.configuration.clock(len - 1);
        if local.iter().sum::<u32>() as usize == len {
            return Ok(machine.fingerprint());
        }
        self.probe.intact = len;
        let state = self.probe.state_after(machine, &self.configuration, local)?;
        self.probe.return_to_end(machine, &self.configuration)?;
        Ok(state)
    }

    /// Whether a step is in a set of enabled events.
    fn is_among(&self, events: &[EventId], step: Step) -> bool {
        events.iter().any(|event| self.prefix.get(*event).step == step)
    }
}

impl<M: Machine> Strategy<M> for Unfolding {
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
        for process in at.enabled() {
            for choice in 0..at.machine.alternatives(process) {
                let step = Step { process, choice };
                if self.is_among(self.sleepers.last(), step) {
                    is_asleep = true;
                } else if self.is_among(self.cut_offs.last(), step) {
                    is_cut = true;
                } else {
                    return Next::Step(step);
                }
            }
        }
        match (is_asleep, is_cut) {
            (true, _) => Next::Asleep,
            (false, true) => Next::CutOff,
            (false, false) => Next::End,
        }
    }

    fn took(&mut self, machine: &M, execution: &mut Execution) {
        self.prefix.widen(machine.processes());
        self.configuration.widen(machine.processes());
        self.configuration.push(execution);
    }

    fn look(
        &mut self,
        machine: &mut M,
        execution: &Execution,
        failed: bool,
    ) -> Result<(), Box<Violation>> {
        let event = self.recognise(machine, execution, failed)?;
        let planned = self.plan.pop();
        debug_assert!(planned.is_none_or(|planned| planned == event), "it is what was planned");
        let depth = self.configuration.len() - 1;
        if self.prefix.get(event).is_cut_off {
            self.configuration.truncate(depth);
            self.cut_offs.push(event);
            self.takes_back = true;
            return Ok(());
        }
        self.configuration.identify(event);
        self.prefix.get_mut(event).position = depth as u32;
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
            self.prefix.get_mut(event).position = Event::OUTSIDE;
            self.sleepers.truncate(depth);
            self.cut_offs.truncate(depth);
            let explored = (event, self.sleepers.last());
            let Unfolding { search, prefix, configuration, .. } = self;
            if let Some(plan) = search.run(prefix, configuration, depth, explored, most) {
                self.plan.clear();
                self.plan.extend(plan.iter().rev());
                self.sleepers.push(event);
                self.configuration.truncate(depth);
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
            () if self.is_lost => Standing::GivesUp,
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
