//! Actors that pass messages.

use mazurka::actor::{self, Me, Pid};

/// Creates an actor that sends these messages one after the other.
fn sender<M: Send + 'static>(to: &Pid<M>, messages: impl IntoIterator<Item = M> + Send + 'static) {
    let to = to.clone();
    actor::spawn(move |_: &Me<()>| messages.into_iter().for_each(|message| to.send(message)));
}

pub(super) fn not_selective(n: usize) {
    let me = actor::me();
    (0..n).for_each(|i| sender(&me.pid(), [i]));
    let sum: usize = (0..n).map(|_| me.receive()).sum();
    assert_eq!(sum, n * (n - 1) / 2);
}

pub(super) fn selective(n: usize) {
    let me = actor::me();
    (0..n).for_each(|i| sender(&me.pid(), [i]));
    for i in 0..n {
        assert_eq!(me.receive_if(move |message| *message == i), i);
    }
}

enum Request {
    Acquire(Pid<()>),
    Release,
}

/// The lock waits for the next request for ever.
pub(super) fn lock(n: usize) {
    let lock = actor::spawn_named("lock", |me| {
        loop {
            let worker = me.receive_map(|request| match request {
                Request::Acquire(worker) => Some(worker.clone()),
                Request::Release => None,
            });
            worker.send(());
            me.receive_if(|request| matches!(request, Request::Release));
        }
    });
    for _ in 0..n {
        let lock = lock.clone();
        actor::spawn_named("worker", move |me| {
            lock.send(Request::Acquire(me.pid()));
            me.receive();
            lock.send(Request::Release);
        });
    }
}

pub(super) fn n_senders_one_receive(n: usize) {
    let me = actor::me();
    (0..n).for_each(|i| sender(&me.pid(), [i]));
    assert!(me.receive() < n);
}

pub(super) fn two_senders_blocking() {
    n_senders_one_receive(2);
}

pub(super) fn two_senders_polling() {
    let me = actor::me();
    (1..=2).for_each(|i| sender(&me.pid(), [i]));
    assert!(me.try_receive().is_none_or(|i| i <= 2));
}

/// Whether there is a second receive depends on what the first one takes.
pub(super) fn observed_later() {
    let receiver = actor::spawn_named("r", |me| {
        let (_, from) = me.receive_if(|(tag, _)| *tag == 'A');
        if from == 'p' {
            me.receive_if(|(tag, _)| *tag == 'B');
        }
    });
    sender(&receiver, [('B', 'p'), ('A', 'p')]);
    sender(&receiver, [('A', 'q')]);
    sender(&receiver, [('B', 's')]);
}
