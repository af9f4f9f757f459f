//! Arrivals at a barrier commute under every memory model, unless their order matters.

use super::*;
use mazurka_core::model::Lesson;

/// Checks a program whose threads have these bodies, and use the barrier `b` for `size` threads.
fn check(
    bodies: &[&str],
    size: usize,
    end: &str,
    model: MemoryModel,
    (coherence, symmetry): (Coherence, bool),
) -> Verdict {
    let globals = "pthread_barrier_t b; atomic_int x, y; int d, first[4];";
    let init = format!("pthread_barrier_init(&b, 0, {size}); pthread_t t");
    let text = threads(globals, bodies, end).replace("pthread_t t", &init);
    let options = LlvmOptions { memory_orderings: true, ..LlvmOptions::default() };
    let options_of_search = Options {
        algorithm: Algorithm::Graphs,
        memory_model: model,
        coherence: Some(coherence),
        symmetry: Some(symmetry),
        keep_going: true,
        ..Options::default()
    };
    program_with(&text, options).check(&options_of_search, &mut ())
}

/// Returns the numbers of graphs under all models, with both coherences, with symmetry and without.
fn counts(bodies: &[&str], size: usize, end: &str) -> BTreeSet<u64> {
    let mut counts = BTreeSet::new();
    for model in MemoryModel::ALL {
        for coherence in Coherence::ALL {
            for symmetry in [false, true] {
                let verdict = check(bodies, size, end, model, (coherence, symmetry));
                assert!(verdict.is_complete(), "{model} {coherence}: {verdict:?}");
                assert!(verdict.violations.is_empty(), "{model} {coherence}: {verdict:?}");
                assert_eq!(verdict.blocked, 0, "{model} {coherence}");
                counts.insert(verdict.executions);
            }
        }
    }
    counts
}

const WAIT: &str = "pthread_barrier_wait(&b);";

#[test]
fn a_barrier_has_one_graph() {
    let twice = format!("{WAIT} {WAIT}");
    assert_eq!(counts(&[WAIT; 5], 5, "pthread_barrier_destroy(&b);"), [1].into());
    assert_eq!(counts(&[&*twice; 3], 3, "pthread_barrier_destroy(&b);"), [1].into());
    // Threads that are no twins.
    let bodies = [WAIT, "d = 1; pthread_barrier_wait(&b);", WAIT, "pthread_barrier_wait(&b); d++;"];
    assert_eq!(counts(&bodies, 4, "assert(d == 2);"), [1].into());
}

/// All that precedes an arrival happens before all that follows the round.
#[test]
fn a_barrier_synchronises() {
    let store = "atomic_store_explicit(&x, 1, memory_order_relaxed); d = 1;";
    let load = "assert(atomic_load_explicit(&x, memory_order_relaxed) == 1); assert(d == 1);";
    let bodies = [
        format!("{store} {WAIT} {load}"),
        format!("{WAIT} {load}"),
        format!("{WAIT} {load} {WAIT} atomic_store_explicit(&x, 2, memory_order_relaxed);"),
        format!("{WAIT} {load} {WAIT}"),
    ];
    let [a, b, c, d] = bodies.each_ref().map(String::as_str);
    assert_eq!(counts(&[a, b], 2, ""), [1].into());
    let after = "pthread_barrier_wait(&b); assert(d == 1);";
    let first = format!("{store} {WAIT} {load} {after}");
    assert_eq!(counts(&[&first, d, d], 3, ""), [1].into());
    assert_eq!(counts(&[&first, c, d], 3, ""), [1].into());
}

/// A barrier drains the store buffer of `tso` and `pso`, and does not forbid the outcome of others.
#[test]
fn a_barrier_is_a_read_modify_write() {
    let relaxed = "memory_order_relaxed";
    let store = format!(
        "atomic_store_explicit(&x, 1, {relaxed}); {WAIT} first[0] = atomic_load_explicit(&y, {relaxed});"
    );
    let other = format!(
        "atomic_store_explicit(&y, 1, {relaxed}); atomic_thread_fence(memory_order_seq_cst); \
         first[1] = atomic_load_explicit(&x, {relaxed});"
    );
    for (model, graphs) in [(Sc, 3), (Tso, 3), (Pso, 3), (Ra, 4), (Rc11, 4)] {
        for coherence in Coherence::ALL {
            let bodies = [&*store, WAIT, &other];
            let verdict = check(&bodies, 2, "", model, (coherence, false));
            assert_eq!((verdict.executions, verdict.blocked), (graphs, 0), "{model} {coherence}");
        }
    }
}

/// Any thread can be the last one, and all orders count if all threads use the result.
#[test]
fn each_thread_can_be_the_serial_one() {
    let looks = |thread: usize| format!("first[{thread}] = pthread_barrier_wait(&b) != 0;");
    let bodies = [0, 1, 2].map(looks);
    let [a, b, c] = bodies.each_ref().map(String::as_str);
    let one = "assert(first[0] + first[1] + first[2] == 1);";
    assert_eq!(counts(&[a, b, c], 3, one), [6].into());
    for model in MemoryModel::ALL {
        for coherence in Coherence::ALL {
            for alone in 0..3 {
                let never = format!("assert(!first[{alone}]);");
                let verdict = check(&[a, b, c], 3, &never, model, (coherence, true));
                assert_eq!(verdict.violations.len(), 1, "{model} {coherence}");
            }
            // The order of the others does not matter, but the search does not know which they are.
            let verdict = check(&[a, WAIT, WAIT], 3, "", model, (coherence, false));
            assert_eq!((verdict.executions, verdict.blocked), (6, 0), "{model} {coherence}");
            let lessons: Vec<_> = verdict.restarts.iter().map(|restart| restart.lesson).collect();
            assert_eq!(lessons, [Lesson::Arrivals], "{model} {coherence}");
        }
    }
}

/// If more threads arrive than the barrier waits for, the order decides which of them continue together.
#[test]
fn a_crowded_barrier_orders_arrivals() {
    let arrive = |thread: usize| format!("x |= {}; {WAIT} first[{thread}] = x;", 1 << thread);
    let bodies = [0, 1, 2, 3].map(arrive);
    let bodies = bodies.each_ref().map(String::as_str);
    for (model, coherence) in [(Sc, Coherence::Total), (Rc11, Coherence::Observed)] {
        let alone = "assert(first[0] != 3);";
        let verdict = check(&bodies, 2, alone, model, (coherence, true));
        assert_eq!(verdict.violations.len(), 1, "{model} {coherence}");
    }
}

/// Ending a barrier acquires from the arrivals, even if nothing else synchronises with them.
#[test]
fn the_end_of_a_barrier_synchronises() {
    let relaxed = "memory_order_relaxed";
    let arrive = |thread: usize| {
        format!("first[{thread}] = 1; {WAIT} atomic_fetch_add_explicit(&x, 1, {relaxed});")
    };
    let destroy = format!(
        "while (atomic_load_explicit(&x, {relaxed}) != 2) {{}} pthread_barrier_destroy(&b); \
         assert(first[0] && first[1]);"
    );
    let bodies = [arrive(0), arrive(1), destroy];
    let bodies = bodies.each_ref().map(String::as_str);
    for model in MemoryModel::ALL {
        for coherence in Coherence::ALL {
            let verdict = check(&bodies, 2, "", model, (coherence, false));
            assert!(verdict.violations.is_empty(), "{model} {coherence}: {verdict:?}");
            let graphs = if model == Sc { 2 } else { 4 };
            assert_eq!(verdict.executions, graphs, "{model} {coherence}");
        }
    }
}
