//! The observable state of a machine.

use mazurka_core::model::{Action, Birth, Location, Machine, ObjectId, Op, ProcessId, Step};

/// The next step of a process.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProcessSnapshot {
    /// The pending action.
    pub next: Option<Action>,
    /// The guards of the next step.
    pub guards: Vec<Action>,
    /// The other actions of the next step, as far as they are known.
    pub others: Vec<Action>,
    /// Whether the process can take a step.
    pub is_enabled: bool,
    /// The number of its alternatives, or 0 if it is not enabled.
    pub alternatives: u32,
}

impl ProcessSnapshot {
    fn of<M: Machine>(machine: &M, process: ProcessId) -> Self {
        // A pending action has no values yet: `before` is only the initial value for explorers.
        let pending = |action: &Action| named(machine, *action).performed(0, 0);
        let is_enabled = machine.is_enabled(process);
        ProcessSnapshot {
            next: machine.next(process).map(pending),
            guards: machine.guards(process).iter().map(pending).collect(),
            others: machine.others(process).iter().map(pending).collect(),
            is_enabled,
            alternatives: if is_enabled { machine.alternatives(process) } else { 0 },
        }
    }

    /// Returns all actions that the next step declares.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        self.next.iter().chain(&self.guards).chain(&self.others)
    }
}

/// The observable state of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    processes: Vec<ProcessSnapshot>,
    fingerprint: Option<u128>,
}

static ABSENT: ProcessSnapshot = ProcessSnapshot {
    next: None,
    guards: Vec::new(),
    others: Vec::new(),
    is_enabled: false,
    alternatives: 0,
};

impl Snapshot {
    /// Returns a snapshot of a machine.
    pub fn of<M: Machine>(machine: &M) -> Self {
        let processes = (0..machine.processes()).map(ProcessId::new);
        let processes = processes.map(|process| ProcessSnapshot::of(machine, process)).collect();
        Snapshot { processes, fingerprint: machine.fingerprint() }
    }

    /// Returns the number of processes, including processes that do not exist in this execution.
    pub fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Returns the next step of a process.
    pub fn process(&self, process: ProcessId) -> &ProcessSnapshot {
        self.processes.get(process.index()).unwrap_or(&ABSENT)
    }

    /// Returns all enabled steps.
    pub fn steps(&self) -> Vec<Step> {
        let processes = self.processes.iter().enumerate();
        let steps = processes.flat_map(|(index, process)| {
            let process_id = ProcessId::new(index);
            (0..process.alternatives).map(move |choice| Step { process: process_id, choice })
        });
        steps.collect()
    }

    /// Describes a difference between two states, if there is one.
    ///
    /// A machine may have seen more processes in one of the two states. These do not exist in the
    /// other.
    pub fn difference(&self, other: &Snapshot) -> Option<String> {
        for process in (0..self.processes().max(other.processes())).map(ProcessId::new) {
            let (mine, theirs) = (self.process(process), other.process(process));
            if mine != theirs {
                return Some(format!(
                    "process {process} is {mine:?} in one, {theirs:?} in the other"
                ));
            }
        }
        match (self.fingerprint, other.fingerprint) {
            (Some(mine), Some(theirs)) if mine != theirs => {
                Some("all pending actions are the same, but the fingerprints differ".to_owned())
            }
            _ => None,
        }
    }
}

/// The name that stands for all objects with late names.
pub(super) const LATE: ObjectId = ObjectId(u32::MAX);

/// Replaces the name of an object with a late name by one name for all such objects.
///
/// A machine may give an object a different name if a different process accesses it first, as long
/// as [`Machine::birth`] says so.
pub(super) fn named<M: Machine>(machine: &M, mut action: Action) -> Action {
    if machine.names_late() && machine.birth(action.on.object) != Birth::START {
        action.on = Location::whole(LATE);
    }
    action
}

/// The kind of a location: operations of different kinds are never on one location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Memory,
    Channel,
    Mailbox,
    EventQueue,
}

impl Kind {
    /// Returns the kind of location that an operation is on.
    pub(super) fn of(op: Op) -> Kind {
        use Op::*;
        match op {
            Read | Write | Update | Add | ReadPart | WritePart | CoverPart | LifePart => {
                Kind::Memory
            }
            Send { .. } | Receive { .. } | ReceiveNone | SendNone | Hangup | Close => Kind::Channel,
            Deliver { .. } | Take { .. } | TakeNone | Miss { .. } => Kind::Mailbox,
            Post { .. } | Dequeue { .. } => Kind::EventQueue,
            Forgone(forgone) => forgone.op().map_or(Kind::Memory, Kind::of),
            Fence => unreachable!("a fence has no location"),
        }
    }
}
