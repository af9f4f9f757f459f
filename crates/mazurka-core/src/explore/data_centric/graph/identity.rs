//! Names of events that mean the same in every execution.
//!
//! An event is what its process does next after all that the process has seen: after its earlier
//! events, the edges into it, and the writes that all of these observed. The *identity* of an event is
//! a digest of that, and of what the event itself observes. Two events of two executions have the same
//! identity exactly if everything in their causal past is the same (but for a collision of 128 bits).

/// A digest of a causal past.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Identity(u128);

impl Identity {
    /// What the initial values of all locations count as.
    pub(crate) const INITIAL: Identity = Identity(0x6a09_e667_f3bc_c908_bb67_ae85_84ca_a73b);

    /// That of a process which has not moved yet.
    pub(crate) fn of_process(process: usize) -> Self {
        Identity(0x3c6e_f372_fe94_f82b_a54f_f53a_5f1d_36f1).with(process as u128)
    }

    /// The digest of this and something else behind it.
    #[inline]
    fn with(self, word: u128) -> Self {
        const FACTORS: [u128; 2] =
            [0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835, 0xd1b5_4a32_d192_ed03_8cb9_2ba7_2f3d_8dd7];
        let mut x = self.0.wrapping_mul(FACTORS[0]).wrapping_add(word);
        x = (x ^ x >> 61).wrapping_mul(FACTORS[1]);
        Identity(x ^ x >> 67)
    }

    /// Followed by the alternative that a step takes.
    #[inline]
    pub(crate) fn choosing(self, choice: u32) -> Self {
        self.with(u128::from(choice) | 1 << 64)
    }

    /// Followed by the observation of what a write has left.
    #[inline]
    pub(crate) fn observing(self, write: Identity) -> Self {
        self.with(write.0)
    }

    /// Joined by an edge from a process with this past. The order of several edges does not matter.
    #[inline]
    pub(crate) fn joined_by(self, other: Identity) -> Self {
        Identity(self.0.wrapping_add(other.with(3).0))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn pasts_that_differ_have_other_names() {
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
