//! Twins: processes that are interchangeable. The file `explore/graphs/symmetry.rs` says what for.

use super::super::clocks::Row;
use super::{Event, EventId, Graph, INITIAL, Kind};
use crate::model::ProcessId;

/// The twins of a graph.
#[derive(Clone, Default, Debug)]
pub(crate) struct Twins {
    /// Whether coherence is a total order, which tells writes to one location apart.
    is_total: bool,
    /// By process: the twin that was created immediately before it.
    elders: Vec<Option<ProcessId>>,
    /// By event: the elders of its process that are equal to it so far. The bit 0 stands for the nearest one.
    equal: Vec<u64>,
}

/// How many elders of a process count.
const ELDERS: u32 = u64::BITS;

impl Twins {
    fn elder(&self, process: ProcessId) -> Option<ProcessId> {
        self.elders.get(process.index()).copied().flatten()
    }

    /// Returns the elders of a process that a mask stands for, the nearest one first, each with its bit.
    fn of_mask(&self, process: ProcessId, mask: u64) -> impl Iterator<Item = (u32, ProcessId)> {
        let nearest = if mask == 0 { None } else { self.elder(process) };
        let elders = std::iter::successors(nearest, |elder| self.elder(*elder));
        (0..ELDERS).zip(elders).filter(move |(bit, _)| mask >> bit & 1 == 1)
    }

    /// Makes this the twins of another graph, without events.
    pub(super) fn restart(&mut self, other: &Twins) {
        self.is_total = other.is_total;
        self.elders.clone_from(&other.elders);
        self.equal.clear();
    }

    /// Copies what is known of the first events of another graph.
    pub(super) fn copy_prefix(&mut self, other: &Twins, prefix: usize) {
        self.equal.extend_from_slice(&other.equal[..prefix.min(other.equal.len())]);
    }

    /// Copies what is known of an event of another graph.
    pub(super) fn push_from(&mut self, other: &Twins, event: usize) {
        self.equal.extend(other.equal.get(event));
    }

    pub(super) fn truncate(&mut self, events: usize) {
        self.equal.truncate(events);
    }
}

impl Graph {
    /// Sets the previous twin of each process. From now on, the prefixes of events contain the events of
    /// their elders. The graph must have no events of processes that it has not yet known.
    pub(crate) fn set_twins(
        &mut self,
        is_total: bool,
        elders: impl Iterator<Item = Option<ProcessId>>,
    ) {
        self.twins.is_total = is_total;
        self.twins.elders.clear();
        self.twins.elders.extend(elders);
        if self.twins.elders.iter().all(Option::is_none) {
            self.twins.elders.clear();
        }
        self.twins.equal.resize(self.events.len(), 0);
    }

    /// Returns whether there are twins.
    #[inline]
    pub(crate) fn has_twins(&self) -> bool {
        !self.twins.elders.is_empty()
    }

    /// Returns the families of twins, each in the order of creation.
    pub(crate) fn families(&self) -> Vec<Vec<ProcessId>> {
        let elders = &self.twins.elders;
        let mut next = vec![None; elders.len()];
        for (process, elder) in elders.iter().enumerate() {
            if let Some(elder) = elder {
                next[elder.index()] = Some(ProcessId::new(process));
            }
        }
        let firsts = (0..elders.len()).filter(|process| elders[*process].is_none());
        let of = |first| std::iter::successors(Some(first), |twin: &ProcessId| next[twin.index()]);
        let families = firsts.map(|first| of(ProcessId::new(first)).collect());
        families.filter(|family: &Vec<_>| family.len() > 1).collect()
    }

    /// Returns whether coherence order tells the writes of twins to one location apart.
    pub(crate) fn orders_writes_of_twins(&self) -> bool {
        self.twins.is_total
    }

    /// Returns how many first events of two twins are equal, blocked reads apart, and whether the same
    /// processes have released both twins since then.
    pub(crate) fn equal_events(&self, a: ProcessId, b: ProcessId) -> (u32, bool) {
        let mut equal = 0;
        loop {
            if !self.released_by(a, equal).eq(self.released_by(b, equal)) {
                return (equal as u32, false);
            }
            let [first, second] = [a, b].map(|twin| {
                let event = self.events_of(twin).get(equal).map(|event| self.event(*event));
                event.filter(|event| !event.is_blocked)
            });
            match (first, second) {
                (Some(first), Some(second)) if self.is_equal(&self.twins, first, second) => {
                    equal += 1;
                }
                _ => return (equal as u32, true),
            }
        }
    }

    /// Returns whether a process is a twin, and not the first one.
    #[inline]
    pub(crate) fn has_elder(&self, process: ProcessId) -> bool {
        self.twins.elder(process).is_some()
    }

    /// Returns whether a process has to wait for the next event of an elder that has done the same so far.
    pub(crate) fn waits_for_elder(&self, process: ProcessId) -> bool {
        if self.twins.elder(process).is_none() {
            return false;
        }
        let done = self.events_of(process).len();
        let mask = self.equal_to_next(process, None);
        let mut elders = self.twins.of_mask(process, mask);
        elders.any(|(_, elder)| self.events_of(elder).len() <= done)
    }

    /// Returns whether an elder of a process has done the same so far.
    pub(crate) fn has_equal_elder(&self, process: ProcessId) -> bool {
        self.twins.elder(process).is_some() && self.equal_to_next(process, None) != 0
    }

    /// Returns whether an event does not come before that of an elder which has done the same so far. Only
    /// then may it be added.
    pub(crate) fn is_canonical(&self, event: EventId) -> bool {
        let Event { process, index, .. } = *self.event(event);
        if self.twins.elder(process).is_none() {
            return true;
        }
        let mask = self.equal_to_next(process, Some(event));
        let of_elder = |elder: ProcessId| self.events_of(elder).get(index as usize - 1).copied();
        let mut is_excused = false;
        self.twins.of_mask(process, mask).filter_map(|(_, elder)| of_elder(elder)).all(|other| {
            is_excused |= self.is_behind_source(other, event);
            is_excused || !self.comes_before(event, other)
        })
    }

    /// Returns whether the write that a read reads from has an event in its prefix.
    fn is_behind_source(&self, other: EventId, read: EventId) -> bool {
        let Event { kind, reads_from, .. } = *self.event(read);
        kind == Kind::Read && reads_from != INITIAL && self.is_in_prefix(other, reads_from)
    }

    /// Returns whether an event comes before that of an elder, in the order of equal twins.
    pub(crate) fn comes_before(&self, event: EventId, other: EventId) -> bool {
        let (e, o) = (self.event(event), self.event(other));
        if e.kind != o.kind {
            return false;
        }
        let is_at_one = e.location_if_memory().is_some() && e.location == o.location;
        match e.kind {
            Kind::Read if is_at_one && e.reads_from != o.reads_from => match self.twins.is_total {
                true => self.position_of(event) < self.position_of(other),
                false if e.reads_from == INITIAL || o.reads_from == INITIAL => {
                    e.reads_from == INITIAL
                }
                false => self.happens_before(e.reads_from, o.reads_from),
            },
            Kind::Write if is_at_one => {
                self.twins.is_total && self.position_of(event) < self.position_of(other)
            }
            Kind::Read if !self.has_same_source(e, o) => false,
            // What is added maximally makes the choice 0.
            _ => e.choice > o.choice,
        }
    }

    /// Lets the prefix of a new event contain those of its elders, and notes which of them it is equal to.
    pub(super) fn push_twin(&mut self, id: EventId) {
        if !self.has_twins() {
            return;
        }
        let event = *self.event(id);
        let mask = self.equal_to_next(event.process, Some(id));
        let mut equal = 0;
        if mask != 0 {
            let twins = std::mem::take(&mut self.twins);
            for (bit, elder) in twins.of_mask(event.process, mask) {
                let other = self.events_of(elder).get(event.index as usize - 1).copied();
                let Some(other) = other else { continue };
                if !self.is_in_prefix(other, id) {
                    self.clocks.join((id as usize, Row::Prefix), (other as usize, Row::Prefix));
                }
                equal |= u64::from(self.is_equal(&twins, &event, self.event(other))) << bit;
            }
            self.twins = twins;
        }
        self.twins.equal.push(equal);
    }

    /// Returns the elders of a process that have done the same as all its events before `event`, or as all
    /// its events. Since then, they must have been released by the same processes, or by none.
    fn equal_to_next(&self, process: ProcessId, event: Option<EventId>) -> u64 {
        let own = self.events_of(process);
        let before = match event {
            Some(event) => self.event(event).index as usize - 1,
            None => own.len(),
        };
        let mask = match before {
            0 => u64::MAX,
            _ => self.twins.equal[own[before - 1] as usize],
        };
        if mask == 0 {
            return 0;
        }
        let mut equal = 0;
        for (bit, elder) in self.twins.of_mask(process, mask) {
            let released = self.released_by(process, before);
            let is_together = released.eq(self.released_by(elder, before));
            equal |= u64::from(is_together) << bit;
        }
        equal
    }

    /// Returns whether a process and its elder, which have done the same so far, also do the same in these
    /// events. If they access different locations, then these are of their own, and correspond.
    fn is_equal(&self, twins: &Twins, event: &Event, other: &Event) -> bool {
        let parts = |e: &Event| (e.is_exclusive, e.is_arrival, e.is_blocked);
        let label = |e: &Event| (e.kind, e.ordering, e.choice, parts(e));
        label(event) == label(other)
            && match event.kind {
                Kind::Read => self.has_same_source(event, other),
                Kind::Write => !twins.is_total || event.location != other.location,
                Kind::Fence | Kind::Choice => true,
            }
    }

    /// Returns whether two reads of twins read from one write, or each from the corresponding write of its
    /// own process.
    fn has_same_source(&self, read: &Event, other: &Event) -> bool {
        let own = |read: &Event| {
            let source = Some(read.reads_from).filter(|write| *write != INITIAL)?;
            let Event { process, index, .. } = *self.event(source);
            (process == read.process).then_some(index)
        };
        match (own(read), own(other)) {
            (None, None) => read.reads_from == other.reads_from,
            (own, others) => own == others,
        }
    }
}
