//! Threads and their handles.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, Location as SourceLocation, catch_unwind};

use mazurka_core::model::ProcessId;

use super::{Builder, Thread};
use crate::rt::{self, Handle, Heir, Site};

/// What a thread returned, or the payload of its panic, as [`std::thread::Result`].
pub type Result<T> = std::result::Result<T, Box<dyn Any + Send + 'static>>;

/// Spawns a thread, as [`std::thread::spawn`].
///
/// # Panics
///
/// If there is no memory for the thread's stack.
///
/// ```
/// mazurka::check(|| {
///     let child = mazurka::thread::spawn(|| 6 * 7);
///     assert_eq!(child.join().unwrap(), 42);
/// });
/// ```
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    Builder::new().spawn(f).expect("failed to spawn thread")
}

/// What a handle waits for.
pub(super) enum Child<T> {
    /// A process, of which this is the heir.
    Process(Heir<T>),
    /// Nothing: the closure was run where the thread was spawned.
    Done(Result<T>),
}

impl<T> Child<T> {
    /// Returns the process, if it is one.
    pub(super) fn process(&self) -> Option<ProcessId> {
        match self {
            Child::Process(heir) => Some(heir.process()),
            Child::Done(_) => None,
        }
    }

    /// Waits for the end of the process and takes its result.
    #[inline(always)]
    #[track_caller]
    pub(super) fn join(self, site: Site) -> Result<T> {
        let heir = match self {
            Child::Process(heir) => heir,
            Child::Done(result) => return result,
        };
        heir.assert_is_here();
        rt::join(heir.process(), site);
        match heir.inherit() {
            Some(result) => result,
            // The execution is being torn down, and the result will never come.
            None => rt::abandon(),
        }
    }

    /// Returns whether the process has ended.
    #[track_caller]
    pub(super) fn is_finished(&self, site: Site) -> bool {
        self.process().is_none_or(|process| rt::is_finished(process, site))
    }
}

/// Creates a process that runs `f` and leaves what it returns to its heir; if it panics, `on_panic` is
/// called.
///
/// A destructor that runs while the execution is being torn down cannot wait for another process. There,
/// `f` is run at once, by the current process: that is one of the schedules.
///
/// # Safety
///
/// What `f` borrows must outlive the process, in a teardown too, and what it returns the heir.
pub(super) unsafe fn start<'a, F, T>(
    f: F,
    on_panic: impl FnOnce() + 'a,
    name: Option<&str>,
    stack_size: usize,
    handle: Handle,
    site: Site,
) -> std::io::Result<Child<T>>
where
    F: FnOnce() -> T + 'a,
    T: 'a,
{
    if !rt::alive() {
        return Ok(Child::Done(run_here(f, on_panic)));
    }
    let body = move || {
        let result = rt::run(f);
        if let Err(payload) = &result {
            if !rt::is_teardown(&**payload) {
                on_panic();
            }
            rt::end_of_panicked(&**payload);
        }
        rt::leave_behind(result);
    };
    // SAFETY: as the caller promises.
    let process = unsafe { rt::spawn(body, name, stack_size, handle, site) }?;
    // SAFETY: this is the only one, and the body leaves a `T` behind.
    Ok(Child::Process(unsafe { Heir::of(process) }))
}

/// Runs the closure of a thread on the current one. It is not inlined: otherwise every thread that spawns
/// another would need room for the variables of the other.
#[cold]
#[inline(never)]
fn run_here<T>(f: impl FnOnce() -> T, on_panic: impl FnOnce()) -> Result<T> {
    let result = catch_unwind(AssertUnwindSafe(f));
    if result.is_err() {
        on_panic();
    }
    result
}

/// Waits for a thread to end and gives access to its result, as [`std::thread::JoinHandle`].
///
/// If the handle is dropped, the thread is detached. A panic of a detached thread is a violation.
pub struct JoinHandle<T> {
    child: Child<T>,
    thread: Thread,
}

impl<T> JoinHandle<T> {
    pub(super) fn new(child: Child<T>, name: Option<&str>) -> Self {
        let thread = Thread::new(child.process(), name);
        JoinHandle { child, thread }
    }

    /// Returns the process, if the thread became one.
    pub(crate) fn process(&self) -> Option<ProcessId> {
        self.child.process()
    }

    /// Waits for the thread to end, and returns its result.
    ///
    /// # Errors
    ///
    /// Returns the payload of the panic, if the thread panicked.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        self.child.join(SourceLocation::caller())
    }

    /// Joins the thread, as [`join`](Self::join) does, at a given place in the source.
    #[track_caller]
    pub(super) fn join_at(self, site: Site) -> Result<T> {
        self.child.join(site)
    }

    /// Returns the thread that the handle stands for.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Returns whether the thread has ended.
    ///
    /// The first call starts the check over: from then on, the end of every thread is a step.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.child.is_finished(SourceLocation::caller())
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}
