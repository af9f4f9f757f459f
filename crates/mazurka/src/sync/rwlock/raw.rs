//! The lock without its data.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use mazurka_core::model::{Action, Location, ObjectId, Op, ProcessId, When};

use crate::rt::{self, Blocker, Operation, Runtime, Site};
use crate::sync::afresh::Afresh;

const FREE: u64 = 0;
/// What the cell holds if a writer has the lock.
const WRITER: u64 = u64::MAX;

/// How a process holds the lock, or wants it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Mode {
    Read,
    Write,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Read => "read",
            Mode::Write => "write",
        }
    }

    fn acquires(self, object: ObjectId) -> Action {
        let on = Location::whole(object);
        match self {
            Mode::Read => Action::new(Op::Add, on).when(When::Differs(WRITER)),
            Mode::Write => Action::new(Op::Update, on).when(When::Equals(FREE)),
        }
    }

    fn releases(self, object: ObjectId) -> Action {
        let on = Location::whole(object);
        match self {
            Mode::Read => Action::new(Op::Add, on),
            Mode::Write => Action::new(Op::Write, on),
        }
    }

    /// What the cell holds when one more has the lock.
    fn acquired(self, before: u64) -> u64 {
        match self {
            Mode::Read => before + 1,
            Mode::Write => WRITER,
        }
    }

    /// What the cell holds when one less has the lock.
    fn released(self, before: u64) -> u64 {
        match self {
            // A writer who was torn down while it became a reader.
            Mode::Read if before == WRITER => FREE,
            Mode::Read => before.saturating_sub(1),
            Mode::Write => FREE,
        }
    }
}

pub(super) struct RawRwLock {
    /// With who has the lock, since where.
    inner: Afresh<Vec<(ProcessId, Site)>>,
    poisoned: AtomicBool,
}

/// Waiting for the lock.
struct Locking<'a> {
    lock: &'a RawRwLock,
    mode: Mode,
}

impl Blocker for Locking<'_> {
    fn waits_for(&self, rt: &Runtime, action: Option<&Action>) -> String {
        let Some(object) = action.map(|action| action.on.object) else { return String::new() };
        let mut text = format!("{} lock {}", self.mode.name(), rt.describe_object(object));
        // Readers commute: the order in which they came must not show.
        let mut holders = self.lock.inner.state().clone();
        holders.sort_by_key(|(process, _)| *process);
        for (i, (process, site)) in holders.iter().enumerate() {
            text.push_str(if i == 0 { ", held by " } else { " and by " });
            text.push_str(&format!("{} since {site}", rt.process_name(*process)));
        }
        text
    }
}

impl RawRwLock {
    #[track_caller]
    pub(super) const fn new() -> Self {
        RawRwLock { inner: Afresh::new(Vec::new()), poisoned: AtomicBool::new(false) }
    }

    pub(super) const fn set_label(&mut self, label: &'static str) {
        self.inner.set_label(label);
    }

    fn id(&self) -> ObjectId {
        self.inner.id("RwLock", FREE, |holders| {
            holders.clear();
            // A static may have been left poisoned by an earlier execution.
            self.poisoned.store(false, Relaxed);
        })
    }

    pub(super) fn has_poison(&self) -> bool {
        self.poisoned.load(Relaxed)
    }

    pub(super) fn set_poison(&self, poisoned: bool) {
        self.poisoned.store(poisoned, Relaxed);
    }

    /// Waits for the lock and takes it.
    #[track_caller]
    pub(super) fn lock(&self, mode: Mode, site: Site) {
        if !rt::alive() {
            return self.lock_dying(mode);
        }
        let object = self.id();
        let action = mode.acquires(object).waiting();
        let blocker = Locking { lock: self, mode };
        let operation = Operation::new(mode.name(), site).action(action).explained_by(&blocker);
        if operation.turn().is_none() {
            return self.lock_dying(mode);
        }
        rt::with(|rt| {
            let before = rt.value(object);
            rt.perform(action.performed(before, mode.acquired(before)));
            self.inner.state().push((rt.current(), site));
            rt.log(site, |rt| format!("{}({})", mode.name(), rt.object_name(object)));
        });
    }

    /// Takes the lock if it is to be had; whether it was.
    #[track_caller]
    pub(super) fn try_lock(&self, mode: Mode, site: Site) -> bool {
        if !rt::alive() {
            return self.try_lock_dying(mode);
        }
        let object = self.id();
        let action = mode.acquires(object);
        let name = match mode {
            Mode::Read => "try_read",
            Mode::Write => "try_write",
        };
        if Operation::new(name, site).action(action).turn().is_none() {
            return self.try_lock_dying(mode);
        }
        rt::with(|rt| {
            let before = rt.value(object);
            let acquired = action.when.holds(before);
            if acquired {
                rt.perform(action.performed(before, mode.acquired(before)));
                self.inner.state().push((rt.current(), site));
            } else {
                rt.perform(Action { op: Op::Read, ..action }.performed(before, before));
            }
            rt.log(site, |rt| {
                let outcome = if acquired { "locked" } else { "would block" };
                format!("{name}({}) → {outcome}", rt.object_name(object))
            });
            acquired
        })
    }

    /// Takes the lock in a destructor, while the execution is being torn down. The process cannot
    /// wait then: if the lock is not to be had, the process is abandoned.
    fn lock_dying(&self, mode: Mode) {
        if !self.try_lock_dying(mode) {
            rt::abandon();
        }
    }

    /// Takes the lock in a destructor, while the execution is being torn down, and returns whether it
    /// was to be had.
    fn try_lock_dying(&self, mode: Mode) -> bool {
        let object = self.id();
        let before = rt::with(|rt| rt.value(object));
        let acquired = mode.acquires(object).when.holds(before);
        if acquired {
            rt::with(|rt| rt.set_value_of_dying(object, mode.acquired(before)));
        }
        acquired
    }

    /// Gives the lock back. `poisons` says that the holder panics and may have left things in a
    /// mess.
    #[track_caller]
    pub(super) fn unlock(&self, mode: Mode, site: Site, poisons: impl FnOnce(&Runtime) -> bool) {
        let Some(dead) = rt::try_with(|rt| rt.is_dead()) else { return };
        let object = self.id();
        if dead {
            return rt::with(|rt| {
                let after = mode.released(rt.value(object));
                rt.set_value_of_dying(object, after);
            });
        }
        let poisons = rt::with(|rt| poisons(rt));
        let action = mode.releases(object);
        if Operation::new("unlock", site).action(action).turn().is_none() {
            return;
        }
        rt::with(|rt| {
            let before = rt.value(object);
            rt.perform(action.performed(before, mode.released(before)));
            self.forget_holder(rt.current());
            if poisons {
                // Only now: a process that looks is ordered with this step.
                self.set_poison(true);
            }
            rt.log(site, |rt| format!("unlock({})", rt.object_name(object)));
        });
    }

    fn forget_holder(&self, process: ProcessId) {
        let mut holders = self.inner.state();
        if let Some(index) = holders.iter().rposition(|(holder, _)| *holder == process) {
            holders.remove(index);
        }
    }

    /// Makes the writer a reader.
    #[track_caller]
    pub(super) fn downgrade(&self, site: Site) {
        let object = self.id();
        let reader = Mode::Read.acquired(FREE);
        if !rt::alive() {
            return rt::with(|rt| rt.set_value_of_dying(object, reader));
        }
        let action = Mode::Write.releases(object);
        if Operation::new("downgrade", site).action(action).turn().is_none() {
            return rt::with(|rt| rt.set_value_of_dying(object, reader));
        }
        rt::with(|rt| {
            rt.perform(action.performed(WRITER, reader));
            rt.log(site, |rt| format!("downgrade({})", rt.object_name(object)));
        });
    }

    /// Performs an operation that does not change who has the lock. It is not a step while the
    /// execution is being torn down.
    #[track_caller]
    pub(super) fn look(&self, site: Site, name: &'static str, op: Op) {
        if rt::alive() {
            rt::look_at(self.id(), site, name, op);
        }
    }
}
