//! `UnsafeCell`.

use std::fmt;
use std::panic::Location as SourceLocation;

use mazurka_core::model::{Action, Location, Op};

use crate::rt::{self, ObjectCell, Operation, Site};

/// Plain memory whose data races Mazurka finds.
///
/// Unlike [`std::cell::UnsafeCell`], it is accessed by closures: [`with`](UnsafeCell::with) is a read,
/// and [`with_mut`](UnsafeCell::with_mut) is a write.
///
/// ```
/// use mazurka::cell::UnsafeCell;
///
/// mazurka::check(|| {
///     let cell = UnsafeCell::new(1);
///     // SAFETY: no other thread has the cell.
///     cell.with_mut(|number| unsafe { *number += 1 });
///     assert_eq!(cell.with(|number| unsafe { *number }), 2);
/// });
/// ```
pub struct UnsafeCell<T: ?Sized> {
    object: ObjectCell,
    data: std::cell::UnsafeCell<T>,
}

impl<T> UnsafeCell<T> {
    /// Creates a cell.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        UnsafeCell { object: ObjectCell::new(), data: std::cell::UnsafeCell::new(value) }
    }

    /// Gives the cell a name for reports.
    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.object.set_label(label);
        self
    }

    /// Consumes the cell and returns the value.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> fmt::Debug for UnsafeCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnsafeCell").finish_non_exhaustive()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Calls `f` with a pointer that it may read through. This is a read.
    #[track_caller]
    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        self.access(Op::Read, "read", SourceLocation::caller(), || f(self.data.get()))
    }

    /// Calls `f` with a pointer that it may read and write through. This is a write.
    #[track_caller]
    pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        self.access(Op::Write, "write", SourceLocation::caller(), || f(self.data.get()))
    }

    /// Returns a pointer to the value. Mazurka does not see accesses through it, and misses their
    /// races.
    pub const fn get(&self) -> *mut T {
        self.data.get()
    }

    /// Returns a mutable reference to the value. This is not an operation.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }

    #[track_caller]
    pub(super) fn access<R>(
        &self,
        op: Op,
        name: &'static str,
        site: Site,
        f: impl FnOnce() -> R,
    ) -> R {
        self.announce(op, name, site);
        let before = rt::try_with(|rt| rt.steps_of_current());
        let result = f();
        // The access lasts as long as `f`. If that had steps of its own, then what came between
        // must be seen to overlap.
        if rt::try_with(|rt| rt.steps_of_current()) != before {
            self.announce(op, name, site);
        }
        result
    }

    #[track_caller]
    fn announce(&self, op: Op, name: &'static str, site: Site) {
        if !rt::alive() {
            return;
        }
        let object = self.object.id_unshared("UnsafeCell", 0);
        let action = Action::new(op, Location::whole(object)).plain();
        if Operation::new(name, site).action(action).turn().is_some() {
            rt::with(|rt| {
                rt.perform(action);
                rt.log(site, |rt| format!("{name}({})", rt.object_name(object)));
            });
        }
    }
}

impl<T: Default> Default for UnsafeCell<T> {
    #[track_caller]
    fn default() -> Self {
        UnsafeCell::new(T::default())
    }
}

impl<T> From<T> for UnsafeCell<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        UnsafeCell::new(value)
    }
}

// SAFETY: as for the `UnsafeCell` of `std`. The other field is for all OS threads.
unsafe impl<T: ?Sized + Send> Send for UnsafeCell<T> {}
