//! Futures and wakers.

mod atomic_waker;

use std::cell::Cell;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

pub use atomic_waker::AtomicWaker;
use mazurka::thread::{ThreadId, current};

use crate::sync::Arc;

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
    let task = Arc::new(Task {
        notify: mazurka::sync::Notify::new(),
        thread: current().id(),
        has_woken_itself: Cell::new(false),
    });
    let waker = waker(Arc::clone(&task));
    let mut context = Context::from_waker(&waker);
    let mut may_wake_spuriously = true;
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending if task.has_woken_itself.take() => mazurka::thread::yield_now(),
            Poll::Pending if may_wake_spuriously && mazurka::choose(2) == 1 => {
                may_wake_spuriously = false;
            }
            Poll::Pending => task.notify.wait(),
        }
    }
}

/// What the waker of a blocked thread knows.
struct Task {
    notify: mazurka::sync::Notify,
    thread: ThreadId,
    /// Whether the thread has woken itself. This is not a step: a task that wakes itself until another
    /// thread has done something spins, and writes nothing that others could see.
    has_woken_itself: Cell<bool>,
}

// SAFETY: all threads of an execution run on one OS thread, and are not interrupted while they use the cell.
unsafe impl Send for Task {}
// SAFETY: as above.
unsafe impl Sync for Task {}

impl Task {
    #[track_caller]
    fn wake(&self) {
        match current().id() == self.thread {
            true => self.has_woken_itself.set(true),
            false => self.notify.notify(),
        }
    }
}

/// Returns a waker of a task. It owns a reference.
fn waker(task: Arc<Task>) -> Waker {
    // SAFETY: the functions of the table take what `into_raw` returns.
    unsafe { Waker::new(Arc::into_raw(task).cast(), &TABLE) }
}

static TABLE: RawWakerVTable = RawWakerVTable::new(
    |data| {
        // SAFETY: the waker owns a reference.
        unsafe { Arc::<Task>::increment_strong_count(data.cast()) };
        RawWaker::new(data, &TABLE)
    },
    // SAFETY: the waker owns a reference, which it gives away.
    |data| unsafe { Arc::<Task>::from_raw(data.cast()) }.wake(),
    // SAFETY: the waker owns a reference, which keeps the task alive.
    |data| unsafe { &*data.cast::<Task>() }.wake(),
    // SAFETY: the waker owns a reference, which it gives away.
    |data| drop(unsafe { Arc::<Task>::from_raw(data.cast()) }),
);
