//! The current configuration, `C` in the paper, and the configurations within it.
//!
//! The configuration is kept as one of its interleavings. A configuration within it is a *history*: the
//! number of events of each process. That suffices because the events of one process are totally ordered
//! in a configuration.

use super::event::{EventAccess, EventAccesses, EventId, Parents, separates};
use super::prefix::Prefix;
use crate::execution::cells::CellId;
use crate::execution::{Access, Execution};
use crate::explore::unfolding::names::Names;
use crate::model::{Op, ProcessId, Step, dependence};

/// One event of the current configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) id: EventId,
    pub(crate) step: Step,
    pub(crate) number: u32,
    pub(crate) alternatives: u32,
    accesses: (u32, u32),
}

/// The current configuration.
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    members: Vec<Member>,
    /// The accesses of all events, in order.
    accesses: Vec<Access>,
    /// For each event how many events of each process are in its local configuration.
    clocks: Vec<u32>,
    /// For each event the past of its process: what happens before the event whatever it accesses.
    pasts: Vec<u32>,
    width: usize,
    /// The events of each process.
    chains: Vec<Vec<u32>>,
    /// The accesses to each cell.
    cells: Vec<Vec<u32>>,
}

impl Configuration {
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns how many processes there is room for: the length of histories.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    #[inline]
    pub(crate) fn member(&self, index: usize) -> &Member {
        &self.members[index]
    }

    pub(crate) fn members(&self) -> &[Member] {
        &self.members
    }

    #[inline]
    pub(crate) fn clock(&self, index: usize) -> &[u32] {
        &self.clocks[index * self.width..(index + 1) * self.width]
    }

    #[inline]
    pub(crate) fn past(&self, index: usize) -> &[u32] {
        &self.pasts[index * self.width..(index + 1) * self.width]
    }

    #[inline]
    pub(crate) fn accesses_of(&self, index: usize) -> &[Access] {
        let (start, end) = self.members[index].accesses;
        &self.accesses[start as usize..end as usize]
    }

    /// Returns the accesses to a cell, the latest first.
    #[inline]
    pub(crate) fn accesses_to(&self, cell: CellId) -> impl Iterator<Item = &Access> + '_ {
        let of_cell = self.cells.get(cell.0 as usize).map_or(&[][..], Vec::as_slice);
        of_cell.iter().rev().map(|access| &self.accesses[*access as usize])
    }

    /// Returns the accesses to a cell before the event `index`, and those from there on, the earliest
    /// first.
    pub(crate) fn accesses_around(
        &self,
        cell: CellId,
        index: usize,
    ) -> (impl DoubleEndedIterator<Item = &Access> + '_, impl Iterator<Item = &Access> + '_) {
        let of_cell = self.cells.get(cell.0 as usize).map_or(&[][..], Vec::as_slice);
        let access = |access: &u32| &self.accesses[*access as usize];
        let (before, after) =
            of_cell.split_at(of_cell.partition_point(|a| (access(a).event as usize) < index));
        (before.iter().map(access), after.iter().map(access))
    }

    /// Returns the event of a process with this number, if it is there.
    pub(crate) fn find(&self, process: ProcessId, number: u32) -> Option<usize> {
        let event = self.chains.get(process.index())?.get(number.checked_sub(1)? as usize)?;
        Some(*event as usize)
    }

    /// Returns how many events of a process there are.
    pub(crate) fn events_of(&self, process: ProcessId) -> u32 {
        self.chains.get(process.index()).map_or(0, |chain| chain.len() as u32)
    }

    /// Returns the event of a process with this number, which may be 0 for none.
    pub(crate) fn last_of(&self, process: ProcessId, number: u32) -> Option<usize> {
        let index = number.checked_sub(1)? as usize;
        Some(self.chains[process.index()][index] as usize)
    }

    /// Returns whether an event is in a history.
    #[inline]
    pub(crate) fn is_in(&self, index: usize, history: &[u32]) -> bool {
        let Member { step, number, .. } = self.members[index];
        history[step.process.index()] >= number
    }

    /// Returns whether the event at one position happens before the one at a later position.
    #[inline]
    pub(crate) fn happens_before(&self, first: usize, second: usize) -> bool {
        self.is_in(first, self.clock(second))
    }

    /// Makes room for this many processes.
    pub(crate) fn widen(&mut self, processes: usize) {
        if processes <= self.width {
            return;
        }
        let width = processes.next_power_of_two().max(4);
        for clocks in [&mut self.clocks, &mut self.pasts] {
            let mut wider = Vec::with_capacity(self.members.len() * width);
            for clock in clocks.chunks_exact(self.width.max(1)) {
                wider.extend_from_slice(clock);
                wider.resize(wider.len() + width - self.width, 0);
            }
            *clocks = wider;
        }
        self.width = width;
        self.chains.resize_with(width, Vec::new);
    }

    /// Adds the last event of an execution. [`Configuration::identify`] gives it its id.
    pub(crate) fn push(&mut self, execution: &Execution, names: &Names) {
        let index = execution.len() - 1;
        debug_assert_eq!(index, self.members.len());
        let event = execution.event(index);
        let copies = [(event.clock, &mut self.clocks), (event.before.0, &mut self.pasts)];
        for (clock, into) in copies {
            let components = execution.clocks.of(clock);
            let end = into.len() + self.width;
            into.extend_from_slice(&components[..components.len().min(self.width)]);
            into.resize(end, 0);
        }
        let start = self.accesses.len() as u32;
        for access in execution.accesses_of(index) {
            let object = names.object(execution, access.cell).unwrap_or(access.cell);
            let cell = object.0 as usize;
            if self.cells.len() <= cell {
                self.cells.resize_with(cell + 1, Vec::new);
            }
            self.cells[cell].push(self.accesses.len() as u32);
            self.accesses.push(Access { cell: object, ..*access });
        }
        self.chains[event.step.process.index()].push(index as u32);
        self.members.push(Member {
            id: EventId::NONE,
            step: event.step,
            number: event.number,
            alternatives: event.alternatives,
            accesses: (start, self.accesses.len() as u32),
        });
    }

    /// Replaces a cell by another one, which the configuration does not access.
    pub(crate) fn rename(&mut self, from: CellId, to: CellId) {
        let Some(list) = self.cells.get_mut(from.0 as usize).map(std::mem::take) else { return };
        if list.is_empty() {
            return;
        }
        list.iter().for_each(|access| self.accesses[*access as usize].cell = to);
        let index = to.0 as usize;
        self.cells.resize_with(self.cells.len().max(index + 1), Vec::new);
        self.cells[index] = list;
    }

    /// Sets the id of the last event.
    pub(crate) fn identify(&mut self, id: EventId) {
        if let Some(last) = self.members.last_mut() {
            last.id = id;
        }
    }

    /// Removes all events but the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.members.len() > len {
            let Some(member) = self.members.pop() else { return };
            let start = member.accesses.0 as usize;
            for access in self.accesses.drain(start..) {
                self.cells[access.cell.0 as usize].pop();
            }
            self.chains[member.step.process.index()].pop();
        }
        self.clocks.truncate(len * self.width);
        self.pasts.truncate(len * self.width);
    }

    /// Returns the maximal events of a history, sorted.
    pub(crate) fn maximal(&self, history: &[u32]) -> Parents {
        let last = |process: usize| match history[process] {
            0 => None,
            events => Some(self.chains[process][events as usize - 1] as usize),
        };
        let lasts = || (0..self.width).filter_map(|process| Some((process, last(process)?)));
        let mut maximal: Parents = lasts()
            .filter(|(process, _)| {
                let covers = |(other, index): (usize, usize)| {
                    other != *process && self.clock(index)[*process] >= history[*process]
                };
                !lasts().any(covers)
            })
            .map(|(_, index)| self.members[index].id)
            .collect();
        maximal.sort_unstable();
        maximal
    }

    /// Returns the last event within a history that [separates] what does `op` to a cell from
    /// others.
    pub(crate) fn base(&self, cell: CellId, op: Op, history: &[u32]) -> EventId {
        let mut accesses = self.accesses_to(cell);
        accesses
            .find(|access| separates(access.op, op) && self.is_in(access.event as usize, history))
            .map_or(EventId::NONE, |access| self.member(access.event as usize).id)
    }

    /// Returns the accesses of an event of the configuration, with their bases in its history.
    pub(crate) fn touches(&self, index: usize, history: &[u32]) -> EventAccesses {
        let accesses = self.accesses_of(index).iter();
        let touch = |access: &Access| EventAccess {
            cell: access.cell,
            op: access.op,
            base: self.base(access.cell, access.op, history),
            plain: access.plain,
        };
        accesses.map(touch).collect()
    }

    /// Returns one of the first `len` events that is in conflict with an event outside of them, not counting
    /// conflicts of its causes.
    pub(crate) fn excluded_by(
        &self,
        prefix: &Prefix,
        event: EventId,
        len: usize,
    ) -> Option<EventId> {
        let (this, marks) = (prefix.get(event), prefix.marks(event));
        let chain = &self.chains[this.process().index()];
        let rival = chain.get(this.number as usize - 1).map(|index| *index as usize);
        if let Some(index) = rival.filter(|index| *index < len) {
            return Some(self.member(index).id);
        }
        this.touches.iter().find_map(|touch| {
            let present = self.accesses_to(touch.cell).filter(|a| (a.event as usize) < len);
            for access in present {
                let member = self.member(access.event as usize);
                let is_cause = marks[member.step.process.index()].number >= member.number;
                if is_cause && dependence::is_barrier(access.op) {
                    return None;
                }
                if !is_cause && dependence::dependent(access.op, touch.op) {
                    return Some(member.id);
                }
            }
            None
        })
    }
}
