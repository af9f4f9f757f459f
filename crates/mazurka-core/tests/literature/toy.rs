//! The smallest machine that can run the programs of the literature: a process is a function from
//! the values it has read so far to what it does next.

use mazurka_core::explore::explore;
use mazurka_core::model::{
    Action, Edge, Ending, Location, Machine, ObjectId, Op, Performed, ProcessId, Rival, Step, When,
};
use mazurka_core::search::{Algorithm, Options};
use mazurka_core::verdict::{Verdict, Violation, ViolationKind};

/// Whether a message is one that is looked for, given what is wanted.
pub(crate) type Test = fn(u64, u64) -> bool;

/// What a process does next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Do {
    Read(u32),
    Write(u32, u64),
    /// Adds, and yields the value before.
    FetchAdd(u32, u64),
    /// Replaces one value by another, and yields the value before.
    Swap(u32, u64, u64),
    Lock(u32),
    Unlock(u32),
    /// Waits until so many processes with lower numbers have ended.
    Join(usize),
    Choose(u32),
    /// Sends a value to a mailbox.
    Send(u32, u64),
    /// Takes the oldest message from a mailbox that a test holds of, and yields it.
    Take(u32, Test, u64),
    /// Takes the oldest message that a test holds of, if there is one; yields 0 otherwise.
    TryTake(u32, Test, u64),
    /// Waits in a mailbox for what does not come, as a server may.
    Idle(u32),
    /// Fails.
    Fail,
    /// Never goes on.
    Block,
}

/// A process: `None` ends it.
pub(crate) type Process = Box<dyn Fn(&[u64]) -> Option<Do>>;

pub(crate) struct Toy {
    processes: Vec<Process>,
    histories: Vec<Vec<u64>>,
    pending: Vec<Option<(Do, Option<Action>)>>,
    memory: Vec<u64>,
    /// By the number of the mailbox, minus the number of variables.
    mailboxes: Vec<Mailbox>,
    steps: Vec<Step>,
    initial: Vec<u64>,
}

#[derive(Clone, Default)]
struct Mailbox {
    messages: Vec<(u32, u64)>,
    taken: Vec<(u32, Test, u64)>,
}

impl Toy {
    /// Processes over variables with these initial values.
    pub(crate) fn new(initial: &[u64], processes: Vec<Process>) -> Self {
        let mut toy = Toy {
            histories: vec![Vec::new(); processes.len()],
            pending: vec![None; processes.len()],
            processes,
            memory: Vec::new(),
            mailboxes: Vec::new(),
            steps: Vec::new(),
            initial: initial.to_vec(),
        };
        toy.restart();
        toy
    }

    fn restart(&mut self) {
        self.steps.clear();
        self.memory.clone_from(&self.initial);
        self.mailboxes.clear();
        self.mailboxes.resize_with(16, Mailbox::default);
        for p in 0..self.processes.len() {
            self.histories[p].clear();
            self.look_ahead(p);
        }
    }

    fn look_ahead(&mut self, p: usize) {
        let next = (self.processes[p])(&self.histories[p]);
        let on = |var: u32| Location::whole(ObjectId(var));
        self.pending[p] = next.map(|what| {
            let action = match what {
                Do::Read(x) => Some(Action::new(Op::Read, on(x))),
                Do::Write(x, _) | Do::Unlock(x) => Some(Action::new(Op::Write, on(x))),
                Do::FetchAdd(x, _) => Some(Action::new(Op::Update, on(x))),
                Do::Swap(x, old, _) => Some(Action::new(Op::Update, on(x)).when(When::Equals(old))),
                Do::Lock(x) => Some(Action::new(Op::Update, on(x)).when(When::Equals(0)).waiting()),
                Do::Send(b, _) => {
                    let message = self.message_of(p);
                    Some(Action::new(Op::Deliver { message }, on(b)))
                }
                Do::Take(b, ..) | Do::Idle(b) => {
                    Some(Action::new(Op::Take { message: Op::NONE }, on(b)).waiting())
                }
                Do::TryTake(b, ..) => Some(Action::new(Op::Take { message: Op::NONE }, on(b))),
                Do::Join(_) | Do::Choose(_) | Do::Fail | Do::Block => None,
            };
            (what, action)
        });
    }

    /// The number of the message that a process sends next.
    fn message_of(&self, p: usize) -> u32 {
        (p * 64 + self.histories[p].len()) as u32
    }

    fn mailbox(&self, b: u32) -> &Mailbox {
        &self.mailboxes[b as usize - self.initial.len()]
    }

    fn first_match(&self, b: u32, test: Test, with: u64) -> Option<usize> {
        self.mailbox(b).messages.iter().position(|(_, value)| test(*value, with))
    }

    fn send(&mut self, p: usize, b: u32, value: u64, action: Action, performed: &mut Performed) {
        let message = self.message_of(p);
        let mailboxes = self.initial.len();
        let mailbox = &mut self.mailboxes[b as usize - mailboxes];
        let takers = mailbox.taken.iter().filter(|(_, test, with)| test(value, *with));
        let rival = |taken: u32| Rival { on: action.on, taken, other: message };
        performed.rivals.extend(takers.map(|(taken, ..)| rival(*taken)));
        mailbox.messages.push((message, value));
        performed.actions.push(action);
    }

    fn take(
        &mut self,
        b: u32,
        test: Test,
        with: u64,
        action: Action,
        performed: &mut Performed,
    ) -> u64 {
        let Some(place) = self.first_match(b, test, with) else {
            performed.actions.push(Action { op: Op::TakeNone, ..action });
            return 0;
        };
        let mailboxes = self.initial.len();
        let mailbox = &mut self.mailboxes[b as usize - mailboxes];
        let (message, value) = mailbox.messages.remove(place);
        mailbox.taken.push((message, test, with));
        performed.actions.push(Action { op: Op::Take { message }, ..action });
        let mut others: Vec<u32> = Vec::new();
        let matching = self.mailbox(b).messages.iter().filter(|(_, value)| test(*value, with));
        others.extend(matching.map(|(other, _)| *other));
        for p in 0..self.processes.len() {
            if let Some((Do::Send(to, value), _)) = self.pending[p]
                && to == b
                && test(value, with)
            {
                others.push(self.message_of(p));
            }
        }
        let rival = |other: u32| Rival { on: action.on, taken: message, other };
        performed.rivals.extend(others.into_iter().map(rival));
        value
    }

    fn perform(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let p = step.process.index();
        let (what, action) = self.pending[p].expect("only enabled processes move");
        let mut result = Ok(());
        match (what, action) {
            (Do::Send(b, value), Some(action)) => {
                self.send(p, b, value, action, performed);
                return self.finish(step, 0, result, performed);
            }
            (Do::Take(b, test, with) | Do::TryTake(b, test, with), Some(action)) => {
                let value = self.take(b, test, with, action, performed);
                return self.finish(step, value, result, performed);
            }
            _ => {}
        }
        let mut touch = |x: u32, op: Option<Op>, after: &dyn Fn(u64) -> u64| {
            let cell = &mut self.memory[x as usize];
            let before = *cell;
            *cell = after(before);
            let mut action = action.expect("it touches something").performed(before, *cell);
            action.op = op.unwrap_or(action.op);
            performed.actions.push(action);
            before
        };
        let value = match what {
            Do::Read(x) => touch(x, None, &|v| v),
            Do::Write(x, new) => touch(x, None, &|_| new),
            Do::FetchAdd(x, n) => touch(x, None, &|v| v + n),
            Do::Swap(x, old, new) => {
                let fails = self.memory[x as usize] != old;
                let cell = &mut self.memory[x as usize];
                let before = *cell;
                if !fails {
                    *cell = new;
                }
                let mut action = action.expect("it touches x").performed(before, *cell);
                if fails {
                    action.op = Op::Read;
                }
                performed.actions.push(action);
                before
            }
            Do::Lock(x) => touch(x, None, &|_| 1),
            Do::Unlock(x) => touch(x, None, &|_| 0),
            Do::Choose(_) => u64::from(step.choice),
            Do::Fail => {
                result =
                    Err(Box::new(Violation::new(ViolationKind::Panic, format!("process {p}"))));
                0
            }
            _ => unreachable!("a blocked process does not move"),
        };
        self.finish(step, value, result, performed)
    }

    fn finish(
        &mut self,
        step: Step,
        value: u64,
        result: Result<(), Box<Violation>>,
        performed: &mut Performed,
    ) -> Result<(), Box<Violation>> {
        let p = step.process.index();
        self.steps.push(step);
        self.histories[p].push(value);
        match result.is_err() {
            true => self.pending[p] = None,
            false => self.look_ahead(p),
        }
        self.go_on_after_joins(performed);
        result
    }

    /// A process that has waited for others goes on as part of the step that ends them.
    fn go_on_after_joins(&mut self, performed: &mut Performed) {
        for joiner in 0..self.processes.len() {
            let Some((Do::Join(n), _)) = self.pending[joiner] else { continue };
            if self.pending[..n].iter().all(Option::is_none) {
                let to = ProcessId::new(joiner);
                performed.edges.extend((0..n).map(|p| Edge { from: ProcessId::new(p), to }));
                self.histories[joiner].push(0);
                self.look_ahead(joiner);
            }
        }
    }
}

impl Machine for Toy {
    fn processes(&self) -> usize {
        self.processes.len()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.pending[process.index()].as_ref()?.1.as_ref()
    }

    /// Returns an empty slice: processes do not spin.
    fn guards(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    /// Returns an empty slice: a step waits for one action.
    fn others(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        match self.pending[process.index()] {
            None | Some((Do::Block | Do::Join(_) | Do::Idle(_), _)) => false,
            Some((Do::Take(b, test, with), _)) => self.first_match(b, test, with).is_some(),
            Some((Do::Lock(x), _)) => self.memory[x as usize] == 0,
            Some(_) => true,
        }
    }

    fn alternatives(&self, process: ProcessId) -> u32 {
        match self.pending[process.index()] {
            Some((Do::Choose(n), _)) => n,
            _ => 1,
        }
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        self.perform(step, performed)
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        let steps = std::mem::take(&mut self.steps);
        self.restart();
        let mut performed = Performed::default();
        for step in &steps[..len] {
            performed.clear();
            let _ = self.perform(*step, &mut performed);
        }
        Ok(())
    }

    fn ending(&self) -> Ending {
        let waits = |(what, _): &(Do, Option<Action>)| !matches!(what, Do::Block | Do::Idle(_));
        if self.pending.iter().flatten().any(waits) {
            return Ending::Stuck(Box::new(Violation::new(ViolationKind::Deadlock, "stuck")));
        }
        let blocks = |(what, _): &(Do, Option<Action>)| matches!(what, Do::Block);
        match self.pending.iter().flatten().any(blocks) {
            true => Ending::AssumptionFailed,
            false => Ending::Finished,
        }
    }
}

/// Explores everything.
pub(crate) fn run(mut toy: Toy, algorithm: Algorithm) -> Verdict {
    let options = Options { algorithm, keep_going: true, ..Options::default() };
    explore(&mut toy, &options, &mut ())
}

/// A process that does these things one after the other.
pub(crate) fn sequence(what: Vec<Do>) -> Process {
    Box::new(move |history| what.get(history.len()).copied())
}
