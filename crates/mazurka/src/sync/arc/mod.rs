//! `Arc`.

mod convert;
mod counting;
mod traits;
mod waker;
mod weak;

#[cfg(test)]
mod tests;

use std::mem::{ManuallyDrop, needs_drop};
use std::panic::Location as SourceLocation;
use std::pin::Pin;
use std::ptr;
use std::sync::Arc as StdArc;

use mazurka_core::model::MemoryOrdering::{AcqRel, Acquire, Relaxed, Release as MemoryRelease};
use mazurka_core::model::Op;

use crate::rt::{self, Scrutiny, Site};
use counting::{STRONG, WEAK, strong, with_strong};
pub use weak::Weak;

/// A thread-safe reference-counting pointer, as [`std::sync::Arc`].
///
/// # What Mazurka sees of it
///
/// The last drop happens after all earlier ones. If the program can tell in which order references are
/// dropped, changes of the count are steps, and all orders are explored:
///
/// * The program looks at the count: [`strong_count`](Arc::strong_count), [`get_mut`](Arc::get_mut),
///   [`try_unwrap`](Arc::try_unwrap), [`Weak::upgrade`] and the like. As long as there is only one thread,
///   looking is not a step.
/// * The destructor of the value uses threads, locks, atomics, cells or channels.
///
/// Otherwise changes of the count are not steps, and cost nothing. A check starts over when it learns that
/// the order matters, and notes this in its verdict.
///
/// A value that is never dropped is a [leak](crate::ViolationKind::Leak), unless
/// [`Check::allow_leaks`](crate::Check::allow_leaks) is set. There are two exceptions: a value that a
/// [`OnceLock`](super::OnceLock) or [`LazyLock`](super::LazyLock) creates when it is initialised, and a
/// value that was created outside of the check.
///
/// ```
/// use mazurka::sync::Arc;
/// use mazurka::thread;
///
/// // One of the two threads gets the value, whatever the schedule.
/// mazurka::check(|| {
///     let mine = Arc::new(5);
///     let theirs = Arc::clone(&mine);
///     let child = thread::spawn(move || Arc::into_inner(theirs));
///     let got = [Arc::into_inner(mine), child.join().unwrap()];
///     assert_eq!(got.iter().flatten().count(), 1);
/// });
/// ```
///
/// # What differs from `std`
///
/// Stable Rust reserves three abilities of `std::sync::Arc` for the standard library:
///
/// * **Unsizing.** `Arc<T>` does not become `Arc<dyn Trait>` or `Arc<[T]>` by itself. Use
///   [`Arc::unsize`], or create the value as a `std::sync::Arc` and use [`Arc::from_std`]:
///
///   ```
///   use mazurka::sync::Arc;
///   use std::fmt::Display;
///
///   mazurka::check(|| {
///       let shown: Arc<dyn Display> = Arc::unsize(Arc::new(7), |arc| arc);
///       let also: Arc<dyn Display> = Arc::from_std(std::sync::Arc::new(8));
///       assert_eq!(format!("{shown}{also}"), "78");
///   });
///   ```
///
/// * **Receivers.** A method cannot take `self: Arc<Self>`. Make it an associated function with a
///   parameter `this: Arc<Self>`, or call a method for `std`'s type on a clone of
///   [`Arc::as_std`].
/// * **[`Wake`](std::task::Wake)** is about `std`'s type. [`Waker`](std::task::Waker) implements
///   `From<Arc<W>>` for Mazurka's type, too; `W::wake` gets a clone of [`Arc::as_std`].
///
/// Code that uses `std::sync::Arc` inside of a check works as long as no destructor of its values takes
/// steps, and the program does not look at the count.
#[repr(transparent)]
pub struct Arc<T: ?Sized> {
    inner: ManuallyDrop<StdArc<T>>,
}

impl<T> Arc<T> {
    /// Creates a value with one reference.
    #[track_caller]
    pub fn new(value: T) -> Self {
        Arc::adopt(StdArc::new(value), SourceLocation::caller())
    }

    /// Creates a pinned value.
    #[track_caller]
    pub fn pin(value: T) -> Pin<Self> {
        // SAFETY: the value does not move, and is given out as mutable by `get_mut` only, which takes an
        // `Arc` that is not pinned.
        unsafe { Pin::new_unchecked(Arc::adopt(StdArc::new(value), SourceLocation::caller())) }
    }

    /// Creates a value that may keep a [`Weak`] reference to itself.
    #[track_caller]
    pub fn new_cyclic<F>(f: F) -> Self
    where
        F: FnOnce(&Weak<T>) -> T,
    {
        let site = SourceLocation::caller();
        Arc::adopt(StdArc::new_cyclic(|weak| f(Weak::from_std_ref(weak))), site)
    }

    /// Returns the value if this is the last reference.
    ///
    /// # Errors
    ///
    /// Returns `this` if there are others.
    #[track_caller]
    pub fn try_unwrap(this: Self) -> Result<T, Self> {
        let site = SourceLocation::caller();
        if let Some(count) = rt::look_at_count(this.address()) {
            let take = |now| if strong(now) == 1 { now - STRONG } else { now };
            count.step(("Arc::try_unwrap", Some(site)), (Op::Update, AcqRel), this.now(), take);
        }
        let address = this.address();
        match StdArc::try_unwrap(this.into_inner_std()) {
            Ok(value) => {
                rt::uncount(address);
                Ok(value)
            }
            Err(arc) => Err(Arc::of(arc)),
        }
    }

    /// Drops the reference, and returns the value if it was the last one.
    #[track_caller]
    pub fn into_inner(this: Self) -> Option<T> {
        let site = SourceLocation::caller();
        if let Some(count) = rt::look_at_count(this.address()) {
            let drop = |now| now - STRONG;
            count.step(("Arc::into_inner", Some(site)), (Op::Update, AcqRel), this.now(), drop);
        }
        let address = this.address();
        let value = StdArc::into_inner(this.into_inner_std());
        if value.is_some() {
            rt::uncount(address);
        }
        value
    }

    /// Returns the value if this is the last reference, and otherwise a clone of it.
    #[track_caller]
    pub fn unwrap_or_clone(this: Self) -> T
    where
        T: Clone,
    {
        Arc::try_unwrap(this).unwrap_or_else(|this| (*this).clone())
    }
}

impl<T: ?Sized> Arc<T> {
    /// Takes over a value that `std` has counted so far.
    ///
    /// # Panics
    ///
    /// If there is another reference to the value.
    #[track_caller]
    pub fn from_std(mut arc: StdArc<T>) -> Self {
        assert!(
            StdArc::get_mut(&mut arc).is_some(),
            "`Arc::from_std` needs the only reference to a value: Mazurka does not see what others do"
        );
        Arc::adopt(arc, SourceLocation::caller())
    }

    /// Returns the pointer of `std` that this one consists of.
    ///
    /// Mazurka does not see what happens to its clones. Drop them before the last reference that it sees.
    pub fn as_std(this: &Self) -> &StdArc<T> {
        &this.inner
    }

    /// Turns a reference into one of another type, as `std`'s type does by itself.
    ///
    /// `unsize` is the coercion, `|arc| arc`. It must return the pointer that it gets.
    ///
    /// # Panics
    ///
    /// If it returns another one.
    #[track_caller]
    pub fn unsize<U: ?Sized>(this: Self, unsize: fn(StdArc<T>) -> StdArc<U>) -> Arc<U> {
        let address = this.address();
        let other = Arc::of(unsize(this.into_inner_std()));
        assert!(
            other.address() == address,
            "the closure given to `Arc::unsize` must return the pointer that it gets"
        );
        other
    }

    /// Returns the number of references.
    #[track_caller]
    pub fn strong_count(this: &Self) -> usize {
        match this.look("Arc::strong_count", SourceLocation::caller()) {
            Some(now) => strong(now) as usize,
            None => StdArc::strong_count(&this.inner),
        }
    }

    /// Returns the number of [`Weak`] references.
    #[track_caller]
    pub fn weak_count(this: &Self) -> usize {
        match this.look("Arc::weak_count", SourceLocation::caller()) {
            Some(now) => (now / WEAK) as usize,
            None => StdArc::weak_count(&this.inner),
        }
    }

    /// Returns a mutable reference to the value if there is no other reference to it.
    #[track_caller]
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        this.look("Arc::get_mut", SourceLocation::caller());
        StdArc::get_mut(&mut this.inner)
    }

    /// Creates a [`Weak`] reference.
    #[track_caller]
    pub fn downgrade(this: &Self) -> Weak<T> {
        this.count_weak("Arc::downgrade", SourceLocation::caller(), |now| now + WEAK);
        Weak::of(StdArc::downgrade(&this.inner))
    }

    /// Returns whether two references are to the same value.
    pub fn ptr_eq(this: &Self, other: &Self) -> bool {
        StdArc::ptr_eq(&this.inner, &other.inner)
    }

    /// Returns a pointer to the value.
    pub fn as_ptr(this: &Self) -> *const T {
        StdArc::as_ptr(&this.inner)
    }

    /// Turns a reference into a pointer to the value. The reference counts until
    /// [`from_raw`](Arc::from_raw) turns the pointer back.
    pub fn into_raw(this: Self) -> *const T {
        StdArc::into_raw(this.into_inner_std())
    }

    /// Turns a pointer back into a reference.
    ///
    /// # Safety
    ///
    /// As for [`std::sync::Arc::from_raw`]: [`into_raw`](Arc::into_raw) has returned the pointer.
    pub unsafe fn from_raw(pointer: *const T) -> Self {
        // SAFETY: as the caller promises.
        Arc::of(unsafe { StdArc::from_raw(pointer) })
    }

    /// Adds a reference to the value that a pointer is to.
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

    /// Drops a reference to the value that a pointer is to.
    ///
    /// # Safety
    ///
    /// As for [`std::sync::Arc::decrement_strong_count`].
    #[track_caller]
    pub unsafe fn decrement_strong_count(pointer: *const T) {
        // SAFETY: as the caller promises.
        drop(unsafe { Arc::from_raw(pointer) });
    }

    /// A reference that is counted already, or not at all.
    fn of(inner: StdArc<T>) -> Self {
        Arc { inner: ManuallyDrop::new(inner) }
    }

    /// A new value, that was created at `site`.
    fn adopt(inner: StdArc<T>, site: Site) -> Self {
        let this = Arc::of(inner);
        rt::count(this.address(), site);
        this
    }

    fn address(&self) -> usize {
        StdArc::as_ptr(&self.inner).cast::<()>() as usize
    }

    /// Gives up the reference without dropping it.
    fn into_inner_std(self) -> StdArc<T> {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used any more, nor dropped.
        unsafe { ManuallyDrop::take(&mut this.inner) }
    }
}

impl<T: Clone> Arc<T> {
    /// Returns a mutable reference to the value. If there are other references to it, `this` becomes a
    /// reference to a clone first.
    #[track_caller]
    pub fn make_mut(this: &mut Self) -> &mut T {
        let site = SourceLocation::caller();
        let seen = rt::look_at_count(this.address()).and_then(|count| {
            // If only weak references are left besides, they lose the value in this step.
            let disconnect = |now| match strong(now) == 1 && now != with_strong(1) {
                true => now - STRONG,
                false => now,
            };
            count.step(("Arc::make_mut", Some(site)), (Op::Update, AcqRel), this.now(), disconnect)
        });
        let now = seen.unwrap_or_else(|| this.now());
        if strong(now) != 1 {
            *this = Arc::adopt(StdArc::new((**this).clone()), site);
        } else if now != with_strong(1) {
            rt::uncount(this.address());
            // SAFETY: the value is moved out of `this`, which is overwritten before anything can fail:
            // there is one reference.
            unsafe {
                let old = ManuallyDrop::take(&mut this.inner);
                let value = StdArc::into_inner(old).expect("one reference is left");
                ptr::write(this, Arc::adopt(StdArc::new(value), site));
            }
        }
        StdArc::get_mut(&mut this.inner).expect("a reference that was made unique")
    }
}

impl<T: ?Sized> Clone for Arc<T> {
    #[inline]
    #[track_caller]
    fn clone(&self) -> Self {
        if let Some(count) = rt::watched_count(self.address()) {
            // Only a look can tell in which order references are added.
            let op = match count.scrutiny {
                Scrutiny::Destructor => Op::Add,
                Scrutiny::Looks => Op::Update,
            };
            let site = SourceLocation::caller();
            count.step(("Arc::clone", Some(site)), (op, Relaxed), self.now(), |now| now + STRONG);
        }
        Arc::of(StdArc::clone(&self.inner))
    }
}

impl<T: ?Sized> Drop for Arc<T> {
    #[inline]
    fn drop(&mut self) {
        let count = rt::watched_count(self.address());
        // In a teardown the step unwinds, and the reference is dropped all the same.
        let release = Release { inner: &mut self.inner, is_watched: count.is_some() };
        if let Some(count) = count {
            let now = counting::now(release.inner);
            let before =
                count.step(("drop", None), (Op::Update, MemoryRelease), now, |now| now - STRONG);
            if before.is_some_and(|before| strong(before) == 1) {
                rt::fence(Acquire, count.site);
            }
        }
        drop(release);
    }
}

/// Drops a reference, without a step.
struct Release<'a, T: ?Sized> {
    inner: &'a mut ManuallyDrop<StdArc<T>>,
    is_watched: bool,
}

impl<T: ?Sized> Drop for Release<'_, T> {
    #[inline]
    fn drop(&mut self) {
        let address = StdArc::as_ptr(self.inner).cast::<()>() as usize;
        let is_last = StdArc::strong_count(self.inner) == 1;
        // SAFETY: it is dropped once: this is the end of the `Arc` that it is a part of.
        let mut release = || unsafe { ManuallyDrop::drop(self.inner) };
        if !is_last {
            return release();
        }
        rt::uncount(address);
        match needs_drop::<T>() && !self.is_watched {
            true => rt::quietly(address, release),
            false => release(),
        }
    }
}
