//! Several workers share the search of an Erlang program, and a search that is saved goes on elsewhere.

mod common;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use common::{program, program_of, verdict};
use mazurka_core::explore::{Checkable, Checkpoints, Sharing};
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, Options};
use mazurka_core::verdict::{Bound, Note, Verdict};
use mazurka_erlang::ErlangProgram;

fn lock(processes: usize) -> ErlangProgram {
    let catalogue = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../programs/lock.erl");
    program_of(&catalogue, &format!("lock:test({processes})")).ignore_deadlocks(true)
}

fn programs() -> Vec<ErlangProgram> {
    let servers = program("server", "server:clients(3)").never_after(1000);
    let tables = program("tables", "tables:lost_update()");
    let restarts = program("restarts", "restarts:restart()").never_after(1000);
    let scripts = program(
        "scripts",
        "scripts:run([[{name,a},{hear,now}],[{register,0},new],[{keep,x},unregister]])",
    );
    let scripts = scripts.treat_as_normal("seen");
    vec![lock(4), servers, tables, restarts, scripts]
        .into_iter()
        .map(|program| program.ignore_deadlocks(true))
        .collect()
}

fn counts(verdict: &Verdict) -> (u64, u64, Vec<String>) {
    let violations = verdict.violations.iter().map(|violation| violation.message.clone());
    (verdict.executions, verdict.blocked, violations.collect())
}

/// Workers that share all their work take over branches of each other all the time.
#[test]
fn three_workers_run_the_executions_of_one() {
    let workers = NonZeroUsize::new(3).expect("three is not zero");
    for program in programs() {
        for algorithm in [Algorithm::Observers, Algorithm::Optimal] {
            let alone = verdict(&program, algorithm);
            for seed in 1..4 {
                let options = Options { algorithm, keep_going: true, ..Options::default() };
                let sharing = Sharing::Always { seed };
                let shared = program.check_with_workers(workers, sharing, &options, &mut ());
                assert_eq!(counts(&shared), counts(&alone), "{algorithm:?}, seed {seed}");
                assert!(!shared.notes.contains(&Note::WorksAlone), "they do not share");
            }
        }
    }
}

/// A search that is stopped again and again, and continued from its last checkpoint by another program
/// that knows nothing else, runs the executions of one that is not stopped.
#[test]
fn a_search_that_is_stopped_and_continued_counts_the_same() {
    for program in programs() {
        let alone = verdict(&program, Algorithm::Observers);
        let mut saved: Option<Vec<u8>> = None;
        let mut rounds = 0;
        loop {
            // As after a restart of the command: nothing is known but the checkpoint.
            let fresh = program.forgetful();
            let mut kept = None;
            let mut keep = |bytes: &[u8]| kept = Some(bytes.to_vec());
            let options =
                Options { keep_going: true, max_executions: Some(3), ..Options::default() };
            let checkpoints = Checkpoints {
                from: saved.as_deref(),
                interval: Duration::from_secs(60),
                keep: &mut keep,
            };
            let one = NonZeroUsize::MIN;
            let verdict = fresh
                .check_with_checkpoints(one, &options, &mut (), checkpoints)
                .expect("the search can be saved");
            if verdict.stopped != Some(Bound::Executions) {
                assert_eq!(counts(&verdict), counts(&alone), "after {rounds} rounds");
                break;
            }
            (saved, rounds) = (kept.or(saved), rounds + 1);
            assert!(rounds < 100, "the search does not end");
        }
    }
}

#[test]
fn the_digest_tells_programs_apart() {
    let digest = |program: &ErlangProgram| program.digest();
    assert_eq!(digest(&lock(4)), digest(&lock(4)));
    assert_ne!(digest(&lock(4)), digest(&lock(5)));
    assert_ne!(digest(&lock(4)), digest(&lock(4).never_after(10)));
    assert_ne!(digest(&lock(4)), digest(&program("tables", "tables:keys()")));
}
