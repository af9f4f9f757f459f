//! Steps that the process of a write takes before a read is revisited by that write.
//!
//! When a write `w` revisits a read `r`, the read keeps its early stamp. If another write revisits `r` later,
//! all that was added after `r` is deleted, except for the prefix of that write. With a lock, `r` belongs to
//! a thread that is overtaken by one thread after the other, and each time the critical sections of the
//! threads before it would be run again.
//!
//! `next_P` may be any function of the search so far. So the process of `w` goes on first, as long as it has
//! only one move. The machine takes these steps before that of `r`: they are *ahead*. If `r` is revisited
//! again, they are deleted and then added again at once, as the first events after the revisit. They are
//! then *carried* over: the machine need not take them again.
//!
//! # Why this is the same
//!
//! A step ahead of `r` does not access the location of `r`. So `r` does not change which writes it may read
//! from by coherence, and which reads its write may revisit. More events never make a graph consistent that
//! was not, and what is added maximally is always consistent. So the only move without `r` is the only move
//! with `r`. Likewise, a step is carried over only if no event that remains, and that the machine runs after
//! it, accesses its locations.
//!
//! A step cannot be ahead if it writes more than its first action does, if an edge orders it before `r`, or if
//! it ends a block of memory, which other events may access. This is known after the step. The revisit then
//! starts over without steps ahead.

use super::events::{is_access, is_end_of_block};
use super::revisit::Revisitor;
use super::{Graphs, Lineage, Move, Scripted};
use crate::memory::{EventId, Graph};
use crate::model::{Machine, Performed, ProcessId};
use crate::search::strategy::Next;

impl Graphs {
    /// Returns a step ahead of the read that is revisited next, if there is one.
    pub(super) fn step_ahead(&mut self, machine: &dyn Machine) -> Option<Next> {
        let Some(&Scripted::Read { process: reader, writer, .. }) = self.script.front() else {
            return None;
        };
        if !self.runs_ahead || self.has_failed {
            return None;
        }
        let read = machine.next(reader)?.on;
        if machine.next(writer).is_some_and(|action| action.on.overlaps(read))
            || !machine.guards(writer).is_empty()
            || !self.can_go_on(machine, writer)
        {
            return None;
        }
        // An access that does not wait has one move only if that is known without a search, or by chance.
        let is_free = machine.next(writer).is_some_and(|action| is_access(action) && !action.waits);
        let only = match is_free {
            true => self.forced(machine, writer),
            false => self.only_move(machine, writer),
        };
        let Some(Move::Forward(attempt, position)) = only else { return None };
        let next = self.take(machine, attempt, position);
        if let Some(taking) = &mut self.taking {
            taking.is_ahead = true;
        }
        Some(next)
    }

    /// Returns the only move of a process.
    fn only_move(&mut self, machine: &dyn Machine, process: ProcessId) -> Option<Move> {
        let mut moves = self.spare_moves.pop().unwrap_or_default();
        self.choose_step(machine, process, None, &mut moves);
        let only = match moves[..] {
            [only] => Some(only),
            _ => None,
        };
        moves.clear();
        self.spare_moves.push(moves);
        only
    }

    /// Notes that a step ahead of the read that is revisited next cannot be there.
    pub(super) fn check_ahead(&mut self, performed: &Performed, writes_more: bool) {
        let Some(&Scripted::Read { process: reader, .. }) = self.script.front() else { return };
        let is_before = performed.edges.iter().any(|edge| edge.to == reader);
        let ends_block = performed.actions.iter().any(is_end_of_block);
        self.has_overrun |= writes_more || is_before || ends_block;
    }

    /// Notes which revisit begins.
    pub(super) fn begin_revisit(&mut self, revisit: Move) {
        self.revisit = Some(revisit);
        self.runs_ahead = !std::mem::take(&mut self.has_overrun);
    }

    /// Prepares to revisit again, without steps ahead.
    pub(super) fn retry_revisit(&mut self) -> usize {
        let over = self.lineages.pop().expect("the lineage of the revisit");
        let shared = over.shared;
        self.spare.push(over);
        let again = self.revisit.take().expect("the revisit that has begun");
        let parent = self.lineage_mut();
        parent.graph.is_reordered = true;
        let frame = parent.frames.last_mut().expect("the frame of the revisit");
        frame.moves.push(again);
        frame.begun -= 1;
        shared
    }

    /// Gives the events that are carried over stamps as if they were added now.
    pub(super) fn restamp(&mut self) {
        let carried = std::mem::take(&mut self.carried);
        let Lineage { graph, steps, .. } = self.lineage_mut();
        let events = carried.iter().flat_map(|step| {
            let taken = steps[*step];
            taken.first..taken.first + taken.events
        });
        graph.restamp(events);
        self.carried = carried;
    }
}

/// Returns how many of the first `steps` steps a lineage has in common with its parent if a read is revisited.
/// Collects those that are `carried` over, and marks their events as kept.
pub(super) fn share(
    parent: &Lineage,
    by: Revisitor,
    read: EventId,
    steps: usize,
    kept: &mut [bool],
    carried: &mut Vec<usize>,
) -> usize {
    carried.clear();
    let graph = &parent.graph;
    let mut met = Vec::new();
    let mut checked = 0;
    for (index, step) in parent.steps[..steps].iter().enumerate() {
        let (first, end) = (step.first as usize, (step.first + step.events) as usize);
        if kept[first] {
            continue;
        }
        if !step.is_ahead || kept[checked..first].contains(&false) {
            return index;
        }
        if met.is_empty() {
            met = last_accesses(graph, by, read, step.first, kept);
        }
        let is_met = |e: EventId| {
            let location = graph.event(e).location_if_memory();
            location.is_some_and(|location| {
                let mut all = graph.overlapping(location).iter().chain([&location]);
                all.any(|location| met[*location as usize] > e)
            })
        };
        if (step.first..end as EventId).any(is_met) {
            return index;
        }
        kept[first..end].fill(true);
        checked = end;
        carried.push(index);
    }
    steps
}

/// Returns, for each location, the last event that accesses it, of those from `first` on that remain if a read
/// is revisited. Returns 0 if there is none.
fn last_accesses(
    graph: &Graph,
    by: Revisitor,
    read: EventId,
    first: EventId,
    kept: &[bool],
) -> Vec<EventId> {
    let mut last = vec![0; graph.locations() as usize];
    for e in first..graph.events().len() as EventId {
        let remains = kept[e as usize] || e >= by.first || e == read;
        if let Some(location) = graph.event(e).location_if_memory().filter(|_| remains) {
            last[location as usize] = e;
        }
    }
    last
}
