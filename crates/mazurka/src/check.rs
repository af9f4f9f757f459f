//! Checks: what users call.

use std::borrow::Cow;
use std::num::NonZero;
use std::time::Duration;

use mazurka_core::search::{Algorithm, CutOffOrder};
use mazurka_core::verdict::Verdict;
use mazurka_report::{ProgressLine, Report, Run};

use crate::report;
use crate::rt::{self, Fingerprint, Main, RustProgram};
use crate::settings::Settings;

/// Runs `f` under every meaningfully different schedule.
///
/// # Panics
///
/// If one of them fails, with a report.
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
/// Each setting has an environment variable, which wins over the code: `MAZURKA_` and the name of
/// the method in capitals. What counts is the environment at the first check of the process. Besides, `MAZURKA_PROGRESS` says whether a check that takes long shows
/// how far it has come (`0` or `1`; by default on a terminal only), `MAZURKA_REPORT_DIR` where
/// schedules go that are too long to print, and `NO_COLOR` that there are to be no colours.
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
    /// The default settings: every schedule, the best explorer, stop at the first violation.
    pub fn new() -> Self {
        Check::default()
    }

    /// Which explorer to use.
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.settings.algorithm = algorithm;
        self
    }

    /// Stops after so many executions.
    pub fn max_executions(mut self, executions: u64) -> Self {
        self.settings.max_executions = Some(executions);
        self
    }

    /// Cuts executions after so many steps.
    pub fn max_depth(mut self, steps: usize) -> Self {
        self.settings.max_depth = Some(steps);
        self
    }

    /// Stops after so long. The environment variable takes seconds, or a time as `90s` or `5m`.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.settings.time_limit = Some(limit);
        self
    }

    /// Leaves out schedules in which threads that could go on are interrupted more often.
    pub fn preemption_bound(mut self, preemptions: u32) -> Self {
        self.settings.preemption_bound = Some(preemptions);
        self
    }

    /// Explores with so many workers, each on an OS thread of its own. They run the closure at the same
    /// time, so it must not rely on anything outside of it that cannot be shared: a static lock or cell
    /// of Mazurka's with data in it, say.
    ///
    /// What is explored is the same. Which violation is found first, and so which one is reported unless
    /// the check [keeps going](Check::keep_going), may differ from time to time; and the check may run a
    /// few more executions than it is [allowed](Check::max_executions). [`Algorithm::Observers`] and
    /// [`Algorithm::Optimal`] can share their work, unless preemptions are bounded; the others do it
    /// alone, and the verdict says so.
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
    /// If there are to be no workers at all.
    #[track_caller]
    pub fn workers(mut self, workers: usize) -> Self {
        let workers = NonZero::new(workers);
        self.settings.workers = Some(workers.expect("a check needs at least one worker"));
        self
    }

    /// Has workers share everything all the time, and who takes what be left to chance.
    #[cfg(test)]
    pub(crate) fn share_always(mut self, seed: u64) -> Self {
        self.settings.sharing = mazurka_core::explore::Sharing::Always { seed };
        self
    }

    /// Whether to go on after a violation.
    pub fn keep_going(mut self, keep_going: bool) -> Self {
        self.settings.keep_going = keep_going;
        self
    }

    /// Lets [`Algorithm::Unfolding`] tell the program's states apart, so that it can leave out what
    /// follows a state that it knows; then it comes to an end even if the program loops for ever.
    ///
    /// Mazurka knows the values of all atomics and locks, and the operation that each thread is at. What
    /// it does not know is what threads keep in their variables from one operation to the next, what is
    /// inside of mutexes, cells and channels, and in thread-locals. `tell` returns a number that stands for
    /// all of that: it is *your* obligation that two states for which it returns the same number, and in
    /// which all that Mazurka knows is the same, can go on in the same ways. Otherwise something may be
    /// missed. If threads keep nothing that matters, it may always return 0, as here.
    ///
    /// Objects that one line of the source creates, the elements of an array for instance, must be
    /// introduced by the main thread, as here; otherwise they may get their names only when a thread comes
    /// upon them, and the program is left to [`Algorithm::Optimal`], which a note in the verdict says.
    ///
    /// It is run between steps, and must not use Mazurka's types. There is no environment variable for
    /// it; `MAZURKA_CUTOFFS=0` does without.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use mazurka::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
    /// use mazurka::{Algorithm, Check, thread};
    ///
    /// // Peterson's mutual exclusion, for ever. Nobody joins the threads: who waits for the end of what
    /// // never ends does not learn that it has panicked.
    /// let verdict = Check::new().algorithm(Algorithm::Unfolding).fingerprint(|| 0).run(|| {
    ///     let wants = Arc::new([const { AtomicBool::new(false) }; 2]);
    ///     wants.iter().for_each(AtomicBool::introduce);
    ///     let (turn, inside) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    ///     for me in 0..2 {
    ///         let (wants, turn, inside) = (wants.clone(), turn.clone(), inside.clone());
    ///         thread::spawn(move || loop {
    ///             wants[me].store(true, SeqCst);
    ///             turn.store(1 - me, SeqCst);
    ///             while wants[1 - me].load(SeqCst) && turn.load(SeqCst) != me {}
    ///             assert!(!inside.swap(true, SeqCst));
    ///             inside.store(false, SeqCst);
    ///             wants[me].store(false, SeqCst);
    ///         });
    ///     }
    /// });
    /// assert!(verdict.is_complete() && verdict.violations.is_empty());
    /// ```
    pub fn fingerprint(mut self, tell: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        self.settings.fingerprint = Some(Fingerprint::new(tell));
        self
    }

    /// Whether [`Algorithm::Unfolding`] leaves out what follows known states, if there is a
    /// [`fingerprint`](Check::fingerprint); by default it does.
    pub fn cutoffs(mut self, cutoffs: bool) -> Self {
        self.settings.unfolding.cut_offs = cutoffs;
        self
    }

    /// By which order [`Algorithm::Unfolding`] decides what is left out of what leads to the same state.
    pub fn cutoff_order(mut self, order: CutOffOrder) -> Self {
        self.settings.unfolding.order = order;
        self
    }

    /// How many events [`Algorithm::Unfolding`] remembers beyond those that it needs; all by default.
    pub fn cache(mut self, events: usize) -> Self {
        self.settings.unfolding.cache = Some(events);
        self
    }

    /// How many of the events that it has explored [`Algorithm::Unfolding`] avoids for certain when it
    /// looks for another execution; all by default. With fewer it looks less long, but runs some
    /// executions in vain.
    ///
    /// # Panics
    ///
    /// If that is 0.
    #[track_caller]
    pub fn alternatives(mut self, events: usize) -> Self {
        assert!(events > 0, "to avoid nothing would not get anywhere: take 1 or more");
        self.settings.unfolding.alternatives = Some(events);
        self
    }

    /// Runs one schedule only, as a report has printed it.
    ///
    /// # Panics
    ///
    /// If that is not a schedule.
    #[track_caller]
    pub fn replay(mut self, schedule: &str) -> Self {
        match schedule.parse() {
            Ok(schedule) => self.settings.replay = Some(schedule),
            Err(error) => panic!("{error}"),
        }
        self
    }

    /// Whether `compare_exchange_weak` may fail for no reason; both are then explored.
    pub fn spurious_failures(mut self, spurious_failures: bool) -> Self {
        self.settings.tuning.spurious_failures = spurious_failures;
        self
    }

    /// Whether condition variables may wake their waiters for no reason; both are then explored.
    pub fn spurious_wakeups(mut self, spurious_wakeups: bool) -> Self {
        self.settings.tuning.spurious_wakeups = spurious_wakeups;
        self
    }

    /// Whether an actor may wait for a message for ever, as servers do, when nothing else can run
    /// any more. Otherwise that is a deadlock.
    ///
    /// Whoever joins a thread that waits so may wait for ever too.
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

    /// How many bytes the stack of each thread has; 256 KiB by default.
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.settings.tuning.stack_size = bytes;
        self
    }

    /// What the check is called in reports. In a test, the name of the test is used by default.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.settings.name = Some(name.into());
        self
    }

    /// Runs the check.
    ///
    /// # Panics
    ///
    /// If an environment variable has a bad value, or if this is called inside of a check.
    #[track_caller]
    pub fn run<F>(&self, f: F) -> Verdict
    where
        F: Fn() + Send + Sync,
    {
        let checked = self.explore(&f);
        if self.settings.replay.is_none() && checked.run.asked.is_some() {
            // The environment asks for a replay, so somebody wants to see it.
            checked.reports().iter().for_each(report::show_replay);
        }
        checked.run.verdict
    }

    /// Runs the check, and reports on each violation that it finds.
    ///
    /// The replay of a schedule that does not fail is reported too.
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
        let checked = self.explore(&f);
        let reports = checked.reports();
        (checked.run.verdict, reports)
    }

    /// Runs the check, and panics with a report if it finds a violation, as [`check`] does.
    ///
    /// A check that could not look at everything, because of a bound, says so on standard error.
    ///
    /// # Panics
    ///
    /// If it finds a violation, and as [`run`](Check::run).
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
        let checked = self.explore(&f);
        report::conclude(&checked.name, &checked.run.verdict, &checked.reports());
    }

    /// Explores. The closure's type is gone from here on, so that the explorers are compiled once
    /// and not again in every test.
    #[track_caller]
    fn explore<'a>(&self, f: &'a Main<'a>) -> Checked<'a> {
        assert!(
            !rt::is_inside(),
            "a check inside of a check: `mazurka::check` was called by the closure of another one"
        );
        let settings = self.settings.clone().with_environment();
        let name = settings.name.clone().map_or_else(report::name, Cow::Owned);
        let program = RustProgram::new(f, settings.tuning).named(name.clone());
        let program = program.with_fingerprint(settings.fingerprint.clone());
        let options = settings.options();
        let workers = settings.workers.filter(|workers| workers.get() > 1);
        let program = match (workers, &settings.replay) {
            (Some(_), None) => program.for_workers(),
            _ => program,
        };
        let mut progress = ProgressLine::new(&name);
        let run = match (&settings.replay, workers) {
            (Some(schedule), _) => Run::replay(&program, schedule, &options),
            (None, None) => Run::check(&program, &options, &mut progress),
            (None, Some(workers)) => {
                let crew = (workers, settings.sharing);
                Run::check_by(crew, &program, &options, &mut progress)
            }
        };
        Checked { name, program, run }
    }
}

/// A closure that has been checked.
struct Checked<'a> {
    name: Cow<'static, str>,
    program: RustProgram<'a>,
    run: Run,
}

impl Checked<'_> {
    fn reports(&self) -> Vec<Report> {
        self.run.reports(&self.program)
    }
}
