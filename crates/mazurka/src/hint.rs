//! Hints, as in [`std::hint`].

pub use std::hint::black_box;

/// Ends a round of a spin loop, as [`thread::yield_now`](crate::thread::yield_now) does.
#[track_caller]
pub fn spin_loop() {
    crate::rt::yield_now();
}
