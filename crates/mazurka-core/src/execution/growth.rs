//! Adding events to an execution and removing them.

use std::ops::Range;

use super::cells::NO_EVENT;
use super::clock::{ClockId, Clocks};
use super::event::{Declared, Event, FRESH, Owner, ProcessState};
use super::order::Relation;
use super::{Access, Execution, Race};
use crate::model::{Edge, Machine, Op, Performed, Precedence, ProcessId, Step, dependence};

impl Execution {
    /// Makes room for the processes of the machine.
    pub(super) fn admit(&mut self, processes: usize) {
        if processes > self.processes.len() {
            self.processes.resize(processes, FRESH);
            self.clocks.widen(processes);
        }
    }

    /// Adds the event of a `step` that the machine has just taken. `declared` is its pending action
    /// before the step, and `performed` its actions.
    pub(crate) fn push<R: Relation>(
        &mut self,
        machine: &dyn Machine,
        step: Step,
        alternatives: u32,
        declared: Option<&Declared>,
        performed: &Performed,
    ) {
        self.admit(machine.processes());
        let index = self.events.len() as u32;
        let first = self.accesses.len();
        let races = self.races.len() as u32;
        let first_clock = self.clocks.next();
        let changed_from = self.changes.len() as u32;
        let alone = performed.actions.len() == 1;
        for (i, action) in performed.actions.iter().enumerate() {
            if action.op == Op::Fence {
                continue;
            }
            let cell = self.cell(machine, action.on);
            match declared {
                Some(declared) if i == 0 => self.link::<R>(cell, index, action, declared, alone),
                _ => self.link::<R>(cell, index, action, &Declared::of(action), alone),
            }
        }
        let end = self.accesses.len();
        let rivals = self.messages.rivalries();
        self.unsettled = NO_EVENT;
        R::observe(self, performed, first..end, index);
        self.unsettling += u32::from(self.unsettled != NO_EVENT);
        let process = self.processes[step.process.index()];
        let number = process.events + 1;
        let clock = match self.is_ordered {
            true => {
                let clock = self.clocks.copy(process.clock);
                self.order::<R>(step.process, clock, first..end, rivals, index);
                if let Some(elder) = performed.elder {
                    self.find_race_of_twins(elder, first..end, index);
                }
                self.clocks.set(clock, step.process.index(), number);
                clock
            }
            false => process.clock,
        };
        self.events.push(Event {
            step,
            number,
            alternatives,
            clock,
            accesses: (first as u32, end as u32),
            races,
            rivals: rivals as u32,
            first_clock,
            changes: (changed_from, self.changes.len() as u32),
            before: (process.clock, process.last),
            unsettles: self.unsettled,
        });
        self.processes[step.process.index()] = ProcessState { clock, last: index, events: number };
        self.last_edges.clear();
        for edge in &performed.edges {
            self.last_edges.push(*edge);
            if edge.to.index() >= self.initial {
                self.note_creation(edge.to, index);
            }
            if self.is_ordered {
                self.pass_on(*edge);
            }
        }
        for precedence in &performed.precedences {
            self.precede(*precedence);
        }
    }

    /// Passes the past of an earlier event on to a process.
    fn precede(&mut self, Precedence { from, steps, to }: Precedence) {
        if self.is_ordered {
            let event = self.event_of(from, steps);
            self.pass_clock_on(self.events[event as usize].clock, to);
        }
    }

    /// Returns the event of a process that has this number.
    fn event_of(&self, process: ProcessId, number: u32) -> u32 {
        let mut event = self.processes[process.index()].last;
        while self.events[event as usize].number > number {
            event = self.events[event as usize].before.1;
        }
        event
    }

    /// Finds a data race of the event `index`, which is being added, with the step of its twin that it
    /// had to wait for. The past of a process without that step is the past of its previous event: twins
    /// that another process has released do not wait for each other.
    fn find_race_of_twins(&mut self, elder: Precedence, accesses: Range<usize>, index: u32) {
        let event = self.event_of(elder.from, elder.steps);
        let last = self.events.get(self.processes[elder.to.index()].last as usize);
        let seen = last.map_or(0, |last| self.clocks.component(last.clock, elder.from.index()));
        let theirs = self.accesses_of(event as usize);
        let races = |mine: &Access| {
            let conflicts = |other: &&Access| {
                other.cell == mine.cell && dependence::dependent(other.op, mine.op)
            };
            theirs.iter().filter(conflicts).any(|other| other.plain || mine.plain)
        };
        if seen < elder.steps
            && self.data_race.is_none()
            && self.accesses[accesses].iter().any(races)
        {
            self.data_race = Some(Race::new(event, index));
        }
    }

    /// Records that an event has an edge to a process that did not exist initially. The first such
    /// event has created the process.
    fn note_creation(&mut self, process: ProcessId, event: u32) {
        if !self.created.iter().any(|(_, known)| *known == process) {
            self.created.push((event, process));
        }
    }

    fn pass_on(&mut self, edge: Edge) {
        self.pass_clock_on(self.processes[edge.from.index()].clock, edge.to);
    }

    fn pass_clock_on(&mut self, from: ClockId, to: ProcessId) {
        let clock = match self.processes[to.index()].clock {
            // A new process inherits the clock of its parent. Clocks are shared, because a clock in
            // use is never modified.
            Clocks::ZERO => from,
            mine => {
                let clock = self.clocks.copy(mine);
                self.clocks.join(clock, from);
                clock
            }
        };
        self.change_clock(Owner::Process(to), clock);
    }

    /// Truncates the execution to the first `len` events.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.data_race = None;
        let Some(first) = self.events.get(len) else { return };
        let (accesses, races) = (first.accesses.0 as usize, first.races as usize);
        let (rivals, first_clock) = (first.rivals as usize, first.first_clock);
        for i in (len..self.events.len()).rev() {
            self.undo_changes(self.events[i].changes.1);
            let Event { step, number, before: (clock, last), changes, .. } = self.events[i];
            self.processes[step.process.index()] = ProcessState { clock, last, events: number - 1 };
            self.undo_changes(changes.0);
        }
        if !self.is_settled() {
            let unsettles = |event: &&Event| event.unsettles != NO_EVENT;
            self.unsettling -= self.events[len..].iter().filter(unsettles).count() as u32;
        }
        self.events.truncate(len);
        while self.views.pop_if(|(event, _)| *event as usize >= len).is_some() {}
        while self.created.pop_if(|(event, _)| *event as usize >= len).is_some() {}
        self.unlink_from(accesses);
        self.races.truncate(races);
        self.messages.truncate_rivalries(rivals);
        self.clocks.free_from(first_clock);
    }

    /// Restores the clocks from before the change `from`.
    #[inline]
    fn undo_changes(&mut self, from: u32) {
        while self.changes.len() > from as usize {
            let (owner, clock) = self.changes.pop().expect("there are more changes");
            self.set_clock(owner, clock);
        }
    }

    fn set_clock(&mut self, owner: Owner, clock: ClockId) {
        match owner {
            Owner::Process(process) => self.processes[process.index()].clock = clock,
            Owner::Event(event) => self.events[event as usize].clock = clock,
            Owner::Before(event) => self.events[event as usize].before.0 = clock,
        }
    }

    /// Sets the clock of an owner until the event that is being added is removed.
    pub(super) fn change_clock(&mut self, owner: Owner, clock: ClockId) {
        let old = match owner {
            Owner::Process(process) => self.processes[process.index()].clock,
            Owner::Event(event) => self.events[event as usize].clock,
            Owner::Before(event) => self.events[event as usize].before.0,
        };
        self.changes.push((owner, old));
        self.set_clock(owner, clock);
    }
}
