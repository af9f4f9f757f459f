//! Memory allocation, as in [`std::alloc`].

pub use std::alloc::Layout;

/// Allocates memory, as [`std::alloc::alloc`].
///
/// # Safety
///
/// As for [`std::alloc::alloc`].
#[track_caller]
pub unsafe fn alloc(layout: Layout) -> *mut u8 {
    // SAFETY: as the caller promises.
    unsafe { std::alloc::alloc(layout) }
}

/// Allocates memory that is filled with zeros, as [`std::alloc::alloc_zeroed`].
///
/// # Safety
///
/// As for [`std::alloc::alloc_zeroed`].
#[track_caller]
pub unsafe fn alloc_zeroed(layout: Layout) -> *mut u8 {
    // SAFETY: as the caller promises.
    unsafe { std::alloc::alloc_zeroed(layout) }
}

/// Frees memory, as [`std::alloc::dealloc`].
///
/// # Safety
///
/// As for [`std::alloc::dealloc`].
#[track_caller]
pub unsafe fn dealloc(pointer: *mut u8, layout: Layout) {
    // SAFETY: as the caller promises.
    unsafe { std::alloc::dealloc(pointer, layout) }
}

/// A value that must not be leaked.
#[derive(Debug)]
pub struct Track<T> {
    value: T,
}

impl<T> Track<T> {
    /// Tracks a value.
    #[track_caller]
    pub fn new(value: T) -> Track<T> {
        Track { value }
    }

    /// Returns a reference to the value.
    pub fn get_ref(&self) -> &T {
        &self.value
    }

    /// Returns a mutable reference to the value.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// Returns the value, which may then be leaked.
    pub fn into_inner(self) -> T {
        self.value
    }
}
