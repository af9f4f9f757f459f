//! How long to look for an explanation.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A moment at which to stop, or an order to stop before it.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'a> {
    pub(crate) at: Instant,
    /// Set when the search is to stop at once.
    pub(crate) stop: Option<&'a AtomicBool>,
}

impl Deadline<'_> {
    pub(crate) fn has_passed(self) -> bool {
        Instant::now() >= self.at || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}
