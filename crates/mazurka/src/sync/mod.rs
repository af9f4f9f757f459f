//! Synchronisation primitives, as in [`std::sync`].
//!
//! `std`'s [`Arc`](std::sync::Arc) works inside of a check, too, but Mazurka does not see its reference
//! count. Use [`Arc`] of this module if the destructor of the value uses operations of this crate, or if
//! the program looks at the count.

mod afresh;
mod arc;
pub mod atomic;
mod barrier;
mod condvar;
pub mod mpsc;
mod mutex;
mod notify;
mod once;
mod rwlock;
#[cfg(test)]
mod testing;

pub use arc::{Arc, Weak};
pub use barrier::{Barrier, BarrierWaitResult};
pub use condvar::{Condvar, WaitTimeoutResult};
pub use mutex::{Mutex, MutexGuard};
pub use notify::Notify;
pub use once::{LazyLock, Once, OnceLock, OnceState};
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};
