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

/// A reader-writer lock, as [`std::sync::RwLock`].
///
/// A reader gets the lock whenever no writer holds it. The lock of `std` may make a reader wait for a
/// writer that waits itself: there, a thread that locks twice for reading can deadlock. Mazurka does not
/// find such a deadlock.
///
/// Unlike an atomic, a `static` lock keeps its data from one execution to the next. Create it inside of
/// the closure instead.
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

// SAFETY: as for the lock of `std`: the holder has the data alone, or shares it with
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
    /// Creates a lock that is not locked.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        RwLock { raw: RawRwLock::new(), data: UnsafeCell::new(value) }
    }

    /// Gives the lock a name for reports.
    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.raw.set_label(label);
        self
    }

    /// Consumes the lock and returns the data.
    ///
    /// # Errors
    ///
    /// If the lock is poisoned. The error contains the data.
    pub fn into_inner(self) -> LockResult<T> {
        result(self.raw.has_poison(), self.data.into_inner())
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits until no writer holds the lock, and locks it for reading.
    ///
    /// # Errors
    ///
    /// If the lock is poisoned, because a thread panicked while it held the lock for writing. The error
    /// contains the guard.
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        self.raw.lock(Mode::Read, SourceLocation::caller());
        result(self.raw.has_poison(), RwLockReadGuard::new(self))
    }

    /// Locks for reading if no writer holds the lock.
    ///
    /// # Errors
    ///
    /// If a writer holds the lock, or if it is poisoned.
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        match self.raw.try_lock(Mode::Read, SourceLocation::caller()) {
            true => Ok(result(self.raw.has_poison(), RwLockReadGuard::new(self))?),
            false => Err(TryLockError::WouldBlock),
        }
    }

    /// Waits until no thread holds the lock, and locks it for writing.
    ///
    /// # Errors
    ///
    /// If the lock is poisoned, because a thread panicked while it held the lock for writing. The error
    /// contains the guard.
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        self.raw.lock(Mode::Write, SourceLocation::caller());
        result(self.raw.has_poison(), RwLockWriteGuard::new(self))
    }

    /// Locks for writing if no thread holds the lock.
    ///
    /// # Errors
    ///
    /// If a thread holds the lock, or if it is poisoned.
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        match self.raw.try_lock(Mode::Write, SourceLocation::caller()) {
            true => Ok(result(self.raw.has_poison(), RwLockWriteGuard::new(self))?),
            false => Err(TryLockError::WouldBlock),
        }
    }

    /// Returns whether the lock is poisoned.
    #[track_caller]
    pub fn is_poisoned(&self) -> bool {
        self.raw.look(SourceLocation::caller(), "is_poisoned", Op::Read);
        self.raw.has_poison()
    }

    /// Clears the poison.
    #[track_caller]
    pub fn clear_poison(&self) {
        self.raw.look(SourceLocation::caller(), "clear_poison", Op::Update);
        self.raw.set_poison(false);
    }

    /// Returns a mutable reference to the data. This is not a step.
    ///
    /// # Errors
    ///
    /// If the lock is poisoned. The error contains the reference.
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
