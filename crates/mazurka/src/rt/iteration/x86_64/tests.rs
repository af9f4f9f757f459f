//! The interpreter does what the processor does.

use std::ptr;

use super::cpu::{Cpu, RAX, RCX, RDX};
use super::stack::Stack;
use super::word::{CARRY, Flags, OVERFLOW, PARITY, SIGN, Word, ZERO};
use super::{Functions, Known, MAGIC, Stop};

const REGISTERS: [usize; 4] = [RAX, RCX, RDX, 8];
/// The flags in the register of flags.
const FLAGS: [(u8, u64); 5] = [(CARRY, 1), (PARITY, 4), (ZERO, 64), (SIGN, 128), (OVERFLOW, 2048)];

/// `rax`, `rcx`, `rdx` and `r8`, and the flags.
type State = [u64; 5];

/// A page of code.
struct Page(*mut u8);

impl Page {
    fn new() -> Self {
        let access = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: this asks for new memory.
        let page = unsafe { libc::mmap(ptr::null_mut(), 4096, access, kind, -1, 0) };
        assert_ne!(page, libc::MAP_FAILED);
        Page(page.cast())
    }

    /// Runs an instruction. Returns where it is.
    fn run(&self, instruction: &[u8], state: &mut State) -> usize {
        // Loads the registers and the flags from where `rdi` points to.
        let before = [
            0x48, 0x8b, 0x07, 0x48, 0x8b, 0x4f, 0x08, 0x48, 0x8b, 0x57, 0x10, 0x4c, 0x8b, 0x47,
            0x18, 0xff, 0x77, 0x20, 0x9d,
        ];
        // Stores them there, and returns.
        let after = [
            0x9c, 0x8f, 0x47, 0x20, 0x48, 0x89, 0x07, 0x48, 0x89, 0x4f, 0x08, 0x48, 0x89, 0x57,
            0x10, 0x4c, 0x89, 0x47, 0x18, 0xc3,
        ];
        let code: Vec<u8> = before.iter().chain(instruction).chain(&after).copied().collect();
        // SAFETY: the code fits into the page, uses only registers that a function need not preserve, and the
        // memory that it is given.
        unsafe {
            ptr::copy_nonoverlapping(code.as_ptr(), self.0, code.len());
            let run: extern "sysv64" fn(*mut State) = std::mem::transmute(self.0);
            run(state);
        }
        self.0 as usize + before.len()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: this is the memory that was asked for.
        unsafe { libc::munmap(self.0.cast(), 4096) };
    }
}

static FUNCTIONS: Functions = Functions {
    magic: MAGIC,
    begin: ptr::null(),
    finish: ptr::null(),
    size: 0,
    effect: |_, old| old,
    output: |_, _, _| Some(0),
};

fn known() -> Known {
    Known {
        functions: &FUNCTIONS,
        yields: 0,
        fence: 0,
        word: 0,
        site: 0,
        access: 0,
        suspender: 0,
        at: 0,
    }
}

/// Interprets an instruction. Returns the state after it, and which flags are known.
fn interpret(at: usize, len: usize, state: &State) -> Result<(State, u8), Stop> {
    let (mut stack, known) = (Stack::default(), known());
    let mut cpu = Cpu::new(&mut stack, &known);
    for (register, bits) in REGISTERS.into_iter().zip(state) {
        cpu.registers[register] = Word::known(*bits);
    }
    let set = FLAGS.iter().filter(|(_, mask)| state[4] & mask != 0).map(|(flag, _)| flag).sum();
    cpu.flags = Flags { set, known: super::word::ALL, depend: false };
    cpu.at = at;
    cpu.execute()?;
    assert_eq!(cpu.at, at + len, "the length of the instruction");
    let mut after = [0; 5];
    for (register, bits) in REGISTERS.into_iter().zip(&mut after) {
        assert!(cpu.registers[register].is_defined());
        *bits = cpu.registers[register].bits;
    }
    after[4] = FLAGS.iter().filter(|(flag, _)| cpu.flags.set & flag != 0).map(|it| it.1).sum();
    Ok((after, cpu.flags.known))
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }

    fn number(&mut self) -> u64 {
        match self.below(6) {
            0 => self.below(4),
            1 => u64::MAX - self.below(3),
            2 => 1 << self.below(64),
            3 => (1 << self.below(64)) - 1,
            4 => self.next() >> self.below(64),
            _ => self.next(),
        }
    }

    /// Returns an instruction on registers.
    fn instruction(&mut self) -> Vec<u8> {
        // The registers are 0 to 2, and 8 with another bit in the prefix.
        let (mut reg, mut rm) = (self.below(4) as u8, self.below(4) as u8);
        let mut rex = 0x40 | (self.below(2) as u8) << 3;
        if reg == 3 {
            (reg, rex) = (0, rex | 4);
        }
        if rm == 3 {
            (rm, rex) = (0, rex | 1);
        }
        let mut code = Vec::new();
        if rex & 8 == 0 && self.below(3) == 0 {
            code.push(0x66);
        }
        code.push(rex);
        let mut modrm = 0xc0 | reg << 3 | rm;
        let extension = |which: u64, rm: u8| 0xc0 | (which as u8) << 3 | rm;
        let (narrow, wide) = (code[0] == 0x66, rex & 8 != 0);
        let long = if narrow { 2 } else { 4 };
        let mut immediate = 0;
        match self.below(24) {
            0..6 => code.push(self.below(8) as u8 * 8 + self.below(4) as u8),
            6 => {
                code.push(0x83);
                modrm = extension(self.below(8), rm);
                immediate = 1;
            }
            7 => {
                code.push(0x81);
                modrm = extension(self.below(8), rm);
                immediate = long;
            }
            8 => code.push(0x84 + self.below(2) as u8),
            9 => code.push(0x88 + self.below(4) as u8),
            10 => code.extend([0x0f, 0x40 + self.below(16) as u8]),
            11 => code.extend([0x0f, 0x90 + self.below(16) as u8]),
            12 => code.extend([0x0f, [0xb6, 0xb7, 0xbe, 0xbf][self.below(4) as usize]]),
            13 => code.extend([0x0f, 0xaf]),
            14 => {
                code.push(0xc0 + self.below(2) as u8);
                modrm = extension([0, 1, 4, 5, 7][self.below(5) as usize], rm);
                immediate = 1;
            }
            15 => {
                code.push(0xd0 + self.below(4) as u8);
                modrm = extension([0, 1, 4, 5, 7][self.below(5) as usize], rm);
            }
            16 => {
                code.push(0xf6 + self.below(2) as u8);
                modrm = extension(2 + self.below(2), rm);
            }
            17 => {
                code.push(0xf7);
                modrm = extension(4 + self.below(2), rm);
            }
            18 => {
                code.push(0xfe + self.below(2) as u8);
                modrm = extension(self.below(2), rm);
            }
            19 => {
                code.push(0x6b);
                immediate = 1;
            }
            20 if wide => code.push(0x63),
            20 | 21 => code.extend([0x0f, 0xa3]),
            22 => {
                code.extend([0x0f, 0xba]);
                modrm = extension(4, rm);
                immediate = 1;
            }
            _ => {
                code.push([0x98, 0x99, 0xa9][self.below(3) as usize]);
                if code.last() == Some(&0xa9) {
                    code.extend((0..long).map(|_| self.next() as u8));
                }
                return code;
            }
        }
        code.push(modrm);
        code.extend((0..immediate).map(|_| self.next() as u8));
        code
    }
}

#[test]
fn instructions_do_what_the_processor_does() {
    let (page, mut random) = (Page::new(), Random(0x2545_f491_4f6c_dd1d));
    let mut compared = 0;
    for _ in 0..200_000 {
        let instruction = random.instruction();
        let flags = FLAGS.iter().filter(|_| random.below(2) == 0).map(|it| it.1).sum::<u64>();
        let before = [random.number(), random.number(), random.number(), random.number(), flags];
        let mut after = before;
        let at = page.run(&instruction, &mut after);
        let Ok((mut found, known)) = interpret(at, instruction.len(), &before) else { continue };
        let mask: u64 =
            FLAGS.iter().filter(|(flag, _)| known & flag != 0).map(|(_, mask)| mask).sum();
        after[4] &= mask;
        found[4] &= mask;
        assert_eq!(found, after, "{instruction:02x?} on {before:x?}");
        compared += 1;
    }
    assert!(compared > 150_000, "only {compared} instructions were interpreted");
}
