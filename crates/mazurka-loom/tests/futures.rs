//! Futures and wakers.

use std::future::poll_fn;
use std::sync::Mutex;
use std::task::Poll;

use loom::future::{AtomicWaker, block_on};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use loom::thread;

#[test]
fn a_task_sees_all_wakes() {
    loom::model(|| {
        let shared = Arc::new((AtomicUsize::new(0), AtomicWaker::new()));
        for _ in 0..2 {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                shared.0.fetch_add(1, SeqCst);
                shared.1.wake();
            });
        }
        block_on(poll_fn(move |context| {
            shared.1.register_by_ref(context.waker());
            match shared.0.load(SeqCst) {
                2 => Poll::Ready(()),
                _ => Poll::Pending,
            }
        }));
    });
}

#[test]
fn a_task_is_polled_spuriously_at_most_once() {
    static POLLS: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    loom::model(|| {
        let mut polls = 0;
        let shared = Arc::new(AtomicUsize::new(0));
        block_on(poll_fn(|context| {
            polls += 1;
            if polls == 1 {
                let (shared, waker) = (Arc::clone(&shared), context.waker().clone());
                thread::spawn(move || {
                    shared.store(1, SeqCst);
                    waker.wake();
                });
            }
            match shared.load(SeqCst) {
                1 => Poll::Ready(()),
                _ => Poll::Pending,
            }
        }));
        POLLS.lock().unwrap().push(polls);
    });
    let mut polls = POLLS.lock().unwrap().clone();
    polls.sort_unstable();
    polls.dedup();
    assert_eq!(polls, [1, 2, 3]);
}

#[test]
#[should_panic]
fn a_task_that_nobody_wakes_fails_the_model() {
    loom::model(|| block_on(std::future::pending::<()>()));
}
