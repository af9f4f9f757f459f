//! Threads and what they synchronise by: what can happen, and in how many ways.

mod common;

use common::{
    ALGORITHMS, check, count, fails, going_back_restores_everything, passes, program, program_with,
    violations,
};
use mazurka_core::search::Algorithm;
use mazurka_core::verdict::ViolationKind::{Assertion, Deadlock, Unsupported};
use mazurka_llvm::LlvmOptions;

/// A program with these threads, which are all joined.
fn threads(globals: &str, bodies: &[&str], after: &str) -> String {
    let mut text = format!("#include <semaphore.h>\n#include <threads.h>\n{globals}\n");
    for (i, body) in bodies.iter().enumerate() {
        text += &format!("void *t{i}(void *arg) {{ {body}; return 0; }}\n");
    }
    let n = bodies.len();
    text += &format!("int main(void) {{ pthread_t t[{n}];\n");
    for i in 0..n {
        text += &format!("pthread_create(&t[{i}], 0, t{i}, 0);\n");
    }
    text += &format!("for (int i = 0; i < {n}; i++) pthread_join(t[i], 0);\n{after}\nreturn 0; }}");
    text
}

#[test]
fn arguments_and_results_are_passed_on() {
    passes(
        "void *twice(void *arg) { return (void *)(2 * (intptr_t)arg); }
         void *leaves(void *arg) { pthread_exit((void *)5); }
         int main(void) {
             pthread_t a, b; void *result;
             assert(pthread_create(&a, 0, twice, (void *)21) == 0);
             assert(pthread_create(&b, 0, leaves, 0) == 0);
             assert(!pthread_equal(a, b) && pthread_equal(pthread_self(), pthread_self()));
             pthread_join(a, &result); assert(result == (void *)42);
             pthread_join(b, &result); assert(result == (void *)5);
             return 0;
         }",
    );
}

#[test]
fn results_may_point_to_the_heap() {
    passes(
        "struct pair { int a, b; };
         void *make(void *arg) {
             struct pair *p = malloc(sizeof *p); p->a = 1; p->b = 2; return p;
         }
         int main(void) {
             pthread_t t; void *result;
             pthread_create(&t, 0, make, 0); pthread_join(t, &result);
             struct pair *p = result; assert(p->a + p->b == 3); free(p);
             return 0;
         }",
    );
}

#[test]
fn threads_create_threads() {
    let text = "int x;
        void *leaf(void *arg) { x = (int)(intptr_t)arg; return 0; }
        void *branch(void *arg) {
            pthread_t a, b; intptr_t n = (intptr_t)arg;
            pthread_create(&a, 0, leaf, (void *)(n + 1));
            pthread_create(&b, 0, leaf, (void *)(n + 2));
            return 0;
        }
        int main(void) {
            pthread_t a, b;
            pthread_create(&a, 0, branch, (void *)0); pthread_create(&b, 0, branch, (void *)10);
            return 0;
        }";
    assert_eq!(count(text), (24, 0));
    going_back_restores_everything(&program(text), 100);
}

#[test]
fn those_who_are_not_joined_run_on() {
    fails(
        "int x; void *late(void *arg) { x = 1; assert(0 && \"late\"); }
         int main(void) { pthread_t t; pthread_create(&t, 0, late, 0); return 0; }",
        Assertion,
        "assertion `0 && \"late\"` failed",
    );
    // Whoever ends the program does not wait for others, and nobody is missed.
    passes(
        "atomic_int x; void *spins(void *arg) { while (!x); return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, spins, 0); exit(3); }",
    );
}

#[test]
fn mutexes() {
    let m = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;";
    let add = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m)";
    assert_eq!(count(&threads(m, &[add, add, add], "assert(x == 3);")), (6, 0));
    let attempt = "if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); }";
    let text = threads(m, &[attempt, attempt], "assert(x >= 1);");
    // Either comes first and lets go, or the other one finds it busy.
    assert_eq!(count(&text), (4, 0));
    fails(&text.replace("x >= 1", "x == 2"), Assertion, "assertion `x == 2` failed");
    let recursive = "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; int x;";
    let nested = "pthread_mutex_lock(&m); pthread_mutex_lock(&m); x++; \
                  pthread_mutex_unlock(&m); x++; pthread_mutex_unlock(&m)";
    let text = threads(recursive, &[nested, nested], "assert(x == 4);");
    assert_eq!(count(&text), (2, 0));
}

#[test]
fn mutexes_on_the_heap_and_of_c11() {
    let c11 = "mtx_t *m; int x;
        int add(void *arg) { mtx_lock(m); x++; mtx_unlock(m); return 7; }
        int main(void) {
            thrd_t a, b; int result;
            m = malloc(sizeof *m); mtx_init(m, mtx_plain);
            thrd_create(&a, add, 0); thrd_create(&b, add, 0);
            thrd_join(a, &result); assert(result == 7); thrd_join(b, 0);
            assert(x == 2); mtx_destroy(m); free(m); return 0;
        }";
    assert_eq!(count(&format!("#include <threads.h>\n{c11}")), (2, 0));
}

#[test]
fn condition_variables() {
    let globals = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
                   pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready, woken;";
    let waits = "pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); woken++; \
                 pthread_mutex_unlock(&m)";
    let wake = |how| {
        format!(
            "pthread_mutex_lock(&m); ready = 1; pthread_cond_{how}(&c); pthread_mutex_unlock(&m)"
        )
    };
    passes(&threads(globals, &[waits, waits, &wake("broadcast")], "assert(woken == 2);"));
    let one = violations(&threads(globals, &[waits, waits, &wake("signal")], ""));
    // Either of the two may be the one that nobody wakes.
    assert_eq!(one.len(), 2, "{one:?}");
    assert!(one.iter().all(|violation| violation.kind == Deadlock));
    let timed = "struct timespec t = {0}; pthread_mutex_lock(&m); \
                 int r = pthread_cond_timedwait(&c, &m, &t); \
                 assert(r == 0 || r == 110); if (r == 0) woken++; pthread_mutex_unlock(&m)";
    let text = threads(globals, &[timed, &wake("signal")], "assert(woken <= 1);");
    passes(&text);
    going_back_restores_everything(&program(&text), 100);
    // Both ways occur.
    fails(&text.replace("woken <= 1", "woken == 0"), Assertion, "assertion `woken == 0`");
    fails(&text.replace("woken <= 1", "woken == 1"), Assertion, "assertion `woken == 1`");
}

#[test]
fn read_write_locks() {
    let globals = "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x, readers;";
    let reads = "pthread_rwlock_rdlock(&l); int a = x; assert(x == a); pthread_rwlock_unlock(&l)";
    let writes = "pthread_rwlock_wrlock(&l); x++; pthread_rwlock_unlock(&l)";
    let text = threads(globals, &[reads, reads, writes], "assert(x == 1);");
    // Each reader comes before the writer or after it.
    assert_eq!(count(&text), (4, 0));
    passes(&text);
}

#[test]
fn semaphores_and_barriers() {
    let posts = "x = 1; sem_post(&s)";
    let text = |waits: &str| {
        threads("sem_t s; int x;", &[waits, posts], "")
            .replace("{ pthread_t t", "{ sem_init(&s, 0, 0); pthread_t t")
    };
    passes(&text("sem_wait(&s); assert(x == 1)"));
    let tries = text("if (sem_trywait(&s) == 0) assert(x == 1); else assert(errno == EAGAIN)");
    passes(&format!("#include <errno.h>\n{tries}"));
    let wait = "x++; int r = pthread_barrier_wait(&b); assert(x == 2); \
                if (r == PTHREAD_BARRIER_SERIAL_THREAD) last++; else assert(r == 0)";
    let text =
        threads("pthread_barrier_t b; atomic_int x, last;", &[wait, wait], "assert(last == 1);");
    passes(&text.replace("{ pthread_t t", "{ pthread_barrier_init(&b, 0, 2); pthread_t t"));
}

#[test]
fn arrivals_at_a_barrier_commute() {
    let at_barrier = |size: usize, bodies: &[&str], after: &str| {
        let init = format!("{{ pthread_barrier_init(&b, 0, {size}); pthread_t t");
        threads("pthread_barrier_t b; atomic_int x;", bodies, after).replace("{ pthread_t t", &init)
    };
    let twice = "pthread_barrier_wait(&b); pthread_barrier_wait(&b)";
    assert_eq!(count(&at_barrier(4, &[twice; 4], "")), (1, 0));
    // Two threads learn whether they were the last ones.
    let looks = "if (pthread_barrier_wait(&b)) x = 1";
    let waits = "pthread_barrier_wait(&b)";
    assert_eq!(count(&at_barrier(2, &[looks, waits], "")), (2, 0));
    // Two of three threads continue together, whichever they are.
    let stuck = "x++; pthread_barrier_wait(&b); assert(x != 2 && x != 1)";
    let text = at_barrier(2, &[stuck; 3], "");
    let found = violations(&text);
    assert!(found.iter().any(|violation| violation.kind == Assertion), "{found:?}");
    assert!(found.iter().any(|violation| violation.kind == Deadlock), "{found:?}");
}

#[test]
fn additions_whose_results_are_unused_commute_for_observers() {
    let executions = |add: &str| {
        let program = program(&threads("atomic_int x;", &[add; 4], "assert(x == 4);"));
        let count = |algorithm| check(&program, algorithm).executions;
        (count(Algorithm::Optimal), count(Algorithm::Observers))
    };
    assert_eq!(executions("atomic_fetch_add(&x, 1)"), (24, 1));
    assert_eq!(executions("x++"), (24, 1));
    assert_eq!(executions("int old = atomic_fetch_add(&x, 1); assert(old < 4)"), (24, 24));
}

#[test]
fn once_and_keys() {
    let once = "pthread_once(&o, init); assert(x == 1)";
    let globals = "pthread_once_t o = PTHREAD_ONCE_INIT; int x; void init(void) { x++; }";
    let text = threads(globals, &[once, once], "assert(x == 1);");
    assert_eq!(count(&text), (2, 0));
    passes(&text);
    passes(
        "pthread_key_t key; atomic_int destroyed;
         void destroy(void *value) { destroyed += (int)(intptr_t)value; }
         void *f(void *arg) {
             assert(pthread_getspecific(key) == 0);
             pthread_setspecific(key, arg);
             assert(pthread_getspecific(key) == arg);
             return 0;
         }
         int main(void) {
             pthread_t a, b; pthread_key_create(&key, destroy);
             pthread_create(&a, 0, f, (void *)1); pthread_create(&b, 0, f, (void *)2);
             pthread_join(a, 0); pthread_join(b, 0);
             assert(destroyed == 3); return 0;
         }",
    );
}

#[test]
fn thread_local_variables() {
    passes(
        "_Thread_local int mine = 5; int *_Atomic other;
         void *f(void *arg) { assert(mine == 5); mine = 6; return (void *)(intptr_t)mine; }
         int main(void) {
             pthread_t t; void *r; mine = 7;
             pthread_create(&t, 0, f, 0); pthread_join(t, &r);
             assert(mine == 7 && r == (void *)6); return 0;
         }",
    );
}

#[test]
fn atomic_blocks_are_one_step() {
    let begin = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x;
                 void __VERIFIER_atomic_add(void) { x = x + 1; }";
    let block = "__VERIFIER_atomic_begin(); int r = x; x = r + 1; __VERIFIER_atomic_end()";
    assert_eq!(count(&threads(begin, &[block, block], "assert(x == 2);")), (2, 0));
    let function = "__VERIFIER_atomic_add()";
    assert_eq!(count(&threads(begin, &[function, function], "assert(x == 2);")), (2, 0));
    fails(
        &threads(begin, &["x = x + 1", "x = x + 1"], "assert(x == 2);"),
        Assertion,
        "assertion `x == 2` failed",
    );
}

const SECTIONS: &str = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
                        int __VERIFIER_nondet_bool(void); atomic_int x, y; int c, d, wrote;";

/// What a section accesses may depend on what it reads. Nine orders differ: of the section and the first thread,
/// and of the writes to `y` and the two reads.
#[test]
fn an_atomic_section_may_branch() {
    let bodies = [
        "x = 1; y = 6",
        "__VERIFIER_atomic_begin(); if (x == 0) { y = 7; wrote = 1; } __VERIFIER_atomic_end()",
        "c = y; d = y",
    ];
    let whole = program(&threads(SECTIONS, &bodies, ""));
    for algorithm in ALGORITHMS.into_iter().filter(|algorithm| *algorithm != Algorithm::Naive) {
        assert_eq!(check(&whole, algorithm).executions, 9, "{algorithm}");
    }
    let reached = [(0, 0, 0), (0, 0, 6), (0, 6, 6), (1, 0, 0), (1, 0, 7)];
    let others = [(1, 0, 6), (1, 7, 7), (1, 7, 6), (1, 6, 6)];
    for (wrote, c, d) in reached.into_iter().chain(others) {
        let assertion = format!("assert(!(wrote == {wrote} && c == {c} && d == {d}));");
        let program = program(&threads(SECTIONS, &bodies, &assertion));
        for algorithm in ALGORITHMS {
            let found = check(&program, algorithm).violations.len();
            assert_eq!(found, 1, "{algorithm} with {assertion}");
        }
    }
}

#[test]
fn choices_in_atomic_sections() {
    let first = "__VERIFIER_atomic_begin(); int a = __VERIFIER_nondet_bool(), b = \
                 __VERIFIER_nondet_bool(); x = a; y = b; __VERIFIER_atomic_end()";
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let assertion = format!("assert(!(x == {a} && y == {b}));");
        fails(&threads(SECTIONS, &[first], &assertion), Assertion, "assertion");
    }
    let later = "__VERIFIER_atomic_begin(); x = 1; if (__VERIFIER_nondet_bool()) y = 1; \
                 __VERIFIER_atomic_end()";
    fails(
        &threads(SECTIONS, &[later, "c = x"], ""),
        Unsupported,
        "a thread chooses in the middle of an atomic section",
    );
}

#[test]
fn spin_loops_end() {
    let globals = "int flag[2], turn, inside;";
    let enter = |me: u32, other: u32| {
        format!(
            "flag[{me}] = 1; turn = {other}; while (flag[{other}] && turn == {other}); \
             inside++; assert(inside == 1); inside--; flag[{me}] = 0"
        )
    };
    passes(&threads(globals, &[&enter(0, 1), &enter(1, 0)], ""));
    let lock = "atomic_int lock; int x;";
    let spins = "int free = 0; while (!atomic_compare_exchange_strong(&lock, &free, 1)) free = 0; \
                 x++; lock = 0";
    let text = threads(lock, &[spins, spins], "assert(x == 2);");
    passes(&text);
    going_back_restores_everything(&program(&text), 100);
}

#[test]
fn calling_a_function_twice_is_no_spin_loop() {
    passes(
        "int x; int wait(int n) { int r = 0; for (int i = 0; i < n; i++) r += x; return r; }
         void *f(void *arg) { int a = wait(2); int b = wait(2); int c = wait(2); return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; pthread_join(t, 0); }",
    );
}

#[test]
fn choices() {
    let text = "_Bool __VERIFIER_nondet_bool(void); int __VERIFIER_nondet_int(void); int x;
        int main(void) {
            int a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_int();
            assert(b >= -2 && b <= 3); __VERIFIER_assume(a || b == 0);
            return 0;
        }";
    let options = LlvmOptions { nondet: Some((-2, 3)), ..LlvmOptions::default() };
    let verdict = check(&program_with(text, options), Algorithm::Optimal);
    assert_eq!((verdict.executions, verdict.blocked), (6 + 1, 5));
    assert_eq!(verdict.violations, []);
}

#[test]
fn structs_are_copied_word_by_word() {
    let globals = "struct { long a, b; } x, y;";
    let text = threads(globals, &["x = y", "y.a = 1; y.b = 1"], "assert(x.a == x.b);");
    fails(&text, Assertion, "assertion `x.a == x.b` failed");
    passes(&text.replace("x.a == x.b", "x.a >= 0 && x.b >= 0"));
    going_back_restores_everything(&program(&text), 100);
}

#[test]
fn private_memory_is_not_seen() {
    let quiet = "int *p = malloc(40), s = 0; for (int i = 0; i < 10; i++) p[i] = i; \
                 for (int i = 0; i < 10; i++) s += p[i]; free(p); x = s";
    let text = threads("int x;", &[quiet, quiet], "assert(x == 45);");
    let verdict = check(&program(&text), Algorithm::Optimal);
    assert_eq!((verdict.executions, verdict.max_depth), (2, 3));
    // What is given away by a pointer within is seen.
    let chain = "struct n { struct n *next; int v; } *_Atomic head;";
    let give = "struct n *a = malloc(16), *b = malloc(16); b->v = 1; b->next = 0; a->next = b; \
                head = a; b->v = 2";
    let look = "struct n *a = head; if (a) { int v = a->next->v; assert(v == 1); }";
    fails(&threads(chain, &[give, look], ""), Assertion, "assertion `v == 1` failed");
}

#[test]
fn what_a_program_does_at_its_end() {
    let text = "#include <stdio.h>
        int x; void bye(void) { x = 1; } void check(void) { assert(x == 1); }
        int main(void) { atexit(check); atexit(bye); return 4; }";
    passes(text);
    let machine = mazurka_core::model::Program::start(&program(text)).unwrap();
    assert_eq!(machine.exit_code(), Some(4));
}

#[test]
fn every_program_can_be_undone() {
    for text in [
        threads(
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x; int *_Atomic p;",
            &[
                "int l = 1; p = &l; pthread_mutex_lock(&m); x += l; pthread_mutex_unlock(&m); p = 0",
                "int *q = malloc(8); *q = 3; p = q; pthread_mutex_lock(&m); x += *q; \
                 pthread_mutex_unlock(&m)",
                "struct { int a[3]; } s = {{1, 2, 3}}; pthread_mutex_lock(&m); \
                 for (int i = 0; i < 3; i++) x += s.a[i]; pthread_mutex_unlock(&m)",
            ],
            "",
        ),
        "int x; int f(int n) { int a[2] = {n, x}; return n ? f(n - 1) + a[1] : x; }
         void *t(void *arg) { int r = f(3); x = r; return 0; }
         int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0);
         pthread_create(&b, 0, t, 0); x = 1; pthread_join(a, 0); pthread_join(b, 0); }"
            .to_owned(),
    ] {
        going_back_restores_everything(&program(&text), 300);
    }
}

/// The fingerprints of all states that a program can get into, and how many steps led to a new one.
fn states(text: &str, most: usize) -> usize {
    use mazurka_core::model::{Machine, Performed, Program};
    let mut machine = program(text).start().unwrap();
    let mut seen = std::collections::HashSet::from([machine.fingerprint().unwrap()]);
    let mut open = vec![Vec::new()];
    let mut performed = Performed::default();
    while let Some(path) = open.pop() {
        let steps: Vec<_> = {
            machine.rewind(0).unwrap();
            for step in &path {
                performed.clear();
                machine.step(*step, &mut performed).unwrap();
            }
            common::enabled(&machine)
        };
        for step in steps {
            performed.clear();
            let _ = machine.step(step, &mut performed);
            if seen.insert(machine.fingerprint().unwrap()) {
                let mut path = path.clone();
                path.push(step);
                open.push(path);
            }
            machine.rewind(path.len()).unwrap();
        }
        assert!(seen.len() <= most, "more than {most} states");
    }
    seen.len()
}

#[test]
fn states_are_told_apart_and_no_more() {
    // Every thread has or has not written: the order does not matter.
    let globals = "int x, y, z;";
    assert_eq!(states(&threads(globals, &["x = 1", "y = 1", "z = 1"], ""), 8), 8);
    // A loop that comes back to where it was has been there.
    let toggles = threads("int x;", &["for (;;) { x = 1; x = 0; }"], "");
    assert_eq!(states(&toggles, 10), 2);
    // So has one that allocates anew every time (to free what was given away is a step), and one
    // that calls functions with locals.
    let allocates = "for (;;) { int *p = malloc(4); *p = 7; x = p; x = 0; free(p); }";
    assert_eq!(states(&threads("int *_Atomic x;", &[allocates], ""), 10), 3);
    let calls = "int x; void f(int *p) { *p = 1; } void g(void) { int l; f(&l); x = l; x = 0; }";
    assert_eq!(states(&threads(calls, &["for (;;) g()"], ""), 10), 2);
    // A counter never comes back.
    let text = threads("unsigned char x;", &["for (;;) x++"], "");
    assert_eq!(states(&text, 600), 512);
}

/// Large objects are digested in chunks, which are kept until they change.
#[test]
fn states_of_large_objects_are_told_apart_and_no_more() {
    let table = "int table[1000];";
    let writes = ["table[3] = 1", "table[500] = 1", "table[999] = 1"];
    assert_eq!(states(&threads(table, &writes, ""), 8), 8);
    let toggles = ["for (;;) { table[70] = 1; table[70] = 0; }", "table[71] = 1; table[72] = 2"];
    assert_eq!(states(&threads(table, &toggles, ""), 10), 6);
    // Wherever such an object is, and whatever was there before.
    let allocates =
        "for (;;) { int *p = malloc(4000); p[77] = 7; x = p; p[78] = 1; x = 0; free(p); }";
    assert_eq!(states(&threads("int *_Atomic x;", &[allocates], ""), 10), 4);
    let both = [allocates, "int *p = malloc(44); y = p"];
    assert_eq!(states(&threads("int *_Atomic x; int *_Atomic y;", &both, ""), 20), 8);
    // An address among the numbers counts by what it leads to.
    let leads = "for (;;) { int *p = malloc(4); table[300] = p; *p = 1; table[300] = 0; free(p); }";
    assert_eq!(states(&threads("int *table[1000];", &[leads], ""), 10), 4);
}

/// Programs that loop have the states that a model of them has, in which a thread is where it is, and
/// nothing else is left of how it came there.
#[test]
fn loops_leave_nothing_behind() {
    // Lamport's fast mutex, that starts over instead of waiting.
    let enters = |me: u32| {
        format!(
            "for (;;) {{ b{me} = 1; x = {me}; if (y != 0) {{ b{me} = 0; continue; }}
             y = {me}; if (x != {me}) {{ b{me} = 0; if (y != {me}) continue; }} break; }}
             z = {me} - 1; y = 0; b{me} = 0"
        )
    };
    let text = threads("volatile int x, y, z, b1, b2;", &[&enters(1), &enters(2)], "");
    assert_eq!(states(&text, 328), 328);
}

/// Producers and a consumer, who lock, look, and change a counter, for ever: the same.
#[test]
fn locks_leave_nothing_behind() {
    let locks = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, l = PTHREAD_MUTEX_INITIALIZER;
                 int x, y;";
    let round = |lock: &str, what: &str| {
        format!("pthread_mutex_lock(&{lock}); {what}; pthread_mutex_unlock(&{lock});")
    };
    let forever = |rounds: &[String]| format!("for (;;) {{ {} }}", rounds.concat());
    let one = [
        forever(&[round("m", "if (x < 6) x += 1")]),
        forever(&[round("m", "if (x < 6) x += 2")]),
        forever(&[round("m", "if (x > 0) x -= 1")]),
    ];
    assert_eq!(states(&threads(locks, &one.each_ref().map(String::as_str), ""), 90), 90);
    let two = [
        forever(&[round("m", "if (x < 2) x += 1")]),
        forever(&[round("l", "if (y < 2) y += 2")]),
        forever(&[round("m", "if (x > 0) x -= 1"), round("l", "if (y > 0) y -= 1")]),
    ];
    assert_eq!(states(&threads(locks, &two.each_ref().map(String::as_str), ""), 618), 618);
}

#[test]
fn hidden_addresses_are_found_out() {
    use mazurka_core::model::Lesson;
    use mazurka_report::Run;
    // The pointer is given away in a disguise.
    let globals = "atomic_ulong x;";
    let text = threads(
        globals,
        &[
            "int *p = malloc(4); *p = 1; x = (unsigned long)p ^ -1ul; *p = 2",
            "unsigned long y = x; if (y) { int *p = (int *)(y ^ -1ul); int v = *p; assert(v == 1); }",
        ],
        "",
    );
    let program = program(&text);
    let options = mazurka_core::search::Options {
        data_races: mazurka_core::search::DataRaces::Ignore,
        ..Default::default()
    };
    let run = Run::check(&program, &options, &mut ());
    let lessons: Vec<Lesson> = run.verdict.restarts.iter().map(|restart| restart.lesson).collect();
    assert_eq!(lessons, [Lesson::HiddenAddresses]);
    let violations = &run.verdict.violations;
    assert_eq!(violations.len(), 1, "{violations:?}");
    assert!(violations[0].message.starts_with("assertion `v == 1` failed"), "{}", violations[0]);
}

#[test]
fn parts_of_a_struct_are_apart_although_all_of_it_is_freed() {
    let record = "struct { int a, b, x; } *s;
        __attribute__((constructor)) static void make(void) { s = calloc(1, sizeof *s); }";
    let bodies = ["s->a = 1; s->x = 1", "s->b = 1; s->x = 2"];
    let program = program(&threads(record, &bodies, "free(s);"));
    for algorithm in [Algorithm::Source, Algorithm::Optimal] {
        assert_eq!(check(&program, algorithm).executions, 2, "{algorithm}");
    }
}

#[test]
fn a_copy_of_a_struct_races_with_a_write_to_a_part() {
    // That the two overlap shows only in an execution that has them both.
    let record = "struct record { int a, b; } r, copy;";
    let program = program(&threads(record, &["copy = r", "r.b = 1"], "assert(copy.b == 0);"));
    for algorithm in Algorithm::ALL {
        let violations = check(&program, algorithm).violations;
        assert!(violations.iter().any(|v| v.kind == Assertion), "{algorithm}: {violations:?}");
    }
}
