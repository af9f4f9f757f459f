//! What processes that wait to read have been offered.
//!
//! A process that waits to read a location may observe any write to it that lets it go on. When such a
//! process has its node, everything that it could observe there is a child; in all other executions below
//! that node, it observes something that is not there yet, or nothing. So what it has been *offered*
//! once is not looked at again. See [waiting](super#waiting).

use smallvec::SmallVec;

use super::super::strategy::Position;
use super::DataCentric;
use super::access::{Access, Accesses, Part, gather};
use super::frame::{Changed, Frame, Offer};
use super::record::INITIAL;
use crate::model::{Machine, Op, ProcessId};

impl DataCentric {
    /// A process that waits to read, and to which something new can be offered; see
    /// [waiting](super#waiting).
    pub(super) fn whose_turn<M: Machine>(&mut self, at: &Position<'_, M>) -> Option<ProcessId> {
        for process in (0..at.machine.processes()).map(ProcessId::new) {
            let Some(wait) = self.wait_of(at, process) else { continue };
            let offered = self.offered_to(process.index());
            let all = self.record.writes_to(wait.group).len() as u32 + 1;
            if offered == all {
                continue;
            }
            if at.machine.is_enabled(process) {
                return Some(process);
            }
            self.defer(process.index(), &wait, offered, all);
        }
        None
    }

    /// How much a process that waits for its next event is known not to observe.
    fn offered_to(&self, process: usize) -> u32 {
        let offer = self.offers.get(process).copied().unwrap_or_default();
        match offer.number == self.record.count(process) + 1 {
            true => offer.writes,
            false => 0,
        }
    }

    fn set_offer(&mut self, process: usize, offer: Offer) {
        if self.offers.len() <= process {
            self.offers.resize(process + 1, Offer::default());
        }
        self.offers[process] = offer;
    }

    /// What a process is about to do, if it waits to read one location.
    fn wait_of<M: Machine>(&self, at: &Position<'_, M>, process: ProcessId) -> Option<Access> {
        let guards = at.machine.guards(process);
        let action = at.machine.next(process)?;
        let is_wait = action.waits || !guards.is_empty();
        if action.op != Op::Read || !is_wait || !at.machine.others(process).is_empty() {
            return None;
        }
        let actions = std::iter::once(action).chain(guards);
        let parts =
            actions.map(|action| Some(Part::pending(action, at.execution.cell_of(action)?)));
        let parts: SmallVec<[Part; 2]> = parts.collect::<Option<_>>()?;
        let mut accesses = Accesses::new();
        gather(parts.iter().copied(), at.execution, &self.lessons, &mut accesses);
        match accesses.as_slice() {
            [access] if access.reads && !access.writes => Some(*access),
            _ => None,
        }
    }

    /// Leaves out an event that cannot come about now. If it could have before, there is a node for
    /// that.
    fn defer(&mut self, process: usize, wait: &Access, offered: u32, all: u32) {
        let number = self.record.count(process) + 1;
        let writes =
            std::iter::once(INITIAL).chain(self.record.writes_to(wait.group).iter().copied());
        let could_observe = |write| {
            let value = self.record.value_after(write, wait.group);
            value.is_none_or(|value| wait.when.holds(value))
        };
        if writes.skip(offered as usize).any(could_observe) {
            let mut frame = self.spare.pop().unwrap_or_default();
            let counts = (0..self.record.processes()).map(|process| self.record.count(process));
            frame.reset(counts, process, number);
            (frame.waits, frame.is_deferred, frame.offered) = (true, true, offered);
            frame.offers.extend_from_slice(&self.offers);
            self.frames.push(frame);
        }
        self.set_offer(process, Offer { number, writes: all });
    }

    /// How many writes there are among the events of a node to what its next event waits for, the
    /// initial value included.
    fn offers_within(&self, frame: &Frame) -> u32 {
        let Some(group) = frame.observes.first() else { return 0 };
        let is_within = |write: &&u32| {
            let event = self.record.event(**write);
            frame.has(event.process, event.number)
        };
        self.record.writes_to(*group).iter().filter(is_within).count() as u32 + 1
    }

    /// Takes up the offers that were made before the deepest node, one of whose children is told from
    /// the others by this event.
    pub(super) fn settle(&mut self, changed: &Changed) {
        let Some(frame) = self.frames.last() else { return };
        self.offers.clear();
        self.offers.extend_from_slice(&frame.offers);
        if frame.waits && (changed.process, changed.number) != (frame.process, frame.number) {
            let offer = Offer { number: frame.number, writes: self.offers_within(frame) };
            let process = frame.process;
            self.set_offer(process, offer);
        }
    }
}
