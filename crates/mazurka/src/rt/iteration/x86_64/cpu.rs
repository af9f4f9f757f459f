//! Registers and operands.

use super::loaded::is_constant;
use super::stack::Stack;
use super::word::{Flags, Word, mask};
use super::{Known, Stop};

pub(super) const RAX: usize = 0;
pub(super) const RCX: usize = 1;
pub(super) const RDX: usize = 2;
pub(super) const RBX: usize = 3;
pub(super) const RSP: usize = 4;
pub(super) const RBP: usize = 5;
pub(super) const RSI: usize = 6;
pub(super) const RDI: usize = 7;
pub(super) const R8: usize = 8;
pub(super) const R9: usize = 9;

/// The registers that a function preserves, except for the stack pointer.
pub(super) const PRESERVED: [usize; 6] = [RBX, RBP, 12, 13, 14, 15];

/// The prefixes of an instruction.
#[derive(Clone, Copy, Default)]
pub(super) struct Prefixes {
    pub(super) rex: u8,
    /// Operands have 2 bytes.
    pub(super) narrow: bool,
    /// 0xf2, 0xf3 or 0.
    pub(super) repeat: u8,
}

impl Prefixes {
    /// Returns the size of operands that are no bytes.
    pub(super) fn size(self) -> usize {
        match (self.rex & 8 != 0, self.narrow) {
            (true, _) => 8,
            (false, true) => 2,
            (false, false) => 4,
        }
    }
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Register(usize),
    Memory(usize),
    /// Memory whose address depends on the code alone.
    Constant(usize),
}

/// A processor that runs one iteration of a loop on a copy of the stack.
pub(super) struct Cpu<'a> {
    pub(super) registers: [Word; 16],
    pub(super) vectors: [[Word; 2]; 16],
    pub(super) flags: Flags,
    pub(super) at: usize,
    pub(super) stack: &'a mut Stack,
    /// The highest stack pointer so far.
    pub(super) highest: usize,
    /// Registers that were read before they were written, as a mask.
    pub(super) read: u16,
    /// Registers that were written.
    pub(super) written: u16,
    /// Registers on which no thread depends that is where the iteration begins.
    pub(super) dead: u16,
    /// Whether what comes next may depend on the value that the iteration begins with.
    pub(super) has_branched: bool,
    pub(super) known: &'a Known,
}

impl Cpu<'_> {
    pub(super) fn register(&mut self, register: usize) -> Word {
        if self.written & 1 << register == 0 {
            self.read |= 1 << register;
        }
        self.registers[register]
    }

    /// Returns a value that an address or the way of the iteration depends on.
    pub(super) fn decisive(&mut self, word: Word) -> Result<u64, Stop> {
        if !word.is_defined() {
            return Err(Stop);
        }
        if word.depends {
            self.branch();
        }
        Ok(word.bits)
    }

    /// From here on, what the iteration does may depend on the value that it begins with.
    pub(super) fn branch(&mut self) {
        if !std::mem::replace(&mut self.has_branched, true) {
            self.dead = self.written & !self.read;
            self.stack.find_dead(self.registers[RSP].bits as usize);
        }
    }

    pub(super) fn set_register(
        &mut self,
        register: usize,
        size: usize,
        word: Word,
    ) -> Result<(), Stop> {
        let old = self.registers[register];
        self.registers[register] = match size {
            8 => word,
            4 => word.low(4),
            _ => old.with_low(size, word),
        };
        // What is replaced only in part stays in part.
        if size < 4 {
            self.register(register);
        }
        self.written |= 1 << register;
        if register == RSP {
            let (from, to) = (old.bits as usize, self.decisive(self.registers[RSP])? as usize);
            if to > from {
                self.stack.release(from, to)?;
            }
            self.highest = self.highest.max(to);
        }
        Ok(())
    }

    pub(super) fn load(&mut self, address: usize, size: usize) -> Result<Word, Stop> {
        match self.stack.contains(address) {
            true => self.stack.read(address, size),
            false => elsewhere(address, size),
        }
    }

    pub(super) fn get(&mut self, place: Place, size: usize) -> Result<Word, Stop> {
        match place {
            Place::Register(register) => Ok(self.register(register).low(size)),
            Place::Memory(address) => self.load(address, size),
            Place::Constant(address) => elsewhere(address, size),
        }
    }

    pub(super) fn set(&mut self, place: Place, size: usize, word: Word) -> Result<(), Stop> {
        match place {
            Place::Register(register) => self.set_register(register, size, word),
            Place::Memory(address) => self.stack.write(address, size, word),
            Place::Constant(_) => Err(Stop),
        }
    }

    pub(super) fn push(&mut self, word: Word) -> Result<(), Stop> {
        let pointer = Word::known(self.registers[RSP].bits.wrapping_sub(8));
        self.set_register(RSP, 8, pointer)?;
        self.stack.write(pointer.bits as usize, 8, word)
    }

    pub(super) fn pop(&mut self) -> Result<Word, Stop> {
        let pointer = self.registers[RSP].bits;
        let word = self.load(pointer as usize, 8)?;
        self.set_register(RSP, 8, Word::known(pointer.wrapping_add(8)))?;
        Ok(word)
    }

    /// Returns the next byte of the code.
    pub(super) fn fetch(&mut self) -> u8 {
        let byte = self.peek();
        self.at += 1;
        byte
    }

    pub(super) fn peek(&self) -> u8 {
        // SAFETY: the process would run the code there.
        unsafe { std::ptr::with_exposed_provenance::<u8>(self.at).read_volatile() }
    }

    /// Returns the next `size` bytes of the code, as a number with a sign.
    pub(super) fn immediate(&mut self, size: usize) -> u64 {
        let mut bits = 0;
        for place in 0..size {
            bits |= u64::from(self.fetch()) << (8 * place);
        }
        super::word::extended(bits, size)
    }

    /// Decodes two operands: any place, and the number in the `reg` field, which is a register or a part of the
    /// opcode. `rest` is how many bytes of the instruction follow.
    pub(super) fn operands(
        &mut self,
        prefixes: Prefixes,
        size: usize,
        rest: usize,
    ) -> Result<(Place, usize), Stop> {
        let byte = self.peek();
        let rm = usize::from(byte & 7);
        if byte >> 6 == 3 {
            self.fetch();
            // Without another prefix, these are the second bytes of registers.
            if size == 1 && prefixes.rex == 0 && (4..8).contains(&rm) {
                return Err(Stop);
            }
            let place = Place::Register(rm | usize::from(prefixes.rex & 1) << 3);
            return Ok((place, register_field(prefixes, byte)));
        }
        let (address, reg) = self.address(prefixes, rest)?;
        let is_relative = byte & 0xc7 == 5;
        let depends = address.depends;
        let address = self.decisive(address)? as usize;
        let place = match is_relative {
            true => Place::Constant(address),
            // A value may be an address whose memory has been freed since.
            false if depends && !self.stack.contains(address) && !is_constant(address, 8) => {
                return Err(Stop);
            }
            false => Place::Memory(address),
        };
        Ok((place, reg))
    }

    /// Decodes an address in memory, and the number in the `reg` field.
    pub(super) fn address(
        &mut self,
        prefixes: Prefixes,
        rest: usize,
    ) -> Result<(Word, usize), Stop> {
        let Prefixes { rex, .. } = prefixes;
        let byte = self.fetch();
        let (mode, rm) = (byte >> 6, usize::from(byte & 7));
        let reg = register_field(prefixes, byte);
        if mode == 3 {
            return Err(Stop);
        }
        if mode == 0 && rm == 5 {
            let distance = self.immediate(4);
            let address = (self.at + rest) as u64;
            return Ok((Word::known(address.wrapping_add(distance)), reg));
        }
        let mut address = Word::known(0);
        // With a base and without an index, the address comes after the second byte.
        let (mut base, mut index) = (Some(rm), None);
        let mut displacement = match mode {
            1 => 1,
            2 => 4,
            _ => 0,
        };
        if rm == 4 {
            let sib = self.fetch();
            base = Some(usize::from(sib & 7));
            if mode == 0 && sib & 7 == 5 {
                (base, displacement) = (None, 4);
            }
            let number = usize::from(sib >> 3 & 7) | usize::from(rex & 2) << 2;
            index = (number != 4).then_some((number, sib >> 6));
        }
        if let Some(base) = base {
            address = self.register(base | usize::from(rex & 1) << 3);
        }
        if let Some((number, scale)) = index {
            let index = self.register(number);
            if !index.is_defined() && scale > 0 {
                return Err(Stop);
            }
            address = sum(address, Word { bits: index.bits << scale, ..index });
        }
        let distance = if displacement == 0 { 0 } else { self.immediate(displacement) };
        Ok((sum(address, Word::known(distance)), reg))
    }

    /// Checks a register that is the second operand of an instruction on bytes.
    pub(super) fn check_byte(
        &self,
        prefixes: Prefixes,
        size: usize,
        reg: usize,
    ) -> Result<(), Stop> {
        if size == 1 && prefixes.rex == 0 && (4..8).contains(&reg) { Err(Stop) } else { Ok(()) }
    }

    /// Sets the flags as after an operation on so many bytes.
    pub(super) fn set_flags(&mut self, known: u8, set: u8, of: Word) {
        self.flags =
            Flags { set, known: if of.is_defined() { known } else { 0 }, depend: of.depends };
    }

    /// Returns whether a condition holds, and whether that depends on the value that the iteration begins with.
    pub(super) fn condition(&self, condition: u8) -> Result<bool, Stop> {
        self.flags.holds(condition & 15).ok_or(Stop)
    }
}

fn register_field(prefixes: Prefixes, byte: u8) -> usize {
    usize::from(byte >> 3 & 7) | usize::from(prefixes.rex & 4) << 1
}

/// Reads memory that is not on the stack of the process.
fn elsewhere(address: usize, size: usize) -> Result<Word, Stop> {
    /// No program has memory below, and the system has what is above.
    const USED: std::ops::Range<usize> = 0x1_0000..0x7fff_ffff_f000;
    if !USED.contains(&address) {
        return Err(Stop);
    }
    let mut bits = 0;
    for place in 0..size {
        let byte = std::ptr::with_exposed_provenance::<u8>(address + place);
        // SAFETY: the process reads this if it sees the value. Its own local state has the address, so the
        // memory has not been freed: another thread cannot know that the process has gone on.
        bits |= u64::from(unsafe { byte.read_volatile() }) << (8 * place);
    }
    Ok(Word::known(bits))
}

/// Returns the sum of two values. A byte is not defined if it, or one below it, is not defined in one of them.
pub(super) fn sum(one: Word, other: Word) -> Word {
    Word {
        bits: one.bits.wrapping_add(other.bits),
        undefined: from_lowest(one.undefined | other.undefined),
        depends: one.depends || other.depends,
    }
}

/// Returns a mask of the lowest byte of a mask, and of all bytes above.
pub(super) fn from_lowest(mask: u8) -> u8 {
    mask | mask.wrapping_neg()
}

/// Returns the sum of two numbers and a carry of 0 or 1, and whether there is a carry.
pub(super) fn add(one: u64, other: u64, carry: u64, size: usize) -> (u64, bool) {
    let sum = u128::from(one) + u128::from(other) + u128::from(carry);
    (sum as u64 & mask(size), sum > u128::from(mask(size)))
}
