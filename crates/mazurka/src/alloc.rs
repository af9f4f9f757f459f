//! Memory that a program allocates itself, as in [`std::alloc`]. Mazurka finds leaks.
//!
//! Memory that is not freed when all threads have ended is a [leak](crate::ViolationKind::Leak), unless
//! [`Check::allow_leaks`](crate::Check::allow_leaks) is set. Messages that are left in a channel are dropped
//! with the channel, and are no leaks.

pub use std::alloc::Layout;

use std::panic::Location as SourceLocation;

use crate::rt::{self, memory};

/// Allocates memory, as [`std::alloc::alloc`].
///
/// # Safety
///
/// The size of `layout` is not zero.
#[track_caller]
pub unsafe fn alloc(layout: Layout) -> *mut u8 {
    // SAFETY: as the caller promises.
    track(unsafe { std::alloc::alloc(layout) })
}

/// Allocates memory that is set to zero, as [`std::alloc::alloc_zeroed`].
///
/// # Safety
///
/// The size of `layout` is not zero.
#[track_caller]
pub unsafe fn alloc_zeroed(layout: Layout) -> *mut u8 {
    // SAFETY: as the caller promises.
    track(unsafe { std::alloc::alloc_zeroed(layout) })
}

#[track_caller]
fn track(pointer: *mut u8) -> *mut u8 {
    if !pointer.is_null() {
        memory::allocate(pointer as usize, "allocated memory", SourceLocation::caller());
    }
    pointer
}

/// Frees memory, as [`std::alloc::dealloc`].
///
/// # Safety
///
/// [`alloc`] or [`alloc_zeroed`] has returned `pointer` for the same `layout`, and the memory has not been
/// freed.
///
/// # Panics
///
/// If the memory was freed before, or was not allocated by this module in this execution.
#[track_caller]
pub unsafe fn dealloc(pointer: *mut u8, layout: Layout) {
    assert!(
        memory::free(pointer as usize),
        "memory at {pointer:p} is freed that is not allocated: it was freed before, or was not \
         allocated by `mazurka::alloc` in this execution"
    );
    // SAFETY: as the caller promises.
    unsafe { std::alloc::dealloc(pointer, layout) };
}

/// A value that must be dropped, or taken out, before the execution ends.
///
/// ```
/// use mazurka::alloc::Track;
/// use mazurka::{Check, ViolationKind};
///
/// let verdict = Check::new().run(|| std::mem::forget(Track::new("buffer")));
/// assert_eq!(verdict.violations[0].kind, ViolationKind::Leak);
/// ```
#[derive(Debug)]
pub struct Track<T> {
    value: T,
    _tag: Tag,
}

/// The record of a value.
#[derive(Debug)]
struct Tag {
    key: usize,
    /// The execution in which it was created, or 0 outside of any.
    execution: u64,
}

impl Tag {
    fn execution() -> u64 {
        rt::try_with(|rt| rt.execution()).unwrap_or(0)
    }
}

impl Drop for Tag {
    fn drop(&mut self) {
        if self.execution == Tag::execution() {
            memory::free(self.key);
        }
    }
}

impl<T> Track<T> {
    /// Tracks a value.
    #[track_caller]
    pub fn new(value: T) -> Self {
        let key = memory::key();
        memory::allocate(key, "a tracked value", SourceLocation::caller());
        Track { value, _tag: Tag { key, execution: Tag::execution() } }
    }

    /// Returns a reference to the value.
    pub fn get_ref(&self) -> &T {
        &self.value
    }

    /// Returns a mutable reference to the value.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// Stops tracking the value, and returns it.
    pub fn into_inner(self) -> T {
        self.value
    }
}
