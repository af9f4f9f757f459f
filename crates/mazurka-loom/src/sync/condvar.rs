//! `Condvar`.

use std::time::Duration;

use super::{LockResult, MutexGuard};

/// A condition variable, as [`std::sync::Condvar`].
#[derive(Debug, Default)]
pub struct Condvar(mazurka::sync::Condvar);

/// Whether a wait has timed out, as [`std::sync::WaitTimeoutResult`]. As in loom, it never does.
#[derive(Debug)]
pub struct WaitTimeoutResult(());

impl Condvar {
    /// Creates a condition variable.
    #[track_caller]
    pub fn new() -> Condvar {
        Condvar(mazurka::sync::Condvar::new())
    }

    /// Waits for a notification.
    ///
    /// # Errors
    ///
    /// If the mutex is poisoned.
    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        self.0.wait(guard)
    }

    /// Waits for a notification. As in loom, the time is never up.
    ///
    /// # Errors
    ///
    /// If the mutex is poisoned.
    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        _duration: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        match self.wait(guard) {
            Ok(guard) => Ok((guard, WaitTimeoutResult(()))),
            Err(poisoned) => {
                let guard = poisoned.into_inner();
                Err(std::sync::PoisonError::new((guard, WaitTimeoutResult(()))))
            }
        }
    }

    /// Wakes one waiting thread.
    #[track_caller]
    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    /// Wakes all waiting threads.
    #[track_caller]
    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}

impl WaitTimeoutResult {
    /// Returns whether the wait has timed out: `false`.
    pub fn timed_out(&self) -> bool {
        false
    }
}
