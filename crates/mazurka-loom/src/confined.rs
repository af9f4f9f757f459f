//! Values that never leave their OS thread.

/// A value that may be handed from one thread of a model to another, even if it is not `Send`.
///
/// loom's `spawn` accepts closures that are not `Send`. That is sound because the threads of a model are
/// coroutines on one OS thread. So are the threads of a check of Mazurka.
pub(crate) struct Confined<T>(pub(crate) T);

// SAFETY: Mazurka runs all threads of an execution on one OS thread, so that the value stays there. With
// several workers, each runs executions of its own.
unsafe impl<T> Send for Confined<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Confined<T> {}

impl<T> Confined<T> {
    /// Returns the value. A closure that calls this captures the whole of `self`.
    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}
