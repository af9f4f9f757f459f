//! `OnceLock`.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location as SourceLocation;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use mazurka_core::model::{ObjectId, When};

use super::{COMPLETE, INCOMPLETE, Once, OnceState};
use crate::rt::{self, Site};

/// A cell that is written at most once, as [`std::sync::OnceLock`].
///
/// A `static` cell is empty at the start of every execution. The values of earlier executions are not
/// dropped, since there may be references to them.
///
/// ```
/// use mazurka::sync::OnceLock;
/// use mazurka::thread;
///
/// static CELL: OnceLock<u32> = OnceLock::new();
///
/// mazurka::check(|| {
///     assert_eq!(CELL.get(), None);
///     let other = thread::spawn(|| *CELL.get_or_init(|| 1));
///     let mine = *CELL.get_or_init(|| 2);
///     assert_eq!(other.join().unwrap(), mine);
/// });
/// ```
pub struct OnceLock<T> {
    once: Once,
    /// In a box of its own, so that a later execution does not touch it.
    value: AtomicPtr<T>,
    marker: PhantomData<*mut T>,
}

// SAFETY: as for the cell of `std`: it owns its value, which another thread may take over.
unsafe impl<T: Send> Send for OnceLock<T> {}
// SAFETY: as for the cell of `std`: threads share the value, and one may put it there for another
// one to drop. A cell that two checks use at once, on two OS threads, is refused by
// `ObjectCell::id_unshared`.
unsafe impl<T: Sync + Send> Sync for OnceLock<T> {}
impl<T: RefUnwindSafe + UnwindSafe> RefUnwindSafe for OnceLock<T> {}
impl<T: UnwindSafe> UnwindSafe for OnceLock<T> {}

impl<T> OnceLock<T> {
    /// Creates an empty cell.
    #[track_caller]
    pub const fn new() -> Self {
        OnceLock::of_kind("OnceLock", INCOMPLETE, ptr::null_mut())
    }

    #[track_caller]
    pub(super) const fn of_kind(kind: &'static str, initial: u64, value: *mut T) -> Self {
        let once = Once::of_kind(kind, initial);
        OnceLock { once, value: AtomicPtr::new(value), marker: PhantomData }
    }

    /// Gives the cell a name for reports.
    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.set_label(label);
        self
    }

    pub(super) const fn set_label(&mut self, label: &'static str) {
        self.once.inner.set_label(label);
    }

    fn id(&self) -> ObjectId {
        // What another execution has left is not dropped: see the type.
        self.once.id(|| self.value.store(ptr::null_mut(), Relaxed))
    }

    fn value(&self) -> Option<&T> {
        // SAFETY: the pointer is null or comes from a box that lives as long as this cell, or
        // for ever if a later execution takes the cell over. It is given out as mutable only by
        // those who have the cell alone.
        unsafe { self.value.load(Relaxed).as_ref() }
    }

    /// Returns a reference to the value, if there is one.
    #[track_caller]
    pub fn get(&self) -> Option<&T> {
        self.get_at("get", SourceLocation::caller())
    }

    #[track_caller]
    pub(super) fn get_at(&self, name: &'static str, site: Site) -> Option<&T> {
        match self.once.look(self.id(), name, site) {
            true => self.value(),
            false => None,
        }
    }

    /// Returns a mutable reference to the value, if there is one. This is not a step.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        if rt::is_inside() {
            self.id();
        }
        // SAFETY: as for `value`; and no other thread has the cell.
        unsafe { self.value.get_mut().as_mut() }
    }

    /// Waits until there is a value, and returns a reference to it.
    #[track_caller]
    pub fn wait(&self) -> &T {
        let site = SourceLocation::caller();
        self.once.wait_under(self.id(), "wait", site, When::Equals(COMPLETE));
        self.made()
    }

    /// Sets the value.
    ///
    /// # Errors
    ///
    /// Returns `value` if the cell has a value.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        let init = |_: &OnceState| value.take().expect("a cell is initialised once");
        self.initialise("set", SourceLocation::caller(), init);
        match value {
            None => Ok(()),
            Some(value) => Err(value),
        }
    }

    /// Returns a reference to the value. If there is none, calls `f` and sets its result first. Waits if
    /// another thread does so.
    #[track_caller]
    pub fn get_or_init<F>(&self, f: F) -> &T
    where
        F: FnOnce() -> T,
    {
        self.initialise("get_or_init", SourceLocation::caller(), |_| f())
    }

    #[track_caller]
    pub(super) fn initialise(
        &self,
        name: &'static str,
        site: Site,
        f: impl FnOnce(&OnceState) -> T,
    ) -> &T {
        self.once.call(self.id(), name, site, true, |state| {
            let _initialising = rt::Initialising::new();
            let value = Box::into_raw(Box::new(f(state)));
            self.value.store(value, Relaxed);
        });
        self.made()
    }

    fn made(&self) -> &T {
        self.value().expect("a cell that is complete has a value")
    }

    /// Consumes the cell and returns the value, if there is one.
    pub fn into_inner(mut self) -> Option<T> {
        self.take()
    }

    /// Takes the value, and leaves the cell empty.
    pub fn take(&mut self) -> Option<T> {
        self.get_mut()?;
        self.once.start_over();
        let value = std::mem::replace(self.value.get_mut(), ptr::null_mut());
        // SAFETY: the pointer is not null, so it comes from a box, and no other thread has it now.
        Some(*unsafe { Box::from_raw(value) })
    }
}

impl<T> Drop for OnceLock<T> {
    fn drop(&mut self) {
        let value = *self.value.get_mut();
        if !value.is_null() {
            // SAFETY: the pointer comes from a box, and no other thread has it.
            drop(unsafe { Box::from_raw(value) });
        }
    }
}

impl<T> From<T> for OnceLock<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        OnceLock::of_kind("OnceLock", COMPLETE, Box::into_raw(Box::new(value)))
    }
}

impl<T> Default for OnceLock<T> {
    #[track_caller]
    fn default() -> Self {
        OnceLock::new()
    }
}

impl<T: Clone> Clone for OnceLock<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        match self.get() {
            Some(value) => OnceLock::from(value.clone()),
            None => OnceLock::new(),
        }
    }
}

impl<T: PartialEq> PartialEq for OnceLock<T> {
    #[track_caller]
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq> Eq for OnceLock<T> {}

impl<T: fmt::Debug> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_tuple("OnceLock");
        match self.get() {
            Some(value) => out.field(value),
            None => out.field(&format_args!("<uninit>")),
        };
        out.finish()
    }
}
