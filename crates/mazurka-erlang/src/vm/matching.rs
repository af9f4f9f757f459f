//! Selective receives.
//!
//! The patterns of a receive are the instructions between the one that looks at a message and the
//! one that removes it, or goes on to the next. They are pure, so whether a receive matches a
//! message is found by running them; and whether one would have matched another message, later or
//! in another order, by running them again with the slots of its frame as they were.

use super::Vm;
use super::instruction::{Instruction, PlaceKind};
use super::process::{Message, Pending, Taken};
use crate::term::Term;

impl Vm {
    /// Whether the receive at which a process is takes this message.
    fn would_receive(&mut self, process: u32, message: Term) -> bool {
        let pc = self.local(process).pc;
        if let Some(is_match) = self.first_test_decides(pc, message) {
            return is_match;
        }
        self.try_with_stack(process, |vm| vm.run_patterns(pc, message))
    }

    /// Does something with the stack of a process that does not run.
    fn try_with_stack<R>(&mut self, process: u32, f: impl FnOnce(&mut Self) -> R) -> R {
        // While a step is being taken, its own process's stack is not where it usually is.
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

    /// Whether a receive with a single pattern takes a message, if the first test tells: of a tag, or
    /// that it is a certain atom. That is so for most receives, and needs neither frame nor registers.
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

    /// Whether the patterns behind a place in the code match a message, with the frame that is on
    /// top of the stack.
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

    /// Looks for the oldest message that the receive matches at which a process has come.
    pub(crate) fn look(&mut self, process: u32) -> Option<u32> {
        let count = self.processes[process as usize].mailbox.len();
        (0..count).find_map(|place| {
            let message = self.processes[process as usize].mailbox[place].content;
            self.would_receive(process, message).then_some(place as u32)
        })
    }

    /// Puts a message into a mailbox. Calls `competes` for each receive that would have taken this
    /// message, with the number of the message that it took, and with its own number as one that finds
    /// no message. `look` is the number of the receive that the process is at, if that does not wait.
    pub(crate) fn deliver(
        &mut self,
        to: u32,
        message: Message,
        look: Option<u32>,
        mut competes: impl FnMut(u32),
    ) {
        for i in 0..self.processes[to as usize].taken.len() {
            let taken = self.processes[to as usize].taken[i];
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

    /// Whether the receive that took one message matches another one.
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

    /// Keeps the frame of the receive that the running process is at.
    fn keep_frame(&mut self) -> (u32, u32) {
        let slots = self.stack.iter().rev().take_while(|slot| slot.as_return().is_none()).count();
        let start = self.frames.len();
        self.frames.extend_from_slice(&self.stack[self.stack.len() - slots..]);
        (start as u32, slots as u32)
    }

    /// Lets the receive that the running process is at find no message. Calls `competes` with the number
    /// of each message `to_come` that it would have taken.
    pub(crate) fn miss(&mut self, look: u32, to_come: &[Message], mut competes: impl FnMut(u32)) {
        let process = self.current as usize;
        let pc = self.processes[process].local.pc;
        let frame = self.keep_frame();
        self.processes[process].taken.push(Taken { message: None, look: Some(look), pc, frame });
        self.log_miss(self.current);
        for other in to_come {
            if self.matches(pc, other.content) {
                competes(other.number);
            }
        }
    }

    /// Takes the message that the running process has found out of its mailbox. Calls `competes` with the
    /// number of each other message that it could have taken: messages in the mailbox, and messages
    /// `to_come`. `look` is the number of the receive, if it does not wait.
    pub(crate) fn take(
        &mut self,
        place: u32,
        look: Option<u32>,
        to_come: &[Message],
        mut competes: impl FnMut(u32),
    ) -> Message {
        let process = self.current as usize;
        let pc = self.processes[process].local.pc;
        let frame = self.keep_frame();
        let message = self.processes[process].mailbox.remove(place as usize);
        self.processes[process].taken.push(Taken { message: Some(message), look, pc, frame });
        self.log_take(self.current, place);
        // Whatever is in front of the message does not match.
        for other in place as usize..self.processes[process].mailbox.len() {
            let other = self.processes[process].mailbox[other];
            if self.matches(pc, other.content) {
                competes(other.number);
            }
        }
        for other in to_come {
            if self.matches(pc, other.content) {
                competes(other.number);
            }
        }
        message
    }

    /// Takes the oldest message out of a process's own mailbox that a test holds of, unseen.
    /// What is returned is its number.
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
