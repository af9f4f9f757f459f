//! Awaits: operations in loops that wait for one location.
//!
//! A thread that reads a location again and again until its value ends the loop does nothing else in an
//! iteration that does not end it. Such an iteration is [pure](super::iteration), and removing it from an execution
//! changes nothing for any thread. So it is not run: the operation waits until its location has a value at which
//! the iteration is not pure. This is the await statement of Jonsson, Lång and Sagonas (*Awaiting for Godot*,
//! FMCAD 2022), found at run time.
//!
//! When a thread arrives at such an operation, the machine interprets the iteration for every value that the
//! location has had in this execution. When another thread changes the location, it does so for the new value. An
//! explorer asks about no other values: it moves an event only before events that came earlier.
//!
//! Interpreting an iteration takes longer than a step. So this is done only at places in the source where an
//! iteration has once been found to be pure. At first, these are operations that a thread has just performed at
//! the same place on the same object, without a change. The search starts over with what it has learnt
//! ([`Lesson::Loops`](mazurka_core::model::Lesson::Loops)).
//!
//! A compare-exchange waits for the value that it expects. If the loop ends at another value as well, at which the
//! compare-exchange fails, it does not wait itself, but has a guard.

use mazurka_core::model::{Action, ObjectId, Op, Values, Ways, When};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Runtime;
use super::iteration::{Interpreter, Known, Noted, Outcome, suspend_noting};
use super::operation::Suspension;
use super::process::{Process, Site, State, Suspender};
use super::spin::identity;

/// So many different values of a location are tried. At other values, a pure iteration is run.
const MOST_VALUES: usize = 64;
/// A place where so many iterations were not pure is not tried any more, if none was.
const MOST_FAILURES: u32 = 32;
/// Marks a suspender of a process whose registers are noted.
const NOTES: usize = 2;

/// How far it is known whether an operation is an await.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Stage {
    /// It is none.
    #[default]
    None,
    /// It may be in a loop at a place that is not known yet.
    Candidate,
    /// It has not been tried yet.
    New,
    /// It has been tried with the values of its location, the last of which is this one.
    Tried(u64),
}

/// Whether the operation of a process waits as a loop does.
#[derive(Default)]
pub(super) struct Await {
    pub(super) stage: Stage,
    /// The places and the objects of the last operations on atomics, latest first.
    last: [Option<(usize, ObjectId)>; 3],
    known: Option<Known>,
    noted: Noted,
}

impl Await {
    /// Forgets the execution.
    pub(super) fn clear(&mut self) {
        (self.stage, self.last) = (Stage::None, [None; 3]);
    }

    /// Returns the stack pointer and the registers that a function preserves, if the process has noted them at its
    /// operation.
    pub(super) fn noted(&self) -> Option<[usize; 7]> {
        (self.stage != Stage::None).then_some(self.noted.words)
    }
}

/// What has been found out about a place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// An operation there waits for one location.
    Await(usize),
    /// Local states there may be equal by chance, and differ elsewhere.
    Strict(usize),
}

/// The loops that wait for one location.
#[derive(Default)]
pub(super) struct Awaits {
    /// The places in the source of their operations.
    places: Vec<usize>,
    /// How often an iteration that begins at a place was not pure, for places that are not known.
    failures: FxHashMap<usize, u32>,
    /// Those at which only states count as the same that are not equal by chance.
    strict_places: Vec<usize>,
    /// A place that has just turned out to be in such a loop, or to be one of the latter.
    pub(super) found: Option<Found>,
    /// Whether there is any place, or something that may be one.
    pub(super) is_used: bool,
    /// What the operation of the current step has waited for, if it has waited as a loop does.
    pub(super) awaited: Option<When>,
    /// The values that locations have had in this execution, if they have changed.
    values: FxHashMap<ObjectId, Vec<u64>>,
    /// The places at which a detour has been found to lead back, and those at which one has been found not to.
    detours: FxHashSet<(usize, bool)>,
    interpreter: Interpreter,
    /// The values that an operation is tried with, and those at which its iteration is pure. Reused.
    tried: Vec<u64>,
    failing: Vec<u64>,
}

impl Awaits {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.strict_places.clear();
        self.failures.clear();
        self.detours.clear();
        self.found = None;
        self.is_used = false;
        self.start_again();
    }

    /// Forgets the execution.
    #[inline]
    pub(super) fn start_again(&mut self) {
        if self.is_used {
            self.awaited = None;
            self.values.values_mut().for_each(Vec::clear);
        }
    }

    /// Adds places.
    pub(super) fn learn(&mut self, places: &[Found]) {
        for found in places {
            match found {
                Found::Await(place) => self.places.push(*place),
                Found::Strict(place) => self.strict_places.push(*place),
            }
        }
        self.is_used |= !places.is_empty();
    }

    /// Takes note of the values that an action has found and left.
    #[cold]
    pub(super) fn keep_values(&mut self, action: &Action) {
        if self.places.is_empty() {
            return;
        }
        let values = self.values.entry(action.on.object).or_default();
        for value in [action.before, action.after] {
            if values.len() < MOST_VALUES && !values.contains(&value) {
                values.push(value);
            }
        }
    }
}

impl Process {
    /// Returns the next action, if it waits as a loop does.
    pub(super) fn awaits(&self) -> Option<&Action> {
        let action = self.pending.action()?;
        (self.state == State::AtOperation && action.awaits).then_some(action)
    }

    /// The process takes its step. Returns what it has waited for, if it has waited as a loop does.
    #[cold]
    pub(super) fn end_await(&mut self) -> Option<When> {
        self.await_.stage = Stage::None;
        let action = self.pending.action_mut()?;
        action.before = 0;
        std::mem::take(&mut action.awaits).then_some(action.when)
    }
}

/// Suspends the current process, at an operation that may be an await.
///
/// # Safety
///
/// The words come from [`Runtime::note_await`], and the process has not been suspended since.
#[inline(always)]
pub(crate) unsafe fn suspend_in_loop([suspender, at]: [usize; 2]) {
    if suspender & NOTES == 0 {
        // SAFETY: as the caller promises.
        return unsafe { Suspension::of_words([suspender, at]) }.suspend();
    }
    let suspender = std::ptr::with_exposed_provenance::<Suspender>(suspender - NOTES);
    // SAFETY: as the caller promises.
    unsafe { suspend_noting(suspender, std::ptr::with_exposed_provenance_mut(at)) };
}

impl Runtime {
    /// Returns `None` if the operation that the current process is about to announce is in no loop that waits for
    /// one location, as far as is known. Otherwise returns whether it is one of the last operations again.
    #[inline]
    pub(crate) fn may_await(&mut self, site: Site, on: ObjectId) -> Option<bool> {
        let slot = &mut self.processes[self.current];
        let (last, here) = (&mut slot.await_.last, Some((identity(site), on)));
        let has_been_here = last.contains(&here);
        if last[0] != here {
            *last = [here, last[0], last[1]];
        }
        let is_again =
            has_been_here && slot.watch.known().iter().any(|(known, _)| known.object == on);
        (is_again || !self.awaits.places.is_empty()).then_some(is_again)
    }

    /// The current process is about to be suspended at an operation that may be in a loop. Returns what
    /// [`suspend_in_loop`] needs.
    pub(crate) fn note_await(
        &mut self,
        (site, is_again): (Site, bool),
        suspension: Suspension<'_>,
        known: Known,
    ) -> [usize; 2] {
        let [suspender, at] = suspension.into_words();
        #[cfg(test)]
        if super::mutation::has_no_awaits() {
            return [suspender, at];
        }
        let place = identity(site);
        let is_known = self.awaits.places.contains(&place);
        let failures = || self.awaits.failures.get(&place).copied().unwrap_or(0);
        let is_candidate = is_known || (is_again && failures() < MOST_FAILURES);
        if !Interpreter::IS_SUPPORTED || self.runs_out || !is_candidate {
            return [suspender, at];
        }
        self.awaits.is_used = true;
        let slot = &mut self.processes[self.current];
        slot.await_.stage = if is_known { Stage::New } else { Stage::Candidate };
        let at = (&raw mut slot.await_.noted).expose_provenance();
        let suspender = suspender | NOTES;
        slot.await_.known = Some(Known { suspender, at, ..known });
        [suspender, at]
    }

    /// Tries the operations that may be awaits with the values that their locations have got.
    #[cold]
    #[inline(never)]
    pub(super) fn settle_awaits(&mut self) {
        for index in 0..self.created.len() {
            let process = self.created[index];
            let slot = &self.processes[process];
            if slot.state != State::AtOperation || slot.await_.stage == Stage::None {
                continue;
            }
            let Some(action) = slot.pending.action() else { continue };
            let value = self.value(action.on.object);
            match slot.await_.stage {
                Stage::Tried(last) if last == value => {}
                Stage::Candidate => self.try_candidate(process),
                _ => self.settle_await(process, value),
            }
        }
    }

    /// Finds out whether an operation is in a loop that waits, with the value that the process has just read.
    fn try_candidate(&mut self, process: usize) {
        let slot = &mut self.processes[process];
        slot.await_.stage = Stage::None;
        let place = identity(slot.pending.site);
        let Some(on) = slot.pending.action().map(|action| action.on) else { return };
        let read = slot.watch.known().iter().find(|(known, _)| *known == on);
        let Some(&(_, value)) = read else { return };
        let mut values = std::mem::take(&mut self.awaits.tried);
        self.list_values(on.object, value, &mut values);
        let slot = &self.processes[process];
        let Await { known: Some(known), noted, .. } = &slot.await_ else { return };
        // SAFETY: the process is suspended at the operation, and has noted its registers.
        unsafe { self.awaits.interpreter.look_at(*noted, slot.stack_end) };
        let interpreter = &mut self.awaits.interpreter;
        let leads_back = |value: &u64| match interpreter.compare(known, *value) {
            Outcome::Same | Outcome::Alike => true,
            Outcome::Leaves => interpreter.detours(known, *value, &values) == Some(true),
            _ => false,
        };
        match values.iter().any(leads_back) {
            true => self.awaits.found = Some(Found::Await(place)),
            false => *self.awaits.failures.entry(place).or_default() += 1,
        }
        self.awaits.tried = values;
    }

    /// Tries an operation with the values of its location, and makes it wait if some of them lead back to it.
    fn settle_await(&mut self, process: usize, value: u64) {
        let slot = &self.processes[process];
        let is_tried = matches!(slot.await_.stage, Stage::Tried(_));
        let Some(&action) = slot.pending.action() else { return };
        let has_own_guards = !is_tried && !slot.watch.guards().is_empty();
        let is_single = matches!(action.op, Op::Read | Op::Update) && action.ways == Ways::One;
        if has_own_guards || !is_single || action.plain {
            self.processes[process].await_.stage = Stage::None;
            return;
        }
        let exchanges = matches!(action.when, When::Equals(_));
        let mut values = std::mem::take(&mut self.awaits.tried);
        let mut failing = std::mem::take(&mut self.awaits.failing);
        self.list_values(action.on.object, value, &mut values);
        let initial = values[0];
        self.find_failing(process, &values, &mut failing);
        let ends = |value: &u64| !failing.contains(value) && !action.when.holds(*value);
        let is_mixed = exchanges && values.iter().any(ends);
        let when = match failing[..] {
            [] => When::Always,
            [one] => When::Differs(one),
            _ => When::Outside(Values::new(&failing)),
        };
        (self.awaits.tried, self.awaits.failing) = (values, failing);
        let slot = &mut self.processes[process];
        slot.await_.stage = Stage::Tried(value);
        slot.watch.drop_guards();
        let Some(action) = slot.pending.action_mut() else { return };
        action.waits = when != When::Always && !is_mixed;
        action.awaits = action.waits;
        action.before = initial;
        if !exchanges {
            action.when = when;
        } else if is_mixed && when != When::Always {
            let guard = Action::new(Op::Read, action.on).when(when).awaiting().guarding();
            slot.watch.guard(Action { before: initial, ..guard });
        }
    }

    /// Lists the values that an object has had, and this one.
    fn list_values(&self, object: ObjectId, value: u64, values: &mut Vec<u64>) {
        values.clear();
        values.extend(self.awaits.values.get(&object).into_iter().flatten());
        if !values.contains(&value) {
            values.push(value);
        }
    }

    /// Finds the values at which the iteration of a process is pure.
    fn find_failing(&mut self, process: usize, values: &[u64], failing: &mut Vec<u64>) {
        failing.clear();
        let slot = &self.processes[process];
        let Await { known: Some(known), noted, .. } = &slot.await_ else { return };
        let place = identity(slot.pending.site);
        let is_strict = self.awaits.strict_places.contains(&place);
        let interpreter = &mut self.awaits.interpreter;
        // SAFETY: the process is suspended at the operation, and has noted its registers.
        unsafe { interpreter.look_at(*noted, slot.stack_end) };
        let mut to_another_state = None;
        for value in values {
            match interpreter.compare(known, *value) {
                Outcome::Same => failing.push(*value),
                _ if is_strict => {}
                Outcome::Leaves => {
                    let Some(detours) = interpreter.detours(known, *value, values) else {
                        continue;
                    };
                    let contradicts = &mut self.awaits.detours;
                    contradicts.insert((place, detours));
                    if contradicts.contains(&(place, !detours)) {
                        // Another value may have shown what was not known before.
                        self.awaits.found = Some(Found::Strict(place));
                        failing.push(*value);
                    } else if detours {
                        failing.push(*value);
                    }
                }
                outcome => {
                    failing.push(*value);
                    to_another_state =
                        (outcome != Outcome::Alike).then_some(*value).or(to_another_state);
                }
            }
        }
        let Some(value) = to_another_state else { return };
        // The first iteration may have code of its own, or there may be something in the state that does not matter.
        interpreter.go_on(known, value);
        let is_settled = failing.iter().all(|value| interpreter.loops(known, *value))
            && values.iter().all(|value| interpreter.converges(known, *value));
        if !is_settled {
            // Until the search starts over, the process waits as it did before.
            self.awaits.found = Some(Found::Strict(place));
        }
    }
}
