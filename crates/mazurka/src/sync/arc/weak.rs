//! `Weak`.

use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::Location as SourceLocation;
use std::sync::Weak as StdWeak;

use mazurka_core::model::MemoryOrdering::{Acquire, Relaxed};
use mazurka_core::model::Op;

use super::Arc;
use super::counting::{STRONG, WEAK, count_weak, strong};
use crate::rt;

/// A reference that does not keep the value of an [`Arc`] alive, as [`std::sync::Weak`].
#[repr(transparent)]
pub struct Weak<T: ?Sized> {
    inner: ManuallyDrop<StdWeak<T>>,
}

impl<T> Weak<T> {
    /// Creates a reference to no value.
    pub const fn new() -> Self {
        Weak { inner: ManuallyDrop::new(StdWeak::new()) }
    }
}

impl<T: ?Sized> Weak<T> {
    pub(super) fn of(inner: StdWeak<T>) -> Self {
        Weak { inner: ManuallyDrop::new(inner) }
    }

    /// Returns a reference to a reference of `std`.
    pub(super) fn from_std_ref(weak: &StdWeak<T>) -> &Self {
        // SAFETY: both types, and `ManuallyDrop`, have the same representation.
        unsafe { &*std::ptr::from_ref(weak).cast::<Weak<T>>() }
    }

    /// Returns a reference that keeps the value alive, if there is one left.
    #[track_caller]
    pub fn upgrade(&self) -> Option<Arc<T>> {
        let site = SourceLocation::caller();
        if let Some(count) = rt::look_at_count(self.address()) {
            let add = |now| if strong(now) > 0 { now + STRONG } else { now };
            count.step(("Weak::upgrade", Some(site)), (Op::Update, Acquire), self.now(), add);
        }
        self.inner.upgrade().map(Arc::of)
    }

    /// Returns the number of references that keep the value alive.
    #[track_caller]
    pub fn strong_count(&self) -> usize {
        match self.look("Weak::strong_count") {
            Some(now) => strong(now) as usize,
            None => self.inner.strong_count(),
        }
    }

    /// Returns the number of weak references, or 0 if there is no value any more.
    #[track_caller]
    pub fn weak_count(&self) -> usize {
        match self.look("Weak::weak_count") {
            Some(now) if strong(now) == 0 => 0,
            Some(now) => (now / WEAK) as usize,
            None => self.inner.weak_count(),
        }
    }

    /// Returns whether two references are to the same value, or both to none.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.inner.ptr_eq(&other.inner)
    }

    /// Turns a reference into one of another type, as `std`'s type does by itself.
    ///
    /// `unsize` is the coercion, `|weak| weak`. It must return the pointer that it gets.
    ///
    /// # Panics
    ///
    /// If it returns another one.
    #[track_caller]
    pub fn unsize<U: ?Sized>(this: Self, unsize: fn(StdWeak<T>) -> StdWeak<U>) -> Weak<U> {
        let address = this.address();
        let mut this = ManuallyDrop::new(this);
        // SAFETY: `this` is not used any more, nor dropped.
        let other = Weak::of(unsize(unsafe { ManuallyDrop::take(&mut this.inner) }));
        assert!(
            other.address() == address,
            "the closure given to `Weak::unsize` must return the pointer that it gets"
        );
        other
    }

    fn address(&self) -> usize {
        self.inner.as_ptr().cast::<()>() as usize
    }

    fn now(&self) -> u64 {
        let references = self.inner.strong_count() as u64;
        references * STRONG + self.inner.weak_count() as u64 * WEAK
    }

    #[track_caller]
    fn look(&self, name: &'static str) -> Option<u64> {
        let count = rt::look_at_count(self.address())?;
        let site = Some(SourceLocation::caller());
        count.step((name, site), (Op::Read, Relaxed), self.now(), |now| now)
    }
}

impl<T: ?Sized> Weak<T> {
    /// Returns a pointer to the value, which may be gone.
    pub fn as_ptr(&self) -> *const T {
        self.inner.as_ptr()
    }

    /// Turns a reference into a pointer. The reference counts until [`from_raw`](Weak::from_raw) turns the
    /// pointer back.
    pub fn into_raw(self) -> *const T {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used any more, nor dropped.
        unsafe { ManuallyDrop::take(&mut this.inner) }.into_raw()
    }

    /// Turns a pointer back into a reference.
    ///
    /// # Safety
    ///
    /// As for [`std::sync::Weak::from_raw`]: [`into_raw`](Weak::into_raw) has returned the pointer.
    pub unsafe fn from_raw(pointer: *const T) -> Self {
        // SAFETY: as the caller promises.
        Weak::of(unsafe { StdWeak::from_raw(pointer) })
    }
}

impl<T: ?Sized> Clone for Weak<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        let operation = ("Weak::clone", Some(SourceLocation::caller()));
        count_weak(self.address(), operation, || self.now(), |now| now + WEAK);
        Weak::of(StdWeak::clone(&self.inner))
    }
}

impl<T: ?Sized> Drop for Weak<T> {
    fn drop(&mut self) {
        /// Drops the reference even if the step unwinds, in a teardown.
        struct Release<'a, T: ?Sized>(&'a mut ManuallyDrop<StdWeak<T>>);
        impl<T: ?Sized> Drop for Release<'_, T> {
            fn drop(&mut self) {
                // SAFETY: it is dropped once: this is the end of the `Weak` that it is a part of.
                unsafe { ManuallyDrop::drop(self.0) }
            }
        }
        let (address, now) = (self.address(), self.now());
        let _release = Release(&mut self.inner);
        count_weak(address, ("drop", None), || now, |now| now - WEAK);
    }
}

impl<T> Default for Weak<T> {
    fn default() -> Self {
        Weak::new()
    }
}

impl<T: ?Sized> fmt::Debug for Weak<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(Weak)")
    }
}
