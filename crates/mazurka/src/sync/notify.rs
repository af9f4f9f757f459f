//! `Notify`.

use std::panic::Location as SourceLocation;

use mazurka_core::model::{Action, Location, MemoryOrdering, ObjectId, Op, When};

use crate::rt::{self, Blocker, ObjectCell, Operation, Runtime};

/// A token that threads wait for. It is what [`park`](crate::thread::park) and `unpark` are for a thread,
/// as an object of its own. `std` has no such type.
///
/// ```
/// use mazurka::sync::{Arc, Notify};
/// use mazurka::thread;
///
/// mazurka::check(|| {
///     let notify = Arc::new(Notify::new());
///     let theirs = Arc::clone(&notify);
///     let child = thread::spawn(move || theirs.notify());
///     notify.wait();
///     child.join().unwrap();
/// });
/// ```
#[derive(Debug)]
pub struct Notify {
    object: ObjectCell,
}

struct Waits;

impl Blocker for Waits {
    fn waits_for(&self, _rt: &Runtime, _action: Option<&Action>) -> String {
        "another thread to notify it".to_owned()
    }
}

impl Notify {
    /// Creates a `Notify` whose token is not available.
    #[track_caller]
    pub const fn new() -> Self {
        Notify { object: ObjectCell::new() }
    }

    /// Gives the object a name for reports.
    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.object.set_label(label);
        self
    }

    /// Makes the token available. If it is available already, nothing changes.
    #[track_caller]
    pub fn notify(&self) {
        let site = SourceLocation::caller();
        if !rt::alive() {
            return;
        }
        let object = self.id();
        let action = Action::new(Op::Write, Location::whole(object));
        let action = rt::in_present(action, MemoryOrdering::Release);
        if Operation::new("notify", site).action(action).turn().is_some() {
            rt::with(|rt| {
                let before = rt.value(object);
                rt.perform(action.performed(before, 1));
                rt.log(site, |rt| format!("{}.notify()", rt.object_name(object)));
            });
        }
    }

    /// Waits until the token is available, and takes it. It does not return spuriously.
    #[track_caller]
    pub fn wait(&self) {
        let site = SourceLocation::caller();
        if !rt::alive() {
            return;
        }
        let object = self.id();
        let action =
            Action::new(Op::Update, Location::whole(object)).when(When::Equals(1)).waiting();
        if Operation::new("wait", site).action(action).explained_by(&Waits).turn().is_some() {
            rt::with(|rt| {
                rt.perform(action.performed(1, 0));
                rt.log(site, |rt| format!("{}.wait()", rt.object_name(object)));
            });
        }
    }

    fn id(&self) -> ObjectId {
        self.object.id("Notify", 0)
    }
}

impl Default for Notify {
    #[track_caller]
    fn default() -> Self {
        Notify::new()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Notify;
    use crate::{Check, ViolationKind, thread};

    #[test]
    fn a_waiter_runs_after_the_notification_in_one_execution() {
        let verdict = Check::new().run(|| {
            let notify = Arc::new(Notify::new());
            let theirs = Arc::clone(&notify);
            let child = thread::spawn(move || theirs.notify());
            notify.wait();
            child.join().unwrap();
        });
        assert!(verdict.violations.is_empty(), "{verdict:?}");
        assert_eq!(verdict.executions, 1);
    }

    #[test]
    fn one_token_is_for_one_wait() {
        let verdict = Check::new().run(|| {
            let notify = Notify::new();
            notify.notify();
            notify.notify();
            notify.wait();
            notify.wait();
        });
        assert_eq!(verdict.violations[0].kind, ViolationKind::Deadlock);
    }

    #[test]
    fn two_waiters_take_the_token_in_both_orders() {
        let verdict = Check::new().run(|| {
            let notify = Arc::new(Notify::new());
            let waiters = [0; 2].map(|_| {
                let notify = Arc::clone(&notify);
                thread::spawn(move || {
                    notify.wait();
                    notify.notify();
                })
            });
            notify.notify();
            waiters.into_iter().for_each(|waiter| waiter.join().unwrap());
        });
        assert!(verdict.violations.is_empty(), "{verdict:?}");
        assert_eq!(verdict.executions, 2);
    }
}
