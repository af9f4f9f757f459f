//! The arrangements of the twins of a graph. [`orbits`](super::orbits) says what these are.
//!
//! # Traces
//!
//! An arrangement fills the places of the families one after the other. The trace of an arrangement consists of
//! the traces of its places. That of a place consists of
//!
//! * the events of the twin: what each reads from, or its position in coherence order, and its choice;
//! * the reads of other processes from its writes.
//!
//! A process is named by its place, if it has one already, or if it is no twin. Otherwise only its family
//! is named. A twin that reads from another one is listed again at the later of the two places, so that the
//! whole trace has all of reads-from. So the trace determines the graph.
//!
//! Traces are compared from left to right. Events that exist come first, and so do events that come before others in
//! the order of equal twins. Therefore the arrangement by name almost always has the least trace if it is
//! good, and the search is short.
//!
//! # The search
//!
//! Let the places before `p` be filled as by name. The search tries the other twins at place `p`. If the
//! trace becomes less, it looks for a good way to fill the remaining places; if there is one, the graph does not
//! count. If the trace becomes greater, it goes back. If it finds another arrangement with the same trace,
//! then renaming the twins in this way does not change the graph, and maps all arrangements with the twin by name
//! at place `p` to those with the other twin. These need not be searched twice. So the search begins at the last
//! place: twins that can be exchanged need one attempt for each pair, and not one for each of their
//! orders.

use std::cmp::Ordering;

use super::orbits::{Whole, join};
use crate::memory::{EventId, INITIAL, Kind};
use crate::model::ProcessId;

/// Returns whether the arrangement by name is good, and no good one has a lesser trace.
pub(super) fn is_least(whole: &Whole<'_>) -> bool {
    let families = whole.families.iter().enumerate();
    let places: Vec<_> = { families }
        .flat_map(|(family, twins)| twins.iter().map(move |it| (family, *it)))
        .collect();
    let mut names: Vec<u64> = (0..whole.processes as u64).collect();
    for (family, twin) in &places {
        names[twin.index()] = UNPLACED + *family as u64;
    }
    let mut arrangement = Arrangement { whole, places, names, traces: Vec::new() };
    for place in 0..arrangement.places.len() {
        let twin = arrangement.places[place].1;
        let trace = arrangement.trace(twin);
        arrangement.traces.push(trace);
        arrangement.put(place, twin);
    }
    if !arrangement.is_good() {
        return false;
    }
    (0..arrangement.places.len()).rev().all(|place| {
        arrangement.remove(arrangement.places[place].1);
        let others = arrangement.candidates(place).into_iter();
        let by_name = arrangement.places[place].1;
        { others }
            .filter(|twin| *twin != by_name)
            .all(|twin| arrangement.try_at(place, twin) != Found::Lesser)
    })
}

/// Names from here on stand for twins that have no place. They are those of families.
const UNPLACED: u64 = 1 << 20;

/// A number that is greater than those of a trace.
const END: u64 = u64::MAX;

/// What a search has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    /// A good arrangement with a lesser trace than that by name.
    Lesser,
    /// An arrangement with the same trace.
    Same,
    Nothing,
}

/// An arrangement, in which some twins may have no place yet.
struct Arrangement<'a> {
    whole: &'a Whole<'a>,
    /// The places, each with its family, and the twin that has it by name.
    places: Vec<(usize, ProcessId)>,
    /// By process: the name that it has in traces. That of a twin with a place is the process that has the
    /// place by name.
    names: Vec<u64>,
    /// The trace of each place in the arrangement by name.
    traces: Vec<Vec<u64>>,
}

impl Arrangement<'_> {
    fn put(&mut self, place: usize, twin: ProcessId) {
        self.names[twin.index()] = self.places[place].1.index() as u64;
    }

    fn remove(&mut self, twin: ProcessId) {
        let mut families = self.whole.families.iter();
        let family = families.position(|family| family.contains(&twin)).expect("it is a twin");
        self.names[twin.index()] = UNPLACED + family as u64;
    }

    fn has_place(&self, twin: ProcessId) -> bool {
        self.names[twin.index()] < UNPLACED
    }

    /// Returns whether a twin comes before another one of its family.
    fn precedes(&self, a: ProcessId, b: ProcessId) -> bool {
        self.names[a.index()] < self.names[b.index()]
    }

    /// Returns the twins that can have a place.
    fn candidates(&self, place: usize) -> Vec<ProcessId> {
        let family = &self.whole.families[self.places[place].0];
        family.iter().copied().filter(|twin| !self.has_place(*twin)).collect()
    }

    /// Puts a twin at a place, and searches the arrangements that begin in this way.
    fn try_at(&mut self, place: usize, twin: ProcessId) -> Found {
        let order = self.trace(twin).cmp(&self.traces[place]);
        if order == Ordering::Greater {
            return Found::Nothing;
        }
        self.put(place, twin);
        let found = match order {
            _ if !self.may_be_good() => Found::Nothing,
            Ordering::Less if self.can_be_completed(place + 1) => Found::Lesser,
            Ordering::Less => Found::Nothing,
            _ if place + 1 == self.places.len() => Found::Same,
            _ => {
                let mut others = self.candidates(place + 1).into_iter();
                let found = others.find_map(|twin| {
                    let found = self.try_at(place + 1, twin);
                    (found != Found::Nothing).then_some(found)
                });
                found.unwrap_or(Found::Nothing)
            }
        };
        self.remove(twin);
        found
    }

    /// Returns whether there is a good way to fill the places from this one on.
    fn can_be_completed(&mut self, place: usize) -> bool {
        if place == self.places.len() {
            return self.is_good();
        }
        let mut candidates = self.candidates(place);
        candidates.sort_by_cached_key(|twin| self.trace(*twin));
        candidates.into_iter().any(|twin| {
            self.put(place, twin);
            let found = self.may_be_good() && self.can_be_completed(place + 1);
            self.remove(twin);
            found
        })
    }

    /// Returns the trace of a twin at the next place.
    fn trace(&self, twin: ProcessId) -> Vec<u64> {
        let Whole { graph, .. } = *self.whole;
        let name = |event: EventId| {
            let event = graph.event(event);
            (self.names[event.process.index()] + 2) << 32 | u64::from(event.index)
        };
        let mut trace = Vec::new();
        let mut readers = Vec::new();
        for number in 1..=self.whole.len(twin) {
            let Some(id) = self.whole.event(twin, number) else { continue };
            let event = graph.event(id);
            let (rank, source) = match event.kind {
                Kind::Read => (
                    self.rank(id),
                    match event.reads_from {
                        INITIAL => 0,
                        write if graph.event(write).process == twin => {
                            1 << 32 | u64::from(graph.event(write).index)
                        }
                        write => name(write),
                    },
                ),
                Kind::Write => (self.rank(id), 0),
                Kind::Fence | Kind::Choice => (0, 0),
            };
            // The greater choice comes first.
            trace.extend([rank, source, u64::from(u32::MAX - event.choice)]);
            if event.kind == Kind::Write {
                let reads = graph.reads(event.location).iter().copied().filter(|read| {
                    let read = graph.event(*read);
                    read.reads_from == id && read.process != twin && !read.is_blocked
                });
                readers.extend(reads.map(|read| (number, name(read))));
            }
        }
        trace.push(END);
        readers.sort_unstable();
        trace.extend(readers.iter().flat_map(|(number, read)| [u64::from(*number), *read]));
        trace.push(END);
        trace
    }

    /// Returns a number that does not change if twins are renamed, and is less for an event that comes before
    /// another one in the order of equal twins.
    fn rank(&self, id: EventId) -> u64 {
        let graph = self.whole.graph;
        let event = graph.event(id);
        if graph.orders_writes_of_twins() {
            return graph.position_of(id) as u64;
        }
        if event.kind == Kind::Write || event.reads_from == INITIAL {
            return 0;
        }
        let writes = graph.coherence(event.location).iter();
        1 + writes.filter(|write| graph.happens_before(**write, event.reads_from)).count() as u64
    }

    /// Returns whether conditions 1 and 2 hold for the twins that have a place. These come before the others.
    fn may_be_good(&self) -> bool {
        self.prefixes().is_some()
    }

    /// Returns whether an arrangement in which all twins have a place is good.
    fn is_good(&self) -> bool {
        let Whole { graph, processes: width, .. } = *self.whole;
        let Some(prefixes) = self.prefixes() else { return false };
        let is_before = |a: ProcessId, number: u32, event: EventId| {
            event != INITIAL && prefixes[event as usize * width + a.index()] >= number
        };
        for family in &self.whole.families {
            let mut arranged = family.clone();
            arranged.sort_by_key(|twin| self.names[twin.index()]);
            for (place, twin) in arranged.iter().enumerate() {
                for number in 1..=self.whole.len(*twin) {
                    let Some(event) = self.whole.event(*twin, number) else { continue };
                    let source = match graph.event(event).kind {
                        Kind::Read => graph.event(event).reads_from,
                        _ => INITIAL,
                    };
                    let mut has_reason = false;
                    for elder in arranged[..place].iter().rev() {
                        let Some(other) = self.whole.event(*elder, number) else { continue };
                        if self.whole.levels(*elder, *twin) < number {
                            continue;
                        }
                        has_reason |= is_before(*elder, number, source);
                        if !has_reason && graph.comes_before(event, other) {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }

    /// Returns by event how many events of each process are before it, by the relation of condition 2. Returns
    /// `None` if this has a cycle, or condition 1 does not hold.
    fn prefixes(&self) -> Option<Vec<u32>> {
        let Whole { graph, processes: width, .. } = *self.whole;
        for family in &self.whole.families {
            for (a, b) in family.iter().flat_map(|a| family.iter().map(move |b| (*a, *b))) {
                let [first, second] = [a, b].map(|twin| self.whole.len(twin) + 1);
                let is_next = first == second && first <= self.whole.levels(a, b);
                if self.precedes(a, b)
                    && is_next
                    && !self.whole.is_blocked(a)
                    && self.whole.is_blocked(b)
                {
                    return None;
                }
            }
        }
        let mut prefixes = vec![0; graph.events().len() * width];
        let mut taken = vec![0; width];
        let mut goes_on = true;
        while std::mem::take(&mut goes_on) {
            for process in (0..width).map(ProcessId::new) {
                while let Some(event) = self.whole.event(process, taken[process.index()] + 1) {
                    let number = taken[process.index()] + 1;
                    let is_taken = |other: EventId| {
                        let other = graph.event(other);
                        other.index <= taken[other.process.index()]
                    };
                    let elders = || {
                        let family = self.whole.families.iter().find(|it| it.contains(&process));
                        family.into_iter().flatten().copied().filter(|elder| {
                            *elder != process
                                && self.precedes(*elder, process)
                                && number <= self.whole.levels(*elder, process)
                        })
                    };
                    let is_ready = self.whole.immediately_before(event).all(is_taken)
                        && elders().all(|elder| taken[elder.index()] >= number);
                    if !is_ready {
                        break;
                    }
                    let mut prefix = vec![0; width];
                    let elders = elders().filter_map(|elder| self.whole.event(elder, number));
                    for earlier in self.whole.immediately_before(event).chain(elders) {
                        join(&mut prefix, &prefixes[earlier as usize * width..][..width]);
                    }
                    prefix[process.index()] = number;
                    prefixes[event as usize * width..][..width].copy_from_slice(&prefix);
                    taken[process.index()] = number;
                    goes_on = true;
                }
            }
        }
        let mut all = (0..width).map(ProcessId::new);
        all.all(|process| taken[process.index()] == self.whole.len(process)).then_some(prefixes)
    }
}
