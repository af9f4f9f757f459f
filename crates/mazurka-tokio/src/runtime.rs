//! Runtimes. A task belongs to the runtime of the task or thread that has spawned it.
//!
//! Which tasks there are when a runtime shuts down must be known without a step. So every task has a list of
//! the tasks that it has spawned, which belongs to the runtime once the task has ended.

use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mazurka::future::AbortHandle;

use crate::task::{self, JoinHandle};

/// A task, and the tasks that it has spawned.
pub(crate) struct Spawned {
    pub(crate) handle: AbortHandle,
    pub(crate) children: Children,
}

/// The tasks that a task has spawned. Only that task adds to it, and only after its end others look at it.
pub(crate) type Children = Arc<Mutex<Vec<Spawned>>>;

mazurka::thread_local! {
    /// The list of the current task or thread.
    static CHILDREN: RefCell<Option<Children>> = const { RefCell::new(None) };
}

/// Makes this the list of the current task or thread. Returns the previous one.
pub(crate) fn enter(children: Option<Children>) -> Option<Children> {
    CHILDREN.replace(children)
}

/// Returns the list of the current task or thread.
pub(crate) fn current() -> Option<Children> {
    CHILDREN.with_borrow(Clone::clone)
}

/// Adds a task to the list of the current task or thread.
pub(crate) fn adopt(handle: AbortHandle, children: Children) {
    if let Some(list) = current() {
        lock(&list).push(Spawned { handle, children });
    }
}

fn lock(list: &Children) -> std::sync::MutexGuard<'_, Vec<Spawned>> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Aborts tasks and those that they have spawned, and waits for their ends.
fn shut_down(list: &Children) {
    loop {
        let tasks = std::mem::take(&mut *lock(list));
        if tasks.is_empty() {
            return;
        }
        for task in &tasks {
            task.handle.abort_unless_joined();
        }
        for task in tasks {
            task.handle.wait();
            let children = std::mem::take(&mut *lock(&task.children));
            lock(list).extend(children);
        }
    }
}

/// A runtime.
///
/// It works inside of a check. Its tasks are aborted when it is dropped.
pub struct Runtime {
    handle: Handle,
    is_over: bool,
}

impl Runtime {
    /// Creates a runtime.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn new() -> io::Result<Self> {
        Ok(Runtime::of_check())
    }

    pub(crate) fn of_check() -> Self {
        Runtime { handle: Handle { children: Children::default() }, is_over: false }
    }

    /// Returns a handle to the runtime.
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Runs a future on the current thread.
    ///
    /// # Panics
    ///
    /// Outside of a check.
    #[track_caller]
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.handle.block_on(future)
    }

    /// Spawns a task.
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.handle.spawn(future)
    }

    /// Runs a closure on a thread of its own.
    #[track_caller]
    pub fn spawn_blocking<F, R>(&self, f: F) -> JoinHandle<R>
    where
        F: FnOnce() -> R + Send + 'static,
        R: Send + 'static,
    {
        self.handle.spawn_blocking(f)
    }

    /// Makes this the runtime of the current thread.
    pub fn enter(&self) -> EnterGuard<'_> {
        self.handle.enter()
    }

    /// Aborts the tasks of the runtime, and waits for their ends.
    pub fn shutdown_timeout(self, _timeout: Duration) {
        drop(self);
    }

    /// Aborts the tasks of the runtime.
    pub fn shutdown_background(self) {
        drop(self);
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        // A panic ends the check anyway.
        if !self.is_over && !mazurka::thread::panicking() {
            self.is_over = true;
            shut_down(&self.handle.children);
        }
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime").finish_non_exhaustive()
    }
}

/// A handle to a runtime.
#[derive(Clone)]
pub struct Handle {
    children: Children,
}

/// There is no runtime.
#[derive(Debug)]
pub struct TryCurrentError(());

impl fmt::Display for TryCurrentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "there is no reactor running, must be called from the context of a Tokio 1.x runtime",
        )
    }
}

impl std::error::Error for TryCurrentError {}

impl Handle {
    /// Returns a handle to the current runtime.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[track_caller]
    pub fn current() -> Self {
        Handle::try_current().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns a handle to the current runtime.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn try_current() -> Result<Self, TryCurrentError> {
        current().map(|children| Handle { children }).ok_or(TryCurrentError(()))
    }

    /// Runs a future on the current thread.
    ///
    /// # Panics
    ///
    /// Outside of a check.
    #[track_caller]
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        let _entered = self.enter();
        mazurka::future::block_on(future)
    }

    /// Spawns a task.
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        let _entered = self.enter();
        task::spawn(future)
    }

    /// Runs a closure on a thread of its own.
    #[track_caller]
    pub fn spawn_blocking<F, R>(&self, f: F) -> JoinHandle<R>
    where
        F: FnOnce() -> R + Send + 'static,
        R: Send + 'static,
    {
        let _entered = self.enter();
        task::spawn_blocking(f)
    }

    /// Makes this the runtime of the current thread.
    pub fn enter(&self) -> EnterGuard<'_> {
        EnterGuard { before: enter(Some(Arc::clone(&self.children))), handle: self }
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").finish_non_exhaustive()
    }
}

/// While it exists, the current thread has a runtime.
pub struct EnterGuard<'a> {
    before: Option<Children>,
    #[allow(dead_code, reason = "it keeps the handle borrowed")]
    handle: &'a Handle,
}

impl Drop for EnterGuard<'_> {
    fn drop(&mut self) {
        enter(self.before.take());
    }
}

impl fmt::Debug for EnterGuard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EnterGuard").finish_non_exhaustive()
    }
}

/// Configures a runtime. Its settings are of no consequence in a check: every task may run on a thread of its
/// own.
#[derive(Debug)]
pub struct Builder(());

impl Builder {
    /// Creates a builder.
    pub fn new_multi_thread() -> Self {
        Builder(())
    }

    /// Creates a builder.
    pub fn new_current_thread() -> Self {
        Builder(())
    }

    /// Accepts everything.
    pub fn enable_all(&mut self) -> &mut Self {
        self
    }

    /// Accepts timers.
    pub fn enable_time(&mut self) -> &mut Self {
        self
    }

    /// Accepts a number of threads.
    pub fn worker_threads(&mut self, _threads: usize) -> &mut Self {
        self
    }

    /// Accepts a number of threads.
    pub fn max_blocking_threads(&mut self, _threads: usize) -> &mut Self {
        self
    }

    /// Accepts a name.
    pub fn thread_name(&mut self, _name: impl Into<String>) -> &mut Self {
        self
    }

    /// Creates the runtime.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn build(&mut self) -> io::Result<Runtime> {
        Runtime::new()
    }
}
