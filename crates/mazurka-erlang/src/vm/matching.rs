//! Selective receives.
//!
//! The patterns of a receive are the instructions between the one that looks at a message and those that
//! remove it or go on to the next message. They have no side effects. Running them tells whether the
//! receive matches a message. Running them again with the saved frame of an earlier receive tells
//! whether that receive would have matched another message.

use super::Vm;
use super::instruction::{Instruction, PlaceKind};
use super::process::{Message, Pending, Process, Taken};
use crate::term::Term;
use mazurka_core::execution::effort;

impl Vm {
    /// Returns whether the pending receive of a process matches a message.
    fn would_receive(&mut self, process: u32, message: Term) -> bool {
        let pc = self.local(process).pc;
        if let Some(is_match) = self.first_test_decides(pc, message) {
            return is_match;
        }
        self.try_with_stack(process, |vm| vm.run_patterns(pc, message))
    }

    /// Calls a function while the stack of a process is the current stack.
    fn try_with_stack<R>(&mut self, process: u32, f: impl FnOnce(&mut Self) -> R) -> R {
        // The stack of the running process is the current stack already.
        let is_running =
            process == self.current && self.processes[process as usize].stack.is_empty();
        if is_running {
            return f(self);
        }
        std::mem::swap(&mut self.stack, &mut self.processes[process as usize].stack);
        let result = f(self);
        std::mem::swap(&mut self.stack, &mut self.processes[process as usize].stack);
        result
    }

    /// Returns whether a receive with a single pattern matches a message, if the first test decides this:
    /// a test of a tag or of an atom. Most receives have such a test, which needs neither a frame nor
    /// registers.
    #[inline]
    fn first_test_decides(&self, pc: u32, message: Term) -> Option<bool> {
        let instructions = &self.code.instructions[pc as usize..];
        let Instruction::LoopReceive { to, .. } = instructions[0] else { return Some(false) };
        let (holds, fail) = match instructions[1] {
            Instruction::RemoveMessage => return Some(true),
            Instruction::IsTagged { fail, tuple, arity, tag } if tuple == to => {
                let holds = self.heap.arity(message) == Some(arity as usize)
                    && self.heap.element(message, 0).is_atom(tag);
                (holds, fail)
            }
            Instruction::Same { fail, a, b } if a == to => match b.kind() {
                PlaceKind::Constant(number) => {
                    let constant = self.code.constants[number];
                    constant.as_atom()?;
                    (message == constant, fail)
                }
                _ => return None,
            },
            _ => return None,
        };
        let decides = match holds {
            true => matches!(instructions[2], Instruction::RemoveMessage),
            false => {
                let next = self.code.instructions[fail as usize];
                matches!(next, Instruction::NextMessage { .. })
            }
        };
        decides.then_some(holds)
    }

    /// Returns whether the patterns of the receive at a place in the code match a message, with the frame
    /// on top of the stack.
    #[inline]
    fn matches(&mut self, pc: u32, message: Term) -> bool {
        match self.first_test_decides(pc, message) {
            Some(is_match) => is_match,
            None => self.run_patterns(pc, message),
        }
    }

    fn run_patterns(&mut self, pc: u32, message: Term) -> bool {
        let Instruction::LoopReceive { to, .. } = self.code.instructions[pc as usize] else {
            return false;
        };
        let extent = self.heap.extent();
        let was_matching = std::mem::replace(&mut self.is_matching, true);
        self.set(to, message);
        let is_match = self.run_pattern(pc + 1);
        self.is_matching = was_matching;
        while let Some((height, slot)) = self.overwritten.pop() {
            self.stack[height] = slot;
        }
        self.heap.truncate(extent);
        is_match
    }

    /// Returns the place of the oldest message that the pending receive of a process matches.
    pub(crate) fn look(&mut self, process: u32) -> Option<u32> {
        let count = self.processes[process as usize].mailbox.len();
        (0..count).find_map(|place| {
            let message = self.processes[process as usize].mailbox[place].content;
            self.would_receive(process, message).then_some(place as u32)
        })
    }

    /// Puts a message into a mailbox. Calls `competes` for each receive that would have taken this
    /// message, with the number of the message that it took, and with its own number as one that finds
    /// no message. Of receives that are [alike](super::alike), it does so for the last one.
    /// `look` is the number of the receive that the process is at, if that may find no message: it does not
    /// wait, or a signal ends the process.
    pub(crate) fn deliver(
        &mut self,
        to: u32,
        message: Message,
        look: Option<u32>,
        mut competes: impl FnMut(u32),
    ) {
        let known = self.known_receives(self.current, to);
        let first = self.processes[to as usize].heads.partition_point(|head| *head < known);
        for i in first..self.processes[to as usize].heads.len() {
            effort::look();
            let Process { heads, taken, .. } = &self.processes[to as usize];
            let taken = taken[heads[i] as usize];
            if self.took_like(&taken, message.content) {
                taken.message.iter().for_each(|message| competes(message.number));
                taken.look.into_iter().for_each(&mut competes);
            }
        }
        let place = self.processes[to as usize].mailbox.len() as u32;
        let local = self.local(to);
        let receives = matches!(local.pending, Pending::Receive { .. }) && local.is_alive();
        let has_found = local.found.is_some();
        if receives && (!has_found || look.is_some()) && self.would_receive(to, message.content) {
            look.into_iter().for_each(&mut competes);
            if !has_found {
                self.local_mut(to).found = Some(place);
            }
        }
        self.processes[to as usize].mailbox.push(message);
        self.log_delivery(to);
    }

    /// Returns whether an earlier receive matches another message.
    fn took_like(&mut self, taken: &Taken, other: Term) -> bool {
        if let Some(is_match) = self.first_test_decides(taken.pc, other) {
            return is_match;
        }
        let (start, len) = (taken.frame.0 as usize, taken.frame.1 as usize);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend_from_slice(&self.frames[start..start + len]);
        std::mem::swap(&mut self.stack, &mut scratch);
        let is_match = self.run_patterns(taken.pc, other);
        std::mem::swap(&mut self.stack, &mut scratch);
        self.scratch = scratch;
        is_match
    }

    /// Saves the frame of the pending receive of the running process.
    fn keep_frame(&mut self) -> (u32, u32) {
        let slots = self.stack.iter().rev().take_while(|slot| slot.as_return().is_none()).count();
        let start = self.frames.len();
        self.frames.extend_from_slice(&self.stack[self.stack.len() - slots..]);
        (start as u32, slots as u32)
    }

    /// Performs the pending receive of the running process as one that finds no message. Calls `competes`
    /// with the number of each message `to_come` that the receive would have taken.
    ///
    /// Returns the number of the previous receive that is [alike](super::alike).
    pub(crate) fn miss(
        &mut self,
        look: u32,
        to_come: &[Message],
        competes: impl FnMut(u32),
    ) -> Option<u32> {
        let missed = self.pending_receive(look);
        let alike = self.add_taken(missed);
        self.log_miss(self.current);
        self.compete(missed.pc, to_come, competes);
        alike
    }

    /// Records the pending receive of the running process, which is not performed. Calls `competes` with
    /// the number of each of the `messages` that the receive matches.
    pub(crate) fn forgo_look(
        &mut self,
        look: u32,
        messages: &[Message],
        competes: impl FnMut(u32),
    ) {
        let forgone = self.pending_receive(look);
        self.add_forgone(forgone);
        self.log_miss(self.current);
        self.compete(forgone.pc, messages, competes);
    }

    /// Returns the pending receive of the running process as one that finds no message.
    fn pending_receive(&mut self, look: u32) -> Taken {
        let pc = self.local(self.current).pc;
        let frame = self.keep_frame();
        Taken { message: None, look: Some(look), pc, frame, replaced: None }
    }

    /// Calls `competes` with the number of each message that the receive at a place in the code matches.
    fn compete(&mut self, pc: u32, messages: &[Message], mut competes: impl FnMut(u32)) {
        for other in messages {
            if self.matches(pc, other.content) {
                competes(other.number);
            }
        }
    }

    /// Takes the message that the running process has found out of its mailbox. Calls `competes` with the
    /// number of each other message that it could have taken: messages in the mailbox, and messages
    /// `to_come`. `look` is the number of the receive, if it does not wait.
    ///
    /// Returns the message, and the number of the previous receive that is [alike](super::alike).
    pub(crate) fn take(
        &mut self,
        place: u32,
        look: Option<u32>,
        to_come: &[Message],
        mut competes: impl FnMut(u32),
    ) -> (Message, Option<u32>) {
        let process = self.current as usize;
        let pc = self.processes[process].local.pc;
        let frame = self.keep_frame();
        let message = self.processes[process].mailbox.remove(place as usize);
        let taken = Taken { message: Some(message), look, pc, frame, replaced: None };
        let alike = self.add_taken(taken);
        self.log_take(self.current, place);
        // The messages in front of it do not match.
        for other in place as usize..self.processes[process].mailbox.len() {
            let other = self.processes[process].mailbox[other];
            if self.matches(pc, other.content) {
                competes(other.number);
            }
        }
        self.compete(pc, to_come, competes);
        (message, alike)
    }

    /// Removes the oldest message for which a test holds from a mailbox, without a receive. Returns its
    /// number.
    pub(crate) fn drop_message(
        &mut self,
        process: u32,
        test: impl Fn(&Self, Term) -> bool,
    ) -> Option<u32> {
        let mailbox = &self.processes[process as usize].mailbox;
        let place = mailbox.iter().position(|message| test(self, message.content))?;
        let message = self.processes[process as usize].mailbox.remove(place);
        self.log_drop(process, place as u32, message);
        Some(message.number)
    }
}
