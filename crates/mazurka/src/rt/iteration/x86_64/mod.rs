//! Interpreting the code of an iteration.
//!
//! The interpreter knows the instructions that compilers use for integers and for copies, and stops at all others.
//! It does not enter the functions of the runtime: it does what they do to the registers and the stack.

mod cpu;
mod execute;
mod loaded;
mod long;
mod stack;
mod start;
#[cfg(test)]
mod tests;
mod word;

use std::arch::naked_asm;

use super::{Functions, Known, MAGIC, Noted, Outcome, Output};
use crate::rt::local_state::mix;
use crate::rt::process::Suspender;
use crate::rt::spin::INSIDE;
use cpu::{Cpu, PRESERVED, R8, R9, RAX, RDI, RDX, RSI, RSP};
use loaded::is_loaded;
use stack::Stack;
use start::Start;
use word::{Flags, Word};

/// An iteration of more instructions is not pure.
const MOST_INSTRUCTIONS: u32 = 20_000;
/// No instruction has more bytes.
const LONGEST_INSTRUCTION: usize = 15;
/// If an object has had more values, only iterations with one operation are pure.
const MOST_VALUES_OF_DETOURS: usize = 6;
/// Two ways of a process are compared for so many jumps.
const MOST_MARKS: usize = 256;

/// The code does something that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stop;

/// Interprets iterations. It keeps the room that it needs.
#[derive(Default)]
pub(in crate::rt) struct Interpreter {
    stack: Stack,
    /// The state of the process at its operation.
    first: Start,
    /// Its state after an iteration.
    second: Start,
    /// Where a process goes from the first state: after each jump, the address, the stack pointer, and a digest of the
    /// state.
    trail: Vec<Mark>,
}

/// An address in the code, a stack pointer, and a digest of the state.
type Mark = (usize, usize, u64);

impl Interpreter {
    pub(in crate::rt) const IS_SUPPORTED: bool = true;

    /// Notes the state of a suspended process at its operation. `end` is the end of its stack.
    ///
    /// # Safety
    ///
    /// The process is suspended at the operation by [`suspend_noting`].
    pub(in crate::rt) unsafe fn look_at(&mut self, noted: Noted, end: usize) {
        // SAFETY: as the caller promises.
        unsafe { self.first.copy(noted, end) };
    }

    /// Returns how the state of the process compares to that after the iteration which begins with its operation, if
    /// that sees `value` and does not change it.
    pub(in crate::rt) fn compare(&mut self, known: &Known, value: u64) -> Outcome {
        compare(&mut self.stack, &self.first, known, &[value], None)
    }

    /// Returns whether an iteration whose operation sees `value` goes on with a loop of other operations on the
    /// same object, and comes back to the same state unless it stays there, whichever of these values they see. Returns
    /// `None` if it does not go on with another operation.
    pub(in crate::rt) fn detours(
        &mut self,
        known: &Known,
        value: u64,
        values: &[u64],
    ) -> Option<bool> {
        let (stack, first, places) = (&mut self.stack, &self.first, &mut self.trail);
        let mut lead_to = |values: &[u64]| end_of(stack, first, known, values);
        if !matches!(lead_to(&[value]), End::Elsewhere(_)) {
            return None;
        }
        if values.len() > MOST_VALUES_OF_DETOURS {
            return Some(false);
        }
        // The first iteration of the other loop may have code of its own.
        places.clear();
        for one in values {
            match lead_to(&[value, *one]) {
                End::Back(Outcome::Same | Outcome::Alike) => {}
                End::Elsewhere(place) => places.push(place),
                _ => return Some(false),
            }
        }
        let pairs = values.iter().flat_map(|one| values.iter().map(move |other| [*one, *other]));
        for [one, other] in pairs {
            if matches!(lead_to(&[value, one]), End::Back(_)) {
                continue;
            }
            match lead_to(&[value, one, other]) {
                End::Back(Outcome::Same | Outcome::Alike) => {}
                End::Elsewhere(place) if places.contains(&place) => {}
                _ => return Some(false),
            }
        }
        Some(true)
    }

    /// Notes the state after the iteration with this value, as the second state.
    pub(in crate::rt) fn go_on(&mut self, known: &Known, value: u64) {
        compare(&mut self.stack, &self.first, known, &[value], Some(&mut self.second));
    }

    /// Returns whether an iteration with this value leads from the second state back to it.
    pub(in crate::rt) fn loops(&mut self, known: &Known, value: u64) -> bool {
        let outcome = compare(&mut self.stack, &self.second, known, &[value], None);
        matches!(outcome, Outcome::Same | Outcome::Alike)
    }

    /// Returns whether the process comes to the same state from the first and the second state, if it sees `value` in
    /// both.
    pub(in crate::rt) fn converges(&mut self, known: &Known, value: u64) -> bool {
        self.trail.clear();
        let mut cpu = Cpu::at(&self.first, &mut self.stack, known);
        cpu.follow(value, |mark| {
            self.trail.push(mark);
            self.trail.len() < MOST_MARKS
        });
        let (mut converges, mut marks) = (false, 0);
        let mut cpu = Cpu::at(&self.second, &mut self.stack, known);
        cpu.follow(value, |mark| {
            converges = self.trail.contains(&mark);
            marks += 1;
            !converges && marks < MOST_MARKS
        });
        converges
    }
}

/// Where an iteration leads.
enum End {
    /// Back to its operation, in a state that compares like this.
    Back(Outcome),
    /// To another operation on the same object, in this state.
    Elsewhere(Mark),
    /// It is not known.
    Unknown,
}

/// Returns where an iteration leads whose operations see these values, and do not change them.
fn end_of(stack: &mut Stack, start: &Start, known: &Known, values: &[u64]) -> End {
    let mut cpu = Cpu::at(start, stack, known);
    match cpu.run(values) {
        Ok(true) => {
            let (registers, highest) = (cpu.compare_registers(start), cpu.highest);
            End::Back(registers.and(stack.compare(start, highest)))
        }
        Ok(false) => End::Elsewhere(cpu.mark()),
        Err(Stop) => End::Unknown,
    }
}

/// Returns how the state after an iteration compares to the one in which it begins. Notes the state after it.
fn compare(
    stack: &mut Stack,
    start: &Start,
    known: &Known,
    values: &[u64],
    after: Option<&mut Start>,
) -> Outcome {
    let mut cpu = Cpu::at(start, stack, known);
    if cpu.run(values) != Ok(true) {
        return Outcome::Leaves;
    }
    if let Some(after) = after {
        after.keep(&cpu);
    }
    let (registers, highest) = (cpu.compare_registers(start), cpu.highest);
    registers.and(stack.compare(start, highest))
}

/// Room for what an operation does to its object.
#[repr(align(16))]
struct Aligned([u8; 64]);

/// An operation that an iteration performs.
#[derive(Clone, Copy)]
struct Performed {
    functions: &'static Functions,
    site: usize,
    access: usize,
}

/// What an iteration does.
#[derive(Clone, Copy)]
enum Phase {
    /// It is suspended at an operation, or has gone on.
    At(Performed),
    /// It has finished one.
    Between,
    /// It has begun one.
    Begins(Performed),
}

impl<'a> Cpu<'a> {
    /// A processor whose registers are not defined.
    fn new(stack: &'a mut Stack, known: &'a Known) -> Self {
        Cpu {
            registers: [Word::UNDEFINED; 16],
            vectors: [[Word::UNDEFINED; 2]; 16],
            flags: Flags::default(),
            at: 0,
            stack,
            highest: 0,
            read: 0,
            written: 0,
            dead: 0,
            has_branched: false,
            known,
        }
    }

    /// The phase in which an iteration begins.
    fn beginning(&self) -> Phase {
        let Known { functions, site, access, .. } = *self.known;
        Phase::At(Performed { functions, site, access })
    }

    /// Runs from the return of [`suspend_noting`] to a later call of it, with these values for the operations. Returns
    /// whether that is at the first operation.
    fn run(&mut self, values: &[u64]) -> Result<bool, Stop> {
        let start = self.registers[RSP].bits;
        let (mut phase, mut values) = (self.beginning(), values.iter());
        let mut value = *values.next().ok_or(Stop)?;
        self.return_from_runtime(None)?;
        for _ in 0..MOST_INSTRUCTIONS {
            let Some(performed) = self.advance(value, &mut phase)? else { continue };
            if self.is_first(performed) {
                let is_same = self.registers[RSP].bits == start;
                self.branch();
                return if is_same { Ok(true) } else { Err(Stop) };
            }
            let Some(next) = values.next() else { return Ok(false) };
            value = *next;
            phase = Phase::At(performed);
            self.return_from_runtime(None)?;
        }
        Err(Stop)
    }

    /// Returns whether this is the operation at which the process is suspended.
    fn is_first(&self, performed: Performed) -> bool {
        let Known { functions, site, access, .. } = *self.known;
        // There may be several copies of the same functions.
        performed.functions.begin == functions.begin
            && (performed.site, performed.access) == (site, access)
    }

    /// Runs to the next operation, and shows each state after a jump as long as that is wanted, and the code is known.
    fn follow(&mut self, value: u64, mut show: impl FnMut(Mark) -> bool) {
        let mut phase = self.beginning();
        if self.return_from_runtime(None).is_err() || !show(self.mark()) {
            return;
        }
        for _ in 0..MOST_INSTRUCTIONS {
            let before = self.at;
            match self.advance(value, &mut phase) {
                Ok(None) if !self.has_jumped(before) => {}
                Ok(performed) => {
                    if !show(self.mark()) || performed.is_some() {
                        return;
                    }
                }
                Err(Stop) => return,
            }
        }
    }

    /// Returns whether the last instruction, at this address, was a jump. A jump to what is as near as the next
    /// instruction does not count.
    fn has_jumped(&self, before: usize) -> bool {
        self.at.wrapping_sub(before) > LONGEST_INSTRUCTION
    }

    /// Returns the address, the stack pointer, and a digest of the state.
    fn mark(&self) -> Mark {
        let words = self.registers.iter().chain(self.vectors.iter().flatten());
        let digest = words.fold(0, |digest, word| {
            let defined = (0..8).filter(|byte| word.undefined & 1 << byte == 0);
            let mask: u64 = defined.fold(0, |mask, byte| mask | 0xff << (8 * byte));
            mix(mix(digest, (word.bits & mask) as usize), word.undefined.into())
        });
        let Flags { set, known, .. } = self.flags;
        let digest = mix(mix(digest, (set & known).into()), known.into());
        let pointer = self.registers[RSP].bits as usize;
        (self.at, pointer, self.stack.blend(pointer, digest))
    }

    /// Runs an instruction, or what a function of the runtime does. Returns the operation at which the process is
    /// now, if it has come to one.
    fn advance(&mut self, value: u64, phase: &mut Phase) -> Result<Option<Performed>, Stop> {
        let is_between = matches!(phase, Phase::Between);
        match *phase {
            Phase::Begins(performed) if self.at == suspend_noting as *const () as usize => {
                return Ok(Some(performed));
            }
            // Functions with equal code may have one address.
            Phase::At(performed) if self.at == performed.functions.finish as usize => {
                *phase = Phase::Between;
                self.check_arguments(performed)?;
                self.write_output(performed, value)?;
                self.return_from_runtime(None)?;
                return Ok(None);
            }
            _ => {}
        }
        if is_between && self.at == self.known.yields {
            let inside = Word::known(u64::from(INSIDE));
            self.return_from_runtime(Some([inside, Word::UNDEFINED]))?;
        } else if is_between && self.at == self.known.fence {
            self.return_from_runtime(Some([Word::known(1), Word::UNDEFINED]))?;
        } else if let Some(performed) = self.begun().filter(|_| is_between) {
            *phase = Phase::Begins(performed);
            self.check_arguments(performed)?;
            let words = [self.known.suspender, self.known.at].map(|word| Word::known(word as u64));
            self.return_from_runtime(Some(words))?;
        } else {
            self.execute()?;
        }
        Ok(None)
    }

    /// Returns the operation that begins here, if one does.
    fn begun(&self) -> Option<Performed> {
        let [site, access, functions] = [RSI, RDX, R9].map(|register| self.registers[register]);
        let at = functions.bits as usize;
        if !functions.is_defined()
            || !at.is_multiple_of(8)
            || !is_loaded(at, size_of::<Functions>())
        {
            return None;
        }
        let functions = std::ptr::with_exposed_provenance::<Functions>(at);
        // SAFETY: the memory is there. Numbers and addresses may be anything.
        let (magic, begin) = unsafe { ((*functions).magic, (*functions).begin as usize) };
        if magic != MAGIC || begin != self.at {
            return None;
        }
        // SAFETY: nothing else in the program has this number.
        let functions = unsafe { &*functions };
        Some(Performed { functions, site: site.bits as usize, access: access.bits as usize })
    }

    /// Writes what the caller of an operation learns from the value to where it wants that.
    fn write_output(&mut self, performed: Performed, value: u64) -> Result<(), Stop> {
        let Functions { size, effect, output: learn, .. } = *performed.functions;
        let mut access = Aligned([0; 64]);
        if size > access.0.len() {
            return Err(Stop);
        }
        for (place, byte) in access.0.iter_mut().enumerate().take(size) {
            let word = self.load(performed.access + place, 1)?;
            *byte = if word.is_defined() { word.bits as u8 } else { 0 };
        }
        let access = std::ptr::from_ref(&access).expose_provenance();
        if effect(access, value) != value {
            return Err(Stop);
        }
        let to = self.register(R8);
        let to = self.decisive(to)? as usize;
        let mut output = Output::default();
        let size = learn(access, value, &mut output).ok_or(Stop)?;
        for (place, byte) in output.iter().enumerate().take(size) {
            // SAFETY: a byte of the array, which was initialised. What is written there may leave some out.
            let bits = u64::from(unsafe { std::ptr::from_ref(byte).read_volatile() });
            self.stack.write(to + place, 1, Word { bits, undefined: 0, depends: true })?;
        }
        Ok(())
    }

    /// Checks that a function of the runtime is called for this operation, on the same object.
    fn check_arguments(&mut self, performed: Performed) -> Result<(), Stop> {
        let expected = [self.known.word, performed.site, performed.access];
        for (register, expected) in [RDI, RSI, RDX].into_iter().zip(expected) {
            let word = self.register(register);
            if self.decisive(word)? as usize != expected {
                return Err(Stop);
            }
        }
        Ok(())
    }

    /// Returns from a function of the runtime, which leaves what a function need not preserve undefined.
    fn return_from_runtime(&mut self, words: Option<[Word; 2]>) -> Result<(), Stop> {
        let target = self.pop()?;
        self.at = self.decisive(target)? as usize;
        for register in (0..16).filter(|it| *it != RSP && !PRESERVED.contains(it)) {
            self.registers[register] = Word::UNDEFINED;
            self.written |= 1 << register;
        }
        if let Some([first, second]) = words {
            (self.registers[RAX], self.registers[RDX]) = (first, second);
        }
        self.vectors = [[Word::UNDEFINED; 2]; 16];
        self.flags = Flags::default();
        Ok(())
    }

    /// Returns how the registers that a function preserves compare to what they were, as far as that matters.
    fn compare_registers(&self, start: &Start) -> Outcome {
        let outcomes = PRESERVED.iter().zip(&start.preserved).map(|(register, before)| {
            let is = |mask: u16| mask & 1 << register != 0;
            let word = self.registers[*register];
            if is(self.dead) || word.undefined == 0xff {
                return Outcome::Same;
            }
            let is_same = word.is_defined() && before.is_defined() && word.bits == before.bits;
            outcome(is_same, is(self.written) && !is(self.read))
        });
        outcomes.fold(Outcome::Same, Outcome::and)
    }
}

/// Returns how two values compare. `may_be_any` says whether the one before may be there by chance.
fn outcome(is_same: bool, may_be_any: bool) -> Outcome {
    match (is_same, may_be_any) {
        (true, false) => Outcome::Same,
        (true, true) => Outcome::Alike,
        (false, true) => Outcome::Unlike,
        (false, false) => Outcome::Differs,
    }
}

/// Suspends the current process, whose suspender this is. Notes its registers before.
///
/// # Safety
///
/// The suspender is that of the current process, and `noted` can be written.
#[unsafe(naked)]
pub(in crate::rt) unsafe extern "C-unwind" fn suspend_noting(
    suspender: *const Suspender,
    noted: *mut Noted,
) {
    naked_asm!(
        "mov [rsi], rsp",
        "mov [rsi + 8], rbx",
        "mov [rsi + 16], rbp",
        "mov [rsi + 24], r12",
        "mov [rsi + 32], r13",
        "mov [rsi + 40], r14",
        "mov [rsi + 48], r15",
        "jmp {suspend}",
        suspend = sym super::suspend,
    )
}
