//! Accesses of different sizes to the same memory.

use super::{
    Algorithm, Checkable, MemoryModel, Options, Verdict, ViolationKind, check_under, program_with,
    replays, threads,
};
use mazurka_core::explore::Sharing;
use mazurka_core::verdict::Treated;
use mazurka_llvm::LlvmOptions;

/// Runs a check that may be refused.
fn run(text: &str, memory_model: MemoryModel) -> Verdict {
    check_under(memory_model, text).1
}

fn kinds(verdict: &Verdict) -> Vec<ViolationKind> {
    verdict.violations.iter().map(|violation| violation.kind).collect()
}

const NODE: &str = "
struct node { atomic_int ready; int data[3]; };
struct node *_Atomic shared; int a = 7, b;
";

/// A structure is set as a whole before it is published, and then accessed by its members.
#[test]
fn a_structure_is_initialised_as_a_whole() {
    let program = |store: &str, load: &str| {
        let writer = format!(
            "struct node *n = malloc(sizeof *n); memset(n, 0, sizeof *n); n->data[1] = 5;
             atomic_store_explicit(&n->ready, 2, memory_order_relaxed);
             atomic_store_explicit(&shared, n, memory_order_{store});"
        );
        let reader = format!(
            "struct node *n = atomic_load_explicit(&shared, memory_order_{load});
             if (n) {{ a = n->data[1] + n->data[0];
                 b = atomic_load_explicit(&n->ready, memory_order_relaxed); }}"
        );
        threads(NODE, &[&writer, &reader], "assert(a == 7 && b == 0 || a == 5 && b == 2);")
    };
    for model in MemoryModel::ALL {
        let verdict = run(&program("release", "acquire"), model);
        assert!(verdict.is_complete() && verdict.violations.is_empty(), "{model}: {verdict:?}");
        assert_eq!(verdict.executions, 2, "{model}");
    }
    let verdict = run(&program("relaxed", "relaxed"), MemoryModel::Rc11);
    assert!(kinds(&verdict).contains(&ViolationKind::DataRace), "{verdict:?}");
}

/// A word is written after its bytes, and read byte by byte again.
#[test]
fn sizes_alternate_under_a_lock() {
    let globals = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        union { uint32_t word; uint8_t bytes[4]; } u; int n;";
    let bodies = [
        "pthread_mutex_lock(&m); u.word += 0x01010101; pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); u.bytes[1]++; u.word += 1; n = u.bytes[0] + u.bytes[1];
         assert(n == 2 || n == 4); pthread_mutex_unlock(&m);",
    ];
    let program = threads(globals, &bodies, "assert(u.word == 0x01010202);");
    for model in MemoryModel::ALL {
        let verdict = run(&program, model);
        assert!(verdict.is_complete() && verdict.violations.is_empty(), "{model}: {verdict:?}");
        assert_eq!(verdict.executions, 2, "{model}");
    }
}

#[test]
fn a_race_of_different_sizes_is_found() {
    let globals = "union { uint32_t word; uint8_t bytes[4]; } u; int a;";
    let program = threads(globals, &["u.word = 0x100;", "a = u.bytes[1];"], "");
    let verdict = run(&program, MemoryModel::Rc11);
    assert_eq!(kinds(&verdict), [ViolationKind::DataRace], "{verdict:?}");
    // Plain accesses do not race on hardware, but the halves of a word are not modelled.
    let verdict = run(&program, MemoryModel::Tso);
    assert_eq!(kinds(&verdict), [ViolationKind::Unsupported], "{verdict:?}");
}

/// Writes of different sizes race, and come in another order after a revisit.
#[test]
fn workers_go_on_after_races_of_different_sizes() {
    let globals = "#include <string.h>
        union { uint32_t whole; uint16_t half[2]; uint8_t quarter[4]; } u; pthread_mutex_t m;";
    let bodies = [
        "pthread_mutex_lock(&m); u.quarter[0] = 1; pthread_mutex_unlock(&m); u.whole = 0;",
        "if (!pthread_mutex_trylock(&m)) { u.half[0] = 2; pthread_mutex_unlock(&m); }
         memset(&u, 2, sizeof u);",
        "if (!pthread_mutex_trylock(&m)) { memset(&u, 0, sizeof u); pthread_mutex_unlock(&m); }
         memset(&u, 0, sizeof u);",
    ];
    let options = LlvmOptions { memory_orderings: true, ..LlvmOptions::default() };
    let program = program_with(&threads(globals, &bodies, ""), options);
    let options = Options {
        algorithm: Algorithm::Graphs,
        memory_model: MemoryModel::Rc11,
        keep_going: true,
        ..Options::default()
    };
    for (workers, seed) in [(1, 1), (3, 1), (3, 2), (3, 3)] {
        let workers = workers.try_into().expect("there is a worker");
        let sharing = Sharing::Always { seed };
        let verdict = program.check_with_workers(workers, sharing, &options, &mut ());
        assert!(kinds(&verdict).contains(&ViolationKind::DataRace), "{verdict:?}");
    }
}

/// Between the accesses of a section, other threads could run.
#[test]
fn atomic_sections_with_several_locations_are_refused() {
    let globals = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
                   atomic_int x, y;";
    let section =
        |body: &str| format!("__VERIFIER_atomic_begin(); {body} __VERIFIER_atomic_end();");
    let program = |body: &str| threads(globals, &[&section(body), "x = y;"], "");
    for body in ["x = 1; y = 1;", "if (x == 0) y = 1;"] {
        let verdict = run(&program(body), MemoryModel::Rc11);
        assert_eq!(kinds(&verdict), [ViolationKind::Unsupported], "{body}: {verdict:?}");
    }
    let verdict = run(&program("x += 1;"), MemoryModel::Rc11);
    assert!(verdict.is_complete() && verdict.violations.is_empty(), "{verdict:?}");
}

/// A ticket lock whose word is taken as a whole, and whose halves are read and written.
#[test]
fn atomic_accesses_of_different_sizes_are_refused() {
    let globals = "union { _Atomic uint32_t word; _Atomic uint16_t half[2]; } l; int n;";
    let body = "uint32_t mine = atomic_fetch_add(&l.word, 0x10000) >> 16;
        while (atomic_load(&l.half[0]) != mine) ;
        n++; atomic_store(&l.half[0], mine + 1);";
    let program = threads(globals, &[body; 2], "assert(n == 2);");
    for model in MemoryModel::ALL {
        let verdict = run(&program, model);
        assert_eq!(kinds(&verdict), [ViolationKind::Unsupported], "{model}: {verdict:?}");
        let message = &verdict.violations[0].message;
        assert!(
            message.contains("different sizes") && message.contains("in one size"),
            "{message}"
        );
        assert!(message.contains("under the memory model `sc`"), "{message}");
        // The word and its halves are accessed on different lines.
        let place = message.strip_prefix("at ").and_then(|rest| rest.split(", two acc").next());
        let (first, second) = place.and_then(|place| place.split_once(" and ")).expect("places");
        assert!(first.contains(".c:") && second.contains(".c:") && first != second, "{message}");
    }
    // The explorers of schedules support it.
    let program = program_with(&program, LlvmOptions::default());
    let options = Options { algorithm: Algorithm::Optimal, ..Options::default() };
    let verdict = program.check(&options, &mut ());
    assert!(verdict.is_complete() && verdict.violations.is_empty(), "{verdict:?}");
}

/// A program that `graphs` refuses late is explored again with all accesses as `SeqCst`. What `graphs` has found
/// by then does not get lost.
#[test]
fn what_was_found_before_a_refusal_is_reported() {
    let globals = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
        atomic_int x, y; int a, b;
        #define LD(v) atomic_load_explicit(&v, memory_order_relaxed)
        #define ST(v) atomic_store_explicit(&v, 1, memory_order_relaxed)";
    let bodies = ["ST(x); a = LD(y);", "ST(y); b = LD(x);"];
    // Store buffering, which only a memory model shows. After that, a section with two locations.
    let end = "if (a + b == 2) {
                   __VERIFIER_atomic_begin(); x = 2; y = 2; __VERIFIER_atomic_end();
                   assert(x == 1);
               }
               assert(a || b);";
    let program = program_with(&threads(globals, &bodies, end), LlvmOptions::default());
    let options = Options { may_switch: true, keep_going: true, ..Options::default() };
    let verdict = program.check(&options, &mut ());
    let found: Vec<_> = verdict.violations.iter().map(|v| (v.kind, v.message.as_str())).collect();
    let [(ViolationKind::Assertion, first), (ViolationKind::Assertion, second)] = found[..] else {
        panic!("{found:?}")
    };
    assert!(first.contains("a || b") && second.contains("x == 1"), "{found:?}");
    let weak = verdict.weak_access.as_deref().expect("there is a weak access");
    assert!(matches!(weak.treated, Treated::Unsupported(_)), "{weak:?}");
    replays(&program, &verdict);
}

/// A step that compares two variables is taken again when a later write of its thread is read elsewhere.
/// It is told the value of its first read only.
#[test]
fn a_step_with_two_reads_is_repeated() {
    let globals = "atomic_int x, y; int a;";
    let bodies = [
        "int none = 0, seen = atomic_load_explicit(&x, memory_order_acquire);
         int is_none = memcmp(&none, &seen, sizeof seen) == 0;
         assert(is_none == (seen == 0));
         atomic_store_explicit(&y, is_none ? 1 : 2, memory_order_release);",
        "atomic_store_explicit(&x, 1, memory_order_release);
         a = atomic_load_explicit(&y, memory_order_acquire);",
    ];
    let program = threads(globals, &bodies, "assert(a >= 0 && a <= 2);");
    for model in MemoryModel::ALL {
        let verdict = run(&program, model);
        assert!(verdict.is_complete() && verdict.violations.is_empty(), "{model}: {verdict:?}");
        // The first thread reads 0 or 1, and the second one reads 0 or what the first one has stored.
        assert_eq!(verdict.executions, 4, "{model}");
    }
}
