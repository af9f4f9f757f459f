//! Synchronisation primitives, as in [`std::sync`].

mod arc;
pub mod atomic;
mod condvar;
pub mod mpsc;
mod notify;

pub use arc::Arc;
pub(crate) use arc::Count;
pub use condvar::{Condvar, WaitTimeoutResult};
pub use mazurka::sync::{Barrier, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use notify::Notify;
pub use std::sync::{LockResult, TryLockResult};
