//! `Once`, and what is built on it.
//!
//! To the explorers a `Once` is a cell that says how far it is. A call waits while another one
//! runs. If there is still something to do then, it is an update; otherwise it only reads, so that
//! any number of later calls does not make more executions. What a thread has seen to be complete
//! stays so: its further calls are not steps at all.

mod cell;
mod lazy;
mod run;
#[cfg(test)]
mod tests;

use std::fmt;
use std::panic::Location as SourceLocation;

pub use cell::OnceLock;
pub use lazy::LazyLock;
use mazurka_core::model::{Action, Location, MemoryOrdering, ObjectId, Op, ProcessId, When};
pub use run::OnceState;
use run::Run;

use super::afresh::Afresh;
use crate::rt::{self, Blocker, Operation, Runtime, Site};

const INCOMPLETE: u64 = 0;
const RUNNING: u64 = 1;
const COMPLETE: u64 = 2;
const POISONED: u64 = 3;

/// Runs a closure once, as [`std::sync::Once`].
///
/// A `static` one starts afresh in every execution.
///
/// ```
/// use mazurka::sync::Once;
/// use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
/// use mazurka::thread;
///
/// static START: Once = Once::new();
/// static STARTS: AtomicU32 = AtomicU32::new(0);
///
/// mazurka::check(|| {
///     let start = || {
///         STARTS.fetch_add(1, SeqCst);
///     };
///     let other = thread::spawn(move || START.call_once(start));
///     START.call_once(start);
///     assert_eq!(STARTS.load(SeqCst), 1);
///     other.join().unwrap();
/// });
/// ```
pub struct Once {
    /// With who has seen that it is complete.
    inner: Afresh<Vec<ProcessId>>,
    kind: &'static str,
    /// How far it is at the start of every execution.
    initial: u64,
}

/// Waiting for another one's call, or for it to be complete.
struct Progress(&'static str);

impl Blocker for Progress {
    fn waits_for(&self, rt: &Runtime, action: Option<&Action>) -> String {
        let Some(object) = action.map(|action| action.on.object) else { return String::new() };
        format!("{} {}{}", self.0, rt.describe_object(object), rt.describe_holder(object))
    }
}

/// What a call has to do.
enum Turn {
    Nothing,
    Panic,
    Run { poisoned: bool },
}

impl Once {
    /// Creates a `Once` that has not run a closure.
    #[track_caller]
    pub const fn new() -> Self {
        Once::of_kind("Once", INCOMPLETE)
    }

    #[track_caller]
    const fn of_kind(kind: &'static str, initial: u64) -> Self {
        Once { inner: Afresh::new(Vec::new()), kind, initial }
    }

    /// Gives the `Once` a name for reports.
    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.inner.set_label(label);
        self
    }

    /// Its id in this execution; `reset` is called if an earlier execution may have left
    /// something behind.
    fn id(&self, reset: impl FnOnce()) -> ObjectId {
        let initial = self.initial;
        self.inner.id(self.kind, initial, |known| {
            known.clear();
            if initial != COMPLETE {
                reset();
            }
        })
    }

    /// Makes it a new one, for who has it alone.
    fn start_over(&mut self) {
        self.inner.forget();
        self.initial = INCOMPLETE;
    }

    /// Calls `f` if no closure has been run. Waits if another thread runs one.
    ///
    /// # Panics
    ///
    /// If an earlier closure panicked.
    #[track_caller]
    pub fn call_once<F>(&self, f: F)
    where
        F: FnOnce(),
    {
        let site = SourceLocation::caller();
        let object = self.id(|| ());
        self.call(object, "call_once", site, false, |_| f());
    }

    /// Calls `f` if no closure has completed, even if an earlier one panicked.
    #[track_caller]
    pub fn call_once_force<F>(&self, f: F)
    where
        F: FnOnce(&OnceState),
    {
        let site = SourceLocation::caller();
        let object = self.id(|| ());
        self.call(object, "call_once_force", site, true, f);
    }

    /// Returns whether a closure has completed.
    #[track_caller]
    pub fn is_completed(&self) -> bool {
        self.look(self.id(|| ()), "is_completed", SourceLocation::caller())
    }

    /// Waits until a closure has completed.
    ///
    /// # Panics
    ///
    /// If a closure has panicked, and no thread runs another one.
    #[track_caller]
    pub fn wait(&self) {
        let site = SourceLocation::caller();
        let object = self.id(|| ());
        let mut unwanted = INCOMPLETE;
        loop {
            match self.wait_under(object, "wait", site, When::Differs(unwanted)) {
                POISONED => panic!("Once instance has previously been poisoned"),
                COMPLETE => return,
                state => unwanted = state,
            }
        }
    }

    /// Waits until a closure has completed, even if others panicked.
    #[track_caller]
    pub fn wait_force(&self) {
        let object = self.id(|| ());
        self.wait_under(object, "wait_force", SourceLocation::caller(), When::Equals(COMPLETE));
    }

    fn is_known_to_current(&self) -> bool {
        rt::with(|rt| self.inner.state().contains(&rt.current()))
    }

    fn note_complete(&self, rt: &Runtime) {
        self.inner.state().push(rt.current());
    }

    #[track_caller]
    fn call(
        &self,
        object: ObjectId,
        name: &'static str,
        site: Site,
        force: bool,
        f: impl FnOnce(&OnceState),
    ) {
        if !rt::alive() {
            return self.call_dying(object, site, f);
        }
        if self.is_known_to_current() {
            return;
        }
        // As `std` does. Otherwise calls after the first would update the cell one after the other.
        if rt::with(|rt| rt.tuning().memory_orderings) && self.look(object, name, site) {
            return;
        }
        let action =
            Action::new(Op::Update, Location::whole(object)).when(When::Differs(RUNNING)).waiting();
        let blocker = Progress("the end of another call on");
        let operation = Operation::new(name, site).action(action).explained_by(&blocker);
        if operation.turn().is_none() {
            return self.call_dying(object, site, f);
        }
        let turn = rt::with(|rt| {
            let before = rt.value(object);
            let (turn, after) = match before {
                COMPLETE => (Turn::Nothing, COMPLETE),
                POISONED if !force => (Turn::Panic, POISONED),
                state => (Turn::Run { poisoned: state == POISONED }, RUNNING),
            };
            let op = if after == RUNNING { Op::Update } else { Op::Read };
            rt.perform(Action { op, ..action }.performed(before, after));
            match turn {
                Turn::Nothing => self.note_complete(rt),
                Turn::Panic => {}
                Turn::Run { .. } => rt.set_holder(object, Some((rt.current(), site))),
            }
            rt.log(site, |rt| {
                let outcome = match turn {
                    Turn::Nothing => "complete already",
                    Turn::Panic => "poisoned",
                    Turn::Run { .. } => "begins",
                };
                format!("{name}({}) → {outcome}", rt.object_name(object))
            });
            turn
        });
        match turn {
            Turn::Nothing => {}
            Turn::Panic => panic!("Once instance has previously been poisoned"),
            Turn::Run { poisoned } => self.run(object, site, poisoned, f),
        }
    }

    #[track_caller]
    fn run(&self, object: ObjectId, site: Site, poisoned: bool, f: impl FnOnce(&OnceState)) {
        let mut run = Run { once: self, object, site, result: POISONED };
        f(&OnceState::new(poisoned));
        run.result = COMPLETE;
    }

    /// A call in a destructor, while the execution is being torn down. Its caller may need what
    /// it makes; and there is no time to wait.
    #[track_caller]
    fn call_dying(&self, object: ObjectId, site: Site, f: impl FnOnce(&OnceState)) {
        match rt::with(|rt| rt.value(object)) {
            COMPLETE => {}
            RUNNING => rt::abandon(),
            _ => {
                rt::with(|rt| rt.set_value_of_dying(object, RUNNING));
                self.run(object, site, false, f);
            }
        }
    }

    #[track_caller]
    fn look(&self, object: ObjectId, name: &'static str, site: Site) -> bool {
        let is_complete = |rt: &Runtime| rt.value(object) == COMPLETE;
        if !rt::alive() {
            return rt::with(|rt| is_complete(rt));
        }
        if self.is_known_to_current() {
            return true;
        }
        // As in `std`, this is a load, and not as strong as `SeqCst`.
        let action = Action::new(Op::Read, Location::whole(object));
        let action = action.ordered(MemoryOrdering::Acquire);
        if Operation::new(name, site).action(action).turn().is_none() {
            return rt::with(|rt| is_complete(rt));
        }
        rt::with(|rt| {
            let value = rt.value(object);
            rt.perform(action.performed(value, value));
            if value == COMPLETE {
                self.note_complete(rt);
            }
            rt.log(site, |rt| {
                let outcome = if is_complete(rt) { "complete" } else { "not yet complete" };
                format!("{name}({}) → {outcome}", rt.object_name(object))
            });
            value == COMPLETE
        })
    }

    /// Waits for a state, and tells which it is.
    #[track_caller]
    fn wait_under(&self, object: ObjectId, name: &'static str, site: Site, when: When) -> u64 {
        let value = || rt::with(|rt| rt.value(object));
        if rt::alive() {
            if self.is_known_to_current() {
                return COMPLETE;
            }
            let action = Action::new(Op::Read, Location::whole(object)).when(when).waiting();
            let blocker = Progress("a call to complete");
            let operation = Operation::new(name, site).action(action).explained_by(&blocker);
            if operation.turn().is_some() {
                return rt::with(|rt| {
                    let value = rt.value(object);
                    rt.perform(action.performed(value, value));
                    if value == COMPLETE {
                        self.note_complete(rt);
                    }
                    rt.log(site, |rt| format!("{name}({})", rt.object_name(object)));
                    value
                });
            }
        }
        if value() != COMPLETE {
            rt::abandon();
        }
        COMPLETE
    }
}

impl Default for Once {
    #[track_caller]
    fn default() -> Self {
        Once::new()
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").finish_non_exhaustive()
    }
}
