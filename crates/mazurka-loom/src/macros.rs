//! The macros.

/// Declares values that are initialised at first use, as the macro of the crate `lazy_static`.
///
/// In every execution, the first thread that uses a value initialises it, and the main thread drops it at
/// its end.
///
/// ```
/// use loom::sync::atomic::{AtomicUsize, Ordering::SeqCst};
///
/// loom::lazy_static! {
///     static ref COUNT: AtomicUsize = AtomicUsize::new(1);
/// }
///
/// loom::model(|| assert_eq!(COUNT.fetch_add(1, SeqCst), 1));
/// ```
#[macro_export]
macro_rules! lazy_static {
    () => {};
    ($(#[$attribute:meta])* $vis:vis static ref $name:ident: $type:ty = $init:expr; $($rest:tt)*) => {
        $(#[$attribute])*
        #[allow(non_camel_case_types, missing_copy_implementations, dead_code)]
        $vis struct $name {
            __private: (),
        }

        #[doc(hidden)]
        #[allow(dead_code)]
        $vis static $name: $name = $name { __private: () };

        impl ::core::ops::Deref for $name {
            type Target = $type;

            fn deref(&self) -> &$type {
                fn init() -> $type {
                    $init
                }
                static LAZY: $crate::lazy_static::Lazy<$type> =
                    $crate::lazy_static::Lazy { init, _p: ::core::marker::PhantomData };
                LAZY.get()
            }
        }

        $crate::lazy_static!($($rest)*);
    };
}
