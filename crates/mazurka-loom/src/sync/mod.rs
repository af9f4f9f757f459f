//! Synchronisation primitives, as in [`std::sync`].

pub mod atomic;
mod condvar;
pub mod mpsc;
mod notify;

pub use condvar::{Condvar, WaitTimeoutResult};
pub use mazurka::sync::{
    Arc, Barrier, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard,
};
pub use notify::Notify;
pub use std::sync::{LockResult, TryLockResult};
