//! Counts as explorers see them: one number for the references and the weak references.

use std::sync::Arc as StdArc;

use mazurka_core::model::MemoryOrdering::{Acquire, Relaxed};
use mazurka_core::model::Op;

use super::Arc;
use crate::rt::{self, Scrutiny, Site};

/// One reference.
pub(super) const STRONG: u64 = 1;

/// One weak reference.
pub(super) const WEAK: u64 = 1 << 32;

/// Returns the number of references.
pub(super) fn strong(count: u64) -> u64 {
    count % WEAK
}

/// Returns the count with so many references, and no weak ones.
pub(super) fn with_strong(references: u64) -> u64 {
    references * STRONG
}

/// Returns the count that `std` keeps.
pub(super) fn now<T: ?Sized>(inner: &StdArc<T>) -> u64 {
    StdArc::strong_count(inner) as u64 * STRONG + StdArc::weak_count(inner) as u64 * WEAK
}

/// Takes a step that changes the number of weak references to the value at `address`, if the program
/// looks at counts.
#[track_caller]
pub(super) fn count_weak(
    address: usize,
    (name, site): (&'static str, Option<Site>),
    now: impl FnOnce() -> u64,
    change: impl FnOnce(u64) -> u64,
) {
    if let Some(count) = rt::watched_count(address)
        && count.scrutiny == Scrutiny::Looks
    {
        count.step((name, site), (Op::Update, Relaxed), now(), change);
    }
}

impl<T: ?Sized> Arc<T> {
    pub(super) fn now(&self) -> u64 {
        now(&self.inner)
    }

    /// Looks at the count, and returns it if that is a step.
    #[track_caller]
    pub(super) fn look(&self, name: &'static str, site: Site) -> Option<u64> {
        let count = rt::look_at_count(self.address())?;
        let ordering = if name == "Arc::get_mut" { Acquire } else { Relaxed };
        count.step((name, Some(site)), (Op::Read, ordering), self.now(), |now| now)
    }

    #[track_caller]
    pub(super) fn count_weak(
        &self,
        name: &'static str,
        site: Site,
        change: impl FnOnce(u64) -> u64,
    ) {
        count_weak(self.address(), (name, Some(site)), || self.now(), change);
    }
}
