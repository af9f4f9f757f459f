//! Atomics, as in [`std::sync::atomic`].
//!
//! Orderings have the meaning of C++20: a test with an ordering weaker than `SeqCst` is checked under the
//! memory model RC11.

pub use mazurka::sync::atomic::fence;
pub use std::sync::atomic::Ordering;

use std::fmt;

use mazurka::sync::atomic as inner;

/// Says that the thread is in a spin loop, as [`hint::spin_loop`](crate::hint::spin_loop).
#[track_caller]
pub fn spin_loop_hint() {
    mazurka::hint::spin_loop();
}

/// Declares the methods that all atomics have.
macro_rules! common_methods {
    ($value:ty) => {
        /// Calls `f` with a mutable reference to the value. This is not a step.
        #[track_caller]
        pub fn with_mut<R>(&mut self, f: impl FnOnce(&mut $value) -> R) -> R {
            f(self.0.get_mut())
        }

        /// Loads the value without synchronisation. If another thread stores to the atomic at the same
        /// time, this is a data race.
        ///
        /// # Safety
        ///
        /// As for a read through a pointer to an atomic of `std`.
        #[track_caller]
        pub unsafe fn unsync_load(&self) -> $value {
            // SAFETY: as the caller promises.
            unsafe { self.0.unsync_load() }
        }

        /// Consumes the atomic and returns its value.
        #[track_caller]
        pub fn into_inner(self) -> $value {
            self.0.into_inner()
        }

        /// Loads the value.
        #[inline]
        #[track_caller]
        pub fn load(&self, order: Ordering) -> $value {
            self.0.load(order)
        }

        /// Stores `value`.
        #[inline]
        #[track_caller]
        pub fn store(&self, value: $value, order: Ordering) {
            self.0.store(value, order);
        }

        /// Stores `value`, and returns the previous value.
        #[inline]
        #[track_caller]
        pub fn swap(&self, value: $value, order: Ordering) -> $value {
            self.0.swap(value, order)
        }

        /// Stores `new` if the value is `current`, and returns the previous value.
        #[track_caller]
        pub fn compare_and_swap(&self, current: $value, new: $value, order: Ordering) -> $value {
            match self.0.compare_exchange(current, new, order, Ordering::Relaxed) {
                Ok(previous) | Err(previous) => previous,
            }
        }

        /// Stores `new` if the value is `current`, and returns the previous value.
        ///
        /// # Errors
        ///
        /// Returns the value if it is not `current`.
        #[inline]
        #[track_caller]
        pub fn compare_exchange(
            &self,
            current: $value,
            new: $value,
            success: Ordering,
            failure: Ordering,
        ) -> Result<$value, $value> {
            self.0.compare_exchange(current, new, success, failure)
        }

        /// Stores `new` if the value is `current`, and returns the previous value. As in loom, it does
        /// not fail spuriously.
        ///
        /// # Errors
        ///
        /// Returns the value if it is not `current`.
        #[inline]
        #[track_caller]
        pub fn compare_exchange_weak(
            &self,
            current: $value,
            new: $value,
            success: Ordering,
            failure: Ordering,
        ) -> Result<$value, $value> {
            self.0.compare_exchange_weak(current, new, success, failure)
        }

        /// Stores `f(value)`, and tries again if another thread has changed the value in between.
        ///
        /// # Errors
        ///
        /// Returns the value for which `f` returned `None`.
        #[track_caller]
        pub fn fetch_update<F>(
            &self,
            set_order: Ordering,
            fetch_order: Ordering,
            f: F,
        ) -> Result<$value, $value>
        where
            F: FnMut($value) -> Option<$value>,
        {
            self.0.fetch_update(set_order, fetch_order, f)
        }
    };
}

/// Declares read-modify-write methods.
macro_rules! update_methods {
    ($value:ty: $($method:ident)*) => {
        $(
            #[doc = concat!("As [`std::sync::atomic::AtomicUsize::", stringify!($method), "`].")]
            #[inline]
            #[track_caller]
            pub fn $method(&self, value: $value, order: Ordering) -> $value {
                self.0.$method(value, order)
            }
        )*
    };
}

/// Declares an atomic that is not generic.
macro_rules! atomic {
    ($name:ident, $value:ty: $($method:ident)*) => {
        #[doc = concat!("An atomic `", stringify!($value), "`, as [`std::sync::atomic::", stringify!($name), "`].")]
        #[derive(Debug, Default)]
        pub struct $name(inner::$name);

        impl $name {
            /// Creates an atomic.
            #[track_caller]
            pub const fn new(value: $value) -> Self {
                $name(inner::$name::new(value))
            }

            common_methods!($value);
            update_methods!($value: $($method)*);
        }

        impl From<$value> for $name {
            #[track_caller]
            fn from(value: $value) -> Self {
                $name::new(value)
            }
        }
    };
}

atomic!(AtomicBool, bool: fetch_and fetch_nand fetch_or fetch_xor);

macro_rules! atomic_integer {
    ($name:ident, $int:ty) => {
        atomic!($name, $int: fetch_add fetch_sub fetch_and fetch_nand fetch_or fetch_xor fetch_max fetch_min);
    };
}

atomic_integer!(AtomicI8, i8);
atomic_integer!(AtomicI16, i16);
atomic_integer!(AtomicI32, i32);
atomic_integer!(AtomicI64, i64);
atomic_integer!(AtomicIsize, isize);
atomic_integer!(AtomicU8, u8);
atomic_integer!(AtomicU16, u16);
atomic_integer!(AtomicU32, u32);
atomic_integer!(AtomicU64, u64);
atomic_integer!(AtomicUsize, usize);

/// An atomic pointer, as [`std::sync::atomic::AtomicPtr`].
pub struct AtomicPtr<T>(inner::AtomicPtr<T>);

impl<T> AtomicPtr<T> {
    /// Creates an atomic.
    #[track_caller]
    pub const fn new(value: *mut T) -> Self {
        AtomicPtr(inner::AtomicPtr::new(value))
    }

    common_methods!(*mut T);
}

impl<T> fmt::Debug for AtomicPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl<T> Default for AtomicPtr<T> {
    #[track_caller]
    fn default() -> Self {
        AtomicPtr::new(std::ptr::null_mut())
    }
}

impl<T> From<*mut T> for AtomicPtr<T> {
    #[track_caller]
    fn from(value: *mut T) -> Self {
        AtomicPtr::new(value)
    }
}
