//! Posting and handling.

use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka::event::EventLoop;
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::thread;

use super::outcomes;

/// An order in which things were done, as a number: a digit each.
#[derive(Clone, Default)]
struct Order(Arc<AtomicU32>);

impl Order {
    /// A handler that puts a digit down.
    fn append(&self, digit: u32) -> impl FnOnce() + Send + 'static {
        let order = self.clone();
        move || order.0.store(order.get() * 10 + digit, SeqCst)
    }

    fn get(&self) -> u32 {
        self.0.load(SeqCst)
    }
}

#[test]
fn events_are_handled_in_the_order_in_which_they_were_posted() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        let order = Order::default();
        for digit in 1..=3 {
            worker.post(order.append(digit));
        }
        worker.quit();
        worker.join().unwrap();
        notes.put(order.get());
    });
    assert_eq!(seen, BTreeSet::from([123]));
}

/// What a thread has posted comes in its order; what two have posted comes in any.
#[test]
fn each_thread_keeps_its_own_order() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        let order = Order::default();
        let posters = [&[1, 2][..], &[3]].map(|digits| {
            let (handle, order) = (worker.handle(), order.clone());
            thread::spawn(move || digits.iter().for_each(|digit| handle.post(order.append(*digit))))
        });
        for poster in posters {
            poster.join().unwrap();
        }
        worker.quit();
        worker.join().unwrap();
        notes.put(order.get());
    });
    assert_eq!(seen, BTreeSet::from([123, 132, 312]));
}

/// Two handlers of one loop never lose an update; two of different loops may.
#[test]
fn a_handler_runs_to_its_end_but_other_threads_run_in_between() {
    let increments = |loops: usize| {
        outcomes(move |notes| {
            let total = Arc::new(AtomicU32::new(0));
            let loops: Vec<_> = (0..loops).map(|i| EventLoop::spawn(format!("loop {i}"))).collect();
            for i in 0..2 {
                let total = Arc::clone(&total);
                let handle = loops[i % loops.len()].handle();
                handle.post(move || total.store(total.load(SeqCst) + 1, SeqCst));
                handle.quit();
            }
            for worker in loops {
                worker.join().unwrap();
            }
            notes.put(total.load(SeqCst));
        })
    };
    assert_eq!(increments(2), BTreeSet::from([1, 2]));
    // The second event comes behind the end of the loop.
    assert_eq!(increments(1), BTreeSet::from([1]));
    let seen = outcomes(|notes| {
        let total = Arc::new(AtomicU32::new(0));
        let worker = EventLoop::spawn("worker");
        let increment = |handle: mazurka::event::Handle| {
            let total = Arc::clone(&total);
            move || handle.post(move || total.store(total.load(SeqCst) + 1, SeqCst))
        };
        let posters = [increment(worker.handle()), increment(worker.handle())].map(thread::spawn);
        for poster in posters {
            poster.join().unwrap();
        }
        worker.quit();
        worker.join().unwrap();
        notes.put(total.load(SeqCst));
    });
    assert_eq!(seen, BTreeSet::from([2]));
}

/// A handler posts to its own loop and to another one, behind all that is there already.
#[test]
fn handlers_post() {
    let seen = outcomes(|notes| {
        let (ui, network) = (EventLoop::spawn("ui"), EventLoop::spawn("network"));
        let (to_ui, to_network, back) = (ui.handle(), network.handle(), ui.handle());
        let order = Order::default();
        let (click, again, answer) = (order.append(1), order.append(3), order.append(4));
        ui.post(move || {
            click();
            to_ui.post(again);
            to_network.post(move || {
                back.post(answer);
                back.quit();
            });
        });
        ui.post(order.append(2));
        ui.join().unwrap();
        notes.put(order.get());
    });
    // What the handler posts may come before the second event, or behind it, as that is posted by
    // another thread; the answer comes behind what was posted before the request.
    assert_eq!(seen, BTreeSet::from([1234, 1324, 1342, 134]));
}

#[test]
fn a_delay_may_be_overtaken_but_need_not() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        let order = Order::default();
        worker.post_delayed(order.append(1));
        worker.post(order.append(2));
        worker.quit();
        worker.join().unwrap();
        notes.put(order.get());
    });
    // Before the other one, behind it, or too late.
    assert_eq!(seen, BTreeSet::from([12, 21, 2]));
}

#[test]
fn delayed_events_overtake_each_other() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        let order = Order::default();
        worker.post_delayed(order.append(1));
        worker.post_delayed(order.append(2));
        worker.post_delayed(move || notes.put(order.get()));
    });
    assert_eq!(seen, BTreeSet::from([0, 1, 2, 12, 21]));
}
