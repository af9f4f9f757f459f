//! Threads that are interchangeable, as those of [`spawn_many`](crate::thread::spawn_many).

use mazurka_core::model::ProcessId;

use super::process::State;
use super::{Runtime, alive, with};

/// The twins of a process, and whether it has some.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Kin {
    /// The twin that was created immediately before it.
    twin: Option<ProcessId>,
    has_twins: bool,
}

/// Makes two processes, which were created one after the other, twins.
pub(crate) fn pair_twins(elder: ProcessId, younger: ProcessId) {
    if alive() {
        with(|rt| {
            if !rt.twins_are_apart {
                rt.processes[elder.index()].kin.has_twins = true;
                let kin = Kin { twin: Some(elder), has_twins: true };
                rt.processes[younger.index()].kin = kin;
            }
        });
    }
}

/// The current process asks who it is: if it has twins, they are told apart.
pub(crate) fn tell_twins_apart() {
    with(|rt| {
        if let Some(process) = rt.processes.get(rt.current) {
            rt.tells_twins_apart |= process.kin.has_twins;
        }
    });
}

impl Runtime {
    /// Returns the previous twin of a process, unless twins are told apart, which may be so before the
    /// first step. If ends are steps, joining two twins takes a step for each, which tells them apart.
    pub(super) fn twin(&self, process: ProcessId) -> Option<ProcessId> {
        let slot = self.processes.get(process.index())?;
        let are_apart = self.twins_are_apart || self.watched.ends;
        slot.kin.twin.filter(|_| slot.state != State::Absent && !are_apart)
    }
}
