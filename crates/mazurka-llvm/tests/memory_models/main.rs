//! Litmus tests in C under every memory model: which outcomes are allowed, and how many graphs there are.
//!
//! The answers are those of the literature, and of enumerating the graphs by hand.

mod assembly;
mod awaits;
mod barriers;
mod blocking;
mod coherence;
#[path = "../common/mod.rs"]
mod common;
mod fenced_loops;
mod futexes;
mod reports;
mod sizes;

use std::collections::BTreeSet;

use common::program_with;
use mazurka_core::explore::Checkable;
use mazurka_core::memory::MemoryModel::{self, Pso, Ra, Rc11, Sc, Tso};
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, Coherence, Options};
use mazurka_core::verdict::{Verdict, ViolationKind};
use mazurka_llvm::{LlvmOptions, LlvmProgram};
use mazurka_report::Subject;

/// Returns a program with a thread for each of these bodies, and a `main` that joins them.
fn threads(globals: &str, bodies: &[&str], end: &str) -> String {
    let mut text = format!("{globals}\n");
    for (number, body) in bodies.iter().enumerate() {
        text += &format!("void *thread{number}(void *arg) {{ {body} return 0; }}\n");
    }
    text += &format!("int main(void) {{ pthread_t t[{}];\n", bodies.len());
    for number in 0..bodies.len() {
        text += &format!("pthread_create(&t[{number}], 0, thread{number}, 0);\n");
    }
    for number in 0..bodies.len() {
        text += &format!("pthread_join(t[{number}], 0);\n");
    }
    text + &format!("{end} return 0; }}")
}

/// Checks a program under a memory model, and counts its graphs by reads-from and coherence order. Observed
/// coherence must find the same violations.
fn check_under(memory_model: MemoryModel, text: &str) -> (LlvmProgram, Verdict) {
    let options = LlvmOptions { memory_orderings: true, ..LlvmOptions::default() };
    let program = program_with(text, options);
    let options = |coherence| Options {
        algorithm: Algorithm::Graphs,
        memory_model,
        coherence,
        keep_going: true,
        ..Options::default()
    };
    let violations = |verdict: &Verdict| -> BTreeSet<String> {
        let brief = |message: &str| message.lines().next().unwrap_or_default().to_owned();
        verdict.violations.iter().map(|v| format!("{}: {}", v.kind, brief(&v.message))).collect()
    };
    let observed = program.check(&options(None), &mut ());
    let verdict = program.check(&options(Some(Coherence::Total)), &mut ());
    assert_eq!(violations(&observed), violations(&verdict), "{memory_model}\n{text}");
    assert!(observed.executions <= verdict.executions, "{memory_model}\n{text}");
    (program, verdict)
}

fn verdict(text: &str, memory_model: MemoryModel) -> Verdict {
    let (program, verdict) = check_under(memory_model, text);
    assert!(verdict.is_complete(), "{memory_model}: {verdict:?}\n{text}");
    replays(&program, &verdict);
    verdict
}

/// Checks that what was found is found again by its schedule.
fn replays(program: &LlvmProgram, verdict: &Verdict) {
    let assertions = verdict.violations.iter().filter(|v| v.kind == ViolationKind::Assertion);
    for violation in assertions {
        program.set_memory_orderings(violation.schedule.memory_model().is_some());
        let recording = program.record(&violation.schedule);
        assert!(recording.misfit.is_none(), "{:?}", recording.misfit);
        let again = recording.violation.expect("the schedule fails again");
        assert_eq!(again.message, violation.message);
    }
}

/// Checks under which models an assertion fails.
fn fails_under(text: &str, models: &[MemoryModel]) {
    for model in MemoryModel::ALL {
        let verdict = verdict(text, model);
        let fails = verdict.violations.iter().any(|v| v.kind == ViolationKind::Assertion);
        assert_eq!(fails, models.contains(&model), "{model}: {:?}\n{text}", verdict.violations);
    }
}

/// Checks the numbers of graphs under `sc`, `tso`, `pso`, `ra` and `rc11`.
fn counts(text: &str, expected: [u64; 5]) {
    let counted = MemoryModel::ALL.map(|model| verdict(text, model).executions);
    assert_eq!(counted, expected, "{text}");
}

const VARIABLES: &str = "atomic_int x, y; int a, b, c, d;
#define LD(v, o) atomic_load_explicit(&v, memory_order_##o)
#define ST(v, n, o) atomic_store_explicit(&v, n, memory_order_##o)
#define FENCE(o) atomic_thread_fence(memory_order_##o)";

#[test]
fn store_buffering() {
    let program = |store: &str, fence: &str, load: &str| {
        let first = format!("ST(x, 1, {store}); {fence} a = LD(y, {load});");
        let second = format!("ST(y, 1, {store}); {fence} b = LD(x, {load});");
        threads(VARIABLES, &[&first, &second], "assert(a || b);")
    };
    fails_under(&program("relaxed", "", "relaxed"), &[Tso, Pso, Ra, Rc11]);
    fails_under(&program("release", "", "acquire"), &[Tso, Pso, Ra, Rc11]);
    fails_under(&program("seq_cst", "", "seq_cst"), &[Ra]);
    fails_under(&program("relaxed", "FENCE(seq_cst);", "relaxed"), &[Ra]);
    fails_under(&program("relaxed", "FENCE(acq_rel);", "relaxed"), &[Tso, Pso, Ra, Rc11]);
    fails_under(
        &program("relaxed", "atomic_signal_fence(memory_order_seq_cst);", "relaxed"),
        &[Tso, Pso, Ra, Rc11],
    );
    counts(&program("relaxed", "", "relaxed"), [3, 4, 4, 4, 4]);
    counts(&program("seq_cst", "", "seq_cst"), [3, 3, 3, 4, 3]);
}

#[test]
fn message_passing() {
    let program = |store: &str, before: &str, load: &str, behind: &str| {
        let first = format!("ST(x, 1, relaxed); {before} ST(y, 1, {store});");
        let second = format!("a = LD(y, {load}); {behind} b = LD(x, relaxed);");
        threads(VARIABLES, &[&first, &second], "assert(!a || b);")
    };
    fails_under(&program("relaxed", "", "relaxed", ""), &[Pso, Ra, Rc11]);
    fails_under(&program("release", "", "acquire", ""), &[]);
    fails_under(&program("release", "", "relaxed", ""), &[Ra, Rc11]);
    fails_under(&program("relaxed", "FENCE(release);", "relaxed", "FENCE(acquire);"), &[]);
    fails_under(&program("relaxed", "FENCE(release);", "acquire", ""), &[]);
    counts(&program("relaxed", "", "relaxed", ""), [3, 3, 4, 4, 4]);
    counts(&program("release", "", "acquire", ""), [3, 3, 3, 3, 3]);
}

#[test]
fn load_buffering_is_never_allowed() {
    let bodies =
        ["a = LD(x, relaxed); ST(y, 1, relaxed);", "b = LD(y, relaxed); ST(x, 1, relaxed);"];
    let program = threads(VARIABLES, &bodies, "assert(!a || !b);");
    fails_under(&program, &[]);
    counts(&program, [3; 5]);
}

#[test]
fn independent_reads_of_independent_writes() {
    let program = |store: &str, load: &str| {
        let bodies = [
            format!("ST(x, 1, {store});"),
            format!("ST(y, 1, {store});"),
            format!("a = LD(x, {load}); b = LD(y, {load});"),
            format!("c = LD(y, {load}); d = LD(x, {load});"),
        ];
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        threads(VARIABLES, &bodies, "assert(!(a && !b && c && !d));")
    };
    fails_under(&program("release", "acquire"), &[Ra, Rc11]);
    fails_under(&program("seq_cst", "seq_cst"), &[Ra]);
    counts(&program("release", "acquire"), [15, 15, 15, 16, 16]);
}

#[test]
fn two_writes_each() {
    let program = |order: &str| {
        let first = format!("ST(x, 1, {order}); ST(y, 2, {order});");
        let second = format!("ST(y, 1, {order}); ST(x, 2, {order});");
        let end = "assert(!(LD(x, relaxed) == 1 && LD(y, relaxed) == 1));";
        threads(VARIABLES, &[&first, &second], end)
    };
    fails_under(&program("relaxed"), &[Pso, Ra, Rc11]);
    fails_under(&program("release"), &[Ra, Rc11]);
    fails_under(&program("seq_cst"), &[Ra]);
    counts(&program("relaxed"), [3, 3, 4, 4, 4]);
}

#[test]
fn coherence_of_two_reads() {
    let bodies = ["ST(x, 1, relaxed);", "a = LD(x, relaxed); b = LD(x, relaxed);"];
    let program = threads(VARIABLES, &bodies, "assert(!(a && !b));");
    fails_under(&program, &[]);
    counts(&program, [3; 5]);
}

#[test]
fn a_chain_of_writes_and_reads() {
    let program = |order: &str| {
        let bodies = [
            "ST(x, 1, relaxed);".to_owned(),
            format!("a = LD(x, relaxed); ST(y, 1, {order});"),
            "b = LD(y, acquire); c = LD(x, relaxed);".to_owned(),
        ];
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        threads(VARIABLES, &bodies, "assert(!(a && b && !c));")
    };
    fails_under(&program("relaxed"), &[Ra, Rc11]);
    fails_under(&program("release"), &[]);
}

#[test]
fn read_modify_writes_are_atomic() {
    let body = "atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);";
    let program = threads(VARIABLES, &[body; 3], "assert(LD(x, relaxed) == 3);");
    fails_under(&program, &[]);
    counts(&program, [6; 5]);
}

#[test]
fn a_release_sequence_goes_through_read_modify_writes() {
    let bodies = [
        "ST(x, 1, relaxed); ST(y, 1, release);",
        "atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);",
        "if (LD(y, acquire) == 2) { b = LD(x, relaxed); a = 1; }",
    ];
    fails_under(&threads(VARIABLES, &bodies, "assert(!a || b);"), &[]);
    // A store of another thread ends it.
    let bodies = [
        "ST(x, 1, relaxed); ST(y, 1, release);",
        "if (LD(y, relaxed) == 1) ST(y, 2, relaxed);",
        "if (LD(y, acquire) == 2) { b = LD(x, relaxed); a = 1; }",
    ];
    fails_under(&threads(VARIABLES, &bodies, "assert(!a || b);"), &[Ra, Rc11]);
}

#[test]
fn a_failed_exchange_has_its_own_ordering() {
    let program = |failure: &str| {
        let second = format!(
            "int e = 5; atomic_compare_exchange_strong_explicit(&y, &e, 6, memory_order_acq_rel, \
             memory_order_{failure}); a = e; b = LD(x, relaxed);"
        );
        let first = "ST(x, 1, relaxed); ST(y, 1, release);";
        threads(VARIABLES, &[first, &second], "assert(a != 1 || b);")
    };
    fails_under(&program("relaxed"), &[Ra, Rc11]);
    fails_under(&program("acquire"), &[]);
}

#[test]
fn builtins_of_gcc() {
    let bodies = ["p = 1; __sync_synchronize(); a = q;", "q = 1; __sync_synchronize(); b = p;"];
    let globals = "volatile int p, q; int a, b;";
    for (model, fails) in [(Sc, false), (Tso, false), (Pso, false)] {
        let verdict = verdict(&threads(globals, &bodies, "assert(a || b);"), model);
        let found = verdict.violations.iter().any(|v| v.kind == ViolationKind::Assertion);
        assert_eq!(found, fails, "{model}: {:?}", verdict.violations);
    }
    // Without the fences, plain memory is that of the hardware.
    let bodies = ["p = 1; a = q;", "q = 1; b = p;"];
    for (model, fails) in [(Sc, false), (Tso, true), (Pso, true)] {
        let verdict = verdict(&threads(globals, &bodies, "assert(a || b);"), model);
        let found = verdict.violations.iter().any(|v| v.kind == ViolationKind::Assertion);
        assert_eq!(found, fails, "{model}: {:?}", verdict.violations);
    }
}

#[test]
fn a_seqlock_needs_its_fences() {
    let program = |release: &str, acquire: &str| {
        let writer = format!(
            "ST(s, 1, relaxed); {release} ST(x, 1, relaxed); ST(y, 1, relaxed); ST(s, 2, release);"
        );
        let reader = format!(
            "int before = LD(s, acquire); a = LD(x, relaxed); b = LD(y, relaxed); {acquire}
             int after = LD(s, relaxed); if (before != after || before % 2) a = b = 0;"
        );
        let globals = format!("atomic_int s; {VARIABLES}");
        threads(&globals, &[&writer, &reader], "assert(a == b);")
    };
    for model in [Ra, Rc11] {
        let fails = |text: &str| !verdict(text, model).violations.is_empty();
        assert!(!fails(&program("FENCE(release);", "FENCE(acquire);")), "{model}");
        assert!(fails(&program("", "FENCE(acquire);")), "{model}");
        assert!(fails(&program("FENCE(release);", "")), "{model}");
    }
}

fn races(text: &str, model: MemoryModel) -> bool {
    let verdict = verdict(text, model);
    verdict.violations.iter().any(|v| v.kind == ViolationKind::DataRace)
}

#[test]
fn data_races() {
    let program = |store: &str, load: &str| {
        let first = format!("p = 1; ST(y, 1, {store});");
        let second = format!("if (LD(y, {load})) a = p;");
        threads(&format!("int p; {VARIABLES}"), &[&first, &second], "")
    };
    for model in [Ra, Rc11] {
        assert!(races(&program("relaxed", "acquire"), model), "{model}");
        assert!(races(&program("release", "relaxed"), model), "{model}");
        assert!(!races(&program("release", "acquire"), model), "{model}");
    }
    assert!(!races(&program("relaxed", "relaxed"), Sc));
}

#[test]
fn reference_counts() {
    let program = |order: &str, fence: &str| {
        format!(
            "struct shared {{ atomic_int count; int data; }};
             static int read_data(struct shared *p) {{ return p->data; }}
             void *drop(void *arg) {{ struct shared *p = arg; int value = read_data(p);
               if (atomic_fetch_sub_explicit(&p->count, 1, memory_order_{order}) == 1) {{
                 {fence} free(p); }} return 0; }}
             int main(void) {{ pthread_t t; struct shared *p = malloc(sizeof *p);
               atomic_init(&p->count, 2); p->data = 7;
               pthread_create(&t, 0, drop, p); drop(p); pthread_join(t, 0); return 0; }}"
        )
    };
    for model in [Ra, Rc11] {
        let fails = |text: &str| !verdict(text, model).violations.is_empty();
        let fence = "atomic_thread_fence(memory_order_acquire);";
        assert!(fails(&program("relaxed", "")), "{model}");
        assert!(fails(&program("relaxed", fence)), "{model}");
        assert!(!fails(&program("release", fence)), "{model}");
        assert!(!fails(&program("acq_rel", "")), "{model}");
    }
}

#[test]
fn locks() {
    let globals = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n;";
    let body = "pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m);";
    let program = threads(globals, &[body; 3], "assert(n == 3);");
    fails_under(&program, &[]);
    counts(&program, [6; 5]);
    for model in MemoryModel::ALL {
        assert!(verdict(&program, model).violations.is_empty(), "{model}");
    }
    let globals = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;";
    let bodies = [
        "pthread_mutex_lock(&m); pthread_mutex_lock(&k); pthread_mutex_unlock(&k); \
         pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&k); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); \
         pthread_mutex_unlock(&k);",
    ];
    for model in MemoryModel::ALL {
        let verdict = verdict(&threads(globals, &bodies, ""), model);
        let kinds: Vec<_> = verdict.violations.iter().map(|v| v.kind).collect();
        assert_eq!(kinds, [ViolationKind::Deadlock], "{model}");
    }
}

#[test]
fn condition_variables() {
    let globals = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready, data;";
    let bodies = [
        "pthread_mutex_lock(&m); data = 1; ready = 1; pthread_cond_signal(&c); \
         pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); assert(data == 1); \
         pthread_mutex_unlock(&m);",
    ];
    for model in MemoryModel::ALL {
        let verdict = verdict(&threads(globals, &bodies, ""), model);
        assert!(verdict.violations.is_empty(), "{model}: {:?}", verdict.violations);
    }
}

#[test]
fn spin_loops() {
    let program = |load: &str| {
        let bodies = [
            "ST(x, 1, relaxed); ST(y, 1, release);".to_owned(),
            format!("while (!LD(y, {load})) ; b = LD(x, relaxed);"),
        ];
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        threads(VARIABLES, &bodies, "assert(b);")
    };
    fails_under(&program("acquire"), &[]);
    fails_under(&program("relaxed"), &[Ra, Rc11]);
    // Nobody ends this one.
    let program = threads(VARIABLES, &["while (!LD(y, relaxed)) ;"], "");
    for model in MemoryModel::ALL {
        let verdict = verdict(&program, model);
        let kinds: Vec<_> = verdict.violations.iter().map(|v| v.kind).collect();
        assert_eq!(kinds, [ViolationKind::Livelock], "{model}");
    }
}

/// Returns a program with the mutual exclusion of Peterson around an increment of plain memory.
fn peterson(store: &str, load: &str) -> String {
    let body = |own: u32| {
        let other = 1 - own;
        format!(
            "ST(flag[{own}], 1, {store}); ST(turn, {other}, {store});
             while (LD(flag[{other}], {load}) && LD(turn, {load}) == {other}) ;
             n++; ST(flag[{own}], 0, {store});"
        )
    };
    let globals = format!("{VARIABLES}\natomic_int flag[2], turn; int n;");
    threads(&globals, &[&body(0), &body(1)], "assert(n == 2);")
}

#[test]
fn peterson_needs_seq_cst() {
    assert!(races(&peterson("release", "acquire"), Rc11));
    assert!(!races(&peterson("seq_cst", "seq_cst"), Rc11));
    fails_under(&peterson("seq_cst", "seq_cst"), &[Ra]);
}

#[test]
fn dekker_needs_seq_cst() {
    let program = |store: &str, load: &str| {
        let first = format!("ST(x, 1, {store}); if (!LD(y, {load})) a++;");
        let second = format!("ST(y, 1, {store}); if (!LD(x, {load})) a++;");
        threads(VARIABLES, &[&first, &second], "assert(a < 2);")
    };
    assert!(races(&program("release", "acquire"), Rc11));
    assert!(!races(&program("seq_cst", "seq_cst"), Rc11));
    fails_under(&program("seq_cst", "seq_cst"), &[Ra]);
}
