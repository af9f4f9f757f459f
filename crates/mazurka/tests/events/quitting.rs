//! The end of a loop.

use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka::event::EventLoop;
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::{Algorithm, Check, thread};

use super::outcomes;

#[test]
fn what_was_posted_before_the_end_is_handled() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        let sum = Arc::new(AtomicU32::new(0));
        for i in 1..=3 {
            let sum = Arc::clone(&sum);
            worker.post(move || _ = sum.fetch_add(i, SeqCst));
        }
        worker.quit();
        worker.join().unwrap();
        notes.put(sum.load(SeqCst));
    });
    assert_eq!(seen, BTreeSet::from([6]));
}

#[test]
fn what_is_posted_behind_the_end_is_not() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        worker.quit();
        worker.post(|| panic!("handled"));
        let handle = worker.handle();
        worker.join().unwrap();
        handle.post(|| panic!("handled"));
        handle.post_delayed(|| panic!("handled"));
        handle.quit();
        notes.put(());
    });
    assert_eq!(seen, BTreeSet::from([()]));
}

#[test]
fn an_event_may_come_before_the_end_or_behind_it() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        let handled = Arc::new(AtomicU32::new(0));
        let posters = [1, 10].map(|number| {
            let (handle, handled) = (worker.handle(), Arc::clone(&handled));
            thread::spawn(move || handle.post(move || _ = handled.fetch_add(number, SeqCst)))
        });
        worker.quit();
        worker.join().unwrap();
        notes.put(handled.load(SeqCst));
        for poster in posters {
            poster.join().unwrap();
        }
    });
    assert_eq!(seen, BTreeSet::from([0, 1, 10, 11]));
}

#[test]
fn a_handler_ends_its_own_loop_and_others() {
    let seen = outcomes(|notes| {
        let (one, two) = (EventLoop::spawn("one"), EventLoop::spawn("two"));
        let (to_one, to_two) = (one.handle(), two.handle());
        one.post(move || {
            to_two.quit();
            to_one.quit();
            // It still runs to its end.
            notes.put("ended");
        });
        one.join().unwrap();
        two.join().unwrap();
    });
    assert_eq!(seen, BTreeSet::from(["ended"]));
}

#[test]
fn a_loop_may_be_told_to_end_twice() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        let handle = worker.handle();
        let other = thread::spawn(move || handle.quit());
        worker.quit();
        worker.join().unwrap();
        other.join().unwrap();
        notes.put(());
    });
    assert_eq!(seen, BTreeSet::from([()]));
}

/// A loop that nobody tells to end waits for ever, and that is fine.
#[test]
fn a_loop_need_not_end() {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).run(|| {
            EventLoop::spawn("idle");
            EventLoop::spawn("busy").post(|| ());
        });
        assert_eq!(verdict.violations, [], "{algorithm}");
        assert!(verdict.is_complete(), "{algorithm}");
    }
}

/// What is captured by an event that is never handled is dropped all the same.
#[test]
fn nothing_leaks() {
    let alive = Arc::new(());
    for algorithm in Algorithm::ALL {
        Check::new().algorithm(algorithm).run(|| {
            let worker = EventLoop::spawn("worker");
            let (one, other) = (Arc::clone(&alive), Arc::clone(&alive));
            worker.post(move || drop(one));
            worker.quit();
            worker.post(move || drop(other));
        });
        assert_eq!(Arc::strong_count(&alive), 1, "{algorithm}");
    }
}
