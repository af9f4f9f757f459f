//! A copy of the stack of a process, on which an iteration is tried.

use super::start::Start;
use super::word::Word;
use super::{Outcome, Stop, outcome};
use crate::rt::local_state::mix;

/// So many bytes below the stack pointer can be used.
const ROOM: usize = 16 * 1024;

/// The byte is not defined.
const UNDEFINED: u8 = 1;
/// It may depend on the value that the iteration begins with.
const DEPENDS: u8 = 2;
/// The iteration has written it.
const WRITTEN: u8 = 4;
/// The iteration has read it before it wrote it.
const READ: u8 = 8;
/// No thread that is where the iteration begins depends on it.
const DEAD: u8 = 16;

/// A copy of the used part of a stack, and of some room below.
#[derive(Default)]
pub(super) struct Stack {
    /// The address of the first byte.
    from: usize,
    bytes: Vec<u8>,
    marks: Vec<u8>,
    /// The stack pointer at the start.
    start: usize,
}

impl Stack {
    /// Sets it to the stack in a state.
    pub(super) fn begin(&mut self, start: &Start) {
        self.from = start.pointer - ROOM;
        self.start = start.pointer;
        self.bytes.clear();
        self.bytes.resize(ROOM, 0);
        self.bytes.extend_from_slice(&start.bytes);
        self.marks.clear();
        self.marks.resize(ROOM, UNDEFINED);
        self.marks.extend(start.is_undefined.iter().map(|is| if *is { UNDEFINED } else { 0 }));
    }

    /// Writes what is used of it, from this stack pointer on, and which bytes are not defined.
    pub(super) fn write_used(
        &self,
        pointer: usize,
        to: &mut Vec<u8>,
        is_undefined: &mut Vec<bool>,
    ) {
        let used = pointer - self.from..;
        to.clear();
        to.extend_from_slice(&self.bytes[used.clone()]);
        is_undefined.clear();
        is_undefined.extend(self.marks[used].iter().map(|mark| mark & UNDEFINED != 0));
    }

    /// Adds what is used of it, from this stack pointer on, to a digest, as far as it is defined.
    pub(super) fn blend(&self, pointer: usize, digest: u64) -> u64 {
        let used = pointer - self.from..;
        let bytes = self.bytes[used.clone()].chunks(8).zip(self.marks[used].chunks(8));
        bytes.fold(digest, |digest, (bytes, marks)| {
            let (mut word, mut defined) = (0, 0);
            for (place, (byte, mark)) in bytes.iter().zip(marks).enumerate() {
                if mark & UNDEFINED == 0 {
                    word |= usize::from(*byte) << (8 * place);
                    defined |= 1 << place;
                }
            }
            mix(mix(digest, word), defined)
        })
    }

    fn index(&self, address: usize, size: usize) -> Result<usize, Stop> {
        let index = address.wrapping_sub(self.from);
        let fits = index < self.bytes.len() && self.bytes.len() - index >= size;
        if fits { Ok(index) } else { Err(Stop) }
    }

    /// Returns whether an address is in the copy.
    pub(super) fn contains(&self, address: usize) -> bool {
        address.wrapping_sub(self.from) < self.bytes.len()
    }

    /// Reads a value of at most 8 bytes.
    pub(super) fn read(&mut self, address: usize, size: usize) -> Result<Word, Stop> {
        let index = self.index(address, size)?;
        let mut word = Word::known(0);
        for place in 0..size {
            let mark = &mut self.marks[index + place];
            if *mark & WRITTEN == 0 {
                *mark |= READ;
            }
            word.bits |= u64::from(self.bytes[index + place]) << (8 * place);
            word.undefined |= (*mark & UNDEFINED) << place;
            word.depends |= *mark & DEPENDS != 0;
        }
        Ok(word)
    }

    /// Writes the low `size` bytes of a value.
    pub(super) fn write(&mut self, address: usize, size: usize, word: Word) -> Result<(), Stop> {
        let index = self.index(address, size)?;
        for place in 0..size {
            self.bytes[index + place] = (word.bits >> (8 * place)) as u8;
            let mark = &mut self.marks[index + place];
            *mark &= !(UNDEFINED | DEPENDS);
            *mark |= WRITTEN | (word.undefined >> place) & UNDEFINED;
            if word.depends {
                *mark |= DEPENDS;
            }
        }
        Ok(())
    }

    /// The stack pointer has risen: what was below is not defined any more.
    pub(super) fn release(&mut self, from: usize, to: usize) -> Result<(), Stop> {
        let index = self.index(from, to - from)?;
        self.marks[index..index + (to - from)].iter_mut().for_each(|mark| *mark |= UNDEFINED);
        Ok(())
    }

    /// Finds the bytes that no thread depends on that is where the iteration begins: the iteration has so far
    /// done the same as any other that begins there, has not read them, and has written them, or they are
    /// below the stack pointer now.
    pub(super) fn find_dead(&mut self, pointer: usize) {
        let first = self.start - self.from;
        for (index, mark) in self.marks.iter_mut().enumerate().skip(first) {
            let is_gone = *mark & WRITTEN != 0 || self.from + index < pointer;
            if is_gone && *mark & READ == 0 {
                *mark |= DEAD;
            }
        }
    }

    /// Returns how the stack compares to what it was at the start, as far as it matters. `highest` is the highest
    /// stack pointer of the iteration.
    pub(super) fn compare(&self, start: &Start, highest: usize) -> Outcome {
        let first = self.start - self.from;
        let before = start.bytes.iter().zip(&start.is_undefined);
        let now = self.bytes[first..].iter().zip(&self.marks[first..]);
        let mut result = Outcome::Same;
        for (place, ((before, is_undefined), (now, mark))) in before.zip(now).enumerate() {
            if mark & WRITTEN == 0 || mark & (DEAD | UNDEFINED) != 0 {
                continue;
            }
            // In a frame that the iteration has not left, a byte that it writes without having read it may
            // hold anything at first.
            let may_be_any = self.start + place >= highest && mark & READ == 0;
            result = result.and(outcome(!is_undefined && before == now, may_be_any));
        }
        result
    }
}
