//! A closure under the scheduler's control.

use std::ptr::NonNull;
use std::sync::Arc;

use mazurka_core::model::{
    Action, Birth, Ending, Lesson, Machine, ObjectId, Performed, ProcessId, Step, View,
};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::departures::Departures;
use super::names::CommonNames;
use super::process::State;
use super::program::{Lessons, Main};
use super::recording::Recorder;
use super::{
    Entered, Fingerprint, Runtime, Tuning, abort, actors, object, overflow, panics, schedule,
    teardown,
};

/// A closure and its threads, in some state.
///
/// A closure cannot be undone: to go back, the machine starts it again and replays.
pub(crate) struct RustMachine<'a> {
    main: &'a Main<'a>,
    /// Owned. A raw pointer, since coroutines come at it from the side while a step runs.
    rt: NonNull<Runtime>,
    /// Shared with the program.
    lessons: Arc<Lessons>,
    /// What the user tells of the state.
    fingerprint: Option<Fingerprint>,
}

impl<'a> RustMachine<'a> {
    pub(super) fn start(
        main: &'a Main<'a>,
        tuning: Tuning,
        lessons: Arc<Lessons>,
        names: Option<CommonNames>,
        record: bool,
    ) -> (Self, Result<(), Box<Violation>>) {
        panics::install_hook();
        overflow::install();
        abort::install();
        let mut runtime = Runtime::new(tuning, &lessons);
        if let Some(names) = names {
            runtime.names.share(names);
        }
        if record {
            runtime.recorder = Some(Box::new(Recorder::default()));
        }
        let rt = NonNull::from(Box::leak(runtime));
        let mut machine = RustMachine { main, rt, lessons, fingerprint: None };
        let result = machine.restart();
        machine.settle_awaits();
        let result = result.and_then(|()| machine.take_violation(&mut Performed::default()));
        machine.runtime_mut().is_unheard_of = false;
        machine.lessons.keep_plural_sites(&machine.runtime().plural_sites);
        (machine, result)
    }

    /// Returns the machine with a fingerprint of its state.
    pub(super) fn with_fingerprint(self, fingerprint: Option<Fingerprint>) -> Self {
        let mut machine = self;
        machine.fingerprint = fingerprint;
        machine
    }

    pub(super) fn runtime(&self) -> &Runtime {
        // SAFETY: the machine owns it, and no coroutine runs while `self` is borrowed, as that
        // takes a step, which takes `self` mutably.
        unsafe { self.rt.as_ref() }
    }

    pub(super) fn runtime_mut(&mut self) -> &mut Runtime {
        // SAFETY: as for `runtime`.
        unsafe { self.rt.as_mut() }
    }

    /// Runs the closure from the start up to the first visible operations.
    #[inline(always)]
    fn restart(&mut self) -> Result<(), Box<Violation>> {
        self.begin()?;
        if self.runtime().ahead.is_some() {
            self.run_again(&mut Performed::default())?;
        }
        Ok(())
    }

    /// Runs the closure from the start, unless a process has to be run ahead.
    #[inline(always)]
    fn begin(&mut self) -> Result<(), Box<Violation>> {
        self.tear_down();
        if let Some(recorder) = &mut self.runtime_mut().recorder {
            **recorder = Recorder::default();
        }
        let rt = self.rt.as_ptr();
        let main: *const (dyn Fn() + '_) = self.main;
        // SAFETY: only the lifetime changes. `self.main` outlives the execution, which is torn
        // down at the latest when the machine is dropped.
        let main: *const (dyn Fn() + 'static) = unsafe { std::mem::transmute(main) };
        let _entered = Entered::new(rt);
        // SAFETY: the runtime is this machine's, and `&mut self` says that nothing else uses it.
        let begun = unsafe { schedule::begin(rt, main) };
        begun.map_err(|error| {
            let message = format!("there is no memory for a thread's stack: {error}");
            Box::new(Violation::new(ViolationKind::InvalidMemory, message))
        })
    }

    /// What there is to say about the last step beyond what it has done: mostly nothing.
    #[inline]
    fn take_violation(&mut self, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let rt = self.runtime();
        let asked = rt.wanted != Departures::default()
            || rt.resources.wanted.is_some()
            || rt.loops.has_news()
            || rt.awaits.found.is_some()
            || (rt.tells_twins_apart && !rt.twins_are_apart);
        match rt.violation.is_none() && !asked && rt.new_plural_site.is_none() {
            true => Ok(()),
            false => self.take_news(performed),
        }
    }

    #[cold]
    fn take_news(&mut self, performed: &mut Performed) -> Result<(), Box<Violation>> {
        if self.runtime().tells_twins_apart && !self.runtime().twins_are_apart {
            self.lessons.learn_to_tell_twins_apart();
            self.runtime_mut().twins_are_apart = true;
            performed.lesson = Some(Lesson::Twins);
        }
        let wanted = std::mem::take(&mut self.runtime_mut().wanted);
        if wanted != Departures::default() {
            performed.lesson = self.lessons.learn_to_watch(wanted);
        }
        if let Some((site, scrutiny)) = self.runtime_mut().resources.wanted.take() {
            self.lessons.learn_to_count(site, scrutiny);
            performed.lesson = Some(Lesson::Counts);
        }
        if let Some(place) = self.runtime_mut().loops.take_news() {
            self.lessons.learn_of_loop(place);
            performed.lesson = Some(Lesson::Loops);
        }
        if let Some(found) = self.runtime_mut().awaits.found.take() {
            self.lessons.learn_of_await(found);
            performed.lesson = Some(Lesson::Loops);
        }
        let violation = self.runtime_mut().violation.take();
        if self.learn_of_plural_site() {
            performed.lesson = Some(Lesson::Names);
            self.run_out_and_learn();
        }
        match violation {
            Some(violation) => Err(violation),
            None => Ok(()),
        }
    }

    pub(super) fn learn_of_plural_site(&mut self) -> bool {
        let site = self.runtime_mut().new_plural_site.take();
        if let Some(site) = site {
            self.lessons.learn_of_plural_site(site);
        }
        site.is_some()
    }

    /// Takes all steps again from the start, since a process was run ahead in the last one, and says what that
    /// one does.
    #[cold]
    #[inline(never)]
    fn run_again(&mut self, performed: &mut Performed) -> Result<(), Box<Violation>> {
        while self.runtime_mut().conclude() {
            let mut steps = self.runtime_mut().replay.take_out().into_iter();
            self.runtime_mut().is_exact = true;
            self.begin()?;
            for taken in steps.by_ref() {
                if self.runtime().ahead.is_some() || self.runtime().is_unstable() {
                    self.runtime_mut().replay.put_back(taken);
                    break;
                }
                let step = taken.step();
                // Whether it waits is a part of what the last step does.
                self.settle_awaits();
                let rt = self.runtime_mut();
                rt.replay.put_back(taken);
                rt.see(step.process, taken.view());
                performed.clear();
                rt.performed = Some(NonNull::from(&mut *performed));
                self.take(step);
                self.runtime_mut().unsee();
            }
            steps.for_each(|taken| self.runtime_mut().replay.put_back(taken));
        }
        self.runtime_mut().is_exact = false;
        self.runtime().check_stable()
    }

    #[inline(always)]
    pub(super) fn take(&mut self, step: Step) {
        let rt = self.rt.as_ptr();
        let _entered = Entered::new(rt);
        // SAFETY: the runtime is this machine's, and `&mut self` says that nothing else uses it.
        unsafe { schedule::step(rt, step.process.index(), step.choice) };
    }

    /// Returns whether a step that sees memory in this way can be taken now.
    pub(super) fn could_take(&mut self, step: Step, view: View) -> bool {
        let rt = self.runtime_mut();
        rt.see(step.process, view);
        let is_possible = rt.possible(step).is_some();
        rt.unsee();
        is_possible
    }

    /// Lets operations wait whose loops do not end with the values that their locations have got.
    #[inline]
    fn settle_awaits(&mut self) {
        if self.runtime().awaits.is_used {
            self.runtime_mut().settle_awaits();
        }
    }

    /// The steps so far.
    pub(super) fn len(&self) -> usize {
        self.runtime().replay.len()
    }
}

impl RustMachine<'_> {
    fn tear_down(&mut self) {
        if self.runtime().is_unfinished() {
            self.run_out();
        }
        let rt = self.rt.as_ptr();
        let _entered = Entered::new(rt);
        // SAFETY: the runtime is this machine's, and `&mut self` says that nothing else uses it.
        unsafe {
            teardown::tear_down(rt);
            actors::forget_names(rt);
        }
    }
}

impl Machine for RustMachine<'_> {
    fn processes(&self) -> usize {
        self.runtime().names.processes()
    }

    #[inline]
    fn next(&self, process: ProcessId) -> Option<&Action> {
        let slot = self.runtime().processes.get(process.index())?;
        match slot.state {
            State::AtOperation => slot.pending.action(),
            _ => None,
        }
    }

    #[inline]
    fn guards(&self, process: ProcessId) -> &[Action] {
        #[cfg(test)]
        if super::mutation::has_no_guards() {
            return &[];
        }
        match self.runtime().processes.get(process.index()) {
            Some(slot) if slot.state == State::AtOperation => slot.watch.guards(),
            _ => &[],
        }
    }

    /// Returns nothing: every step of a closure waits for at most one action, and its guards.
    #[inline]
    fn others(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    #[inline]
    fn is_enabled(&self, process: ProcessId) -> bool {
        let rt = self.runtime();
        rt.processes.get(process.index()).is_some_and(|slot| rt.can_go_on(slot))
    }

    #[inline]
    fn alternatives(&self, process: ProcessId) -> u32 {
        let rt = self.runtime();
        rt.processes.get(process.index()).map_or(1, |slot| rt.alternatives(slot))
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        if self.has_memory_orderings() {
            return self.step_seeing(step, View::PRESENT, performed);
        }
        let rt = self.runtime_mut();
        let process = step.process.index();
        let Some(signature) = rt.possible(step) else {
            return Err(rt.nondeterminism(rt.replay.steps(), None, process));
        };
        rt.replay.push(step, signature);
        performed.clear();
        rt.performed = Some(NonNull::from(&mut *performed));
        self.take(step);
        if self.runtime().ahead.is_some() {
            self.run_again(performed)?;
        }
        self.runtime_mut().performed = None;
        self.settle_awaits();
        self.take_violation(performed)
    }

    fn has_memory_orderings(&self) -> bool {
        self.runtime().tuning.memory_orderings
    }

    fn place(&self, process: ProcessId) -> Option<String> {
        let slot = self.runtime().processes.get(process.index())?;
        let site = slot.pending.site;
        Some(format!("{}:{}", site.file(), site.line()))
    }

    fn value(&self, process: ProcessId) -> Option<u64> {
        let action = self.next(process).filter(|action| action.op.is_memory())?;
        Some(self.runtime().value(action.on.object))
    }

    fn step_seeing(
        &mut self,
        step: Step,
        view: View,
        performed: &mut Performed,
    ) -> Result<(), Box<Violation>> {
        let rt = self.runtime_mut();
        let process = step.process.index();
        rt.see(step.process, view);
        let Some(signature) = rt.possible(step) else {
            rt.unsee();
            return Err(rt.nondeterminism(rt.replay.steps(), None, process));
        };
        rt.replay.push(step, signature);
        rt.replay.push_view(view);
        performed.clear();
        rt.performed = Some(NonNull::from(&mut *performed));
        self.take(step);
        if self.runtime().ahead.is_some() {
            self.run_again(performed)?;
        }
        let rt = self.runtime_mut();
        rt.performed = None;
        rt.unsee();
        self.settle_awaits();
        self.take_violation(performed)
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        if len == self.len() {
            return Ok(());
        }
        let undone = self.runtime().replay.steps().get(len).copied();
        let view = self.runtime().replay.view(len);
        self.runtime_mut().replay.truncate(len);
        self.restart()?;
        {
            let rt = self.rt.as_ptr();
            let _entered = Entered::new(rt);
            // A violation on the way has been reported the first time.
            // SAFETY: the runtime is this machine's, and `&mut self` says that nothing else uses it.
            unsafe { schedule::replay(rt) }?;
        }
        if self.runtime().ahead.is_some() {
            self.run_again(&mut Performed::default())?;
            self.runtime_mut().performed = None;
        }
        self.settle_awaits();
        self.runtime().check_stable()?;
        let repeat = |(step, expected)| self.runtime_mut().could_repeat(step, &expected, view);
        undone.map_or(Ok(()), repeat)
    }

    fn ending(&self) -> Ending {
        self.runtime().ending()
    }

    fn fingerprint(&self) -> Option<u128> {
        let fingerprint = self.fingerprint.as_ref()?;
        // SAFETY: the machine owns the runtime, and nothing else uses it between two steps.
        Some(unsafe { fingerprint.of(self.rt.as_ptr()) })
    }

    fn twin(&self, process: ProcessId) -> Option<ProcessId> {
        self.runtime().twin(process)
    }

    fn birth(&self, object: ObjectId) -> Birth {
        self.runtime().names.birth(object)
    }

    fn names_late(&self) -> bool {
        !self.runtime().plural_sites.is_empty()
    }

    /// Releases the statics that the execution uses: the machine that replaces this one uses them, too.
    fn abandon(&mut self) {
        self.tear_down();
        object::delist(self.runtime().stamp);
    }
}

impl Drop for RustMachine<'_> {
    fn drop(&mut self) {
        self.tear_down();
        self.lessons.keep_counts(self.runtime().resources.creators());
        // SAFETY: the pointer comes from a box, and all coroutines that use it have ended.
        unsafe { Box::from_raw(self.rt.as_ptr()) }.retire();
    }
}
