//! Tests of channels without room.

use std::collections::BTreeSet;

use super::sync_channel;
use super::tests::{word, words};
use crate::sync::testing::outcomes;
use crate::thread;

#[test]
fn without_room_trying_needs_a_receiver_that_waits() {
    let (seen, violations) = outcomes(|| {
        let (sender, receiver) = sync_channel(0);
        let other = thread::spawn(move || vec![word(sender.try_send(1)), word(sender.try_send(2))]);
        let received = receiver.recv();
        let last = receiver.recv();
        drop(receiver);
        let mut words = other.join().unwrap();
        words.extend([format!("{received:?}"), format!("{last:?}")]);
        words
    });
    let expected = words(&[
        ["Full(..)", "Full(..)", "Err(RecvError)", "Err(RecvError)"],
        ["Full(..)", "Ok", "Ok(2)", "Err(RecvError)"],
        ["Ok", "Full(..)", "Ok(1)", "Err(RecvError)"],
        ["Ok", "Ok", "Ok(1)", "Ok(2)"],
    ]);
    assert_eq!((seen, violations), (expected, BTreeSet::new()));
}

#[test]
fn without_room_one_receiver_takes_one_message() {
    let (seen, violations) = outcomes(|| {
        let (sender, receiver) = sync_channel(0);
        let other = sender.clone();
        let tries = thread::spawn(move || word(other.try_send(1)));
        let sends = thread::spawn(move || word(sender.send(2)));
        let received = receiver.recv().unwrap();
        drop(receiver);
        vec![tries.join().unwrap(), sends.join().unwrap(), received.to_string()]
    });
    let expected = words(&[
        ["Ok", "SendError { .. }", "1"],
        ["Full(..)", "Ok", "2"],
        ["Disconnected(..)", "Ok", "2"],
    ]);
    assert_eq!((seen, violations), (expected, BTreeSet::new()));
}

#[test]
fn without_room_a_look_finds_a_sender_that_waits() {
    let (seen, violations) = outcomes(|| {
        let (sender, receiver) = sync_channel(0);
        let other = thread::spawn(move || word(sender.send(1)));
        let tried = word(receiver.try_recv());
        drop(receiver);
        vec![tried, other.join().unwrap()]
    });
    let expected = words(&[["Ok", "Ok"], ["Empty", "SendError { .. }"]]);
    assert_eq!((seen, violations), (expected, BTreeSet::new()));
}

#[test]
fn without_room_a_sender_goes_on_after_the_receiver() {
    crate::check(|| {
        let (sender, receiver) = sync_channel(0);
        let received = crate::cell::Cell::new(false);
        thread::scope(|s| {
            let received = Shared(&received);
            s.spawn(move || {
                let received = received;
                received.0.set(true);
                receiver.recv().unwrap();
            });
            sender.send(()).unwrap();
        });
        assert!(received.get());
    });
    struct Shared<'a>(&'a crate::cell::Cell<bool>);
    // SAFETY: the test is about whether it is.
    unsafe impl Send for Shared<'_> {}
}
