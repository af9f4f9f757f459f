//! The loop that drives every explorer.

mod failures;
mod findings;
mod limits;
mod remainder;
mod scouts;

pub(crate) use findings::MOST_WARNINGS;

use std::cell::Cell;
use std::time::{Duration, Instant};

use self::failures::Failure;
use self::limits::{PROGRESS_INTERVAL, STEPS_BETWEEN_LOOKS};
use self::scouts::Scouts;
use crate::execution::order::Relation;
use crate::execution::{Declared, Execution};
use crate::memory::Graph;
use crate::model::{
    Action, Ending, Lesson, MemoryModel, Performed, ProcessId, Step, View, Violation,
    ViolationKind, is_explained,
};
use crate::search::estimate::Estimator;
use crate::search::strategy::{Next, Position, Strategy};
use crate::search::subject::Subject;
use crate::search::team::{Alone, Team};
use crate::search::{Algorithm, Options};
use crate::verdict::{Bound, Note, Restart, Verdict, WeakAccess};

/// Runs the executions that a strategy asks for, and collects the statistics.
pub(crate) struct Driver<'a> {
    machine: &'a mut dyn Subject,
    options: &'a Options<'a>,
    team: Box<dyn Team + 'a>,
    execution: Execution,
    performed: Performed,
    verdict: Verdict,
    /// The beginning of the check.
    started: Instant,
    /// The numbers of executions, and of executions that ended early, before the search last
    /// started over.
    discarded: (u64, u64),
    /// The lesson that the machine taught in the current execution.
    lesson: Option<Lesson>,
    scouts: Scouts,
    estimator: Estimator,
    steps_to_next_look: u32,
    next_progress: Duration,
    /// The number of preemptions up to each depth, if the driver bounds them.
    preemptions: Vec<u32>,
    /// The failures of the current execution, in order.
    failures: Vec<Failure>,
    /// The first data race of the current execution and the number of steps that led to it, if the
    /// search continues after data races.
    race: Option<(usize, Box<Violation>)>,
    /// Whether to look for an access that is weaker than `SeqCst`.
    watches_orderings: bool,
}

/// Returns the memory model that schedules are for.
fn model_of(options: &Options<'_>) -> Option<MemoryModel> {
    (options.algorithm == Algorithm::Graphs).then_some(options.memory_model)
}

/// The search stops; the verdict says why.
struct Stop;

/// The outcome of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// The search is complete.
    Done,
    /// The search reached a limit or a violation.
    Stopped,
    /// The search learnt a lesson that must be known from the start.
    StartOver(Lesson, Teacher),
    /// The strategy cannot explore this program.
    GaveUp,
}

/// The source of a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Teacher {
    /// The machine. It has to be started again, and its ids may change.
    Machine,
    /// The execution or the strategy. The machine and its ids stay the same.
    Execution,
}

impl<'a> Driver<'a> {
    /// Creates the driver of a search with a single worker.
    pub(crate) fn new(machine: &'a mut dyn Subject, options: &'a Options<'a>) -> Self {
        Driver::of_team(machine, options, Alone::default())
    }

    /// Explores, and returns the verdict.
    pub(crate) fn run<S: Strategy>(mut self, strategy: impl Fn(&Options<'_>) -> S) -> Verdict {
        self.attempt(strategy);
        self.finish()
    }

    /// Explores with `strategy`. If that gives up, explores with `instead` and adds `note` to the
    /// verdict.
    pub(crate) fn run_or<S: Strategy, U: Strategy>(
        mut self,
        strategy: impl Fn(&Options<'_>) -> S,
        instead: impl Fn(&Options<'_>) -> U,
        note: Note,
    ) -> Verdict {
        if self.attempt(strategy) == Outcome::GaveUp {
            let _ = self.machine.rewind(0);
            self.forget();
            self.verdict.notes.push(note);
            self.attempt(instead);
        }
        self.finish()
    }

    /// Explores, and starts over as often as necessary.
    fn attempt<S: Strategy>(&mut self, new: impl Fn(&Options<'_>) -> S) -> Outcome {
        self.execution.configure(S::settings(self.machine.has_plain_memory()));
        let mut strategy = new(self.options);
        loop {
            let outcome = self.search(&mut strategy, false);
            match outcome {
                Outcome::StartOver(lesson, teacher) => {
                    if self.start_over::<S>(lesson, teacher).is_err() {
                        return Outcome::Stopped;
                    }
                    let options = self.options.after(&self.verdict.restarts);
                    let earlier = std::mem::replace(&mut strategy, new(&options));
                    if teacher == Teacher::Execution {
                        strategy.inherit(earlier);
                    }
                }
                Outcome::GaveUp => return outcome,
                Outcome::Done | Outcome::Stopped => {
                    strategy.report(&mut self.verdict);
                    return outcome;
                }
            }
        }
    }

    /// Resets everything except for the clock, the number of executions for limits, and the
    /// lessons.
    fn start_over<S: Strategy>(&mut self, lesson: Lesson, teacher: Teacher) -> Result<(), Stop> {
        let Verdict { executions, blocked, .. } = self.verdict;
        self.forget();
        let elapsed = self.started.elapsed();
        let restart = Restart { lesson, executions, blocked, elapsed };
        self.verdict.restarts.push(restart);
        self.machine.started_over(&restart);
        // Check the clock at the next step: the time may be up.
        self.steps_to_next_look = 1;
        let restarted = match teacher {
            Teacher::Machine => self.machine.renew(),
            Teacher::Execution => self.machine.rewind(0),
        };
        restarted.or_else(|violation| self.lose(*violation))?;
        if teacher == Teacher::Machine {
            // The ids of the new machine may differ.
            self.execution = Execution::new();
            self.execution.memory_model = model_of(self.options);
            self.execution.configure(S::settings(self.machine.has_plain_memory()));
            self.execution.set_initial(self.machine.processes());
            self.execution.set_names_late(self.machine.names_late());
            self.scouts = Scouts::new(self.machine);
        }
        Ok(())
    }

    /// Discards the explored executions and the findings.
    fn forget(&mut self) {
        self.truncate(0);
        self.estimator = Estimator::default();
        let Verdict { algorithm, executions, blocked, scouts, .. } = self.verdict;
        self.discarded = (self.discarded.0 + executions, self.discarded.1 + blocked);
        let Verdict { notes, restarts, weak_access, .. } = std::mem::take(&mut self.verdict);
        self.verdict =
            Verdict { algorithm, notes, restarts, weak_access, scouts, ..Verdict::default() };
        self.failures.clear();
        self.race = None;
        self.team = Box::new(Alone::default());
        self.scouts.start_over();
    }

    /// Creates the driver of one member of a team.
    pub(crate) fn of_team(
        machine: &'a mut dyn Subject,
        options: &'a Options<'a>,
        team: impl Team + 'a,
    ) -> Self {
        let mut execution = Execution::new();
        execution.memory_model = model_of(options);
        execution.set_initial(machine.processes());
        execution.set_names_late(machine.names_late());
        let scouts = Scouts::new(machine);
        Driver {
            machine,
            options,
            team: Box::new(team),
            execution,
            performed: Performed::default(),
            verdict: Verdict { algorithm: options.algorithm, ..Verdict::default() },
            started: Instant::now(),
            discarded: (0, 0),
            lesson: None,
            scouts,
            estimator: Estimator::default(),
            steps_to_next_look: STEPS_BETWEEN_LOOKS,
            next_progress: PROGRESS_INTERVAL,
            preemptions: options.confinement().map_or_else(Vec::new, |_| vec![0]),
            failures: Vec::new(),
            race: None,
            watches_orderings: options.memory_model == MemoryModel::Auto
                && options.algorithm != Algorithm::Graphs,
        }
    }

    /// Continues a check that began at `started`. `discarded` are the numbers of executions, and of
    /// executions that ended early, that do not count any more.
    pub(crate) fn continuing(self, started: Instant, discarded: (u64, u64)) -> Self {
        Driver { started, discarded, ..self }
    }

    /// Prepares the execution, which is empty, for a strategy.
    pub(crate) fn configure<S: Strategy>(&mut self) {
        self.execution.configure(S::settings(self.machine.has_plain_memory()));
    }

    /// Adds the statistics of a strategy to the verdict.
    pub(crate) fn add_statistics<S: Strategy>(&mut self, strategy: &S) {
        strategy.report(&mut self.verdict);
    }

    /// Returns the execution, which is empty before the search begins.
    pub(crate) fn execution(&mut self) -> &mut Execution {
        &mut self.execution
    }

    /// Returns the team.
    pub(crate) fn team(&mut self) -> &mut Box<dyn Team + 'a> {
        &mut self.team
    }

    /// Returns the verdict on the executions since the last call, and begins a new one.
    pub(crate) fn take_verdict(&mut self) -> Verdict {
        let algorithm = self.options.algorithm;
        std::mem::replace(&mut self.verdict, Verdict { algorithm, ..Verdict::default() })
    }

    /// Returns the estimator, which knows the explored part of the search tree.
    pub(crate) fn estimator(&self) -> &Estimator {
        &self.estimator
    }

    /// Returns the verdict.
    pub(crate) fn finish(mut self) -> Verdict {
        self.verdict.elapsed = self.started.elapsed();
        self.verdict.twins = self.machine.twins().most();
        self.verdict
    }

    /// Explores from the initial state or, with `elsewhere`, from a prefix that the strategy
    /// chooses.
    pub(crate) fn search<S: Strategy>(&mut self, strategy: &mut S, elsewhere: bool) -> Outcome {
        let outcome = match elsewhere {
            false => self.explore(strategy),
            true => match self.go_elsewhere(strategy, 0) {
                Ok(true) => self.explore(strategy),
                Ok(false) => Ok(Outcome::Done),
                Err(stop) => Err(stop),
            },
        };
        match outcome {
            Ok(outcome) => outcome,
            // A violation may be caused by a missing lesson.
            Err(Stop) if self.verdict.stopped == Some(Bound::Violation) => {
                self.take_lesson().unwrap_or(Outcome::Stopped)
            }
            Err(Stop) => Outcome::Stopped,
        }
    }

    fn explore<S: Strategy>(&mut self, strategy: &mut S) -> Result<Outcome, Stop> {
        loop {
            let end = self.extend(strategy)?;
            strategy.ended(self.machine, &mut self.execution);
            if self.machine.hears_of_sleep_sets() {
                for depth in 0..=self.execution.len() {
                    self.machine.asleep(depth, &strategy.asleep(depth));
                }
            }
            let is_repeated = end == Next::End
                && (self.machine.twins().is_repeated::<S::Relation>(&self.execution)
                    || strategy.is_repeated(&self.execution));
            self.account(end, is_repeated, strategy.graph())?;
            self.offer_progress(strategy);
            if let Some(start_over) = self.take_lesson() {
                return Ok(start_over);
            }
            let intact = strategy.extend(self.machine, &mut self.execution);
            self.lesson = self.lesson.or(strategy.take_lesson());
            let mut intact = intact.or_else(|violation| self.lose(*violation))?;
            if let Some(start_over) = self.take_lesson() {
                return Ok(start_over);
            }
            if strategy.gives_up() {
                return Ok(Outcome::GaveUp);
            }
            if let Some((cell, violation)) = strategy.take_data_race() {
                self.account_for_race(cell, violation)?;
                let _ = self.machine.rewind(0);
                intact = 0;
            }
            let Some(len) = strategy.backtrack(&self.execution) else {
                match self.go_elsewhere(strategy, intact)? {
                    true => continue,
                    false => return Ok(Outcome::Done),
                }
            };
            self.estimator.backtracked(len);
            self.check_limits(strategy)?;
            if self.send_scouts::<S::Relation>()? {
                intact = 0;
                if let Some(start_over) = self.take_lesson() {
                    return Ok(start_over);
                }
            }
            self.truncate(len);
            self.go_back(intact, len).or_else(|violation| self.lose(*violation))?;
        }
    }

    /// Returns [`Outcome::StartOver`] if the last execution taught a lesson.
    #[inline]
    fn take_lesson(&mut self) -> Option<Outcome> {
        let (of_machine, of_execution) = (self.lesson.take(), self.execution.take_lesson());
        let of_machine = of_machine.map(|lesson| Outcome::StartOver(lesson, Teacher::Machine));
        of_machine.or(of_execution.map(|lesson| Outcome::StartOver(lesson, Teacher::Execution)))
    }

    /// Moves the machine from the first `intact` steps of the execution to the first `len`.
    fn go_back(&mut self, intact: usize, len: usize) -> Result<(), Box<Violation>> {
        self.machine.rewind(intact.min(len))?;
        for depth in intact..len {
            self.performed.clear();
            let step = self.execution.event(depth).step;
            let result = match self.options.algorithm.explores_schedules() {
                true => self.machine.step(step, &mut self.performed),
                false => {
                    let view = self.execution.view(depth);
                    self.machine.step_seeing(step, view, &mut self.performed)
                }
            };
            // All other violations have been reported.
            match result {
                Err(violation) if violation.kind == ViolationKind::Nondeterminism => {
                    return Err(violation);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Moves to the prefix outside of the current execution that the strategy explores next.
    /// Returns `false` if there is none. The machine is still at the first `intact` steps of the
    /// current execution.
    ///
    /// Another driver has run the steps of the prefix: they do not count, and their violations are
    /// not reported again.
    fn go_elsewhere<S: Strategy>(&mut self, strategy: &mut S, intact: usize) -> Result<bool, Stop> {
        let Some(steps) = strategy.elsewhere(&self.execution) else { return Ok(false) };
        self.check_limits(strategy)?;
        let same = self.execution.steps().zip(&steps).take_while(|(mine, step)| mine == *step);
        let same = same.count();
        let len = if strategy.rebuilds() { 0 } else { same.min(intact) };
        self.truncate(len);
        self.machine.rewind(len).or_else(|violation| self.lose(*violation))?;
        for step in &steps[len..] {
            let arrived = strategy.arrives(self.machine, &mut self.execution);
            if !arrived.or_else(|violation| self.lose(*violation))? {
                return Ok(false);
            }
            strategy.repeats(self.machine, &self.execution, *step);
            self.repeat::<S::Relation>(*step)?;
            strategy.repeated(self.machine, &self.performed);
        }
        let arrived = strategy.arrives(self.machine, &mut self.execution);
        let arrived = arrived.or_else(|violation| self.lose(*violation))?;
        self.estimator.went_to(steps.len());
        Ok(arrived)
    }

    /// Takes a step that another driver has taken and counted.
    fn repeat<R: Relation>(&mut self, step: Step) -> Result<(), Stop> {
        let declared = self.machine.next(step.process).map(Declared::of);
        let result = self.perform::<R>(step, declared, None);
        let steps = self.execution.len();
        match result {
            Err(violation) if violation.kind == ViolationKind::Nondeterminism => {
                return self.lose(*violation);
            }
            Err(violation) => {
                self.failures.push((steps, violation));
            }
            Ok(()) => {}
        }
        if let Some(race) = self.execution.take_data_race() {
            self.note_known_race(race);
        }
        Ok(())
    }

    /// Stops because the machine did not return to an earlier state, or the explorer cannot go on.
    fn lose<R>(&mut self, mut violation: Violation) -> Result<R, Stop> {
        self.name_places(&mut violation);
        self.record(violation);
        self.verdict.stopped = Some(Bound::Violation);
        Err(Stop)
    }

    /// Says in the message of a violation where the two accesses are that it is about. The search has ended, so
    /// that the machine may go back.
    #[cold]
    fn name_places(&mut self, violation: &mut Violation) {
        let Some((first, second)) = violation.accesses.take() else { return };
        let [second, first] = [second, first].map(|at| {
            let step = self.execution.steps().nth(at)?;
            self.machine.rewind(at).ok()?;
            self.machine.place(step.process)
        });
        if let (Some(first), Some(second)) = (first, second) {
            violation.message = format!("at {first} and {second}, {}", violation.message);
        }
    }

    /// Discards all but the first `len` steps.
    fn truncate(&mut self, len: usize) {
        self.execution.truncate(len);
        self.preemptions.truncate(len + 1);
        while self.failures.pop_if(|(steps, _)| *steps > len).is_some() {}
        self.race.take_if(|(steps, _)| *steps > len);
    }

    /// Undoes the last step.
    fn take_back(&mut self) -> Result<(), Stop> {
        let len = self.execution.len() - 1;
        // Another step that leads to the same state may have failed with a different violation.
        if self.failures.last().is_some_and(|(steps, _)| *steps > len) {
            self.record_failures(None)?;
        }
        self.truncate(len);
        self.verdict.events -= 1;
        self.machine.rewind(len).or_else(|violation| self.lose(*violation))
    }

    /// Takes steps until the execution ends.
    fn extend<S: Strategy>(&mut self, strategy: &mut S) -> Result<Next, Stop> {
        loop {
            if self.options.max_depth.is_some_and(|max| self.execution.len() >= max) {
                self.verdict.stopped.get_or_insert(Bound::Depth);
                return Ok(Next::Cut);
            }
            let position = Position {
                machine: &*self.machine,
                execution: &self.execution,
                confined_to: self.confinement(),
                left_out: Cell::new(false),
                favourite: self.favourite(),
            };
            let next = strategy.next(&position);
            if position.left_out.get() {
                self.verdict.stopped.get_or_insert(Bound::Preemptions);
            }
            match next {
                Next::See(step, view) => {
                    strategy.review(&mut self.execution);
                    let taken = self.take::<S::Relation>(step, Some(view));
                    // A step that failed may teach a lesson: the failure counts only if it does not.
                    strategy.performed(self.machine, &self.performed);
                    strategy.took(self.machine, &mut self.execution);
                    let failed = taken?;
                    if let Some(race) = self.execution.take_data_race() {
                        self.note_data_race(race)?;
                    }
                    let looked = strategy.look(self.machine, &mut self.execution, failed);
                    looked.or_else(|violation| self.lose(*violation))?;
                    if self.must_cut(strategy)? {
                        return Ok(Next::Cut);
                    }
                }
                Next::Step(step) => {
                    let failed = self.take::<S::Relation>(step, None)?;
                    strategy.performed(self.machine, &self.performed);
                    strategy.took(self.machine, &mut self.execution);
                    if let Some(race) = self.execution.take_data_race() {
                        self.note_data_race(race)?;
                    }
                    let looked = strategy.look(self.machine, &mut self.execution, failed);
                    if !looked.or_else(|violation| self.lose(*violation))? {
                        self.take_back()?;
                    }
                    if self.must_cut(strategy)? {
                        return Ok(Next::Cut);
                    }
                }
                end => return Ok(end),
            }
        }
    }

    /// Looks at the clock after some steps. Returns whether the execution is cut, since a process loops and the
    /// search starts over.
    #[inline]
    fn must_cut(&mut self, strategy: &impl Strategy) -> Result<bool, Stop> {
        self.steps_to_next_look -= 1;
        if self.steps_to_next_look > 0 {
            return Ok(false);
        }
        self.look_at_clock(strategy)?;
        Ok(self.lesson == Some(Lesson::Loops))
    }

    /// Takes a step. Returns whether it failed.
    #[inline(always)]
    fn take<R: Relation>(&mut self, step: Step, view: Option<View>) -> Result<bool, Stop> {
        // It is asked for once: the call costs as much as all that is done with it.
        let next = self.machine.next(step.process);
        let declared = next.map(Declared::of);
        if self.watches_orderings && next.is_some_and(Action::is_weak) {
            self.note_weak_access(step.process)?;
        }
        let result = self.perform::<R>(step, declared, view);
        self.verdict.events += 1;
        let failed = result.is_err();
        if let Err(violation) = result {
            self.fail(violation)?;
        }
        Ok(failed)
    }

    /// Performs a step, whose process has declared this, on the machine and adds its event to the execution.
    #[inline(always)]
    fn perform<R: Relation>(
        &mut self,
        step: Step,
        declared: Option<Declared>,
        view: Option<View>,
    ) -> Result<(), Box<Violation>> {
        let preemptions = self.preemptions_with(step.process);
        let alternatives = self.machine.alternatives(step.process);
        self.performed.clear();
        let result = match view {
            None => self.machine.step(step, &mut self.performed),
            Some(view) => {
                self.execution.set_view(view);
                self.machine.step_seeing(step, view, &mut self.performed)
            }
        };
        let (declared, performed) = (declared.as_ref(), &self.performed);
        self.execution.push::<R>(self.machine, step, alternatives, declared, performed);
        if let Some(preemptions) = preemptions {
            self.preemptions.push(preemptions);
        }
        if let Some(lesson) = self.performed.lesson {
            self.learn(lesson);
        }
        result
    }

    /// Notes a lesson of the machine. The search starts over after this execution, which need not end by
    /// itself if a process loops.
    #[cold]
    fn learn(&mut self, lesson: Lesson) {
        self.lesson.get_or_insert(lesson);
        if lesson == Lesson::Loops {
            self.steps_to_next_look = 1;
        }
    }

    /// Notes the first access that is weaker than `SeqCst`. It ends the search if the check can start
    /// over under a memory model.
    #[cold]
    fn note_weak_access(&mut self, process: ProcessId) -> Result<(), Stop> {
        self.watches_orderings = false;
        let place = self.machine.place(process);
        self.verdict.weak_access = Some(Box::new(WeakAccess { place, ..WeakAccess::default() }));
        match self.options.may_switch {
            // The check goes on elsewhere, whatever the verdict says.
            true => self.stop(Bound::Interrupted),
            false => Ok(()),
        }
    }

    /// Counts an execution that has come to its end. It is blocked if it repeats another one, up to a
    /// permutation of twins. It may have a graph.
    fn account(&mut self, end: Next, is_repeated: bool, graph: Option<&Graph>) -> Result<(), Stop> {
        self.verdict.max_depth = self.verdict.max_depth.max(self.execution.len());
        if end == Next::Elsewhere {
            return self.record_failures(graph);
        }
        let failed = self.failures.first().or(self.race.as_ref());
        let failure = failed.map(|(_, violation)| &**violation);
        let ending = (end == Next::End).then(|| {
            self.debug_assert_all_explained();
            self.machine.ending()
        });
        let is_blocked = is_repeated || matches!(ending, None | Some(Ending::AssumptionFailed));
        let shown = graph.filter(|_| !is_blocked || self.options.follow.is_some());
        if let Some(graph) = shown {
            self.machine.graph(graph);
        }
        let reported = ending.as_ref().filter(|_| !is_repeated);
        self.machine.ended(&self.execution, reported, failure);
        match ending {
            None if end == Next::CutOff => self.verdict.executions += 1,
            None => self.verdict.blocked += u64::from(end == Next::Asleep),
            Some(Ending::AssumptionFailed) => self.verdict.blocked += 1,
            Some(_) if is_repeated => self.verdict.blocked += 1,
            Some(_) => self.verdict.executions += 1,
        }
        match ending {
            // Data races are reported when they are found.
            Some(Ending::Stuck(violation)) if self.failures.is_empty() => {
                self.record(*violation);
                if !self.options.keep_going {
                    self.verdict.stopped = Some(Bound::Violation);
                    return Err(Stop);
                }
                Ok(())
            }
            _ => self.record_failures(graph),
        }
    }

    /// Panics, in builds with debug assertions, if the machine does not explain why a process is
    /// disabled at the end of an execution. Explorers miss executions of such a machine.
    fn debug_assert_all_explained(&self) {
        // Under a memory model, the last write that was run need not be the one that memory holds.
        if !cfg!(debug_assertions) || !self.options.algorithm.explores_schedules() {
            return;
        }
        let value = |action: &Action| self.execution.value_now(action);
        for process in (0..self.machine.processes()).map(ProcessId::new) {
            assert!(
                is_explained(&*self.machine, process, value),
                "process {process} is not enabled after the schedule {}, but no condition of its \
                 next step {:?}, guards {:?} and others {:?} is false. `Machine::guards` or \
                 `Machine::others` leaves something out",
                self.execution.schedule(),
                self.machine.next(process),
                self.machine.guards(process),
                self.machine.others(process),
            );
        }
    }

    fn favourite(&self) -> Option<ProcessId> {
        self.preemptions.last().and(self.execution.last_process())
    }

    /// Returns the process that must continue because it is enabled and the bound on preemptions is
    /// exhausted.
    #[inline]
    fn confinement(&self) -> Option<ProcessId> {
        let so_far = *self.preemptions.last()?;
        let bound = self.options.confinement()?;
        let last = self.execution.last_process()?;
        (so_far >= bound && self.machine.is_enabled(last)).then_some(last)
    }

    /// Returns the number of preemptions after a step of `process`, if preemptions are bounded.
    #[inline]
    fn preemptions_with(&self, process: ProcessId) -> Option<u32> {
        let so_far = *self.preemptions.last()?;
        let last = self.execution.last_process();
        let preempts = last.is_some_and(|last| last != process && self.machine.is_enabled(last));
        Some(so_far + u32::from(preempts))
    }
}
