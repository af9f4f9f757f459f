//! What the crate knows of the current execution, beyond what Mazurka knows.
//!
//! All threads of an execution run on one OS thread, and the next execution there starts only after this
//! one has ended. So the state is in a thread-local of `std`, and the main thread resets it at its start.

use std::cell::RefCell;

use mazurka::thread::ThreadId;

use crate::lazy_static::Statics;

/// The state of the current execution.
#[derive(Default)]
struct Execution {
    main: Option<ThreadId>,
    max_threads: usize,
    threads: usize,
    statics: std::sync::Arc<Statics>,
}

thread_local! {
    static CURRENT: RefCell<Execution> = RefCell::default();
}

fn with<R>(f: impl FnOnce(&mut Execution) -> R) -> R {
    CURRENT.with_borrow_mut(f)
}

/// Begins an execution. The main thread calls this first.
pub(crate) fn begin(max_threads: usize) {
    let main = Some(mazurka::thread::current().id());
    let new = Execution { main, max_threads, threads: 1, ..Execution::default() };
    drop(CURRENT.replace(new));
}

/// Ends what does not outlive the main thread. The main thread calls this last.
pub(crate) fn end_of_main() {
    statics().shut_down();
}

/// Returns the values of this execution's `lazy_static!`s.
pub(crate) fn statics() -> std::sync::Arc<Statics> {
    with(|execution| std::sync::Arc::clone(&execution.statics))
}

/// Returns whether this is the main thread.
pub(crate) fn is_main(thread: ThreadId) -> bool {
    with(|execution| execution.main == Some(thread))
}

/// Counts a thread that is about to be spawned.
///
/// # Panics
///
/// If there would be more threads than allowed.
#[track_caller]
pub(crate) fn count_thread() {
    let max = with(|execution| {
        execution.threads += 1;
        execution.max_threads
    });
    let now = with(|execution| execution.threads);
    assert!(
        now <= max,
        "the model has {now} threads, but `max_threads` is {max}: set `loom::model::Builder::max_threads`"
    );
}
