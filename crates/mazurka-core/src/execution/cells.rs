//! Locations as the explorers see them: small numbers, each with the accesses to it.

use std::sync::Arc;

use super::shared_cells::CommonCells;
use crate::model::{Birth, Location};

/// A location, numbered in the order in which locations were first met.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct CellId(pub(crate) u32);

/// No access.
pub(crate) const NOBODY: u32 = u32::MAX;

/// What is known of a location in the current execution.
#[derive(Debug)]
pub(crate) struct Cell {
    pub(crate) birth: Birth,
    /// The start and length of its location.
    pub(crate) range: (u32, u32),
    /// The last access to it, or [`NOBODY`].
    pub(crate) last: u32,
    /// The last access that was not a read, or [`NOBODY`].
    pub(crate) last_write: u32,
    /// Whether some process has waited for what is written here.
    pub(crate) is_awaited: bool,
    /// Whether it has been written to by writes that only readers observe.
    pub(crate) had_writes: bool,
    /// How many accesses looked into this mailbox in vain.
    pub(crate) looks_in_vain: u32,
    /// Other cells that share a part with this one.
    pub(crate) overlapping: Vec<CellId>,
}

/// The start and length of a location in its object, and its cell.
type CellPlace = (u32, u32, CellId);

/// No place: a location is not empty.
const UNMET: CellPlace = (0, 0, CellId(NOBODY));

/// All locations met so far in an exploration, in any execution.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    cells: Vec<Cell>,
    /// The first cell of each object that was met, which mostly is the only one, or [`UNMET`].
    firsts: Vec<CellPlace>,
    /// The cells of each object, sorted by start and length.
    by_object: Vec<Vec<CellPlace>>,
    overlaps: usize,
    /// Those of all workers, if there are several.
    common: Option<Arc<CommonCells>>,
}

impl Cells {
    /// Numbers locations as all workers do.
    pub(crate) fn share(&mut self, common: Arc<CommonCells>) {
        debug_assert!(self.cells.is_empty(), "it has numbers of its own");
        for cell in common.all() {
            let id = self.add_mine(cell.location, cell.birth);
            self[id].is_awaited = cell.is_awaited;
        }
        self.common = Some(common);
    }

    /// Those of all workers, if there are several.
    pub(crate) fn common(&self) -> Option<&CommonCells> {
        self.common.as_deref()
    }

    /// Since when a cell has had its name; another worker may be the only one yet that has met it.
    #[inline]
    pub(crate) fn birth(&self, cell: CellId) -> Birth {
        match (self.cells.get(cell.0 as usize), &self.common) {
            (Some(cell), _) => cell.birth,
            (None, Some(common)) => common.birth(cell),
            (None, None) => Birth::START,
        }
    }

    /// How many pairs of cells overlap.
    pub(crate) fn overlaps(&self) -> usize {
        self.overlaps
    }

    /// The cell of a location, if it has been met.
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

    /// A cell that belongs to no location: an explorer may use it for one of its own making.
    pub(crate) fn reserve(&mut self) -> CellId {
        self.push(Birth::START, (0, 0), Vec::new())
    }

    /// Adds the cell of a location that has not been met.
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
        for &(start, len, other) in &self.by_object[object] {
            if location.overlaps(Location { start, len, ..location }) {
                overlapping.push(other);
                self.overlaps += 1;
                self.cells[other.0 as usize].overlapping.push(id);
            }
        }
        let of_object = &mut self.by_object[object];
        let key = (location.start, location.len);
        let place = of_object.partition_point(|(start, len, _)| (*start, *len) < key);
        of_object.insert(place, (location.start, location.len, id));
        self.push(birth, (location.start, location.len), overlapping)
    }

    fn push(&mut self, birth: Birth, range: (u32, u32), overlapping: Vec<CellId>) -> CellId {
        let id = CellId(self.cells.len() as u32);
        self.cells.push(Cell {
            birth,
            range,
            last: NOBODY,
            last_write: NOBODY,
            is_awaited: false,
            had_writes: false,
            looks_in_vain: 0,
            overlapping,
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
    use crate::model::ObjectId;

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
    }
}
