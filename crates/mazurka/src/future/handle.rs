//! Handles to tasks.

use std::fmt;
use std::future::Future;
use std::panic::Location as SourceLocation;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use mazurka_core::model::ProcessId;

use super::task::Task;
use super::{JoinError, Monitor};
use crate::rt::{self, Site};

/// What a task and its handles share.
pub(super) struct Packet<T> {
    pub(super) task: Arc<Task>,
    join: Monitor<Join<T>>,
    pub(super) site: Site,
}

/// The end of a task.
struct Join<T> {
    /// The result, until the handle takes it.
    outcome: Option<Result<T, JoinError>>,
    is_finished: bool,
    /// Whether the handle is gone, so that the task has to drop its result.
    is_detached: bool,
    /// The task that awaits the handle.
    waker: Option<Waker>,
}

impl<T> Packet<T> {
    #[track_caller]
    pub(super) fn new() -> Self {
        let join = Join { outcome: None, is_finished: false, is_detached: false, waker: None };
        let site = SourceLocation::caller();
        Packet { task: Arc::new(Task::new()), join: Monitor::new("task", join), site }
    }

    /// Ends the task.
    #[track_caller]
    pub(super) fn finish(&self, outcome: Result<T, JoinError>) {
        let (unwanted, waker) = self.join.update("finish", self.site, |join| {
            join.is_finished = true;
            match join.is_detached {
                true => (Some(outcome), None),
                false => {
                    join.outcome = Some(outcome);
                    (None, join.waker.take())
                }
            }
        });
        drop(unwanted);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    #[track_caller]
    fn is_finished(&self, site: Site) -> bool {
        self.join.read("is_finished", site, |join| join.is_finished)
    }
}

/// Waits for a task to end and gives access to its result.
///
/// It is a future. If it is dropped, the task is detached: a panic of a detached task is a violation.
pub struct JoinHandle<T> {
    packet: Arc<Packet<T>>,
    process: Option<ProcessId>,
    /// Whether the result has been taken.
    is_done: bool,
    /// Whether a waker is registered.
    is_registered: bool,
}

impl<T> Unpin for JoinHandle<T> {}

impl<T> JoinHandle<T> {
    pub(super) fn new(packet: Arc<Packet<T>>, process: Option<ProcessId>) -> Self {
        JoinHandle { packet, process, is_done: false, is_registered: false }
    }

    /// Aborts the task: instead of its next poll, its future is dropped. If the task ends before, nothing
    /// happens.
    #[track_caller]
    pub fn abort(&self) {
        self.packet.task.abort(SourceLocation::caller());
    }

    /// Returns whether the task has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.packet.is_finished(SourceLocation::caller())
    }

    /// Registers a waker for the end of the task, in place of the previous one. Returns `false` if the task
    /// has ended.
    #[track_caller]
    pub fn set_waker(&mut self, waker: &Waker) -> bool {
        let replaced = self.packet.join.update("set_waker", SourceLocation::caller(), |join| {
            match join.is_finished {
                true => Err(()),
                false => Ok(join.waker.replace(waker.clone())),
            }
        });
        self.is_registered = replaced.is_ok();
        replaced.is_ok()
    }

    /// Returns the id of the task.
    pub fn id(&self) -> TaskId {
        TaskId(self.process)
    }
}

impl<T: Send + 'static> JoinHandle<T> {
    /// Returns a handle that can abort the task, but not await it.
    pub fn abort_handle(&self) -> AbortHandle {
        let packet = Arc::clone(&self.packet);
        AbortHandle { packet, process: self.process }
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        assert!(!self.is_done, "a `JoinHandle` was polled after it had returned the result");
        let mut replaced = None;
        let outcome = self.packet.join.poll("await", self.packet.site, |join| {
            if join.outcome.is_some() {
                replaced = join.waker.take();
                return join.outcome.take().map_or(Poll::Pending, Poll::Ready);
            }
            let is_known = join.waker.as_ref().is_some_and(|old| old.will_wake(context.waker()));
            if !is_known {
                replaced = join.waker.replace(context.waker().clone());
            }
            Poll::Pending
        });
        drop(replaced);
        self.is_registered = outcome.is_pending();
        self.is_done = outcome.is_ready();
        if let (true, Some(process)) = (self.is_done, self.process) {
            self.packet.task.note_joined();
            rt::with(|rt| rt.claim_panic(process));
        }
        outcome
    }
}

impl<T> Drop for JoinHandle<T> {
    #[track_caller]
    fn drop(&mut self) {
        if self.is_done {
            return;
        }
        if let (true, Some(process)) = (rt::is_inside(), self.process) {
            rt::with(|rt| rt.detach(process));
        }
        // Otherwise no other process can observe that the handle is gone.
        if self.is_registered || std::mem::needs_drop::<T>() {
            let site = SourceLocation::caller();
            let unwanted = self.packet.join.update_on_drop("drop", site, |join| {
                join.is_detached = true;
                (join.outcome.take(), join.waker.take())
            });
            drop(unwanted);
        }
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").field("id", &self.id()).finish()
    }
}

/// A handle to a task that can abort it, but not await it.
#[derive(Clone)]
pub struct AbortHandle {
    packet: Arc<dyn Abort + Send + Sync>,
    process: Option<ProcessId>,
}

/// A [`Packet`] of any type.
trait Abort {
    fn task(&self) -> &Task;
    #[track_caller]
    fn has_finished(&self, site: Site) -> bool;
}

impl<T> Abort for Packet<T> {
    fn task(&self) -> &Task {
        &self.task
    }

    fn has_finished(&self, site: Site) -> bool {
        self.is_finished(site)
    }
}

impl AbortHandle {
    /// Aborts the task, as [`JoinHandle::abort`].
    #[track_caller]
    pub fn abort(&self) {
        self.packet.task().abort(SourceLocation::caller());
    }

    /// Aborts the task, unless the current thread has taken its result: then the task has ended.
    #[track_caller]
    pub fn abort_unless_joined(&self) {
        if !self.packet.task().is_joined_by_current() {
            self.packet.task().abort(SourceLocation::caller());
        }
    }

    /// Waits for the end of the task, without its result. The current thread is blocked. Only
    /// one thread may wait for a task in this way.
    #[track_caller]
    pub fn wait(&self) {
        if let Some(process) = self.process
            && rt::alive()
        {
            rt::wait_for_end(process, SourceLocation::caller());
        }
    }

    /// Returns whether the task has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.packet.has_finished(SourceLocation::caller())
    }

    /// Returns the id of the task.
    pub fn id(&self) -> TaskId {
        TaskId(self.process)
    }
}

impl fmt::Debug for AbortHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AbortHandle").field("id", &self.id()).finish()
    }
}

/// The id of a task, which is unique in its execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TaskId(Option<ProcessId>);

impl TaskId {
    /// Returns the id of the current task, or of the current thread if it is not a task.
    #[track_caller]
    pub fn current() -> Self {
        TaskId(Some(rt::with(|rt| rt.current())))
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(process) => write!(f, "{}", process.index()),
            None => f.write_str("that was never started"),
        }
    }
}
