//! Random programs under memory models.
//!
//! * Under `sc`, `graphs` finds what `naive` finds.
//! * Under `rc11`, it finds that and more.
//! * Total and observed coherence, and several workers, find the same.
//! * The schedule of each violation shows that violation.
//!
//! Programs that `graphs` refuses, or that have a data race, are passed over. The end of an object is no event
//! of a graph. If a program may use an object after its end, it suffices that there is a violation.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use mazurka_core::explore::{Checkable, Sharing};
use mazurka_core::memory::MemoryModel;
use mazurka_core::search::{Algorithm, Coherence, DataRaces, Options};
use mazurka_core::verdict::{Verdict, Violation, ViolationKind};
use mazurka_llvm::LlvmProgram;
use mazurka_report::Subject;

use super::{Findings, LONGEST, MOST_EXECUTIONS, MOST_STEPS, difference};

/// Explores at most so many executions of a program under a memory model, without symmetry.
pub(crate) fn graphs(
    program: &LlvmProgram,
    memory_model: MemoryModel,
    coherence: Option<Coherence>,
    workers: usize,
    most: u64,
) -> (Findings, Verdict) {
    explore(program, (memory_model, coherence), false, workers, most)
}

fn explore(
    program: &LlvmProgram,
    (memory_model, coherence): (MemoryModel, Option<Coherence>),
    symmetry: bool,
    workers: usize,
    most: u64,
) -> (Findings, Verdict) {
    let mut findings = Findings::default();
    let too_long = Arc::clone(&findings.too_long);
    let options = Options {
        interrupt: Some(&too_long),
        algorithm: Algorithm::Graphs,
        memory_model,
        coherence,
        symmetry: Some(symmetry),
        keep_going: true,
        data_races: DataRaces::Report,
        max_executions: Some(most),
        max_depth: Some(MOST_STEPS),
        time_limit: Some(LONGEST),
        ..Options::default()
    };
    let workers = workers.try_into().expect("there is a worker");
    let sharing = Sharing::Always { seed: 1 };
    let verdict = program.check_with_workers(workers, sharing, &options, &mut findings);
    findings.violations = verdict.violations.iter().map(ToString::to_string).collect();
    (findings, verdict)
}

/// Compares `graphs` with the findings of `naive`, and returns the disagreements. Returns `None` if the
/// program is refused, has a data race, or has too many graphs.
pub(crate) fn compare(program: &LlvmProgram, all: &Findings) -> Option<String> {
    let mut differences = String::new();
    for model in [MemoryModel::Sc, MemoryModel::Rc11] {
        let mut total: Option<Findings> = None;
        for (coherence, workers) in [(Some(Coherence::Total), 1), (None, 1), (None, 3)] {
            let (found, verdict) = graphs(program, model, coherence, workers, 4 * MOST_EXECUTIONS);
            let is_refused = verdict
                .violations
                .iter()
                .any(|v| matches!(v.kind, ViolationKind::Unsupported | ViolationKind::DataRace));
            if total.is_none() && (is_refused || !verdict.is_complete()) {
                return None;
            }
            let is_undefined =
                |v: &String| v.contains("use of invalid memory") || v.contains("destroyed");
            if all.violations.iter().any(is_undefined) {
                if found.violations.is_empty() {
                    let _ = writeln!(differences, "graphs under {model} finds no violation");
                }
                continue;
            }
            let expected = total.as_ref().unwrap_or(all);
            let mut outcomes = difference(&expected.outcomes, &found.outcomes);
            outcomes += &difference(&expected.violations, &found.violations);
            if total.is_none() && model == MemoryModel::Rc11 {
                // There may be more.
                let misses = |line: &&str| !line.starts_with("  only it finds");
                outcomes =
                    outcomes.lines().filter(misses).map(|line| format!("{line}\n")).collect();
            }
            if !outcomes.is_empty() {
                let _ = write!(
                    differences,
                    "graphs under {model}, {coherence:?}, by {workers}:\n{outcomes}"
                );
            }
            for violation in &verdict.violations {
                differences += &not_repeated(program, violation);
            }
            total.get_or_insert(found);
        }
    }
    Some(differences)
}

/// Runs the schedule of a violation. Returns what it shows, if that is something else.
fn not_repeated(program: &LlvmProgram, violation: &Violation) -> String {
    let recording = program.record(&violation.schedule);
    let shown = recording.violation.as_ref().map(|it| (it.kind, &it.message));
    match shown == Some((violation.kind, &violation.message)) {
        true => String::new(),
        false => format!("{} shows {shown:?} and not {violation}\n", violation.schedule),
    }
}

/// Compares `graphs` with symmetry with `graphs` without it. Returns the disagreements, and how many graphs
/// there are with total coherence, without and with symmetry. Returns `None` if the program is refused, or has
/// too many graphs.
pub(crate) fn compare_twins(program: &LlvmProgram) -> Option<(String, [u64; 2])> {
    let (mut differences, mut sums) = (String::new(), [0; 2]);
    for model in [MemoryModel::Sc, MemoryModel::Pso, MemoryModel::Rc11] {
        let of_total = (model, Some(Coherence::Total));
        let (all, without) = explore(program, of_total, false, 1, MOST_EXECUTIONS);
        let is_refused = |v: &Violation| v.kind == ViolationKind::Unsupported;
        if without.violations.iter().any(is_refused) || !without.is_complete() {
            return None;
        }
        sums[0] += without.executions;
        for (coherence, workers) in [(Some(Coherence::Total), 1), (None, 1), (None, 3)] {
            let (found, verdict) =
                explore(program, (model, coherence), true, workers, MOST_EXECUTIONS);
            // Messages name threads.
            let kinds = |verdict: &Verdict| -> BTreeSet<ViolationKind> {
                verdict.violations.iter().map(|violation| violation.kind).collect()
            };
            let (expected, kinds) = (kinds(&without), kinds(&verdict));
            let mut text = String::new();
            // What happens after a data race is undefined.
            if expected.contains(&ViolationKind::DataRace) {
                if !kinds.contains(&ViolationKind::DataRace) {
                    text += "  it misses the data race\n";
                }
            } else {
                text += &difference(&all.outcomes, &found.outcomes);
                text += &difference(&expected, &kinds);
            }
            if let Some(bound) = verdict.stopped {
                let _ = writeln!(text, "  it is not complete: {bound}");
            }
            if !text.is_empty() {
                let run = format!("graphs with symmetry under {model}, {coherence:?}");
                let _ = write!(differences, "{run}, by {workers}:\n{text}");
            }
            sums[1] += if coherence.is_some() { verdict.executions } else { 0 };
        }
    }
    Some((differences, sums))
}
