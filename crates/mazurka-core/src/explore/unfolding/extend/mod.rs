//! `Extend`: the events that the current configuration shows to exist.
//!
//! The extensions ex(C) of a configuration are the events outside of it whose causes are in it. The
//! search takes enabled extensions until none is left. What remains are the *conflicting* extensions:
//! steps of `C` with other histories within `C`, other alternatives of these steps, and pending steps of
//! processes at the end of `C` that were enabled earlier.
//!
//! Algorithm 1 calls `Extend` for every configuration (lines 3 and 13–14). Here it runs at maximal
//! configurations only, for events that are new there. That is enough: every extension of a part of `C`
//! is in `C` or extends `C`, and the algorithm does not look at `U` before it returns from a maximal
//! configuration.
//!
//! [`history`] enumerates the histories that a step can have, and [`probe`] finds out what the step does
//! after each.

pub(crate) mod history;
pub(crate) mod probe;

use smallvec::SmallVec;

use self::history::{Histories, Pattern, Slot, are_fixed, may_branch};
use self::probe::{Probe, Whereabouts};
use crate::execution::Execution;
use crate::execution::cells::CellId;
use crate::explore::unfolding::Unfolding;
use crate::explore::unfolding::events::event::dependent;
use crate::explore::unfolding::events::event::{EventAccess, EventAccesses, EventId};
use crate::explore::unfolding::events::prefix::{Known, NewEvent};
use crate::model::{Machine, ProcessId, Step, has_no_step};
use crate::verdict::Violation;

/// The next step of a process at the end of the configuration.
pub(crate) struct Pending {
    process: ProcessId,
    past: Vec<u32>,
    patterns: SmallVec<[Pattern; 2]>,
}

/// Stands for "all alternatives of this step are known" in the table of events.
const ALL_CHOICES: u32 = u32::MAX;

impl Unfolding {
    /// Adds the conflicting extensions of the current configuration, which is maximal. Returns how
    /// many of its steps the machine is still at.
    pub(crate) fn add_extensions(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
    ) -> Result<usize, Box<Violation>> {
        let len = self.configuration.len();
        self.probe.intact = len;
        let pending = self.pending(machine, execution);
        // With cut-offs, small events come first. Otherwise the last events come first, since the
        // machine then travels least.
        for i in 0..len {
            let index = if self.has_cut_offs { i } else { len - 1 - i };
            self.extend_behind(machine, execution, index)?;
        }
        for pending in pending {
            let number = self.configuration.events_of(pending.process) + 1;
            let Pending { process, past, mut patterns } = pending;
            let slot = Slot { process, number, past: &past };
            self.extend_slot(machine, execution, slot, &mut patterns, None, None)?;
        }
        Ok(self.probe.intact)
    }

    /// Returns the next steps of all processes that have one: they wait, or are cut-offs.
    fn pending(&self, machine: &dyn Machine, execution: &mut Execution) -> Vec<Pending> {
        let mut found = Vec::new();
        for process in (0..machine.processes()).map(ProcessId::new) {
            if has_no_step(machine, process) {
                continue;
            }
            let mut past = vec![0; self.configuration.width()];
            execution.copy_past(process, &mut past);
            let mut patterns = SmallVec::new();
            let others = machine.guards(process).iter().chain(machine.others(process));
            for action in machine.next(process).into_iter().chain(others) {
                let whole = execution.cell(machine, action.on);
                let part = |part: &CellId| (*part, execution.part_op(action.op, whole, *part));
                let parts = execution.overlapping(whole).iter().map(part);
                for (name, op) in std::iter::once((whole, action.op)).chain(parts) {
                    let cell = self.names.object(execution, name).unwrap_or(name);
                    patterns.push(Pattern { cell, op, may_read: true });
                }
            }
            found.push(Pending { process, past, patterns });
        }
        found
    }

    /// Adds the events that the step of the event at `index` is with other histories.
    fn extend_behind(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        index: usize,
    ) -> Result<(), Box<Violation>> {
        let accesses = self.configuration.accesses_of(index);
        let is_fixed = are_fixed(accesses);
        let is_old = index < self.new_from;
        let branches = may_branch(accesses);
        // The other histories of a step that does the same after each are among its causes.
        if is_old && is_fixed {
            return Ok(());
        }
        let mut patterns: SmallVec<[Pattern; 2]> = accesses.iter().map(Pattern::of).collect();
        let member = *self.configuration.member(index);
        let mut past = std::mem::take(&mut self.past);
        past.clear();
        past.extend_from_slice(self.configuration.past(index));
        let slot = Slot { process: member.step.process, number: member.number, past: &past };
        if !is_fixed || !self.extend_fixed(machine, execution, slot, &mut patterns, index)? {
            // If it branches, the other histories show which further cells it may access.
            let new_from = (is_old && !branches).then_some(self.new_from);
            self.extend_slot(machine, execution, slot, &mut patterns, Some(index), new_from)?;
        }
        self.past = past;
        Ok(())
    }

    /// Adds the events that a step is with all of its histories.
    fn extend_slot(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        slot: Slot<'_>,
        patterns: &mut SmallVec<[Pattern; 2]>,
        taken_as: Option<usize>,
        new_from: Option<usize>,
    ) -> Result<(), Box<Violation>> {
        let mut histories = std::mem::take(&mut self.histories);
        let result = loop {
            histories.collect(&self.configuration, slot, patterns, new_from);
            let known = patterns.len();
            let result = self.extend_by(machine, execution, slot, patterns, taken_as, &histories);
            // With another history the step may access other cells, and then has more histories.
            if result.is_err() || patterns.len() == known {
                break result;
            }
        };
        self.histories = histories;
        result
    }

    fn extend_by(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        slot: Slot<'_>,
        patterns: &mut SmallVec<[Pattern; 2]>,
        taken_as: Option<usize>,
        histories: &Histories,
    ) -> Result<(), Box<Violation>> {
        let is_predictable = |index| Probe::is_predictable(&self.configuration, index);
        let predictable = taken_as.filter(|index| !self.has_cut_offs && is_predictable(*index));
        for history in histories.iter() {
            self.consider(machine, execution, slot, patterns, predictable, history)?;
        }
        Ok(())
    }

    /// Adds the events that a step is with smaller histories than the event at `index`, if the step does
    /// the same after each history.
    ///
    /// Goes from each history to those with one maximal event less, and stops at histories from which this
    /// was done before. Returns `false` without doing anything if there are too many events to choose
    /// from.
    fn extend_fixed(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        slot: Slot<'_>,
        patterns: &mut SmallVec<[Pattern; 2]>,
        index: usize,
    ) -> Result<bool, Box<Violation>> {
        let member = *self.configuration.member(index);
        let generation = self.prefix.generation;
        if self.prefix.get(member.id).extended_in == generation {
            return Ok(true);
        }
        let all = self.histories.descend_from_all(&self.configuration, slot, patterns);
        let Some(all) = all else { return Ok(false) };
        let histories = std::mem::take(&mut self.histories);
        let mut history = std::mem::take(&mut self.history);
        let mut open = std::mem::take(&mut self.choices);
        open.clear();
        open.push(all);
        let predictable = (!self.has_cut_offs).then_some(index);
        self.prefix.get_mut(member.id).extended_in = generation;
        if member.alternatives > 1 {
            histories.of_choice(&self.configuration, slot.past, all, &mut history);
            self.consider(machine, execution, slot, patterns, predictable, &history)?;
        }
        while let Some(choice) = open.pop() {
            for smaller in histories.smaller(choice) {
                histories.of_choice(&self.configuration, slot.past, smaller, &mut history);
                let event =
                    self.consider(machine, execution, slot, patterns, predictable, &history)?;
                // Only an event can remember that this was done.
                let is_done = event.is_some_and(|event| {
                    let extended_in = &mut self.prefix.get_mut(event).extended_in;
                    std::mem::replace(extended_in, generation) == generation
                });
                if !is_done {
                    open.push(smaller);
                }
            }
        }
        (self.histories, self.history, self.choices) = (histories, history, open);
        Ok(true)
    }

    /// Adds the events that a step is with one history. Returns that of its first alternative.
    fn consider(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        slot: Slot<'_>,
        patterns: &mut SmallVec<[Pattern; 2]>,
        predictable: Option<usize>,
        history: &[u32],
    ) -> Result<Option<EventId>, Box<Violation>> {
        let process = slot.process;
        let parents = self.configuration.maximal(history);
        let known = self.prefix.find(Step::of(process), &parents);
        if let Some(Known::Event(event)) = known {
            // With other histories the step may access these cells, too.
            for touch in &self.prefix.get(event).touches {
                Pattern::add(patterns, touch.cell, touch.op);
            }
        }
        match known {
            Some(Known::Nothing) => return Ok(None),
            Some(Known::Event(event)) if !self.prefix.get(event).is_choice => {
                return Ok(Some(event));
            }
            _ => {
                let all = Step { process, choice: ALL_CHOICES };
                if self.prefix.find(all, &parents).is_some() {
                    return Ok(known.and_then(Known::event));
                }
            }
        }
        let (probe, configuration) = (&mut self.probe, &self.configuration);
        if !predictable.is_some_and(|index| probe.predict(configuration, index, history)) {
            let states = self.has_cut_offs.then_some(&mut self.states);
            let at = Whereabouts { configuration, names: &self.names };
            probe.try_out(machine, execution, at, (slot, history), states)?;
        }
        let outcomes = std::mem::take(&mut self.probe.outcomes);
        let mut is_nothing = true;
        let mut first = known.and_then(Known::event);
        for (choice, outcome) in outcomes.iter().enumerate() {
            let step = Step { process, choice: choice as u32 };
            if self.prefix.find(step, &parents).is_some() {
                is_nothing = false;
                continue;
            }
            let touch = |&(cell, op, plain)| EventAccess {
                cell,
                op,
                plain,
                base: self.configuration.base(cell, op, history),
            };
            let touches: EventAccesses = outcome.touches.iter().map(touch).collect();
            for touch in &touches {
                Pattern::add(patterns, touch.cell, touch.op);
            }
            let depends = |parent: &EventId| {
                let cause = self.prefix.get(*parent);
                slot.past[cause.process().index()] >= cause.number
                    || dependent(&cause.touches, &touches)
            };
            if !parents.iter().all(depends) {
                continue;
            }
            is_nothing = false;
            let new = NewEvent {
                step,
                parents: parents.clone(),
                number: slot.number,
                touches,
                is_choice: outcomes.len() > 1,
                has_edges: self.has_edges(slot.process, slot.past),
                state: outcome.state,
            };
            let event = self.discover(new);
            if choice == 0 {
                first = Some(event);
            }
        }
        if is_nothing {
            self.prefix.add_nothing(Step::of(process), parents);
        } else if outcomes.len() > 1 {
            self.prefix.add_nothing(Step { process, choice: ALL_CHOICES }, parents);
        }
        self.probe.outcomes = outcomes;
        Ok(first)
    }

    /// Returns whether edges from other processes contribute to the past of a process.
    pub(crate) fn has_edges(&self, process: ProcessId, past: &[u32]) -> bool {
        match self.configuration.last_of(process, past[process.index()]) {
            Some(index) => self.configuration.clock(index) != past,
            None => past.iter().any(|events| *events > 0),
        }
    }

    /// Adds an event, and decides whether it is a cut-off.
    pub(crate) fn discover(&mut self, new: NewEvent) -> EventId {
        let event = self.prefix.add(new);
        let is_cut_off = self.has_cut_offs && self.cutter.cuts_off(&self.prefix, event);
        self.prefix.get_mut(event).is_cut_off = is_cut_off;
        match is_cut_off {
            true => self.statistics.cut_offs += 1,
            false => self.statistics.events += 1,
        }
        // Cut-offs have conflicts, too, so that their data races are found.
        self.prefix.enter(event);
        self.statistics.most_events = self.statistics.most_events.max(self.prefix.len());
        event
    }
}
