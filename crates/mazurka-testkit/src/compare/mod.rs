//! Comparison of the explorers with the oracle.
//!
//! | explorer | must run |
//! |---|---|
//! | `naive` | every interleaving, once |
//! | `dpor` | every trace; with sleep sets, none twice |
//! | `source` | every trace, none twice |
//! | `optimal` | every trace, none twice, and nothing else |
//! | `unfolding` without cut-offs | every trace, none twice, and nothing else |
//! | `observers` | one execution of each class that no observer distinguishes, and nothing else; see [`Observed`](oracle::Observed) |
//! | `data-centric` | one execution of each observation function, and nothing else; see [`Observations`] |
//!
//! `observers` must also see every final local state, and run no more executions than `optimal`.
//! (The oracle ensures that each class has one final local state.) The same holds for
//! `data-centric` on programs without these operations, which it orders more than necessary:
//!
//! - additions, and operations made of them: condition variables, and reader-writer locks with
//!   `try` operations;
//! - receives that look into mailboxes without waiting;
//! - processes that spin on several locations at once.
//!
//! `data-centric` may run redundant executions only if there are read locks and a process that
//! waits forever.
//!
//! For programs with overlapping locations, the oracle knows only the traces. `optimal` must run
//! exactly these, `observers` and `data-centric` must see every final local state, and `unfolding` may
//! order more than necessary.
//!
//! If objects get their names only when processes first use them, an explorer may run more
//! executions, but must still run every trace, or class.
//!
//! Unobserved writes order nothing for `observers`, so it finds data races in executions in which
//! the oracle sees none. It must find a data race if there is one in the program.
//!
//! All explorers must count correctly, be complete, and report the oracle's violations of each
//! trace. Equivalent executions have the same violations, but not in the same order, and an
//! explorer passes only the first to its monitor. It must be one of the oracle's.
//!
//! The verdict must have all violations of the program, by kind and message, and no others: the
//! first failure of each interleaving, and the deadlock at its end if nothing failed. The schedule
//! of each violation must lead to it. At least one data race must be reported if there is one.

pub mod bounded;
pub mod looping;
pub mod symmetry;
mod watcher;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use std::num::NonZeroUsize;
use std::time::Duration;

use mazurka_core::explore::{
    Checkpoints, Sharing, check_with_checkpoints, explore, explore_with_workers, is_divisible,
};
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, Monitor, Options, UnfoldingOptions};
use mazurka_core::verdict::{Bound, Verdict};

use self::watcher::Watcher;
use crate::division::divided;
use crate::oracle::{self, Behaviour, Observations, Refused};
use crate::script::{LatelyNamed, Script, ScriptMachine, ScriptProgram, Statement};
use crate::shrink::shrink;

/// The maximum number of times that a search of a random program may start over.
const MOST_RESTARTS: u64 = 10;

/// The outcome of a comparison.
#[derive(Clone, Debug)]
pub enum Compared {
    /// All explorers agree with the oracle.
    Agreed {
        /// The number of interleavings of the program.
        interleavings: u64,
        /// The number of traces.
        traces: usize,
        /// The number of classes of traces that no observer distinguishes.
        classes: usize,
    },
    /// The program cannot be enumerated.
    Skipped(Refused),
    /// The differences, one per line.
    Disagreed(Vec<String>),
}

impl Compared {
    /// Returns whether some explorer disagrees with the oracle.
    pub fn is_disagreement(&self) -> bool {
        matches!(self, Compared::Disagreed(_))
    }
}

/// Runs some explorers (or [all](Algorithm::ALL)) on a program that has at most `limit`
/// interleavings.
pub fn compare(script: &Script, limit: u64, algorithms: &[Algorithm]) -> Compared {
    let program = match ScriptProgram::new(script) {
        Ok(program) => program,
        Err(error) => return Compared::Disagreed(vec![format!("it cannot be run: {error}")]),
    };
    let behaviour = match oracle::enumerate(&program, limit) {
        Ok(behaviour) => behaviour,
        Err(Refused::Inconsistent(error)) => return Compared::Disagreed(vec![error]),
        Err(refused) => return Compared::Skipped(refused),
    };
    let mut differences = Vec::new();
    let has_halves = program.has_halves();
    let observations = match algorithms.contains(&Algorithm::DataCentric) && !has_halves {
        true => match Observations::enumerate(&program, limit) {
            Ok(observations) => observations,
            Err(Refused::Inconsistent(error)) => return Compared::Disagreed(vec![error]),
            Err(refused) => return Compared::Skipped(refused),
        },
        false => Observations::default(),
    };
    let orders_more = orders_more_than_needed(script) || observations.has_joint_waits();
    let has_readers = script.has(|statement| matches!(statement, Statement::ReadLock(_)));
    let known =
        Known { behaviour: &behaviour, observations: &observations, orders_more, has_readers };
    let runs = algorithms.iter().flat_map(|algorithm| Run::all(*algorithm));
    for run in runs.map(|run| Run { has_halves, ..run }) {
        differences.extend(run.differences(script, &program, known));
    }
    match differences.is_empty() {
        true => Compared::Agreed {
            interleavings: behaviour.interleavings,
            traces: behaviour.traces.len(),
            classes: behaviour.classes(),
        },
        false => Compared::Disagreed(differences),
    }
}

/// The knowledge of the oracle.
#[derive(Clone, Copy)]
struct Known<'a> {
    behaviour: &'a Behaviour,
    /// Empty unless `data-centric` is compared.
    observations: &'a Observations,
    /// Whether `data-centric` may run more executions than there are traces.
    orders_more: bool,
    /// Whether the program has read locks.
    has_readers: bool,
}

/// Returns whether a program has operations that `data-centric` orders more than necessary. It may
/// then run more executions than there are traces. The same holds if a process
/// [waits](Observations::has_joint_waits) for several locations at once.
fn orders_more_than_needed(script: &Script) -> bool {
    use Statement::*;
    script.has(|statement| match statement {
        // Additions, and locks that are not only acquired and released.
        Add(..) | TryReadLock(..) | TryWriteLock(..) | Wait(..) | WaitTimeout(..) => true,
        // Receives that look into mailboxes without waiting.
        TryTake(..) => true,
        _ => false,
    })
}

/// The options of an exploration.
#[derive(Clone, Copy)]
struct Run {
    algorithm: Algorithm,
    sleep_sets: bool,
    /// Whether objects get their names only when processes first use them.
    late_names: bool,
    unfolding: UnfoldingOptions,
    /// Whether the program has overlapping locations.
    has_halves: bool,
    /// The number of workers, which share all open branches after every execution; `None` for one
    /// worker that shares nothing.
    workers: Option<NonZeroUsize>,
    /// The number of executions after which the search is saved, and continued by other machines.
    saved_after: Option<u64>,
    /// The number of executions after which the rest of a part of a divided search is divided again; see
    /// [`divided`].
    divided_after: Option<u64>,
}

impl Run {
    /// Returns all options to try for an explorer.
    fn all(algorithm: Algorithm) -> Vec<Run> {
        // Cut-offs are compared in another way; see `looping`.
        let unfolding = UnfoldingOptions { cut_offs: false, ..UnfoldingOptions::default() };
        let workers = None;
        let has_halves = false;
        let (sleep_sets, late_names, saved_after, divided_after) = (true, false, None, None);
        let run = Run {
            algorithm,
            sleep_sets,
            late_names,
            unfolding,
            has_halves,
            workers,
            saved_after,
            divided_after,
        };
        let late_names = Run { late_names: true, ..run };
        match algorithm {
            // It does not use names.
            Algorithm::Naive => {
                let alone = Run { workers: NonZeroUsize::new(1), ..run };
                let together = Run { workers: NonZeroUsize::new(3), ..run };
                vec![run, alone, together, Run { saved_after: Some(5), ..together }]
            }
            Algorithm::Dpor => vec![run, late_names, Run { sleep_sets: false, ..run }],
            Algorithm::Source => vec![run, late_names],
            Algorithm::Optimal | Algorithm::Observers | Algorithm::DataCentric => {
                let alone = Run { workers: NonZeroUsize::new(1), ..run };
                let together = Run { workers: NonZeroUsize::new(3), ..run };
                let saved = Run { saved_after: Some(1), ..alone };
                let saved_together = Run { saved_after: Some(3), ..together };
                let alone_and_late = Run { late_names: true, ..alone };
                let divided = Run { divided_after: Some(1), ..run };
                let divided_later = Run { divided_after: Some(4), ..run };
                let in_one_process = [run, late_names, alone, alone_and_late, together];
                let is_divisible = is_divisible(algorithm);
                let divided = [divided, divided_later].into_iter().filter(|_| is_divisible);
                let saved = [saved, saved_together];
                in_one_process.into_iter().chain(saved).chain(divided).collect()
            }
            Algorithm::Unfolding => {
                let with = |unfolding| Run { unfolding, ..run };
                let forgetful = with(UnfoldingOptions { cache: Some(0), ..unfolding });
                let partial = with(UnfoldingOptions { alternatives: Some(1), ..unfolding });
                let forgetful_and_late = Run { late_names: true, ..forgetful };
                vec![run, late_names, forgetful, forgetful_and_late, partial]
            }
            Algorithm::EmDpor | Algorithm::EventDriven => vec![run],
            // It is compared in other ways; see `graphs`.
            Algorithm::Graphs
            | Algorithm::Random
            | Algorithm::Pct
            | Algorithm::Pos
            | Algorithm::Surw => Vec::new(),
        }
    }

    /// Returns the differences between the explorer and the oracle.
    fn differences(
        self,
        script: &Script,
        program: &ScriptProgram,
        known: Known<'_>,
    ) -> Vec<String> {
        let mut watcher = Watcher::new(program, known, self.algorithm);
        let explored = catch_unwind(AssertUnwindSafe(|| match self.late_names {
            false => self.explore(program, &mut watcher),
            true => self.explore(&LatelyNamed { script, program }, &mut watcher),
        }));
        match explored {
            Ok(verdict) => watcher.check(&verdict, self),
            Err(payload) => {
                let message = payload.downcast_ref::<String>().map(String::as_str);
                let message = message.or(payload.downcast_ref::<&str>().copied());
                watcher.differ(|| format!("it panicked: {}", message.unwrap_or_default()));
            }
        }
        let differences = watcher.differences().iter();
        differences.map(|difference| format!("{self}: {difference}")).collect()
    }

    fn explore<P>(self, program: &P, watcher: &mut Watcher<'_>) -> Verdict
    where
        P: Program<Machine: AsRef<ScriptMachine>>,
    {
        let options = Options {
            algorithm: self.algorithm,
            sleep_sets: self.sleep_sets,
            unfolding: self.unfolding,
            // See `symmetry`.
            symmetry: Some(false),
            keep_going: true,
            // No explorer needs more executions: stop one that does not terminate. The limit
            // includes the executions that a search discards when it starts over.
            max_executions: Some((MOST_RESTARTS + 1) * watcher.most_executions()),
            ..Options::default()
        };
        if let Some(executions) = self.divided_after {
            let seed = watcher.interleavings();
            return divided(program, executions, seed, &options, watcher, Watcher::begin_part);
        }
        let mut machine = program.start().expect("the oracle has started it, too");
        let Some(workers) = self.workers else { return explore(&mut machine, &options, watcher) };
        if let Some(executions) = self.saved_after {
            return saved(program, workers, executions, &options, watcher);
        }
        let sharing = Sharing::Always { seed: watcher.interleavings() };
        explore_with_workers(program, &mut machine, workers, sharing, &options, watcher)
    }
}

/// Explores with some workers. After every few executions, saves the search, and continues it with
/// other machines.
pub(crate) fn saved<P: Program>(
    program: &P,
    workers: NonZeroUsize,
    executions: u64,
    options: &Options<'_>,
    watcher: &mut (dyn Monitor<P::Machine> + Send),
) -> Verdict {
    let few = Options { max_executions: Some(executions), ..options.clone() };
    let mut from = None;
    let mut rounds = options.max_executions.unwrap_or(u64::MAX);
    loop {
        let mut kept = None;
        let checkpoints = Checkpoints {
            interval: Duration::from_secs(3600),
            keep: &mut |bytes| kept = Some(bytes.to_vec()),
            from: from.as_deref(),
        };
        let verdict = check_with_checkpoints(program, workers, &few, watcher, checkpoints)
            .expect("it was saved in this way");
        rounds -= 1;
        if verdict.stopped != Some(Bound::Executions) || rounds == 0 {
            return verdict;
        }
        from = Some(kept.expect("the search was saved when it stopped"));
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.algorithm)?;
        if let Some(cache) = self.unfolding.cache {
            write!(f, " with a cache of {cache}")?;
        }
        if let Some(most) = self.unfolding.alternatives {
            write!(f, " with {most}-partial alternatives")?;
        }
        if let Some(workers) = self.workers {
            write!(f, " by {workers} workers")?;
        }
        if let Some(executions) = self.divided_after {
            write!(f, ", divided after every {executions} executions")?;
        }
        if let Some(executions) = self.saved_after {
            write!(f, ", saved after every {executions} executions")?;
        }
        match (self.sleep_sets, self.late_names) {
            (false, _) => write!(f, " without sleep sets"),
            (true, true) => write!(f, " with late names"),
            (true, false) => Ok(()),
        }
    }
}

/// Describes a disagreement for people: the differences, and the smallest program that shows them.
///
/// The program comes last, in its text form, so that it can be pasted into a regression test.
pub fn report(script: &Script, limit: u64, algorithms: &[Algorithm]) -> String {
    let compare = |script: &Script| compare(script, limit, algorithms);
    let smallest = shrink(script, |script| compare(script).is_disagreement());
    let differences = match compare(&smallest) {
        Compared::Disagreed(differences) => differences.join("\n"),
        other => format!("it does not always disagree: {other:?}"),
    };
    format!("{differences}\n\n{smallest}")
}
