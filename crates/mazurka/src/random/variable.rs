//! The atomic variables of a random program, and their memory orderings.

use crate::sync::atomic::AtomicU32;
use crate::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

/// The memory orderings of a program.
#[derive(Clone, Copy, Debug)]
pub(super) enum Orderings {
    /// All accesses are `SeqCst`.
    SeqCst,
    /// All accesses are relaxed.
    Relaxed,
    /// The first variable is relaxed, the second one releases and acquires, and the others are `SeqCst`.
    Mixed,
}

impl Orderings {
    /// Returns the orderings of the accesses to a variable.
    pub(super) fn of(self, variable: usize) -> Strength {
        match (self, variable) {
            (Orderings::SeqCst, _) | (Orderings::Mixed, 2..) => {
                Strength { load: SeqCst, store: SeqCst, update: SeqCst }
            }
            (Orderings::Relaxed, _) | (Orderings::Mixed, 0) => {
                Strength { load: Relaxed, store: Relaxed, update: Relaxed }
            }
            (Orderings::Mixed, _) => Strength { load: Acquire, store: Release, update: AcqRel },
        }
    }
}

/// The orderings of loads, stores and read-modify-writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strength {
    load: Ordering,
    store: Ordering,
    update: Ordering,
}

/// An atomic variable.
#[derive(Clone, Copy)]
pub(super) struct Variable<'a> {
    atomic: &'a AtomicU32,
    strength: Strength,
}

impl<'a> Variable<'a> {
    pub(super) fn new(atomic: &'a AtomicU32, strength: Strength) -> Self {
        Variable { atomic, strength }
    }

    #[track_caller]
    pub(super) fn load(self) -> u32 {
        self.atomic.load(self.strength.load)
    }

    #[track_caller]
    pub(super) fn store(self, value: u32) {
        self.atomic.store(value, self.strength.store);
    }

    /// Adds one, and returns the value before.
    #[track_caller]
    pub(super) fn add(self) -> u32 {
        self.atomic.fetch_add(1, self.strength.update)
    }

    #[track_caller]
    pub(super) fn swap(self, value: u32) -> u32 {
        self.atomic.swap(value, self.strength.update)
    }

    #[track_caller]
    pub(super) fn exchange(self, from: u32, to: u32) -> Result<u32, u32> {
        self.atomic.compare_exchange(from, to, self.strength.update, self.strength.load)
    }

    #[track_caller]
    pub(super) fn exchange_weak(self, from: u32, to: u32) -> Result<u32, u32> {
        self.atomic.compare_exchange_weak(from, to, self.strength.update, self.strength.load)
    }
}
