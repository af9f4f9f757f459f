//! `Cell`.

use std::fmt;
use std::panic::Location as SourceLocation;

use mazurka_core::model::Op;

use super::UnsafeCell;

/// A mutable memory location, as [`std::cell::Cell`], whose data races Mazurka finds.
///
/// It is not `Sync`, as in `std`. To find out whether your code may share it between threads, wrap it in
/// a type for which you implement `Sync`.
///
/// ```
/// use mazurka::cell::Cell;
///
/// mazurka::check(|| {
///     let cell = Cell::new(1);
///     cell.set(cell.get() + 1);
///     assert_eq!(cell.replace(7), 2);
/// });
/// ```
pub struct Cell<T: ?Sized> {
    inner: UnsafeCell<T>,
}

impl<T> Cell<T> {
    /// Creates a cell.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        Cell { inner: UnsafeCell::new(value) }
    }

    /// Consumes the cell and returns the value.
    pub fn into_inner(self) -> T {
        self.inner.into_inner()
    }

    /// Sets the value.
    #[track_caller]
    pub fn set(&self, value: T) {
        drop(self.put("set", SourceLocation::caller(), value));
    }

    /// Replaces the value, and returns the previous value.
    #[track_caller]
    pub fn replace(&self, value: T) -> T {
        self.put("replace", SourceLocation::caller(), value)
    }

    /// Takes the value, and leaves the default value in its place.
    #[track_caller]
    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.put("take", SourceLocation::caller(), T::default())
    }

    /// The value.
    #[track_caller]
    pub fn get(&self) -> T
    where
        T: Copy,
    {
        let site = SourceLocation::caller();
        // SAFETY: the cell is not `Sync`, so that no other thread accesses it at this moment; no
        // reference to its inside exists.
        self.inner.access(Op::Read, "get", site, || unsafe { *self.inner.get() })
    }

    /// Replaces the value by a function of it.
    #[track_caller]
    pub fn update(&self, f: impl FnOnce(T) -> T)
    where
        T: Copy,
    {
        self.set(f(self.get()));
    }

    /// Swaps the values of two cells.
    #[track_caller]
    pub fn swap(&self, other: &Cell<T>) {
        if std::ptr::eq(self, other) {
            return;
        }
        let site = SourceLocation::caller();
        self.inner.access(Op::Write, "swap", site, || ());
        other.inner.access(Op::Write, "swap", site, || {
            // SAFETY: the two do not overlap, and otherwise as for `get`.
            unsafe { std::ptr::swap(self.inner.get(), other.inner.get()) }
        });
    }

    fn put(&self, name: &'static str, site: crate::rt::Site, value: T) -> T {
        self.inner.access(Op::Write, name, site, || {
            // SAFETY: as for `get`.
            unsafe { std::mem::replace(&mut *self.inner.get(), value) }
        })
    }

    /// Returns the cell with a name for reports.
    pub const fn with_label(self, label: &'static str) -> Self
    where
        T: Copy,
    {
        let Cell { inner } = self;
        Cell { inner: inner.with_label(label) }
    }
}

impl<T: ?Sized> Cell<T> {
    /// A pointer to the value. What is done through it is not seen: races are missed.
    pub const fn as_ptr(&self) -> *mut T {
        self.inner.get()
    }

    /// The value, for who has the cell alone.
    pub fn get_mut(&mut self) -> &mut T {
        self.inner.get_mut()
    }
}

impl<T: Default> Default for Cell<T> {
    #[track_caller]
    fn default() -> Self {
        Cell::new(T::default())
    }
}

impl<T> From<T> for Cell<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        Cell::new(value)
    }
}

impl<T: Copy + fmt::Debug> fmt::Debug for Cell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cell").field("value", &self.get()).finish()
    }
}
