//! Channels.

use std::collections::BTreeSet;
use std::time::Duration;

use mazurka::sync::mpsc::{self, RecvTimeoutError, TryRecvError, TrySendError};
use mazurka::{Algorithm, Check, ViolationKind, thread};

use super::{outcomes, violation};

#[test]
fn try_recv_can_succeed_and_be_empty() {
    let seen = outcomes(|| {
        let (sender, receiver) = mpsc::channel();
        let child = thread::spawn(move || sender.send(7).unwrap());
        let seen = receiver.try_recv();
        child.join().unwrap();
        // After the message comes the end.
        assert_eq!(receiver.recv().is_ok(), seen.is_err());
        assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
        seen.map_err(|error| error == TryRecvError::Empty)
    });
    assert_eq!(seen, BTreeSet::from([Ok(7), Err(true)]));
}

#[test]
fn recv_timeout_can_succeed_time_out_and_be_disconnected() {
    let seen = outcomes(|| {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            if mazurka::choose(2) == 1 {
                let _ = sender.send(7);
            }
        });
        let seen = receiver.recv_timeout(Duration::from_secs(1));
        seen.map_err(|error| error == RecvTimeoutError::Timeout)
    });
    assert_eq!(seen, BTreeSet::from([Ok(7), Err(true), Err(false)]));
}

#[test]
fn messages_of_one_sender_keep_their_order() {
    let seen = outcomes(|| {
        let (sender, receiver) = mpsc::channel();
        for id in [10, 20] {
            let sender = sender.clone();
            thread::spawn(move || (0..2).for_each(|i| sender.send(id + i).unwrap()));
        }
        drop(sender);
        receiver.iter().collect::<Vec<_>>()
    });
    let all = [
        [10, 11, 20, 21],
        [10, 20, 11, 21],
        [10, 20, 21, 11],
        [20, 10, 11, 21],
        [20, 10, 21, 11],
        [20, 21, 10, 11],
    ];
    assert_eq!(seen, all.map(Vec::from).into());
}

#[test]
fn a_full_channel_holds_its_sender_back() {
    let seen = outcomes(|| {
        let (sender, receiver) = mpsc::sync_channel(1);
        let child = thread::spawn(move || {
            sender.send(1).unwrap();
            match sender.try_send(2) {
                Ok(()) => true,
                Err(TrySendError::Full(2)) => false,
                Err(error) => panic!("{error}"),
            }
        });
        let first = receiver.recv().unwrap();
        (first, child.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(1, false), (1, true)]));
}

#[test]
fn a_rendezvous_takes_two() {
    let violation = violation(|| {
        let (sender, _receiver) = mpsc::sync_channel(0);
        sender.send(1).unwrap();
    });
    assert_eq!(violation.kind, ViolationKind::Deadlock);
}

#[test]
fn to_wait_for_a_message_that_never_comes_is_a_deadlock() {
    let violation = violation(|| {
        let (sender, receiver) = mpsc::channel::<()>();
        let _ = receiver.recv();
        drop(sender);
    });
    assert_eq!(violation.kind, ViolationKind::Deadlock);
}

#[test]
fn sending_to_nobody_fails() {
    let seen = outcomes(|| {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || drop(receiver));
        sender.send(1).is_ok()
    });
    assert_eq!(seen, BTreeSet::from([true, false]));
}

/// A receive and the send of another message are independent, and a receive finds the first message.
#[test]
fn data_centric_runs_no_more_executions_than_optimal() {
    for (senders, orders) in [(1, 1), (2, 2), (3, 6)] {
        let verdict = Check::new().algorithm(Algorithm::DataCentric).run(|| {
            let (sender, receiver) = mpsc::channel();
            for i in 0..senders {
                let sender = sender.clone();
                thread::spawn(move || sender.send(i).unwrap());
            }
            assert!((0..senders).all(|_| receiver.recv().is_ok()));
        });
        assert_eq!((verdict.executions, verdict.blocked), (orders, 0), "{senders} senders");
    }
}
