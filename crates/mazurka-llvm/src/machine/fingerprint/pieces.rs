//! What is in objects, piece by piece.
//!
//! A piece is digested once, and again only after one of its words has been written. Writes say nothing
//! of that: what has changed is read off the log by which they are undone.

use super::contents::Contents;
use crate::memory::Memory;

/// How many words a piece has at most.
pub(super) const LONGEST: usize = 32;

/// What stands for no piece.
pub(super) const NONE: u32 = u32::MAX;

/// Which part of which section a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct User {
    pub(super) section: u32,
    pub(super) part: u32,
}

/// Some words of an object.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) start: u32,
    pub(super) len: u32,
    /// Whether something may have been written to it since it was digested.
    pub(super) is_stale: bool,
    pub(super) contents: Contents,
    pub(super) user: Option<User>,
}

/// The pieces that are known.
#[derive(Default)]
pub(super) struct Pieces {
    pieces: Vec<Piece>,
    /// Those that are not in use.
    free: Vec<u32>,
    /// Which piece every word of memory is in.
    owners: Vec<u32>,
    /// Those that have a user, and have become stale.
    pub(super) stale: Vec<u32>,
}

impl Pieces {
    pub(super) fn get_mut(&mut self, id: u32) -> &mut Piece {
        &mut self.pieces[id as usize]
    }

    /// A word of memory may have changed.
    #[inline]
    pub(super) fn touch(&mut self, word: usize) {
        let id = self.owners.get(word).copied().unwrap_or(NONE);
        if id == NONE {
            return;
        }
        let piece = &mut self.pieces[id as usize];
        if !piece.is_stale {
            piece.is_stale = true;
            if piece.user.is_some() {
                self.stale.push(id);
            }
        }
    }

    /// Of what was known, only so many words of memory are still the same memory, and now there are
    /// `now` words.
    pub(super) fn resize(&mut self, kept: usize, now: usize) {
        for word in kept..self.owners.len() {
            self.drop_owner(word);
        }
        self.owners.truncate(kept);
        self.owners.resize(now, NONE);
    }

    /// The piece that consists of these words, which start at `start`.
    pub(super) fn at(&mut self, memory: &Memory, start: u32, words: &[u64]) -> u32 {
        let (len, owner) = (words.len() as u32, self.owners[start as usize]);
        if let Some(piece) = self.pieces.get_mut(owner as usize)
            && (piece.start, piece.len) == (start, len)
        {
            if std::mem::take(&mut piece.is_stale) {
                piece.contents.replace(memory, words);
            }
            return owner;
        }
        // What was there before has gone: the stack of a thread is used again and again.
        let range = start as usize..start as usize + words.len();
        range.clone().for_each(|word| self.drop_owner(word));
        let id = self.free.pop().unwrap_or_else(|| {
            let contents = Contents::default();
            self.pieces.push(Piece { start: 0, len: 0, is_stale: false, contents, user: None });
            self.pieces.len() as u32 - 1
        });
        let piece = &mut self.pieces[id as usize];
        (piece.start, piece.len, piece.is_stale) = (start, len, false);
        piece.contents.replace(memory, words);
        self.owners[range].fill(id);
        id
    }

    /// Forgets the piece that a word is in.
    fn drop_owner(&mut self, word: usize) {
        let id = self.owners[word];
        let Some(piece) = self.pieces.get_mut(id as usize) else { return };
        let words = piece.start as usize..(piece.start + piece.len) as usize;
        piece.user = None;
        self.owners[words].fill(NONE);
        self.free.push(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_looked_at_again_once_it_was_written() {
        let (memory, mut pieces) = (Memory::new(None), Pieces::default());
        pieces.resize(0, 10);
        let id = pieces.at(&memory, 2, &[5, 6]);
        let digest = pieces.get_mut(id).contents.digest;
        // No change of it was noted.
        assert_eq!(pieces.at(&memory, 2, &[5, 7]), id);
        assert_eq!(pieces.get_mut(id).contents.digest, digest);
        pieces.touch(4);
        assert!(!pieces.get_mut(id).is_stale);
        pieces.touch(3);
        assert_eq!(pieces.at(&memory, 2, &[5, 7]), id);
        assert_ne!(pieces.get_mut(id).contents.digest, digest);
    }

    #[test]
    fn what_is_in_the_way_is_dropped() {
        let (memory, mut pieces) = (Memory::new(None), Pieces::default());
        pieces.resize(0, 10);
        let (first, second) = (pieces.at(&memory, 0, &[1, 2, 3]), pieces.at(&memory, 3, &[4, 5]));
        let third = pieces.at(&memory, 2, &[3, 4]);
        assert!(pieces.owners[..2].iter().all(|owner| *owner == NONE));
        assert_eq!(pieces.owners[2..5], [third, third, NONE]);
        assert!([first, second].contains(&third));
        // Memory that was freed belongs to no thread.
        pieces.resize(3, 6);
        assert_eq!(pieces.owners, [NONE; 6]);
    }
}
