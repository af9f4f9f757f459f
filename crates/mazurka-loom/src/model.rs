//! `model`, and `Builder` with its settings.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use mazurka::{Bound, Check, Verdict};

use crate::{MAX_THREADS, execution};

/// The settings of a model. [`Builder::new`] takes them from the environment.
#[derive(Debug)]
#[non_exhaustive]
pub struct Builder {
    /// The maximum number of threads, including the main thread. A model with more threads fails. By default
    /// it is [`MAX_THREADS`]: there is no limit.
    pub max_threads: usize,

    /// The maximum number of steps in an execution: `LOOM_MAX_BRANCHES`, or 1000. A longer execution
    /// fails the model.
    pub max_branches: usize,

    /// The maximum number of executions: `LOOM_MAX_PERMUTATIONS`. The model passes if no violation is
    /// found before; it then says on standard error that it is incomplete.
    pub max_permutations: Option<usize>,

    /// The maximum time: `LOOM_MAX_DURATION`, in seconds. It ends the model as `max_permutations` does.
    pub max_duration: Option<Duration>,

    /// The maximum number of preemptions in an execution: `LOOM_MAX_PREEMPTIONS`. With a bound, all orderings
    /// count as `SeqCst`. If `MAZURKA_MEMORY_MODEL` names a weaker model, everything that the model allows is
    /// explored instead, without a bound.
    pub preemption_bound: Option<usize>,

    /// A file for the schedule that fails: `LOOM_CHECKPOINT_FILE`. If it exists, the model runs its
    /// schedule first.
    pub checkpoint_file: Option<PathBuf>,

    /// loom writes its checkpoint after so many executions: `LOOM_CHECKPOINT_INTERVAL`, or 20 000. Here,
    /// the file is written when an execution fails.
    pub checkpoint_interval: usize,

    /// Whether exploration starts only at the first call of [`explore`](crate::explore), in loom. Mazurka
    /// explores every execution from its start.
    pub expect_explicit_explore: bool,

    /// Whether to record where operations are: `LOOM_LOCATION`. Reports always show this.
    pub location: bool,

    /// Whether to print a summary of the check: `LOOM_LOG`.
    pub log: bool,
}

impl Builder {
    /// Creates a builder with the settings of the environment.
    ///
    /// # Panics
    ///
    /// If an environment variable has an invalid value.
    #[track_caller]
    pub fn new() -> Builder {
        Builder {
            max_threads: MAX_THREADS,
            max_branches: variable("LOOM_MAX_BRANCHES").unwrap_or(1_000),
            max_permutations: variable("LOOM_MAX_PERMUTATIONS"),
            max_duration: variable("LOOM_MAX_DURATION").map(Duration::from_secs),
            preemption_bound: variable("LOOM_MAX_PREEMPTIONS"),
            checkpoint_file: variable("LOOM_CHECKPOINT_FILE"),
            checkpoint_interval: variable("LOOM_CHECKPOINT_INTERVAL").unwrap_or(20_000),
            expect_explicit_explore: false,
            location: std::env::var_os("LOOM_LOCATION").is_some(),
            log: std::env::var_os("LOOM_LOG").is_some(),
        }
    }

    /// Sets [`checkpoint_file`](Builder#structfield.checkpoint_file).
    pub fn checkpoint_file(&mut self, file: &str) -> &mut Self {
        self.checkpoint_file = Some(file.into());
        self
    }

    /// Checks `f` under every schedule that can make a difference, within the bounds.
    ///
    /// # Panics
    ///
    /// If a schedule fails, with a report on it.
    #[track_caller]
    pub fn check<F>(&self, f: F)
    where
        F: Fn() + Sync + Send + 'static,
    {
        let max_threads = self.max_threads;
        let run = move || {
            execution::begin(max_threads);
            f();
            execution::end_of_main();
        };
        let check = self.settings();
        if let Some(schedule) = self.read_checkpoint() {
            check.clone().replay(&schedule).check(&run);
        }
        check.check_then(&run, |verdict| self.conclude(verdict));
    }

    /// Does what the settings ask for at the end of a check.
    #[track_caller]
    fn conclude(&self, verdict: &Verdict) {
        if self.log {
            let Verdict { executions, blocked, elapsed, .. } = verdict;
            eprintln!("mazurka: {executions} executions, {blocked} blocked, in {elapsed:.2?}");
        }
        if let (Some(file), Some(violation)) = (&self.checkpoint_file, verdict.violations.first()) {
            let written = std::fs::write(file, violation.schedule.to_string());
            written.unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
        }
        assert!(
            verdict.stopped != Some(Bound::Depth),
            "an execution has more than {} steps: set `LOOM_MAX_BRANCHES` or \
             `loom::model::Builder::max_branches`",
            self.max_branches
        );
    }

    /// Returns the schedule of an earlier failure.
    fn read_checkpoint(&self) -> Option<String> {
        let file = self.checkpoint_file.as_ref().filter(|file| file.exists())?;
        let read = std::fs::read_to_string(file);
        Some(read.unwrap_or_else(|error| panic!("cannot read {}: {error}", file.display())))
    }

    /// Returns the settings as those of Mazurka.
    fn settings(&self) -> Check {
        let mut check = Check::new().max_depth(self.max_branches);
        if let Some(executions) = self.max_permutations {
            check = check.max_executions(executions as u64);
        }
        if let Some(limit) = self.max_duration {
            check = check.time_limit(limit);
        }
        if let Some(preemptions) = self.preemption_bound.filter(|_| !asks_for_weak_memory()) {
            check = check.preemption_bound(u32::try_from(preemptions).unwrap_or(u32::MAX));
        }
        check
    }
}

impl Default for Builder {
    #[track_caller]
    fn default() -> Self {
        Builder::new()
    }
}

/// Returns whether the environment names a memory model that has no bound on preemptions.
fn asks_for_weak_memory() -> bool {
    let model = std::env::var("MAZURKA_MEMORY_MODEL");
    model.is_ok_and(|model| model != "auto" && model != "sc")
}

/// Returns the value of an environment variable, if it is set.
#[track_caller]
fn variable<T: FromStr>(name: &str) -> Option<T> {
    let value = std::env::var_os(name)?;
    let parsed = value.to_str().and_then(|value| value.parse().ok());
    Some(parsed.unwrap_or_else(|| panic!("{name}={} is not valid", value.display())))
}

/// Checks `f` under every schedule that can make a difference, with the settings of the environment.
///
/// # Panics
///
/// If a schedule fails, with a report on it.
///
/// ```should_panic
/// use loom::sync::Arc;
/// use loom::sync::atomic::{AtomicUsize, Ordering::SeqCst};
///
/// loom::model(|| {
///     let number = Arc::new(AtomicUsize::new(0));
///     let child = loom::thread::spawn({
///         let number = Arc::clone(&number);
///         move || number.store(number.load(SeqCst) + 1, SeqCst)
///     });
///     number.store(number.load(SeqCst) + 1, SeqCst);
///     child.join().unwrap();
///     assert_eq!(number.load(SeqCst), 2); // not if both load before either stores
/// });
/// ```
#[track_caller]
pub fn model<F>(f: F)
where
    F: Fn() + Sync + Send + 'static,
{
    Builder::new().check(f);
}
