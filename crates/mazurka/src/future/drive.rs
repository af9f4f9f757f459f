//! Polling a future to its end.

use std::future::Future;
use std::panic::Location as SourceLocation;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use super::task::{self, Handle, Task, Waits};
use crate::rt::{self, Site};

/// Polls a future on the current thread until it is ready. In between, the thread waits to be woken.
///
/// ```
/// mazurka::check(|| assert_eq!(mazurka::future::block_on(async { 6 * 7 }), 42));
/// ```
///
/// # Panics
///
/// Outside of a check.
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    let site = SourceLocation::caller();
    let task = Task::of_current();
    match drive(&task, pin!(future), Aborts::Ignored, site) {
        Some(output) => output,
        None => unreachable!("there is no handle that could abort it"),
    }
}

/// Whether a task can be aborted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aborts {
    /// It cannot.
    Ignored,
    /// It can, before each poll.
    Obeyed,
}

/// Polls the future of a task until it is ready. Returns `None` if the task is aborted.
#[track_caller]
pub(super) fn drive<F: Future>(
    task: &Arc<Task>,
    mut future: Pin<&mut F>,
    aborts: Aborts,
    site: Site,
) -> Option<F::Output> {
    let handle = Arc::new(Handle(Arc::clone(task)));
    let waker = Waker::from(Arc::clone(&handle));
    let mut context = Context::from_waker(&waker);
    let waits = Waits { task, handle: &handle };
    let mut spurious = rt::with(|rt| rt.tuning().spurious_polls);
    let is_aborted = || aborts == Aborts::Obeyed && task.is_aborted(site);
    if is_aborted() {
        return None;
    }
    loop {
        task::begin_poll();
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
        if task.take_own_wake() {
            rt::yield_now();
            if is_aborted() {
                return None;
            }
            continue;
        }
        if spurious > 0 && crate::choose(2) == 1 {
            spurious -= 1;
            continue;
        }
        if task.wait(&waits, site) {
            return None;
        }
    }
}
