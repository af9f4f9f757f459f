//! Synchronisation primitives, as in [`std::sync`].
//!
//! [`Arc`] and [`Weak`] are the types of `std`, so that `Arc<dyn Trait>` and the like work. Mazurka
//! does not see their reference counts. It therefore does not explore both orders of the drop of an
//! `Arc` and another thread's `strong_count`, `try_unwrap`, `into_inner`, `get_mut` or
//! [`Weak::upgrade`], unless other operations make the order matter.

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
