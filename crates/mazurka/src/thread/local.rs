//! Thread-local values.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::Location as SourceLocation;

use mazurka_core::model::{Action, Location, Op};

use crate::rt::{self, Operation, Own, Site};

/// Declares thread-local values, as [`std::thread_local!`].
///
/// In every execution, each thread creates its own value at first use and drops it at its end. The
/// handlers of an [event loop](crate::event) share the values of its thread.
///
/// ```
/// use std::cell::Cell;
///
/// mazurka::thread_local! {
///     static DEPTH: Cell<u32> = const { Cell::new(0) };
/// }
///
/// mazurka::check(|| {
///     DEPTH.set(1);
///     let child = mazurka::thread::spawn(|| DEPTH.get());
///     assert_eq!(child.join().unwrap(), 0);
/// });
/// ```
#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$attribute:meta])* $vis:vis static $name:ident: $type:ty = $init:expr $(; $($rest:tt)*)?) => {
        $(#[$attribute])*
        $vis static $name: $crate::thread::LocalKey<$type> = {
            fn init() -> $type {
                $init
            }
            $crate::thread::LocalKey::new(init)
        };
        $($crate::thread_local!($($rest)*);)?
    };
}

/// The key of a thread-local value, as [`std::thread::LocalKey`].
pub struct LocalKey<T: 'static> {
    init: fn() -> T,
}

/// The error of [`LocalKey::try_with`]: the thread is ending, and has dropped the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccessError;

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("already destroyed")
    }
}

impl std::error::Error for AccessError {}

impl<T: 'static> LocalKey<T> {
    #[doc(hidden)]
    pub const fn new(init: fn() -> T) -> Self {
        LocalKey { init }
    }

    /// Calls `f` with the current thread's value.
    ///
    /// # Panics
    ///
    /// If the thread has dropped the value.
    #[track_caller]
    pub fn with<R>(&'static self, f: impl FnOnce(&T) -> R) -> R {
        self.try_with(f).unwrap_or_else(|error| {
            panic!(
                "cannot access a Thread Local Storage value during or after destruction: {error}"
            )
        })
    }

    /// Calls `f` with the current thread's value.
    ///
    /// # Errors
    ///
    /// If the thread has dropped the value.
    #[track_caller]
    pub fn try_with<R>(&'static self, f: impl FnOnce(&T) -> R) -> Result<R, AccessError> {
        share_among_handlers(SourceLocation::caller());
        let key = std::ptr::from_ref(self) as usize;
        let found = rt::with(|rt| rt.local(key));
        let value = match found {
            Some(found) => found.ok_or(AccessError)?,
            None => {
                // The initial value is the user's code, and may use the key itself.
                let value = Box::new((self.init)());
                rt::with(|rt| rt.set_local(key, value))
            }
        };
        // SAFETY: the value is in a box that belongs to this thread, which drops it only at its
        // end, and replaces it never. It has the type of the key that it was found by.
        let value = unsafe { &*value.cast::<T>() };
        Ok(f(value))
    }
}

/// Handlers of one event loop share the values of its thread, so that their order matters: in a handler,
/// looking at a value is a step. No other process can observe it.
#[track_caller]
fn share_among_handlers(site: Site) {
    if !rt::alive() || !rt::with(|rt| rt.is_in_handler()) {
        return;
    }
    let object = rt::with(|rt| rt.own_object(rt.current(), Own::Locals));
    let action = Action::new(Op::Update, Location::whole(object));
    if Operation::new("thread-local value", site).action(action).turn().is_some() {
        rt::with(|rt| {
            rt.perform(action);
            rt.log(site, |_| "looks at a thread-local value".to_owned());
        });
    }
}

impl<T: 'static> LocalKey<Cell<T>> {
    /// Sets the value.
    #[track_caller]
    pub fn set(&'static self, value: T) {
        self.with(|cell| cell.set(value));
    }

    /// Returns a copy of the value.
    #[track_caller]
    pub fn get(&'static self) -> T
    where
        T: Copy,
    {
        self.with(Cell::get)
    }

    /// Takes the value, and leaves the default value in its place.
    #[track_caller]
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(Cell::take)
    }

    /// Replaces the value, and returns the previous value.
    #[track_caller]
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> LocalKey<RefCell<T>> {
    /// Calls `f` with a shared reference to the value.
    #[track_caller]
    pub fn with_borrow<R>(&'static self, f: impl FnOnce(&T) -> R) -> R {
        self.with(|cell| f(&cell.borrow()))
    }

    /// Calls `f` with a mutable reference to the value.
    #[track_caller]
    pub fn with_borrow_mut<R>(&'static self, f: impl FnOnce(&mut T) -> R) -> R {
        self.with(|cell| f(&mut cell.borrow_mut()))
    }

    /// Sets the value.
    #[track_caller]
    pub fn set(&'static self, value: T) {
        self.with(|cell| *cell.borrow_mut() = value);
    }

    /// Takes the value, and leaves the default value in its place.
    #[track_caller]
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(RefCell::take)
    }

    /// Replaces the value, and returns the previous value.
    #[track_caller]
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> fmt::Debug for LocalKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKey").finish_non_exhaustive()
    }
}
