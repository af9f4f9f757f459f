//! The beginning and the end of threads.

use std::sync::Arc;

use mazurka_core::model::{Action, Edge, Location, ObjectId, Op, ProcessId};
use mazurka_report::LineKind;

use super::LlvmMachine;
use super::awaits::Await;
use super::spin;
use super::thread::{Probe, State, Status, Thread};
use super::twins;
use crate::bytecode::{FRAME_HEADER, FunctionCode};
use crate::memory::StackSpace;

const NO_ACTION: Action = Action::new(Op::Read, Location { object: ObjectId(0), start: 0, len: 1 });

/// The state of a thread that was not created yet.
pub(super) const FRESH: State = State {
    status: Status::Absent,
    pc: 0,
    base: 0,
    top: 0,
    space: StackSpace { next: 0, end: 0 },
    action: NO_ACTION,
    probe: Probe { byte: 0, len: 1 },
    alternatives: 1,
    children: 0,
    number: 0,
    atomic: 0,
    phase: 0,
    result: 0,
    detached: false,
    awaits: Await::No,
    joins: twins::Joins::NONE,
};

impl LlvmMachine {
    pub(super) fn new_thread(&mut self) -> usize {
        self.threads.push(Thread {
            state: FRESH,
            stack: vec![0; 64],
            saved_from: 0,
            saved_in: 0,
            watch: spin::Watch::default(),
            claimed: false,
            function: 0,
            kin: twins::Kin::default(),
            child_ids: Vec::new(),
        });
        self.threads.len() - 1
    }

    /// The thread that `parent` creates next: it is named after its rank among the threads that
    /// `parent` creates.
    pub(crate) fn next_child(&mut self, parent: usize) -> usize {
        let rank = self.threads[parent].state.children as usize;
        match self.threads[parent].child_ids.get(rank) {
            Some(child) => *child as usize,
            None => {
                let child = match &self.ids {
                    Some(ids) => ids.child(parent, rank),
                    None => self.threads.len(),
                };
                // Other machines may have met threads that this one has not.
                while self.threads.len() <= child {
                    self.new_thread();
                }
                self.threads[parent].child_ids.push(child as u32);
                child
            }
        }
    }

    /// Starts a thread that calls `function` with `argument`; returns it.
    pub(crate) fn spawn(&mut self, parent: usize, function: u64, argument: u64) -> usize {
        self.memory.share();
        self.memory.publish(argument);
        let child = self.next_child(parent);
        self.threads[parent].state.children += 1;
        let number = self.threads.iter().map(|thread| thread.state.children).sum();
        self.save_thread(child);
        let code = Arc::clone(&self.code);
        let stub = &code.functions[code.thread as usize];
        let thread = &mut self.threads[child];
        thread.function = function;
        thread.state = State { status: Status::Running, number, ..FRESH };
        self.meet_twin(parent, child, argument);
        self.enter_first(child, stub, &[function, argument]);
        self.set_up_thread_locals(child);
        self.inherit_signal_mask(parent, child);
        self.performed.edges.push(edge(parent, child));
        self.ending_state.unjoined += 1;
        self.ending_state.ended = self.ending_state.ended.min(child as u32);
        self.runnable.push(child);
        if self.is_recording() {
            let (pc, name) = (Some(self.pc), self.thread_name(child));
            let kind = LineKind::Spawn(ProcessId::new(child));
            self.note(parent, pc, kind, format!("create({name})"));
        }
        child
    }

    /// Gives a thread that does not run yet its first frame.
    pub(super) fn enter_first(
        &mut self,
        thread: usize,
        function: &FunctionCode,
        arguments: &[u64],
    ) {
        let thread = &mut self.threads[thread];
        let frame = function.frame as usize;
        if thread.stack.len() < frame {
            thread.stack.resize(frame, 0);
        }
        thread.stack[..FRAME_HEADER as usize].fill(0);
        thread.stack[FRAME_HEADER as usize..][..arguments.len()].copy_from_slice(arguments);
        for (slot, value) in &function.initial {
            thread.stack[*slot as usize] = *value;
        }
        thread.state.base = 0;
        thread.state.top = function.frame;
        thread.state.pc = function.entry.unwrap_or_default();
    }

    /// Lets a thread that waits go on in this step, after all that `from` has done.
    pub(crate) fn release(&mut self, from: usize, to: usize) {
        self.save_thread(to);
        self.threads[to].state.status = Status::Running;
        self.performed.edges.push(edge(from, to));
        self.runnable.push(to);
    }

    /// Reports that all that `from` has done happens before what `to` will do.
    pub(crate) fn pass_on(&mut self, from: usize, to: usize) {
        self.performed.edges.push(edge(from, to));
    }

    /// A thread comes to its end with a result.
    pub(crate) fn end_thread(&mut self, index: usize, result: u64) {
        self.memory.publish(result);
        let state = &mut self.threads[index].state;
        state.status = Status::Ended;
        state.result = result;
        self.threads[index].watch.clear();
        self.count_ended();
        if self.is_recording() {
            self.note(index, None, LineKind::End, "end".to_owned());
        }
        let joins = |thread: &Thread| matches!(thread.state.status, Status::Joining(at) if at == index as u32);
        while let Some(other) = self.threads.iter().position(joins) {
            // It goes on by asking again, and finds that the thread has ended.
            self.save_thread(other);
            self.threads[other].state.status = Status::Running;
            self.runnable.push(other);
        }
    }

    /// Finds the first thread that may still run, so that no search for such a thread looks at the others.
    /// At the end of an execution there is none.
    fn count_ended(&mut self) {
        let has_ended =
            |thread: &Thread| matches!(thread.state.status, Status::Absent | Status::Ended);
        let ended = &mut self.ending_state.ended;
        while self.threads.get(*ended as usize).is_some_and(has_ended) {
            *ended += 1;
        }
    }

    /// A thread has been joined, or will never be.
    pub(crate) fn claim(&mut self, thread: usize) {
        self.undo.claims.push(thread as u32);
        self.threads[thread].claimed = true;
        self.ending_state.unjoined = self.ending_state.unjoined.saturating_sub(1);
    }

    /// Detaches a thread, which no other thread will join.
    pub(crate) fn detach(&mut self, thread: usize) {
        self.save_thread(thread);
        self.threads[thread].state.detached = true;
    }
}

fn edge(from: usize, to: usize) -> Edge {
    Edge { from: ProcessId::new(from), to: ProcessId::new(to) }
}
