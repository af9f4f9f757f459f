//! Tasks.

mod join_set;

use std::future::Future;
use std::sync::Arc;

pub use join_set::JoinSet;
pub use mazurka::future::{AbortHandle, JoinError, JoinHandle, TaskId as Id, yield_now};

use crate::runtime::{self, Children};

/// Spawns a task.
///
/// # Panics
///
/// Outside of a check.
#[track_caller]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    let children = Children::default();
    let theirs = Arc::clone(&children);
    let task = mazurka::future::spawn(Entering { children: Some(theirs), future });
    runtime::adopt(task.abort_handle(), children);
    task
}

/// Runs a closure on a thread of its own. Once it runs, an abort comes too late.
///
/// # Panics
///
/// Outside of a check.
#[track_caller]
pub fn spawn_blocking<F, R>(f: F) -> JoinHandle<R>
where
    F: FnOnce() -> R + Send + 'static,
    R: Send + 'static,
{
    spawn(async move { f() })
}

/// Runs a closure that blocks on the current thread.
pub fn block_in_place<R>(f: impl FnOnce() -> R) -> R {
    f()
}

/// Returns the id of the current task.
///
/// # Panics
///
/// Outside of a check.
#[track_caller]
pub fn id() -> Id {
    Id::current()
}

/// A future that sets its list of tasks at its first poll.
struct Entering<F> {
    children: Option<Children>,
    future: F,
}

impl<F: Future> Future for Entering<F> {
    type Output = F::Output;

    fn poll(
        self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<F::Output> {
        // SAFETY: the future is pinned with the whole, and the list is not.
        let Entering { children, future } = unsafe { self.get_unchecked_mut() };
        if let Some(children) = children.take() {
            runtime::enter(Some(children));
        }
        // SAFETY: as above.
        unsafe { std::pin::Pin::new_unchecked(future) }.poll(context)
    }
}
