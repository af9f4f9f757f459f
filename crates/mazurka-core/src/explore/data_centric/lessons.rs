//! What the search has learnt about a program's locations.
//!
//! Some locations need more than observation; see the table in [`data_centric`](super). That a location
//! is one of them may turn out after executions in which it was not known. The search then starts over,
//! and keeps its lessons.

use crate::execution::cells::CellId;
use crate::model::Birth;
use crate::wire::{Malformed, Reader, Wire, wire_enum};

/// What an event observes: one cell, or several cells that some process waits for at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct CellGroup(pub(crate) u32);

impl CellGroup {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Whether a name of an object means the same object in every execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum NameTrust {
    /// It does.
    #[default]
    Good,
    /// A lesson about one name may hold for another: the writes to all locations are ordered.
    Doubtful,
    /// All locations count as one.
    Useless,
}

/// The processes that wait for messages in a mailbox, or for events in a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Taker {
    #[default]
    None,
    /// One process, which does nothing else in such a step.
    Process(u32),
    /// Several processes, or one that does something else in the same step.
    Several,
}

/// Whether a cell is a reader-writer lock, and how it is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum RwLockUse {
    #[default]
    No,
    /// Some process waits to acquire it for reading.
    Yes,
    /// Likewise, and the cell has a late name.
    Late,
    /// It has operations other than acquire and release.
    Irregular,
}

/// How processes write to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Writing {
    /// Nothing has been learnt.
    #[default]
    Unknown,
    /// Several processes write to it, by read-modify-writes only.
    Chain,
    /// It was taken for a chain, but some access to it is no single read-modify-write or read.
    Other,
}

/// The lessons.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lessons {
    /// A union-find forest over cells that some process waits for together: each cell's parent.
    parents: Vec<u32>,
    /// For each cell whether the writes to it are ordered.
    ordered: Vec<bool>,
    /// For each cell whether some process polls it in a loop.
    polled: Vec<bool>,
    /// For each cell how processes write to it.
    writing: Vec<Writing>,
    /// For each cell whether some process waits for it together with others.
    joint: Vec<bool>,
    /// A cell with a late name that some process waits for together with others. It may have another name
    /// in another execution, so it stands for all late names.
    late: Option<CellId>,
    /// Whether some process waits to read, or for several cells.
    readers_wait: bool,
    /// For each cell the processes that take messages from it.
    takers: Vec<Taker>,
    /// For each cell whether it is a reader-writer lock.
    rwlocks: Vec<RwLockUse>,
    /// Whether some lock with a late name is irregular; then all of these are.
    late_are_irregular: bool,
    /// Whether names can be relied on.
    names: NameTrust,
    /// Whether a lesson is new since the search began.
    is_new: bool,
    /// Whether a taker is new since the workers last agreed on them.
    has_new_taker: bool,
    /// For how many locations the writes are ordered because realisation exceeded its budget.
    given_up: u64,
}

impl Lessons {
    fn know(&mut self, cell: CellId) {
        let known = self.parents.len() as u32;
        if cell.0 >= known {
            self.parents.extend(known..=cell.0);
            self.ordered.resize(self.parents.len(), false);
            self.polled.resize(self.parents.len(), false);
            self.writing.resize(self.parents.len(), Writing::Unknown);
            self.joint.resize(self.parents.len(), false);
            self.takers.resize(self.parents.len(), Taker::None);
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

    /// Returns the group of a cell alone.
    #[inline]
    pub(crate) fn group(&self, cell: CellId) -> CellGroup {
        match self.names {
            NameTrust::Useless => CellGroup(0),
            _ => CellGroup(2 * cell.0),
        }
    }

    /// Returns the group of a cell with this birth and all cells that processes wait for together with it,
    /// if there are any.
    #[inline]
    pub(crate) fn joint_group(&self, cell: CellId, birth: Birth) -> Option<CellGroup> {
        let is_joint = self.joint.get(cell.0 as usize).is_some_and(|joint| *joint);
        let own = is_joint.then_some(cell);
        let stands_for_it = own.or_else(|| self.late.filter(|_| birth != Birth::START))?;
        (self.names != NameTrust::Useless).then(|| CellGroup(2 * self.root(stands_for_it) + 1))
    }

    /// Returns whether the writes to a group are ordered: each observes the one before it.
    #[inline]
    pub(crate) fn is_ordered(&self, group: CellGroup) -> bool {
        let is_joint = !group.0.is_multiple_of(2);
        let ordered = self.ordered.get(group.index() / 2).is_some_and(|ordered| *ordered);
        is_joint || ordered || self.names > NameTrust::Good || self.is_chain(group)
    }

    /// Returns whether a group is one cell.
    #[inline]
    pub(crate) fn is_single(&self, group: CellGroup) -> bool {
        group.0.is_multiple_of(2) && self.names != NameTrust::Useless
    }

    /// Learns that some process waits for writes to a cell.
    pub(crate) fn is_awaited(&mut self, cell: CellId) {
        self.know(cell);
        let ordered = &mut self.ordered[cell.0 as usize];
        self.is_new |= !*ordered;
        *ordered = true;
    }

    /// Learns that some process waits to read, or for several cells.
    pub(crate) fn readers_wait(&mut self) {
        self.is_new |= !std::mem::replace(&mut self.readers_wait, true);
    }

    /// Returns whether some process waits to read, or for several cells.
    #[inline]
    pub(crate) fn do_readers_wait(&self) -> bool {
        self.readers_wait
    }

    /// Learns that some process polls a cell in a loop.
    pub(crate) fn is_polled(&mut self, cell: CellId) {
        self.is_awaited(cell);
        let polled = &mut self.polled[cell.0 as usize];
        self.is_new |= !*polled;
        *polled = true;
    }

    /// Returns whether some process polls a cell in a loop.
    #[inline]
    pub(crate) fn polls(&self, cell: CellId) -> bool {
        self.polled.get(cell.0 as usize).is_some_and(|polled| *polled)
    }

    /// Learns that several processes write to a cell, all by read-modify-writes.
    pub(crate) fn is_written_in_turn(&mut self, group: CellGroup) {
        let cell = group.index() / 2;
        self.know(CellId(cell as u32));
        if self.writing[cell] == Writing::Unknown {
            self.writing[cell] = Writing::Chain;
            self.is_new = true;
        }
    }

    /// Learns that some access to a chain is no single read-modify-write or read.
    pub(crate) fn is_overwritten(&mut self, group: CellGroup) {
        let writing = &mut self.writing[group.index() / 2];
        self.is_new |= *writing == Writing::Chain;
        *writing = Writing::Other;
    }

    /// Returns whether a group is a cell whose writes are not ordered, and it is unknown how processes write to it.
    #[inline]
    pub(crate) fn may_become_chain(&self, group: CellGroup) -> bool {
        let writing = self.writing.get(group.index() / 2).copied().unwrap_or_default();
        writing == Writing::Unknown && self.is_single(group) && !self.is_ordered(group)
    }

    /// Returns whether a group is a cell to which several processes write, by read-modify-writes only. So
    /// each of its writes observes the one before it.
    #[inline]
    pub(crate) fn is_chain(&self, group: CellGroup) -> bool {
        let writing = self.writing.get(group.index() / 2).copied().unwrap_or_default();
        writing == Writing::Chain && group.0.is_multiple_of(2) && self.names == NameTrust::Good
    }

    /// Returns whether some process polls a cell in a loop, although names cannot be relied on.
    pub(crate) fn polls_doubtfully(&self) -> bool {
        self.names != NameTrust::Good && self.polled.contains(&true)
    }

    /// Learns that some process waits for one of several cells with these births.
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

    /// Learns that some process waits for two cells together, which may be the same cell.
    fn unite(&mut self, first: CellId, cell: CellId) {
        self.know(cell);
        self.know(first);
        let (one, other) = (self.root(first), self.root(cell));
        self.is_new |= one != other || !self.joint[cell.0 as usize];
        self.parents[other as usize] = one;
        self.joint[cell.0 as usize] = true;
    }

    /// Learns that a process waits for messages in a mailbox or a queue. `by` is that process if it does
    /// nothing else in the step.
    pub(crate) fn is_taken_from(&mut self, cell: CellId, by: Option<usize>) {
        self.know(cell);
        let taker = &mut self.takers[cell.0 as usize];
        let now = match (*taker, by) {
            (Taker::None, Some(process)) => Taker::Process(process as u32),
            (Taker::Process(known), Some(process)) if known as usize == process => *taker,
            _ => Taker::Several,
        };
        self.is_new |= now == Taker::Several && *taker != now;
        self.has_new_taker |= *taker != now;
        *taker = now;
    }

    /// Agrees with another worker on the takers. If the two know different ones of a cell, the other worker
    /// has learnt something.
    pub(crate) fn agree(&mut self, other: &mut Lessons) {
        for cell in (0..other.takers.len() as u32).map(CellId) {
            self.know(cell);
            let (mine, theirs) =
                (&mut self.takers[cell.0 as usize], &mut other.takers[cell.0 as usize]);
            let both = match (*mine, *theirs) {
                (Taker::None, taker) | (taker, Taker::None) => taker,
                (one, another) if one == another => one,
                _ => Taker::Several,
            };
            other.is_new |= both == Taker::Several && *theirs != both;
            (*mine, *theirs) = (both, both);
        }
    }

    /// Returns whether a taker is new since the last call.
    #[inline]
    pub(crate) fn take_taker_news(&mut self) -> bool {
        std::mem::take(&mut self.has_new_taker)
    }

    /// Makes the search start over.
    pub(crate) fn note_news(&mut self) {
        self.is_new = true;
    }

    /// Returns whether at most one process waits for messages in a mailbox or a queue.
    pub(crate) fn is_own(&self, cell: CellId) -> bool {
        let taker = self.takers.get(cell.0 as usize).copied().unwrap_or_default();
        taker != Taker::Several && self.names != NameTrust::Useless
    }

    /// Learns that some process waits to acquire a lock with this birth for reading.
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

    /// Learns that a reader-writer lock is irregular.
    pub(crate) fn is_irregular(&mut self, group: CellGroup) {
        let rwlocks = &mut self.rwlocks[group.index() / 2];
        if std::mem::replace(rwlocks, RwLockUse::Irregular) == RwLockUse::Late {
            self.late_are_irregular = true;
            let late = self.rwlocks.iter_mut().filter(|rwlocks| **rwlocks == RwLockUse::Late);
            late.for_each(|rwlocks| *rwlocks = RwLockUse::Irregular);
        }
        self.is_new = true;
    }

    /// Returns whether a group is a reader-writer lock that is used regularly.
    #[inline]
    pub(crate) fn is_shared(&self, group: CellGroup) -> bool {
        let cell = group.index() / 2;
        let rwlocks = self.rwlocks.get(cell).copied().unwrap_or_default();
        matches!(rwlocks, RwLockUse::Yes | RwLockUse::Late)
            && group.0.is_multiple_of(2)
            && self.names == NameTrust::Good
            && !self.joint[cell]
    }

    /// Orders the writes to a group, since realisation exceeded its budget.
    pub(crate) fn give_up(&mut self, group: CellGroup) {
        let cell = CellId(group.0 / 2);
        self.know(cell);
        if !self.ordered[cell.0 as usize] {
            self.ordered[cell.0 as usize] = true;
            self.given_up += 1;
            self.is_new = true;
        }
    }

    /// Learns that an object has different names in different executions.
    pub(crate) fn doubt_names(&mut self) {
        self.is_new |= self.names < NameTrust::Useless;
        self.names =
            if self.names == NameTrust::Good { NameTrust::Doubtful } else { NameTrust::Useless };
    }

    /// Returns the cells about which there is a lesson, and the lessons with the places of these cells in the
    /// list instead of their numbers.
    pub(crate) fn told(&self) -> (Vec<CellId>, Lessons) {
        let is_told = |cell: &u32| {
            let cell = *cell as usize;
            self.ordered[cell]
                || self.joint[cell]
                || self.writing[cell] != Writing::Unknown
                || self.takers[cell] != Taker::None
                || self.rwlocks[cell] != RwLockUse::No
        };
        let cells: Vec<u32> = (0..self.parents.len() as u32).filter(is_told).collect();
        // A root is awaited together with others, so it is in the list.
        let place = |cell: u32| cells.binary_search(&cell).unwrap_or_default() as u32;
        fn of<T: Copy>(table: &[T], cells: &[u32]) -> Vec<T> {
            cells.iter().map(|cell| table[*cell as usize]).collect()
        }
        let parents = (0..).zip(&cells).map(|(at, cell)| match self.root(CellId(*cell)) {
            root if root == *cell => at,
            root => place(root),
        });
        let lessons = Lessons {
            parents: parents.collect(),
            ordered: of(&self.ordered, &cells),
            polled: of(&self.polled, &cells),
            writing: of(&self.writing, &cells),
            joint: of(&self.joint, &cells),
            late: self.late.map(|late| CellId(place(late.0))),
            takers: of(&self.takers, &cells),
            rwlocks: of(&self.rwlocks, &cells),
            ..*self
        };
        (cells.into_iter().map(CellId).collect(), lessons)
    }

    /// Returns the number of cells in the tables.
    pub(crate) fn cells(&self) -> usize {
        self.parents.len()
    }

    /// Returns whether a lesson is new since the last call.
    pub(crate) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.is_new)
    }

    /// Returns whether a lesson is new, so that the search will start over.
    pub(crate) fn has_news(&self) -> bool {
        self.is_new
    }

    /// Returns for how many locations the writes are ordered because realisation exceeded its budget.
    pub(crate) fn given_up(&self) -> u64 {
        self.given_up
    }
}

wire_enum!(NameTrust { 0 => Good, 1 => Doubtful, 2 => Useless });
wire_enum!(Taker { 0 => None, 1 => Process { 0: process }, 2 => Several });
wire_enum!(Writing { 0 => Unknown, 1 => Chain, 2 => Other });
wire_enum!(RwLockUse { 0 => No, 1 => Yes, 2 => Late, 3 => Irregular });

/// Only what an earlier search has learnt is written.
impl Wire for Lessons {
    fn write(&self, to: &mut Vec<u8>) {
        self.parents.write(to);
        self.ordered.write(to);
        self.polled.write(to);
        self.writing.write(to);
        self.joint.write(to);
        self.late.write(to);
        self.takers.write(to);
        self.rwlocks.write(to);
        (self.readers_wait, self.late_are_irregular).write(to);
        (self.names, self.given_up).write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut lessons = Lessons {
            parents: Wire::read(from)?,
            ordered: Wire::read(from)?,
            polled: Wire::read(from)?,
            writing: Wire::read(from)?,
            joint: Wire::read(from)?,
            late: Wire::read(from)?,
            takers: Wire::read(from)?,
            rwlocks: Wire::read(from)?,
            ..Lessons::default()
        };
        (lessons.readers_wait, lessons.late_are_irregular) = Wire::read(from)?;
        (lessons.names, lessons.given_up) = Wire::read(from)?;
        if lessons.is_sound() { Ok(lessons) } else { Err(Malformed) }
    }
}

impl Lessons {
    /// Returns whether all tables have the same cells, and each cell has a root.
    fn is_sound(&self) -> bool {
        let cells = self.parents.len();
        let tables = [&self.ordered, &self.polled, &self.joint].map(Vec::len);
        tables == [cells; 3]
            && [self.takers.len(), self.rwlocks.len(), self.writing.len()] == [cells; 3]
            && self.late.is_none_or(|late| (late.0 as usize) < cells)
            && self.has_roots()
    }

    /// Returns whether the parents of each cell lead to a root.
    fn has_roots(&self) -> bool {
        let parent = |cell: usize| self.parents[cell] as usize;
        let mut has_root = vec![false; self.parents.len()];
        for cell in 0..has_root.len() {
            let (mut at, mut passed) = (cell, 0);
            while !has_root[at] && parent(at) != at {
                (at, passed) = (parent(at), passed + 1);
                if at >= has_root.len() || passed > has_root.len() {
                    return false;
                }
            }
            at = cell;
            while !std::mem::replace(&mut has_root[at], true) {
                at = parent(at);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_agree_on_takers() {
        let mut all = Lessons::default();
        let [mut one, mut other] = [all.clone(), all.clone()];
        one.is_taken_from(CellId(3), Some(1));
        assert!(one.take_taker_news() && !one.take_taker_news());
        all.agree(&mut one);
        assert!(!one.has_news());
        other.is_taken_from(CellId(3), Some(1));
        other.is_taken_from(CellId(4), Some(2));
        all.agree(&mut other);
        assert!(!other.has_news());
        // The other worker has told of a process that takes from this mailbox.
        one.is_taken_from(CellId(4), Some(1));
        assert!(!one.has_news());
        all.agree(&mut one);
        assert!(one.has_news() && !one.is_own(CellId(4)) && one.is_own(CellId(3)));
    }

    #[test]
    fn only_cells_with_lessons_are_told_of() {
        let mut lessons = Lessons::default();
        lessons.are_awaited([7, 4].map(|cell| (CellId(cell), Birth::LATE)).into_iter());
        lessons.is_polled(CellId(5));
        lessons.is_taken_from(CellId(9), Some(3));
        let (cells, told) = lessons.told();
        assert_eq!(cells, [4, 5, 7, 9].map(CellId));
        let joint = |cell| told.joint_group(CellId(cell), Birth::START);
        assert_eq!((joint(0), joint(1)), (Some(CellGroup(5)), None));
        assert_eq!(joint(2), joint(0));
        assert_eq!(told.late, Some(CellId(2)));
        assert!(told.is_ordered(CellGroup(2)) && !told.is_ordered(CellGroup(6)));
        assert!(told.polls(CellId(1)) && !told.polls(CellId(0)) && !told.polls_doubtfully());
        assert_eq!(told.takers[3], Taker::Process(3));
        assert!(told.is_sound());
    }

    #[test]
    fn lessons_are_read_as_they_were_written() {
        let mut lessons = Lessons::default();
        lessons.are_awaited([1, 4].map(|cell| (CellId(cell), Birth::LATE)).into_iter());
        lessons.is_joined(CellId(2), Birth::START);
        lessons.is_taken_from(CellId(6), Some(3));
        lessons.give_up(CellGroup(10));
        lessons.is_polled(CellId(3));
        lessons.readers_wait();
        lessons.doubt_names();
        assert!(lessons.take_news() && lessons.take_taker_news());
        let mut bytes = Vec::new();
        lessons.write(&mut bytes);
        assert_eq!(Lessons::read(&mut Reader(&bytes)).as_ref(), Ok(&lessons));
        // A forest with a cycle would be searched for ever.
        lessons.parents[4] = 5;
        lessons.parents[5] = 4;
        bytes.clear();
        lessons.write(&mut bytes);
        assert_eq!(Lessons::read(&mut Reader(&bytes)), Err(Malformed));
    }

    #[test]
    fn a_chain_with_another_write_is_none() {
        let mut lessons = Lessons::default();
        let [chain, other] = [2, 4].map(CellGroup);
        assert!(lessons.may_become_chain(chain) && !lessons.is_chain(chain));
        lessons.is_written_in_turn(chain);
        assert!(lessons.take_news() && lessons.is_chain(chain) && lessons.is_ordered(chain));
        assert!(!lessons.is_chain(other) && lessons.told().1.is_chain(CellGroup(0)));
        lessons.is_overwritten(chain);
        assert!(lessons.take_news() && !lessons.is_chain(chain) && !lessons.is_ordered(chain));
        lessons.is_written_in_turn(chain);
        assert!(!lessons.has_news() && !lessons.may_become_chain(chain));
    }

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
