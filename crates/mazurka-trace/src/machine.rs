//! The machine that runs a recording.

use std::sync::Arc;

use mazurka_core::model::{Action, Edge, Ending, Machine, Op, Performed, ProcessId, Step};
use mazurka_core::verdict::Violation;

use crate::operation::{Line, Operation};
use crate::program::{Code, Effect, NONE, TraceProgram};
use crate::stuck;

/// The position of a thread that handles events and is idle.
const IDLE: u32 = NONE - 1;
/// The position of a thread that has performed all of its operations.
const END: u32 = NONE;

/// A recording in some state.
///
/// Every step is recorded in an undo log, so the time to rewind is proportional to the number of
/// undone steps. The effect of a step follows from its operation, so a log entry consists of two
/// numbers.
#[derive(Clone, Debug)]
pub struct TraceMachine {
    pub(crate) program: Arc<TraceProgram>,
    pub(crate) threads: Vec<Thread>,
    /// The holder of each lock, or [`NONE`].
    pub(crate) locks: Vec<u32>,
    channels: Vec<Traffic>,
    /// The number of sources of an operation that have run.
    counters: Vec<u32>,
    /// The process that moved, and its position before.
    log: Vec<(u32, u32)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Thread {
    /// Its next operation, or [`IDLE`] or [`END`].
    at: u32,
    exists: bool,
    /// Whether it has a queue and has not exited.
    attached: bool,
    /// The number of handlers that have returned.
    handled: u32,
    /// All events that were posted to it. The first `taken` have been dequeued.
    queue: Vec<u32>,
    taken: u32,
    /// Its next action while it is idle.
    dequeue: Action,
    /// Its next action while it waits for a notification.
    wait: Action,
}

#[derive(Clone, Copy, Default, Debug)]
struct Traffic {
    sent: u32,
    received: u32,
}

impl TraceMachine {
    pub(crate) fn new(program: &TraceProgram) -> Self {
        let nowhere = |op| {
            let object = mazurka_core::model::ObjectId(0);
            Action::new(op, mazurka_core::model::Location::whole(object)).waiting()
        };
        let thread = |(process, start): (usize, &u32)| Thread {
            at: *start,
            exists: program.threads[process] == 1,
            attached: false,
            handled: 0,
            queue: Vec::new(),
            taken: 0,
            dequeue: nowhere(Op::Dequeue { message: Op::NONE }),
            wait: nowhere(Op::Receive { number: 0 }),
        };
        let mut threads: Vec<Thread> = program.starts.iter().enumerate().map(thread).collect();
        for code in &program.codes {
            let thread = &mut threads[code.thread as usize];
            match (code.effect, code.action) {
                (Effect::Call { .. }, Some(action)) => thread.dequeue.on = action.on,
                (Effect::Wait { .. }, Some(action)) => thread.wait.on = action.on,
                _ => {}
            }
        }
        let sizes = program.sizes;
        TraceMachine {
            program: Arc::new(program.clone()),
            threads,
            locks: vec![NONE; sizes.locks as usize],
            channels: vec![Traffic::default(); sizes.channels as usize],
            counters: vec![0; sizes.counters as usize],
            log: Vec::new(),
        }
    }

    /// Returns the next operation of a process, if it is known.
    pub(crate) fn pending(&self, process: usize) -> Option<&Code> {
        let thread = &self.threads[process];
        match thread.at {
            END => None,
            IDLE => {
                let event = *thread.queue.get(thread.taken as usize)?;
                Some(&self.program.codes[self.program.events[event as usize].call as usize])
            }
            at => Some(&self.program.codes[at as usize]),
        }
    }

    /// Returns the line that a process performs next, if it is known. An idle thread with an empty
    /// queue has none.
    pub fn next_line(&self, process: ProcessId) -> Option<&Line> {
        let code = self.pending(process.index())?;
        self.program.lines.get(code.line as usize)
    }

    /// Returns the program that it runs.
    pub fn program(&self) -> &TraceProgram {
        &self.program
    }

    /// Returns whether a process that has not ended exists in this execution.
    pub(crate) fn exists(&self, process: usize) -> bool {
        self.threads[process].exists
    }

    fn can_perform(&self, code: &Code) -> bool {
        match code.effect {
            Effect::Lock(lock) => self.locks[lock as usize] == NONE,
            Effect::Post { to, .. } => self.threads[to as usize].attached,
            Effect::Wait { channel } => {
                let traffic = self.channels[channel as usize];
                traffic.sent > traffic.received
            }
            Effect::Await { counter, needed } => self.counters[counter as usize] == needed,
            _ => true,
        }
    }

    fn perform(&mut self, code: &Code, performed: &mut Performed) {
        let me = code.thread;
        let actions = &mut performed.actions;
        let mut push = |before: u64, after: u64| {
            actions.extend(code.action.map(|action| action.performed(before, after)));
        };
        match code.effect {
            Effect::Nothing | Effect::Loop => push(0, 0),
            Effect::Return => self.threads[me as usize].handled += 1,
            Effect::Fork { child } => {
                self.threads[child as usize].exists = true;
                let (from, to) = (ProcessId::new(me as usize), ProcessId::new(child as usize));
                performed.edges.push(Edge { from, to });
            }
            Effect::Attach => {
                self.threads[me as usize].attached = true;
                push(0, 1);
            }
            Effect::Exit => {
                let was_attached = std::mem::take(&mut self.threads[me as usize].attached);
                push(u64::from(was_attached), 0);
            }
            Effect::Post { event, to } => {
                push(0, 0);
                actions.extend(code.guard.map(|guard| guard.performed(1, 1)));
                if event != NONE {
                    self.threads[to as usize].queue.push(event);
                    self.threads[to as usize].look_at_front();
                }
            }
            Effect::Call { .. } => {
                push(0, 0);
                self.threads[me as usize].taken += 1;
                self.threads[me as usize].look_at_front();
            }
            Effect::Lock(lock) => {
                self.locks[lock as usize] = me;
                push(0, u64::from(me) + 1);
            }
            Effect::Unlock(lock) => {
                let holder = std::mem::replace(&mut self.locks[lock as usize], NONE);
                push(u64::from(holder.wrapping_add(1)), 0);
            }
            Effect::Notify { channel } | Effect::Enable { channel } => {
                let traffic = &mut self.channels[channel as usize];
                let op = Op::Send { number: traffic.sent, freed_by: Op::NONE };
                traffic.sent += 1;
                actions.extend(code.action.map(|action| Action { op, ..action }));
            }
            Effect::Wait { channel } | Effect::Trigger { channel } => {
                let traffic = &mut self.channels[channel as usize];
                let is_there = traffic.sent > traffic.received;
                let op = match is_there {
                    true => Op::Receive { number: traffic.received },
                    false => Op::ReceiveNone,
                };
                traffic.received += u32::from(is_there);
                actions.extend(code.action.map(|action| Action { op, ..action }));
                if let Effect::Wait { .. } = code.effect {
                    self.threads[me as usize].wait.op = Op::Receive { number: traffic.received };
                }
            }
            Effect::Await { needed, .. } => push(u64::from(needed), u64::from(needed)),
        }
        if let Some(look) = code.looks {
            let value = u64::from(self.counters[look.counter as usize]);
            actions.push(look.action.performed(value, value));
        }
        for bump in &self.program.bumps[code.bumps.0 as usize..code.bumps.1 as usize] {
            let value = &mut self.counters[bump.counter as usize];
            *value += 1;
            actions.push(bump.action.performed(u64::from(*value - 1), u64::from(*value)));
        }
    }

    /// Undoes an operation. `found` says whether the operation had something to take away. The
    /// counts alone do not tell this for a trigger that received nothing, so the log does; see
    /// [`Self::undo`].
    fn take_back(&mut self, code: &Code, found: bool) {
        let me = code.thread as usize;
        match code.effect {
            Effect::Nothing | Effect::Loop | Effect::Await { .. } => {}
            Effect::Return => self.threads[me].handled -= 1,
            Effect::Fork { child } => self.threads[child as usize].exists = false,
            Effect::Attach => self.threads[me].attached = false,
            // Only a thread with a queue performs a write.
            Effect::Exit => self.threads[me].attached = code.action.is_some() && found,
            Effect::Post { event, to } => {
                if event != NONE {
                    self.threads[to as usize].queue.pop();
                    self.threads[to as usize].look_at_front();
                }
            }
            Effect::Call { .. } => {
                self.threads[me].taken -= 1;
                self.threads[me].look_at_front();
            }
            Effect::Lock(lock) => self.locks[lock as usize] = NONE,
            Effect::Unlock(lock) => self.locks[lock as usize] = code.thread,
            Effect::Notify { channel } | Effect::Enable { channel } => {
                self.channels[channel as usize].sent -= 1;
            }
            Effect::Wait { channel } | Effect::Trigger { channel } => {
                let traffic = &mut self.channels[channel as usize];
                traffic.received -= u32::from(found);
                if let Effect::Wait { .. } = code.effect {
                    self.threads[me].wait.op = Op::Receive { number: traffic.received };
                }
            }
        }
        for bump in &self.program.bumps[code.bumps.0 as usize..code.bumps.1 as usize] {
            self.counters[bump.counter as usize] -= 1;
        }
    }

    /// Returns whether an operation has something to take away: the queue of an exiting thread, or
    /// an item to receive.
    fn has_found(&self, code: &Code) -> bool {
        match code.effect {
            Effect::Exit => self.threads[code.thread as usize].attached,
            Effect::Trigger { channel } => {
                let traffic = self.channels[channel as usize];
                traffic.sent > traffic.received
            }
            _ => true,
        }
    }

    /// Undoes the last step.
    fn undo(&mut self) {
        let Some((thread, entry)) = self.log.pop() else { return };
        let (at, found) = (entry & !FOUND_NOTHING, entry & FOUND_NOTHING == 0);
        let program = Arc::clone(&self.program);
        let thread = thread as usize;
        let code = match at {
            AT_QUEUE => {
                let state = &self.threads[thread];
                let event = state.queue[state.taken as usize - 1];
                self.threads[thread].at = IDLE;
                program.events[event as usize].call
            }
            at => {
                self.threads[thread].at = at;
                at
            }
        };
        self.take_back(&program.codes[code as usize], found);
    }

    /// Performs the next line of the recording. The error says why it cannot be performed.
    pub(crate) fn repeat(&mut self, process: ProcessId, line: &Line) -> Result<(), String> {
        if let Some(pending) = self.next_line(process)
            && self.exists(process.index())
            && pending.number != line.number
            && let Operation::Call { message } = line.operation
        {
            return Err(match pending.operation {
                Operation::Call { message: front } => format!(
                    "CALL of event {message}, but event {front} is in front of the queue: events \
                     are handled in the order in which they were posted"
                ),
                _ => format!("CALL of event {message}, but its thread is not idle"),
            });
        }
        if let Operation::Unlock { .. } = line.operation
            && let Some(Effect::Unlock(lock)) = self.pending(process.index()).map(|c| c.effect)
            && self.locks[lock as usize] != process.index() as u32
        {
            return Err(match self.locks[lock as usize] {
                NONE => "UNLOCK of a lock that is not held".to_owned(),
                holder => {
                    let holder = self.program.threads[holder as usize];
                    format!("UNLOCK of a lock that thread {holder} holds")
                }
            });
        }
        if !self.is_enabled(process) {
            return Err(stuck::why_not(self, process.index()));
        }
        let mut performed = Performed::default();
        self.step(Step::of(process), &mut performed).map_err(|violation| violation.message)
    }
}

/// In the log: the thread was idle.
const AT_QUEUE: u32 = FOUND_NOTHING - 1;
/// In the log: the operation had nothing to take away.
const FOUND_NOTHING: u32 = 1 << 31;

impl Thread {
    fn look_at_front(&mut self) {
        let message = self.queue.get(self.taken as usize).copied().unwrap_or(Op::NONE);
        self.dequeue.op = Op::Dequeue { message };
    }

    /// Returns whether it is between two handlers.
    pub(crate) fn is_idle(&self) -> bool {
        self.at == IDLE
    }
}

impl Machine for TraceMachine {
    fn processes(&self) -> usize {
        self.threads.len()
    }

    #[inline]
    fn next(&self, process: ProcessId) -> Option<&Action> {
        let thread = &self.threads[process.index()];
        if !thread.exists {
            return None;
        }
        match thread.at {
            END => None,
            IDLE => Some(&thread.dequeue),
            at => {
                let code = &self.program.codes[at as usize];
                match code.effect {
                    Effect::Wait { .. } => Some(&thread.wait),
                    _ => code.action.as_ref().or(code.looks.as_ref().map(|look| &look.action)),
                }
            }
        }
    }

    fn guards(&self, process: ProcessId) -> &[Action] {
        let thread = &self.threads[process.index()];
        match thread.at {
            END | IDLE => &[],
            _ if !thread.exists => &[],
            at => self.program.codes[at as usize].guard.as_slice(),
        }
    }

    /// Returns an empty slice: an operation waits for at most one action.
    fn others(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    #[inline]
    fn is_enabled(&self, process: ProcessId) -> bool {
        let thread = &self.threads[process.index()];
        match thread.at {
            END => false,
            IDLE => thread.queue.len() > thread.taken as usize,
            at => thread.exists && self.can_perform(&self.program.codes[at as usize]),
        }
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let process = step.process.index();
        let program = Arc::clone(&self.program);
        let thread = &mut self.threads[process];
        let (at, entry) = match thread.at {
            IDLE => {
                let event = thread.queue[thread.taken as usize];
                (program.events[event as usize].call, AT_QUEUE)
            }
            at => (at, at),
        };
        let code = &program.codes[at as usize];
        let found_nothing = if self.has_found(code) { 0 } else { FOUND_NOTHING };
        self.log.push((process as u32, entry | found_nothing));
        self.perform(code, performed);
        let thread = &mut self.threads[process];
        thread.at = match code.effect {
            Effect::Loop | Effect::Return => match program.exits[process] {
                Some((exit, before)) if before == thread.handled => exit,
                _ => IDLE,
            },
            _ if code.is_last => END,
            _ => at + 1,
        };
        Ok(())
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        while self.log.len() > len {
            self.undo();
        }
        Ok(())
    }

    fn ending(&self) -> Ending {
        stuck::ending(self)
    }

    fn has_plain_memory(&self) -> bool {
        false
    }

    fn recorded(&self, len: usize) -> Option<ProcessId> {
        self.program.recording.get(len).copied()
    }
}
