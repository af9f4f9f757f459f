//! The steps of the current execution, and taking them again.
//!
//! A closure cannot be undone: to go back, it is started again and takes the same steps as before.
//! This is where most of the time goes, so a process that takes several steps in a row is not
//! suspended in between.

use mazurka_core::model::{Action, Birth, Location, ObjectId, Op, ProcessId, Step, View};
use mazurka_core::verdict::Violation;
use rustc_hash::FxHashMap;

use super::ahead::Fate;
use super::awaits::Stage;
use super::history::Signature;
use super::local_state::mix;
use super::process::{Site, State};
use super::{ObjectCell, Runtime};

/// What has been done, and how much of it has been done again.
#[derive(Default)]
pub(super) struct Replay {
    steps: Vec<(Step, Signature)>,
    /// What each step saw of memory, and the value that its first action left. Empty unless the program
    /// is checked under a memory model.
    views: Vec<(View, Option<u64>)>,
    /// How many of the steps have been taken in this run of the closure: all, except in a replay.
    taken: usize,
    /// What processes would do in some moments of any execution if they went on alone, by what has happened
    /// before.
    fates: FxHashMap<u64, Fate>,
    /// What processes would do in moments of this execution, by the process and its steps, with the number of steps
    /// of the execution up to the moment.
    own: FxHashMap<(usize, u32), (usize, Fate)>,
    /// The moment whose fate is being found out, and the number of steps up to it.
    asked: Option<(Moment, usize)>,
}

/// What decides on the fate of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Moment {
    /// A digest of everything that happened before it, if there is one. Where it is the same, the fate is the
    /// same. It may differ in the next run of the same steps: the program may have stored an address.
    pub(super) past: Option<u64>,
    /// The process, and how many steps it has taken in this execution.
    pub(super) at: (usize, u32),
}

/// As many fates are remembered.
const MOST_FATES: usize = 1 << 16;

/// A step, and what it saw of memory.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    step: (Step, Signature),
    view: Option<(View, Option<u64>)>,
}

impl Taken {
    pub(super) fn step(&self) -> Step {
        self.step.0
    }

    pub(super) fn view(&self) -> View {
        self.view.map_or(View::PRESENT, |(view, _)| view)
    }
}

impl Replay {
    /// Forgets all steps.
    pub(super) fn clear(&mut self) {
        self.truncate(0);
        self.fates.clear();
        self.own.clear();
    }

    /// How many steps the execution has.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The steps, and what they were.
    pub(super) fn steps(&self) -> &[(Step, Signature)] {
        &self.steps
    }

    /// Adds a step that is about to be taken.
    #[inline]
    pub(super) fn push(&mut self, step: Step, signature: Signature) {
        self.steps.push((step, signature));
        self.taken = self.steps.len();
    }

    /// Sets what the last step sees of memory.
    pub(super) fn push_view(&mut self, view: View) {
        self.views.push((view, None));
    }

    /// Returns what a step saw of memory.
    #[inline]
    pub(super) fn view(&self, step: usize) -> View {
        self.views.get(step).map_or(View::PRESENT, |(view, _)| *view)
    }

    /// Returns what the next step that is to be taken again saw of memory.
    #[inline]
    fn next_view(&self) -> View {
        self.view(self.taken)
    }

    /// Notes the value that the first action of the current step leaves. Returns the value that it left
    /// before, if the step is taken again.
    pub(super) fn leaves(&mut self, value: u64) -> u64 {
        let step = self.taken.checked_sub(1).and_then(|step| self.views.get_mut(step));
        step.map_or(value, |(_, left)| *left.get_or_insert(value))
    }

    /// Forgets all steps but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        self.steps.truncate(len);
        self.views.truncate(len);
        self.taken = self.steps.len();
        self.own.retain(|_, (found, _)| *found <= len);
    }

    /// Returns what a process does, if that is known. Otherwise it is about to be found out.
    pub(super) fn fate(&mut self, moment: Moment) -> Option<&Fate> {
        let own = self.own.get(&moment.at).map(|(_, fate)| fate);
        let fate = own.or_else(|| self.fates.get(&moment.past?));
        if fate.is_none() {
            self.asked = Some((moment, self.taken));
        }
        fate
    }

    /// Takes all steps out, to be [put back](Self::put_back) one by one. What is known of them stays.
    pub(super) fn take_out(&mut self) -> Vec<Taken> {
        let len = self.steps.len();
        let views = self.views.drain(..).map(Some).chain(std::iter::repeat_n(None, len));
        let steps = self.steps.drain(..).zip(views);
        let taken = steps.map(|(step, view)| Taken { step, view }).collect();
        self.taken = 0;
        taken
    }

    /// Adds a step that was taken out, and is about to be taken again.
    pub(super) fn put_back(&mut self, Taken { step, view }: Taken) {
        self.steps.push(step);
        self.views.extend(view);
        self.taken = self.steps.len();
    }

    /// Takes no further steps again in this run of the closure.
    pub(super) fn pause(&mut self) {
        self.taken = self.steps.len();
    }

    /// Notes the fate that was being found out.
    pub(super) fn decide(&mut self, fate: Fate) {
        let Some((moment, found)) = self.asked.take() else { return };
        if let Some(past) = moment.past {
            if self.fates.len() >= MOST_FATES {
                self.fates.clear();
            }
            self.fates.insert(past, fate.clone());
        }
        self.own.insert(moment.at, (found, fate));
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
    pub(super) fn next(&self) -> Option<&(Step, Signature)> {
        self.steps.get(self.taken)
    }

    /// Notes that it is being taken.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.taken += 1;
    }
}

impl Runtime {
    /// What `step` would be, if it can be taken now.
    #[inline(always)]
    pub(super) fn possible(&self, step: Step) -> Option<Signature> {
        let slot = self.processes.get(step.process.index())?;
        let is_possible = match self.tuning.memory_orderings {
            // The explorer looks after the guards.
            true => self.is_possible(slot),
            false => self.can_go_on(slot),
        };
        if !is_possible {
            return None;
        }
        let signature = self.signature(slot);
        (step.choice < signature.alternatives).then_some(signature)
    }

    /// Begins a step of a process.
    #[inline(always)]
    pub(super) fn begin_step(&mut self, process: usize, choice: u32) {
        self.violation = None;
        self.record_step();
        self.begin_again(process, choice);
    }

    /// Takes a step in a replay, where no actions are recorded.
    #[inline(always)]
    pub(super) fn begin_again(&mut self, process: usize, choice: u32) {
        self.choice = choice;
        self.is_settled = false;
        self.guards.clear();
        let slot = &mut self.processes[process];
        self.pulse.step(slot.pending.site);
        if slot.await_.stage != Stage::None {
            self.awaits.awaited = slot.end_await();
        }
        let has_guards = slot.watch.begin_step();
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
        if choice != 0 {
            slot.past = mix(slot.past, choice as usize);
        }
        if has_guards {
            self.take_guards(process);
        }
    }

    /// Whether this is a replay, and the next step is one of the current process.
    #[inline]
    pub(super) fn is_next_again(&self) -> bool {
        self.next_again().is_some()
    }

    /// In a replay: the next step, if it is the current process that takes it.
    #[inline]
    fn next_again(&self) -> Option<&(Step, Signature)> {
        // Processes that the previous step has created or released run first.
        let is_its_own = |(step, _): &&(Step, Signature)| {
            step.process.index() == self.current && self.runnable.is_empty()
        };
        self.replay.next().filter(is_its_own)
    }

    /// In a replay: [`goes_on`](Self::goes_on) for an operation on one object, which nothing holds back
    /// now and which can go in one way only. If it is the next step, that has begun, and this returns
    /// the object.
    ///
    /// Most steps of most programs are taken here, and most of the time goes into taking them again.
    /// What is not the same at the first glance is left to others.
    #[inline]
    pub(crate) fn repeat(
        &mut self,
        object: impl FnOnce(&Runtime) -> Option<ObjectId>,
        (name, site): (&'static str, Site),
    ) -> Option<ObjectId> {
        self.arrive(site);
        let (step, expected) = self.next_again()?;
        let process = self.current;
        let id = object(self)?;
        let repeats = self.processes[process].watch.guards().is_empty()
            && step.choice == 0
            && !self.is_restricted()
            && self.recorder.is_none()
            && self.replay.next_view() == View::PRESENT
            && expected.is_at_a_glance(&Signature { name, object: id.0, site, alternatives: 1 });
        if !repeats {
            return None;
        }
        self.replay.advance();
        self.processes[process].pending.site = site;
        self.begin_again(process, 0);
        Some(id)
    }

    /// Repeats an operation that changes an object. `change` computes the new value from the old one, which is
    /// returned.
    #[inline]
    pub(crate) fn repeat_on(
        &mut self,
        object: &ObjectCell,
        operation: (&'static str, Site),
        change: impl FnOnce(u64) -> (Op, u64),
    ) -> Option<u64> {
        let id = self.repeat(|rt| object.id_in(rt), operation)?;
        let old = self.value(id);
        let (op, new) = change(old);
        self.change(Action::new(op, Location::whole(id)).performed(old, new));
        Some(old)
    }

    /// In a replay: whether the current process, which has come to its next operation, is the one
    /// that goes on. If so, its step has begun.
    #[inline(never)]
    pub(super) fn goes_on(&mut self) -> bool {
        let Some(&(step, expected)) = self.next_again() else { return false };
        self.see(step.process, self.replay.next_view());
        let goes_on = self.possible(step).is_some_and(|signature| signature == expected);
        match goes_on {
            true => {
                self.replay.advance();
                self.begin_again(self.current, step.choice);
            }
            false => self.unsee(),
        }
        goes_on
    }

    /// After a replay: makes sure that a step which is not to be taken again would be what it was.
    ///
    /// # Errors
    ///
    /// If it is another one, or none.
    #[inline]
    pub(super) fn could_repeat(
        &mut self,
        step: Step,
        expected: &Signature,
        view: View,
    ) -> Result<(), Box<Violation>> {
        self.see(step.process, view);
        let is_same = self.possible(step).is_some_and(|signature| signature == *expected);
        self.unsee();
        if is_same {
            return Ok(());
        }
        Err(self.nondeterminism(self.replay.steps(), Some(expected), step.process.index()))
    }

    /// In a replay: begins the next step, and tells whose it is.
    ///
    /// # Errors
    ///
    /// If it cannot be taken, or would be another one than before.
    #[inline]
    pub(super) fn begin_next_again(&mut self) -> Option<Result<usize, Box<Violation>>> {
        let &(step, expected) = self.replay.next()?;
        let process = step.process.index();
        self.see(step.process, self.replay.next_view());
        if self.possible(step).is_none_or(|signature| signature != expected) {
            self.unsee();
            self.replay.give_up();
            let common = self.replay.steps();
            return Some(Err(self.nondeterminism(common, Some(&expected), process)));
        }
        self.replay.advance();
        self.begin_again(process, step.choice);
        Some(Ok(process))
    }
}
