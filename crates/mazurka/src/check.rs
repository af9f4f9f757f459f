//! Checks: what users call.

use std::time::{Duration, Instant};

use mazurka_core::explore::{Algorithm, Options, explore};
use mazurka_core::model::{Machine, Program};
use mazurka_core::verdict::{Bound, Schedule, Verdict, Violation};

use crate::rt::{self, RustProgram, Scripted};
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
/// the method in capitals.
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
        self.run_with_program(f).0
    }

    /// Runs the check, and panics if it finds a violation, as [`check`] does.
    #[track_caller]
    pub fn check<F>(&self, f: F)
    where
        F: Fn() + Send + Sync,
    {
        let (verdict, program) = self.run_with_program(f);
        if let Some(violation) = verdict.violations.first() {
            let recording = rt::replay_recorded(&program, &violation.schedule);
            panic!("{}", plain_report(violation, &recording));
        }
    }

    #[track_caller]
    fn run_with_program<F>(&self, f: F) -> (Verdict, RustProgram<F>)
    where
        F: Fn() + Send + Sync,
    {
        assert!(
            !rt::is_inside(),
            "a check inside of a check: `mazurka::check` was called by the closure of another one"
        );
        let settings = self.settings.clone().with_environment();
        let program = RustProgram::new(f, settings.tuning);
        let mut verdict = run_once(&program, &settings);
        if program.asks_for_ends() {
            // What has been explored so far did not know that the ends of threads matter.
            verdict = run_once(&program, &settings);
        }
        (verdict, program)
    }
}

fn run_once<F: Fn() + Send + Sync>(program: &RustProgram<F>, settings: &Settings) -> Verdict {
    let options = settings.options();
    let started = Instant::now();
    match (program.start(), &settings.replay) {
        (Err(violation), _) => failed_at_start(*violation, &options, started.elapsed()),
        (Ok(mut machine), None) => explore(&mut machine, &options, &mut ()),
        (Ok(machine), Some(schedule)) => replay(machine, schedule, options),
    }
}

/// Runs one schedule. The plainest explorer does that: it asks for nothing but what is enabled.
fn replay<M: Machine>(machine: M, schedule: &Schedule, options: Options<'_>) -> Verdict {
    let options = Options { algorithm: Algorithm::Naive, max_executions: Some(1), ..options };
    let mut machine = Scripted::new(machine, schedule.clone());
    let mut verdict = explore(&mut machine, &options, &mut ());
    for violation in &mut verdict.violations {
        // The explorer does not see the choices that were made for it.
        let taken = violation.schedule.steps().iter();
        let given = schedule.steps().iter();
        let beyond = taken.clone().skip(given.len());
        violation.schedule = given.take(taken.len()).chain(beyond).copied().collect();
    }
    verdict
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

/// What went wrong, what led there, and how to see it again.
fn plain_report(violation: &Violation, recording: &rt::Recording) -> String {
    let mut report = format!("{violation}\n");
    for line in recording.lines.iter().filter(|line| line.visible) {
        let name = &recording.names[line.process.index()];
        report.push_str(&format!("\n  {name}  {}  ({})", line.text, line.source));
    }
    report.push_str(&format!("\n\nto see it again: MAZURKA_REPLAY={}", violation.schedule));
    report
}
