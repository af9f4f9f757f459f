//! Loops that wait: no execution runs an iteration that changes nothing.

mod common;

use common::{
    ALGORITHMS, check, fails, going_back_restores_everything, program, program_with, violations,
    violations_of,
};
use mazurka_core::search::{Algorithm, Options};
use mazurka_core::verdict::ViolationKind::{InvalidMemory, Livelock};
use mazurka_core::verdict::{Note, Violation};
use mazurka_llvm::LlvmOptions;
use mazurka_testkit::division::divided;

/// Returns a program with these threads, which `main` joins.
fn threads(globals: &str, bodies: &[&str]) -> String {
    let mut text = format!("{globals}\n");
    for (i, body) in bodies.iter().enumerate() {
        text += &format!("void *t{i}(void *arg) {{ {body}; return 0; }}\n");
    }
    let n = bodies.len();
    text += &format!("int main(void) {{ pthread_t t[{n}];\n");
    for i in 0..n {
        text += &format!("pthread_create(&t[{i}], 0, t{i}, 0);\n");
    }
    text += &format!("for (int i = 0; i < {n}; i++) pthread_join(t[i], 0);\nreturn 0; }}");
    text
}

/// Asserts that every explorer runs so many executions of these threads, and drops none. `data-centric` may run
/// fewer.
#[track_caller]
fn counts(globals: &str, bodies: &[&str], executions: u64) {
    let program = program(&threads(globals, bodies));
    let verdict = check(&program, Algorithm::DataCentric);
    assert_eq!(verdict.violations, [], "data-centric");
    assert!(verdict.executions <= executions && verdict.blocked == 0, "data-centric: {verdict:?}");
    for algorithm in [Algorithm::Optimal, Algorithm::Observers, Algorithm::Unfolding] {
        let verdict = check(&program, algorithm);
        assert_eq!(verdict.violations, [], "{algorithm}");
        assert_eq!((verdict.executions, verdict.blocked), (executions, 0), "{algorithm}");
    }
    going_back_restores_everything(&program, 8);
}

#[test]
fn a_loop_ends_at_one_value() {
    let writer = "for (int i = 1; i <= 9; i++) x = i";
    counts("atomic_int x;", &[writer, "while (x != 9) ;"], 1);
}

#[test]
fn a_loop_ends_at_several_values() {
    let writer = "for (int i = 1; i <= 9; i++) x = i";
    counts("atomic_int x;", &[writer, "while (x < 7) ;"], 3);
    counts("atomic_int x;", &[writer, "int v; while ((v = x) % 4 != 1) ;"], 3);
}

#[test]
fn without_awaits_every_iteration_counts() {
    let text =
        threads("atomic_int x;", &["for (int i = 1; i <= 4; i++) x = i", "while (x != 4) ;"]);
    let options = LlvmOptions { awaits: false, ..LlvmOptions::default() };
    let verdict = check(&program_with(&text, options), Algorithm::Optimal);
    assert_eq!((verdict.executions, verdict.blocked), (16, 0));
}

#[test]
fn a_lock_by_compare_exchange() {
    let body = "int e = 0;
                while (!atomic_compare_exchange_strong(&x, &e, 1)) e = 0;
                n++; x = 0";
    counts("atomic_int x; int n;", &[body, body], 2);
    counts("atomic_int x; int n;", &[body, body, body], 6);
}

#[test]
fn a_lock_by_exchange() {
    let body = "while (atomic_exchange(&x, 1)) ; n++; x = 0";
    counts("atomic_int x; int n;", &[body, body, body], 6);
}

#[test]
fn a_compare_exchange_that_another_value_ends() {
    // It fails with 2, which ends the loop, or waits for 0.
    let body = "int e = 0;
                while (!atomic_compare_exchange_strong(&x, &e, 5)) { if (e == 2) break; e = 0; }";
    let program = program(&threads("atomic_int x = 1;", &[body, "x = 2; x = 0"]));
    let verdict = check(&program, Algorithm::Optimal);
    assert_eq!((verdict.executions, verdict.violations.len()), (2, 0));
}

#[test]
fn an_assumption_about_one_access() {
    let writer = "for (int i = 1; i <= 9; i++) x = i";
    counts("atomic_int x;", &[writer, "__VERIFIER_assume(x == 9)"], 1);
}

#[test]
fn an_assumption_that_never_holds() {
    let text = threads("atomic_int x;", &["x = 1; x = 2", "__VERIFIER_assume(x == 5)"]);
    let verdict = check(&program(&text), Algorithm::Optimal);
    assert_eq!((verdict.executions, verdict.blocked, verdict.violations.len()), (0, 1, 0));
}

/// Asserts that `data-centric` explores these threads itself. Of `executions`, the first is the number for
/// `optimal`. Returns the violations, which every explorer finds.
#[track_caller]
fn by_observation(globals: &str, bodies: &[&str], executions: [u64; 2]) -> Vec<Violation> {
    let program = program(&threads(globals, bodies));
    let [optimal, verdict] =
        [Algorithm::Optimal, Algorithm::DataCentric].map(|algorithm| check(&program, algorithm));
    assert_eq!([optimal.executions, verdict.executions], executions);
    assert_eq!((optimal.blocked, verdict.blocked), (0, 0));
    assert!(!verdict.notes.contains(&Note::Overlap), "{:?}", verdict.notes);
    violations_of(&program)
}

#[test]
fn data_centric_explores_awaits() {
    // The store of 2 to `y` comes before that of 1, after the load, or in between. The first two are alike
    // for the load.
    let stores = ["y = 1; x = 1", "y = 2", "while (!x) ; int r = y; (void)r"];
    assert_eq!(by_observation("atomic_int x, y;", &stores, [3, 2]), []);
    // No thread loads `y`, so the stores to it are not ordered.
    let stores = ["y = 1; x = 1", "y = 2", "y = 3", "while (!x) ;"];
    assert_eq!(by_observation("atomic_int x, y;", &stores, [6, 1]), []);
}

#[test]
fn data_centric_finds_an_await_that_is_stuck_after_one_of_two_stores() {
    // The reader goes on between the stores or after them, or is stuck after the store of 1.
    let bodies = ["x = 1", "x = 2", "while (x != 2) ;"];
    let found = by_observation("atomic_int x;", &bodies, [3, 3]);
    assert!(found.iter().all(|violation| violation.kind == Livelock) && found.len() == 1);
    // The reader sees 0 in both orders of the stores, or 2 in both, or is stuck after the store of 5. An
    // execution in which 5 comes late does not tell that the reader waits at 5.
    let bodies = ["x = 5", "x = 2", "while (x == 5) ;"];
    let found = by_observation("atomic_int x;", &bodies, [5, 5]);
    assert!(found.iter().all(|violation| violation.kind == Livelock) && found.len() == 1);
    // The location does not begin with 0.
    let found = by_observation("atomic_int y, x = 1;", &["y = 1", "while (x == 1) ;"], [1, 1]);
    assert!(found.iter().all(|violation| violation.kind == Livelock) && found.len() == 1);
}

#[test]
fn data_centric_finds_awaits_that_are_stuck_together() {
    // Both readers are stuck only if the first thread stores to `x` last, and the second one to `y`.
    let bodies = ["y = 2; x = 1", "x = 2; y = 1", "while (x != 2) ;", "while (y != 2) ;"];
    let program = program(&threads("atomic_int x, y;", &bodies));
    let all = violations_of(&program);
    assert_eq!(all.len(), 3, "{all:?}");
}

#[test]
fn a_loop_that_nobody_ends() {
    let text = threads("atomic_int x;", &["x = 1; x = 2", "while (x != 1) ;"]);
    fails(&text, Livelock, "a thread spins for ever");
}

/// In one execution the thread waits in the loop. In the other one it arrives there with the same registers when
/// the memory has been freed.
#[test]
fn a_loop_at_memory_that_has_been_freed() {
    let waits =
        "pthread_mutex_lock(&m); atomic_int *f = p; while (*f == 0) ; pthread_mutex_unlock(&m)";
    let frees = "pthread_mutex_lock(&m); free(p); pthread_mutex_unlock(&m)";
    let text = threads("int zero; atomic_int *p; pthread_mutex_t m;", &[waits, frees]);
    let text = text.replace("int main(void) {", "int main(void) { p = calloc(1, sizeof *p);");
    let kinds: Vec<_> = violations(&text).iter().map(|violation| violation.kind).collect();
    assert!(kinds.contains(&InvalidMemory), "{kinds:?}");
    assert_eq!(kinds.len(), 2, "{kinds:?}");
}

#[test]
fn a_loop_over_two_locations_that_nobody_ends() {
    let text = threads("atomic_int x, y;", &["x = 1; y = 1", "while (x != 1 || y != 2) ;"]);
    fails(&text, Livelock, "a thread spins for ever");
}

/// Only the order of the stores decides whether the loop ends. No loop reads the store of the other thread in
/// the execution that fails.
#[test]
fn a_loop_that_the_order_of_stores_ends() {
    let loops = [
        "x = 2; while (!y && x)",
        "x = 2; while (!y) syscall(SYS_futex, &x, FUTEX_WAIT, 0, 0, 0, 0)",
    ];
    for body in loops {
        let globals = "#include <linux/futex.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            atomic_int x, y;";
        let program = program(&threads(globals, &[&format!("{body};"), "x = 0"]));
        for algorithm in ALGORITHMS {
            let verdict = check(&program, algorithm);
            let is_livelock = |found: &Violation| found.kind == Livelock;
            assert!(verdict.violations.iter().any(is_livelock), "{algorithm}: {verdict:?}");
        }
    }
}

#[test]
fn a_loop_over_two_locations() {
    let bodies = ["x = 1; y = 1", "while (x != 1 || y != 1) ;"];
    let program = program(&threads("atomic_int x, y;", &bodies));
    for algorithm in [Algorithm::Optimal, Algorithm::Observers, Algorithm::Unfolding] {
        let verdict = check(&program, algorithm);
        assert_eq!((verdict.executions, verdict.violations.len()), (1, 0), "{algorithm}");
    }
}

/// Without the access that ends an iteration which changes nothing, no execution is blocked.
#[test]
fn a_lock_that_is_tested_first() {
    let body = "do while (x) ; while (atomic_exchange(&x, 1)); n++; x = 0";
    counts("atomic_int x; int n;", &[body, body], 4);
    counts("atomic_int x; int n;", &[body, body, body], 36);
}

#[test]
fn an_iteration_that_takes_back_an_update() {
    let lock = "while (atomic_fetch_sub(&x, 1) != 1) atomic_fetch_add(&x, 1);
                n++; atomic_fetch_add(&x, 1)";
    let program = program(&threads("atomic_int x = 1; int n;", &[lock, lock]));
    for algorithm in [Algorithm::Optimal, Algorithm::Observers, Algorithm::Unfolding] {
        let verdict = check(&program, algorithm);
        assert_eq!((verdict.executions, verdict.violations.len()), (2, 0), "{algorithm}");
    }
    going_back_restores_everything(&program, 8);
}

/// A thread that fails to acquire the lock does not run: it waits where it would begin.
#[test]
fn a_reader_writer_lock_that_takes_back_what_it_changes() {
    let read = "while (atomic_fetch_sub(&x, 1) <= 0) { atomic_fetch_add(&x, 1); while (x <= 0) ; }
                assert(n % 2 == 0); atomic_fetch_add(&x, 1)";
    let write = "while (atomic_fetch_sub(&x, 9) != 9) { atomic_fetch_add(&x, 9); while (x != 9) ; }
                 n++; n++; atomic_fetch_add(&x, 9)";
    let program = program(&threads("atomic_int x = 9; int n;", &[read, write, read]));
    for algorithm in &ALGORITHMS[1..] {
        let verdict = check(&program, *algorithm);
        // Of the readers before or after the writer, each subtracts before it adds, in any order.
        assert_eq!(verdict.executions, 14, "{algorithm}");
        assert_eq!(verdict.violations, [], "{algorithm}");
        // Without wakeup trees, executions are abandoned as redundant.
        let is_redundant = matches!(algorithm, Algorithm::Dpor | Algorithm::Source);
        assert!(
            is_redundant || verdict.blocked == 0,
            "{algorithm}: {} are blocked",
            verdict.blocked
        );
    }
    going_back_restores_everything(&program, 8);
}

/// A thread that sees the difference, and a loop that ends somewhere else, make the search start over.
#[test]
fn a_round_trip_that_matters_is_run() {
    let lock = "while (atomic_fetch_sub(&x, 1) <= 0) { atomic_fetch_add(&x, 1); while (x <= 0) ; }";
    let sees = threads("atomic_int x;", &[lock, "assert(x != -1); x = 1"]);
    fails(&sees, mazurka_core::verdict::ViolationKind::Assertion, "assertion `x != -1` failed");
    // The inner loop waits for a value at which the lock is free for others.
    let stuck =
        "while (atomic_fetch_sub(&x, 1) <= 0) { atomic_fetch_add(&x, 1); while (x != 5) ; }";
    let text = threads("atomic_int x;", &[stuck, "atomic_fetch_add(&x, 1)"]);
    fails(&text, Livelock, "a thread spins for ever");
}

/// Another thread sees the value in between, and does something else because of it.
#[test]
fn an_iteration_in_which_another_thread_sees_an_update_counts() {
    let spins = "while (atomic_fetch_add(&x, 1), !y) atomic_fetch_sub(&x, 1)";
    let text = threads("atomic_int x, y;", &[spins, "if (x == 1) y = 1; else y = 2;"]);
    let text = text.replace("\nreturn 0; }", "\nassert(y != 1); return 0; }");
    fails(&text, mazurka_core::verdict::ViolationKind::Assertion, "assertion `y != 1` failed");
    // It sees the value in the last iteration, or in the one before.
    let text = threads("atomic_int x, y;", &[spins, "while (x != 1) ; y = 1"]);
    let verdict = check(&program(&text), Algorithm::Optimal);
    assert_eq!((verdict.executions, verdict.violations.len()), (2, 0), "{verdict:?}");
}

#[test]
fn a_loop_that_takes_back_an_update_and_that_nobody_ends() {
    let spins = "while (atomic_fetch_add(&x, 1) != 5) atomic_fetch_sub(&x, 1)";
    fails(&threads("atomic_int x;", &["x = 1", spins]), Livelock, "a thread spins for ever");
    fails(&threads("atomic_int x;", &[spins, spins]), Livelock, "a thread spins for ever");
}

#[test]
fn a_thread_that_main_leaves_behind_runs_on() {
    let text = "atomic_int x, y;
        void *t(void *arg) { while (x != 1 || y != 1) ; assert(0); }
        int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); x = 1; y = 1; return 0; }";
    fails(text, mazurka_core::verdict::ViolationKind::Assertion, "assertion `0` failed");
}

/// Asserts that every explorer runs so many executions of these threads, if they try so often, and reports this.
#[track_caller]
fn tries(globals: &str, bodies: &[&str], executions: [u64; 2]) {
    for rounds in ["4", "1024"] {
        let bodies: Vec<String> = bodies.iter().map(|body| body.replace('@', rounds)).collect();
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        let program = program(&threads(globals, &bodies));
        for algorithm in [Algorithm::Optimal, Algorithm::Observers] {
            let verdict = check(&program, algorithm);
            assert_eq!(verdict.violations, [], "{algorithm}, {rounds} rounds");
            let [optimal, observers] = executions;
            let expected = if algorithm == Algorithm::Optimal { optimal } else { observers };
            assert_eq!(verdict.executions, expected, "{algorithm}, {rounds} rounds");
        }
        going_back_restores_everything(&program, 8);
    }
}

#[test]
fn rounds_that_a_loop_counts_are_not_told_apart() {
    // It finds 1, or gives up before.
    tries("atomic_int x;", &["x = 1", "for (int i = 0; i < @; i++) if (x) break;"], [2, 2]);
    tries("atomic_int x;", &["x = 1", "int n = @; while (--n >= 0) if (x) break;"], [2, 2]);
    tries("atomic_int x;", &["x = 1", "int n = @; do if (x) break; while (--n > 0);"], [2, 2]);
    tries(
        "atomic_int x;",
        &[
            "x = 1",
            "int n = @, e; while (n--) { e = 1; if (atomic_compare_exchange_strong(&x, &e, 2)) break; }",
        ],
        [2, 2],
    );
}

#[test]
fn a_lock_that_tries_before_it_yields() {
    let body = "for (;;) { int i; for (i = 0; i < @; i++) { int e = 0; \
                if (atomic_compare_exchange_strong(&x, &e, 1)) { y++; x = 0; return 0; } } sched_yield(); }";
    tries("#include <sched.h>\natomic_int x; int y;", &[body, body], [2, 2]);
}

#[test]
fn an_attempt_that_fails_late_is_not_skipped() {
    // The last attempt fails after its load has seen 1: so `r` becomes 2, whatever the number of attempts.
    let body = "int r = 0, n = 6; while (n--) { int v = x; if (v > 0) { r = 2; if (atomic_compare_exchange_strong(&x, &v, 9)) \
                { r = 1; break; } } else r = 0; } assert(r != 2)";
    let program = program(&threads("atomic_int x;", &["x = 1; x = 0", body]));
    for algorithm in ALGORITHMS {
        let verdict = check(&program, algorithm);
        assert_eq!(verdict.violations.len(), 1, "{algorithm}");
    }
}

/// Whether the load of the inner loop ends an iteration of the outer one depends on what the thread has seen
/// before, which a machine that goes on from the middle of an execution has not tried.
#[test]
fn what_was_tried_elsewhere_does_not_end_an_iteration() {
    let bodies = [
        "while (atomic_exchange(&x, 1) == 1) while (x) ; y = 0",
        "while (y) ; while (x != 1 || y != 1) ;",
        "__VERIFIER_assume(y == 0)",
    ];
    let text = threads("void __VERIFIER_assume(int);\natomic_int x, y;", &bodies);
    let program = program(&text);
    let whole = check(&program, Algorithm::Optimal);
    let options = Options { algorithm: Algorithm::Optimal, keep_going: true, ..Options::default() };
    for seed in 0..8 {
        let parts = divided(&program, 1, seed, &options, &mut (), |_| {});
        assert_eq!(parts.executions, whole.executions, "seed {seed}");
        assert_eq!(parts.violations.len(), whole.violations.len(), "seed {seed}");
    }
}
