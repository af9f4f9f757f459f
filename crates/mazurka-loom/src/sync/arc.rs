//! `Arc`.

use std::borrow::Borrow;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc as StdArc;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use crate::execution;

/// What the checker sees of a reference count. `std` does the counting.
///
/// A drop is a step: the last one runs the destructor, and happens after the others. A clone is none:
/// only a thread that has an `Arc` can clone it, so that the order of a clone and another thread's drop
/// does not matter.
#[derive(Debug)]
pub(crate) struct Count {
    drops: AtomicUsize,
}

/// A reference-counted pointer, as [`std::sync::Arc`].
///
/// Like loom's, it cannot be coerced to an `Arc` of an unsized type, and there is no `Weak`. See
/// [`from_std`](Arc::from_std) for unsized types.
#[derive(Debug)]
pub struct Arc<T: ?Sized> {
    count: StdArc<Count>,
    value: ManuallyDrop<StdArc<T>>,
}

impl<T> Arc<T> {
    /// Creates an `Arc`.
    #[track_caller]
    pub fn new(value: T) -> Arc<T> {
        Arc::from_std(StdArc::new(value))
    }

    /// Creates a pinned `Arc`.
    #[track_caller]
    pub fn pin(data: T) -> Pin<Arc<T>> {
        // SAFETY: the value stays where it is until the last `Arc` drops it.
        unsafe { Pin::new_unchecked(Arc::new(data)) }
    }

    /// Returns the value, if this is the only `Arc` of it.
    ///
    /// # Errors
    ///
    /// Returns the `Arc`, if there are others.
    #[track_caller]
    pub fn try_unwrap(this: Arc<T>) -> Result<T, Arc<T>> {
        if !this.is_unique() {
            return Err(this);
        }
        execution::forget(this.address());
        let mut this = ManuallyDrop::new(this);
        // SAFETY: neither field is used again.
        let value = unsafe {
            std::ptr::drop_in_place(&raw mut this.count);
            ManuallyDrop::take(&mut this.value)
        };
        Ok(StdArc::into_inner(value).expect("this is the only `Arc`"))
    }
}

impl<T: ?Sized> Arc<T> {
    /// Converts an `Arc` of `std`, which must be the only one of its value. This is how to create an `Arc`
    /// of an unsized type.
    ///
    /// # Panics
    ///
    /// If there are other `Arc`s of the value.
    ///
    /// ```
    /// use loom::sync::Arc;
    ///
    /// loom::model(|| {
    ///     let show: Arc<dyn Fn() -> u32> = Arc::from_std(std::sync::Arc::new(|| 7));
    ///     assert_eq!(show(), 7);
    /// });
    /// ```
    #[track_caller]
    pub fn from_std(mut std: StdArc<T>) -> Self {
        assert!(
            StdArc::get_mut(&mut std).is_some(),
            "the `Arc` that is given to `from_std` is not unique"
        );
        let count = StdArc::new(Count { drops: AtomicUsize::new(0) });
        Arc { count, value: ManuallyDrop::new(std) }
    }

    /// Returns the number of `Arc`s of the value.
    #[track_caller]
    pub fn strong_count(this: &Self) -> usize {
        this.count.drops.load(SeqCst);
        StdArc::strong_count(&this.value)
    }

    /// Adds one to the count of the `Arc` that `pointer` comes from.
    ///
    /// # Safety
    ///
    /// As for [`std::sync::Arc::increment_strong_count`].
    #[track_caller]
    pub unsafe fn increment_strong_count(pointer: *const T) {
        // SAFETY: as the caller promises.
        let this = ManuallyDrop::new(unsafe { Arc::from_raw(pointer) });
        std::mem::forget(Arc::clone(&this));
    }

    /// Takes one from the count of the `Arc` that `pointer` comes from.
    ///
    /// # Safety
    ///
    /// As for [`std::sync::Arc::decrement_strong_count`].
    #[track_caller]
    pub unsafe fn decrement_strong_count(pointer: *const T) {
        // SAFETY: as the caller promises.
        drop(unsafe { Arc::from_raw(pointer) });
    }

    /// Returns a mutable reference to the value, if this is the only `Arc` of it.
    #[track_caller]
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        match this.is_unique() {
            true => StdArc::get_mut(&mut this.value),
            false => None,
        }
    }

    /// Returns whether two `Arc`s are of the same value.
    pub fn ptr_eq(this: &Self, other: &Self) -> bool {
        StdArc::ptr_eq(&this.value, &other.value)
    }

    /// Consumes the `Arc`, and returns a pointer to the value.
    pub fn into_raw(this: Self) -> *const T {
        let pointer = Arc::as_ptr(&this);
        let mut this = ManuallyDrop::new(this);
        // SAFETY: the field is not used again. The registry keeps the count.
        unsafe { std::ptr::drop_in_place(&raw mut this.count) };
        pointer
    }

    /// Returns a pointer to the value.
    pub fn as_ptr(this: &Self) -> *const T {
        execution::remember(this.address(), &this.count);
        StdArc::as_ptr(&this.value)
    }

    /// Makes an `Arc` of a pointer that [`into_raw`](Arc::into_raw) has returned.
    ///
    /// # Safety
    ///
    /// As for [`std::sync::Arc::from_raw`].
    #[track_caller]
    pub unsafe fn from_raw(pointer: *const T) -> Self {
        let count = execution::recall(pointer.cast::<()>().addr());
        // SAFETY: as the caller promises.
        Arc { count, value: ManuallyDrop::new(unsafe { StdArc::from_raw(pointer) }) }
    }

    /// Returns whether this is the only `Arc`. The drops of others then happen before.
    #[track_caller]
    fn is_unique(&self) -> bool {
        self.count.drops.load(SeqCst);
        StdArc::strong_count(&self.value) == 1
    }

    fn address(&self) -> usize {
        StdArc::as_ptr(&self.value).cast::<()>().addr()
    }
}

impl<T: ?Sized> Deref for Arc<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: ?Sized> Clone for Arc<T> {
    fn clone(&self) -> Arc<T> {
        Arc { count: StdArc::clone(&self.count), value: self.value.clone() }
    }
}

impl<T: ?Sized> Drop for Arc<T> {
    #[track_caller]
    fn drop(&mut self) {
        self.count.drops.fetch_add(1, SeqCst);
        if StdArc::strong_count(&self.value) == 1 {
            execution::forget(self.address());
        }
        // SAFETY: the field is not used again.
        unsafe { ManuallyDrop::drop(&mut self.value) };
    }
}

impl<T: Default> Default for Arc<T> {
    #[track_caller]
    fn default() -> Arc<T> {
        Arc::new(T::default())
    }
}

impl<T> From<T> for Arc<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        Arc::new(value)
    }
}

impl<T: ?Sized> AsRef<T> for Arc<T> {
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T: ?Sized> Borrow<T> for Arc<T> {
    fn borrow(&self) -> &T {
        self
    }
}
