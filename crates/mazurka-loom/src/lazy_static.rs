//! Values that are initialised at first use, as in the crate `lazy_static`.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use mazurka::sync::OnceLock;
use mazurka::sync::atomic::{AtomicBool, Ordering::SeqCst};

use crate::confined::Confined;
use crate::execution;

pub use mazurka::thread::{AccessError, panicking, yield_now};

/// A value that is initialised at first use, in every execution again: see
/// [`lazy_static!`](crate::lazy_static!).
pub struct Lazy<T> {
    #[doc(hidden)]
    pub init: fn() -> T,
    #[doc(hidden)]
    pub _p: PhantomData<fn(T)>,
}

impl<T: 'static> Lazy<T> {
    /// Returns the value, and initialises it first if necessary.
    ///
    /// # Panics
    ///
    /// If the main thread has ended: it drops the values.
    #[track_caller]
    pub fn get(&'static self) -> &'static T {
        let statics = execution::statics();
        let cell = statics.cell(std::ptr::from_ref(self).addr());
        let value = cell.get_or_init(|| Confined(Box::new((self.init)())));
        // The main thread may have ended in the meantime, and `cell` be the last reference to the value.
        statics.assert_up();
        let value: *const T = value.0.downcast_ref().expect("the key belongs to one type");
        // SAFETY: the value lives until the main thread ends. loom promises no more: what compiles with
        // the crate `lazy_static` does not use the value later, except on threads that are not joined.
        unsafe { &*value }
    }
}

impl<T: 'static> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Lazy { .. }")
    }
}

/// A value of any type, in a box so that it stays where it is.
type Value = OnceLock<Confined<Box<dyn Any>>>;

/// The values of an execution.
#[derive(Default)]
pub(crate) struct Statics {
    is_down: AtomicBool,
    /// By the address of the `Lazy`.
    values: RefCell<HashMap<usize, Arc<Value>>>,
}

impl Statics {
    /// Panics if the main thread has dropped the values.
    #[track_caller]
    fn assert_up(&self) {
        assert!(
            !self.is_down.load(SeqCst),
            "a value of `lazy_static!` is used after the main thread has ended: join the thread that uses it"
        );
    }

    #[track_caller]
    fn cell(&self, address: usize) -> Arc<Value> {
        self.assert_up();
        let mut values = self.values.borrow_mut();
        Arc::clone(values.entry(address).or_insert_with(|| Arc::new(OnceLock::new())))
    }

    /// Drops the values.
    pub(crate) fn shut_down(&self) {
        self.is_down.store(true, SeqCst);
        let values = self.values.take();
        drop(values);
    }
}

impl Drop for Statics {
    fn drop(&mut self) {
        // The execution was abandoned. The threads and locks that the values belong to are gone, and their
        // destructors would become steps of the next execution.
        std::mem::forget(self.values.take());
    }
}
