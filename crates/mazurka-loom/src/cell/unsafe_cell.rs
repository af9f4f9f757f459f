//! `UnsafeCell`, and its pointers.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

/// Plain memory whose data races are violations.
///
/// An access lasts as long as the closure of [`with`](UnsafeCell::with) and
/// [`with_mut`](UnsafeCell::with_mut) runs, or as long as the pointer of [`get`](UnsafeCell::get) and
/// [`get_mut`](UnsafeCell::get_mut) exists. Races are looked for where it begins, and where such a pointer is
/// used.
///
/// ```
/// use loom::cell::UnsafeCell;
///
/// loom::model(|| {
///     let cell = UnsafeCell::new(1);
///     cell.with_mut(|number| unsafe { *number += 1 });
///     assert_eq!(unsafe { *cell.get().deref() }, 2);
/// });
/// ```
pub struct UnsafeCell<T: ?Sized> {
    accesses: Arc<Accesses>,
    data: std::cell::UnsafeCell<T>,
}

/// The accesses to a cell. A pointer may outlive its cell, so that both own them.
struct Accesses {
    /// Mazurka sees the accesses to this cell.
    seen: mazurka::cell::UnsafeCell<()>,
    /// How many accesses last, and whether they are reads.
    lasting: Cell<Lasting>,
}

// SAFETY: all threads of an execution run on one OS thread, and are not interrupted while they use the
// fields.
unsafe impl Send for Accesses {}
// SAFETY: as above.
unsafe impl Sync for Accesses {}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lasting {
    Reads(usize),
    Write,
}

impl Accesses {
    /// Notes that an access begins.
    ///
    /// # Panics
    ///
    /// If it overlaps with another one, and one of them writes.
    #[track_caller]
    fn begin(&self, is_write: bool) {
        self.lasting.set(match (self.lasting.get(), is_write) {
            (Lasting::Reads(0), true) => Lasting::Write,
            (Lasting::Reads(reads), false) => Lasting::Reads(reads + 1),
            (before, _) => {
                let this = if is_write { "write" } else { "read" };
                let other = if before == Lasting::Write { "write" } else { "read" };
                panic!("a {this} of an `UnsafeCell` overlaps with a {other} that has not ended");
            }
        });
    }

    /// Notes that an access ends.
    fn end(&self) {
        self.lasting.set(match self.lasting.get() {
            Lasting::Reads(reads) => Lasting::Reads(reads.saturating_sub(1)),
            Lasting::Write => Lasting::Reads(0),
        });
    }

    /// Performs an access that lasts as long as `f` runs.
    #[track_caller]
    fn during<R>(&self, is_write: bool, f: impl FnOnce() -> R) -> R {
        /// Ends the access, even if `f` panics.
        struct End<'a>(&'a Accesses);

        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.end();
            }
        }

        let run = || {
            self.begin(is_write);
            let _end = End(self);
            f()
        };
        match is_write {
            true => self.seen.with_mut(|_| run()),
            false => self.seen.with(|_| run()),
        }
    }
}

/// An access that lasts until this is dropped.
///
/// It is seen when it begins, and at each use of the pointer. Its end is not seen: guards of locks release
/// the lock in their destructor, and their fields, with the pointer, are dropped after that.
struct Access {
    accesses: Arc<Accesses>,
    is_write: bool,
}

impl Access {
    #[track_caller]
    fn begin(accesses: &Arc<Accesses>, is_write: bool) -> Self {
        accesses.during(is_write, || ());
        accesses.begin(is_write);
        Access { accesses: Arc::clone(accesses), is_write }
    }

    /// Notes that the pointer is used.
    #[track_caller]
    fn again(&self) {
        match self.is_write {
            true => self.accesses.seen.with_mut(|_| ()),
            false => self.accesses.seen.with(|_| ()),
        }
    }
}

impl Drop for Access {
    fn drop(&mut self) {
        self.accesses.end();
    }
}

impl<T> UnsafeCell<T> {
    /// Creates a cell.
    #[track_caller]
    pub fn new(data: T) -> UnsafeCell<T> {
        let seen = mazurka::cell::UnsafeCell::new(());
        let accesses = Arc::new(Accesses { seen, lasting: Cell::new(Lasting::Reads(0)) });
        UnsafeCell { accesses, data: std::cell::UnsafeCell::new(data) }
    }

    /// Consumes the cell and returns the value.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Calls `f` with a pointer that it may read through. This is a read.
    #[track_caller]
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*const T) -> R,
    {
        self.accesses.during(false, || f(self.data.get()))
    }

    /// Calls `f` with a pointer that it may read and write through. This is a write.
    #[track_caller]
    pub fn with_mut<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*mut T) -> R,
    {
        self.accesses.during(true, || f(self.data.get()))
    }

    /// Returns a pointer for reading. The read lasts as long as the pointer exists.
    #[track_caller]
    pub fn get(&self) -> ConstPtr<T> {
        ConstPtr { access: Access::begin(&self.accesses, false), pointer: self.data.get() }
    }

    /// Returns a pointer for reading and writing. The write lasts as long as the pointer exists.
    #[track_caller]
    pub fn get_mut(&self) -> MutPtr<T> {
        MutPtr { access: Access::begin(&self.accesses, true), pointer: self.data.get() }
    }
}

impl<T: ?Sized> fmt::Debug for UnsafeCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnsafeCell").finish_non_exhaustive()
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

/// A pointer to the value of an [`UnsafeCell`], for reading.
pub struct ConstPtr<T: ?Sized> {
    access: Access,
    pointer: *const T,
}

impl<T: ?Sized> ConstPtr<T> {
    /// Returns a reference to the value.
    ///
    /// # Safety
    ///
    /// As for a pointer of Rust: the cell must still exist.
    #[track_caller]
    pub unsafe fn deref(&self) -> &T {
        self.access.again();
        // SAFETY: as the caller promises.
        unsafe { &*self.pointer }
    }

    /// Calls `f` with the pointer, which must not be used after this pointer is dropped.
    #[track_caller]
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*const T) -> R,
    {
        self.access.again();
        f(self.pointer)
    }
}

impl<T: ?Sized> fmt::Debug for ConstPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.pointer, f)
    }
}

/// A pointer to the value of an [`UnsafeCell`], for reading and writing.
pub struct MutPtr<T: ?Sized> {
    access: Access,
    pointer: *mut T,
}

impl<T: ?Sized> MutPtr<T> {
    /// Returns a mutable reference to the value.
    ///
    /// # Safety
    ///
    /// As for a pointer of Rust: the cell must still exist, and no other reference may exist.
    #[allow(clippy::mut_from_ref, reason = "this stands for a pointer")]
    #[track_caller]
    pub unsafe fn deref(&self) -> &mut T {
        self.access.again();
        // SAFETY: as the caller promises.
        unsafe { &mut *self.pointer }
    }

    /// Calls `f` with the pointer, which must not be used after this pointer is dropped.
    #[track_caller]
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*mut T) -> R,
    {
        self.access.again();
        f(self.pointer)
    }
}

impl<T: ?Sized> fmt::Debug for MutPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.pointer, f)
    }
}
