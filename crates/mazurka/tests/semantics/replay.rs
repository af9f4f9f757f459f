//! Replays and reports.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use mazurka::sync::Mutex;
use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::{Algorithm, Check, ViolationKind, thread};

use super::{lost_update, spawn_with};

#[test]
fn a_failing_schedule_fails_again() {
    fn chosen() {
        let x = Arc::new(AtomicUsize::new(0));
        let child = spawn_with(&x, |x| x.fetch_add(mazurka::choose(3), SeqCst));
        let seen = x.fetch_add(mazurka::choose(2), SeqCst);
        child.join().unwrap();
        assert!(seen != 2 || x.load(SeqCst) != 3, "chosen so");
    }
    fn stuck() {
        let lock = Arc::new(Mutex::new(()));
        let x = Arc::new(AtomicUsize::new(0));
        let theirs = Arc::clone(&x);
        spawn_with(&lock, move |lock| {
            let _guard = lock.lock();
            while theirs.load(SeqCst) == 0 {
                thread::yield_now();
            }
        });
        drop(lock.lock());
        x.store(1, SeqCst);
    }
    for body in [lost_update, chosen, stuck] {
        for algorithm in Algorithm::ALL {
            let check = Check::new().algorithm(algorithm);
            let found = check.run(body).violations.pop().unwrap();
            let verdict = check.clone().replay(&found.schedule.to_string()).run(body);
            assert_eq!(verdict.executions, 1, "{algorithm}");
            let [again] = &verdict.violations[..] else { panic!("{algorithm}: {verdict:?}") };
            assert_eq!((again.kind, &again.message), (found.kind, &found.message), "{algorithm}");
            assert_eq!(again.schedule, found.schedule, "{algorithm}");
        }
    }
}

#[test]
fn a_schedule_of_another_program_does_not_crash() {
    for schedule in ["7", "0x50", "1.5-0", "0-1-0-1-0-1", "0.3"] {
        let verdict = Check::new().replay(schedule).run(lost_update);
        assert!(
            verdict.violations.iter().all(|v| {
                matches!(v.kind, ViolationKind::Panic | ViolationKind::Nondeterminism)
            })
        );
    }
    let refused = catch_unwind(|| Check::new().replay("one-two")).unwrap_err();
    let message = refused.downcast_ref::<String>().unwrap();
    assert!(message.contains("`one` is not a part of a schedule"), "{message}");
}

#[test]
fn a_report_says_what_failed_and_how_to_see_it_again() {
    let error = catch_unwind(AssertUnwindSafe(|| mazurka::check(lost_update))).unwrap_err();
    let report = error.downcast_ref::<String>().unwrap();
    for part in ["an update was lost", "counter.load()", "counter.store(1)", "main.rs"] {
        assert!(report.contains(part), "no \"{part}\" in\n{report}");
    }
    let (_, replay) = report.split_once("MAZURKA_REPLAY=").expect(report);
    let schedule = replay.split_whitespace().next().unwrap();
    let verdict = Check::new().replay(schedule).run(lost_update);
    assert_eq!(verdict.violations.len(), 1, "{schedule}");
}
