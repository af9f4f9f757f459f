//! Algorithm 1 as the driver runs it: one step after the other, and back.

use super::Unfolding;
use super::events::event::{EventId, UnfoldingEvent};
use crate::execution::cells::CellId;
use crate::execution::order::AllConflicts;
use crate::execution::{Execution, Settings};
use crate::model::{Lesson, Machine, Step};
use crate::search::Options;
use crate::search::strategy::{Explorer, Next, Position, Strategy};
use crate::verdict::{Bound, Note, Verdict, Violation, ViolationKind};

impl Unfolding {
    /// Prepares the search, in the initial state.
    fn start(&mut self, machine: &dyn Machine) {
        self.has_started = true;
        if self.options.cut_offs {
            let initial = self.states.of(machine);
            self.has_cut_offs = initial.is_some();
            self.cutter.set_initial(initial);
        }
        self.statistics.has_cut_offs = self.has_cut_offs;
    }
    /// Returns whether a step is one of some enabled events.
    fn is_among(&self, events: &[EventId], step: Step) -> bool {
        events.iter().any(|event| self.prefix.get(*event).step == step)
    }
}

impl Explorer for Unfolding {
    fn new(options: &Options<'_>) -> Self {
        Unfolding::with_options(options.unfolding)
    }
}

impl Strategy for Unfolding {
    type Relation = AllConflicts;

    fn settings(_has_plain_memory: bool) -> Settings {
        Settings { parts_are_apart: false, ..Settings::default() }
    }

    /// Lines 5 to 8. If A is empty, the algorithm may choose any enabled event. With cut-offs, the process
    /// with the smallest past goes first, since only smaller events cut off others.
    fn next(&mut self, at: &Position<'_>) -> Next {
        if !self.has_started {
            self.start(at.machine);
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

    fn took(&mut self, machine: &dyn Machine, execution: &mut Execution) {
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
        machine: &mut dyn Machine,
        execution: &mut Execution,
        failed: bool,
    ) -> Result<bool, Box<Violation>> {
        let event = self.recognise(machine, execution, failed)?;
        if self.plan.pop().is_some_and(|planned| planned != event) {
            // The step is not the planned event. If objects have been merged since, the plan took
            // dependent events for independent ones, and is void; otherwise events are not reliable.
            self.is_lost |= self.planned_at == self.names.merged;
            self.plan.clear();
        }
        let depth = self.configuration.len() - 1;
        if self.prefix.get(event).is_cut_off {
            self.configuration.truncate(depth);
            self.cut_offs.push(event);
            return Ok(false);
        }
        self.configuration.identify(event);
        self.prefix.get_mut(event).position = depth as u32;
        if machine.names_late() {
            self.hear_announcements(machine, execution);
        }
        self.sleepers.descend(&self.prefix, event);
        self.cut_offs.descend(&self.prefix, event);
        Ok(true)
    }

    fn ended(&mut self, _machine: &dyn Machine, _execution: &mut Execution) {}

    fn extend(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
    ) -> Result<usize, Box<Violation>> {
        self.statistics.maximal_configurations += 1;
        self.add_extensions(machine, execution)
    }

    fn take_lesson(&mut self) -> Option<Lesson> {
        self.probe.lesson.take()
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

    fn gives_up(&self) -> bool {
        self.is_lost || self.probe.is_lost
    }

    fn take_data_race(&mut self) -> Option<(CellId, Violation)> {
        let (first, second, cell) = self.prefix.race.take().filter(|_| self.has_cut_offs)?;
        // The schedule runs the causes of both events, then the two events.
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
        // Random programs have shown that it does not extend all configurations with failed steps.
        let is_step = |violation: &Violation| {
            !matches!(violation.kind, ViolationKind::Deadlock | ViolationKind::Livelock)
        };
        let goes_on = verdict.stopped != Some(Bound::Violation);
        if goes_on && verdict.violations.iter().any(is_step) {
            verdict.notes.push(Note::OthersMayFail);
        }
    }
}
