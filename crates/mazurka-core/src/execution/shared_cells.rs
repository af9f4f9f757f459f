//! The locations that all workers of an exploration have met.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::cells::CellId;
use crate::model::{Birth, Location};

/// The locations that all workers of an exploration have met, in the order in which they were met:
/// their numbers mean the same to everybody. And what everybody must know of them.
#[derive(Debug, Default)]
pub(crate) struct CommonCells(Mutex<Vec<CommonCell>>);

#[derive(Clone, Copy, Debug)]
pub(crate) struct CommonCell {
    pub(crate) location: Location,
    pub(crate) birth: Birth,
    /// Whether some process has waited for what is written here.
    pub(crate) is_awaited: bool,
    /// Whether it has been written to by writes that only readers observe.
    had_writes: bool,
}

impl CommonCells {
    fn lock(&self) -> MutexGuard<'_, Vec<CommonCell>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a location, unless somebody has. Returns those that somebody who knows the first `known`
    /// ones does not know.
    pub(crate) fn add(&self, known: usize, location: Location, birth: Birth) -> Vec<CommonCell> {
        let mut all = self.lock();
        if !all[known..].iter().any(|cell| cell.location == location) {
            all.push(CommonCell { location, birth, is_awaited: false, had_writes: false });
        }
        all[known..].to_vec()
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<CommonCell> {
        self.lock().clone()
    }

    /// Since when a cell has had its name.
    pub(crate) fn birth(&self, cell: CellId) -> Birth {
        self.lock()[cell.0 as usize].birth
    }

    /// Notes that a process waits for what is written to a cell. Returns whether it has been written to
    /// as if nobody did.
    pub(crate) fn await_writes(&self, cell: CellId) -> bool {
        let mut all = self.lock();
        let cell = &mut all[cell.0 as usize];
        cell.is_awaited = true;
        cell.had_writes
    }

    /// Notes that a cell is written to as if nobody waited for that, unless somebody does. Returns
    /// whether somebody does.
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
        // Another one has not heard of that yet, and comes upon something else.
        assert_eq!(known(cells.add(0, at(3), Birth::START)), [at(7), at(3)]);
        assert_eq!(known(cells.add(1, at(3), Birth::START)), [at(3)]);
        let [seven, three] = [CellId(0), CellId(1)];
        assert!(!cells.write_unawaited(seven));
        assert!(cells.await_writes(seven), "it was written to as if nobody waited");
        assert!(!cells.await_writes(three));
        assert!(cells.write_unawaited(three), "somebody waits");
    }
}
