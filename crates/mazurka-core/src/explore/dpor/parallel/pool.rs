//! The state that the workers of one exploration share.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::execution::shared_cells::CommonCells;
use crate::explore::dpor::parallel::Sharing;
use crate::explore::dpor::parallel::fork::Fork;
use crate::explore::dpor::parts::weak_initials::WeakInitials;
use crate::model::Lesson;
use crate::search::driver::Teacher;
use crate::search::reported_races::ReportedRaces;
use crate::search::team::Team;

/// The state that the workers of one exploration share: the forks with open branches, and the data
/// that must be common to all.
#[derive(Debug)]
pub(super) struct Pool<R: WeakInitials> {
    offers: Mutex<Offers<R>>,
    /// Signalled when there is a new offer, or when there will be no more.
    news: Condvar,
    /// The number of idle workers, and the number of offered forks.
    idle: AtomicUsize,
    offered: AtomicUsize,
    is_stopping: AtomicBool,
    /// The lesson for which the search must start over, if there is one.
    lesson: Mutex<Option<(Lesson, Teacher)>>,
    /// The numbers of executions, and of executions that ended early.
    executions: AtomicU64,
    blocked: AtomicU64,
    sharing: Sharing,
    /// Forks that other workers may reach from a fork above.
    kept: Mutex<Vec<Arc<Fork<R>>>>,
    pub(super) cells: Arc<CommonCells>,
    /// The number of processes in the initial state.
    pub(super) initial: usize,
    races: Mutex<ReportedRaces>,
}

#[derive(Debug)]
struct Offers<R: WeakInitials> {
    /// Forks with open branches.
    forks: Vec<Arc<Fork<R>>>,
    /// The number of workers that are exploring.
    busy: usize,
    /// The state of the random number generator.
    random: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<R: WeakInitials> Pool<R> {
    /// Creates the pool for this many workers, all of which are busy at first.
    pub(super) fn new(
        workers: usize,
        sharing: Sharing,
        cells: Arc<CommonCells>,
        initial: usize,
    ) -> Self {
        let random = match sharing {
            Sharing::Always { seed } => seed,
            Sharing::OnDemand => 0,
        };
        Pool {
            offers: Mutex::new(Offers { forks: Vec::new(), busy: workers, random }),
            news: Condvar::new(),
            idle: AtomicUsize::new(0),
            offered: AtomicUsize::new(0),
            is_stopping: AtomicBool::new(false),
            lesson: Mutex::default(),
            executions: AtomicU64::new(0),
            blocked: AtomicU64::new(0),
            sharing,
            kept: Mutex::default(),
            cells,
            initial,
            races: Mutex::default(),
        }
    }

    /// Tells all workers to stop.
    pub(super) fn stop(&self) {
        self.is_stopping.store(true, Relaxed);
        drop(lock(&self.offers));
        self.news.notify_all();
    }

    /// Tells all workers to stop because one of them has learnt a lesson that must be known from
    /// the start.
    pub(super) fn start_over(&self, lesson: Lesson, teacher: Teacher) {
        let mut learnt = lock(&self.lesson);
        match *learnt {
            Some((_, Teacher::Machine)) => {}
            _ => *learnt = Some((lesson, teacher)),
        }
        drop(learnt);
        self.stop();
    }

    /// Returns the lesson for which the search must start over, if there is one.
    pub(super) fn lesson(&self) -> Option<(Lesson, Teacher)> {
        *lock(&self.lesson)
    }

    #[inline]
    pub(super) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Relaxed)
    }

    /// Adds to the numbers of executions, and of executions that ended early.
    pub(super) fn count(&self, executions: u64, blocked: u64) {
        self.executions.fetch_add(executions, Relaxed);
        self.blocked.fetch_add(blocked, Relaxed);
    }

    /// Returns the numbers of executions, and of executions that ended early.
    pub(super) fn runs(&self) -> (u64, u64) {
        (self.executions.load(Relaxed), self.blocked.load(Relaxed))
    }

    /// Returns whether a worker with open branches should share them.
    #[inline]
    pub(super) fn wants_work(&self) -> bool {
        self.shares_everything() || self.idle.load(Relaxed) > self.offered.load(Relaxed)
    }

    /// Returns whether workers share all open branches.
    #[inline]
    pub(super) fn shares_everything(&self) -> bool {
        matches!(self.sharing, Sharing::Always { .. })
    }

    /// Returns whether an idle worker first looks for branches on its own path.
    pub(super) fn is_followed(&self) -> bool {
        match self.sharing {
            Sharing::OnDemand => true,
            Sharing::Always { seed } => seed % 2 == 1,
        }
    }

    /// Keeps a fork that other workers may reach from above, until the search ends.
    pub(super) fn keep(&self, fork: &Arc<Fork<R>>) {
        lock(&self.kept).push(fork.clone());
    }

    /// Offers a fork that has an open branch and that no worker is about to enter.
    pub(super) fn offer(&self, fork: &Arc<Fork<R>>) {
        let mut offers = lock(&self.offers);
        offers.forks.push(fork.clone());
        self.offered.store(offers.forks.len(), Relaxed);
        drop(offers);
        self.news.notify_one();
    }

    /// Returns the next fork from which an idle worker takes a branch, and waits for one if
    /// necessary. Returns `None` once the search is complete or stops.
    pub(super) fn accept(&self) -> Option<Arc<Fork<R>>> {
        let mut offers = lock(&self.offers);
        offers.busy -= 1;
        self.idle.fetch_add(1, Relaxed);
        let accepted = loop {
            if self.is_stopping() {
                break None;
            }
            if let Some(fork) = self.pick(&mut offers) {
                fork.withdraw();
                offers.busy += 1;
                self.offered.store(offers.forks.len(), Relaxed);
                break Some(fork);
            }
            if offers.busy == 0 {
                self.news.notify_all();
                break None;
            }
            offers = self.news.wait(offers).unwrap_or_else(PoisonError::into_inner);
        };
        self.idle.fetch_sub(1, Relaxed);
        accepted
    }

    /// Takes the fork with the shortest prefix, which has the largest subtree, or a random one if
    /// all branches are shared.
    fn pick(&self, offers: &mut Offers<R>) -> Option<Arc<Fork<R>>> {
        let all = 0..offers.forks.len();
        let picked = match self.shares_everything() {
            true => all.max_by_key(|_| {
                offers.random = offers
                    .random
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                offers.random >> 33
            }),
            false => all.min_by_key(|fork| offers.forks[*fork].depth),
        };
        picked.map(|fork| offers.forks.swap_remove(fork))
    }
}

/// A worker's view of the other workers, for its driver.
pub(super) struct Member<R: WeakInitials> {
    pool: Arc<Pool<R>>,
    /// The numbers of executions, and of executions that ended early, that have been added to the
    /// pool.
    told: (u64, u64),
}

impl<R: WeakInitials> Member<R> {
    pub(super) fn new(pool: Arc<Pool<R>>) -> Self {
        Member { pool, told: (0, 0) }
    }
}

impl<R: WeakInitials> Team for Member<R> {
    fn is_stopping(&self) -> bool {
        self.pool.is_stopping()
    }

    fn runs(&mut self, mine: (u64, u64)) -> (u64, u64) {
        let told = std::mem::replace(&mut self.told, mine);
        self.pool.count(mine.0 - told.0, mine.1 - told.1);
        self.pool.runs()
    }

    fn with_races<T>(&mut self, look: impl FnOnce(&mut ReportedRaces) -> T) -> T {
        look(&mut lock(&self.pool.races))
    }
}
