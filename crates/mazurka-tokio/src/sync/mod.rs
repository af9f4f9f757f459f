//! Synchronisation between tasks. Every operation is one step, unless its documentation says otherwise.

mod barrier;
pub mod broadcast;
mod counted;
mod lock;
pub mod mpsc;
mod mutex;
mod notify;
mod once_cell;
pub mod oneshot;
mod permits;
mod rwlock;
mod semaphore;
pub mod watch;

pub use barrier::{Barrier, BarrierWaitResult};
pub use mutex::{MappedMutexGuard, Mutex, MutexGuard, OwnedMutexGuard, TryLockError};
pub use notify::Notify;
pub use once_cell::{OnceCell, SetError};
pub use rwlock::{
    OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock, RwLockReadGuard, RwLockWriteGuard,
};
pub use semaphore::{
    AcquireError, OwnedSemaphorePermit, Semaphore, SemaphorePermit, TryAcquireError,
};

/// Futures that have a name.
pub mod futures {
    pub use super::notify::{Notified, OwnedNotified};
}
