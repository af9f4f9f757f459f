//! Threads that are interchangeable, and programs that tell them apart.

mod common;

use common::program;
use mazurka_core::explore::Checkable;
use mazurka_core::model::Lesson;
use mazurka_core::search::{Algorithm, DataRaces, Options};
use mazurka_core::verdict::{Verdict, ViolationKind};

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
                    #include <stdlib.h>\n#include <string.h>\n#include <threads.h>\natomic_int x, y;\npthread_t t[3];\n\
                    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
                    #define CREATE pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0)\n\
                    #define JOIN for (int i = 0; i < 3; i++) pthread_join(t[i], 0)\n";

/// Checks a program whose threads run `f`, and whose main thread runs `main`.
fn check(algorithm: Algorithm, symmetry: bool, f: &str, main: &str) -> Verdict {
    let text = format!("{HEAD}void *f(void *arg) {{ {f} }}\nint main(void) {{ {main} return 0; }}");
    let options = Options {
        algorithm,
        symmetry: Some(symmetry),
        keep_going: true,
        data_races: DataRaces::Report,
        ..Options::default()
    };
    program(&text).check(&options, &mut ())
}

/// Returns the numbers of executions of `optimal` without symmetry and with it. The program must be right,
/// and must not tell its threads apart.
fn counts(f: &str, main: &str) -> [u64; 2] {
    [false, true].map(|symmetry| {
        let verdict = check(Algorithm::Optimal, symmetry, f, main);
        assert!(verdict.violations.is_empty(), "{:#?}", verdict.violations);
        assert!(verdict.restarts.is_empty(), "{:#?}", verdict.restarts);
        assert_eq!(verdict.twins, if symmetry { 3 } else { 0 });
        verdict.executions
    })
}

const ADD: &str = "x++; return 0;";

#[test]
fn every_order_of_three_threads_is_a_permutation_of_one() {
    assert_eq!(counts(ADD, "CREATE; JOIN; assert(x == 3);"), [6, 1]);
    // Threads that nobody joins.
    assert_eq!(counts(ADD, "CREATE;"), [6, 1]);
    let locks = "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0;";
    assert_eq!(counts(locks, "CREATE; JOIN;"), [6, 1]);
}

/// Each of the stores has its place in a total order, so that every permutation is another execution.
#[test]
fn loads_and_stores_are_permuted_together() {
    assert_eq!(counts("int seen = x; x = seen + 1; return 0;", "CREATE; JOIN;"), [36, 6]);
}

/// How many threads load before the store decides, and not which.
#[test]
fn loads_before_and_after_a_store() {
    assert_eq!(counts("return x ? arg : 0;", "CREATE; x = 1; JOIN;"), [8, 4]);
}

#[test]
fn equal_results_and_handles_tell_no_threads_apart() {
    let joins = "CREATE; void *r[3]; for (int i = 0; i < 3; i++) pthread_join(t[i], &r[i]); assert(r[0] == r[2]);";
    assert_eq!(counts(ADD, joins), [6, 1]);
    assert_eq!(
        counts(ADD, "CREATE; assert(!pthread_equal(t[0], t[1]) && t[1] != t[2]); JOIN;"),
        [6, 1]
    );
}

#[test]
fn threads_of_c11() {
    let text = format!(
        "{HEAD}int f(void *arg) {{ x++; return 0; }}\nint main(void) {{ thrd_t t[3]; \
         for (int i = 0; i < 3; i++) thrd_create(&t[i], f, 0); \
         for (int i = 0; i < 3; i++) thrd_join(t[i], 0); }}"
    );
    let options =
        Options { symmetry: Some(true), algorithm: Algorithm::Optimal, ..Options::default() };
    assert_eq!(program(&text).check(&options, &mut ()).executions, 1);
}

/// Returns the numbers of executions without symmetry and with it, and how many are blocked then.
fn counts_of(algorithm: Algorithm, f: &str, main: &str) -> [u64; 3] {
    let [all, some] = [false, true].map(|symmetry| check(algorithm, symmetry, f, main));
    for verdict in [&all, &some] {
        assert!(verdict.violations.is_empty(), "{:#?}", verdict.violations);
        assert!(verdict.restarts.is_empty(), "{:#?}", verdict.restarts);
    }
    assert_eq!((all.blocked, some.twins), (0, 3));
    [all.executions, some.executions, some.blocked]
}

/// The order of the stores to `x` does not matter to `observers`. How many threads load the store to `y`
/// does, and not which.
#[test]
fn stores_that_no_load_observes_order_no_threads() {
    let f = "x = 1; return y ? arg : 0;";
    assert_eq!(counts_of(Algorithm::Observers, f, "CREATE; y = 1; JOIN;")[..2], [8, 4]);
}

/// A thread adds or not. Without symmetry, there is an execution for each order of those that add.
#[test]
fn choices_are_permuted() {
    let f = "if (__VERIFIER_nondet_bool()) atomic_fetch_add(&x, 1); return 0;";
    let f = format!("extern _Bool __VERIFIER_nondet_bool(void); {f}");
    assert_eq!(counts_of(Algorithm::Optimal, &f, "CREATE; JOIN;"), [16, 4, 0]);
}

/// Each thread has an object of its own, which it accesses by steps.
#[test]
fn objects_of_their_own_tell_no_threads_apart() {
    let f = "pthread_mutex_t *own = malloc(sizeof *own); pthread_mutex_init(own, 0); \
             pthread_mutex_lock(own); x++; pthread_mutex_unlock(own); free(own); return 0;";
    assert_eq!(counts_of(Algorithm::Optimal, f, "CREATE; JOIN;"), [6, 1, 0]);
}

/// Programs that tell threads apart, and fail in some permutations only.
#[test]
fn programs_that_tell_threads_apart_are_explored_without_symmetry() {
    let first =
        "int zero = 0; atomic_compare_exchange_strong(&x, &zero, (int)pthread_self()); return 0;";
    let ticket = "return (void *)(long)x++;";
    let programs = [
        (first, "CREATE; JOIN; assert(x == (int)t[0]);"),
        (
            ADD,
            "CREATE; pthread_join(t[1], 0); assert(x > 1); pthread_join(t[0], 0); pthread_join(t[2], 0);",
        ),
        (ADD, "CREATE; pthread_join(t[0], 0); pthread_join(t[1], 0); assert(x == 3);"),
        (
            ticket,
            "CREATE; void *r[3]; for (int i = 0; i < 3; i++) pthread_join(t[i], &r[i]); assert(r[0] < r[1]);",
        ),
    ];
    for (f, main) in programs {
        for algorithm in [Algorithm::Optimal, Algorithm::Observers, Algorithm::Naive] {
            let [all, some] = [false, true].map(|symmetry| check(algorithm, symmetry, f, main));
            let lessons: Vec<_> = some.restarts.iter().map(|restart| restart.lesson).collect();
            assert_eq!(lessons, [Lesson::Twins], "{algorithm}: {main}");
            assert_eq!(
                (all.executions, all.restarts.len()),
                (some.executions, 0),
                "{algorithm}: {main}"
            );
            assert_eq!(some.violations[0].kind, ViolationKind::Assertion, "{algorithm}: {main}");
            assert_eq!(some.twins, 0);
        }
    }
}

#[test]
fn detaching_and_joining_twice_tell_threads_apart() {
    for main in ["CREATE; pthread_detach(t[1]);", "CREATE; JOIN; pthread_join(t[0], 0);"] {
        let verdict = check(Algorithm::Optimal, true, ADD, main);
        assert_eq!(verdict.restarts[0].lesson, Lesson::Twins, "{main}");
        assert_eq!(verdict.executions, 6, "{main}");
    }
}

/// The handles are in memory that the threads can read, so that each of them is stored by a step.
#[test]
fn steps_between_the_creations_tell_threads_apart() {
    let main = "for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);";
    let [all, some] = [false, true].map(|symmetry| check(Algorithm::Optimal, symmetry, ADD, main));
    assert_eq!((all.executions, some.twins), (some.executions, 0));
    let main =
        "pthread_t t[3]; for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, f, (void *)i);";
    let some = check(Algorithm::Optimal, true, ADD, main);
    assert_eq!((some.executions, some.twins), (6, 0));
}

/// A thread waits for its twin, but that synchronises nothing.
#[test]
fn a_data_race_between_twins_is_found() {
    for f in [
        "static int d; d = 1; return 0;",
        "static int d[2], e[2]; memcpy(d, e, sizeof d); return 0;",
    ] {
        for algorithm in [Algorithm::Optimal, Algorithm::Observers, Algorithm::Naive] {
            let verdict = check(algorithm, true, f, "CREATE; JOIN;");
            assert!(verdict.violations.iter().any(|v| v.kind == ViolationKind::DataRace), "{f}");
        }
    }
}

/// If the first thread ends with the lock, the others wait for ever.
#[test]
fn a_deadlock_of_twins_is_found() {
    for algorithm in [Algorithm::Optimal, Algorithm::Observers, Algorithm::Naive] {
        let verdict = check(algorithm, true, "pthread_mutex_lock(&m); return 0;", "CREATE; JOIN;");
        let kinds: Vec<_> = verdict.violations.iter().map(|violation| violation.kind).collect();
        assert_eq!((kinds, verdict.executions), (vec![ViolationKind::Deadlock], 1));
    }
}
