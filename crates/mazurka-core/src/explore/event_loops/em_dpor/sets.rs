//! Sets of processes, one bit each.

use smallvec::SmallVec;

use crate::model::ProcessId;

/// A set of processes.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct ProcessSet(SmallVec<[u64; 2]>);

impl ProcessSet {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub(super) fn insert(&mut self, process: ProcessId) {
        let (word, bit) = (process.index() / 64, process.index() % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << bit;
    }

    #[inline]
    pub(super) fn contains(&self, process: ProcessId) -> bool {
        let word = self.0.get(process.index() / 64).copied().unwrap_or(0);
        word >> (process.index() % 64) & 1 == 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn extend(&mut self, other: &ProcessSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    /// Returns the lowest process that is in this set and not in another one.
    #[inline]
    pub(super) fn first_without(&self, other: &ProcessSet) -> Option<ProcessId> {
        self.0.iter().enumerate().find_map(|(i, word)| {
            let left = word & !other.0.get(i).copied().unwrap_or(0);
            (left != 0).then(|| ProcessId::new(i * 64 + left.trailing_zeros() as usize))
        })
    }

    /// Returns the lowest process that is in both sets.
    pub(super) fn first_common(&self, other: &ProcessSet) -> Option<ProcessId> {
        self.0.iter().zip(&other.0).enumerate().find_map(|(i, (mine, theirs))| {
            let both = mine & theirs;
            (both != 0).then(|| ProcessId::new(i * 64 + both.trailing_zeros() as usize))
        })
    }

    /// Returns the lowest process.
    pub(super) fn first(&self) -> Option<ProcessId> {
        self.first_without(&ProcessSet::default())
    }

    /// Removes all processes that are in another set.
    pub(super) fn remove_all(&mut self, other: &ProcessSet) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine &= !theirs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(of: &[usize]) -> ProcessSet {
        let mut set = ProcessSet::default();
        of.iter().for_each(|p| set.insert(ProcessId::new(*p)));
        set
    }

    #[test]
    fn sets_hold_any_number_of_processes() {
        let (mut some, others) = (set(&[3, 70, 200]), set(&[3, 200]));
        assert!(some.contains(ProcessId::new(200)) && !some.contains(ProcessId::new(201)));
        assert_eq!((some.len(), others.len()), (3, 2));
        assert_eq!(some.first_without(&others), Some(ProcessId::new(70)));
        assert_eq!(some.first_common(&others), Some(ProcessId::new(3)));
        some.remove_all(&others);
        assert_eq!(some.first(), Some(ProcessId::new(70)));
        some.extend(&others);
        assert_eq!(some.len(), 3);
        some.clear();
        assert!(some.is_empty());
    }
}
