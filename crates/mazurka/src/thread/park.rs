//! Parking. Every thread has a token, which is available or not.

use std::panic::Location as SourceLocation;
use std::time::Duration;

use mazurka_core::model::{Action, Location, MemoryOrdering, Op, ProcessId, When};

use crate::rt::{self, Blocker, Operation, Own, Runtime, Site};

struct Parked;

impl Blocker for Parked {
    fn waits_for(&self, _rt: &Runtime, _action: Option<&Action>) -> String {
        "another thread to unpark it".to_owned()
    }
}

/// Waits until the token of this thread is available and takes it, as [`std::thread::park`].
///
/// It does not return spuriously.
///
/// ```
/// use mazurka::thread;
///
/// mazurka::check(|| {
///     let main = thread::current();
///     let child = thread::spawn(move || main.unpark());
///     thread::park();
///     child.join().unwrap();
/// });
/// ```
#[track_caller]
pub fn park() {
    let site = SourceLocation::caller();
    if !rt::alive() {
        return;
    }
    let action = token_of_current().waiting();
    if Operation::new("park", site).action(action).explained_by(&Parked).turn().is_some() {
        rt::with(|rt| {
            rt.perform(action.performed(1, 0));
            rt.log(site, |_| "park()".to_owned());
        });
    }
}

/// Waits until the token of this thread is available or the time is up, as
/// [`std::thread::park_timeout`].
///
/// The duration makes no difference: if no token is available, the time may be up at once.
#[track_caller]
pub fn park_timeout(_duration: Duration) {
    let site = SourceLocation::caller();
    if !rt::alive() {
        return;
    }
    let action = token_of_current();
    if Operation::new("park_timeout", site).action(action).turn().is_some() {
        rt::with(|rt| {
            let before = rt.value(action.on.object);
            let op = action.op_at(before);
            rt.perform(Action { op, ..action }.performed(before, 0));
            let outcome = if before == 0 { "timed out" } else { "unparked" };
            rt.log(site, |_| format!("park_timeout() → {outcome}"));
        });
    }
}

fn token_of_current() -> Action {
    let token = rt::with(|rt| rt.own_object(rt.current(), Own::Token));
    Action::new(Op::Update, Location::whole(token)).when(When::Equals(1))
}

#[track_caller]
pub(super) fn unpark(process: ProcessId, site: Site) {
    if !rt::alive() {
        return;
    }
    let token = rt::with(|rt| rt.own_object(process, Own::Token));
    let action = Action::new(Op::Write, Location::whole(token));
    let action = rt::in_present(action, MemoryOrdering::Release);
    if Operation::new("unpark", site).action(action).turn().is_some() {
        rt::with(|rt| {
            let before = rt.value(token);
            rt.perform(action.performed(before, 1));
            rt.log(site, |rt| format!("unpark({})", rt.process_name(process)));
        });
    }
}
