//! What the driver of a search shares with other drivers of the same search.

use crate::search::reported_races::ReportedRaces;

/// What a driver shares with the other drivers of the same search.
///
/// The driver itself runs one search on one machine. Whether others explore other parts of the
/// search tree at the same time matters to it in three places: limits count the executions of
/// all, a data race is reported once, and one driver can stop all.
pub(crate) trait Team {
    /// Whether another driver has asked all of them to stop.
    fn is_stopping(&self) -> bool;

    /// Returns the numbers of executions, and of executions that ended early, of the whole team.
    /// `mine` are those of this driver, as far as it has come.
    fn runs(&mut self, mine: (u64, u64)) -> (u64, u64);

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
