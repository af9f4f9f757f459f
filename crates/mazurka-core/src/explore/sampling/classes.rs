//! The classes among the samples.

use std::hash::BuildHasherDefault;

use crate::execution::DigestHasher;
use crate::verdict::SamplingStatistics;

/// Counts the samples of each class.
#[derive(Debug, Default)]
pub(super) struct Classes {
    samples: u64,
    /// The number of classes with one sample, and with two.
    once: u64,
    twice: u64,
    counts: std::collections::HashMap<u128, u32, BuildHasherDefault<DigestHasher>>,
}

impl Classes {
    /// Adds a sample with this [digest](crate::execution::Execution::trace_digest).
    pub(super) fn add(&mut self, digest: u128) {
        self.samples += 1;
        let count = self.counts.entry(digest).or_default();
        *count = count.saturating_add(1);
        match *count {
            1 => self.once += 1,
            2 => (self.once, self.twice) = (self.once - 1, self.twice + 1),
            3 => self.twice -= 1,
            _ => {}
        }
    }

    pub(super) fn statistics(&self) -> SamplingStatistics {
        SamplingStatistics {
            samples: self.samples,
            classes: self.counts.len() as u64,
            once: self.once,
            twice: self.twice,
            ..SamplingStatistics::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_estimate_what_is_unseen() {
        let mut classes = Classes::default();
        for digest in [1, 1, 1, 2, 2, 3, 4] {
            classes.add(digest);
        }
        let statistics = classes.statistics();
        assert_eq!((statistics.samples, statistics.classes), (7, 4));
        assert_eq!((statistics.once, statistics.twice), (2, 1));
        assert_eq!(statistics.unseen_probability(), 2.0 / 7.0);
        assert_eq!(statistics.unseen_classes(), 2.0);
    }
}
