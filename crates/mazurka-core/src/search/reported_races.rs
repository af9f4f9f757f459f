//! The data races that a search has reported.

use std::collections::HashSet;

use crate::execution::cells::CellId;
use crate::execution::{Access, Execution, Race};
use crate::model::ProcessId;
use crate::wire::{Malformed, Reader, Wire};

/// The maximum number of pairs of events that are distinguished.
const MOST_PAIRS: usize = 1000;

/// One side of a data race: the process, and whether its access is a read.
type Side = (ProcessId, bool);

/// The data races that have been reported.
///
/// Two events may race in many executions and in either order; they are reported once. A loop may
/// race with another loop in every iteration. Therefore events are distinguished by their position
/// in their process only for the first [`MOST_PAIRS`] pairs. Beyond that, two data races are the
/// same if the same processes perform the same kinds of accesses (read or not) to the same
/// location.
#[derive(Debug, Default)]
pub(crate) struct ReportedRaces {
    kinds: HashSet<(CellId, Side, Side)>,
    pairs: HashSet<[(ProcessId, u32); 2]>,
    /// The locations of data races that are warnings.
    locations: HashSet<CellId>,
    /// The data races in the order in which they were reported, if that matters.
    log: Option<RaceLog>,
}

/// Data races in the order in which they were reported.
#[derive(Debug, Default)]
pub(crate) struct RaceLog {
    pub(crate) races: Vec<RaceName>,
    /// The locations of warnings.
    pub(crate) locations: Vec<CellId>,
}

/// What distinguishes data races: the two events, and the location with the kinds of accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RaceName {
    pair: [(ProcessId, u32); 2],
    kind: Option<(CellId, Side, Side)>,
}

impl ReportedRaces {
    /// Records a data race. Returns whether it is new.
    pub(crate) fn note(&mut self, execution: &Execution, race: Race) -> bool {
        let (first, second) = (race.first as usize, race.second as usize);
        let event = |index: usize| {
            let event = execution.event(index);
            (event.step.process, event.number)
        };
        let mut pair = [event(first), event(second)];
        pair.sort_unstable();
        if self.pairs.contains(&pair) {
            return false;
        }
        let kind = shared(execution, first, second).map(|(mine, theirs)| {
            let side = |process, access: &Access| (process, access.op.is_read());
            let (a, b) = (side(event(first).0, mine), side(event(second).0, theirs));
            (mine.cell, a.min(b), a.max(b))
        });
        self.add(RaceName { pair, kind })
    }

    /// Records a data race by its name. Returns whether it is new.
    pub(crate) fn add(&mut self, race: RaceName) -> bool {
        let RaceName { pair, kind } = race;
        if self.pairs.contains(&pair) {
            return false;
        }
        let is_new_kind = kind.is_some_and(|kind| self.kinds.insert(kind));
        let has_room = self.pairs.len() < MOST_PAIRS;
        if has_room {
            self.pairs.insert(pair);
        }
        let is_new = is_new_kind || has_room;
        if let Some(log) = self.log.as_mut().filter(|_| is_new) {
            log.races.push(race);
        }
        is_new
    }

    /// Records a data race on a cell if only the processes are known. Returns whether it is new.
    pub(crate) fn note_between(&mut self, cell: CellId, a: ProcessId, b: ProcessId) -> bool {
        self.kinds.insert((cell, (a.min(b), false), (a.max(b), false)))
    }

    /// Records a data race on a cell as a warning. Returns whether it is the first on that cell.
    pub(crate) fn note_location(&mut self, cell: CellId) -> bool {
        let is_new = self.locations.insert(cell);
        if let Some(log) = self.log.as_mut().filter(|_| is_new) {
            log.locations.push(cell);
        }
        is_new
    }

    /// Creates an empty set that keeps a log.
    pub(crate) fn with_log() -> Self {
        ReportedRaces { log: Some(RaceLog::default()), ..ReportedRaces::default() }
    }

    /// Returns the log.
    pub(crate) fn take_log(&mut self) -> RaceLog {
        self.log.take().unwrap_or_default()
    }
}

impl Wire for ReportedRaces {
    fn write(&self, to: &mut Vec<u8>) {
        // In order, so that equal states have equal forms.
        let mut kinds: Vec<_> = self.kinds.iter().copied().collect();
        kinds.sort_unstable();
        kinds.write(to);
        let mut pairs: Vec<_> =
            self.pairs.iter().map(|[first, second]| (*first, *second)).collect();
        pairs.sort_unstable();
        pairs.write(to);
        let mut locations: Vec<_> = self.locations.iter().copied().collect();
        locations.sort_unstable();
        locations.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let kinds = Vec::read(from)?.into_iter().collect();
        let pairs = Vec::read(from)?.into_iter().map(|(first, second)| [first, second]).collect();
        let locations = Vec::read(from)?.into_iter().collect();
        Ok(ReportedRaces { kinds, pairs, locations, log: None })
    }
}

/// Returns a pair of conflicting accesses of two events: to the same cell, and not both reads.
fn shared(execution: &Execution, first: usize, second: usize) -> Option<(&Access, &Access)> {
    let theirs = execution.accesses_of(second);
    execution.accesses_of(first).iter().find_map(|mine| {
        let conflicts =
            |other: &&Access| other.cell == mine.cell && !(other.op.is_read() && mine.op.is_read());
        theirs.iter().find(conflicts).map(|other| (mine, other))
    })
}
