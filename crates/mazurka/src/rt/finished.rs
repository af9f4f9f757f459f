//! Asking whether a thread has ended.
//!
//! The end of a thread is not a step before a thread asks: see `departures.rs`. Then it is one that
//! writes.

use mazurka_core::model::{Action, Location, MemoryOrdering, Op, ProcessId};

use super::names::Own;
use super::process::{Site, State};
use super::seeing::{in_present, ordered};
use super::{Operation, alive, watch_ends, with};

/// The step in which the current process ends.
pub(super) fn end() {
    let (end, site) = with(|rt| {
        let process = rt.current();
        (rt.own_object(process, Own::End), rt.processes[process.index()].pending.site)
    });
    let action = Action::new(Op::Write, Location::whole(end));
    let action = in_present(action, MemoryOrdering::AcqRel);
    if Operation::new("end", site).action(action).turn().is_some() {
        with(|rt| rt.perform(action.performed(0, 1)));
    }
}

/// Whether `process` has ended.
#[track_caller]
pub(crate) fn is_finished(process: ProcessId, site: Site) -> bool {
    let has_ended = || with(|rt| rt.processes[process.index()].state == State::Ended);
    if !alive() || !watch_ends() {
        return has_ended();
    }
    let object = with(|rt| rt.own_object(process, Own::End));
    let action = Action::new(Op::Read, Location::whole(object));
    let action = ordered(action, MemoryOrdering::Relaxed);
    if Operation::new("is_finished", site).action(action).turn().is_none() {
        return has_ended();
    }
    with(|rt| {
        let value = rt.value(object);
        rt.perform(action.performed(value, value));
        let ended = value != 0;
        rt.log(site, |rt| format!("{}.is_finished() → {ended}", rt.process_name(process)));
        ended
    })
}
