//! Threads, as in [`std::thread`].

use std::{fmt, io};

use mazurka::thread::ThreadId as InnerId;

use crate::confined::Confined;
use crate::execution;

pub use mazurka::thread::{AccessError, LocalKey, panicking, park, yield_now};

/// A handle to a thread, as [`std::thread::Thread`]. The main thread of a model has no name.
#[derive(Clone, Debug)]
pub struct Thread(mazurka::thread::Thread);

impl Thread {
    /// Returns the id of the thread.
    pub fn id(&self) -> ThreadId {
        ThreadId(self.0.id())
    }

    /// Returns the name of the thread, if it was given one.
    pub fn name(&self) -> Option<&str> {
        self.0.name().filter(|_| !execution::is_main(self.0.id()))
    }

    /// Makes the token of the thread available: its current or next call of [`park`] returns.
    #[track_caller]
    pub fn unpark(&self) {
        self.0.unpark();
    }
}

/// The id of a thread, as [`std::thread::ThreadId`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadId(InnerId);

/// Returns a handle to the current thread.
#[track_caller]
pub fn current() -> Thread {
    Thread(mazurka::thread::current())
}

/// Spawns a thread, as [`std::thread::spawn`]. The closure need not be `Send`.
///
/// # Panics
///
/// If the model has [`max_threads`](crate::model::Builder::max_threads) threads already.
///
/// ```
/// use std::rc::Rc;
///
/// loom::model(|| {
///     let shared = Rc::new(7);
///     let child = loom::thread::spawn({
///         let shared = Rc::clone(&shared);
///         move || *shared
///     });
///     assert_eq!(child.join().unwrap(), 7);
/// });
/// ```
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + 'static,
    T: 'static,
{
    start(mazurka::thread::Builder::new(), f).expect("failed to spawn thread")
}

#[track_caller]
fn start<F, T>(builder: mazurka::thread::Builder, f: F) -> io::Result<JoinHandle<T>>
where
    F: FnOnce() -> T + 'static,
    T: 'static,
{
    execution::count_thread();
    let f = Confined(f);
    let inner = builder.spawn(move || Confined(f.into_inner()()))?;
    let thread = Thread(inner.thread().clone());
    Ok(JoinHandle { inner, thread })
}

/// Configures a new thread, as [`std::thread::Builder`].
#[derive(Debug)]
pub struct Builder(mazurka::thread::Builder);

impl Builder {
    /// Creates a builder of a thread without a name.
    #[allow(clippy::new_without_default, reason = "as in `std` and in loom")]
    pub fn new() -> Builder {
        Builder(mazurka::thread::Builder::new())
    }

    /// Sets the name of the thread.
    pub fn name(self, name: String) -> Builder {
        Builder(self.0.name(name))
    }

    /// Sets the size of the thread's stack, in units of `usize` as in loom. Mazurka's stack size is the
    /// minimum.
    pub fn stack_size(self, size: usize) -> Builder {
        Builder(self.0.stack_size(size.saturating_mul(size_of::<usize>())))
    }

    /// Spawns the thread.
    ///
    /// # Errors
    ///
    /// If there is no memory for the thread's stack.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        start(self.0, f)
    }
}

/// Waits for a thread to end and gives access to its result, as [`std::thread::JoinHandle`].
pub struct JoinHandle<T> {
    inner: mazurka::thread::JoinHandle<Confined<T>>,
    thread: Thread,
}

// SAFETY: the handle stays on the OS thread of its execution, as `Confined` does.
unsafe impl<T> Send for JoinHandle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for JoinHandle<T> {}

impl<T> JoinHandle<T> {
    /// Waits for the thread to end, and returns its result.
    ///
    /// # Panics
    ///
    /// If the thread has panicked. In loom, a panic of any thread fails the model, so that `join` never
    /// returns an error.
    #[track_caller]
    pub fn join(self) -> std::thread::Result<T> {
        match self.inner.join() {
            Ok(result) => Ok(result.into_inner()),
            Err(payload) => std::panic::resume_unwind(payload),
        }
    }

    /// Returns the thread that the handle stands for.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }
}

impl<T: fmt::Debug> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}
