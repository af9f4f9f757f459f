//! The random number generator of samples.

/// A small random number generator (splitmix64). It is deterministic, so that a seed describes a
/// sample.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// Creates the generator of a sample.
    pub(crate) fn new(seed: u64, sample: u64) -> Self {
        let mut random = Random(seed);
        Random(random.next() ^ sample.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Returns a number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// Returns one of the items, each with the same probability. There must be at least one.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    /// Returns an index, each with a probability that is proportional to its weight. Returns `None`
    /// if all weights are 0.
    pub(crate) fn pick_weighted(&mut self, weights: &[u64]) -> Option<usize> {
        let total: u64 = weights.iter().sum();
        if total == 0 {
            return None;
        }
        let mut left = self.below(total);
        weights.iter().position(|weight| match left.checked_sub(*weight) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_proportions() {
        let mut random = Random::new(1, 2);
        let mut counts = [0; 3];
        for _ in 0..4000 {
            counts[random.pick_weighted(&[1, 0, 3]).unwrap()] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((850..1150).contains(&counts[0]), "{counts:?}");
        assert_eq!(random.pick_weighted(&[0, 0]), None);
    }
}
