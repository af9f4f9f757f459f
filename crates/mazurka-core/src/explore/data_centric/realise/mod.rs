//! Realisation: a sequence of given events in which every read observes a given write, if there is
//! one.
//!
//! The events are a causally closed part of the current execution, together with one or two that
//! observe something else than they did there.
//!
//! # How it is decided
//!
//! Events are taken one after the other. A location is *open* while some event is still to observe what
//! was last written to it; nobody may write to it then but the last of these observers. So a read can
//! be taken as soon as the write that it observes has been, and a write as soon as its location is not
//! open. What can be taken depends only on the set of events that have been taken: of the writes in it,
//! at most one per location has observers left, or else it could not have come about.
//!
//! Most events can be taken as soon as possible without closing any way: reads, writes that nobody
//! observes, and read-modify-writes (nobody else can write to their location before they do). A choice
//! there is only between writes that open a location. So:
//!
//! 1. Events are taken in the order of the current execution wherever that is possible. That mostly
//!    succeeds, and keeps most of the current execution.
//! 2. If not, the partial order that follows from program order, edges and observations is closed (see
//!    `closure.rs`); a cycle in it means that there is no such sequence.
//! 3. Otherwise the decisions are searched depth first, within the closed order. A set of events that led
//!    nowhere is remembered, and not tried again. With few processes there are few such sets: at most
//!    `n^k` for `n` events of `k` processes.
//! 4. If that takes more than a budget, nobody knows, and the caller falls back to something coarser.

mod closure;

use std::collections::HashSet;

use smallvec::SmallVec;

use crate::execution::clock::ClockId;
use crate::explore::data_centric::graph::{INITIAL, ObservationGraph};
use crate::explore::data_centric::lessons::CellGroup;
use crate::model::{ProcessId, Step};
use closure::{Closure, Order};

/// Stands for the first of the [added](AddedEvent) events, as something that is observed.
pub(crate) const FIRST_ADDED: u32 = u32::MAX - 1;

/// How many sets of events are tried before the search is given up.
const BUDGET: u32 = 200_000;

/// What an event does to a group of locations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddedAccess {
    pub(crate) group: CellGroup,
    /// The event whose write it observes, [`INITIAL`] or [`FIRST_ADDED`], if it reads.
    pub(crate) source: Option<u32>,
    pub(crate) writes: bool,
}

/// An event that is not as in the current execution.
#[derive(Clone, Debug)]
pub(crate) struct AddedEvent {
    pub(crate) process: usize,
    pub(crate) number: u32,
    pub(crate) choice: u32,
    /// What happens before it, and whether that is more than its process's past.
    pub(crate) past: ClockId,
    pub(crate) joined: bool,
    pub(crate) accesses: SmallVec<[AddedAccess; 2]>,
}

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// There is such a sequence: [`Realiser::steps`].
    Yes,
    /// There is none.
    No,
    /// It took too long to find out.
    Unknown,
}

/// An event of the problem.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    pub(crate) process: u32,
    /// Its rank in its process, from 1.
    pub(crate) number: u32,
    choice: u32,
    /// Where in the list of pasts it says what happens before it, if that is more than its process's
    /// past.
    pub(crate) past: Option<u32>,
    pub(crate) accesses: (u32, u32),
}

/// What a vertex does to a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VertexAccess {
    pub(crate) group: u32,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    /// The vertex whose write it observes, or [`INITIAL`].
    pub(crate) source: u32,
    /// How many vertices observe what it writes.
    readers: u32,
}

/// Decides which observations can be realised. Its buffers are used again.
#[derive(Debug, Default)]
pub(crate) struct Realiser {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) accesses: Vec<VertexAccess>,
    /// The first of them that is not as in the execution. Those before it are in its order.
    first_added: u32,
    /// For each process its vertices, in order.
    pub(crate) lines: Vec<Vec<u32>>,
    /// How many vertices of each process come before some vertices, one after the other.
    pub(crate) pasts: Vec<u32>,
    /// The vertex of each event of the execution.
    vertex_of: Vec<u32>,
    /// For each group how many are still to observe what was last written to it, and how many
    /// observe the initial value.
    open: Vec<u32>,
    /// How many of each process's vertices have been taken.
    taken: Vec<u32>,
    order: Vec<u32>,
    failed: HashSet<u128>,
    decisions: Vec<Decision>,
    closure: Closure,
}

/// A place where one of several writes was taken.
#[derive(Clone, Copy, Debug)]
struct Decision {
    /// How many vertices had been taken before.
    len: usize,
    /// The vertex that is being tried.
    tried: u32,
    digest: u128,
}

impl Realiser {
    /// Whether the events of the execution within `cut` (so many of each process) and some others
    /// can be put into a sequence in which all observe what they should.
    pub(crate) fn realise(
        &mut self,
        graph: &ObservationGraph,
        cut: &[u32],
        all_added: &[AddedEvent],
    ) -> Answer {
        self.pose(graph, cut, all_added);
        self.solve()
    }

    fn solve(&mut self) -> Answer {
        if self.follow() {
            return Answer::Yes;
        }
        let order = Order {
            vertices: &self.vertices,
            accesses: &self.accesses,
            lines: &self.lines,
            pasts: &self.pasts,
        };
        match self.closure.close(&order) {
            true => self.search(),
            false => Answer::No,
        }
    }

    /// The sequence that was found.
    pub(crate) fn steps(&self) -> impl ExactSizeIterator<Item = Step> + '_ {
        self.order.iter().map(|vertex| {
            let Vertex { process, choice, .. } = self.vertices[*vertex as usize];
            Step { process: ProcessId::new(process as usize), choice }
        })
    }

    /// The groups in which there is a choice between writes.
    pub(crate) fn contested(&self) -> impl Iterator<Item = CellGroup> + '_ {
        let is_open = |access: &&VertexAccess| access.writes && !access.reads && access.readers > 0;
        self.accesses.iter().filter(is_open).map(|access| CellGroup(access.group))
    }

    /// Sets up the problem.
    fn pose(&mut self, graph: &ObservationGraph, cut: &[u32], all_added: &[AddedEvent]) {
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
                let source = access.reads.then_some(access.source);
                self.attach(
                    AddedAccess { group: access.group, source, writes: access.writes },
                    INITIAL,
                );
            }
        }
        let first_added = self.vertices.len() as u32;
        self.first_added = first_added;
        for added in all_added {
            let past = added.joined.then(|| graph.clock(added.past));
            self.begin(added.process, added.number, added.choice, past);
            for access in &added.accesses {
                self.attach(*access, first_added);
            }
        }
    }

    fn clear(&mut self, processes: usize) {
        self.first_added = 0;
        self.vertices.clear();
        self.accesses.clear();
        self.pasts.clear();
        self.lines.resize_with(processes, Vec::new);
        self.lines.iter_mut().for_each(Vec::clear);
    }

    /// Adds a vertex; the [accesses](Realiser::attach) that follow are its own. Vertices come in an order in
    /// which each comes behind what is in its past, and behind what it observes.
    fn begin(&mut self, process: usize, number: u32, choice: u32, past: Option<&[u32]>) {
        let accesses = (self.accesses.len() as u32, self.accesses.len() as u32);
        let past = past.map(|past| {
            let start = self.pasts.len() as u32;
            self.pasts.extend_from_slice(&past[..self.lines.len()]);
            start
        });
        self.lines[process].push(self.vertices.len() as u32);
        self.vertices.push(Vertex { process: process as u32, number, choice, past, accesses });
    }

    fn attach(&mut self, access: AddedAccess, first_added: u32) {
        let source = match access.source {
            None | Some(INITIAL) => INITIAL,
            Some(FIRST_ADDED) => first_added,
            Some(event) => self.vertex_of[event as usize],
        };
        debug_assert!(
            access.source.is_none_or(|s| s == INITIAL || source != INITIAL),
            "what is observed is among the events"
        );
        self.add_access(access.group.0, access.source.is_some(), access.writes, source);
    }

    fn add_access(&mut self, group: u32, reads: bool, writes: bool, source: u32) {
        if self.open.len() <= group as usize {
            self.open.resize(group as usize + 1, 0);
        }
        if reads && source != INITIAL {
            let (start, end) = self.vertices[source as usize].accesses;
            let written = self.accesses[start as usize..end as usize].iter_mut();
            for write in written.filter(|access| access.group == group && access.writes) {
                write.readers += 1;
            }
        }
        self.accesses.push(VertexAccess { group, reads, writes, source, readers: 0 });
        let vertex = self.vertices.last_mut().expect("one has begun");
        vertex.accesses.1 = self.accesses.len() as u32;
    }

    /// Goes back to where nothing has been taken.
    fn restart(&mut self) {
        for access in &self.accesses {
            self.open[access.group as usize] = 0;
        }
        for access in &self.accesses {
            if access.reads && access.source == INITIAL {
                self.open[access.group as usize] += 1;
            }
        }
        self.taken.clear();
        self.taken.resize(self.lines.len(), 0);
        self.order.clear();
    }

    #[inline]
    fn accesses_of(&self, vertex: u32) -> &[VertexAccess] {
        let (start, end) = self.vertices[vertex as usize].accesses;
        &self.accesses[start as usize..end as usize]
    }

    /// The next vertex of a process.
    #[inline]
    fn head(&self, process: usize) -> Option<u32> {
        self.lines[process].get(self.taken[process] as usize).copied()
    }

    fn was_taken(&self, vertex: u32) -> bool {
        let Vertex { process, number, .. } = self.vertices[vertex as usize];
        self.taken[process as usize] >= number
    }

    /// Whether a vertex can be taken now, its process's past having been taken.
    fn is_possible(&self, vertex: u32) -> bool {
        let fits = |access: &VertexAccess| {
            let open = self.open[access.group as usize];
            match (access.reads, access.writes) {
                (true, writes) => {
                    (access.source == INITIAL || self.was_taken(access.source))
                        && (!writes || open == 1)
                }
                (false, _) => open == 0,
            }
        };
        if !self.accesses_of(vertex).iter().all(fits) {
            return false;
        }
        let Vertex { past, process: own, .. } = self.vertices[vertex as usize];
        past.is_none_or(|start| {
            let before = self.pasts[start as usize..].iter().zip(&self.taken).enumerate();
            let mut others = before.filter(|(process, _)| *process != own as usize);
            others.all(|(_, (wanted, taken))| taken >= wanted)
        })
    }

    fn take(&mut self, vertex: u32) {
        let (start, end) = self.vertices[vertex as usize].accesses;
        for access in &self.accesses[start as usize..end as usize] {
            let open = &mut self.open[access.group as usize];
            *open -= u32::from(access.reads);
            if access.writes {
                *open = access.readers;
            }
        }
        self.taken[self.vertices[vertex as usize].process as usize] += 1;
        self.order.push(vertex);
    }

    fn take_back(&mut self) -> u32 {
        let vertex = self.order.pop().expect("it was taken");
        let (start, end) = self.vertices[vertex as usize].accesses;
        for access in &self.accesses[start as usize..end as usize] {
            let open = &mut self.open[access.group as usize];
            if access.writes {
                *open = 0;
            }
            *open += u32::from(access.reads);
        }
        self.taken[self.vertices[vertex as usize].process as usize] -= 1;
        vertex
    }

    /// Takes vertices in the order of the execution wherever that is possible, and says whether all
    /// could be taken.
    fn follow(&mut self) -> bool {
        self.restart();
        // Nothing is in the way of those that come before what the added ones must come before.
        for vertex in 0..self.first_in_the_way() {
            self.take(vertex);
        }
        loop {
            let heads = (0..self.lines.len()).filter_map(|process| self.head(process));
            let possible = heads.filter(|vertex| self.is_possible(*vertex));
            match possible.min() {
                Some(vertex) => self.take(vertex),
                None => return self.order.len() == self.vertices.len(),
            }
        }
    }

    /// The first vertex that must not come before one of the added ones, because that observes something
    /// earlier; or the first of these themselves.
    fn first_in_the_way(&self) -> u32 {
        let mut first = self.first_added;
        for added in self.first_added..self.vertices.len() as u32 {
            for read in self.accesses_of(added).iter().filter(|access| access.reads) {
                let behind = if read.source == INITIAL { 0 } else { read.source + 1 };
                let writes = |vertex: &u32| {
                    let mut accesses = self.accesses_of(*vertex).iter();
                    accesses.any(|access| access.writes && access.group == read.group)
                };
                first = (behind..first).find(writes).unwrap_or(first);
            }
        }
        first
    }

    /// Whether taking a vertex at once cannot be wrong: it opens no location that was not open.
    fn is_harmless(&self, vertex: u32) -> bool {
        self.accesses_of(vertex)
            .iter()
            .all(|access| !access.writes || access.reads || access.readers == 0)
    }

    /// Searches for a sequence.
    fn search(&mut self) -> Answer {
        self.restart();
        self.failed.clear();
        self.decisions.clear();
        let mut budget = BUDGET;
        loop {
            self.take_harmless();
            if self.order.len() == self.vertices.len() {
                return Answer::Yes;
            }
            let digest = self.digest();
            let next = match self.failed.contains(&digest) {
                true => None,
                false => self.next_choice(0),
            };
            let choice = match next {
                Some(tried) => Decision { len: self.order.len(), tried, digest },
                None => {
                    self.failed.insert(digest);
                    match self.next_after_failure() {
                        Some(choice) => choice,
                        None => return Answer::No,
                    }
                }
            };
            self.decisions.push(choice);
            self.take(choice.tried);
            budget -= 1;
            if budget == 0 {
                return Answer::Unknown;
            }
        }
    }

    /// Goes back to the last choice in which something has not been tried.
    fn next_after_failure(&mut self) -> Option<Decision> {
        while let Some(choice) = self.decisions.pop() {
            while self.order.len() > choice.len {
                self.take_back();
            }
            if let Some(tried) = self.next_choice(choice.tried + 1) {
                return Some(Decision { tried, ..choice });
            }
            self.failed.insert(choice.digest);
        }
        None
    }

    fn take_harmless(&mut self) {
        let mut idle = 0;
        let mut process = 0;
        while idle < self.lines.len() {
            idle += 1;
            while let Some(vertex) = self.head(process)
                && self.is_harmless(vertex)
                && self.is_possible(vertex)
            {
                self.take(vertex);
                idle = 0;
            }
            process = (process + 1) % self.lines.len();
        }
    }

    /// The first vertex from `from` on, in the order of the execution, that can be taken now and that
    /// nothing comes before in the closed order.
    fn next_choice(&self, from: u32) -> Option<u32> {
        let heads = (0..self.lines.len()).filter_map(|process| self.head(process));
        let candidates = heads.filter(|vertex| *vertex >= from);
        let possible = candidates.filter(|vertex| {
            self.is_possible(*vertex) && self.closure.allows(*vertex, &self.taken)
        });
        possible.min()
    }

    /// Stands for the set of vertices that have been taken.
    fn digest(&self) -> u128 {
        let mix = |digest: u128, taken: &u32| {
            let x = (digest ^ u128::from(*taken))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            x ^ x >> 71
        };
        self.taken.iter().fold(1, mix)
    }
}

#[cfg(test)]
mod tests;
