//! Explores a program with every explorer.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::act;
use super::models;
use super::objects::{Outcome, Outcomes};
use super::program::Program;
use super::variable::Orderings;
use crate::rt::{RustProgram, Tuning, mutation};
use crate::sync::Arc;
use crate::{Algorithm, Check, Verdict, ViolationKind};
use mazurka_core::model::Program as _;
use mazurka_testkit::contract::Walks;

/// What a comparison says.
pub(super) enum Comparison {
    /// The program has more interleavings than were allowed.
    TooLarge,
    /// Every explorer sees what `naive` sees.
    Agreement,
    /// Which explorer sees something else, and what.
    Disagreement(String),
}

/// What an explorer sees: the outcomes, and the violations.
#[derive(Clone, PartialEq)]
pub(super) struct Seen {
    pub(super) outcomes: BTreeSet<Outcome>,
    pub(super) violations: BTreeSet<(ViolationKind, String)>,
}

/// Compares every explorer with `naive`, which may run at most `limit` executions.
pub(super) fn disagreement(program: &Program, limit: u64) -> Comparison {
    let naive = check(program, Algorithm::Naive).max_executions(limit);
    // All iterations of loops are run.
    let expected = match mutation::without_awaits(|| explore(program, &naive)) {
        Ok((_, verdict)) if !verdict.is_complete() => return Comparison::TooLarge,
        Ok((seen, _)) => seen,
        Err(panic) => return Comparison::Disagreement(format!("naive panics: {panic}")),
    };
    let mut traces = None;
    for algorithm in Algorithm::ALL {
        if let Err(what) = agrees(program, algorithm, &expected, &mut traces, limit) {
            return Comparison::Disagreement(what);
        }
    }
    let symmetric = program.many.as_ref().and_then(|_| twins_agree(program, &expected).err());
    match symmetric.or_else(|| models::disagreement(program, &expected)) {
        Some(what) => Comparison::Disagreement(what),
        None => Comparison::Agreement,
    }
}

/// Explores the program with bounds that abandon executions in the middle.
pub(super) fn cut_short(program: &Program) {
    for depth in [1, 2, 3, 5, 8] {
        let check = check(program, Algorithm::Optimal).max_executions(20).max_depth(depth);
        let _ = explore(program, &check);
    }
    let check = check(program, Algorithm::Source).max_executions(50).preemption_bound(1);
    let _ = explore(program, &check);
}

/// Checks that the machine of a program keeps the contract with explorers.
pub(super) fn contract(program: &Program, seed: u64) -> Result<(), String> {
    let outcomes = Arc::new(Outcomes::default());
    let main = || act::run(program, Orderings::SeqCst, &outcomes);
    let tuning = Tuning {
        spurious_wakeups: program.spurious,
        spurious_failures: program.spurious,
        ..Tuning::default()
    };
    let program = RustProgram::new(&main, tuning)
        .for_workers()
        .expect("the machines of closures agree on ids");
    mazurka_testkit::contract::check(|| program.start(), Walks::default(), seed)
}

pub(super) fn check(program: &Program, algorithm: Algorithm) -> Check {
    let check = Check::new().algorithm(algorithm).keep_going(true).symmetry(false);
    check.spurious_wakeups(program.spurious).spurious_failures(program.spurious)
}

fn agrees(
    program: &Program,
    algorithm: Algorithm,
    expected: &Seen,
    traces: &mut Option<u64>,
    limit: u64,
) -> Result<(), String> {
    // No explorer runs as many. One that does may never end, with a machine that is wrong.
    let most = 10 * limit;
    let check = check(program, algorithm).max_executions(most);
    let (seen, verdict) =
        explore(program, &check).map_err(|panic| format!("{algorithm} panics: {panic}"))?;
    if verdict.executions >= most {
        return Err(format!("{algorithm} runs {most} executions or more"));
    }
    differs(&seen, expected).map_or(Ok(()), |what| Err(format!("{algorithm}: {what}")))?;
    // Both run one execution for each trace.
    if matches!(algorithm, Algorithm::Optimal | Algorithm::Unfolding) {
        let traces = *traces.get_or_insert(verdict.executions);
        if verdict.executions != traces {
            let executions = verdict.executions;
            return Err(format!("{algorithm} runs {executions} executions, and not {traces}"));
        }
    }
    if !algorithm.shares_work() {
        return Ok(());
    }
    let shared = explore(program, &check.workers(2).share_always(traces.unwrap_or(0)));
    let (seen, _) =
        shared.map_err(|panic| format!("{algorithm} with 2 workers panics: {panic}"))?;
    differs(&seen, expected)
        .map_or(Ok(()), |what| Err(format!("{algorithm} with 2 workers: {what}")))
}

/// Compares explorers that run one execution of each orbit of `spawn_many` with `naive`, which has run all.
fn twins_agree(program: &Program, expected: &Seen) -> Result<(), String> {
    // Messages may name another one of the threads.
    let kinds = |seen: &Seen| -> BTreeSet<ViolationKind> {
        seen.violations.iter().map(|(kind, _)| *kind).collect()
    };
    let reduces = [
        Algorithm::Naive,
        Algorithm::Dpor,
        Algorithm::Source,
        Algorithm::Optimal,
        Algorithm::Observers,
    ];
    // `graphs` ends at a data race: the module `models` compares it.
    for algorithm in reduces {
        let check = || check(program, algorithm).symmetry(true);
        let mut ways = vec![("", check())];
        if algorithm.shares_work() {
            ways.push((" with 2 workers", check().workers(2).share_always(1)));
        }
        for (way, check) in ways {
            let name = format!("{algorithm} with symmetry{way}");
            let (seen, _) =
                explore(program, &check).map_err(|panic| format!("{name} panics: {panic}"))?;
            let of_kinds = |seen: &Seen| Seen {
                outcomes: seen.outcomes.clone(),
                violations: kinds(seen).into_iter().map(|kind| (kind, String::new())).collect(),
            };
            differs(&of_kinds(&seen), &of_kinds(expected))
                .map_or(Ok(()), |what| Err(format!("{name}: {what}")))?;
        }
    }
    Ok(())
}

fn explore(program: &Program, check: &Check) -> Result<(Seen, Verdict), String> {
    explore_with(program, Orderings::SeqCst, check)
}

/// Explores the program with these memory orderings. Returns the panic of a check that panics.
pub(super) fn explore_with(
    program: &Program,
    orderings: Orderings,
    check: &Check,
) -> Result<(Seen, Verdict), String> {
    let outcomes = Arc::new(Outcomes::default());
    let run = || check.run(|| act::run(program, orderings, &outcomes));
    let verdict = catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("?").to_owned()
    })?;
    let violations = verdict.violations.iter();
    let violations = violations.map(|found| (found.kind, told(&found.message))).collect();
    let outcomes = outcomes.lock().unwrap().clone();
    Ok((Seen { outcomes, violations }, verdict))
}

/// Returns a message without the places at which threads spin: they may be at any operation of a loop.
fn told(message: &str) -> String {
    let line = |line: &str| match line.contains(" spins until ") {
        true => line.rsplit_once(", at ").map_or(line, |(what, _)| what).to_owned(),
        false => line.to_owned(),
    };
    message.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns what is missing, or too much.
pub(super) fn differs(seen: &Seen, expected: &Seen) -> Option<String> {
    if seen == expected {
        return None;
    }
    let mut text = String::new();
    for missing in expected.outcomes.difference(&seen.outcomes) {
        let _ = write!(text, "\n  misses the outcome {missing:?}");
    }
    for surplus in seen.outcomes.difference(&expected.outcomes) {
        let _ = write!(text, "\n  has the outcome {surplus:?}, which naive has not");
    }
    for (kind, message) in expected.violations.difference(&seen.violations) {
        let _ = write!(text, "\n  misses a {kind}: {message}");
    }
    for (kind, message) in seen.violations.difference(&expected.violations) {
        let _ = write!(text, "\n  has a {kind}, which naive has not: {message}");
    }
    Some(text)
}
