//! The atomic integers.

use std::fmt;
use std::panic::Location as SourceLocation;

use super::word::{Initial, Word};
use super::{Ordering, check_failure, check_load, check_store};

macro_rules! atomic_integer {
    ($name:ident, $int:ty) => {
        #[doc = concat!("An atomic `", stringify!($int), "`, as [`std::sync::atomic::", stringify!($name), "`].")]
        ///
        /// ```
        #[doc = concat!("use mazurka::sync::atomic::{", stringify!($name), ", Ordering::SeqCst};")]
        ///
        /// mazurka::check(|| {
        #[doc = concat!("    let number = ", stringify!($name), "::new(5);")]
        ///     assert_eq!(number.fetch_add(2, SeqCst), 5);
        ///     assert_eq!(number.load(SeqCst), 7);
        /// });
        /// ```
        pub struct $name {
            word: Word,
        }

        impl $name {
            /// A new one that holds `value`, in every execution afresh.
            #[track_caller]
            pub const fn new(value: $int) -> Self {
                $name { word: Word::new(stringify!($name), Initial::Number(value as u64), Self::show) }
            }

            /// Makes the object known to the checker before anybody uses it.
            ///
            /// The elements of an array are told apart by who comes upon them first. If that is late, the
            /// explorers cannot always tell that two threads are about to use different ones, and run more
            /// than is needed. Introduced by the main thread, before it spawns others, they are told apart
            /// from the start. This is no step.
            #[track_caller]
            pub fn introduce(&self) {
                self.word.introduce();
            }

            /// The same one with a name for reports.
            pub const fn with_label(mut self, label: &'static str) -> Self {
                self.word.set_label(label);
                self
            }

            fn show(bits: u64) -> String {
                (bits as $int).to_string()
            }

            /// The value, for who has it alone.
            #[track_caller]
            pub fn get_mut(&mut self) -> &mut $int {
                let Initial::Number(bits) = self.word.get_mut() else { unreachable!() };
                // SAFETY: the integer has no more bytes than the word, no stricter alignment, and
                // every pattern of bits is valid for both.
                unsafe { &mut *std::ptr::from_mut(bits).cast::<$int>().add(low_half::<$int>()) }
            }

            /// The value.
            #[track_caller]
            pub fn into_inner(self) -> $int {
                self.word.peek() as $int
            }

            /// Reads the value.
            #[inline]
            #[track_caller]
            pub fn load(&self, order: Ordering) -> $int {
                check_load(order);
                self.word.load(SourceLocation::caller()) as $int
            }

            /// Replaces the value.
            #[inline]
            #[track_caller]
            pub fn store(&self, value: $int, order: Ordering) {
                check_store(order);
                self.word.store(SourceLocation::caller(), value as u64);
            }

            /// Stores `new` if the value is `current`.
            ///
            /// # Errors
            ///
            /// The value, if it is another one.
            #[inline]
            #[track_caller]
            pub fn compare_exchange(
                &self,
                current: $int,
                new: $int,
                _success: Ordering,
                failure: Ordering,
            ) -> Result<$int, $int> {
                check_failure(failure);
                let site = SourceLocation::caller();
                self.word
                    .compare_exchange("compare_exchange", site, current as u64, new as u64, false)
                    .map(|bits| bits as $int)
                    .map_err(|bits| bits as $int)
            }

            /// Stores `new` if the value is `current`; may fail for no reason if
            /// [`Check::spurious_failures`](crate::Check::spurious_failures) says so.
            ///
            /// # Errors
            ///
            /// The value.
            #[inline]
            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                current: $int,
                new: $int,
                _success: Ordering,
                failure: Ordering,
            ) -> Result<$int, $int> {
                check_failure(failure);
                let site = SourceLocation::caller();
                let name = "compare_exchange_weak";
                self.word
                    .compare_exchange(name, site, current as u64, new as u64, true)
                    .map(|bits| bits as $int)
                    .map_err(|bits| bits as $int)
            }

            /// Replaces the value by `f` of it, until nobody came between; the old value.
            ///
            /// # Errors
            ///
            /// The value that `f` has no answer to.
            #[track_caller]
            pub fn fetch_update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                mut f: impl FnMut($int) -> Option<$int>,
            ) -> Result<$int, $int> {
                let mut seen = self.load(fetch_order);
                while let Some(next) = f(seen) {
                    match self.compare_exchange_weak(seen, next, set_order, fetch_order) {
                        Ok(old) => return Ok(old),
                        Err(now) => seen = now,
                    }
                }
                Err(seen)
            }

            atomic_integer!(@update $int,
                "Replaces the value; the old one." swap = |_, value| value;
                "Adds, wrapping around; the old value." fetch_add = <$int>::wrapping_add;
                "Subtracts, wrapping around; the old value." fetch_sub = <$int>::wrapping_sub;
                "Bitwise and; the old value." fetch_and = |old, value| old & value;
                "Bitwise nand; the old value." fetch_nand = |old: $int, value: $int| !(old & value);
                "Bitwise or; the old value." fetch_or = |old, value| old | value;
                "Bitwise exclusive or; the old value." fetch_xor = |old, value| old ^ value;
                "The greater one; the old value." fetch_max = Ord::max;
                "The lesser one; the old value." fetch_min = Ord::min;
            );
        }

        impl From<$int> for $name {
            #[track_caller]
            fn from(value: $int) -> Self {
                $name::new(value)
            }
        }

        impl Default for $name {
            #[track_caller]
            fn default() -> Self {
                $name::new(0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.load(Ordering::Relaxed), f)
            }
        }
    };

    (@update $int:ty, $($doc:literal $method:ident = $function:expr;)*) => {
        $(
            #[doc = $doc]
            #[inline]
            #[track_caller]
            pub fn $method(&self, value: $int, _order: Ordering) -> $int {
                let function: fn($int, $int) -> $int = $function;
                let change = |bits: u64| function(bits as $int, value) as u64;
                let site = SourceLocation::caller();
                self.word.update(stringify!($method), site, value as u64, change) as $int
            }
        )*
    };
}

/// Where, in units of `T`, the low bytes of a word are.
const fn low_half<T>() -> usize {
    match cfg!(target_endian = "big") {
        true => size_of::<u64>() / size_of::<T>() - 1,
        false => 0,
    }
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
