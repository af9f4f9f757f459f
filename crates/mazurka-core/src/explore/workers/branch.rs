//! Branches of forks, as those see them who have them asleep.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

/// A branch of a fork that has been taken.
///
/// It is *closed* once all that lies behind it has been explored, and nothing more can be planned there.
#[derive(Debug)]
pub(crate) struct Branch {
    /// The branch that leads to its fork.
    above: Option<Arc<Branch>>,
    /// The branches that were open when it was taken: what is found behind them may have to be planned
    /// behind this one.
    before: Vec<Arc<Branch>>,
    /// How much there is to be done behind it: one for each worker there, and for each fork that has
    /// open branches or is being entered.
    tasks: AtomicUsize,
    is_closed: AtomicBool,
}

impl Branch {
    /// A branch that somebody has taken.
    pub(crate) fn new(above: Option<Arc<Branch>>, before: Vec<Arc<Branch>>) -> Self {
        let branch = Branch { above, before, tasks: AtomicUsize::new(0), is_closed: false.into() };
        branch.begin(1);
        branch
    }

    /// This branch and those that lead to it.
    fn upwards(&self) -> impl Iterator<Item = &Branch> {
        std::iter::successors(Some(self), |branch| branch.above.as_deref())
    }

    /// Notes that so much more is to be done behind it.
    ///
    /// Only who is at work there does that, or who is at work behind one of those `before`.
    pub(crate) fn begin(&self, tasks: usize) {
        self.upwards().for_each(|branch| {
            branch.tasks.fetch_add(tasks, SeqCst);
        });
    }

    /// Notes that so much less is to be done behind it.
    pub(crate) fn finish(&self, tasks: usize) {
        self.upwards().for_each(|branch| {
            branch.tasks.fetch_sub(tasks, SeqCst);
        });
    }

    /// Whether it is closed.
    pub(crate) fn is_closed(&self) -> bool {
        if self.is_closed.load(SeqCst) {
            return true;
        }
        // In this order: once those before are closed nobody else can begin anything here.
        let is_closed =
            self.before.iter().all(|branch| branch.is_closed()) && self.tasks.load(SeqCst) == 0;
        self.is_closed.fetch_or(is_closed, SeqCst);
        is_closed
    }
}

impl Drop for Branch {
    fn drop(&mut self) {
        // One after the other: executions may be longer than the stack is deep.
        let mut above = self.above.take();
        while let Some(branch) = above {
            above = Arc::into_inner(branch).and_then(|mut branch| branch.above.take());
        }
    }
}
