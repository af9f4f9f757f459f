//! Values of registers and memory, as far as they are known.

/// A value of at most 8 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) bits: u64,
    /// The bytes that are not defined, as a mask. Compiled code never depends on them.
    pub(super) undefined: u8,
    /// Whether it may depend on the value that the iteration begins with.
    pub(super) depends: bool,
}

impl Word {
    pub(super) const UNDEFINED: Self = Word { bits: 0, undefined: 0xff, depends: false };

    pub(super) const fn known(bits: u64) -> Self {
        Word { bits, undefined: 0, depends: false }
    }

    /// Returns the low `size` bytes.
    pub(super) fn low(self, size: usize) -> Self {
        Word { bits: self.bits & mask(size), undefined: self.undefined & bytes(size), ..self }
    }

    pub(super) fn is_defined(self) -> bool {
        self.undefined == 0
    }

    /// Returns this value with its low `size` bytes replaced.
    pub(super) fn with_low(self, size: usize, low: Word) -> Self {
        let keep = !mask(size);
        Word {
            bits: self.bits & keep | low.bits & !keep,
            undefined: self.undefined & !bytes(size) | low.undefined & bytes(size),
            depends: self.depends || low.depends,
        }
    }
}

/// Returns a mask of the bits of so many bytes.
pub(super) const fn mask(size: usize) -> u64 {
    if size >= 8 { u64::MAX } else { (1 << (8 * size)) - 1 }
}

/// Returns a mask of so many bytes.
pub(super) const fn bytes(size: usize) -> u8 {
    if size >= 8 { 0xff } else { (1 << size) - 1 }
}

/// Returns the highest bit of a value of so many bytes.
pub(super) const fn sign(size: usize) -> u64 {
    1 << (8 * size - 1)
}

/// Returns a value of so many bytes, extended with its sign.
pub(super) const fn extended(bits: u64, size: usize) -> u64 {
    let shift = 64 - 8 * size as u32;
    ((bits << shift) as i64 >> shift) as u64
}

pub(super) const CARRY: u8 = 1;
pub(super) const PARITY: u8 = 2;
pub(super) const ZERO: u8 = 4;
pub(super) const SIGN: u8 = 8;
pub(super) const OVERFLOW: u8 = 16;
pub(super) const ALL: u8 = 31;

/// The flags of the processor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flags {
    /// The flags that are set.
    pub(super) set: u8,
    /// The flags whose values are known.
    pub(super) known: u8,
    /// Whether they may depend on the value that the iteration begins with.
    pub(super) depend: bool,
}

impl Flags {
    /// Returns the flags that a result of so many bytes sets, without carry and overflow.
    pub(super) fn of_result(bits: u64, size: usize) -> u8 {
        let mut set = 0;
        if bits & mask(size) == 0 {
            set |= ZERO;
        }
        if bits & sign(size) != 0 {
            set |= SIGN;
        }
        if (bits as u8).count_ones().is_multiple_of(2) {
            set |= PARITY;
        }
        set
    }

    /// Returns whether a condition holds, by its number in the encoding of an instruction, or `None` if it
    /// depends on flags that are not known.
    pub(super) fn holds(self, condition: u8) -> Option<bool> {
        let flag = |flag: u8| self.set & flag != 0;
        let (needed, holds) = match condition >> 1 {
            0 => (OVERFLOW, flag(OVERFLOW)),
            1 => (CARRY, flag(CARRY)),
            2 => (ZERO, flag(ZERO)),
            3 => (CARRY | ZERO, flag(CARRY) || flag(ZERO)),
            4 => (SIGN, flag(SIGN)),
            5 => (PARITY, flag(PARITY)),
            6 => (SIGN | OVERFLOW, flag(SIGN) != flag(OVERFLOW)),
            _ => (ZERO | SIGN | OVERFLOW, flag(ZERO) || flag(SIGN) != flag(OVERFLOW)),
        };
        (self.known & needed == needed).then_some(holds != (condition & 1 == 1))
    }
}
