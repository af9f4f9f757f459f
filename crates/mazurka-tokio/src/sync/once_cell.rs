//! `OnceCell`.

use std::cell::UnsafeCell;
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::panic::Location;

use super::permits::Unavailable;
use super::semaphore::{Acquire, Semaphore};

/// A value that is initialised once, as `tokio::sync::OnceCell`. A `static` one starts afresh in every
/// execution.
pub struct OnceCell<T> {
    /// Who has its permit initialises the cell. It is closed once there is a value.
    semaphore: Semaphore,
    value: UnsafeCell<Option<Box<T>>>,
}

// SAFETY: the value is written by the holder of the only permit, before others look at it.
unsafe impl<T: Send> Send for OnceCell<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for OnceCell<T> {}

/// The error of [`OnceCell::set`], with the value.
#[derive(Debug, PartialEq, Eq)]
pub enum SetError<T> {
    /// There is a value already.
    AlreadyInitializedError(T),
    /// A task initialises the cell.
    InitializingError(T),
}

impl<T> fmt::Display for SetError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SetError::AlreadyInitializedError(_) => "AlreadyInitializedError",
            SetError::InitializingError(_) => "InitializingError",
        })
    }
}

impl<T: fmt::Debug> std::error::Error for SetError<T> {}

impl<T> OnceCell<T> {
    /// Creates a cell without a value.
    #[track_caller]
    pub const fn new() -> Self {
        OnceCell { semaphore: Semaphore::of_kind("OnceCell", 1), value: UnsafeCell::new(None) }
    }

    /// Creates a cell, as [`OnceCell::new`].
    #[track_caller]
    pub const fn const_new() -> Self {
        OnceCell::new()
    }

    /// Creates a cell with a value, if there is one.
    #[track_caller]
    pub fn new_with(value: Option<T>) -> Self {
        let semaphore = match value {
            Some(_) => Semaphore::closed("OnceCell"),
            None => Semaphore::of_kind("OnceCell", 1),
        };
        OnceCell { semaphore, value: UnsafeCell::new(value.map(Box::new)) }
    }

    /// Returns whether there is a value.
    #[track_caller]
    pub fn initialized(&self) -> bool {
        self.semaphore.is_closed_at("initialized", Location::caller())
    }

    /// Returns the value, if there is one.
    #[track_caller]
    pub fn get(&self) -> Option<&T> {
        match self.semaphore.is_closed_at("get", Location::caller()) {
            true => self.value(),
            false => None,
        }
    }

    /// Returns the value of a cell that has one.
    fn value(&self) -> Option<&T> {
        // SAFETY: the value is not written once it is set.
        unsafe { &*self.value.get() }.as_deref()
    }

    /// Returns the value, if there is one. This is not a step.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        match self.semaphore.is_closed_now() {
            true => self.value.get_mut().as_deref_mut(),
            false => None,
        }
    }

    /// Consumes the cell, and returns the value.
    pub fn into_inner(mut self) -> Option<T> {
        self.take()
    }

    /// Takes the value out of the cell. This is not a step.
    pub fn take(&mut self) -> Option<T> {
        let is_set = self.semaphore.is_closed_now();
        self.semaphore = Semaphore::of_kind("OnceCell", 1);
        let value = self.value.get_mut().take();
        value.filter(|_| is_set).map(|value| *value)
    }

    /// Sets the value, for the holder of the permit.
    #[track_caller]
    fn put(&self, value: T, site: &'static Location<'static>) {
        // SAFETY: it is not read before the cell is set, and only the holder of the permit writes.
        let old = unsafe { (*self.value.get()).replace(Box::new(value)) };
        // A value from an earlier execution, of a static. References to it may still be around.
        std::mem::forget(old);
        self.semaphore.close_at("set", site);
    }

    /// Sets the value.
    ///
    /// # Errors
    ///
    /// Returns the value if there is one already, or if a task initialises the cell.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), SetError<T>> {
        let site = Location::caller();
        match self.semaphore.try_acquire_at("set", 1, site) {
            Ok(()) => {}
            Err(Unavailable::Closed) => return Err(SetError::AlreadyInitializedError(value)),
            Err(Unavailable::NoPermits) => return Err(SetError::InitializingError(value)),
        }
        self.put(value, site);
        Ok(())
    }

    /// Returns the value, which `init` makes if there is none.
    #[track_caller]
    pub fn get_or_init<F, Fut>(&self, init: F) -> impl Future<Output = &T>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = T>,
    {
        let init = self.get_or_try_init(|| {
            let value = init();
            async { Ok::<T, Infallible>(value.await) }
        });
        async {
            match init.await {
                Ok(value) => value,
                Err(never) => match never {},
            }
        }
    }

    /// Returns the value, which `init` makes if there is none.
    #[track_caller]
    pub fn get_or_try_init<E, F, Fut>(&self, init: F) -> impl Future<Output = Result<&T, E>>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<T, E>>,
    {
        let site = Location::caller();
        async move {
            let acquired = Acquire::new(&self.semaphore, "get_or_init", 1, site).await;
            if let (Err(_), Some(value)) = (acquired, self.value()) {
                return Ok(value);
            }
            // Gives the permit back if `init` fails, panics or is cancelled.
            let permit = Release { semaphore: &self.semaphore, site };
            let value = init().await?;
            std::mem::forget(permit);
            self.put(value, site);
            self.value().map_or_else(|| unreachable!("the value was set"), Ok)
        }
    }
}

/// Gives a permit back when it is dropped.
struct Release<'a> {
    semaphore: &'a Semaphore,
    site: &'static Location<'static>,
}

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.semaphore.release_at("release", 1, self.site);
    }
}

impl<T> Default for OnceCell<T> {
    #[track_caller]
    fn default() -> Self {
        OnceCell::new()
    }
}

impl<T> From<T> for OnceCell<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        OnceCell::new_with(Some(value))
    }
}

impl<T> fmt::Debug for OnceCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnceCell").finish_non_exhaustive()
    }
}
