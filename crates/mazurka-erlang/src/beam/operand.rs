//! The compact encoding of operands.

use num_bigint::BigInt;

/// An operand of an instruction, as it is written in the file.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Operand {
    /// A plain number.
    Unsigned(u64),
    Integer(BigInt),
    /// An atom by its number in the file; 0 is the empty list.
    Atom(u32),
    X(u32),
    Y(u32),
    /// A float register.
    F(u32),
    /// A place in the code; 0 is nowhere.
    Label(u32),
    Literal(u32),
    List(Vec<Operand>),
}

/// A reader of operands.
pub(crate) struct Operands<'a> {
    bytes: &'a [u8],
    /// How many operands the next one is a part of.
    depth: u32,
}

/// How deep operands may be nested. Compilers nest them twice.
const MAX_DEPTH: u32 = 16;

impl<'a> Operands<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Operands { bytes, depth: 0 }
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// The next operand; `None` if the code is malformed.
    pub(crate) fn operand(&mut self) -> Option<Operand> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let operand = self.nested();
        self.depth -= 1;
        operand
    }

    fn nested(&mut self) -> Option<Operand> {
        let first = self.byte()?;
        if first & 7 != 7 {
            let value = self.value(first)?;
            let number = || u32::try_from(&value).ok();
            return Some(match first & 7 {
                0 => Operand::Unsigned(u64::try_from(&value).ok()?),
                1 => Operand::Integer(value),
                2 => Operand::Atom(number()?),
                3 => Operand::X(number()?),
                4 => Operand::Y(number()?),
                5 => Operand::Label(number()?),
                _ => Operand::Integer(value),
            });
        }
        match first >> 4 {
            1 => {
                let len = self.unsigned()?;
                (0..len).map(|_| self.operand()).collect::<Option<Vec<_>>>().map(Operand::List)
            }
            2 => Some(Operand::F(self.unsigned()? as u32)),
            3 => {
                // The amount of memory that is needed is ignored.
                let len = self.unsigned()?;
                for _ in 0..len.checked_mul(2)? {
                    self.operand()?;
                }
                Some(Operand::Unsigned(0))
            }
            4 => Some(Operand::Literal(self.unsigned()? as u32)),
            5 => {
                // A register, and what type it is known to be.
                let register = self.operand()?;
                self.operand()?;
                Some(register)
            }
            _ => None,
        }
    }

    pub(crate) fn unsigned(&mut self) -> Option<u64> {
        match self.operand()? {
            Operand::Unsigned(value) => Some(value),
            _ => None,
        }
    }

    fn value(&mut self, first: u8) -> Option<BigInt> {
        if first & 8 == 0 {
            return Some(BigInt::from(first >> 4));
        }
        if first & 16 == 0 {
            let second = self.byte()?;
            return Some(BigInt::from((u32::from(first & 0xe0) << 3) | u32::from(second)));
        }
        let len = match first >> 5 {
            7 => usize::try_from(self.unsigned()?).ok()?.checked_add(9)?,
            len => usize::from(len) + 2,
        };
        let (bytes, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(BigInt::from_signed_bytes_be(bytes))
    }
}
