//! Scoped threads.

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location as SourceLocation, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use mazurka_core::model::ProcessId;

use super::handle::{Child, start};
use super::{Builder, Result, Thread};
use crate::rt::{self, Handle, Site};

/// A scope to spawn threads in that borrow from outside of it, as [`std::thread::Scope`].
pub struct Scope<'scope, 'env: 'scope> {
    /// The threads of the scope that have not been joined yet.
    threads: RefCell<Vec<ProcessId>>,
    /// How many threads have panicked and were not joined by hand.
    panicked: Arc<AtomicUsize>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

// SAFETY: threads of the program share one OS thread, and none is interrupted while it has
// borrowed the list.
unsafe impl Sync for Scope<'_, '_> {}

/// Calls `f` with a scope for threads that borrow, and waits for these threads, as
/// [`std::thread::scope`].
///
/// # Panics
///
/// If a thread of the scope panicked that `f` did not join.
///
/// ```
/// use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
/// use mazurka::thread;
///
/// mazurka::check(|| {
///     let counter = AtomicUsize::new(0);
///     thread::scope(|s| {
///         s.spawn(|| counter.fetch_add(1, SeqCst));
///         s.spawn(|| counter.fetch_add(1, SeqCst));
///     });
///     assert_eq!(counter.into_inner(), 2);
/// });
/// ```
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let site = SourceLocation::caller();
    rt::alive();
    let scope = Scope {
        threads: RefCell::new(Vec::new()),
        panicked: Arc::default(),
        scope: PhantomData,
        env: PhantomData,
    };
    let result = catch_unwind(AssertUnwindSafe(|| f(&scope)));
    // Whatever happens, no process may get past this point while a thread may still use what it
    // borrows. In a teardown the threads have ended already: the last one created goes first.
    loop {
        let next = scope.threads.borrow().first().copied();
        let Some(process) = next else { break };
        // A teardown may begin while this waits. Its panic must not leave the loop.
        let waited = catch_unwind(AssertUnwindSafe(|| rt::join(process, site)));
        scope.threads.borrow_mut().retain(|other| *other != process);
        if let Err(payload) = waited {
            debug_assert!(rt::is_teardown(&*payload));
            resume_unwind(payload);
        }
    }
    match result {
        Err(payload) => resume_unwind(payload),
        Ok(_) if scope.panicked.load(Relaxed) > 0 => panic!("a scoped thread panicked"),
        Ok(value) => value,
    }
}

impl<'scope> Scope<'scope, '_> {
    /// Spawns a thread in the scope.
    ///
    /// # Panics
    ///
    /// If there is no memory for the thread's stack.
    #[track_caller]
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        Builder::new().spawn_scoped(self, f).expect("failed to spawn thread")
    }

    #[track_caller]
    pub(super) fn start<F, T>(
        &'scope self,
        f: F,
        name: Option<&str>,
        stack_size: usize,
        site: Site,
    ) -> std::io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let panicked = Arc::clone(&self.panicked);
        let on_panic = move || {
            panicked.fetch_add(1, Relaxed);
        };
        // SAFETY: the scope is not left before the process has ended. In a teardown, processes
        // end in the reverse order of their creation, and this one is younger than the one that
        // opened the scope.
        let child = unsafe { start(f, on_panic, name, stack_size, Handle::Claimed, site) }?;
        let process = child.process();
        self.threads.borrow_mut().extend(process);
        Ok(ScopedJoinHandle {
            child,
            thread: Thread::new(process, name),
            panicked: Arc::clone(&self.panicked),
            scope: PhantomData,
        })
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

/// Waits for a scoped thread to end and gives access to its result, as
/// [`std::thread::ScopedJoinHandle`].
pub struct ScopedJoinHandle<'scope, T> {
    child: Child<T>,
    thread: Thread,
    panicked: Arc<AtomicUsize>,
    scope: PhantomData<&'scope ()>,
}

impl<T> ScopedJoinHandle<'_, T> {
    /// Waits for the thread to end, and returns its result.
    ///
    /// # Errors
    ///
    /// Returns the payload of the panic, if the thread panicked.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        let result = self.child.join(SourceLocation::caller());
        if result.is_err() {
            // Its panic is in good hands now.
            self.panicked.fetch_sub(1, Relaxed);
        }
        result
    }

    /// Returns the thread that the handle stands for.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Returns whether the thread has ended; see
    /// [`JoinHandle::is_finished`](super::JoinHandle::is_finished).
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.child.is_finished(SourceLocation::caller())
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopedJoinHandle").finish_non_exhaustive()
    }
}
