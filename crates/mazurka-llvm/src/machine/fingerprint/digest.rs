//! Digests, and what is digested.

use crate::memory::address::{leads_to_object, name_of, without_object};

/// 128 bits that stand for some words.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Digest {
    low: u64,
    high: u64,
}

impl Digest {
    /// The digest of a first word.
    #[inline]
    pub(super) fn of(word: u64) -> Self {
        let mut digest = Digest { low: 1, high: 2 };
        digest.add(word);
        digest
    }

    /// Takes in one more word.
    #[inline]
    pub(super) fn add(&mut self, word: u64) {
        self.low = (self.low ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.low ^= self.low >> 29;
        self.high = (self.high.rotate_left(23) ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.high ^= self.high >> 32;
    }

    /// Takes in another digest.
    #[inline]
    pub(super) fn take_in(&mut self, other: Digest) {
        self.add(other.low);
        self.add(other.high);
    }

    /// The same information, spread over all bits, so that digests can be added up.
    #[inline]
    pub(super) fn spread(self) -> Self {
        let spread = |mut bits: u64| {
            bits = (bits ^ bits >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
            bits = (bits ^ bits >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
            bits ^ bits >> 33
        };
        Digest { low: spread(self.low), high: spread(self.high ^ self.low.rotate_left(32)) }
    }

    /// Adds something to a sum of digests, in which the order does not matter.
    #[inline]
    pub(super) fn include(&mut self, other: Digest) {
        self.low = self.low.wrapping_add(other.low);
        self.high = self.high.wrapping_add(other.high);
    }

    /// Takes it out again.
    #[inline]
    pub(super) fn exclude(&mut self, other: Digest) {
        self.low = self.low.wrapping_sub(other.low);
        self.high = self.high.wrapping_sub(other.high);
    }

    pub(super) fn bits(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }
}

/// What is in a part of the state: words, and which objects the addresses among them lead to.
#[derive(Default, Debug)]
pub(super) struct Contents {
    /// Of the words, with the addresses on the heap and on stacks as [`without_object`] leaves them.
    pub(super) digest: Digest,
    /// The objects that those lead to, by what their addresses have in common.
    pub(super) edges: Vec<u64>,
}

impl Contents {
    pub(super) fn clear(&mut self) {
        self.digest = Digest::default();
        self.edges.clear();
    }

    /// Takes in one more word; returns it without the object that it leads to.
    #[inline]
    pub(super) fn add(&mut self, mut word: u64) -> u64 {
        if leads_to_object(word) {
            self.edges.push(name_of(word));
            word = without_object(word);
        }
        self.digest.add(word);
        word
    }

    /// Takes these words instead of those that were there; says whether they lead to the same objects.
    pub(super) fn replace(&mut self, words: &[u64]) -> bool {
        self.digest = Digest::default();
        let (mut known, mut is_same) = (0, true);
        for &word in words {
            let mut word = word;
            if leads_to_object(word) {
                let edge = name_of(word);
                match self.edges.get_mut(known) {
                    Some(before) => is_same &= std::mem::replace(before, edge) == edge,
                    None => {
                        is_same = false;
                        self.edges.push(edge);
                    }
                }
                known += 1;
                word = without_object(word);
            }
            self.digest.add(word);
        }
        is_same &= known == self.edges.len();
        self.edges.truncate(known);
        is_same
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::address::{HEAPS, address};

    #[test]
    fn contents_are_the_same_whichever_object_an_address_leads_to() {
        let mut contents = Contents::default();
        assert!(!contents.replace(&[1, address(HEAPS, 4) + 8, 2]));
        let digest = contents.digest;
        assert_eq!(contents.edges, [name_of(address(HEAPS, 4))]);
        assert!(contents.replace(&[1, address(HEAPS, 4) + 16, 2]));
        assert_ne!(contents.digest, digest);
        assert!(!contents.replace(&[1, address(HEAPS, 5) + 8, 2]));
        assert_eq!(contents.digest, digest);
        assert!(!contents.replace(&[1, 0, 2]));
        assert!(contents.edges.is_empty());
    }

    #[test]
    fn word_by_word_or_at_once() {
        let words = [3, address(HEAPS + 1, 2), u64::MAX, 0];
        let (mut one, mut other) = (Contents::default(), Contents::default());
        other.replace(&words);
        one.clear();
        words.iter().for_each(|word| {
            one.add(*word);
        });
        assert_eq!((one.digest, &one.edges), (other.digest, &other.edges));
    }

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
