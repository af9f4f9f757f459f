//! Runs under a memory model.

use std::collections::HashMap;

use mazurka_core::explore::graphs::{Walk, Way};
use mazurka_core::memory::{EventId, Graph, INITIAL, Kind, MemoryModel};
use mazurka_core::model::{Ending, Machine, Performed, ProcessId, Step, View};
use mazurka_core::verdict::{Schedule, Violation};

use super::attempt::Stage;

/// An event of any graph: its process, and its number among the events of that process.
pub(super) type Name = (ProcessId, u32);

/// Returns the name of an event, or `None` for the initial write.
pub(super) fn name(graph: &Graph, event: EventId) -> Option<Name> {
    (event != INITIAL).then(|| {
        let event = graph.event(event);
        (event.process, event.index)
    })
}

/// Returns the event with this name.
pub(super) fn find(graph: &Graph, (process, index): Name) -> Option<EventId> {
    graph.events_of(process).get(index as usize - 1).copied()
}

/// What the steps of a run see of memory, and the execution graph.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) model: MemoryModel,
    pub(super) views: Vec<View>,
    pub(super) graph: Graph,
    pub(super) has_data_race: bool,
}

/// What the steps of a run are to read and write, as far as the memory model allows it.
#[derive(Clone, Debug)]
pub(super) enum Wishes {
    /// Exactly what the steps of a schedule see.
    Same(Schedule),
    /// The relations of a graph, in terms of the names of events.
    Relations {
        /// The write that each read reads from.
        reads: HashMap<Name, Option<Name>>,
        /// The position of each write in the coherence order of its location.
        positions: HashMap<Name, usize>,
    },
}

impl Wishes {
    /// Returns the relations of a graph.
    pub(super) fn of(graph: &Graph) -> Self {
        let named = |id: usize| name(graph, id as EventId);
        let reads = graph.events().iter().enumerate().filter(|(_, e)| e.kind == Kind::Read);
        let reads = reads.filter_map(|(id, e)| Some((named(id)?, name(graph, e.reads_from))));
        let orders = (0..graph.locations()).flat_map(|location| {
            let writes = graph.coherence(location).iter().enumerate();
            writes.filter_map(|(position, write)| Some((name(graph, *write)?, position)))
        });
        Wishes::Relations { reads: reads.collect(), positions: orders.collect() }
    }

    /// Wishes that a read reads from this write.
    pub(super) fn read(&mut self, read: Name, from: Option<Name>) {
        if let Wishes::Relations { reads, .. } = self {
            reads.insert(read, from);
        }
    }

    /// Wishes nothing of a read.
    pub(super) fn forget(&mut self, read: Name) {
        if let Wishes::Relations { reads, .. } = self {
            reads.remove(&read);
        }
    }

    /// Swaps the positions of two writes.
    pub(super) fn swap(&mut self, one: Name, other: Name) {
        if let Wishes::Relations { positions, .. } = self
            && let (Some(mine), Some(theirs)) =
                (positions.get(&one).copied(), positions.get(&other).copied())
        {
            positions.insert(one, theirs);
            positions.insert(other, mine);
        }
    }
}

/// A walk through graphs that follows wishes.
pub(super) struct Weak<'a, M> {
    walk: Walk<'a, M>,
    wishes: &'a Wishes,
    views: Vec<View>,
}

impl<'a, M: Machine> Weak<'a, M> {
    pub(super) fn new(
        machine: &'a mut M,
        model: MemoryModel,
        wishes: &'a Wishes,
    ) -> Result<Self, Box<Violation>> {
        Ok(Weak { walk: Walk::new(machine, model)?, wishes, views: Vec::new() })
    }

    /// Returns what the steps have seen.
    pub(super) fn seen(self, model: MemoryModel) -> Seen {
        let has_data_race = self.walk.has_data_race();
        Seen { model, views: self.views, graph: self.walk.graph().clone(), has_data_race }
    }

    /// Returns the way to take a step that is nearest to the wishes.
    fn choose(&mut self, step: Step) -> Option<Way> {
        let mut ways = self.walk.ways(step.process);
        ways.retain(|way| way.step() == step);
        let first = ways.first().copied()?;
        let wished = match self.wishes {
            Wishes::Same(schedule) => {
                let view = schedule.view(self.views.len());
                ways.iter().copied().find(|way| self.walk.view(*way) == view)
            }
            Wishes::Relations { reads, positions } => {
                let graph = self.walk.graph();
                let next = (step.process, graph.events_of(step.process).len() as u32 + 1);
                match first.reads_from() {
                    Some(_) => {
                        let from = reads.get(&next).copied();
                        let from = from.and_then(|from| match from {
                            None => Some(INITIAL),
                            Some(write) => find(graph, write),
                        });
                        ways.iter().copied().find(|way| way.reads_from() == from && from.is_some())
                    }
                    None => positions.get(&next).and_then(|wished| {
                        let writes = self.walk.machine().next(step.process)?.on;
                        let location =
                            (0..graph.locations()).rev().find(|l| graph.location(*l) == writes)?;
                        let is_before = |write: &EventId| {
                            let known = name(graph, *write).and_then(|name| positions.get(&name));
                            known.is_some_and(|position| position < wished)
                        };
                        let last = graph.coherence(location).iter().rposition(is_before);
                        let position = last.map_or(1, |last| last + 2);
                        // The lowest position that is possible from there on.
                        ways.iter().copied().rev().find(|way| way.position() >= position)
                    }),
                }
            }
        };
        Some(wished.unwrap_or(first))
    }
}

impl<M: Machine> Stage<M> for Weak<'_, M> {
    fn machine(&self) -> &M {
        self.walk.machine()
    }

    fn is_enabled(&mut self, process: ProcessId) -> bool {
        !self.walk.ways(process).is_empty()
    }

    fn is_possible(&mut self, step: Step) -> bool {
        step.process.index() < self.walk.machine().processes()
            && self.walk.ways(step.process).iter().any(|way| way.step() == step)
    }

    fn take(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let way = self.choose(step).expect("the step is possible");
        let (view, result) = self.walk.take(way, performed);
        self.views.push(view);
        result
    }

    fn ending(&self) -> Option<Ending> {
        self.walk.is_maximal().then(|| self.walk.machine().ending())
    }
}
