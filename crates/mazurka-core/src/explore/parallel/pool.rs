//! The state that the workers of one exploration share.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::execution::shared_cells::CommonCells;
use crate::explore::parallel::kept::Kept;
use crate::explore::parallel::offers::Offers;
use crate::explore::parallel::{Sharing, Work};
use crate::model::Lesson;
use crate::search::driver::Teacher;
use crate::search::reported_races::ReportedRaces;
use crate::search::team::Team;
use crate::verdict::Bound;
use crate::wire::{Malformed, Reader, Wire};

/// The first worker looks at the clock so often before others help it: for a twentieth of a second with most
/// programs. Most searches are over by then, and find the same violation in every run, on fast and on slow
/// machines. A head start of a fifth of a second would leave a speedup of 1.67 to two workers in a search of a
/// second.
const HEAD_START: u64 = 32;
/// This many parts of the search may be kept for one part that is still being explored. Without a limit,
/// `lastzero` with N = 15 keeps up to 16,384 parts with two workers, and 262,144 with four. With this one, it
/// keeps at most 1,024, and takes as long.
const CROWD: usize = 256;
/// The time between two looks for offers that are not crowded any more.
const PATIENCE: Duration = Duration::from_millis(1);
/// The first worker explores alone for this long at most.
const LONGEST_HEAD_START: Duration = Duration::from_secs(1);

/// A part of the search that a worker leaves to others.
pub(crate) trait Offer: Clone + Send {
    /// What the workers share besides the offers.
    type Known: Known;

    /// Returns the length of its path from the root. The shorter the path, the more there is to do.
    fn depth(&self) -> usize;

    /// Called when the pool does not offer it any more.
    fn withdraw(&self) {}

    /// Returns whether it must be [kept](Pool::keep). Once this is not so, it is never so again.
    fn is_needed(&self) -> bool {
        true
    }

    /// Returns whether it is explored later, because more than `limit` parts are kept only for a part of
    /// the search that is still being explored, and that this one relies on, too.
    fn is_crowded(&self, _limit: usize) -> bool {
        false
    }
}

/// What the workers of an explorer share besides the parts of the search.
pub(crate) trait Known: Default + std::fmt::Debug + Send {
    /// Returns what is still known if the search starts over.
    #[must_use]
    fn after_restart(self) -> Self;
}

impl Known for () {
    fn after_restart(self) {}
}

/// The state that the workers of one exploration share: the parts of the search that are left to
/// explore, and the data that must be common to all.
#[derive(Debug)]
pub(crate) struct Pool<O: Offer> {
    work: Mutex<Shared<O>>,
    /// Signalled when there is a new offer, or when there will be no more.
    news: Condvar,
    /// The number of idle workers, and the number of offers.
    idle: AtomicUsize,
    offered: AtomicUsize,
    is_stopping: AtomicBool,
    /// Whether some worker cannot explore the program.
    has_given_up: AtomicBool,
    /// When the workers stop because one of them has found a violation.
    deadline: Mutex<Option<Instant>>,
    /// How often the first worker has looked at the clock.
    looks: AtomicU64,
    /// The lesson for which the search must start over, if there is one.
    lesson: Mutex<Option<(Lesson, Teacher)>>,
    /// The numbers of executions, and of executions that ended early.
    executions: AtomicU64,
    blocked: AtomicU64,
    /// The number of workers so far.
    members: AtomicU64,
    sharing: Sharing,
    /// What is not offered, but must be kept.
    kept: Mutex<Kept<O>>,
    known: Mutex<O::Known>,
    /// When and why the workers leave so that the search can be saved; `None` if it is not saved.
    pause: Option<Pause>,
    pub(super) cells: Arc<CommonCells>,
    /// The number of processes in the initial state.
    pub(super) initial: usize,
    races: Mutex<ReportedRaces>,
}

/// A pause: all workers leave, so that the search can be saved.
#[derive(Debug)]
struct Pause {
    /// The time of the next pause.
    due: Instant,
    has_begun: AtomicBool,
    /// The limit that ends the search in this pause, if there is one.
    limit: Mutex<Option<Bound>>,
}

#[derive(Debug)]
struct Shared<O> {
    offers: Offers<O>,
    /// The number of workers that are exploring.
    busy: usize,
    /// The state of the random number generator.
    random: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<O: Offer> Pool<O> {
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
            work: Mutex::new(Shared { offers: Offers::default(), busy: workers, random }),
            news: Condvar::new(),
            idle: AtomicUsize::new(0),
            offered: AtomicUsize::new(0),
            is_stopping: AtomicBool::new(false),
            has_given_up: AtomicBool::new(false),
            deadline: Mutex::default(),
            looks: AtomicU64::new(0),
            lesson: Mutex::default(),
            executions: AtomicU64::new(0),
            blocked: AtomicU64::new(0),
            members: AtomicU64::new(0),
            sharing,
            kept: Mutex::default(),
            known: Mutex::default(),
            pause: None,
            cells,
            initial,
            races: Mutex::default(),
        }
    }

    /// Continues with this many workers, which pause at `due`.
    pub(super) fn until(mut self, workers: usize, due: Instant) -> Self {
        lock(&self.work).busy = workers;
        self.idle = AtomicUsize::new(0);
        let has_begun = AtomicBool::new(false);
        self.pause = Some(Pause { due, has_begun, limit: Mutex::default() });
        self
    }

    /// Tells all workers to leave if a pause is due.
    pub(super) fn pause_if_due(&self) {
        if self.pause.as_ref().is_some_and(|pause| pause.due <= Instant::now()) {
            self.begin_pause(None);
        }
    }

    /// Tells all workers to leave because of a limit. Returns `false` if the search is not saved.
    pub(super) fn pause_for(&self, limit: Bound) -> bool {
        self.begin_pause(Some(limit));
        self.pause.is_some()
    }

    fn begin_pause(&self, limit: Option<Bound>) {
        let Some(pause) = &self.pause else { return };
        let mut known = lock(&pause.limit);
        *known = known.or(limit);
        drop(known);
        if !pause.has_begun.swap(true, Relaxed) {
            drop(lock(&self.work));
            self.news.notify_all();
        }
    }

    /// Returns whether workers leave so that the search can be saved.
    #[inline]
    pub(crate) fn is_pausing(&self) -> bool {
        self.pause.as_ref().is_some_and(|pause| pause.has_begun.load(Relaxed))
    }

    /// Returns the limit that ends the search in this pause, if there is one.
    pub(super) fn limit(&self) -> Option<Bound> {
        self.pause.as_ref().and_then(|pause| *lock(&pause.limit))
    }

    /// Returns whether something is left to explore.
    pub(crate) fn has_offers(&self) -> bool {
        lock(&self.work).offers.iter().next().is_some()
    }

    /// Returns all offers.
    pub(crate) fn offers(&self) -> Vec<O> {
        lock(&self.work).offers.iter().cloned().collect()
    }

    /// Returns what is kept.
    pub(crate) fn kept(&self) -> Vec<O> {
        lock(&self.kept).parts().to_vec()
    }

    /// Appends the state of the search, which all workers have left, to bytes.
    pub(super) fn write<W: Work<Offer = O>>(&self, to: &mut Vec<u8>) {
        self.initial.write(to);
        self.runs().write(to);
        self.cells.write(to);
        self.with_races(|races| races.write(to));
        W::write(self, to);
    }

    /// Reads the state of a search that this many workers continue.
    pub(super) fn read<W: Work<Offer = O>>(
        from: &mut Reader<'_>,
        workers: usize,
        sharing: Sharing,
    ) -> Result<Self, Malformed> {
        let initial = Wire::read(from)?;
        let (executions, blocked) = Wire::read(from)?;
        let cells: CommonCells = Wire::read(from)?;
        let races = ReportedRaces::read(from)?;
        let pool = Pool::new(workers, sharing, Arc::new(cells), initial);
        pool.count(executions, blocked);
        pool.with_races(|reported| *reported = races);
        W::read(from, &pool)?;
        Ok(pool)
    }

    /// Continues with what earlier workers have known.
    pub(super) fn knowing(self, known: O::Known) -> Self {
        Pool { known: Mutex::new(known), ..self }
    }

    /// Calls a function with what the workers share besides the offers.
    pub(crate) fn with_known<T>(&self, look: impl FnOnce(&mut O::Known) -> T) -> T {
        look(&mut lock(&self.known))
    }

    /// Calls `look` with the data races that have been reported.
    pub(super) fn with_races<T>(&self, look: impl FnOnce(&mut ReportedRaces) -> T) -> T {
        look(&mut lock(&self.races))
    }

    /// Tells all workers to stop.
    pub(super) fn stop(&self) {
        self.is_stopping.store(true, Relaxed);
        drop(lock(&self.work));
        self.news.notify_all();
    }

    /// Tells all workers to stop at the end of this time, because the calling worker, which stops now, has
    /// found a violation.
    pub(super) fn stop_within(&self, time: Duration) {
        if !self.has_had_head_start() {
            return self.stop();
        }
        let end = Instant::now() + time;
        let mut deadline = lock(&self.deadline);
        *deadline = Some(deadline.map_or(end, |earlier| earlier.min(end)));
        drop(deadline);
        self.leave();
    }

    /// Tells all workers to stop if their time is over. Returns the time that is left, if it is limited.
    fn stop_if_due(&self) -> Option<Duration> {
        let deadline = *lock(&self.deadline);
        let left = deadline?.saturating_duration_since(Instant::now());
        if left.is_zero() {
            self.is_stopping.store(true, Relaxed);
        }
        Some(left)
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

    /// Tells all workers to stop because one of them cannot explore the program.
    pub(super) fn give_up(&self) {
        self.has_given_up.store(true, Relaxed);
        self.stop();
    }

    /// Returns whether some worker cannot explore the program.
    pub(super) fn has_given_up(&self) -> bool {
        self.has_given_up.load(Relaxed)
    }

    /// Returns the lesson for which the search must start over, if there is one.
    pub(super) fn lesson(&self) -> Option<(Lesson, Teacher)> {
        *lock(&self.lesson)
    }

    #[inline]
    pub(crate) fn is_stopping(&self) -> bool {
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

    /// Waits until the first worker has had its [head start](HEAD_START). Returns `false` if the search is
    /// over by then. With [`Sharing::Always`], workers do not wait.
    pub(super) fn is_needed(&self) -> bool {
        if self.shares_everything() {
            return true;
        }
        let waits = |_: &mut Shared<O>| {
            !self.is_stopping()
                && !self.is_pausing()
                && !self.has_had_head_start()
                && self.idle.load(Relaxed) == 0
        };
        let waited = self.news.wait_timeout_while(lock(&self.work), LONGEST_HEAD_START, waits);
        if waited.unwrap_or_else(PoisonError::into_inner).1.timed_out() {
            self.looks.fetch_max(HEAD_START, Relaxed);
        }
        self.has_had_head_start() && !self.is_stopping() && !self.is_pausing()
    }

    /// Returns whether other workers help the first one, or need not wait with that any more.
    fn has_had_head_start(&self) -> bool {
        self.shares_everything() || self.looks.load(Relaxed) >= HEAD_START
    }

    /// Counts a look of the first worker at the clock.
    fn count_look(&self) {
        if self.looks.fetch_add(1, Relaxed) + 1 == HEAD_START {
            drop(lock(&self.work));
            self.news.notify_all();
        }
    }

    /// Ends the work of a worker that has not begun.
    pub(super) fn leave(&self) {
        lock(&self.work).busy -= 1;
        self.news.notify_all();
    }

    /// Returns whether a worker with open branches should share them.
    #[inline]
    pub(crate) fn wants_work(&self) -> bool {
        self.shares_everything()
            || self.is_pausing()
            || self.idle.load(Relaxed) > self.offered.load(Relaxed)
    }

    /// Returns whether workers always share all open branches.
    #[inline]
    pub(crate) fn shares_everything(&self) -> bool {
        matches!(self.sharing, Sharing::Always { .. })
    }

    /// Returns whether an idle worker first looks for branches on its own path.
    pub(crate) fn is_followed(&self) -> bool {
        match self.sharing {
            Sharing::OnDemand => true,
            Sharing::Always { seed } => seed % 2 == 1,
        }
    }

    /// Returns whether a part of the search is [crowded](Offer::is_crowded).
    pub(crate) fn is_crowded(&self, part: &O) -> bool {
        let limit = match self.sharing {
            Sharing::OnDemand => CROWD,
            // In random programs, few parts rely on another one.
            Sharing::Always { seed } => [0, 1, 3, usize::MAX][(seed / 2 % 4) as usize],
        };
        part.is_crowded(limit)
    }

    /// Keeps something as long as it is [needed](Offer::is_needed).
    pub(crate) fn keep(&self, part: O) {
        let gone = lock(&self.kept).keep(part);
        drop(gone);
    }

    /// Offers a part of the search to other workers.
    pub(crate) fn offer(&self, offer: O) {
        let mut work = lock(&self.work);
        work.offers.add(offer);
        self.offered.store(work.offers.len(), Relaxed);
        // The number of idle workers changes only under the lock. A notification is a system call even if
        // no worker waits.
        let is_awaited = self.idle.load(Relaxed) > 0;
        drop(work);
        if is_awaited {
            self.news.notify_one();
        }
    }

    /// Returns the part of the search that an idle worker explores next, and waits for one if
    /// necessary. Returns `None` once the search is complete or stops.
    pub(crate) fn accept(&self) -> Option<O> {
        let mut work = lock(&self.work);
        work.busy -= 1;
        self.idle.fetch_add(1, Relaxed);
        self.news.notify_all();
        let accepted = loop {
            let time_left = self.stop_if_due();
            if self.is_stopping() || self.is_pausing() {
                break None;
            }
            if let Some(offer) = self.pick(&mut work) {
                offer.withdraw();
                work.busy += 1;
                self.offered.store(work.offers.len(), Relaxed);
                break Some(offer);
            }
            self.offered.store(0, Relaxed);
            if work.busy == 0 {
                self.news.notify_all();
                break None;
            }
            let patience = work.offers.has_crowded().then_some(PATIENCE);
            work = match time_left.into_iter().chain(patience).min() {
                Some(time) => {
                    let waited = self.news.wait_timeout(work, time);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.news.wait(work).unwrap_or_else(PoisonError::into_inner),
            };
        };
        self.idle.fetch_sub(1, Relaxed);
        accepted
    }

    /// Takes an offer that is not crowded, if there is one.
    fn pick(&self, work: &mut Shared<O>) -> Option<O> {
        let Shared { offers, random, busy } = work;
        let pick = |offers: &mut Offers<O>| self.pick_any(offers, random);
        let picked = offers.take_if(|offer| !self.is_crowded(offer), pick);
        // If no other worker is behind an open branch, some offer is not crowded, unless a saved search is damaged.
        picked.or_else(|| if *busy == 0 { offers.take_crowded() } else { None })
    }

    /// Takes the offer with the shortest path, or a random one if everything is shared.
    fn pick_any(&self, offers: &mut Offers<O>, random: &mut u64) -> Option<O> {
        if !self.shares_everything() {
            return offers.take_nearest();
        }
        *random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        offers.take_any(*random >> 33)
    }
}

/// A worker's view of the other workers, for its driver.
pub(crate) struct Member<O: Offer> {
    pool: Arc<Pool<O>>,
    number: u64,
    /// The numbers of executions, and of executions that ended early, that have been added to the
    /// pool.
    told: (u64, u64),
}

impl<O: Offer> Member<O> {
    pub(super) fn new(pool: Arc<Pool<O>>) -> Self {
        let number = pool.members.fetch_add(1, Relaxed);
        Member { pool, number, told: (0, 0) }
    }
}

impl<O: Offer> Team for Member<O> {
    fn number(&self) -> u64 {
        self.number
    }

    fn is_stopping(&self) -> bool {
        self.pool.is_stopping()
    }

    fn runs(&mut self, mine: (u64, u64)) -> (u64, u64) {
        let told = std::mem::replace(&mut self.told, mine);
        self.pool.count(mine.0 - told.0, mine.1 - told.1);
        self.pool.runs()
    }

    fn with_races(&mut self, look: &mut dyn FnMut(&mut ReportedRaces) -> bool) -> bool {
        self.pool.with_races(look)
    }

    fn look_at_clock(&mut self) {
        if self.number == 0 {
            self.pool.count_look();
        }
        self.pool.stop_if_due();
        self.pool.pause_if_due();
    }

    fn pauses_for(&mut self, limit: Bound) -> bool {
        self.pool.pause_for(limit)
    }
}
