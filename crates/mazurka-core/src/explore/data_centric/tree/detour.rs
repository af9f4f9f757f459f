//! Detours: exploring a child at once, from the execution in which it was found.
//!
//! When an execution has ended, the children of nodes above it for which it is
//! [canonical](super::canonical) are explored at once, before anything else below these nodes. The nodes
//! in between are set aside, and restored afterwards. So nothing is kept of a node's children.
//!
//! # Why there are few detours
//!
//! The number of detours under way never exceeds the number of events of the current execution. Consider
//! a node with events `S`, and an execution below it that has the events `Q ⊇ S` and is canonical for
//! them. Reaching it from the node takes at most `|Q ∖ S|` detours, by induction. Let `e` be next at the
//! node. It observes some `w` of `Q`. If `w` is in `S`, no detour is needed for it. Otherwise the child
//! was entered from the canonical execution for the past of `w`, in which `e` observes some `w'` of that
//! past, and so on, down to a write in `S`. From the child with `w'`, that execution takes at most as
//! many detours as there are events in the past of `w` beyond the past of `w'`. One more detour leads to
//! the child with `w`, which `w'` itself pays for. The sum is at most the number of events that the child
//! has beyond `S` and `e`, and these are not needed again below the child. Every execution is canonical
//! for its own events.

use super::DataCentric;
use super::frame::{Child, Frame, Guess};
use crate::execution::Execution;

/// Children of nodes above an execution that are explored from that execution.
#[derive(Debug, Default)]
pub(crate) struct Detour {
    /// The node whose child is being explored.
    at: usize,
    /// The `told_by` of that node in the execution.
    told_by: Option<(usize, u32)>,
    /// The nodes below it on the path to the execution.
    aside: Vec<Frame>,
    /// The children that are still to be explored, each with its node.
    children: Vec<(usize, Child)>,
}

impl Detour {
    /// Returns a detour to `children`, which must not be empty. The deepest are explored first, so that few steps
    /// are taken again: on mcs_lock(3), 310 instead of 360 thousand instructions for each execution.
    pub(crate) fn new(mut children: Vec<(usize, Child)>) -> Self {
        children.sort_by_key(|(node, _)| *node);
        Detour { children, ..Detour::default() }
    }

    /// Returns the node whose child is being explored.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Returns the `told_by` of that node in the execution from which the detour was made.
    pub(crate) fn told_by(&self) -> Option<(usize, u32)> {
        self.told_by
    }

    /// Returns the nodes below that node on the path to the execution.
    pub(crate) fn aside(&self) -> &[Frame] {
        &self.aside
    }

    /// Returns these nodes.
    pub(crate) fn aside_mut(&mut self) -> &mut [Frame] {
        &mut self.aside
    }

    /// Returns the nodes of the children that are still to be explored.
    pub(crate) fn open(&self) -> impl Iterator<Item = usize> + '_ {
        self.children.iter().map(|(node, _)| *node)
    }

    /// Returns the children that are still to be explored, each with its node.
    pub(crate) fn children(&mut self) -> &mut Vec<(usize, Child)> {
        &mut self.children
    }

    /// Returns the children that are still to be explored, if the detour is at this node.
    pub(crate) fn children_at(&mut self, frame: usize) -> Option<&mut Vec<(usize, Child)>> {
        (self.at == frame).then_some(&mut self.children)
    }

    /// Returns how many children of a node are still to be explored.
    pub(crate) fn children_of(&self, frame: usize) -> usize {
        self.children.iter().filter(|(node, _)| *node == frame).count()
    }
}

impl DataCentric {
    /// Returns how many nodes are above the latest detour, and remain until it ends.
    pub(crate) fn frames_above(&self) -> usize {
        self.detours.last().map_or(0, |detour| detour.at + 1)
    }

    /// Removes the next child from the latest detour and returns it, if one is left. Sets aside the nodes
    /// below the node of that child.
    pub(crate) fn set_out(&mut self) -> Option<Child> {
        let detour = self.detours.last_mut()?;
        let (at, child) = detour.children.pop()?;
        detour.at = at;
        detour.told_by = self.frames[at].told_by;
        detour.aside.extend(self.frames.drain(at + 1..));
        self.frames[at].explored += 1;
        Some(child)
    }

    /// Restores the nodes of the execution from which the latest detour was made, if there is one.
    pub(crate) fn come_back(&mut self) -> Option<()> {
        let detour = self.detours.last_mut()?;
        let frame = &mut self.frames[detour.at];
        (frame.told_by, frame.is_late) = (detour.told_by, None);
        self.frames.append(&mut detour.aside);
        Some(())
    }

    /// Looks back at all nodes that are about to be set aside, while the execution has their events.
    pub(crate) fn look_back_before_detours(&mut self, execution: &Execution) {
        let Some(highest) = self.found.iter().map(|(frame, _)| *frame).min() else { return };
        let guesses = self.found.iter().any(|(_, child)| child.guess != Guess::default());
        self.look_back_from(if guesses { 0 } else { highest }, execution);
    }

    /// Looks back at this node and all nodes below it, while the execution has their events.
    ///
    /// If a guess about a child is wrong, its execution ends early, and may lack events of the nodes above.
    /// So this is done for all nodes before such a child is entered.
    pub(crate) fn look_back_from(&mut self, first: usize, execution: &Execution) {
        for index in first..self.frames.len() {
            if !self.frames[index].acquires
                && !std::mem::replace(&mut self.frames[index].looked_back, true)
            {
                self.look_back_at(index, execution);
            }
        }
    }
}
