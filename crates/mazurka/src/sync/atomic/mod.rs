//! Atomics, as in [`std::sync::atomic`].
//!
//! Every ordering is treated as `SeqCst`. An ordering that an operation does not accept panics, as
//! in `std`. A `static` atomic has its initial value at the start of every execution.
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

/// Does nothing, since every ordering is treated as sequentially consistent.
///
/// # Panics
///
/// If `order` is `Relaxed`, as in `std`.
#[track_caller]
pub fn fence(order: Ordering) {
    assert!(order != Ordering::Relaxed, "there is no such thing as a relaxed fence");
}

/// Does nothing, since every ordering is treated as sequentially consistent.
///
/// # Panics
///
/// If `order` is `Relaxed`, as in `std`.
#[track_caller]
pub fn compiler_fence(order: Ordering) {
    assert!(order != Ordering::Relaxed, "there is no such thing as a relaxed fence");
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
