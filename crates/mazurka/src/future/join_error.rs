//! `JoinError`.

use std::any::Any;
use std::fmt;
use std::sync::Mutex;

use super::TaskId;

/// Why a task has no result: it was aborted, or it panicked.
pub struct JoinError {
    reason: Reason,
    id: TaskId,
}

enum Reason {
    Cancelled,
    // A payload need not be `Sync`.
    Panic(Mutex<Box<dyn Any + Send + 'static>>),
}

impl JoinError {
    pub(super) fn cancelled(id: TaskId) -> Self {
        JoinError { reason: Reason::Cancelled, id }
    }

    pub(super) fn panic(id: TaskId, payload: Box<dyn Any + Send + 'static>) -> Self {
        JoinError { reason: Reason::Panic(Mutex::new(payload)), id }
    }

    /// Returns whether the task was aborted.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.reason, Reason::Cancelled)
    }

    /// Returns whether the task panicked.
    pub fn is_panic(&self) -> bool {
        matches!(self.reason, Reason::Panic(_))
    }

    /// Returns the payload of the panic.
    ///
    /// # Panics
    ///
    /// If the task did not panic.
    #[track_caller]
    pub fn into_panic(self) -> Box<dyn Any + Send + 'static> {
        self.try_into_panic().expect("`JoinError` reason is not a panic.")
    }

    /// Returns the payload of the panic.
    ///
    /// # Errors
    ///
    /// Returns this error if the task did not panic.
    pub fn try_into_panic(self) -> Result<Box<dyn Any + Send + 'static>, JoinError> {
        match self.reason {
            Reason::Panic(payload) => {
                Ok(payload.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
            }
            Reason::Cancelled => Err(self),
        }
    }

    /// Returns the id of the task.
    pub fn id(&self) -> TaskId {
        self.id
    }

    /// Returns the message of the panic, if it has one.
    fn message(&self) -> Option<String> {
        let Reason::Panic(payload) = &self.reason else { return None };
        let payload = payload.lock().ok()?;
        let text = payload.downcast_ref::<&'static str>().copied();
        text.map(str::to_owned).or_else(|| payload.downcast_ref::<String>().cloned())
    }
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_panic(), self.message()) {
            (false, _) => write!(f, "task {} was cancelled", self.id),
            (true, Some(message)) => {
                write!(f, "task {} panicked with message {message:?}", self.id)
            }
            (true, None) => write!(f, "task {} panicked", self.id),
        }
    }
}

impl fmt::Debug for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_panic(), self.message()) {
            (false, _) => write!(f, "JoinError::Cancelled({:?})", self.id),
            (true, Some(message)) => write!(f, "JoinError::Panic({:?}, {message:?}, ...)", self.id),
            (true, None) => write!(f, "JoinError::Panic({:?}, ...)", self.id),
        }
    }
}

impl std::error::Error for JoinError {}
