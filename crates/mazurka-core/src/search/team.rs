//! The state that the drivers of one search share.

use crate::search::reported_races::ReportedRaces;
use crate::verdict::Bound;

/// The state that the drivers of one search share.
///
/// A driver runs one search on one machine. Other drivers that explore other parts of the search
/// tree at the same time affect it in three ways: limits count the executions of all drivers, a
/// data race is reported once, and one driver can stop all.
pub(crate) trait Team {
    /// Returns the number of this driver in the team.
    fn number(&self) -> u64 {
        0
    }

    /// Returns whether another driver has asked all drivers to stop.
    fn is_stopping(&self) -> bool;

    /// Returns the numbers of executions, and of executions that ended early, of the whole team.
    /// `mine` are the current numbers of this driver.
    fn runs(&mut self, mine: (u64, u64)) -> (u64, u64);

    /// Called now and then.
    fn look_at_clock(&mut self) {}

    /// Called when a limit is reached. Returns `true` if the search continues until all drivers have
    /// left it in a state that can be saved. Otherwise it stops at once.
    fn pauses_for(&mut self, _limit: Bound) -> bool {
        false
    }

    /// Calls `look` with the data races that the team has reported.
    fn with_races<R>(&mut self, look: impl FnOnce(&mut ReportedRaces) -> R) -> R;
}

/// A team of one.
#[derive(Debug, Default)]
pub(crate) struct Alone {
    races: ReportedRaces,
}

impl Team for Alone {
    #[inline]
    fn is_stopping(&self) -> bool {
        false
    }

    #[inline]
    fn runs(&mut self, mine: (u64, u64)) -> (u64, u64) {
        mine
    }

    fn with_races<R>(&mut self, look: impl FnOnce(&mut ReportedRaces) -> R) -> R {
        look(&mut self.races)
    }
}
