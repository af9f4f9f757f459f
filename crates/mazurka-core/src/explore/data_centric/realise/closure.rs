//! The closure of a partial order under observation.
//!
//! Program order, edges and observations order some events. If `r` observes `w`, then for every other
//! write `w'` to the location:
//!
//! * if `w'` comes before `r`, it comes before `w`;
//! * if `w` comes before `w'`, then `r` comes before `w'`.
//!
//! These rules are applied until nothing changes. A cycle means that the observations cannot be
//! realised. In the paper's terms the rules are the constraints of sequential consistency, and applying
//! them is unit propagation. On acyclic topologies the closure decides every case, so that the paper's
//! 2-SAT is not needed; on others [`super::search`] completes it.

use std::ops::Range;

use super::problem::{Problem, Vertex};
use crate::explore::data_centric::graph::INITIAL;

/// The closed order, as a clock for each vertex: for each process how many of its vertices come before,
/// the vertex itself included.
#[derive(Debug, Default)]
pub(super) struct Closure {
    width: usize,
    clocks: Vec<u32>,
    /// All writes as (group, process, number, vertex), sorted.
    writes: Vec<(u32, u32, u32, u32)>,
    /// The writes of each process to each group, as the start and the end of a part of `writes`; sorted.
    runs: Vec<(u32, u32)>,
    /// Pairs (later, earlier) that the rules have added.
    added: Vec<(u32, u32)>,
}

/// The order has a cycle.
struct Cycle;

impl Closure {
    /// Closes the order of a problem. Returns `false` if it has a cycle.
    pub(super) fn close(&mut self, problem: &Problem) -> bool {
        self.width = problem.lines.len();
        self.clocks.clear();
        self.clocks.resize(problem.vertices.len() * self.width, 0);
        self.added.clear();
        self.writes.clear();
        for (index, vertex) in problem.vertices.iter().enumerate() {
            for access in problem.accesses_of(index as u32).iter().filter(|access| access.writes) {
                self.writes.push((access.group, vertex.process, vertex.number, index as u32));
            }
        }
        self.writes.sort_unstable();
        self.runs.clear();
        let mut start = 0;
        for run in self.writes.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            self.runs.push((start, start + run.len() as u32));
            start += run.len() as u32;
        }
        loop {
            self.propagate(problem);
            match self.apply_rules(problem) {
                Ok(true) => {}
                Ok(false) => return true,
                Err(Cycle) => return false,
            }
        }
    }

    /// Returns whether all vertices before a vertex have been taken.
    pub(super) fn allows(&self, vertex: u32, taken: &[u32]) -> bool {
        // The clock counts the vertex itself, so its own component may exceed `taken`.
        let before = self.clock(vertex).iter().zip(taken);
        before.filter(|(wanted, taken)| wanted > taken).count() <= 1
    }

    fn clock(&self, vertex: u32) -> &[u32] {
        let start = vertex as usize * self.width;
        &self.clocks[start..start + self.width]
    }

    /// Joins the clock of one vertex into that of a later one. Returns whether that changed it.
    fn join(&mut self, later: u32, earlier: u32) -> bool {
        let (later, earlier) = (later as usize * self.width, earlier as usize * self.width);
        let mut changed = false;
        for process in 0..self.width {
            let component = self.clocks[earlier + process];
            if component > self.clocks[later + process] {
                self.clocks[later + process] = component;
                changed = true;
            }
        }
        changed
    }

    /// Computes all clocks from program order, edges, observations and added pairs.
    fn propagate(&mut self, problem: &Problem) {
        let Problem { vertices, lines, .. } = problem;
        loop {
            let mut changed = false;
            let mut next_added = 0;
            self.added.sort_unstable();
            for (index, vertex) in vertices.iter().enumerate() {
                let own = index * self.width + vertex.process as usize;
                self.clocks[own] = self.clocks[own].max(vertex.number);
                let index = index as u32;
                if vertex.number > 1 {
                    let before = lines[vertex.process as usize][vertex.number as usize - 2];
                    changed |= self.join(index, before);
                }
                for access in problem.accesses_of(index) {
                    if access.reads && access.source != INITIAL {
                        changed |= self.join(index, access.source);
                    }
                }
                if let Some(past) = vertex.past {
                    let past = &problem.pasts[past as usize..][..self.width];
                    for (process, (number, line)) in past.iter().zip(lines).enumerate() {
                        if *number == 0 || process == vertex.process as usize {
                            continue;
                        }
                        match line.get(*number as usize - 1) {
                            Some(last) => changed |= self.join(index, *last),
                            // A piece that was read is damaged.
                            None => problem.is_incomplete.set(true),
                        }
                    }
                }
                while let Some((later, earlier)) = self.added.get(next_added).copied()
                    && later == index
                {
                    changed |= self.join(later, earlier);
                    next_added += 1;
                }
            }
            if !changed || self.has_cycle(vertices) {
                return;
            }
        }
    }

    /// Returns whether some vertex comes after a later one of its own process.
    fn has_cycle(&self, vertices: &[Vertex]) -> bool {
        vertices.iter().enumerate().any(|(index, vertex)| {
            self.clocks[index * self.width + vertex.process as usize] > vertex.number
        })
    }

    /// Applies both rules to every observation. Returns whether a pair was added.
    fn apply_rules(&mut self, problem: &Problem) -> Result<bool, Cycle> {
        let vertices = &problem.vertices;
        if self.has_cycle(vertices) {
            return Err(Cycle);
        }
        let known = self.added.len();
        for reader in 0..vertices.len() as u32 {
            for access in problem.accesses_of(reader).iter().filter(|access| access.reads) {
                let observation = (reader, access.source);
                let group_of = |run: &(u32, u32)| self.writes[run.0 as usize].0;
                let mut run = self.runs.partition_point(|run| group_of(run) < access.group);
                while let Some(&(start, end)) = self.runs.get(run)
                    && self.writes[start as usize].0 == access.group
                {
                    let writes = start as usize..end as usize;
                    self.order_before(observation, writes.clone(), vertices)?;
                    self.order_behind(observation, writes, vertices)?;
                    run += 1;
                }
            }
        }
        Ok(self.added.len() > known)
    }

    /// Returns the first rule: the last other write of a process before the reader comes before the
    /// source.
    fn order_before(
        &mut self,
        (reader, source): (u32, u32),
        writes: Range<usize>,
        vertices: &[Vertex],
    ) -> Result<(), Cycle> {
        let writes = &self.writes[writes];
        let bound = self.clock(reader)[writes[0].1 as usize];
        let before = writes.partition_point(|(.., number, _)| *number <= bound);
        let other = |write: &&(u32, u32, u32, u32)| write.3 != reader && write.3 != source;
        let Some(&(.., write)) = writes[..before].iter().rev().find(other) else { return Ok(()) };
        match source {
            INITIAL => Err(Cycle),
            source => self.add(write, source, vertices),
        }
    }

    /// Returns the second rule: the first other write of a process after the source comes after the
    /// reader.
    fn order_behind(
        &mut self,
        (reader, source): (u32, u32),
        writes: Range<usize>,
        vertices: &[Vertex],
    ) -> Result<(), Cycle> {
        let writes = &self.writes[writes];
        let is_behind = |write: u32| match source {
            INITIAL => true,
            source => {
                let Vertex { process, number, .. } = vertices[source as usize];
                self.clock(write)[process as usize] >= number
            }
        };
        let start = writes.partition_point(|(.., write)| !is_behind(*write));
        let other = |write: &&(u32, u32, u32, u32)| write.3 != reader && write.3 != source;
        match writes[start..].iter().find(other) {
            Some(&(.., write)) => self.add(reader, write, vertices),
            None => Ok(()),
        }
    }

    /// Adds that one vertex comes before another, unless it is known.
    fn add(&mut self, earlier: u32, later: u32, vertices: &[Vertex]) -> Result<(), Cycle> {
        let comes_before = |first: u32, second: u32| {
            let Vertex { process, number, .. } = vertices[first as usize];
            self.clock(second)[process as usize] >= number
        };
        if comes_before(earlier, later) {
            return Ok(());
        }
        if comes_before(later, earlier) {
            return Err(Cycle);
        }
        self.added.push((later, earlier));
        // `propagate` passes it on to later vertices.
        self.join(later, earlier);
        Ok(())
    }
}
