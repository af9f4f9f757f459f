//! `Monitor`.
//!
//! To the explorers a monitor is a cell. Its value is a digest of the operations that have changed the
//! state: which processes performed them, in which order.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location as SourceLocation;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::task::Poll;

use mazurka_core::model::{Action, Location, ObjectId, Op};

use super::task;
use crate::rt::{self, ObjectCell, Operation, Site};

/// Shared state whose operations are one step each.
///
/// It is for those who write synchronisation primitives. A mutex around the same state would take two steps
/// for each operation, one to lock and one to unlock it.
///
/// An operation must neither use other types of this crate nor drop values of the user. It returns such
/// values instead, and wakes tasks afterwards.
///
/// ```
/// use mazurka::future::Monitor;
/// use mazurka::thread;
/// use std::panic::Location;
///
/// mazurka::check(|| {
///     let stack = Monitor::new("Stack", Vec::new());
///     thread::scope(|s| {
///         s.spawn(|| stack.update("push", Location::caller(), |stack| stack.push(1)));
///         s.spawn(|| stack.update("push", Location::caller(), |stack| stack.push(2)));
///     });
///     let length = stack.read("len", Location::caller(), |stack| stack.len());
///     assert_eq!(length, 2);
/// });
/// ```
pub struct Monitor<T> {
    object: ObjectCell,
    kind: &'static str,
    reset: Option<fn(&mut T)>,
    // Never contended inside of a check: a process holds it for as long as an operation takes, and does
    // not suspend.
    state: Mutex<T>,
}

/// The state of a [`Monitor`], during an operation.
///
/// An operation that does not access it mutably has not changed it. A task that repeats such an operation
/// spins, and is held back until the state changes.
#[derive(Debug)]
pub struct Access<'a, T> {
    state: &'a mut T,
    has_changed: bool,
}

impl<T> Deref for Access<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.state
    }
}

impl<T> DerefMut for Access<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.has_changed = true;
        self.state
    }
}

impl<T> Monitor<T> {
    /// Creates a monitor. Reports call it by its kind, such as `Semaphore`.
    #[track_caller]
    pub const fn new(kind: &'static str, state: T) -> Self {
        Monitor { object: ObjectCell::new(), kind, reset: None, state: Mutex::new(state) }
    }

    /// Gives the monitor a name for reports.
    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.object.set_label(label);
        self
    }

    /// Sets how the state is reset before it is used for the first time in an execution. A monitor that may
    /// be a `static` needs this.
    pub const fn with_reset(mut self, reset: fn(&mut T)) -> Self {
        self.reset = Some(reset);
        self
    }

    /// Performs an operation on the state, as one step. `name` and `site` are what reports call it, and
    /// where it is in the source.
    ///
    /// In a destructor that runs while an execution is being torn down, this is not a step.
    ///
    /// # Panics
    ///
    /// Outside of a check.
    #[track_caller]
    pub fn update<R>(
        &self,
        name: &'static str,
        site: &'static SourceLocation<'static>,
        f: impl FnOnce(&mut Access<'_, T>) -> R,
    ) -> R {
        let id = self.turn(name, site, Op::Update);
        self.perform(id, name, site, f)
    }

    /// Performs an operation of a destructor, as [`update`](Monitor::update). Outside of a check it is not a
    /// step.
    #[track_caller]
    pub fn update_on_drop<R>(
        &self,
        name: &'static str,
        site: &'static SourceLocation<'static>,
        f: impl FnOnce(&mut Access<'_, T>) -> R,
    ) -> R {
        match rt::is_inside() {
            true => self.update(name, site, f),
            false => self.perform(None, name, site, f),
        }
    }

    /// Looks at the state, as one step.
    #[track_caller]
    pub fn read<R>(
        &self,
        name: &'static str,
        site: &'static SourceLocation<'static>,
        f: impl FnOnce(&T) -> R,
    ) -> R {
        let id = self.turn(name, site, Op::Read);
        let result = f(&self.lock());
        if let Some(object) = id {
            rt::with(|rt| {
                let value = rt.value(object);
                let action = Action::new(Op::Read, Location::whole(object));
                rt.perform(action.performed(value, value));
                rt.log(site, |rt| format!("{}.{name}()", rt.object_name(object)));
            });
        }
        result
    }

    /// Performs an operation of a future, as [`update`](Monitor::update). If it is pending, the report of a
    /// deadlock says that the current task waits for it.
    #[track_caller]
    pub fn poll<R>(
        &self,
        name: &'static str,
        site: &'static SourceLocation<'static>,
        f: impl FnOnce(&mut Access<'_, T>) -> Poll<R>,
    ) -> Poll<R> {
        let id = self.turn(name, site, Op::Update);
        let result = self.perform(id, name, site, f);
        if let (Some(object), true) = (id, result.is_pending()) {
            task::note_awaited(name, object, site);
        }
        result
    }

    /// Returns a mutable reference to the state. This is not a step.
    pub fn get_mut(&mut self) -> &mut T {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the checker about the monitor before a thread uses it. This is not a step.
    pub fn introduce(&self) {
        if rt::is_inside() && !rt::with(|rt| rt.is_dead()) {
            self.id();
        }
    }

    fn id(&self) -> ObjectId {
        let is_new = self.object.known_id().is_none();
        let id = self.object.id_unshared(self.kind, 0);
        if is_new && let Some(reset) = self.reset {
            reset(&mut self.lock());
        }
        id
    }

    /// Waits for the turn of an operation. Returns `None` if it is not to be a step.
    #[track_caller]
    fn turn(&self, name: &'static str, site: Site, op: Op) -> Option<ObjectId> {
        if !rt::alive() {
            return None;
        }
        let object = self.id();
        let action = Action::new(op, Location::whole(object));
        Operation::new(name, site).action(action).turn_here()?;
        Some(object)
    }

    fn perform<R>(
        &self,
        id: Option<ObjectId>,
        name: &'static str,
        site: Site,
        f: impl FnOnce(&mut Access<'_, T>) -> R,
    ) -> R {
        let mut state = self.lock();
        let mut access = Access { state: &mut *state, has_changed: false };
        let result = f(&mut access);
        if let Some(object) = id {
            let has_changed = access.has_changed;
            rt::with(|rt| {
                let before = rt.value(object);
                let after = match has_changed {
                    true => digest(before, rt.current().index(), rt.steps_of_current()),
                    false => before,
                };
                let action = Action::new(Op::Update, Location::whole(object));
                rt.perform(action.performed(before, after));
                rt.log(site, |rt| format!("{}.{name}()", rt.object_name(object)));
            });
        }
        result
    }

    fn lock(&self) -> MutexGuard<'_, T> {
        if !rt::is_inside() {
            return self.state.lock().unwrap_or_else(PoisonError::into_inner);
        }
        match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => {
                panic!("an operation of a `Monitor` uses the same monitor again")
            }
        }
    }
}

/// Returns the value of a monitor after the operation of a process that has taken this many steps. It
/// differs from the value before.
fn digest(before: u64, process: usize, steps: u32) -> u64 {
    // The finaliser of SplitMix64, which is a bijection.
    let mut hash = before
        ^ ((process as u64) << 32 | u64::from(steps))
            .wrapping_add(1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^= hash >> 31;
    match hash == before {
        true => !hash,
        false => hash,
    }
}

impl<T> fmt::Debug for Monitor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(self.kind).finish_non_exhaustive()
    }
}
