//! Adding the events of steps.

use super::arrivals::released_round;
use super::moves::{Shape, shape};
use super::observed::{add_access, is_consistent};
use super::{Attempt, Frame, Graphs, Lineage, Move, Taken};
use crate::memory::views::of_first_action;
use crate::memory::{Event, EventId, Graph, INITIAL, Kind, Model};
use crate::model::{
    Action, Machine, MemoryOrdering, Observer, Op, Performed, ProcessId, Step, View,
};
use crate::search::Coherence;
use crate::search::strategy::Next;

pub(super) use crate::memory::NO_STEP;

const SEVERAL: &str = "a step with several accesses is not supported under a memory model";

/// Returns whether an action reads or writes a value. A fence does not, nor does an action that is forgone;
/// nor does the end of a block of memory, which is a plain update: it must not race.
pub(super) fn is_access(action: &Action) -> bool {
    match action.op {
        Op::Fence | Op::Forgone(_) => false,
        Op::Update => !action.plain,
        _ => true,
    }
}

/// Returns an event, with the fields that an explorer does not compute.
fn event(kind: Kind, action: Option<&Action>, location: u32, attempt: Attempt) -> Event {
    let is_plain = action.is_none_or(|action| action.plain);
    let ordering = action.filter(|_| !is_plain).and_then(|action| action.ordering);
    let choice = attempt.choice;
    Event { ordering, choice, ..Event::new(attempt.process, kind, location) }
}

/// Returns the read of an attempt.
pub(super) fn read_of(
    action: &Action,
    location: u32,
    attempt: Attempt,
    shape: Shape,
    value: u64,
) -> Event {
    let read = event(Kind::Read, Some(action), location, attempt);
    let ordering = match shape.holds && !shape.is_blocked {
        true => read.ordering,
        false => action.failure_ordering.or(read.ordering.map(without_release)),
    };
    Event {
        ordering: ordering.filter(|_| !action.plain),
        is_exclusive: shape.writes,
        is_arrival: action.is_arrival(),
        is_blocked: shape.is_blocked,
        value,
        reads_from: attempt.reads_from.unwrap_or(INITIAL),
        ..read
    }
}

/// Returns the ordering of a read-modify-write that turns out to be a read.
fn without_release(ordering: MemoryOrdering) -> MemoryOrdering {
    match ordering {
        MemoryOrdering::Release => MemoryOrdering::Relaxed,
        MemoryOrdering::AcqRel => MemoryOrdering::Acquire,
        ordering => ordering,
    }
}

/// Adds the events of an access, and returns its write, if it writes.
pub(super) fn push_access(
    graph: &mut Graph,
    action: &Action,
    location: u32,
    attempt: Attempt,
    position: usize,
    model: &dyn Model,
) -> Option<EventId> {
    let value = match attempt.reads_from {
        Some(write) => graph.value_of(location, write),
        None => 0,
    };
    let shape = shape(action, value, attempt.choice);
    let mut stamp = graph.next_stamp();
    if shape.reads {
        let read = read_of(action, location, attempt, shape, value);
        graph.push(Event { stamp: attempt.stamp.unwrap_or(stamp), ..read }, 0, model);
        stamp += 1;
    }
    shape.writes.then(|| {
        let write = event(Kind::Write, Some(action), location, attempt);
        let write = Event { is_exclusive: shape.reads, stamp, ..write };
        graph.push(write, position, model)
    })
}

impl Graphs {
    /// Returns the location of an action, with its initial value, or refuses it.
    pub(super) fn location_of(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
        action: &Action,
    ) -> Option<u32> {
        if let Some(reason) = Self::objection(action) {
            self.refuse(reason);
            return None;
        }
        let coherence = self.coherence;
        let graph = &mut self.lineage_mut().graph;
        let location = graph.intern(action.on);
        if graph.is_unused(location) {
            let Some(value) = machine.value(process) else {
                self.refuse("the machine does not know what memory holds".to_owned());
                return None;
            };
            graph.set_initial(location, value);
            let is_open = |other: &u32| !graph.is_chain(*other);
            if coherence == Coherence::Observed && graph.overlapping(location).iter().any(is_open) {
                self.observes_order(Observer::Sizes);
                return None;
            }
        }
        Some(location)
    }

    /// Returns why an action cannot be explored under a memory model.
    fn objection(action: &Action) -> Option<String> {
        if !action.op.is_memory() {
            return Some("event loops are not supported under a memory model".to_owned());
        }
        if !action.plain && action.ordering.is_none() {
            return Some("an operation has no memory ordering".to_owned());
        }
        None
    }

    /// Returns what a step sees of memory whose events were just added.
    pub(super) fn view(&self, machine: &dyn Machine, process: ProcessId, first: EventId) -> View {
        let graph = &self.lineage().graph;
        let mut view = View::PRESENT;
        for id in of_first_action(graph, first..graph.events().len() as EventId) {
            let event = graph.event(id);
            let Some(location) = event.location_if_memory() else { continue };
            let last = graph.last_write(location);
            match event.kind {
                // It counts what memory holds.
                Kind::Read if event.is_arrival => {}
                Kind::Read => {
                    // The write of the same step is not there yet.
                    let mut writes = graph
                        .coherence(location)
                        .iter()
                        .rev()
                        .copied()
                        .filter(|write| *write < first)
                        .chain([INITIAL])
                        .peekable();
                    let is_last = writes.peek() == Some(&event.reads_from);
                    let is_unknown = self.coherence == Coherence::Observed
                        && graph.last_write(location) != INITIAL;
                    if !is_last || is_unknown || !machine.guards(process).is_empty() {
                        view.sees = Some(event.value);
                        let later = writes.take_while(|write| *write != event.reads_from);
                        let same = later.filter(|w| graph.value_of(location, *w) == event.value);
                        view.older = same.count() as u32;
                    }
                }
                Kind::Write if last < first || last == INITIAL => {
                    view.leaves = Some(graph.value_of(event.location, last));
                    let after = graph.coherence(location).len() - graph.position(location, id);
                    view.between = after as u32 - 1;
                }
                Kind::Write | Kind::Fence | Kind::Choice => {}
            }
        }
        view
    }

    /// Adds the events of an attempt, and returns its step.
    pub(super) fn take(
        &mut self,
        machine: &dyn Machine,
        attempt: Attempt,
        position: usize,
    ) -> Next {
        let process = attempt.process;
        let action = self.next_action(machine, process);
        let action = action.as_ref();
        let location = match action {
            Some(action) if is_access(action) => self.location_of(machine, process, action),
            _ => None,
        };
        let (model, coherence) = (self.model, self.coherence);
        let graph = &mut self.lineage_mut().graph;
        let (first, edges) = (graph.events().len() as EventId, graph.edges());
        match (action, location) {
            (Some(action), Some(location)) => match coherence {
                Coherence::Total => {
                    push_access(graph, action, location, attempt, position, model);
                }
                Coherence::Observed => {
                    let is_consistent = add_access(graph, action, location, attempt, model);
                    debug_assert!(is_consistent, "a move was not possible");
                }
            },
            _ => {
                let is_fence = action.is_some_and(|action| action.op == Op::Fence);
                let kind = if is_fence { Kind::Fence } else { Kind::Choice };
                let stamp = graph.next_stamp();
                let event = Event { stamp, ..event(kind, action, 0, attempt) };
                graph.push(event, 0, model);
            }
        }
        let step = Step { process, choice: attempt.choice };
        self.begin(machine, step, first, edges)
    }

    /// Prepares to take a step whose events have been added.
    fn begin(&mut self, machine: &dyn Machine, step: Step, first: EventId, edges: usize) -> Next {
        let view = self.view(machine, step.process, first);
        self.begin_seeing(step, view, first, edges)
    }

    /// Prepares to take a step that sees this of memory.
    pub(super) fn begin_seeing(
        &mut self,
        step: Step,
        view: View,
        first: EventId,
        edges: usize,
    ) -> Next {
        let lineage = self.lineage_mut();
        let events = lineage.graph.events().len() as u32 - first;
        lineage.graph.set_step(first, lineage.steps.len() as u32);
        self.taking = Some(Taken { step, view, first, events, edges, spins_on: 0, in_vain: false });
        Next::See(step, view)
    }

    /// Adds a blocked read.
    pub(super) fn block(&mut self, machine: &dyn Machine, attempt: Attempt) {
        let Some(action) = machine.next(attempt.process) else { return };
        let Some(location) = self.location_of(machine, attempt.process, action) else { return };
        let (model, coherence) = (self.model, self.coherence);
        let graph = &mut self.lineage_mut().graph;
        let value = graph.value_of(location, attempt.reads_from.unwrap_or(INITIAL));
        let shape = Shape { reads: true, writes: false, is_blocked: true, holds: false };
        let read = read_of(action, location, attempt, shape, value);
        let stamp = attempt.stamp.unwrap_or_else(|| graph.next_stamp());
        graph.push(Event { stamp, ..read }, 0, model);
        if coherence == Coherence::Observed {
            // The witness may have changed since the write was last in it.
            let is_consistent = is_consistent(graph, model);
            debug_assert!(is_consistent, "a move was not possible");
        }
    }

    /// Adds the events of a step of the parent lineage, and returns that step.
    pub(super) fn take_again(&mut self, machine: &dyn Machine, step: usize) -> Next {
        let taken = self.parent().steps[step];
        self.rename(machine, taken.step.process, taken.first);
        let graph = &self.lineage().graph;
        let (first, edges) = (graph.events().len() as EventId, graph.edges());
        for event in taken.first..taken.first + taken.events {
            self.add_again(event);
        }
        self.begin(machine, taken.step, first, edges)
    }

    /// Adds a blocked read of the parent lineage.
    pub(super) fn block_again(&mut self, machine: &dyn Machine, event: EventId) {
        let process = self.parent().graph.event(event).process;
        self.rename(machine, process, event);
        self.add_again(event);
    }

    /// Notes what the location of an event of the parent is called here: it is that of the next action
    /// of its process.
    fn rename(&mut self, machine: &dyn Machine, process: ProcessId, event: EventId) {
        let Some(action) = machine.next(process).copied().filter(is_access) else { return };
        let graph = &self.parent().graph;
        let Some(location) = graph.event(event).location_if_memory() else { return };
        let old = graph.location(location);
        if old != action.on {
            let renamed = &mut self.lineage_mut().renamed;
            renamed.retain(|(known, _)| *known != old);
            renamed.push((old, action.on));
        }
        self.location_of(machine, process, &action);
    }

    fn parent(&self) -> &Lineage {
        &self.lineages[self.lineages.len() - 2]
    }

    /// Adds an event of the parent lineage.
    fn add_again(&mut self, old: EventId) {
        let (model, coherence) = (self.model, self.coherence);
        let [.., parent, lineage] = &mut self.lineages[..] else {
            unreachable!("there is a parent")
        };
        let Lineage { graph, names, moved, renamed, .. } = lineage;
        let event = *parent.graph.event(old);
        let on = event.location_if_memory().map(|location| {
            let on = parent.graph.location(location);
            let new = renamed.iter().find(|(old, _)| *old == on);
            new.map_or(on, |(_, new)| *new)
        });
        let location = on.map_or(0, |on| graph.intern(on));
        let reads_from = match event.reads_from {
            INITIAL => INITIAL,
            write => names[write as usize],
        };
        let position = match (event.kind, *moved) {
            (Kind::Write, Some((write, _))) if write == old && coherence == Coherence::Observed => {
                graph.coherence(location).len() + 1
            }
            (Kind::Write, Some((write, position))) if write == old => position,
            (Kind::Write, _) => {
                let before = parent.graph.coherence(event.location).iter();
                let before = before.take_while(|write| **write != old);
                1 + before.filter(|write| names[**write as usize] != INITIAL).count()
            }
            _ => 0,
        };
        // The value of a pointer may have another number here.
        let value = match event.kind {
            Kind::Read => graph.value_of(location, reads_from),
            _ => event.value,
        };
        let event = Event { location, reads_from, value, step: NO_STEP, ..event };
        names[old as usize] = graph.push(event, position, model);
    }

    /// Takes note of what the step has done.
    pub(super) fn fill_in(&mut self, performed: &Performed) {
        let Some(taken) = self.taking.take() else { return };
        let (model, coherence) = (self.model, self.coherence);
        let lineage = self.lineages.last_mut().expect("there is a lineage");
        let step = lineage.steps.len() as u32;
        let graph = &mut lineage.graph;
        let mut actions = performed.actions.iter().filter(|action| !action.guard);
        let first = actions.next();
        let known = taken.range();
        let of_first = of_first_action(graph, known.clone());
        // A write is the last event of an action.
        if let (Some(action), Some(last)) = (first, of_first.clone().last())
            && graph.event(last).kind == Kind::Write
        {
            graph.set_value(last, action.after);
        }
        let mut taken = taken;
        let (mut refusal, mut observer) = (None, None);
        let mut late = Vec::new();
        let mut known_rest = known.skip(if first.is_some() { of_first.len() } else { 0 });
        for action in actions {
            if is_access(action)
                && let Some(id) = known_rest.next()
            {
                // A step of the parent, with all of its events.
                graph.set_value(id, action.after);
                continue;
            }
            if !is_access(action) {
                continue;
            }
            let is_supported = match action.op {
                Op::Write => action.plain || action.ordering.is_some(),
                Op::Read => action.plain,
                _ => false,
            };
            if !is_supported {
                refusal = Some(SEVERAL);
                break;
            }
            let location = graph.intern(action.on);
            if graph.is_unused(location) {
                graph.set_initial(location, action.before);
            }
            let last = graph.last_write(location);
            let attempt = Attempt {
                process: taken.step.process,
                choice: taken.step.choice,
                reads_from: (action.op == Op::Read).then_some(last),
                stamp: None,
            };
            let position = graph.coherence(location).len() + 1;
            let write = push_access(graph, action, location, attempt, position, model);
            let id = graph.events().len() as EventId - 1;
            graph.set_step(id, step);
            taken.events += 1;
            // Without another consistent choice, nothing is missed.
            let is_forced = model.admits(graph, id) && graph.floor(id) + 1 == position;
            if coherence == Coherence::Observed && !graph.is_chain(location) {
                observer = Some(Observer::Step);
            } else if !is_forced {
                refusal = Some(SEVERAL);
            }
            let Some(write) = write else { continue };
            graph.set_value(write, action.after);
            late.push(Move::RevisitsBy(write));
        }
        let round = match performed.edges.is_empty() {
            true => 0,
            false if graph.event(taken.first).is_arrival => {
                released_round(taken.step.process, &performed.edges)
            }
            false => 0,
        };
        if round > 0 {
            let others = performed.edges[..round].iter().map(|edge| edge.from);
            let mut all: Vec<ProcessId> = others.chain([taken.step.process]).collect();
            all.sort_unstable();
            graph.pass_on_to_all(&all);
        }
        for edge in &performed.edges[2 * round..] {
            graph.pass_on(edge.from, edge.to);
        }
        lineage.steps.push(taken);
        if !late.is_empty() {
            let (events, edges) = (lineage.graph.events().len(), lineage.graph.edges());
            let steps = lineage.steps.len();
            let (action, begun) = (None, 0);
            lineage.frames.push(Frame { steps, events, edges, action, moves: late, begun });
            self.turn_late();
        }
        self.observer = self.observer.or(observer);
        if let Some(refusal) = refusal {
            self.refuse(refusal.to_owned());
        } else if let Some(other) = self.conflict_of_sizes(taken) {
            self.refuse(
                "two accesses of different sizes to the same memory conflict, and neither happens \
                 before the other: C and C++ give that no meaning. Access the memory in one size, \
                 or order the accesses by a lock or by release and acquire"
                    .to_owned(),
            );
            let earlier = self.lineage().graph.event(other).step();
            if let (Some(refusal), Some(earlier)) = (&mut self.refusal, earlier) {
                refusal.accesses = Some((earlier, step as usize));
            }
        }
        self.check_arrivals(taken);
        self.find_race(taken);
        let ends = |action: &&Action| action.plain && action.op == Op::Update && !action.guard;
        for action in performed.actions.iter().filter(ends) {
            self.find_race_with_end(taken, action);
        }
        if self.race.is_some() && self.model.has_data_races() {
            // What it says about the step is undefined.
            self.refusal = None;
        }
    }
}
