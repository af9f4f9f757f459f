//! Every kind of violation: a program that has it, and one that nearly does.

mod common;

use common::{check, fails, passes, program, program_with, violations, violations_of};
use mazurka_core::search::Algorithm;
use mazurka_core::verdict::ViolationKind::{
    Abort, Assertion, Deadlock, InvalidMemory, Leak, Livelock, LockMisuse, UndefinedBehaviour,
    Unsupported,
};
use mazurka_llvm::LlvmOptions;
use mazurka_report::Subject;

/// Two threads and a `main` that joins them.
fn two(globals: &str, first: &str, second: &str) -> String {
    format!(
        "{globals}
void *first(void *arg) {{ {first} return 0; }}
void *second(void *arg) {{ {second} return 0; }}
int main(void) {{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}}"
    )
}

fn alone(body: &str) -> String {
    format!("int main(void) {{ {body} return 0; }}")
}

#[test]
fn assertions() {
    let program = |bound| two("int x;", "x = 1;", &format!("assert(x < {bound});"));
    fails(&program(1), Assertion, "assertion `x < 1` failed, at test.c:3:");
    passes(&program(2));
    fails(&alone("abort();"), Abort, "the program calls `abort`");
    fails(
        "void reach_error(void); int x;
         void *t(void *u) { x = 1; return 0; }
         int main(void) { pthread_t t1; pthread_create(&t1, 0, t, 0);
         if (x) reach_error(); return 0; }",
        Assertion,
        "the program has reached an error",
    );
}

#[test]
fn a_schedule_means_the_same_to_a_machine_that_has_run_nothing_else() {
    // Which of the two starts a thread first is a matter of the schedule, and so are the ids.
    let parent = |number: u32| {
        format!(
            "int arrival = atomic_fetch_add(&arrivals, 1); pthread_t t;
             pthread_create(&t, 0, child, (void *)(long)({number} * 10 + arrival));
             pthread_join(t, 0);"
        )
    };
    let globals = "_Atomic int arrivals, order;
        void *child(void *arg) { order = order * 100 + (int)(long)arg;
                                 assert(order != 2011 && order != 1120); return 0; }";
    let program = program_with(&two(globals, &parent(1), &parent(2)), LlvmOptions::default());
    let violations = violations_of(&program);
    assert!(!violations.is_empty());
    for violation in violations {
        let recorded = program.record(&violation.schedule).violation.expect("it fails again");
        assert_eq!(recorded.message, violation.message);
    }
}

#[test]
fn arithmetic() {
    fails(&two("int x = 1;", "x = 0;", "x = 5 / x;"), UndefinedBehaviour, "division by zero");
    passes(&two("int x = 1;", "x = 2;", "x = 5 / x;"));
}

#[test]
fn deadlocks() {
    let locks = "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;";
    let order = |first: &str, second: &str| {
        format!(
            "pthread_mutex_lock(&{first}); pthread_mutex_lock(&{second}); \
             pthread_mutex_unlock(&{second}); pthread_mutex_unlock(&{first});"
        )
    };
    let message = "no thread can go on
  main waits for the end of thread 1 (first), at test.c:8:5
  thread 1 (first) waits for b, held by thread 2 (second), at test.c:2:";
    fails(&two(locks, &order("a", "b"), &order("b", "a")), Deadlock, message);
    passes(&two(locks, &order("a", "b"), &order("a", "b")));
    fails(
        &alone(
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
             pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
        ),
        Deadlock,
        "no thread can go on",
    );
}

#[test]
fn lost_wakeups_are_deadlocks() {
    let globals = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
                   pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;";
    let signals = "pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m);
                   pthread_cond_signal(&c);";
    let waits = |test: &str| {
        format!(
            "pthread_mutex_lock(&m); {test} pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);"
        )
    };
    fails(&two(globals, &waits(""), signals), Deadlock, "no thread can go on");
    passes(&two(globals, &waits("while (!ready)"), signals));
}

#[test]
fn livelocks() {
    fails(
        &two("atomic_int x;", "while (!x);", "if (x) x = 1;"),
        Livelock,
        "a thread spins for ever: no other thread can change what it reads
  main waits for the end of thread 1 (first), at test.c:8:5
  thread 1 (first) spins until another thread changes x, at test.c:2:",
    );
    passes(&two("atomic_int x;", "while (!x);", "x = 1;"));
}

#[test]
fn running_for_ever() {
    let options = || LlvmOptions { local_steps: 1000, ..LlvmOptions::default() };
    let program = |n| {
        let text = alone(&format!("volatile int i = 0; while (i < {n}) i++;"));
        violations_of(&program_with(&text, options()))
    };
    let violations = program(2000);
    assert_eq!(violations[0].kind, Unsupported);
    assert!(violations[0].message.starts_with("a thread runs on and on"), "{}", violations[0]);
    assert!(program(100).is_empty());
    let endless = "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }";
    fails(endless, InvalidMemory, "the stack is full");
    passes(
        "int f(int n) { return n ? f(n - 1) + 1 : 0; } int main(void) { return f(9999) != 9999; }",
    );
}

#[test]
fn bounds() {
    let at = |index: &str| alone(&format!("int a[4]; a[{index}] = 1; return a[{index}] - 1;"));
    fails(&at("4"), InvalidMemory, "4 bytes at offset 16 of `a`, which has 16 bytes, at test.c:1:");
    fails(&at("-1"), InvalidMemory, "4 bytes at offset -4 of `a`, which has 16 bytes");
    passes(&at("3"));
    let heap = |size: u32| alone(&format!("char *p = malloc({size}); p[7] = 1; free(p);"));
    fails(&heap(7), InvalidMemory, "1 byte at offset 7 of the memory allocated at test.c:1:");
    passes(&heap(8));
    fails(
        &alone("char a[4], b[8] = {0}; memcpy(a, b, 5);"),
        InvalidMemory,
        "5 bytes at offset 0 of `a`, which has 4 bytes",
    );
    // Both threads may be out of bounds, in one order only.
    let racy = |limit| {
        two("int a[2]; int n;", "n = 1;", &format!("n = n + 1; if (n <= {limit}) a[n] = 1;"))
    };
    fails(&racy(2), InvalidMemory, "4 bytes at offset 8 of `a`, which has 8 bytes");
    passes(&racy(1));
}

#[test]
fn null_and_garbage() {
    fails(&alone("int *p = 0; *p = 1;"), InvalidMemory, "the null pointer is used, at test.c:1:");
    fails(
        &alone("struct { int a, b; } *p = 0; p->b = 1;"),
        InvalidMemory,
        "the null pointer is used, with an offset of 4",
    );
    fails(&alone("int *p = (int *)0x12345678; *p = 1;"), InvalidMemory, "0x12345678 is used as");
    fails(&alone("int *p; *p = 1;"), InvalidMemory, "a pointer is used that was never written");
    fails(
        &alone("int **p = malloc(8); *p[0] = 1;"),
        InvalidMemory,
        "the pointer `int*@1` is used, but was never written",
    );
    passes(&alone("int x, *p = &x; *p = 1; int **q = malloc(8); *q = p; *q[0] = 2; free(q);"));
    fails(&alone("void (*f)(void) = 0; f();"), InvalidMemory, "a call of the null pointer");
    fails(&alone("int x; ((void (*)(void))&x)();"), InvalidMemory, "a call of 0x");
    fails(&alone("*(int *)&abort = 1;"), InvalidMemory, "a function is used as data");
}

#[test]
fn constants() {
    fails(&alone("*(char *)\"abc\" = 1;"), InvalidMemory, "`.str` is written, but is constant");
    passes(&alone("char a[] = \"abc\"; *a = 1;"));
}

#[test]
fn lifetimes() {
    fails(
        &alone("int *p = malloc(4); free(p); *p = 1;"),
        InvalidMemory,
        "the memory allocated at test.c:1:27 is used after it was freed (at test.c:1:",
    );
    fails(
        &alone("int *p = malloc(4); free(p); free(p);"),
        InvalidMemory,
        "the memory allocated at",
    );
    fails(&alone("int x; free(&x);"), InvalidMemory, "`x` is freed, but was not allocated");
    fails(
        &alone("char *p = malloc(4); free(p + 1);"),
        InvalidMemory,
        "the memory allocated at test.c:1:28 is freed by a pointer that is 1 bytes into it",
    );
    passes(&alone("int *p = malloc(4); *p = 1; free(p); free(0);"));
    let returned = "int *f(void) { int x = 1; return &x; } int g(void) { int y = 2; return *&y; }";
    fails(
        &format!("{returned} int main(void) {{ int *p = f(); return *p; }}"),
        InvalidMemory,
        "a local variable is used after its function has returned",
    );
    fails(
        &format!("{returned} int main(void) {{ int *p = f(); g(); return *p; }}"),
        InvalidMemory,
        "a local variable is used after its function has returned",
    );
    passes("int f(int *p) { return *p; } int main(void) { int x = 0; return f(&x); }");
}

#[test]
fn lifetimes_across_threads() {
    let globals = "int *_Atomic p;";
    let user = "int *q = p; if (q) *q = 2;";
    fails(
        &two(globals, "int *q = malloc(4); *q = 1; p = q; free(q);", user),
        InvalidMemory,
        "the memory allocated at test.c:2:",
    );
    passes(&two(globals, "int *q = malloc(4); *q = 1; p = q;", user));
    fails(
        &two(globals, "int x = 1; p = &x;", user),
        InvalidMemory,
        "`x` is used after the end of its lifetime",
    );
    passes(&two(globals, "static int x = 1; p = &x;", user));
}

#[test]
fn leaks() {
    let check = |text: &str, leaks| {
        let options = LlvmOptions { leaks, ..LlvmOptions::default() };
        violations_of(&program_with(&alone(text), options))
    };
    let leak = check("malloc(10);", true);
    assert_eq!(leak[0].kind, Leak);
    assert!(leak[0].message.contains("(10 bytes) is never freed"), "{}", leak[0]);
    assert!(check("malloc(10);", false).is_empty());
    assert!(check("free(malloc(10));", true).is_empty());
}

#[test]
fn misaligned_atomics() {
    let program = |by| {
        alone(&format!(
            "char a[16]; _Atomic int *p = (_Atomic int *)(a + {by}); *p = 1; return *p - 1;"
        ))
    };
    fails(&program(1), InvalidMemory, "an atomic access to 4 bytes of `a` is not aligned");
    passes(&program(4));
}

#[test]
fn misuse_of_locks() {
    let m = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
    let body = |text: &str| alone(&format!("{m} {text}"));
    fails(&body("pthread_mutex_unlock(&m);"), LockMisuse, "a mutex is unlocked that is not held");
    fails(
        &body("pthread_mutex_lock(&m); pthread_mutex_destroy(&m);"),
        LockMisuse,
        "a mutex is destroyed that is held",
    );
    fails(
        &body("pthread_mutex_destroy(&m); pthread_mutex_lock(&m);"),
        LockMisuse,
        "a destroyed mutex is locked",
    );
    passes(&body("pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_destroy(&m);"));
    let not_mine = violations(&two(m, "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"));
    let messages: Vec<_> = not_mine.iter().map(|violation| &violation.message[..]).collect();
    assert_eq!(not_mine.iter().filter(|violation| violation.kind == LockMisuse).count(), 2);
    assert!(messages[0].starts_with("a mutex is unlocked that is held by thread 1 (first)"));
    assert!(messages[1].starts_with("a mutex is unlocked that is not held"));
    let checked = "pthread_mutexattr_t a; pthread_mutexattr_init(&a);
                   pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
                   pthread_mutex_t m; pthread_mutex_init(&m, &a); pthread_mutex_lock(&m);";
    passes(&alone(&format!("{checked} assert(pthread_mutex_lock(&m) == EDEADLK);")));
    passes(&alone(&format!("{checked} pthread_mutex_unlock(&m);")));
    let wait = "pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_cond_wait(&c, &m);";
    fails(&body(wait), LockMisuse, "a mutex is unlocked that is not held");
    let rwlock = "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;";
    fails(
        &alone(&format!("{rwlock} pthread_rwlock_unlock(&l);")),
        LockMisuse,
        "a reader-writer lock is unlocked that is not held",
    );
    let joined = "void *f(void *u) { return 0; }
                  int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);";
    fails(&format!("{joined} pthread_join(t, 0); }}"), LockMisuse, "thread 1 (f) is joined, but");
    passes(&format!("{joined} }}"));
}

/// Everything that must not be done to a synchronisation object before or after its life.
#[test]
fn lives_of_locks() {
    let objects = [
        ("pthread_mutex_t", "mutex", "pthread_mutex_init(&o, 0)", "pthread_mutex_destroy(&o)"),
        (
            "pthread_cond_t",
            "condition variable",
            "pthread_cond_init(&o, 0)",
            "pthread_cond_destroy(&o)",
        ),
        (
            "pthread_rwlock_t",
            "reader-writer lock",
            "pthread_rwlock_init(&o, 0)",
            "pthread_rwlock_destroy(&o)",
        ),
        (
            "pthread_barrier_t",
            "barrier",
            "pthread_barrier_init(&o, 0, 1)",
            "pthread_barrier_destroy(&o)",
        ),
        ("sem_t", "semaphore", "sem_init(&o, 0, 1)", "sem_destroy(&o)"),
    ];
    for (ty, what, init, destroy) in objects {
        let body = |text: &str| {
            format!("#include <semaphore.h>\nint main(void) {{ {ty} o; {init}; {text} }}")
        };
        passes(&body(&format!("{destroy}; {init}; {destroy};")));
        // A copy is not initialised, and may be.
        passes(&body(&format!("{ty} p = o; {destroy}; o = p;")));
        let twice = format!("a {what} is initialised twice");
        fails(&body(&format!("{init};")), LockMisuse, &twice);
        let again = format!("a destroyed {what} is destroyed again");
        fails(&body(&format!("{destroy}; {destroy};")), LockMisuse, &again);
    }
    let uses = [
        ("pthread_mutex_t o", "pthread_mutex_destroy", "pthread_mutex_lock(&o)", "mutex is locked"),
        (
            "pthread_mutex_t o",
            "pthread_mutex_destroy",
            "pthread_mutex_trylock(&o)",
            "mutex is locked",
        ),
        (
            "pthread_rwlock_t o",
            "pthread_rwlock_destroy",
            "pthread_rwlock_rdlock(&o)",
            "reader-writer lock is locked",
        ),
        (
            "pthread_cond_t o",
            "pthread_cond_destroy",
            "pthread_cond_signal(&o)",
            "condition variable is signalled",
        ),
        (
            "pthread_cond_t o",
            "pthread_cond_destroy",
            "pthread_cond_broadcast(&o)",
            "condition variable is signalled",
        ),
        ("sem_t o", "sem_destroy", "sem_post(&o)", "semaphore is posted"),
        ("sem_t o", "sem_destroy", "sem_trywait(&o)", "semaphore is waited for"),
        (
            "pthread_barrier_t o",
            "pthread_barrier_destroy",
            "pthread_barrier_wait(&o)",
            "barrier is waited at",
        ),
        (
            "pthread_spinlock_t o",
            "pthread_spin_destroy",
            "pthread_spin_lock(&o)",
            "spin lock is locked",
        ),
        (
            "pthread_spinlock_t o",
            "pthread_spin_destroy",
            "pthread_spin_unlock(&o)",
            "spin lock is unlocked",
        ),
    ];
    for (object, destroy, call, message) in uses {
        let globals = format!("#include <semaphore.h>\n{object};");
        // The other thread may come first, and be right.
        let text = two(&globals, &format!("{destroy}(&o);"), &format!("{call};"));
        let violations = violations(&text);
        let message = format!("a destroyed {message}");
        assert!(
            violations.iter().any(|v| v.message.starts_with(&message)),
            "{message}: {violations:#?}"
        );
    }
}

#[test]
fn what_is_not_known() {
    fails(
        "int mystery(int); int main(void) { return mystery(1); }",
        Unsupported,
        "a call of `mystery`, which the program does not define and Mazurka does not know",
    );
    passes("int mystery(int); int x; int main(void) { return x ? mystery(1) : 0; }");
    let nondet =
        "int __VERIFIER_nondet_int(void); int main(void) { int x = __VERIFIER_nondet_int();";
    let message = "a branch depends on any value of `__VERIFIER_nondet_…`";
    fails(&format!("{nondet} return x > 3 ? 1 : 0; }}"), Unsupported, message);
    passes(&format!("{nondet} int y = x + 1; return y; }}"));
}

/// A library function that fails because another thread has freed its memory is tried in other orders, too.
#[test]
fn every_explorer_finds_each_order_of_two_frees() {
    let text = two(
        "int *_Atomic shared;",
        "int *q = calloc(2, 4); shared = q; *q = 0; q = shared; if (q) free(q);",
        "int *q = shared; if (q) free(q);",
    );
    assert_eq!(violations(&text).len(), 3);
    let text = two(
        "#include <string.h>\nchar *_Atomic shared; int length;",
        "char *q = calloc(4, 1); shared = q; free(q); q = calloc(2, 1); shared = q;",
        "char *q = shared; if (q) { length = strlen(q); assert(length > 0); }",
    );
    let found = violations(&text);
    let count = |kind| found.iter().filter(|violation| violation.kind == kind).count();
    assert_eq!((count(InvalidMemory), count(Assertion)), (1, 1), "{found:#?}");
}

/// A report says where the memory was freed before. So states in which it was freed at different places
/// are different, and `unfolding` does not cut off the second one.
#[test]
fn every_explorer_finds_each_place_of_an_earlier_free() {
    let second = "shared = malloc(4);
                  int *q = shared; if (q) free(q);
                  int *r = shared; if (r) free(r);";
    let first = "int *q = malloc(4); shared = q; q = atomic_exchange(&shared, 0);
                 if (q) { int value = *q; free(q); }";
    let found = violations(&two("int *_Atomic shared;", first, second));
    let twice = found.iter().filter(|violation| violation.message.contains("is freed twice"));
    assert_eq!(twice.count(), 8, "{found:#?}");
}

/// A wait that fails because its mutex is destroyed may succeed in another order, and then has a smaller
/// footprint.
#[test]
fn a_mutex_is_destroyed_while_two_threads_wait() {
    let wait =
        "pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &soon); pthread_mutex_unlock(&m);";
    let text = format!(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
         struct timespec soon;
         void *waits(void *arg) {{ {wait} return 0; }}
         void *destroys(void *arg) {{ pthread_mutex_destroy(&m); return 0; }}
         int main(void) {{
             pthread_t a, b, d;
             pthread_create(&d, 0, destroys, 0);
             pthread_create(&a, 0, waits, 0);
             pthread_create(&b, 0, waits, 0);
             pthread_join(d, 0); pthread_join(a, 0); pthread_join(b, 0);
         }}"
    );
    violations(&text);
    let verdict = check(&program(&text), Algorithm::Optimal);
    assert_eq!((verdict.executions, verdict.blocked), (44, 0));
}
