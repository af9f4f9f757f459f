//! The tools: how each of them is told to explore a program to the end, or until the time is up.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

use crate::programs::{self, Case, Program};

/// Who explores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tool {
    /// Mazurka, one execution per Mazurkiewicz trace.
    Mazurka,
    /// loom, without a bound on preemptions.
    Loom,
    /// shuttle's depth-first search.
    Shuttle,
}

/// What a tool did with a program.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// It ran.
    Ran(Run),
    /// It cannot run this one, and why.
    Skipped(&'static str),
    /// It stopped with a failure that the program does not have, or crashed.
    Failed(String),
}

/// What a tool did with a case.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) case: Case,
    pub(crate) tool: Tool,
    pub(crate) outcome: Outcome,
}

/// An exploration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// How many executions it ran.
    pub(crate) executions: u64,
    /// How much of a processor's time that took: all three run on one thread, and what else the
    /// machine does is not theirs.
    pub(crate) elapsed: Duration,
    /// Whether it saw everything before the time was up.
    pub(crate) exhausted: bool,
}

impl Run {
    /// Executions per second.
    pub(crate) fn rate(&self) -> f64 {
        self.executions as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Explorations that take less than this are timed several at once, until they take it: to look at the
/// processor's clock is a call of the system, which would be a good part of a few microseconds.
const TO_BE_TIMED: Duration = Duration::from_millis(1);

impl Tool {
    /// All of them.
    pub(crate) const ALL: [Tool; 3] = [Tool::Mazurka, Tool::Loom, Tool::Shuttle];

    /// Its name, as users write it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Tool::Mazurka => "mazurka",
            Tool::Loom => "loom",
            Tool::Shuttle => "shuttle",
        }
    }

    /// Explores `program` for at most `limit`.
    ///
    /// A shorter exploration is repeated, whole, until that time is up, and the median of the times
    /// counts: so every tool has its share of whatever else the machine does.
    pub(crate) fn measure(self, program: Program, n: usize, limit: Duration) -> Outcome {
        if self == Tool::Loom && program.threads(n) > loom::MAX_THREADS {
            return Outcome::Skipped("it has a limit of 5 threads");
        }
        // loom unwinds threads by panicking, and shuttle installs a hook that prints at every panic,
        // whoever panics: neither may slow the other down.
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let outcome = self.repeat(program, n, limit);
        panic::set_hook(hook);
        outcome
    }

    /// Explores `program` again and again, in the same way for every tool. The first exploration tells
    /// how many of them are timed at once.
    fn repeat(self, program: Program, n: usize, limit: Duration) -> Outcome {
        let start = Instant::now();
        let mut runs: Vec<Run> = Vec::new();
        loop {
            let at_once = runs.first().map_or(1, |first| {
                let times = TO_BE_TIMED.as_nanos() / first.elapsed.as_nanos().max(1);
                u32::try_from(times).unwrap_or(u32::MAX).max(1)
            });
            let explore = || self.time(program, n, limit, at_once);
            match panic::catch_unwind(AssertUnwindSafe(explore)) {
                Ok(Ok(run)) => runs.push(run),
                Ok(Err(message)) => return Outcome::Failed(message),
                Err(panic) => return Outcome::Failed(message_of(&*panic)),
            }
            if start.elapsed() >= limit {
                break;
            }
        }
        runs.sort_by_key(|run| run.elapsed);
        Outcome::Ran(runs[runs.len() / 2])
    }

    /// Explores `program` some times. The time is taken around the whole of it, set-up included.
    fn time(self, program: Program, n: usize, limit: Duration, times: u32) -> Result<Run, String> {
        let used = ProcessTime::now();
        let mut last = self.explore(program, n, limit)?;
        for _ in 1..times {
            last = self.explore(program, n, limit)?;
        }
        let (executions, exhausted) = last;
        Ok(Run { executions, elapsed: used.elapsed() / times, exhausted })
    }

    /// Explores `program` once: how many executions it took, and whether they were all.
    fn explore(self, program: Program, n: usize, limit: Duration) -> Result<(u64, bool), String> {
        let start = Instant::now();
        let explored = match self {
            Tool::Mazurka => {
                let check =
                    mazurka::Check::new().algorithm(mazurka::Algorithm::Optimal).time_limit(limit);
                let verdict = check.run(move || programs::mazurka::run(program, n));
                if let Some(violation) = verdict.violations.first() {
                    return Err(format!("it reports a violation: {violation:?}"));
                }
                (verdict.executions, verdict.is_complete())
            }
            Tool::Loom => {
                let mut model = loom::model::Builder::new();
                model.max_duration = Some(limit);
                // loom looks at the clock only where it would write a checkpoint.
                model.checkpoint_interval = 16;
                model.max_branches = 100_000;
                model.preemption_bound = None;
                model.max_permutations = None;
                let counter = Arc::new(AtomicU64::new(0));
                let count = Arc::clone(&counter);
                model.check(move || {
                    count.fetch_add(1, Ordering::Relaxed);
                    programs::loom::run(program, n);
                });
                // Neither of the others says why it stopped.
                (counter.load(Ordering::Relaxed), start.elapsed() < limit)
            }
            Tool::Shuttle => {
                let mut config = shuttle::Config::new();
                config.max_time = Some(limit);
                config.silence_warnings = true;
                config.failure_persistence = shuttle::FailurePersistence::None;
                let scheduler = shuttle::scheduler::DfsScheduler::new(None, false);
                let runner = shuttle::Runner::new(scheduler, config);
                let executions = runner.run(move || programs::shuttle::run(program, n));
                (executions as u64, start.elapsed() < limit)
            }
        };
        Ok(explored)
    }
}

fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it panicked").lines().next().unwrap_or_default().to_owned()
}
