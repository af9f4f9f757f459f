//! Threads that are interchangeable.

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex, mpsc};
use mazurka::{Algorithm, Check, Verdict, ViolationKind, thread};
use mazurka_core::model::Lesson;

/// Returns the numbers of executions without symmetry and with it.
fn counts(algorithm: Algorithm, f: impl Fn() + Send + Sync) -> [u64; 2] {
    [false, true].map(|symmetry| {
        let verdict = Check::new().algorithm(algorithm).symmetry(symmetry).run(&f);
        assert!(verdict.violations.is_empty(), "{:#?}", verdict.violations);
        assert!(verdict.restarts.is_empty(), "{:#?}", verdict.restarts);
        verdict.executions
    })
}

#[test]
fn every_order_of_a_lock_is_a_permutation_of_one() {
    for algorithm in [Algorithm::Observers, Algorithm::Optimal, Algorithm::Source, Algorithm::Dpor]
    {
        let counts = counts(algorithm, || {
            let total = Arc::new(Mutex::new(0));
            let counter = total.clone();
            thread::spawn_many(4, move || *counter.lock().unwrap() += 1).join();
            assert_eq!(*total.lock().unwrap(), 4);
        });
        assert_eq!(counts, [24, 1], "{algorithm}");
    }
}

/// How many of the readers come before the write decides, and not which ones.
#[test]
fn readers_are_counted() {
    let counts = counts(Algorithm::Optimal, || {
        let x = Arc::new(AtomicUsize::new(0));
        let y = x.clone();
        let readers = thread::spawn_many(5, move || _ = y.load(SeqCst));
        x.store(1, SeqCst);
        readers.join();
    });
    assert_eq!(counts, [32, 6]);
}

fn check(f: impl Fn() + Send + Sync) -> Verdict {
    Check::new().keep_going(true).run(f)
}

#[test]
fn a_violation_is_found_in_one_of_the_permutations() {
    let verdict = check(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let y = x.clone();
        let adders = thread::spawn_many(2, move || {
            let seen = y.load(SeqCst);
            y.store(seen + 1, SeqCst);
        });
        adders.join();
        assert_eq!(x.load(SeqCst), 2);
    });
    assert_eq!(verdict.violations[0].kind, ViolationKind::Panic);
    assert_eq!(verdict.executions, 2);
}

#[test]
fn a_panic_of_one_of_them_is_passed_on() {
    let verdict = check(|| {
        let x = AtomicUsize::new(0);
        thread::spawn_many(3, move || assert!(x.fetch_add(1, SeqCst) < 2)).join();
    });
    assert_eq!(verdict.violations.len(), 1);
    let message = &verdict.violations[0].message;
    assert!(message.contains("a thread of `spawn_many` panicked"), "{message}");
}

#[test]
fn threads_that_are_detached_may_panic() {
    let verdict = check(|| {
        let x = AtomicUsize::new(0);
        drop(thread::spawn_many(2, move || assert_eq!(x.fetch_add(1, SeqCst), 0)));
    });
    assert_eq!(verdict.violations[0].kind, ViolationKind::Panic);
}

/// Threads write down their ids, and ask for them before their first step or after it. In one order of the two,
/// the ids are not sorted.
#[test]
fn threads_that_ask_who_they_are_are_told_apart() {
    for asks_late in [false, true] {
        let verdict = check(|| {
            let ids = Arc::new(Mutex::new(Vec::new()));
            let all = ids.clone();
            let both = thread::spawn_many(2, move || {
                let id = || format!("{:?}", thread::current().id());
                match asks_late {
                    false => {
                        let id = id();
                        all.lock().unwrap().push(id);
                    }
                    true => all.lock().unwrap().push(id()),
                }
            });
            both.join();
            assert!(ids.lock().unwrap().is_sorted());
        });
        let lessons: Vec<_> = verdict.restarts.iter().map(|restart| restart.lesson).collect();
        // Before the first step, there is nothing to start over.
        let expected: &[Lesson] = if asks_late { &[Lesson::Twins] } else { &[] };
        assert_eq!(lessons, expected);
        assert_eq!((verdict.executions, verdict.violations.len()), (2, 1));
    }
}

#[test]
fn a_closure_is_dropped_by_the_last_of_them() {
    let verdict = check(|| {
        let (sender, receiver) = mpsc::channel();
        thread::spawn_many(2, move || sender.send(1).unwrap()).join();
        assert_eq!([receiver.recv(), receiver.recv()], [Ok(1), Ok(1)]);
        assert!(receiver.recv().is_err(), "there is no sender any more");
    });
    assert!(verdict.violations.is_empty(), "{:#?}", verdict.violations);
}

#[test]
fn there_may_be_none() {
    assert_eq!(counts(Algorithm::Observers, || thread::spawn_many(0, || {}).join()), [1, 1]);
}

#[test]
fn explorers_that_cannot_do_it_refuse() {
    for algorithm in [Algorithm::DataCentric, Algorithm::Unfolding, Algorithm::Random] {
        let verdict = Check::new().algorithm(algorithm).symmetry(true).run(|| {});
        assert_eq!(verdict.violations[0].kind, ViolationKind::Unsupported, "{algorithm}");
    }
    let verdict = Check::new().symmetry(true).preemption_bound(1).run(|| {});
    assert_eq!(verdict.violations[0].kind, ViolationKind::Unsupported);
}

#[test]
fn workers_and_one_worker_agree() {
    let f = || {
        let x = Arc::new(AtomicUsize::new(0));
        let y = x.clone();
        let adders = thread::spawn_many(3, move || {
            let seen = y.load(SeqCst);
            y.store(seen + 1, SeqCst);
        });
        adders.join();
        assert!(x.load(SeqCst) > 0);
    };
    let count = |workers| {
        let check = Check::new().algorithm(Algorithm::Optimal).symmetry(true).workers(workers);
        check.run(f).executions
    };
    assert_eq!((count(1), count(3)), (6, 6));
}
