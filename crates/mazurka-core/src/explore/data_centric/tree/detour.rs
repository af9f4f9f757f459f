//! Children that are entered from an execution right away.
//!
//! When an execution has ended, the children of nodes above it that are [canonical](super::canonical) in
//! it are explored at once, whatever is still to be done at the nodes in between: these are set aside, and
//! taken up again later. So nothing has to be remembered of a node's children.
//!
//! # Why there are few detours
//!
//! There are never more detours under way than the current execution has events. Consider the node with
//! events `S`, and an execution below it that has the events `Q ⊇ S` and is canonical for them. To get
//! there from the node takes at most `|Q ∖ S|` detours: Let `e` be next at the node. It observes some `w`
//! of `Q`. If that is in `S`, no detour is needed for it. If not, the child was entered from the canonical
//! execution for the past of `w`, in which `e` observes some `w'` of that past, and so on, down to
//! something in `S`. By induction, from the child with `w'` it takes no more detours to this execution than
//! there are events in the past of `w` beyond that of `w'`, and there is one more detour, for `w'` itself
//! is not counted there. That adds up to at most the number of events that the child has beyond `S` and
//! `e`, and from the child on, they are not needed any more. Every execution is canonical for its own
//! events.

use super::DataCentric;
use super::frame::{Child, Frame};
use crate::execution::Execution;

/// Children of nodes above an execution that are explored before anything else below these nodes.
#[derive(Debug, Default)]
pub(crate) struct Detour {
    /// The node whose child is being explored.
    at: usize,
    /// What told the child of that node apart in the execution.
    told_by: Option<(usize, u32)>,
    /// The nodes below it on the way to the execution.
    aside: Vec<Frame>,
    /// The children that are still to be explored, each with its node.
    children: Vec<(usize, Child)>,
}

impl Detour {
    /// To these children, which must be some.
    pub(crate) fn new(children: Vec<(usize, Child)>) -> Self {
        Detour { children, ..Detour::default() }
    }

    /// The children that are still to be explored, if it is a child of this node that is being entered.
    pub(crate) fn children_at(&mut self, frame: usize) -> Option<&mut Vec<(usize, Child)>> {
        (self.at == frame).then_some(&mut self.children)
    }

    /// How many children of a node are still to be explored.
    pub(crate) fn children_of(&self, frame: usize) -> usize {
        self.children.iter().filter(|(node, _)| *node == frame).count()
    }
}

impl DataCentric {
    /// How many of the nodes are above the current detour, and wait for it to come to its end.
    pub(crate) fn frames_above(&self) -> usize {
        self.detours.last().map_or(0, |detour| detour.at + 1)
    }

    /// Sets out for the next child of the latest detour, if there is one left, and sets aside the
    /// nodes below its own.
    pub(crate) fn set_out(&mut self) -> Option<Child> {
        let detour = self.detours.last_mut()?;
        let (at, child) = detour.children.pop()?;
        detour.at = at;
        detour.told_by = self.frames[at].told_by;
        detour.aside.extend(self.frames.drain(at + 1..));
        self.frames[at].explored += 1;
        Some(child)
    }

    /// Goes back to the execution from which the latest detour was made, if there is one.
    pub(crate) fn come_back(&mut self) -> Option<()> {
        let detour = self.detours.last_mut()?;
        self.frames[detour.at].told_by = detour.told_by;
        self.frames.append(&mut detour.aside);
        Some(())
    }

    /// Looks back at all nodes that are about to be set aside, while their events are there.
    pub(crate) fn look_back_before_detours(&mut self, execution: &Execution) {
        let Some(highest) = self.found.iter().map(|(frame, _)| *frame).min() else { return };
        for index in highest..self.frames.len() {
            if !self.frames[index].acquires
                && !std::mem::replace(&mut self.frames[index].looked_back, true)
                && let Some(next) = self.next_event_of(index, execution)
            {
                self.look_back(index, &next, execution);
            }
        }
    }
}
