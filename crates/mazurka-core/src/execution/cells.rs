//! Cells: locations as small numbers, with the accesses to each.

use std::sync::Arc;

use super::shared_cells::CommonCells;
use crate::model::{Birth, Location, ObjectId};

/// The number of a location, in the order of first accesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct CellId(pub(crate) u32);

/// The index that stands for "no access" or "no event".
pub(crate) const NO_EVENT: u32 = u32::MAX;

/// The state of a location in the current execution.
#[derive(Debug)]
pub(crate) struct Cell {
    pub(crate) birth: Birth,
    /// The start and length of the location.
    pub(crate) range: (u32, u32),
    /// The last access to it, or [`NO_EVENT`].
    pub(crate) last: u32,
    /// The last access that was not a read, or [`NO_EVENT`].
    pub(crate) last_write: u32,
    /// The last access that was not an [`Op::Write`](crate::model::Op::Write), or [`NO_EVENT`].
    pub(crate) last_other: u32,
    /// Whether some process has waited for a value that is written to this location.
    pub(crate) is_awaited: bool,
    /// Whether some access to this location has counted as a write that only readers observe.
    pub(crate) had_writes: bool,
    /// The number of accesses that found this mailbox or channel empty.
    pub(crate) looks_in_vain: u32,
    /// The other cells that overlap with this one.
    pub(crate) overlapping: Vec<CellId>,
    /// Whether some of these have bytes in common with this one: all but the life of its object.
    pub(crate) shares_values: bool,
    /// Whether some of these do not contain this one.
    pub(crate) has_parts: bool,
    /// Whether this is the [life](Location::life) of an object.
    pub(crate) is_life: bool,
}

/// The start and length of a location in its object, and the cell of the location.
type CellPlace = (u32, u32, CellId);

/// Returns whether a range of an object contains another one.
pub(crate) fn contains((start, len): (u32, u32), other: (u32, u32)) -> bool {
    start <= other.0 && other.0 + other.1 <= start + len
}

/// The range of the life of an object.
const LIFE: (u32, u32) = {
    let Location { start, len, .. } = Location::life(ObjectId(0));
    (start, len)
};

/// The place of an unknown object. No location is empty.
const UNMET: CellPlace = (0, 0, CellId(NO_EVENT));

/// All locations that any execution of an exploration has accessed.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    cells: Vec<Cell>,
    /// The first known cell of each object, or [`UNMET`]. Most objects have only one cell.
    firsts: Vec<CellPlace>,
    /// The cells of each object, sorted by start and length.
    by_object: Vec<Vec<CellPlace>>,
    overlaps: usize,
    /// The number of these pairs in which neither cell contains the other.
    crossings: usize,
    /// The number of cells that overlap with the life of their object.
    lives: usize,
    /// The cells that all workers share, if there are several workers.
    common: Option<Arc<CommonCells>>,
}

impl Cells {
    /// Adopts the cell numbers that all workers share.
    pub(crate) fn share(&mut self, common: Arc<CommonCells>) {
        debug_assert!(self.cells.is_empty(), "it has numbers of its own");
        for cell in common.all() {
            let id = self.add_mine(cell.location, cell.birth);
            self[id].is_awaited = cell.is_awaited;
        }
        self.common = Some(common);
    }

    /// Returns the cells that all workers share, if there are several workers.
    pub(crate) fn common(&self) -> Option<&CommonCells> {
        self.common.as_deref()
    }

    /// Returns when a cell got its name. The cell may be known only to another worker.
    #[inline]
    pub(crate) fn birth(&self, cell: CellId) -> Birth {
        match (self.cells.get(cell.0 as usize), &self.common) {
            (Some(cell), _) => cell.birth,
            (None, Some(common)) => common.birth(cell),
            (None, None) => Birth::START,
        }
    }

    /// Returns the number of pairs of cells that have bytes in common.
    pub(crate) fn overlaps(&self) -> usize {
        self.overlaps
    }

    /// Returns the number of pairs of cells that have bytes in common, and neither contains the other.
    pub(crate) fn crossings(&self) -> usize {
        self.crossings
    }

    /// Returns the number of cells that overlap with the [life](Location::life) of their object.
    pub(crate) fn lives(&self) -> usize {
        self.lives
    }

    /// Returns all cells.
    pub(crate) fn ids(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.cells.len() as u32).map(CellId)
    }

    /// Returns the cell of a location, if it is known.
    #[inline]
    pub(crate) fn find(&self, location: Location) -> Option<CellId> {
        let object = location.object.0 as usize;
        let (start, len, cell) = *self.firsts.get(object)?;
        match (start, len) == (location.start, location.len) {
            true => Some(cell),
            false => self.find_in(object, location),
        }
    }

    fn find_in(&self, object: usize, location: Location) -> Option<CellId> {
        let cells = &self.by_object[object];
        let key = (location.start, location.len);
        let found = cells.binary_search_by_key(&key, |(start, len, _)| (*start, *len));
        found.ok().map(|i| cells[i].2)
    }

    /// Returns a new cell that belongs to no location, for the use of an explorer.
    pub(crate) fn reserve(&mut self) -> CellId {
        self.push(Birth::START, (0, 0), Vec::new())
    }

    /// Adds the cell of an unknown location.
    #[cold]
    pub(crate) fn add(&mut self, location: Location, birth: Birth) -> CellId {
        let Some(common) = &self.common else { return self.add_mine(location, birth) };
        let mut added = None;
        for cell in common.add(self.cells.len(), location, birth) {
            let id = self.add_mine(cell.location, cell.birth);
            self[id].is_awaited = cell.is_awaited;
            added = added.or((cell.location == location).then_some(id));
        }
        added.expect("it is among those that were not known")
    }

    fn add_mine(&mut self, location: Location, birth: Birth) -> CellId {
        let object = location.object.0 as usize;
        if self.firsts.len() <= object {
            self.firsts.resize(object + 1, UNMET);
        }
        if self.by_object.len() <= object {
            self.by_object.resize_with(object + 1, Vec::new);
        }
        let id = CellId(self.cells.len() as u32);
        if self.firsts[object] == UNMET {
            self.firsts[object] = (location.start, location.len, id);
        }
        let mut overlapping = Vec::new();
        let (mut shares_values, mut has_parts) = (false, false);
        for &(start, len, other) in &self.by_object[object] {
            if location.overlaps(Location { start, len, ..location }) {
                overlapping.push(other);
                let cell = &mut self.cells[other.0 as usize];
                cell.overlapping.push(id);
                if cell.is_life || location.is_life() {
                    self.lives += 1;
                    continue;
                }
                self.overlaps += 1;
                let (mine, theirs) = ((location.start, location.len), cell.range);
                let (is_within, is_around) = (contains(theirs, mine), contains(mine, theirs));
                self.crossings += usize::from(!is_within && !is_around);
                (cell.shares_values, shares_values) = (true, true);
                cell.has_parts |= !is_around;
                has_parts |= !is_within;
            }
        }
        let of_object = &mut self.by_object[object];
        let key = (location.start, location.len);
        let place = of_object.partition_point(|(start, len, _)| (*start, *len) < key);
        of_object.insert(place, (location.start, location.len, id));
        let id = self.push(birth, (location.start, location.len), overlapping);
        (self[id].shares_values, self[id].has_parts) = (shares_values, has_parts);
        id
    }

    fn push(&mut self, birth: Birth, range: (u32, u32), overlapping: Vec<CellId>) -> CellId {
        let is_life = range == LIFE;
        let id = CellId(self.cells.len() as u32);
        self.cells.push(Cell {
            birth,
            range,
            last: NO_EVENT,
            last_write: NO_EVENT,
            last_other: NO_EVENT,
            is_awaited: false,
            had_writes: false,
            looks_in_vain: 0,
            overlapping,
            shares_values: false,
            has_parts: false,
            is_life,
        });
        id
    }
}

impl std::ops::Index<CellId> for Cells {
    type Output = Cell;

    #[inline]
    fn index(&self, cell: CellId) -> &Cell {
        &self.cells[cell.0 as usize]
    }
}

impl std::ops::IndexMut<CellId> for Cells {
    #[inline]
    fn index_mut(&mut self, cell: CellId) -> &mut Cell {
        &mut self.cells[cell.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u32, len: u32) -> Location {
        Location { object: ObjectId(2), start, len }
    }

    #[test]
    fn equal_locations_are_one_cell_and_overlapping_ones_know_each_other() {
        let mut cells = Cells::default();
        let mut add = |location| cells.add(location, Birth::START);
        let (word, low, high) = (add(range(0, 8)), add(range(0, 4)), add(range(4, 4)));
        let beyond = add(range(8, 4));
        assert_eq!(cells.find(range(4, 4)), Some(high));
        assert_eq!(cells[word].overlapping, [low, high]);
        assert_eq!(cells[low].overlapping, [word]);
        assert!(cells[beyond].overlapping.is_empty());
        assert_eq!((cells.overlaps(), cells.lives()), (2, 0));
        let life = cells.add(Location::life(ObjectId(2)), Birth::START);
        assert_eq!(cells[life].overlapping, [low, word, high, beyond]);
        assert_eq!(cells[beyond].overlapping, [life]);
        assert!(cells[word].shares_values && !cells[beyond].shares_values);
        assert!(cells[word].has_parts && !cells[low].has_parts && !cells[high].has_parts);
        assert!(!cells[life].shares_values);
        assert_eq!((cells.overlaps(), cells.lives()), (2, 4));
        assert_eq!(cells.crossings(), 0);
        let crossing = cells.add(range(6, 4), Birth::START);
        assert!(cells[crossing].has_parts && cells[high].has_parts && !cells[low].has_parts);
        assert_eq!((cells.overlaps(), cells.crossings()), (5, 3));
    }
}
