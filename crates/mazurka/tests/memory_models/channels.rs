//! Channels and actors.

use mazurka::actor;
use mazurka::cell::Cell;
use mazurka::sync::atomic::AtomicU32;
use mazurka::sync::atomic::Ordering::{Relaxed, SeqCst};
use mazurka::sync::mpsc::{self, TryRecvError, TrySendError};
use mazurka::{MemoryModel, ViolationKind, thread};

use super::blocking::agree;
use super::{assert_fails, assert_fine, outcomes, rc11};

/// Plain memory that threads share in spite of its type: the checker finds the races.
struct Plain(Cell<u32>);

// SAFETY: the threads of a check run on one OS thread.
unsafe impl Sync for Plain {}

impl Plain {
    fn new() -> Self {
        Plain(Cell::new(0))
    }

    fn get(&self) -> u32 {
        self.0.get()
    }

    fn set(&self, new: u32) {
        self.0.set(new);
    }
}

#[test]
fn a_send_happens_before_the_receive_of_its_message() {
    assert_fine(&rc11(|| {
        let (data, count) = (Plain::new(), AtomicU32::new(0));
        let (sender, receiver) = mpsc::channel();
        thread::scope(|s| {
            s.spawn(|| {
                data.set(1);
                count.store(1, Relaxed);
                sender.send(()).unwrap();
            });
            receiver.recv().unwrap();
            assert_eq!((data.get(), count.load(Relaxed)), (1, 1));
        });
    }));
}

/// A receive of another message orders nothing.
#[test]
fn sends_do_not_synchronise_with_each_other() {
    let verdict = rc11(|| {
        let (data, flag) = (Plain::new(), AtomicU32::new(0));
        let (sender, _receiver) = mpsc::channel();
        let other = sender.clone();
        thread::scope(|s| {
            s.spawn(|| {
                data.set(1);
                sender.send(1).unwrap();
                flag.store(1, Relaxed);
            });
            s.spawn(|| {
                if flag.load(Relaxed) == 1 {
                    other.send(2).unwrap();
                    data.get();
                }
            });
        });
    });
    assert_fails(&verdict, ViolationKind::DataRace);
}

#[test]
fn a_receive_happens_before_the_end_of_the_wait_for_room() {
    for capacity in [0, 1] {
        assert_fine(&rc11(move || {
            let data = Plain::new();
            let (sender, receiver) = mpsc::sync_channel(capacity);
            thread::scope(|s| {
                let (data, receiver) = (&data, receiver);
                s.spawn(move || {
                    data.set(1);
                    receiver.recv().unwrap();
                    receiver.recv().unwrap();
                });
                sender.send(1).unwrap();
                sender.send(2).unwrap();
                assert_eq!(data.get(), 1);
            });
        }));
    }
}

#[test]
fn messages_come_in_the_order_of_the_channel() {
    agree(
        || {
            let (sender, receiver) = mpsc::channel();
            for i in 1..=3 {
                let sender = sender.clone();
                thread::spawn(move || sender.send(i).unwrap());
            }
            (0..3).fold(0, |seen, _| 10 * seen + receiver.recv().unwrap())
        },
        6,
    );
}

#[test]
fn attempts_see_the_present() {
    agree(
        || {
            let (sender, receiver) = mpsc::sync_channel(1);
            let other = thread::spawn(move || {
                let mut full = 0;
                for i in 1..=2 {
                    full = 2 * full + u32::from(sender.try_send(i) == Err(TrySendError::Full(i)));
                }
                full
            });
            let seen = (0..2).fold(0, |seen, _| {
                10 * seen
                    + match receiver.try_recv() {
                        Ok(message) => message,
                        Err(TryRecvError::Empty) => 8,
                        Err(TryRecvError::Disconnected) => 9,
                    }
            });
            100 * other.join().unwrap() + seen
        },
        7,
    );
}

/// The sender learns from the failure that the receiver is gone, as with `std`'s channels.
#[test]
fn the_end_of_the_receiver_happens_before_a_send_that_fails() {
    let (seen, _) = outcomes(MemoryModel::Rc11, || {
        let (data, count) = (Plain::new(), AtomicU32::new(0));
        let (sender, receiver) = mpsc::channel();
        thread::scope(|s| {
            let (data, count) = (&data, &count);
            s.spawn(move || {
                data.set(1);
                count.store(1, Relaxed);
                drop(receiver);
            });
            sender.send(()).is_err().then(|| (data.get(), count.load(Relaxed)))
        })
    });
    assert_eq!(seen, [None, Some((1, 1))].into());
}

/// Two channels cannot both be empty if each thread sends before it looks, as with `std`'s.
#[test]
fn an_attempt_to_receive_is_ordered_with_the_sends() {
    let (seen, _) = outcomes(MemoryModel::Rc11, || {
        let [(a, to_a), (b, to_b)] = [mpsc::channel(), mpsc::channel()];
        let other = thread::spawn(move || {
            let _ = a.send(());
            to_b.try_recv().is_ok()
        });
        let _ = b.send(());
        let found = to_a.try_recv().is_ok();
        [found, other.join().unwrap()]
    });
    assert!(!seen.contains(&[false, false]), "{seen:?}");
    assert_eq!(seen.len(), 3);
}

#[test]
fn a_receiver_learns_that_the_last_sender_has_gone() {
    agree(
        || {
            let (sender, receiver) = mpsc::channel();
            let other = sender.clone();
            thread::spawn(move || sender.send(1).unwrap());
            thread::spawn(move || drop(other));
            receiver.iter().sum::<u32>()
        },
        1,
    );
}

#[test]
fn a_receive_without_a_send_is_a_deadlock() {
    let verdict = rc11(|| {
        let (sender, receiver) = mpsc::channel::<()>();
        let count = AtomicU32::new(0);
        thread::scope(|s| {
            s.spawn(|| count.store(1, Relaxed));
            let _ = receiver.recv();
        });
        drop(sender);
    });
    assert_fails(&verdict, ViolationKind::Deadlock);
}

#[test]
fn a_loop_of_attempts_waits_for_a_message() {
    assert_fine(&rc11(|| {
        let (sender, receiver) = mpsc::channel();
        let data = Plain::new();
        thread::scope(|s| {
            s.spawn(|| {
                data.set(1);
                sender.send(()).unwrap();
            });
            while receiver.try_recv().is_err() {
                thread::yield_now();
            }
            assert_eq!(data.get(), 1);
        });
    }));
}

#[test]
fn a_message_to_an_actor_passes_data_on() {
    assert_fine(&rc11(|| {
        let data = mazurka::sync::Arc::new(Plain::new());
        let me = actor::me::<u32>();
        let (parent, theirs) = (me.pid(), data.clone());
        actor::spawn(move |_: &actor::Me<()>| {
            parent.send(2);
            theirs.set(1);
            parent.send(1);
        });
        assert_eq!(me.receive_if(|message| *message == 1), 1);
        assert_eq!(data.get(), 1);
        assert_eq!(me.receive(), 2);
    }));
}

#[test]
fn selective_receives() {
    agree(
        || {
            let me = actor::me::<u32>();
            let seen = mazurka::sync::Arc::new(AtomicU32::new(0));
            for i in 1..=3 {
                let (parent, seen) = (me.pid(), seen.clone());
                actor::spawn(move |_: &actor::Me<()>| {
                    parent.send(i + 10 * seen.load(SeqCst));
                });
            }
            let odd = me.receive_if(|message| message % 2 == 1);
            seen.store(1, SeqCst);
            100 * odd + me.receive()
        },
        8,
    );
}
