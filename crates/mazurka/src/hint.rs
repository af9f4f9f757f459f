//! Hints, as in [`std::hint`].

pub use std::hint::black_box;

/// Ends a round of a spin loop, as [`thread::yield_now`](crate::thread::yield_now) does.
#[track_caller]
pub fn spin_loop() {
    crate::rt::yield_now();
}

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

/// Panics unless the condition holds.
///
/// # Safety
///
/// The function is safe to call. It is `unsafe` as [`std::hint::assert_unchecked`] is.
///
/// # Panics
///
/// If the condition is false.
#[track_caller]
pub unsafe fn assert_unchecked(condition: bool) {
    assert!(condition, "the condition of `assert_unchecked` is false");
}

#[cfg(test)]
mod tests {
    use crate::Check;

    #[test]
    fn a_place_that_must_not_be_reached_is_a_violation() {
        // SAFETY: both panic.
        let places: [fn(); 2] = [
            || unsafe { super::unreachable_unchecked() },
            || unsafe { super::assert_unchecked(std::hint::black_box(false)) },
        ];
        for place in places {
            let verdict = Check::new().run(place);
            assert!(verdict.violations[0].message.contains("_unchecked`"), "{verdict:?}");
            assert!(verdict.violations[0].message.contains("src/hint.rs"), "{verdict:?}");
        }
    }
}
