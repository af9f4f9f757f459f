//! Which cells are locks.
//!
//! A cell is a lock if some process waits to have it alone. In another execution the same cell may be
//! something else, so a lock is forgotten when the search backtracks before the event that showed it.

use crate::execution::cells::CellId;
use crate::explore::event_loops::tasks::NONE;

/// The locks that the current execution has shown.
#[derive(Debug, Default)]
pub(super) struct Locks {
    /// For each cell how many events there were when it turned out to be a lock, or [`NONE`].
    since: Vec<u32>,
    /// For each cell whether the lock [merely locks](crate::model::Action::merely_locks).
    is_mere: Vec<bool>,
    known: Vec<CellId>,
}

impl Locks {
    /// Returns whether a cell is a lock.
    pub(super) fn contains(&self, cell: CellId) -> bool {
        self.since.get(cell.0 as usize).is_some_and(|since| *since != NONE)
    }

    /// Returns whether a cell is a lock that keeps nothing. Handlers of one process do not contend for
    /// such a lock.
    pub(super) fn is_mere(&self, cell: CellId) -> bool {
        self.contains(cell) && self.is_mere[cell.0 as usize]
    }

    /// Notes that a cell is a lock, after `events` events.
    pub(super) fn note(&mut self, cell: CellId, is_mere: bool, events: usize) {
        let index = cell.0 as usize;
        if self.since.len() <= index {
            self.since.resize(index + 1, NONE);
            self.is_mere.resize(index + 1, false);
        }
        self.is_mere[index] = is_mere;
        if self.since[index] == NONE {
            self.since[index] = events as u32;
            self.known.push(cell);
        }
    }

    /// Forgets the locks that more than the first `len` events have shown.
    pub(super) fn truncate(&mut self, len: usize) {
        while let Some(cell) = self.known.pop_if(|cell| self.since[cell.0 as usize] as usize > len)
        {
            self.since[cell.0 as usize] = NONE;
        }
    }
}
