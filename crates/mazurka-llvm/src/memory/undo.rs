//! The log by which changes of memory are undone.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::address::{STACKS, address, name_of, stack_id};
use super::{Memory, Object};

/// A change of the tables of objects.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// An object was added to this table, with this number.
    Pushed(u32, u32),
    /// This object was taken off this table, where it had this index.
    Popped(u32, u32, Object),
    /// The object of this table with this index was like that before.
    Altered(u32, u32, Object),
    /// There came to be a second thread.
    Shared,
}

/// What has changed since the start.
#[derive(Default)]
pub(super) struct Log {
    /// Words, and what they were before.
    pub(super) words: Vec<(u32, u64)>,
    pub(super) objects: Vec<Change>,
}

/// The earlier values of some words, as positions in the log.
#[derive(Default)]
pub(super) struct Histories {
    words: FxHashMap<u32, Vec<u32>>,
    /// The entries of the log up to here have been looked through.
    scanned: usize,
}

/// How long the log is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogMark {
    words: usize,
    objects: usize,
}

/// A state to which memory can go back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    words: u32,
    objects: u32,
    end: u32,
    fresh_from: u32,
    written: u32,
}

impl Memory {
    /// The state as it is now. Changes from now on are logged against it.
    #[inline]
    pub(crate) fn mark(&mut self) -> Mark {
        let mark = Mark {
            words: self.log.words.len() as u32,
            objects: self.log.objects.len() as u32,
            end: self.words.len() as u32,
            fresh_from: self.fresh_from as u32,
            written: self.written.mark() as u32,
        };
        self.fresh_from = self.words.len();
        mark
    }

    /// Goes back to a state.
    #[inline]
    pub(crate) fn undo(&mut self, mark: &Mark) {
        // Latest first, so that the earliest value that was logged is the one that stays.
        for &(word, value) in self.log.words[mark.words as usize..].iter().rev() {
            self.words[word as usize] = value;
        }
        self.log.words.truncate(mark.words as usize);
        self.histories.scanned = self.histories.scanned.min(mark.words as usize);
        while self.log.objects.len() > mark.objects as usize {
            match self.log.objects.pop().expect("there are more changes") {
                Change::Pushed(table, _) => {
                    self.tables[table as usize].pop();
                }
                Change::Popped(table, _, object) => self.tables[table as usize].push(object),
                Change::Altered(table, index, object) => {
                    self.tables[table as usize][index as usize] = object;
                }
                Change::Shared => self.shared = false,
            }
        }
        self.written.undo(mark.written as usize);
        self.words.truncate(mark.end as usize);
        self.fresh_from = mark.fresh_from as usize;
    }
}

/// What has changed since a mark.
impl Memory {
    /// The words that were there then, and have been written.
    pub(crate) fn changed_words(&self, since: &Mark) -> impl Iterator<Item = usize> {
        self.log.words[since.words as usize..].iter().map(|(word, _)| *word as usize)
    }

    /// The objects that have come, gone or changed otherwise than in their contents, by what their
    /// addresses have in common.
    pub(crate) fn changed_objects(&self, since: &Mark) -> impl Iterator<Item = u64> {
        let changes = self.log.objects[since.objects as usize..].iter();
        changes.filter_map(|change| {
            let (table, id) = match *change {
                Change::Pushed(table, id) => (table as usize, id),
                Change::Popped(table, index, object) | Change::Altered(table, index, object) => {
                    let (table, is_local) = (table as usize, table as usize >= STACKS);
                    (table, if is_local { stack_id(index as usize, object.tag) } else { index })
                }
                Change::Shared => return None,
            };
            Some(name_of(address(table, id)))
        })
    }
}

impl Memory {
    /// Returns how long the log is now.
    pub(crate) fn log_mark(&self) -> LogMark {
        LogMark { words: self.log.words.len(), objects: self.log.objects.len() }
    }

    /// Returns whether no object was made, changed or ended since a mark.
    pub(crate) fn has_same_objects_since(&self, mark: &LogMark) -> bool {
        self.log.objects.len() == mark.objects
    }

    /// Returns whether memory is as it was at a mark, apart from these words. Objects may have come
    /// and gone. Returns `false` if too much has been written to tell.
    pub(crate) fn is_unchanged_since(&self, mark: &LogMark, apart: Range<u32>) -> bool {
        const MOST: usize = 64;
        let written = &self.log.words[mark.words..];
        let changes = &self.log.objects[mark.objects..];
        // The lives of block variables begin and end in every iteration.
        let is_as_before = |(i, change): (usize, &Change)| match change {
            Change::Altered(table, index, before) => {
                let same = |earlier: &Change| matches!(earlier, Change::Altered(t, i, _) if (t, i) == (table, index));
                let now = self.tables[*table as usize].get(*index as usize);
                now.is_none_or(|now| Object { freed: before.freed, ..*now } == *before)
                    || changes[..i].iter().any(same)
            }
            Change::Shared => false,
            _ => true,
        };
        // The first entry for a word has its value at the mark.
        let is_same = |(i, (word, before)): (usize, &(u32, u64))| {
            apart.contains(word)
                || self.words[*word as usize] == *before
                || written[..i].iter().any(|(earlier, _)| earlier == word)
        };
        written.len() <= MOST
            && written.iter().enumerate().all(is_same)
            && changes.iter().enumerate().all(is_as_before)
    }

    /// Collects the different values that a location within one word has had in this execution
    /// before its current one, at most `most` of them: the latest.
    pub(crate) fn earlier_values(
        &mut self,
        byte: usize,
        len: u32,
        most: usize,
        values: &mut Vec<u64>,
    ) {
        let (word, shift) = ((byte / 8) as u32, byte % 8 * 8);
        let Histories { words, scanned } = &mut self.histories;
        words.entry(word).or_insert_with(|| {
            *scanned = 0;
            Vec::new()
        });
        if *scanned < self.log.words.len() {
            for positions in words.values_mut() {
                positions.truncate(positions.partition_point(|at| (*at as usize) < *scanned));
            }
            for (at, (word, _)) in self.log.words.iter().enumerate().skip(*scanned) {
                if let Some(positions) = words.get_mut(word) {
                    positions.push(at as u32);
                }
            }
            *scanned = self.log.words.len();
        }
        for at in words[&word].iter().rev() {
            // The list may reach beyond the end of the log, which has been undone.
            let Some((_, before)) = self.log.words.get(*at as usize) else { continue };
            let value = match len {
                8.. => *before,
                _ => before >> shift & ((1 << (8 * len)) - 1),
            };
            if !values.contains(&value) {
                values.push(value);
            }
            if values.len() == most {
                break;
            }
        }
    }
}

impl Mark {
    /// How many words there were.
    pub(crate) fn end(&self) -> usize {
        self.end as usize
    }
}

impl Memory {
    /// Keeps what was changed since a mark that was set within a step.
    pub(crate) fn keep(&mut self, mark: &Mark) {
        self.fresh_from = mark.fresh_from as usize;
    }
}
