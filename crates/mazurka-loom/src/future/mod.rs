//! Futures and wakers.

mod atomic_waker;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

pub use atomic_waker::AtomicWaker;

use crate::sync::{Arc, Notify};

/// Polls `future` on the current thread until it is ready, and waits for a wake-up in between.
///
/// As in loom, the thread may wake up spuriously once.
///
/// ```
/// loom::model(|| assert_eq!(loom::future::block_on(async { 6 * 7 }), 42));
/// ```
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let notify = Arc::new(Notify::new());
    let waker = waker(Arc::clone(&notify));
    let mut context = Context::from_waker(&waker);
    let mut may_wake_spuriously = true;
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending if may_wake_spuriously && mazurka::choose(2) == 1 => {
                may_wake_spuriously = false;
            }
            Poll::Pending => notify.wait(),
        }
    }
}

/// Returns a waker that notifies. It owns a reference.
fn waker(notify: Arc<Notify>) -> Waker {
    // SAFETY: the functions of the table take what `into_raw` returns.
    unsafe { Waker::new(Arc::into_raw(notify).cast(), &TABLE) }
}

static TABLE: RawWakerVTable = RawWakerVTable::new(
    |data| {
        // SAFETY: the waker owns a reference.
        unsafe { Arc::<Notify>::increment_strong_count(data.cast()) };
        RawWaker::new(data, &TABLE)
    },
    // SAFETY: the waker owns a reference, which it gives away.
    |data| unsafe { Arc::<Notify>::from_raw(data.cast()) }.notify(),
    // SAFETY: the waker owns a reference, which keeps the `Notify` alive.
    |data| unsafe { &*data.cast::<Notify>() }.notify(),
    // SAFETY: the waker owns a reference, which it gives away.
    |data| drop(unsafe { Arc::<Notify>::from_raw(data.cast()) }),
);
