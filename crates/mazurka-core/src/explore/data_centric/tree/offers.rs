//! Processes that wait to read, and the writes that they have been offered.
//!
//! A process that waits to read a location may observe any write that enables it. When such a process has
//! its node, each write that it could observe there is a child. In all other executions below the node it
//! observes a later write, or never continues. So a write that it has been *offered* is not offered
//! again. See [waiting](super::super#waiting).

use smallvec::SmallVec;

use super::DataCentric;
use super::frame::{Changed, Offer};
use super::movable::Movable;
use crate::execution::Execution;
use crate::execution::cells::CellId;
use crate::explore::data_centric::graph::INITIAL;
use crate::explore::data_centric::graph::access::{AccessPart, Accesses, GroupAccess, gather};
use crate::explore::data_centric::waiting::{Condition, Prospect};
use crate::model::{Op, ProcessId, When};
use crate::search::strategy::Position;

impl DataCentric {
    /// Returns an enabled process that waits to read and has not been offered all writes. Adds nodes for
    /// such processes that are not enabled.
    pub(crate) fn whose_turn(&mut self, at: &Position<'_>) -> Option<ProcessId> {
        if !self.lessons.do_readers_wait() {
            return None;
        }
        for process in (0..at.machine.processes()).map(ProcessId::new) {
            if self.has_no_new_offer(at, process) {
                continue;
            }
            let Some(next) = self.wait_of(at, process) else { continue };
            let Some(wait) = next.accesses.iter().find(|access| access.waits) else { continue };
            let offered = self.offered_to(process.index());
            let all = self.graph.writes_to(wait.group).len() as u32 + 1;
            if offered == all {
                continue;
            }
            if at.machine.is_enabled(process) {
                return Some(process);
            }
            if let Some(initial) = next.conditions.iter().find_map(Condition::initial)
                && wait.simple
            {
                self.graph.note_initial(wait.group, initial);
            }
            self.defer(&next, wait, offered, at.execution);
        }
        None
    }

    /// Returns whether a process does not wait to read, or waits for one location and has been offered all
    /// writes to it. These are the common cases, and need no accesses.
    fn has_no_new_offer(&self, at: &Position<'_>, process: ProcessId) -> bool {
        if !at.machine.guards(process).is_empty() {
            return false;
        }
        let next = at.machine.next(process);
        let Some(wait) = next.filter(|action| action.waits && action.op == Op::Read) else {
            return true;
        };
        at.execution.cell_of(wait).is_some_and(|cell| {
            let all = self.graph.writes_to(self.lessons.group(cell)).len() as u32 + 1;
            self.offered_to(process.index()) == all
        })
    }

    /// Returns how many writes the next event of a process has been offered.
    pub(crate) fn offered_to(&self, process: usize) -> u32 {
        let offer = self.offers.get(process).copied().unwrap_or_default();
        match offer.number == self.graph.count(process) + 1 {
            true => offer.writes,
            false => 0,
        }
    }

    pub(crate) fn set_offer(&mut self, process: usize, offer: Offer) {
        if self.offers.len() <= process {
            self.offers.resize(process + 1, Offer::default());
        }
        self.offers[process] = offer;
    }

    /// Returns the next event of a process that waits to read or has guards, if it may turn out to be a read.
    fn wait_of(&self, at: &Position<'_>, process: ProcessId) -> Option<Movable> {
        let guards = at.machine.guards(process);
        // A step with guards need not perform an action.
        let next = at.machine.next(process);
        let may_read = next.is_none_or(|action| {
            action.op == Op::Read || (!action.waits && action.when != When::Always)
        });
        if !may_read || !at.machine.others(process).is_empty() {
            return None;
        }
        let actions = next.into_iter().chain(guards);
        let cells = actions.clone().map(|action| at.execution.cell_of(action));
        let cells: SmallVec<[CellId; 2]> = cells.collect::<Option<_>>()?;
        let actions = actions.zip(cells);
        let parts = actions.clone().map(|(action, cell)| AccessPart::pending(action, cell));
        let mut accesses = Accesses::new();
        gather(parts, at.execution, &self.lessons, &mut accesses);
        let conditions = actions.map(|(action, cell)| Condition::of_pending(action, cell));
        Some(Movable::pending(&self.graph, process.index(), accesses, conditions.collect()))
    }

    /// Offers all writes to an event that is not enabled now. If it could have observed one of them
    /// earlier, that is a node.
    fn defer(&mut self, next: &Movable, wait: &GroupAccess, offered: u32, execution: &Execution) {
        let Movable { process, number, .. } = *next;
        let writes = self.graph.writes_to(wait.group);
        let all = writes.len() as u32 + 1;
        let could_observe = |write| {
            let observed = (Some(write), self.graph.value_after(write, wait.group));
            let prospect = self.setting(execution).prospect(wait, &next.conditions, observed);
            !matches!(prospect, Prospect::Waits)
        };
        let mut writes = std::iter::once(INITIAL).chain(writes.iter().copied());
        if writes.by_ref().skip(offered as usize).any(could_observe) {
            let mut frame = self.spare.pop().unwrap_or_default();
            let counts = (0..self.graph.processes()).map(|process| self.graph.count(process));
            frame.reset(counts, process, number);
            (frame.waits, frame.is_deferred, frame.offered) = (true, true, offered);
            frame.offers.extend_from_slice(&self.offers);
            self.frames.push(frame);
        }
        self.set_offer(process, Offer { number, writes: all });
    }

    /// Restores the offers of the deepest node, for its child that `changed` distinguishes from the others.
    pub(crate) fn settle(&mut self, changed: &Changed) {
        let Some(frame) = self.frames.last() else { return };
        self.offers.clear();
        self.offers.extend_from_slice(&frame.offers);
        if frame.waits && (changed.process, changed.number) != (frame.process, frame.number) {
            let offer = Offer { number: frame.number, writes: frame.written };
            let process = frame.process;
            self.set_offer(process, offer);
        }
    }
}
