//! The guards of a lock.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location as SourceLocation;

use super::RwLock;
use super::raw::Mode;
use crate::rt;

/// Keeps a [`RwLock`] locked for reading until it is dropped, as [`std::sync::RwLockReadGuard`].
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockReadGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    /// As `std`'s, a guard stays with its thread.
    marker: PhantomData<*const ()>,
}

// SAFETY: a shared guard gives out `&T` only.
unsafe impl<T: ?Sized + Sync> Sync for RwLockReadGuard<'_, T> {}

impl<'a, T: ?Sized> RwLockReadGuard<'a, T> {
    /// The lock is held for reading.
    pub(super) fn new(lock: &'a RwLock<T>) -> Self {
        RwLockReadGuard { lock, marker: PhantomData }
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the lock is held for reading.
        unsafe { &*self.lock.data.get() }
    }
}

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    #[track_caller]
    fn drop(&mut self) {
        self.lock.raw.unlock(Mode::Read, SourceLocation::caller(), |_| false);
    }
}

/// Keeps a [`RwLock`] locked for writing until it is dropped, as [`std::sync::RwLockWriteGuard`].
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockWriteGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    /// Whether the thread was already panicking when it locked: then it does not poison.
    panicking: bool,
    /// As `std`'s, a guard stays with its thread.
    marker: PhantomData<*const ()>,
}

// SAFETY: a shared guard gives out `&T` only.
unsafe impl<T: ?Sized + Sync> Sync for RwLockWriteGuard<'_, T> {}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    /// The lock is held for writing.
    pub(super) fn new(lock: &'a RwLock<T>) -> Self {
        let panicking = rt::with(|rt| rt.is_unwinding());
        RwLockWriteGuard { lock, panicking, marker: PhantomData }
    }

    /// Turns the guard into one for reading. No writer can get the lock in between.
    ///
    /// ```
    /// use mazurka::sync::{RwLock, RwLockWriteGuard};
    ///
    /// mazurka::check(|| {
    ///     let lock = RwLock::new(1);
    ///     let mut guard = lock.write().unwrap();
    ///     *guard = 2;
    ///     let guard = RwLockWriteGuard::downgrade(guard);
    ///     assert_eq!(*lock.read().unwrap(), *guard);
    /// });
    /// ```
    #[track_caller]
    pub fn downgrade(this: Self) -> RwLockReadGuard<'a, T> {
        let lock = this.lock;
        let reader = RwLockReadGuard::new(lock);
        std::mem::forget(this);
        lock.raw.downgrade(SourceLocation::caller());
        reader
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the lock is held for writing.
        unsafe { &*self.lock.data.get() }
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as for `deref`.
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    #[track_caller]
    fn drop(&mut self) {
        let panicking = self.panicking;
        let poisons = |rt: &rt::Runtime| !panicking && rt.is_unwinding();
        self.lock.raw.unlock(Mode::Write, SourceLocation::caller(), poisons);
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}
