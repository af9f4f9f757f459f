//! Random programs under memory models.
//!
//! * Under `sc`, `graphs` finds what `naive` finds.
//! * Under `rc11`, it finds that and more.
//! * Total and observed coherence, and several workers, find the same.
//!
//! Programs that `graphs` refuses, or that have a data race, are passed over. The end of an object is no event
//! of a graph. If a program may use an object after its end, it suffices that there is a violation.

use std::fmt::Write;
use std::sync::Arc;

use mazurka_core::explore::{Checkable, Sharing};
use mazurka_core::memory::MemoryModel;
use mazurka_core::search::{Algorithm, Coherence, DataRaces, Options};
use mazurka_core::verdict::{Verdict, ViolationKind};
use mazurka_llvm::LlvmProgram;

use super::{Findings, LONGEST, MOST_EXECUTIONS, MOST_STEPS, difference};

/// Explores at most so many executions of a program under a memory model.
pub(crate) fn graphs(
    program: &LlvmProgram,
    memory_model: MemoryModel,
    coherence: Option<Coherence>,
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
            total.get_or_insert(found);
        }
    }
    Some(differences)
}
