//! Calls and returns.
//!
//! A frame starts with how to return from it:
//!
//! | slot | |
//! |---|---|
//! | 0 | where to go on (32 bits), and the start of the caller's frame (32 bits) |
//! | 1 | how many locals with an address there were, and the slot for the result |
//! | 2 | the space for such locals |
//! | 3 | how far a library function got, if it is the caller |

use mazurka_core::model::{Action, Location, ObjectId, Op as ActionOp};
use mazurka_core::verdict::ViolationKind;

use super::LlvmMachine;
use super::access::Halt;
use super::thread::{Probe, Thread};
use crate::bytecode::{CallSite, Code, FRAME_HEADER, FunctionCode, NOWHERE, Op, Pc, Slot};
use crate::memory::address::STACKS;
use crate::memory::{CONTINUES, LIVE, NEVER_WRITTEN, Object, StackSpace, VISIBLE};

/// Instead of a slot for the result: the caller is a library function, which is to be called again.
pub(super) const AGAIN: Slot = u32::MAX - 1;

/// The frames of a thread, innermost first: where they start, and which instruction the thread is at in
/// them.
pub(super) fn frames<'a>(
    code: &'a Code,
    thread: &'a Thread,
) -> impl Iterator<Item = (u32, Pc)> + 'a {
    let innermost = (thread.state.base, thread.state.pc);
    std::iter::successors(Some(innermost), |(base, _)| {
        if *base == 0 {
            return None;
        }
        let header = &thread.stack[*base as usize..];
        let back = header[0] as u32;
        // Who has called is at the instruction before the one to go on with, unless it is a library
        // function that is to be called again.
        let called_again = (header[1] >> 32) as u32 == AGAIN;
        let op = &code.ops[back as usize];
        let is_library = matches!(op, Op::CallLibrary { .. } | Op::CallPointer { .. });
        let pc = if called_again && is_library { back } else { back - 1 };
        Some(((header[0] >> 32) as u32, pc))
    })
}

impl LlvmMachine {
    /// Makes room for a frame behind the current one; returns where it starts.
    #[inline]
    fn push_frame(
        &mut self,
        thread: usize,
        function: &FunctionCode,
        pc: Pc,
        back: Pc,
        d: Slot,
    ) -> Result<u32, Halt> {
        let locals = self.memory.locals(thread) as u64;
        let slot = &mut self.threads[thread];
        let base = slot.state.top;
        let top = base + function.frame;
        if top as usize > slot.stack.len() {
            if top as usize > self.options.stack_words {
                let message = "the stack is full: does a function call itself for ever?";
                let kind = ViolationKind::InvalidMemory;
                let violation = self.violation_at(pc, kind, message.to_owned());
                return Err(self.fail_at(thread, pc, violation));
            }
            slot.stack.resize((top as usize).next_power_of_two(), 0);
        }
        let state = &mut slot.state;
        let frame = &mut slot.stack[base as usize..top as usize];
        frame[0] = u64::from(back) | u64::from(state.base) << 32;
        frame[1] = locals | u64::from(d) << 32;
        frame[2] = u64::from(state.space.next) | u64::from(state.space.end) << 32;
        frame[3] = state.phase;
        for (slot, value) in &function.initial {
            frame[*slot as usize] = *value;
        }
        state.base = base;
        state.top = top;
        state.phase = 0;
        Ok(base)
    }

    /// Calls a function of the program.
    #[inline]
    pub(super) fn call(
        &mut self,
        thread: usize,
        pc: Pc,
        function: &FunctionCode,
        entry: Pc,
        site: &CallSite,
        d: Slot,
    ) -> Result<Pc, Halt> {
        let caller = self.threads[thread].state.base;
        let base = self.push_frame(thread, function, pc, pc + 1, d)?;
        let stack = &mut self.threads[thread].stack;
        let parameters = (function.parameters as usize).min(site.slots.len());
        for (i, slot) in site.slots[..parameters].iter().enumerate() {
            stack[base as usize + FRAME_HEADER as usize + i] = stack[(caller + slot) as usize];
        }
        // The caller may give too few arguments if it calls the function by another type.
        for missing in parameters..function.parameters as usize {
            stack[base as usize + FRAME_HEADER as usize + missing] = NEVER_WRITTEN;
        }
        if site.copies {
            self.copy_arguments(thread, pc, caller, base, site)?;
        }
        if let Some(variadic) = function.variadic {
            let area = self.variable_arguments(thread, pc, caller, function, site)?;
            self.threads[thread].stack[(base + variadic) as usize] = area;
        }
        Ok(entry)
    }

    /// Calls a function of the program on behalf of a library function, which is called again
    /// when it returns.
    pub(super) fn call_back(
        &mut self,
        thread: usize,
        pc: Pc,
        function: &FunctionCode,
        entry: Pc,
        arguments: &[u64],
    ) -> Result<Pc, Halt> {
        let base = self.push_frame(thread, function, pc, pc, AGAIN)?;
        let given = arguments.len().min(function.parameters as usize);
        let start = (base + FRAME_HEADER) as usize;
        self.threads[thread].stack[start..start + given].copy_from_slice(&arguments[..given]);
        Ok(entry)
    }

    /// Gives the callee copies of what some arguments point to.
    #[cold]
    fn copy_arguments(
        &mut self,
        thread: usize,
        pc: Pc,
        caller: u32,
        base: u32,
        site: &CallSite,
    ) -> Result<(), Halt> {
        let mut parameter = base + FRAME_HEADER;
        for argument in &site.arguments {
            if let Some(size) = argument.copied {
                let from = self.threads[thread].stack[(caller + argument.slot) as usize];
                let copy = self.local(thread, pc, u64::from(size))?;
                self.copy_private(thread, pc, copy, from, size)?;
                self.threads[thread].stack[parameter as usize] = copy;
            }
            parameter += argument.slots;
        }
        Ok(())
    }

    /// Puts the arguments behind the named ones into memory, as `va_arg` expects them.
    #[cold]
    fn variable_arguments(
        &mut self,
        thread: usize,
        pc: Pc,
        caller: u32,
        function: &FunctionCode,
        site: &CallSite,
    ) -> Result<u64, Halt> {
        let mut named = 0;
        let mut words: Vec<u64> = Vec::new();
        let mut copies = Vec::new();
        for argument in &site.arguments {
            if named < function.parameters {
                named += argument.slots;
                continue;
            }
            let value = |slot| self.threads[thread].stack[(caller + argument.slot + slot) as usize];
            if let Some(size) = argument.copied {
                copies.push((words.len(), value(0), size));
                words.resize(words.len() + size.div_ceil(8) as usize, 0);
                continue;
            }
            if argument.kind == crate::bytecode::ArgumentKind::LongDouble && words.len() % 2 == 1 {
                words.push(0);
            }
            words.extend((0..argument.slots).map(value));
        }
        let area = self.local(thread, pc, 8 * words.len().max(1) as u64)?;
        for (i, word) in words.iter().enumerate() {
            let found = self.memory.find(thread, area + 8 * i as u64, 8);
            let spot = found.expect("the area was made large enough");
            self.memory.write(spot, 8, *word);
        }
        for (at, from, size) in copies {
            self.copy_private(thread, pc, area + 8 * at as u64, from, size)?;
        }
        Ok(area)
    }

    /// Copies bytes to memory that only this thread sees. Whatever others can see of the source is
    /// read in one go, as a part of the step before.
    fn copy_private(
        &mut self,
        thread: usize,
        pc: Pc,
        to: u64,
        from: u64,
        size: u32,
    ) -> Result<(), Halt> {
        let mut bytes = vec![0; size as usize];
        match self.memory.find(thread, from, size.max(1)) {
            Ok(spot) => self.memory.read_bytes(spot, &mut bytes),
            Err(fault) => {
                let violation = self.fault_at(pc, from, size, fault);
                return Err(self.fail_at(thread, pc, violation));
            }
        }
        if let Ok(spot) = self.memory.find(thread, to, size.max(1)) {
            self.memory.write_bytes(spot, &bytes);
        }
        Ok(())
    }

    /// Allocates a local that needs an address.
    pub(super) fn local(&mut self, thread: usize, pc: Pc, size: u64) -> Result<u64, Halt> {
        let space = &mut self.threads[thread].state.space;
        match self.memory.push_local(thread, space, size, pc) {
            Some(address) => Ok(address),
            None => {
                let message = format!(
                    "there is no room on the stack for a local of {size} bytes: \
                     does a function call itself for ever?"
                );
                let violation = self.violation_at(pc, ViolationKind::InvalidMemory, message);
                Err(self.fail_at(thread, pc, violation))
            }
        }
    }

    /// Returns from a function with `count` slots from `a` on; where to go on.
    #[inline]
    pub(super) fn return_from(
        &mut self,
        thread: usize,
        pc: Pc,
        a: Slot,
        count: u32,
        permit: &mut bool,
    ) -> Result<Pc, Halt> {
        let slot = &self.threads[thread];
        let base = slot.state.base;
        let header = &slot.stack[base as usize..];
        let (back, locals, space) = (header[0], header[1], header[2]);
        let caller = (back >> 32) as u32;
        // When `main` returns, other threads may run on, and use what it has shared with them.
        let is_main = thread == 0 && caller == 0;
        if self.memory.locals(thread) > locals as u32 as usize && !is_main {
            self.end_locals(thread, pc, locals as u32 as usize, permit)?;
        }
        let is_library = (locals >> 32) as u32 == AGAIN;
        let call = if is_library { back as u32 } else { back as u32 - 1 };
        self.save_frames(thread, caller, call);
        let slot = &mut self.threads[thread];
        if slot.watch.is_watching() {
            slot.watch.returned(base);
        }
        slot.state.space = StackSpace { next: space as u32, end: (space >> 32) as u32 };
        slot.state.base = caller;
        slot.state.top = base;
        match (locals >> 32) as u32 {
            NOWHERE => {}
            AGAIN => slot.state.phase = slot.stack[base as usize + 3],
            d if count == 1 => {
                slot.stack[(caller + d) as usize] = slot.stack[(base + a) as usize];
            }
            d => {
                let from = (base + a) as usize;
                slot.stack.copy_within(from..from + count as usize, (caller + d) as usize);
            }
        }
        Ok(back as u32)
    }

    /// Begins or ends the life of a local that others can see, which is an action.
    fn touch_all(
        &mut self,
        thread: usize,
        pc: Pc,
        object: Object,
        permit: bool,
    ) -> Result<(), Halt> {
        let on = Location::life(ObjectId(object.name));
        let action = Action::new(ActionOp::Update, on).plain();
        let probe = Probe { byte: object.word as usize * 8, len: 1 };
        self.pc = pc;
        if !permit {
            self.suspend(thread, pc, action, probe);
            return Err(Halt);
        }
        self.perform(thread, action.performed(0, 1), probe);
        Ok(())
    }

    /// The life of a local begins or ends. If others can see it, that is an action.
    #[inline(never)]
    pub(super) fn lifetime(
        &mut self,
        thread: usize,
        pc: Pc,
        address: u64,
        begins: bool,
        permit: &mut bool,
    ) -> Result<(), Halt> {
        let Some(&object) = self.memory.object_at(address) else { return Ok(()) };
        if begins == (object.flags & LIVE != 0) {
            return Ok(());
        }
        if object.flags & VISIBLE != 0 && object.size > 0 {
            self.touch_all(thread, pc, object, *permit)?;
            *permit = self.threads[thread].state.atomic > 0;
        }
        self.memory.set_live(address, begins, pc);
        Ok(())
    }

    /// Ends all locals but `depth`, as at the end of a block with an array of variable length.
    #[inline(never)]
    pub(super) fn restore_stack(
        &mut self,
        thread: usize,
        pc: Pc,
        depth: usize,
        permit: &mut bool,
    ) -> Result<(), Halt> {
        let mut next = self.threads[thread].state.space.next;
        for object in self.memory.objects(STACKS + thread).iter().skip(depth).rev() {
            if object.flags & CONTINUES == 0 && object.word + object.words() == next {
                next = object.word;
            }
        }
        self.end_locals(thread, pc, depth, permit)?;
        self.threads[thread].state.space.next = next;
        Ok(())
    }

    /// The locals from the `depth`-th on are gone. If others can see them, that is an action.
    pub(super) fn end_locals(
        &mut self,
        thread: usize,
        pc: Pc,
        depth: usize,
        permit: &mut bool,
    ) -> Result<(), Halt> {
        let locals = self.memory.objects(STACKS + thread);
        let is_seen = |object: &Object| object.flags & (VISIBLE | LIVE) == VISIBLE | LIVE;
        let visible = |i: &usize| is_seen(&locals[*i]) && locals[*i].size > 0;
        let visible: Vec<usize> = (depth..locals.len()).filter(visible).collect();
        for index in visible {
            let object = self.memory.objects(STACKS + thread)[index];
            self.touch_all(thread, pc, object, *permit)?;
        }
        *permit = self.threads[thread].state.atomic > 0;
        self.memory.pop_locals(thread, depth);
        Ok(())
    }
}
