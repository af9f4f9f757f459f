//! The cells that all workers of an exploration share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cells::CellId;
use crate::model::{Birth, Location};
use crate::wire::{Malformed, Reader, Wire, wire_struct};

/// The cells that all workers of an exploration share, in the order of first accesses. Their
/// numbers mean the same to all workers. The list also holds the facts about cells that all workers
/// must know.
#[derive(Debug, Default)]
pub(crate) struct CommonCells(Mutex<Vec<CommonCell>>);

#[derive(Clone, Copy, Debug)]
pub(crate) struct CommonCell {
    pub(crate) location: Location,
    pub(crate) birth: Birth,
    /// Whether some process has waited for a value that is written to this location.
    pub(crate) is_awaited: bool,
    /// Whether some access to this location has counted as a write that only readers observe.
    had_writes: bool,
}

/// A cell that every part of a divided search knows.
pub(crate) type KnownCell = (Location, Birth);

wire_struct!(CommonCell {
    location: location,
    birth: birth,
    is_awaited: is_awaited,
    had_writes: had_writes,
});

impl Wire for CommonCells {
    fn write(&self, to: &mut Vec<u8>) {
        self.all().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Vec::read(from).map(|cells| CommonCells(Mutex::new(cells)))
    }
}

impl CommonCells {
    /// Creates the cells of one part of a search, given those that all parts know.
    pub(crate) fn of_part(known: &[KnownCell]) -> Self {
        let cell = |&(location, birth): &KnownCell| CommonCell {
            location,
            birth,
            is_awaited: false,
            had_writes: false,
        };
        CommonCells(Mutex::new(known.iter().map(cell).collect()))
    }

    /// Returns the cells that overlap with others. Every part of a search knows them from its start, so that
    /// it need not start over when it comes upon them.
    pub(crate) fn overlapping(&self) -> Vec<KnownCell> {
        let mut cells = self.all();
        cells.sort_by_key(|cell| (cell.location.object.0, cell.location.start, cell.location.len));
        let mut overlaps = vec![false; cells.len()];
        // The cell so far that ends last.
        let mut longest: Option<usize> = None;
        for (i, cell) in cells.iter().enumerate() {
            if let Some(before) = longest
                && cells[before].location.overlaps(cell.location)
            {
                (overlaps[before], overlaps[i]) = (true, true);
            }
            let end = |cell: &CommonCell| {
                (cell.location.object.0, cell.location.start + cell.location.len)
            };
            if longest.is_none_or(|before| end(&cells[before]) < end(cell)) {
                longest = Some(i);
            }
        }
        let overlapping = cells.into_iter().zip(overlaps).filter(|(_, overlaps)| *overlaps);
        overlapping.map(|(cell, _)| (cell.location, cell.birth)).collect()
    }

    /// Returns some cells, so that every part of a search can know them by their places in this list.
    pub(crate) fn some(&self, cells: &[CellId]) -> Vec<KnownCell> {
        let all = self.lock();
        let cells = cells.iter().filter_map(|cell| all.get(cell.0 as usize));
        cells.map(|cell| (cell.location, cell.birth)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<CommonCell>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a location unless it is present. Returns the cells after the first `known` ones.
    pub(crate) fn add(&self, known: usize, location: Location, birth: Birth) -> Vec<CommonCell> {
        let mut all = self.lock();
        if !all[known..].iter().any(|cell| cell.location == location) {
            all.push(CommonCell { location, birth, is_awaited: false, had_writes: false });
        }
        all[known..].to_vec()
    }

    /// Returns all cells.
    pub(crate) fn all(&self) -> Vec<CommonCell> {
        self.lock().clone()
    }

    /// Returns the same cells, to which other workers add others from now on.
    pub(crate) fn apart(&self) -> Arc<Self> {
        Arc::new(CommonCells(Mutex::new(self.all())))
    }

    /// Returns when a cell got its name.
    pub(crate) fn birth(&self, cell: CellId) -> Birth {
        self.lock()[cell.0 as usize].birth
    }

    /// Records that a process waits for writes to a cell. Returns whether some write to the cell
    /// has counted as unawaited.
    pub(crate) fn await_writes(&self, cell: CellId) -> bool {
        let mut all = self.lock();
        let cell = &mut all[cell.0 as usize];
        cell.is_awaited = true;
        cell.had_writes
    }

    /// Records an unawaited write to a cell, unless some process waits for writes to it. Returns
    /// whether some process does.
    pub(crate) fn write_unawaited(&self, cell: CellId) -> bool {
        let mut all = self.lock();
        let cell = &mut all[cell.0 as usize];
        cell.had_writes |= !cell.is_awaited;
        cell.is_awaited
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ObjectId;

    #[test]
    fn everybody_numbers_locations_alike_and_knows_who_waits() {
        let cells = CommonCells::default();
        let at = |object| Location::whole(ObjectId(object));
        let known = |cells: Vec<CommonCell>| -> Vec<Location> {
            cells.iter().map(|cell| cell.location).collect()
        };
        assert_eq!(known(cells.add(0, at(7), Birth::START)), [at(7)]);
        // Another worker does not know that location yet, and adds a different one.
        assert_eq!(known(cells.add(0, at(3), Birth::START)), [at(7), at(3)]);
        assert_eq!(known(cells.add(1, at(3), Birth::START)), [at(3)]);
        let [seven, three] = [CellId(0), CellId(1)];
        assert!(!cells.write_unawaited(seven));
        assert!(cells.await_writes(seven), "it was written to as if nobody waited");
        assert!(!cells.await_writes(three));
        assert!(cells.write_unawaited(three), "somebody waits");
    }

    #[test]
    fn all_parts_know_which_locations_overlap() {
        let cells = CommonCells::default();
        let range = |start, len| Location { object: ObjectId(1), start, len };
        for location in [range(0, 8), range(8, 4), range(6, 1), range(12, 4), range(2, 2)] {
            cells.add(0, location, Birth::START);
        }
        let known: Vec<Location> = cells.overlapping().iter().map(|cell| cell.0).collect();
        assert_eq!(known, [range(0, 8), range(2, 2), range(6, 1)]);
        assert_eq!(CommonCells::of_part(&cells.overlapping()).all().len(), 3);
    }
}
