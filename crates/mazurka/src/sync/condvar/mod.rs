//! `Condvar`.
//!
//! To the explorers it is a cell with a bit for each waiter that has not been notified yet.
//! To wait is one step: it adds itself to the waiters and releases the mutex. Then a process
//! waits to be released, which is no step of its own, and locks the mutex again. A wait with a
//! timeout, or one that wakes for no reason, does not wait to be released, but has a second step
//! in which it finds out whether it was notified, and takes itself off the waiters if not.
//!
//! Under a memory model, a notification happens before the end of the wait that it ends, and everything
//! else on the cell is relaxed: what a waiter may rely on, the mutex orders.

mod state;
#[cfg(test)]
mod tests;

use std::fmt;
use std::panic::Location as SourceLocation;
use std::sync::{LockResult, PoisonError};
use std::time::Duration;

use mazurka_core::model::{Action, Location, MemoryOrdering, ObjectId, Op, Ways, When};

use super::afresh::Afresh;
use super::{Mutex, MutexGuard};
use crate::rt::{self, Operation, Site, Waiting};
use state::{Notifying, State, Waiter, bit, take};

/// A condition variable, as [`std::sync::Condvar`].
///
/// `notify_one` may wake any waiter: every choice is explored. A wait with a timeout may time out,
/// whatever the duration: both outcomes are explored. A loop of such waits has executions of any length:
/// bound it in the program, or by [`Check::max_depth`](crate::Check::max_depth).
///
/// Waiters wake spuriously only if [`Check::spurious_wakeups`](crate::Check::spurious_wakeups) is set. A
/// thread then wakes spuriously at most once between two notifications.
///
/// ```
/// use mazurka::sync::{Condvar, Mutex};
/// use mazurka::thread;
///
/// mazurka::check(|| {
///     let ready = Mutex::new(false).with_label("ready");
///     let changed = Condvar::new().with_label("changed");
///     thread::scope(|s| {
///         s.spawn(|| {
///             *ready.lock().unwrap() = true;
///             changed.notify_one();
///         });
///         let guard = changed.wait_while(ready.lock().unwrap(), |ready| !*ready).unwrap();
///         assert!(*guard);
///     });
/// });
/// ```
pub struct Condvar {
    inner: Afresh<State>,
}

/// How a wait may end.
#[derive(Clone, Copy, PartialEq)]
enum Patience {
    Endless,
    Timed,
}

impl Condvar {
    /// Creates a condition variable.
    #[track_caller]
    pub const fn new() -> Self {
        Condvar { inner: Afresh::new(State::new()) }
    }

    /// Gives the condition variable a name for reports.
    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.inner.set_label(label);
        self
    }

    fn id(&self) -> ObjectId {
        self.inner.id("Condvar", 0, State::clear)
    }

    /// Unlocks the mutex, waits for a notification, and locks the mutex again.
    ///
    /// # Errors
    ///
    /// If the mutex is poisoned. The error contains the guard.
    ///
    /// # Panics
    ///
    /// If the condition variable is used with more than one mutex. In `std`, this depends on the system.
    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        self.block(guard, "wait", SourceLocation::caller(), Patience::Endless).0
    }

    /// Waits for as long as `condition` returns `true`.
    ///
    /// # Errors
    ///
    /// If the mutex is poisoned. The error contains the guard.
    #[track_caller]
    pub fn wait_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: F,
    ) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        let site = SourceLocation::caller();
        while condition(&mut *guard) {
            guard = self.block(guard, "wait_while", site, Patience::Endless).0?;
        }
        Ok(guard)
    }

    /// Waits for a notification, or until the time is up.
    ///
    /// # Errors
    ///
    /// If the mutex is poisoned. The error contains the guard.
    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        _duration: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let site = SourceLocation::caller();
        let (guard, timed_out) = self.block(guard, "wait_timeout", site, Patience::Timed);
        with_outcome(guard, timed_out)
    }

    /// Waits for as long as `condition` returns `true`, or until the time is up.
    ///
    /// # Errors
    ///
    /// If the mutex is poisoned. The error contains the guard.
    #[track_caller]
    pub fn wait_timeout_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        _duration: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>
    where
        F: FnMut(&mut T) -> bool,
    {
        let site = SourceLocation::caller();
        let mut timed_out = false;
        loop {
            if !condition(&mut *guard) {
                return Ok((guard, WaitTimeoutResult(false)));
            }
            if timed_out {
                return Ok((guard, WaitTimeoutResult(true)));
            }
            let (again, result) = self.block(guard, "wait_timeout_while", site, Patience::Timed);
            (guard, timed_out) = (with_outcome(again, result)?.0, result);
        }
    }

    /// Wakes one waiter, if there is any.
    #[track_caller]
    pub fn notify_one(&self) {
        self.notify("notify_one", SourceLocation::caller(), false);
    }

    /// Wakes all waiters.
    #[track_caller]
    pub fn notify_all(&self) {
        self.notify("notify_all", SourceLocation::caller(), true);
    }

    #[track_caller]
    fn notify(&self, name: &'static str, site: Site, all: bool) {
        if !rt::alive() {
            return;
        }
        let object = self.id();
        let ways = if all { Ways::One } else { Ways::PerBit };
        let action =
            Action::new(Op::Update, Location::whole(object)).when(When::Differs(0)).ways(ways);
        let action = rt::in_present(action, MemoryOrdering::Relaxed);
        let blocker = Notifying { state: &self.inner };
        let mut operation = Operation::new(name, site).action(action);
        if !all {
            operation = operation.decided_by(&blocker);
        }
        let Some(choice) = operation.turn() else { return };
        rt::with(|rt| {
            let mut state = self.inner.state();
            let before = rt.value(object);
            let chosen = match all {
                true => 0..state.waiters.len(),
                false if before == 0 => 0..0,
                false => choice as usize..choice as usize + 1,
            };
            let bits = state.waiters[chosen.clone()].iter().map(|waiter| bit(waiter.process));
            let after = bits.fold(before, u64::wrapping_sub);
            rt.perform(Action { op: action.op_at(before), ..action }.performed(before, after));
            let woken: Vec<Waiter> = state.waiters.drain(chosen).collect();
            for waiter in &woken {
                take(&mut state.woken, |process| *process == waiter.process);
                match waiter.looks {
                    true => state.notified.push(waiter.process),
                    false => rt.release(waiter.process),
                }
            }
            rt.log(site, |rt| {
                let names: Vec<_> = woken.iter().map(|w| rt.process_name(w.process)).collect();
                let outcome = if names.is_empty() { "nobody".into() } else { names.join(", ") };
                format!("{name}({}) → {outcome}", rt.object_name(object))
            });
        });
    }

    /// Waits, and tells whether the time was up.
    #[track_caller]
    fn block<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        name: &'static str,
        site: Site,
        patience: Patience,
    ) -> (LockResult<MutexGuard<'a, T>>, bool) {
        let timed = patience == Patience::Timed;
        if !rt::alive() {
            return (Ok(guard), timed);
        }
        let object = self.id();
        let action = Action::new(Op::Add, Location::whole(object));
        let action = rt::in_present(action, MemoryOrdering::Relaxed);
        let may_wake = !timed
            && rt::with(|rt| {
                let process = rt.current();
                rt.tuning().spurious_wakeups && !self.inner.state().woken.contains(&process)
            });
        let operation = Operation::new(name, site).action(action);
        let Some(choice) = operation.alternatives(1 + u32::from(may_wake)).turn() else {
            return (Ok(guard), timed);
        };
        let mutex = guard.into_mutex();
        let looks = timed || choice == 1;
        if !self.begin(object, mutex, name, site, looks) {
            let _guard = MutexGuard::of_acquired(mutex);
            panic!("attempted to use a condition variable with two mutexes");
        }
        let timed_out = match looks {
            true => self.look(object, name, site, timed),
            false => {
                let what = "a notification on";
                rt::wait_for_release(Waiting { what, object: Some(object), process: None, site });
                false
            }
        };
        mutex.acquire(site);
        (MutexGuard::of_acquired(mutex), timed_out)
    }

    /// The first step of a wait. Returns whether it was with the right mutex.
    fn begin<T: ?Sized>(
        &self,
        object: ObjectId,
        mutex: &Mutex<T>,
        name: &'static str,
        site: Site,
        looks: bool,
    ) -> bool {
        let action = Action::new(Op::Add, Location::whole(object));
        let action = rt::in_present(action, MemoryOrdering::Relaxed);
        let release = mutex.release_action();
        rt::with(|rt| {
            let mut state = self.inner.state();
            let before = rt.value(object);
            if *state.mutex.get_or_insert(release.on.object) != release.on.object {
                rt.perform(Action { op: Op::Read, ..action }.performed(before, before));
                return false;
            }
            rt.perform(action.performed(before, before.wrapping_add(bit(rt.current()))));
            mutex.perform_release(rt, release);
            state.register(Waiter { process: rt.current(), looks });
            rt.log(site, |rt| {
                let mutex = rt.object_name(release.on.object);
                format!("{name}({}), unlocks {mutex}", rt.object_name(object))
            });
            true
        })
    }

    /// The second step of a wait that does not wait to be released: whether it was not notified.
    #[track_caller]
    fn look(&self, object: ObjectId, name: &'static str, site: Site, timed: bool) -> bool {
        let mine = bit(rt::with(|rt| rt.current()));
        let action = Action::new(Op::Add, Location::whole(object)).when(When::Any(mine));
        let action = rt::in_present(action, MemoryOrdering::Relaxed);
        if Operation::new(name, site).action(action).turn().is_none() {
            return timed;
        }
        rt::with(|rt| {
            let mut state = self.inner.state();
            let me = rt.current();
            let before = rt.value(object);
            let notified = take(&mut state.notified, |process| *process == me);
            if notified {
                rt.perform(Action { op: Op::Read, ..action }.performed(before, before));
            } else {
                take(&mut state.waiters, |waiter| waiter.process == me);
                rt.perform(action.performed(before, before.wrapping_sub(mine)));
                if !timed {
                    state.woken.push(me);
                }
            }
            let outcome = match (notified, timed) {
                (true, _) => "notified",
                (false, true) => "timed out",
                (false, false) => "woken for no reason",
            };
            rt.log(site, |rt| format!("{name}({}) → {outcome}", rt.object_name(object)));
            timed && !notified
        })
    }
}

fn with_outcome<G>(guard: LockResult<G>, timed_out: bool) -> LockResult<(G, WaitTimeoutResult)> {
    let outcome = WaitTimeoutResult(timed_out);
    match guard {
        Ok(guard) => Ok((guard, outcome)),
        Err(error) => Err(PoisonError::new((error.into_inner(), outcome))),
    }
}

impl Default for Condvar {
    #[track_caller]
    fn default() -> Self {
        Condvar::new()
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condvar").finish_non_exhaustive()
    }
}

/// Tells how a wait with a timeout ended, as [`std::sync::WaitTimeoutResult`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Returns whether the wait timed out.
    #[must_use]
    pub fn timed_out(&self) -> bool {
        self.0
    }
}
