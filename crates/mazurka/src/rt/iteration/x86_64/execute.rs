//! Instructions whose opcode has one byte.

use super::Stop;
use super::cpu::{Cpu, Place, Prefixes, RAX, RCX, RDX, RSP, add, from_lowest};
use super::word::{
    ALL, CARRY, Flags, OVERFLOW, PARITY, SIGN, Word, ZERO, bytes, extended, mask, sign,
};

impl Cpu<'_> {
    /// Runs one instruction.
    pub(super) fn execute(&mut self) -> Result<(), Stop> {
        let mut prefixes = Prefixes::default();
        let opcode = loop {
            match self.fetch() {
                0x66 => prefixes.narrow = true,
                byte @ (0xf2 | 0xf3) => prefixes.repeat = byte,
                0x2e | 0x3e => {}
                byte => break byte,
            }
        };
        let opcode = match opcode {
            0x40..=0x4f => {
                prefixes.rex = opcode;
                self.fetch()
            }
            _ => opcode,
        };
        let wide = prefixes.size();
        let size = if opcode & 1 == 0 { 1 } else { wide };
        match opcode {
            0x00..=0x3f if opcode & 7 < 6 => self.arithmetic(opcode, prefixes, size),
            0x50..=0x57 => {
                let word = self.register(low_register(opcode, prefixes));
                self.push(word)
            }
            0x58..=0x5f => {
                let word = self.pop()?;
                self.set_register(low_register(opcode, prefixes), 8, word)
            }
            0x63 => {
                let (place, reg) = self.operands(prefixes, 4, 0)?;
                let word = self.get(place, 4)?;
                self.set_register(reg, wide, signed(word, 4, wide)?)
            }
            0x68 | 0x6a => {
                let immediate = self.immediate(if opcode == 0x68 { 4 } else { 1 });
                self.push(Word::known(immediate))
            }
            0x69 | 0x6b => {
                let rest = if opcode == 0x6b { 1 } else { wide.min(4) };
                let (place, reg) = self.operands(prefixes, wide, rest)?;
                let immediate = Word::known(self.immediate(rest));
                let word = self.get(place, wide)?;
                let product = self.product(word, immediate, wide)?;
                self.set_register(reg, wide, product)
            }
            0x70..=0x7f => {
                let distance = self.immediate(1);
                self.jump_if(opcode, distance)
            }
            0x80 | 0x81 | 0x83 => {
                let rest = if opcode == 0x81 { wide.min(4) } else { 1 };
                let (place, which) = self.operands(prefixes, size, rest)?;
                let immediate = Word::known(self.immediate(rest));
                let word = self.get(place, size)?;
                let result = self.compute(which & 7, word, immediate, size)?;
                self.keep(which & 7, place, size, result)
            }
            0x84 | 0x85 => {
                let (place, reg) = self.operands(prefixes, size, 0)?;
                self.check_byte(prefixes, size, reg)?;
                let (word, other) = (self.get(place, size)?, self.register(reg));
                self.compute(4, word, other, size).map(drop)
            }
            0x86 | 0x87 => {
                let (place, reg) = self.operands(prefixes, size, 0)?;
                self.check_byte(prefixes, size, reg)?;
                // An exchange with memory is atomic.
                let Place::Register(register) = place else { return Err(Stop) };
                let (one, other) = (self.register(register), self.register(reg));
                self.set_register(register, size, other)?;
                self.set_register(reg, size, one)
            }
            0x88 | 0x89 => {
                let (place, reg) = self.operands(prefixes, size, 0)?;
                self.check_byte(prefixes, size, reg)?;
                let word = self.register(reg).low(size);
                self.set(place, size, word)
            }
            0x8a | 0x8b => {
                let (place, reg) = self.operands(prefixes, size, 0)?;
                self.check_byte(prefixes, size, reg)?;
                let word = self.get(place, size)?;
                self.set_register(reg, size, word)
            }
            0x8d => {
                let (address, reg) = self.address(prefixes, 0)?;
                self.set_register(reg, wide, address.low(wide))
            }
            // `nop` and `pause`.
            0x90 if prefixes.rex & 1 == 0 => Ok(()),
            0x98 => {
                let word = self.register(RAX).low(wide / 2);
                self.set_register(RAX, wide, signed(word, wide / 2, wide)?)
            }
            0x99 => {
                let word = self.register(RAX).low(wide);
                let high = if word.bits & sign(wide) != 0 { u64::MAX } else { 0 };
                let undefined = if word.is_defined() { 0 } else { 0xff };
                self.set_register(RDX, wide, Word { bits: high, undefined, ..word }.low(wide))
            }
            0xa8 | 0xa9 => {
                let immediate = Word::known(self.immediate(size.min(4)));
                let word = self.register(RAX);
                self.compute(4, word, immediate, size).map(drop)
            }
            0xb0..=0xb7 => {
                let reg = low_register(opcode, prefixes);
                self.check_byte(prefixes, 1, reg)?;
                let immediate = Word::known(self.immediate(1));
                self.set_register(reg, 1, immediate)
            }
            0xb8..=0xbf => {
                let immediate = Word::known(self.immediate(wide)).low(wide);
                self.set_register(low_register(opcode, prefixes), wide, immediate)
            }
            0xc0 | 0xc1 => self.shift(prefixes, size, None, 1),
            0xd0 | 0xd1 => self.shift(prefixes, size, Some(Word::known(1)), 0),
            0xd2 | 0xd3 => {
                let count = self.register(RCX).low(1);
                self.shift(prefixes, size, Some(count), 0)
            }
            0xc2 | 0xc3 => {
                let popped = if opcode == 0xc2 { self.immediate(2) & 0xffff } else { 0 };
                let target = self.pop()?;
                self.at = self.decisive(target)? as usize;
                let pointer = self.registers[RSP].bits.wrapping_add(popped);
                self.set_register(RSP, 8, Word::known(pointer))
            }
            0xc6 | 0xc7 => {
                let rest = size.min(4);
                let (place, _) = self.operands(prefixes, size, rest)?;
                let immediate = Word::known(self.immediate(rest)).low(size);
                self.set(place, size, immediate)
            }
            0xc9 => {
                let base = self.register(super::cpu::RBP);
                self.set_register(RSP, 8, base)?;
                let word = self.pop()?;
                self.set_register(super::cpu::RBP, 8, word)
            }
            0xe8 => {
                let distance = self.immediate(4) as usize;
                self.push(Word::known(self.at as u64))?;
                self.at = self.at.wrapping_add(distance);
                Ok(())
            }
            0xe9 | 0xeb => {
                let distance = self.immediate(if opcode == 0xe9 { 4 } else { 1 }) as usize;
                self.at = self.at.wrapping_add(distance);
                Ok(())
            }
            0xf6 | 0xf7 => self.unary(prefixes, size),
            0xfe | 0xff => self.step_or_jump(opcode, prefixes, size),
            0x0f => self.execute_long(prefixes),
            _ => Err(Stop),
        }
    }

    /// Runs one of the eight basic operations with a register.
    fn arithmetic(&mut self, opcode: u8, prefixes: Prefixes, size: usize) -> Result<(), Stop> {
        let which = usize::from(opcode >> 3 & 7);
        if opcode & 7 >= 4 {
            let immediate = Word::known(self.immediate(size.min(4)));
            let word = self.register(RAX);
            let result = self.compute(which, word, immediate, size)?;
            return self.keep(which, Place::Register(RAX), size, result);
        }
        let (place, reg) = self.operands(prefixes, size, 0)?;
        self.check_byte(prefixes, size, reg)?;
        let (to, from) = match opcode & 2 {
            0 => (place, Place::Register(reg)),
            _ => (Place::Register(reg), place),
        };
        // A register minus itself is 0, and does not depend on it.
        if to == from && matches!(which, 5 | 6) {
            let zero = Word::known(0);
            self.set_flags(ALL, ZERO | PARITY, zero);
            return self.set(to, size, zero);
        }
        let (one, other) = match to == from && which == 3 {
            true => (Word::known(0), Word::known(0)),
            false => (self.get(to, size)?, self.get(from, size)?),
        };
        let result = self.compute(which, one, other, size)?;
        self.keep(which, to, size, result)
    }

    /// Stores a result, unless the operation only compares.
    fn keep(&mut self, which: usize, to: Place, size: usize, result: Word) -> Result<(), Stop> {
        if which == 7 { Ok(()) } else { self.set(to, size, result) }
    }

    /// Computes a result: `add`, `or`, `adc`, `sbb`, `and`, `sub`, `xor` or `cmp`.
    fn compute(&mut self, which: usize, one: Word, other: Word, size: usize) -> Result<Word, Stop> {
        let (one, other) = (one.low(size), other.low(size));
        let mut depends = one.depends || other.depends;
        let uses_carry = matches!(which, 2 | 3);
        if uses_carry && self.flags.known & CARRY == 0 {
            return Err(Stop);
        }
        depends |= uses_carry && self.flags.depend;
        let carry = u64::from(uses_carry && self.flags.set & CARRY != 0);
        let (a, b) = (one.bits, other.bits);
        let mut set = 0;
        let bits = match which {
            0 | 2 => {
                let (sum, carries) = add(a, b, carry, size);
                set |= if carries { CARRY } else { 0 };
                set |= if !(a ^ b) & (a ^ sum) & sign(size) != 0 { OVERFLOW } else { 0 };
                sum
            }
            3 | 5 | 7 => {
                let rest = a.wrapping_sub(b).wrapping_sub(carry) & mask(size);
                let borrows = u128::from(a) < u128::from(b) + u128::from(carry);
                set |= if borrows { CARRY } else { 0 };
                set |= if (a ^ b) & (a ^ rest) & sign(size) != 0 { OVERFLOW } else { 0 };
                rest
            }
            1 => a | b,
            4 => a & b,
            _ => a ^ b,
        };
        let undefined = match which {
            1 | 4 => undefined_bitwise(which == 4, one, other, size)?,
            6 => one.undefined | other.undefined,
            _ => from_lowest(one.undefined | other.undefined) & bytes(size),
        };
        let word = Word { bits, undefined, depends };
        self.set_flags(ALL, set | Flags::of_result(bits, size), word);
        Ok(word)
    }

    fn unary(&mut self, prefixes: Prefixes, size: usize) -> Result<(), Stop> {
        let is_test = self.peek() >> 3 & 7 < 2;
        let rest = if is_test { size.min(4) } else { 0 };
        let (place, which) = self.operands(prefixes, size, rest)?;
        let word = self.get(place, size)?;
        match which & 7 {
            0 | 1 => {
                let immediate = Word::known(self.immediate(rest));
                self.compute(4, word, immediate, size).map(drop)
            }
            2 => self.set(place, size, Word { bits: !word.bits & mask(size), ..word }),
            3 => {
                let result = self.compute(5, Word::known(0), word, size)?;
                self.set(place, size, result)
            }
            which @ (4 | 5) if size >= 4 => self.multiply(which == 5, word, size),
            6 if size >= 4 => self.divide(word, size),
            _ => Err(Stop),
        }
    }

    /// Multiplies `rax` by a value, into `rdx` and `rax`.
    fn multiply(&mut self, is_signed: bool, word: Word, size: usize) -> Result<(), Stop> {
        let other = self.register(RAX).low(size);
        if !word.is_defined() || !other.is_defined() {
            return Err(Stop);
        }
        let depends = word.depends || other.depends;
        let (product, overflows) = match is_signed {
            false => {
                let product = u128::from(word.bits) * u128::from(other.bits);
                (product, product >> (8 * size) != 0)
            }
            true => {
                let of = |bits| i128::from(extended(bits, size) as i64);
                let product = of(word.bits) * of(other.bits);
                (product as u128, product != of(product as u64 & mask(size)))
            }
        };
        let of = |bits: u128| Word { bits: bits as u64 & mask(size), undefined: 0, depends };
        self.set_register(RAX, size, of(product))?;
        self.set_register(RDX, size, of(product >> (8 * size)))?;
        let set = if overflows { CARRY | OVERFLOW } else { 0 };
        self.set_flags(CARRY | OVERFLOW, set, of(0));
        Ok(())
    }

    /// Returns the product of two values with signs.
    pub(super) fn product(&mut self, one: Word, other: Word, size: usize) -> Result<Word, Stop> {
        if !one.is_defined() || !other.is_defined() {
            return Err(Stop);
        }
        let of = |word: Word| i128::from(extended(word.bits & mask(size), size) as i64);
        let product = of(one) * of(other);
        let bits = product as u64 & mask(size);
        let overflows = product != i128::from(extended(bits, size) as i64);
        let word = Word { bits, undefined: 0, depends: one.depends || other.depends };
        let set = if overflows { CARRY | OVERFLOW } else { 0 };
        self.set_flags(CARRY | OVERFLOW, set, word);
        Ok(word)
    }

    fn divide(&mut self, by: Word, size: usize) -> Result<(), Stop> {
        let (low, high) = (self.register(RAX).low(size), self.register(RDX).low(size));
        if !by.is_defined() || !low.is_defined() || !high.is_defined() {
            return Err(Stop);
        }
        let dividend = u128::from(high.bits) << (8 * size) | u128::from(low.bits);
        let quotient = dividend.checked_div(u128::from(by.bits)).ok_or(Stop)?;
        if quotient > u128::from(mask(size)) {
            return Err(Stop);
        }
        let depends = by.depends || low.depends || high.depends;
        let of = |bits: u128| Word { bits: bits as u64, undefined: 0, depends };
        self.set_register(RAX, size, of(quotient))?;
        self.set_register(RDX, size, of(dividend % u128::from(by.bits)))?;
        self.flags = Flags::default();
        Ok(())
    }

    /// Shifts or rotates. Without a count, it comes after the operands.
    fn shift(
        &mut self,
        prefixes: Prefixes,
        size: usize,
        count: Option<Word>,
        rest: usize,
    ) -> Result<(), Stop> {
        let (place, which) = self.operands(prefixes, size, rest)?;
        let count = count.unwrap_or_else(|| Word::known(u64::from(self.fetch())));
        let word = self.get(place, size)?;
        if !word.is_defined() || !count.is_defined() {
            return Err(Stop);
        }
        let width = 8 * size as u64;
        let by = count.bits & if size == 8 { 63 } else { 31 };
        // The flags stay as they are.
        if by == 0 {
            self.flags.depend |= count.depends;
            return self.set(place, size, Word { depends: word.depends || count.depends, ..word });
        }
        if by >= width {
            return Err(Stop);
        }
        let bits = word.bits;
        let (result, carry) = match which & 7 {
            0 => ((bits << by | bits >> (width - by)) & mask(size), None),
            1 => ((bits >> by | bits << (width - by)) & mask(size), None),
            4 | 6 => (bits << by & mask(size), Some(bits >> (width - by) & 1)),
            5 => (bits >> by, Some(bits >> (by - 1) & 1)),
            7 => {
                let value = extended(bits, size) as i64;
                ((value >> by) as u64 & mask(size), Some((value >> (by - 1)) as u64 & 1))
            }
            _ => return Err(Stop),
        };
        let result = Word { bits: result, undefined: 0, depends: word.depends || count.depends };
        match carry {
            Some(carry) => {
                let set = Flags::of_result(result.bits, size) | (carry as u8 * CARRY);
                self.set_flags(CARRY | PARITY | ZERO | SIGN, set, result);
            }
            None => {
                self.flags.known &= !(CARRY | OVERFLOW);
                self.flags.depend |= result.depends;
            }
        }
        self.set(place, size, result)
    }

    fn step_or_jump(&mut self, opcode: u8, prefixes: Prefixes, size: usize) -> Result<(), Stop> {
        let which = self.peek() >> 3 & 7;
        let size = if which >= 2 { 8 } else { size };
        let (place, _) = self.operands(prefixes, size, 0)?;
        let word = self.get(place, size)?;
        match which {
            0 | 1 => {
                let before = self.flags;
                let result =
                    self.compute(if which == 0 { 0 } else { 5 }, word, Word::known(1), size)?;
                // The carry stays as it is.
                self.flags.set = self.flags.set & !CARRY | before.set & CARRY;
                self.flags.known = self.flags.known & !CARRY | before.known & CARRY;
                self.flags.depend |= before.depend;
                self.set(place, size, result)
            }
            2 if opcode == 0xff => {
                self.push(Word::known(self.at as u64))?;
                self.at = self.decisive(word)? as usize;
                Ok(())
            }
            4 if opcode == 0xff => {
                self.at = self.decisive(word)? as usize;
                Ok(())
            }
            6 if opcode == 0xff => self.push(word),
            _ => Err(Stop),
        }
    }

    pub(super) fn jump_if(&mut self, condition: u8, distance: u64) -> Result<(), Stop> {
        let jumps = self.condition(condition)?;
        if self.flags.depend {
            self.branch();
        }
        if jumps {
            self.at = self.at.wrapping_add(distance as usize);
        }
        Ok(())
    }
}

fn low_register(opcode: u8, prefixes: Prefixes) -> usize {
    usize::from(opcode & 7) | usize::from(prefixes.rex & 1) << 3
}

/// Returns a value of `from` bytes, extended to `to` bytes with its sign.
pub(super) fn signed(word: Word, from: usize, to: usize) -> Result<Word, Stop> {
    if !word.is_defined() {
        return Err(Stop);
    }
    Ok(Word { bits: extended(word.bits, from) & mask(to), ..word })
}

/// Returns the bytes of a conjunction or disjunction that are not defined.
fn undefined_bitwise(is_and: bool, one: Word, other: Word, size: usize) -> Result<u8, Stop> {
    let mut undefined = 0;
    for place in 0..size {
        let is_undefined = |word: Word| word.undefined >> place & 1 == 1;
        let decides = |word: Word| {
            let byte = (word.bits >> (8 * place)) as u8;
            if is_and { byte == 0 } else { byte == 0xff }
        };
        let leaves = |word: Word| {
            let byte = (word.bits >> (8 * place)) as u8;
            if is_and { byte == 0xff } else { byte == 0 }
        };
        match (is_undefined(one), is_undefined(other)) {
            (false, false) => {}
            (true, true) => undefined |= 1 << place,
            (is_first, _) => {
                let known = if is_first { other } else { one };
                if leaves(known) {
                    undefined |= 1 << place;
                } else if !decides(known) {
                    return Err(Stop);
                }
            }
        }
    }
    Ok(undefined)
}
