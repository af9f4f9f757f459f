//! Instructions whose opcode has two bytes.

use super::Stop;
use super::cpu::{Cpu, Place, Prefixes};
use super::execute::signed;
use super::word::{CARRY, Word, bytes, mask};

impl Cpu<'_> {
    /// Runs the rest of an instruction that begins with 0x0f.
    pub(super) fn execute_long(&mut self, prefixes: Prefixes) -> Result<(), Stop> {
        let opcode = self.fetch();
        let wide = prefixes.size();
        match opcode {
            // `endbr64`, prefetches and long `nop`s.
            0x18..=0x1f => {
                if self.peek() >> 6 == 3 {
                    self.fetch();
                    return Ok(());
                }
                self.address(prefixes, 0).map(drop)
            }
            0x40..=0x4f => {
                let (place, reg) = self.operands(prefixes, wide, 0)?;
                let (word, old) = (self.get(place, wide)?, self.register(reg).low(wide));
                let mut word = if self.condition(opcode)? { word } else { old };
                word.depends |= self.flags.depend;
                self.set_register(reg, wide, word)
            }
            0x80..=0x8f => {
                let distance = self.immediate(4);
                self.jump_if(opcode, distance)
            }
            0x90..=0x9f => {
                let (place, _) = self.operands(prefixes, 1, 0)?;
                let bits = u64::from(self.condition(opcode)?);
                self.set(place, 1, Word { bits, undefined: 0, depends: self.flags.depend })
            }
            0xa3 => {
                let (place, reg) = self.operands(prefixes, wide, 0)?;
                let index = self.register(reg);
                self.test_bit(place, index, wide)
            }
            0xba => {
                let (place, which) = self.operands(prefixes, wide, 1)?;
                let index = Word::known(self.immediate(1));
                if which & 7 == 4 { self.test_bit(place, index, wide) } else { Err(Stop) }
            }
            // Fences.
            0xae if matches!(self.peek(), 0xe8 | 0xf0 | 0xf8) => {
                self.fetch();
                Ok(())
            }
            0xaf => {
                let (place, reg) = self.operands(prefixes, wide, 0)?;
                let (word, other) = (self.get(place, wide)?, self.register(reg).low(wide));
                let product = self.product(word, other, wide)?;
                self.set_register(reg, wide, product)
            }
            0xb6 | 0xb7 | 0xbe | 0xbf => {
                let from = if opcode & 1 == 0 { 1 } else { 2 };
                let (place, reg) = self.operands(prefixes, from, 0)?;
                let word = self.get(place, from)?;
                let word = if opcode < 0xb8 { word } else { signed(word, from, wide)? };
                self.set_register(reg, wide, word)
            }
            0xc8..=0xcf if wide >= 4 => {
                let reg = usize::from(opcode & 7) | usize::from(prefixes.rex & 1) << 3;
                let word = self.register(reg).low(wide);
                if !word.is_defined() {
                    return Err(Stop);
                }
                let bits = word.bits.swap_bytes() >> (64 - 8 * wide);
                self.set_register(reg, wide, Word { bits, ..word })
            }
            _ => self.execute_vector(opcode, prefixes),
        }
    }

    /// `bt`.
    fn test_bit(&mut self, place: Place, index: Word, size: usize) -> Result<(), Stop> {
        // With memory and a register, the bit may be elsewhere.
        if !matches!(place, Place::Register(_)) {
            return Err(Stop);
        }
        let word = self.get(place, size)?;
        let index = index.low(1);
        if !word.is_defined() || !index.is_defined() {
            return Err(Stop);
        }
        let bit = word.bits >> (index.bits % (8 * size as u64)) & 1;
        self.flags.set = self.flags.set & !CARRY | (bit as u8 * CARRY);
        self.flags.known |= CARRY;
        self.flags.depend |= word.depends || index.depends;
        Ok(())
    }

    /// Runs an instruction that moves vectors, or sets one to 0.
    fn execute_vector(&mut self, opcode: u8, prefixes: Prefixes) -> Result<(), Stop> {
        let Prefixes { narrow, repeat, rex } = prefixes;
        let is_quad = rex & 8 != 0;
        let size = match (opcode, narrow, repeat) {
            (0x10 | 0x11, _, 0) | (0x28 | 0x29, _, 0) => 16,
            (0x10 | 0x11, _, 0xf3) => 4,
            (0x10 | 0x11, _, _) => 8,
            (0x6f | 0x7f, true, 0) | (0x6f | 0x7f, false, 0xf3) => 16,
            (0x6e | 0x7e, true, 0) => return self.move_to_general(opcode, prefixes, is_quad),
            (0x7e, false, 0xf3) | (0xd6, true, 0) => 8,
            (0x57, _, 0) | (0xef, true, 0) => return self.xor_vectors(prefixes),
            _ => return Err(Stop),
        };
        let (place, reg) = self.operands(prefixes, 16, 0)?;
        let stores = matches!(opcode, 0x11 | 0x29 | 0x7f | 0xd6);
        let is_between = matches!(place, Place::Register(_));
        let (to, from) = match stores {
            true => (place, Place::Register(reg)),
            false => (Place::Register(reg), place),
        };
        let mut value = self.vector(from, size)?;
        // Between registers, a scalar leaves the rest as it is.
        if is_between && matches!(opcode, 0x10 | 0x11) && size < 16 {
            let Place::Register(to) = to else { return Err(Stop) };
            let old = self.vectors[to];
            value = [old[0].with_low(size, value[0]), old[1]];
        }
        match to {
            Place::Register(to) => self.vectors[to] = value,
            Place::Memory(address) => {
                self.stack.write(address, size.min(8), value[0])?;
                if size == 16 {
                    self.stack.write(address + 8, 8, value[1])?;
                }
            }
            Place::Constant(_) => return Err(Stop),
        }
        Ok(())
    }

    /// Returns the low `size` bytes of a vector; the others are 0.
    fn vector(&mut self, from: Place, size: usize) -> Result<[Word; 2], Stop> {
        let high = |from| match from {
            Place::Memory(address) => Place::Memory(address + 8),
            Place::Constant(address) => Place::Constant(address + 8),
            register => register,
        };
        Ok(match (from, size) {
            (Place::Register(register), 16) => self.vectors[register],
            (Place::Register(register), _) => [self.vectors[register][0].low(size), Word::known(0)],
            (_, 16) => [self.get(from, 8)?, self.get(high(from), 8)?],
            _ => [self.get(from, size)?, Word::known(0)],
        })
    }

    /// `movd` and `movq` between a vector and something else.
    fn move_to_general(
        &mut self,
        opcode: u8,
        prefixes: Prefixes,
        is_quad: bool,
    ) -> Result<(), Stop> {
        let size = if is_quad { 8 } else { 4 };
        let (place, reg) = self.operands(prefixes, size, 0)?;
        if opcode == 0x6e {
            self.vectors[reg] = [self.get(place, size)?, Word::known(0)];
            return Ok(());
        }
        let word = self.vectors[reg][0].low(size);
        self.set(place, size, word)
    }

    fn xor_vectors(&mut self, prefixes: Prefixes) -> Result<(), Stop> {
        let (place, reg) = self.operands(prefixes, 16, 0)?;
        if place == Place::Register(reg) {
            self.vectors[reg] = [Word::known(0); 2];
            return Ok(());
        }
        let other = self.vector(place, 16)?;
        for (word, other) in self.vectors[reg].iter_mut().zip(other) {
            *word = Word {
                bits: (word.bits ^ other.bits) & mask(8),
                undefined: (word.undefined | other.undefined) & bytes(8),
                depends: word.depends || other.depends,
            };
        }
        Ok(())
    }
}
