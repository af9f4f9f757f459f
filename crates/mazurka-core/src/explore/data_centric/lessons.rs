//! What becomes known of a program's locations while it is explored.
//!
//! Some locations need more than observation; see the table in [the module](super). That one of them
//! does may turn out after executions were run in which it was not known: the search then starts over,
//! and keeps these lessons.

use crate::execution::cells::CellId;
use crate::model::Birth;

/// A location, as far as observation is concerned: a cell, or several cells that some process waits for
/// at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct CellGroup(pub(crate) u32);

impl CellGroup {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How far the names of objects can be trusted from one execution to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum NameTrust {
    /// They mean the same.
    #[default]
    Good,
    /// What was learnt about one name may hold for another: the writes to all locations are ordered.
    Doubtful,
    /// All locations count as one.
    Useless,
}

/// Who waits for messages in a mailbox or a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Taker {
    #[default]
    Nobody,
    /// This process, and all that it does in such a step is to take a message.
    Process(u32),
    /// Several, or one that does something else in the same step.
    Several,
}

/// Whether a cell is a lock that several processes can hold at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum RwLockUse {
    #[default]
    No,
    /// Some process waits to join others in it.
    Yes,
    /// The same, and its name is a late one.
    Late,
    /// It is, but something else than to acquire and to release it is done to it.
    Irregular,
}

/// What is known of the locations.
#[derive(Debug, Default)]
pub(crate) struct Lessons {
    /// For each cell another one that it is waited for together with, or itself.
    parents: Vec<u32>,
    /// For each cell whether all writes to it are ordered.
    ordered: Vec<bool>,
    /// For each cell whether it is waited for together with others.
    joint: Vec<bool>,
    /// A cell that is waited for together with others, and has a late name. Since it may go by another one
    /// elsewhere, and when it does is not a matter of what is observed, it stands for all late names.
    late: Option<CellId>,
    /// For each cell who takes messages out of it.
    takers: Vec<Taker>,
    /// For each cell whether it is a lock that several can hold.
    rwlocks: Vec<RwLockUse>,
    /// Whether a lock with a late name is used irregularly, and so may any be that has one.
    late_are_irregular: bool,
    /// How many pairs of overlapping cells were known.
    overlaps: usize,
    /// How little names can be trusted.
    names: NameTrust,
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
            self.joint.resize(self.parents.len(), false);
            self.takers.resize(self.parents.len(), Taker::Nobody);
            self.rwlocks.resize(self.parents.len(), RwLockUse::No);
        }
    }

    fn root(&self, cell: CellId) -> u32 {
        let mut at = cell.0;
        while let Some(parent) = self.parents.get(at as usize).filter(|parent| **parent != at) {
            at = *parent;
        }
        at
    }

    /// The group of a cell alone.
    #[inline]
    pub(crate) fn group(&self, cell: CellId) -> CellGroup {
        match self.names {
            NameTrust::Useless => CellGroup(0),
            _ => CellGroup(2 * cell.0),
        }
    }

    /// The group of a cell, named since `birth`, and all that it is waited for together with.
    #[inline]
    pub(crate) fn joint_group(&self, cell: CellId, birth: Birth) -> Option<CellGroup> {
        let is_joint = self.joint.get(cell.0 as usize).is_some_and(|joint| *joint);
        let own = is_joint.then_some(cell);
        let stands_for_it = own.or_else(|| self.late.filter(|_| birth != Birth::START))?;
        (self.names != NameTrust::Useless).then(|| CellGroup(2 * self.root(stands_for_it) + 1))
    }

    /// Whether the writes to a group are ordered: each observes the one before it.
    #[inline]
    pub(crate) fn is_ordered(&self, group: CellGroup) -> bool {
        let is_joint = !group.0.is_multiple_of(2);
        let ordered = self.ordered.get(group.index() / 2).is_some_and(|ordered| *ordered);
        is_joint || ordered || self.names > NameTrust::Good
    }

    /// Whether a group has no more than one cell.
    #[inline]
    pub(crate) fn is_single(&self, group: CellGroup) -> bool {
        group.0.is_multiple_of(2) && self.names != NameTrust::Useless
    }

    /// Some process waits for what is written to a cell.
    pub(crate) fn is_awaited(&mut self, cell: CellId) {
        self.know(cell);
        let ordered = &mut self.ordered[cell.0 as usize];
        self.is_new |= !*ordered;
        *ordered = true;
    }

    /// Some process waits for one of several cells, named since the given births.
    pub(crate) fn are_awaited(&mut self, cells: impl Iterator<Item = (CellId, Birth)> + Clone) {
        let Some((first, _)) = cells.clone().next() else { return };
        if cells.clone().all(|(cell, _)| cell == first) {
            self.is_awaited(first);
            return;
        }
        for (cell, birth) in cells {
            self.unite(first, cell);
            if birth != Birth::START {
                let late = *self.late.get_or_insert(cell);
                self.unite(first, late);
            }
        }
    }

    /// Two cells, which may be the same, are waited for together.
    fn unite(&mut self, first: CellId, cell: CellId) {
        self.know(cell);
        self.know(first);
        let (one, other) = (self.root(first), self.root(cell));
        self.is_new |= one != other || !self.joint[cell.0 as usize];
        self.parents[other as usize] = one;
        self.joint[cell.0 as usize] = true;
    }

    /// A process waits for messages in a mailbox or a queue, as all that it does in a step if it is
    /// given.
    pub(crate) fn is_taken_from(&mut self, cell: CellId, by: Option<usize>) {
        self.know(cell);
        let taker = &mut self.takers[cell.0 as usize];
        let now = match (*taker, by) {
            (Taker::Nobody, Some(process)) => Taker::Process(process as u32),
            (Taker::Process(known), Some(process)) if known as usize == process => *taker,
            _ => Taker::Several,
        };
        self.is_new |= now == Taker::Several && *taker != now;
        *taker = now;
    }

    /// Whether only one process waits for messages in a mailbox or a queue.
    pub(crate) fn is_own(&self, cell: CellId) -> bool {
        let taker = self.takers.get(cell.0 as usize).copied().unwrap_or_default();
        taker != Taker::Several && self.names != NameTrust::Useless
    }

    /// Some process waits to join others in a lock, named since `birth`.
    pub(crate) fn is_joined(&mut self, cell: CellId, birth: Birth) {
        self.know(cell);
        let rwlocks = &mut self.rwlocks[cell.0 as usize];
        if *rwlocks == RwLockUse::No {
            *rwlocks = match birth == Birth::START {
                true => RwLockUse::Yes,
                false if self.late_are_irregular => RwLockUse::Irregular,
                false => RwLockUse::Late,
            };
            self.is_new = true;
        }
    }

    /// Something else than to acquire and to release it is done to a lock.
    pub(crate) fn is_irregular(&mut self, group: CellGroup) {
        let rwlocks = &mut self.rwlocks[group.index() / 2];
        if std::mem::replace(rwlocks, RwLockUse::Irregular) == RwLockUse::Late {
            self.late_are_irregular = true;
            let late = self.rwlocks.iter_mut().filter(|rwlocks| **rwlocks == RwLockUse::Late);
            late.for_each(|rwlocks| *rwlocks = RwLockUse::Irregular);
        }
        self.is_new = true;
    }

    /// Whether a group is a lock that several can hold, and their operations on it are not ordered.
    #[inline]
    pub(crate) fn is_shared(&self, group: CellGroup) -> bool {
        let cell = group.index() / 2;
        let rwlocks = self.rwlocks.get(cell).copied().unwrap_or_default();
        matches!(rwlocks, RwLockUse::Yes | RwLockUse::Late)
            && group.0.is_multiple_of(2)
            && self.names == NameTrust::Good
            && !self.joint[cell]
    }

    /// There are so many pairs of overlapping cells.
    pub(crate) fn notice_overlaps(&mut self, overlaps: usize) {
        self.is_new |= overlaps != self.overlaps;
        self.overlaps = overlaps;
    }

    /// It takes too long to decide which orders of the writes to this group there are.
    pub(crate) fn give_up(&mut self, group: CellGroup) {
        let cell = CellId(group.0 / 2);
        self.know(cell);
        if !self.ordered[cell.0 as usize] {
            self.ordered[cell.0 as usize] = true;
            self.given_up += 1;
            self.is_new = true;
        }
    }

    /// One object goes by two names, of which only one has been learnt about.
    pub(crate) fn doubt_names(&mut self) {
        self.is_new |= self.names < NameTrust::Useless;
        self.names =
            if self.names == NameTrust::Good { NameTrust::Doubtful } else { NameTrust::Useless };
    }

    /// Whether there is something new since this was last asked.
    pub(crate) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.is_new)
    }

    /// Whether something new is known, so that the search will start over.
    pub(crate) fn has_news(&self) -> bool {
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
    fn cells_that_are_awaited_together_have_a_group_in_common() {
        let mut lessons = Lessons::default();
        let [a, b, c] = [0, 1, 5].map(CellId);
        let joint_group = |lessons: &Lessons, cell| lessons.joint_group(cell, Birth::START);
        assert_eq!(joint_group(&lessons, a), None);
        lessons.are_awaited([b, c].map(|cell| (cell, Birth::START)).into_iter());
        lessons.are_awaited([a, c].map(|cell| (cell, Birth::START)).into_iter());
        let joint = joint_group(&lessons, a).unwrap();
        assert_eq!([b, c].map(|cell| joint_group(&lessons, cell)), [Some(joint); 2]);
        assert!(lessons.is_ordered(joint) && !lessons.is_single(joint));
        assert!(!lessons.is_ordered(lessons.group(b)) && lessons.is_single(lessons.group(b)));
        assert_eq!(lessons.joint_group(CellId(3), Birth::LATE), None);
    }

    #[test]
    fn one_late_name_stands_for_all() {
        let mut lessons = Lessons::default();
        lessons.are_awaited([(CellId(0), Birth::START), (CellId(1), Birth::LATE)].into_iter());
        let joint = lessons.joint_group(CellId(0), Birth::START);
        assert!(joint.is_some() && lessons.joint_group(CellId(7), Birth::LATE) == joint);
        assert_eq!(lessons.joint_group(CellId(7), Birth::START), None);
    }

    #[test]
    fn news_are_told_once() {
        let mut lessons = Lessons::default();
        lessons.is_awaited(CellId(2));
        assert!(lessons.take_news());
        lessons.is_awaited(CellId(2));
        assert!(!lessons.take_news());
        lessons.give_up(CellGroup(14));
        assert!(lessons.has_news() && lessons.given_up() == 1);
    }
}
