//! Hints, as in [`std::hint`].

pub use std::hint::black_box;

/// Says that this thread has nothing to do until somebody else changes what it has read since
/// its last yield; the same as [`thread::yield_now`](crate::thread::yield_now).
#[track_caller]
pub fn spin_loop() {
    crate::rt::yield_now();
}
