//! Checks that a machine keeps the contract of [`Machine`].
//!
//! Explorers rely on what a machine says: which steps commute, what a process waits for, and that
//! `rewind` restores a state. A machine that breaks a rule makes explorers miss executions, and no
//! explorer can notice that. [`check`] walks through a program at random and tests these rules in every
//! state that it visits:
//!
//! | rule | test |
//! |---|---|
//! | Steps that [`dependence`] calls independent commute. | Two enabled steps are taken in both orders: neither disables or changes the other, both perform the same actions, and both orders lead to the same state. [Forgone](Op::Forgone) actions may differ: they depend on a state that the step does not read. |
//! | Ids do not depend on the order of independent steps. | The same: states and actions name processes, objects and messages. |
//! | A pending action changes only by a step of its process, an edge into it or a dependent step. | The pending actions, guards, alternatives and enabledness of all processes are compared before and after each step. |
//! | Every disabled process is explained. | See [`is_explained`]. |
//! | A step performs its pending action first, even if it fails, and all of its guards. | The performed actions are compared with the declared ones. |
//! | A step that is moved before another one performs no other actions than those that it performs or forgoes behind it. | Two enabled steps are taken in both orders, and the locations of their actions are compared, unless a step [forgoes anything](mazurka_core::model::Forgone::Anything). |
//! | A process that waits declares all actions of its step. | The performed actions of a step that the previous step enabled are compared with those that the process declared while it waited. |
//! | A location holds a value or is a queue of one kind. | The operations on each location are compared. |
//! | `rewind` leads to the state that the first steps lead to. | The states of a walk are compared with those after going back, and with those of a new machine that takes the same steps. |
//!
//! Two states are the same if their [`Snapshot`]s are: the pending actions, guards, alternatives and
//! enabledness of all processes, and the [fingerprint](Machine::fingerprint) if the machine has one.
//!
//! ```
//! use mazurka_core::model::Program;
//! use mazurka_testkit::contract::{self, Walks};
//! use mazurka_testkit::script::ScriptProgram;
//!
//! let script = "process 0 {\nwrite x0 1\n}\nprocess 1 {\nawait x0 == 1\n}".parse().unwrap();
//! let program = ScriptProgram::new(&script).unwrap();
//! contract::check(|| program.start(), Walks::default(), 1).unwrap();
//! ```

mod declared;
mod snapshot;
mod values;

use std::cell::Cell;

use fastrand::Rng;
use mazurka_core::model::{
    Action, Machine, Op, Performed, ProcessId, Step, When, dependence, is_explained,
};
use mazurka_core::verdict::{Schedule, Violation, ViolationKind};

use self::snapshot::named;
pub use self::snapshot::{ProcessSnapshot, Snapshot};
use self::values::Values;

/// How much of a program [`check`] looks at.
#[derive(Clone, Copy, Debug)]
pub struct Walks {
    /// The number of random walks.
    pub count: u32,
    /// The number of steps after which a walk ends.
    pub max_steps: usize,
    /// The number of pairs of steps that are swapped in each state.
    pub pairs: u32,
    /// Whether to check which actions steps gain if they are moved.
    pub moves: bool,
}

impl Default for Walks {
    fn default() -> Self {
        Walks { count: 3, max_steps: 60, pairs: 4, moves: true }
    }
}

/// Checks the contract on random walks through a program. The error names the rule that is broken,
/// the schedule that leads to the state in question, and what was observed.
///
/// `start` starts a machine in the initial state. A program that fails to start breaks no rule.
pub fn check<M: Machine>(
    start: impl Fn() -> Result<M, Box<Violation>>,
    walks: Walks,
    seed: u64,
) -> Result<(), String> {
    let mut random = Rng::with_seed(seed);
    for _ in 0..walks.count {
        // A machine that learns something about its program behaves differently from then on.
        for _ in 0..MOST_LESSONS {
            let Ok(machine) = start() else { return Ok(()) };
            HAS_LEARNT.set(false);
            let result = Walk::new(machine, random.fork()).check(walks, &start);
            if !HAS_LEARNT.get() {
                result?;
                break;
            }
        }
    }
    Ok(())
}

thread_local! {
    /// Whether a machine has [learnt](Performed::lesson) something since the walk began.
    static HAS_LEARNT: Cell<bool> = const { Cell::new(false) };
}

/// A walk is repeated at most this many times because its machine has learnt something.
const MOST_LESSONS: u32 = 20;

/// The effects of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Done {
    actions: Vec<Action>,
    edges: Vec<mazurka_core::model::Edge>,
    violation: Option<(ViolationKind, String)>,
}

impl Done {
    /// Returns whether two steps had the same effects. Values are compared only if the action has a
    /// condition: explorers ignore others, which may be addresses. The values of additions may
    /// differ, since additions commute.
    fn is_like(&self, other: &Done) -> bool {
        let same = |(a, b): (&Action, &Action)| {
            let values = |action: &Action| (action.before, action.after);
            let matter = a.when != When::Always && a.op != Op::Add;
            (a.on, a.op, a.when, a.guard) == (b.on, b.op, b.when, b.guard)
                && (!matter || values(a) == values(b))
        };
        self.actions.len() == other.actions.len()
            && self.actions.iter().zip(&other.actions).all(same)
            && self.violation == other.violation
    }

    /// Returns whether a step that comes after an independent one has the effects that it has `alone`.
    ///
    /// What it forgoes may differ. Forgone actions say what the step would do in the current state if the
    /// step that prevents them came later. A process that was told to end forgoes its operation on a table,
    /// say, and that depends on whether the table still exists.
    fn performs_like(&self, alone: &Done) -> bool {
        self.without_forgone().is_like(&alone.without_forgone())
    }

    fn without_forgone(&self) -> Done {
        let mut done = self.clone();
        done.actions.retain(|action| !matches!(action.op, Op::Forgone(_)));
        done
    }

    fn leads_to(&self, process: ProcessId) -> bool {
        self.edges.iter().any(|edge| edge.to == process)
    }
}

/// A random walk, and the states and effects on it.
struct Walk<M> {
    machine: M,
    random: Rng,
    steps: Vec<Step>,
    done: Vec<Done>,
    /// The states before the first step and after each.
    states: Vec<Snapshot>,
    values: Values,
}

impl<M: Machine> Walk<M> {
    fn new(machine: M, random: Rng) -> Self {
        let states = vec![Snapshot::of(&machine)];
        let (steps, done, values) = (Vec::new(), Vec::new(), Values::default());
        Walk { machine, random, steps, done, states, values }
    }

    fn check(
        &mut self,
        walks: Walks,
        start: &impl Fn() -> Result<M, Box<Violation>>,
    ) -> Result<(), String> {
        self.go(walks.max_steps).map_err(|error| self.at_end(&error))?;
        // A machine can only go back, so the last state comes first.
        for len in (0..self.states.len()).rev() {
            for _ in 0..walks.pairs {
                self.swap_two(len, walks.moves)?;
            }
        }
        self.go_back()?;
        self.go_again(start)
    }

    /// Describes an error in the last state of the walk.
    fn at_end(&self, error: &str) -> String {
        format!("after {}: {error}", shown(&self.steps))
    }

    /// Takes random steps and checks each.
    fn go(&mut self, max_steps: usize) -> Result<(), String> {
        loop {
            self.check_explained()?;
            let Some(step) = self.random.choice(self.states[self.steps.len()].steps()) else {
                return Ok(());
            };
            if self.steps.len() == max_steps {
                return Ok(());
            }
            let done = perform(&mut self.machine, step)?;
            let (before, after) = (&self.states[self.steps.len()], Snapshot::of(&self.machine));
            declared::check(before.process(step.process), &done.actions)
                .and_then(|()| self.check_foreseen(step.process, &done))
                .and_then(|()| check_changes(step, &done, before, &after))
                .map_err(|error| format!("step {step}: {error}"))?;
            self.values.note(&done.actions)?;
            self.states.push(after);
            self.steps.push(step);
            self.done.push(done);
        }
    }

    /// Checks that a process which waited until the last step, and then took the same step, had declared all
    /// actions of this step.
    fn check_foreseen(&self, process: ProcessId, done: &Done) -> Result<(), String> {
        let Some(last) = self.steps.len().checked_sub(1) else { return Ok(()) };
        let (waiting, ready) =
            (self.states[last].process(process), self.states[last + 1].process(process));
        let has_waited = !waiting.is_enabled && self.steps[last].process != process;
        // If the last step affects other actions than those that wait, it may add actions.
        let mut others = waiting.actions().filter(|action| !action.waits);
        let is_affected = others
            .any(|other| self.done[last].actions.iter().any(|action| may_change(action, other)));
        match has_waited && !is_affected && waiting.next.is_some() && waiting.next == ready.next {
            true => declared::check_all(waiting, &done.actions),
            false => Ok(()),
        }
    }

    fn check_explained(&self) -> Result<(), String> {
        let state = &self.states[self.steps.len()];
        for process in (0..state.processes()).map(ProcessId::new) {
            let pending = state.process(process);
            let value = |action: &Action| self.values.of(&named(&self.machine, *action));
            if !pending.is_enabled && !is_explained(&self.machine, process, value) {
                return Err(format!(
                    "process {process} is not enabled, and nothing says why: {pending:?}"
                ));
            }
        }
        Ok(())
    }

    /// Takes two steps of different processes in both orders after the first `len` steps of the walk.
    fn swap_two(&mut self, len: usize, moves: bool) -> Result<(), String> {
        let steps = self.states[len].steps();
        let (Some(a), Some(b)) = (self.random.choice(&steps), self.random.choice(&steps)) else {
            return Ok(());
        };
        if a.process == b.process {
            return Ok(());
        }
        let (a, b) = (*a, *b);
        self.swap(len, a, b, moves).map_err(|error| {
            format!("after {}, steps {a} and {b}: {error}", shown(&self.steps[..len]))
        })
    }

    fn swap(&mut self, len: usize, a: Step, b: Step, moves: bool) -> Result<(), String> {
        let mut alone = |step| {
            rewind(&mut self.machine, len)?;
            perform(&mut self.machine, step)
        };
        let (b_alone, a_alone) = (alone(b)?, alone(a)?);
        let is_ordered = a_alone.leads_to(b.process) || b_alone.leads_to(a.process);
        if is_ordered {
            return Ok(());
        }
        if are_dependent(&a_alone.actions, &b_alone.actions) {
            return if moves { self.check_moved(b, &b_alone) } else { Ok(()) };
        }
        let then = |machine: &mut M, step: Step, alone: &Done| {
            if !Snapshot::of(machine).steps().contains(&step) {
                return Err(format!("independent, but the other one disables {step}"));
            }
            let done = perform(machine, step)?;
            match done.performs_like(alone) {
                true => Ok(Snapshot::of(machine)),
                false => Err(format!(
                    "independent, but {step} does {done:?} after the other one, and {alone:?} before it"
                )),
            }
        };
        let ab = then(&mut self.machine, b, &b_alone)?;
        rewind(&mut self.machine, len)?;
        perform(&mut self.machine, b)?;
        let ba = then(&mut self.machine, a, &a_alone)?;
        match ab.difference(&ba) {
            Some(difference) => Err(format!(
                "they perform {:?} and {:?}, which are independent, but do not commute: {difference}",
                a_alone.actions, b_alone.actions
            )),
            None => Ok(()),
        }
    }

    /// Checks that a step which is moved before the last one gains no actions that it does not
    /// [forgo](Op::Forgone) behind it.
    fn check_moved(&mut self, step: Step, alone: &Done) -> Result<(), String> {
        if !Snapshot::of(&self.machine).steps().contains(&step) {
            return Ok(());
        }
        let behind = perform(&mut self.machine, step)?;
        // A step that fails need not perform all of its actions.
        if alone.violation.is_some() || behind.violation.is_some() {
            return Ok(());
        }
        match declared::gained(&behind.actions, &alone.actions) {
            Some(gained) => Err(format!(
                "{step} performs {gained:?} only if it comes first, and does not forgo it after the \
                 other one: {:?}",
                behind.actions
            )),
            None => Ok(()),
        }
    }

    /// Rewinds to random prefixes of the walk, and repeats the remaining steps.
    fn go_back(&mut self) -> Result<(), String> {
        for _ in 0..4 {
            let len = self.random.usize(..=self.steps.len());
            // A test of `rewind` starts at the end of the walk.
            self.run_from(0, self.steps.len())?;
            rewind(&mut self.machine, len)?;
            self.compare(&self.machine, len, "after `rewind`")?;
            self.run_on(len)?;
        }
        Ok(())
    }

    fn run_from(&mut self, from: usize, to: usize) -> Result<(), String> {
        rewind(&mut self.machine, from)?;
        for step in &self.steps[from..to] {
            perform(&mut self.machine, *step)?;
        }
        Ok(())
    }

    /// Repeats the steps of the walk from `len` on.
    fn run_on(&mut self, len: usize) -> Result<(), String> {
        for position in len..self.steps.len() {
            let done = perform(&mut self.machine, self.steps[position])?;
            self.compare_step(position, &done, "after `rewind`")?;
            self.compare(&self.machine, position + 1, "after `rewind` and the same steps")?;
        }
        Ok(())
    }

    /// Takes the same steps on a new machine.
    fn go_again(&self, start: &impl Fn() -> Result<M, Box<Violation>>) -> Result<(), String> {
        let mut machine = start()
            .map_err(|violation| format!("it starts once, and then fails to: {violation}"))?;
        self.compare(&machine, 0, "on a new machine")?;
        for (position, step) in self.steps.iter().enumerate() {
            if !Snapshot::of(&machine).steps().contains(step) {
                return Err(format!(
                    "on a new machine, step {step} after {} is not possible",
                    shown(&self.steps[..position])
                ));
            }
            let done = perform(&mut machine, *step)?;
            self.compare_step(position, &done, "on a new machine")?;
            self.compare(&machine, position + 1, "on a new machine")?;
        }
        Ok(())
    }

    fn compare(&self, machine: &M, len: usize, when: &str) -> Result<(), String> {
        match self.states[len].difference(&Snapshot::of(machine)) {
            Some(difference) => Err(format!(
                "{when}, the state after {} differs: {difference}",
                shown(&self.steps[..len])
            )),
            None => Ok(()),
        }
    }

    fn compare_step(&self, position: usize, done: &Done, when: &str) -> Result<(), String> {
        let before = &self.done[position];
        match before.is_like(done) && before.edges == done.edges {
            true => Ok(()),
            false => Err(format!(
                "{when}, step {} of {} does {done:?}, and did {:?} before",
                position + 1,
                shown(&self.steps),
                self.done[position]
            )),
        }
    }
}

/// Takes a step. It fails if the machine is not deterministic.
fn perform<M: Machine>(machine: &mut M, step: Step) -> Result<Done, String> {
    let mut performed = Performed::default();
    let result = machine.step(step, &mut performed);
    HAS_LEARNT.set(HAS_LEARNT.get() || performed.lesson.is_some());
    let violation = match result {
        Err(violation) if violation.kind == ViolationKind::Nondeterminism => {
            return Err(format!("step {step}: {violation}"));
        }
        Err(violation) => Some((violation.kind, violation.message)),
        Ok(()) => None,
    };
    let Performed { mut actions, edges, .. } = performed;
    actions.iter_mut().for_each(|action| *action = named(machine, *action));
    Ok(Done { actions, edges, violation })
}

fn rewind<M: Machine>(machine: &mut M, len: usize) -> Result<(), String> {
    machine.rewind(len).map_err(|violation| format!("going back to {len} steps: {violation}"))
}

/// Checks that a step changed the pending actions of other processes only if it may.
fn check_changes(
    step: Step,
    done: &Done,
    before: &Snapshot,
    after: &Snapshot,
) -> Result<(), String> {
    for process in (0..after.processes()).map(ProcessId::new) {
        let (old, new) = (before.process(process), after.process(process));
        if process == step.process || done.leads_to(process) || old == new {
            continue;
        }
        let mut pending = old.actions().chain(new.actions());
        if !pending.any(|pending| done.actions.iter().any(|action| may_change(action, pending))) {
            return Err(format!(
                "it performs {:?}, which changes process {process} from {old:?} to {new:?}",
                done.actions
            ));
        }
    }
    Ok(())
}

/// Returns whether an action may change a pending action, or whether that is enabled.
fn may_change(action: &Action, pending: &Action) -> bool {
    // The message of a pending receive and the number of a pending send depend on the whole queue.
    let is_queue = !action.op.is_memory() && action.on == pending.on;
    is_queue || dependence::depend((action.on, action.op), (pending.on, pending.op))
}

/// Returns whether two steps that performed these actions are dependent.
fn are_dependent(first: &[Action], second: &[Action]) -> bool {
    let depend = |a: &Action, b: &Action| dependence::depend((a.on, a.op), (b.on, b.op));
    first.iter().any(|a| second.iter().any(|b| depend(a, b)))
}

fn shown(steps: &[Step]) -> String {
    match steps {
        [] => "no step".to_owned(),
        steps => format!("the schedule {}", steps.iter().copied().collect::<Schedule>()),
    }
}
