//! Event loops.

use std::sync::Arc;

use mazurka::cell::Cell;
use mazurka::event::EventLoop;
use mazurka::sync::atomic::AtomicU32;
use mazurka::sync::atomic::Ordering::{Relaxed, SeqCst};
use mazurka::{MemoryModel, ViolationKind, thread};

use super::blocking::agree;
use super::{assert_fails, assert_fine, outcomes, rc11, under};

/// Plain memory that threads share in spite of its type: the checker finds the races.
struct Plain(Cell<u32>);

// SAFETY: the threads of a check run on one OS thread.
unsafe impl Sync for Plain {}
// SAFETY: the same.
unsafe impl Send for Plain {}

fn plain() -> Arc<Plain> {
    Arc::new(Plain(Cell::new(0)))
}

#[test]
fn a_post_happens_before_its_handler() {
    assert_fine(&rc11(|| {
        let (data, worker) = (plain(), EventLoop::spawn("worker"));
        data.0.set(1);
        let theirs = Arc::clone(&data);
        worker.post(move || assert_eq!(theirs.0.get(), 1));
        worker.quit();
        worker.join().unwrap();
        data.0.set(2);
    }));
}

/// What comes after the post is not ordered.
#[test]
fn a_handler_races_with_what_comes_after_its_post() {
    let verdict = rc11(|| {
        let (data, worker) = (plain(), EventLoop::spawn("worker"));
        let theirs = Arc::clone(&data);
        worker.post(move || theirs.0.set(1));
        data.0.set(2);
        worker.quit();
        worker.join().unwrap();
    });
    assert_fails(&verdict, ViolationKind::DataRace);
}

/// Handlers of one loop run in one thread.
#[test]
fn handlers_of_one_loop_do_not_race() {
    let run = || {
        let (data, worker) = (plain(), EventLoop::spawn("worker"));
        thread::scope(|s| {
            for digit in [1, 2] {
                let (handle, data) = (worker.handle(), Arc::clone(&data));
                s.spawn(move || handle.post(move || data.0.set(data.0.get() * 3 + digit)));
            }
        });
        worker.quit();
        worker.join().unwrap();
        data.0.get()
    };
    for model in MemoryModel::ALL {
        // The two posts come in either order, and the operations on the queue are totally ordered: an event is
        // posted before it is taken, in one of 5 orders (a Catalan number).
        let (seen, executions) = outcomes(model, run);
        assert_eq!((Vec::from_iter(seen), executions), (vec![5, 7], 2 * 5), "{model}");
    }
}

/// Two handlers of different loops see each other's relaxed stores late, as in store buffering.
#[test]
fn loops_buffer_their_stores() {
    let run = || {
        let variables = Arc::new([AtomicU32::new(0), AtomicU32::new(0)]);
        let seen = Arc::new([AtomicU32::new(9), AtomicU32::new(9)]);
        let loops = [0, 1].map(|own| {
            let (variables, seen) = (Arc::clone(&variables), Arc::clone(&seen));
            let worker = EventLoop::spawn("worker");
            worker.post(move || {
                variables[own].store(1, Relaxed);
                seen[own].store(variables[1 - own].load(Relaxed), Relaxed);
            });
            worker.quit();
            worker
        });
        loops.into_iter().for_each(|worker| worker.join().unwrap());
        (seen[0].load(Relaxed), seen[1].load(Relaxed))
    };
    for model in MemoryModel::ALL {
        let (seen, executions) = outcomes(model, run);
        let is_weak = model != MemoryModel::Sc;
        assert_eq!(seen.contains(&(0, 0)), is_weak, "{model}");
        // Each loop takes its event before or after it is told to quit.
        assert_eq!(executions, 2 * 2 * (3 + u64::from(is_weak)), "{model}");
    }
}

#[test]
fn a_loop_without_events_is_no_deadlock() {
    for model in MemoryModel::ALL {
        assert_fine(&under(model, || {
            let worker = EventLoop::spawn("worker");
            worker.post_delayed(|| ());
        }));
    }
}

#[test]
fn to_join_a_loop_that_never_quits_is_a_deadlock() {
    let verdict = rc11(|| {
        let worker = EventLoop::spawn("worker");
        let handle = worker.handle();
        let told = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&told);
        let teller = thread::spawn(move || theirs.store(1, Relaxed));
        if told.load(Relaxed) == 0 {
            handle.quit();
        }
        worker.join().unwrap();
        teller.join().unwrap();
    });
    assert_fails(&verdict, ViolationKind::Deadlock);
}

#[test]
fn outcomes_are_those_of_schedules() {
    // The handlers of two posters come in any order, with one posted by a handler behind its poster.
    agree(
        || {
            let (order, worker) = (Arc::new(AtomicU32::new(0)), EventLoop::spawn("worker"));
            let append = |digit| {
                let order = Arc::clone(&order);
                move || order.store(order.load(SeqCst) * 10 + digit, SeqCst)
            };
            thread::scope(|s| {
                let (first, third, handle) = (append(1), append(3), worker.handle());
                s.spawn(move || {
                    let inner = handle.clone();
                    handle.post(move || {
                        first();
                        inner.post(third);
                    });
                });
                let (second, handle) = (append(2), worker.handle());
                s.spawn(move || handle.post(second));
            });
            let handle = worker.handle();
            worker.post(move || handle.quit());
            worker.join().unwrap();
            order.load(SeqCst)
        },
        3,
    );
}
