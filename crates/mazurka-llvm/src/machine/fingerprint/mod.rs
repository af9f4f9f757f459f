//! What tells states apart.
//!
//! The digest covers all that decides what the program can do from now on: every thread's frames,
//! as far as their slots still matter where the thread is, the globals, and whatever memory can be
//! reached from these. It does not cover what the program has printed, nor memory that no thread can
//! reach.
//!
//! Objects on the heap count by the order in which they are found from the globals and threads on,
//! not by their addresses: a program that frees a block and allocates another is in the same state
//! as before, and it does not matter who has allocated what first. (A program that compares the
//! addresses of different objects, or computes with them, may tell such states apart all the same.)
//!
//! # How it is kept up
//!
//! A state is a number of *parts*: [pieces](pieces) of objects, and the frames of
//! [threads](threads). Each is digested by itself, with the addresses in it taken out: it is known which
//! objects they lead to. What a part adds to the digest of the state is made of its name, of its
//! own digest and of the names of those objects; and since these are added up, a part that changes is
//! subtracted and added anew, and nothing else is looked at.
//!
//! If what parts lead to changes, or objects come or go, names may change. So the state falls into
//! [sections], for the globals and for each of the threads. Only in a section with such a change are
//! objects looked for again, and this reads no memory but what has changed; sections behind it are looked
//! through if it has other objects than before, and they lead to objects of others or have lost some.
//!
//! Which parts have changed is read off the log by which steps are undone: when the digest is asked for,
//! and when steps are undone that it covers. So programs whose states are never asked for pay nothing.

mod contents;
mod names;
mod pieces;
mod sections;
mod threads;

use mazurka_core::model::Digest;

use super::LlvmMachine;
use super::undo::StepMark;
use names::Names;
use pieces::Pieces;
use sections::{OF_GLOBALS, Search, Section, UNCHANGED};

/// What is known of a state that the machine was in.
#[derive(Default)]
pub(super) struct Known {
    /// How many of the steps that led there have not been undone.
    pub(super) steps: usize,
    /// How many words of memory have been there ever since.
    words: usize,
    names: Names,
    pieces: Pieces,
    sections: Vec<Section>,
    /// Kept to be used again.
    before: Vec<u64>,
}

impl LlvmMachine {
    /// A digest of all that decides what the program can do from now on, which is written down, too,
    /// if there is something to write it to.
    pub(super) fn digest(&self, words: Option<&mut Vec<u64>>) -> u128 {
        let mut known = self.known.borrow_mut();
        if let Some(mark) = self.undo.steps.get(known.steps) {
            self.note_changes(&mut known, mark);
        }
        self.update(&mut known);
        debug_assert!(self.is_up_to_date(&known), "a digest that was kept is out of date");
        let ending = &self.ending_state;
        let flags = u64::from(ending.assumption_failed) | u64::from(ending.failed) << 1;
        let flags = flags | u64::from(ending.unjoined) << 8;
        let exit_code = ending.exit_code.map_or(u64::MAX, |code| u64::from(code as u32));
        let mut digest = Digest::of(flags);
        digest.add(exit_code);
        known.sections().for_each(|(_, section)| digest.take_in(section.digest()));
        if let Some(words) = words {
            words.extend([flags, exit_code]);
            for (index, section) in known.sections() {
                words.push(index as u64);
                section.write(words);
            }
        }
        digest.bits()
    }

    /// Takes note of what has changed since a mark.
    pub(super) fn note_changes(&self, known: &mut Known, since: &StepMark) {
        self.memory.changed_words(&since.memory).for_each(|word| known.pieces.touch(word));
        for object in self.memory.changed_objects(&since.memory) {
            if let Some(section) = known.names.section_of(object) {
                known.sections[section].is_stale = true;
            }
        }
        self.undo.changed_threads(since, |thread, base| {
            if let Some(section) = known.sections.get_mut(thread + 1) {
                section.changed_from = section.changed_from.min(base);
            }
        });
        known.words = known.words.min(since.memory.end());
    }

    /// Brings what is known up to date.
    fn update(&self, known: &mut Known) {
        known.pieces.resize(known.words, self.memory.len());
        (known.words, known.steps) = (self.memory.len(), self.undo.steps.len());
        while known.sections.len() <= self.threads.len() {
            known.sections.push(Section::unknown());
        }
        known.renew_pieces(&self.memory);
        let mut finds_others = false;
        for index in 0..known.sections.len() {
            let Known { names, pieces, sections, before, .. } = known;
            let (section, later) = sections[index..].split_first_mut().expect("it is there");
            section.is_stale |= finds_others && section.needs_others;
            let mut changed = None;
            let from = std::mem::replace(&mut section.changed_from, UNCHANGED);
            if from != UNCHANGED && index > OF_GLOBALS {
                let thread = &self.threads[index - 1];
                changed = Some(section.roots.renew(self, index - 1, thread, from));
                section.is_stale |= !section.compare_edges();
            }
            if std::mem::take(&mut section.is_stale) {
                let memory = &self.memory;
                let search = Search { section: index as u32, memory, names, pieces, later, before };
                finds_others |= !section.find_objects(search);
                changed = Some(0);
            }
            if let Some(first) = changed {
                section.value_roots(index, first, names);
            }
        }
    }

    /// Whether what is known is what is found if nothing is known from before.
    fn is_up_to_date(&self, known: &Known) -> bool {
        let mut anew = Known::default();
        self.update(&mut anew);
        let write = |(index, section): (usize, &Section)| {
            let mut words = Vec::new();
            section.write(&mut words);
            (index, section.digest(), words)
        };
        known.sections().map(write).eq(anew.sections().map(write))
    }
}

impl Known {
    /// The sections in which there is something: not all threads are there in every execution.
    fn sections(&self) -> impl Iterator<Item = (usize, &Section)> {
        self.sections.iter().enumerate().filter(|(_, section)| !section.is_empty())
    }

    /// Looks at the pieces again in which something was written.
    fn renew_pieces(&mut self, memory: &crate::memory::Memory) {
        while let Some(id) = self.pieces.stale.pop() {
            let piece = self.pieces.get_mut(id);
            let Some(user) = piece.user else { continue };
            let section = &mut self.sections[user.section as usize];
            // It may have been looked at already, or will be with all others.
            if section.is_stale || !std::mem::take(&mut piece.is_stale) {
                continue;
            }
            let words = memory.words_at(piece.start, piece.len);
            match piece.contents.replace(memory, words) {
                true => section.renew_part(
                    user.part as usize,
                    &piece.contents,
                    (memory, words),
                    &self.names,
                ),
                false => section.is_stale = true,
            }
        }
    }
}
