//! What the steps of an execution do to shared objects, and which steps happen before which.

use mazurka_core::execution::Execution;
use mazurka_core::explore::rerun;
use mazurka_core::memory::MemoryModel;
use mazurka_core::model::{Action, Edge, Ending, Machine, Performed, ProcessId};
use mazurka_core::search::{Algorithm, DataRaces, Monitor, Options};
use mazurka_core::verdict::{Schedule, Violation};

use crate::Subject;
use crate::run::ScriptedProgram;

/// The effects of one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    pub(crate) actions: Vec<Action>,
    pub(crate) edges: Vec<Edge>,
    /// The steps that happen immediately before this one, of all processes.
    pub(crate) before: Vec<usize>,
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
                waiting: waiting(&machine),
            });
            if result.is_err() {
                break;
            }
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

/// Fills in the steps that happen immediately before each step.
struct Order<'a>(&'a mut Vec<Effects>);

impl<M: ?Sized> Monitor<M> for Order<'_> {
    fn ended(&mut self, _: &M, execution: &Execution, _: Option<&Ending>, _: Option<&Violation>) {
        let mut of_process: Vec<Vec<usize>> = Vec::new();
        for (index, step) in execution.steps().enumerate() {
            // The events of a process that happen before an event are its first ones.
            let lasts: Vec<usize> = of_process
                .iter()
                .filter_map(|own: &Vec<usize>| {
                    let count =
                        own.partition_point(|first| execution.happens_before(*first, index));
                    count.checked_sub(1).map(|last| own[last])
                })
                .collect();
            let is_implied = |first: &usize| {
                lasts.iter().any(|other| other > first && execution.happens_before(*first, *other))
            };
            if let Some(effects) = self.0.get_mut(index) {
                effects.before = lasts.iter().copied().filter(|first| !is_implied(first)).collect();
            }
            let process = step.process.index();
            if of_process.len() <= process {
                of_process.resize(process + 1, Vec::new());
            }
            of_process[process].push(index);
        }
    }
}
