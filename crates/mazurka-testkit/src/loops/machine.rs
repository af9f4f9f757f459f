//! The machine that runs a program with event loops.
//!
//! It is as simple as possible: every step copies the state, so that rewinding is trivial.

use mazurka_core::model::{
    Action, Edge, Ending, Location, Machine, ObjectId, Op, Performed, ProcessId, Program, Step,
    When,
};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::syntax::{Block, Loops, Statement};

/// An instruction of the flattened code of a thread or handler.
#[derive(Clone, Debug)]
enum Code {
    Read(usize),
    Write(usize, u64),
    Lock(usize),
    Unlock(usize),
    Post(usize),
    Spawn(usize),
    Quit,
    /// Jumps unless the register is 0.
    SkipUnlessZero(usize),
}

/// A compiled program with event loops.
#[derive(Clone, Debug)]
pub struct LoopProgram {
    /// The code of the threads, followed by that of the handlers.
    codes: Vec<Vec<Code>>,
    threads: usize,
    loops: Vec<bool>,
    on: Vec<usize>,
    starts: Vec<bool>,
    variables: usize,
    locks: usize,
}

impl LoopProgram {
    /// Compiles a program.
    pub fn new(loops: &Loops) -> Self {
        let mut program = LoopProgram {
            codes: loops.blocks().map(flatten).collect(),
            threads: loops.threads.len(),
            loops: loops.threads.iter().map(|thread| thread.loops).collect(),
            on: loops.handlers.iter().map(|(thread, _)| *thread).collect(),
            starts: vec![true; loops.threads.len()],
            variables: 0,
            locks: 0,
        };
        for code in program.codes.iter().flatten() {
            match code {
                Code::Read(x) | Code::Write(x, _) => {
                    program.variables = program.variables.max(x + 1);
                }
                Code::Lock(lock) => program.locks = program.locks.max(lock + 1),
                Code::Spawn(thread) => program.starts[*thread] = false,
                _ => {}
            }
        }
        program
    }

    fn variable(&self, x: usize) -> Location {
        Location::whole(ObjectId(x as u32))
    }

    fn lock(&self, lock: usize) -> Location {
        Location::whole(ObjectId((self.variables + lock) as u32))
    }

    fn queue(&self, thread: usize) -> Location {
        Location::whole(ObjectId((self.variables + self.locks + thread) as u32))
    }
}

fn flatten(block: &Block) -> Vec<Code> {
    fn put(block: &Block, codes: &mut Vec<Code>) {
        for statement in block {
            match statement {
                Statement::Read(x) => codes.push(Code::Read(*x)),
                Statement::Write(x, value) => codes.push(Code::Write(*x, *value)),
                Statement::Post(handler) => codes.push(Code::Post(*handler)),
                Statement::Spawn(thread) => codes.push(Code::Spawn(*thread)),
                Statement::Quit => codes.push(Code::Quit),
                Statement::Locked(lock, inner) => {
                    codes.push(Code::Lock(*lock));
                    put(inner, codes);
                    codes.push(Code::Unlock(*lock));
                }
                Statement::IfZero(inner) => {
                    let place = codes.len();
                    codes.push(Code::SkipUnlessZero(0));
                    put(inner, codes);
                    codes[place] = Code::SkipUnlessZero(codes.len());
                }
            }
        }
    }
    let mut codes = Vec::new();
    put(block, &mut codes);
    codes
}

#[derive(Clone, Debug)]
struct State {
    variables: Vec<u64>,
    locks: Vec<u64>,
    queues: Vec<Vec<usize>>,
    started: Vec<bool>,
    /// The threads that have quit.
    gone: Vec<bool>,
    /// For each thread, the code that it runs and the position in it; `None` if it waits for events
    /// or has ended.
    at: Vec<Option<(usize, usize)>>,
    /// The register of each thread and handler.
    registers: Vec<u64>,
    /// The next action of each thread.
    next: Vec<Option<Action>>,
}

/// A program with event loops in some state.
#[derive(Clone, Debug)]
pub struct LoopMachine {
    program: LoopProgram,
    states: Vec<State>,
}

impl LoopMachine {
    fn state(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// Returns the local states of the threads and handlers: their registers and positions.
    pub fn locals(&self) -> Vec<u64> {
        let state = self.state();
        let place = |at: &Option<(usize, usize)>| match at {
            Some((code, place)) => 1 + (*code as u64) * 1000 + *place as u64,
            None => 0,
        };
        state.registers.iter().copied().chain(state.at.iter().map(place)).collect()
    }

    /// Returns the positions of the threads that wait.
    pub fn deadlock(&self) -> Vec<(usize, usize)> {
        let state = self.state();
        let started = state.at.iter().zip(&state.started).filter(|(_, started)| **started);
        started.filter_map(|(at, _)| *at).collect()
    }

    /// Returns whether some thread waits for a lock.
    pub fn is_stuck(&self) -> bool {
        self.state().at.iter().enumerate().any(|(t, at)| at.is_some() && self.state().started[t])
    }
}

/// Runs local code, and computes the next action of a thread.
fn settle(program: &LoopProgram, state: &mut State, thread: usize) {
    if !state.started[thread] {
        state.next[thread] = None;
        return;
    }
    while let Some((code, place)) = state.at[thread] {
        match program.codes[code].get(place) {
            None => state.at[thread] = None,
            Some(Code::Quit) => {
                state.gone[thread] = true;
                state.at[thread] = None;
            }
            Some(Code::SkipUnlessZero(elsewhere)) => {
                let goes_in = state.registers[code] == 0;
                state.at[thread] = Some((code, if goes_in { place + 1 } else { *elsewhere }));
            }
            Some(code) => {
                state.next[thread] = Some(match code {
                    Code::Read(x) => Action::new(Op::Read, program.variable(*x)),
                    Code::Write(x, _) => Action::new(Op::Write, program.variable(*x)),
                    Code::Lock(lock) => {
                        let lock = Action::new(Op::Update, program.lock(*lock));
                        lock.when(When::Equals(0)).waiting().merely_locking()
                    }
                    Code::Unlock(lock) => Action::new(Op::Write, program.lock(*lock)),
                    Code::Post(handler) => {
                        let message = *handler as u32;
                        Action::new(Op::Post { message }, program.queue(program.on[*handler]))
                    }
                    // A step without an action.
                    Code::Spawn(_) | Code::Quit | Code::SkipUnlessZero(_) => {
                        state.next[thread] = None;
                        return;
                    }
                });
                return;
            }
        }
    }
    state.next[thread] = (program.loops[thread] && !state.gone[thread]).then(|| {
        let message = state.queues[thread].first().map_or(Op::NONE, |handler| *handler as u32);
        Action::new(Op::Dequeue { message }, program.queue(thread)).waiting()
    });
}

impl Machine for LoopMachine {
    fn processes(&self) -> usize {
        self.program.threads
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.state().next[process.index()].as_ref()
    }

    /// Returns an empty slice: handlers do not spin.
    fn guards(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    /// Returns an empty slice: a step performs one action.
    fn others(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        let state = self.state();
        let thread = process.index();
        if !state.started[thread] {
            return false;
        }
        match state.at[thread] {
            Some((code, place)) => match self.program.codes[code][place] {
                Code::Lock(lock) => state.locks[lock] == 0,
                _ => true,
            },
            None => {
                let loops = self.program.loops[thread] && !state.gone[thread];
                loops && !state.queues[thread].is_empty()
            }
        }
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let mut state = self.state().clone();
        let thread = step.process.index();
        let program = &self.program;
        let action = state.next[thread];
        let mut push = |before, after| {
            performed.actions.extend(action.map(|action| action.performed(before, after)));
        };
        if let Some((code, place)) = state.at[thread] {
            state.at[thread] = Some((code, place + 1));
            match program.codes[code][place] {
                Code::Read(x) => {
                    state.registers[code] = state.variables[x];
                    push(state.variables[x], state.variables[x]);
                }
                Code::Write(x, value) => {
                    let before = state.variables[x];
                    state.variables[x] = state.registers[code] + value;
                    push(before, state.variables[x]);
                }
                Code::Lock(lock) => {
                    state.locks[lock] = thread as u64 + 1;
                    push(0, state.locks[lock]);
                }
                Code::Unlock(lock) => {
                    push(state.locks[lock], 0);
                    state.locks[lock] = 0;
                }
                Code::Post(handler) => {
                    push(0, 0);
                    let to = program.on[handler];
                    state.queues[to].push(handler);
                    settle(program, &mut state, to);
                }
                Code::Spawn(child) => {
                    state.started[child] = true;
                    settle(program, &mut state, child);
                    performed.edges.push(Edge { from: step.process, to: ProcessId::new(child) });
                }
                Code::Quit | Code::SkipUnlessZero(_) => {}
            }
        } else {
            push(0, 0);
            let handler = state.queues[thread].remove(0);
            state.at[thread] = Some((program.threads + handler, 0));
        }
        settle(program, &mut state, thread);
        self.states.push(state);
        Ok(())
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        self.states.truncate(len + 1);
        Ok(())
    }

    fn ending(&self) -> Ending {
        match self.is_stuck() {
            false => Ending::Finished,
            true => {
                let violation = Violation::new(ViolationKind::Deadlock, "threads wait for locks");
                Ending::Stuck(Box::new(violation))
            }
        }
    }
}

impl Program for LoopProgram {
    type Machine = LoopMachine;

    fn start(&self) -> Result<LoopMachine, Box<Violation>> {
        let mut state = State {
            variables: vec![0; self.variables],
            locks: vec![0; self.locks],
            queues: vec![Vec::new(); self.threads],
            started: self.starts.clone(),
            gone: vec![false; self.threads],
            at: (0..self.threads).map(|thread| Some((thread, 0))).collect(),
            registers: vec![0; self.codes.len()],
            next: vec![None; self.threads],
        };
        for thread in 0..self.threads {
            settle(self, &mut state, thread);
        }
        Ok(LoopMachine { program: self.clone(), states: vec![state] })
    }
}
