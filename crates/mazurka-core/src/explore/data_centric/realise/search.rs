//! The search for a sequence, once the closed order has no cycle.
//!
//! Most vertices can be taken as soon as possible without closing any way: reads, writes that nothing
//! observes, and read-modify-writes (no other vertex can write to their group before they do). Only
//! writes that [open](VertexAccess::opens) a group are a choice.

use rustc_hash::FxHashSet;

use super::Answer;
use super::closure::Closure;
use super::problem::{Problem, VertexAccess};
use super::sequence::Sequence;
use crate::explore::fingerprint::Fingerprint;

/// How many choices are tried before the search gives up.
const BUDGET: u32 = 200_000;

/// The state of a depth-first search.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// Sets of vertices that lead nowhere.
    failed: FxHashSet<Fingerprint>,
    /// The choices on the way to the current sequence.
    decisions: Vec<Decision>,
}

/// A choice between writes that open a group.
#[derive(Clone, Copy, Debug)]
struct Decision {
    /// How many vertices had been taken before.
    len: usize,
    /// The vertex that is being tried.
    tried: u32,
    /// The set of vertices that had been taken before.
    before: Fingerprint,
}

impl Search {
    /// Searches for a sequence of all vertices of a problem.
    pub(super) fn run(
        &mut self,
        problem: &Problem,
        closure: &Closure,
        sequence: &mut Sequence,
    ) -> Answer {
        sequence.restart(problem);
        self.failed.clear();
        self.decisions.clear();
        let mut budget = BUDGET;
        loop {
            take_harmless(problem, sequence);
            if sequence.order.len() == problem.vertices.len() {
                return Answer::Yes;
            }
            let before = sequence.fingerprint();
            let next = match self.failed.contains(&before) {
                true => None,
                false => next_choice(problem, closure, sequence, 0),
            };
            let decision = match next {
                Some(tried) => Decision { len: sequence.order.len(), tried, before },
                None => {
                    self.failed.insert(before);
                    match self.next_after_failure(problem, closure, sequence) {
                        Some(decision) => decision,
                        None => return Answer::No,
                    }
                }
            };
            self.decisions.push(decision);
            sequence.take(problem, decision.tried);
            budget -= 1;
            if budget == 0 {
                return Answer::Unknown;
            }
        }
    }

    /// Backtracks to the last decision with an alternative that has not been tried.
    fn next_after_failure(
        &mut self,
        problem: &Problem,
        closure: &Closure,
        sequence: &mut Sequence,
    ) -> Option<Decision> {
        while let Some(decision) = self.decisions.pop() {
            while sequence.order.len() > decision.len {
                sequence.take_back(problem);
            }
            if let Some(tried) = next_choice(problem, closure, sequence, decision.tried + 1) {
                return Some(Decision { tried, ..decision });
            }
            self.failed.insert(decision.before);
        }
        None
    }
}

/// Takes all vertices that can be taken and open no group.
fn take_harmless(problem: &Problem, sequence: &mut Sequence) {
    let is_harmless = |vertex: u32| !problem.accesses_of(vertex).iter().any(VertexAccess::opens);
    let processes = problem.lines.len();
    let (mut idle, mut process) = (0, 0);
    while idle < processes {
        idle += 1;
        while let Some(vertex) = sequence.head(problem, process)
            && is_harmless(vertex)
            && sequence.is_possible(problem, vertex)
        {
            sequence.take(problem, vertex);
            idle = 0;
        }
        process = (process + 1) % processes;
    }
}

/// Returns the first vertex from `from` on, in the order of the execution, that can be taken now and
/// has no other vertex before it in the closed order.
fn next_choice(
    problem: &Problem,
    closure: &Closure,
    sequence: &Sequence,
    from: u32,
) -> Option<u32> {
    let candidates = sequence.heads(problem).filter(|vertex| *vertex >= from);
    let allowed = candidates.filter(|vertex| {
        sequence.is_possible(problem, *vertex) && closure.allows(*vertex, &sequence.taken)
    });
    allowed.min()
}
