//! `AtomicPtr`.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location as SourceLocation;
use std::ptr;

use super::word::{Initial, Word};
use super::{Ordering, check_failure, check_load, check_store};

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
    pointer.expose_provenance() as u64
}

fn pointer<T>(bits: u64) -> *mut T {
    ptr::with_exposed_provenance_mut(bits as usize)
}

impl<T> AtomicPtr<T> {
    /// A new one that holds `value`, in every execution afresh.
    #[track_caller]
    pub const fn new(value: *mut T) -> Self {
        let word = Word::new("AtomicPtr", Initial::Pointer(value.cast()), Self::show);
        AtomicPtr { word, marker: PhantomData }
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
        match bits {
            0 => "null".to_owned(),
            bits => format!("{bits:#x}"),
        }
    }

    /// The value, for who has it alone.
    #[track_caller]
    pub fn get_mut(&mut self) -> &mut *mut T {
        let Initial::Pointer(value) = self.word.get_mut() else { unreachable!() };
        // SAFETY: pointers to sized types are alike.
        unsafe { &mut *ptr::from_mut(value).cast::<*mut T>() }
    }

    /// The value.
    #[track_caller]
    pub fn into_inner(self) -> *mut T {
        pointer(self.word.peek())
    }

    /// Reads the value.
    #[inline]
    #[track_caller]
    pub fn load(&self, order: Ordering) -> *mut T {
        check_load(order);
        pointer(self.word.load(SourceLocation::caller()))
    }

    /// Replaces the value.
    #[inline]
    #[track_caller]
    pub fn store(&self, value: *mut T, order: Ordering) {
        check_store(order);
        self.word.store(SourceLocation::caller(), bits(value));
    }

    /// Replaces the value; the old one.
    #[inline]
    #[track_caller]
    pub fn swap(&self, value: *mut T, _order: Ordering) -> *mut T {
        let new = bits(value);
        pointer(self.word.update("swap", SourceLocation::caller(), new, |_| new))
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
        current: *mut T,
        new: *mut T,
        _success: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T> {
        check_failure(failure);
        let site = SourceLocation::caller();
        self.word
            .compare_exchange("compare_exchange", site, bits(current), bits(new), false)
            .map(pointer)
            .map_err(pointer)
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
        current: *mut T,
        new: *mut T,
        _success: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T> {
        check_failure(failure);
        let site = SourceLocation::caller();
        self.word
            .compare_exchange("compare_exchange_weak", site, bits(current), bits(new), true)
            .map(pointer)
            .map_err(pointer)
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
        mut f: impl FnMut(*mut T) -> Option<*mut T>,
    ) -> Result<*mut T, *mut T> {
        let mut seen = self.load(fetch_order);
        while let Some(next) = f(seen) {
            match self.compare_exchange_weak(seen, next, set_order, fetch_order) {
                Ok(old) => return Ok(old),
                Err(now) => seen = now,
            }
        }
        Err(seen)
    }
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
