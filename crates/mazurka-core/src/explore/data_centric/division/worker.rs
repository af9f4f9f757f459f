//! One of several workers.

use std::marker::PhantomData;
use std::sync::Arc;

use super::piece::{self, OpenChild, Shared};
use crate::execution::Execution;
use crate::execution::order::AllConflicts;
use crate::explore::data_centric::lessons::Lessons;
use crate::explore::data_centric::tree::DataCentric;
use crate::explore::dpor::forks::Forks;
use crate::explore::parallel::weight::Weight;
use crate::explore::parallel::{Pool, Work};
use crate::model::{Lesson, Machine, Step};
use crate::search::Options;
use crate::search::driver::{Driver, Outcome, Teacher};
use crate::search::strategy::{Next, Position, Strategy};
use crate::verdict::Verdict;
use crate::wire::{Malformed, Reader, Wire};

/// A search whose workers share [open children](OpenChild).
pub(crate) struct Children(PhantomData<DataCentric>);

/// One of several workers.
pub(crate) struct Worker {
    search: DataCentric,
    pool: Arc<Pool<OpenChild>>,
    /// The open children to explore before those of other workers, the next one last.
    first: Vec<OpenChild>,
    /// The weight of the child that is explored.
    weight: Weight,
    /// Whether the nodes on the path of the child that is explored have not been compared with the program.
    is_unchecked: bool,
    /// If the search is divided into parts, the second children of acquisitions for which another part may
    /// have made the claim.
    claimed: Option<Vec<OpenChild>>,
}

impl Worker {
    /// Returns a worker that shares all it knows through the pool.
    fn new(pool: Arc<Pool<OpenChild>>) -> Self {
        let lessons = pool.with_known(|known| known.lessons.clone());
        let search = DataCentric { lessons, ..DataCentric::default() };
        let (first, weight) = (Vec::new(), Weight::NONE);
        Worker { search, pool, first, weight, is_unchecked: false, claimed: None }
    }

    /// Returns a worker that explores a part of a search alone: these children, or everything if there are
    /// none.
    pub(crate) fn of_part(pool: Arc<Pool<OpenChild>>, children: Vec<OpenChild>) -> Self {
        let (first, weight, claimed) = (children, Weight::WHOLE, Some(Vec::new()));
        Worker { first, weight, claimed, ..Worker::new(pool) }
    }

    /// Returns the lessons.
    pub(crate) fn lessons(&self) -> &Lessons {
        &self.search.lessons
    }

    /// Returns the children that have not been begun of those that this worker was given, and the second
    /// children of acquisitions for which another part may have made the claim.
    pub(crate) fn into_rest(self) -> (Vec<OpenChild>, Vec<OpenChild>) {
        (self.first, self.claimed.unwrap_or_default())
    }

    /// Adds the second children of acquisitions that this worker is the first to claim.
    fn make_claims(&mut self) {
        for (depth, child) in std::mem::take(&mut self.search.requests) {
            let claim = self.search.frames[depth].claim;
            let is_new = |known: &mut Shared| claim.is_none_or(|claim| known.claims.insert(claim));
            if !self.pool.with_known(is_new) {
                continue;
            }
            match &mut self.claimed {
                None => self.search.frames[depth].open.push(child),
                Some(claimed) => claimed.push(self.search.describe_here(depth, child)),
            }
        }
    }

    /// Agrees with the other workers on the processes that take messages.
    fn agree(&mut self, execution: &mut Execution) {
        if !self.search.lessons.take_taker_news() {
            return;
        }
        let mine = &mut self.search.lessons;
        match self.claimed {
            None => self.pool.with_known(|known| known.lessons.agree(mine)),
            // Other parts learn of it when they begin.
            Some(_) => mine.note_news(),
        }
        if mine.take_news() {
            execution.learn(Lesson::Observations);
        }
    }

    /// Leaves some work to others, or all of it. Returns `false` if the search has to start over.
    #[cold]
    fn share(&mut self, execution: &Execution) -> bool {
        self.search.look_back_from(0, execution);
        if self.search.lessons.has_news() {
            return false;
        }
        if self.pool.shares_everything() || self.pool.is_pausing() {
            let mut open = self.search.split_all();
            weigh(&mut open, self.weight);
            open.into_iter().for_each(|child| self.pool.offer(child));
        } else if let Some(child) = self.search.split_one() {
            self.pool.offer(child);
        }
        true
    }
}

/// Divides a weight among open children. All children with paths of the same length have the same weight, and
/// together as much as the explored executions and all children with longer paths would have if that were one
/// more child.
fn weigh(open: &mut [OpenChild], weight: Weight) {
    open.sort_by_key(|child| child.path.len());
    let mut current = weight;
    for children in open.chunk_by_mut(|a, b| a.path.len() == b.path.len()) {
        let share = current.shares(1, children.len() + 1);
        children.iter_mut().for_each(|child| child.weight = share);
        current = share;
    }
}

impl Strategy for Worker {
    type Relation = AllConflicts;

    fn next(&mut self, at: &Position<'_>) -> Next {
        self.search.next(at)
    }

    fn took(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        self.search.took(machine, execution);
    }

    fn gives_up(&self) -> bool {
        self.search.gives_up()
    }

    fn ended(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        if std::mem::take(&mut self.is_unchecked) {
            self.search.check_path();
        }
        self.search.ended(machine, execution);
        self.make_claims();
        self.agree(execution);
    }

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        if self.pool.wants_work() && !self.share(execution) {
            return Some(self.search.end_once_more(execution));
        }
        self.search.backtrack(execution)
    }

    fn elsewhere(&mut self, _execution: &Execution) -> Option<Vec<Step>> {
        let mine = self.first.pop_if(|_| !self.pool.is_pausing());
        let child = mine.or_else(|| self.pool.accept())?;
        (self.weight, self.is_unchecked) = (child.weight, true);
        self.search.begin(child);
        Some(Vec::new())
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        self.search.branches(depth)
    }

    fn report(&self, verdict: &mut Verdict) {
        self.search.report(verdict);
    }
}

impl Work for Children {
    type Offer = OpenChild;
    type Instead = Forks<AllConflicts>;

    fn explore(
        driver: &mut Driver<'_>,
        pool: &Arc<Pool<OpenChild>>,
        _options: &Options<'_>,
        joins: bool,
    ) -> Outcome {
        let mut worker = Worker::new(pool.clone());
        driver.configure::<Worker>();
        let outcome = driver.search(&mut worker, joins);
        if let Outcome::StartOver(_, Teacher::Execution) = outcome {
            pool.with_known(|known| known.learn(worker.lessons()));
        }
        driver.add_statistics(&worker);
        outcome
    }

    fn write(pool: &Pool<OpenChild>, to: &mut Vec<u8>) {
        piece::write(&pool.offers(), to);
        pool.with_known(|Shared { lessons, claims, .. }| {
            lessons.write(to);
            claims.iter().copied().collect::<Vec<_>>().write(to);
        });
    }

    fn read(from: &mut Reader<'_>, pool: &Pool<OpenChild>) -> Result<(), Malformed> {
        piece::read(from)?.into_iter().for_each(|child| pool.offer(child));
        let lessons = Wire::read(from)?;
        let claims = Vec::read(from)?.into_iter().collect();
        pool.with_known(|known| (known.lessons, known.claims) = (lessons, claims));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::data_centric::tree::frame::{Child, Frame};

    #[test]
    fn the_weights_of_open_children_are_at_most_that_of_the_whole() {
        let open = |depth: usize| OpenChild {
            path: vec![Frame::default(); depth],
            child: Child::leaving_out(Box::default()),
            weight: Weight::NONE,
        };
        let mut children = vec![open(3), open(1), open(1), open(7)];
        weigh(&mut children, Weight::WHOLE);
        let third = Weight::WHOLE.shares(1, 3);
        let weights: Vec<Weight> = children.iter().map(|child| child.weight).collect();
        assert_eq!(weights[..2], [third, third]);
        assert_eq!(weights[2..], [third.shares(1, 2), third.shares(1, 2).shares(1, 2)]);
        assert!(weights.into_iter().sum::<Weight>() < Weight::WHOLE);
    }
}
