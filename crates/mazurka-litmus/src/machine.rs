//! Running a litmus test under the scheduler's control.

use mazurka_core::model::{
    Action, Ending, Location, Machine, MemoryOrdering, ObjectId, Op, Performed, ProcessId, Step,
    View, When,
};
use mazurka_core::verdict::Violation;

use crate::test::{Instruction, Modify, Place, Test};

/// The state of a test.
#[derive(Clone, Debug)]
struct State {
    memory: Vec<i64>,
    /// Where each thread is, and its registers.
    threads: Vec<(usize, Vec<i64>)>,
    /// The next action of each thread.
    actions: Vec<Option<Action>>,
}

/// A litmus test in some state.
#[derive(Clone, Debug)]
pub struct LitmusMachine<'a> {
    test: &'a Test,
    state: State,
    /// The states before each step.
    history: Vec<State>,
}

impl<'a> LitmusMachine<'a> {
    /// Returns a test in its initial state.
    pub fn new(test: &'a Test) -> Self {
        let threads: Vec<_> = test.threads.iter().map(|t| (0, t.initial.clone())).collect();
        let actions = vec![None; threads.len()];
        let state = State { memory: test.initial.clone(), threads, actions };
        let mut machine = LitmusMachine { test, state, history: Vec::new() };
        (0..test.threads.len()).for_each(|thread| machine.run(thread));
        machine
    }

    /// Returns the value of a place.
    pub(crate) fn value_of(&self, place: &Place) -> i64 {
        match place {
            Place::Register { thread, register } => self.state.threads[*thread].1[*register],
            Place::Location(location) => self.state.memory[*location],
        }
    }

    /// Runs a thread up to its next access to memory.
    fn run(&mut self, thread: usize) {
        let code = &self.test.threads[thread].code;
        let (at, registers) = &mut self.state.threads[thread];
        self.state.actions[thread] = None;
        while let Some(instruction) = code.get(*at) {
            match instruction {
                Instruction::Set { to, value } => registers[*to] = value.value(registers),
                Instruction::Jump(to) => {
                    *at = *to;
                    continue;
                }
                Instruction::JumpUnless { condition, to } => {
                    if condition.value(registers) == 0 {
                        *at = *to;
                        continue;
                    }
                }
                access => {
                    self.state.actions[thread] = Some(action(access, registers));
                    return;
                }
            }
            *at += 1;
        }
    }

    fn act(&mut self, step: Step, view: View, performed: &mut Performed) {
        self.history.push(self.state.clone());
        let thread = step.process.index();
        let Some(action) = self.state.actions[thread] else { return };
        let (at, registers) = &mut self.state.threads[thread];
        let instruction = &self.test.threads[thread].code[*at];
        *at += 1;
        if action.op == Op::Fence {
            performed.actions.push(action);
            return self.run(thread);
        }
        let cell = &mut self.state.memory[action.on.object.0 as usize];
        let held = *cell;
        let before = view.sees.map_or(held, |sees| sees as i64);
        let after = match instruction {
            Instruction::Load { to, .. } => {
                registers[*to] = before;
                before
            }
            Instruction::Store { value, .. } => value.value(registers),
            Instruction::Modify { to, how, value, .. } => {
                let operand = value.value(registers);
                registers[*to] = before;
                match how {
                    Modify::Exchange => operand,
                    Modify::Add => before.wrapping_add(operand),
                    Modify::Sub => before.wrapping_sub(operand),
                    Modify::Or => before | operand,
                    Modify::Xor => before ^ operand,
                    Modify::And => before & operand,
                }
            }
            Instruction::Exchange { to, expected, new, .. } => {
                let succeeds = before == registers[*expected];
                let after = if succeeds { new.value(registers) } else { before };
                registers[*expected] = before;
                registers[*to] = i64::from(succeeds);
                after
            }
            _ => unreachable!("the instruction accesses memory"),
        };
        let op = action.op_at(before as u64);
        *cell = match op {
            Op::Read => held,
            _ => view.leaves.map_or(after, |leaves| leaves as i64),
        };
        performed.actions.push(Action { op, ..action }.performed(before as u64, after as u64));
        self.run(thread);
    }
}

/// Returns the action of an access to memory.
fn action(instruction: &Instruction, registers: &[i64]) -> Action {
    let on = |location: &usize| Location::whole(ObjectId(*location as u32));
    let ordered = |action: Action, ordering: &Option<MemoryOrdering>| match ordering {
        Some(ordering) => action.ordered(*ordering),
        None => action.plain(),
    };
    match instruction {
        Instruction::Load { from, ordering, .. } => {
            ordered(Action::new(Op::Read, on(from)), ordering)
        }
        Instruction::Store { to, ordering, .. } => {
            ordered(Action::new(Op::Write, on(to)), ordering)
        }
        Instruction::Modify { at, ordering, .. } => {
            Action::new(Op::Update, on(at)).ordered(*ordering)
        }
        Instruction::Exchange { at, expected, orderings: (success, failure), .. } => {
            let when = When::Equals(registers[*expected] as u64);
            let action = Action::new(Op::Update, on(at)).when(when);
            action.ordered(*success).ordered_on_failure(*failure)
        }
        Instruction::Fence(ordering) => Action::fence(*ordering),
        Instruction::Set { .. } | Instruction::Jump(_) | Instruction::JumpUnless { .. } => {
            unreachable!("the instruction does not access memory")
        }
    }
}

impl Machine for LitmusMachine<'_> {
    fn processes(&self) -> usize {
        self.test.threads.len()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.state.actions.get(process.index())?.as_ref()
    }

    fn guards(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn others(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        self.next(process).is_some()
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        self.act(step, View::PRESENT, performed);
        Ok(())
    }

    fn has_memory_orderings(&self) -> bool {
        true
    }

    fn value(&self, process: ProcessId) -> Option<u64> {
        let action = self.next(process).filter(|action| action.op.is_memory())?;
        Some(self.state.memory[action.on.object.0 as usize] as u64)
    }

    fn step_seeing(
        &mut self,
        step: Step,
        view: View,
        performed: &mut Performed,
    ) -> Result<(), Box<Violation>> {
        self.act(step, view, performed);
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
        Ending::Finished
    }
}
