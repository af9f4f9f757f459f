//! What one OS thread has to itself.

use std::cell::{Cell, RefCell, RefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Something that only the OS thread that has made it can get at.
///
/// All processes of an execution run on one OS thread, so none of them has to wait for what they
/// share, and a lock would only cost: taking and releasing it takes longer than what is done
/// meanwhile. But the handles to it can be given to other OS threads, by code that is safe, so whose
/// it is must be looked at.
pub(crate) struct Confined<T> {
    owner: u64,
    value: RefCell<T>,
}

// SAFETY: OS threads other than the owner do not get at the value, except for dropping it, and
// `T` may be dropped there.
unsafe impl<T: Send> Send for Confined<T> {}
// SAFETY: as above: a reference does not help other OS threads to get at the value.
unsafe impl<T: Send> Sync for Confined<T> {}

// What is inside is changed by operations, which do not panic in the middle.
impl<T> UnwindSafe for Confined<T> {}
impl<T> RefUnwindSafe for Confined<T> {}

impl<T> Confined<T> {
    /// The current OS thread's.
    pub(crate) fn new(value: T) -> Self {
        Confined { owner: this_os_thread(), value: RefCell::new(value) }
    }

    /// The value, for who has all of this to itself.
    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }

    /// The value, for the current operation.
    ///
    /// # Panics
    ///
    /// On another OS thread.
    #[inline]
    #[track_caller]
    pub(crate) fn get(&self) -> RefMut<'_, T> {
        match self.try_get() {
            Some(value) => value,
            None => elsewhere(),
        }
    }

    /// The value, for the current operation, unless this is another OS thread.
    #[inline]
    pub(crate) fn try_get(&self) -> Option<RefMut<'_, T>> {
        is_this_os_thread(self.owner).then(|| self.value.borrow_mut())
    }
}

thread_local! {
    /// The number of this OS thread, or 0 if it has none yet.
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// Whether a number is that of the current OS thread.
#[inline]
pub(super) fn is_this_os_thread(number: u64) -> bool {
    NUMBER.get() == number
}

/// A number that no other OS thread has, nor ever had. It is not 0.
#[inline]
pub(super) fn this_os_thread() -> u64 {
    match NUMBER.get() {
        0 => {
            static LAST: AtomicU64 = AtomicU64::new(0);
            let number = LAST.fetch_add(1, Relaxed) + 1;
            NUMBER.set(number);
            number
        }
        number => number,
    }
}

#[cold]
#[track_caller]
pub(super) fn elsewhere() -> ! {
    panic!(
        "a thread, a channel, an actor or an event loop is used on another OS thread, or in another \
         execution, than the one in which it was created: create it inside of the closure that you \
         check"
    );
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    use super::*;

    #[test]
    fn only_the_os_thread_that_has_made_it_gets_at_the_value() {
        let confined = Arc::new(Confined::new(1));
        *confined.get() += 1;
        let theirs = Arc::clone(&confined);
        let other = std::thread::spawn(move || {
            let refused = catch_unwind(AssertUnwindSafe(|| *theirs.get())).is_err();
            (refused, theirs.try_get().is_none())
        });
        assert_eq!(other.join().unwrap(), (true, true));
        assert_eq!(*confined.get(), 2);
    }
}
