//! Checks by several workers: they find what one finds, and run nothing twice.

use std::sync::Arc;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Mutex, mpsc};
use mazurka::{Algorithm, Bound, Check, Note, ViolationKind, actor, thread};

/// Threads that store, and somebody who loads in the end.
fn last_write(n: usize) {
    let last = AtomicUsize::new(0);
    thread::scope(|s| {
        for i in 0..n {
            let last = &last;
            s.spawn(move || last.store(i, SeqCst));
        }
    });
    last.load(SeqCst);
}

/// Threads that increment a counter under a lock.
fn counter(n: usize) {
    let counter = Mutex::new(0);
    thread::scope(|s| {
        for _ in 0..n {
            s.spawn(|| *counter.lock().unwrap() += 1);
        }
    });
    assert_eq!(counter.into_inner().unwrap(), n);
}

/// Senders and a receiver.
fn senders(n: usize) {
    let (sender, receiver) = mpsc::channel();
    let threads: Vec<_> = (0..n)
        .map(|i| {
            let sender = sender.clone();
            thread::spawn(move || sender.send(i).unwrap())
        })
        .collect();
    drop(sender);
    assert_eq!(receiver.iter().sum::<usize>(), n * (n - 1) / 2);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

/// Locks in a vector, each of which is named by whoever comes upon it first.
fn vector_of_locks(n: usize) {
    let locks: Arc<Vec<_>> = Arc::new((0..n).map(Mutex::new).collect());
    let threads: Vec<_> = (0..n)
        .map(|i| {
            let locks = Arc::clone(&locks);
            thread::spawn(move || {
                *locks[i].lock().unwrap() += 1;
                *locks[(i + 1) % locks.len()].lock().unwrap() += 1;
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

/// Actors that send to one that receives in any order.
fn mailbox(n: usize) {
    let sink = actor::spawn(move |me: &actor::Me<usize>| {
        (0..n).for_each(|_| {
            me.receive();
        });
    });
    for i in 0..n {
        let sink = sink.clone();
        actor::spawn(move |_: &actor::Me<()>| sink.send(i));
    }
}

#[test]
fn several_workers_run_what_one_runs() {
    let programs: [(fn(usize), usize); 5] =
        [(last_write, 5), (counter, 5), (senders, 4), (vector_of_locks, 4), (mailbox, 6)];
    let algorithms = [Algorithm::Optimal, Algorithm::Observers, Algorithm::DataCentric];
    for (program, n) in programs {
        algorithms.into_iter().for_each(|algorithm| compare(algorithm, program, n));
    }
}

fn compare(algorithm: Algorithm, program: fn(usize), n: usize) {
    let check = Check::new().algorithm(algorithm).keep_going(true);
    let alone = check.run(|| program(n));
    let together = check.clone().workers(3).run(|| program(n));
    assert!(together.is_complete() && together.violations.is_empty(), "{together:?}");
    let counts = |v: &mazurka::Verdict| (v.executions, v.blocked, v.max_depth, v.notes.len());
    assert_eq!(counts(&together), counts(&alone), "{algorithm}");
}

#[test]
fn what_one_worker_finds_stops_them_all_and_can_be_replayed() {
    let lose = || {
        let lost = AtomicUsize::new(0);
        thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| lost.store(lost.load(SeqCst) + 1, SeqCst));
            }
        });
        assert!(lost.load(SeqCst) > 1, "nearly all were lost");
    };
    let (verdict, reports) = Check::new().workers(3).report(lose);
    assert_eq!((verdict.violations.len(), verdict.stopped), (1, Some(Bound::Violation)));
    let schedule = reports[0].schedule().to_string();
    let again = Check::new().replay(&schedule).workers(3).run(lose);
    assert_eq!(again.violations[0].message, verdict.violations[0].message);
}

#[test]
fn with_keep_going_all_violations_are_found_in_a_fixed_order() {
    let choose = || {
        let chosen = mazurka::choose(4);
        thread::scope(|s| {
            s.spawn(|| assert_ne!(mazurka::choose(3), chosen, "the same"));
        });
        panic!("{chosen}");
    };
    let check = Check::new().keep_going(true);
    let kinds = |check: &Check| -> Vec<(ViolationKind, String)> {
        let verdict = check.run(choose);
        verdict.violations.into_iter().map(|v| (v.kind, v.message)).collect()
    };
    let found = kinds(&check.clone().workers(3));
    let mut alone = kinds(&check);
    for _ in 0..5 {
        assert_eq!(kinds(&check.clone().workers(3)), found);
    }
    alone.sort();
    let mut sorted = found;
    sorted.sort();
    assert_eq!(sorted, alone);
}

#[test]
fn limits_hold_for_all_together() {
    let verdict = Check::new().workers(3).max_executions(50).run(|| counter(5));
    assert_eq!(verdict.stopped, Some(Bound::Executions));
    assert!((50..60).contains(&verdict.executions), "{}", verdict.executions);
}

#[test]
fn who_cannot_share_works_alone_and_says_so() {
    for check in [
        Check::new().algorithm(Algorithm::Source),
        Check::new().preemption_bound(1),
        Check::new().algorithm(Algorithm::Unfolding),
    ] {
        let verdict = check.workers(2).run(|| last_write(3));
        assert!(verdict.notes.contains(&Note::WorksAlone), "{verdict:?}");
    }
}

#[test]
fn a_static_with_data_is_refused() {
    static ACCOUNT: Mutex<u32> = Mutex::new(0);
    let transfer = || {
        thread::scope(|s| {
            for _ in 0..8 {
                s.spawn(|| *ACCOUNT.lock().unwrap() = 1);
            }
        });
    };
    assert!(Check::new().run(transfer).violations.is_empty());
    // Unless one of them has done everything before the other has started, after 100 ms.
    let mut tries = (0..10).map(|_| Check::new().workers(2).run(transfer).violations);
    let refused =
        tries.find(|violations| !violations.is_empty()).expect("two came upon it at once");
    assert!(refused[0].message.contains("check with one worker"), "{}", refused[0].message);
}

#[test]
#[should_panic(expected = "at least one worker")]
fn there_is_a_worker() {
    let _ = Check::new().workers(0);
}

/// Threads that create threads: the ids of processes depend on what a machine has run before.
#[test]
fn samplers_find_the_same_with_any_number_of_workers() {
    let program = || {
        let counter = Arc::new(AtomicUsize::new(0));
        let add = |counter: &AtomicUsize| counter.store(counter.load(SeqCst) + 1, SeqCst);
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let counter = counter.clone();
                thread::spawn(move || {
                    let other = counter.clone();
                    let child = thread::spawn(move || add(&other));
                    add(&counter);
                    child.join().unwrap();
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_ne!(counter.load(SeqCst), 2, "four of six updates are lost");
    };
    for (algorithm, seed) in [Algorithm::Random, Algorithm::Pct, Algorithm::Pos, Algorithm::Surw]
        .into_iter()
        .flat_map(|algorithm| [(algorithm, 1), (algorithm, 2)])
    {
        for keep_going in [false, true] {
            let run = |workers| {
                let check = Check::new().algorithm(algorithm).seed(seed).samples(700);
                let verdict = check.keep_going(keep_going).workers(workers).run(program);
                let schedules = verdict.violations.iter().map(|v| v.schedule.to_string());
                let counts = (verdict.executions, verdict.events, verdict.max_depth);
                (counts, verdict.sampling, verdict.stopped, schedules.collect::<Vec<_>>())
            };
            let one = run(1);
            for workers in [2, 3] {
                assert_eq!(run(workers), one, "{algorithm}, seed {seed}, {workers} workers");
            }
        }
    }
}
