//! Memory that was never written.
//!
//! New memory is filled with [`NEVER_WRITTEN`]: every byte is `0xC5`. A byte with another value was
//! written. A program may also write `0xC5`, which is rare, so only these bytes are remembered here.

use rustc_hash::FxHashMap;

use super::{Memory, NEVER_WRITTEN};

/// The bytes that a program has written `0xC5` to.
#[derive(Default)]
pub(super) struct Written {
    /// A bit for every such byte, by word. A bit says nothing if the byte has another value.
    bytes: FxHashMap<u32, u8>,
    /// What words had before.
    log: Vec<(u32, u8)>,
    /// Whether eight such bytes in a row were ever written, or computed: then a value of 64 bits does not say
    /// whether it was.
    is_ambiguous: bool,
}

/// Returns whether a byte of a value is the filling of new memory.
#[inline]
pub(super) fn has_filling(value: u64) -> bool {
    let rest = value ^ NEVER_WRITTEN;
    rest.wrapping_sub(0x0101_0101_0101_0101) & !rest & 0x8080_8080_8080_8080 != 0
}

impl Written {
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    pub(super) fn undo(&mut self, mark: usize) {
        while self.log.len() > mark {
            let (word, before) = self.log.pop().expect("the log is longer");
            self.bytes.insert(word, before);
        }
    }

    fn set(&mut self, byte: usize, is_written: bool) {
        let (word, bit) = ((byte / 8) as u32, 1 << (byte % 8));
        let before = self.bytes.get(&word).copied().unwrap_or(0);
        let after = if is_written { before | bit } else { before & !bit };
        if before != after {
            self.log.push((word, before));
            self.bytes.insert(word, after);
            self.is_ambiguous |= after == u8::MAX;
        }
    }

    /// Forgets what was written to words that are filled anew.
    pub(super) fn forget(&mut self, words: std::ops::Range<usize>) {
        if !self.bytes.is_empty() {
            (words.start * 8..words.end * 8).for_each(|byte| self.set(byte, false));
        }
    }
}

impl Memory {
    /// Takes note that a value was written of which a byte is the filling. If all of it is, it is a copy of
    /// memory that was never written.
    #[cold]
    pub(super) fn note_filling(&mut self, byte: usize, len: u32, value: u64) {
        let is_written = value != NEVER_WRITTEN || self.written.is_ambiguous;
        for i in 0..len.min(8) as usize {
            if value.to_le_bytes()[i] == NEVER_WRITTEN as u8 {
                self.written.set(byte + i, is_written);
            }
        }
    }

    /// Takes note that the program has written bytes, whatever their value is.
    pub(crate) fn note_written(&mut self, byte: usize, len: usize) {
        (byte..byte + len).for_each(|byte| self.written.set(byte, true));
    }

    /// Returns whether none of these bytes, which have the value of new memory, was written.
    #[cold]
    pub(crate) fn is_never_written(&self, byte: usize, len: u32) -> bool {
        let is_written = |byte: usize| {
            let mask = self.written.bytes.get(&((byte / 8) as u32)).copied().unwrap_or(0);
            mask & 1 << (byte % 8) != 0
        };
        !(byte..byte + len as usize).any(is_written)
    }

    /// Takes note that the program has made a value of 64 bits that is [`NEVER_WRITTEN`].
    #[cold]
    pub(crate) fn note_ambiguity(&mut self) {
        self.written.is_ambiguous = true;
    }

    /// Returns whether a value of 64 bits that is [`NEVER_WRITTEN`] may be one that the program has made.
    pub(crate) fn is_ambiguous(&self) -> bool {
        self.written.is_ambiguous
    }
}
