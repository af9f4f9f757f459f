//! Weights of the parts of a search, for an estimate of its size.
//!
//! The whole search weighs 1. A worker that pauses divides the weight of what it has explored for a while:
//! each open branch gets a share, and the rest is the weight of the explored executions. That is *weighted
//! backtracking* (Kilby, Slaney, Thiébaux and Walsh, *Estimating Search Tree Size*, AAAI 2006), except that a
//! worker of `optimal` uses the likely sizes of [`Estimator`](crate::search::estimate::Estimator) instead of
//! equal shares. Weights are multiples of 2⁻⁵³, so that they add up exactly.
//!
//! [`Scales`] estimates what is left from the open weight, and from two rates among the executions that were
//! explored last: the number of executions for a weight, and the weight of the branches that were added for a
//! weight. The first shares are the least exact, because workers then know least about the tree. So recent
//! executions are better evidence than all executions. Branches that are found late are often larger than
//! their shares: if there are more executions for a weight than there were before, this is likely to go on.

use crate::search::Estimate;
use crate::search::estimate::UNCERTAINTY;
use crate::wire::{Malformed, Reader, Wire};

/// The weight of a part of a search: at most that of the whole search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct Weight(u64);

impl Weight {
    /// The weight of the whole search.
    pub(crate) const WHOLE: Weight = Weight(1 << 53);
    /// The weight of nothing.
    pub(crate) const NONE: Weight = Weight(0);

    /// Returns this many of some equal shares.
    #[must_use]
    pub(crate) fn shares(self, number: usize, of: usize) -> Weight {
        let number = number.min(of) as u128;
        Weight((u128::from(self.0) * number / of.max(1) as u128) as u64)
    }

    /// Returns a share between 0 and 1.
    #[must_use]
    pub(crate) fn part(self, share: f64) -> Weight {
        // NaN becomes 0.
        Weight(((self.0 as f64 * share) as u64).min(self.0))
    }

    /// Returns the difference, or nothing if the other weight is larger.
    #[must_use]
    pub(crate) fn minus(self, other: Weight) -> Weight {
        Weight(self.0.saturating_sub(other.0))
    }
}

impl std::iter::Sum for Weight {
    fn sum<I: Iterator<Item = Weight>>(weights: I) -> Weight {
        weights.fold(Weight::NONE, |sum, weight| Weight(sum.0.saturating_add(weight.0)))
    }
}

impl Wire for Weight {
    fn write(&self, to: &mut Vec<u8>) {
        self.0.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let weight = Weight(Wire::read(from)?);
        if weight > Weight::WHOLE { Err(Malformed) } else { Ok(weight) }
    }
}

/// The weights of all parts of a search, explored and open.
#[derive(Debug)]
pub(super) struct Scales {
    explored: Weight,
    open: Weight,
    /// By depth, the sum of the weights of branches and their number.
    branches: Vec<(u128, u64)>,
    /// Some moments of the past.
    marks: Vec<Mark>,
}

/// A moment of a search.
#[derive(Clone, Copy, Debug)]
struct Mark {
    executions: u64,
    explored: Weight,
    /// The explored and the open weight.
    total: Weight,
}

impl Default for Scales {
    fn default() -> Self {
        let (explored, open) = (Weight::NONE, Weight::WHOLE);
        let start = Mark { executions: 0, explored, total: open };
        Scales { explored, open, branches: Vec::new(), marks: vec![start] }
    }
}

/// The parts of the executions from which the size of the rest is estimated: the likely size from the last
/// quarter, and the bounds from all of these. `estimates`, an example of `mazurka-llvm`, measures it.
const RECENT: [f64; 5] = [0.25, 0.125, 0.5, 0.75, 1.0];

/// The maximum of the weight that is expected to be added for a weight that is explored. In the beginning, more
/// than that is added.
const MOST_GROWTH: f64 = 0.5;

/// The maximum factor by which the number of executions for a weight is expected to rise.
const MOST_RISE: f64 = 4.0;

impl Scales {
    /// Notes that a part was explored for a while: it had the first weight, and what is left has the second
    /// one.
    pub(super) fn explore(&mut self, before: Weight, after: Weight) {
        self.explored = [self.explored, before.minus(after)].into_iter().sum();
        // A result that comes from elsewhere may leave more than there was.
        self.open = [self.open.minus(before), after].into_iter().sum();
    }

    /// Notes the weight of a branch.
    pub(super) fn note(&mut self, depth: usize, weight: Weight) {
        if self.branches.len() <= depth {
            self.branches.resize(depth + 1, (0, 0));
        }
        let (sum, number) = &mut self.branches[depth];
        (*sum, *number) = (*sum + u128::from(weight.0), *number + 1);
    }

    /// Returns the weight of a branch that is added to the search: the mean of those at its depth or, if there
    /// are none, at the next depth below that has some.
    pub(super) fn add(&mut self, depth: usize) -> Weight {
        let known = self.branches.iter().skip(depth).find(|(_, number)| *number > 0);
        let mean = known.map_or(0, |(sum, number)| sum / u128::from(*number));
        let weight = Weight(mean as u64).min(Weight::WHOLE);
        self.open = [self.open, weight].into_iter().sum();
        weight
    }

    /// Notes the number of executions so far.
    pub(super) fn count(&mut self, executions: u64) {
        // Marks at distances of a 64th of the executions are near enough.
        if let [_, .., before, last] = self.marks[..]
            && last.executions.saturating_sub(before.executions) < executions / 64
        {
            self.marks.pop();
        }
        let total = [self.explored, self.open].into_iter().sum();
        let now = Mark { executions, explored: self.explored, total };
        match self.marks.last_mut() {
            Some(last) if last.executions >= executions => *last = now,
            _ => self.marks.push(now),
        }
    }

    /// Returns an estimate of the number of executions of the whole search.
    pub(super) fn estimate(&self) -> Option<Estimate> {
        let now = self.marks.last()?;
        let executions = now.executions;
        let left = |recent: f64| {
            let since = (executions as f64 * (1.0 - recent)) as u64;
            let after = self.marks.partition_point(|mark| mark.executions <= since);
            let then = self.marks[after.saturating_sub(1)];
            let explored = now.explored.minus(then.explored).0 as f64;
            let density = executions.saturating_sub(then.executions) as f64 / explored;
            let growth = now.total.minus(then.total).0 as f64 / explored;
            // What is added has branches that are added, too.
            let open = self.open.0 as f64 / (1.0 - growth.min(MOST_GROWTH));
            (explored > 0.0).then_some(density * open)
        };
        let sizes = RECENT.map(left).into_iter().flatten();
        let (recent, all) = (sizes.clone().next()?, sizes.clone().next_back()?);
        let rise = if all > 0.0 { (recent / all).clamp(1.0, MOST_RISE) } else { 1.0 };
        let likely = recent * rise;
        let low = sizes.clone().fold(recent, f64::min) / UNCERTAINTY;
        let high = sizes.fold(likely, f64::max) * UNCERTAINTY;
        let [low, likely, high] = [low, likely, high].map(|left| executions as f64 + left);
        Some(Estimate { low, likely, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_above_that_of_the_whole_search_are_refused() {
        for (weight, is_read) in
            [(0, true), (1 << 53, true), ((1 << 53) + 1, false), (u64::MAX, false)]
        {
            let mut bytes = Vec::new();
            weight.write(&mut bytes);
            assert_eq!(Weight::read(&mut Reader(&bytes)).is_ok(), is_read, "{weight}");
        }
        // There is no weight that is negative or no number.
        assert_eq!(Weight::WHOLE.part(f64::NAN), Weight::NONE);
        assert_eq!(Weight::WHOLE.part(-1.0), Weight::NONE);
        assert_eq!(Weight::WHOLE.part(f64::INFINITY), Weight::WHOLE);
        assert_eq!([Weight(u64::MAX); 3].into_iter().sum::<Weight>(), Weight(u64::MAX));
    }

    #[test]
    fn the_size_of_the_rest_follows_recent_executions() {
        let mut scales = Scales::default();
        assert_eq!(scales.estimate(), None);
        // The first tenth of the weight has 10 executions, and each later one has 100.
        let mut open = Weight::WHOLE;
        for (tenth, executions) in (1..10).zip((0..).map(|n| 10 + 100 * n)) {
            let after = Weight::WHOLE.shares(10 - tenth, 10);
            scales.explore(open, after);
            open = after;
            scales.count(executions);
            let Estimate { low, likely, high } = scales.estimate().unwrap();
            assert!(low <= likely && likely <= high && low >= executions as f64);
            // The later tenths have more executions than the mean.
            let range = if tenth == 1 { 99.0..101.0 } else { 900.0..3000.0 };
            assert!(range.contains(&likely), "{likely} after {tenth} tenths");
            assert!(tenth == 1 || low <= 910.0, "{low} after {tenth} tenths");
        }
        assert_eq!(scales.explored, Weight::WHOLE.minus(open));
        // A branch that is added late weighs as much as those at its depth.
        scales.note(3, Weight(100));
        scales.note(3, Weight(300));
        assert_eq!(
            [scales.add(2), scales.add(3), scales.add(4)],
            [Weight(200), Weight(200), Weight(0)]
        );
        assert_eq!(scales.open, [open, Weight(400)].into_iter().sum());
    }

    #[test]
    fn few_marks_are_kept() {
        let mut scales = Scales::default();
        (0..1_000_000).for_each(|executions| scales.count(executions));
        assert!(scales.marks.len() < 2000, "{}", scales.marks.len());
    }
}
