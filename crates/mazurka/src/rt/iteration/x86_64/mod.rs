//! Interpreting the code of an iteration.
//!
//! The interpreter knows the instructions that compilers use for integers and for copies, and stops at all others.
//! It does not enter the functions of the runtime: it does what they do to the registers and the stack.

mod cpu;
mod execute;
mod long;
mod stack;
mod start;
#[cfg(test)]
mod tests;
mod word;

use std::arch::naked_asm;

use super::{Known, Noted, Outcome, Output};
use crate::rt::local_state::mix;
use crate::rt::process::Suspender;
use crate::rt::spin::INSIDE;
use cpu::{Cpu, PRESERVED, R8, RAX, RDI, RDX, RSI, RSP};
use stack::Stack;
use start::Start;
use word::{Flags, Word};

/// An iteration of more instructions is not pure.
const MOST_INSTRUCTIONS: u32 = 20_000;
/// No instruction has more bytes.
const LONGEST_INSTRUCTION: usize = 15;
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
    trail: Vec<(usize, usize, u64)>,
}

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
        compare(&mut self.stack, &self.first, known, value, None)
    }

    /// Notes the state after the iteration with this value, as the second state.
    pub(in crate::rt) fn go_on(&mut self, known: &Known, value: u64) {
        compare(&mut self.stack, &self.first, known, value, Some(&mut self.second));
    }

    /// Returns whether an iteration with this value leads from the second state back to it.
    pub(in crate::rt) fn loops(&mut self, known: &Known, value: u64) -> bool {
        let outcome = compare(&mut self.stack, &self.second, known, value, None);
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

/// Returns how the state after an iteration compares to the one in which it begins. Notes the state after it.
fn compare(
    stack: &mut Stack,
    start: &Start,
    known: &Known,
    value: u64,
    after: Option<&mut Start>,
) -> Outcome {
    if (known.effect)(known.access, value) != value {
        return Outcome::Leaves;
    }
    let mut cpu = Cpu::at(start, stack, known);
    if cpu.run(value).is_err() {
        return Outcome::Leaves;
    }
    if let Some(after) = after {
        after.keep(&cpu);
    }
    let registers = cpu.compare_registers(start);
    let highest = cpu.highest;
    registers.and(stack.compare(start, highest))
}

/// How far the operation has come in an iteration.
#[derive(Clone, Copy, Default)]
struct Progress {
    has_finished: bool,
    has_begun: bool,
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

    /// Runs from the return of [`suspend_noting`] to its next call.
    fn run(&mut self, value: u64) -> Result<(), Stop> {
        let start = self.registers[RSP].bits;
        self.return_from_runtime(None)?;
        let mut progress = Progress::default();
        for _ in 0..MOST_INSTRUCTIONS {
            if self.advance(value, &mut progress)? {
                let is_same = progress.has_begun && self.registers[RSP].bits == start;
                self.branch();
                return if is_same { Ok(()) } else { Err(Stop) };
            }
        }
        Err(Stop)
    }

    /// Does the same, and shows each state after a jump as long as that is wanted, and the code is known.
    fn follow(&mut self, value: u64, mut show: impl FnMut((usize, usize, u64)) -> bool) {
        let mut progress = Progress::default();
        if self.return_from_runtime(None).is_err() || !show(self.mark()) {
            return;
        }
        for _ in 0..MOST_INSTRUCTIONS {
            let before = self.at;
            match self.advance(value, &mut progress) {
                // What comes next in the code is no jump, nor is what is as near.
                Ok(false) if self.at.wrapping_sub(before) <= LONGEST_INSTRUCTION => {}
                Ok(is_over) => {
                    if !show(self.mark()) || is_over {
                        return;
                    }
                }
                Err(Stop) => return,
            }
        }
    }

    /// Returns the address, the stack pointer, and a digest of the state.
    fn mark(&self) -> (usize, usize, u64) {
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

    /// Runs an instruction, or what a function of the runtime does. Returns whether the process is at the operation
    /// again.
    fn advance(&mut self, value: u64, progress: &mut Progress) -> Result<bool, Stop> {
        let Known { begin, finish, yields, .. } = *self.known;
        let Progress { has_finished, has_begun } = *progress;
        if self.at == suspend_noting as *const () as usize {
            return Ok(true);
        }
        // Functions with equal code may have one address.
        if self.at == finish && !has_finished {
            progress.has_finished = true;
            self.check_arguments()?;
            let access = self.known.access;
            for byte in access..access + self.known.size {
                self.load(byte, 1)?;
            }
            self.write_output(value)?;
            self.return_from_runtime(None)?;
        } else if self.at == begin && has_finished && !has_begun {
            progress.has_begun = true;
            self.check_arguments()?;
            let words = [self.known.suspender, self.known.at].map(|word| Word::known(word as u64));
            self.return_from_runtime(Some(words))?;
        } else if self.at == yields && has_finished && !has_begun {
            let inside = Word::known(u64::from(INSIDE));
            self.return_from_runtime(Some([inside, Word::UNDEFINED]))?;
        } else if self.at == self.known.fence && has_finished && !has_begun {
            self.return_from_runtime(Some([Word::known(1), Word::UNDEFINED]))?;
        } else {
            self.execute()?;
        }
        Ok(false)
    }

    /// Writes what the caller of the operation learns from the value to where it wants that.
    fn write_output(&mut self, value: u64) -> Result<(), Stop> {
        let to = self.register(R8);
        let to = self.decisive(to)? as usize;
        let mut output = Output::default();
        let size = (self.known.output)(self.known.access, value, &mut output).ok_or(Stop)?;
        for (place, byte) in output.iter().enumerate().take(size) {
            // SAFETY: a byte of the array, which was initialised. What is written there may leave some out.
            let bits = u64::from(unsafe { std::ptr::from_ref(byte).read_volatile() });
            self.stack.write(to + place, 1, Word { bits, undefined: 0, depends: true })?;
        }
        Ok(())
    }

    /// Checks that a function of the runtime is called for the same operation.
    fn check_arguments(&mut self) -> Result<(), Stop> {
        let expected = [self.known.word, self.known.site, self.known.access];
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
