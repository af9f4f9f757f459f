//! Whether the explorers agree with the oracle.
//!
//! | explorer | must run |
//! |---|---|
//! | `naive` | every interleaving, once |
//! | `dpor` | every trace; with sleep sets, none twice |
//! | `source` | every trace, none twice |
//! | `optimal` | every trace, none twice, and nothing else |
//! | `unfolding` without cut-offs | every trace, none twice, and nothing else |
//! | `observers` | one execution of each class that nobody can tell apart, and nothing else; see [`Observed`](oracle::Observed) |
//! | `data-centric` | one execution of each observation function, and nothing else; see [`Observations`] |
//!
//! `observers` must also see every final local state (of which the oracle makes sure that there is one
//! for each class), and run no more than `optimal`. So must `data-centric` on programs without additions
//! (and what is made of them: condition variables, and reader-writer locks that somebody tries to lock), channels,
//! looks into mailboxes and processes that spin on several locations at once: these it orders more than it
//! need. It may run something in vain only if there are locks for reading, and a process that waits for ever.
//!
//! Of programs with locations that overlap the oracle knows the traces only. `optimal` is held to
//! them; `observers` must see every final local state; `unfolding` orders more than it need. `data-centric`
//! is left out: it runs executions in vain there, and fails an assertion of its own on some programs, such
//! as `write x0 1; cas x0 2 2` beside `cas x0 0 1; read x0.high`.
//!
//! If objects get their names only as processes come upon them, an explorer may do more than that,
//! but must still run every trace, or class.
//!
//! Writes that nobody observes order nothing for `observers`, so it finds data races in executions
//! in which the oracle sees none: it must find one if there is any in the program.
//!
//! All must count so, stay complete, and report what the oracle found wrong with each trace. In
//! equivalent executions the same things go wrong, but not in the same order, and an explorer
//! tells its monitor only the first of them: it must be one of them.
//!
//! The verdict must have all violations of the program, by kind and message, and no other ones: the first
//! failure of each interleaving, and how processes are stuck at the end if nothing failed. The schedule of
//! each violation must lead to it. Of data races there must be one if there is any.

pub mod looping;
mod watcher;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use std::num::NonZeroUsize;

use mazurka_core::explore::{Sharing, explore, explore_with_workers};
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, Options, UnfoldingOptions};
use mazurka_core::verdict::Verdict;

use self::watcher::Watcher;
use crate::oracle::{self, Behaviour, Observations, Refused};
use crate::script::{LatelyNamed, Script, ScriptMachine, ScriptProgram, Statement};
use crate::shrink::shrink;

/// How often a search of a random program may start over.
const MOST_RESTARTS: u64 = 10;

/// What came out of a comparison.
#[derive(Clone, Debug)]
pub enum Compared {
    /// Everybody agrees.
    Agreed {
        /// How many interleavings the program has.
        interleavings: u64,
        /// How many traces it has.
        traces: usize,
        /// How many classes of traces that nobody can tell apart.
        classes: usize,
    },
    /// The program cannot be enumerated.
    Skipped(Refused),
    /// What differs, a line each.
    Disagreed(Vec<String>),
}

impl Compared {
    /// Whether somebody disagrees.
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
    let orders_more = orders_more_than_needed(script);
    let has_readers = script.has(|statement| matches!(statement, Statement::ReadLock(_)));
    let known =
        Known { behaviour: &behaviour, observations: &observations, orders_more, has_readers };
    let runs = algorithms.iter().flat_map(|algorithm| Run::all(*algorithm));
    let is_compared = |run: &Run| !has_halves || run.algorithm != Algorithm::DataCentric;
    for run in runs.filter(is_compared).map(|run| Run { has_halves, ..run }) {
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

/// What the oracle knows.
#[derive(Clone, Copy)]
struct Known<'a> {
    behaviour: &'a Behaviour,
    /// Empty unless `data-centric` is to be compared.
    observations: &'a Observations,
    /// Whether `data-centric` may run more executions than there are traces.
    orders_more: bool,
    /// Whether the program has locks for reading.
    has_readers: bool,
}

/// Whether a program does something that `data-centric` orders, though it need not be: it may then run
/// more executions than there are traces.
fn orders_more_than_needed(script: &Script) -> bool {
    use Statement::*;
    script.has(|statement| match statement {
        // Additions, and locks that are not just acquired and released.
        Add(..) | TryReadLock(..) | TryWriteLock(..) | Wait(..) | WaitTimeout(..) => true,
        // Channels, and looks into mailboxes.
        Send(..) | TrySend(..) | Receive(..) | TryReceive(..) | Hangup(_) | Close(_)
        | TryTake(..) => true,
        // What may wait for all that the process has looked at.
        Yield | Await(_) => true,
        _ => false,
    })
}

/// A way of exploring.
#[derive(Clone, Copy)]
struct Run {
    algorithm: Algorithm,
    sleep_sets: bool,
    /// Whether objects get their names only as processes come upon them.
    late_names: bool,
    unfolding: UnfoldingOptions,
    /// Whether the program has locations that overlap.
    has_halves: bool,
    /// How many workers share what there is to explore, all of it after every execution; or there is
    /// one that keeps it to itself.
    workers: Option<NonZeroUsize>,
}

impl Run {
    /// All ways to use an explorer.
    fn all(algorithm: Algorithm) -> Vec<Run> {
        // Programs with cut-offs are compared in other ways; see `looping`.
        let unfolding = UnfoldingOptions { cut_offs: false, ..UnfoldingOptions::default() };
        let workers = None;
        let has_halves = false;
        let run =
            Run { algorithm, sleep_sets: true, late_names: false, unfolding, has_halves, workers };
        let late_names = Run { late_names: true, ..run };
        match algorithm {
            // It does not look at names.
            Algorithm::Naive => vec![run],
            Algorithm::Dpor => vec![run, late_names, Run { sleep_sets: false, ..run }],
            Algorithm::Source | Algorithm::DataCentric => vec![run, late_names],
            Algorithm::Optimal | Algorithm::Observers => {
                let alone = Run { workers: NonZeroUsize::new(1), ..run };
                let together = Run { workers: NonZeroUsize::new(3), ..run };
                vec![run, late_names, alone, Run { late_names: true, ..alone }, together]
            }
            Algorithm::Unfolding => {
                let with = |unfolding| Run { unfolding, ..run };
                let forgetful = with(UnfoldingOptions { cache: Some(0), ..unfolding });
                let partial = with(UnfoldingOptions { alternatives: Some(1), ..unfolding });
                let forgetful_and_late = Run { late_names: true, ..forgetful };
                vec![run, late_names, forgetful, forgetful_and_late, partial]
            }
            Algorithm::EmDpor | Algorithm::EventDriven => vec![run],
        }
    }

    /// What the explorer does otherwise than the oracle.
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
            keep_going: true,
            // None needs more than this: stop one that has lost its way. The limit includes the
            // executions that a search discards when it starts over.
            max_executions: Some((MOST_RESTARTS + 1) * watcher.most_executions()),
            ..Options::default()
        };
        let mut machine = program.start().expect("the oracle has started it, too");
        let Some(workers) = self.workers else { return explore(&mut machine, &options, watcher) };
        let sharing = Sharing::Always { seed: watcher.interleavings() };
        explore_with_workers(program, &mut machine, workers, sharing, &options, watcher)
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
        match (self.sleep_sets, self.late_names) {
            (false, _) => write!(f, " without sleep sets"),
            (true, true) => write!(f, " with late names"),
            (true, false) => Ok(()),
        }
    }
}

/// A disagreement as it is shown to people: what differs, and the smallest program that shows it.
///
/// The program comes last, in the text form, so that it can be pasted into a regression test.
pub fn report(script: &Script, limit: u64, algorithms: &[Algorithm]) -> String {
    let compare = |script: &Script| compare(script, limit, algorithms);
    let smallest = shrink(script, |script| compare(script).is_disagreement());
    let differences = match compare(&smallest) {
        Compared::Disagreed(differences) => differences.join("\n"),
        other => format!("it does not always disagree: {other:?}"),
    };
    format!("{differences}\n\n{smallest}")
}
