//! The contract between front ends and explorers.

use super::{Action, Birth, Lesson, Location, ObjectId, ProcessId, Step, Violation};

/// A program under the scheduler's control, in some state.
///
/// Between two steps every process is either at its next visible action, or waits for something
/// that is not an action of its own (a join, a notification), or has ended. Code between visible
/// actions is local: a machine runs it eagerly, as part of the step before it. So are the
/// creation of processes and everything that a process does once another one's step has released
/// it; a machine reports these as [edges](Edge).
///
/// # What a machine guarantees
///
/// * It is deterministic: the same steps lead to the same state.
/// * Process and object ids do not depend on the order of independent steps; see [`ProcessId`]
///   and [`Birth`].
/// * Actions that [`dependence`](super::dependence) calls independent commute: they lead to the
///   same state in both orders, and neither enables or disables the other.
/// * A process's pending action, and the number of its alternatives, are changed only by its own
///   steps, by edges into it, or by steps that are dependent on that action.
pub trait Machine {
    /// One more than the highest process id there has been in any execution so far.
    fn processes(&self) -> usize;

    /// What `process` does at its next step; `None` if it has ended, does not exist in this
    /// execution, or waits for an edge.
    ///
    /// A conditional action is given as it is declared, with its condition; if it waits, `before`
    /// is the location's initial value.
    fn next(&self, process: ProcessId) -> Option<&Action>;

    /// Returns the guards of the next step of `process`. The process can take the step only while the
    /// condition of one of them holds; see [`Action::guard`]. Returns an empty slice if nothing holds the
    /// process back, or if it has no next step.
    ///
    /// A process that spins has guards. The step that they hold back need not perform an action: it may
    /// be a choice.
    ///
    /// There is no default. An explorer never runs a process that spins before the steps that it spins
    /// on unless its guards say which steps these are; see [`is_explained`](super::is_explained).
    fn guards(&self, process: ProcessId) -> &[Action];

    /// Returns the actions that the next step of `process` performs besides [`next`](Machine::next), as
    /// far as they are known before the step. Every action that the step waits for is in one of the
    /// two: a transition of a Petri net waits for a token in each of several places. Returns an empty
    /// slice if the process has no next step.
    ///
    /// There is no default, for the same reason as for [`guards`](Machine::guards).
    fn others(&self, process: ProcessId) -> &[Action];

    /// Whether `process` can take a step now.
    ///
    /// It may have one that performs no action at all (a choice), for which
    /// [`next`](Machine::next) is `None`.
    fn is_enabled(&self, process: ProcessId) -> bool;

    /// How many alternatives the next step of an enabled `process` has; at least one.
    fn alternatives(&self, _process: ProcessId) -> u32 {
        1
    }

    /// Takes a step: performs the action, and runs the process on up to its next one.
    ///
    /// `performed` is empty on entry, and on return says what happened. The error is a failed
    /// assertion and the like; the process that failed has then ended, and the others may go on. A
    /// step that fails before its action has an effect performs it all the same, as
    /// [`Action::failed`]: without an action it would have no races, and explorers would not try it in
    /// another order.
    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>>;

    /// Goes back to the state after the first `len` steps.
    ///
    /// The error is a machine that could not get there: it is not deterministic.
    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>>;

    /// How the execution has ended. Asked only when no process is enabled.
    fn ending(&self) -> Ending;

    /// Who moved after `len` steps in the execution that the program is a recording of, if it is
    /// one. Explorers for such programs begin with that execution.
    fn recorded(&self, _len: usize) -> Option<ProcessId> {
        None
    }

    /// Whether some action may be on plain memory, which must not race.
    fn has_plain_memory(&self) -> bool {
        true
    }

    /// A digest of the whole state: of all that decides what the machine can do from now on, and of
    /// nothing else. `None` if the machine cannot tell.
    ///
    /// Two states with the same fingerprint must allow the same steps for ever. They need not have
    /// come about in the same way, so it must not depend on how many steps were taken.
    fn fingerprint(&self) -> Option<u128> {
        None
    }

    /// Writes down the state that the [fingerprint](Machine::fingerprint) is a digest of, behind what
    /// is there already, and returns the fingerprint.
    ///
    /// Two states whose fingerprints are the same by chance differ in what is written. A machine that
    /// writes nothing, which is the default, is taken at its fingerprint's word.
    fn write_state(&self, _words: &mut Vec<u64>) -> Option<u128> {
        self.fingerprint()
    }

    /// Since when an object has had its name.
    fn birth(&self, _object: ObjectId) -> Birth {
        Birth::START
    }

    /// Whether some objects get their names later than that: as processes come upon them.
    fn names_late(&self) -> bool {
        false
    }
}

/// Something that machines can be made of: a program and how to run it.
///
/// It is `Sync`, and every worker starts a machine of its own.
pub trait Program: Sync {
    /// What it runs as.
    type Machine: Machine;

    /// A machine in the program's initial state, which knows every [`Lesson`] that earlier machines
    /// have learnt.
    fn start(&self) -> Result<Self::Machine, Box<Violation>>;
}

/// That everything which `from` has done up to now happens before all that `to` will do.
///
/// `from` created `to`, or has ended and `to` joined it, or has notified `to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Whose past is passed on.
    pub from: ProcessId,
    /// Who receives it.
    pub to: ProcessId,
}

/// That the receive which took the message `taken` from a mailbox would have taken `other` if that
/// had been there first: it matches both.
///
/// A step that takes a message says so of every other message that is in the mailbox and that the
/// receive matches, and of every message that a process is just about to deliver there. A step that
/// delivers a message says so, with that as `other`, of every message that was taken from the
/// mailbox before by a receive that matches the new one; of receives that are [alike](Alike), of the
/// last one alone. Between them they say for every receive, and every message that it could have met,
/// whether the two go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rival {
    /// The mailbox.
    pub on: Location,
    /// The message that was taken.
    pub taken: u32,
    /// The one that could have been.
    pub other: u32,
}

/// That two receives from a mailbox match the same messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alike {
    /// The message that was taken.
    pub taken: u32,
    /// The one that was taken by the last receive before that matches the same.
    pub before: u32,
}

/// What a step did. One buffer is used for all steps.
#[derive(Clone, Debug, Default)]
pub struct Performed {
    /// The actions, as they were performed: mostly one; none for a pure choice; several for a
    /// step with guards or an atomic block. The action of [`Machine::next`] comes first.
    pub actions: Vec<Action>,
    /// The edges, in the order in which they came about.
    pub edges: Vec<Edge>,
    /// Which messages were, or turned out to be, in competition for a receive.
    pub rivals: Vec<Rival>,
    /// To which receive the one in this step is alike, if it is known to be to any.
    pub alike: Option<Alike>,
    /// What the machine has learnt in this step that must be known from the first step on, if
    /// anything. The search starts over, with a new machine of the same [`Program`] if it has one,
    /// and otherwise with this machine, [rewound](Machine::rewind) to its initial state. A lesson
    /// is reported once.
    pub lesson: Option<Lesson>,
}

impl Performed {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.actions.clear();
        self.edges.clear();
        self.rivals.clear();
        self.alike = None;
        self.lesson = None;
    }
}

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Every process has ended, or waits where it may wait for ever.
    Finished,
    /// An assumption failed, so the execution does not count.
    AssumptionFailed,
    /// Processes wait for each other, or spin for ever.
    Stuck(Box<Violation>),
}
