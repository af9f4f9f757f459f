//! Handlers that wait for other things than locks.

use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka::event::EventLoop;
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Condvar, Mutex, mpsc};
use mazurka::{Algorithm, Check, Note, ViolationKind, thread};

use super::outcomes;

#[test]
fn a_handler_waits_for_a_thread() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        let value = Arc::new(AtomicU32::new(0));
        let (result, handle) = (Arc::clone(&value), worker.handle());
        worker.post(move || {
            let child = thread::spawn(move || value.store(1, SeqCst));
            child.join().unwrap();
            handle.quit();
        });
        let before = result.load(SeqCst);
        worker.join().unwrap();
        notes.put((before, result.load(SeqCst)));
    });
    assert_eq!(seen, BTreeSet::from([(0, 1), (1, 1)]));
}

#[test]
fn a_handler_waits_for_a_condition() {
    let seen = outcomes(|notes| {
        let (one, two) = (EventLoop::spawn("one"), EventLoop::spawn("two"));
        let ready = Arc::new((Mutex::new(false), Condvar::new()));
        let theirs = Arc::clone(&ready);
        one.post(move || {
            let mut is_ready = ready.0.lock().unwrap();
            while !*is_ready {
                is_ready = ready.1.wait(is_ready).unwrap();
            }
            notes.put("ready");
        });
        two.post(move || {
            *theirs.0.lock().unwrap() = true;
            theirs.1.notify_one();
        });
    });
    assert_eq!(seen, BTreeSet::from(["ready"]));
}

/// A handler waits for a message that another one sends. If that one comes first, all goes well; if it
/// is stuck behind, it is a deadlock. Nothing that is in conflict tells the two apart.
#[test]
fn a_handler_waits_for_one_that_is_stuck_in_the_queue() {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).keep_going(true).run(|| {
            let worker = EventLoop::spawn("worker");
            let (sender, receiver) = mpsc::channel();
            let handle = worker.handle();
            thread::spawn(move || handle.post(move || receiver.recv().unwrap()));
            worker.post(move || sender.send(()).unwrap());
        });
        assert!(verdict.is_complete(), "{algorithm}");
        let kinds: Vec<_> = verdict.violations.iter().map(|violation| violation.kind).collect();
        assert_eq!(kinds, [ViolationKind::Deadlock], "{algorithm}");
        let leaves_it_to_another = verdict.notes.contains(&Note::HandlersWait);
        assert_eq!(leaves_it_to_another, algorithm == Algorithm::EventDriven, "{algorithm}");
    }
}

/// The main thread keeps a lock until a thread has ended, and that waits for a handler.
#[test]
fn a_handler_waits_for_a_lock_of_one_who_joins() {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).keep_going(true).run(|| {
            let worker = EventLoop::spawn("worker");
            let lock = Arc::new(Mutex::new(()));
            let (sender, receiver) = mpsc::channel();
            let (handle, theirs) = (worker.handle(), Arc::clone(&lock));
            let _guard = lock.lock().unwrap();
            let child = thread::spawn(move || receiver.recv().unwrap());
            thread::spawn(move || handle.post(move || drop(theirs.lock().unwrap())));
            worker.post(move || sender.send(()).unwrap());
            child.join().unwrap();
        });
        assert!(verdict.is_complete(), "{algorithm}");
        let kinds: Vec<_> = verdict.violations.iter().map(|violation| violation.kind).collect();
        assert_eq!(kinds, [ViolationKind::Deadlock], "{algorithm}");
    }
}

/// The same with a lock that is kept by who waits.
#[test]
fn a_handler_waits_for_a_lock_of_one_who_waits_for_a_handler() {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).keep_going(true).run(|| {
            let worker = EventLoop::spawn("worker");
            let lock = Arc::new(Mutex::new(()));
            let (sender, receiver) = mpsc::channel();
            let (handle, theirs) = (worker.handle(), Arc::clone(&lock));
            thread::spawn(move || handle.post(move || drop(theirs.lock().unwrap())));
            worker.post(move || sender.send(()).unwrap());
            let _guard = lock.lock().unwrap();
            receiver.recv().unwrap();
        });
        assert!(verdict.is_complete(), "{algorithm}");
        let kinds: Vec<_> = verdict.violations.iter().map(|violation| violation.kind).collect();
        assert_eq!(kinds, [ViolationKind::Deadlock], "{algorithm}");
    }
}
