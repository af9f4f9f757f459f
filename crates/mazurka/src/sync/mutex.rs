//! `Mutex`.
//!
//! To the explorers a mutex is a cell that holds 0 when it is free and 1 when it is held.

use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location as SourceLocation;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

use mazurka_core::model::{Action, Location, ObjectId, Op, When};

use crate::rt::{self, Blocker, ObjectCell, Operation, Runtime, Site, Suspension};

const FREE: u64 = 0;
const HELD: u64 = 1;

/// A mutual exclusion lock, as [`std::sync::Mutex`].
///
/// Unlike an atomic, a `static` mutex keeps its data from one execution to the next. Create it inside of
/// the closure instead.
///
/// ```
/// use mazurka::sync::Mutex;
/// use mazurka::thread;
/// use std::sync::Arc;
///
/// mazurka::check(|| {
///     let counter = Arc::new(Mutex::new(0).with_label("counter"));
///     let other = Arc::clone(&counter);
///     let child = thread::spawn(move || *other.lock().unwrap() += 1);
///     *counter.lock().unwrap() += 1;
///     child.join().unwrap();
///     assert_eq!(*counter.lock().unwrap(), 2);
/// });
/// ```
pub struct Mutex<T: ?Sized> {
    object: ObjectCell,
    poisoned: AtomicBool,
    data: UnsafeCell<T>,
}

// SAFETY: as for the mutex of `std`: the data are accessed by one process at a time. A mutex that
// two checks use at once, on two OS threads, is refused by `ObjectCell::id_unshared`.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}
impl<T: ?Sized> UnwindSafe for Mutex<T> {}
impl<T: ?Sized> RefUnwindSafe for Mutex<T> {}

/// Waiting for a mutex.
struct Locking;

impl Blocker for Locking {
    fn waits_for(&self, rt: &Runtime, action: Option<&Action>) -> String {
        let Some(object) = action.map(|action| action.on.object) else { return String::new() };
        format!("lock {}{}", rt.describe_object(object), rt.describe_holder(object))
    }
}

impl<T> Mutex<T> {
    /// Creates a mutex that is not locked.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        Mutex {
            object: ObjectCell::new(),
            poisoned: AtomicBool::new(false),
            data: UnsafeCell::new(value),
        }
    }

    /// Tells the checker about the mutex before a thread uses it. This is not a step.
    ///
    /// It can reduce the number of executions if one line of the source creates several mutexes; see
    /// [`AtomicBool::introduce`](super::atomic::AtomicBool::introduce).
    #[track_caller]
    pub fn introduce(&self) {
        if rt::alive() {
            self.id();
        }
    }

    /// Gives the mutex a name for reports.
    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.object.set_label(label);
        self
    }

    /// Consumes the mutex and returns the data.
    ///
    /// # Errors
    ///
    /// If the mutex is poisoned. The error contains the data.
    pub fn into_inner(self) -> LockResult<T> {
        let poisoned = self.has_poison();
        result(poisoned, self.data.into_inner())
    }
}

fn result<G>(poisoned: bool, value: G) -> LockResult<G> {
    match poisoned {
        true => Err(PoisonError::new(value)),
        false => Ok(value),
    }
}

impl<T: ?Sized> Mutex<T> {
    fn id(&self) -> ObjectId {
        self.object.known_id().unwrap_or_else(|| {
            // A static may have been left poisoned by an earlier execution.
            self.poisoned.store(false, Relaxed);
            self.object.id_unshared("Mutex", FREE)
        })
    }

    fn has_poison(&self) -> bool {
        self.poisoned.load(Relaxed)
    }

    /// Waits until the mutex is free, and locks it.
    ///
    /// If the current thread holds the lock, this is a deadlock.
    ///
    /// # Errors
    ///
    /// If the mutex is poisoned, because a thread panicked while it held the lock. The error contains
    /// the guard.
    #[inline(always)]
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        self.acquire(SourceLocation::caller());
        result(self.has_poison(), MutexGuard::new(self))
    }

    /// Locks the mutex if it is free.
    ///
    /// # Errors
    ///
    /// If the mutex is locked, or if it is poisoned.
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        match self.try_acquire(SourceLocation::caller()) {
            true => Ok(result(self.has_poison(), MutexGuard::new(self))?),
            false => Err(TryLockError::WouldBlock),
        }
    }

    /// Takes the lock if it is free, and returns whether it was.
    #[track_caller]
    fn try_acquire(&self, site: Site) -> bool {
        if !rt::alive() {
            return self.try_acquire_dying();
        }
        let object = self.id();
        let action = Action::new(Op::Update, Location::whole(object)).when(When::Equals(FREE));
        if Operation::new("try_lock", site).action(action).turn_here().is_none() {
            return self.try_acquire_dying();
        }
        rt::with(|rt| {
            let before = rt.value(object);
            let acquired = before == FREE;
            if acquired {
                rt.perform(action.performed(FREE, HELD));
                rt.set_holder(object, Some((rt.current(), site)));
            } else {
                rt.perform(Action { op: Op::Read, ..action }.performed(before, before));
            }
            rt.log(site, |rt| {
                let outcome = if acquired { "locked" } else { "would block" };
                format!("try_lock({}) → {outcome}", rt.object_name(object))
            });
            acquired
        })
    }

    /// Returns whether the mutex is poisoned.
    #[track_caller]
    pub fn is_poisoned(&self) -> bool {
        self.look(SourceLocation::caller(), "is_poisoned", Op::Read);
        self.has_poison()
    }

    /// Clears the poison.
    #[track_caller]
    pub fn clear_poison(&self) {
        self.look(SourceLocation::caller(), "clear_poison", Op::Update);
        self.poisoned.store(false, Relaxed);
    }

    /// Returns a mutable reference to the data. This is not a step.
    ///
    /// # Errors
    ///
    /// If the mutex is poisoned. The error contains the reference.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = self.has_poison();
        result(poisoned, self.data.get_mut())
    }

    /// Performs an operation that does not change whether the mutex is held. It is not a step while
    /// the execution is being torn down.
    #[track_caller]
    fn look(&self, site: Site, name: &'static str, op: Op) {
        if rt::alive() {
            rt::look_at(self.id(), site, name, op);
        }
    }

    /// Waits for the lock and takes it.
    #[inline(always)]
    #[track_caller]
    pub(super) fn acquire(&self, site: Site) {
        if let Some(suspension) = self.begin_acquiring(site) {
            suspension.suspend();
            self.finish_acquiring(site);
        }
    }

    /// Returns `None` if the lock has been taken without waiting for a turn.
    #[inline(never)]
    #[track_caller]
    fn begin_acquiring(&self, site: Site) -> Option<Suspension<'static>> {
        if !rt::alive() {
            self.acquire_dying();
            return None;
        }
        let action = self.acquire_action();
        let suspension = Operation::new("lock", site).action(action).explained_by(&Locking).begin();
        if suspension.is_none() {
            self.finish_acquiring(site);
        }
        suspension
    }

    #[inline(never)]
    fn finish_acquiring(&self, site: Site) {
        if rt::turn_taken().is_none() {
            return self.acquire_dying();
        }
        let action = self.acquire_action();
        rt::with(|rt| {
            let object = action.on.object;
            rt.perform(action.performed(FREE, HELD));
            rt.set_holder(object, Some((rt.current(), site)));
            rt.log(site, |rt| format!("lock({})", rt.object_name(object)));
        });
    }

    #[inline]
    fn acquire_action(&self) -> Action {
        let action =
            Action::new(Op::Update, Location::whole(self.id())).when(When::Equals(FREE)).waiting();
        match size_of_val(&self.data) {
            0 => action.merely_locking(),
            _ => action,
        }
    }

    /// Takes the lock in a destructor, while the execution is being torn down. The process cannot
    /// wait then. If another one holds the lock, the process is abandoned: two guards of one mutex
    /// must not exist.
    fn acquire_dying(&self) {
        if !self.try_acquire_dying() {
            rt::abandon();
        }
    }

    /// Takes the lock in a destructor, while the execution is being torn down, and returns whether it
    /// was free.
    fn try_acquire_dying(&self) -> bool {
        let object = self.id();
        rt::with(|rt| {
            let is_free = rt.value(object) == FREE;
            rt.set_value_of_dying(object, HELD);
            is_free
        })
    }

    /// Releases the lock as a step of its own. Returns `None` if that is over.
    #[inline]
    #[track_caller]
    fn begin_unlocking(&self, site: Site, poisons: bool) -> Option<Suspension<'static>> {
        if !rt::alive() {
            return None;
        }
        let suspension = Operation::new("unlock", site).action(self.release_action()).begin();
        if suspension.is_none() {
            self.finish_unlocking(site, poisons);
        }
        suspension
    }

    #[inline(never)]
    fn finish_unlocking(&self, site: Site, poisons: bool) {
        if rt::turn_taken().is_none() {
            return;
        }
        // Not before the step: until then others may look at it.
        if poisons {
            self.poisoned.store(true, Relaxed);
        }
        let action = self.release_action();
        rt::with(|rt| {
            self.perform_release(rt, action);
            rt.log(site, |rt| format!("unlock({})", rt.object_name(action.on.object)));
        });
    }

    /// What releasing the lock does, for operations that do so among other things.
    pub(super) fn release_action(&self) -> Action {
        Action::new(Op::Write, Location::whole(self.id()))
    }

    /// Performs [`release_action`](Mutex::release_action).
    pub(super) fn perform_release(&self, rt: &mut Runtime, action: Action) {
        rt.perform(action.performed(HELD, FREE));
        rt.set_holder(action.on.object, None);
    }
}

impl<T> From<T> for Mutex<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        Mutex::new(value)
    }
}

impl<T: Default> Default for Mutex<T> {
    #[track_caller]
    fn default() -> Self {
        Mutex::new(T::default())
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Mutex");
        match self.try_lock() {
            Ok(guard) => out.field("data", &&*guard),
            Err(TryLockError::Poisoned(error)) => out.field("data", &&**error.get_ref()),
            Err(TryLockError::WouldBlock) => out.field("data", &format_args!("<locked>")),
        };
        out.field("poisoned", &self.has_poison()).finish_non_exhaustive()
    }
}

/// Keeps a [`Mutex`] locked until it is dropped, as [`std::sync::MutexGuard`].
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MutexGuard<'a, T: ?Sized> {
    mutex: &'a Mutex<T>,
    /// Whether the thread was already panicking when it locked: then it does not poison.
    panicking: bool,
    /// As `std`'s, a guard stays with its thread.
    marker: PhantomData<*const ()>,
}

// SAFETY: a shared guard gives out `&T` only.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

#[allow(dead_code, reason = "the last two are for condition variables")]
impl<'a, T: ?Sized> MutexGuard<'a, T> {
    fn new(mutex: &'a Mutex<T>) -> Self {
        MutexGuard { mutex, panicking: rt::with(|rt| rt.is_unwinding()), marker: PhantomData }
    }

    /// Begins to unlock, and returns whether that poisons the lock. Returns `None` if the execution is over.
    #[inline(never)]
    #[track_caller]
    fn begin_dropping(&self, site: Site) -> Option<(Suspension<'static>, bool)> {
        if rt::try_with(|rt| rt.is_dead())? {
            let object = self.mutex.id();
            rt::with(|rt| rt.set_value_of_dying(object, FREE));
            return None;
        }
        let poisons = !self.panicking && rt::with(|rt| rt.is_unwinding());
        Some((self.mutex.begin_unlocking(site, poisons)?, poisons))
    }

    /// Gives the guard up without unlocking: the mutex is to be released otherwise.
    pub(super) fn into_mutex(self) -> &'a Mutex<T> {
        let mutex = self.mutex;
        std::mem::forget(self);
        mutex
    }

    /// The guard of a mutex that was [acquired](Mutex::acquire) before.
    pub(super) fn of_acquired(mutex: &'a Mutex<T>) -> LockResult<Self> {
        result(mutex.has_poison(), MutexGuard::new(mutex))
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the mutex is held.
        unsafe { &*self.mutex.data.get() }
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as for `deref`.
        unsafe { &mut *self.mutex.data.get() }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    #[inline(always)]
    #[track_caller]
    fn drop(&mut self) {
        let site = SourceLocation::caller();
        if let Some((suspension, poisons)) = self.begin_dropping(site) {
            suspension.suspend();
            self.mutex.finish_unlocking(site, poisons);
        }
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}
