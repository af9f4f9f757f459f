//! What is known of the round trips of a program.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mazurka_core::model::{Digest, Lesson, Location, ObjectId};

/// More locations, more debts of one, more sums of debts and more values than these are not considered.
const MOST_LOCATIONS: usize = 16;
const MOST_DEBTS: usize = 4;
const MOST_SUMS: usize = 64;
const MOST_VALUES: usize = 48;
/// How many results of checks are kept. A newer one takes the place of an older one.
const MOST_KEPT: usize = 1 << 13;

/// What is known of the round trips from a location.
#[derive(Clone, Debug)]
struct Known {
    on: Location,
    /// What the first updates of round trips add.
    debts: Vec<u64>,
    /// Whether round trips from the location are run.
    are_run: bool,
}

/// What executions have shown of the round trips of a program. Shared by all machines.
#[derive(Default, Debug)]
pub(crate) struct RoundTrips {
    /// How often something has been learnt.
    version: AtomicU32,
    /// How many threads there have been at most.
    threads: AtomicUsize,
    known: Mutex<Vec<Known>>,
}

impl RoundTrips {
    fn known(&self) -> MutexGuard<'_, Vec<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn version(&self) -> u32 {
        self.version.load(Ordering::Relaxed)
    }

    fn threads(&self) -> usize {
        self.threads.load(Ordering::Relaxed)
    }

    /// Returns a copy that learns by itself.
    pub(crate) fn apart(&self) -> Self {
        let known = self.known().clone();
        RoundTrips {
            version: AtomicU32::new(self.version()),
            threads: AtomicUsize::new(self.threads()),
            known: Mutex::new(known),
        }
    }

    /// Notes a debt at a location, unless there are too many locations. The program has so many threads.
    pub(super) fn learn(&self, on: Location, debt: u64, threads: usize) {
        self.threads.fetch_max(threads, Ordering::Relaxed);
        let mut known = self.known();
        let index = known.iter().position(|known| known.on == on).unwrap_or(known.len());
        if index == MOST_LOCATIONS {
            return;
        }
        if index == known.len() {
            known.push(Known { on, debts: Vec::new(), are_run: false });
        }
        let known = &mut known[index];
        if !known.are_run && !known.debts.contains(&debt) {
            known.debts.push(debt);
            known.are_run = known.debts.len() > MOST_DEBTS;
            self.version.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Notes how many threads there are. More of them may have more debts.
    fn meet(&self, threads: usize) {
        if self.threads.fetch_max(threads, Ordering::Relaxed) < threads {
            self.version.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Notes that round trips from a location have to be run.
    fn run(&self, on: Location) {
        for known in self.known().iter_mut().filter(|known| known.on == on && !known.are_run) {
            known.are_run = true;
            self.version.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns what is known, as a word.
    pub(crate) fn save(&self) -> String {
        let mut text = format!("{}:{}", self.version(), self.threads());
        for Known { on, debts, are_run } in &*self.known() {
            text += &format!(";{}:{}:{}:{are_run}", on.object.0, on.start, on.len);
            debts.iter().for_each(|debt| text += &format!(":{debt}"));
        }
        text
    }

    /// Reads what [`save`](Self::save) has written.
    pub(crate) fn restore(&self, text: &str) -> Option<()> {
        let mut parts = text.split(';');
        let (version, threads) = parts.next()?.split_once(':')?;
        self.version.store(version.parse().ok()?, Ordering::Relaxed);
        self.threads.store(threads.parse().ok()?, Ordering::Relaxed);
        let known = parts.map(|part| {
            let mut words = part.split(':');
            let mut number = || words.next()?.parse().ok();
            let object = ObjectId(number()?);
            let on = Location { object, start: number()?, len: number()? };
            if !(1..=8).contains(&on.len) {
                return None;
            }
            let are_run = words.next()?.parse().ok()?;
            let debts = words.map(|debt| debt.parse().ok()).collect::<Option<_>>()?;
            Some(Known { on, debts, are_run })
        });
        *self.known() = known.collect::<Option<_>>()?;
        Some(())
    }
}

/// A location from which threads make round trips.
#[derive(Debug)]
pub(super) struct Spot {
    pub(super) on: Location,
    pub(super) debts: Vec<u64>,
    /// The sums of the debts that `others` threads may have: first 0.
    pub(super) sums: Vec<u64>,
    pub(super) others: usize,
    /// Actual values that the location is known to have had.
    pub(super) actual: Vec<u64>,
    /// What it may hold: the sums of actual values and debts.
    pub(super) held: Vec<u64>,
    /// For each actual value and each sum, the index of what the location holds.
    pub(super) indices: Vec<u32>,
    /// Whether round trips are run.
    pub(super) are_run: bool,
}

/// What a machine knows of round trips in the current execution.
#[derive(Debug)]
pub(in crate::machine) struct ZeroNet {
    pub(super) round_trips: Arc<RoundTrips>,
    pub(super) spots: Vec<Spot>,
    /// The version of what the machine knows, and of what has been reported.
    pub(super) version: u32,
    pub(super) reported: u32,
    /// Digests of checks that were passed, by their last bits.
    pub(super) passed: Vec<u128>,
    /// A buffer: at which values the next access of a thread begins a pure iteration.
    pub(super) are_pure: Vec<bool>,
}

impl ZeroNet {
    pub(in crate::machine) fn new(round_trips: &Arc<RoundTrips>) -> Self {
        let version = 0;
        let round_trips = Arc::clone(round_trips);
        let mut new = ZeroNet {
            round_trips,
            spots: Vec::new(),
            version,
            reported: version,
            passed: Vec::new(),
            are_pure: Vec::new(),
        };
        new.start_over();
        new.reported = new.version;
        new
    }

    /// The machine is in its initial state again: the next execution knows what has been learnt.
    pub(in crate::machine) fn start_over(&mut self) {
        if self.version == self.round_trips.version() {
            return;
        }
        let known = self.round_trips.known();
        self.version = self.round_trips.version();
        self.passed.fill(0);
        let spot = |known: &Known| Spot {
            on: known.on,
            debts: known.debts.clone(),
            sums: vec![0],
            others: 0,
            actual: Vec::new(),
            held: Vec::new(),
            indices: Vec::new(),
            are_run: known.are_run,
        };
        self.spots = known.iter().map(spot).collect();
    }

    /// Returns the lesson that something is known that was not, once.
    #[inline]
    pub(in crate::machine) fn lesson(&mut self) -> Option<Lesson> {
        let version = self.round_trips.version();
        let is_new = self.reported < version;
        self.reported = version;
        is_new.then_some(Lesson::RoundTrips)
    }

    /// Notes that round trips have to be run from a location. If more has been learnt than the machine knows, the
    /// search starts over anyway, and then checks again.
    pub(super) fn give_up(&self, on: Location) {
        if self.version == self.round_trips.version() {
            self.round_trips.run(on);
        }
    }

    /// Returns how many other threads a thread has. The machine has had so many threads.
    pub(super) fn others(&self, threads: usize) -> usize {
        self.round_trips.meet(threads);
        self.round_trips.threads() - 1
    }

    pub(super) fn has_passed(&self, key: u128) -> bool {
        self.passed.get(key as usize % MOST_KEPT) == Some(&key)
    }

    pub(super) fn pass(&mut self, key: u128) {
        self.passed.resize(MOST_KEPT, 0);
        self.passed[key as usize % MOST_KEPT] = key;
    }

    pub(super) fn spot(&self, on: Location) -> Option<usize> {
        self.spots.iter().position(|spot| spot.on == on)
    }
}

impl Spot {
    /// Notes an actual value.
    pub(super) fn note(&mut self, value: u64) {
        if !self.actual.contains(&value) {
            self.actual.push(value);
            self.add_held(value);
        }
    }

    fn add_held(&mut self, value: u64) {
        for sum in &self.sums {
            let held = truncated(value.wrapping_add(*sum), self.on);
            let known = self.held.iter().position(|known| *known == held);
            let index = known.unwrap_or(self.held.len());
            if known.is_none() {
                self.held.push(held);
            }
            self.indices.push(index as u32);
        }
    }

    /// Finds the sums of the debts that so many threads may have.
    pub(super) fn suppose(&mut self, others: usize) {
        if self.others == others {
            return;
        }
        self.others = others;
        self.sums.truncate(1);
        for _ in 0..others {
            for i in 0..self.sums.len() {
                for debt in &self.debts {
                    let sum = truncated(self.sums[i].wrapping_add(*debt), self.on);
                    if !self.sums.contains(&sum) && self.sums.len() <= MOST_SUMS {
                        self.sums.push(sum);
                    }
                }
            }
        }
        self.held.clear();
        self.indices.clear();
        for i in 0..self.actual.len() {
            self.add_held(self.actual[i]);
        }
    }

    /// Returns a digest of a situation and a value there, and of what is known.
    pub(super) fn key(&self, mut situation: Digest, value: u64, kind: Check) -> u128 {
        situation.add(value);
        situation.add(kind as u64 | (self.actual.len() as u64) << 8 | (self.others as u64) << 32);
        situation.bits()
    }

    pub(super) fn is_too_large(&self) -> bool {
        self.sums.len() > MOST_SUMS || self.actual.len() > MOST_VALUES
    }
}

/// What is checked.
#[derive(Clone, Copy)]
pub(super) enum Check {
    Access,
    RoundTrip,
}

/// Returns a number as the value of a location.
pub(super) fn truncated(value: u64, on: Location) -> u64 {
    value & (u64::MAX >> (64 - 8 * on.len))
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Location = Location { object: ObjectId(7), start: 8, len: 4 };
    const MINUS_1: u64 = 0xFFFF_FFFF;

    fn spot(debts: &[u64], others: usize) -> Spot {
        let known = RoundTrips::default();
        debts.iter().for_each(|debt| known.learn(X, *debt, others + 1));
        let mut zero_net = ZeroNet::new(&Arc::new(known));
        let mut spot = zero_net.spots.remove(0);
        spot.suppose(others);
        spot
    }

    #[test]
    fn each_thread_has_one_debt_or_none() {
        assert_eq!(spot(&[MINUS_1], 2).sums, [0, MINUS_1, MINUS_1 - 1]);
        assert_eq!(spot(&[1, 3], 2).sums, [0, 1, 3, 2, 4, 6]);
    }

    #[test]
    fn a_location_holds_actual_values_and_debts() {
        let mut spot = spot(&[1], 1);
        [4, 9, 5, 4].iter().for_each(|value| spot.note(*value));
        assert_eq!((&spot.actual[..], &spot.held[..]), (&[4, 9, 5][..], &[4, 5, 9, 10, 6][..]));
        assert_eq!(spot.indices, [0, 1, 2, 3, 1, 4]);
        spot.suppose(2);
        assert_eq!(spot.held, [4, 5, 6, 9, 10, 11, 7]);
    }

    #[test]
    fn every_new_fact_is_a_lesson() {
        let known = Arc::new(RoundTrips::default());
        let mut zero_net = ZeroNet::new(&known);
        assert_eq!(zero_net.lesson(), None);
        known.learn(X, 1, 2);
        known.learn(X, 1, 2);
        assert_eq!((zero_net.lesson(), zero_net.lesson()), (Some(Lesson::RoundTrips), None));
        assert!(zero_net.spots.is_empty());
        zero_net.start_over();
        assert_eq!((zero_net.spot(X), zero_net.others(2), zero_net.lesson()), (Some(0), 1, None));
        // Another thread may have a debt, too.
        assert_eq!((zero_net.others(3), zero_net.lesson()), (2, Some(Lesson::RoundTrips)));
        zero_net.start_over();
        zero_net.give_up(X);
        assert_eq!(zero_net.lesson(), Some(Lesson::RoundTrips));
        zero_net.start_over();
        assert!(zero_net.spots[0].are_run);
    }

    #[test]
    fn what_is_known_can_be_saved() {
        let known = RoundTrips::default();
        known.learn(X, 1, 5);
        known.learn(Location { start: 0, ..X }, MINUS_1, 5);
        known.run(X);
        let other = RoundTrips::default();
        assert_eq!(other.restore(&known.save()), Some(()));
        assert_eq!(other.save(), known.save());
        for damaged in
            ["", "1", "1:2;7", "1:2;7:0:0:true:1", "1:2;7:0:4:maybe:1", "1:2;7:0:4:true:x"]
        {
            assert_eq!(other.restore(damaged), None, "{damaged}");
        }
    }
}
