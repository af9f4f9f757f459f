//! A machine that follows one schedule.

use mazurka_core::model::{
    Action, Birth, Ending, Machine, ObjectId, Performed, ProcessId, Step, View,
};
use mazurka_core::verdict::{Schedule, Violation, ViolationKind};

/// A machine that follows a schedule to its end. An explorer then sees exactly the execution of the
/// schedule, and finds the same violations in it as in a search.
pub struct Scripted<M> {
    machine: M,
    schedule: Schedule,
    position: usize,
}

impl<M: Machine> Scripted<M> {
    /// Creates a machine from one in its initial state and the schedule to follow.
    pub fn new(machine: M, schedule: Schedule) -> Self {
        Scripted { machine, schedule, position: 0 }
    }

    /// Returns the next step of the schedule, if there is one.
    fn scripted(&self) -> Option<Step> {
        self.schedule.steps().get(self.position).copied()
    }

    /// Returns whether the schedule allows `process` to move next. A process that is not allowed
    /// has no next step here.
    fn is_permitted(&self, process: ProcessId) -> bool {
        self.scripted().is_none_or(|step| {
            // Only an enabled process has alternatives.
            let has_choice = self.machine.has_memory_orderings()
                || !self.machine.is_enabled(process)
                || step.choice < self.machine.alternatives(process);
            step.process == process && has_choice
        })
    }
}

// A method that is not passed on would silently have its default.
#[deny(clippy::missing_trait_methods)]
impl<M: Machine> Machine for Scripted<M> {
    fn processes(&self) -> usize {
        self.machine.processes()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.machine.next(process).filter(|_| self.is_permitted(process))
    }

    fn guards(&self, process: ProcessId) -> &[Action] {
        match self.is_permitted(process) {
            true => self.machine.guards(process),
            false => &[],
        }
    }

    fn others(&self, process: ProcessId) -> &[Action] {
        match self.is_permitted(process) {
            true => self.machine.others(process),
            false => &[],
        }
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        // Under a memory model a step may see another value than memory holds.
        let may_see = self.machine.has_memory_orderings()
            && self.scripted().is_some()
            && self.machine.next(process).is_some();
        (may_see || self.machine.is_enabled(process)) && self.is_permitted(process)
    }

    fn waits(&self, process: ProcessId) -> bool {
        self.is_permitted(process) && self.machine.waits(process) && !self.is_enabled(process)
    }

    fn first_enabled(&self, from: ProcessId) -> Option<ProcessId> {
        (from.index()..self.processes()).map(ProcessId::new).find(|p| self.is_enabled(*p))
    }

    fn first_waiting(&self, from: ProcessId) -> Option<ProcessId> {
        (from.index()..self.processes()).map(ProcessId::new).find(|p| self.waits(*p))
    }

    fn alternatives(&self, process: ProcessId) -> u32 {
        match self.scripted() {
            // The explorer `graphs` follows the schedule itself.
            Some(_) if !self.machine.has_memory_orderings() => 1,
            _ => self.machine.alternatives(process),
        }
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let scripted = self.scripted();
        self.position += 1;
        self.machine.step(scripted.unwrap_or(step), performed)
    }

    fn has_memory_orderings(&self) -> bool {
        self.machine.has_memory_orderings()
    }

    fn place(&self, process: ProcessId) -> Option<String> {
        self.machine.place(process)
    }

    fn value(&self, process: ProcessId) -> Option<u64> {
        self.next(process)?;
        self.machine.value(process)
    }

    fn step_seeing(
        &mut self,
        step: Step,
        view: View,
        performed: &mut Performed,
    ) -> Result<(), Box<Violation>> {
        self.position += 1;
        self.machine.step_seeing(step, view, performed)
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        self.position = len;
        self.machine.rewind(len)
    }

    fn ending(&self) -> Ending {
        let Some(step) = self.scripted() else { return self.machine.ending() };
        let message = format!(
            "the schedule does not fit the program: its step {} is `{step}`, but process {} \
             cannot take it there; was the program changed since?",
            self.position + 1,
            step.process
        );
        Ending::Stuck(Box::new(Violation::new(ViolationKind::Nondeterminism, message)))
    }

    /// The schedule says what to run, not the recording.
    fn recorded(&self, _len: usize) -> Option<ProcessId> {
        None
    }

    fn has_plain_memory(&self) -> bool {
        self.machine.has_plain_memory()
    }

    /// What a machine does next depends on its position in the schedule, too.
    fn fingerprint(&self) -> Option<u128> {
        None
    }

    fn write_state(&self, _words: &mut Vec<u64>) -> Option<u128> {
        None
    }

    /// Returns `None`: the script says which of several twins moves.
    fn twin(&self, _process: ProcessId) -> Option<ProcessId> {
        None
    }

    fn retries(&self, process: ProcessId) -> &[Action] {
        self.machine.retries(process)
    }

    fn takes_back(&self) -> bool {
        self.machine.takes_back()
    }

    fn birth(&self, object: ObjectId) -> Birth {
        self.machine.birth(object)
    }

    fn names_late(&self) -> bool {
        self.machine.names_late()
    }

    fn abandon(&mut self) {
        self.machine.abandon();
    }
}
