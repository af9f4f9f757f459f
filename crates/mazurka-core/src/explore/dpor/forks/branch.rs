//! Branches of forks, as seen by workers that have them asleep.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};

/// A branch of a fork that has been taken.
///
/// It is *closed* once its subtree has been explored and no worker can plan anything there.
#[derive(Debug)]
pub(crate) struct Branch {
    /// The branch that leads to its fork.
    above: Option<Arc<Branch>>,
    /// The branches that were open when it was taken. Sequences that are found behind them may have
    /// to be planned behind this one.
    before: Vec<Arc<Branch>>,
    /// The number of open tasks behind it: one for each worker there, and one for each fork that
    /// has open branches or is being entered.
    tasks: AtomicUsize,
    is_closed: AtomicBool,
    /// The number of forks of which this was the first open sleeper when they were created.
    relying: AtomicUsize,
}

impl Branch {
    /// Creates a branch that a worker has taken.
    pub(crate) fn new(above: Option<Arc<Branch>>, before: Vec<Arc<Branch>>) -> Self {
        let branch = Branch::restored(above, before);
        branch.begin(1);
        branch
    }

    /// Creates a branch of a saved search, in which no worker is behind it.
    pub(crate) fn restored(above: Option<Arc<Branch>>, before: Vec<Arc<Branch>>) -> Self {
        Branch {
            above,
            before,
            tasks: AtomicUsize::new(0),
            is_closed: false.into(),
            relying: AtomicUsize::new(0),
        }
    }

    /// Returns the branch that leads to its fork.
    pub(crate) fn above(&self) -> Option<&Arc<Branch>> {
        self.above.as_ref()
    }

    /// Returns the branches that were open when it was taken.
    pub(crate) fn before(&self) -> &[Arc<Branch>] {
        &self.before
    }

    /// Returns the branches that it refers to.
    pub(crate) fn refers_to(&self) -> impl Iterator<Item = &Arc<Branch>> {
        self.above.iter().chain(&self.before)
    }

    /// Returns this branch and the branches that lead to it.
    fn upwards(&self) -> impl Iterator<Item = &Branch> {
        std::iter::successors(Some(self), |branch| branch.above.as_deref())
    }

    /// Adds open tasks behind the branch.
    ///
    /// Only a worker that is active behind this branch, or behind one of the branches `before`, may
    /// call this.
    pub(crate) fn begin(&self, tasks: usize) {
        self.upwards().for_each(|branch| {
            branch.tasks.fetch_add(tasks, SeqCst);
        });
    }

    /// Removes open tasks behind the branch.
    pub(crate) fn finish(&self, tasks: usize) {
        self.upwards().for_each(|branch| {
            branch.tasks.fetch_sub(tasks, SeqCst);
        });
    }

    /// Counts a fork that relies on this branch before all others.
    pub(crate) fn add_relying(&self) {
        self.relying.fetch_add(1, Relaxed);
    }

    /// Returns how many forks have relied on this branch before all others.
    pub(crate) fn relying(&self) -> usize {
        self.relying.load(Relaxed)
    }

    /// Returns whether the branch is closed.
    pub(crate) fn is_closed(&self) -> bool {
        if self.is_closed.load(SeqCst) {
            return true;
        }
        // The order matters: once the branches `before` are closed, no other worker can add a task
        // here.
        let is_closed =
            self.before.iter().all(|branch| branch.is_closed()) && self.tasks.load(SeqCst) == 0;
        self.is_closed.fetch_or(is_closed, SeqCst);
        is_closed
    }
}

impl Drop for Branch {
    fn drop(&mut self) {
        // Drop iteratively: an execution may be longer than the stack is deep.
        let mut above = self.above.take();
        while let Some(branch) = above {
            above = Arc::into_inner(branch).and_then(|mut branch| branch.above.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_is_closed_once_all_behind_it_is_done_and_nothing_more_can_come() {
        let first = Arc::new(Branch::new(None, Vec::new()));
        let second = Arc::new(Branch::new(None, vec![first.clone()]));
        let below = Branch::new(Some(first.clone()), Vec::new());
        second.finish(1);
        assert!(!second.is_closed(), "something may be found behind the first");
        first.finish(1);
        assert!(!first.is_closed(), "another worker is at work further behind it");
        below.finish(1);
        assert!(below.is_closed() && second.is_closed() && first.is_closed());
    }

    #[test]
    fn a_long_path_can_be_dropped() {
        let mut last = Arc::new(Branch::new(None, Vec::new()));
        for _ in 0..2_000 {
            last = Arc::new(Branch::new(Some(last), Vec::new()));
        }
        last.finish(1);
        assert!(last.is_closed());
    }
}
