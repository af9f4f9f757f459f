//! Loops that wait, under memory models: locks, queues and stacks with the orderings that such code has in
//! practice end, and a weakened ordering is found.

use std::path::Path;

use super::{Algorithm, Checkable, MemoryModel, Options, Rc11, Sc, Tso, program_with, threads};
use mazurka_core::verdict::{Verdict, ViolationKind};
use mazurka_llvm::LlvmOptions;

/// No program here has that many graphs: a loop that does not end fails the test.
const MOST: u64 = 50_000;

/// Returns the text of a program of the benchmark, with macros.
fn benchmark(name: &str, macros: &[(&str, &str)]) -> String {
    let path = format!("../../bench/programs/{name}.c");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(&path).expect("the program of the benchmark");
    let define = |(name, value): &(&str, &str)| format!("#define {name} {value}\n");
    macros.iter().map(define).collect::<String>() + &text
}

fn check(text: &str, memory_model: MemoryModel) -> Verdict {
    check_on(text, memory_model, true)
}

/// Checks a program. If it is to go on, then also behind a violation.
fn check_on(text: &str, memory_model: MemoryModel, keep_going: bool) -> Verdict {
    let options = LlvmOptions { memory_orderings: true, ..LlvmOptions::default() };
    let program = program_with(text, options);
    let options = Options {
        algorithm: Algorithm::Graphs,
        memory_model,
        keep_going,
        max_executions: Some(MOST),
        max_depth: Some(400),
        ..Options::default()
    };
    program.check(&options, &mut ())
}

fn kinds(verdict: &Verdict) -> Vec<ViolationKind> {
    let mut kinds: Vec<_> = verdict.violations.iter().map(|violation| violation.kind).collect();
    kinds.sort_unstable_by_key(|kind| kind.to_string());
    kinds.dedup();
    kinds
}

/// Checks that a program of the benchmark has no violation. Returns the number of graphs, which is the same
/// for all models: these programs are ordered by happens-before.
#[track_caller]
fn holds(name: &str, macros: &[(&str, &str)]) -> u64 {
    let text = benchmark(name, macros);
    let counts = [Sc, Tso, Rc11].map(|model| {
        let verdict = check(&text, model);
        assert!(verdict.is_complete(), "{name} {macros:?} {model}: {verdict:?}");
        assert!(verdict.violations.is_empty(), "{name} {macros:?} {model}: {verdict:?}");
        verdict.executions
    });
    assert_eq!(counts, [counts[0]; 3], "{name} {macros:?}");
    counts[0]
}

/// Checks that a program with a mistake fails under RC11 in this way, and that the hardware's model `tso`
/// hides the mistake.
#[track_caller]
fn fails(name: &str, macros: &[(&str, &str)], expected: ViolationKind) {
    let text = benchmark(name, macros);
    let verdict = check_on(&text, Rc11, false);
    assert_eq!(kinds(&verdict), [expected], "{name} {macros:?}: {verdict:?}");
    let verdict = check(&text, Tso);
    assert!(verdict.is_complete(), "{name} {macros:?}: {verdict:?}");
    assert!(verdict.violations.is_empty(), "{name} {macros:?}: {verdict:?}");
}

const RELAXED: &str = "memory_order_relaxed";

#[test]
fn mcs_lock() {
    // For each order: the second thread enters the queue after the first one has left it, or between its two
    // looks for a successor, or before both.
    assert_eq!(holds("mcs_lock", &[("N", "2")]), 6);
    holds("mcs_lock", &[("N", "3")]);
    fails("mcs_lock", &[("N", "2"), ("RELEASE", RELAXED)], ViolationKind::DataRace);
    // The store that lets the waiter go on comes before that with which it begins to wait.
    fails("mcs_lock", &[("N", "2"), ("LINK", RELAXED)], ViolationKind::Livelock);
}

#[test]
fn clh_lock() {
    // The threads hold the lock in each order.
    assert_eq!(holds("clh_lock", &[("N", "2")]), 2);
    assert_eq!(holds("clh_lock", &[("N", "3")]), 6);
    fails("clh_lock", &[("N", "2"), ("RELEASE", RELAXED)], ViolationKind::DataRace);
}

#[test]
fn ticket_lock() {
    // The threads hold the lock in each order.
    assert_eq!(holds("ticket_lock", &[("N", "2")]), 2);
    assert_eq!(holds("ticket_lock", &[("N", "3")]), 6);
    fails("ticket_lock", &[("N", "2"), ("RELEASE", RELAXED)], ViolationKind::DataRace);
}

#[test]
fn test_and_test_and_set_lock() {
    // For each order: the second thread sees first that the lock is free at the start, or after the first one.
    assert_eq!(holds("ttas_lock", &[("N", "2")]), 4);
    holds("ttas_lock", &[("N", "3")]);
    fails("ttas_lock", &[("N", "2"), ("RELEASE", RELAXED)], ViolationKind::DataRace);
}

#[test]
fn reader_writer_lock() {
    holds("rwlock", &[("N", "1")]);
    fails("rwlock", &[("N", "1"), ("RELEASE", RELAXED)], ViolationKind::DataRace);
}

#[test]
fn sequence_lock() {
    holds("seqlock", &[("N", "1")]);
    holds("seqlock", &[("N", "2")]);
    for fence in ["RELEASE", "ACQUIRE"] {
        fails("seqlock", &[("N", "1"), (fence, RELAXED)], ViolationKind::Assertion);
    }
}

#[test]
fn treiber_stack() {
    holds("treiber_stack", &[("N", "2")]);
    fails("treiber_stack", &[("N", "1"), ("RELEASE", RELAXED)], ViolationKind::DataRace);
}

#[test]
fn michael_scott_queue() {
    holds("ms_queue", &[("N", "1")]);
    holds("ms_queue", &[("N", "2")]);
    fails("ms_queue", &[("N", "1"), ("RELEASE", RELAXED)], ViolationKind::DataRace);
}

#[test]
fn bounded_queue() {
    holds("mpmc_queue", &[("N", "1")]);
    holds("mpmc_queue", &[("N", "2")]);
    fails("mpmc_queue", &[("N", "1"), ("RELEASE", RELAXED)], ViolationKind::DataRace);
}

/// Returns how many graphs a program has under each model, and how many explorations are in vain.
fn counts(text: &str) -> Vec<(u64, u64)> {
    let count = |model| {
        let verdict = check(text, model);
        assert!(verdict.is_complete() && verdict.violations.is_empty(), "{verdict:?}\n{text}");
        (verdict.executions, verdict.blocked)
    };
    MemoryModel::ALL.map(count).to_vec()
}

const LOAD: &str = "atomic_int x, y;
    #define LD(v) atomic_load_explicit(&v, memory_order_relaxed)
    #define ST(v, n) atomic_store_explicit(&v, n, memory_order_relaxed)";

/// A loop on a relaxed load ends: one graph, and no exploration in vain, if the writer comes first.
#[test]
fn a_loop_on_a_relaxed_load_ends() {
    let stores = "for (int i = 1; i <= 8; i++) ST(x, i);";
    let text = threads(LOAD, &[stores, "while (LD(x) != 8) ;"], "");
    assert_eq!(counts(&text), [(1, 0); 5]);
    // It may end at each of two values.
    let text = threads(LOAD, &[stores, "while (LD(x) < 7) ;"], "");
    assert_eq!(counts(&text), [(2, 0); 5]);
}

/// The value for which a loop waits was there, but the thread knows of a later one.
#[test]
fn a_loop_that_waits_for_an_overwritten_value_is_a_livelock() {
    let text = threads(LOAD, &["ST(x, 1); ST(x, 2);", "while (LD(x) != 1) ;"], "");
    for model in MemoryModel::ALL {
        let verdict = check(&text, model);
        assert!(verdict.is_complete(), "{verdict:?}");
        assert_eq!(kinds(&verdict), [ViolationKind::Livelock], "{model}");
        // Either it has seen the value, or it spins.
        assert_eq!((verdict.executions, verdict.violations.len()), (2, 1), "{model}: {verdict:?}");
        let message = &verdict.violations[0].message;
        assert!(message.contains("spins until another thread changes x"), "{message}");
    }
}

#[test]
fn a_loop_over_two_locations_ends_and_livelocks() {
    let both = "while (!LD(x) || !LD(y)) ;";
    let text = threads(LOAD, &["ST(x, 1); ST(y, 1);", both], "");
    for model in MemoryModel::ALL {
        let verdict = check(&text, model);
        assert!(verdict.is_complete() && verdict.violations.is_empty(), "{model}: {verdict:?}");
        assert_eq!(verdict.executions, 1, "{model}: {verdict:?}");
    }
    let text = threads(LOAD, &["ST(x, 1);", both], "");
    for model in MemoryModel::ALL {
        let verdict = check(&text, model);
        assert!(verdict.is_complete(), "{model}: {verdict:?}");
        assert_eq!(kinds(&verdict), [ViolationKind::Livelock], "{model}");
    }
}

/// An assumption on one load takes only values for which it holds.
#[test]
fn an_assumption_waits() {
    let assume = "void __VERIFIER_assume(int);";
    let text = threads(
        &format!("{LOAD}\n{assume}"),
        &["for (int i = 1; i <= 8; i++) ST(x, i);", "__VERIFIER_assume(LD(x) == 8);"],
        "",
    );
    assert_eq!(counts(&text), [(1, 0); 5]);
}

/// A failed compare-exchange may end a loop as well.
#[test]
fn a_loop_that_ends_at_a_failed_exchange() {
    let body = "int e; do { e = 0; if (atomic_compare_exchange_strong_explicit(&x, &e, 3,
        memory_order_relaxed, memory_order_relaxed)) break; } while (e != 2);";
    let text = threads(LOAD, &["ST(x, 1); ST(x, 2);", body], "");
    // The exchange takes effect before both stores, or fails at the second one.
    assert_eq!(counts(&text).iter().map(|count| count.0).collect::<Vec<_>>(), [2; 5]);
}

/// A loop that stores a value that is there already is not pure: another thread may read from the store.
#[test]
fn a_loop_with_a_store_is_not_pure() {
    let spins = "while (!LD(x)) ST(y, 0);";
    let text = threads(LOAD, &[spins, "ST(y, 1); ST(x, 1);"], "assert(LD(y) == 1);");
    for model in MemoryModel::ALL {
        let verdict = check_on(&text, model, false);
        assert_eq!(kinds(&verdict), [ViolationKind::Assertion], "{model}: {verdict:?}");
    }
}
