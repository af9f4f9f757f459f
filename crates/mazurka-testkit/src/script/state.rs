//! The state of a running script, and the effects of its instructions.

mod fingerprint;
mod local;

use std::collections::VecDeque;

use mazurka_core::model::{Action, Edge, Op, Performed, ProcessId, Ways, When};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::compile::{Access, Code, Effect, Instruction, LOCKS, Outcome};
use super::mailbox::{Mailbox, Message};
use super::syntax::{Half, REGISTERS, Value};

/// The status of a process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// No process has spawned it yet.
    Unborn,
    /// It is at a visible action, which may be disabled.
    Ready,
    /// It waits for a notification.
    AwaitsNotification,
    /// It waits until this process has ended.
    AwaitsEnd(usize),
    /// It has ended normally.
    Ended,
    /// It has ended with this violation.
    Failed(ViolationKind),
    /// It has stopped because an assumption failed.
    Stopped,
}

impl Status {
    fn has_ended(self) -> bool {
        matches!(self, Status::Ended | Status::Failed(_))
    }
}

/// A value that a process has read from a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Seen {
    cell: usize,
    value: u64,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Process {
    status: Status,
    at: usize,
    /// The number of steps that it has taken.
    steps: u32,
    registers: [i64; REGISTERS + 1],
    held: [u32; LOCKS],
    /// The values that it has read since its last yield.
    seen: Vec<Seen>,
    /// The values at its last yield. It is disabled until one of them changes.
    guards: Vec<Seen>,
    /// The condition variable on which it waits for a notification.
    waits_on: Option<usize>,
    /// A bit for each channel on which it has hung up.
    hung_up: u8,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Queue {
    capacity: Option<u32>,
    messages: VecDeque<i64>,
    sent: u32,
    received: u32,
    senders: u32,
    closed: bool,
}

impl Queue {
    fn is_full(&self) -> bool {
        self.capacity.is_some_and(|capacity| self.messages.len() >= capacity as usize)
    }

    fn send(&self) -> Op {
        let freed_by = match self.capacity {
            Some(capacity) if self.sent >= capacity => self.sent - capacity,
            _ => Op::NONE,
        };
        Op::Send { number: self.sent, freed_by }
    }
}

/// The whole state of a script.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    cells: Vec<u64>,
    queues: Vec<Queue>,
    mailboxes: Vec<Mailbox>,
    processes: Vec<Process>,
}

/// The effects of a step other than its actions.
struct Effects<'a> {
    edges: &'a mut Vec<Edge>,
    violation: Option<Box<Violation>>,
}

impl State {
    /// Returns the initial state, in which every process that exists is at its first visible
    /// action.
    pub(super) fn initial(code: &Code) -> Result<Self, Box<Violation>> {
        let process = |is_spawned: &bool| Process {
            status: if *is_spawned { Status::Unborn } else { Status::Ready },
            at: 0,
            steps: 0,
            registers: [0; REGISTERS + 1],
            held: [0; LOCKS],
            seen: Vec::new(),
            guards: Vec::new(),
            waits_on: None,
            hung_up: 0,
        };
        let queue = |(channel, senders): (&super::Channel, &u32)| Queue {
            capacity: channel.capacity,
            messages: VecDeque::new(),
            sent: 0,
            received: 0,
            senders: *senders,
            closed: false,
        };
        let mut state = State {
            cells: vec![0; code.layout.cells],
            queues: code.script.channels.iter().zip(&code.senders).map(queue).collect(),
            mailboxes: vec![Mailbox::default(); code.layout.mailboxes],
            processes: code.is_spawned.iter().map(process).collect(),
        };
        // Before the first step, edges order nothing.
        let mut edges = Vec::new();
        let mut effects = Effects { edges: &mut edges, violation: None };
        for (process, is_spawned) in code.is_spawned.iter().enumerate() {
            if !is_spawned {
                state.run(code, process, &mut effects);
            }
        }
        effects.violation.map_or(Ok(state), Err)
    }

    /// Returns the registers of a process.
    pub fn registers(&self, process: usize) -> &[i64] {
        &self.processes[process].registers[..REGISTERS]
    }

    /// Returns the status of a process.
    pub fn status(&self, process: usize) -> Status {
        self.processes[process].status
    }

    /// Returns the local state of each process: its status, its position in the code, and its
    /// registers. Two executions may end in the same local states, and leave behind different
    /// values that no process reads.
    pub fn locals(&self) -> Vec<(Status, usize, [i64; REGISTERS + 1])> {
        let local = |process: &Process| (process.status, process.at, process.registers);
        self.processes.iter().map(local).collect()
    }

    /// Returns the number of processes.
    pub fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Returns whether the receive that took the message `taken` out of a mailbox matches `other`,
    /// too.
    pub(super) fn would_take(&self, mailbox: usize, taken: u32, other: u32) -> bool {
        self.mailboxes[mailbox].would_take(taken, other)
    }

    /// Returns the message that a process is about to deliver, if there is one.
    fn to_be_delivered(&self, code: &Code, process: usize) -> Option<(usize, Message)> {
        let Process { status, at, steps, .. } = self.processes[process];
        match code.processes[process].get(at) {
            Some(&Instruction::Deliver { mailbox, value }) if status == Status::Ready => {
                // The number does not depend on the steps of other processes.
                let number = steps * self.processes.len() as u32 + process as u32;
                Some((mailbox, Message { number, value: self.value(process, value) }))
            }
            _ => None,
        }
    }

    /// Returns the pending action of a process.
    pub(super) fn pending(&self, code: &Code, process: usize) -> Option<Action> {
        if self.processes[process].status != Status::Ready {
            return None;
        }
        let layout = &code.layout;
        let action = match code.processes[process][self.processes[process].at] {
            Instruction::Access(ref access) => {
                let action = Action::new(access.op, layout.cell(access.cell)).when(access.when);
                let ways = if access.may_fail { Ways::MayFail } else { Ways::One };
                Action { waits: access.waits, plain: access.plain, ways, ..action }
            }
            Instruction::BeginWait { condition, .. } => {
                Action::new(Op::Add, layout.cell(layout.condition(condition)))
            }
            Instruction::TimeOut { condition, .. } => {
                let on = layout.cell(layout.condition(condition));
                Action::new(Op::Add, on).when(When::Any(bit(process)))
            }
            Instruction::Notify { condition, all } => {
                let on = layout.cell(layout.condition(condition));
                let ways = if all { Ways::One } else { Ways::PerBit };
                Action::new(Op::Update, on).when(When::Differs(0)).ways(ways)
            }
            Instruction::Send { queue, waits, .. } => {
                let action = Action::new(self.queues[queue].send(), layout.queue(queue));
                Action { waits, ..action }
            }
            Instruction::Receive { queue, waits, .. } => {
                let op = Op::Receive { number: self.queues[queue].received };
                Action { waits, ..Action::new(op, layout.queue(queue)) }
            }
            Instruction::Hangup(queue) => Action::new(Op::Hangup, layout.queue(queue)),
            Instruction::Close(queue) => Action::new(Op::Close, layout.queue(queue)),
            Instruction::Deliver { .. } => {
                let (mailbox, message) = self.to_be_delivered(code, process)?;
                Action::new(Op::Deliver { message: message.number }, layout.mailbox(mailbox))
            }
            Instruction::Take { mailbox, waits, .. } => {
                let op = Op::Take { message: Op::NONE };
                Action { waits, ..Action::new(op, layout.mailbox(mailbox)) }
            }
            _ => return None,
        };
        Some(action)
    }

    /// Returns the guards of a process that has yielded.
    pub(super) fn guards(&self, code: &Code, process: usize) -> Vec<Action> {
        let guard = |seen: &Seen| {
            let action = Action::new(Op::Read, code.layout.cell(seen.cell));
            action.when(When::Differs(seen.value)).guarding()
        };
        match self.processes[process].status {
            Status::Ready => self.processes[process].guards.iter().map(guard).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns whether the process could take a step if it had not yielded.
    fn is_able(&self, code: &Code, process: usize) -> bool {
        if self.processes[process].status != Status::Ready {
            return false;
        }
        match code.processes[process][self.processes[process].at] {
            Instruction::Access(ref access) => {
                !access.waits || access.when.holds(self.value_of(code, access.cell))
            }
            Instruction::Send { queue, waits: true, .. } => {
                self.queues[queue].closed || !self.queues[queue].is_full()
            }
            Instruction::Receive { queue, waits: true, .. } => {
                self.queues[queue].senders == 0 || !self.queues[queue].messages.is_empty()
            }
            Instruction::Take { mailbox, pattern, waits: true, .. } => {
                self.mailboxes[mailbox].has(pattern)
            }
            _ => true,
        }
    }

    fn is_held_back(&self, code: &Code, process: usize) -> bool {
        let guards = &self.processes[process].guards;
        let is_unchanged = |seen: &Seen| self.value_of(code, seen.cell) == seen.value;
        !guards.is_empty() && guards.iter().all(is_unchanged)
    }

    /// Returns the value of a cell, or of a half of one.
    fn value_of(&self, code: &Code, cell: usize) -> u64 {
        match code.layout.half(cell) {
            None => self.cells[cell],
            Some((whole, Half::Low)) => self.cells[whole] & u64::from(u32::MAX),
            Some((whole, Half::High)) => self.cells[whole] >> 32,
        }
    }

    /// Sets the value of a cell, or of a half of one. Returns its new value.
    fn set_value(&mut self, code: &Code, cell: usize, value: u64) -> u64 {
        match code.layout.half(cell) {
            None => self.cells[cell] = value,
            Some((whole, half)) => {
                let shift = if half == Half::High { 32 } else { 0 };
                let mask = u64::from(u32::MAX) << shift;
                self.cells[whole] = self.cells[whole] & !mask | (value << shift) & mask;
            }
        }
        self.value_of(code, cell)
    }

    /// Returns whether the process is enabled.
    pub(super) fn is_enabled(&self, code: &Code, process: usize) -> bool {
        self.is_able(code, process) && !self.is_held_back(code, process)
    }

    /// Returns whether only its last yield disables the process.
    pub(super) fn spins(&self, code: &Code, process: usize) -> bool {
        self.is_able(code, process) && self.is_held_back(code, process)
    }

    pub(super) fn alternatives(&self, code: &Code, process: usize) -> u32 {
        match code.processes[process][self.processes[process].at] {
            Instruction::Choose(_, count) => count,
            Instruction::Access(ref access) if access.may_fail => {
                1 + u32::from(access.when.holds(self.value_of(code, access.cell)))
            }
            Instruction::Notify { condition, all: false } => {
                self.waiters(condition).count().max(1) as u32
            }
            _ => 1,
        }
    }

    fn waiters(&self, condition: usize) -> impl Iterator<Item = usize> {
        let waits = move |process: &Process| process.waits_on == Some(condition);
        (0..self.processes.len()).filter(move |process| waits(&self.processes[*process]))
    }

    /// Takes a step of an enabled process.
    pub(super) fn step(
        &mut self,
        code: &Code,
        process: usize,
        choice: u32,
        performed: &mut Performed,
    ) -> Option<Box<Violation>> {
        let layout = &code.layout;
        let pending = self.pending(code, process);
        let mut guards = self.guards(code, process);
        for (guard, seen) in guards.iter_mut().zip(&self.processes[process].guards) {
            let value = self.value_of(code, seen.cell);
            *guard = guard.performed(value, value);
        }
        self.processes[process].guards.clear();
        let mut effects = Effects { edges: &mut performed.edges, violation: None };
        let (actions, rivals) = (&mut performed.actions, &mut performed.rivals);

        match code.processes[process][self.processes[process].at] {
            Instruction::Access(ref access) => {
                let pending = pending.expect("it is visible");
                let fails = access.may_fail && choice > 0;
                actions.push(self.access(code, process, access, pending, fails));
            }
            Instruction::BeginWait { condition, mutex } => {
                self.processes[process].waits_on = Some(condition);
                let cell = layout.condition(condition);
                actions.push(self.set(pending, cell, self.cells[cell] + bit(process)));
                let unlock = Action::new(Op::Write, layout.cell(mutex));
                actions.push(self.set(Some(unlock), mutex, 0));
            }
            Instruction::TimeOut { condition, result } => {
                let cell = layout.condition(condition);
                let timed_out = self.processes[process].waits_on.take().is_some();
                self.processes[process].registers[usize::from(result)] = i64::from(!timed_out);
                let left = self.cells[cell] & !bit(process);
                let action = self.set(pending, cell, left);
                actions.push(Action { op: action.op_at(action.before), ..action });
            }
            Instruction::Notify { condition, all } => {
                let cell = layout.condition(condition);
                let waiters: Vec<usize> = match all {
                    true => self.waiters(condition).collect(),
                    false => self.waiters(condition).skip(choice as usize).take(1).collect(),
                };
                let bits: u64 = waiters.iter().map(|waiter| bit(*waiter)).sum();
                let action = self.set(pending, cell, self.cells[cell] - bits);
                let op = action.op_at(action.before);
                actions.push(Action { op, ..action });
                for waiter in waiters {
                    self.processes[waiter].waits_on = None;
                    // A wait with a timeout is itself a visible action on the condition variable.
                    // An edge would hide its race with this action.
                    if self.processes[waiter].status == Status::AwaitsNotification {
                        let (from, to) = (ProcessId::new(process), ProcessId::new(waiter));
                        effects.edges.push(Edge { from, to });
                        self.go_on(code, waiter, &mut effects);
                    }
                }
            }
            Instruction::Choose(register, _) => {
                self.processes[process].registers[usize::from(register)] = choice.into();
            }
            Instruction::Send { queue, value, result, .. } => {
                let value = self.value(process, value);
                let target = &mut self.queues[queue];
                let sent = !target.closed && !target.is_full();
                if sent {
                    target.messages.push_back(value);
                    target.sent += 1;
                }
                if let Some(result) = result {
                    self.processes[process].registers[usize::from(result)] = sent.into();
                }
                let op = |action: Action| if sent { action.op } else { Op::SendNone };
                actions.extend(pending.map(|action| Action { op: op(action), ..action }));
            }
            Instruction::Receive { queue, waits, result } => {
                let source = &mut self.queues[queue];
                let message = source.messages.pop_front();
                source.received += u32::from(message.is_some());
                let nothing = if source.senders == 0 && !waits { -2 } else { -1 };
                let value = message.unwrap_or(nothing);
                self.processes[process].registers[usize::from(result)] = value;
                let taken = message.is_some();
                let op = |action: Action| if taken { action.op } else { Op::ReceiveNone };
                actions.extend(pending.map(|action| Action { op: op(action), ..action }));
            }
            Instruction::Hangup(queue) => {
                self.processes[process].hung_up |= 1 << queue;
                self.queues[queue].senders -= 1;
                actions.extend(pending);
            }
            Instruction::Close(queue) => {
                self.queues[queue].closed = true;
                actions.extend(pending);
            }
            Instruction::Deliver { mailbox, .. } => {
                let message = self.to_be_delivered(code, process).expect("it is at it").1;
                let target = &mut self.mailboxes[mailbox];
                rivals.extend(target.rivals_of_new(layout.mailbox(mailbox), message));
                target.deliver(message);
                actions.extend(pending);
            }
            Instruction::Take { mailbox, pattern, result, .. } => {
                let message = self.mailboxes[mailbox].take(pattern);
                let number = message.map(|message| message.number);
                if let Some(taken) = number {
                    let to_come = (0..self.processes.len())
                        .filter_map(|other| self.to_be_delivered(code, other))
                        .filter(|(to, _)| *to == mailbox);
                    let to_come: Vec<Message> = to_come.map(|(_, message)| message).collect();
                    let on = layout.mailbox(mailbox);
                    let source = &self.mailboxes[mailbox];
                    rivals.extend(source.rivals_of_taken(on, (taken, pattern), &to_come));
                    performed.alike = source.last_alike();
                }
                let value = message.map_or(-1, |message| message.value);
                self.processes[process].registers[usize::from(result)] = value;
                let op = number.map_or(Op::TakeNone, |message| Op::Take { message });
                actions.extend(pending.map(|action| Action { op, ..action }));
            }
            _ => unreachable!("processes stop at visible instructions only"),
        }
        actions.extend(guards);
        self.processes[process].steps += 1;
        self.go_on(code, process, &mut effects);
        effects.violation
    }

    /// Performs an action that sets a cell.
    fn set(&mut self, action: Option<Action>, cell: usize, after: u64) -> Action {
        let before = std::mem::replace(&mut self.cells[cell], after);
        action.expect("setting a cell is visible").performed(before, after)
    }

    /// Performs an access. `fails` says that it takes no effect even if its condition holds.
    fn access(
        &mut self,
        code: &Code,
        process: usize,
        access: &Access,
        action: Action,
        fails: bool,
    ) -> Action {
        // Reading plain memory again after a yield could be a data race.
        let watches = code.yields[process] && !access.plain;
        let before = self.value_of(code, access.cell);
        let takes_effect = access.when.holds(before) && !fails;
        let after = match access.effect {
            Effect::Set(value) if takes_effect => self.value(process, value) as u64,
            Effect::Increase(amount) if takes_effect => before.wrapping_add(amount as u64),
            _ => before,
        };
        let after = match after == before {
            true => before,
            false => self.set_value(code, access.cell, after),
        };
        let op = if fails { Op::Read } else { action.op_at(before) };

        let process = &mut self.processes[process];
        match access.result {
            Outcome::Nothing => {}
            Outcome::Before(register) => process.registers[usize::from(register)] = before as i64,
            Outcome::Success(register) => {
                process.registers[usize::from(register)] = takes_effect.into();
            }
        }
        if let (Some(slot), true) = (access.acquires, takes_effect) {
            process.held[slot] += 1;
        }
        let known = process.seen.iter_mut().find(|seen| seen.cell == access.cell);
        match (op, known) {
            (Op::Read, None) if watches => {
                process.seen.push(Seen { cell: access.cell, value: before });
            }
            // An `Add` must not learn the value: two additions commute.
            (Op::Read | Op::Write | Op::Update, Some(known)) => known.value = after,
            _ => {}
        }
        Action { op, ..action }.performed(before, after)
    }
}

/// Returns the bit of a process in the value of a condition variable.
fn bit(process: usize) -> u64 {
    1 << process
}
