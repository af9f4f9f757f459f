//! A sequence of vertices under construction.

use super::problem::{Problem, Vertex, VertexAccess};
use crate::explore::data_centric::graph::INITIAL;
use crate::explore::fingerprint::Fingerprint;

/// The vertices that have been taken so far, in order.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    pub(super) order: Vec<u32>,
    /// How many vertices of each process have been taken.
    pub(super) taken: Vec<u32>,
    /// For each group how many vertices are still to observe its last write, or its initial value.
    open: Vec<u32>,
}

impl Sequence {
    /// Makes it the empty sequence.
    pub(super) fn restart(&mut self, problem: &Problem) {
        if self.open.len() < problem.groups {
            self.open.resize(problem.groups, 0);
        }
        // There may be many more groups than the problem's accesses touch.
        for access in &problem.accesses {
            self.open[access.group as usize] = 0;
        }
        for access in &problem.accesses {
            if access.reads && access.source == INITIAL {
                self.open[access.group as usize] += 1;
            }
        }
        self.taken.clear();
        self.taken.resize(problem.lines.len(), 0);
        self.order.clear();
    }

    /// Returns the next vertex of a process.
    #[inline]
    pub(super) fn head(&self, problem: &Problem, process: usize) -> Option<u32> {
        problem.lines[process].get(self.taken[process] as usize).copied()
    }

    /// Returns the next vertices of all processes.
    pub(super) fn heads(&self, problem: &Problem) -> impl Iterator<Item = u32> {
        (0..problem.lines.len()).filter_map(|process| self.head(problem, process))
    }

    fn was_taken(&self, problem: &Problem, vertex: u32) -> bool {
        let Vertex { process, number, .. } = problem.vertices[vertex as usize];
        self.taken[process as usize] >= number
    }

    /// Returns whether a vertex, the next of its process, can be taken now.
    pub(super) fn is_possible(&self, problem: &Problem, vertex: u32) -> bool {
        let fits = |access: &VertexAccess| {
            let open = self.open[access.group as usize];
            match (access.reads, access.writes) {
                (true, writes) => {
                    (access.source == INITIAL || self.was_taken(problem, access.source))
                        && (!writes || open == 1)
                }
                (false, _) => open == 0,
            }
        };
        if !problem.accesses_of(vertex).iter().all(fits) {
            return false;
        }
        let own = problem.vertices[vertex as usize].process as usize;
        problem.past_of(vertex).is_none_or(|past| {
            let before = past.iter().zip(&self.taken).enumerate();
            let mut others = before.filter(|(process, _)| *process != own);
            others.all(|(_, (wanted, taken))| taken >= wanted)
        })
    }

    pub(super) fn take(&mut self, problem: &Problem, vertex: u32) {
        for access in problem.accesses_of(vertex) {
            let open = &mut self.open[access.group as usize];
            if access.reads {
                // If no vertex was to observe the last write, the vertex observes an earlier one, and no order of
                // these vertices is right: the search gives up.
                problem.is_incomplete.set(problem.is_incomplete.get() || *open == 0);
                *open = open.saturating_sub(1);
            }
            if access.writes {
                *open = access.readers;
            }
        }
        self.taken[problem.vertices[vertex as usize].process as usize] += 1;
        self.order.push(vertex);
    }

    /// Takes the last vertex out again.
    pub(super) fn take_back(&mut self, problem: &Problem) {
        let vertex = self.order.pop().expect("the sequence is not empty");
        for access in problem.accesses_of(vertex) {
            let open = &mut self.open[access.group as usize];
            if access.writes {
                *open = 0;
            }
            *open += u32::from(access.reads);
        }
        self.taken[problem.vertices[vertex as usize].process as usize] -= 1;
    }

    /// Returns a fingerprint of the set of vertices that have been taken.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        let start = Fingerprint::new(1);
        self.taken.iter().fold(start, |all, taken| all.then(u128::from(*taken)))
    }
}
