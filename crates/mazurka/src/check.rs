//! Checks: what users call.

use std::time::{Duration, Instant};

use mazurka_core::explore::{Algorithm, Execution, Monitor, Options, explore};
use mazurka_core::model::{Ending, Machine, Program, Step};
use mazurka_core::verdict::{Bound, Schedule, Verdict, Violation};

use crate::report::{self, ProgressLine, Report};
use crate::rt::{self, Main, RustProgram, Scripted};
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
/// the method in capitals. Besides, `MAZURKA_PROGRESS` says whether a check that takes long shows
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

    /// Whether to go on after a violation.
    pub fn keep_going(mut self, keep_going: bool) -> Self {
        self.settings.keep_going = keep_going;
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
        let run = self.explore(&f);
        if self.settings.replay.is_none() && run.asked.is_some() {
            // The environment asks for a replay, so somebody wants to see it.
            run.reports().iter().for_each(report::show_replay);
        }
        run.verdict
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
        let run = self.explore(&f);
        let reports = run.reports();
        (run.verdict, reports)
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
        let run = self.explore(&f);
        let reports = run.reports();
        report::conclude(&run.name, &run.verdict, &reports);
    }

    /// Explores. The closure's type is gone from here on, so that the explorers are compiled once
    /// and not again in every test.
    #[track_caller]
    fn explore<'a>(&self, f: &'a Main<'a>) -> Run<'a> {
        assert!(
            !rt::is_inside(),
            "a check inside of a check: `mazurka::check` was called by the closure of another one"
        );
        let settings = self.settings.clone().with_environment();
        let name = settings.name.clone().unwrap_or_else(report::name);
        let program = RustProgram::new(f, settings.tuning);
        let (verdict, taken) = loop {
            let lessons = program.lessons();
            let outcome = run_once(&program, &settings, &name);
            // What was explored without knowing what it has taught is worthless.
            if program.lessons() == lessons {
                break outcome;
            }
        };
        Run { name, verdict, program, asked: settings.replay, taken }
    }
}

/// A check that has been run.
struct Run<'a> {
    name: String,
    verdict: Verdict,
    program: RustProgram<'a>,
    /// The schedule to replay, if only that was run, and what was taken of it and beyond.
    asked: Option<Schedule>,
    taken: Schedule,
}

impl Run<'_> {
    fn reports(&self) -> Vec<Report> {
        let Some(asked) = &self.asked else {
            return self
                .verdict
                .violations
                .iter()
                .map(|violation| self.report(violation))
                .collect();
        };
        let report = match self.verdict.violations.first() {
            Some(violation) if violation.schedule.steps().len() < asked.steps().len() => {
                // It may have failed early, or not fit the program; the recording tells.
                let recording = rt::replay_recorded(&self.program, asked);
                Report::on_violation(&self.name, violation, recording)
            }
            Some(violation) => self.report(violation),
            None => {
                let recording = rt::replay_recorded(&self.program, &self.taken);
                Report::on_nothing(&self.name, self.taken.clone(), recording)
            }
        };
        vec![report.replayed(asked)]
    }

    fn report(&self, violation: &Violation) -> Report {
        let steps = violation.schedule.steps();
        // After a data race the execution may have gone on.
        let end = violation.accesses.map_or(steps.len(), |(_, second)| second + 1);
        let schedule = steps[..end.min(steps.len())].iter().copied().collect();
        let recording = rt::replay_recorded(&self.program, &schedule);
        Report::on_violation(&self.name, &Violation { schedule, ..violation.clone() }, recording)
    }
}

/// Explores, or replays. In a replay, says which steps were taken.
fn run_once(program: &RustProgram<'_>, settings: &Settings, name: &str) -> (Verdict, Schedule) {
    let options = settings.options();
    let started = Instant::now();
    match (program.start(), &settings.replay) {
        (Err(violation), _) => {
            let verdict = failed_at_start(*violation, &options, started.elapsed());
            (verdict, Schedule::default())
        }
        (Ok(mut machine), None) => {
            let mut progress = ProgressLine::new(name);
            (explore(&mut machine, &options, &mut progress), Schedule::default())
        }
        (Ok(machine), Some(schedule)) => replay(machine, schedule, options),
    }
}

/// Runs one schedule. The plainest explorer does that: it asks for nothing but what is enabled.
fn replay<M: Machine>(
    machine: M,
    schedule: &Schedule,
    options: Options<'_>,
) -> (Verdict, Schedule) {
    let options = Options { algorithm: Algorithm::Naive, max_executions: Some(1), ..options };
    let mut machine = Scripted::new(machine, schedule.clone());
    let mut seen = Seen::default();
    let mut verdict = explore(&mut machine, &options, &mut seen);
    // The explorer does not see the choices that were made for it.
    let choose = |taken: &[Step]| {
        let given = schedule.steps().iter();
        let beyond = taken.iter().skip(given.len());
        given.take(taken.len()).chain(beyond).copied().collect::<Schedule>()
    };
    for violation in &mut verdict.violations {
        violation.schedule = choose(violation.schedule.steps());
    }
    (verdict, choose(&seen.0))
}

/// Takes note of the steps of an execution.
#[derive(Default)]
struct Seen(Vec<Step>);

impl<M: ?Sized> Monitor<M> for Seen {
    fn ended(&mut self, _: &M, execution: &Execution, _: Option<&Ending>, _: Option<&Violation>) {
        self.0 = execution.steps().collect();
    }
}

/// The verdict on a program that fails before its first visible operation.
fn failed_at_start(mut violation: Violation, options: &Options<'_>, elapsed: Duration) -> Verdict {
    violation.execution = 1;
    Verdict {
        algorithm: options.algorithm,
        executions: 1,
        blocked: 0,
        events: 0,
        max_depth: 0,
        elapsed,
        violations: vec![violation],
        stopped: Some(Bound::Violation),
    }
}
