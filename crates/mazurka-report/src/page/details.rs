//! What the steps of an execution do to shared objects, and which steps happen before which.

use mazurka_core::execution::Execution;
use mazurka_core::explore::rerun;
use mazurka_core::memory::{EventId, Graph, INITIAL, Kind, MemoryModel};
use mazurka_core::model::{Action, Edge, Ending, Machine, Performed, ProcessId};
use mazurka_core::search::{Algorithm, DataRaces, Monitor, Options};
use mazurka_core::verdict::{Schedule, Violation};

use crate::Subject;
use crate::run::{ScriptedProgram, look_at_graph};

/// The effects of one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    pub(crate) actions: Vec<Action>,
    pub(crate) edges: Vec<Edge>,
    /// The steps that happen immediately before this one, of all processes.
    pub(crate) before: Vec<usize>,
    /// Under a memory model: the steps that this one reads from.
    pub(crate) reads_from: Option<Vec<usize>>,
    /// Whether the step reads an old value, or its write is not the last one in coherence order.
    pub(crate) is_old: bool,
    /// The processes that wait after the step, and the action that they wait to perform.
    pub(crate) waiting: Vec<(ProcessId, Action)>,
}

/// The effects of the steps of an execution, for [`page`](crate::page::page).
#[derive(Clone, Debug, Default)]
pub struct Details {
    pub(crate) steps: Vec<Effects>,
}

impl Details {
    /// Runs a schedule of a subject and collects the effects of its steps.
    pub fn of<S: Subject>(subject: &S, schedule: &Schedule) -> Self {
        subject.set_memory_orderings(schedule.memory_model().is_some());
        let Ok(mut machine) = subject.start() else { return Details::default() };
        let mut steps = Vec::new();
        let mut performed = Performed::default();
        for (index, step) in schedule.steps().iter().enumerate() {
            if step.process.index() >= machine.processes() {
                break;
            }
            performed.clear();
            let result = match machine.has_memory_orderings() {
                true => machine.step_seeing(*step, schedule.view(index), &mut performed),
                false if !machine.is_enabled(step.process) => break,
                false => machine.step(*step, &mut performed),
            };
            steps.push(Effects {
                actions: performed.actions.clone(),
                edges: performed.edges.clone(),
                before: Vec::new(),
                reads_from: None,
                is_old: false,
                waiting: waiting(&machine),
            });
            if result.is_err() {
                break;
            }
        }
        let orders = |graph: &Graph| order_by_graph(graph, &mut steps);
        if look_at_graph(subject, schedule, orders).is_some() {
            return Details { steps };
        }
        let mut order = Order(&mut steps);
        let options = Options {
            algorithm: Algorithm::Naive,
            memory_model: MemoryModel::Sc,
            max_executions: Some(1),
            data_races: DataRaces::Ignore,
            ..Options::default()
        };
        rerun(&ScriptedProgram { program: subject, schedule }, &options, &mut order);
        Details { steps }
    }
}

/// Returns the processes that wait, and what they wait for.
fn waiting<M: Machine>(machine: &M) -> Vec<(ProcessId, Action)> {
    let processes = (0..machine.processes()).map(ProcessId::new);
    let waits = |process: ProcessId| {
        let pending = machine.next(process).filter(|_| !machine.is_enabled(process))?;
        Some((process, *pending))
    };
    processes.filter_map(waits).collect()
}

/// Returns the steps that happen immediately before a step, given the steps of each process before it.
fn immediate(
    of_process: &[Vec<usize>],
    step: usize,
    happens_before: impl Fn(usize, usize) -> bool,
) -> Vec<usize> {
    // The steps of a process that happen before a step are its first ones.
    let last = |own: &Vec<usize>| {
        let count = own.partition_point(|first| happens_before(*first, step));
        count.checked_sub(1).map(|last| own[last])
    };
    let lasts: Vec<usize> = of_process.iter().filter_map(last).collect();
    let is_implied =
        |first: &usize| lasts.iter().any(|other| other > first && happens_before(*first, *other));
    lasts.iter().copied().filter(|first| !is_implied(first)).collect()
}

/// Fills in the steps that happen immediately before each step, and those that it reads from.
fn order_by_graph(graph: &Graph, steps: &mut [Effects]) {
    let count = steps.len();
    // The first and the last event of each step.
    let mut events: Vec<Option<(EventId, EventId)>> = vec![None; count];
    for (id, event) in (0..).zip(graph.events()) {
        if let Some(known) = event.step().and_then(|step| events.get_mut(step)) {
            *known = Some(known.map_or((id, id), |(first, _)| (first, id)));
        }
    }
    let happens_before = |first: usize, second: usize| match (events[first], events[second]) {
        (Some((first, _)), Some((_, second))) => graph.happens_before(first, second),
        _ => false,
    };
    let mut of_process: Vec<Vec<usize>> = Vec::new();
    for step in 0..count {
        let Some((first, last)) = events[step] else { continue };
        steps[step].before = immediate(&of_process, step, happens_before);
        let reads = (first..=last).map(|event| graph.event(event));
        let sources = reads
            .filter(|event| event.kind == Kind::Read && event.reads_from != INITIAL)
            .filter_map(|event| graph.event(event.reads_from).step());
        steps[step].reads_from = Some(sources.filter(|source| *source != step).collect());
        steps[step].is_old = (first..=last).any(|event| is_old(graph, event, first));
        let process = graph.event(first).process.index();
        if of_process.len() <= process {
            of_process.resize(process + 1, Vec::new());
        }
        of_process[process].push(step);
    }
}

/// Returns whether a write that was performed before the event `first` follows the write that an event is or
/// reads from, in coherence order.
fn is_old(graph: &Graph, event: EventId, first: EventId) -> bool {
    let Some(location) = graph.event(event).location_if_memory() else { return false };
    let write = match graph.event(event).kind {
        Kind::Read => graph.event(event).reads_from,
        _ => event,
    };
    let newer = graph.coherence(location).iter().rev().take_while(|other| **other != write);
    newer.into_iter().any(|other| *other < first)
}

/// Fills in the steps that happen immediately before each step.
struct Order<'a>(&'a mut Vec<Effects>);

impl<M: ?Sized> Monitor<M> for Order<'_> {
    fn ended(&mut self, _: &M, execution: &Execution, _: Option<&Ending>, _: Option<&Violation>) {
        let mut of_process: Vec<Vec<usize>> = Vec::new();
        for (index, step) in execution.steps().enumerate() {
            if let Some(effects) = self.0.get_mut(index) {
                effects.before = immediate(&of_process, index, |first, second| {
                    execution.happens_before(first, second)
                });
            }
            let process = step.process.index();
            if of_process.len() <= process {
                of_process.resize(process + 1, Vec::new());
            }
            of_process[process].push(index);
        }
    }
}
