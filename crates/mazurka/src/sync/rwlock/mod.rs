//! `RwLock`.
//!
//! To the explorers it is a cell that holds the number of readers, or a special value if a writer
//! has it. Coming and going of readers are additions, which commute: any number of readers does
//! not make more executions.

mod guards;
mod raw;
#[cfg(test)]
mod tests;

use std::cell::UnsafeCell;
use std::fmt;
use std::panic::Location as SourceLocation;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

pub use guards::{RwLockReadGuard, RwLockWriteGuard};
use mazurka_core::model::Op;
use raw::{Mode, RawRwLock};

/// A lock that many may read and one may write, as [`std::sync::RwLock`].
///
/// A reader gets it whenever no writer has it. The lock of `std` may make readers wait because a
/// writer is waiting; a thread that locks for reading twice can deadlock there, and here does
/// not.
///
/// A `static` one keeps its data from one execution to the next, unlike an atomic: better create
/// it inside of the closure.
///
/// ```
/// use mazurka::sync::RwLock;
/// use mazurka::thread;
///
/// mazurka::check(|| {
///     let config = RwLock::new(1).with_label("config");
///     thread::scope(|s| {
///         s.spawn(|| *config.write().unwrap() = 2);
///         let seen = *config.read().unwrap();
///         assert!(seen == 1 || seen == 2);
///     });
///     assert_eq!(config.into_inner().unwrap(), 2);
/// });
/// ```
pub struct RwLock<T: ?Sized> {
    raw: RawRwLock,
    data: UnsafeCell<T>,
}

// SAFETY: as for the lock of `std`: whoever holds it has the data alone, or shares it with
// readers. A lock that two checks use at once, on two OS threads, is refused by
// `ObjectCell::id_unshared`.
unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}
impl<T: ?Sized> UnwindSafe for RwLock<T> {}
impl<T: ?Sized> RefUnwindSafe for RwLock<T> {}

fn result<G>(poisoned: bool, value: G) -> LockResult<G> {
    match poisoned {
        true => Err(PoisonError::new(value)),
        false => Ok(value),
    }
}

impl<T> RwLock<T> {
    /// A new lock that is free.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        RwLock { raw: RawRwLock::new(), data: UnsafeCell::new(value) }
    }

    /// The same lock with a name for reports.
    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.raw.set_label(label);
        self
    }

    /// The data.
    ///
    /// # Errors
    ///
    /// The data all the same, if a thread panicked while it held the lock for writing.
    pub fn into_inner(self) -> LockResult<T> {
        result(self.raw.has_poison(), self.data.into_inner())
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Locks for reading, waiting until no writer has the lock.
    ///
    /// # Errors
    ///
    /// If a thread panicked while it held the lock for writing; it is locked all the same.
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        self.raw.lock(Mode::Read, SourceLocation::caller());
        result(self.raw.has_poison(), RwLockReadGuard::new(self))
    }

    /// Locks for reading if no writer has the lock.
    ///
    /// # Errors
    ///
    /// If a writer has it, or it is poisoned as for [`read`](RwLock::read).
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        match self.raw.try_lock(Mode::Read, SourceLocation::caller()) {
            true => Ok(result(self.raw.has_poison(), RwLockReadGuard::new(self))?),
            false => Err(TryLockError::WouldBlock),
        }
    }

    /// Locks for writing, waiting until nobody has the lock.
    ///
    /// # Errors
    ///
    /// If a thread panicked while it held the lock for writing; it is locked all the same.
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        self.raw.lock(Mode::Write, SourceLocation::caller());
        result(self.raw.has_poison(), RwLockWriteGuard::new(self))
    }

    /// Locks for writing if nobody has the lock.
    ///
    /// # Errors
    ///
    /// If somebody has it, or it is poisoned as for [`write`](RwLock::write).
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        match self.raw.try_lock(Mode::Write, SourceLocation::caller()) {
            true => Ok(result(self.raw.has_poison(), RwLockWriteGuard::new(self))?),
            false => Err(TryLockError::WouldBlock),
        }
    }

    /// Whether a thread panicked while it held the lock for writing.
    #[track_caller]
    pub fn is_poisoned(&self) -> bool {
        self.raw.look(SourceLocation::caller(), "is_poisoned", Op::Read);
        self.raw.has_poison()
    }

    /// Makes a poisoned lock a sound one again.
    #[track_caller]
    pub fn clear_poison(&self) {
        if self.raw.look(SourceLocation::caller(), "clear_poison", Op::Update) {
            self.raw.set_poison(false);
        }
    }

    /// The data, for who has the lock alone.
    ///
    /// # Errors
    ///
    /// The data all the same, if a thread panicked while it held the lock for writing.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        result(self.raw.has_poison(), self.data.get_mut())
    }
}

impl<T> From<T> for RwLock<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        RwLock::new(value)
    }
}

impl<T: Default> Default for RwLock<T> {
    #[track_caller]
    fn default() -> Self {
        RwLock::new(T::default())
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("RwLock");
        match self.try_read() {
            Ok(guard) => out.field("data", &&*guard),
            Err(TryLockError::Poisoned(error)) => out.field("data", &&**error.get_ref()),
            Err(TryLockError::WouldBlock) => out.field("data", &format_args!("<locked>")),
        };
        out.field("poisoned", &self.raw.has_poison()).finish_non_exhaustive()
    }
}
