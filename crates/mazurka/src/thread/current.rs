//! Handles to threads.

use std::panic::Location as SourceLocation;
use std::sync::Arc;

use mazurka_core::model::ProcessId;

use crate::rt;

/// A handle to a thread, as [`std::thread::Thread`].
#[derive(Clone, Debug)]
pub struct Thread {
    /// `None` if it was created while the execution was being torn down.
    process: Option<ProcessId>,
    name: Option<Arc<str>>,
}

impl Thread {
    /// One that was to be created with this name, and the process that it came to be, if any.
    pub(super) fn new(process: Option<ProcessId>, name: Option<&str>) -> Self {
        let of_process = || rt::with(|rt| rt.name_of(process?));
        let name = name.map(|name| of_process().unwrap_or_else(|| Arc::from(name)));
        Thread { process, name }
    }

    /// Returns the id of the thread, which is unique in its execution.
    pub fn id(&self) -> ThreadId {
        ThreadId(self.process)
    }

    /// Returns the name of the thread, if it has one. The first thread is called `main`.
    pub fn name(&self) -> Option<&str> {
        match self.process {
            Some(ProcessId::MAIN) => Some("main"),
            _ => self.name.as_deref(),
        }
    }

    /// Makes the token of the thread available: its current or next call of [`park`](super::park)
    /// returns.
    #[track_caller]
    pub fn unpark(&self) {
        if let Some(process) = self.process {
            super::park::unpark(process, SourceLocation::caller());
        }
    }
}

/// The id of a thread, which is unique in its execution, as [`std::thread::ThreadId`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadId(Option<ProcessId>);

/// Returns a handle to the current thread.
///
/// # Panics
///
/// Outside of a check.
#[track_caller]
pub fn current() -> Thread {
    rt::identity_matters();
    rt::tell_twins_apart();
    rt::with(|rt| {
        let process = rt.current();
        Thread { process: Some(process), name: rt.name_of(process) }
    })
}

/// Returns whether the current thread is unwinding from a panic.
pub fn panicking() -> bool {
    rt::try_with(|rt| rt.is_unwinding()).unwrap_or_else(std::thread::panicking)
}
