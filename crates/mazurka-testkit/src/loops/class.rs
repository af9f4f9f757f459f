//! Classes when the order of posts is no matter, by their definition.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use mazurka_core::model::{Action, Location, Machine, Op, Performed, Step, dependence};

/// What stands for a class.
pub type ClassKey = u64;

/// An event is named by its task and its rank in it: these are the same in every execution.
type Name = (u64, u32);

#[derive(Clone, Debug)]
struct Event {
    name: Name,
    step: Step,
    actions: Vec<Action>,
}

/// An execution as its tasks see it.
///
/// Two executions are in one class if they have the same events, and if of every two of these that
/// are in conflict the same one comes first. In conflict are accesses to one location of which one
/// writes, wherever they are; and operations on a lock if they are of different threads.
#[derive(Clone, Default, Debug)]
pub struct TaskTrace {
    events: Vec<Event>,
}

impl TaskTrace {
    /// The empty execution.
    pub fn new() -> Self {
        TaskTrace::default()
    }

    /// Appends a step and what it did.
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

    /// Forgets all steps but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.events.truncate(len);
    }

    /// The steps.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.events.iter().map(|event| event.step)
    }

    /// The class of the execution.
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

    /// Runs a schedule on a machine, and says in which class it is.
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

/// Whether two events of different tasks are in conflict; `locks` are the locations that threads
/// wait to have alone.
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
