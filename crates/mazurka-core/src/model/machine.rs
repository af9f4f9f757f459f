//! The contract between front ends and explorers.

use super::{
    Action, Birth, Lesson, Location, ObjectId, ProcessId, Step, View, Violation, ViolationKind,
};

/// A program under the scheduler's control, in some state.
///
/// Between two steps, every process is at its next visible action, or waits for something that is
/// not an action of its own (a join, a notification), or has ended. Code between visible actions is
/// local: a machine runs it eagerly, as part of the preceding step. This includes the creation of
/// processes, and the code of a process that another process's step has released. A machine reports
/// these as [edges](Edge).
///
/// # What a machine guarantees
///
/// * It is deterministic: the same steps lead to the same state.
/// * Process and object ids do not depend on the order of independent steps; see [`ProcessId`] and
///   [`Birth`].
/// * Actions that [`dependence`](super::dependence) calls independent commute: they lead to the
///   same state in both orders, and neither enables or disables the other.
/// * The pending action of a process and the number of its alternatives change only by its own
///   steps, by edges to it, or by steps that are dependent on that action.
pub trait Machine {
    /// Returns one more than the highest process id in all executions so far.
    fn processes(&self) -> usize;

    /// Returns the next action of `process`, or `None` if it has ended, does not exist in this
    /// execution, or waits for an edge.
    ///
    /// A conditional action is returned as declared, with its condition. If it waits, `before` is
    /// the initial value of the location.
    fn next(&self, process: ProcessId) -> Option<&Action>;

    /// Returns the guards of the next step of `process`. The step is enabled only while the
    /// condition of one of them holds; see [`Action::guard`]. Returns an empty slice if the step
    /// has no guards, or if the process has no next step.
    ///
    /// A process that spins has guards. Its next step need not perform an action: it may be a
    /// choice.
    ///
    /// There is no default. An explorer never runs a process that spins before the steps that it
    /// spins on unless its guards say which steps these are; see
    /// [`is_explained`](super::is_explained).
    fn guards(&self, process: ProcessId) -> &[Action];

    /// Returns the actions that the next step of `process` performs besides
    /// [`next`](Machine::next), as far as they are known before the step. Together, the two contain
    /// every action that the step waits for: a transition of a Petri net waits for a token in each
    /// of several places. While the process waits, they contain all actions of the step, because an
    /// explorer may run it before the steps that disable it. Only a receive may omit some. Returns an
    /// empty slice if the process has no next step.
    ///
    /// There is no default, for the same reason as for [`guards`](Machine::guards).
    fn others(&self, process: ProcessId) -> &[Action];

    /// Returns whether `process` can take a step now.
    ///
    /// The step may perform no action (a choice). [`next`](Machine::next) is `None` then.
    fn is_enabled(&self, process: ProcessId) -> bool;

    /// Returns whether `process` has a next step that is not enabled.
    fn waits(&self, process: ProcessId) -> bool {
        let has_step = self.next(process).is_some() || !self.guards(process).is_empty();
        has_step && !self.is_enabled(process)
    }

    /// Returns the first process, by the order of ids and from `from` on, that
    /// [is enabled](Machine::is_enabled).
    ///
    /// Explorers ask this after every step. Asked of each process in turn, through a vtable, it took 2
    /// million instructions more for casrot(9).
    fn first_enabled(&self, from: ProcessId) -> Option<ProcessId> {
        (from.index()..self.processes()).map(ProcessId::new).find(|p| self.is_enabled(*p))
    }

    /// Returns the first process, by the order of ids and from `from` on, that
    /// [waits](Machine::waits).
    fn first_waiting(&self, from: ProcessId) -> Option<ProcessId> {
        (from.index()..self.processes()).map(ProcessId::new).find(|p| self.waits(*p))
    }

    /// Returns the number of alternatives of the next step of an enabled `process`; at least one.
    fn alternatives(&self, _process: ProcessId) -> u32 {
        1
    }

    /// Takes a step: performs the action, and runs the process up to its next one.
    ///
    /// `performed` is empty on entry, and describes the step on return. The error is a violation
    /// such as a failed assertion. The process that failed has then ended, and the others can
    /// continue. A step that fails before its action takes effect must still report the action, as
    /// [`Action::failed`]: without an action it would have no races, and explorers would not
    /// reverse it.
    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>>;

    /// Returns whether the machine can be checked under a memory model. Then all its actions on atomics,
    /// locks and the like have a [memory ordering](Action::ordering), its fences are steps, and it
    /// implements [`value`](Machine::value) and [`step_seeing`](Machine::step_seeing). The explorer
    /// `graphs` refuses other machines.
    fn has_memory_orderings(&self) -> bool {
        false
    }

    /// Returns where in the source the next action of `process` is, such as `queue.rs:41`.
    fn place(&self, _process: ProcessId) -> Option<String> {
        None
    }

    /// Returns the value that memory holds at the location of the [next](Machine::next) action of
    /// `process`, if that is on memory and the machine has memory orderings.
    fn value(&self, _process: ProcessId) -> Option<u64> {
        None
    }

    /// Takes a step like [`step`](Machine::step), but the location of the process's next action has the
    /// value `view.sees` for this step, and memory holds `view.leaves` there afterwards.
    ///
    /// Whether the step is possible depends on the value that it sees. The guards of the process do not
    /// hold it back, as the explorer looks after them.
    fn step_seeing(
        &mut self,
        _step: Step,
        _view: View,
        _performed: &mut Performed,
    ) -> Result<(), Box<Violation>> {
        let message = "this program cannot be checked under a memory model".to_owned();
        Err(Box::new(Violation::new(ViolationKind::Unsupported, message)))
    }

    /// Returns to the state after the first `len` steps.
    ///
    /// It fails if the machine could not reach that state, because the program is not
    /// deterministic.
    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>>;

    /// Returns how the execution has ended. Called only when no process is enabled.
    fn ending(&self) -> Ending;

    /// Returns the process that moved after `len` steps in the recorded execution, if the program
    /// is a recording. Explorers for such programs begin with that execution.
    fn recorded(&self, _len: usize) -> Option<ProcessId> {
        None
    }

    /// Returns whether some action may be on plain memory, which must not race.
    fn has_plain_memory(&self) -> bool {
        true
    }

    /// Returns a digest of the state, or `None` if the machine cannot compute one. The digest
    /// covers exactly the state that decides the future behaviour of the machine.
    ///
    /// Two states with the same fingerprint must allow the same steps forever. They may be reached
    /// in different ways, so the digest must not depend on the number of steps.
    fn fingerprint(&self) -> Option<u128> {
        None
    }

    /// Appends the state that the [fingerprint](Machine::fingerprint) is a digest of to `words`,
    /// and returns the fingerprint.
    ///
    /// If two states have the same fingerprint by chance, the words differ. For a machine that
    /// appends nothing, which is the default, explorers rely on the fingerprint alone.
    fn write_state(&self, _words: &mut Vec<u64>) -> Option<u128> {
        self.fingerprint()
    }

    /// Returns the *previous twin* of a process that exists in this execution, if it has one.
    ///
    /// The twin was created immediately before the process, by the same step of the same process, with
    /// the same code and with equal arguments. A permutation of the ids of twins turns every execution of
    /// the program into another one. A machine must therefore report no twins if some process may tell
    /// them apart: if it compares or prints their ids, or performs an action after it has joined one of
    /// them and before it has joined another. A machine that notices this late reports
    /// [`Lesson::Twins`](super::Lesson::Twins).
    ///
    /// A process has at most one next twin. The answer does not change while the process exists. By
    /// default, processes have no twins.
    fn twin(&self, _process: ProcessId) -> Option<ProcessId> {
        None
    }

    /// Returns the guards of a process that has run an iteration of a loop which changes nothing, and goes
    /// no further in this execution. The process is in the loop for ever if the conditions of all of them
    /// are false at the end, and the execution is dropped otherwise.
    ///
    /// `graphs` asks for them if it does not know which write to a location comes last. A machine that
    /// lets such a process go on instead has none, which is the default.
    fn retries(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    /// Returns whether a process has taken back an update in this execution, so that the machine may leave out
    /// the iteration of a loop that did so.
    ///
    /// Whether another process has noticed the update depends on the order of all accesses. `data-centric` orders
    /// only some of them, and leaves such a program to `optimal`. By default, no iteration with updates is left out.
    fn takes_back(&self) -> bool {
        false
    }

    /// Returns when an object got its name.
    fn birth(&self, _object: ObjectId) -> Birth {
        Birth::START
    }

    /// Returns whether some objects get their names only when processes first use them.
    fn names_late(&self) -> bool {
        false
    }

    /// Ends the current execution, because another machine of the program is about to replace this one.
    ///
    /// The explorer calls no other method afterwards. A machine whose executions use resources outside of
    /// it, such as statics, releases them.
    fn abandon(&mut self) {}
}

impl dyn Machine + '_ {
    /// Returns the enabled processes in the order of their ids.
    pub fn enabled(&self) -> impl Iterator<Item = ProcessId> + '_ {
        let after = |process: &ProcessId| self.first_enabled(process.next());
        std::iter::successors(self.first_enabled(ProcessId::MAIN), after)
    }

    /// Returns the processes that have a next step that is not enabled, in the order of their ids.
    pub fn waiting(&self) -> impl Iterator<Item = ProcessId> + '_ {
        let after = |process: &ProcessId| self.first_waiting(process.next());
        std::iter::successors(self.first_waiting(ProcessId::MAIN), after)
    }
}

/// A program that can be started as a machine.
///
/// It is `Sync`, and every worker starts its own machine.
pub trait Program: Sync {
    /// The machine that runs the program.
    type Machine: Machine;

    /// Returns a machine in the initial state of the program. It knows every [`Lesson`] that
    /// earlier machines have learnt.
    fn start(&self) -> Result<Self::Machine, Box<Violation>>;

    /// Returns the same program, whose machines give the same [ids](super::ObjectId) to the same
    /// processes and objects. Returns `None` if they cannot: then one worker does all the work.
    ///
    /// By default, a program has no such form.
    fn for_workers(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Returns a number that differs, almost certainly, between programs with different executions.
    /// A search is continued only with the program that it began with.
    fn digest(&self) -> u64 {
        0
    }

    /// Returns this program [for workers](Program::for_workers), with what its machines have learnt so
    /// far. From now on, the machines of the two programs learn nothing from each other. By default, the
    /// machines of a program learn nothing at all.
    fn apart(&self) -> Option<Self>
    where
        Self: Sized,
    {
        self.for_workers()
    }

    /// Returns what the machines of a program [for workers](Program::for_workers) have learnt, and
    /// the ids that they have given, so that a search can be continued by another process. Returns
    /// `None` if that is not possible.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// Restores what [`save`](Program::save) returned, before the first machine is started. Returns
    /// `false` if the bytes are malformed.
    fn restore(&self, _saved: &[u8]) -> bool {
        false
    }

    /// Sets whether the machines that are started from now on
    /// [have memory orderings](Machine::has_memory_orderings). Returns `false` if that cannot be changed.
    fn set_memory_orderings(&self, _has_memory_orderings: bool) -> bool {
        false
    }
}

/// An edge of the happens-before relation: all events of `from` up to now happen before all future
/// events of `to`.
///
/// `from` created `to`, or has ended and `to` joined it, or has notified `to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The process whose past is passed on.
    pub from: ProcessId,
    /// The process that receives it.
    pub to: ProcessId,
}

/// An edge of the happens-before relation from an earlier event: the first `steps` events of `from`
/// happen before all future events of `to`.
///
/// Unlike an [`Edge`], it does not pass on what `from` has done since then. Explorers use it for
/// [twins](Machine::twin); machines have no need for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Precedence {
    /// The process whose past is passed on.
    pub from: ProcessId,
    /// The number of its events, at least 1, that are passed on.
    pub steps: u32,
    /// The process that receives it.
    pub to: ProcessId,
}

/// The receive that took the message `taken` from a mailbox would have taken `other` if that had
/// been there first, because it matches both.
///
/// A step that takes a message reports a rival for every other matching message in the mailbox, and
/// for every matching message that a process is about to deliver there. A step that delivers a
/// message reports a rival, with that message as `other`, for every message taken by an earlier
/// receive whose pattern matches the new one. Of receives that are [alike](Alike), it names only
/// the last. Together, these reports say for every receive whether it matches each message that it
/// could have met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rival {
    /// The mailbox.
    pub on: Location,
    /// The message that was taken.
    pub taken: u32,
    /// The message that could have been taken.
    pub other: u32,
}

/// Two receives from a mailbox that match the same messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alike {
    /// The message that the later receive took. If it is a [miss](super::Op::Miss), the number of the
    /// receive.
    pub taken: u32,
    /// The message taken by the previous receive with the same pattern. If that receive is a miss, or
    /// [could have been one](super::Action::or_miss), its number as a miss.
    pub before: u32,
}

/// The effects of a step. One buffer is used for all steps.
#[derive(Clone, Debug, Default)]
pub struct Performed {
    /// The actions as they were performed. Most steps have one, a pure choice has none, and a step
    /// with guards or an atomic block has several. The action of [`Machine::next`] comes first.
    pub actions: Vec<Action>,
    /// The edges, in the order of their creation.
    pub edges: Vec<Edge>,
    /// The edges from earlier events.
    pub precedences: Vec<Precedence>,
    /// The precedence that this step had to wait for. It synchronises nothing: if the two steps conflict
    /// on plain memory, they race nevertheless.
    pub elder: Option<Precedence>,
    /// The messages that competed for a receive.
    pub rivals: Vec<Rival>,
    /// The earlier receive that matches the same messages as the receive in this step, if it is
    /// known.
    pub alike: Option<Alike>,
    /// A lesson of this step that must be known from the first step on. The search starts over,
    /// with a new machine of the same [`Program`] if it has one, and otherwise with this machine,
    /// [rewound](Machine::rewind) to its initial state. A lesson is reported once.
    pub lesson: Option<Lesson>,
}

impl Performed {
    /// Clears all fields.
    pub fn clear(&mut self) {
        self.actions.clear();
        self.edges.clear();
        self.precedences.clear();
        self.elder = None;
        self.rivals.clear();
        self.alike = None;
        self.lesson = None;
    }
}

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Every process has ended, or waits where it may wait forever.
    Finished,
    /// An assumption failed, so the execution does not count.
    AssumptionFailed,
    /// Processes wait for each other, or spin forever.
    Stuck(Box<Violation>),
}
