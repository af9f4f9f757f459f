//! Objects that threads wait for. If all atomic accesses are `seq_cst`, a program has the same outcomes
//! under RC11 as for an explorer of schedules.

use std::collections::BTreeSet;

use super::{Algorithm, Checkable, Coherence, MemoryModel, Options, program_with, threads};
use mazurka_llvm::LlvmOptions;

/// Returns the violations of a program: one for each outcome.
fn outcomes(text: &str, algorithm: Algorithm, memory_model: MemoryModel) -> BTreeSet<String> {
    outcomes_with(text, algorithm, memory_model, None)
}

/// Returns the violations of a program with total or observed coherence.
fn outcomes_with(
    text: &str,
    algorithm: Algorithm,
    memory_model: MemoryModel,
    coherence: Option<Coherence>,
) -> BTreeSet<String> {
    let memory_orderings = algorithm == Algorithm::Graphs;
    let options = LlvmOptions { memory_orderings, ..LlvmOptions::default() };
    let program = program_with(text, options);
    let keep_going = true;
    let options = Options { algorithm, memory_model, coherence, keep_going, ..Options::default() };
    let verdict = program.check(&options, &mut ());
    assert!(verdict.is_complete(), "{algorithm} {memory_model}: {verdict:?}\n{text}");
    let brief = |message: &str| message.lines().next().unwrap_or_default().to_owned();
    let violations = verdict.violations.iter();
    violations.map(|v| format!("{}: {}", v.kind, brief(&v.message))).collect()
}

/// Checks that the outcomes of a program, which its result `r` tells apart, are those of the explorers of
/// schedules, and that there are so many.
#[track_caller]
pub(crate) fn agree(globals: &str, bodies: &[&str], expected: usize) {
    let ends: String = (0..16).map(|value| format!("assert(r != {value});\n")).collect();
    let text = threads(&format!("atomic_int r, s;\n{globals}"), bodies, &ends);
    let schedules = outcomes(&text, Algorithm::Optimal, MemoryModel::Sc);
    assert_eq!(schedules.len(), expected, "{schedules:?}\n{text}");
    for model in [MemoryModel::Sc, MemoryModel::Rc11] {
        for coherence in Coherence::ALL {
            let graphs = outcomes_with(&text, Algorithm::Graphs, model, Some(coherence));
            assert_eq!(graphs, schedules, "{coherence}, {model}\n{text}");
        }
    }
}

#[test]
fn mutexes() {
    let mutex = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n;";
    let bodies = [
        "pthread_mutex_lock(&m); n = n * 2 + 1; r = n; pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); n = n * 3; r = n; pthread_mutex_unlock(&m);",
    ];
    agree(mutex, &bodies, 2);
    let bodies = [
        "if (!pthread_mutex_trylock(&m)) { s++; pthread_mutex_unlock(&m); } else r += 4;",
        "pthread_mutex_lock(&m); r += 1; pthread_mutex_unlock(&m);",
    ];
    agree(mutex, &bodies, 2);
}

#[test]
fn reader_writer_locks() {
    let lock = "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int n;";
    let write = "pthread_rwlock_wrlock(&l); n = n * 2 + 1; pthread_rwlock_unlock(&l);";
    let read = "pthread_rwlock_rdlock(&l); r += n; pthread_rwlock_unlock(&l);";
    agree(lock, &[write, write, read], 3);
    agree(lock, &[write, read, read], 3);
}

#[test]
fn spin_locks() {
    let lock = "pthread_spinlock_t l; int n; __attribute__((constructor)) void init(void) \
                { pthread_spin_init(&l, 0); }";
    let body = "pthread_spin_lock(&l); n = 2 * n + 1; r = n; pthread_spin_unlock(&l);";
    agree(lock, &[body, "pthread_spin_lock(&l); n *= 3; r = n; pthread_spin_unlock(&l);"], 2);
}

#[test]
fn condition_variables() {
    let globals = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;";
    let wait = "pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); r += ready;
        ready--; pthread_mutex_unlock(&m);";
    let notify = "pthread_mutex_lock(&m); ready += 2; pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);";
    agree(globals, &[wait, wait, notify], 1);
    // Without a loop, the notification may be lost.
    let wait = "pthread_mutex_lock(&m); if (!ready) pthread_cond_wait(&c, &m); r += 1 + ready;
        pthread_mutex_unlock(&m);";
    let notify = "pthread_cond_signal(&c); pthread_mutex_lock(&m); ready = 1;
        pthread_mutex_unlock(&m);";
    agree(globals, &[wait, notify], 3);
}

#[test]
fn barriers() {
    let globals = "pthread_barrier_t b; int x, y; __attribute__((constructor)) void init(void) \
                   { pthread_barrier_init(&b, 0, 2); }";
    let bodies = [
        "x = 1; pthread_barrier_wait(&b); r += y; if (s++) r += 4;",
        "y = 2; pthread_barrier_wait(&b); r += x; if (s++) r += 8;",
    ];
    agree(globals, &bodies, 2);
}

#[test]
fn semaphores() {
    let globals = "#include <semaphore.h>
        sem_t q; int n; __attribute__((constructor)) void init(void) { sem_init(&q, 0, 0); }";
    let bodies =
        ["n = 3; sem_post(&q);", "sem_wait(&q); r += n; sem_post(&q);", "sem_wait(&q); r += 8;"];
    agree(globals, &bodies, 2);
    agree(globals, &["sem_post(&q);", "if (sem_trywait(&q)) r = 1; else r = 2;"], 2);
}

#[test]
fn once() {
    let globals = "pthread_once_t o = PTHREAD_ONCE_INIT; int n; void init(void) { n = s + 1; }";
    let body = "s++; pthread_once(&o, init); r += n;";
    agree(globals, &[body; 2], 2);
}

#[test]
fn joins_of_joins() {
    let globals = "int n; void *inner(void *arg) { n = s + 1; return 0; }";
    let bodies =
        ["pthread_t p; pthread_create(&p, 0, inner, 0); pthread_join(p, 0); r += n;", "s = 2;"];
    agree(globals, &bodies, 2);
}
