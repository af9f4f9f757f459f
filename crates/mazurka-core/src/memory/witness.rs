//! Coherence orders that make a graph consistent, if only reads-from is given.
//!
//! With observed coherence, a graph stands for all graphs with the same reads-from. It is consistent if
//! *some* coherence order makes it so, and it keeps one such order, its *witness*. [`complete`] searches
//! for a witness.
//!
//! Coherence and atomicity force pairs of writes:
//!
//! * If `a` happens before `b`, and both access a location, then the write of `a` comes before the write
//!   of `b`. The write of a read is the write that it reads from.
//! * If a read-modify-write `u` reads from `s`, then `u` comes immediately after `s`.
//!
//! Under `ra`, every total order with these pairs is a witness. The other models have an axiom about
//! cycles. It is *monotone*: more pairs never remove a cycle. So the search orders one pair of writes
//! after the other, in the order of the current witness first, and gives up on a partial order that
//! violates the axiom. Deciding this is NP-hard under `sc`, but few pairs are not forced in practice.
//!
//! Under `rc11`, a witness is searched for even if no access to a location is `seq_cst`, because `seq_cst`
//! fences order such writes. Take `x = 1; fence; y = 1` and `y = 2; fence; x = 2`, with relaxed writes that
//! no thread reads. No pair is forced, but the orders `x: 2, 1` and `y: 1, 2` together are a cycle of `psc`.
//!
//! Writes that form a [chain](super::graph::Event::ends_chain) have only one order. They take no part in the
//! search.

use super::graph::{Graph, Kind};
use super::relation::Relation;
use super::{EventId, INITIAL, Model};

/// A partial coherence order.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// The ordered pairs of writes to the locations that are not chains.
    pairs: Relation,
}

impl Order {
    /// Returns whether a write comes before another write to the same location.
    pub(crate) fn precedes(&self, graph: &Graph, a: EventId, b: EventId) -> bool {
        match (a, b) {
            (_, INITIAL) => false,
            (INITIAL, _) => true,
            _ if graph.is_chain(graph.event(a).location) => {
                graph.event(a).position < graph.event(b).position
            }
            _ => self.pairs.has(a, b),
        }
    }
}

/// Returns the write that an access is or reads from.
pub(super) fn write_of(graph: &Graph, access: EventId) -> EventId {
    match graph.event(access).kind {
        Kind::Read => graph.event(access).reads_from,
        _ => access,
    }
}

/// Searches for a coherence order that makes a graph consistent, in which each write of `last` is the last
/// one to its location. Makes it the coherence order of the graph, and returns whether there is one.
///
/// If `last` is not empty, the coherence order of the graph must make it consistent.
pub(crate) fn complete(graph: &mut Graph, model: &dyn Model, last: &[(u32, EventId)]) -> bool {
    let is_last = |&(location, write): &(u32, EventId)| graph.last_write(location) == write;
    if !last.is_empty() && last.iter().all(is_last) {
        return true;
    }
    if last.iter().any(|last| !is_last(last) && is_followed(graph, last.0, last.1)) {
        return false;
    }
    let mut search = Search { graph, model, base: model.base(graph) };
    let Some(order) = search.forced(last).and_then(|order| search.extend(order)) else {
        return false;
    };
    for location in 0..graph.locations() {
        if !graph.is_chain(location) {
            let mut writes = graph.coherence(location).to_vec();
            writes.sort_by_key(|write| order.pairs.column(*write).count());
            graph.set_coherence(location, &writes);
        }
    }
    true
}

/// Returns whether coherence or atomicity forces a write to come after another one, which is not the last one
/// in the coherence order of a graph.
fn is_followed(graph: &Graph, location: u32, write: EventId) -> bool {
    if write == INITIAL || graph.is_chain(location) {
        return true;
    }
    let (writes, reads) = (graph.coherence(location), graph.reads(location));
    let precedes_another = |a: EventId| {
        let mut accesses = writes.iter().chain(reads);
        accesses.any(|b| graph.happens_before(a, *b) && write_of(graph, *b) != write)
    };
    // The read of a read-modify-write may be there without its write.
    let updates =
        |u: &EventId| graph.event(*u).is_exclusive && graph.event(*u - 1).reads_from == write;
    let mut readers = reads.iter().filter(|read| graph.event(**read).reads_from == write);
    precedes_another(write)
        || writes.iter().any(updates)
        || readers.any(|read| precedes_another(*read))
}

/// Returns the write to a location that a read which is added next reads from if it is added maximally.
/// This depends only on reads-from and program order: it is the last one, in the order of processes and
/// their events, that comes last in some consistent coherence order.
pub(crate) fn maximal(graph: &mut Graph, model: &dyn Model, location: u32) -> EventId {
    if graph.is_chain(location) {
        return graph.last_write(location);
    }
    let mut writes = graph.coherence(location).to_vec();
    writes.sort_by_key(|write| {
        let event = graph.event(*write);
        std::cmp::Reverse((event.process.index(), event.index))
    });
    let mut candidates = writes.into_iter();
    let found = candidates.find(|write| {
        graph.last_write(location) == *write || complete(graph, model, &[(location, *write)])
    });
    found.unwrap_or(INITIAL)
}

struct Search<'a> {
    graph: &'a Graph,
    model: &'a dyn Model,
    base: Option<Relation>,
}

impl Search<'_> {
    /// Returns the pairs that coherence forces, and that make the writes of `last` the last ones. Returns
    /// `None` if they contradict each other.
    fn forced(&mut self, last: &[(u32, EventId)]) -> Option<Order> {
        let graph = self.graph;
        let mut pairs = Relation::new(graph.events().len());
        for location in 0..graph.locations() {
            let writes = graph.coherence(location);
            let accesses = || writes.iter().chain(graph.reads(location)).copied();
            let is_chain = graph.is_chain(location);
            for (a, b) in accesses().flat_map(|a| accesses().map(move |b| (a, b))) {
                if !graph.happens_before(a, b) {
                    continue;
                }
                let (from, to) = (write_of(graph, a), write_of(graph, b));
                let is_forced = from != to && from != INITIAL;
                match is_forced {
                    true if to == INITIAL => return None,
                    true if is_chain => {
                        if graph.event(from).position > graph.event(to).position {
                            return None;
                        }
                    }
                    true => pairs.add(from, to),
                    // A read from a write that happens after it.
                    false if from == to && graph.event(b).kind == Kind::Write => return None,
                    false => {}
                }
            }
            for (_, end) in last.iter().filter(|(at, _)| *at == location) {
                match is_chain || *end == INITIAL {
                    true if graph.last_write(location) != *end => return None,
                    true => {}
                    false => {
                        for write in writes.iter().filter(|write| *write != end) {
                            pairs.add(*write, *end);
                        }
                    }
                }
            }
        }
        Some(Order { pairs })
    }

    /// Extends a partial order to a total one.
    fn extend(&mut self, mut order: Order) -> Option<Order> {
        let graph = self.graph;
        for location in (0..graph.locations()).filter(|location| !graph.is_chain(*location)) {
            if !self.propagate(location, &mut order) {
                return None;
            }
        }
        if !self.is_allowed(&order) {
            return None;
        }
        let open = (0..graph.locations()).filter(|location| !graph.is_chain(*location));
        let unordered = { open }.find_map(|location| {
            let writes = graph.coherence(location);
            let pairs = writes
                .iter()
                .enumerate()
                .flat_map(|(at, a)| writes[at + 1..].iter().map(move |b| (*a, *b)));
            { pairs }.find(|(a, b)| !order.pairs.has(*a, *b) && !order.pairs.has(*b, *a))
        });
        let Some((a, b)) = unordered else { return Some(order) };
        let mut first = order.clone();
        first.pairs.add(a, b);
        self.extend(first).or_else(|| {
            order.pairs.add(b, a);
            self.extend(order)
        })
    }

    /// Adds the pairs of a location that follow by transitivity and atomicity. Returns whether they do not
    /// contradict each other.
    fn propagate(&self, location: u32, order: &mut Order) -> bool {
        let graph = self.graph;
        let writes = graph.coherence(location);
        let source = |write: EventId| match graph.event(write).is_exclusive {
            true => Some(graph.event(write - 1).reads_from),
            false => None,
        };
        let exclusive =
            || writes.iter().filter_map(|write| source(*write).map(|from| (from, *write)));
        loop {
            let pairs = &mut order.pairs;
            let mut added = false;
            for (from, update) in exclusive() {
                if exclusive().any(|other| other.0 == from && other.1 != update) {
                    return false;
                }
                if from != INITIAL && !pairs.has(from, update) {
                    pairs.add(from, update);
                    added = true;
                }
                for write in writes.iter().copied().filter(|write| ![from, update].contains(write))
                {
                    let is_after = from == INITIAL || pairs.has(from, write);
                    if is_after && !pairs.has(update, write) {
                        pairs.add(update, write);
                        added = true;
                    }
                    if from != INITIAL && pairs.has(write, update) && !pairs.has(write, from) {
                        pairs.add(write, from);
                        added = true;
                    }
                }
            }
            added |= pairs.close(writes);
            if writes.iter().any(|write| pairs.has(*write, *write)) {
                return false;
            }
            if !added {
                return true;
            }
        }
    }

    /// Returns whether the axiom of the model holds for a partial order. It holds for all parts of an order
    /// for which it holds.
    fn is_allowed(&self, order: &Order) -> bool {
        if !self.model.allows(self.graph, order) {
            return false;
        }
        let Some(base) = &self.base else { return true };
        let graph = self.graph;
        let mut relation = base.clone();
        for location in 0..graph.locations() {
            let writes = graph.coherence(location);
            for access in writes.iter().chain(graph.reads(location)) {
                let from = write_of(graph, *access);
                for to in writes.iter().filter(|to| *to != access) {
                    if order.precedes(graph, from, *to) {
                        relation.add(*access, *to);
                    }
                }
            }
        }
        relation.is_acyclic()
    }
}
