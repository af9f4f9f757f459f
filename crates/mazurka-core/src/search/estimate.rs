//! An estimate of the size of a search tree, from the part that is explored.
//!
//! A search goes through a tree in depth-first order. Its leaves are executions, and a node at depth `d` is
//! the choice of the step after `d` steps. The *recursive estimator* of Kilby, Slaney, Thiébaux and Walsh
//! (*Estimating Search Tree Size*, AAAI 2006) goes up the current path. At each node it adds the leaves of
//! the explored branches, the estimate for the current branch, and for each open branch the mean of these.
//!
//! In DPOR, a node has branches that are not known yet: they are added when a race is found below. The
//! number of open branches is therefore only a lower bound. For the likely size, the estimator uses nodes
//! whose subtrees are explored. For these it knows the factor by which the number of leaves grew after the
//! first branch, after the second, and so on. It applies the factor of the same depth to the current node.
//! Near the root no node is explored, and the factor is extrapolated from the depths below.
//!
//! The range covers both models, and at least a factor of [`UNCERTAINTY`] for the leaves that are left.

/// The number of branches of a node after which growth is measured.
const KEPT: usize = 4;

/// The number of depths from which growth is extrapolated.
const NEAREST: usize = 8;

/// The number of explored nodes at a depth that make its growth reliable.
const RELIABLE: u32 = 3;

/// The factor by which the number of leaves that are left may be wrong in either direction.
pub(crate) const UNCERTAINTY: f64 = 3.0;

/// The factor by which parts of the tree that other searches explore are assumed to differ in size.
const OTHER_PARTS: f64 = 1.5;

/// An estimate of the number of executions of a search, including those that end early.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// A number that is probably too low.
    pub low: f64,
    /// The likely number.
    pub likely: f64,
    /// A number that is probably too high.
    pub high: f64,
}

/// A node of the current path at which the search has backtracked.
#[derive(Clone, Copy, Debug)]
struct Node {
    depth: usize,
    /// The number of leaves that were explored before the node.
    before: u64,
    /// The number of leaves that were explored before its current branch.
    now: u64,
    /// The number of explored branches.
    explored: usize,
    /// The number of leaves of the first branch, of the first two branches, and so on.
    leaves: [u64; KEPT],
}

/// How nodes with several branches grow, at one depth, after each of the first branches.
#[derive(Clone, Copy, Debug, Default)]
struct Growth {
    nodes: u32,
    /// The leaves after the branch, and at the end: over all nodes.
    after: f64,
    total: f64,
    /// The sums of `ln(total / after)` and of its square, weighted by `after`.
    logs: f64,
    squares: f64,
}

impl Growth {
    fn add(&mut self, after: u64, total: u64) {
        let (after, total) = (after as f64, total as f64);
        let log = (total / after).ln();
        self.nodes += 1;
        self.after += after;
        self.total += total;
        self.logs += after * log;
        self.squares += after * log * log;
    }

    /// Returns the mean factor, and the factor by which single nodes deviate from it.
    fn factor(&self) -> Option<(f64, f64)> {
        if self.nodes < RELIABLE {
            return None;
        }
        let mean = self.logs / self.after;
        let variance = (self.squares / self.after - mean * mean).max(0.0);
        Some((self.total / self.after, variance.sqrt().exp()))
    }
}

/// Follows a depth-first search and estimates the size of its tree.
#[derive(Debug, Default)]
pub(crate) struct Estimator {
    /// The nodes of the current path that have several branches, by depth.
    nodes: Vec<Node>,
    /// By depth.
    growth: Vec<[Growth; KEPT]>,
    /// The number of explored leaves.
    leaves: u64,
    /// The number of steps that lead to the part of the tree that this search explores, and the number of
    /// leaves that were explored before.
    base: usize,
    before: u64,
}

impl Estimator {
    /// The search continues after `base` steps, in a part of the tree that another search has split off.
    pub(crate) fn went_to(&mut self, base: usize) {
        self.nodes.clear();
        (self.base, self.before) = (base, self.leaves);
    }

    /// An execution has ended. The next one shares its first `kept` steps.
    #[inline]
    pub(crate) fn backtracked(&mut self, kept: usize) {
        self.leaves += 1;
        while let Some(node) = self.nodes.pop_if(|node| node.depth > kept) {
            self.complete(&node);
        }
        if self.nodes.last().is_none_or(|node| node.depth < kept) {
            // The path through this node began with the current branch of the node above.
            let before = self.nodes.last().map_or(self.before, |node| node.now);
            self.nodes.push(Node { depth: kept, before, now: 0, explored: 0, leaves: [0; KEPT] });
        }
        if let Some(node) = self.nodes.last_mut() {
            if let Some(leaves) = node.leaves.get_mut(node.explored) {
                *leaves = self.leaves - node.before;
            }
            node.explored += 1;
            node.now = self.leaves;
        }
    }

    /// Notes how a node with several branches grew.
    fn complete(&mut self, node: &Node) {
        let total = self.leaves - node.before;
        if self.growth.len() <= node.depth {
            self.growth.resize(node.depth + 1, Default::default());
        }
        let growth = self.growth[node.depth].iter_mut();
        for (growth, after) in growth.zip(node.leaves).take(node.explored) {
            growth.add(after, total);
        }
    }

    /// Returns an estimate for a current execution of `len` steps. `branches` returns the numbers of explored
    /// and of open branches at a depth, without the current one. Returns `None` if nothing is explored.
    pub(crate) fn estimate(
        &self,
        len: usize,
        branches: impl Fn(usize) -> (usize, usize),
    ) -> Option<Estimate> {
        if self.leaves == 0 {
            return None;
        }
        let mut size = self.climb(self.base, len, &branches, |_, _| {});
        // Nodes differ more than the models above say. `estimates`, an example of `mazurka-llvm`, measures it.
        let explored = self.leaves as f64;
        let left = (size.likely - explored).max(1.0);
        size.low = size.low.min(explored + left / UNCERTAINTY);
        size.high = size.high.max(explored + left * UNCERTAINTY);
        // The other parts may be smaller or larger than this one.
        for depth in 0..self.base.min(len) {
            let (explored, open) = branches(depth);
            let all = (explored + 1 + open) as f64;
            let (smaller, larger) =
                if all > 1.0 { (1.0 / OTHER_PARTS, OTHER_PARTS) } else { (1.0, 1.0) };
            size.likely *= all;
            size.low = (size.low * all * smaller).max(size.low);
            size.high *= all * larger;
        }
        Some(size)
    }

    /// Goes up the current path of `len` steps to depth `from`. Returns the estimated number of leaves below
    /// this depth on the path. Calls `left` with each depth that has open branches, and with the likely number
    /// of leaves in them.
    fn climb(
        &self,
        from: usize,
        len: usize,
        branches: &impl Fn(usize) -> (usize, usize),
        mut left: impl FnMut(usize, f64),
    ) -> Estimate {
        let mut nodes = self.nodes.iter().rev().peekable();
        let mut size = Estimate { low: 1.0, likely: 1.0, high: 1.0 };
        // The end of the explored branches of a node is the beginning of the node below.
        let mut end = self.leaves;
        for depth in (from.min(len)..len).rev() {
            let node = nodes.next_if(|node| node.depth == depth);
            let explored = node.map_or(0, |node| node.explored);
            let done = node.map_or(0, |node| end - node.before) as f64;
            end = node.map_or(end, |node| node.before);
            let (mut noted, open) = branches(depth);
            // Between two executions, the next branch may be open although the last one is explored. An
            // explorer that does not count its branches returns 0.
            if noted + 1 < explored {
                noted = explored;
            }
            if explored == 0 && open == 0 {
                // Most nodes that have several branches get the second one when the first execution ends.
                continue;
            }
            let grown = |size: f64, branches: f64| {
                let known = done + size;
                known + known * (branches / (explored.max(noted) + 1) as f64 - 1.0).max(0.0)
            };
            let known = (noted + 1 + open) as f64;
            let low = grown(size.low, known);
            let (likely, high) = match self.factor(depth, explored) {
                Some((factor, spread)) => {
                    let by_growth = |size: f64, factor: f64| match explored {
                        0 => size * factor,
                        _ => (done * factor).max(done + size),
                    };
                    let likely = by_growth(size.likely, factor).max(grown(size.likely, 1.0));
                    (likely, by_growth(size.high, factor * spread))
                }
                None => {
                    let (flat, line) = self.extrapolated(depth);
                    let likely = grown(size.likely, known.max(flat));
                    (likely, grown(size.high, known.max(flat).max(line)))
                }
            };
            let high = high.max(grown(size.high, known));
            left(depth, (likely - done - size.likely).max(0.0));
            size = Estimate { low: low.min(likely), likely, high: high.max(likely) };
        }
        size
    }

    /// Returns the lowest depth to which the search has backtracked since it last continued elsewhere, and how
    /// often it has come back there.
    pub(crate) fn lowest(&self) -> Option<(usize, usize)> {
        self.nodes.first().map(|node| (node.depth, node.explored))
    }

    /// Divides the leaves of the branch that the current path of `len` steps takes before depth `from`: calls
    /// `left` with each depth that has open branches, and with the likely number of leaves in them. Returns the
    /// number of explored leaves of the branch, the current one included.
    ///
    /// The search must have begun the branch since it last continued elsewhere.
    pub(crate) fn divide(
        &self,
        from: usize,
        len: usize,
        branches: impl Fn(usize) -> (usize, usize),
        left: impl FnMut(usize, f64),
    ) -> u64 {
        self.climb(from, len, &branches, left);
        let above = self.nodes.iter().rev().find(|node| node.depth < from);
        self.leaves + 1 - above.map_or(self.before, |node| node.now)
    }

    /// Returns the growth of nodes at a depth after this many explored branches, or in the first one, and
    /// its spread.
    fn factor(&self, depth: usize, explored: usize) -> Option<(f64, f64)> {
        let growth = self.growth.get(depth)?;
        growth.get(explored.max(1) - 1)?.factor()
    }

    /// Returns two guesses at the number of branches of a node at a depth where no node is explored: as
    /// many as at the nearest depths below, and as many as the trend at these depths leads to.
    fn extrapolated(&self, depth: usize) -> (f64, f64) {
        let below = self.growth.iter().enumerate().skip(depth + 1);
        let known = below.filter_map(|(at, growth)| Some((at as f64, growth[0].factor()?.0)));
        let known: Vec<(f64, f64)> = known.take(NEAREST).collect();
        let count = known.len() as f64;
        if known.is_empty() {
            return (1.0, 1.0);
        }
        let mean =
            |value: &dyn Fn(&(f64, f64)) -> f64| known.iter().map(value).sum::<f64>() / count;
        let (x, flat) = (mean(&|point| point.0), mean(&|point| point.1));
        let width = mean(&|point| (point.0 - x).powi(2));
        let slope = mean(&|point| (point.0 - x) * (point.1 - flat)) / width.max(1e-9);
        let most = known.iter().fold(1.0, |most: f64, point| most.max(point.1));
        let line = flat + slope * (depth as f64 - x);
        (flat, line.clamp(1.0, 2.0 * most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Explores the tree of all permutations of `n` items depth-first. A node knows of only one more
    /// branch at a time, as in DPOR. Calls `look` after each leaf with the number of explored leaves.
    fn permutations(n: usize, mut look: impl FnMut(u64, Estimate)) {
        let mut estimator = Estimator::default();
        let mut explored = vec![0; n];
        let mut leaves = 0;
        loop {
            leaves += 1;
            let branches = |depth: usize| n - depth;
            let kept = (0..n).rev().find(|depth| explored[*depth] + 1 < branches(*depth));
            let Some(kept) = kept else { return };
            estimator.backtracked(kept);
            explored[kept] += 1;
            explored[kept + 1..].fill(0);
            let known = |depth: usize| {
                (explored[depth], usize::from(explored[depth] + 1 < branches(depth)))
            };
            look(leaves, estimator.estimate(n, known).expect("something is explored"));
        }
    }

    #[test]
    fn the_size_is_near_the_truth_although_branches_are_added_late() {
        let (truth, mut inside, mut all) = (40_320.0, 0, 0);
        permutations(8, |leaves, estimate| {
            let Estimate { low, likely, high } = estimate;
            assert!(low <= likely && likely <= high, "{estimate:?}");
            assert!(likely >= leaves as f64, "{estimate:?} after {leaves}");
            if leaves >= 4_000 {
                assert!(
                    likely > truth / 4.0 && likely < truth * 4.0,
                    "{estimate:?} after {leaves}"
                );
                all += 1;
                inside += usize::from(low <= truth * 1.000_001 && truth <= high * 1.000_001);
            }
        });
        assert!(inside * 10 >= all * 9, "{inside} of {all}");
    }

    #[test]
    fn a_tree_whose_branches_are_known_is_exact() {
        // Four levels of three branches.
        let mut estimator = Estimator::default();
        let mut explored = [0_usize; 4];
        while let Some(kept) = (0..4).rev().find(|depth| explored[*depth] < 2) {
            estimator.backtracked(kept);
            explored[kept] += 1;
            explored[kept + 1..].fill(0);
            let estimate =
                estimator.estimate(4, |depth| (explored[depth], 2 - explored[depth])).unwrap();
            assert!((estimate.likely - 81.0).abs() < 1e-6, "{estimate:?}");
            assert!(estimate.low <= 81.0 && 81.0 <= estimate.high, "{estimate:?}");
        }
    }

    #[test]
    fn nothing_explored_has_no_estimate() {
        assert_eq!(Estimator::default().estimate(3, |_| (0, 1)), None);
    }
}
