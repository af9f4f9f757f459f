//! `RwLock`.

use std::cell::UnsafeCell;
use std::fmt;
use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::Arc;

use super::TryLockError;
use super::lock::lock_traits;
use super::semaphore::{Acquire, Semaphore};

/// How many permits a writer takes; a reader takes one.
const WRITER: usize = (u32::MAX >> 3) as usize;

/// An asynchronous reader-writer lock, as `tokio::sync::RwLock`. It is fair: a reader waits behind a writer
/// that came first.
pub struct RwLock<T: ?Sized> {
    semaphore: Semaphore,
    data: UnsafeCell<T>,
}

// SAFETY: the data are accessed by readers, or by one writer.
unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}

impl<T> RwLock<T> {
    /// Creates a lock.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        RwLock { semaphore: Semaphore::of_kind("RwLock", WRITER), data: UnsafeCell::new(value) }
    }

    /// Creates a lock, as [`RwLock::new`].
    #[track_caller]
    pub const fn const_new(value: T) -> Self {
        RwLock::new(value)
    }

    /// Consumes the lock and returns the data.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Returns a mutable reference to the data. This is not a step.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }

    /// Locks for reading.
    #[track_caller]
    pub fn read(&self) -> impl Future<Output = RwLockReadGuard<'_, T>> {
        let acquire = Acquire::new(&self.semaphore, "read", 1, Location::caller());
        async move {
            let _ = acquire.await;
            RwLockReadGuard { lock: self }
        }
    }

    /// Locks for writing.
    #[track_caller]
    pub fn write(&self) -> impl Future<Output = RwLockWriteGuard<'_, T>> {
        let acquire = Acquire::new(&self.semaphore, "write", WRITER, Location::caller());
        async move {
            let _ = acquire.await;
            RwLockWriteGuard { lock: self }
        }
    }

    /// Locks for reading. The guard owns a reference to the lock.
    #[track_caller]
    pub fn read_owned(self: Arc<Self>) -> impl Future<Output = OwnedRwLockReadGuard<T>> {
        let site = Location::caller();
        async move {
            let _ = Acquire::new(&self.semaphore, "read", 1, site).await;
            OwnedRwLockReadGuard { lock: self }
        }
    }

    /// Locks for writing. The guard owns a reference to the lock.
    #[track_caller]
    pub fn write_owned(self: Arc<Self>) -> impl Future<Output = OwnedRwLockWriteGuard<T>> {
        let site = Location::caller();
        async move {
            let _ = Acquire::new(&self.semaphore, "write", WRITER, site).await;
            OwnedRwLockWriteGuard { lock: self }
        }
    }

    /// Locks for reading, and blocks the current thread meanwhile.
    #[track_caller]
    pub fn blocking_read(&self) -> RwLockReadGuard<'_, T> {
        mazurka::future::block_on(self.read())
    }

    /// Locks for writing, and blocks the current thread meanwhile.
    #[track_caller]
    pub fn blocking_write(&self) -> RwLockWriteGuard<'_, T> {
        mazurka::future::block_on(self.write())
    }

    #[track_caller]
    fn try_acquire(&self, name: &'static str, permits: usize) -> Result<(), TryLockError> {
        let tried = self.semaphore.try_acquire_at(name, permits, Location::caller());
        tried.map_err(|_| TryLockError(()))
    }

    /// Locks for reading if no writer holds the lock or waits for it.
    ///
    /// # Errors
    ///
    /// If the lock cannot be had at once.
    #[track_caller]
    pub fn try_read(&self) -> Result<RwLockReadGuard<'_, T>, TryLockError> {
        self.try_acquire("try_read", 1)?;
        Ok(RwLockReadGuard { lock: self })
    }

    /// Locks for writing if the lock is free.
    ///
    /// # Errors
    ///
    /// If the lock cannot be had at once.
    #[track_caller]
    pub fn try_write(&self) -> Result<RwLockWriteGuard<'_, T>, TryLockError> {
        self.try_acquire("try_write", WRITER)?;
        Ok(RwLockWriteGuard { lock: self })
    }

    /// Locks for reading, as [`try_read`](RwLock::try_read). The guard owns a reference to the lock.
    ///
    /// # Errors
    ///
    /// If the lock cannot be had at once.
    #[track_caller]
    pub fn try_read_owned(self: Arc<Self>) -> Result<OwnedRwLockReadGuard<T>, TryLockError> {
        self.try_acquire("try_read", 1)?;
        Ok(OwnedRwLockReadGuard { lock: self })
    }

    /// Locks for writing, as [`try_write`](RwLock::try_write). The guard owns a reference to the lock.
    ///
    /// # Errors
    ///
    /// If the lock cannot be had at once.
    #[track_caller]
    pub fn try_write_owned(self: Arc<Self>) -> Result<OwnedRwLockWriteGuard<T>, TryLockError> {
        self.try_acquire("try_write", WRITER)?;
        Ok(OwnedRwLockWriteGuard { lock: self })
    }
}

lock_traits!(RwLock);

macro_rules! guard {
    ($(#[$attribute:meta])* $name:ident $(<$lifetime:lifetime>)?, $lock:ty, $permits:expr) => {
        $(#[$attribute])*
        #[must_use = "if unused the RwLock will immediately unlock"]
        pub struct $name<$($lifetime,)? T: ?Sized> {
            lock: $lock,
        }

        // SAFETY: a shared guard gives out `&T` only.
        unsafe impl<$($lifetime,)? T: ?Sized + Send + Sync> Sync for $name<$($lifetime,)? T> {}
        // SAFETY: the task that drops the guard need not be the one that has locked.
        unsafe impl<$($lifetime,)? T: ?Sized + Send + Sync> Send for $name<$($lifetime,)? T> {}

        impl<$($lifetime,)? T: ?Sized> Deref for $name<$($lifetime,)? T> {
            type Target = T;

            fn deref(&self) -> &T {
                // SAFETY: the lock is held.
                unsafe { &*self.lock.data.get() }
            }
        }

        impl<$($lifetime,)? T: ?Sized> Drop for $name<$($lifetime,)? T> {
            #[track_caller]
            fn drop(&mut self) {
                self.lock.semaphore.release_at("unlock", $permits, Location::caller());
            }
        }

        impl<$($lifetime,)? T: ?Sized + fmt::Debug> fmt::Debug for $name<$($lifetime,)? T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&**self, f)
            }
        }

        impl<$($lifetime,)? T: ?Sized + fmt::Display> fmt::Display for $name<$($lifetime,)? T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&**self, f)
            }
        }
    };
}

guard! {
    /// Keeps a [`RwLock`] locked for reading until it is dropped.
    RwLockReadGuard<'a>, &'a RwLock<T>, 1
}
guard! {
    /// Keeps a [`RwLock`] locked for writing until it is dropped.
    RwLockWriteGuard<'a>, &'a RwLock<T>, WRITER
}
guard! {
    /// Keeps a [`RwLock`] locked for reading until it is dropped, and owns a reference to it.
    OwnedRwLockReadGuard, Arc<RwLock<T>>, 1
}
guard! {
    /// Keeps a [`RwLock`] locked for writing until it is dropped, and owns a reference to it.
    OwnedRwLockWriteGuard, Arc<RwLock<T>>, WRITER
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held for writing.
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<T: ?Sized> DerefMut for OwnedRwLockWriteGuard<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held for writing.
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    /// Locks for reading instead, without letting another writer in.
    #[track_caller]
    pub fn downgrade(self) -> RwLockReadGuard<'a, T> {
        let lock = self.lock;
        std::mem::forget(self);
        lock.semaphore.release_at("downgrade", WRITER - 1, Location::caller());
        RwLockReadGuard { lock }
    }
}

impl<T: ?Sized> OwnedRwLockWriteGuard<T> {
    /// Locks for reading instead, without letting another writer in.
    #[track_caller]
    pub fn downgrade(self) -> OwnedRwLockReadGuard<T> {
        let lock = Arc::clone(&self.lock);
        // SAFETY: the guard is forgotten, so its reference is dropped once.
        drop(unsafe { std::ptr::read(&self.lock) });
        std::mem::forget(self);
        lock.semaphore.release_at("downgrade", WRITER - 1, Location::caller());
        OwnedRwLockReadGuard { lock }
    }
}
