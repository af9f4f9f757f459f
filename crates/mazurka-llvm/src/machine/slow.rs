//! Instructions that are rare, or take several steps.

use mazurka_core::model::{Action, Op as ActionOp, Ways};

use super::LlvmMachine;
use super::access::{Access, Halt};
use super::allowed::Undefined;
use super::folded::folded;
use super::thread::Probe;
use crate::arithmetic::truncate;
use crate::bytecode::own_words::WEAK_FAILED;
use crate::bytecode::{Code, Op, Pc, Slot};
use crate::memory::NEVER_WRITTEN;
use crate::memory::address::{HEAPS, address};

/// How many words the library has of its own in every thread.
const OWN_WORDS: u64 = 32;

impl LlvmMachine {
    fn slot(&self, thread: usize, slot: Slot) -> u64 {
        let thread = &self.threads[thread];
        thread.stack[(thread.state.base + slot) as usize]
    }

    fn set_slot(&mut self, thread: usize, slot: Slot, value: u64) {
        let thread = &mut self.threads[thread];
        thread.stack[(thread.state.base + slot) as usize] = value;
    }

    /// Loads or stores several numbers at once. If others can see them, that is one step with an
    /// action for each.
    #[inline(never)]
    pub(super) fn access_many(
        &mut self,
        code: &Code,
        thread: usize,
        pc: Pc,
        permit: &mut bool,
    ) -> Result<(), Halt> {
        let (writes, atomic, a, slots, shape) = match code.ops[pc as usize] {
            Op::LoadMany { atomic, d, a, shape } => (false, atomic, a, d, shape),
            Op::StoreMany { atomic, a, value, shape } => (true, atomic, a, value, shape),
            _ => return Ok(()),
        };
        let base = self.slot(thread, a);
        let mut slot = slots;
        let mut visible = false;
        for leaf in &code.shapes[shape as usize].leaves {
            let at = base.wrapping_add(u64::from(leaf.offset));
            let len = u32::from(leaf.size);
            let access = match writes {
                true => Access::write(at, len, atomic),
                false => Access::read(at, len, atomic),
            };
            let spot = self.access(thread, pc, access, *permit)?;
            let high_spot = crate::memory::Spot { byte: spot.byte + 8, ..spot };
            let low_len = len.min(8);
            let old = (
                self.memory.read(spot.byte, low_len),
                if len > 8 { self.memory.read(high_spot.byte, len - 8) } else { 0 },
            );
            let new = match writes {
                true if len > 8 => (self.slot(thread, slot), self.slot(thread, slot + 1)),
                true => (self.slot(thread, slot), 0),
                false => old,
            };
            if spot.is_visible() {
                visible = true;
                let bits = (8 * low_len) as u8;
                let value =
                    |(low, high)| if len > 8 { folded(low, high) } else { truncate(low, bits) };
                let action = access.action(spot.location(len));
                let probe = Probe { byte: spot.byte, len: low_len };
                self.perform(thread, action.performed(value(old), value(new)), probe);
            }
            if writes {
                self.write(thread, spot, low_len, new.0);
                if len > 8 {
                    self.write(thread, high_spot, len - 8, new.1);
                }
            } else {
                self.set_slot(thread, slot, new.0);
                if len > 8 {
                    self.set_slot(thread, slot + 1, new.1);
                }
            }
            slot += leaf.slots();
        }
        if visible {
            *permit = self.threads[thread].state.atomic > 0;
        }
        Ok(())
    }

    /// A compare-exchange of 16 bytes.
    #[inline(never)]
    pub(super) fn exchange_wide(
        &mut self,
        code: &Code,
        thread: usize,
        pc: Pc,
        permit: &mut bool,
    ) -> Result<(), Halt> {
        let Op::CompareExchange { orderings, d, a, expected, new, .. } = code.ops[pc as usize]
        else {
            return Ok(());
        };
        let pair =
            |machine: &Self, slot| (machine.slot(thread, slot), machine.slot(thread, slot + 1));
        let (wanted, new) = (pair(self, expected), pair(self, new));
        let expected = folded(wanted.0, wanted.1);
        let access = Access::exchange(self.slot(thread, a), 16, orderings, expected, Ways::One);
        let spot = self.access(thread, pc, access, *permit)?;
        let high = crate::memory::Spot { byte: spot.byte + 8, ..spot };
        let old = (self.memory.read(spot.byte, 8), self.memory.read(high.byte, 8));
        let same = old == wanted;
        let after = if same { new } else { old };
        if spot.is_visible() {
            let declared = access.action(spot.location(16));
            let op = if same { ActionOp::Update } else { ActionOp::Read };
            let (before, after) = (folded(old.0, old.1), folded(after.0, after.1));
            let action = Action { op, ..declared }.performed(before, after);
            self.perform(thread, action, Probe { byte: spot.byte, len: 8 });
            *permit = self.threads[thread].state.atomic > 0;
        }
        if same {
            self.write(thread, spot, 8, after.0);
            self.write(thread, high, 8, after.1);
        }
        self.set_slot(thread, d, old.0);
        self.set_slot(thread, d + 1, old.1);
        self.set_slot(thread, d + 2, u64::from(same));
        Ok(())
    }

    /// Copies or fills a block of memory, or a part of it: as much as can be done without another
    /// step. Whatever others can see is accessed word by word, in steps of their own. Returns
    /// whether it is done.
    #[inline(never)]
    pub(super) fn copy_or_fill(
        &mut self,
        code: &Code,
        thread: usize,
        pc: Pc,
        permit: &mut bool,
    ) -> Result<bool, Halt> {
        let (to, from, byte, len, state) = match code.ops[pc as usize] {
            Op::CopyMemory { overlaps, to, from, len, state } => {
                let (to, from) = (self.slot(thread, to), self.slot(thread, from));
                let len = self.slot(thread, len);
                if !overlaps && to != from && to.abs_diff(from) < len {
                    let message = format!(
                        "`memcpy` copies {len} bytes to memory that overlaps their source: \
                         `memmove` may do that"
                    );
                    self.undefined(thread, pc, Undefined::Overlap, message)?;
                }
                (to, Some(from), 0, len, state)
            }
            Op::FillMemory { to, byte, len, state } => {
                let byte = self.slot(thread, byte) as u8;
                (self.slot(thread, to), None, byte, self.slot(thread, len), state)
            }
            _ => return Ok(true),
        };
        if len == 0 || from == Some(to) {
            return Ok(true);
        }
        let most = u32::try_from(len).unwrap_or(u32::MAX);
        // Both ends are looked at first, so that what is out of bounds is seen at once.
        let mut visible = false;
        for (at, writes) in from.map(|from| (from, false)).into_iter().chain([(to, true)]) {
            match self.memory.find(thread, at, most) {
                Ok(spot) => {
                    visible |= spot.is_visible();
                    if writes && spot.flags & crate::memory::CONSTANT != 0 {
                        self.access(thread, pc, Access::write(at, most, None), *permit)?;
                    }
                }
                Err(_) => {
                    let access = match writes {
                        true => Access::write(at, most, None),
                        false => Access::read(at, most, None),
                    };
                    self.access(thread, pc, access, *permit)?;
                }
            }
        }
        if !visible {
            let mut bytes = std::mem::take(&mut self.scratch);
            bytes.clear();
            bytes.resize(len as usize, byte);
            if let Some(from) = from
                && let Ok(spot) = self.memory.find(thread, from, most)
            {
                self.memory.read_bytes(spot, &mut bytes);
            }
            if let Ok(spot) = self.memory.find(thread, to, most) {
                if self.threads[thread].watch.is_watching() && !self.memory.holds(spot, &bytes) {
                    self.threads[thread].watch.progress();
                }
                self.memory.write_bytes(spot, &bytes);
                if from.is_none() && byte == NEVER_WRITTEN as u8 {
                    self.memory.note_written(spot.byte, len as usize);
                }
            }
            self.scratch = bytes;
            return Ok(true);
        }
        self.copy_chunk(thread, pc, Block { to, from, byte, len, state }, permit)
    }

    /// Copies the next few bytes of a block that others can see.
    fn copy_chunk(
        &mut self,
        thread: usize,
        pc: Pc,
        block: Block,
        permit: &mut bool,
    ) -> Result<bool, Halt> {
        let Block { to, from, byte, len, state } = block;
        let done = self.slot(thread, state);
        if done >= len {
            self.set_slot(thread, state, 0);
            return Ok(true);
        }
        // From the end if the target overlaps the end of the source.
        let backwards = from.is_some_and(|from| to > from && to < from.wrapping_add(len));
        let left = len - done;
        let edge = if backwards { len - done } else { done };
        let aligned = to.wrapping_add(edge) | from.unwrap_or(0).wrapping_add(edge);
        let mut chunk = 8;
        while chunk > left || aligned % chunk != 0 {
            chunk /= 2;
        }
        let at = if backwards { edge - chunk } else { edge };
        let len = chunk as u32;
        let fetched = self.slot(thread, state + 1) != 0;
        if let (Some(from), false) = (from, fetched) {
            let access = Access::read(from.wrapping_add(at), len, None);
            let spot = self.access(thread, pc, access, *permit)?;
            let value = self.memory.read(spot.byte, len);
            if spot.is_visible() {
                let action = access.action(spot.location(len)).performed(value, value);
                self.perform(thread, action, Probe { byte: spot.byte, len });
                *permit = self.threads[thread].state.atomic > 0;
            }
            self.set_slot(thread, state + 1, 1);
            self.set_slot(thread, state + 2, value);
        }
        let value = match from {
            Some(_) => self.slot(thread, state + 2),
            None => u64::from_le_bytes([byte; 8]) & (u64::MAX >> (64 - 8 * chunk)),
        };
        let access = Access::write(to.wrapping_add(at), len, None);
        let spot = self.access(thread, pc, access, *permit)?;
        if spot.is_visible() {
            let before = self.memory.read(spot.byte, len);
            let action = access.action(spot.location(len)).performed(before, value);
            self.perform(thread, action, Probe { byte: spot.byte, len });
            *permit = self.threads[thread].state.atomic > 0;
        }
        self.write(thread, spot, len, value);
        if from.is_none() && byte == NEVER_WRITTEN as u8 {
            self.memory.note_written(spot.byte, len as usize);
        }
        self.set_slot(thread, state, done + chunk);
        self.set_slot(thread, state + 1, 0);
        Ok(false)
    }

    /// Sets up a list of variable arguments: all of them are in memory, and none in registers.
    pub(super) fn start_variable_arguments(
        &mut self,
        thread: usize,
        pc: Pc,
        list: u64,
        area: u64,
    ) -> Result<(), Halt> {
        for (offset, len, value) in [(0, 4, 48), (4, 4, 176), (8, 8, area), (16, 8, 0)] {
            let access = Access::write(list.wrapping_add(offset), len, None);
            let spot = self.access(thread, pc, access, true)?;
            self.write(thread, spot, len, value);
        }
        Ok(())
    }

    /// Returns whether a compare-exchange is weak, and has not failed spuriously in this thread. It
    /// does so at most once: otherwise a loop around it would have endless executions.
    #[inline(never)]
    pub(super) fn may_fail_spuriously(&self, code: &Code, thread: usize, pc: Pc) -> bool {
        let Ok(index) = code.weak.binary_search(&pc) else { return false };
        let address = self.own_words(thread) + 8 * u64::from(WEAK_FAILED);
        let found = self.memory.find(thread, address, 8);
        found.is_ok_and(|spot| self.memory.read(spot.byte, 8) & 1 << (index % 64) == 0)
    }

    /// Takes note that a compare-exchange has failed spuriously.
    #[inline(never)]
    pub(super) fn note_spurious_failure(&mut self, code: &Code, thread: usize, pc: Pc) {
        let Ok(index) = code.weak.binary_search(&pc) else { return };
        let address = self.own_words(thread) + 8 * u64::from(WEAK_FAILED);
        if let Ok(spot) = self.memory.find(thread, address, 8) {
            let failed = self.memory.read(spot.byte, 8) | 1 << (index % 64);
            self.write(thread, spot, 8, failed);
        }
    }

    /// Gives a new thread its thread-local variables, and the library's own words.
    pub(super) fn set_up_thread_locals(&mut self, thread: usize) {
        self.memory.allocate(thread, 8 * OWN_WORDS, 0, 0, u32::MAX);
        let code = std::sync::Arc::clone(&self.code);
        for variable in code.thread_locals.iter().filter(|variable| !variable.continues) {
            let address = self.memory.allocate(thread, variable.size, 0, 0, u32::MAX);
            let address =
                address.expect("the program was checked for variables that are too large");
            if variable.initial.iter().any(|byte| *byte != 0)
                && let Ok(spot) = self.memory.find(thread, address, variable.size as u32)
            {
                self.memory.write_bytes(spot, &variable.initial);
            }
        }
    }

    /// The address of a thread's own instance of a variable.
    pub(super) fn thread_local(&self, thread: usize, index: u32) -> u64 {
        address(HEAPS + thread, index + 1)
    }

    /// The address of the words that the library has of its own in a thread.
    pub(crate) fn own_words(&self, thread: usize) -> u64 {
        address(HEAPS + thread, 0)
    }
}

/// A block of memory that is copied or filled.
struct Block {
    to: u64,
    from: Option<u64>,
    byte: u8,
    len: u64,
    /// Slots: how far it got, whether the next few bytes have been fetched, and those.
    state: Slot,
}
