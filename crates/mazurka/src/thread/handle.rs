//! Threads and their handles.

use std::any::Any;
use std::fmt;
use std::panic::Location as SourceLocation;

use mazurka_core::model::ProcessId;

use super::{Builder, Thread};
use crate::rt::{self, Handle, Heir, Site};

/// What a thread returned, or what it panicked with.
pub type Result<T> = std::result::Result<T, Box<dyn Any + Send + 'static>>;

/// Creates a thread.
///
/// # Panics
///
/// If there is no memory for its stack.
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

/// Creates a process that runs `f` and leaves what it returns to its heir; if it panics, `on_panic` is
/// called. `None` while the execution is being torn down.
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
) -> std::io::Result<Option<Heir<T>>>
where
    F: FnOnce() -> T + 'a,
    T: 'a,
{
    if !rt::alive() {
        return Ok(None);
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
    Ok(Some(unsafe { Heir::of(process) }))
}

/// Waits for the end of a process and takes its result.
#[inline(always)]
#[track_caller]
pub(super) fn join<T>(heir: Option<Heir<T>>, site: Site) -> Result<T> {
    let result = heir.and_then(|heir| {
        heir.assert_is_here();
        rt::join(heir.process(), site);
        heir.inherit()
    });
    match result {
        Some(result) => result,
        // The execution is being torn down, and the result will never come.
        None => rt::abandon(),
    }
}

/// Waits for a thread, and has its result.
///
/// If the handle is dropped, the thread runs on by itself. A panic that no handle can tell of is
/// a violation.
pub struct JoinHandle<T> {
    /// `None` if it was created while the execution was being torn down.
    heir: Option<Heir<T>>,
    thread: Thread,
}

impl<T> JoinHandle<T> {
    pub(super) fn new(heir: Option<Heir<T>>, name: Option<&str>) -> Self {
        let thread = Thread::new(heir.as_ref().map(Heir::process), name);
        JoinHandle { heir, thread }
    }

    /// Which process it is, if it came to be one.
    pub(crate) fn process(&self) -> Option<ProcessId> {
        self.heir.as_ref().map(Heir::process)
    }

    /// Waits for the thread to end.
    ///
    /// # Errors
    ///
    /// What the thread panicked with.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        join(self.heir, SourceLocation::caller())
    }

    /// The thread.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Whether the thread has ended.
    ///
    /// A check whose program calls this is started anew once, since from then on the ends of
    /// threads matter by themselves.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        is_finished(self.process(), SourceLocation::caller())
    }
}

#[track_caller]
pub(super) fn is_finished(process: Option<ProcessId>, site: Site) -> bool {
    match process {
        Some(process) => rt::is_finished(process, site),
        None => true,
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}
