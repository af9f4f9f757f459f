//! `Cell`.

use std::cmp::Ordering;

use super::UnsafeCell;

/// A mutable memory location, as [`std::cell::Cell`], whose data races are violations.
#[derive(Debug)]
pub struct Cell<T> {
    inner: UnsafeCell<T>,
}

impl<T> Cell<T> {
    /// Creates a cell.
    #[track_caller]
    pub fn new(value: T) -> Self {
        Cell { inner: UnsafeCell::new(value) }
    }

    /// Sets the value.
    #[track_caller]
    pub fn set(&self, value: T) {
        drop(self.replace(value));
    }

    /// Swaps the values of two cells.
    #[track_caller]
    pub fn swap(&self, other: &Self) {
        if std::ptr::eq(self, other) {
            return;
        }
        self.inner.with_mut(|mine| {
            // SAFETY: the cells are distinct, and no reference to their values exists.
            other.inner.with_mut(|theirs| unsafe { std::ptr::swap(mine, theirs) });
        });
    }

    /// Replaces the value, and returns the previous value.
    #[track_caller]
    pub fn replace(&self, value: T) -> T {
        // SAFETY: no reference to the value exists.
        self.inner.with_mut(|cell| unsafe { std::ptr::replace(cell, value) })
    }

    /// Returns a copy of the value.
    #[track_caller]
    pub fn get(&self) -> T
    where
        T: Copy,
    {
        // SAFETY: the value is not changed meanwhile.
        self.inner.with(|cell| unsafe { *cell })
    }

    /// Takes the value, and leaves the default value in its place.
    #[track_caller]
    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.replace(T::default())
    }

    /// Consumes the cell and returns the value.
    pub fn into_inner(self) -> T {
        self.inner.into_inner()
    }
}

impl<T: Default> Default for Cell<T> {
    #[track_caller]
    fn default() -> Self {
        Cell::new(T::default())
    }
}

impl<T: Copy> Clone for Cell<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        Cell::new(self.get())
    }
}

impl<T> From<T> for Cell<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        Cell::new(value)
    }
}

impl<T: PartialEq + Copy> PartialEq for Cell<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq + Copy> Eq for Cell<T> {}

impl<T: PartialOrd + Copy> PartialOrd for Cell<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.get().partial_cmp(&other.get())
    }
}

impl<T: Ord + Copy> Ord for Cell<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.get().cmp(&other.get())
    }
}
