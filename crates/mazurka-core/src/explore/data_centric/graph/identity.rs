//! Names of events that mean the same in every execution.
//!
//! Processes are deterministic. So an event is determined by its process and its causal past: the
//! earlier events of the process, the edges into it, and the writes that all of these observe, each
//! with its own past. The *identity* of an event is a [fingerprint](Fingerprint) of that past together
//! with what the event itself chooses and observes. Two events of two executions have the same identity
//! exactly if they have the same causal past.

use crate::explore::fingerprint::Fingerprint;

/// A fingerprint of a causal past.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Identity(pub(crate) Fingerprint);

impl Identity {
    /// The identity of the event that writes the initial value of every location.
    pub(crate) const INITIAL: Identity =
        Identity(Fingerprint::new(0x6a09_e667_f3bc_c908_bb67_ae85_84ca_a73b));

    /// Returns the identity of a process that has not moved yet.
    pub(crate) fn of_process(process: usize) -> Self {
        Identity(Fingerprint::new(0x3c6e_f372_fe94_f82b_a54f_f53a_5f1d_36f1).then(process as u128))
    }

    /// Returns this past followed by the alternative that a step takes.
    #[inline]
    pub(crate) fn choosing(self, choice: u32) -> Self {
        Identity(self.0.then(u128::from(choice) | 1 << 64))
    }

    /// Returns this past followed by the observation of a write.
    #[inline]
    pub(crate) fn observing(self, write: Identity) -> Self {
        Identity(self.0.then_all_of(write.0))
    }

    /// Returns this past with an edge from a process that has the past `other`. The order in which edges
    /// are added does not matter.
    #[inline]
    pub(crate) fn joined_by(self, other: Identity) -> Self {
        Identity(self.0.and(other.0))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn different_pasts_have_different_identities() {
        let start = Identity::of_process(1);
        let mut all = HashSet::new();
        assert!(all.insert(start));
        assert!(all.insert(Identity::of_process(2)));
        assert!(all.insert(start.choosing(0)));
        assert!(all.insert(start.choosing(1)));
        assert!(all.insert(start.observing(Identity::INITIAL)));
        assert!(all.insert(start.observing(start)));
        assert!(!all.insert(start.choosing(1)));
    }

    #[test]
    fn edges_may_come_in_any_order() {
        let [a, b, c] = [1, 2, 3].map(Identity::of_process);
        assert_eq!(a.joined_by(b).joined_by(c), a.joined_by(c).joined_by(b));
        assert_ne!(a.joined_by(b), b.joined_by(a));
    }
}
