//! Waiting for others: not steps, but edges.

use mazurka_core::model::{Birth, Edge, ObjectId, ProcessId};

use super::local_state::mix;
use super::operation::suspend;
use super::process::{Site, State};
use super::{Runtime, alive, with};

/// What a process waits for when it is not at an operation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Waiting {
    /// In words, to go after "'worker' waits for ": "a notification on", say.
    pub(crate) what: &'static str,
    /// On which object.
    pub(crate) object: Option<ObjectId>,
    /// Whose end it waits for.
    pub(crate) process: Option<ProcessId>,
    /// Where in the source.
    pub(crate) site: Site,
}

/// Waits until another process [releases](Runtime::release) the current one. That is not a step of
/// its own: it goes on in the step of who releases it. Returns `false` if the execution is being
/// torn down instead.
#[inline(always)]
#[track_caller]
pub(crate) fn wait_for_release(waiting: Waiting) -> bool {
    if !alive() {
        return false;
    }
    with(|rt| {
        let current = rt.current;
        rt.processes[current].state = State::Waiting(waiting);
    });
    suspend();
    alive()
}

/// Waits for the end of `process`. Returns `false` if the execution is being torn down and that
/// process did not come to its end.
#[inline(always)]
#[track_caller]
pub(crate) fn join(process: ProcessId, site: Site) -> bool {
    if !alive() || !wait_for_end(process, site) {
        return with(|rt| rt.processes[process.index()].state == State::Ended);
    }
    with(|rt| {
        rt.claim_panic(process);
        rt.log_local(site, |rt| format!("join({})", rt.process_name(process)));
    });
    true
}

/// Waits for the end of `process`, but does not take its result. Returns `false` if the execution is being
/// torn down. Only one process may wait.
#[inline(always)]
#[track_caller]
pub(crate) fn wait_for_end(process: ProcessId, site: Site) -> bool {
    let ended = with(|rt| {
        let joiner = rt.current;
        let child = &mut rt.processes[process.index()];
        if child.state == State::Ended {
            rt.edge(process, ProcessId::new(joiner));
            return true;
        }
        child.joiner = Some(joiner);
        false
    });
    let what = "the end of";
    ended || wait_for_release(Waiting { what, object: None, process: Some(process), site })
}

/// Stops the current process for ever, since an assumption does not hold.
#[track_caller]
pub(crate) fn stop_for_ever() {
    if !alive() {
        return;
    }
    with(|rt| {
        let current = rt.current;
        rt.processes[current].state = State::Stopped;
        rt.assumption_failed = true;
    });
    suspend();
    alive();
}

impl Runtime {
    /// Lets a process that [waits](wait_for_release) go on, in this step, after everything that
    /// the current process has done.
    pub(crate) fn release(&mut self, process: ProcessId) {
        let releaser = self.current();
        let waiting = &mut self.processes[process.index()].state;
        debug_assert!(matches!(waiting, State::Waiting(_)), "only who waits can be released");
        *waiting = State::Running;
        // When it goes on is not decided by its own steps alone.
        if self.processes[releaser.index()].naming != Birth::START {
            self.processes[process.index()].naming = Birth::LATE;
        }
        self.edge(releaser, process);
        self.runnable.push_back(process.index());
    }

    /// Reports that all events of `from` so far happen before the next ones of `to`.
    pub(crate) fn edge(&mut self, from: ProcessId, to: ProcessId) {
        let past = self.processes[from.index()].past;
        let slot = &mut self.processes[to.index()];
        slot.past = mix(slot.past, past as usize);
        if let Some(performed) = self.performed() {
            performed.edges.push(Edge { from, to });
        }
    }
}
