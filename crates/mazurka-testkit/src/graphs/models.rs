//! Which candidates are consistent, by the definitions.

use mazurka_core::memory::{INITIAL, Kind, MemoryModel};
use mazurka_core::model::MemoryOrdering;

use super::candidates::{Candidate, Event};

/// A relation between the events of a candidate and the initial writes, which come first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    size: usize,
    /// For each event, a bit for each event that it is related to.
    rows: [u32; LARGEST],
}

/// The maximum number of events and initial writes of a candidate.
const LARGEST: usize = u32::BITS as usize;

impl Relation {
    fn from(size: usize, has: impl Fn(usize, usize) -> bool) -> Self {
        assert!(size <= LARGEST, "a candidate has at most {LARGEST} events");
        let mut rows = [0; LARGEST];
        for (a, row) in rows.iter_mut().enumerate().take(size) {
            *row = (0..size).filter(|b| has(a, *b)).fold(0, |row, b| row | 1 << b);
        }
        Relation { size, rows }
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.rows[a] >> b & 1 != 0
    }

    fn or(&self, other: &Relation) -> Relation {
        let mut union = self.clone();
        union.rows.iter_mut().zip(other.rows).for_each(|(row, other)| *row |= other);
        union
    }

    fn then(&self, other: &Relation) -> Relation {
        let mut rows = [0; LARGEST];
        for (row, mine) in rows.iter_mut().zip(self.rows) {
            let via = (0..self.size).filter(|c| mine >> c & 1 != 0);
            *row = via.fold(0, |row, c| row | other.rows[c]);
        }
        Relation { size: self.size, rows }
    }

    fn inverse(&self) -> Relation {
        Relation::from(self.size, |a, b| self.has(b, a))
    }

    fn reflexive(&self) -> Relation {
        let mut rows = self.rows;
        rows.iter_mut().enumerate().take(self.size).for_each(|(a, row)| *row |= 1 << a);
        Relation { size: self.size, rows }
    }

    /// The transitive closure.
    fn plus(&self) -> Relation {
        let mut closure = self.clone();
        for c in 0..self.size {
            let through = closure.rows[c];
            for row in &mut closure.rows {
                if *row >> c & 1 != 0 {
                    *row |= through;
                }
            }
        }
        closure
    }

    fn star(&self) -> Relation {
        self.plus().reflexive()
    }

    fn is_irreflexive(&self) -> bool {
        (0..self.size).all(|a| !self.has(a, a))
    }

    fn is_acyclic(&self) -> bool {
        self.plus().is_irreflexive()
    }

    fn filter(&self, keep: impl Fn(usize, usize) -> bool) -> Relation {
        Relation::from(self.size, |a, b| self.has(a, b) && keep(a, b))
    }
}

/// Returns how many initial writes there are: one for each location up to the last one that is accessed.
fn initial_writes(candidate: &Candidate) -> usize {
    let accesses = candidate.events.iter().filter(|event| event.kind != Kind::Fence);
    let locations = accesses.map(|event| event.location as usize);
    let known = locations.filter(|location| *location < candidate.coherence.len());
    known.map(|location| location + 1).max().unwrap_or(0)
}

/// Returns whether a candidate is too large for [`is_consistent`].
pub fn is_too_large(candidate: &Candidate) -> bool {
    initial_writes(candidate) + candidate.events.len() > LARGEST
}

/// The relations of a candidate.
struct Relations<'a> {
    candidate: &'a Candidate,
    /// How many initial writes there are: one for each location.
    initial: usize,
    size: usize,
    /// Program order within a thread.
    po: Relation,
    /// Program order, initial writes and joins.
    base: Relation,
    rf: Relation,
    mo: Relation,
    fr: Relation,
}

impl<'a> Relations<'a> {
    fn of(candidate: &'a Candidate) -> Self {
        let initial = initial_writes(candidate);
        let size = initial + candidate.events.len();
        let event = |e: usize| e.checked_sub(initial).map(|e| &candidate.events[e]);
        let place = |e: u32, location: u32| match e {
            INITIAL => location as usize,
            e => initial + e as usize,
        };
        let po = Relation::from(size, |a, b| match (event(a), event(b)) {
            (Some(a), Some(b)) => a.thread == b.thread && a.index < b.index,
            _ => false,
        });
        let joined = Relation::from(size, |a, b| {
            a < initial && b >= initial
                || candidate.joined.iter().any(|(thread, count, to)| {
                    event(a).is_some_and(|a| a.thread == *thread && a.index <= *count)
                        && b == initial + *to as usize
                })
        });
        let base = po.or(&joined).plus();
        let rf = Relation::from(size, |a, b| {
            event(b).is_some_and(|read| {
                read.kind == Kind::Read
                    && place(candidate.reads_from[b - initial], read.location) == a
            })
        });
        let mo = Relation::from(size, |a, b| {
            candidate.coherence.iter().enumerate().any(|(location, writes)| {
                let position = |e: usize| match e {
                    e if e == location => Some(0),
                    e if e < initial => None,
                    e => writes.iter().position(|w| initial + *w as usize == e).map(|p| p + 1),
                };
                matches!((position(a), position(b)), (Some(a), Some(b)) if a < b)
            })
        });
        let fr = rf.inverse().then(&mo);
        Relations { candidate, initial, size, po, base, rf, mo, fr }
    }

    fn event(&self, e: usize) -> Option<&Event> {
        e.checked_sub(self.initial).map(|e| &self.candidate.events[e])
    }

    fn is(&self, e: usize, holds: impl Fn(&Event) -> bool) -> bool {
        self.event(e).is_some_and(holds)
    }

    fn location(&self, e: usize) -> Option<usize> {
        match self.event(e) {
            None => Some(e),
            Some(event) if event.kind == Kind::Fence => None,
            Some(event) => Some(event.location as usize),
        }
    }

    /// The pairs of the read and the write of a read-modify-write.
    fn rmw(&self) -> Relation {
        self.po.filter(|a, b| {
            b == a + 1
                && self.is(a, |e| e.is_exclusive && e.kind == Kind::Read)
                && self.is(b, |e| e.is_exclusive && e.kind == Kind::Write)
        })
    }

    /// No write comes between the two parts of a read-modify-write.
    fn is_atomic(&self) -> bool {
        let between = self.fr.then(&self.mo);
        let rmw = self.rmw();
        Relation::from(self.size, |a, b| rmw.has(a, b) && between.has(a, b))
            == Relation::from(self.size, |_, _| false)
    }

    fn identity(&self, holds: impl Fn(usize) -> bool) -> Relation {
        Relation::from(self.size, |a, b| a == b && holds(a))
    }

    /// Synchronises-with, under orderings that count as something else.
    fn sw(&self, counts_as: fn(MemoryOrdering) -> MemoryOrdering) -> Relation {
        let ordering = |e: usize| self.event(e).and_then(|e| e.ordering).map(counts_as);
        let is_fence = |e: usize| self.is(e, |e| e.kind == Kind::Fence);
        let releases = self.identity(|e| ordering(e).is_some_and(MemoryOrdering::is_release));
        let acquires = self.identity(|e| ordering(e).is_some_and(MemoryOrdering::is_acquire));
        let before = self.identity(is_fence).then(&self.po).reflexive();
        let behind = self.po.then(&self.identity(is_fence)).reflexive();
        let atomic_write =
            self.identity(|e| self.is(e, |e| e.kind == Kind::Write && e.ordering.is_some()));
        let atomic_read =
            self.identity(|e| self.is(e, |e| e.kind == Kind::Read && e.ordering.is_some()));
        let sequence = self.rf.then(&self.rmw()).star();
        releases
            .then(&before)
            .then(&atomic_write)
            .then(&sequence)
            .then(&self.rf)
            .then(&atomic_read)
            .then(&behind)
            .then(&acquires)
    }

    fn eco(&self) -> Relation {
        self.rf.or(&self.mo).or(&self.fr).plus()
    }

    fn is_rc11(&self, counts_as: fn(MemoryOrdering) -> MemoryOrdering, psc: bool) -> bool {
        let hb = self.base.or(&self.sw(counts_as)).plus();
        let eco = self.eco();
        hb.then(&eco.reflexive()).is_irreflexive()
            && self.is_atomic()
            && (!psc || self.psc(&hb, &eco).is_acyclic())
    }

    fn psc(&self, hb: &Relation, eco: &Relation) -> Relation {
        let is_sc = |e: usize| self.is(e, |e| e.ordering.is_some_and(MemoryOrdering::is_seq_cst));
        let is_fence = |e: usize| self.is(e, |e| e.kind == Kind::Fence);
        let sc = self.identity(is_sc);
        let fence = self.identity(|e| is_sc(e) && is_fence(e));
        let same =
            |a: usize, b: usize| self.location(a).is_some() && self.location(a) == self.location(b);
        let elsewhere = self.po.filter(|a, b| !same(a, b));
        let scb = self
            .po
            .or(&elsewhere.then(hb).then(&elsewhere))
            .or(&hb.filter(same))
            .or(&self.mo)
            .or(&self.fr);
        let left = sc.or(&fence.then(&hb.reflexive()));
        let right = sc.or(&hb.reflexive().then(&fence));
        let base = left.then(&scb).then(&right);
        let of_fences = fence.then(&hb.or(&hb.then(eco).then(hb))).then(&fence);
        base.or(&of_fences)
    }

    fn is_sc(&self) -> bool {
        self.base.or(&self.rf).or(&self.mo).or(&self.fr).is_acyclic() && self.is_atomic()
    }

    /// Total store order or, if `partial`, partial store order.
    fn is_store_order(&self, partial: bool) -> bool {
        let same =
            |a: usize, b: usize| self.location(a).is_some() && self.location(a) == self.location(b);
        let by_location = self.base.filter(same).or(&self.rf).or(&self.mo).or(&self.fr);
        if !by_location.is_acyclic() || !self.is_atomic() {
            return false;
        }
        let is_seq_cst = |e: &Event| e.ordering.is_some_and(MemoryOrdering::is_seq_cst);
        let is_release = |e: &Event| e.ordering.is_some_and(MemoryOrdering::is_release);
        let between = |a: usize, b: usize, drains: &dyn Fn(&Event) -> bool| {
            (0..self.size).any(|c| self.po.has(a, c) && self.po.has(c, b) && self.is(c, drains))
        };
        let drains = |e: &Event| {
            e.is_exclusive || is_seq_cst(e) && matches!(e.kind, Kind::Fence | Kind::Write)
        };
        let is_ordered = |a: usize, b: usize| {
            let (from, to) = (self.event(a), self.event(b));
            let (Some(from), Some(to)) = (from, to) else { return true };
            let has_part = from.is_exclusive || to.is_exclusive;
            let is_drained =
                has_part || from.kind == Kind::Write && is_seq_cst(from) || between(a, b, &drains);
            match (from.kind, to.kind) {
                (Kind::Write, Kind::Read) => is_drained,
                (Kind::Write, Kind::Write) if partial => {
                    is_drained
                        || from.location == to.location
                        || is_release(to)
                        || between(a, b, &|e| e.kind == Kind::Fence && is_release(e))
                }
                (Kind::Fence, _) | (_, Kind::Fence) => false,
                _ => true,
            }
        };
        let ppo = self.base.filter(|a, b| !self.po.has(a, b) || is_ordered(a, b));
        let external = self.rf.filter(|a, b| !self.po.has(a, b));
        ppo.or(&external).or(&self.mo).or(&self.fr).is_acyclic()
    }
}

/// Returns whether a candidate is consistent under a memory model. Threads that wait have read the last
/// write.
pub fn is_consistent(candidate: &Candidate, model: MemoryModel) -> bool {
    let relations = Relations::of(candidate);
    if !relations.base.or(&relations.rf).is_acyclic() {
        return false;
    }
    for (number, event) in candidate.events.iter().enumerate() {
        let last = candidate.coherence[event.location as usize].last().copied().unwrap_or(INITIAL);
        if event.is_blocked && candidate.reads_from[number] != last {
            return false;
        }
    }
    let consistent = match model {
        MemoryModel::Sc => relations.is_sc(),
        MemoryModel::Tso => relations.is_store_order(false),
        MemoryModel::Pso => relations.is_store_order(true),
        MemoryModel::Ra => relations.is_rc11(
            |ordering| match ordering {
                MemoryOrdering::SeqCst => MemoryOrdering::AcqRel,
                ordering => ordering,
            },
            false,
        ),
        MemoryModel::Rc11 | MemoryModel::Auto => relations.is_rc11(|ordering| ordering, true),
    };
    let sees_more = |read: u32| can_see_more(candidate, read);
    let sees_last = |read: &u32| {
        let location = candidate.events[*read as usize].location;
        let last = candidate.coherence[location as usize].last().copied().unwrap_or(INITIAL);
        candidate.reads_from[*read as usize] == last
    };
    consistent
        && candidate.retried.iter().all(sees_last)
        && candidate.spinning.iter().all(|read| !sees_more(*read))
        && candidate.in_vain.iter().all(|read| sees_last(read) && sees_more(*read - 1))
}

/// Returns whether a thread that spins behind a read can read another value: one that comes later in
/// coherence order.
fn can_see_more(candidate: &Candidate, read: u32) -> bool {
    let event = &candidate.events[read as usize];
    let writes = &candidate.coherence[event.location as usize];
    let position = |write: u32| writes.iter().position(|w| *w == write).map_or(0, |p| p + 1);
    let seen = position(candidate.reads_from[read as usize]);
    writes[seen..].iter().any(|write| candidate.events[*write as usize].value != event.value)
}
