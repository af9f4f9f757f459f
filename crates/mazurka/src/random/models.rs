//! Explores a program under memory models.
//!
//! * Under `sc`, `graphs` sees what `naive` sees.
//! * Under `rc11`, the same holds if all accesses are `SeqCst`. A look at a `Once` only acquires. An attempt
//!   at a lock that fails orders nothing, as in `std` and C++20, so what follows it may see old values.
//! * With weaker orderings, `rc11` allows all outcomes of `sc`, and others.
//! * Total and observed coherence, and several workers, see the same.
//!
//! If there is a data race, all of them must find one. What else happens then is undefined.

use super::act::REFUSED;
use super::compare::{Seen, check, differs, explore_with};
use super::objects::Outcome;
use super::program::{Do, Program};
use super::variable::Orderings;
use crate::{Algorithm, Check, Coherence, MemoryModel, ViolationKind};

/// The maximum number of graphs of a program with weaker orderings.
const MOST: u64 = 20_000;

/// Returns in what `graphs` differs from `naive`, which has `expected`, if it does.
pub(super) fn disagreement(program: &Program, expected: &Seen) -> Option<String> {
    agrees(program, expected).err()
}

fn agrees(program: &Program, expected: &Seen) -> Result<(), String> {
    for model in [MemoryModel::Sc, MemoryModel::Rc11] {
        let seen = seen(program, model, Orderings::SeqCst)?;
        let seen = seen.ok_or_else(|| format!("{model}: too many graphs"))?;
        let is_weak = model == MemoryModel::Rc11;
        if is_weak && program.statements().any(Do::is_weak) {
            includes(&seen, expected, model.name())?;
        } else if is_weak && program.statements().any(Do::may_be_refused) {
            includes(&seen, expected, model.name())?;
            adds_refusals_only(&seen, expected, model.name())?;
        } else {
            same(&seen, expected, model.name())?;
        }
    }
    for orderings in [Orderings::Relaxed, Orderings::Mixed] {
        if let Some(weak) = seen(program, MemoryModel::Rc11, orderings)? {
            includes(&weak, expected, &format!("rc11, {orderings:?}"))?;
        }
    }
    Ok(())
}

/// Returns what `graphs` sees. Returns `None` if there are too many graphs.
fn seen(
    program: &Program,
    model: MemoryModel,
    orderings: Orderings,
) -> Result<Option<Seen>, String> {
    let check = || check(program, Algorithm::Graphs).memory_model(model).max_executions(MOST);
    let ways = [
        ("total", check().coherence(Coherence::Total)),
        ("observed", check()),
        ("observed, 2 workers", check().workers(2).share_always(1)),
    ];
    let mut total = None;
    for (way, check) in ways {
        let name = format!("{model}, {orderings:?}, {way}");
        let explored = explore_with(program, orderings, &check);
        let (seen, verdict) = explored.map_err(|panic| format!("{name} panics: {panic}"))?;
        if !verdict.is_complete() && verdict.violations.iter().all(|v| !v.kind.ends_exploration()) {
            return Ok(None);
        }
        match &total {
            None => total = Some(seen),
            Some(total) => same(&seen, total, &format!("{name}, in comparison with total"))?,
        }
    }
    if let (Some(total), true) = (&total, program.many.is_some()) {
        twins_agree(program, orderings, &check, total)
            .map_err(|difference| format!("{model}, {orderings:?}, {difference}"))?;
    }
    Ok(total)
}

/// Compares `graphs` with symmetry with what it sees without it.
fn twins_agree(
    program: &Program,
    orderings: Orderings,
    check: &dyn Fn() -> Check,
    total: &Seen,
) -> Result<(), String> {
    // Messages may name another one of the threads.
    let of_kinds = |seen: &Seen| Seen {
        outcomes: seen.outcomes.clone(),
        violations: seen.violations.iter().map(|(kind, _)| (*kind, String::new())).collect(),
    };
    let check = || check().symmetry(true);
    let ways = [
        ("total", check().coherence(Coherence::Total)),
        ("observed", check()),
        ("total, 2 workers", check().coherence(Coherence::Total).workers(2).share_always(1)),
    ];
    for (way, check) in ways {
        let name = format!("{way}, with symmetry");
        let explored = explore_with(program, orderings, &check);
        let (seen, _) = explored.map_err(|panic| format!("{name} panics: {panic}"))?;
        same(&of_kinds(&seen), &of_kinds(total), &name)?;
    }
    Ok(())
}

fn races(seen: &Seen) -> bool {
    seen.violations.iter().any(|(kind, _)| *kind == ViolationKind::DataRace)
}

/// Checks that all is seen that is expected, and nothing else.
fn same(seen: &Seen, expected: &Seen, name: &str) -> Result<(), String> {
    if races(seen) && races(expected) {
        return Ok(());
    }
    differs(seen, expected).map_or(Ok(()), |what| Err(format!("{name}: {what}")))
}

/// Checks that an attempt at a lock fails in all outcomes that are not expected.
fn adds_refusals_only(seen: &Seen, expected: &Seen, name: &str) -> Result<(), String> {
    if races(seen) {
        return Ok(());
    }
    let is_refused = |outcome: &Outcome| outcome.values().flatten().any(|note| *note == REFUSED);
    match seen.outcomes.difference(&expected.outcomes).find(|outcome| !is_refused(outcome)) {
        Some(surplus) => Err(format!("{name}: has the outcome {surplus:?}, which naive has not")),
        None => Ok(()),
    }
}

/// Checks that no outcome and no violation is missing.
fn includes(seen: &Seen, expected: &Seen, name: &str) -> Result<(), String> {
    if races(seen) {
        return Ok(());
    }
    let kinds = |seen: &Seen| -> std::collections::BTreeSet<String> {
        seen.violations.iter().map(|(kind, _)| kind.to_string()).collect()
    };
    if let Some(missing) = expected.outcomes.difference(&seen.outcomes).next() {
        return Err(format!("{name}: misses the outcome {missing:?}"));
    }
    match kinds(expected).difference(&kinds(seen)).next() {
        Some(kind) => Err(format!("{name}: misses a {kind}")),
        None => Ok(()),
    }
}
