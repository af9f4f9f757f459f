//! Mirrors `std::sync`.
//!
//! [`Arc`] and [`Weak`] are those of `std`, so that `Arc<dyn Trait>` and all else works as usual.
//! Counting references is therefore not an operation of the checker: that the drop of one `Arc`
//! may come before or after another thread's `strong_count`, `try_unwrap`, `into_inner`, `get_mut`
//! or [`Weak::upgrade`] is not explored, unless other operations make it so.

mod afresh;
pub mod atomic;
mod barrier;
mod condvar;
pub mod mpsc;
mod mutex;
mod once;
mod rwlock;
#[cfg(test)]
mod testing;

pub use barrier::{Barrier, BarrierWaitResult};
pub use condvar::{Condvar, WaitTimeoutResult};
pub use mutex::{Mutex, MutexGuard};
pub use once::{LazyLock, Once, OnceLock, OnceState};
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use std::sync::{Arc, LockResult, PoisonError, TryLockError, TryLockResult, Weak};
