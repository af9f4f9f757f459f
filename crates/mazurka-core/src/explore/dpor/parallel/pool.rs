//! What the workers of one exploration share.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::execution::cells::CellId;
use crate::execution::shared_cells::CommonCells;
use crate::execution::{Execution, Race};
use crate::explore::dpor::parallel::Sharing;
use crate::explore::dpor::parallel::fork::Fork;
use crate::search::reported_races::KnownRaces;

/// What the workers of one exploration share: the forks with open branches, and what they must agree
/// upon.
#[derive(Debug)]
pub(crate) struct Pool {
    offers: Mutex<Offers>,
    /// That there is a new offer, or that nobody will make one any more.
    news: Condvar,
    /// How many workers look for something to do, and how many forks there are for them.
    idle: AtomicUsize,
    offered: AtomicUsize,
    is_stopping: AtomicBool,
    must_start_over: AtomicBool,
    /// How many executions there have been, and how many that ended early.
    executions: AtomicU64,
    blocked: AtomicU64,
    sharing: Sharing,
    /// Forks that others may come upon from above.
    kept: Mutex<Vec<Arc<Fork>>>,
    pub(crate) cells: Arc<CommonCells>,
    /// How many processes there are before the first step.
    pub(crate) initial: usize,
    known_races: Mutex<KnownRaces>,
    racy: Mutex<HashSet<CellId>>,
}

#[derive(Debug)]
struct Offers {
    /// Forks with open branches.
    forks: Vec<Arc<Fork>>,
    /// How many workers are exploring.
    busy: usize,
    /// What decides by chance.
    random: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// The pool of so many workers, all of whom are busy yet.
    pub(crate) fn new(
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
            must_start_over: AtomicBool::new(false),
            executions: AtomicU64::new(0),
            blocked: AtomicU64::new(0),
            sharing,
            kept: Mutex::default(),
            cells,
            initial,
            known_races: Mutex::default(),
            racy: Mutex::default(),
        }
    }

    /// Tells everybody to stop.
    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Relaxed);
        drop(lock(&self.offers));
        self.news.notify_all();
    }

    /// The same, since something became known that makes it necessary to start over.
    pub(crate) fn start_over(&self) {
        self.must_start_over.store(true, Relaxed);
        self.stop();
    }

    #[inline]
    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Relaxed)
    }

    pub(crate) fn must_start_over(&self) -> bool {
        self.must_start_over.load(Relaxed)
    }

    /// Counts executions, and those that ended early.
    pub(crate) fn count(&self, executions: u64, blocked: u64) {
        self.executions.fetch_add(executions, Relaxed);
        self.blocked.fetch_add(blocked, Relaxed);
    }

    /// How many executions there have been, and how many that ended early.
    pub(crate) fn runs(&self) -> (u64, u64) {
        (self.executions.load(Relaxed), self.blocked.load(Relaxed))
    }

    pub(crate) fn known_races(&self) -> MutexGuard<'_, KnownRaces> {
        lock(&self.known_races)
    }

    /// Whether no data race on the location of this one has been asked about before, in any execution.
    pub(crate) fn is_first_data_race(&self, execution: &Execution, race: Race) -> bool {
        let cell = execution.cell_of_race(race);
        cell.is_none_or(|cell| lock(&self.racy).insert(cell))
    }

    /// Whether whoever has more than enough to do should share it.
    #[inline]
    pub(crate) fn wants_work(&self) -> bool {
        self.shares_everything() || self.idle.load(Relaxed) > self.offered.load(Relaxed)
    }

    /// Whether everything is shared at once.
    #[inline]
    pub(crate) fn shares_everything(&self) -> bool {
        matches!(self.sharing, Sharing::Always { .. })
    }

    /// Whether workers look for something to do on their own path first.
    pub(crate) fn is_followed(&self) -> bool {
        match self.sharing {
            Sharing::OnDemand => true,
            Sharing::Always { seed } => seed % 2 == 1,
        }
    }

    /// Keeps a fork that others may come upon from above until all is explored.
    pub(crate) fn keep(&self, fork: &Arc<Fork>) {
        lock(&self.kept).push(fork.clone());
    }

    /// Offers a fork that has an open branch, and nobody on the way to one.
    pub(crate) fn offer(&self, fork: &Arc<Fork>) {
        let mut offers = lock(&self.offers);
        offers.forks.push(fork.clone());
        self.offered.store(offers.forks.len(), Relaxed);
        drop(offers);
        self.news.notify_one();
    }

    /// The next fork to take a branch of, for a worker that has nothing else to do; it waits for one.
    /// `None` once everything has been explored, or everybody is to stop.
    pub(crate) fn accept(&self) -> Option<Arc<Fork>> {
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

    /// Mostly that with the shortest prefix: there is most to do behind it.
    fn pick(&self, offers: &mut Offers) -> Option<Arc<Fork>> {
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
