//! Runs of a program along schedules that may not fit.

use mazurka_core::memory::MemoryModel;
use mazurka_core::model::dependence::depend;
use mazurka_core::model::{Action, Edge, Ending, Machine, Op, Performed, ProcessId, Step, View};
use mazurka_core::verdict::{Schedule, Violation};

use super::memory::{Seen, Weak, Wishes};
use super::plan::Plan;
use crate::Subject;

/// The maximum number of steps beyond the planned ones.
const MOST_MORE: usize = 2_000;

/// One event of a run.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) step: Step,
    pub(super) actions: Vec<Action>,
    pub(super) edges: Vec<Edge>,
}

impl Event {
    /// Returns whether two events perform actions that are dependent.
    pub(super) fn conflicts_with(&self, other: &Event) -> bool {
        let depends = |a: &Action| {
            let b = |b: &Action| depend((a.on, a.op), (b.on, b.op));
            a.op != Op::Fence && other.actions.iter().any(b)
        };
        self.actions.iter().any(depends)
    }
}

/// How a run ended.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// Nothing failed, and no process can move.
    Passed,
    /// It failed.
    Failed(Box<Violation>),
    /// An assumption failed, or the run was too long.
    Unknown,
}

/// A run of the program.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) events: Vec<Event>,
    pub(super) end: End,
    /// The processes that wait at the end, and what for.
    pub(super) waiting: Vec<(ProcessId, Action)>,
    /// The processes that were created, in order.
    created: Vec<ProcessId>,
    /// What the steps see of memory, under a memory model.
    pub(super) seen: Option<Seen>,
}

/// A machine that takes steps, under sequential consistency or under a memory model.
pub(super) trait Stage<M: Machine> {
    fn machine(&self) -> &M;

    /// Returns whether a process can take a step.
    fn is_enabled(&mut self, process: ProcessId) -> bool;

    /// Returns whether this step can be taken.
    fn is_possible(&mut self, step: Step) -> bool;

    /// Takes a step that is possible.
    fn take(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>>;

    /// Returns how the execution ends if no process can take a step. Returns `None` if that is no
    /// execution of the program.
    fn ending(&self) -> Option<Ending>;
}

/// A machine under sequential consistency.
struct Plain<'a, M>(&'a mut M);

impl<M: Machine> Stage<M> for Plain<'_, M> {
    fn machine(&self) -> &M {
        self.0
    }

    fn is_enabled(&mut self, process: ProcessId) -> bool {
        self.0.is_enabled(process)
    }

    fn is_possible(&mut self, step: Step) -> bool {
        step.process.index() < self.0.processes()
            && self.0.is_enabled(step.process)
            && step.choice < self.0.alternatives(step.process)
    }

    fn take(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        self.0.step(step, performed)
    }

    fn ending(&self) -> Option<Ending> {
        Some(self.0.ending())
    }
}

/// Runs a program again and again on one machine, so that its processes keep their ids.
pub(super) struct Attempts<M> {
    machine: M,
    initial: usize,
    model: Option<MemoryModel>,
    /// What steps are to see, under a memory model.
    wishes: Wishes,
}

impl<M: Machine> Attempts<M> {
    /// Starts a program. Under a memory model, its steps are to see what those of the schedule see.
    pub(super) fn new<S: Subject<Machine = M>>(subject: &S, schedule: &Schedule) -> Option<Self> {
        let model = schedule.memory_model();
        subject.set_memory_orderings(model.is_some());
        let machine = subject.start().ok()?;
        if model.is_some() && !machine.has_memory_orderings() {
            return None;
        }
        let (initial, wishes) = (machine.processes(), Wishes::Same(schedule.clone()));
        Some(Attempts { machine, initial, model, wishes })
    }

    /// Returns the number of processes in the initial state.
    pub(super) fn initial(&self) -> usize {
        self.initial
    }

    /// Under a memory model, lets the reads of the next runs read from the same writes as in this run, as
    /// far as possible.
    pub(super) fn follow(&mut self, run: &Run) {
        if let Some(seen) = &run.seen {
            self.wishes = Wishes::of(&seen.graph);
        }
    }

    /// Runs a plan until something fails. A step that is not possible waits until it is, and the steps of
    /// other processes overtake it. After the plan, the process that moved last goes on as long as it
    /// can. Returns `None` if the machine fails or learns something, so that its steps are not comparable.
    pub(super) fn run(&mut self, plan: &[Step]) -> Option<Run> {
        self.run_without(plan, None)
    }

    /// Runs a plan. After it, `late` moves only if no other process can.
    pub(super) fn run_without(&mut self, plan: &[Step], late: Option<ProcessId>) -> Option<Run> {
        let Attempts { machine, initial, model, wishes } = self;
        match *model {
            None => {
                machine.rewind(0).ok()?;
                perform(&mut Plain(machine), *initial, plan, late)
            }
            Some(model) => {
                let mut weak = Weak::new(machine, model, wishes).ok()?;
                let run = perform(&mut weak, *initial, plan, late)?;
                Some(Run { seen: Some(weak.seen(model)), ..run })
            }
        }
    }

    /// Runs a plan. Under a memory model, a step of an earlier run reads what is there.
    pub(super) fn run_seeing(&mut self, plan: &[Step], run: &Run, step: usize) -> Option<Run> {
        let mut wishes = self.wishes.clone();
        if let Some(graph) = run.seen.as_ref().map(|seen| &seen.graph) {
            let events = graph.events().iter().filter(|event| event.step() == Some(step));
            events.for_each(|event| wishes.forget((event.process, event.index)));
        }
        self.run_wishing(plan, wishes)
    }

    /// Runs a plan under a memory model, whose steps are to see this.
    pub(super) fn run_wishing(&mut self, plan: &[Step], wishes: Wishes) -> Option<Run> {
        let before = std::mem::replace(&mut self.wishes, wishes);
        let run = self.run(plan);
        self.wishes = before;
        run
    }
}

/// Runs a plan. After it, `late` moves only if no other process can.
fn perform<M: Machine>(
    stage: &mut impl Stage<M>,
    initial: usize,
    plan: &[Step],
    late: Option<ProcessId>,
) -> Option<Run> {
    let mut run = Run {
        events: Vec::new(),
        end: End::Unknown,
        waiting: Vec::new(),
        created: Vec::new(),
        seen: None,
    };
    let mut performed = Performed::default();
    let most = plan.len() + MOST_MORE;
    let mut plan = Plan::new(plan);
    while run.events.len() < most {
        let planned = plan.next(|step| stage.is_possible(step));
        let Some(step) = planned.or_else(|| next_step(stage, &run, late)) else {
            run.waiting = waiting(stage.machine());
            run.end = match stage.ending() {
                Some(Ending::Finished) => End::Passed,
                Some(Ending::Stuck(violation)) => End::Failed(violation),
                Some(Ending::AssumptionFailed) | None => End::Unknown,
            };
            return Some(run);
        };
        performed.clear();
        let result = stage.take(step, &mut performed);
        if performed.lesson.is_some() {
            return None;
        }
        for edge in performed.edges.iter().filter(|edge| edge.to.index() >= initial) {
            if !run.created.contains(&edge.to) {
                run.created.push(edge.to);
            }
        }
        let (actions, edges) = (performed.actions.clone(), performed.edges.clone());
        run.events.push(Event { step, actions, edges });
        if let Err(violation) = result {
            run.end = End::Failed(violation);
            return Some(run);
        }
    }
    Some(run)
}

/// Returns the step that follows without a context switch, if that is possible. A receive with a
/// time-out lets the other processes go first: otherwise it would always time out.
fn next_step<M: Machine>(
    stage: &mut impl Stage<M>,
    run: &Run,
    late: Option<ProcessId>,
) -> Option<Step> {
    let processes = (0..stage.machine().processes()).map(ProcessId::new);
    let enabled: Vec<ProcessId> = processes.filter(|process| stage.is_enabled(*process)).collect();
    let may_time_out = |process: &ProcessId| {
        let next = stage.machine().next(*process);
        next.is_some_and(|action| matches!(action.op, Op::Take { .. }) && !action.waits)
    };
    let is_patient = |process: &ProcessId| !may_time_out(process) && Some(*process) != late;
    let all = || enabled.iter().copied();
    let last = run.events.last().map(|event| event.step.process);
    let last = last.filter(|process| enabled.contains(process));
    let first = last.filter(is_patient).or_else(|| all().find(is_patient));
    let last = last.filter(|process| Some(*process) != late);
    let first = first.or(last).or_else(|| all().find(|process| Some(*process) != late));
    first.or_else(|| all().next()).map(Step::of)
}

fn waiting<M: Machine>(machine: &M) -> Vec<(ProcessId, Action)> {
    let processes = (0..machine.processes()).map(ProcessId::new);
    let pending = |process| machine.next(process).map(|action| (process, *action));
    processes.filter_map(pending).collect()
}

impl Run {
    /// Returns whether the run ends with the same violation.
    pub(super) fn fails_like(&self, violation: &Violation) -> bool {
        match &self.end {
            End::Failed(own) => own.kind == violation.kind && own.message == violation.message,
            End::Passed | End::Unknown => false,
        }
    }

    pub(super) fn steps(&self) -> Vec<Step> {
        self.events.iter().map(|event| event.step).collect()
    }

    pub(super) fn process(&self, event: usize) -> ProcessId {
        self.events[event].step.process
    }

    /// Returns the schedule, with processes numbered as in a machine that has run nothing else.
    pub(super) fn schedule(&self, initial: usize) -> Schedule {
        let renumber = |step: Step| {
            let place = self.created.iter().position(|process| *process == step.process);
            let process = place.map_or(step.process, |place| ProcessId::new(initial + place));
            Step { process, ..step }
        };
        let mut schedule = Schedule::default();
        for (index, event) in self.events.iter().enumerate() {
            let view = self.seen.as_ref().map_or(View::PRESENT, |seen| seen.views[index]);
            schedule.push(renumber(event.step), view);
        }
        schedule.set_memory_model(self.seen.as_ref().map(|seen| seen.model));
        schedule
    }

    /// Returns whether two events perform actions that are dependent.
    pub(super) fn conflicts(&self, first: usize, second: usize) -> bool {
        self.events[first].conflicts_with(&self.events[second])
    }

    /// Returns, for each event, how many events of each process happen before it, itself included;
    /// and the number of each event in its process, counted from 1.
    pub(super) fn clocks(&self) -> (Vec<Vec<u32>>, Vec<u32>) {
        let ids = self.events.iter().flat_map(|event| {
            let edges = event.edges.iter().flat_map(|edge| [edge.from, edge.to]);
            edges.chain([event.step.process])
        });
        let processes = ids.map(|process| process.index() + 1).max().unwrap_or(0);
        let join = |into: &mut Vec<u32>, from: &[u32]| {
            into.iter_mut().zip(from).for_each(|(into, from)| *into = (*into).max(*from));
        };
        let mut of_process = vec![vec![0; processes]; processes];
        let mut clocks: Vec<Vec<u32>> = Vec::new();
        let mut numbers = Vec::new();
        for (index, event) in self.events.iter().enumerate() {
            let process = event.step.process.index();
            let mut clock = of_process[process].clone();
            // Later events first: most earlier ones happen before them.
            for earlier in (0..index).rev() {
                let known = clock[self.process(earlier).index()] >= numbers[earlier];
                if !known && self.conflicts(earlier, index) {
                    join(&mut clock, &clocks[earlier]);
                }
            }
            clock[process] += 1;
            numbers.push(clock[process]);
            of_process[process].clone_from(&clock);
            for edge in &event.edges {
                let from = of_process[edge.from.index()].clone();
                join(&mut of_process[edge.to.index()], &from);
            }
            clocks.push(clock);
        }
        (clocks, numbers)
    }
}
