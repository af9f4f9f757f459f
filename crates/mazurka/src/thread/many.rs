//! Threads that are interchangeable.

use std::fmt;
use std::panic::Location as SourceLocation;

use super::{Builder, JoinHandle};
use crate::rt;
use crate::sync::Arc;

/// Spawns `n` threads that run the same closure.
///
/// The closure is not told which of the threads it runs in, and the threads return nothing. So they are
/// interchangeable: executions that differ by a permutation of them
/// [count as one](crate::Check::symmetry). With `n` threads that lock one mutex, that is 1 execution instead
/// of `n!`.
///
/// If one of them asks for its [`current`](super::current) thread, the threads are told apart. The check then
/// starts over and explores all executions.
///
/// # Panics
///
/// If there is no memory for a thread's stack.
///
/// ```
/// use mazurka::sync::{Arc, Mutex};
/// use mazurka::{Check, thread};
///
/// let verdict = Check::new().run(|| {
///     let total = Arc::new(Mutex::new(0));
///     let counter = total.clone();
///     thread::spawn_many(4, move || *counter.lock().unwrap() += 1).join();
///     assert_eq!(*total.lock().unwrap(), 4);
/// });
/// assert_eq!(verdict.executions, 1);
/// ```
#[track_caller]
pub fn spawn_many<F>(n: usize, f: F) -> JoinAll
where
    F: Fn() + Send + Sync + 'static,
{
    // If copies of an `Arc` are steps, these come before the first thread.
    let f = Arc::new(f);
    let copies: Vec<_> = (1..n).map(|_| f.clone()).collect();
    let all = copies.into_iter().chain((n > 0).then_some(f));
    let spawn = |f: Arc<F>| Builder::new().spawn(move || (*f)()).expect("failed to spawn thread");
    let threads: Vec<JoinHandle<()>> = all.map(spawn).collect();
    for pair in threads.windows(2) {
        if let (Some(elder), Some(younger)) = (pair[0].process(), pair[1].process()) {
            rt::pair_twins(elder, younger);
        }
    }
    JoinAll { threads }
}

/// Waits for all threads of [`spawn_many`] to end.
///
/// If it is dropped, the threads are detached. A panic of a detached thread is a violation.
#[must_use = "threads that are not joined are detached"]
pub struct JoinAll {
    threads: Vec<JoinHandle<()>>,
}

impl JoinAll {
    /// Waits for all threads to end.
    ///
    /// # Panics
    ///
    /// If one of the threads has panicked.
    #[track_caller]
    pub fn join(self) {
        let site = SourceLocation::caller();
        let join = |thread: JoinHandle<()>| thread.join_at(site).is_err();
        // All of them have to end, whether or not one has panicked.
        let panicked = self.threads.into_iter().map(join).filter(|panicked| *panicked).count();
        assert!(panicked == 0, "a thread of `spawn_many` panicked");
    }
}

impl fmt::Debug for JoinAll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinAll").finish_non_exhaustive()
    }
}
