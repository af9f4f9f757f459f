//! Receives that match the same messages.
//!
//! The patterns of a receive are code, and this code may read slots of the frame: variables that were
//! bound before. Two receives at the same place in the code with the same values in these slots match
//! the same messages. A delivery has to be compared with the last of them only, see
//! [`Alike`](mazurka_core::model::Alike). Each process keeps the *heads*: the receives that no later
//! receive is known to be alike to, in the order in which they were performed.
//!
//! A receive with a time limit has two numbers: that of the message that it takes, and its number as a
//! *miss*, a receive that finds no message. The next receive that is alike names the second one.

use super::Vm;
use super::instruction::{Instruction, PlaceKind};
use super::liveness::{goes_on, operands, targets};
use super::process::{Known, Process, Taken};
use crate::term::Term;

/// A new receive is compared with so many heads. Most programs have fewer patterns in a loop.
const HEADS: usize = 8;

/// A delivery looks at so many of the messages that its sender received last, to find out what the
/// sender knows of the receiver. A server that answers a request has it among the last few.
const REMEMBERED: usize = 16;

/// The slots of a frame that the patterns of a receive read, as a set of bits. `None` if there are too
/// many slots for that.
type Slots = Option<u64>;

/// The slots that receives read, by their places in the code.
pub(super) type PatternSlots = std::collections::HashMap<u32, Slots>;

impl Vm {
    /// Adds a receive of the running process to its receives that were performed. Returns the receive
    /// that it is alike to: the number of that receive as a miss, or else of the message that it took.
    pub(super) fn add_taken(&mut self, taken: Taken) -> Option<u32> {
        let place = self.find_alike(&taken);
        let Process { taken: all, heads, .. } = &mut self.processes[self.current as usize];
        let replaced = place.map(|place| (place, heads.remove(place)));
        heads.push(all.len() as u32);
        all.push(Taken { replaced, ..taken });
        let Taken { look, message, .. } = all[replaced?.1 as usize];
        look.or(message.map(|message| message.number))
    }

    /// Adds a receive of the running process that was not performed: it stays alone.
    pub(super) fn add_forgone(&mut self, forgone: Taken) {
        let Process { taken, heads, .. } = &mut self.processes[self.current as usize];
        heads.push(taken.len() as u32);
        taken.push(forgone);
    }

    /// Returns which of the last heads is alike to a new receive of the running process, as an index.
    fn find_alike(&mut self, new: &Taken) -> Option<usize> {
        let first = self.processes[self.current as usize].heads.len().saturating_sub(HEADS);
        let is_at_same_place = |process: &Process, place: usize| {
            let head = &process.taken[process.heads[place] as usize];
            head.pc == new.pc && head.look.is_some() == new.look.is_some()
        };
        let process = &self.processes[self.current as usize];
        if !(first..process.heads.len()).any(|place| is_at_same_place(process, place)) {
            return None;
        }
        let slots = self.pattern_slots(new.pc)?;
        let process = &self.processes[self.current as usize];
        (first..process.heads.len()).rev().find(|place| {
            is_at_same_place(process, *place)
                && self.have_same_slots(&process.taken[process.heads[*place] as usize], new, slots)
        })
    }

    /// Returns whether the frames of two receives at the same place in the code agree on some slots.
    fn have_same_slots(&self, a: &Taken, b: &Taken, slots: u64) -> bool {
        let slot = |taken: &Taken, slot: u32| -> Option<Term> {
            let (start, len) = taken.frame;
            Some(self.frames[(start + len.checked_sub(slot + 1)?) as usize])
        };
        let mut all = (0..u64::BITS).filter(|slot| slots >> slot & 1 == 1);
        slots == 0 || all.all(|number| slot(a, number) == slot(b, number))
    }

    /// Returns the slots that the patterns of the receive at a place read.
    fn pattern_slots(&mut self, pc: u32) -> Slots {
        if let Some(slots) = self.pattern_slots.get(&pc) {
            return *slots;
        }
        let slots = self.survey_patterns(pc);
        self.pattern_slots.insert(pc, slots);
        slots
    }

    /// Goes through the instructions between the one that looks at a message and those that remove it
    /// or go on to the next message.
    fn survey_patterns(&self, pc: u32) -> Slots {
        let mut slots = 0;
        let mut is_known = true;
        let mut visited = std::collections::HashSet::new();
        let mut to_visit = vec![pc + 1];
        while let Some(pc) = to_visit.pop() {
            let instruction = self.code.instructions[pc as usize];
            let ends =
                matches!(instruction, Instruction::RemoveMessage | Instruction::NextMessage { .. });
            if ends || !visited.insert(pc) {
                continue;
            }
            // The slots have other numbers afterwards.
            is_known &= !matches!(
                instruction,
                Instruction::Trim { .. }
                    | Instruction::Allocate { .. }
                    | Instruction::Deallocate { .. }
            );
            operands(&self.code, instruction, |place, is_written| {
                if let PlaceKind::Y(slot) = place.kind() {
                    is_known &= slot < u64::BITS as usize;
                    slots |= u64::from(!is_written) << (slot as u64 % 64);
                }
            });
            targets(&self.code, instruction, |target| to_visit.push(target));
            if goes_on(instruction) {
                to_visit.push(pc + 1);
            }
        }
        is_known.then_some(slots)
    }

    /// Returns what a process that sends a message tells the receiver: the number of its receives, and
    /// what it was told last. A channel tells what the sender of the message did.
    pub(crate) fn knowledge_of(&self, sender: u32) -> [Known; 3] {
        let Process { taken, is_channel, .. } = &self.processes[sender as usize];
        let last = taken.last().and_then(|taken| taken.message).map(|message| message.known);
        let own = Known { process: sender, receives: taken.len() as u32 };
        match last {
            Some(known) if *is_channel => known,
            Some([first, second, _]) => [own, first, second],
            None => [own, Known::NOTHING, Known::NOTHING],
        }
    }

    /// Returns how many receives of a process happen before the next step of another process, as far as
    /// is known from its creation and the messages that it received last. A message that it sends now
    /// cannot have been taken by any of these receives.
    pub(super) fn known_receives(&self, sender: u32, receiver: u32) -> u32 {
        if sender == receiver {
            return self.processes[receiver as usize].taken.len() as u32;
        }
        let last = self.processes[sender as usize].taken.iter().rev().take(REMEMBERED);
        let messages = last.filter_map(|taken| taken.message);
        let told = messages.flat_map(|message| message.known);
        // A process knows what its ancestors knew when they created it, or its parent.
        let parent = |process: &u32| Some(self.local(*process).parent).filter(|it| it != process);
        let ancestors = std::iter::successors(Some(sender), parent).take(REMEMBERED);
        let at_birth = ancestors.map(|process| {
            let local = self.local(process);
            Known { process: local.parent, receives: local.parent_taken }
        });
        let known = told.chain(at_birth).filter(|known| known.process == receiver);
        known.map(|known| known.receives).max().unwrap_or(0)
    }
}
