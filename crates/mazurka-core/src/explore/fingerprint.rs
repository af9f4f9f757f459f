//! Fingerprints of 128 bits, which stand for what they are computed from.
//!
//! `data-centric` and `event-driven` know an event by a fingerprint of its causal past, and take two events
//! for one if the fingerprints are equal. So a fingerprint must be wide: among a billion events the
//! probability that any two collide is about 10⁻²¹. Hash tables need less, and use `rustc-hash`.
//!
//! There are two ways to combine fingerprints: [`Fingerprint::then`] for sequences, and
//! [`Fingerprint::and`] for sets, where order must not matter.

/// A digest of 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Fingerprint(u128);

/// Two odd factors without a pattern: the fraction of the golden ratio, and a multiplier of a linear
/// congruential generator that passes the spectral test.
const FACTORS: [u128; 2] =
    [0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835, 0xd1b5_4a32_d192_ed03_8cb9_2ba7_2f3d_8dd7];

/// A bijection in which every bit of the argument influences about half of the bits of the result.
#[inline]
const fn mix(x: u128) -> u128 {
    let x = (x ^ x >> 61).wrapping_mul(FACTORS[1]);
    x ^ x >> 67
}

impl Fingerprint {
    /// Returns the fingerprint of a number.
    pub(crate) const fn new(number: u128) -> Self {
        Fingerprint(number)
    }

    /// Returns its bits.
    pub(crate) const fn number(self) -> u128 {
        self.0
    }

    /// Returns the fingerprint of this followed by a number.
    #[inline]
    pub(crate) const fn then(self, number: u128) -> Self {
        // Without the first sum, 0 followed by 0 would be 0 again.
        let before = self.0.wrapping_add(FACTORS[1]).wrapping_mul(FACTORS[0]);
        Fingerprint(mix(before.wrapping_add(number)))
    }

    /// Returns the fingerprint of this followed by what another fingerprint stands for.
    #[inline]
    pub(crate) const fn then_all_of(self, other: Fingerprint) -> Self {
        self.then(other.0)
    }

    /// Adds an element to the fingerprint of a set. Sums do not depend on the order of their terms; each
    /// element is scattered first, so that equal sums mean equal sets.
    #[inline]
    pub(crate) const fn and(self, element: Fingerprint) -> Self {
        let scattered = element.then(FACTORS[1]).then(FACTORS[0]);
        Fingerprint(self.0.wrapping_add(scattered.0))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const EMPTY: Fingerprint = Fingerprint::new(0);

    #[test]
    fn sequences_depend_on_the_order() {
        assert_ne!(EMPTY.then(1).then(2), EMPTY.then(2).then(1));
        assert_ne!(EMPTY.then(0), EMPTY.then(0).then(0));
    }

    #[test]
    fn sets_do_not_depend_on_the_order() {
        let [a, b, c] = [1, 2, 3].map(Fingerprint::new);
        assert_eq!(EMPTY.and(a).and(b).and(c), EMPTY.and(c).and(a).and(b));
        assert_ne!(EMPTY.and(a).and(b), EMPTY.and(a).and(c));
    }

    #[test]
    fn sums_of_small_numbers_do_not_collide() {
        let mut sums = HashSet::new();
        for a in 0..100 {
            for b in a..100 {
                let sum = EMPTY.and(Fingerprint::new(a)).and(Fingerprint::new(b << 32));
                assert!(sums.insert(sum), "{a} and {b}");
            }
        }
    }
}
