//! How one worker runs a batch of samples.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::execution::Execution;
use crate::execution::order::AllConflicts;
use crate::explore::sampling::{Sample, Walk, limit, progress};
use crate::model::{Machine, Performed, Step};
use crate::search::Options;
use crate::search::reported_races::ReportedRaces;
use crate::search::sampling::Policy;
use crate::search::strategy::{Next, Position, Strategy};
use crate::search::team::Team;

/// A worker's view of the others, for its driver.
pub(super) struct Lane<'a> {
    pub(super) stop_after: &'a AtomicU64,
    /// The first sample of the batch.
    pub(super) first: u64,
    /// About how many executions come before the batch.
    pub(super) base: (u64, u64),
    /// The data races of the batch.
    pub(super) races: ReportedRaces,
}

impl Team for Lane<'_> {
    fn is_stopping(&self) -> bool {
        self.first >= self.stop_after.load(Relaxed)
    }

    fn runs(&mut self, mine: (u64, u64)) -> (u64, u64) {
        (self.base.0 + mine.0, self.base.1 + mine.1)
    }

    fn with_races(&mut self, look: &mut dyn FnMut(&mut ReportedRaces) -> bool) -> bool {
        look(&mut self.races)
    }
}

/// The strategy of a worker: runs one batch after the other.
pub(super) struct Batches<Q: Policy> {
    pub(super) walk: Walk<Q>,
    /// The current sample, and the end of its batch.
    current: u64,
    end: u64,
    has_begun: bool,
    /// The samples of the batch that have ended.
    pub(super) samples: Vec<Sample<Q::Gain>>,
    /// The maximum number of samples.
    limit: u64,
}

impl<Q: Policy> Batches<Q> {
    pub(super) fn new(options: &Options<'_>) -> Self {
        let walk = Walk::new(&options.sampling);
        let limit = limit(options);
        Batches { walk, current: 0, end: 0, has_begun: true, samples: Vec::new(), limit }
    }

    /// Begins a batch.
    pub(super) fn begin(&mut self, range: &Range<u64>) {
        (self.current, self.end, self.has_begun) = (range.start, range.end, false);
    }
}

impl<Q: Policy> Strategy for Batches<Q> {
    type Relation = AllConflicts;

    fn next(&mut self, at: &Position<'_>) -> Next {
        self.walk.next(self.current, at)
    }

    fn performed(&mut self, machine: &dyn Machine, performed: &Performed) {
        self.walk.performed(machine, performed);
    }

    fn took(&mut self, _machine: &dyn Machine, _execution: &mut Execution) {}

    fn ended(&mut self, _machine: &dyn Machine, execution: &mut Execution) {
        self.samples.push(self.walk.ended(execution));
    }

    fn backtrack(&mut self, _execution: &Execution) -> Option<usize> {
        self.current += 1;
        (self.current < self.end).then_some(0)
    }

    fn elsewhere(&mut self, _execution: &Execution) -> Option<Vec<Step>> {
        // The batch starts in the initial state.
        (!std::mem::replace(&mut self.has_begun, true)).then(Vec::new)
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        progress(depth, self.current, self.limit)
    }
}
