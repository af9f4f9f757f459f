//! Mirrors `std::sync::atomic`.
//!
//! All orderings are treated as `SeqCst`; those that an operation does not accept are refused as
//! `std` refuses them. A `static` atomic starts afresh in every execution.
//!
//! What is missing: `as_ptr` and `from_ptr`, as the values do not live where such a pointer could
//! point to.

mod boolean;
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

/// Does nothing: all orderings are sequentially consistent.
///
/// # Panics
///
/// If `order` is `Relaxed`, as `std`'s.
#[track_caller]
pub fn fence(order: Ordering) {
    assert!(order != Ordering::Relaxed, "there is no such thing as a relaxed fence");
}

/// Does nothing: all orderings are sequentially consistent.
///
/// # Panics
///
/// If `order` is `Relaxed`, as `std`'s.
#[track_caller]
pub fn compiler_fence(order: Ordering) {
    assert!(order != Ordering::Relaxed, "there is no such thing as a relaxed fence");
}

/// Refuses an ordering that a load does not accept.
#[inline]
#[track_caller]
fn check_load(order: Ordering) {
    match order {
        Ordering::Release => panic!("there is no such thing as a release load"),
        Ordering::AcqRel => panic!("there is no such thing as an acquire-release load"),
        _ => {}
    }
}

/// Refuses an ordering that a store does not accept.
#[inline]
#[track_caller]
fn check_store(order: Ordering) {
    match order {
        Ordering::Acquire => panic!("there is no such thing as an acquire store"),
        Ordering::AcqRel => panic!("there is no such thing as an acquire-release store"),
        _ => {}
    }
}

/// Refuses an ordering that the failure of a compare-exchange does not accept.
#[inline]
#[track_caller]
fn check_failure(order: Ordering) {
    match order {
        Ordering::Release => panic!("there is no such thing as a release failure ordering"),
        Ordering::AcqRel => panic!("there is no such thing as an acquire-release failure ordering"),
        _ => {}
    }
}
