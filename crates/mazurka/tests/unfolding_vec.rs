//! `unfolding` on programs whose objects get their names only as threads come upon them: several are
//! created by one place in the source.

use std::sync::Arc;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Condvar, Mutex};
use mazurka::{Algorithm, Check, Note, thread};

/// Expects that a program has so many traces, that `unfolding` runs each of them once, and that it says
/// nothing but that it had no fingerprint.
#[track_caller]
fn expect(traces: u64, program: impl Fn() + Send + Sync + Copy) {
    for cache in [None, Some(0)] {
        let mut check = Check::new().algorithm(Algorithm::Unfolding).cutoffs(false);
        if let Some(cache) = cache {
            check = check.cache(cache);
        }
        let verdict = check.run(program);
        assert_eq!(verdict.notes, []);
        assert!(verdict.is_complete());
        assert_eq!((verdict.executions, verdict.blocked), (traces, 0), "cache {cache:?}");
    }
    let optimal = Check::new().algorithm(Algorithm::Optimal).run(program);
    assert_eq!(optimal.executions, traces);
    assert_eq!(
        Check::new().algorithm(Algorithm::Unfolding).run(program).notes,
        [Note::NoFingerprint]
    );
}

fn counters(count: usize) -> Arc<Vec<AtomicUsize>> {
    Arc::new((0..count).map(AtomicUsize::new).collect())
}

/// Both counters are written by all threads, by the second one in another order. Of the 6 · 6 pairs of
/// orders of these writes 22 agree with the order in which the threads make them.
#[test]
fn counters_in_a_vector() {
    expect(22, || {
        let counters = counters(2);
        let threads: Vec<_> = (0..3)
            .map(|me| {
                let counters = Arc::clone(&counters);
                thread::spawn(move || {
                    counters[me % 2].store(me, SeqCst);
                    counters[(me + 1) % 2].store(me, SeqCst);
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// Which element a thread touches depends on what it has read. Either thread may be the first to count;
/// then its last step and the other one's two steps are on the last element, in one of three orders.
#[test]
fn an_element_that_depends_on_what_was_read() {
    expect(6, || {
        let counters = counters(3);
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let counters = Arc::clone(&counters);
                thread::spawn(move || {
                    let index = counters[0].fetch_add(1, SeqCst);
                    counters[1 + index].fetch_or(1, SeqCst);
                    counters[2].fetch_or(2, SeqCst);
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// Philosophers, who may deadlock or not, and who wait for each other.
#[test]
fn locks_in_a_vector() {
    let run = |algorithm| {
        let verdict = Check::new().algorithm(algorithm).keep_going(true).run(|| {
            let forks: Arc<Vec<_>> = Arc::new((0..3).map(|_| Mutex::new(0)).collect());
            let eaters: Vec<_> = (0..3)
                .map(|me| {
                    let forks = Arc::clone(&forks);
                    thread::spawn(move || {
                        let _left = forks[me].lock().unwrap();
                        let _right = forks[(me + 1) % 3].lock().unwrap();
                    })
                })
                .collect();
            eaters.into_iter().for_each(|eater| eater.join().unwrap());
        });
        (verdict.executions, verdict.violations.len(), verdict.notes)
    };
    let (executions, deadlocks, _) = run(Algorithm::Optimal);
    assert_eq!(run(Algorithm::Unfolding), (executions, deadlocks, vec![Note::NoFingerprint]));
    assert!(deadlocks > 0);
}

/// A thread that was notified comes upon objects when another one's step lets it go on.
#[test]
fn pairs_of_a_lock_and_a_condition() {
    let program = || {
        let pairs: Arc<Vec<_>> =
            Arc::new((0..2).map(|_| (Mutex::new(false), Condvar::new())).collect());
        let extra = counters(2);
        let waiters: Vec<_> = (0..2)
            .map(|me| {
                let (pairs, extra) = (Arc::clone(&pairs), Arc::clone(&extra));
                thread::spawn(move || {
                    let (lock, condition) = &pairs[me];
                    let mut is_open = lock.lock().unwrap();
                    while !*is_open {
                        is_open = condition.wait(is_open).unwrap();
                    }
                    extra[1 - me].store(me, SeqCst);
                    extra[me].load(SeqCst);
                })
            })
            .collect();
        for (lock, condition) in &*pairs {
            *lock.lock().unwrap() = true;
            condition.notify_one();
        }
        waiters.into_iter().for_each(|waiter| waiter.join().unwrap());
    };
    let run = |algorithm| Check::new().algorithm(algorithm).run(program);
    let (unfolding, optimal) = (run(Algorithm::Unfolding), run(Algorithm::Optimal));
    assert_eq!(unfolding.notes, [Note::NoFingerprint]);
    assert_eq!((unfolding.executions, unfolding.blocked), (optimal.executions, 0));
}
