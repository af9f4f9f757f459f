//! Symmetry reduction: graphs that differ by a permutation of *twins* count as one.
//!
//! Twins are processes that were created by one step, one after the other, with the same code and the same
//! arguments; see [`Machine::twin`]. A permutation of twins turns a graph of the program into another one.
//! The graphs that permutations make out of one are its *orbit*. The idea is that of SPORE: Kokologiannakis,
//! Marmanis, Vafeiadis, *SPORE: Combining Symmetry and Partial Order Reduction* (PLDI 2024). What follows is
//! adapted to models in which reading from a later write may come first in `po ∪ rf`.
//!
//! # Equal twins
//!
//! Let `a` and `b` be twins, `a` created first: `a` is an *elder* of `b`. Their `k`-th events `a.k` and `b.k`
//! are *equal* if all earlier ones are, they have the same label, and
//!
//! * they read from the same write, or each from a write of its own process, with the same index;
//! * they write to different locations. Equal twins do the same, so these are objects of their own. With
//!   observed coherence, they may also write to one location, as nothing orders the two writes yet.
//!
//! No event is equal to another if only one process was released before it, as by a notification.
//!
//! # The restriction
//!
//! Let all events of `a` and `b` before `a.k` and `b.k` be equal. Then
//!
//! 1. `b.k` *waits* for `a.k`: `b` is not picked before `a.k` is there, and `a.k` belongs to the prefix of
//!    `b.k`. So a write in whose prefix `b.k` is does not revisit `a.k`, and keeps it when it revisits another
//!    read.
//! 2. `b.k` does not come *before* `a.k`: by the place of the write that a read reads from, or of the write
//!    itself, in coherence order; and otherwise by the choice, where 0 comes last. With observed coherence,
//!    only a write that happens before another one, or is the initial one, comes before it; and writes
//!    are not compared.
//! 3. Rule 2 does not hold if there is a reason why `b.k` comes so late: the prefix of the write that it reads
//!    from contains `c.k`, where `c` is `a`, or between `a` and `b`, and equal to them so far.
//!
//! Let `C` be `po ∪ rf` together with the order of rule 1. A graph is *canonical* if `C` has no cycle and
//! rule 2 holds.
//!
//! # Every orbit has a canonical graph
//!
//! Take a linear extension of `po ∪ rf`, in which equal events are at the place of the first of them; this is
//! possible because they have the same prefix. Name the twins by the order of their first events that are not
//! equal. Then `C` has no cycle. So each orbit has a graph in which `C` has no cycle. Of these, take one that
//! is the least: compare two by listing, for each set of twins that are equal up to some point, their next
//! events in the order of the twins.
//!
//! Suppose that `b.k` comes before `a.k` there without a reason. Let `b` be the first such twin of those that
//! are equal to it at `k`. Move it ahead of `a`. This changes the order of `b` and the twins `c` from `a` up
//! to `b` alone, and no `c.k` equals `b.k`. If there were a cycle now, it would lead from some `c.k` to `b.k`
//! by the old `C`, and not by rule 1 at the end. It cannot pass through the previous event of `b` either,
//! because that is equal to the one of `c`. So `c.k` would be in the prefix of the write that `b.k` reads
//! from, and that is a reason. Hence there is no cycle, and the new graph is less than the least one.
//!
//! # Every canonical graph is visited
//!
//! Rule 1 adds edges to the relation that TruSt calls the prefix, as if an event of the process had a
//! dependency. TruSt visits all graphs in which that relation has no cycle, once each, provided that the edges
//! into an event depend on its prefix alone: whether `b.k` waits for `a.k` depends on earlier events, which a
//! revisit of `b.k` or of `a.k` keeps.
//!
//! It reaches a graph by way of graphs that consist of a part of it, which contains the prefixes of its
//! events, and of events that were added maximally. All of these are canonical, so that none of them is
//! dropped: if `a.k` and `b.k` are in that part, they are as in the graph. If `b.k` is, then so is
//! `a.k`. Otherwise `b.k` was added maximally, and after `a.k`. With total coherence, a maximal event reads
//! from or is the last write, and makes the choice 0. With observed coherence, it does not read from the
//! initial write if there is another one, nor from a write that happens before another one. So it
//! does not come before `a.k`.
//!
//! A process waits in vain if an elder never takes its next step. With total coherence there is no such graph
//! at the end of an execution: equal twins can do the same. With observed coherence, two equal twins may have
//! written to one location, and a third process may have read one of the writes. Such an execution is a
//! variant of another one, and counts as blocked.
//!
//! # How many graphs of an orbit are visited
//!
//! With total coherence, one, if the model is such that `C` and the order of rule 2 together have no cycle,
//! as `sc` is: there are no reasons then, and the twins are sorted. In weaker models, the least event of some
//! twins may depend on an event of other twins, and these on the first ones. Then there may be several.
//!
//! With observed coherence there may be several as well: twins that differ only in which of their writes is
//! read later, or in which of two unordered writes they read from, are not sorted.
//!
//! Of the graphs of an orbit that are visited, exactly one counts. The file `orbits` decides which.

use super::events::{is_access, push_access};
use super::{Graphs, Move};
use crate::model::{Machine, ProcessId};
use crate::search::Coherence;

impl Graphs {
    /// Tells the graph which processes are twins.
    pub(super) fn meet_twins(&mut self, machine: &dyn Machine) {
        let is_total = self.coherence == Coherence::Total;
        let processes = (0..machine.processes()).map(ProcessId::new);
        let elders = processes.map(|process| machine.twin(process));
        self.lineage_mut().graph.set_twins(is_total, elders);
    }

    /// Returns whether a process can go on, and does not have to wait for an elder.
    pub(super) fn may_go_on(&mut self, machine: &dyn Machine, process: ProcessId) -> bool {
        let is_held = self.reduces_symmetry && self.lineage().graph.waits_for_elder(process);
        !is_held && self.can_go_on(machine, process)
    }

    /// Returns whether there is a process that could go on if it did not have to wait for an elder.
    pub(super) fn has_held(&mut self, machine: &dyn Machine) -> bool {
        self.reduces_symmetry
            && (0..machine.processes()).map(ProcessId::new).any(|process| {
                self.lineage().graph.waits_for_elder(process) && self.can_go_on(machine, process)
            })
    }

    /// Removes the moves of a process with which it comes before an elder.
    pub(super) fn keep_canonical(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
        moves: &mut Vec<Move>,
    ) {
        if self.lineage().graph.has_equal_elder(process) {
            moves.retain(|this| self.is_canonical(machine, *this));
        }
    }

    /// Returns whether the events of a move do not come before those of elders. Of a write that revisits, that
    /// is not known before it has its place in coherence order.
    fn is_canonical(&mut self, machine: &dyn Machine, this: Move) -> bool {
        let model = self.model;
        let graph = &self.lineage().graph;
        let (first, edges) = (graph.events().len(), graph.edges());
        match this {
            Move::Forward(attempt, position) => {
                self.take(machine, attempt, position);
                self.taking = None;
            }
            Move::Block(attempt) => self.block(machine, attempt),
            Move::Revisits(attempt) => {
                let action = self.next_action(machine, attempt.process).filter(is_access);
                let Some(action) = action else { return true };
                let graph = &mut self.lineage_mut().graph;
                let location = graph.intern(action.on);
                let last = graph.coherence(location).len() + 1;
                push_access(graph, &action, location, attempt, last, model);
            }
            _ => return true,
        }
        let graph = &mut self.lineage_mut().graph;
        let is_canonical = (first..graph.events().len()).all(|e| graph.is_canonical(e as u32));
        graph.truncate(first, edges);
        is_canonical
    }
}
