//! What explorations have allocated, for the next one on the same OS thread.
//!
//! Most checks in a test suite take microseconds, half of which would go into making room.

use std::cell::Cell;
use std::thread::LocalKey;

/// A place to keep one thing that can be used again. It is boxed if it is large: it changes hands
/// several times in every check.
pub(crate) type Spare<T> = Cell<Option<T>>;

/// Something that holds on to what it has allocated when it is cleared.
pub(crate) trait Reuse: Sized + 'static {
    /// Whether it has grown so large that it had better be freed.
    fn is_large(&self) -> bool;

    /// Makes it what it was when it was new.
    fn clear(&mut self);

    /// Keeps it for the next one who needs one.
    fn retire(mut self, place: &'static LocalKey<Spare<Self>>) {
        if !self.is_large() {
            self.clear();
            // At the end of the OS thread there is nobody to keep it for.
            let _ = place.try_with(|place| place.set(Some(self)));
        }
    }
}

/// So much of anything is not large.
pub(crate) const FEW: usize = 1 << 12;
