//! The Rust example of the chapter on memory models.

// ANCHOR: message
use mazurka::cell::UnsafeCell;
use mazurka::sync::Arc;
use mazurka::sync::atomic::AtomicBool;
use mazurka::sync::atomic::Ordering::{self, Acquire, Relaxed};
use mazurka::thread;

struct Message {
    text: UnsafeCell<u32>,
    ready: AtomicBool,
}
// SAFETY: `ready` says who may access `text`.
unsafe impl Sync for Message {}

fn publish(order: Ordering) {
    let message = Arc::new(Message { text: UnsafeCell::new(0), ready: AtomicBool::new(false) });
    let theirs = message.clone();
    let sender = thread::spawn(move || {
        // SAFETY: the message is not ready.
        theirs.text.with_mut(|text| unsafe { *text = 42 });
        theirs.ready.store(true, order);
    });
    if message.ready.load(Acquire) {
        // SAFETY: the message is ready.
        assert_eq!(message.text.with(|text| unsafe { *text }), 42);
    }
    sender.join().unwrap();
}

#[test]
#[should_panic(expected = "data race")]
fn a_relaxed_store_does_not_publish() {
    mazurka::check(|| publish(Relaxed));
}

#[test]
fn a_release_store_does() {
    mazurka::check(|| publish(Ordering::Release));
}
// ANCHOR_END: message
