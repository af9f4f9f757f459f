//! How the graph grows with the execution, and shrinks when the search backtracks.

use smallvec::SmallVec;

use super::access::{AccessPart, GroupAccess, Share, gather, learn, parts_of, takes_own};
use super::identity::Identity;
use super::{GraphEvent, INITIAL, ObservationGraph, Past, bit};
use crate::execution::cells::CellId;
use crate::execution::clock::ClockId;
use crate::execution::{Execution, Race};
use crate::explore::data_centric::lessons::{CellGroup, Lessons};
use crate::model::{Birth, Edge};

impl ObservationGraph {
    /// Adds the last event of `execution`, with its observations, past and identity. Returns a data race
    /// that it is part of, if there is one.
    pub(crate) fn push(
        &mut self,
        execution: &Execution,
        edges: &[Edge],
        lessons: &mut Lessons,
    ) -> Option<Race> {
        let index = self.events.len() as u32;
        let event = execution.event(index as usize);
        let process = event.step.process.index();
        let first_clock = self.clocks.next();
        let changes = self.changes.len() as u32;
        let first_access = self.accesses.len() as u32;

        let mut accesses = std::mem::take(&mut self.scratch);
        let mut parts: SmallVec<[AccessPart; 2]> = SmallVec::new();
        parts_of(execution, index).for_each(|part| parts.push(part));
        let parts = parts.iter().copied();
        learn(parts.clone(), process, execution, lessons);
        gather(parts.clone(), execution, lessons, &mut accesses);
        self.learn_of_chains(&accesses, lessons);

        let before = self.processes[process].past;
        let message = takes_own(parts, lessons);
        let past = match message.and_then(|message| execution.messages.delivery(message)) {
            Some(delivery) => self.behind(before, delivery),
            None => before,
        };
        let clock = self.clocks.copy(past.clock);
        let mut identity = past.identity.choosing(event.step.choice);
        let mut race = None;
        for access in &mut accesses {
            let group = access.group.index();
            self.make_room(access.group);
            race = race.or_else(|| self.data_race(execution, index, past.clock, access));
            let source = self.last_write_to(access.group);
            if source == INITIAL && access.simple {
                self.initial[group] = access.before;
            }
            if access.reads {
                access.source = source;
                identity = identity.observing(self.identity_of(source));
                if source != INITIAL {
                    self.clocks.join(clock, self.events[source as usize].clock);
                }
            }
            if access.share == Share::Ends {
                identity = self.end_epoch(access.group, clock, identity);
            }
        }
        for access in &accesses {
            if access.writes {
                self.writes[access.group.index()].push(index);
                self.writers[access.group.index()] |= bit(process);
                if access.reads {
                    self.set_replaced_by(access.source, access.group, index);
                }
            }
            let kind = if access.plain { &mut self.plain } else { &mut self.atomic };
            kind[access.group.index()].push(index);
            if access.share != Share::No {
                self.shared[access.group.index()].push(index);
            }
        }
        let number = self.processes[process].events.len() as u32 + 1;
        self.clocks.set(clock, process, number);
        let waits = accesses.iter().any(GroupAccess::takes_turns);
        self.accesses.extend_from_slice(&accesses);
        self.scratch = accesses;
        self.events.push(GraphEvent {
            process,
            number,
            choice: event.step.choice,
            alternatives: event.alternatives,
            before,
            past,
            identity,
            clock,
            waits,
            accesses: (first_access, self.accesses.len() as u32),
            first_clock,
            changes,
        });
        let own = &mut self.processes[process];
        own.events.push(index);
        own.past = Past { identity, clock, joined: false };
        let mut created = 0;
        for edge in edges {
            if edge.to.index() >= execution.initial() && self.is_unborn(edge.to.index()) {
                let parent = self.processes[edge.from.index()].name;
                self.processes[edge.to.index()].name = parent.then(number.into()).then(created);
                created += 1;
            }
            self.pass_on(*edge);
        }
        race.map(|first| Race::new(first, index))
    }

    /// Notes which chains are none: an event accesses the group other than by one read-modify-write or read.
    fn learn_of_chains(&self, accesses: &[GroupAccess], lessons: &mut Lessons) {
        let is_alone = accesses.len() == 1;
        for access in accesses.iter().filter(|access| lessons.is_chain(access.group)) {
            let only_reads = access.simple && access.declared.is_read();
            if !is_alone || !(access.is_update() || only_reads) {
                lessons.is_overwritten(access.group);
                return;
            }
        }
    }

    /// Notes to which groups several processes write, by read-modify-writes only. With two such processes,
    /// nothing would be gained.
    pub(crate) fn find_chains(&self, execution: &Execution, lessons: &mut Lessons) {
        let is_link = |write: &u32| match self.accesses(*write) {
            [only] => only.is_update(),
            _ => false,
        };
        for (group, writes) in (0..).map(CellGroup).zip(&self.writes) {
            let writers = writes.iter().fold(0, |all, write| all | bit(self.event(*write).process));
            if writers.count_ones() > 2
                && lessons.may_become_chain(group)
                && writes.iter().all(is_link)
                && execution.birth(CellId(group.0 / 2)) == Birth::START
            {
                lessons.is_written_in_turn(group);
            }
        }
    }

    fn set_replaced_by(&mut self, write: u32, group: CellGroup, by: u32) {
        if write == INITIAL {
            self.initial_replaced_by[group.index()] = by;
            return;
        }
        let (start, end) = self.events[write as usize].accesses;
        let written = self.accesses[start as usize..end as usize].iter_mut();
        written.filter(|access| access.group == group).for_each(|access| access.replaced_by = by);
    }

    /// Returns whether neither a step of a process nor an edge to it has come yet. The next edge to such a
    /// process creates it, unless it exists initially.
    fn is_unborn(&self, process: usize) -> bool {
        let process = &self.processes[process];
        process.events.is_empty() && !process.past.joined
    }

    fn pass_on(&mut self, edge: Edge) {
        let Past { identity, clock, .. } = self.processes[edge.from.index()].past;
        let to = self.processes[edge.to.index()].past;
        self.changes.push((edge.to.index() as u32, to));
        self.processes[edge.to.index()].past = self.joined(to, identity, clock);
    }

    /// Joins the past of the event that delivered a message into a past.
    fn behind(&mut self, past: Past, delivery: u32) -> Past {
        let GraphEvent { identity, clock, .. } = *self.event(delivery);
        self.joined(past, identity, clock)
    }

    /// Joins another past, given by its identity and its clock, into a past.
    fn joined(&mut self, past: Past, identity: Identity, other: ClockId) -> Past {
        let clock = self.clocks.copy(past.clock);
        self.clocks.join(clock, other);
        Past { identity: past.identity.joined_by(identity), clock, joined: true }
    }

    /// Removes all events but the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.loose.pop_if(|event| *event as usize >= len).is_some() {}
        while self.events.len() > len {
            let event = self.events.pop().expect("there are more than len events");
            while self.changes.len() > event.changes as usize {
                let (process, past) = self.changes.pop().expect("there are more changes");
                self.processes[process as usize].past = past;
            }
            let own = &mut self.processes[event.process];
            own.past = event.before;
            own.events.pop();
            for index in event.accesses.0 as usize..self.accesses.len() {
                let access = self.accesses[index];
                if access.writes {
                    self.writes[access.group.index()].pop();
                    if access.reads {
                        self.set_replaced_by(access.source, access.group, INITIAL);
                    }
                }
                let kind = if access.plain { &mut self.plain } else { &mut self.atomic };
                kind[access.group.index()].pop();
                if access.share != Share::No {
                    self.shared[access.group.index()].pop();
                }
            }
            self.accesses.truncate(event.accesses.0 as usize);
            self.clocks.free_from(event.first_clock);
        }
    }
}
