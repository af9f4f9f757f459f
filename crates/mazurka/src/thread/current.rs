//! Who a thread is.

use std::panic::Location as SourceLocation;
use std::sync::Arc;

use mazurka_core::model::ProcessId;

use crate::rt;

/// A thread, to be named or unparked.
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

    /// What tells it apart from all others of this execution.
    pub fn id(&self) -> ThreadId {
        ThreadId(self.process)
    }

    /// Its name, if it has one; the first thread is called `main`.
    pub fn name(&self) -> Option<&str> {
        match self.process {
            Some(ProcessId::MAIN) => Some("main"),
            _ => self.name.as_deref(),
        }
    }

    /// Lets the thread go on that is, or is next, in [`park`](super::park).
    #[track_caller]
    pub fn unpark(&self) {
        if let Some(process) = self.process {
            super::park::unpark(process, SourceLocation::caller());
        }
    }
}

/// What tells a thread apart from all others of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadId(Option<ProcessId>);

/// The current thread.
#[track_caller]
pub fn current() -> Thread {
    rt::with(|rt| {
        let process = rt.current();
        Thread { process: Some(process), name: rt.name_of(process) }
    })
}

/// Whether the current thread is unwinding from a panic.
pub fn panicking() -> bool {
    rt::try_with(|rt| rt.is_unwinding()).unwrap_or_else(std::thread::panicking)
}
