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
        self.conflict_with(other.0.iter().copied())
    }

    /// Whether a step with this footprint is dependent on one that touches `others`.
    #[inline]
    pub(crate) fn conflict_with(&self, mut others: impl Iterator<Item = Touch>) -> bool {
        others.any(|b| self.0.iter().any(|a| a.cell == b.cell && dependence::dependent(a.op, b.op)))
    }
}

impl FromIterator<Touch> for Footprint {
    fn from_iter<I: IntoIterator<Item = Touch>>(touches: I) -> Self {
        Footprint(touches.into_iter().collect())
    }
}
