//! The steps of the current execution, and taking them again.
//!
//! A closure cannot be undone: to go back, it is started again and takes the same steps as before.
//! This is where most of the time goes, so a process that takes several steps in a row is not
//! suspended in between.

use mazurka_core::model::{Birth, ProcessId, Step};

use super::Runtime;
use super::history::Signature;
use super::operation::Operation;
use super::process::State;

/// What has been done, and how much of it has been done again.
#[derive(Default)]
pub(super) struct Replay {
    steps: Vec<Step>,
    signatures: Vec<Signature>,
    /// How many of the steps have been taken in this run of the closure: all, except in a replay.
    taken: usize,
}

impl Replay {
    /// How many steps the execution has.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// What the steps were.
    pub(super) fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// Adds a step that is about to be taken.
    #[inline]
    pub(super) fn push(&mut self, step: Step, signature: Signature) {
        self.steps.push(step);
        self.signatures.push(signature);
        self.taken = self.steps.len();
    }

    /// Forgets all steps but the first `len`, and that any of these has been taken.
    pub(super) fn rewind(&mut self, len: usize) {
        self.steps.truncate(len);
        self.signatures.truncate(len);
        self.taken = 0;
    }

    /// Forgets the steps that have not been taken again.
    pub(super) fn give_up(&mut self) {
        self.steps.truncate(self.taken);
        self.signatures.truncate(self.taken);
    }

    /// The next step that is to be taken again.
    #[inline]
    pub(super) fn next(&self) -> Option<(Step, &Signature)> {
        Some((*self.steps.get(self.taken)?, &self.signatures[self.taken]))
    }

    /// Notes that it is being taken.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.taken += 1;
    }
}

impl Runtime {
    /// Whether `step` can be taken now.
    #[inline]
    pub(super) fn is_possible(&self, step: Step) -> bool {
        let process = step.process.index();
        process < self.processes.len()
            && self.is_enabled(process)
            && step.choice < self.alternatives(process)
    }

    /// Begins a step of a process.
    #[inline]
    pub(super) fn begin_step(&mut self, process: usize, choice: u32) {
        self.performed.clear();
        self.violation = None;
        self.choice = choice;
        self.record_step();
        self.take_guards(process);
        let slot = &mut self.processes[process];
        slot.state = State::Running;
        slot.steps += 1;
        slot.naming = Birth { process: ProcessId::new(process), steps: slot.steps };
        if let Some(handling) = &mut slot.handles {
            handling.steps += 1;
            // After how many steps of its process that is depends on what came before.
            slot.naming = Birth::LATE;
        }
        slot.named = 0;
        slot.messages = 0;
    }

    /// In a replay: if the current process has come to an operation that nothing holds back, and it
    /// is the one that goes on, begins its step and tells which alternative it takes.
    ///
    /// This is [`goes_on`](Self::goes_on) for the common case, in which nobody need know what the
    /// process is about to do, but for where.
    #[inline]
    pub(super) fn repeat(&mut self, operation: &Operation<'_>) -> Option<u32> {
        let (step, expected) = self.replay.next()?;
        let process = self.current;
        let action = operation.action.as_ref();
        let repeats = step.process.index() == process
            && self.runnable.is_empty()
            && operation.blocker.is_none()
            && action.is_none_or(|action| !action.waits)
            && self.processes[process].watch.guards().is_empty()
            && step.choice < operation.alternatives
            && *expected
                == Signature {
                    process,
                    name: operation.name,
                    object: Signature::object_of(action),
                    site: operation.site,
                    alternatives: operation.alternatives,
                };
        repeats.then(|| {
            self.replay.advance();
            // What the process does at its end is said to be where it has been last.
            self.processes[process].pending.site = operation.site;
            self.begin_step(process, step.choice);
            step.choice
        })
    }

    /// In a replay: whether the current process, which has come to its next operation, is the one
    /// that goes on. If so, its step has begun.
    #[inline]
    pub(super) fn goes_on(&mut self) -> bool {
        let Some((step, expected)) = self.replay.next() else { return false };
        let process = self.current;
        let goes_on = step.process.index() == process
            // Whoever was created or released by the step before is to run first.
            && self.runnable.is_empty()
            && self.is_possible(step)
            && self.signature(process) == *expected;
        if goes_on {
            self.replay.advance();
            self.begin_step(process, step.choice);
        }
        goes_on
    }
}
