//! `Mutex`.

use std::cell::UnsafeCell;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::Arc;

use super::lock::lock_traits;
use super::semaphore::{Acquire, Semaphore};

/// An asynchronous mutual exclusion lock, as `tokio::sync::Mutex`.
pub struct Mutex<T: ?Sized> {
    semaphore: Semaphore,
    data: UnsafeCell<T>,
}

// SAFETY: the data are accessed by the holder of the only permit.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

/// The error of [`Mutex::try_lock`] and the like: the lock is held.
#[derive(Debug)]
pub struct TryLockError(pub(super) ());

impl fmt::Display for TryLockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("operation would block")
    }
}

impl std::error::Error for TryLockError {}

impl<T> Mutex<T> {
    /// Creates a mutex.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        Mutex { semaphore: Semaphore::of_kind("Mutex", 1), data: UnsafeCell::new(value) }
    }

    /// Creates a mutex, as [`Mutex::new`].
    #[track_caller]
    pub const fn const_new(value: T) -> Self {
        Mutex::new(value)
    }

    /// Consumes the mutex and returns the data.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Locks the mutex.
    #[track_caller]
    pub fn lock(&self) -> impl Future<Output = MutexGuard<'_, T>> {
        let acquire = Acquire::new(&self.semaphore, "lock", 1, Location::caller());
        async move {
            let _ = acquire.await;
            MutexGuard { mutex: self }
        }
    }

    /// Locks the mutex, and blocks the current thread meanwhile.
    #[track_caller]
    pub fn blocking_lock(&self) -> MutexGuard<'_, T> {
        mazurka::future::block_on(self.lock())
    }

    /// Locks the mutex, and blocks the current thread meanwhile.
    #[track_caller]
    pub fn blocking_lock_owned(self: Arc<Self>) -> OwnedMutexGuard<T> {
        mazurka::future::block_on(self.lock_owned())
    }

    /// Locks the mutex if it is free.
    ///
    /// # Errors
    ///
    /// If the mutex is locked.
    #[track_caller]
    pub fn try_lock(&self) -> Result<MutexGuard<'_, T>, TryLockError> {
        let tried = self.semaphore.try_acquire_at("try_lock", 1, Location::caller());
        tried.map(|()| MutexGuard { mutex: self }).map_err(|_| TryLockError(()))
    }

    /// Locks the mutex. The guard owns a reference to it.
    #[track_caller]
    pub fn lock_owned(self: Arc<Self>) -> impl Future<Output = OwnedMutexGuard<T>> {
        let site = Location::caller();
        async move {
            let _ = Acquire::new(&self.semaphore, "lock", 1, site).await;
            OwnedMutexGuard { mutex: self }
        }
    }

    /// Locks the mutex if it is free. The guard owns a reference to it.
    ///
    /// # Errors
    ///
    /// If the mutex is locked.
    #[track_caller]
    pub fn try_lock_owned(self: Arc<Self>) -> Result<OwnedMutexGuard<T>, TryLockError> {
        match self.semaphore.try_acquire_at("try_lock", 1, Location::caller()) {
            Ok(()) => Ok(OwnedMutexGuard { mutex: self }),
            Err(_) => Err(TryLockError(())),
        }
    }

    /// Returns a mutable reference to the data. This is not a step.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }
}

lock_traits!(Mutex);

/// Keeps a [`Mutex`] locked until it is dropped.
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MutexGuard<'a, T: ?Sized> {
    mutex: &'a Mutex<T>,
}

/// Keeps a [`Mutex`] locked until it is dropped, and owns a reference to it.
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct OwnedMutexGuard<T: ?Sized> {
    mutex: Arc<Mutex<T>>,
}

// SAFETY: a shared guard gives out `&T` only.
unsafe impl<T: ?Sized + Send + Sync> Sync for MutexGuard<'_, T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send + Sync> Sync for OwnedMutexGuard<T> {}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// Returns the mutex.
    pub fn mutex(this: &Self) -> &'a Mutex<T> {
        this.mutex
    }

    /// Returns a guard of a part of the data.
    pub fn map<U: ?Sized>(
        mut this: Self,
        f: impl FnOnce(&mut T) -> &mut U,
    ) -> MappedMutexGuard<'a, U> {
        let data = f(&mut *this) as *mut U;
        let semaphore = &this.mutex.semaphore;
        std::mem::forget(this);
        MappedMutexGuard { semaphore, data, marker: PhantomData }
    }
}

impl<T: ?Sized> OwnedMutexGuard<T> {
    /// Returns the mutex.
    pub fn mutex(this: &Self) -> &Arc<Mutex<T>> {
        &this.mutex
    }
}

macro_rules! guard {
    ($name:ident $(<$lifetime:lifetime>)?) => {
        impl<$($lifetime,)? T: ?Sized> Deref for $name<$($lifetime,)? T> {
            type Target = T;

            fn deref(&self) -> &T {
                // SAFETY: the mutex is held.
                unsafe { &*self.mutex.data.get() }
            }
        }

        impl<$($lifetime,)? T: ?Sized> DerefMut for $name<$($lifetime,)? T> {
            fn deref_mut(&mut self) -> &mut T {
                // SAFETY: the mutex is held.
                unsafe { &mut *self.mutex.data.get() }
            }
        }

        impl<$($lifetime,)? T: ?Sized> Drop for $name<$($lifetime,)? T> {
            #[track_caller]
            fn drop(&mut self) {
                self.mutex.semaphore.release_at("unlock", 1, Location::caller());
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

guard!(MutexGuard<'a>);
guard!(OwnedMutexGuard);

/// Keeps a [`Mutex`] locked until it is dropped, and gives access to a part of its data.
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MappedMutexGuard<'a, T: ?Sized> {
    semaphore: &'a Semaphore,
    data: *mut T,
    marker: PhantomData<&'a mut T>,
}

// SAFETY: as a mutable reference.
unsafe impl<T: ?Sized + Send> Send for MappedMutexGuard<'_, T> {}
// SAFETY: as a mutable reference.
unsafe impl<T: ?Sized + Sync> Sync for MappedMutexGuard<'_, T> {}

impl<T: ?Sized> Deref for MappedMutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the mutex is held.
        unsafe { &*self.data }
    }
}

impl<T: ?Sized> DerefMut for MappedMutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the mutex is held.
        unsafe { &mut *self.data }
    }
}

impl<T: ?Sized> Drop for MappedMutexGuard<'_, T> {
    #[track_caller]
    fn drop(&mut self) {
        self.semaphore.release_at("unlock", 1, Location::caller());
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MappedMutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
