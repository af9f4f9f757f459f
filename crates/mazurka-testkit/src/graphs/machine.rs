//! Running a program under the scheduler's control.

use std::ops::Range;

use mazurka_core::model::{
    Action, Edge, Ending, Location, Machine, MemoryOrdering, ObjectId, Op, Performed, ProcessId,
    Program, Step, Values, View, When,
};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::program::{BARRIER, Instruction, Litmus, REGISTERS, VALUES, place};

/// How a thread is.
#[derive(Clone, Debug)]
struct Thread {
    at: usize,
    registers: [u64; REGISTERS],
    /// The action of the instruction that it is at.
    action: Option<Action>,
    guards: Vec<Action>,
    /// Whether it waits at the barrier.
    is_waiting: bool,
    /// What it has read in this iteration of its loop, and where.
    seen: Vec<(u32, u64)>,
    /// Whether the iteration was pure. Then the thread goes no further.
    has_spun: bool,
    /// The conditions under which the values that it has read in that iteration have changed.
    retries: Vec<Action>,
}

#[derive(Clone, Debug)]
struct State {
    threads: Vec<Thread>,
    memory: Vec<u64>,
}

/// A program in some state.
#[derive(Clone, Debug)]
pub struct LitmusMachine {
    program: Litmus,
    /// The groups of threads that are interchangeable.
    twins: Vec<Range<usize>>,
    state: State,
    history: Vec<State>,
}

fn location(number: u32) -> Location {
    Location::whole(ObjectId(number))
}

fn ordered(action: Action, ordering: Option<MemoryOrdering>) -> Action {
    match ordering {
        Some(ordering) => action.ordered(ordering),
        None => action.plain(),
    }
}

impl Program for Litmus {
    type Machine = LitmusMachine;

    fn start(&self) -> Result<LitmusMachine, Box<Violation>> {
        Ok(LitmusMachine::new(self))
    }

    fn for_workers(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn restore(&self, saved: &[u8]) -> bool {
        saved.is_empty()
    }
}

impl LitmusMachine {
    /// The machine in its initial state.
    pub fn new(program: &Litmus) -> Self {
        let thread = Thread {
            at: 0,
            registers: [0; REGISTERS],
            action: None,
            guards: Vec::new(),
            is_waiting: false,
            seen: Vec::new(),
            has_spun: false,
            retries: Vec::new(),
        };
        let threads = vec![thread; program.threads.len()];
        let state = State { threads, memory: vec![0; 16] };
        let (program, twins) = (program.clone(), program.twins());
        let mut machine = LitmusMachine { program, twins, state, history: Vec::new() };
        machine.run_all(&mut Vec::new());
        machine
    }

    /// What the registers of a thread hold.
    pub fn registers(&self, thread: usize) -> [u64; REGISTERS] {
        self.state.threads[thread].registers
    }

    fn has_ended(&self, thread: usize) -> bool {
        let state = &self.state.threads[thread];
        state.at >= self.program.threads[thread].len() && !state.is_waiting
    }

    /// Runs all threads up to their next actions.
    fn run_all(&mut self, edges: &mut Vec<Edge>) {
        let mut go_on = true;
        while go_on {
            go_on = false;
            for thread in 0..self.program.threads.len() {
                while self.run_local(thread, edges) {
                    go_on = true;
                }
            }
        }
    }

    /// Runs an instruction without an action, if the thread is at one.
    fn run_local(&mut self, thread: usize, edges: &mut Vec<Edge>) -> bool {
        let Some(instruction) = self.program.threads[thread].get(self.state.threads[thread].at)
        else {
            return false;
        };
        if self.state.threads[thread].is_waiting {
            return false;
        }
        let instruction = *instruction;
        let joined = match instruction {
            Instruction::Join(other) => Some(self.has_ended(other)),
            _ => None,
        };
        let state = &mut self.state.threads[thread];
        match instruction {
            Instruction::Unless { register, holds, skip } => {
                let skips = state.registers[register] != holds;
                state.at += 1 + usize::from(skips) * skip;
                true
            }
            Instruction::Join(other) if joined == Some(true) => {
                let (from, to) = (ProcessId::new(other), ProcessId::new(thread));
                edges.push(Edge { from, to });
                state.at += 1;
                true
            }
            Instruction::Join(_) => {
                state.action = None;
                false
            }
            _ => {
                let action = action(instruction, &state.seen);
                let on = location(place(action.on.object.0, thread));
                state.action = Some(Action { on, ..action });
                if let Instruction::WaitExchange { at, expected, other, .. } = instruction {
                    let failing: Vec<u64> =
                        (0..VALUES).filter(|value| ![expected, other].contains(value)).collect();
                    let when = When::Outside(Values::new(&failing));
                    let guard = Action::new(Op::Read, location(at)).when(when);
                    state.guards = vec![guard.awaiting().guarding()];
                }
                false
            }
        }
    }

    /// Releases the threads that wait at the barrier.
    fn release(&mut self, last: usize, edges: &mut Vec<Edge>) {
        let waits = |thread: &usize| self.state.threads[*thread].is_waiting;
        let waiting: Vec<usize> = (0..self.state.threads.len()).filter(waits).collect();
        let edge = |from, to| Edge { from: ProcessId::new(from), to: ProcessId::new(to) };
        edges.extend(waiting.iter().map(|thread| edge(*thread, last)));
        edges.extend(waiting.iter().map(|thread| edge(last, *thread)));
        waiting.iter().for_each(|thread| self.state.threads[*thread].is_waiting = false);
    }

    fn act(&mut self, step: Step, view: Option<View>, performed: &mut Performed) {
        self.history.push(self.state.clone());
        let thread = step.process.index();
        let at = self.state.threads[thread].at;
        let instruction = self.program.threads[thread][at];
        let action = self.state.threads[thread].action.expect("the thread is at an action");
        let guards = std::mem::take(&mut self.state.threads[thread].guards);
        let mut goes_on = true;
        if action.op == Op::Fence {
            performed.actions.push(action);
        } else {
            let place = action.on.object.0 as usize;
            let held = self.state.memory[place];
            let before = view.and_then(|view| view.sees).unwrap_or(held);
            let registers = &mut self.state.threads[thread].registers;
            let after = match instruction {
                Instruction::Load { register, .. } => {
                    registers[register] = before;
                    before
                }
                Instruction::Store { value, .. } => value.of(registers),
                Instruction::Add { amount, register, .. } => {
                    registers[register] = before;
                    (before + amount) % VALUES
                }
                Instruction::Exchange { expected, new, register, .. } => {
                    registers[register] = before;
                    if before == expected { new } else { before }
                }
                Instruction::Lock(_) => 1,
                Instruction::Unlock(_) => 0,
                Instruction::Wait { .. } => before,
                Instruction::WaitExchange { expected, new, register, .. } => {
                    registers[register] = before;
                    if before == expected { new } else { before }
                }
                Instruction::Agree { register, .. } => {
                    registers[register] = before;
                    let seen = &mut self.state.threads[thread].seen;
                    seen.push((place as u32, before));
                    let agrees = seen[0].1 == before;
                    goes_on = seen.len() == 2 && agrees;
                    self.state.threads[thread].has_spun = !agrees;
                    before
                }
                Instruction::Increment { register, .. } => {
                    registers[register] = before;
                    let seen = &mut self.state.threads[thread].seen;
                    seen.push((place as u32, before));
                    goes_on = seen.len() == 2 && seen[0].1 == before;
                    self.state.threads[thread].has_spun = seen.len() == 2 && !goes_on;
                    if goes_on { (before + 1) % VALUES } else { before }
                }
                Instruction::Await { value, .. } => {
                    goes_on = before == value;
                    before
                }
                Instruction::Barrier(leads) => {
                    let is_last = before + 1 == self.program.barrier_size();
                    if let Some(register) = leads {
                        registers[register] = u64::from(is_last);
                    }
                    self.state.threads[thread].is_waiting = !is_last;
                    if is_last {
                        self.release(thread, &mut performed.edges);
                    }
                    if is_last { 0 } else { before + 1 }
                }
                Instruction::AwaitExchange { expected, new, .. } => {
                    goes_on = before == expected;
                    if goes_on { new } else { before }
                }
                _ => unreachable!("these have no action"),
            };
            let op = action.op_at(before);
            performed.actions.push(Action { op, ..action }.performed(before, after));
            self.state.memory[place] = match op {
                Op::Read => held,
                _ => view.and_then(|view| view.leaves).unwrap_or(after),
            };
            let is_guarded = matches!(
                instruction,
                Instruction::Await { .. } | Instruction::AwaitExchange { .. }
            );
            if !goes_on && is_guarded {
                let guard = Action::new(Op::Read, action.on).when(When::Differs(before));
                let guards = &mut self.state.threads[thread].guards;
                guards.push(guard.guarding());
                // Another guard stands for another location: the thread does not wait for a single one.
                if matches!(instruction, Instruction::Await { .. }) {
                    guards.push(guard.guarding());
                }
            }
        }
        let state = &mut self.state.threads[thread];
        if state.has_spun {
            let changed = |(place, value): &(u32, u64)| {
                Action::new(Op::Read, location(*place)).when(When::Differs(*value)).guarding()
            };
            state.retries = state.seen.iter().map(changed).collect();
        }
        performed.actions.extend(guards.iter().map(|guard| guard.performed(0, 0)));
        self.state.threads[thread].action = None;
        self.state.threads[thread].at += usize::from(goes_on);
        if goes_on {
            self.state.threads[thread].seen.clear();
        }
        self.run_all(&mut performed.edges);
    }
}

/// Returns the action of an instruction, given what its thread has read in this iteration of its loop.
fn action(instruction: Instruction, seen: &[(u32, u64)]) -> Action {
    use MemoryOrdering::{Acquire, Release};
    match instruction {
        Instruction::Load { from, ordering, .. } => {
            ordered(Action::new(Op::Read, location(from)), ordering)
        }
        Instruction::Await { from, ordering, .. } => {
            ordered(Action::new(Op::Read, location(from)), Some(ordering))
        }
        Instruction::Store { to, ordering, .. } => {
            ordered(Action::new(Op::Write, location(to)), ordering)
        }
        Instruction::Add { to, ordering, .. } => {
            Action::new(Op::Update, location(to)).ordered(ordering)
        }
        Instruction::Wait { from, ordering, value } => {
            let action = Action::new(Op::Read, location(from)).when(When::Equals(value));
            action.awaiting().ordered(ordering)
        }
        Instruction::Agree { first, second, ordering, .. } => {
            let from = if seen.is_empty() { first } else { second };
            Action::new(Op::Read, location(from)).ordered(ordering)
        }
        Instruction::Increment { at, success, failure, .. } => match seen {
            [] => Action::new(Op::Read, location(at)).ordered(failure),
            [(_, before), ..] => {
                let action = Action::new(Op::Update, location(at)).when(When::Equals(*before));
                action.ordered(success).ordered_on_failure(failure)
            }
        },
        Instruction::Exchange { at, expected, success, failure, .. }
        | Instruction::WaitExchange { at, expected, success, failure, .. }
        | Instruction::AwaitExchange { at, expected, success, failure, .. } => {
            let action = Action::new(Op::Update, location(at)).when(When::Equals(expected));
            action.ordered(success).ordered_on_failure(failure)
        }
        Instruction::Fence(ordering) => Action::fence(ordering),
        Instruction::Lock(at) => {
            let action = Action::new(Op::Update, location(at)).when(When::Equals(0)).waiting();
            action.ordered(Acquire)
        }
        Instruction::Unlock(at) => Action::new(Op::Write, location(at)).ordered(Release),
        Instruction::Barrier(None) => {
            let action = Action::new(Op::Add, location(BARRIER)).unread();
            action.ordered(MemoryOrdering::AcqRel)
        }
        Instruction::Barrier(Some(_)) => {
            Action::new(Op::Update, location(BARRIER)).ordered(MemoryOrdering::AcqRel)
        }
        Instruction::Unless { .. } | Instruction::Join(_) => unreachable!("these have no action"),
    }
}

impl Machine for LitmusMachine {
    fn processes(&self) -> usize {
        self.program.threads.len()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        let state = &self.state.threads[process.index()];
        match self.has_ended(process.index()) || state.is_waiting || state.has_spun {
            true => None,
            false => self.state.threads[process.index()].action.as_ref(),
        }
    }

    fn guards(&self, process: ProcessId) -> &[Action] {
        &self.state.threads[process.index()].guards
    }

    fn retries(&self, process: ProcessId) -> &[Action] {
        &self.state.threads[process.index()].retries
    }

    fn others(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn twin(&self, process: ProcessId) -> Option<ProcessId> {
        let thread = process.index();
        let has_elder = self.twins.iter().any(|group| group.start < thread && thread < group.end);
        has_elder.then(|| ProcessId::new(thread - 1))
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        let holds =
            |action: &Action| action.when.holds(self.state.memory[action.on.object.0 as usize]);
        let guards = self.guards(process);
        let is_free = guards.is_empty() || guards.iter().any(holds);
        self.next(process).is_some_and(|action| !action.waits || holds(action)) && is_free
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        self.act(step, None, performed);
        Ok(())
    }

    fn has_memory_orderings(&self) -> bool {
        true
    }

    fn value(&self, process: ProcessId) -> Option<u64> {
        let action = self.next(process)?;
        self.state.memory.get(action.on.object.0 as usize).copied()
    }

    fn step_seeing(
        &mut self,
        step: Step,
        view: View,
        performed: &mut Performed,
    ) -> Result<(), Box<Violation>> {
        self.act(step, Some(view), performed);
        Ok(())
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        if let Some(state) = self.history.get(len) {
            self.state = state.clone();
            self.history.truncate(len);
        }
        Ok(())
    }

    fn ending(&self) -> Ending {
        let is_dropped = |thread: &Thread| {
            let has_changed =
                |(place, value): &(u32, u64)| self.state.memory[*place as usize] != *value;
            thread.has_spun && thread.seen.iter().any(has_changed)
        };
        if self.state.threads.iter().any(is_dropped) {
            return Ending::AssumptionFailed;
        }
        match (0..self.program.threads.len()).all(|thread| self.has_ended(thread)) {
            true => Ending::Finished,
            false => {
                let message = "threads wait".to_owned();
                Ending::Stuck(Box::new(Violation::new(ViolationKind::Deadlock, message)))
            }
        }
    }
}
