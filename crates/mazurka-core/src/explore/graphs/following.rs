//! Running one execution again.

use super::{Graphs, Move};
use crate::memory::Kind;
use crate::model::{Machine, View};
use crate::search::strategy::Next;

impl Graphs {
    /// Removes the moves that the schedule to follow does not take, if there is one.
    pub(super) fn keep_followed(&mut self, machine: &dyn Machine, moves: &mut Vec<Move>) {
        let depth = self.lineage().steps.len();
        let Some(schedule) = &self.follows else { return };
        let Some(step) = schedule.steps().get(depth).copied() else {
            // The first way to go on is one of them.
            moves.truncate(1);
            return;
        };
        let view = schedule.view(depth);
        let followed = moves.iter().copied().find(|this| match this {
            Move::Forward(attempt, _) => {
                attempt.process == step.process
                    && attempt.choice == step.choice
                    && self.view_of(machine, *this).is_some_and(|(own, value)| {
                        // The value that memory holds may be given or not.
                        let explicit = |view: View| View { sees: view.sees.or(value), ..view };
                        explicit(own) == explicit(view)
                    })
            }
            _ => false,
        });
        moves.clear();
        moves.extend(followed);
    }

    /// Returns what a step would see of memory, and the value that it would read, if it reads.
    pub(super) fn view_of(
        &mut self,
        machine: &dyn Machine,
        this: Move,
    ) -> Option<(View, Option<u64>)> {
        let Move::Forward(attempt, position) = this else { return None };
        let (events, edges) = {
            let graph = &self.lineage().graph;
            (graph.events().len(), graph.edges())
        };
        let next = self.take(machine, attempt, position);
        self.taking = None;
        let graph = &mut self.lineage_mut().graph;
        let read = graph.events().get(events).filter(|event| event.kind == Kind::Read);
        let value = read.map(|read| read.value);
        graph.truncate(events, edges);
        match next {
            Next::See(_, view) => Some((view, value)),
            _ => None,
        }
    }
}
