//! Counting references without atomic operations.

use std::any::Any;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::rc::Rc;

use super::confined::{elsewhere, is_this_os_thread, this_os_thread};

/// What can be shared.
pub(crate) trait Retire {
    /// The caller has the last reference.
    fn retire(self: Rc<Self>) {}
}

/// Something that is shared, whatever its type.
pub(crate) trait AnyShared: Any + Retire {}

impl<T: Any + Retire> AnyShared for T {}

/// What processes share: an [`Arc`](std::sync::Arc) whose count need not be atomic, since all processes of an
/// execution run on one OS thread.
///
/// On another OS thread it can be looked at, but not cloned. If it is dropped there, the value is
/// leaked.
pub(crate) struct Shared<T: ?Sized + Retire> {
    owner: u64,
    value: ManuallyDrop<Rc<T>>,
}

// SAFETY: the count is touched only on the OS thread that has made the value. Others can only look at
// that, which is `Sync`.
unsafe impl<T: ?Sized + Retire + Send + Sync> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Retire + Send + Sync> Sync for Shared<T> {}

impl<T: Retire> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Shared::of(Rc::new(value))
    }
}

impl<T: ?Sized + Retire> Shared<T> {
    /// What is counted by `value`, which is the current OS thread's.
    pub(crate) fn of(value: Rc<T>) -> Self {
        Shared { owner: this_os_thread(), value: ManuallyDrop::new(value) }
    }

    /// Returns the value as another type.
    ///
    /// # Panics
    ///
    /// On another OS thread.
    #[track_caller]
    pub(crate) fn coerce<U: ?Sized + Retire>(&self, f: impl FnOnce(Rc<T>) -> Rc<U>) -> Shared<U> {
        match self.is_here() {
            true => {
                let value = ManuallyDrop::new(f(Rc::clone(&self.value)));
                Shared { owner: self.owner, value }
            }
            false => elsewhere(),
        }
    }

    #[inline]
    fn is_here(&self) -> bool {
        is_this_os_thread(self.owner)
    }
}

impl Shared<dyn AnyShared> {
    /// Returns the value as a `T`, if it is one.
    pub(crate) fn downcast<T: Any + Retire>(&self) -> Option<Shared<T>> {
        if !self.is_here() {
            return None;
        }
        let value: Rc<dyn Any> = Rc::<dyn AnyShared>::clone(&self.value);
        value.downcast().ok().map(Shared::of)
    }
}

impl<T: ?Sized + Retire> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: ?Sized + Retire> Clone for Shared<T> {
    #[inline]
    #[track_caller]
    fn clone(&self) -> Self {
        match self.is_here() {
            true => Shared { owner: self.owner, value: self.value.clone() },
            false => elsewhere(),
        }
    }
}

impl<T: ?Sized + Retire> Drop for Shared<T> {
    #[inline]
    fn drop(&mut self) {
        if !self.is_here() {
            return;
        }
        // SAFETY: it is not used any more.
        let value = unsafe { ManuallyDrop::take(&mut self.value) };
        match Rc::strong_count(&value) {
            1 => value.retire(),
            _ => drop(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    use super::*;

    impl<T> Retire for Arc<T> {}

    #[test]
    fn the_last_one_drops_the_value() {
        let value = Arc::new(());
        let shared = Shared::new(Arc::clone(&value));
        let any = shared.coerce::<dyn AnyShared>(|rc| rc);
        assert!(any.downcast::<Arc<u32>>().is_none());
        let same = any.downcast::<Arc<()>>().unwrap();
        drop((shared, any));
        assert_eq!(Arc::strong_count(&value), 2);
        drop(same.clone());
        assert_eq!(Arc::strong_count(&value), 2);
        drop(same);
        assert_eq!(Arc::strong_count(&value), 1);
    }

    #[test]
    fn another_os_thread_may_look_but_neither_clone_nor_drop() {
        let value = Arc::new(7);
        let shared = Shared::new(Arc::clone(&value));
        let theirs = shared.clone();
        let other = std::thread::spawn(move || {
            let refused = catch_unwind(AssertUnwindSafe(|| drop(theirs.clone()))).is_err();
            (refused, **theirs)
        });
        assert_eq!(other.join().unwrap(), (true, 7));
        drop(shared);
        assert_eq!(Arc::strong_count(&value), 2);
    }
}
