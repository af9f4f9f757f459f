//! Footprints: the operations of a step as sleep sets and wakeup trees see them.

use smallvec::SmallVec;

use super::cells::CellId;
use crate::model::{Op, dependence};
use crate::wire::wire_struct;

/// An operation on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Touch {
    pub(crate) cell: CellId,
    pub(crate) op: Op,
}

/// The operations of a step.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct Footprint(pub(crate) SmallVec<[Touch; 2]>);

impl Clone for Footprint {
    #[inline]
    fn clone(&self) -> Self {
        // A derived `clone` copies element by element, which takes several times as long.
        Footprint(SmallVec::from_slice(&self.0))
    }
}

impl Footprint {
    /// Returns whether a step with this footprint is dependent on a step with the other.
    #[inline]
    pub(crate) fn dependent(&self, other: &Footprint) -> bool {
        other.0.iter().any(|touch| self.conflicts_with(*touch))
    }

    /// Returns whether a step with this footprint is dependent on a step that performs `touch`.
    #[inline]
    pub(crate) fn conflicts_with(&self, touch: Touch) -> bool {
        let conflicts =
            |mine: &Touch| mine.cell == touch.cell && dependence::dependent(mine.op, touch.op);
        self.0.iter().any(conflicts)
    }
}

impl FromIterator<Touch> for Footprint {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Touch>>(touches: I) -> Self {
        // Most footprints have one element: reserve no capacity.
        let mut footprint = Footprint::default();
        touches.into_iter().for_each(|touch| footprint.0.push(touch));
        footprint
    }
}

wire_struct!(CellId { 0: number });
wire_struct!(Touch { cell: cell, op: op });
wire_struct!(Footprint { 0: touches });
