//! Taking a step.

use std::sync::atomic::Ordering;

use mazurka_core::model::{Action, Forgone, Lesson, Op, Performed, Step};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::LlvmMachine;
use super::awaits::Await;
use super::thread::{State, Status};

impl LlvmMachine {
    /// Takes a step that has begun.
    #[inline(always)]
    pub(super) fn run_step(
        &mut self,
        step: Step,
        performed: &mut Performed,
    ) -> Result<(), Box<Violation>> {
        let index = step.process.index();
        let State { status, action, atomic, .. } = &self.threads[index].state;
        let awaited = (*status == Status::Ready && action.awaits).then_some(action.when);
        let is_section = *atomic > 0;
        self.spare_debts(index);
        self.save_thread(index);
        self.choice = step.choice;
        self.take_guards(index);
        self.threads[index].state.status = Status::Running;
        self.threads[index].state.awaits = Await::No;
        self.run(index, true);
        if !self.runnable.is_empty() {
            self.run_all();
        }
        if self.violation.is_some() {
            self.perform_if_missing(index);
        }
        if let Some(when) = awaited
            && let Some(first) = self.performed.actions.first_mut()
        {
            *first = Action { when, ..first.awaiting() };
        }
        if !self.guards.is_empty() {
            self.performed.actions.append(&mut self.guards);
        }
        if is_section {
            self.end_section();
        }
        self.meet_debts(index);
        self.note_accesses();
        // The other fields are of messages.
        std::mem::swap(&mut self.performed.actions, &mut performed.actions);
        std::mem::swap(&mut self.performed.edges, &mut performed.edges);
        if !self.is_judging {
            performed.lesson = self.lesson();
        }
        let violation = self.take_violation();
        self.settle_awaits();
        self.check_round_trips();
        if performed.lesson.is_none() && !self.is_judging {
            performed.lesson = self.zero_net.lesson();
        }
        self.judge_livelock();
        match violation {
            Some(violation) => Err(violation),
            None => Ok(()),
        }
    }

    /// Runs all threads that can run without an action.
    pub(super) fn run_all(&mut self) {
        let mut next = 0;
        while next < self.runnable.len() {
            let thread = self.runnable[next];
            next += 1;
            if self.threads[thread].state.status == Status::Running {
                self.run(thread, false);
            }
        }
        self.runnable.clear();
    }

    /// Performs the action of a step that failed, unless it failed only after that. An action that is
    /// not performed has no races, and the step would not be tried in another order.
    #[cold]
    fn perform_if_missing(&mut self, thread: usize) {
        let Some(pending) = self.pending_before_step(thread) else { return };
        if self.performed.actions.is_empty() {
            let value = self.probe(self.threads[thread].state.probe);
            self.performed.actions.push(pending.failed(value));
        }
    }

    /// Returns whether the step has performed an action of an atomic section that is not over.
    #[inline]
    pub(super) fn is_within_section(&self, thread: usize) -> bool {
        self.threads[thread].state.atomic > 0 && !self.performed.actions.is_empty()
    }

    /// Says that a step in an atomic section might have performed other actions if it has read a value. Under
    /// a memory model, several accesses are not atomic, even if all are to one location.
    #[cold]
    fn end_section(&mut self) {
        let actions = &mut self.performed.actions;
        let accesses = actions.iter().filter(|action| action.op != Op::Fence);
        let are_several = accesses.count() > 1;
        if self.memory_orderings && are_several && self.violation.is_none() {
            let message = "an atomic section with several accesses is not supported under a memory model: \
                           use a mutex or an atomic read-modify-write, or check the program under the memory \
                           model `sc`, with an explorer of schedules such as `observers`";
            let violation =
                self.violation_at(self.pc, ViolationKind::Unsupported, message.to_owned());
            self.violation = Some(violation);
            return;
        }
        if let Some(read) =
            actions.iter().find(|action| !matches!(action.op, Op::Write | Op::Fence))
        {
            let on = read.on;
            actions.push(Action::new(Op::Forgone(Forgone::Anything), on));
        }
    }

    /// What has been learnt of the program since this was last asked.
    #[inline]
    fn lesson(&mut self) -> Option<Lesson> {
        let is_new = self.violation.is_some()
            && self.hides_addresses.load(Ordering::Relaxed)
            && (!std::mem::replace(&mut self.memory.shares_all, true)
                || !std::mem::take(&mut self.memory.private_locals).is_empty());
        match is_new {
            true => Some(Lesson::HiddenAddresses),
            false => {
                let lesson = self.arrivals.lesson().or_else(|| self.twins.lesson());
                lesson.or_else(|| self.patience.lesson())
            }
        }
    }

    /// Returns the violation of the current step, if it is one that counts.
    pub(super) fn take_violation(&mut self) -> Option<Box<Violation>> {
        self.violation.take().filter(|violation| self.counts(violation))
    }

    /// Returns whether a violation is one of the property that the program is checked for.
    pub(super) fn counts(&self, violation: &Violation) -> bool {
        self.options.property.as_ref().is_none_or(|property| property.counts(violation))
    }
}
