//! Digests of large objects, kept up as their contents change.
//!
//! To tell a state by a digest of all memory takes as long as there is memory, although a step changes
//! little of it. So large objects are digested in chunks, and the digest of a chunk is kept until a word
//! of it is written. Writes say nothing of that: what has changed is read off the log by which they are
//! undone, so that programs whose states nobody asks for pay nothing.

use super::Memory;

/// How many words a chunk has. Chunks are counted from the start of their object, so that it does not
/// matter where that is.
pub(crate) const CHUNK: usize = 32;

/// What stands for the start of a chunk whose digest is not known.
const UNKNOWN: u32 = u32::MAX;

/// The digest of a chunk.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The chunk's first word, or [`UNKNOWN`].
    start: u32,
    /// `None` if there are addresses in it that count by what they lead to.
    digest: Option<[u64; 2]>,
}

/// The digests of chunks. No two chunks start within so many words, so each has a slot of its own.
#[derive(Default)]
pub(crate) struct Chunks {
    slots: Vec<Slot>,
    /// How much of the log is known.
    log: usize,
    /// How many words there were then. Those that came since are not in the log.
    words: usize,
}

impl Chunks {
    /// The digest of a chunk, which `compute` finds if it is not known.
    #[inline]
    pub(crate) fn digest(
        &mut self,
        start: usize,
        compute: impl FnOnce() -> Option<[u64; 2]>,
    ) -> Option<[u64; 2]> {
        let slot = &mut self.slots[start / CHUNK];
        if slot.start != start as u32 {
            *slot = Slot { start: start as u32, digest: compute() };
        }
        slot.digest
    }

    /// Takes note that a word may have changed: its chunk has one of two slots.
    fn forget(&mut self, word: usize) {
        let slot = word / CHUNK;
        let last = self.slots.len().min(slot + 1);
        for slot in &mut self.slots[slot.saturating_sub(1).min(last)..last] {
            slot.start = UNKNOWN;
        }
    }
}

impl Memory {
    /// Brings the digests up to date.
    pub(crate) fn update(&self, chunks: &mut Chunks) {
        for (word, _) in &self.log.words[chunks.log..] {
            chunks.forget(*word as usize);
        }
        let unknown = Slot { start: UNKNOWN, digest: None };
        chunks.slots.truncate((chunks.words / CHUNK).saturating_sub(1));
        chunks.slots.resize(self.words.len() / CHUNK + 1, unknown);
        (chunks.log, chunks.words) = (self.log.words.len(), self.words.len());
    }

    /// Takes note that memory goes back to where it had so many words, and the log such a length.
    #[inline]
    pub(super) fn forget_chunks(&mut self, log: usize, words: usize) {
        let chunks = self.chunks.get_mut();
        if chunks.log > log {
            for (word, _) in &self.log.words[log..chunks.log] {
                chunks.forget(*word as usize);
            }
            chunks.log = log;
        }
        chunks.words = chunks.words.min(words);
    }
}
