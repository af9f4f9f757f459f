//! Observed coherence: graphs that differ only in coherence order are one.
//!
//! With `--coherence observed`, a graph is told apart from others by reads-from alone. It is consistent if
//! some coherence order makes it so, and keeps such an order as a [witness](crate::memory::witness). What
//! differs from total coherence:
//!
//! * A write is added in one way: last in the witness, or behind the write that it reads from.
//! * A read is added maximally if it reads from the write that [`maximal`](witness::maximal) returns. That is
//!   a function of program order and reads-from, and reading from that write is always consistent. This is
//!   all that the proof of TruSt asks of what is added maximally.
//! * A process that waits may be blocked at every write that may come last. An execution in which processes
//!   are blocked has ended if there is a witness in which each of them reads from a last write. If several
//!   choices of these writes are possible, one of them counts.
//!
//! Memory holds the write that was performed last, which need not come last in the witness. So a step is
//! always told what it reads. If a step reads memory without being told, and the order of the writes to
//! these locations is not forced, then the search starts over with total coherence
//! ([`Lesson::CoherenceOrder`](crate::model::Lesson::CoherenceOrder)). The same holds for processes that spin,
//! and for loops that wait for several locations.
//!
//! Schedules are recorded as if the last witness had been the coherence order from the start. So an
//! execution is run again with total coherence.

use super::events::{is_access, push_access, read_of};
use super::moves::{awaited, has_lasting_reader, shape, waits_at};
use super::revisit::{Revisitor, push_own_reads};
use super::waiting::source;
use super::{Attempt, Graphs, Lineage, Move, Taken};
use crate::execution::Execution;
use crate::memory::views::view_of_step;
use crate::memory::{Event, EventId, Graph, INITIAL, Model, has_successors, witness};
use crate::model::{Action, Ending, Machine, Observer, ProcessId, View, Ways};
use crate::search::Coherence;
use crate::search::strategy::Next;

/// Adds the events of an access, and returns whether the graph is consistent then. Its witness may change.
pub(super) fn add_access(
    graph: &mut Graph,
    action: &Action,
    location: u32,
    attempt: Attempt,
    model: &dyn Model,
) -> bool {
    let position = position(graph, location, attempt.reads_from);
    push_access(graph, action, location, attempt, position, model);
    is_consistent(graph, model)
}

/// Returns whether the graph, which was consistent before the last step was added, still is. It is if nothing
/// follows the access in the witness. If the writes to each location are a chain, there is no other witness.
pub(super) fn is_consistent(graph: &mut Graph, model: &dyn Model) -> bool {
    let last = graph.events().len() as EventId - 1;
    if !has_successors(graph, last) {
        return true;
    }
    let is_open = |graph: &Graph| (0..graph.locations()).any(|location| !graph.is_chain(location));
    model.admits(graph, last) || is_open(graph) && witness::complete(graph, model, &[])
}

/// Returns the position of a write that reads from another one, or from none.
fn position(graph: &Graph, location: u32, reads_from: Option<EventId>) -> usize {
    match reads_from {
        Some(write) => graph.position(location, write) + 1,
        None => graph.coherence(location).len() + 1,
    }
}

/// Returns whether `r` can read from the write of a step, which is added to the rest of the graph first.
pub(super) fn can_revisit(
    graph: &Graph,
    rest: &mut Graph,
    names: &[EventId],
    by: Revisitor,
    read: EventId,
    model: &dyn Model,
) -> bool {
    push_own_reads(graph, rest, names, by, model);
    let write = *graph.event(by.write);
    let reads_from = write.is_exclusive.then(|| {
        let own_read = rest.events().len() as EventId - 1;
        rest.event(own_read).reads_from
    });
    let w = rest.push(write, position(rest, write.location, reads_from), model);
    if !is_consistent(rest, model) {
        return false;
    }
    let event = Event { reads_from: w, is_exclusive: false, ..*graph.event(read) };
    let r = rest.push(event, 0, model);
    rest.is_canonical(r) && is_consistent(rest, model)
}

/// Returns whether a read was added maximally with respect to the events that are previous to it.
pub(super) fn is_maximal_read(
    graph: &Graph,
    read: EventId,
    is_previous: impl Fn(EventId) -> bool,
    (rest, kept, names): (&mut Graph, &mut Vec<bool>, &mut Vec<EventId>),
    model: &dyn Model,
) -> bool {
    let Event { location, reads_from, .. } = *graph.event(read);
    let writes = graph.coherence(location).iter().rev().copied();
    let mut previous = writes.filter(|write| is_previous(*write));
    let Some(last) = previous.next() else { return reads_from == INITIAL };
    // The previous events contain their prefixes, so that those of a chain are a chain.
    if graph.is_chain(location) || previous.all(|write| graph.happens_before(write, last)) {
        // It is the last one in every coherence order.
        return reads_from == last;
    }
    kept.clear();
    kept.extend((0..graph.events().len() as EventId).map(|e| e != read && is_previous(e)));
    rest.restrict(graph, kept, names);
    let maximal = witness::maximal(rest, model, location);
    maximal != INITIAL && reads_from != INITIAL && names[reads_from as usize] == maximal
}

impl Graphs {
    /// Returns the writes that an access may read from, in an order that does not depend on the witness.
    fn sources(&self, process: ProcessId, location: u32) -> Vec<EventId> {
        let graph = &self.lineage().graph;
        if graph.is_chain(location) && graph.is_settled(process, location) {
            return vec![graph.last_write(location)];
        }
        let mut writes = graph.coherence(location).to_vec();
        writes.sort_by_key(|write| {
            let event = graph.event(*write);
            std::cmp::Reverse((event.process.index(), event.index))
        });
        writes.push(INITIAL);
        writes
    }

    /// Returns whether the graph stays consistent if the read of an attempt is added.
    pub(super) fn can_read(&mut self, action: &Action, location: u32, attempt: Attempt) -> bool {
        let graph = &self.lineage().graph;
        if graph.is_chain(location) && attempt.reads_from == Some(graph.last_write(location)) {
            // Nothing follows a read from the last write, so that it is in no cycle.
            return true;
        }
        let write = attempt.reads_from.unwrap_or(INITIAL);
        if graph.is_chain(location)
            && graph.position(location, write) < graph.floor_of_next(attempt.process, location)
        {
            return false;
        }
        let model = self.model;
        let graph = &mut self.lineage_mut().graph;
        let (events, edges) = (graph.events().len(), graph.edges());
        let value = graph.value_of(location, attempt.reads_from.unwrap_or(INITIAL));
        let shape = shape(action, value, attempt.choice);
        graph.push(read_of(action, location, attempt, shape, value), 0, model);
        let can_read = is_consistent(graph, model);
        graph.truncate(events, edges);
        can_read
    }

    /// Returns whether the graph stays consistent if an attempt is added.
    fn is_possible(&mut self, action: &Action, location: u32, attempt: Attempt) -> bool {
        let model = self.model;
        let graph = &mut self.lineage_mut().graph;
        let source = attempt.reads_from;
        if source.is_some_and(|write| graph.is_read_exclusively(location, write, INITIAL)) {
            // No two read-modify-writes read from one write.
            return false;
        }
        let (events, edges) = (graph.events().len(), graph.edges());
        let possible = add_access(graph, action, location, attempt, model);
        graph.truncate(events, edges);
        possible
    }

    /// Collects the moves of a write.
    pub(super) fn choose_observed_write(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
        location: u32,
        moves: &mut Vec<Move>,
    ) {
        for choice in 0..machine.alternatives(process) {
            let attempt = Attempt { process, choice, reads_from: None, stamp: None };
            moves.push(Move::Forward(attempt, 0));
            self.consider_revisits(location, attempt, moves);
        }
    }

    /// Collects the moves of an access that reads.
    pub(super) fn choose_observed_read(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
        action: &Action,
        location: u32,
        revisited: Option<(EventId, u32)>,
        moves: &mut Vec<Move>,
    ) {
        let stamp = revisited.map(|(_, stamp)| stamp);
        let sources = match revisited {
            Some((write, _)) => vec![write],
            None => self.sources(process, location),
        };
        for write in sources {
            let value = self.lineage().graph.value_of(location, write);
            let attempt = Attempt { process, choice: 0, reads_from: Some(write), stamp };
            if waits_at(action, machine.guards(process), value) {
                // A failed exchange may have a stronger ordering than the read that was revisited.
                let is_possible = match revisited {
                    Some(_) => self.can_read(action, location, attempt),
                    None => self.may_be_last(location, write),
                };
                if is_possible {
                    moves.push(Move::Block(attempt));
                }
                continue;
            }
            let count = match action.ways {
                Ways::One => machine.alternatives(process),
                ways => ways.count(value, action.when.holds(value)),
            };
            let is_exclusive = count == 1 && shape(action, value, 0).writes;
            if is_exclusive && has_lasting_reader(&self.lineage().graph, location, write)
                || !self.can_read(action, location, attempt)
            {
                continue;
            }
            for choice in 0..count {
                let attempt = Attempt { choice, ..attempt };
                let writes = shape(action, value, choice).writes;
                if !writes || self.is_possible(action, location, attempt) {
                    moves.push(Move::Forward(attempt, 0));
                }
                // Another read-modify-write that reads from the same write may be deleted.
                if writes {
                    self.consider_revisits(location, attempt, moves);
                }
            }
        }
    }

    /// Returns whether a write comes last in some coherence order.
    fn may_be_last(&mut self, location: u32, write: EventId) -> bool {
        let model = self.model;
        let graph = &mut self.lineage_mut().graph;
        graph.last_write(location) == write || witness::complete(graph, model, &[(location, write)])
    }

    /// Returns whether a process at an access can go on: if it waits, there must be a write that lets it go
    /// on.
    pub(super) fn can_go_on_observed(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
        action: &Action,
    ) -> bool {
        let guards = machine.guards(process);
        let waits = action.waits || awaited(action, guards).is_some();
        if !waits || !is_access(action) {
            return machine.is_enabled(process);
        }
        // What is refused is reported when the step is tried.
        let Some(location) = self.location_of(machine, process, action) else { return true };
        let last = self.lineage().graph.last_write(location);
        let lets_go_on = |graphs: &Self, write: EventId| {
            let value = graphs.lineage().graph.value_of(location, write);
            !waits_at(action, guards, value)
        };
        let goes_on = lets_go_on(self, last)
            || self.sources(process, location).into_iter().any(|write| {
                let attempt = Attempt { process, choice: 0, reads_from: Some(write), stamp: None };
                lets_go_on(self, write) && self.can_read(action, location, attempt)
            });
        if !goes_on && guards.is_empty() {
            self.note_waiting(process, action, location);
        }
        goes_on
    }

    /// Returns how an execution ends in which no process can go on.
    pub(super) fn end_observed(&mut self, machine: &dyn Machine) -> Next {
        let model = self.model;
        let graph = &self.lineage().graph;
        let mut ends = Ends { machine, blocked: Vec::new(), retried: Vec::new() };
        for process in (0..machine.processes()).map(ProcessId::new) {
            let last = graph.events_of(process).last().map(|last| *graph.event(*last));
            if let Some(read) = last.filter(|last| last.is_blocked) {
                ends.blocked.push((process, read.location, read.reads_from));
            }
            let retried = self.retried_reads(machine, process).map(|read| graph.event(read));
            ends.retried.extend(retried.map(|read| (read.location, source(graph, read))));
        }
        let own = ends.blocked.iter().map(|(_, location, from)| (*location, *from));
        let last: Vec<(u32, EventId)> = own.chain(ends.retried.iter().copied()).collect();
        if last.is_empty() {
            return Next::End;
        }
        if !witness::complete(&mut self.lineage_mut().graph, model, &last) {
            return Next::Asleep;
        }
        // The machine says how it ends by what memory holds, which may be another write than the last one.
        let graph = &self.lineage().graph;
        let is_unlike = |(process, location, from): &(ProcessId, u32, EventId)| {
            machine.value(*process) != Some(graph.value_of(*location, *from))
        };
        let is_unlike = ends.blocked.iter().any(is_unlike);
        // The blocked reads do not order the writes.
        let Graphs { lineages, rest, kept, names, .. } = self;
        let graph = &lineages.last().expect("there is a lineage").graph;
        kept.clear();
        kept.extend(graph.events().iter().map(|event| !event.is_blocked));
        rest.restrict(graph, kept, names);
        let sources = ends.blocked.iter_mut().map(|(.., from)| from);
        for from in sources.chain(ends.retried.iter_mut().map(|(_, from)| from)) {
            if *from != INITIAL {
                *from = names[*from as usize];
            }
        }
        if ends.have_greater(rest, model) {
            return Next::Asleep;
        }
        let is_dropped = || machine.ending() == Ending::AssumptionFailed;
        if is_unlike || !ends.retried.is_empty() && is_dropped() {
            self.observes_order(Observer::Loop);
            return Next::Inconsistent;
        }
        Next::End
    }

    /// Sets what the steps of an execution saw of memory, as if the witness had been the coherence order
    /// from the start. Does nothing if the witness has not changed.
    pub(super) fn revise(&mut self, execution: &mut Execution) {
        let Lineage { graph, steps, .. } = self.lineage_mut();
        if !std::mem::take(&mut graph.is_reordered) {
            return;
        }
        let views = steps
            .iter()
            .take(execution.len())
            .map(|taken| view_of_step(graph, taken.range(), false));
        execution.replace_views(views);
    }

    /// Leaves out what the last step was told of memory, as far as memory holds that.
    pub(super) fn shorten_view(&self, execution: &mut Execution) {
        let Lineage { graph, steps, .. } = self.lineage();
        if let Some(taken) = steps.last().filter(|_| steps.len() == execution.len()) {
            execution.replace_last_view(view_of_step(graph, taken.range(), false));
        }
    }

    /// Returns what a step sees of memory that is in the graph already.
    pub(super) fn view_again(&self, taken: &Taken) -> View {
        match self.coherence {
            Coherence::Total => taken.view,
            Coherence::Observed => view_of_step(&self.lineage().graph, taken.range(), true),
        }
    }
}

/// What processes wait for at the end of an execution.
struct Ends<'a> {
    machine: &'a dyn Machine,
    /// The processes that are blocked, each with its location, and the write that it reads from.
    blocked: Vec<(ProcessId, u32, EventId)>,
    /// The writes that the last iterations of processes in loops have read from, and their locations.
    retried: Vec<(u32, EventId)>,
}

impl Ends<'_> {
    fn is_blocked_at(&self, process: ProcessId, value: u64) -> bool {
        let action = self.machine.next(process);
        action.is_some_and(|action| waits_at(action, self.machine.guards(process), value))
    }

    /// Returns whether the processes that are blocked could also be blocked at other writes, which come
    /// later in the order of processes and events.
    fn have_greater(&self, graph: &mut Graph, model: &dyn Model) -> bool {
        (0..self.blocked.len()).any(|at| {
            let (process, location, from) = self.blocked[at];
            let key = |write: EventId| match write {
                INITIAL => None,
                write => Some((graph.event(write).process.index(), graph.event(write).index)),
            };
            let greater = graph.coherence(location).iter().copied().filter(|other| {
                let value = graph.value_of(location, *other);
                key(*other) > key(from) && self.is_blocked_at(process, value)
            });
            let greater: Vec<EventId> = greater.collect();
            let before = self.blocked[..at].iter().map(|(_, location, from)| (*location, *from));
            let before: Vec<(u32, EventId)> = before.chain(self.retried.iter().copied()).collect();
            greater.into_iter().any(|other| {
                let last = [&before[..], &[(location, other)]].concat();
                self.may_block(graph, model, &self.blocked[at + 1..], &last)
            })
        })
    }

    /// Returns whether there is a coherence order with these last writes in which the other processes are
    /// blocked, too.
    fn may_block(
        &self,
        graph: &mut Graph,
        model: &dyn Model,
        others: &[(ProcessId, u32, EventId)],
        last: &[(u32, EventId)],
    ) -> bool {
        let Some(((process, location, _), rest)) = others.split_first() else {
            return witness::complete(graph, model, last);
        };
        let writes = graph.coherence(*location).to_vec();
        let initial = writes.is_empty().then_some(INITIAL);
        writes.into_iter().chain(initial).any(|write| {
            self.is_blocked_at(*process, graph.value_of(*location, write))
                && self.may_block(graph, model, rest, &[last, &[(*location, write)]].concat())
        })
    }
}
