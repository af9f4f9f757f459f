//! The local code of a process between its visible actions.

use mazurka_core::model::{Edge, ProcessId};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::{Code, Effects, Instruction, State, Status, Value};

impl State {
    pub(super) fn value(&self, process: usize, value: Value) -> i64 {
        match value {
            Value::Constant(constant) => constant,
            Value::Sum(register, constant) => {
                self.processes[process].registers[usize::from(register)].wrapping_add(constant)
            }
        }
    }

    /// Continues a process after its current instruction.
    pub(super) fn go_on(&mut self, code: &Code, process: usize, effects: &mut Effects<'_>) {
        self.processes[process].at += 1;
        self.run(code, process, effects);
    }

    /// Runs a process up to its next visible instruction.
    pub(super) fn run(&mut self, code: &Code, process: usize, effects: &mut Effects<'_>) {
        let id = ProcessId::new(process);
        loop {
            let this = &mut self.processes[process];
            let Some(instruction) = code.processes[process].get(this.at) else {
                return self.end(code, process, Status::Ended, effects);
            };
            let failure = match *instruction {
                Instruction::Release(slot) if this.held[slot] == 0 => {
                    Some((ViolationKind::LockMisuse, "releases a lock that it does not hold"))
                }
                Instruction::RequireSender(queue) if this.hung_up >> queue & 1 != 0 => {
                    Some((ViolationKind::Panic, "uses a channel that it has hung up"))
                }
                Instruction::Assert(register, constant)
                    if this.registers[usize::from(register)] != constant =>
                {
                    Some((ViolationKind::Panic, "fails an assertion"))
                }
                _ => None,
            };
            if let Some((kind, what)) = failure {
                let violation = || Box::new(Violation::new(kind, format!("process {id} {what}")));
                effects.violation.get_or_insert_with(violation);
                return self.end(code, process, Status::Failed(kind), effects);
            }
            match *instruction {
                Instruction::Release(slot) => this.held[slot] -= 1,
                Instruction::Spawn(child) => {
                    if self.processes[child].status == Status::Unborn {
                        self.processes[child].status = Status::Ready;
                        effects.edges.push(Edge { from: id, to: ProcessId::new(child) });
                        self.run(code, child, effects);
                    }
                }
                Instruction::Join(other) => {
                    if !self.processes[other].status.has_ended() {
                        self.processes[process].status = Status::AwaitsEnd(other);
                        return;
                    }
                    effects.edges.push(Edge { from: ProcessId::new(other), to: id });
                }
                Instruction::Yield => {
                    if !this.seen.is_empty() {
                        this.guards = std::mem::take(&mut this.seen);
                    }
                }
                Instruction::Jump(target) => {
                    this.at = target;
                    continue;
                }
                Instruction::JumpUnless(register, constant, target) => {
                    if this.registers[usize::from(register)] != constant {
                        this.at = target;
                        continue;
                    }
                }
                Instruction::Assert(..) | Instruction::RequireSender(_) => {}
                Instruction::Assume(register, constant) => {
                    if this.registers[usize::from(register)] != constant {
                        this.status = Status::Stopped;
                        return;
                    }
                }
                Instruction::AwaitNotification => {
                    this.status = Status::AwaitsNotification;
                    return;
                }
                _ => {
                    this.status = Status::Ready;
                    return;
                }
            }
            self.processes[process].at += 1;
        }
    }

    /// Ends a process, and releases the processes that wait for it.
    fn end(&mut self, code: &Code, process: usize, status: Status, effects: &mut Effects<'_>) {
        self.processes[process].status = status;
        for waiter in 0..self.processes.len() {
            if self.processes[waiter].status == Status::AwaitsEnd(process) {
                let (from, to) = (ProcessId::new(process), ProcessId::new(waiter));
                effects.edges.push(Edge { from, to });
                self.processes[waiter].status = Status::Ready;
                self.go_on(code, waiter, effects);
            }
        }
    }
}
