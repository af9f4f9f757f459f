//! Steps that have only one way.
//!
//! Most steps inside of critical sections are of this kind: happens-before orders all other accesses to their
//! locations. Such a step needs no frame. It reads from the last write and comes last in coherence order, so
//! that nothing follows its events, and the graph stays consistent.

use super::events::{is_access, push_access};
use super::moves::shape;
use super::observed::add_access;
use super::{Attempt, Graphs};
use crate::memory::EventId;
use crate::model::{Action, Machine, ProcessId, Step, View, Ways};
use crate::search::Coherence;
use crate::search::strategy::Next;

impl Graphs {
    /// Takes the next step of the process of the last event, which [`pick`](Self::pick) returns, if it does
    /// not wait and there is only one way.
    pub(super) fn go_on_forced(&mut self, machine: &dyn Machine) -> Option<Next> {
        let graph = &self.lineage().graph;
        let last = graph.events().last()?;
        let process = last.process;
        let action = machine.next(process)?;
        let is_held = |graphs: &Self| {
            graphs.reduces_symmetry && graphs.lineage().graph.waits_for_elder(process)
        };
        if last.is_blocked || action.waits || !machine.is_enabled(process) || is_held(self) {
            return None;
        }
        self.take_only(machine, process, action)
    }

    /// Takes the next step of a process, if it is known without a search that there is only one way.
    pub(super) fn take_forced(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
    ) -> Option<Next> {
        let action = machine.next(process)?;
        self.take_only(machine, process, action)
    }

    fn take_only(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
        action: &Action,
    ) -> Option<Next> {
        if !is_access(action)
            || action.ways != Ways::One
            || self.orders_arrivals && action.is_arrival()
            || self.follows.is_some()
            || !machine.guards(process).is_empty()
            || machine.alternatives(process) != 1
        {
            return None;
        }
        let location = self.location_of(machine, process, action)?;
        let (model, coherence) = (self.model, self.coherence);
        let graph = &mut self.lineage_mut().graph;
        let last = graph.last_write(location);
        let shape = shape(action, graph.value_of(location, last), 0);
        let reads_from = shape.reads.then_some(last);
        let is_ordered = match coherence {
            Coherence::Total => graph.is_settled(process, location),
            Coherence::Observed if shape.reads => {
                graph.is_chain(location) && graph.is_settled(process, location)
            }
            Coherence::Observed => true,
        };
        if !is_ordered
            || shape.is_blocked
            || shape.writes && !graph.has_seen_reads(process, location, reads_from)
        {
            return None;
        }
        let attempt = Attempt { process, choice: 0, reads_from, stamp: None };
        let (first, edges) = (graph.events().len() as EventId, graph.edges());
        let view = match coherence {
            Coherence::Total => {
                let position = graph.coherence(location).len() + 1;
                push_access(graph, action, location, attempt, position, model);
                debug_assert_eq!(self.view(machine, process, first), View::PRESENT);
                View::PRESENT
            }
            Coherence::Observed => {
                let is_consistent = add_access(graph, action, location, attempt, model);
                debug_assert!(is_consistent, "a step was not forced");
                self.view(machine, process, first)
            }
        };
        Some(self.begin_seeing(Step { process, choice: 0 }, view, first, edges))
    }
}
