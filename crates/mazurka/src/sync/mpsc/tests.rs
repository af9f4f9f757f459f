use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize as StdUsize, Ordering::Relaxed};
use std::time::Duration;

use super::*;
use crate::sync::testing::{count, outcomes, violation};
use crate::{Check, thread};

const SOON: Duration = Duration::from_millis(1);

/// So many senders of one message each, and one who receives all.
fn senders(n: u32) -> u64 {
    count(move || {
        let (sender, receiver) = channel();
        for i in 0..n {
            let sender = sender.clone();
            thread::spawn(move || sender.send(i).unwrap());
        }
        let sum: u32 = (0..n).map(|_| receiver.recv().unwrap()).sum();
        assert_eq!(sum, n * (n - 1) / 2);
    })
}

fn sync_senders(n: u32, bound: usize) -> u64 {
    count(move || {
        let (sender, receiver) = sync_channel(bound);
        for i in 0..n {
            let sender = sender.clone();
            thread::spawn(move || sender.send(i).unwrap());
        }
        let sum: u32 = (0..n).map(|_| receiver.recv().unwrap()).sum();
        assert_eq!(sum, n * (n - 1) / 2);
    })
}

#[test]
fn only_the_order_of_messages_matters() {
    assert_eq!(senders(1), 1);
    assert_eq!(senders(2), 2);
    assert_eq!(senders(3), 6);
    assert_eq!(senders(4), 24);
    assert_eq!(senders(5), 120);
}

#[test]
fn so_it_is_in_a_bounded_channel() {
    for bound in [1, 2, 3, 10] {
        assert_eq!(sync_senders(3, bound), 6, "{bound}");
        assert_eq!(sync_senders(4, bound), 24, "{bound}");
    }
}

#[test]
fn so_it_is_without_any_room() {
    assert_eq!(sync_senders(1, 0), 1);
    assert_eq!(sync_senders(2, 0), 2);
    assert_eq!(sync_senders(3, 0), 6);
    assert_eq!(sync_senders(4, 0), 24);
}

#[test]
fn receiving_ends_when_all_senders_are_gone() {
    let executions = count(|| {
        let (sender, receiver) = channel();
        for i in 0..2 {
            let sender = sender.clone();
            thread::spawn(move || sender.send(i).unwrap());
        }
        drop(sender);
        let all: BTreeSet<_> = receiver.iter().collect();
        assert_eq!(all, BTreeSet::from([0, 1]));
        assert_eq!(receiver.recv(), Err(RecvError));
        assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
        assert_eq!(receiver.recv_timeout(SOON), Err(RecvTimeoutError::Disconnected));
    });
    assert_eq!(executions, 2);
}

#[test]
fn messages_of_one_sender_stay_in_order() {
    for bound in [None, Some(0), Some(1), Some(2)] {
        let (seen, violations) = outcomes(move || {
            let receiver = match bound {
                None => {
                    let (sender, receiver) = channel();
                    thread::spawn(move || (0..3).for_each(|i| sender.send(i).unwrap()));
                    receiver
                }
                Some(bound) => {
                    let (sender, receiver) = sync_channel(bound);
                    thread::spawn(move || (0..3).for_each(|i| sender.send(i).unwrap()));
                    receiver
                }
            };
            receiver.into_iter().collect::<Vec<_>>()
        });
        assert_eq!(seen, BTreeSet::from([vec![0, 1, 2]]));
        assert!(violations.is_empty());
    }
}

/// A result in words, which can be put into order.
pub(super) fn word<T, E: std::fmt::Debug>(result: Result<T, E>) -> String {
    let word = |error| format!("{error:?}").replace("TrySendError::", "");
    result.map_or_else(word, |_| "Ok".to_owned())
}

pub(super) fn words<const N: usize>(all: &[[&str; N]]) -> BTreeSet<Vec<String>> {
    all.iter().map(|words| words.iter().map(|word| (*word).to_owned()).collect()).collect()
}

#[test]
fn looking_may_find_a_message_nothing_or_nobody() {
    let expected =
        words(&[["Empty", "Empty"], ["Empty", "Ok"], ["Ok", "Empty"], ["Ok", "Disconnected"]]);
    let (seen, violations) = outcomes(|| {
        let (sender, receiver) = channel();
        thread::spawn(move || sender.send(1));
        vec![word(receiver.try_recv()), word(receiver.try_recv())]
    });
    assert_eq!((seen, violations), (expected, BTreeSet::new()));
}

#[test]
fn a_receive_may_time_out() {
    let expected = words(&[
        ["Timeout", "Timeout"],
        ["Timeout", "Ok"],
        ["Ok", "Timeout"],
        ["Ok", "Disconnected"],
    ]);
    for bound in [0, 1] {
        let (seen, violations) = outcomes(|| {
            let (sender, receiver) = sync_channel(bound);
            thread::spawn(move || sender.send(1));
            vec![word(receiver.recv_timeout(SOON)), word(receiver.recv_timeout(SOON))]
        });
        assert_eq!((seen, violations), (expected.clone(), BTreeSet::new()));
    }
}

#[test]
fn a_send_may_come_too_late() {
    for bound in [None, Some(0), Some(1)] {
        let (seen, violations) = outcomes(|| match bound {
            None => {
                let (sender, receiver) = channel();
                let other = thread::spawn(move || vec![word(sender.send(1)), word(sender.send(2))]);
                drop(receiver);
                other.join().unwrap()
            }
            Some(bound) => {
                let (sender, receiver) = sync_channel(bound);
                let other = thread::spawn(move || vec![word(sender.send(1)), word(sender.send(2))]);
                drop(receiver);
                other.join().unwrap()
            }
        });
        let failed = ["SendError { .. }", "SendError { .. }"];
        let expected = match bound {
            None => words(&[["Ok", "Ok"], ["Ok", failed[1]], failed]),
            Some(0) => words(&[failed]),
            Some(_) => words(&[["Ok", failed[1]], failed]),
        };
        assert_eq!((seen, violations), (expected, BTreeSet::new()), "{bound:?}");
    }
}

#[test]
fn trying_to_send_may_find_no_room_or_nobody() {
    let (seen, violations) = outcomes(|| {
        let (sender, receiver) = sync_channel(1);
        let other = thread::spawn(move || vec![word(sender.try_send(1)), word(sender.try_send(2))]);
        let _ = receiver.recv();
        drop(receiver);
        other.join().unwrap()
    });
    let expected = words(&[["Ok", "Full(..)"], ["Ok", "Ok"], ["Ok", "Disconnected(..)"]]);
    assert_eq!((seen, violations), (expected, BTreeSet::new()));
}

#[test]
fn to_wait_for_ever_is_a_deadlock_that_says_for_what() {
    let message = violation(|| {
        let (_sender, receiver) = channel_with_label::<()>("jobs");
        let _ = receiver.recv();
    });
    assert!(message.contains("'main' waits for a message in `jobs` ("), "{message}");
    let message = violation(|| {
        let (sender, _receiver) = sync_channel(1);
        sender.send(()).unwrap();
        let _ = sender.send(());
    });
    assert!(message.contains("'main' waits for room in channel created at "), "{message}");
    let message = violation(|| {
        let (sender, _receiver) = sync_channel_with_label(0, "hand over");
        let _ = sender.send(());
    });
    let expected = "'main' waits for a receive from `hand over` (";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn who_gets_the_room_may_decide_about_a_deadlock() {
    let (_, violations) = outcomes(|| {
        let (sender, receiver) = sync_channel(1);
        let other = sender.clone();
        let greedy = thread::spawn(move || {
            other.send(1).unwrap();
            other.send(1).unwrap();
        });
        sender.send(2).unwrap();
        if receiver.recv() == Ok(2) {
            greedy.join().unwrap();
        }
    });
    assert_eq!(violations, BTreeSet::from(["Deadlock".to_owned()]));
}

#[test]
fn messages_are_dropped_with_the_receiver() {
    struct Counts<'a>(&'a StdUsize);
    impl Drop for Counts<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Relaxed);
        }
    }
    let drops = StdUsize::new(0);
    crate::check(|| {
        drops.store(0, Relaxed);
        let (sender, receiver) = channel();
        for _ in 0..3 {
            assert!(sender.send(Counts(&drops)).is_ok());
        }
        drop(receiver.recv());
        assert_eq!(drops.load(Relaxed), 1);
        drop(receiver);
        assert_eq!(drops.load(Relaxed), 3);
        let SendError(back) = sender.send(Counts(&drops)).unwrap_err();
        assert_eq!(drops.load(Relaxed), 3);
        drop(back);
    });
    assert_eq!(drops.load(Relaxed), 4);
}

#[test]
fn a_message_may_hold_a_sender() {
    crate::check(|| {
        struct Request(Sender<u32>);
        let (requests, inbox) = channel::<Request>();
        thread::spawn(move || inbox.iter().for_each(|request| request.0.send(7).unwrap()));
        let (sender, receiver) = channel();
        requests.send(Request(sender)).unwrap();
        assert_eq!(receiver.recv(), Ok(7));
        assert_eq!(receiver.recv(), Err(RecvError));
    });
}

#[test]
fn iterators_are_as_those_of_std() {
    crate::check(|| {
        let (sender, receiver) = channel();
        sender.send(1).unwrap();
        sender.send(2).unwrap();
        assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [1, 2]);
        sender.send(3).unwrap();
        assert_eq!((&receiver).into_iter().next(), Some(3));
        assert_eq!(format!("{sender:?} {receiver:?}"), "Sender { .. } Receiver { .. }");
    });
}

#[test]
fn types_are_shared_as_those_of_std() {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    send::<Sender<std::cell::Cell<u32>>>();
    sync::<Sender<std::cell::Cell<u32>>>();
    send::<SyncSender<std::cell::Cell<u32>>>();
    sync::<SyncSender<std::cell::Cell<u32>>>();
    send::<Receiver<std::cell::Cell<u32>>>();
}

#[test]
fn a_loop_that_looks_for_a_message_or_a_flag_misses_neither() {
    use crate::sync::atomic::{AtomicBool, Ordering::SeqCst};
    let check = Check::new().max_depth(12).keep_going(true);
    let verdict = check.run(|| {
        let (sender, receiver) = channel();
        let stop = AtomicBool::new(false);
        thread::scope(|s| {
            s.spawn(|| sender.send(()).unwrap());
            while !stop.load(SeqCst) {
                if receiver.try_recv().is_ok() {
                    break;
                }
                thread::yield_now();
            }
        });
    });
    assert_eq!(verdict.violations, []);
}

#[test]
fn a_loop_that_only_looks_waits() {
    let executions = count(|| {
        let (sender, receiver) = channel();
        thread::spawn(move || sender.send(7).unwrap());
        let message = loop {
            match receiver.try_recv() {
                Ok(message) => break message,
                Err(TryRecvError::Disconnected) => unreachable!(),
                Err(TryRecvError::Empty) => thread::yield_now(),
            }
        };
        assert_eq!(message, 7);
    });
    // It finds the message at once, or finds nothing at first.
    assert_eq!(executions, 2);
    let message = violation(|| {
        let (_sender, receiver) = channel::<()>();
        while receiver.try_recv().is_err() {
            crate::hint::spin_loop();
        }
    });
    assert!(message.contains("'main' waits for a message in channel"), "{message}");
}

#[test]
fn it_can_be_used_in_a_teardown() {
    struct Uses(SyncSender<u32>, Receiver<u32>);
    impl Drop for Uses {
        fn drop(&mut self) {
            self.0.send(1).unwrap();
            self.0.try_send(2).unwrap();
            drop(self.0.clone());
            let _ = (self.1.recv(), self.1.try_recv(), self.1.recv_timeout(SOON));
            assert_eq!(self.1.iter().count(), 0);
        }
    }
    for bound in [0, 1, 2] {
        let verdict = Check::new().keep_going(true).run(|| {
            let (to, from) = sync_channel(bound);
            let (back, answer) = sync_channel(bound);
            thread::spawn(move || {
                let uses = Uses(back, from);
                let _ = uses.1.recv();
                let _ = uses.1.recv();
                thread::park();
            });
            let uses = Uses(to, answer);
            uses.0.send(1).unwrap();
            let _ = uses.1.recv();
        });
        assert_eq!(verdict.violations.len(), 1, "{verdict:#?}");
    }
    assert!(!std::thread::panicking());
}
