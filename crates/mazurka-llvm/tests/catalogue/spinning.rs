//! Programs that wait in loops: every explorer comes to an end with them.

use mazurka_core::search::{Algorithm, DataRaces, Options};
use mazurka_core::verdict::ViolationKind;
use mazurka_llvm::compile::Source;

use crate::{check, load, load_changed, source};

const EXPLORERS: [Algorithm; 5] = [
    Algorithm::Dpor,
    Algorithm::Source,
    Algorithm::Optimal,
    Algorithm::Observers,
    Algorithm::Unfolding,
];

/// Their races are meant.
fn options(algorithm: Algorithm) -> Options<'static> {
    Options { algorithm, data_races: DataRaces::Ignore, ..Options::default() }
}

/// A mutex, and a change to it after which it does not exclude.
const MUTEXES: [(&str, &str, &str); 5] = [
    ("peterson", "turn == other", "turn == me"),
    ("dekker", "while (wants[other]) {", "while (wants[other] && turn != me) {"),
    ("szymanski", "while (flag[other] >= 2)", "while (0)"),
    ("lamport_spinning", "if (x != i) {", "if (0) {"),
    ("rwlock", "if (readers != WRITER && ", "if ("),
];

#[test]
fn mutexes_that_spin_exclude() {
    for (name, _, _) in MUTEXES {
        let program = load(&Source::new([source(name)])).unwrap();
        for algorithm in EXPLORERS {
            let verdict = check(&program, &options(algorithm));
            assert!(
                verdict.violations.is_empty(),
                "{name}, {algorithm}: {}",
                verdict.violations[0]
            );
            assert!(verdict.is_complete(), "{name}, {algorithm}");
            assert!(verdict.executions > 1, "{name}, {algorithm}");
        }
    }
}

#[test]
fn mutexes_that_do_not_exclude_are_found_out() {
    for (name, right, wrong) in MUTEXES {
        let program = load_changed(name, right, wrong);
        for algorithm in EXPLORERS {
            let verdict = check(&program, &options(algorithm));
            // A broken lock may fail an assertion, or let somebody wait for ever.
            let kinds: Vec<_> = verdict.violations.iter().map(|v| v.kind).collect();
            let expected = [ViolationKind::Assertion, ViolationKind::Livelock];
            assert!(
                kinds.len() == 1 && expected.contains(&kinds[0]),
                "{name}, {algorithm}: {kinds:?}"
            );
        }
    }
}
