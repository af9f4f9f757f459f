//! What random programs are about: templates of statements.
//!
//! In a template, `#i` stands for an index of a shared variable, `#n` for a small number and `#s` for a statement
//! on memory.

/// What a program is about.
pub(super) struct Topic {
    pub(super) name: &'static str,
    pub(super) statements: &'static [&'static str],
}

/// The topic of programs that read a clock.
pub(crate) const TIME: &str = "time";

/// Topics whose statements only access memory, so that they can stand inside of others.
pub(super) const MEMORY: [Topic; 4] = [
    Topic {
        name: "atomics",
        statements: &[
            "x[#i] = #n;",
            "r = 3 * r + x[#i];",
            "x[#i] = x[#i] + 1;",
            "if (x[#i] == #n) x[#i] = r; else r += 1;",
            "r = 3 * r + atomic_fetch_add(&x[#i], #n);",
            "atomic_fetch_sub(&x[#i], 1);",
            "r += atomic_fetch_or(&x[#i], #n);",
            "r += atomic_fetch_and(&x[#i], #n);",
            "r += atomic_fetch_xor(&x[#i], #n);",
            "r = 3 * r + atomic_exchange(&x[#i], #n);",
            "{ int e = #n; r += atomic_compare_exchange_strong(&x[#i], &e, #n); r += 3 * e; }",
            "{ int e = #n; if (!atomic_compare_exchange_weak(&x[#i], &e, 2)) r += 5; }",
            "atomic_store_explicit(&x[#i], #n, memory_order_relaxed);",
            "r = 3 * r + atomic_load_explicit(&x[#i], memory_order_acquire);",
            "atomic_thread_fence(memory_order_seq_cst);",
            "r += atomic_flag_test_and_set(&flag);",
            "atomic_flag_clear(&flag);",
            "assert(x[#i] < 2);",
        ],
    },
    Topic {
        name: "sizes",
        statements: &[
            "a1 = #n;",
            "a2 += #n;",
            "r = 3 * r + a1;",
            "r = 3 * r + a2;",
            "r = 3 * r + atomic_fetch_add(&a1, 200);",
            "r = 3 * r + atomic_fetch_sub(&a2, #n);",
            "{ unsigned short e = #n; r += atomic_compare_exchange_strong(&a2, &e, 7); }",
            "a8 = #n;",
            "r = 3 * r + atomic_exchange(&a8, #n);",
            "r += a8;",
            "ab = #n;",
            "if (ab) r += 1;",
            "{ long e = #n; r += atomic_compare_exchange_strong(&a8, &e, -1); }",
        ],
    },
    Topic {
        name: "plain",
        statements: &[
            "d[#i] = #n;",
            "r = 3 * r + d[#i];",
            "d[#i] += 1;",
            "if (d[#i] == #n) d[#i] = 2;",
            "pair[#i].a = #n;",
            "r += pair[#i].a + 2 * pair[#i].b;",
            "pair[#i] = pair[#i];",
            "{ struct pair p = {d[#i], #n}; pair[#i] = p; }",
            "assert(d[#i] != 2);",
        ],
    },
    Topic {
        name: "overlaps",
        statements: &[
            "u.whole = #n;",
            "r = 3 * r + u.half[#i];",
            "u.half[#i] = #n;",
            "r = 3 * r + u.byte[#n];",
            "u.byte[#n] = 1;",
            "u.quarter[#n] = #n;",
            "r += u.whole % 1000;",
            "memset(&u.byte[#n], #n, 3);",
            "memset(&u, #n, sizeof u);",
            "memcpy(&u, pair, 8);",
            "memcpy(&pair[#i], u.half, 8);",
            "memmove(&u.byte[1], &u.byte[0], 2);",
            "__atomic_store_n(&u.half[#i], #n, __ATOMIC_SEQ_CST);",
            "r = 3 * r + __atomic_fetch_add(&u.whole, 1, __ATOMIC_SEQ_CST) % 100;",
            "r = 3 * r + __atomic_exchange_n(&u.quarter[#n], 3, __ATOMIC_SEQ_CST);",
            "{ union overlap v = u; r += v.half[1]; }",
        ],
    },
];

pub(super) const OTHERS: [Topic; 25] = [
    Topic {
        name: "mutexes",
        statements: &[
            "pthread_mutex_lock(&m[#i]); #s pthread_mutex_unlock(&m[#i]);",
            "pthread_mutex_lock(&m[0]); #s #s pthread_mutex_unlock(&m[0]);",
            "pthread_mutex_lock(&m[0]); pthread_mutex_lock(&m[1]); #s \
             pthread_mutex_unlock(&m[1]); pthread_mutex_unlock(&m[0]);",
            "pthread_mutex_lock(&m[1]); pthread_mutex_lock(&m[0]); #s \
             pthread_mutex_unlock(&m[0]); pthread_mutex_unlock(&m[1]);",
            "if (pthread_mutex_trylock(&m[0]) == 0) { #s pthread_mutex_unlock(&m[0]); } \
             else r += 7;",
            "if (pthread_mutex_timedlock(&m[0], &soon) == 0) { #s pthread_mutex_unlock(&m[0]); } \
             else r += 9;",
        ],
    },
    Topic {
        name: "kinds of mutexes",
        statements: &[
            "pthread_mutex_lock(&recursive); pthread_mutex_lock(&recursive); #s \
             pthread_mutex_unlock(&recursive); #s pthread_mutex_unlock(&recursive);",
            "pthread_mutex_lock(&recursive); if (pthread_mutex_trylock(&recursive) == 0) { #s \
             pthread_mutex_unlock(&recursive); } pthread_mutex_unlock(&recursive);",
            "if (pthread_mutex_trylock(&recursive) == 0) { #s \
             pthread_mutex_unlock(&recursive); } else r += 7;",
            "pthread_mutex_lock(&checking); #s pthread_mutex_unlock(&checking);",
            "if (pthread_mutex_trylock(&checking) == 0) { #s pthread_mutex_unlock(&checking); }",
        ],
    },
    Topic {
        name: "misused mutexes",
        statements: &[
            "pthread_mutex_lock(&m[0]); #s pthread_mutex_unlock(&m[0]);",
            "pthread_mutex_lock(&m[0]); #s",
            "if (pthread_mutex_trylock(&m[0]) == 0) { #s pthread_mutex_unlock(&m[0]); }",
            "pthread_mutex_unlock(&m[0]);",
            "pthread_mutex_destroy(&m[0]);",
            "pthread_mutex_lock(&m[0]); pthread_mutex_lock(&m[0]);",
        ],
    },
    Topic {
        name: "condition variables",
        statements: &[
            "pthread_mutex_lock(&m[0]); if (!d[0]) pthread_cond_wait(&c[0], &m[0]); r += d[0]; \
             pthread_mutex_unlock(&m[0]);",
            "pthread_mutex_lock(&m[0]); while (!d[0]) pthread_cond_wait(&c[0], &m[0]); d[0]--; \
             pthread_mutex_unlock(&m[0]);",
            "pthread_mutex_lock(&m[0]); r = 3 * r + \
             (pthread_cond_timedwait(&c[0], &m[0], &soon) != 0); r += d[0]; \
             pthread_mutex_unlock(&m[0]);",
            "pthread_mutex_lock(&m[0]); d[0]++; pthread_cond_signal(&c[0]); \
             pthread_mutex_unlock(&m[0]);",
            "pthread_mutex_lock(&m[0]); d[0] = 2; pthread_cond_broadcast(&c[0]); \
             pthread_mutex_unlock(&m[0]);",
            "pthread_mutex_lock(&m[0]); d[0]++; pthread_mutex_unlock(&m[0]); \
             pthread_cond_signal(&c[0]);",
            "pthread_cond_signal(&c[0]);",
            "pthread_cond_broadcast(&c[0]);",
        ],
    },
    Topic {
        name: "reader-writer locks",
        statements: &[
            "pthread_rwlock_rdlock(&l); r = 3 * r + d[0]; pthread_rwlock_unlock(&l);",
            "pthread_rwlock_rdlock(&l); #s pthread_rwlock_unlock(&l);",
            "pthread_rwlock_wrlock(&l); d[0] += 1; #s pthread_rwlock_unlock(&l);",
            "if (pthread_rwlock_tryrdlock(&l) == 0) { r += d[0]; pthread_rwlock_unlock(&l); } \
             else r += 7;",
            "if (pthread_rwlock_trywrlock(&l) == 0) { d[0] += 2; pthread_rwlock_unlock(&l); } \
             else r += 9;",
            "if (pthread_rwlock_timedwrlock(&l, &soon) == 0) { #s pthread_rwlock_unlock(&l); }",
            "if (pthread_rwlock_timedrdlock(&l, &soon) == 0) { #s pthread_rwlock_unlock(&l); }",
        ],
    },
    Topic {
        name: "misused reader-writer locks",
        statements: &[
            "pthread_rwlock_wrlock(&l); #s pthread_rwlock_unlock(&l);",
            "pthread_rwlock_rdlock(&l); #s",
            "pthread_rwlock_unlock(&l);",
            "pthread_rwlock_destroy(&l);",
            "pthread_rwlock_rdlock(&l); pthread_rwlock_wrlock(&l);",
        ],
    },
    Topic {
        name: "barriers",
        statements: &[
            "r = 3 * r + (pthread_barrier_wait(&barrier) != 0);",
            "pthread_barrier_wait(&barrier);",
            "#s",
        ],
    },
    Topic {
        name: "spin locks",
        statements: &[
            "pthread_spin_lock(&spin); #s pthread_spin_unlock(&spin);",
            "if (pthread_spin_trylock(&spin) == 0) { #s pthread_spin_unlock(&spin); } else r += 7;",
            "pthread_spin_unlock(&spin);",
        ],
    },
    Topic {
        name: "once",
        statements: &[
            "pthread_once(&once, initialise);",
            "pthread_once(&once, initialise); #s",
            "call_once(&once, initialise);",
            "r = 3 * r + d[0];",
        ],
    },
    Topic {
        name: "keys",
        statements: &[
            "pthread_setspecific(key, (void *)(1 + r % 3)); #s",
            "r = 3 * r + (long)pthread_getspecific(key);",
            "tss_set(c11_key, (void *)(2 + r % 3));",
            "r = 3 * r + (long)tss_get(c11_key);",
            "r = 3 * r + x[1];",
        ],
    },
    Topic {
        name: "semaphores",
        statements: &[
            "sem_wait(&sem); #s",
            "sem_post(&sem);",
            "#s sem_post(&sem);",
            "if (sem_trywait(&sem) == 0) { #s } else r += errno;",
            "if (sem_timedwait(&sem, &soon) == 0) { #s } else r += errno;",
            "{ int v; sem_getvalue(&sem, &v); r = 3 * r + v; }",
        ],
    },
    Topic {
        name: "mutexes of C11",
        statements: &[
            "mtx_lock(&mtx); #s mtx_unlock(&mtx);",
            "if (mtx_trylock(&mtx) == thrd_success) { #s mtx_unlock(&mtx); } else r += 7;",
            "if (mtx_timedlock(&mtx, &soon) == thrd_success) { #s mtx_unlock(&mtx); } else r += 9;",
            "mtx_lock(&mtx); while (!d[0]) cnd_wait(&cnd, &mtx); d[0]--; mtx_unlock(&mtx);",
            "mtx_lock(&mtx); r += cnd_timedwait(&cnd, &mtx, &soon); mtx_unlock(&mtx);",
            "mtx_lock(&mtx); d[0]++; cnd_signal(&cnd); mtx_unlock(&mtx);",
            "cnd_broadcast(&cnd);",
        ],
    },
    Topic {
        name: "spin loops",
        statements: &[
            "while (x[#i] == 0) ;",
            "while (x[#i] == 0) sched_yield();",
            "while (x[0] == x[1]) thrd_yield();",
            "{ int n = 0; while (x[#i] == 0 && n < 2) { n++; sched_yield(); } r = 3 * r + n; }",
            "{ int n = 0; while (x[0] != 1 && x[1] != 2) n++; r = 3 * r + n; }",
            "{ int e = 0; while (!atomic_compare_exchange_strong(&x[#i], &e, 1)) e = 0; }",
            "while (atomic_exchange(&x[#i], 1) == 1) ; #s x[#i] = 0;",
            "while (atomic_flag_test_and_set(&flag)) sched_yield(); #s atomic_flag_clear(&flag);",
            "{ int v; do v = x[#i]; while (v != x[#i]); r += v; }",
            "x[#i] = #n;",
            "x[#i] = 1; x[#i] = #n;",
            "x[#i]++;",
        ],
    },
    Topic {
        name: "awaits",
        statements: &[
            "while (x[#i] != #n) ;",
            "while (x[#i] < #n) ; r = 3 * r + x[#i];",
            "{ int v; while ((v = x[#i]) & 1) ; r = 3 * r + v; }",
            "{ int v = x[#i]; while (!atomic_compare_exchange_strong(&x[#i], &v, v + 1)) ; r += v; }",
            "{ int v; do v = x[#i]; while (!atomic_compare_exchange_strong(&x[#i], &v, v + 1)); }",
            "{ int e = 0; while (!atomic_compare_exchange_strong(&x[#i], &e, 1)) { if (e == 2) break; e = 0; } }",
            "while (atomic_exchange(&x[#i], 1) == 1) while (x[#i]) ; x[#i] = 0;",
            "while (x[0] != 1 || x[1] != 1) ;",
            "__VERIFIER_assume(x[#i] == #n);",
            "__VERIFIER_assume(x[0] != x[1]);",
            "x[#i] = #n;",
            "x[#i]++;",
        ],
    },
    Topic {
        name: "computed goto",
        statements: &[
            "{ __label__ a, b; static void *const t[] = {&&a, &&b}; goto *t[x[#i] & 1]; \
             a: r = 3 * r + 1; #s b: r += 2; }",
            "{ __label__ again, end; static void *const t[] = {&&again, &&end}; \
             again: goto *t[x[#i] == #n]; end: r = 3 * r + x[#i]; }",
            "{ __label__ again, end; void *to = &&again; int n = 0; again: n++; \
             if (x[#i] || n == 2) to = &&end; goto *to; end: r = 3 * r + n; }",
            "{ __label__ again, two, end; static void *const t[] = {&&again, &&two, &&end}; \
             again: goto *t[x[0] % 3]; two: goto *t[x[1] ? 2 : 0]; end: r += 1; }",
            "{ __label__ a, b; void *_Atomic *p = (void *_Atomic *)&shared; *p = &&a; \
             goto *(*p == &&a ? &&a : &&b); a: r += 1; b: *p = 0; }",
            "x[#i] = #n;",
            "x[#i]++;",
        ],
    },
    Topic {
        name: "the heap",
        statements: &[
            "{ int *q = malloc(4); *q = x[#i]; r += *q; free(q); }",
            "{ int *q = malloc(8); q[0] = #n; q[1] = 1; shared = q; }",
            "{ int *q = calloc(2, 4); shared = q; *q = #n; }",
            "{ int *q = shared; if (q) r = 3 * r + q[0]; }",
            "{ int *q = shared; if (q) *q += 1; }",
            "{ int *q = atomic_exchange(&shared, 0); if (q) { r += *q; free(q); } }",
            "{ int *q = shared; if (q) free(q); }",
            "{ int *q = shared; if (q) { memset(q, 1, 8); r += q[1]; } }",
            "{ int *q = realloc(malloc(4), 8); q[1] = #n; shared = q; }",
        ],
    },
    Topic {
        name: "locals that others see",
        statements: &[
            "{ volatile int v = #n; shared = (int *)&v; #s r = 3 * r + v; shared = 0; }",
            "{ int *q = shared; if (q) *q = #n; }",
            "{ int *q = shared; if (q) r = 3 * r + *q; }",
            "{ mine = #n; shared = &mine; #s r = 3 * r + mine; }",
        ],
    },
    Topic {
        name: "assumptions",
        statements: &[
            "__VERIFIER_assume(x[#i] == #n);",
            "__VERIFIER_assume(x[#i] != #n); #s",
            "__VERIFIER_assume(r % 2 == 0);",
            "x[#i] = #n;",
        ],
    },
    Topic {
        name: "choices",
        statements: &[
            "r = 3 * r + __VERIFIER_nondet_bool();",
            "if (__VERIFIER_nondet_bool()) { #s } else r += 1;",
            "x[#i] = __VERIFIER_nondet_int();",
            "r += __VERIFIER_nondet_int();",
        ],
    },
    Topic {
        name: "atomic sections",
        statements: &[
            "__VERIFIER_atomic_begin(); #s #s __VERIFIER_atomic_end();",
            "__VERIFIER_atomic_begin(); x[0]++; r += x[1]; __VERIFIER_atomic_end();",
            "__VERIFIER_atomic_swap(#n); #s",
            "__VERIFIER_atomic_begin(); if (x[#i] == #n) { #s } __VERIFIER_atomic_end();",
            "__VERIFIER_atomic_begin(); if (x[0] == #n) x[1] = 3; else r += 1; __VERIFIER_atomic_end();",
            "__VERIFIER_atomic_begin(); x[x[#i] & 1] = #n; __VERIFIER_atomic_end();",
            "__VERIFIER_atomic_begin(); if (__VERIFIER_nondet_bool()) { #s } else x[#i] = #n; \
             __VERIFIER_atomic_end();",
            "__VERIFIER_atomic_begin(); while (x[0] < 2) x[0]++; r += x[1]; __VERIFIER_atomic_end();",
            "r = 3 * r + x[#i];",
            "r = 3 * r + x[#i]; r = 3 * r + x[#i];",
        ],
    },
    Topic {
        name: "early ends",
        statements: &[
            "if (x[#i] == #n) pthread_exit((void *)r);",
            "leave(x[#i], r);",
            "assert(r < 4);",
            "if (x[#i] == 2) exit(3);",
            "if (x[#i] == 2) abort();",
            "#s",
        ],
    },
    Topic {
        name: "more threads",
        statements: &[
            "{ pthread_t child; pthread_create(&child, 0, helper, (void *)#n); #s \
             { void *v; pthread_join(child, &v); r += (long)v; } }",
            "{ pthread_t child; pthread_create(&child, 0, helper, (void *)#n); \
             pthread_detach(child); #s }",
            "{ thrd_t child; int v; thrd_create(&child, c11_helper, 0); thrd_join(child, &v); \
             r += v; }",
            "r = 3 * r + x[#i];",
        ],
    },
    Topic {
        name: "futexes",
        statements: &[
            "syscall(SYS_futex, &x[#i], FUTEX_WAIT, 0, 0, 0, 0); r = 3 * r + x[#i];",
            "x[#i] = 1; syscall(SYS_futex, &x[#i], FUTEX_WAKE, 1, 0, 0, 0);",
            "r = 3 * r + syscall(SYS_futex, &x[#i], FUTEX_WAIT, #n, 0, 0, 0);",
            "while (!x[#i]) syscall(SYS_futex, &x[#i], FUTEX_WAIT, 0, 0, 0, 0);",
            "r = 3 * r + syscall(SYS_futex, &x[#i], FUTEX_WAKE, #n ? 99 : 1, 0, 0, 0);",
            "x[#i]++; syscall(SYS_futex, &x[#i], FUTEX_WAKE, 99, 0, 0, 0);",
            "x[#i] = #n;",
        ],
    },
    Topic {
        name: TIME,
        statements: &[
            "r = 3 * r + (time(0) > start);",
            "sleep(1); #s",
            "{ time_t until = time(0) + 1; while (time(0) < until) ; }",
            "{ time_t until = time(0) + 1; while (time(0) < until && !x[#i]) ; r += x[#i]; }",
            "{ struct timespec t = {time(0) + 1, 0}; pthread_mutex_lock(&m[0]); \
             int e = pthread_cond_timedwait(&c[0], &m[0], &t); pthread_mutex_unlock(&m[0]); \
             r = 3 * r + (e != 0) + (time(0) >= t.tv_sec); }",
            "{ struct timespec t = {start + 1, 0}; int e = sem_timedwait(&sem, &t); \
             r = 3 * r + (e != 0) + (time(0) >= t.tv_sec); }",
            "{ struct timespec t = {start + 1, 0}; if (pthread_mutex_timedlock(&m[0], &t) == 0) \
             { #s pthread_mutex_unlock(&m[0]); } else r += 5; }",
            "pthread_mutex_lock(&m[0]); #s pthread_mutex_unlock(&m[0]);",
            "pthread_cond_signal(&c[0]);",
            "sem_post(&sem);",
        ],
    },
    Topic {
        name: "destruction",
        statements: &[
            "pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l);",
            "pthread_rwlock_destroy(&l);",
            "pthread_cond_destroy(&c[0]);",
            "pthread_cond_signal(&c[0]);",
            "pthread_mutex_lock(&m[0]); pthread_cond_timedwait(&c[0], &m[0], &soon); \
             pthread_mutex_unlock(&m[0]);",
            "pthread_barrier_destroy(&barrier);",
            "pthread_barrier_wait(&barrier);",
            "sem_destroy(&sem);",
            "sem_post(&sem);",
            "sem_trywait(&sem);",
            "pthread_mutex_destroy(&m[0]);",
            "pthread_mutex_lock(&m[0]); #s pthread_mutex_unlock(&m[0]);",
            "pthread_spin_destroy(&spin);",
            "pthread_spin_lock(&spin); pthread_spin_unlock(&spin);",
        ],
    },
];

/// Statements that wait in loops which take back what they change, and statements that may notice that. `@` and
/// `!` stand for the two indices of shared variables, in either order.
pub(super) const TAKEN_BACK: [&str; 32] = [
    "while (atomic_fetch_sub(&x[@], 1) != 1) atomic_fetch_add(&x[@], 1); #s atomic_fetch_add(&x[@], 1);",
    "while (atomic_fetch_sub(&x[@], 1) <= 0) { atomic_fetch_add(&x[@], 1); while (x[@] <= 0) ; } #s \
     atomic_fetch_add(&x[@], 1);",
    "while (atomic_fetch_sub(&x[@], 2) != 2) { atomic_fetch_add(&x[@], 2); while (x[@] != 2) ; } #s \
     atomic_fetch_add(&x[@], 2);",
    "{ int v = atomic_fetch_sub(&x[@], 1); while (v <= 0) { atomic_fetch_add(&x[@], 1); \
     while (x[@] <= 0) ; v = atomic_fetch_sub(&x[@], 1); } } atomic_fetch_add(&x[@], 1);",
    "for (;;) { atomic_fetch_add(&x[@], 1); if (!x[!]) break; atomic_fetch_sub(&x[@], 1); \
     while (x[!]) ; } #s atomic_fetch_sub(&x[@], 1);",
    "while (atomic_fetch_add(&x[@], 2), x[!] != #n) atomic_fetch_sub(&x[@], 2);",
    "while (atomic_fetch_add(&x[@], 1) < #n) if (atomic_fetch_sub(&x[@], 1) == 3) break;",
    "while (atomic_fetch_add(&x[@], 1) < #n) r += atomic_fetch_sub(&x[@], 1) == 3;",
    "for (;;) { if (atomic_fetch_add(&x[@], 1) == #n) break; while (!x[!]) ; atomic_fetch_sub(&x[@], 1); }",
    "for (;;) { if (atomic_fetch_add(&x[@], 1) == #n) break; while (x[@] > 2) ; atomic_fetch_sub(&x[@], 1); }",
    "while (atomic_fetch_or(&x[@], 2) != #n) atomic_fetch_and(&x[@], 1);",
    "do atomic_fetch_xor(&x[@], 1); while (!(atomic_fetch_xor(&x[@], 1) & 2));",
    "for (;;) { int e = 0; if (atomic_compare_exchange_strong(&x[@], &e, 2)) { if (x[!] == #n) break; \
     atomic_exchange(&x[@], 0); } }",
    "while (atomic_exchange(&x[@], 1) != #n) atomic_exchange(&x[@], 2);",
    "while (atomic_fetch_add(&x[0], 1) + atomic_fetch_add(&x[1], 1) < #n) { atomic_fetch_sub(&x[1], 1); \
     atomic_fetch_sub(&x[0], 1); }",
    "while (atomic_fetch_add(&x[@], 1) != #n) { while (x[!] == 1) ; atomic_fetch_sub(&x[@], 1); \
     while (x[!] == 2) ; }",
    "while (__atomic_fetch_add(&u.half[0], 1, 5) != #n) __atomic_fetch_sub(&u.half[0], 1, 5);",
    "r = 3 * r + __atomic_load_n(&u.byte[0], 5);",
    "r = 3 * r + __atomic_fetch_add(&u.half[0], #n, 5) % 7;",
    "__atomic_fetch_add(&u.whole, 1, 5);",
    "r = 3 * r + x[@];",
    "r = 3 * r + (x[@] > 0);",
    "if (x[@] == #n) #s",
    "x[@] = #n;",
    "x[@] = 1; x[@] = #n;",
    "atomic_fetch_add(&x[@], 1);",
    "atomic_fetch_sub(&x[@], 1);",
    "r = 3 * r + atomic_fetch_add(&x[@], #n);",
    "if (atomic_fetch_add(&x[@], 1) > 1) r += 1;",
    "while (x[@] != #n) ;",
    "while (x[@] <= 0) ;",
    "assert(x[@] != 3);",
];

/// Statements that wait in loops with zero net effect on one location. `@` and `!` are as in [`TAKEN_BACK`].
pub(super) const ROUND_TRIPS: [&str; 12] = [
    "while (atomic_fetch_sub(&x[@], 1) <= 0) { atomic_fetch_add(&x[@], 1); while (x[@] <= 0) ; } #s \
     atomic_fetch_add(&x[@], 1);",
    "while (atomic_fetch_sub(&x[@], 2) != 2) { atomic_fetch_add(&x[@], 2); while (x[@] != 2) ; } #s \
     atomic_fetch_add(&x[@], 2);",
    "while (atomic_fetch_sub(&x[@], 1) <= 0) { atomic_fetch_add(&x[@], 1); while (x[@] <= 0) ; }",
    "while (atomic_fetch_sub(&x[@], 2) != 2) { atomic_fetch_add(&x[@], 2); while (x[@] < 2) ; }",
    "while (atomic_fetch_sub(&x[@], 1) != 1) atomic_fetch_add(&x[@], 1); #s atomic_fetch_add(&x[@], 1);",
    "while (atomic_fetch_sub(&x[@], 1) < 1) { atomic_fetch_add(&x[@], 1); while (x[@] != #n) ; }",
    "{ int v = atomic_fetch_sub(&x[@], 1); while (v <= 0) { atomic_fetch_add(&x[@], 1); \
     while (x[@] <= 0) ; v = atomic_fetch_sub(&x[@], 1); } r = 3 * r + v; } atomic_fetch_add(&x[@], 1);",
    "while (atomic_fetch_add(&x[@], 4) & 3) { atomic_fetch_sub(&x[@], 4); while (x[@] & 3) ; } #s \
     atomic_fetch_sub(&x[@], 4);",
    "{ int e; do e = 0; while (!atomic_compare_exchange_strong(&x[@], &e, 1)); } #s atomic_fetch_and(&x[@], ~1);",
    "{ int e = 2; while (!atomic_compare_exchange_strong(&x[@], &e, 0)) e = 2; } #s atomic_fetch_add(&x[@], 2);",
    "for (;;) { if (atomic_fetch_add(&x[@], 1) == #n) break; atomic_fetch_sub(&x[@], 1); int v; \
     do v = x[@]; while (v > 2); if (v == #n) { r += 7; break; } }",
    "atomic_fetch_add(&x[@], #n);",
];

/// Loops that try a few times (`@`), and then give up. The last four statements are those of other threads.
pub(crate) const COUNTED: [&str; 20] = [
    "{ long v = 0; for (int i = 0; i < @; i++) if ((v = x[#i]) == #n) break; r = 3 * r + v; }",
    "{ int n = @, got = 0; while (--n >= 0) if (x[#i] == #n) { got = 1; break; } r = 3 * r + got; }",
    "{ int n = @, got = 0; while (n--) { int v = x[#i]; if (v > 0 && \
     atomic_compare_exchange_strong(&x[#i], &v, v - 1)) { got = 1; break; } } r = 3 * r + got; }",
    "{ int n = @; do { int e = 0; if (atomic_compare_exchange_strong(&x[#i], &e, 1)) { #s x[#i] = 0; break; } } \
     while (--n > 0); }",
    "{ int n = @, v; do { v = x[#i]; if (v & 1) { r += 4; break; } } while (--n > 0); r += v; }",
    "{ int got = 0; for (int n = 1; n < 1 << @; n <<= 1) if (x[0] == x[1]) { got = 2; break; } r = 3 * r + got; }",
    "{ int got = 0; for (int i = 0; i < @; i++) { if (x[#i] == #n) { got = 1; break; } x[1]++; } r = 3 * r + got; }",
    "{ int done = 0; for (;;) { for (int i = 0; i < @; i++) if (x[#i] == #n) { done = 1; break; } \
     if (done) break; sched_yield(); } r = 3 * r + x[1]; }",
    "{ int v = 0, w = 0; for (int i = 0; i < @; i++) { if ((v = x[#i]) == #n) break; if (v != x[#i]) w++; } \
     r = 5 * r + 3 * w + v; }",
    "{ int got = 0; for (int i = 0; i < @; i++) if (atomic_exchange(&x[#i], 1) == 0) { got = 1; break; } \
     r = 3 * r + got; }",
    "{ int i; for (i = 0; i < @; i++) if (x[#i] == #n) break; if (i == @) r += 7; }",
    "{ int v = x[#i], got = 0; for (int i = 0; i < @; i++) \
     if (atomic_compare_exchange_strong(&x[#i], &v, v + 1)) { got = 1; break; } r = 3 * r + got; }",
    "{ int got = 0; for (int i = 0; i < @; i++) { int v = x[#i]; if (v == #n) { got = 1; break; } \
     if (v == 2 && i == 0) { got = 2; break; } } r = 3 * r + got; }",
    "{ int got = 0; for (int i = 0; i < @; i++) { if (x[#i] == #n) continue; if (x[0] == x[1]) { got = 1; break; } } \
     r = 3 * r + got; }",
    "{ int got = 0; for (int i = 0; i < @; i += x[0] & 1) { if (x[1]) { got = 1; break; } if (x[0] == 2) break; i++; } \
     r = 3 * r + got; }",
    "{ int got = 0; for (int i = 0; i < @; i++) { if (i == 1) x[1] = 2; if (x[#i] == #n) { got = 1; break; } } \
     r = 3 * r + got; }",
    "x[#i] = #n;",
    "x[#i]++;",
    "x[#i] = #n; x[#i] = #n;",
    "r = 3 * r + x[#i];",
];
