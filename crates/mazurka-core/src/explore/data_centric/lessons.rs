//! What becomes known of a program's locations while it is explored.
//!
//! Some locations need more than observation; see the table in [the module](super). That one of them
//! does may turn out after executions were run in which it was not known: the search then starts over,
//! and keeps these lessons.

use super::super::cells::CellId;

/// A set of cells that count as one location, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Group(pub(super) u32);

impl Group {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How far the names of objects can be trusted from one execution to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum Names {
    /// They mean the same.
    #[default]
    Good,
    /// What was learnt about one name may hold for another: the writes to all locations are ordered.
    Doubtful,
    /// All locations count as one.
    Useless,
}

/// What is known of the locations.
#[derive(Debug, Default)]
pub(crate) struct Lessons {
    /// The group of each cell, or another cell that is in the same one.
    parents: Vec<u32>,
    /// For each group whether all of its writes are ordered.
    ordered: Vec<bool>,
    /// For each group whether it has more than one cell.
    merged: Vec<bool>,
    /// How many pairs of overlapping cells were known.
    overlaps: usize,
    /// How little names can be trusted.
    names: Names,
    /// Whether there is a new lesson since the search began.
    is_new: bool,
    /// How many locations had their writes ordered because it took too long to realise an
    /// observation function.
    given_up: u64,
}

impl Lessons {
    fn know(&mut self, cell: CellId) {
        let known = self.parents.len() as u32;
        if cell.0 >= known {
            self.parents.extend(known..=cell.0);
            self.ordered.resize(self.parents.len(), false);
            self.merged.resize(self.parents.len(), false);
        }
    }

    /// The group of a cell.
    #[inline]
    pub(super) fn group(&self, cell: CellId) -> Group {
        if self.names == Names::Useless {
            return Group(0);
        }
        let mut at = cell.0;
        while let Some(parent) = self.parents.get(at as usize).filter(|parent| **parent != at) {
            at = *parent;
        }
        Group(at)
    }

    /// Whether the writes to a group are ordered: each observes the one before it.
    #[inline]
    pub(super) fn is_ordered(&self, group: Group) -> bool {
        self.names > Names::Good || self.ordered.get(group.index()).is_some_and(|ordered| *ordered)
    }

    /// Whether a group has several cells.
    #[inline]
    pub(super) fn is_merged(&self, group: Group) -> bool {
        self.names == Names::Useless || self.merged.get(group.index()).is_some_and(|merged| *merged)
    }

    /// Some process waits for what is written to a cell.
    pub(super) fn is_awaited(&mut self, cell: CellId) {
        self.know(cell);
        let group = self.group(cell);
        if !self.ordered[group.index()] {
            self.ordered[group.index()] = true;
            self.is_new = true;
        }
    }

    /// Some process waits for one of two cells: they become one.
    pub(super) fn are_awaited_together(&mut self, one: CellId, other: CellId) {
        self.know(one);
        self.know(other);
        let (one, other) = (self.group(one), self.group(other));
        if one != other {
            self.parents[other.index()] = one.0;
            self.ordered[one.index()] = true;
            self.merged[one.index()] = true;
            self.is_new = true;
        }
    }

    /// There are so many pairs of overlapping cells.
    pub(super) fn notice_overlaps(&mut self, overlaps: usize) {
        self.is_new |= overlaps != self.overlaps;
        self.overlaps = overlaps;
    }

    /// It takes too long to decide which orders of the writes to this group there are.
    pub(super) fn give_up(&mut self, group: Group) {
        self.know(CellId(group.0));
        if !self.ordered[group.index()] {
            self.ordered[group.index()] = true;
            self.given_up += 1;
            self.is_new = true;
        }
    }

    /// One object goes by two names, of which only one has been learnt about.
    pub(super) fn doubt_names(&mut self) {
        self.is_new |= self.names < Names::Useless;
        self.names = if self.names == Names::Good { Names::Doubtful } else { Names::Useless };
    }

    /// Whether there is something new since this was last asked.
    pub(super) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.is_new)
    }

    /// Whether something new is known, so that the search will start over.
    pub(super) fn has_news(&self) -> bool {
        self.is_new
    }

    /// How many locations had their writes ordered because it took too long to do otherwise.
    pub(crate) fn given_up(&self) -> u64 {
        self.given_up
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_are_awaited_together_are_one_location() {
        let mut lessons = Lessons::default();
        let [a, b, c] = [0, 1, 5].map(CellId);
        assert_ne!(lessons.group(a), lessons.group(c));
        lessons.are_awaited_together(b, c);
        lessons.are_awaited_together(a, c);
        assert_eq!(lessons.group(a), lessons.group(b));
        assert_eq!(lessons.group(a), lessons.group(c));
        assert!(lessons.is_ordered(lessons.group(b)) && lessons.is_merged(lessons.group(b)));
        assert!(!lessons.is_ordered(lessons.group(CellId(3))));
    }

    #[test]
    fn news_are_told_once() {
        let mut lessons = Lessons::default();
        lessons.is_awaited(CellId(2));
        assert!(lessons.take_news());
        lessons.is_awaited(CellId(2));
        assert!(!lessons.take_news());
        lessons.give_up(Group(7));
        assert!(lessons.has_news() && lessons.given_up() == 1);
    }
}
