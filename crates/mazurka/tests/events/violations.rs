//! What goes wrong in handlers.

use std::sync::Arc;

use mazurka::event::EventLoop;
use mazurka::sync::Mutex;
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::{Algorithm, Bound, Check, Violation, ViolationKind, thread};

/// The violation that every explorer finds.
fn violation(f: impl Fn() + Send + Sync) -> Violation {
    let mut found = Algorithm::ALL.map(|algorithm| {
        let verdict = Check::new().algorithm(algorithm).run(&f);
        assert_eq!(verdict.stopped, Some(Bound::Violation), "{algorithm}");
        assert_eq!(verdict.violations.len(), 1, "{algorithm}");
        verdict.violations.into_iter().next().unwrap()
    });
    for (algorithm, other) in Algorithm::ALL.iter().zip(&found) {
        assert_eq!((other.kind, &other.message), (found[0].kind, &found[0].message), "{algorithm}");
    }
    let last = found.len() - 1;
    found.swap(0, last);
    found.into_iter().next().unwrap()
}

#[test]
fn a_panic_in_a_handler_is_a_violation() {
    let violation = violation(|| {
        let worker = EventLoop::spawn("worker");
        worker.post(|| panic!("oh no"));
    });
    assert_eq!(violation.kind, ViolationKind::Panic);
    assert!(violation.message.contains("oh no"), "{}", violation.message);
    assert!(violation.message.contains("worker"), "{}", violation.message);
}

#[test]
fn who_joins_the_loop_learns_of_a_panic() {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).run(|| {
            let worker = EventLoop::spawn("worker");
            worker.post(|| panic!("oh no"));
            worker.post(|| unreachable!("the loop has ended"));
            let panic = worker.join().unwrap_err();
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"oh no"));
        });
        assert_eq!(verdict.violations, [], "{algorithm}");
    }
}

#[test]
fn an_assertion_that_fails_in_one_order_of_events_only_is_found() {
    let violation = violation(|| {
        let worker = EventLoop::spawn("worker");
        let loaded = Arc::new(AtomicU32::new(0));
        let (handle, page) = (worker.handle(), Arc::clone(&loaded));
        thread::spawn(move || handle.post(move || page.store(1, SeqCst)));
        let handle = worker.handle();
        thread::spawn(move || {
            handle.post(move || assert_eq!(loaded.load(SeqCst), 1, "shown before it is loaded"));
        });
    });
    assert!(violation.message.contains("shown before it is loaded"), "{}", violation.message);
}

#[test]
fn two_loops_that_lock_crosswise_get_stuck() {
    let violation = violation(|| {
        let (one, two) = (EventLoop::spawn("one"), EventLoop::spawn("two"));
        let locks = [Arc::new(Mutex::new(())), Arc::new(Mutex::new(()))];
        for (worker, outer, inner) in [(&one, 0, 1), (&two, 1, 0)] {
            let (outer, inner) = (Arc::clone(&locks[outer]), Arc::clone(&locks[inner]));
            worker.post(move || {
                let _outer = outer.lock().unwrap();
                let _inner = inner.lock().unwrap();
            });
        }
    });
    assert_eq!(violation.kind, ViolationKind::Deadlock);
    for name in ["one", "two"] {
        assert!(violation.message.contains(name), "{}", violation.message);
    }
}

#[test]
fn waiting_for_the_end_of_a_loop_that_does_not_end_is_a_deadlock() {
    let violation = violation(|| {
        let worker = EventLoop::spawn("worker");
        worker.post(|| ());
        worker.join().unwrap();
    });
    assert_eq!(violation.kind, ViolationKind::Deadlock);
    assert!(violation.message.contains("worker"), "{}", violation.message);
}
