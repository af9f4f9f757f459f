//! A front end in one file: threads that are lists of instructions.
//!
//! The book's chapter "Writing a front end" walks through it.

use mazurka_core::explore::explore;
use mazurka_core::model::{
    Action, Edge, Ending, Location, Machine, ObjectId, Op, Performed, ProcessId, Step, When,
};
use mazurka_core::search::{Algorithm, Options};
use mazurka_core::verdict::{Violation, ViolationKind};

// ANCHOR: language
/// One instruction. Variables and locks are numbered, and each thread has one register.
#[derive(Clone, Copy)]
enum Do {
    /// Loads a variable into the register.
    Load(u32),
    /// Stores the register plus a number.
    StorePlus(u32, u64),
    /// Waits until the lock is 0, and sets it to 1.
    Lock(u32),
    /// Sets the lock to 0.
    Unlock(u32),
    /// Waits until all threads before this one have ended.
    Join,
    /// Fails unless the variable has this value.
    Expect(u32, u64),
}
// ANCHOR_END: language

// ANCHOR: state
/// A program under the scheduler's control.
struct Script {
    threads: Vec<Vec<Do>>,
    /// The position of each thread in its list, its register, and its next action.
    at: Vec<usize>,
    registers: Vec<u64>,
    pending: Vec<Option<Action>>,
    /// The variables and the locks; all are 0 at first.
    memory: Vec<u64>,
    /// The steps so far, for [`Machine::rewind`].
    steps: Vec<Step>,
}

impl Script {
    fn new(threads: Vec<Vec<Do>>, variables: usize) -> Self {
        let n = threads.len();
        let (at, registers, pending) = (vec![0; n], vec![0; n], vec![None; n]);
        let mut script =
            Script { threads, at, registers, pending, memory: vec![0; variables], steps: vec![] };
        script.restart();
        script
    }

    fn restart(&mut self) {
        self.at.fill(0);
        self.registers.fill(0);
        self.memory.fill(0);
        self.steps.clear();
        (0..self.threads.len()).for_each(|p| self.look_ahead(p));
    }

    fn instruction(&self, p: usize) -> Option<Do> {
        self.threads[p].get(self.at[p]).copied()
    }
}
// ANCHOR_END: state

// ANCHOR: pending
impl Script {
    /// Finds the next action of a thread. An explorer sees nothing else of the program.
    fn look_ahead(&mut self, p: usize) {
        let on = |x: u32| Location::whole(ObjectId(x));
        self.pending[p] = self.instruction(p).and_then(|instruction| match instruction {
            Do::Load(x) | Do::Expect(x, _) => Some(Action::new(Op::Read, on(x))),
            Do::StorePlus(x, _) | Do::Unlock(x) => Some(Action::new(Op::Write, on(x))),
            Do::Lock(x) => Some(Action::new(Op::Update, on(x)).when(When::Equals(0)).waiting()),
            // Joining is not an action: it only orders what comes after it.
            Do::Join => None,
        });
    }
}
// ANCHOR_END: pending

// ANCHOR: step
impl Script {
    fn perform(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let p = step.process.index();
        let action = self.pending[p].expect("explorers step enabled processes only");
        let variable = &mut self.memory[action.on.object.0 as usize];
        let before = *variable;
        let mut result = Ok(());
        match self.threads[p][self.at[p]] {
            Do::Load(_) => self.registers[p] = before,
            Do::StorePlus(_, n) => *variable = self.registers[p] + n,
            Do::Lock(_) => *variable = 1,
            Do::Unlock(_) => *variable = 0,
            Do::Expect(x, wanted) if before != wanted => {
                let message = format!("variable {x} is {before}, and not {wanted}");
                result = Err(Box::new(Violation::new(ViolationKind::Panic, message)));
            }
            Do::Expect(..) | Do::Join => {}
        }
        performed.actions.push(action.performed(before, *variable));
        self.steps.push(step);
        // A thread that has failed has ended.
        self.at[p] = if result.is_ok() { self.at[p] + 1 } else { self.threads[p].len() };
        self.look_ahead(p);
        self.release_joins(performed);
        result
    }

    /// A thread that waits for others continues as part of the step that ends the last of them.
    fn release_joins(&mut self, performed: &mut Performed) {
        for p in 0..self.threads.len() {
            let others_ended = (0..p).all(|other| self.instruction(other).is_none());
            if matches!(self.instruction(p), Some(Do::Join)) && others_ended {
                let to = ProcessId::new(p);
                performed.edges.extend((0..p).map(|q| Edge { from: ProcessId::new(q), to }));
                self.at[p] += 1;
                self.look_ahead(p);
            }
        }
    }
}
// ANCHOR_END: step

// ANCHOR: machine
impl Machine for Script {
    fn processes(&self) -> usize {
        self.threads.len()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.pending[process.index()].as_ref()
    }

    fn guards(&self, _process: ProcessId) -> &[Action] {
        &[] // no thread spins
    }

    fn others(&self, _process: ProcessId) -> &[Action] {
        &[] // a step waits for one lock at most
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        let Some(action) = self.next(process) else { return false };
        !action.waits || action.when.holds(self.memory[action.on.object.0 as usize])
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        self.perform(step, performed)
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        let steps = std::mem::take(&mut self.steps);
        self.restart();
        for step in &steps[..len] {
            // A step that failed fails again, which is known already.
            let _ = self.perform(*step, &mut Performed::default());
        }
        Ok(())
    }

    fn ending(&self) -> Ending {
        let waits = (0..self.threads.len()).find(|p| self.instruction(*p).is_some());
        waits.map_or(Ending::Finished, |p| {
            let message = format!("thread {p} waits for ever");
            Ending::Stuck(Box::new(Violation::new(ViolationKind::Deadlock, message)))
        })
    }
}
// ANCHOR_END: machine

// ANCHOR: main
fn main() {
    let (x, lock) = (0, 1);
    let increment = vec![Do::Load(x), Do::StorePlus(x, 1)];
    let locked = [vec![Do::Lock(lock)], increment.clone(), vec![Do::Unlock(lock)]].concat();
    let main = vec![Do::Join, Do::Expect(x, 2)];

    let racy = vec![increment.clone(), increment, main.clone()];
    let correct = vec![locked.clone(), locked, main];
    for (name, threads) in [("racy", racy), ("locked", correct)] {
        for algorithm in Algorithm::ALL {
            let mut script = Script::new(threads.clone(), 2);
            let options = Options { algorithm, keep_going: true, ..Options::default() };
            let verdict = explore(&mut script, &options, &mut ());
            let (explorer, fails) = (algorithm.name(), !verdict.violations.is_empty());
            let executions = verdict.executions;
            println!("{name:6} {explorer:12} {executions:2} executions, fails: {fails}");
            assert!(verdict.is_complete());
        }
    }
}
// ANCHOR_END: main
