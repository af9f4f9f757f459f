//! Runs of a program along schedules that may not fit.

use mazurka_core::model::dependence::depend;
use mazurka_core::model::{Action, Edge, Ending, Machine, Op, Performed, ProcessId, Step};
use mazurka_core::verdict::{Schedule, Violation};

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
}

/// Runs a program again and again on one machine, so that its processes keep their ids.
pub(super) struct Attempts<M> {
    machine: M,
    initial: usize,
}

impl<M: Machine> Attempts<M> {
    pub(super) fn new<S: Subject<Machine = M>>(subject: &S) -> Option<Self> {
        let machine = subject.start().ok()?;
        Some(Attempts { initial: machine.processes(), machine })
    }

    /// Returns the number of processes in the initial state.
    pub(super) fn initial(&self) -> usize {
        self.initial
    }

    /// Runs a plan until something fails. A step that is not possible waits until it is, and the steps of
    /// other processes overtake it. After the plan, the process that moved last goes on as long as it
    /// can. Returns `None` if the machine fails or learns something, so that its steps are not comparable.
    pub(super) fn run(&mut self, plan: &[Step]) -> Option<Run> {
        self.run_without(plan, None)
    }

    /// Runs a plan. After it, `late` moves only if no other process can.
    pub(super) fn run_without(&mut self, plan: &[Step], late: Option<ProcessId>) -> Option<Run> {
        self.machine.rewind(0).ok()?;
        let mut run =
            Run { events: Vec::new(), end: End::Unknown, waiting: Vec::new(), created: Vec::new() };
        let mut performed = Performed::default();
        let mut plan = Plan { waiting: Vec::new(), left: plan, blocked: Vec::new() };
        let most = plan.left.len() + MOST_MORE;
        while run.events.len() < most {
            let planned = plan.next(|step| self.is_possible(step));
            let Some(step) = planned.or_else(|| self.next_step(&run, late)) else {
                run.waiting = self.waiting();
                run.end = match self.machine.ending() {
                    Ending::Finished => End::Passed,
                    Ending::AssumptionFailed => End::Unknown,
                    Ending::Stuck(violation) => End::Failed(violation),
                };
                return Some(run);
            };
            performed.clear();
            let result = self.machine.step(step, &mut performed);
            if performed.lesson.is_some() {
                return None;
            }
            for edge in performed.edges.iter().filter(|edge| edge.to.index() >= self.initial) {
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

    fn is_possible(&self, step: Step) -> bool {
        step.process.index() < self.machine.processes()
            && self.machine.is_enabled(step.process)
            && step.choice < self.machine.alternatives(step.process)
    }

    /// Returns the step that follows without a context switch, if that is possible. A receive with a
    /// time-out lets the other processes go first: otherwise it would always time out.
    fn next_step(&self, run: &Run, late: Option<ProcessId>) -> Option<Step> {
        let is_enabled = |process: &ProcessId| self.machine.is_enabled(*process);
        let may_time_out = |process: &ProcessId| {
            let next = self.machine.next(*process);
            next.is_some_and(|action| matches!(action.op, Op::Take { .. }) && !action.waits)
        };
        let is_patient = |process: &ProcessId| !may_time_out(process) && Some(*process) != late;
        let all = || (0..self.machine.processes()).map(ProcessId::new).filter(is_enabled);
        let last = run.events.last().map(|event| event.step.process).filter(is_enabled);
        let first = last.filter(is_patient).or_else(|| all().find(is_patient));
        let last = last.filter(|process| Some(*process) != late);
        let first = first.or(last).or_else(|| all().find(|process| Some(*process) != late));
        first.or_else(|| all().next()).map(Step::of)
    }

    fn waiting(&self) -> Vec<(ProcessId, Action)> {
        let processes = (0..self.machine.processes()).map(ProcessId::new);
        let pending = |process| self.machine.next(process).map(|action| (process, *action));
        processes.filter_map(pending).collect()
    }
}

/// The steps of a plan that have not been taken.
struct Plan<'a> {
    /// The steps that were not possible, in order.
    waiting: Vec<Step>,
    /// The steps after these.
    left: &'a [Step],
    /// A buffer: the processes of the steps that are not possible.
    blocked: Vec<ProcessId>,
}

impl Plan<'_> {
    /// Takes the first step that is possible now. Steps of one process stay in order.
    fn next(&mut self, is_possible: impl Fn(Step) -> bool) -> Option<Step> {
        self.blocked.clear();
        for (place, step) in self.waiting.iter().enumerate() {
            if self.blocked.contains(&step.process) {
                continue;
            }
            if is_possible(*step) {
                return Some(self.waiting.remove(place));
            }
            self.blocked.push(step.process);
        }
        while let Some((step, left)) = self.left.split_first() {
            self.left = left;
            let is_blocked = self.blocked.contains(&step.process);
            if !is_blocked && is_possible(*step) {
                return Some(*step);
            }
            self.waiting.push(*step);
            if !is_blocked {
                self.blocked.push(step.process);
            }
        }
        None
    }
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
        self.events.iter().map(|event| renumber(event.step)).collect()
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
