//! Hints, as in [`std::hint`].

pub use mazurka::hint::spin_loop;

/// Panics, since this place must not be reached.
///
/// # Safety
///
/// The function is safe to call. It is `unsafe` as [`std::hint::unreachable_unchecked`] is.
///
/// # Panics
///
/// Always.
#[track_caller]
pub unsafe fn unreachable_unchecked() -> ! {
    unreachable!("`unreachable_unchecked` was reached");
}
