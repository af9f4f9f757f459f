//! Symmetric threads in the explorer `graphs`.

mod common;

use common::{catalogue, program};
use mazurka_core::explore::Checkable;
use mazurka_core::memory::MemoryModel;
use mazurka_core::model::{Lesson, Program};
use mazurka_core::search::{Algorithm, Coherence, DataRaces, Options};
use mazurka_core::verdict::{Verdict, ViolationKind};
use mazurka_llvm::LlvmProgram;

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
                    #include <stdlib.h>\natomic_int x, y;\n\
                    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
                    struct node { int value; struct node *next; };\n_Atomic(struct node *) head;\n\
                    #define CREATE pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0)\n\
                    #define JOIN for (int i = 0; i < 3; i++) pthread_join(t[i], 0)\n";

/// Checks a program whose three threads run `f`, and whose main thread runs `main`.
fn check(
    (model, coherence): (MemoryModel, Coherence),
    symmetry: bool,
    f: &str,
    main: &str,
) -> Verdict {
    let text = format!("{HEAD}void *f(void *arg) {{ {f} }}\nint main(void) {{ {main} return 0; }}");
    explore(&program(&text), (model, coherence), Some(symmetry))
}

fn explore(
    program: &LlvmProgram,
    (memory_model, coherence): (MemoryModel, Coherence),
    symmetry: Option<bool>,
) -> Verdict {
    program.set_memory_orderings(true);
    let options = Options {
        algorithm: Algorithm::Graphs,
        memory_model,
        coherence: Some(coherence),
        symmetry,
        keep_going: true,
        data_races: DataRaces::Report,
        ..Options::default()
    };
    program.check(&options, &mut ())
}

const TOTAL: (MemoryModel, Coherence) = (MemoryModel::Rc11, Coherence::Total);

/// Returns the numbers of graphs without symmetry and with it. The program must be right, and must not tell
/// its threads apart.
fn counts(how: (MemoryModel, Coherence), f: &str, main: &str) -> [u64; 2] {
    [false, true].map(|symmetry| {
        let verdict = check(how, symmetry, f, main);
        assert!(verdict.violations.is_empty(), "{:#?}", verdict.violations);
        assert!(verdict.restarts.is_empty(), "{:#?}", verdict.restarts);
        assert_eq!(verdict.twins, if symmetry { 3 } else { 0 });
        verdict.executions
    })
}

const ADD: &str = "x++; return 0;";

#[test]
fn every_order_of_three_threads_is_a_permutation_of_one() {
    for coherence in [Coherence::Total, Coherence::Observed] {
        for model in MemoryModel::ALL {
            let how = (model, coherence);
            assert_eq!(counts(how, ADD, "CREATE; JOIN; assert(x == 3);"), [6, 1]);
            let locks = "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0;";
            assert_eq!(counts(how, locks, "CREATE;"), [6, 1]);
        }
    }
}

/// Under `sc` there are as many graphs as Mazurkiewicz traces.
#[test]
fn loads_and_stores_are_permuted_together() {
    let how = (MemoryModel::Sc, Coherence::Total);
    let f = "int seen = x; x = seen + 1; return 0;";
    assert_eq!(counts(how, f, "CREATE; JOIN;"), [36, 6]);
    assert_eq!(counts(TOTAL, "x = 1; return 0;", "CREATE; JOIN;"), [6, 1]);
    assert_eq!(counts(TOTAL, "return x ? arg : 0;", "CREATE; x = 1; JOIN;"), [8, 4]);
}

/// Each thread writes to an object of its own before it publishes it.
#[test]
fn objects_of_threads_correspond() {
    let push = "struct node *own = malloc(sizeof *own); own->value = 7;\n\
                own->next = atomic_exchange(&head, own); return 0;";
    let pop = "CREATE; JOIN; int sum = 0; for (struct node *n = head; n; n = n->next) sum += n->value;\n\
               assert(sum == 21);";
    assert_eq!(counts(TOTAL, push, pop), [6, 1]);
}

/// Threads that are told apart fail in some permutations only.
#[test]
fn threads_that_are_told_apart_are_not_permuted() {
    let first =
        "int zero = 0; atomic_compare_exchange_strong(&x, &zero, (int)pthread_self()); return 0;";
    let main = "CREATE; JOIN; assert(x == (int)t[0]);";
    let [all, some] = [false, true].map(|symmetry| check(TOTAL, symmetry, first, main));
    assert_eq!(some.restarts[0].lesson, Lesson::Twins);
    assert_eq!((all.executions, some.twins), (some.executions, 0));
    assert_eq!(some.violations[0].kind, ViolationKind::Assertion);
}

#[test]
fn violations_are_found_in_one_of_the_permutations() {
    let cases = [
        (ViolationKind::DataRace, "static int d; d = 1; return 0;", "CREATE; JOIN;"),
        (ViolationKind::Deadlock, "pthread_mutex_lock(&m); return 0;", "CREATE; JOIN;"),
        (
            ViolationKind::Assertion,
            "int seen = x; x = seen + 1; return 0;",
            "CREATE; JOIN; assert(x == 3);",
        ),
        (ViolationKind::Assertion, "assert(x++ != 2); return 0;", "CREATE; JOIN;"),
    ];
    for (kind, f, main) in cases {
        for model in [MemoryModel::Sc, MemoryModel::Rc11] {
            for coherence in [Coherence::Total, Coherence::Observed] {
                if kind == ViolationKind::DataRace && model == MemoryModel::Sc {
                    continue;
                }
                let verdict = check((model, coherence), true, f, main);
                assert!(verdict.violations.iter().any(|found| found.kind == kind), "{kind}: {f}");
                assert_eq!(verdict.twins, 3);
            }
        }
    }
}

/// How many readers see the store decides, and not which.
#[test]
fn symmetry_is_the_default() {
    let verdict = explore(&catalogue("readers", 6), TOTAL, None);
    assert_eq!(verdict.executions, 7);
}
