//! One graph of each orbit counts.
//!
//! The [restriction](super::symmetry) visits the canonical graphs of an orbit: at least one, and sometimes
//! several. This module decides from a whole graph alone whether it is the one that counts. The others
//! are *blocked*. So no graph is remembered, and parts of the search do not depend on each other.
//!
//! # Arrangements
//!
//! An *arrangement* puts the twins of each family in some order. Renaming the twins by their places turns a
//! graph and an arrangement into a graph of the orbit, and each graph of the orbit is the result of an
//! arrangement. A blocked read does not belong to the graph that counts, so it counts as no event here. Let
//! the first `k - 1` events of `a` and `b` be equal, and let the same processes have released both since.
//! An arrangement is *good* if for all such `a`, `b`, and `k`, where `a` comes first:
//!
//! 1. If `b.k` exists, then so does `a.k`. If neither exists, and `b` has a blocked read, then so has `a`.
//! 2. The relation that contains `po ∪ rf`, the edges, and `a.k` before `b.k` has no cycle.
//! 3. `b.k` does not come before `a.k`, except for a reason. Reasons are as in the restriction: the relation
//!    of condition 2 has a `c.k` before the write that `b.k` reads from. Here `c` is `a`, or between `a` and
//!    `b`, and equal to them so far.
//!
//! *Each orbit has a good arrangement.* [The restriction](super::symmetry) chooses the least graph in which the
//! relation of condition 2 has no cycle. Here, blocked reads are not in that relation, and a graph is less if
//! other events come before blocked reads, and blocked reads before missing events. The least graph
//! satisfies condition 3 for the same reason as there. Suppose that it does not satisfy condition 1: `a.k` is a
//! blocked read or missing, and a later twin, which is equal so far, has more. Let `b` be the first such twin.
//! Move `b` ahead of `a`. As shown there, a cycle would lead from some `c.k` to `b.k`, where `c` is between the
//! two. But such a `c.k` is a blocked read or missing, and no event follows it. So there is no cycle, and
//! the new graph is less than the least one.
//!
//! *Each good arrangement leads to a graph that is visited*, because the graph is canonical, with any choice of
//! the writes that blocked reads read from. By condition 1, rule 1 puts blocked reads only before blocked reads,
//! so that these are in no cycle. A blocked read reads from a write that is last in some coherence order, so
//! that it does not come before another event. Two blocked reads of equal twins read from one write. Of the
//! choices of these writes, [`end`](Graphs::end) counts one.
//!
//! # The chosen arrangement
//!
//! Each arrangement has a *trace*, which is a list of numbers that depends on the resulting graph alone: see
//! `arrangements`. Two arrangements with the same trace lead to the same graph. A graph counts if its own
//! arrangement, by the names of the twins, is good, and no good arrangement has a lesser trace. So exactly
//! one graph of each orbit counts.
//!
//! # How it is decided
//!
//! Most graphs need no search. Let `a` and `b` be neighbours by name, and let `k` be the number of their first
//! events that are not equal. Every good arrangement puts `a` first if
//!
//! * only `a.k` exists;
//! * `a.k` is before `b.k` in `po ∪ rf`, or by an edge;
//! * `a.k` comes before `b.k`, and there is no reason for it in any arrangement. To find this out, the prefix of
//!   the write that `a.k` reads from is closed under the pairs of condition 2 of *all* arrangements.
//!
//! If neither exists, and no other process reads from a write of `a` or `b`, then exchanging `a` and `b` does not
//! change the graph. If one of these holds for all neighbours, then the good arrangements
//! differ only by such exchanges, and the graph counts. If only `b.k` exists, it does not count.
//! Otherwise the arrangements are searched.
//!
//! # Exceptions
//!
//! All visited graphs of an orbit count, so that there may be several, if
//!
//! * twins have created processes: these would have to be renamed, too;
//! * a step chooses which of several processes it notifies: the number of that choice depends on their names;
//! * a step has failed: how far the other processes have come depends on the order of the steps;
//! * there are more than 64 twins in a family: the restriction looks at no more of them.

use super::Graphs;
use super::arrangements::is_least;
use crate::execution::Execution;
use crate::memory::{EventId, Graph, INITIAL, Kind};
use crate::model::{ProcessId, Ways};

/// The largest family of twins whose graphs are compared.
const FAMILY: usize = 64;

/// A whole graph, and its twins.
pub(super) struct Whole<'a> {
    pub(super) graph: &'a Graph,
    /// The families of twins, each in the order of their names.
    pub(super) families: Vec<Vec<ProcessId>>,
    /// How many processes there are.
    pub(super) processes: usize,
    /// By process: how many events it has, a blocked read apart.
    lens: Vec<u32>,
    /// By process: whether another process reads from it.
    is_read: Vec<bool>,
    /// By pair of processes: the number of the last events that rule 1 may order, if they are twins.
    levels: Vec<u32>,
    /// By event: how many events of each process are before it in `po ∪ rf`, or by an edge.
    clocks: Vec<u32>,
}

/// What is known of the order of two neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// All good arrangements have this order, or exchanging the two does not change the graph.
    Settled,
    /// No good arrangement has this order.
    Wrong,
    /// Neither is known.
    Open,
}

impl<'a> Whole<'a> {
    fn new(graph: &'a Graph) -> Self {
        let families = graph.families();
        let members = families.iter().flatten().map(|twin| twin.index() + 1);
        let processes = members.max().unwrap_or(0).max(graph.processes());
        let mut lens = vec![0; processes];
        let mut is_read = vec![false; processes];
        for event in graph.events().iter().filter(|event| !event.is_blocked) {
            lens[event.process.index()] += 1;
            if event.kind == Kind::Read && event.reads_from != INITIAL {
                let from = graph.event(event.reads_from).process;
                is_read[from.index()] |= from != event.process;
            }
        }
        let (levels, clocks) = (Vec::new(), Vec::new());
        Whole { graph, families, processes, lens, is_read, levels, clocks }
    }

    /// Returns how many events a process has, a blocked read apart.
    pub(super) fn len(&self, process: ProcessId) -> u32 {
        self.lens[process.index()]
    }

    /// Returns the event of a process with this number, from 1, unless it is a blocked read.
    pub(super) fn event(&self, process: ProcessId, number: u32) -> Option<EventId> {
        let exists = number <= self.len(process);
        exists.then(|| self.graph.events_of(process)[number as usize - 1])
    }

    /// Returns whether a process has a blocked read.
    pub(super) fn is_blocked(&self, process: ProcessId) -> bool {
        self.graph.events_of(process).len() > self.len(process) as usize
    }

    /// Returns up to which number the events of two twins are ordered if one of the twins comes first.
    pub(super) fn levels(&self, a: ProcessId, b: ProcessId) -> u32 {
        self.levels[a.index() * self.processes + b.index()]
    }

    /// Returns the order of two neighbours. Unless [`prepare`](Self::prepare) has been called, more
    /// orders are open.
    fn order_of(&self, a: ProcessId, b: ProcessId) -> Order {
        let (equal, is_together) = self.graph.equal_events(a, b);
        let number = equal + 1;
        let settled = match (self.event(a, number), self.event(b, number)) {
            (None, None) => !self.is_read[a.index()] && !self.is_read[b.index()],
            _ if !is_together => false,
            (Some(_), None) => true,
            (None, Some(_)) => return Order::Wrong,
            (Some(first), Some(second)) => self.is_forced((a, first), second, number),
        };
        match settled {
            true => Order::Settled,
            false => Order::Open,
        }
    }

    /// Returns whether the first of two events with this number comes first in every good arrangement.
    fn is_forced(&self, (a, first): (ProcessId, EventId), second: EventId, number: u32) -> bool {
        let graph = self.graph;
        let is_prepared = !self.clocks.is_empty();
        if graph.happens_before(first, second)
            || is_prepared && self.clock(second)[a.index()] >= number
        {
            return true;
        }
        let read = graph.event(first);
        graph.comes_before(first, second)
            && (read.kind != Kind::Read
                || read.reads_from == INITIAL
                || is_prepared && !self.may_have_reason(a, number, read.reads_from))
    }

    /// Computes what is needed to compare all twins.
    fn prepare(&mut self) {
        let (graph, width) = (self.graph, self.processes);
        self.levels = vec![0; width * width];
        for family in &self.families {
            for (i, a) in family.iter().enumerate() {
                for b in &family[i + 1..] {
                    let (equal, is_together) = graph.equal_events(*a, *b);
                    let levels = equal + u32::from(is_together);
                    self.levels[a.index() * width + b.index()] = levels;
                    self.levels[b.index() * width + a.index()] = levels;
                }
            }
        }
        let mut clocks = vec![0; graph.events().len() * width];
        for (id, event) in graph.events().iter().enumerate() {
            let (known, rest) = clocks.split_at_mut(id * width);
            let clock = &mut rest[..width];
            for earlier in self.immediately_before(id as EventId) {
                join(clock, &known[earlier as usize * width..][..width]);
            }
            clock[event.process.index()] = event.index;
        }
        self.clocks = clocks;
    }

    fn clock(&self, event: EventId) -> &[u32] {
        &self.clocks[event as usize * self.processes..][..self.processes]
    }

    /// Returns events before an event in program order, by edges and in reads-from, such that all others are
    /// before these.
    pub(super) fn immediately_before(&self, id: EventId) -> impl Iterator<Item = EventId> {
        let graph = self.graph;
        let event = *graph.event(id);
        let from_others = (0..graph.processes()).map(ProcessId::new).filter_map(move |process| {
            let count = graph.ordered_events(id, process);
            let last = match process == event.process {
                true => event.index - 1,
                false => count.min(self.len(process)),
            };
            let last = (last as usize).checked_sub(1)?;
            graph.events_of(process).get(last).copied()
        });
        let is_read = event.kind == Kind::Read && event.reads_from != INITIAL;
        from_others.chain(is_read.then_some(event.reads_from))
    }

    /// Returns whether there may be a reason, in some arrangement, why a twin reads from a write in its event
    /// with this number.
    fn may_have_reason(&self, reader: ProcessId, number: u32, write: EventId) -> bool {
        let mut before = self.clock(write).to_vec();
        let mut grows = true;
        while std::mem::take(&mut grows) {
            for family in &self.families {
                for (a, b) in family.iter().flat_map(|a| family.iter().map(move |b| (*a, *b))) {
                    let reached = before[b.index()].min(self.levels(a, b)).min(self.len(a));
                    if reached <= before[a.index()] {
                        continue;
                    }
                    if let Some(event) = self.event(a, reached) {
                        join(&mut before, self.clock(event));
                        grows = true;
                    }
                }
            }
        }
        let families = self.families.iter();
        { families }.filter(|family| family.contains(&reader)).flatten().any(|twin| {
            *twin != reader
                && self.levels(*twin, reader) >= number
                && before[twin.index()] >= number
        })
    }

    /// Returns whether the graph counts.
    fn counts(&mut self) -> bool {
        match self.order() {
            Order::Settled => return true,
            Order::Wrong => return false,
            Order::Open => {}
        }
        self.prepare();
        self.order() == Order::Settled || is_least(self)
    }

    /// Returns what is known of all neighbours together.
    fn order(&self) -> Order {
        let mut all = Order::Settled;
        for pair in self.families.iter().flat_map(|family| family.windows(2)) {
            match self.order_of(pair[0], pair[1]) {
                Order::Settled => {}
                Order::Wrong => return Order::Wrong,
                Order::Open => all = Order::Open,
            }
        }
        all
    }
}

/// Makes a clock cover what another one covers.
pub(super) fn join(clock: &mut [u32], other: &[u32]) {
    for (mine, others) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*others);
    }
}

impl Graphs {
    /// Returns whether another graph of the orbit of a whole graph counts in its place.
    pub(super) fn repeats_orbit(&self, execution: &Execution) -> bool {
        let graph = &self.lineage().graph;
        if !self.reduces_symmetry || !graph.has_twins() || self.has_failed {
            return false;
        }
        let mut whole = Whole::new(graph);
        let is_large = whole.families.iter().any(|family| family.len() > FAMILY);
        !is_large && !self.have_created(&whole) && !chooses_process(execution) && !whole.counts()
    }

    /// Returns whether twins have created processes.
    fn have_created(&self, whole: &Whole<'_>) -> bool {
        let is_twin = |process: &ProcessId| whole.families.iter().flatten().any(|it| it == process);
        let mut known = Vec::new();
        whole.graph.passed().any(|(from, to)| {
            let is_new = to.index() >= self.initial && !known.contains(&to);
            known.push(to);
            is_new && is_twin(&from)
        })
    }
}

/// Returns whether a step has chosen among processes by a number that depends on their names.
fn chooses_process(execution: &Execution) -> bool {
    (0..execution.len()).any(|event| {
        execution.event(event).alternatives > 1
            && execution.accesses_of(event).first().is_some_and(|it| it.ways == Ways::PerBit)
    })
}
