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
        let conflicts =
            |a: &Touch, b: &Touch| a.cell == b.cell && dependence::dependent(a.op, b.op);
        self.0.iter().any(|a| other.0.iter().any(|b| conflicts(a, b)))
    }
}

impl FromIterator<Touch> for Footprint {
    fn from_iter<I: IntoIterator<Item = Touch>>(touches: I) -> Self {
        Footprint(touches.into_iter().collect())
    }
}
