//! Sizes and bounds.

use std::sync::Arc;
use std::time::Duration;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::{Algorithm, Bound, Check, PreemptionBound, Verdict};

use super::{lost_update, spawn_with};

fn many(threads: usize) {
    let x = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> =
        (0..threads).map(|i| spawn_with(&x, move |x| x.store(i, SeqCst))).collect();
    for thread in threads {
        thread.join().unwrap();
    }
    x.load(SeqCst);
}

#[test]
fn sixty_four_threads_work() {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).max_executions(200).run(|| many(64));
        assert!(verdict.violations.is_empty(), "{algorithm}");
        match algorithm {
            // One for each thread that may be the last to store.
            Algorithm::Observers | Algorithm::DataCentric => {
                assert_eq!((verdict.executions, verdict.stopped), (64, None), "{algorithm}");
            }
            _ => assert_eq!(verdict.stopped, Some(Bound::Executions), "{algorithm}"),
        }
    }
}

#[test]
fn a_bound_makes_a_verdict_incomplete() {
    let stopped = |check: Check| {
        let verdict = check.run(|| {
            let x = Arc::new(AtomicUsize::new(0));
            (0..8).for_each(|_| drop(spawn_with(&x, |x| x.fetch_add(1, SeqCst))));
        });
        assert!(verdict.violations.is_empty());
        assert_eq!(verdict.is_complete(), verdict.stopped.is_none());
        verdict.stopped
    };
    for algorithm in Algorithm::ALL {
        let check = || Check::new().algorithm(algorithm);
        assert_eq!(stopped(check().max_executions(5)), Some(Bound::Executions), "{algorithm}");
        assert_eq!(stopped(check().max_depth(4)), Some(Bound::Depth), "{algorithm}");
        assert_eq!(stopped(check().time_limit(Duration::ZERO)), Some(Bound::Time), "{algorithm}");
    }
}

#[test]
fn an_endless_program_is_cut() {
    let verdict = Check::new().max_depth(1000).max_executions(3).run(|| {
        let x = AtomicUsize::new(0);
        loop {
            x.fetch_add(1, SeqCst);
        }
    });
    assert_eq!(verdict.stopped, Some(Bound::Depth));
    assert_eq!(verdict.max_depth, 1000);
}

#[test]
fn a_lost_update_takes_a_preemption() {
    for algorithm in Algorithm::ALL {
        let run = |bound: u32| {
            let check = Check::new().algorithm(algorithm).preemption_bound(bound);
            check.run(lost_update)
        };
        let none: Verdict = run(0);
        assert_eq!(none.violations, [], "{algorithm}");
        assert_eq!(none.stopped, Some(Bound::Preemptions), "{algorithm}");
        assert_eq!(run(1).violations.len(), 1, "{algorithm}");
    }
}

#[test]
fn a_bound_on_preemptions_is_raised_until_everything_is_explored() {
    for algorithm in Algorithm::ALL {
        let check = Check::new().algorithm(algorithm).keep_going(true);
        let auto = check.clone().preemption_bound(PreemptionBound::Auto).run(lost_update);
        assert!(auto.is_complete(), "{algorithm}");
        assert_eq!(auto.violations.len(), 1, "{algorithm}");
        let level = auto.preemptions.unwrap();
        assert!(level.is_explored && level.bound >= 1, "{algorithm}");
        if [Algorithm::Source, Algorithm::Optimal, Algorithm::Observers].contains(&algorithm) {
            let all = check.run(lost_update);
            assert_eq!(auto.executions, all.executions, "{algorithm}");
        }
    }
}
