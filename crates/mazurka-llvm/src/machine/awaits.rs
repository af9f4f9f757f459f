//! Awaits: reads that end a loop, or satisfy an assumption, only at some values.
//!
//! An iteration of a loop is *pure* if it performs one action, which changes nothing, and returns
//! to that action with the same local state. Removing it from an execution changes nothing for any
//! thread. So the machine does not run pure iterations: the action waits until its location has a
//! value at which the iteration is not pure. This is the await statement of Jonsson, Lång and
//! Sagonas (*Awaiting for Godot*, FMCAD 2022), found at run time.
//!
//! Which values these are is found by trying. When a thread arrives at an atomic access in a loop,
//! the machine runs it with every value that the location has had in this execution, and undoes
//! that. When another thread changes the location, the machine tries the new value. An explorer
//! asks about no other values: it moves an event only before events that came earlier.
//!
//! The same holds for `__VERIFIER_assume` of a condition on one atomic access. At a value for which
//! the assumption fails, the access waits instead.
//!
//! The last access of an iteration that performs several, and changes nothing, waits as well, if another
//! loop within the iteration waits for the same location. Suppose that it sees a value at which the iteration
//! changes nothing. Then the thread would not go on, since the same happens in an execution without the
//! iteration. So it need not perform the access. If the execution ends meanwhile, it counts only if the
//! thread is in the loop for ever: if no value that the iteration has seen has changed since.
//!
//! Accesses to plain memory never wait: a data race of an iteration that is not run would be
//! missed. Other accesses of loops that read several locations are handled in [`spin`](super::spin).

use mazurka_core::model::{Action, Digest, Op as ActionOp, Values, Ways, When};

use super::frame::frames;
use super::thread::{State, Status};
use super::{LlvmMachine, tried};
use crate::bytecode::{Code, FRAME_HEADER, Op, Pc};
use crate::memory::{LogMark, NEVER_WRITTEN};

/// At most so many different values of a location are tried. At other values, a pure iteration is
/// run.
const MOST_VALUES: usize = 64;

/// Whether the action of a thread is an await.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Await {
    /// It is none.
    No,
    /// It has not been tried yet.
    New,
    /// It has been tried with the values of its location, the last of which is `value`.
    Tried { value: u64, attempt: Attempt },
    /// Likewise, and a guard holds it back at some values: see [`LlvmMachine::settle`].
    Guarded { value: u64, attempt: Attempt },
}

/// What a thread does if its action sees a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attempt {
    /// It does not come back to the action in the same state.
    GoesOn,
    /// It comes back to the action in the same state.
    Loops,
    /// It fails an assumption.
    FailsAssumption,
    /// It ends an iteration of a loop over several locations that changes nothing: see
    /// [`spin`](super::spin). In an execution without the iteration, the same happens.
    Retries,
}

/// What can be undone, as it was before an attempt.
pub(super) struct Before {
    state: State,
    pub(super) log: LogMark,
    locals: usize,
    printed: usize,
}

/// Returns, for every instruction, whether an assumption comes soon after it.
pub(crate) fn before_assumptions(code: &Code) -> Vec<bool> {
    /// A condition on one access takes fewer instructions.
    const SOON: usize = 24;
    let mut soon = Vec::new();
    for (pc, op) in code.ops.iter().enumerate() {
        let Op::CallLibrary { function, .. } = op else { continue };
        if is_assumption(code.library[*function as usize].name) {
            soon.resize(code.ops.len(), false);
            soon[pc.saturating_sub(SOON)..pc].fill(true);
        }
    }
    soon
}

/// Returns whether a library function assumes that a condition holds.
fn is_assumption(symbol: &str) -> bool {
    let names = ["__VERIFIER_assume", "__VERIFIER_await", "__ESBMC_assume", "__CPROVER_assume"];
    names.contains(&symbol) || symbol == "assume_abort_if_not"
}

/// Returns whether a call of a library function changes only memory and the thread that calls.
pub(crate) fn is_harmless(symbol: &str) -> bool {
    is_assumption(symbol)
        || matches!(symbol, "sched_yield" | "thrd_yield")
        || symbol.starts_with("llvm.")
}

impl LlvmMachine {
    /// Returns whether an action at which a thread is suspended may be an await.
    #[inline]
    pub(super) fn may_await(&self, thread: usize, pc: Pc, action: &Action) -> bool {
        let thread = &self.threads[thread];
        let is_soon = || self.before_assumptions.get(pc as usize).is_some_and(|soon| *soon);
        self.awaits
            && (thread.watch.is_watching() || is_soon())
            && matches!(action.op, ActionOp::Read | ActionOp::Update)
            && !action.plain
            && !action.waits
            && action.ways == Ways::One
            && action.on.len <= 8
            && thread.state.atomic == 0
            && thread.watch.guards.is_empty()
            && is_single_access(&self.code.ops[pc as usize])
    }

    /// Tries the actions that may be awaits with the values that their locations have got.
    #[inline]
    pub(super) fn settle_awaits(&mut self) {
        if self.has_awaits {
            self.settle_all();
        }
    }

    #[inline(never)]
    fn settle_all(&mut self) {
        for thread in 0..self.threads.len() {
            let state = &self.threads[thread].state;
            match state.awaits {
                _ if state.status != Status::Ready => {}
                Await::No => {}
                Await::Tried { value, .. } | Await::Guarded { value, .. }
                    if value == self.probe(state.probe) => {}
                _ => self.settle(thread),
            }
        }
    }

    /// Tries an action with the values of its location, and makes it wait if some of them lead
    /// back to it.
    ///
    /// A compare-exchange waits for the value that it expects. If the loop ends at another value as
    /// well, at which the compare-exchange fails, it does not wait itself, but has a guard.
    #[inline(never)]
    fn settle(&mut self, thread: usize) {
        let State { action, probe, awaits, .. } = self.threads[thread].state;
        let value = self.probe(probe);
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        let mut failing = std::mem::take(&mut self.failing);
        failing.clear();
        let exchanges = matches!(action.when, When::Equals(_));
        match (awaits, action.when) {
            (Await::Tried { .. }, When::Outside(known)) => failing.extend(known.as_slice()),
            (Await::Tried { .. }, When::Differs(known)) => failing.push(known),
            (Await::Tried { .. }, When::Always) => {}
            _ => self.memory.earlier_values(probe.byte, probe.len, MOST_VALUES, &mut values),
        }
        let known = failing.len();
        let mut is_mixed = false;
        let situation = self.situation(thread);
        for value in &values {
            match self.attempt_or_round_trip(thread, *value, situation) {
                Attempt::GoesOn => is_mixed |= exchanges && !action.when.holds(*value),
                Attempt::Loops | Attempt::FailsAssumption | Attempt::Retries => {
                    failing.push(*value);
                }
            }
        }
        let attempt = self.attempt_or_round_trip(thread, value, situation);
        match attempt {
            Attempt::GoesOn => is_mixed |= exchanges && !action.when.holds(value),
            _ if failing.contains(&value) => {}
            _ => failing.push(value),
        }
        let when = match failing[..] {
            // There is no new value at which the thread waits.
            _ if failing.len() == known && known > 0 => action.when,
            [] => When::Always,
            [one] => When::Differs(one),
            _ => When::Outside(Values::new(&failing)),
        };
        let has_guard = exchanges && is_mixed && when != When::Always;
        match has_guard || attempt == Attempt::Retries || self.threads[thread].watch.holds_back() {
            true => self.save_thread(thread),
            false => self.save_state(thread),
        }
        let slot = &mut self.threads[thread];
        slot.watch.guards.clear();
        slot.watch.probes.clear();
        match attempt {
            Attempt::Retries => slot.watch.retry.clone_from(&self.retry),
            Attempt::GoesOn | Attempt::Loops | Attempt::FailsAssumption => slot.watch.retry.clear(),
        }
        let state = &mut slot.state;
        state.awaits = Await::Tried { value, attempt };
        let action = &mut state.action;
        action.waits = when != When::Always && !is_mixed;
        if !exchanges {
            action.when = when;
        } else if has_guard {
            state.awaits = Await::Guarded { value, attempt };
            let guard = Action::new(ActionOp::Read, action.on).when(when).awaiting().guarding();
            slot.watch.guards.push(Action { before: value, ..guard });
            slot.watch.probes.push(probe);
        }
        action.awaits = action.waits;
        action.before = value;
        (self.values, self.failing) = (values, failing);
    }

    /// Returns what a thread does if there is a value at the location of its action: runs it, and undoes that,
    /// unless this has been [found out](super::tried) before.
    pub(super) fn attempt(
        &mut self,
        thread: usize,
        value: u64,
        situation: Option<Digest>,
    ) -> Attempt {
        let slot = &self.threads[thread];
        let never_written = NEVER_WRITTEN >> (64 - 8 * slot.state.probe.len);
        let waits_inside = slot.watch.waits_for(slot.state.action.on, &self.code.loops);
        let situation = situation.filter(|_| value != never_written);
        let key = situation.map(|at| tried::key(at, value, waits_inside));
        if let Some(known) = key.and_then(|key| self.outcomes.get(key)) {
            return known;
        }
        let finds = self.memory.finds();
        self.has_arrived = false;
        let (attempt, is_repeatable) = self.trying(thread, value, |machine, before, stack| {
            let finds = machine.memory.finds() - finds;
            let is_repeatable = machine.is_repeatable(thread, before, finds);
            (machine.outcome(thread, before, stack, waits_inside), is_repeatable)
        });
        // At the head of a loop, what the thread has done before may tell that it has ended an iteration.
        let may_retry = waits_inside && !self.memory_orderings && self.has_arrived;
        let is_repeatable = is_repeatable && (attempt == Attempt::Loops || !may_retry);
        if let Some(key) = key.filter(|_| is_repeatable) {
            self.outcomes.keep(key, attempt);
        }
        attempt
    }

    /// Runs a thread with a value at the location of its action, looks at what that has done, and undoes it.
    pub(super) fn trying<T>(
        &mut self,
        thread: usize,
        value: u64,
        look: impl FnOnce(&mut Self, &Before, &[u64]) -> T,
    ) -> T {
        let slot = &self.threads[thread];
        let state = slot.state;
        let mut stack = std::mem::take(&mut self.stack_before);
        stack.clear();
        stack.extend_from_slice(&slot.stack[..state.top as usize]);
        let (recorder, pc, running) = (self.recorder.take(), self.pc, self.running);
        let (choice, violation) = (self.choice, self.violation.take());
        self.tried.clear();
        std::mem::swap(&mut self.performed, &mut self.tried);
        let runnable = std::mem::take(&mut self.runnable);
        self.is_trying = true;
        self.begin_step();
        self.put(state.probe, value);
        let before = Before {
            state,
            log: self.memory.log_mark(),
            locals: self.memory.locals(thread),
            printed: self.output.len(),
        };
        self.save_thread(thread);
        self.choice = 0;
        self.threads[thread].watch.go_on();
        self.threads[thread].state.status = Status::Running;
        self.run(thread, true);
        let found = look(self, &before, &stack);
        self.undo_step();
        self.is_trying = false;
        (self.recorder, self.pc, self.running) = (recorder, pc, running);
        (self.choice, self.violation) = (choice, violation);
        std::mem::swap(&mut self.performed, &mut self.tried);
        (self.runnable, self.stack_before) = (runnable, stack);
        found
    }

    /// Returns whether a thread has performed so many actions in an attempt, and nothing else besides local
    /// computations.
    pub(super) fn is_quiet(&self, before: &Before, actions: usize) -> bool {
        self.performed.actions.len() == actions
            && self.violation.is_none()
            && self.runnable.is_empty()
            && self.performed.edges.is_empty()
            && self.output.len() == before.printed
    }

    /// Returns what a thread has done in an attempt, before which its stack was this one. `waits_inside` is
    /// whether a loop [waits](super::spin::Watch::waits_for) for the location.
    fn outcome(
        &mut self,
        thread: usize,
        before: &Before,
        stack: &[u64],
        waits_inside: bool,
    ) -> Attempt {
        let changes_nothing = |action: &Action| action.before == action.after;
        if !self.is_quiet(before, 1) || !self.performed.actions.iter().all(changes_nothing) {
            return Attempt::GoesOn;
        }
        let new = self.threads[thread].state;
        if new.status == Status::Stopped {
            return Attempt::FailsAssumption;
        }
        if self.is_back(thread, before, stack) {
            return Attempt::Loops;
        }
        // Under a memory model, an explorer looks at all reads of the iteration. If no loop waits for
        // the location, explorers would order all stores there because of the wait.
        if self.memory_orderings || self.is_judging || !waits_inside || !self.has_spun(thread) {
            return Attempt::GoesOn;
        }
        self.retry.set(new.pc, &self.threads[thread].watch);
        Attempt::Retries
    }

    /// Returns whether a thread is where it was before an attempt, with the same local state, and memory is as it
    /// was. `stack` is its stack before.
    pub(super) fn is_back(&self, thread: usize, before: &Before, stack: &[u64]) -> bool {
        let new = &self.threads[thread].state;
        new.is_ready_like(&before.state)
            && self.memory.locals(thread) == before.locals
            && self.has_same_frames(thread, stack)
            && self.memory.is_unchanged_since(&before.log, new.space.next..new.space.end)
    }

    /// Returns whether the frames of a thread are the same as in `stack`, as far as they matter.
    fn has_same_frames(&self, thread: usize, stack: &[u64]) -> bool {
        let code = &self.code;
        let thread = &self.threads[thread];
        frames(code, thread).all(|(base, pc)| {
            let (new, old) = (&thread.stack[base as usize..], &stack[base as usize..]);
            let given = code.function_around(pc).map_or(FRAME_HEADER, |function| function.given());
            new[..given as usize] == old[..given as usize]
                && code.live_at(pc).iter().all(|slot| new[*slot as usize] == old[*slot as usize])
        })
    }

    /// Returns whether a thread waits in a loop or for an assumption.
    pub(super) fn is_awaiting(&self, thread: usize) -> Option<Attempt> {
        let state = &self.threads[thread].state;
        match state.awaits {
            _ if state.status != Status::Ready => None,
            Await::Tried { attempt, .. } if state.action.waits => Some(attempt),
            Await::Guarded { attempt, .. } => Some(attempt),
            _ => None,
        }
    }
}

/// Returns whether an instruction performs one atomic access.
pub(super) fn is_single_access(op: &Op) -> bool {
    matches!(op, Op::Load { .. } | Op::CompareExchange { .. } | Op::ReadModifyWrite { .. })
}
