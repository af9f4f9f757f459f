//! Atomics, as in [`std::sync::atomic`].
//!
//! Under a [memory model](crate::Check::memory_model), an operation has the ordering that it is called
//! with. Explorers of schedules treat every ordering as `SeqCst`. An ordering that an operation does not
//! accept panics, as in `std`. A `static` atomic has its initial value at the start of every execution.
//!
//! `as_ptr` and `from_ptr` are missing: the checker keeps the values, so there is no place that such
//! a pointer could point to.

mod access;
mod boolean;
mod common;
mod integers;
mod pointer;
mod word;

pub use boolean::AtomicBool;
pub use integers::{
    AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicU8, AtomicU16, AtomicU32,
    AtomicU64, AtomicUsize,
};
pub use pointer::AtomicPtr;
pub use std::sync::atomic::Ordering;

use mazurka_core::model::MemoryOrdering;

use crate::rt;

/// A fence, as [`std::sync::atomic::fence`].
///
/// Under a [memory model](crate::Check::memory_model), it is a step. Explorers of schedules treat every
/// ordering as `SeqCst`, so that it has no effect.
///
/// # Panics
///
/// If `order` is `Relaxed`, as in `std`.
#[track_caller]
pub fn fence(order: Ordering) {
    assert!(order != Ordering::Relaxed, "there is no such thing as a relaxed fence");
    rt::fence(memory_ordering(order), std::panic::Location::caller());
}

/// Returns the memory ordering that `std` names so.
#[inline]
const fn memory_ordering(order: Ordering) -> MemoryOrdering {
    match order {
        Ordering::Relaxed => MemoryOrdering::Relaxed,
        Ordering::Acquire => MemoryOrdering::Acquire,
        Ordering::Release => MemoryOrdering::Release,
        Ordering::AcqRel => MemoryOrdering::AcqRel,
        _ => MemoryOrdering::SeqCst,
    }
}

/// The memory orderings of an operation.
#[derive(Clone, Copy)]
struct Orderings {
    /// If it takes effect.
    success: MemoryOrdering,
    /// If it does not, unless that is the same without the release.
    failure: Option<MemoryOrdering>,
}

impl Orderings {
    #[inline]
    const fn one(order: Ordering) -> Self {
        Orderings { success: memory_ordering(order), failure: None }
    }

    #[inline]
    const fn exchange(success: Ordering, failure: Ordering) -> Self {
        let failure = Some(memory_ordering(failure));
        Orderings { success: memory_ordering(success), failure }
    }
}

/// Has no effect: it restricts the compiler only.
///
/// # Panics
///
/// If `order` is `Relaxed`, as in `std`.
#[track_caller]
pub fn compiler_fence(order: Ordering) {
    assert!(order != Ordering::Relaxed, "there is no such thing as a relaxed fence");
}

/// Ends a round of a spin loop, as [`hint::spin_loop`](crate::hint::spin_loop) does.
#[deprecated(note = "use `hint::spin_loop`")]
#[track_caller]
pub fn spin_loop_hint() {
    rt::yield_now();
}

/// Panics if `order` is one that a load does not accept.
#[inline]
#[track_caller]
fn check_load(order: Ordering) {
    match order {
        Ordering::Release => panic!("there is no such thing as a release load"),
        Ordering::AcqRel => panic!("there is no such thing as an acquire-release load"),
        _ => {}
    }
}

/// Panics if `order` is one that a store does not accept.
#[inline]
#[track_caller]
fn check_store(order: Ordering) {
    match order {
        Ordering::Acquire => panic!("there is no such thing as an acquire store"),
        Ordering::AcqRel => panic!("there is no such thing as an acquire-release store"),
        _ => {}
    }
}

/// Panics if `order` is one that the failure of a compare-exchange does not accept.
#[inline]
#[track_caller]
fn check_failure(order: Ordering) {
    match order {
        Ordering::Release => panic!("there is no such thing as a release failure ordering"),
        Ordering::AcqRel => panic!("there is no such thing as an acquire-release failure ordering"),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{AtomicBool, AtomicPtr, AtomicU8, Ordering::SeqCst};
    use crate::{Check, thread};

    #[test]
    fn updates_are_tried_until_they_succeed() {
        let verdict = Check::new().run(|| {
            let number = AtomicU8::new(1);
            thread::scope(|s| {
                s.spawn(|| number.update(SeqCst, SeqCst, |value| value * 3));
                s.spawn(|| number.try_update(SeqCst, SeqCst, |value| Some(value + 2)).unwrap());
            });
            let number = number.into_inner();
            assert!(number == 5 || number == 9, "{number}");
        });
        assert!(verdict.is_complete() && verdict.violations.is_empty(), "{verdict:?}");
    }

    #[test]
    #[expect(deprecated, reason = "old code calls it")]
    fn compare_and_swap_returns_what_was_there() {
        crate::check(|| {
            let flag = AtomicBool::new(false);
            assert!(!flag.compare_and_swap(false, true, SeqCst));
            assert!(flag.compare_and_swap(false, true, SeqCst));
            let mut number = 1;
            let pointer = AtomicPtr::new(&raw mut number);
            let old = pointer.compare_and_swap(&raw mut number, std::ptr::null_mut(), SeqCst);
            assert_eq!(old, &raw mut number);
            assert!(pointer.load(SeqCst).is_null());
        });
    }
}
