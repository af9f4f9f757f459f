//! Asking whether a thread has ended.
//!
//! The end of a thread is not a step, and mostly nobody cares. Where somebody asks, it must be an
//! action, or else explorers would not know that the order of the two matters. So ends are
//! reported, as a step of their own that writes, once somebody has asked; and as what was explored
//! until then is worthless, the check starts anew.

use mazurka_core::model::{Action, Location, Op, ProcessId};
use mazurka_core::verdict::ViolationKind;

use super::names::Own;
use super::process::Site;
use super::{Operation, alive, stop_for_ever, with};

/// What the violation says that asks for a new start. Nobody gets to see it.
const RESTART: &str = "the ends of threads matter, and were not watched: the check must start anew";

/// Makes sure that ends are reported. If they are not yet, the execution is over for the current
/// process, and this returns `false` only when it is torn down.
#[track_caller]
pub(crate) fn watch_ends() -> bool {
    if with(|rt| rt.watch_ends) {
        return true;
    }
    with(|rt| {
        rt.wants_ends = true;
        rt.fail(ViolationKind::Nondeterminism, RESTART.to_owned());
    });
    stop_for_ever();
    false
}

/// The step in which the current process ends.
pub(super) fn end() {
    let (end, site) = with(|rt| {
        let process = rt.current();
        (rt.own_object(process, Own::End), rt.processes[process.index()].pending.site)
    });
    let action = Action::new(Op::Write, Location::whole(end));
    if Operation::new("end", site).action(action).turn().is_some() {
        with(|rt| rt.perform(action.performed(0, 1)));
    }
}

/// Whether `process` has ended.
#[track_caller]
pub(crate) fn is_finished(process: ProcessId, site: Site) -> bool {
    if !alive() {
        return true;
    }
    if !watch_ends() {
        return true;
    }
    let object = with(|rt| rt.own_object(process, Own::End));
    let action = Action::new(Op::Read, Location::whole(object));
    if Operation::new("is_finished", site).action(action).turn().is_none() {
        return true;
    }
    with(|rt| {
        let value = rt.value(object);
        rt.perform(action.performed(value, value));
        let ended = value != 0;
        rt.log(site, |rt| format!("{}.is_finished() → {ended}", rt.process_name(process)));
        ended
    })
}
