//! `unfolding` on closures that loop for ever.

use std::sync::Arc;

use mazurka::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Mutex, Once};
use mazurka::{Algorithm, Bound, Check, CutOffOrder, Note, Verdict, ViolationKind, thread};

fn check() -> Check {
    Check::new().algorithm(Algorithm::Unfolding)
}

/// What two threads share.
struct Shared {
    wants: [AtomicBool; 2],
    turn: AtomicUsize,
    inside: AtomicBool,
}

/// Mutual exclusion of two threads, for ever; `polite` ones say whose turn it is only after they have
/// said that they want to enter. Nobody joins them: who waits for the end of what never ends does not
/// learn that somebody has failed.
fn peterson(polite: bool) {
    let shared = Arc::new(Shared {
        wants: [const { AtomicBool::new(false) }; 2],
        turn: AtomicUsize::new(0),
        inside: AtomicBool::new(false),
    });
    // Otherwise whoever comes upon one of them first gives it its name, and events cannot be told apart.
    shared.wants.iter().for_each(AtomicBool::introduce);
    for me in 0..2 {
        let shared = shared.clone();
        thread::spawn(move || {
            let Shared { wants, turn, inside } = &*shared;
            loop {
                if polite {
                    wants[me].store(true, SeqCst);
                    turn.store(1 - me, SeqCst);
                } else {
                    turn.store(1 - me, SeqCst);
                    wants[me].store(true, SeqCst);
                }
                while wants[1 - me].load(SeqCst) && turn.load(SeqCst) != me {}
                assert!(!inside.swap(true, SeqCst), "both are inside");
                inside.store(false, SeqCst);
                wants[me].store(false, SeqCst);
            }
        });
    }
}

fn kinds(verdict: &Verdict) -> Vec<ViolationKind> {
    verdict.violations.iter().map(|violation| violation.kind).collect()
}

#[test]
fn what_loops_for_ever_is_proved() {
    for check in [check(), check().cutoff_order(CutOffOrder::Total)] {
        let verdict = check.fingerprint(|| 0).run(|| peterson(true));
        assert!(verdict.is_complete() && verdict.violations.is_empty());
        let statistics = verdict.unfolding.unwrap();
        assert!(statistics.has_cut_offs && statistics.cut_offs > 0);
        assert!(verdict.notes.is_empty());
    }
}

#[test]
fn what_is_wrong_is_found_behind_a_loop() {
    let verdict = check().fingerprint(|| 0).run(|| peterson(false));
    assert_eq!(kinds(&verdict), [ViolationKind::Panic], "{verdict:?}");
    assert!(verdict.violations[0].message.contains("both are inside"));
}

#[test]
fn a_deadlock_is_no_cut_off() {
    let verdict = check().fingerprint(|| 0).keep_going(true).run(|| {
        let forks = [const { Mutex::new(()) }; 2];
        thread::scope(|s| {
            for me in 0..2 {
                let forks = &forks;
                s.spawn(move || {
                    loop {
                        let _first = forks[me].lock().unwrap();
                        let _second = forks[1 - me].lock().unwrap();
                    }
                });
            }
        });
    });
    assert_eq!((kinds(&verdict), verdict.stopped), (vec![ViolationKind::Deadlock], None));
}

#[test]
fn without_a_fingerprint_nothing_is_cut_off_and_that_is_said() {
    let counter = || {
        let counter = AtomicUsize::new(0);
        thread::scope(|s| {
            for _ in 0..2 {
                s.spawn(|| counter.fetch_add(1, SeqCst));
            }
        });
    };
    let verdict = check().run(counter);
    assert_eq!((verdict.executions, verdict.notes.as_slice()), (2, &[Note::NoFingerprint][..]));
    let verdict = check().cutoffs(false).run(counter);
    assert!(verdict.notes.is_empty());
    let verdict = check().max_depth(50).max_executions(10).run(|| peterson(true));
    assert!(matches!(verdict.stopped, Some(Bound::Depth | Bound::Executions)));
}

#[test]
fn preemptions_are_left_to_optimal() {
    let verdict = check().preemption_bound(1).run(|| {
        mazurka::choose(3);
    });
    assert_eq!((verdict.executions, verdict.notes.as_slice()), (3, &[Note::PreemptionBound][..]));
}

#[test]
#[should_panic(expected = "must not use threads, locks, atomics")]
fn a_fingerprint_uses_no_operation() {
    static COUNTER: AtomicUsize = AtomicUsize::new(0);
    check().fingerprint(|| COUNTER.load(SeqCst) as u64).run(|| {
        COUNTER.fetch_add(1, SeqCst);
    });
}

/// Who calls something once waits until nobody else does, and then does it, or finds it done: that is
/// one step, whose history decides what it is.
#[test]
fn what_is_called_once_is_run_or_found_done() {
    let run = |algorithm| {
        let firsts = std::sync::Mutex::new(std::collections::BTreeSet::new());
        let verdict = Check::new().algorithm(algorithm).run(|| {
            let once = Arc::new(Once::new());
            let first = Arc::new(std::sync::atomic::AtomicU32::new(0));
            let threads: Vec<_> = (1..4)
                .map(|me| {
                    let (once, first) = (Arc::clone(&once), Arc::clone(&first));
                    thread::spawn(move || {
                        let early = me == 3 && once.is_completed();
                        once.call_once(|| first.store(me, SeqCst));
                        early
                    })
                })
                .collect();
            let seen: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
            firsts.lock().unwrap().insert((first.load(SeqCst), seen));
        });
        assert_eq!((&verdict.violations[..], verdict.is_complete()), (&[][..], true));
        assert!(!verdict.notes.contains(&Note::LateNames), "{algorithm}");
        (verdict.executions, firsts.into_inner().unwrap())
    };
    let (_, all) = run(Algorithm::Naive);
    // Each may be the first, and the third one may look before or after, unless it is the first.
    assert_eq!(all.len(), 5);
    let optimal = run(Algorithm::Optimal);
    assert_eq!(optimal.1, all);
    assert_eq!(run(Algorithm::Unfolding), optimal);
}
