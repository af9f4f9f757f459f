//! `Builder`.

use std::io;
use std::panic::Location as SourceLocation;

use super::handle::{JoinHandle, start};
use super::{Scope, ScopedJoinHandle};
use crate::rt::Handle;

/// Configures a new thread, as [`std::thread::Builder`]. Reports call the thread by its name.
///
/// ```
/// use mazurka::thread::Builder;
///
/// mazurka::check(|| {
///     let child = Builder::new().name("worker".into()).spawn(|| 1).unwrap();
///     assert_eq!(child.thread().name(), Some("worker"));
///     child.join().unwrap();
/// });
/// ```
#[derive(Debug, Default)]
#[must_use = "must eventually spawn the thread"]
pub struct Builder {
    name: Option<String>,
    stack_size: Option<usize>,
}

impl Builder {
    /// Creates a builder of a thread without a name, whose stack has the check's stack size.
    pub fn new() -> Self {
        Builder::default()
    }

    /// Sets the name of the thread.
    ///
    /// # Panics
    ///
    /// If the name contains a null byte, as in `std`.
    pub fn name(self, name: String) -> Self {
        assert!(!name.contains('\0'), "thread name may not contain interior null bytes");
        Builder { name: Some(name), ..self }
    }

    /// Sets the size of the thread's stack in bytes. The check's stack size is the minimum.
    pub fn stack_size(self, size: usize) -> Self {
        Builder { stack_size: Some(size), ..self }
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
        let name = self.name.as_deref();
        let site = SourceLocation::caller();
        let size = self.stack_size.unwrap_or(0);
        // SAFETY: the closure borrows nothing.
        let child = unsafe { start(f, || {}, name, size, Handle::Held, site) }?;
        Ok(JoinHandle::new(child, name))
    }

    /// Spawns a thread that may borrow from outside of `scope`.
    ///
    /// # Errors
    ///
    /// If there is no memory for the thread's stack.
    #[track_caller]
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let site = SourceLocation::caller();
        scope.start(f, self.name.as_deref(), self.stack_size.unwrap_or(0), site)
    }
}
