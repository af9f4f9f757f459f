//! Scoped threads.

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location as SourceLocation, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use mazurka_core::model::ProcessId;

use super::handle;
use super::{Builder, Result, Thread};
use crate::rt::{self, Handle, Heir, Site};

/// A scope in which threads may borrow what is outside of it.
pub struct Scope<'scope, 'env: 'scope> {
    /// The threads of the scope that nobody has joined yet.
    threads: RefCell<Vec<ProcessId>>,
    /// How many threads have panicked and were not joined by hand.
    panicked: Arc<AtomicUsize>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

// SAFETY: threads of the program share one OS thread, and none is interrupted while it has
// borrowed the list.
unsafe impl Sync for Scope<'_, '_> {}

/// Runs `f`, which may create threads that borrow; returns once all of them have ended.
///
/// # Panics
///
/// If one of the threads panicked and was not joined by hand.
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
    // Whatever happens, nobody may get past this point while a thread may still use what it
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
    /// Creates a thread that ends before the scope does.
    ///
    /// # Panics
    ///
    /// If there is no memory for its stack.
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
        let heir = unsafe { handle::start(f, on_panic, name, stack_size, Handle::Claimed, site) }?;
        let process = heir.as_ref().map(Heir::process);
        self.threads.borrow_mut().extend(process);
        Ok(ScopedJoinHandle {
            heir,
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

/// Waits for a scoped thread, and has its result.
pub struct ScopedJoinHandle<'scope, T> {
    heir: Option<Heir<T>>,
    thread: Thread,
    panicked: Arc<AtomicUsize>,
    scope: PhantomData<&'scope ()>,
}

impl<T> ScopedJoinHandle<'_, T> {
    /// Waits for the thread to end.
    ///
    /// # Errors
    ///
    /// What the thread panicked with.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        let result = handle::join(self.heir, SourceLocation::caller());
        if result.is_err() {
            // Its panic is in good hands now.
            self.panicked.fetch_sub(1, Relaxed);
        }
        result
    }

    /// The thread.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Whether the thread has ended; see
    /// [`JoinHandle::is_finished`](super::JoinHandle::is_finished).
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        let process = self.heir.as_ref().map(Heir::process);
        handle::is_finished(process, SourceLocation::caller())
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopedJoinHandle").finish_non_exhaustive()
    }
}
