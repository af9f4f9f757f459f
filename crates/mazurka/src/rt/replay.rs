//! The steps of the current execution, and taking them again.
//!
//! A closure cannot be undone: to go back, it is started again and takes the same steps as before.
//! This is where most of the time goes, so a process that takes several steps in a row is not
//! suspended in between.

use mazurka_core::model::{Action, Birth, Location, Op, ProcessId, Step};
use mazurka_core::verdict::Violation;

use super::history::Signature;
use super::operation::{Operation, condition_holds};
use super::process::{Site, State};
use super::{ObjectCell, Runtime};

/// What has been done, and how much of it has been done again.
#[derive(Default)]
pub(super) struct Replay {
    steps: Vec<Step>,
    signatures: Vec<Signature>,
    /// How many of the steps have been taken in this run of the closure: all, except in a replay.
    taken: usize,
}

impl Replay {
    /// Forgets all steps.
    pub(super) fn clear(&mut self) {
        self.truncate(0);
    }

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

    /// Forgets all steps but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        self.steps.truncate(len);
        self.signatures.truncate(len);
        self.taken = self.steps.len();
    }

    /// The closure starts again: none of the steps has been taken in this run of it.
    ///
    /// Not before the run before has been torn down: what destructors do then is no step.
    pub(super) fn start_again(&mut self) {
        self.taken = 0;
    }

    /// Forgets the steps that have not been taken again.
    pub(super) fn give_up(&mut self) {
        self.truncate(self.taken);
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
        self.record_step();
        self.begin_again(process, choice);
    }

    /// The same in a replay, where nobody asks what a step has done.
    #[inline]
    fn begin_again(&mut self, process: usize, choice: u32) {
        self.choice = choice;
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
        let (step, expected) = self.next_again()?;
        let process = self.current;
        let action = operation.action.as_ref();
        let repeats = (operation.blocker.is_none() || operation.is_explained)
            && condition_holds(self, action)
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
            self.begin_again(process, step.choice);
            step.choice
        })
    }

    /// In a replay: the next step, if it is the current process that takes it.
    #[inline]
    fn next_again(&self) -> Option<(Step, &Signature)> {
        let (step, expected) = self.replay.next()?;
        let goes_on = step.process.index() == self.current
            // Whoever was created or released by the step before is to run first.
            && self.runnable.is_empty();
        goes_on.then_some((step, expected))
    }

    /// In a replay: [`repeat`](Self::repeat) for an operation that changes one object, which nothing
    /// holds back and which can go in one way only. If it is the next step, `change` tells the
    /// object's new value, and this returns the old one.
    ///
    /// Most steps of most programs are taken here, and most of the time goes into taking them again.
    #[inline]
    pub(crate) fn repeat_on(
        &mut self,
        object: &ObjectCell,
        (name, site): (&'static str, Site),
        change: impl FnOnce(u64) -> (Op, u64),
    ) -> Option<u64> {
        let (step, expected) = self.next_again()?;
        let process = self.current;
        let id = object.id_in(self)?;
        let repeats = self.processes[process].watch.guards().is_empty()
            && step.choice == 0
            && !self.in_pattern
            && self.recorder.is_none()
            && *expected == Signature { process, name, object: id.0, site, alternatives: 1 };
        repeats.then(|| {
            self.replay.advance();
            self.processes[process].pending.site = site;
            self.begin_again(process, 0);
            let old = self.value(id);
            let (op, new) = change(old);
            self.change(&Action::new(op, Location::whole(id)).performed(old, new));
            old
        })
    }

    /// In a replay: whether the current process, which has come to its next operation, is the one
    /// that goes on. If so, its step has begun.
    #[inline]
    pub(super) fn goes_on(&mut self) -> bool {
        let Some((step, expected)) = self.next_again() else { return false };
        let process = self.current;
        let goes_on = self.is_possible(step) && self.signature(process) == *expected;
        if goes_on {
            self.replay.advance();
            self.begin_again(process, step.choice);
        }
        goes_on
    }

    /// In a replay: begins the next step, and tells whose it is.
    ///
    /// # Errors
    ///
    /// If it cannot be taken, or would be another one than before.
    #[inline]
    pub(super) fn begin_next_again(&mut self) -> Option<Result<usize, Box<Violation>>> {
        let (step, expected) = self.replay.next()?;
        let process = step.process.index();
        if !self.is_possible(step) || self.signature(process) != *expected {
            let expected = *expected;
            self.replay.give_up();
            let common = self.replay.signatures();
            return Some(Err(self.nondeterminism(common, Some(&expected), process)));
        }
        self.replay.advance();
        self.begin_again(process, step.choice);
        Some(Ok(process))
    }
}
