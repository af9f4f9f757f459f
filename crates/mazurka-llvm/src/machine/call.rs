//! One call of a library function.

use mazurka_core::model::{Action, Location, Op, Ways};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::LlvmMachine;
use super::access::LIFE;
use super::jump::Target;
use super::thread::Probe;
use super::unwind::Thrown;
use crate::arithmetic::truncate;
use crate::bytecode::{Argument, ArgumentKind, CallSite, Pc, own_words};
use crate::memory::{CONSTANT, Fault, NEVER_WRITTEN, Spot};

/// A library function.
pub(crate) type Run = fn(&mut Call<'_>) -> Result<(), Stop>;

/// Why a library function does not return, or not yet.
pub(crate) enum Stop {
    /// It is at an action: it is called again when the scheduler picks its thread.
    Visible(Action, Probe),
    /// It is to choose among so many: it is called again when the scheduler picks its thread.
    Choice(u32),
    /// The thread waits, as its status says; the function is called again when it is released.
    Wait,
    /// A part of it is done, as its [phase](Call::phase) says: it is called again at once for the
    /// rest, which needs steps of its own.
    Again,
    /// Calls this function of the program with these arguments; then the library function is
    /// called again, with the [phase](Call::phase) that it has set.
    Run(u64, Vec<u64>),
    /// Something is wrong.
    Violation(Box<Violation>),
    /// So many bytes at this address cannot be accessed.
    Fault(u64, u32, Fault),
    /// The thread does not go on: its status says why.
    Over,
    /// The thread ends with this result.
    Exit(u64),
    /// An exception is thrown.
    Throw(Thrown),
    /// The thread goes back to a call of `setjmp`, which returns this.
    Jump(Target, u64),
}

impl From<Box<Violation>> for Stop {
    fn from(violation: Box<Violation>) -> Self {
        Stop::Violation(violation)
    }
}

/// One call of a library function.
pub(crate) struct Call<'a> {
    pub(crate) machine: &'a mut LlvmMachine,
    /// Whose call it is.
    pub(crate) thread: usize,
    site: &'a CallSite,
    /// Whether the scheduler has picked the thread, so that visible memory may be touched.
    pub(crate) permit: bool,
    pub(crate) result: [u64; 3],
}

impl<'a> Call<'a> {
    pub(crate) fn new(
        machine: &'a mut LlvmMachine,
        thread: usize,
        site: &'a CallSite,
        permit: bool,
    ) -> Self {
        Call { machine, thread, site, permit, result: [0; 3] }
    }

    // Arguments and results.

    /// How many arguments there are.
    pub(crate) fn len(&self) -> usize {
        self.site.arguments.len()
    }

    /// What an argument is.
    pub(crate) fn kind(&self, index: usize) -> ArgumentKind {
        self.site.arguments[index].kind
    }

    /// A slot of an argument; 0 if there is no such argument.
    pub(crate) fn slot(&self, index: usize, slot: u32) -> u64 {
        let Some(Argument { slot: first, slots, .. }) = self.site.arguments.get(index) else {
            return 0;
        };
        if slot >= *slots {
            return 0;
        }
        let thread = &self.machine.threads[self.thread];
        let value = thread.stack[(thread.state.base + first + slot) as usize];
        match self.kind(index) {
            ArgumentKind::Int(bits @ ..64) => truncate(value, bits),
            _ => value,
        }
    }

    /// Returns a violation if an argument was never written.
    pub(crate) fn check_written(&self, index: usize) -> Result<(), Stop> {
        let Some(argument) = self.site.arguments.get(index) else { return Ok(()) };
        let thread = &self.machine.threads[self.thread];
        let value = thread.stack[(thread.state.base + argument.slot) as usize];
        match value == NEVER_WRITTEN && self.machine.has_no_value(64) {
            true => {
                let how = "what is printed depends on";
                let (kind, message) = self.machine.describe_no_value(self.machine.pc, how);
                Err(self.violation(kind, message))
            }
            false => Ok(()),
        }
    }

    /// An integer argument of up to 64 bits, zero-extended.
    pub(crate) fn int(&self, index: usize) -> u64 {
        self.slot(index, 0)
    }

    /// An `int` argument with its sign.
    pub(crate) fn signed(&self, index: usize) -> i32 {
        self.slot(index, 0) as i32
    }

    /// An argument that is a pointer.
    pub(crate) fn pointer(&self, index: usize) -> u64 {
        self.slot(index, 0)
    }

    /// A `double` argument; a `float` is converted.
    pub(crate) fn double(&self, index: usize) -> f64 {
        let bits = self.slot(index, 0);
        match self.site.arguments.get(index).map(|argument| argument.kind) {
            Some(ArgumentKind::Float) => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        }
    }

    /// Sets the result, an integer or a pointer.
    pub(crate) fn give(&mut self, result: u64) {
        self.result[0] = result;
    }

    /// Sets the result to an unknown value.
    pub(crate) fn give_any(&mut self) {
        self.result[0] = NEVER_WRITTEN;
    }

    /// Sets the result, an `int`.
    pub(crate) fn give_int(&mut self, result: i32) {
        self.result[0] = u64::from(result as u32);
    }

    /// Sets the result, a `double`.
    pub(crate) fn give_double(&mut self, result: f64) {
        self.result[0] = result.to_bits();
    }

    /// Sets a result that takes two slots: an integer of 128 bits, a `long double`, or a struct
    /// of two numbers.
    pub(crate) fn give_pair(&mut self, first: u64, second: u64) {
        self.result = [first, second, 0];
    }

    /// Sets a result that takes three slots: an integer of 128 bits, and whether it has overflowed.
    pub(crate) fn give_three(&mut self, first: u64, second: u64, third: u64) {
        self.result = [first, second, third];
    }

    // Memory.

    /// Reads up to eight bytes.
    pub(crate) fn read(&mut self, address: u64, len: u32) -> Result<u64, Stop> {
        let spot = self.find(address, len)?;
        let value = self.machine.memory.read(spot.byte, len);
        self.touch(spot, Op::Read, len, value, value)?;
        Ok(value)
    }

    /// Writes up to eight bytes.
    pub(crate) fn write(&mut self, address: u64, len: u32, value: u64) -> Result<(), Stop> {
        let spot = self.find(address, len)?;
        if spot.flags & CONSTANT != 0 {
            return Err(self.fault(address, len, Fault::Constant));
        }
        let before = self.machine.memory.read(spot.byte, len);
        let after = match len {
            8 => value,
            len => value & ((1 << (8 * len)) - 1),
        };
        self.touch(spot, Op::Write, len, before, after)?;
        self.machine.write(self.thread, spot, len, after);
        Ok(())
    }

    /// Reads bytes.
    pub(crate) fn read_bytes(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Stop> {
        for (i, chunk) in bytes.chunks_mut(8).enumerate() {
            let at = address.wrapping_add(8 * i as u64);
            let value = self.read(at, chunk.len() as u32)?;
            chunk.copy_from_slice(&value.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }

    /// Writes bytes.
    pub(crate) fn write_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), Stop> {
        for (i, chunk) in bytes.chunks(8).enumerate() {
            let mut value = [0; 8];
            value[..chunk.len()].copy_from_slice(chunk);
            let at = address.wrapping_add(8 * i as u64);
            self.write(at, chunk.len() as u32, u64::from_le_bytes(value))?;
        }
        Ok(())
    }

    /// The bytes from an address up to the first zero, without that.
    pub(crate) fn c_string(&mut self, address: u64) -> Result<Vec<u8>, Stop> {
        self.c_string_up_to(address, u64::MAX)
    }

    /// Reads a string of at most `most` bytes.
    pub(crate) fn c_string_up_to(&mut self, address: u64, most: u64) -> Result<Vec<u8>, Stop> {
        let mut text = Vec::new();
        while (text.len() as u64) < most {
            match self.read(address.wrapping_add(text.len() as u64), 1)? {
                0 => break,
                byte => text.push(byte as u8),
            }
        }
        for (i, byte) in text.iter().enumerate() {
            if *byte == NEVER_WRITTEN as u8 {
                let at = address + i as u64;
                self.check_bytes_written(at, &[*byte], "the length of a string depends on")?;
            }
        }
        Ok(text)
    }

    /// Returns a violation if none of the bytes at an address was written. `how` says what depends on them.
    pub(crate) fn check_bytes_written(
        &mut self,
        address: u64,
        bytes: &[u8],
        how: &str,
    ) -> Result<(), Stop> {
        let is_filling = |byte: &u8| *byte == NEVER_WRITTEN as u8;
        if bytes.is_empty() || !bytes.iter().all(is_filling) || !self.machine.has_no_value(8) {
            return Ok(());
        }
        let len = bytes.len() as u32;
        let byte = self.find(address, len)?.byte;
        if !self.machine.memory.is_never_written(byte, len) {
            return Ok(());
        }
        self.machine.note_origin(self.machine.pc, address, len);
        let (kind, message) = self.machine.describe_no_value(self.machine.pc, how);
        Err(self.violation(kind, message))
    }

    /// Allocates memory on the heap; null if there is not enough. It is `zeroed`, or as never
    /// written.
    pub(crate) fn allocate(&mut self, size: u64, zeroed: bool) -> u64 {
        self.allocate_as(size, zeroed, 0)
    }

    /// Allocates memory on the heap, with these flags.
    pub(crate) fn allocate_as(&mut self, size: u64, zeroed: bool, flags: u8) -> u64 {
        let fill = if zeroed { 0 } else { NEVER_WRITTEN };
        self.machine.threads[self.thread].watch.progress();
        let (thread, site) = (self.thread, self.own_place());
        let memory = &mut self.machine.memory;
        memory.allocate(thread, size, fill, crate::memory::HEAP | flags, site).unwrap_or(0)
    }

    /// Where the program calls the function, maybe through the C++ library.
    pub(crate) fn own_place(&self) -> Pc {
        self.machine.own_place(self.thread, self.machine.pc)
    }

    /// Allocates memory that is the library's, zeroed, and is not to be freed.
    pub(crate) fn allocate_own(&mut self, size: u64) -> u64 {
        let memory = &mut self.machine.memory;
        memory.allocate(self.thread, size, 0, crate::memory::OWN, u32::MAX).unwrap_or(0)
    }

    /// Allocates a word that never changes, so that every thread may read it without a step.
    pub(crate) fn allocate_constant(&mut self, value: u64) -> u64 {
        let memory = &mut self.machine.memory;
        memory.allocate(self.thread, 8, value, CONSTANT, u32::MAX).unwrap_or(0)
    }

    /// Allocates two words that all threads can reach: a value, and zero.
    pub(crate) fn allocate_key(&mut self, value: u64) -> u64 {
        let memory = &mut self.machine.memory;
        let Some(address) = memory.allocate(self.thread, 16, 0, 0, u32::MAX) else { return 0 };
        if let Ok(spot) = memory.find(self.thread, address, 8) {
            memory.write_bytes(spot, &value.to_le_bytes());
        }
        address
    }

    /// Allocates a text that the library owns and that never changes, with a zero at its end.
    pub(crate) fn allocate_text(&mut self, text: &[u8]) -> u64 {
        let (thread, size) = (self.thread, text.len() as u64 + 1);
        let memory = &mut self.machine.memory;
        let Some(address) = memory.allocate(thread, size, 0, CONSTANT, u32::MAX) else { return 0 };
        if let Ok(spot) = memory.find(thread, address, size as u32) {
            memory.write_bytes(spot, text);
        }
        address
    }

    /// Frees the object on the heap that starts at an address. If others can see it, that is an
    /// action: the end of its life.
    pub(crate) fn free(&mut self, address: u64) -> Result<(), Stop> {
        let size = self.size_of(address).unwrap_or(0) as u32;
        if size > 0 {
            let spot = match self.machine.memory.find(self.thread, address, size) {
                Ok(spot) => spot,
                Err(fault) => return Err(self.fault(address, LIFE, fault)),
            };
            if spot.is_visible() {
                let action = Action::new(Op::Update, spot.life()).plain();
                let probe = Probe { byte: spot.byte, len: size };
                self.turn(action, probe)?;
                self.perform(action.performed(0, 1), probe);
            }
        }
        self.machine.threads[self.thread].watch.progress();
        let site = self.own_place();
        match self.machine.memory.free(address, site) {
            Ok(()) => Ok(()),
            Err(fault) => Err(self.fault(address, LIFE, fault)),
        }
    }

    /// The size of the object that starts at an address.
    pub(crate) fn size_of(&self, address: u64) -> Option<u64> {
        self.machine.memory.object_at(address).map(|object| u64::from(object.size))
    }

    /// The address of one of the thread's own words for the library, by number: they are zero at
    /// first, and no other thread sees them.
    pub(crate) fn own_word(&self, number: u32) -> u64 {
        self.machine.own_words(self.thread) + 8 * u64::from(number)
    }

    /// Sets `errno`.
    pub(crate) fn set_errno(&mut self, value: i32) -> Result<(), Stop> {
        self.write(self.own_word(own_words::ERRNO), 4, u64::from(value as u32))
    }

    /// What is at an address.
    pub(crate) fn find(&self, address: u64, len: u32) -> Result<Spot, Stop> {
        match self.machine.memory.find(self.thread, address, len) {
            Ok(spot) => Ok(spot),
            Err(fault) => Err(self.fault(address, len, fault)),
        }
    }

    /// Performs an access, if it is an action.
    fn touch(&mut self, spot: Spot, op: Op, len: u32, before: u64, after: u64) -> Result<(), Stop> {
        if spot.is_visible() {
            let action = Action::new(op, spot.location(len)).plain();
            self.turn(action, Probe { byte: spot.byte, len })?;
            self.perform(action.performed(before, after), Probe { byte: spot.byte, len });
        }
        Ok(())
    }

    // Steps.

    /// Waits for the scheduler, unless it has picked the thread already. Then the action must be
    /// [performed](Call::perform).
    pub(crate) fn turn(&mut self, action: Action, probe: Probe) -> Result<(), Stop> {
        if self.permit {
            // The scheduler picks a thread only if its first action can be performed.
            if action.waits && !self.holds(&action, probe) {
                let message = "a thread waits in the middle of an atomic section, which is not \
                               supported: nobody else can run meanwhile";
                return Err(self.violation(ViolationKind::Unsupported, message));
            }
            if action.ways != Ways::One && self.is_within_section() {
                let value = self.machine.probe(probe);
                if action.ways.count(value, action.when.holds(value)) > 1 {
                    return Err(self.choice_in_section());
                }
            }
            return Ok(());
        }
        // As long as there is one thread, no other can tell when it does what; but it may wait.
        if self.machine.memory.is_shared() || (action.waits && !self.holds(&action, probe)) {
            return Err(Stop::Visible(action, probe));
        }
        Ok(())
    }

    fn holds(&self, action: &Action, probe: Probe) -> bool {
        action.when.holds(self.machine.memory.read(probe.byte, probe.len))
    }

    /// Reports an action that has been performed.
    pub(crate) fn perform(&mut self, action: Action, probe: Probe) {
        self.machine.perform(self.thread, action, probe);
    }

    /// Reports an action of a step that fails instead of taking effect; see [`Action::failed`].
    pub(crate) fn perform_failed(&mut self, action: Action, probe: Probe) {
        let value = self.machine.memory.read(probe.byte, probe.len);
        let op = action.op_at(value);
        self.perform(Action { op, ..action }.failed(value), probe);
    }

    /// The location of a synchronisation object of so many bytes, and where its value is.
    pub(crate) fn object(&mut self, address: u64, len: u32) -> Result<(Spot, Location), Stop> {
        let mut spot = self.find(address, len)?;
        // Others may come to use it: it must have a name, and everybody must see it.
        if !spot.is_visible() {
            match self.machine.memory.is_shared() && spot.flags & CONSTANT == 0 {
                true => {
                    self.machine.memory.publish(address);
                    spot = self.find(address, len)?;
                }
                false => spot.object = self.machine.memory.name(address),
            }
        }
        Ok((spot, spot.location(len)))
    }

    /// Chooses a number below `among`: every one is tried.
    pub(crate) fn choose(&mut self, among: u32) -> Result<u32, Stop> {
        match self.permit {
            true if among > 1 && self.is_within_section() => Err(self.choice_in_section()),
            true => Ok(self.machine.choice),
            false if among <= 1 => Ok(0),
            false => Err(Stop::Choice(among)),
        }
    }

    /// Returns whether the step has performed an action of an atomic section.
    fn is_within_section(&self) -> bool {
        self.machine.is_within_section(self.thread)
    }

    #[cold]
    fn choice_in_section(&self) -> Stop {
        let message = "a thread chooses in the middle of an atomic section, which is not supported: choose \
                       before the first access of the section";
        self.violation(ViolationKind::Unsupported, message)
    }

    /// Returns whether the thread is in an atomic section.
    pub(crate) fn is_in_atomic_section(&self) -> bool {
        self.machine.threads[self.thread].state.atomic > 0
    }

    /// Returns whether the program does not use the result of the call.
    pub(crate) fn is_result_unused(&self) -> bool {
        self.machine.code.is_unused(self.machine.pc)
    }

    /// How far the function got before it was called again; 0 at first.
    pub(crate) fn phase(&self) -> u64 {
        self.machine.threads[self.thread].state.phase
    }

    /// Remembers how far the function got.
    pub(crate) fn set_phase(&mut self, phase: u64) {
        self.machine.threads[self.thread].state.phase = phase;
    }

    // Output and errors.

    /// Appends to what the program has printed.
    pub(crate) fn print(&mut self, bytes: &[u8]) {
        self.machine.output.extend_from_slice(bytes);
    }

    /// A violation at the place of the call.
    pub(crate) fn violation(&self, kind: ViolationKind, message: impl Into<String>) -> Stop {
        Stop::Violation(self.machine.violation_at(self.machine.pc, kind, message.into()))
    }

    /// Says that memory cannot be accessed. If another thread may have freed it, this is tried in other
    /// orders, too.
    pub(crate) fn fault(&self, address: u64, len: u32, fault: Fault) -> Stop {
        Stop::Fault(address, len, fault)
    }
}
