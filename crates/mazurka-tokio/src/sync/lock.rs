//! What both kinds of locks have in common.

/// Implements how a lock is created, and how it is shown.
macro_rules! lock_traits {
    ($lock:ident) => {
        impl<T: Default> Default for $lock<T> {
            #[track_caller]
            fn default() -> Self {
                $lock::new(T::default())
            }
        }

        impl<T> From<T> for $lock<T> {
            #[track_caller]
            fn from(value: T) -> Self {
                $lock::new(value)
            }
        }

        impl<T: ?Sized> fmt::Debug for $lock<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($lock)).finish_non_exhaustive()
            }
        }
    };
}

pub(super) use lock_traits;
