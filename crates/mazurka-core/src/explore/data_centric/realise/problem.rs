//! What is to be realised: events, their order as far as it is fixed, and what each observes.

use std::cell::Cell;

use smallvec::SmallVec;

use crate::execution::clock::ClockId;
use crate::explore::data_centric::graph::{INITIAL, ObservationGraph};
use crate::explore::data_centric::lessons::CellGroup;
use crate::model::{ProcessId, Step};

/// Stands for the first [added](AddedEvent) event, as the source of an observation.
pub(crate) const FIRST_ADDED: u32 = u32::MAX - 1;

/// What an added event does to a group of locations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddedAccess {
    pub(crate) group: CellGroup,
    /// The event whose write it observes, [`INITIAL`] or [`FIRST_ADDED`]; `None` if it does not read.
    pub(crate) source: Option<u32>,
    pub(crate) writes: bool,
}

/// An event that is not in the current execution, or observes something else there.
#[derive(Clone, Debug)]
pub(crate) struct AddedEvent {
    pub(crate) process: usize,
    pub(crate) number: u32,
    pub(crate) choice: u32,
    /// What happens before it whatever it observes.
    pub(crate) past: ClockId,
    /// Whether that is more than the earlier events of its process.
    pub(crate) joined: bool,
    pub(crate) accesses: SmallVec<[AddedAccess; 2]>,
}

impl AddedEvent {
    pub(super) fn step(&self) -> Step {
        Step { process: ProcessId::new(self.process), choice: self.choice }
    }
}

/// An event of the problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) process: u32,
    /// Its rank in its process, from 1.
    pub(super) number: u32,
    pub(super) choice: u32,
    /// The start of its past in [`Problem::pasts`], if it has edges from other processes.
    pub(super) past: Option<u32>,
    accesses: (u32, u32),
}

/// What a vertex does to a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct VertexAccess {
    pub(super) group: u32,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// The vertex whose write it observes, or [`INITIAL`].
    pub(super) source: u32,
    /// How many vertices observe what it writes.
    pub(super) readers: u32,
}

impl VertexAccess {
    /// Returns whether the access opens its group: other writes must wait for its observers. A
    /// read-modify-write does not count, since its group is open until it is taken.
    pub(super) fn opens(&self) -> bool {
        self.writes && !self.reads && self.readers > 0
    }
}

/// A problem. Vertices are numbered so that program order, edges and observations go from lower to
/// higher numbers.
#[derive(Debug, Default)]
pub(super) struct Problem {
    /// Whether an event observes another one that is not part of a problem, or a write that was overwritten,
    /// so that the search must give up.
    pub(super) is_incomplete: Cell<bool>,
    pub(super) vertices: Vec<Vertex>,
    pub(super) accesses: Vec<VertexAccess>,
    /// The first vertex that is not as in the execution. Those before it are in the execution's order.
    pub(super) first_added: u32,
    /// For each process its vertices, in program order.
    pub(super) lines: Vec<Vec<u32>>,
    /// Pasts of vertices: how many vertices of each process come before, one past after the other.
    pub(super) pasts: Vec<u32>,
    /// For each event of the execution its vertex, or [`INITIAL`].
    vertex_of: Vec<u32>,
    /// One more than the highest group.
    pub(super) groups: usize,
}

impl Problem {
    /// Poses the problem of realising the events within `cut` and the added events.
    pub(super) fn pose(&mut self, graph: &ObservationGraph, cut: &[u32], added: &[&AddedEvent]) {
        self.clear(graph.processes());
        self.vertex_of.clear();
        self.vertex_of.resize(graph.len(), INITIAL);
        for index in 0..graph.len() as u32 {
            let event = graph.event(index);
            if cut.get(event.process).is_none_or(|count| event.number > *count) {
                continue;
            }
            self.vertex_of[index as usize] = self.vertices.len() as u32;
            let past = event.past.joined.then(|| graph.clock(event.past.clock));
            self.begin(event.process, event.number, event.choice, past);
            for access in graph.accesses(index) {
                let source = access.reads.then(|| self.vertex_of(access.source));
                self.add_access(access.group.0, source, access.writes);
            }
        }
        self.first_added = self.vertices.len() as u32;
        for event in added {
            let past = event.joined.then(|| graph.clock(event.past));
            self.begin(event.process, event.number, event.choice, past);
            for access in &event.accesses {
                let source = access.source.map(|source| self.vertex_of(source));
                self.add_access(access.group.0, source, access.writes);
            }
        }
    }

    /// Resets it to the empty problem for this many processes.
    pub(super) fn clear(&mut self, processes: usize) {
        self.first_added = 0;
        self.vertices.clear();
        self.accesses.clear();
        self.pasts.clear();
        self.lines.resize_with(processes, Vec::new);
        self.lines.iter_mut().for_each(Vec::clear);
    }

    /// Adds a vertex; the accesses that are [added](Problem::add_access) next are its own.
    pub(super) fn begin(&mut self, process: usize, number: u32, choice: u32, past: Option<&[u32]>) {
        let accesses = (self.accesses.len() as u32, self.accesses.len() as u32);
        let past = past.map(|past| {
            let start = self.pasts.len() as u32;
            self.pasts.extend_from_slice(&past[..self.lines.len()]);
            start
        });
        self.lines[process].push(self.vertices.len() as u32);
        self.vertices.push(Vertex { process: process as u32, number, choice, past, accesses });
    }

    /// Adds an access to the last vertex. `source` is the vertex that it observes, if it reads.
    pub(super) fn add_access(&mut self, group: u32, source: Option<u32>, writes: bool) {
        self.groups = self.groups.max(group as usize + 1);
        if let Some(source) = source.filter(|source| *source != INITIAL) {
            let (start, end) = self.vertices[source as usize].accesses;
            let written = self.accesses[start as usize..end as usize].iter_mut();
            for write in written.filter(|access| access.group == group && access.writes) {
                write.readers += 1;
            }
        }
        let (reads, source) = (source.is_some(), source.unwrap_or(INITIAL));
        self.accesses.push(VertexAccess { group, reads, writes, source, readers: 0 });
        let vertex = self.vertices.last_mut().expect("a vertex has begun");
        vertex.accesses.1 = self.accesses.len() as u32;
    }

    /// Returns the vertex of an event, of [`FIRST_ADDED`], or of [`INITIAL`].
    fn vertex_of(&self, event: u32) -> u32 {
        match event {
            INITIAL => INITIAL,
            FIRST_ADDED => self.first_added,
            event => {
                let vertex = self.vertex_of[event as usize];
                self.is_incomplete.set(self.is_incomplete.get() || vertex == INITIAL);
                vertex
            }
        }
    }

    #[inline]
    pub(super) fn accesses_of(&self, vertex: u32) -> &[VertexAccess] {
        let (start, end) = self.vertices[vertex as usize].accesses;
        &self.accesses[start as usize..end as usize]
    }

    /// Returns how many vertices of each process must come before a vertex because of edges.
    pub(super) fn past_of(&self, vertex: u32) -> Option<&[u32]> {
        let start = self.vertices[vertex as usize].past?;
        Some(&self.pasts[start as usize..start as usize + self.lines.len()])
    }
}
