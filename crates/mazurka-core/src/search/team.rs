//! The state that the drivers of one search share.

use crate::search::reported_races::ReportedRaces;
use crate::verdict::Bound;

/// The state that the drivers of one search share.
///
/// A driver runs one search on one machine. Other drivers that explore other parts of the search
/// tree at the same time affect it in three ways: limits count the executions of all drivers, a
/// data race is reported once, and one driver can stop all.
///
/// A driver asks its team after each execution, not at each step. So the team is a trait object, and
/// the driver is compiled once for all teams.
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

    /// Calls `look` with the data races that the team has reported, and returns what it returns.
    fn with_races(&mut self, look: &mut dyn FnMut(&mut ReportedRaces) -> bool) -> bool;
}

/// A team of one.
#[derive(Debug, Default)]
pub(crate) struct Alone {
    races: ReportedRaces,
}

impl Team for Alone {
    fn is_stopping(&self) -> bool {
        false
    }

    fn runs(&mut self, mine: (u64, u64)) -> (u64, u64) {
        mine
    }

    fn with_races(&mut self, look: &mut dyn FnMut(&mut ReportedRaces) -> bool) -> bool {
        look(&mut self.races)
    }
}
