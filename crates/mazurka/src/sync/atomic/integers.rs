//! The atomic integers.

use std::fmt;
use std::panic::Location as SourceLocation;

use super::access::{Exchange, Load, Store, Update};
use super::common::{common_methods, update_methods};
use super::word::{Initial, Word};
use super::{Ordering, Orderings};

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
            /// Creates an atomic that holds `value` at the start of every execution.
            #[track_caller]
            pub const fn new(value: $int) -> Self {
                $name { word: Word::new(stringify!($name), Initial::Number(value as u64), Self::show) }
            }

            fn show(bits: u64) -> String {
                Self::from_bits(bits).to_string()
            }

            const fn to_bits(value: $int) -> u64 {
                value as u64
            }

            const fn from_bits(bits: u64) -> $int {
                bits as $int
            }

            /// Returns a mutable reference to the value. This is not a step.
            #[track_caller]
            pub fn get_mut(&mut self) -> &mut $int {
                let Initial::Number(bits) = self.word.get_mut() else { unreachable!() };
                // SAFETY: the integer has no more bytes than the word, no stricter alignment, and
                // every pattern of bits is valid for both.
                unsafe { &mut *std::ptr::from_mut(bits).cast::<$int>().add(low_part::<$int>()) }
            }

            common_methods!($int, Self::to_bits, Self::from_bits);

            update_methods!($int, Self::to_bits, Self::from_bits,
                "Adds `value`, wrapping around on overflow, and returns the previous value."
                    fetch_add = <$int>::wrapping_add;
                "Subtracts `value`, wrapping around on overflow, and returns the previous value."
                    fetch_sub = <$int>::wrapping_sub;
                "Stores the bitwise \"and\" with `value`, and returns the previous value."
                    fetch_and = |old, value| old & value;
                "Stores the bitwise \"nand\" with `value`, and returns the previous value."
                    fetch_nand = |old, value| !(old & value);
                "Stores the bitwise \"or\" with `value`, and returns the previous value."
                    fetch_or = |old, value| old | value;
                "Stores the bitwise \"exclusive or\" with `value`, and returns the previous value."
                    fetch_xor = |old, value| old ^ value;
                "Stores the greater of the value and `value`, and returns the previous value."
                    fetch_max = Ord::max;
                "Stores the lesser of the value and `value`, and returns the previous value."
                    fetch_min = Ord::min;
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
}

/// Returns where, in units of `T`, the low bytes of a word are.
const fn low_part<T>() -> usize {
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
