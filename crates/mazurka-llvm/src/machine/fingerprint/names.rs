//! The names of objects: by which section and how many-eth they were found, instead of by their addresses.

use mazurka_core::model::Digest;

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::contents::Contents;

/// What an object is called in this state: its section, and how many-eth it is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) section: u32,
    pub(super) index: u32,
}

impl Name {
    #[inline]
    fn word(self) -> u64 {
        u64::from(self.section) << 32 | u64::from(self.index)
    }
}

/// The names of all objects that were found, by what their addresses have in common.
#[derive(Default)]
pub(super) struct Names(FxHashMap<u64, Name>);

impl Names {
    /// The section of an object, if it was found.
    #[inline]
    pub(super) fn section_of(&self, object: u64) -> Option<usize> {
        self.0.get(&object).map(|name| name.section as usize)
    }

    #[inline]
    pub(super) fn word(&self, object: u64) -> u64 {
        self.0[&object].word()
    }

    /// Gives a name to an object, unless it has one of the same section or of one before.
    #[inline]
    pub(super) fn give(&mut self, object: u64, name: Name) -> Given {
        match self.0.entry(object) {
            Entry::Vacant(entry) => {
                entry.insert(name);
                Given::Now
            }
            Entry::Occupied(entry) if entry.get().section <= name.section => {
                Given::Before(entry.get().section)
            }
            Entry::Occupied(mut entry) => Given::InsteadOf(entry.insert(name).section),
        }
    }

    /// Takes the name from an object that it has in a section.
    pub(super) fn take(&mut self, object: u64, section: u32) {
        if self.section_of(object) == Some(section as usize) {
            self.0.remove(&object);
        }
    }

    /// What a part adds to the digest of its section.
    #[inline]
    pub(super) fn value(&self, mut seed: Digest, contents: &Contents) -> Digest {
        seed.take_in(contents.digest);
        contents.edges.iter().for_each(|edge| seed.add(self.word(*edge)));
        seed.spread()
    }
}

/// Whether an object has been given a name.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Given {
    /// It had none.
    Now,
    /// It had one of this section, and has it still.
    Before(u32),
    /// It had one of this section, which is a later one.
    InsteadOf(u32),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_section_that_finds_an_object_names_it() {
        let mut names = Names::default();
        let name = |section, index| Name { section, index };
        assert_eq!(names.give(7, name(2, 0)), Given::Now);
        assert_eq!(names.give(7, name(3, 5)), Given::Before(2));
        assert_eq!(names.give(7, name(2, 1)), Given::Before(2));
        assert_eq!(names.word(7), name(2, 0).word());
        assert_eq!(names.give(7, name(1, 4)), Given::InsteadOf(2));
        assert_eq!(names.word(7), name(1, 4).word());
        // The loser has nothing to take any more.
        names.take(7, 2);
        assert_eq!(names.section_of(7), Some(1));
        names.take(7, 1);
        assert_eq!(names.section_of(7), None);
    }
}
