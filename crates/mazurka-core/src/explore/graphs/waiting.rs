//! Which process goes on, and which ones wait.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::moves::{awaited, waits_at};
use super::{Attempt, Graphs, Lineage};
use crate::memory::{Event, EventId, Graph, INITIAL, Kind};
use crate::model::{Action, Machine, Observer, ProcessId, When};
use crate::search::Coherence;
use crate::search::strategy::Next;

/// Returns the write that a read reads from. If the read is part of a read-modify-write that stores the value
/// which it reads, as in a loop, returns the last write that follows and stores the same value in this way.
pub(super) fn source(graph: &Graph, read: &Event) -> EventId {
    let mut from = read.reads_from;
    if !read.is_exclusive {
        return from;
    }
    loop {
        let next = graph.coherence(read.location).get(graph.position(read.location, from));
        match next.map(|next| (*next, graph.event(*next))) {
            Some((next, event)) if event.is_exclusive && event.value == read.value => from = next,
            _ => return from,
        }
    }
}

/// What a process waits for that cannot go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    location: u32,
    /// How many writes to the location there are.
    writes: usize,
    /// The condition of its action.
    when: When,
}

impl Graphs {
    /// `next_P`: returns the process of the last event if it can go on, otherwise the first process that can,
    /// where those that have events come first. This depends on the graph alone, unless there is a schedule to
    /// follow.
    ///
    /// After a revisit, the processes of the write and of the read go on before others begin. So what they do
    /// is kept when others are revisited later: with a lock, most critical sections before that.
    pub(super) fn pick(&mut self, machine: &dyn Machine) -> Option<ProcessId> {
        let depth = self.lineage().steps.len();
        let followed = self.follows.as_ref().and_then(|schedule| schedule.steps().get(depth));
        if let Some(process) = followed.map(|step| step.process) {
            let exists = process.index() < machine.processes();
            return (exists && self.can_go_on(machine, process)).then_some(process);
        }
        let last = self.lineage().graph.events().last().map(|last| last.process);
        if let Some(last) = last.filter(|last| self.may_go_on(machine, *last)) {
            return Some(last);
        }
        let all = || (0..machine.processes()).map(ProcessId::new);
        all().find(|process| self.has_begun(*process) && self.may_go_on(machine, *process)).or_else(
            || all().find(|process| !self.has_begun(*process) && self.may_go_on(machine, *process)),
        )
    }

    fn has_begun(&self, process: ProcessId) -> bool {
        !self.lineage().graph.events_of(process).is_empty()
    }

    /// Returns whether a process can take a step, or is blocked by what it reads.
    pub(super) fn can_go_on(&mut self, machine: &dyn Machine, process: ProcessId) -> bool {
        let Some(action) = machine.next(process) else {
            return machine.is_enabled(process) && !self.is_blocked(process);
        };
        if self.is_blocked(process) || self.still_waits(process, action) {
            return false;
        }
        let guards = machine.guards(process);
        if guards.is_empty() && !action.waits {
            return machine.is_enabled(process);
        }
        if !guards.is_empty() && awaited(action, guards).is_none() {
            // Only a process with guards has spun.
            if self.has_spun_in_vain(process) {
                return false;
            }
            if self.coherence == Coherence::Observed {
                self.observes_order(Observer::Spin);
                return false;
            }
            return guards.iter().any(|guard| self.may_hold(machine, process, guard));
        }
        if self.coherence == Coherence::Observed {
            let action = *action;
            return self.can_go_on_observed(machine, process, &action);
        }
        // Memory holds the last write.
        let waits = machine.value(process).is_some_and(|value| waits_at(action, guards, value));
        match waits {
            true => self.may_read_older(machine, process, action),
            false => machine.is_enabled(process),
        }
    }

    /// Returns whether a process that has to wait at the last write may read from an older one, at which
    /// it does not have to wait.
    ///
    /// If it cannot, then it has no event, as if it waited for a process to end. The graph in which it is
    /// blocked at the last write would be a variant of others if another write came.
    fn may_read_older(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
        action: &Action,
    ) -> bool {
        // What is refused is reported when the step is tried.
        let Some(location) = self.location_of(machine, process, action) else { return true };
        let graph = &self.lineage().graph;
        let (older, guards) = (graph.coherence(location).len(), machine.guards(process));
        let may_read = !graph.is_settled(process, location)
            && (graph.floor_of_next(process, location)..older).rev().any(|position| {
                let graph = &self.lineage().graph;
                let write = match position {
                    0 => INITIAL,
                    position => graph.coherence(location)[position - 1],
                };
                let value = graph.value_of(location, write);
                let attempt = Attempt { process, choice: 0, reads_from: Some(write), stamp: None };
                !waits_at(action, guards, value) && self.allows_read(action, location, attempt)
            });
        if !may_read && guards.is_empty() {
            self.note_waiting(process, action, location);
        }
        may_read
    }

    /// Notes that a process cannot go on before there is another write to the location of its action.
    pub(super) fn note_waiting(&mut self, process: ProcessId, action: &Action, location: u32) {
        let writes = self.lineage().graph.coherence(location).len();
        if self.waiting.len() <= process.index() {
            self.waiting.resize(process.index() + 1, None);
        }
        self.waiting[process.index()] = Some(Waiting { location, writes, when: action.when });
    }

    /// Returns whether a process is known to wait for another write to the location of its action.
    ///
    /// Events were only added since this was noted. They do not make it possible to read from another one of
    /// the same writes.
    fn still_waits(&self, process: ProcessId, action: &Action) -> bool {
        let Some(Some(known)) = self.waiting.get(process.index()) else { return false };
        let graph = &self.lineage().graph;
        action.waits
            && graph.coherence(known.location).len() == known.writes
            && graph.is_current(known.location, action.on)
            && known.when == action.when
    }

    fn is_blocked(&self, process: ProcessId) -> bool {
        let graph = &self.lineage().graph;
        graph.events_of(process).last().is_some_and(|last| graph.event(*last).is_blocked)
    }

    fn has_spun_in_vain(&self, process: ProcessId) -> bool {
        let steps = &self.lineage().steps;
        let last = steps.iter().rev().find(|taken| taken.step.process == process);
        last.is_some_and(|taken| taken.in_vain)
    }

    /// Returns whether a process can read a value for which a guard holds.
    fn may_hold(&mut self, machine: &dyn Machine, process: ProcessId, guard: &Action) -> bool {
        let model = self.model;
        let graph = &mut self.lineage_mut().graph;
        let location = graph.intern(guard.on);
        if graph.is_unused(location) {
            // The process has read it, and spins on it: its event must be there.
            return machine.is_enabled(process);
        }
        let (events, edges) = (graph.events().len(), graph.edges());
        let attempt = Attempt {
            process,
            choice: 0,
            reads_from: Some(graph.last_write(location)),
            stamp: None,
        };
        let shape = super::moves::shape(guard, 0, 0);
        let read = super::events::read_of(guard, location, attempt, shape, 0);
        let probe = graph.push(read, 0, model);
        let floor = graph.floor(probe);
        graph.truncate(events, edges);
        let writes = [INITIAL].into_iter().chain(graph.coherence(location).iter().copied());
        writes.skip(floor).any(|write| guard.when.holds(graph.value_of(location, write)))
    }

    /// Notes what the process of the last step spins on, and whether it has spun in vain: whether it has
    /// read nothing new since it spun on that before.
    pub(super) fn note_spinning(&mut self, machine: &dyn Machine) {
        let lineage = self.lineage_mut();
        let Some(taken) = lineage.steps.last().copied() else { return };
        let process = taken.step.process;
        let guards = machine.guards(process);
        let awaits = |action: &Action| awaited(action, guards).is_some();
        if guards.is_empty() || machine.next(process).is_none_or(awaits) {
            return;
        }
        let mut hasher = FxHasher::default();
        guards.iter().for_each(|guard| (guard.on, guard.when).hash(&mut hasher));
        let digest = hasher.finish().max(1);
        let graph = &lineage.graph;
        let is_old = |event: &EventId| {
            let event = graph.event(*event);
            let is_same = |guard: &Action| {
                guard.on == graph.location(event.location) && !guard.when.holds(event.value)
            };
            match event.kind {
                Kind::Read => !event.is_exclusive && guards.iter().any(is_same),
                Kind::Fence => true,
                Kind::Write | Kind::Choice => false,
            }
        };
        let mut own = lineage.steps[..lineage.steps.len() - 1].iter().rev();
        let before = own.find(|earlier| earlier.step.process == process && earlier.spins_on != 0);
        let in_vain = before.is_some_and(|before| {
            let since = before.first + before.events;
            let events = graph.events_of(process).iter().filter(|event| **event >= since);
            before.spins_on == digest
                && events.clone().next().is_some()
                && events.clone().all(is_old)
        });
        let last = lineage.steps.last_mut().expect("a step was taken");
        (last.spins_on, last.in_vain) = (digest, in_vain);
    }

    /// Returns whether a process has spun in vain, and not because of the last writes.
    fn has_missed_more(&self, process: ProcessId) -> bool {
        let Lineage { graph, steps, .. } = self.lineage();
        let mut own = steps.iter().rev().filter(|taken| taken.step.process == process);
        if own.next().is_none_or(|taken| !taken.in_vain) {
            return false;
        }
        let since = own.find(|taken| taken.spins_on != 0).map_or(0, |t| t.first + t.events);
        let events = graph.events_of(process).iter().filter(|event| **event >= since);
        let mut reads = events.map(|event| graph.event(*event));
        reads.any(|read| {
            read.kind == Kind::Read && source(graph, read) != graph.last_write(read.location)
        })
    }

    /// Returns how an execution ends in which no process can go on.
    pub(super) fn end(&mut self, machine: &dyn Machine) -> Next {
        let waits_in_vain = self.has_held(machine);
        match self.coherence {
            _ if self.refusal.is_some() || self.observer.is_some() => Next::Inconsistent,
            _ if waits_in_vain => Next::Asleep,
            Coherence::Observed => self.end_observed(machine),
            Coherence::Total => self.end_total(machine),
        }
    }

    /// Returns the reads of the iteration of a loop that changed nothing, after which a process does not
    /// go on. Returns none if the process does.
    pub(super) fn retried_reads(
        &self,
        machine: &dyn Machine,
        process: ProcessId,
    ) -> impl Iterator<Item = EventId> {
        let graph = &self.lineage().graph;
        machine.retries(process).iter().filter_map(move |guard| {
            let mut own = graph.events_of(process).iter().rev().copied();
            own.find(|read| {
                let event = graph.event(*read);
                event.kind == Kind::Read
                    && graph.location(event.location) == guard.on
                    && !guard.when.holds(event.value)
            })
        })
    }

    /// Returns whether the last step ends an iteration of a loop that changed nothing, and no execution
    /// counts that comes of this one.
    ///
    /// An execution with such an iteration counts only if all of its reads read from the last writes: the
    /// process is in the loop for ever then. Suppose that the last read of the iteration has missed a write
    /// that was added before it. Then it was not added maximally, so that no revisit deletes it. It is in
    /// the prefix of no write to come, since its process has stopped. So only later reads are revisited,
    /// and both the iteration and the write that it has missed remain.
    ///
    /// With observed coherence, the writes must be a chain. Then the write that was missed follows the other one in
    /// every coherence order, also after later events have been added.
    ///
    /// An earlier read does not suffice: if the last one is revisited, the iteration may change something.
    pub(super) fn has_retried_in_vain(&self, machine: &dyn Machine) -> bool {
        let Lineage { graph, steps, .. } = self.lineage();
        let Some(taken) = steps.last() else { return false };
        if machine.retries(taken.step.process).is_empty() || self.follows.is_some() {
            return false;
        }
        let mut events = graph.events_of(taken.step.process).iter().rev();
        let last = events.find(|event| graph.event(**event).location_if_memory().is_some());
        let last = last.filter(|last| graph.event(**last).kind == Kind::Read);
        last.is_some_and(|read| {
            let Event { location, stamp, value, is_exclusive, .. } = *graph.event(*read);
            if self.coherence == Coherence::Observed && !graph.is_chain(location) {
                return false;
            }
            let later = &graph.coherence(location)[graph.position_of(*read)..];
            let is_missed = |write: &EventId| {
                let event = graph.event(*write);
                event.stamp < stamp && !(is_exclusive && event.is_exclusive && event.value == value)
            };
            later.iter().any(is_missed)
        })
    }

    /// Returns how it ends with total coherence.
    pub(super) fn end_total(&self, machine: &dyn Machine) -> Next {
        if self.refusal.is_some() {
            return Next::Inconsistent;
        }
        let Lineage { graph, steps, .. } = self.lineage();
        let has_spun_in_vain = steps.iter().any(|taken| taken.in_vain);
        let is_variant = (0..machine.processes()).map(ProcessId::new).any(|process| {
            let last = graph.events_of(process).last().map(|last| graph.event(*last));
            let missed = last.is_some_and(|last| {
                last.is_blocked && last.reads_from != graph.last_write(last.location)
            });
            let mut retried = self.retried_reads(machine, process);
            let has_retried = retried.any(|read| {
                let read = graph.event(read);
                source(graph, read) != graph.last_write(read.location)
            });
            missed || has_retried || has_spun_in_vain && self.has_missed_more(process)
        });
        match is_variant {
            true => Next::Asleep,
            false => Next::End,
        }
    }
}
