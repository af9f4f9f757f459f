//! What is in a part of the state.

use mazurka_core::model::Digest;

use crate::memory::Memory;
use crate::memory::address::{leads_to_object, name_of, without_object};

/// What is in a part of the state: words, and which objects the addresses among them lead to.
#[derive(Default, Debug)]
pub(super) struct Contents {
    /// Of the words, with the addresses on the heap and on stacks as [`without_object`] leaves them.
    pub(super) digest: Digest,
    /// The objects that those lead to, by what their addresses have in common.
    pub(super) edges: Vec<u64>,
}

impl Contents {
    pub(super) fn clear(&mut self) {
        self.digest = Digest::default();
        self.edges.clear();
    }

    /// Takes in one more word; returns it without the object that it leads to.
    #[inline]
    pub(super) fn add(&mut self, memory: &Memory, mut word: u64) -> u64 {
        if leads_to_object(word) {
            let (start, offset) = memory.split(word);
            self.edges.push(name_of(start));
            word = without_object(offset);
        }
        self.digest.add(word);
        word
    }

    /// Takes these words instead of those that were there; says whether they lead to the same objects.
    pub(super) fn replace(&mut self, memory: &Memory, words: &[u64]) -> bool {
        self.digest = Digest::default();
        let (mut known, mut is_same) = (0, true);
        for &word in words {
            let mut word = word;
            if leads_to_object(word) {
                let (start, offset) = memory.split(word);
                let edge = name_of(start);
                match self.edges.get_mut(known) {
                    Some(before) => is_same &= std::mem::replace(before, edge) == edge,
                    None => {
                        is_same = false;
                        self.edges.push(edge);
                    }
                }
                known += 1;
                word = without_object(offset);
            }
            self.digest.add(word);
        }
        is_same &= known == self.edges.len();
        self.edges.truncate(known);
        is_same
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::address::{HEAPS, address};

    #[test]
    fn contents_are_the_same_whichever_object_an_address_leads_to() {
        let (memory, mut contents) = (Memory::new(None), Contents::default());
        assert!(!contents.replace(&memory, &[1, address(HEAPS, 4) + 8, 2]));
        let digest = contents.digest;
        assert_eq!(contents.edges, [name_of(address(HEAPS, 4))]);
        assert!(contents.replace(&memory, &[1, address(HEAPS, 4) + 16, 2]));
        assert_ne!(contents.digest, digest);
        assert!(!contents.replace(&memory, &[1, address(HEAPS, 5) + 8, 2]));
        assert_eq!(contents.digest, digest);
        assert!(!contents.replace(&memory, &[1, 0, 2]));
        assert!(contents.edges.is_empty());
    }

    #[test]
    fn word_by_word_or_at_once() {
        let words = [3, address(HEAPS + 1, 2), u64::MAX, 0];
        let memory = Memory::new(None);
        let (mut one, mut other) = (Contents::default(), Contents::default());
        other.replace(&memory, &words);
        one.clear();
        words.iter().for_each(|word| {
            one.add(&memory, *word);
        });
        assert_eq!((one.digest, &one.edges), (other.digest, &other.edges));
    }
}
