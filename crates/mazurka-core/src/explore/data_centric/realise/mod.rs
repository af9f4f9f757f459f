//! Realisation: finds a sequence of given events in which every read observes a given write.
//!
//! This is the paper's central decision problem: given an observation function, construct a trace that
//! has it, or say that there is none. The events are a causally closed part of the current execution,
//! together with one or two [added](AddedEvent) events that observe something else than in that
//! execution. The problem is NP-complete in general, and polynomial on acyclic topologies.
//!
//! # How it is decided
//!
//! Events are taken one after the other. A location is *open* while some event is still to observe its
//! last write; only the last of these observers may write to it. So a read can be taken as soon as the
//! write that it observes has been taken, and a write as soon as its location is not open. Which events
//! can be taken depends only on the *set* of events that have been taken, since at most one write per
//! location in that set still has observers.
//!
//! 1. [`Realiser::insert`] keeps the order of the current execution, and puts the added events where they fit.
//!    It usually succeeds.
//! 2. If it fails, [`Realiser::follow`] takes events in the order of the current execution wherever possible.
//! 3. If that fails, [`closure`] closes the partial order that program order, edges and observations
//!    give. A cycle means that there is no such sequence. (The paper: unit propagation, with early
//!    detection of cycles. On acyclic topologies the closure decides, which the paper does by 2-SAT.)
//! 4. Otherwise [`search`] tries the choices depth first within the closed order, and remembers sets of
//!    events that lead nowhere. `k` processes with `n` events have at most `n^k` such sets.
//! 5. If the search exceeds its budget, the answer is unknown. The caller then orders all writes to the
//!    locations concerned, as the paper does on cyclic topologies.

mod closure;
mod problem;
mod search;
mod sequence;
#[cfg(test)]
mod tests;

use self::closure::Closure;
pub(crate) use self::problem::{AddedAccess, AddedEvent, FIRST_ADDED};
use self::problem::{Problem, VertexAccess};
use self::search::Search;
use self::sequence::Sequence;
use crate::explore::data_centric::graph::access::GroupAccess;
use crate::explore::data_centric::graph::{INITIAL, ObservationGraph};
use crate::explore::data_centric::lessons::CellGroup;
use crate::model::{ProcessId, Step};

/// The answer to a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// There is such a sequence: [`Realiser::steps`].
    Yes,
    /// There is none.
    No,
    /// The search exceeded its budget.
    Unknown,
}

/// Decides which observations can be realised, and keeps its buffers from one problem to the next.
#[derive(Debug, Default)]
pub(crate) struct Realiser {
    problem: Problem,
    sequence: Sequence,
    closure: Closure,
    search: Search,
    /// The steps of the sequence that was found.
    steps: Vec<Step>,
}

impl Realiser {
    /// Returns whether some problem lacks the observations of its events.
    pub(crate) fn is_lost(&self) -> bool {
        self.problem.is_incomplete.get()
    }

    /// Decides whether the events of the execution within `cut` (the number of events of each process)
    /// and the added events can be put into a sequence in which each observes what it should.
    pub(crate) fn realise(
        &mut self,
        graph: &ObservationGraph,
        cut: &[u32],
        all_added: &[&AddedEvent],
    ) -> Answer {
        if self.insert(graph, cut, all_added) {
            debug_assert!(self.confirms(graph, cut, all_added), "{all_added:?}");
            return Answer::Yes;
        }
        if all_added.iter().any(|added| is_contradicted(graph, cut, added)) {
            debug_assert!(!self.confirms(graph, cut, all_added), "{all_added:?}");
            return Answer::No;
        }
        self.problem.pose(graph, cut, all_added);
        self.solve(|| all_added.iter().any(|added| comes_between(graph, cut, added)))
    }

    /// Returns whether the posed problem has a sequence, too, and lacks nothing. Keeps the steps.
    fn confirms(
        &mut self,
        graph: &ObservationGraph,
        cut: &[u32],
        all_added: &[&AddedEvent],
    ) -> bool {
        let (steps, was_lost) = (std::mem::take(&mut self.steps), self.is_lost());
        self.problem.pose(graph, cut, all_added);
        let answer = self.solve(|| false);
        self.steps = steps;
        answer == Answer::Yes && self.is_lost() == was_lost
    }

    /// Solves the posed problem. `is_refuted` may know quickly that there is no sequence.
    fn solve(&mut self, is_refuted: impl FnOnce() -> bool) -> Answer {
        let answer = match self.follow() {
            true => Answer::Yes,
            false if is_refuted() => {
                debug_assert!(
                    !self.closure.close(&self.problem)
                        || self.search.run(&self.problem, &self.closure, &mut self.sequence)
                            != Answer::Yes
                );
                Answer::No
            }
            false if !self.closure.close(&self.problem) => Answer::No,
            false => self.search.run(&self.problem, &self.closure, &mut self.sequence),
        };
        if answer == Answer::Yes {
            self.steps.clear();
            self.steps.extend(self.sequence.order.iter().map(|vertex| {
                let vertex = self.problem.vertices[*vertex as usize];
                Step { process: ProcessId::new(vertex.process as usize), choice: vertex.choice }
            }));
        }
        answer
    }

    /// Returns the sequence that was found.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Puts the added events behind those of the execution, if they observe the last writes there; or an added
    /// event that only reads before the write that overwrites what it observes, if all of its past is there.
    /// Then no problem need be posed, which takes an execution of fib_bench(4) from 93 to 84 thousand instructions.
    fn insert(&mut self, graph: &ObservationGraph, cut: &[u32], all_added: &[&AddedEvent]) -> bool {
        let (first, others) = all_added.split_first().expect("an event is added");
        let end = graph.len() as u32;
        let overwritten = |access: &AddedAccess, source: u32| {
            graph.first_write_behind(access.group, source, cut).unwrap_or(end)
        };
        let ends = first.accesses.iter().filter_map(|a| Some(overwritten(a, a.source?)));
        let at = ends.min().unwrap_or(end);
        let is_before = |access: &AddedAccess| match access.source {
            None | Some(INITIAL) => true,
            Some(source) => source < at,
        };
        let only_reads = others.is_empty() && first.accesses.iter().all(|access| !access.writes);
        let fits = at == end
            || only_reads
                && first.accesses.iter().all(is_before)
                && graph.end_of(graph.clock(first.past)) <= at;
        let written = |group| first.accesses.iter().any(|a| a.writes && a.group == group);
        let is_last = |access: &AddedAccess| match access.source {
            None => true,
            Some(FIRST_ADDED) => written(access.group),
            Some(source) => !written(access.group) && overwritten(access, source) == end,
        };
        let lacks_past = |added: &&AddedEvent| {
            added.joined && !has_past(graph.clock(added.past), added.process, cut)
        };
        if !fits
            || !others.iter().flat_map(|added| &added.accesses).all(is_last)
            || all_added.iter().any(lacks_past)
        {
            return false;
        }
        self.steps.clear();
        for index in 0..end {
            if index == at {
                self.steps.push(first.step());
            }
            if !graph.is_within(index, cut) {
                continue;
            }
            let mut reads = graph.accesses(index).iter().filter(|access| access.reads);
            if !reads.all(|access| graph.is_within(access.source, cut)) {
                return false;
            }
            let event = graph.event(index);
            let past = event.past;
            if past.joined && !has_past(graph.clock(past.clock), event.process, cut) {
                return false;
            }
            self.steps.push(Step { process: ProcessId::new(event.process), choice: event.choice });
        }
        let behind = if at < end { others } else { all_added };
        self.steps.extend(behind.iter().map(|added| added.step()));
        true
    }

    /// Returns the groups in which the search has a choice between writes.
    pub(crate) fn contested(&self) -> impl Iterator<Item = CellGroup> + '_ {
        let opens = |access: &&VertexAccess| access.opens();
        self.problem.accesses.iter().filter(opens).map(|access| CellGroup(access.group))
    }

    /// Takes vertices in the order of the execution wherever possible. Returns whether all could be
    /// taken.
    fn follow(&mut self) -> bool {
        let Realiser { problem, sequence, .. } = self;
        sequence.restart(problem);
        // The execution itself shows that these can be taken.
        for vertex in 0..first_in_the_way(problem) {
            sequence.take(problem, vertex);
        }
        loop {
            let heads = sequence.heads(problem);
            let possible = heads.filter(|vertex| sequence.is_possible(problem, *vertex)).min();
            match possible {
                Some(vertex) => sequence.take(problem, vertex),
                None => return sequence.order.len() == problem.vertices.len(),
            }
        }
    }
}

/// Returns whether the past of an event of a process is within `cut`. It is, unless a piece that was read is damaged.
fn has_past(past: &[u32], process: usize, cut: &[u32]) -> bool {
    let mut others = past.iter().enumerate().filter(|(other, _)| *other != process);
    others.all(|(other, number)| *number <= cut.get(other).copied().unwrap_or(0))
}

/// Returns whether an added event `e` cannot observe what it should, since some event `r` observes a write `v` in
/// the past of `e`, and the write `w` that `e` observes is in the past of `r`. `v` must come before `w`, or `e`
/// would observe it or a later write. So `w` comes between `v` and `r`, and `r` cannot observe `v`.
///
/// The closure finds that, too, but takes ten times as many instructions.
fn is_contradicted(graph: &ObservationGraph, cut: &[u32], added: &AddedEvent) -> bool {
    let sources = added.accesses.iter().filter_map(|access| Some((access.group, access.source?)));
    let mut sources = sources.filter(|(_, source)| *source < FIRST_ADDED);
    sources.any(|(group, source)| {
        graph.accessing(group).any(|reader| {
            let observes = |access: &&GroupAccess| access.group == group && access.reads;
            let observed = graph.accesses(reader).iter().find(observes).map(|access| access.source);
            reader != source
                && observed.is_some_and(|other| {
                    other != INITIAL
                        && other != source
                        && graph.is_past(other, added.past)
                        && graph.is_past(source, graph.event(reader).clock)
                        && graph.is_within(reader, cut)
                })
        })
    })
}

/// Returns whether an added event `e` cannot observe a write `w` as it should, since it would come before a write
/// `x` that has `w` in its past, and some event `r` that is `x`, or has `x` in its past, observes a write `v`
/// that is overwritten by one in the past of `e`.
fn comes_between(graph: &ObservationGraph, cut: &[u32], added: &AddedEvent) -> bool {
    let past = graph.clock(added.past);
    let is_stale = |reader: u32| {
        let reads = graph.accesses(reader).iter().filter(|access| access.reads);
        reads.clone().any(|access| {
            let last = graph.last_write_within(access.group, past);
            last != access.source && last != reader && graph.follows(last, access.source)
        })
    };
    let sources = added.accesses.iter().filter_map(|access| Some((access.group, access.source?)));
    let mut sources = sources.filter(|(_, source)| *source != FIRST_ADDED);
    sources.any(|(group, source)| {
        let next = graph.writes_to(group).iter().copied().find(|write| {
            *write != source && graph.is_within(*write, cut) && graph.follows(*write, source)
        });
        next.is_some_and(|next| {
            let mut behind = (next..graph.len() as u32).filter(|event| {
                graph.is_within(*event, cut) && graph.is_past(next, graph.event(*event).clock)
            });
            behind.any(is_stale)
        })
    })
}

/// Returns the first vertex that must not precede an added vertex, because it overwrites what that one
/// observes; or the first added vertex.
fn first_in_the_way(problem: &Problem) -> u32 {
    let mut first = problem.first_added;
    for added in problem.first_added..problem.vertices.len() as u32 {
        for read in problem.accesses_of(added).iter().filter(|access| access.reads) {
            let behind = if read.source == INITIAL { 0 } else { read.source + 1 };
            let writes = |vertex: &u32| {
                let mut accesses = problem.accesses_of(*vertex).iter();
                accesses.any(|access| access.writes && access.group == read.group)
            };
            first = (behind..first).find(writes).unwrap_or(first);
        }
    }
    first
}
