//! Classes of executions in which the order of posts does not matter, by definition.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use mazurka_core::model::{Action, Location, Machine, Op, Performed, Step, dependence};

/// The key of a class.
pub type ClassKey = u64;

/// The name of an event: its task, and its position in the task. It is the same in every execution.
type Name = (u64, u32);

#[derive(Clone, Debug)]
struct Event {
    name: Name,
    step: Step,
    actions: Vec<Action>,
}

/// An execution as a set of tasks.
///
/// Two executions are in one class if they have the same events, and the same order of all pairs of
/// conflicting events. Two accesses to one location conflict if one of them writes, in any threads.
/// Operations on a lock conflict if they belong to different threads.
#[derive(Clone, Default, Debug)]
pub struct TaskTrace {
    events: Vec<Event>,
}

impl TaskTrace {
    /// Creates an empty execution.
    pub fn new() -> Self {
        TaskTrace::default()
    }

    /// Appends a step and its effects.
    pub fn push(&mut self, step: Step, performed: &Performed) {
        let mut own = self.events.iter().rev().filter(|e| e.step.process == step.process);
        let current = own.next().map(|event| event.name.0);
        let begins = performed.actions.iter().find_map(|action| match action.op {
            Op::Dequeue { message } => Some(u64::from(message) * 2 + 1),
            _ => None,
        });
        let task = begins.or(current).unwrap_or(step.process.index() as u64 * 2);
        let rank = self.events.iter().filter(|event| event.name.0 == task).count() as u32;
        let actions = performed.actions.clone();
        self.events.push(Event { name: (task, rank), step, actions });
    }

    /// Removes all steps but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.events.truncate(len);
    }

    /// Returns the steps.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.events.iter().map(|event| event.step)
    }

    /// Returns the class of the execution.
    pub fn class(&self) -> ClassKey {
        let mut names: Vec<(Name, u32)> =
            self.events.iter().map(|event| (event.name, event.step.choice)).collect();
        names.sort_unstable();
        let actions = self.events.iter().flat_map(|event| &event.actions);
        let locking = actions.filter(|action| action.waits && action.op == Op::Update);
        let locks: HashSet<Location> = locking.map(|action| action.on).collect();
        let mut pairs = Vec::new();
        for (i, later) in self.events.iter().enumerate() {
            for earlier in &self.events[..i] {
                if earlier.name.0 != later.name.0 && are_in_conflict(earlier, later, &locks) {
                    pairs.push((earlier.name, later.name));
                }
            }
        }
        pairs.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (names, pairs).hash(&mut hasher);
        hasher.finish()
    }

    /// Runs a schedule on a machine, and returns its execution.
    pub fn of_schedule<M: Machine>(machine: &mut M, steps: impl Iterator<Item = Step>) -> Self {
        let mut trace = TaskTrace::new();
        let mut performed = Performed::default();
        for step in steps {
            performed.clear();
            let _ = machine.step(step, &mut performed);
            trace.push(step, &performed);
        }
        trace
    }
}

/// Returns whether two events of different tasks conflict. `locks` are the locations for which
/// threads wait exclusively.
fn are_in_conflict(a: &Event, b: &Event, locks: &HashSet<Location>) -> bool {
    let same_process = a.step.process == b.step.process;
    a.actions.iter().any(|x| {
        b.actions.iter().any(|y| {
            x.on == y.on
                && dependence::depend_in_tasks(x.op, y.op)
                && !(same_process && locks.contains(&x.on))
        })
    })
}
