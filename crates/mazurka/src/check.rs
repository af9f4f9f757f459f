//! `check` and `Check`: how a closure is explored.

mod explorers;

use std::borrow::Cow;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use mazurka_core::memory::MemoryModel;
use mazurka_core::search::{Algorithm, Coherence, PreemptionBound};
use mazurka_core::verdict::Verdict;
use mazurka_report::{ProgressLine, Report, Run};

use crate::checkpoint;
use crate::report;
use crate::rt::{self, Main, RustProgram};
use crate::settings::{Incomplete, Settings};

/// Runs `f` under every schedule that can make a difference, with the default settings.
///
/// # Panics
///
/// If a schedule fails, with a report on it.
///
/// ```should_panic
/// use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
/// use mazurka::thread;
///
/// mazurka::check(|| {
///     let counter = AtomicU32::new(0);
///     thread::scope(|s| {
///         for _ in 0..2 {
///             s.spawn(|| counter.store(counter.load(SeqCst) + 1, SeqCst));
///         }
///     });
///     assert_eq!(counter.load(SeqCst), 2); // not if both load before either stores
/// });
/// ```
#[track_caller]
pub fn check<F>(f: F)
where
    F: Fn() + Send + Sync,
{
    Check::new().check(f);
}

/// A check and its settings.
///
/// Every setting has an environment variable, which takes precedence over the code: `MAZURKA_` and the
/// name of the method in capitals. Mazurka reads the environment at the first check of the process.
/// Three more variables have no method:
///
/// * `MAZURKA_PROGRESS=0` hides the progress of a long check. It is shown in place on a terminal, and
///   elsewhere as a line every ten seconds.
/// * `MAZURKA_REPORT_DIR` is the directory for schedules that are too long to print.
/// * `NO_COLOR` turns colours off.
///
/// ```
/// use mazurka::{Algorithm, Check};
///
/// let verdict = Check::new().algorithm(Algorithm::Optimal).max_executions(1_000).run(|| {
///     mazurka::choose(3);
/// });
/// assert_eq!(verdict.executions, 3);
/// assert!(verdict.violations.is_empty() && verdict.is_complete());
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a check does nothing until it is run"]
pub struct Check {
    settings: Settings,
}

impl Check {
    /// Creates a check with the default settings: explore every schedule with
    /// [`Algorithm::Observers`], and stop at the first violation.
    pub fn new() -> Self {
        Check::default()
    }

    /// Sets the explorer.
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.settings.algorithm = Some(algorithm);
        self
    }

    /// Sets the memory model. By default it is [`MemoryModel::Auto`].
    ///
    /// Under [`MemoryModel::Auto`], the check begins with an explorer of schedules, which treats every
    /// atomic access as `SeqCst`. As soon as the program performs a weaker access, the check starts over
    /// under [`MemoryModel::Rc11`], with [`Algorithm::Graphs`]. If you have set an
    /// [`algorithm`](Check::algorithm) or a [`preemption_bound`](Check::preemption_bound), it does not
    /// start over, and [`Verdict::weak_access`] says so.
    ///
    /// ```
    /// use mazurka::sync::atomic::{AtomicU32, Ordering};
    /// use mazurka::{Check, MemoryModel, thread};
    ///
    /// // Store buffering: with `SeqCst`, one of the threads sees the other's store.
    /// let buffer = |order: [Ordering; 2]| {
    ///     move || {
    ///         let (x, y) = (AtomicU32::new(0), AtomicU32::new(0));
    ///         let (a, b) = thread::scope(|s| {
    ///             let first = s.spawn(|| {
    ///                 x.store(1, order[0]);
    ///                 y.load(order[1])
    ///             });
    ///             let second = s.spawn(|| {
    ///                 y.store(1, order[0]);
    ///                 x.load(order[1])
    ///             });
    ///             (first.join().unwrap(), second.join().unwrap())
    ///         });
    ///         assert!(a == 1 || b == 1);
    ///     }
    /// };
    /// let check = Check::new().memory_model(MemoryModel::Rc11);
    /// assert!(check.run(buffer([Ordering::SeqCst; 2])).violations.is_empty());
    /// let weak = [Ordering::Release, Ordering::Acquire];
    /// assert_eq!(check.run(buffer(weak)).violations.len(), 1);
    /// ```
    pub fn memory_model(mut self, model: MemoryModel) -> Self {
        self.settings.memory_model = model;
        self
    }

    /// Decides which execution graphs the explorer `graphs` tells apart; [`Coherence::Observed`] by default.
    /// Chooses that explorer, unless another one is set. The others refuse this setting.
    ///
    /// ```
    /// use mazurka::{Check, Coherence};
    ///
    /// let check = Check::new().coherence(Coherence::Total);
    /// ```
    pub fn coherence(mut self, coherence: Coherence) -> Self {
        self.settings.coherence = Some(coherence);
        self
    }

    /// Sets whether executions that differ by a permutation of threads count as one. The threads are those
    /// of one call of [`thread::spawn_many`](crate::thread::spawn_many).
    ///
    /// By default, they do for [`Algorithm::Observers`] and [`Algorithm::Graphs`], unless preemptions are
    /// bounded. `optimal`, `source`, `dpor` and `naive` can do the same. Other explorers refuse `true`.
    ///
    /// ```
    /// use mazurka::sync::atomic::{AtomicU32, Ordering};
    /// use mazurka::{Check, thread};
    /// use std::sync::Arc;
    ///
    /// let take_numbers = || {
    ///     let next = Arc::new(AtomicU32::new(0));
    ///     let take = move || _ = next.fetch_add(1, Ordering::SeqCst);
    ///     thread::spawn_many(3, take).join();
    /// };
    /// assert_eq!(Check::new().symmetry(true).run(take_numbers).executions, 1);
    /// assert_eq!(Check::new().symmetry(false).run(take_numbers).executions, 6);
    /// ```
    pub fn symmetry(mut self, symmetry: bool) -> Self {
        self.settings.symmetry = Some(symmetry);
        self
    }

    /// Stops the check after this many executions. It is then incomplete.
    pub fn max_executions(mut self, executions: u64) -> Self {
        self.settings.max_executions = Some(executions);
        self
    }

    /// Shows the values of messages of this type in reports, by `Debug`.
    ///
    /// Reports show numbers, booleans, characters and strings without this. It holds for all checks from
    /// now on. `Debug` may not use Mazurka's operations.
    ///
    /// ```
    /// use mazurka::{Check, sync::mpsc::channel};
    ///
    /// #[derive(Debug)]
    /// enum Message {
    ///     Pay(u32),
    /// }
    ///
    /// let check = Check::new().show::<Message>();
    /// let (_, reports) = check.report(|| {
    ///     let (sender, receiver) = channel();
    ///     sender.send(Message::Pay(7)).unwrap();
    ///     let Message::Pay(amount) = receiver.recv().unwrap();
    ///     assert!(amount < 5);
    /// });
    /// assert!(reports[0].to_string().contains("Pay(7)"));
    /// ```
    pub fn show<T: std::fmt::Debug + 'static>(self) -> Self {
        report::show::<T>();
        self
    }

    /// Abandons every execution after this many steps. If there is a longer one, the check is
    /// incomplete.
    pub fn max_depth(mut self, steps: usize) -> Self {
        self.settings.max_depth = Some(steps);
        self
    }

    /// Stops the check after this time. It is then incomplete. The environment variable takes a number
    /// of seconds, or a number with a unit: `500ms`, `90s`, `5m`.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.settings.time_limit = Some(limit);
        self
    }

    /// Explores the executions that some schedule with at most this many preemptions reaches. A
    /// preemption is a switch away from a thread that could take another step.
    ///
    /// [`PreemptionBound::Auto`] explores with 0 preemptions, then with 1, 2 and so on, until everything is
    /// explored. It runs no execution again at the next bound, and finds a violation that needs few
    /// preemptions early. [`Verdict::preemptions`] is the bound that was reached. To explore a whole program
    /// in this way takes longer and more memory than without a bound.
    ///
    /// ```
    /// use mazurka::{Check, PreemptionBound};
    ///
    /// let check = Check::new().preemption_bound(PreemptionBound::Auto);
    /// let verdict = check.run(|| {
    ///     mazurka::choose(3);
    /// });
    /// assert!(verdict.is_complete());
    /// assert_eq!(verdict.preemptions.unwrap().bound, 0);
    /// ```
    pub fn preemption_bound(mut self, preemptions: impl Into<PreemptionBound>) -> Self {
        self.settings.preemption_bound = Some(preemptions.into());
        self
    }

    /// Sets for how long a failing check looks for the explanation of its violations: a schedule with fewer
    /// context switches, and the orders of steps that decide. The default is one second. Zero turns this
    /// off.
    pub fn explain(mut self, limit: Duration) -> Self {
        self.settings.explain = Some(limit);
        self
    }

    /// Explores with this many workers, each on its own OS thread.
    ///
    /// Workers run the closure at the same time. It must not use a `static` lock or cell of this crate:
    /// create such objects inside of the closure.
    ///
    /// Several workers explore the same executions as one. They may run a few executions more than
    /// [`max_executions`](Check::max_executions). In a long search, the violation that they report may differ
    /// from run to run. If the explorer cannot share its work, or if preemptions are bounded, one worker
    /// explores everything, and the verdict has a note.
    ///
    /// ```
    /// use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
    /// use mazurka::{Check, thread};
    ///
    /// let verdict = Check::new().workers(2).run(|| {
    ///     let tickets = AtomicU32::new(0);
    ///     thread::scope(|s| {
    ///         for _ in 0..5 {
    ///             s.spawn(|| tickets.fetch_add(1, SeqCst));
    ///         }
    ///     });
    /// });
    /// assert_eq!(verdict.executions, 120);
    /// ```
    ///
    /// # Panics
    ///
    /// If `workers` is 0.
    #[track_caller]
    pub fn workers(mut self, workers: usize) -> Self {
        let workers = NonZero::new(workers);
        self.settings.workers = Some(workers.expect("a check needs at least one worker"));
        self
    }

    /// Saves the search to a file in this directory, every minute and when a limit stops it. If there is a
    /// saved search of the same check, continues it.
    ///
    /// The counts are those of a search that was never stopped. Limits count from the start of each run. When
    /// the search has ended, the file is removed. A file of another version of the test, or of other
    /// settings, is refused. [`Algorithm::Observers`], [`Algorithm::Optimal`], [`Algorithm::DataCentric`],
    /// [`Algorithm::Graphs`] and [`Algorithm::Naive`] can be saved, without a preemption bound.
    ///
    /// ```
    /// use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
    /// use mazurka::{Check, thread};
    ///
    /// let directory = std::env::temp_dir().join(format!("saved-{}", std::process::id()));
    /// let tickets = || {
    ///     let tickets = AtomicU32::new(0);
    ///     thread::scope(|s| {
    ///         for _ in 0..4 {
    ///             s.spawn(|| tickets.fetch_add(1, SeqCst));
    ///         }
    ///     });
    /// };
    /// let check = Check::new().name("tickets").checkpoint(&directory);
    /// let verdict = check.run(tickets);
    /// assert_eq!(verdict.executions, 24);
    /// std::fs::remove_dir_all(directory).unwrap();
    /// ```
    pub fn checkpoint(mut self, directory: impl Into<PathBuf>) -> Self {
        self.settings.checkpoint = Some(directory.into());
        self
    }

    /// Sets the time between two [checkpoints](Check::checkpoint). The default is one minute.
    pub fn checkpoint_every(mut self, interval: Duration) -> Self {
        self.settings.checkpoint_every = Some(interval);
        self
    }

    /// Makes workers hand over every branch, to random workers.
    #[cfg(test)]
    pub(crate) fn share_always(mut self, seed: u64) -> Self {
        self.settings.sharing = mazurka_core::explore::Sharing::Always { seed };
        self
    }

    /// Explores on a cluster, together with the other processes that run the same test of the same test
    /// binary. The value has the addresses of NATS servers, such as `nats://host:4222`, separated by commas.
    ///
    /// This needs the feature `cluster` of this crate. The default explorer is then [`Algorithm::Graphs`].
    /// [`Algorithm::Optimal`], [`Algorithm::DataCentric`] and [`Algorithm::Naive`] can be used, too. The
    /// default number of [`workers`](Check::workers) of each process is the number of cores.
    pub fn cluster(mut self, servers: impl Into<String>) -> Self {
        self.settings.cluster = Some(servers.into());
        self
    }

    /// Sets whether the check goes on after a violation.
    pub fn keep_going(mut self, keep_going: bool) -> Self {
        self.settings.keep_going = keep_going;
        self
    }

    /// Sets what [`Check::check`] does if a bound keeps the check from being complete. By default the test
    /// fails, unless you have set that bound yourself. The environment variable is `fail` or `warn`.
    ///
    /// ```
    /// use mazurka::{Check, Incomplete};
    ///
    /// let check = Check::new().max_executions(2).incomplete(Incomplete::Fail);
    /// let failed = std::panic::catch_unwind(|| {
    ///     check.check(|| {
    ///         mazurka::choose(3);
    ///     });
    /// });
    /// assert!(failed.is_err());
    /// ```
    pub fn incomplete(mut self, incomplete: Incomplete) -> Self {
        self.settings.incomplete = Some(incomplete);
        self
    }

    /// Writes a page on each failing check to this directory. The page shows the execution step by step; a
    /// browser opens it without a network.
    pub fn html(mut self, directory: impl Into<PathBuf>) -> Self {
        self.settings.html = Some(directory.into());
        self
    }

    /// Writes a page with the search tree of each check to this directory: how the explorer went, which
    /// races it reversed, and what it skipped. The check is explored once more for it, up to 200
    /// executions.
    pub fn tree(mut self, directory: impl Into<PathBuf>) -> Self {
        self.settings.tree = Some(directory.into());
        self
    }

    /// Runs a single schedule, in the form in which a report prints it.
    ///
    /// # Panics
    ///
    /// If `schedule` is not a schedule.
    #[track_caller]
    pub fn replay(mut self, schedule: &str) -> Self {
        match schedule.parse() {
            Ok(schedule) => self.settings.replay = Some(schedule),
            Err(error) => panic!("{error}"),
        }
        self
    }

    /// Sets whether `compare_exchange_weak` may fail spuriously. If so, both outcomes are explored. By
    /// default it does not.
    pub fn spurious_failures(mut self, spurious_failures: bool) -> Self {
        self.settings.tuning.spurious_failures = spurious_failures;
        self
    }

    /// Sets whether condition variables may wake waiters spuriously. If so, both outcomes are explored.
    /// By default they do not.
    pub fn spurious_wakeups(mut self, spurious_wakeups: bool) -> Self {
        self.settings.tuning.spurious_wakeups = spurious_wakeups;
        self
    }

    /// Sets how often each task of [`future`](crate::future), and each call of
    /// [`block_on`](crate::future::block_on), may be polled without a wake-up. Both outcomes are explored
    /// each time. By default tasks are polled only after a wake-up.
    pub fn spurious_polls(mut self, spurious_polls: u32) -> Self {
        self.settings.tuning.spurious_polls = spurious_polls;
        self
    }

    /// Sets whether an execution may end while actors wait for messages, as servers do. By default that
    /// is a deadlock.
    ///
    /// A thread may then also wait for ever to join such an actor.
    ///
    /// ```
    /// use mazurka::{Check, actor};
    ///
    /// Check::new().allow_idle_receivers(true).check(|| {
    ///     let server = actor::spawn(|me| loop {
    ///         let _request: u32 = me.receive();
    ///     });
    ///     server.send(1);
    /// });
    /// ```
    pub fn allow_idle_receivers(mut self, allow_idle_receivers: bool) -> Self {
        self.settings.tuning.allow_idle_receivers = allow_idle_receivers;
        self
    }

    /// Sets whether an execution may end with values of an [`Arc`](crate::sync::Arc), or memory of
    /// [`alloc`](crate::alloc), that were not freed. By default that is a leak, which is a violation.
    pub fn allow_leaks(mut self, allow_leaks: bool) -> Self {
        self.settings.tuning.allow_leaks = allow_leaks;
        self
    }

    /// Sets the size of each thread's stack in bytes. The default is 256 KiB.
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.settings.tuning.stack_size = bytes;
        self
    }

    /// Sets the name of the check in reports. The default is the name of the test that runs it.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.settings.name = Some(name.into());
        self
    }

    /// Runs the check, and returns what it found.
    ///
    /// # Panics
    ///
    /// If an environment variable has an invalid value, or if it is called by the closure of another
    /// check.
    #[track_caller]
    pub fn run<F>(&self, f: F) -> Verdict
    where
        F: Fn() + Send + Sync,
    {
        let checked = self.explore(&f);
        if self.settings.replay.is_none() && checked.run.asked.is_some() {
            // The environment asks for a replay, so it is to be shown.
            checked.reports().iter().for_each(report::show_replay);
        }
        checked.run.verdict
    }

    /// Runs the check, and returns what it found with a report on each violation.
    ///
    /// A [replay](Check::replay) has a report even if it does not fail. `Report::to_json` needs the
    /// feature `json` of this crate.
    ///
    /// # Panics
    ///
    /// As [`run`](Check::run).
    ///
    /// ```
    /// let (verdict, reports) = mazurka::Check::new().report(|| {
    ///     let parcel = mazurka::choose(3);
    ///     assert!(parcel < 2, "parcel {parcel} is too heavy");
    /// });
    /// assert_eq!(verdict.violations.len(), 1);
    /// println!("{}", reports[0]);
    /// std::fs::write(std::env::temp_dir().join("parcel.json"), reports[0].to_json()).unwrap();
    /// ```
    #[track_caller]
    pub fn report<F>(&self, f: F) -> (Verdict, Vec<Report>)
    where
        F: Fn() + Send + Sync,
    {
        let checked = self.explore(&f).explained();
        let reports = checked.reports();
        (checked.run.verdict, reports)
    }

    /// Runs the check, and panics with a report if it finds a violation, as [`check`] does.
    ///
    /// If a bound that you have set stops the check before it is complete, it says so on standard error. It
    /// also does so if no thread performs an operation of this crate, since nothing is explored then.
    ///
    /// # Panics
    ///
    /// If it finds a violation; if it is incomplete, unless you have set the bound that was reached (see
    /// [`incomplete`](Check::incomplete)); if a failed assumption blocks every execution; and as
    /// [`run`](Check::run).
    ///
    /// ```
    /// use mazurka::sync::Mutex;
    /// use mazurka::{Check, thread};
    ///
    /// Check::new().preemption_bound(2).check(|| {
    ///     let account = Mutex::new(100);
    ///     thread::scope(|s| {
    ///         s.spawn(|| *account.lock().unwrap() -= 30);
    ///         s.spawn(|| *account.lock().unwrap() += 20);
    ///     });
    ///     assert_eq!(account.into_inner().unwrap(), 90);
    /// });
    /// ```
    #[track_caller]
    pub fn check<F>(&self, f: F)
    where
        F: Fn() + Send + Sync,
    {
        self.check_then(f, |_| ());
    }

    /// Runs the check as [`check`](Check::check) does, and calls `see` with the verdict before it panics or
    /// returns.
    ///
    /// # Panics
    ///
    /// As [`check`](Check::check).
    ///
    /// ```
    /// let mut executions = 0;
    /// mazurka::Check::new().check_then(
    ///     || {
    ///         mazurka::choose(3);
    ///     },
    ///     |verdict| executions = verdict.executions,
    /// );
    /// assert_eq!(executions, 3);
    /// ```
    #[track_caller]
    pub fn check_then<F>(&self, f: F, see: impl FnOnce(&Verdict))
    where
        F: Fn() + Send + Sync,
    {
        let checked = self.explore(&f);
        see(&checked.run.verdict);
        let checked = checked.explained();
        let fails_at = |bound| checked.settings.fails_at(bound);
        let reports = checked.reports();
        if let Some(directory) = &checked.settings.html {
            report::write_page(directory, &checked.name, &checked.program, &reports);
        }
        if let Some(directory) = &checked.settings.tree {
            let options = checked.settings.options();
            report::write_tree(directory, &checked.name, &checked.program, &options);
        }
        report::conclude(&checked.name, &checked.run.verdict, &reports, fails_at);
    }

    /// Explores the closure. It is a trait object from here on, so that the explorers are compiled once
    /// and not in every test.
    #[track_caller]
    fn explore<'a>(&self, f: &'a Main<'a>) -> Checked<'a> {
        assert!(
            !rt::is_inside(),
            "`mazurka::check` was called inside of the closure of another check"
        );
        let settings = self.settings.clone().with_environment();
        let name = settings.name.clone().map_or_else(report::name, Cow::Owned);
        let program = RustProgram::new(f, settings.tuning).named(name.clone());
        let program = program.with_fingerprint(settings.fingerprint.clone());
        let options = settings.options();
        let workers = settings.workers.filter(|workers| workers.get() > 1);
        let mut progress = ProgressLine::new(&name);
        let run = match (&settings.replay, &settings.checkpoint, workers) {
            (Some(schedule), _, _) => Run::replay(&program, schedule, &options),
            _ if settings.cluster.is_some() => check_on_cluster(&name, f, &program, &settings),
            (None, Some(directory), _) => {
                checkpoint::check(directory, &name, &program, &settings, &mut progress)
            }
            (None, None, None) => Run::check(&program, &options, &mut progress),
            (None, None, Some(workers)) => {
                let crew = (workers, settings.sharing);
                Run::check_by(crew, &program, &options, &mut progress)
            }
        };
        Checked { name, settings, program, run }
    }
}

/// Explores a program on the cluster of the settings.
#[cfg(feature = "cluster")]
#[track_caller]
fn check_on_cluster(
    name: &str,
    main: &Main<'_>,
    program: &RustProgram<'_>,
    settings: &Settings,
) -> Run {
    let servers = settings.cluster.as_deref().unwrap_or_default();
    crate::cluster::check(servers, name, main, program, settings)
}

#[cfg(not(feature = "cluster"))]
#[track_caller]
fn check_on_cluster(name: &str, _: &Main<'_>, _: &RustProgram<'_>, _: &Settings) -> Run {
    panic!(
        "mazurka: {name}: this test binary is built without the client of a cluster. Build it with \
         `cargo test --features mazurka/cluster`, or leave out MAZURKA_CLUSTER"
    );
}

/// A closure that has been checked.
struct Checked<'a> {
    name: Cow<'static, str>,
    /// With those of the environment.
    settings: Settings,
    program: RustProgram<'a>,
    run: Run,
}

impl Checked<'_> {
    /// Looks for explanations of the violations.
    fn explained(mut self) -> Self {
        let limit = self.settings.explain.unwrap_or(Duration::from_secs(1));
        self.run = self.run.explained(&self.program, limit);
        self
    }

    fn reports(&self) -> Vec<Report> {
        self.run.reports(&self.program)
    }
}
