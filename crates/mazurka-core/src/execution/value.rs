//! The value of a location after a subset of the accesses to it.

use smallvec::SmallVec;

use super::Access;
use crate::model::Op;

/// The part of its cell that an access touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CellPart {
    /// The whole cell.
    Whole,
    /// These bytes, one bit for each. The access is to a location that overlaps with the cell.
    Bytes(u8),
    /// No part: the access is to the life of the cell's object, or the cell is that life.
    Life,
    /// An unknown part: one of the two locations has more than 8 bytes.
    Unknown,
}

impl CellPart {
    /// Returns the part of the cell `(start, len)` that an access to the range `other` touches.
    pub(super) fn of((start, len): (u32, u32), other: (u32, u32)) -> CellPart {
        if len > 8 || other.1 > 8 {
            return CellPart::Unknown;
        }
        let bytes = |(start, len): (u32, u32)| ((1u64 << len) - 1, start);
        let ((mine, at), (theirs, there)) = (bytes((start, len)), bytes(other));
        CellPart::Bytes((shift(theirs, there, at) & mine) as u8)
    }

    /// Returns the bits of `value`, the value of the range `other`, at their positions in the cell
    /// that starts at `start`.
    pub(super) fn bits(self, value: u64, start: u32, other: (u32, u32)) -> u64 {
        let value = match other.1 {
            8.. => value,
            len => value & ((1 << (8 * len)) - 1),
        };
        shift(value, 8 * other.0, 8 * start) & self.mask()
    }

    /// Returns the bits of the cell that the access touches.
    fn mask(self) -> u64 {
        match self {
            CellPart::Whole => u64::MAX,
            CellPart::Unknown | CellPart::Life => 0,
            CellPart::Bytes(bytes) => (0..8)
                .filter(|byte| bytes >> byte & 1 != 0)
                .fold(0, |mask, byte| mask | 0xff << (8 * byte)),
        }
    }
}

/// Moves bits from a range that starts at `from` to their position in a range that starts at `to`.
fn shift(bits: u64, from: u32, to: u32) -> u64 {
    match from >= to {
        true => bits.checked_shl(from - to).unwrap_or(0),
        false => bits.checked_shr(to - from).unwrap_or(0),
    }
}

/// Computes the value of a cell after a subset of the accesses to it. The caller passes all
/// accesses, from the latest to the earliest.
pub(crate) struct ValueBefore {
    /// What the accesses since the last write do to the value.
    change: Change,
    /// Changes that follow this one, the last one first. There are some only if a part is written before
    /// an addition, which may carry into other bytes.
    later: SmallVec<[Change; 1]>,
    /// The value before the earliest access so far.
    initial: u64,
    is_known: bool,
}

/// Additions, and then writes to parts.
#[derive(Clone, Copy, Default)]
struct Change {
    /// The sum of the additions.
    sum: u64,
    /// The mask and the values of the bits that are written.
    written: (u64, u64),
}

impl Change {
    fn of(self, value: u64) -> u64 {
        let (mask, bits) = self.written;
        value.wrapping_add(self.sum) & !mask | bits
    }
}

impl ValueBefore {
    /// Starts with the value before or after all accesses, which counts only if there are none.
    pub(crate) fn new(initial: u64) -> Self {
        let (change, later) = (Change::default(), SmallVec::new());
        ValueBefore { change, later, initial, is_known: true }
    }

    /// Passes an access that is not in the subset.
    #[inline]
    pub(crate) fn skip(&mut self, access: &Access) {
        self.initial = match access.part {
            CellPart::Whole => access.before,
            CellPart::Life => return,
            CellPart::Unknown => {
                // The overwritten value is unknown.
                self.is_known &= access.op.is_read();
                return;
            }
            CellPart::Bytes(_) if access.op.is_read() => return,
            part => self.initial & !part.mask() | access.before,
        };
    }

    /// Passes an access that is in the subset. Returns the value once it is known, or `Some(None)`
    /// if it cannot be computed.
    #[inline]
    pub(crate) fn add(&mut self, access: &Access) -> Option<Option<u64>> {
        self.skip(access);
        match (access.op, access.part) {
            (op, _) if op.is_read() => None,
            (_, CellPart::Life) => None,
            (_, CellPart::Unknown) => Some(None),
            (Op::Write | Op::Update, CellPart::Whole) => Some(self.on(access.after)),
            (Op::Add, CellPart::Whole) => {
                let sum = access.after.wrapping_sub(access.before);
                self.change.sum = self.change.sum.wrapping_add(sum);
                None
            }
            (Op::WritePart | Op::CoverPart | Op::Update, part) => {
                if self.change.sum != 0 {
                    self.later.push(std::mem::take(&mut self.change));
                }
                let (mask, bits) = self.change.written;
                let new = part.mask() & !mask;
                self.change.written = (mask | new, bits | access.after & new);
                None
            }
            _ => None,
        }
    }

    /// Returns the value if there are no more accesses, or `None` if it cannot be computed.
    #[inline]
    pub(crate) fn at_start(&self) -> Option<u64> {
        self.on(self.initial)
    }

    fn on(&self, value: u64) -> Option<u64> {
        let changes = || std::iter::once(&self.change).chain(self.later.iter().rev());
        self.is_known.then(|| changes().fold(value, |value, change| change.of(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_overlapping_ranges() {
        let (word, low, high, middle) = ((0, 4), (0, 2), (2, 2), (1, 2));
        assert_eq!(CellPart::of(word, high), CellPart::Bytes(0b1100));
        assert_eq!(CellPart::of(word, high).bits(0x1234, 0, high), 0x1234_0000);
        assert_eq!(CellPart::of(high, word), CellPart::Bytes(0b11));
        assert_eq!(CellPart::of(high, word).bits(0x1234_5678, 2, word), 0x1234);
        assert_eq!(CellPart::of(low, middle), CellPart::Bytes(0b10));
        assert_eq!(CellPart::of(low, middle).bits(0xaabb, 0, middle), 0xbb00);
        assert_eq!(CellPart::of((0, 16), word), CellPart::Unknown);
        assert_eq!(CellPart::of((0, 8), word).bits(u64::MAX, 0, word), 0xffff_ffff);
    }
}
