//! `LazyLock`.

use std::cell::UnsafeCell;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::panic::Location as SourceLocation;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{INCOMPLETE, OnceLock};
use crate::rt::Site;

/// A value that is initialised at first use, as [`std::sync::LazyLock`].
///
/// A `static` one starts afresh in every execution, and calls its function again. The function must not
/// need a destructor: it is a function, or a closure that owns nothing, as is usual for a `static`. The
/// values of earlier executions are not dropped.
///
/// ```
/// use mazurka::sync::{LazyLock, Mutex};
/// use mazurka::thread;
///
/// static LOG: LazyLock<Mutex<Vec<u32>>> = LazyLock::new(|| Mutex::new(Vec::new()));
///
/// mazurka::check(|| {
///     let other = thread::spawn(|| LOG.lock().unwrap().push(1));
///     LOG.lock().unwrap().push(2);
///     other.join().unwrap();
///     assert_eq!(LOG.lock().unwrap().len(), 2);
/// });
/// ```
pub struct LazyLock<T, F = fn() -> T> {
    cell: OnceLock<T>,
    init: UnsafeCell<ManuallyDrop<F>>,
    /// Whether `init` has been called, in some execution.
    taken: AtomicBool,
}

// SAFETY: `init` is touched only by the one process that makes the value, and `OnceLock` says
// that there is one.
unsafe impl<T: Sync + Send, F: Send> Sync for LazyLock<T, F> {}
impl<T: RefUnwindSafe + UnwindSafe, F: UnwindSafe> RefUnwindSafe for LazyLock<T, F> {}
impl<T: UnwindSafe, F: UnwindSafe> UnwindSafe for LazyLock<T, F> {}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    /// Creates a value that `f` initialises.
    #[track_caller]
    pub const fn new(f: F) -> Self {
        LazyLock {
            cell: OnceLock::of_kind("LazyLock", INCOMPLETE, ptr::null_mut()),
            init: UnsafeCell::new(ManuallyDrop::new(f)),
            taken: AtomicBool::new(false),
        }
    }

    /// Gives the value a name for reports.
    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.cell.set_label(label);
        self
    }

    /// Returns a reference to the value, and initialises it first if necessary. Waits if another thread
    /// initialises it.
    ///
    /// # Panics
    ///
    /// If the initialisation panics, or has panicked before.
    #[track_caller]
    pub fn force(this: &LazyLock<T, F>) -> &T {
        this.force_at(SourceLocation::caller())
    }

    #[track_caller]
    fn force_at(&self, site: Site) -> &T {
        self.cell.initialise("force", site, |state| {
            if state.is_poisoned() {
                panic!("LazyLock instance has previously been poisoned");
            }
            self.take_init()()
        })
    }

    fn take_init(&self) -> F {
        if self.taken.swap(true, Relaxed) && std::mem::needs_drop::<F>() {
            panic!(
                "a LazyLock that outlives an execution must make its value again in the next one, \
                 but its closure is used up: create it inside of the closure that you check, or \
                 let it own nothing"
            );
        }
        // SAFETY: no other thread touches it at this moment, see `Sync`. It is taken once; or again
        // in a later execution, if there is nothing in it that must be dropped, and so nothing
        // that the first call can have taken away. What that call has made is never used again.
        unsafe { ptr::read(&**self.init.get()) }
    }
}

impl<T, F> LazyLock<T, F> {
    /// Returns a reference to the value, if it is initialised.
    #[track_caller]
    pub fn get(this: &LazyLock<T, F>) -> Option<&T> {
        this.cell.get_at("get", SourceLocation::caller())
    }

    /// Returns a mutable reference to the value, if it is initialised. This is not a step.
    pub fn get_mut(this: &mut LazyLock<T, F>) -> Option<&mut T> {
        this.cell.get_mut()
    }
}

impl<T, F> Drop for LazyLock<T, F> {
    fn drop(&mut self) {
        if !*self.taken.get_mut() {
            // SAFETY: it has not been taken, and is not used any more.
            unsafe { ManuallyDrop::drop(self.init.get_mut()) };
        }
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    #[track_caller]
    fn deref(&self) -> &T {
        self.force_at(SourceLocation::caller())
    }
}

impl<T: Default> Default for LazyLock<T> {
    #[track_caller]
    fn default() -> Self {
        LazyLock::new(T::default)
    }
}

impl<T: fmt::Debug, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_tuple("LazyLock");
        match LazyLock::get(self) {
            Some(value) => out.field(value),
            None => out.field(&format_args!("<uninit>")),
        };
        out.finish()
    }
}
