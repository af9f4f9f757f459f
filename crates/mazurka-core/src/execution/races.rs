//! The races of an execution: races to be reversed, and data races on plain memory.

use super::cells::{CellId, NO_EVENT};
use super::clock::{assign, meet};
use super::event::{Declared, Event};
use super::order::Relation;
use super::{Access, Execution};
use crate::model::{Action, Machine, Op, ProcessId};

/// A reversible race between two events of different processes. The events are dependent, no event
/// in between orders them, and the process of the second could have taken its step before the
/// first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Race {
    pub(crate) first: u32,
    pub(crate) second: u32,
    /// The event that makes them dependent by observing their order, or [`NO_EVENT`] if they are
    /// dependent in any case.
    pub(crate) observer: u32,
    /// Whether its reversal is [done](Execution::note_done).
    pub(super) is_done: bool,
}

impl Race {
    pub(crate) fn new(first: u32, second: u32) -> Self {
        Race { first, second, observer: NO_EVENT, is_done: false }
    }

    pub(crate) fn observed_by(self, observer: u32) -> Self {
        Race { observer, ..self }
    }
}

impl Execution {
    /// Returns the races whose second event, or observer, is at position `from` or later.
    pub(crate) fn races_since(&self, from: usize) -> &[Race] {
        match self.events.get(from) {
            Some(event) => &self.races[event.races as usize..],
            None => &[],
        }
    }

    /// Collects the races whose reversal may not have been planned yet: races that are new since
    /// `from`, and races whose reversal depends on the events since then.
    ///
    /// The reversal of a race depends on every event that does not happen after its first event. If
    /// all events since `from` happen after it, the race has been handled in an earlier execution.
    ///
    /// With observers, this holds only if the happens-before relation among the first `from` events
    /// is unchanged. `settled` says that in some earlier execution, the later events did not
    /// [unsettle](Execution::leaves_settled) these. Moreover, unless it is
    /// [done](Execution::note_done), the reversal of an observed race depends on two more things:
    /// every event that does not happen after the observer, and the known rivals of its receives.
    ///
    /// Later events may have ordered the two events in another way: see
    /// [`Relation::is_still_a_race`].
    pub(crate) fn open_races<R: Relation>(
        &mut self,
        from: usize,
        settled: bool,
        races: &mut Vec<u32>,
    ) {
        races.clear();
        let new = self.events.get(from).map_or(self.races.len(), |event| event.races as usize);
        let settled = !R::ORDERS_LATER || (settled && self.leaves_settled(from));
        if settled && new > 0 {
            let common = self.common_past(from);
            let revealed = self.revealed(from);
            let is_open = |race: &Race| {
                let needs_first = race.is_done || race.observer == NO_EVENT;
                let mark = if needs_first { race.first } else { race.observer };
                let mark = &self.events[mark as usize];
                (race.first < revealed && !race.is_done)
                    || common[mark.step.process.index()] < mark.number
            };
            let old = (0..).zip(&self.races[..new]);
            races.extend(old.filter(|(_, race)| is_open(race)).map(|(index, _)| index));
            self.scratch = common;
        } else {
            races.extend(0..new as u32);
        }
        races.extend(new as u32..self.races.len() as u32);
    }

    /// Returns one of the [open races](Self::open_races).
    #[inline]
    pub(crate) fn race(&self, index: u32) -> Race {
        self.races[index as usize]
    }

    /// Sets whether the reversal of an open race has been planned or explored, independently of
    /// later knowledge about messages and of events that happen after its first event.
    ///
    /// The mark stays valid in all other continuations in which no later event orders earlier
    /// events, and all later events happen after the first event of the race. It is not set if some
    /// event is unsettled now, because it may be settled in another continuation. It is not set
    /// with late names either, because more than messages may become known.
    ///
    /// Three senders of two messages each to one mailbox, `observers`: 2.76 million instructions
    /// without this, 2.56 million with it.
    #[inline]
    pub(crate) fn note_done(&mut self, index: u32, is_done: bool) {
        self.races[index as usize].is_done = is_done && self.is_settled() && !self.names_late;
    }

    /// Returns, for each process, how many of its events happen before all events since `from`.
    fn common_past(&mut self, from: usize) -> Vec<u32> {
        let mut common = std::mem::take(&mut self.scratch);
        // The events before the first event of each process happen before its later events, too.
        // Adding one makes `NO_EVENT` smaller than any event.
        let is_first = |event: &&Event| (event.before.1.wrapping_add(1) as usize) <= from;
        let mut events = self.events[from.min(self.events.len())..].iter().filter(is_first);
        match events.next() {
            Some(first) => assign(&mut common, self.clocks.of(first.clock)),
            None => {
                common.clear();
                common.resize(self.processes.len(), u32::MAX);
            }
        }
        events.for_each(|event| meet(&mut common, self.clocks.of(event.clock)));
        common
    }

    /// Returns whether no event orders earlier events.
    #[inline]
    pub(crate) fn is_settled(&self) -> bool {
        self.unsettling == 0
    }

    /// Returns whether the events after the first `len` leave the happens-before relation among
    /// these unchanged.
    pub(crate) fn leaves_settled(&self, len: usize) -> bool {
        // In most executions, no event is unsettled.
        self.is_settled()
            || self.events[len.min(self.events.len())..]
                .iter()
                .all(|event| event.unsettles == NO_EVENT || event.unsettles as usize >= len)
    }

    /// Takes the data race on plain memory that was found last.
    #[inline]
    pub(crate) fn take_data_race(&mut self) -> Option<Race> {
        self.data_race.take()
    }

    /// Returns the location of a race.
    pub(crate) fn cell_of_race(&self, race: Race) -> Option<CellId> {
        let of_first = self.accesses_of(race.first as usize);
        let shared = |access: &&Access| of_first.iter().any(|other| other.cell == access.cell);
        self.accesses_of(race.second as usize).iter().find(shared).map(|access| access.cell)
    }

    /// Collects into `firsts` the events that a process would race with if it performed its pending
    /// action now, latest first.
    pub(crate) fn races_of_pending<R: Relation>(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
        firsts: &mut Vec<u32>,
    ) {
        firsts.clear();
        let is_alone = machine.guards(process).is_empty() && machine.others(process).is_empty();
        let takes = |action: &Action| matches!(action.op, Op::Take { .. });
        // No other process takes the message that a receive waits for.
        if is_alone && machine.next(process).is_some_and(takes) {
            return;
        }
        self.admit(machine.processes());
        // Perform the actions and undo them.
        let (accesses, races, data_race) =
            (self.accesses.len(), self.races.len(), self.data_race.take());
        let event = self.events.len() as u32;
        let others = machine.guards(process).iter().chain(machine.others(process));
        for action in machine.next(process).into_iter().chain(others) {
            let cell = self.cell(machine, action.on);
            self.link::<R>(cell, event, action, &Declared::of(action), false);
        }
        let (end, rivals) = (self.accesses.len(), self.messages.rivalries());
        let clock = self.clocks.copy(self.processes[process.index()].clock);
        self.order::<R>(process, clock, accesses..end, rivals, event);
        firsts.extend(self.races[races..].iter().map(|race| race.first));
        self.clocks.free_from(clock);
        self.races.truncate(races);
        self.unlink_from(accesses);
        self.data_race = data_race;
    }
}
