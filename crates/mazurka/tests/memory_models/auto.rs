//! `auto`, the default.

use mazurka::sync::atomic::Ordering::{self, Acquire, Relaxed, Release, SeqCst};
use mazurka::sync::atomic::{AtomicU32, AtomicUsize};
use mazurka::sync::{Once, mpsc};
use mazurka::{Algorithm, Check, Coherence, MemoryModel, Treated, Verdict, thread};

fn store_buffering(store: Ordering, load: Ordering) {
    let (x, y) = (AtomicU32::new(0), AtomicU32::new(0));
    thread::scope(|s| {
        let first = s.spawn(|| {
            x.store(1, store);
            y.load(load)
        });
        let second = s.spawn(|| {
            y.store(1, store);
            x.load(load)
        });
        assert!(first.join().unwrap() + second.join().unwrap() > 0);
    });
}

fn treated(verdict: &Verdict) -> Option<&Treated> {
    verdict.weak_access.as_ref().map(|weak| &weak.treated)
}

#[test]
fn a_weak_access_switches_to_graphs() {
    let verdict = Check::new().run(|| store_buffering(Release, Acquire));
    assert_eq!(verdict.violations.len(), 1, "{verdict:?}");
    assert_eq!(verdict.algorithm, Algorithm::Graphs);
    assert_eq!(treated(&verdict), Some(&Treated::AsWritten));
    let place = verdict.weak_access.unwrap().place.unwrap();
    assert!(place.contains("auto.rs:12"), "{place}");
}

/// A look whether a `Once` is complete only acquires.
#[test]
fn a_look_at_a_once_switches_to_graphs() {
    let verdict = Check::new().run(|| {
        let (once, x) = (Once::new(), AtomicU32::new(0));
        thread::scope(|s| {
            let first = s.spawn(|| {
                once.call_once(|| {});
                x.load(SeqCst)
            });
            x.store(1, SeqCst);
            let is_completed = once.is_completed();
            assert!(first.join().unwrap() == 1 || is_completed);
        });
    });
    assert_eq!(verdict.violations.len(), 1, "{verdict:?}");
    assert_eq!(treated(&verdict), Some(&Treated::AsWritten));
}

#[test]
fn several_workers_switch_too() {
    let verdict = Check::new().workers(2).run(|| store_buffering(Release, Acquire));
    assert_eq!(verdict.violations.len(), 1, "{verdict:?}");
    assert_eq!(treated(&verdict), Some(&Treated::AsWritten));
}

/// A thread that spins on several variables may observe the order of stores that no load reads from.
#[test]
fn a_thread_that_spins_orders_all_stores() {
    let spin = || {
        let (x, ready) = (AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|s| {
            s.spawn(|| x.store(1, Relaxed));
            s.spawn(|| {
                x.store(2, Relaxed);
                ready.store(1, Release);
            });
            while ready.load(Acquire) == 0 && x.load(Relaxed) != 3 {
                mazurka::hint::spin_loop();
            }
            assert!(x.load(Relaxed) > 0);
        });
    };
    let total = Check::new().coherence(Coherence::Total).run(spin);
    assert!(total.is_complete() && total.restarts.is_empty(), "{total:?}");
    for workers in [1, 2] {
        for check in [Check::new(), Check::new().coherence(Coherence::Observed)] {
            let verdict = check.workers(workers).run(spin);
            assert!(verdict.is_complete() && verdict.violations.is_empty(), "{verdict:?}");
            assert_eq!(verdict.executions, total.executions);
            let last = verdict.restarts.last().map(|restart| restart.lesson.to_string());
            let text = "a thread spins in a loop, so all writes to a location are ordered, as with \
                        `--coherence total`";
            assert_eq!(last.as_deref(), Some(text));
        }
    }
}

#[test]
fn seq_cst_stays_with_the_explorers_of_schedules() {
    let verdict = Check::new().run(|| store_buffering(SeqCst, SeqCst));
    assert!(verdict.violations.is_empty() && verdict.is_complete());
    assert_eq!((verdict.algorithm, treated(&verdict)), (Algorithm::Observers, None));
}

#[test]
fn a_chosen_explorer_says_that_it_treats_all_as_seq_cst() {
    let verdict =
        Check::new().algorithm(Algorithm::Optimal).run(|| store_buffering(Release, Acquire));
    assert!(verdict.violations.is_empty() && verdict.is_complete());
    assert_eq!(treated(&verdict), Some(&Treated::AsSeqCst));
    let verdict =
        Check::new().memory_model(MemoryModel::Sc).run(|| store_buffering(Relaxed, Relaxed));
    assert!(verdict.violations.is_empty() && verdict.is_complete());
    assert_eq!(treated(&verdict), None);
    let verdict = Check::new().preemption_bound(2).run(|| store_buffering(Relaxed, Relaxed));
    assert_eq!(treated(&verdict), Some(&Treated::AsSeqCst));
}

#[test]
fn a_program_that_graphs_does_not_support_is_checked_under_sc() {
    // Each run publishes another address as an integer.
    let kept = std::sync::Mutex::new(Vec::new());
    let verdict = Check::new().run(|| {
        let new = Box::new(1);
        let published = AtomicUsize::new(0);
        thread::scope(|s| {
            s.spawn(|| published.store(std::ptr::from_ref(&*new).addr(), Release));
            s.spawn(|| published.load(Acquire));
            s.spawn(|| published.load(Acquire));
        });
        kept.lock().unwrap().push(new);
    });
    assert!(verdict.violations.is_empty() && verdict.is_complete(), "{verdict:?}");
    let Some(Treated::Unsupported(reason)) = treated(&verdict) else { panic!("{verdict:?}") };
    assert!(reason.contains("an atomic integer holds another value"), "{reason}");
}

#[test]
fn a_program_with_channels_is_checked_as_written() {
    let verdict = Check::new().run(|| {
        let (sender, receiver) = mpsc::channel();
        let count = AtomicU32::new(0);
        thread::scope(|s| {
            s.spawn(|| {
                sender.send(1).unwrap();
                count.store(1, Relaxed);
            });
            assert_eq!(receiver.recv(), Ok(1));
            assert_eq!(count.load(Relaxed), 1);
        });
    });
    assert_eq!(verdict.violations.len(), 1, "{verdict:?}");
    assert_eq!(treated(&verdict), Some(&Treated::AsWritten));
}

#[test]
fn the_schedule_of_a_weak_execution_is_replayed() {
    let program = || store_buffering(Relaxed, Relaxed);
    let verdict = Check::new().run(program);
    let schedule = verdict.violations[0].schedule.to_string();
    assert!(schedule.starts_with("rc11:") && schedule.contains('<'), "{schedule}");
    let again = Check::new().replay(&schedule).run(program);
    assert_eq!(again.violations.len(), 1, "{again:?}");
    assert_eq!(again.violations[0].message, verdict.violations[0].message);
}
