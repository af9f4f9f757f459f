//! What a step touches: all that sleep sets and wakeup trees need to know of it.

use smallvec::SmallVec;

use super::cells::CellId;
use crate::model::{Op, dependence};

/// An operation on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Touch {
    pub(crate) cell: CellId,
    pub(crate) op: Op,
}

/// All that a step touches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Footprint(pub(crate) SmallVec<[Touch; 2]>);

impl Footprint {
    /// Whether a step with this footprint is dependent on one with the other.
    #[inline]
    pub(crate) fn dependent(&self, other: &Footprint) -> bool {
        other.0.iter().any(|touch| self.conflicts_with(*touch))
    }

    /// Whether a step with this footprint is dependent on one that touches this.
    #[inline]
    pub(crate) fn conflicts_with(&self, touch: Touch) -> bool {
        let conflicts =
            |mine: &Touch| mine.cell == touch.cell && dependence::dependent(mine.op, touch.op);
        self.0.iter().any(conflicts)
    }
}

impl FromIterator<Touch> for Footprint {
    fn from_iter<I: IntoIterator<Item = Touch>>(touches: I) -> Self {
        Footprint(touches.into_iter().collect())
    }
}
