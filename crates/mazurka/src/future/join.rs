//! Spawning tasks.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::sync::Arc;

use super::drive::{Aborts, drive};
use super::handle::Packet;
use super::{JoinError, JoinHandle, TaskId};
use crate::rt::{self, Handle};

/// Spawns a task that runs a future.
///
/// # Panics
///
/// If there is no memory for the task's stack.
///
/// ```
/// use mazurka::future;
///
/// mazurka::check(|| {
///     let task = future::spawn(async { 6 * 7 });
///     assert_eq!(future::block_on(task).unwrap(), 42);
/// });
/// ```
#[track_caller]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    Builder::new().spawn(future)
}

/// Configures a new task.
///
/// ```
/// use mazurka::future::{self, Builder};
///
/// mazurka::check(|| {
///     let worker = Builder::new().name("worker").spawn(async { 1 });
///     future::block_on(worker).unwrap();
/// });
/// ```
#[derive(Debug, Default)]
#[must_use = "must eventually spawn the task"]
pub struct Builder {
    name: Option<String>,
}

impl Builder {
    /// Creates a builder of a task that reports call `task`.
    pub fn new() -> Self {
        Builder::default()
    }

    /// Sets the name of the task in reports.
    pub fn name(self, name: impl Into<String>) -> Self {
        Builder { name: Some(name.into()) }
    }

    /// Spawns the task.
    ///
    /// # Panics
    ///
    /// If there is no memory for the task's stack.
    #[track_caller]
    pub fn spawn<F>(self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.spawn_local(future)
    }

    /// Spawns a task whose future need not be [`Send`]. All tasks of an execution run on one OS thread.
    ///
    /// Other tasks run between any two of its operations, as if it were on a thread of its own.
    ///
    /// # Panics
    ///
    /// If there is no memory for the task's stack.
    #[track_caller]
    pub fn spawn_local<F>(self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
        F::Output: 'static,
    {
        let packet = Arc::new(Packet::new());
        if !rt::alive() {
            // A destructor spawns a task while the execution is being torn down. The task never runs.
            drop(future);
            packet.finish(Err(JoinError::cancelled(TaskId::current())));
            return JoinHandle::new(packet, None);
        }
        let theirs = Arc::clone(&packet);
        let name = self.name.as_deref().unwrap_or("task");
        let body = move || {
            if let Err(payload) = rt::run(|| run(future, &theirs)) {
                rt::end_of_panicked(&*payload);
                rt::discard(payload);
            }
        };
        // SAFETY: the body borrows nothing.
        let process = unsafe { rt::spawn(body, Some(name), 0, Handle::Held, packet.site) };
        let process = process.expect("failed to spawn task");
        packet.task.run_by(process);
        JoinHandle::new(packet, Some(process))
    }
}

/// The body of a task.
#[track_caller]
fn run<F: Future>(future: F, packet: &Packet<F::Output>) {
    let id = TaskId::current();
    let polled = catch_unwind(AssertUnwindSafe(|| {
        // The future is on the stack of the process, so that it is a part of its local state. It is dropped
        // before the result is there, as its destructor may panic.
        drive(&packet.task, pin!(future), Aborts::Obeyed, packet.site)
    }));
    packet.finish(match polled {
        Ok(Some(output)) => Ok(output),
        Ok(None) => Err(JoinError::cancelled(id)),
        Err(payload) if rt::is_teardown(&*payload) => resume_unwind(payload),
        Err(payload) => {
            rt::end_of_panicked(&*payload);
            Err(JoinError::panic(id, payload))
        }
    });
}
