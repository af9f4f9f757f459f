//! `AtomicPtr`.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location as SourceLocation;
use std::ptr;

use super::access::{Exchange, Load, Store, Update};
use super::common::common_methods;
use super::word::{Initial, Word};
use super::{Ordering, Orderings};
use crate::rt;

/// An atomic pointer, as [`std::sync::atomic::AtomicPtr`].
///
/// ```
/// use mazurka::sync::atomic::{AtomicPtr, Ordering::SeqCst};
///
/// mazurka::check(|| {
///     let mut number = 5;
///     let pointer = AtomicPtr::new(std::ptr::null_mut());
///     pointer.store(&mut number, SeqCst);
///     assert_eq!(unsafe { *pointer.load(SeqCst) }, 5);
/// });
/// ```
pub struct AtomicPtr<T> {
    word: Word,
    marker: PhantomData<*mut T>,
}

// SAFETY: as for the `AtomicPtr` of `std`: to share a pointer is safe, to follow it is not.
unsafe impl<T> Send for AtomicPtr<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for AtomicPtr<T> {}

fn bits<T>(pointer: *mut T) -> u64 {
    rt::pointer_to_bits(pointer.expose_provenance())
}

fn pointer<T>(bits: u64) -> *mut T {
    ptr::with_exposed_provenance_mut(rt::pointer_of_bits(bits))
}

impl<T> AtomicPtr<T> {
    /// Creates an atomic that holds `value` at the start of every execution.
    #[track_caller]
    pub const fn new(value: *mut T) -> Self {
        let word = Word::new("AtomicPtr", Initial::Pointer(value.cast()), Self::show);
        AtomicPtr { word, marker: PhantomData }
    }

    fn show(bits: u64) -> String {
        match bits {
            0 => "null".to_owned(),
            bits => format!("{bits:#x}"),
        }
    }

    /// Returns a mutable reference to the value. This is not a step.
    #[track_caller]
    pub fn get_mut(&mut self) -> &mut *mut T {
        let Initial::Pointer(value) = self.word.get_mut() else { unreachable!() };
        // SAFETY: pointers to sized types are alike.
        unsafe { &mut *ptr::from_mut(value).cast::<*mut T>() }
    }

    common_methods!(*mut T, bits, pointer);
}

impl<T> From<*mut T> for AtomicPtr<T> {
    #[track_caller]
    fn from(value: *mut T) -> Self {
        AtomicPtr::new(value)
    }
}

impl<T> Default for AtomicPtr<T> {
    #[track_caller]
    fn default() -> Self {
        AtomicPtr::new(ptr::null_mut())
    }
}

impl<T> fmt::Debug for AtomicPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.load(Ordering::Relaxed), f)
    }
}

impl<T> fmt::Pointer for AtomicPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&self.load(Ordering::Relaxed), f)
    }
}
