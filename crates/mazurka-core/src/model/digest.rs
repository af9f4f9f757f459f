//! Digests: numbers that stand for states.
//!
//! States with the same digest count as the same state, so 64 bits are too few, and hashers for tables such as
//! `FxHasher` are too weak.

/// 128 bits that stand for a sequence of words.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Digest {
    low: u64,
    high: u64,
}

impl Digest {
    /// The digest of no words.
    const EMPTY: Self = Digest { low: 1, high: 2 };

    /// Returns the digest of a first word.
    #[inline]
    pub fn of(word: u64) -> Self {
        Self::of_words([word])
    }

    /// Returns the digest of words.
    #[inline]
    pub fn of_words(words: impl IntoIterator<Item = u64>) -> Self {
        let mut digest = Self::EMPTY;
        words.into_iter().for_each(|word| digest.add(word));
        digest
    }

    /// Takes in one more word.
    #[inline]
    pub fn add(&mut self, word: u64) {
        self.low = (self.low ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.low ^= self.low >> 29;
        self.high = (self.high.rotate_left(23) ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.high ^= self.high >> 32;
    }

    /// Takes in another digest.
    #[inline]
    pub fn take_in(&mut self, other: Digest) {
        self.add(other.low);
        self.add(other.high);
    }

    /// Returns the digest with its information spread over all bits, so that digests can be added up.
    #[inline]
    pub fn spread(self) -> Self {
        let spread = |mut bits: u64| {
            bits = (bits ^ bits >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
            bits = (bits ^ bits >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
            bits ^ bits >> 33
        };
        Digest { low: spread(self.low), high: spread(self.high ^ self.low.rotate_left(32)) }
    }

    /// Adds something to a sum of digests, in which the order does not matter.
    #[inline]
    pub fn include(&mut self, other: Digest) {
        self.low = self.low.wrapping_add(other.low);
        self.high = self.high.wrapping_add(other.high);
    }

    /// Takes it out again.
    #[inline]
    pub fn exclude(&mut self, other: Digest) {
        self.low = self.low.wrapping_sub(other.low);
        self.high = self.high.wrapping_sub(other.high);
    }

    /// Returns its bits, as for [`Machine::fingerprint`](super::Machine::fingerprint).
    pub fn bits(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_out_of_a_sum_leaves_no_trace() {
        let (a, b) = (Digest::of(1).spread(), Digest::of(2).spread());
        let mut sum = a;
        sum.include(b);
        assert_ne!(sum, a);
        sum.exclude(b);
        assert_eq!(sum, a);
    }
}
