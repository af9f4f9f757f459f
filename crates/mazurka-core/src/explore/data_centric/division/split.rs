//! Splitting off open children, and beginning with one.

use smallvec::SmallVec;

use super::piece::OpenChild;
use crate::explore::data_centric::tree::DataCentric;
use crate::explore::data_centric::tree::frame::{Child, Frame};
use crate::explore::fingerprint::Fingerprint;
use crate::explore::parallel::weight::Weight;
use crate::model::Step;

/// The place of a node on the path to an execution.
#[derive(Clone, Copy, Debug)]
enum NodePlace {
    /// A node on the path to the current execution.
    Here(usize),
    /// A node that a detour has set aside: the number of the detour, and that of the node there.
    Aside(usize, usize),
}

/// A node on the path to an execution, and the event that tells its child on this path from the others.
#[derive(Clone, Copy, Debug)]
struct Stop {
    place: NodePlace,
    told_by: Option<(usize, u32)>,
}

/// Some open children of one node.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The number of nodes above the node.
    depth: usize,
    /// The execution on whose path the node is, see [`DataCentric::path_of`].
    level: usize,
    list: List,
}

/// The list that an open child is in.
#[derive(Clone, Copy, Debug)]
enum List {
    /// The open children of a node.
    Node(NodePlace),
    /// The children that the current execution has shown, or those of a detour: the number of the child.
    Ahead(usize),
}

impl DataCentric {
    /// Begins with an open child. Nothing must be left to do.
    pub(super) fn begin(&mut self, OpenChild { path, child, .. }: OpenChild) {
        self.graph.truncate(0);
        self.frames = path;
        self.detours.clear();
        self.found.clear();
        self.is_vain = false;
        match child.leaves_out && child.steps.is_empty() {
            true => self.leave_out(&child),
            false => self.entering = Some(child),
        }
    }

    /// Drops the nodes on the path of the child that was entered if they name processes that the program does not
    /// have. Then they are damaged, or belong to another program.
    pub(super) fn check_path(&mut self) {
        let processes = self.graph.processes();
        let is_known = |frame: &Frame| {
            frame.process < processes
                && frame.told_by.is_none_or(|(process, _)| process < processes)
        };
        if !self.frames.iter().all(is_known) {
            self.frames.clear();
            self.is_vain = true;
        }
    }

    /// Removes all open children. The nodes of the current execution must have been looked back at.
    pub(super) fn split_all(&mut self) -> Vec<OpenChild> {
        let mut all = Vec::new();
        for level in (0..=self.detours.len()).rev() {
            let path = self.path_of(level);
            let (first, mut children) = match self.detours.get_mut(level) {
                Some(detour) => (detour.at() + 1, std::mem::take(detour.children())),
                None => (0, std::mem::take(&mut self.found)),
            };
            for (depth, stop) in path.iter().enumerate().skip(first) {
                let open = std::mem::take(&mut self.node_mut(stop.place).open);
                children.extend(open.into_iter().map(|child| (depth, child)));
            }
            let open = children.into_iter();
            all.extend(open.map(|(depth, child)| self.describe(&path[..=depth], child)));
        }
        all
    }

    /// Removes one of the open children that are nearest to the root, unless it is the only one. The nodes of
    /// the current execution must have been looked back at.
    pub(super) fn split_one(&mut self) -> Option<OpenChild> {
        let mut open = 0;
        let mut nearest: Option<Candidate> = None;
        let mut consider = |depth: usize, level: usize, children: usize, list: List| {
            open += children;
            if children > 0 && nearest.is_none_or(|nearest| depth < nearest.depth) {
                nearest = Some(Candidate { depth, level, list });
            }
        };
        let current = self.detours.len();
        for (depth, frame) in self.frames.iter().enumerate() {
            consider(depth, current, frame.open.len(), List::Node(NodePlace::Here(depth)));
        }
        for (number, (depth, _)) in self.found.iter().enumerate() {
            consider(*depth, current, 1, List::Ahead(number));
        }
        for (level, detour) in self.detours.iter().enumerate() {
            for (number, frame) in detour.aside().iter().enumerate() {
                let list = List::Node(NodePlace::Aside(level, number));
                consider(detour.at() + 1 + number, level, frame.open.len(), list);
            }
            for (number, depth) in detour.open().enumerate() {
                consider(depth, level, 1, List::Ahead(number));
            }
        }
        let Candidate { depth, level, list } = nearest.filter(|_| open > 1)?;
        let path = self.path_of(level);
        let child = match (list, self.detours.get_mut(level)) {
            (List::Node(place), _) => self.node_mut(place).open.pop()?,
            (List::Ahead(number), Some(detour)) => detour.children().remove(number).1,
            (List::Ahead(number), None) => self.found.remove(number).1,
        };
        Some(self.describe(&path[..=depth], child))
    }

    /// Returns the open child of the node with this number on the current path.
    pub(super) fn describe_here(&mut self, depth: usize, child: Child) -> OpenChild {
        let path = self.path_of(self.detours.len());
        self.describe(&path[..=depth], child)
    }

    /// Returns the nodes on the path to an execution: the one from which the detour with this number was made,
    /// or the current one if there is no such detour.
    fn path_of(&self, level: usize) -> Vec<Stop> {
        let stop = |place: NodePlace, frame: &Frame| Stop { place, told_by: frame.told_by };
        let here = self.frames.iter().enumerate();
        let mut path: Vec<Stop> = here.map(|(i, frame)| stop(NodePlace::Here(i), frame)).collect();
        for (number, detour) in self.detours.iter().enumerate().skip(level).rev() {
            path.truncate(detour.at() + 1);
            path[detour.at()].told_by = detour.told_by();
            let aside = detour.aside().iter().enumerate();
            path.extend(aside.map(|(i, frame)| stop(NodePlace::Aside(number, i), frame)));
        }
        path
    }

    fn node_mut(&mut self, place: NodePlace) -> &mut Frame {
        match place {
            NodePlace::Here(index) => &mut self.frames[index],
            NodePlace::Aside(detour, index) => &mut self.detours[detour].aside_mut()[index],
        }
    }

    /// Returns an open child with the nodes on its path.
    fn describe(&mut self, path: &[Stop], child: Child) -> OpenChild {
        let node = |stop: &Stop| {
            let frame = self.node_mut(stop.place);
            if frame.is_undecided() && frame.claim.is_none() {
                frame.claim = Some(claim(frame, &child.steps));
            }
            Frame { told_by: stop.told_by, ..frame.on_path() }
        };
        let path = path.iter().map(node).collect();
        OpenChild { path, child, weight: Weight::NONE }
    }
}

/// Returns a number that no other node has. `steps` contain the events of the node.
///
/// A sequence of the events of a node determines their observations. Two nodes with the same events differ
/// in their next event or in their offers.
fn claim(node: &Frame, steps: &[Step]) -> Fingerprint {
    let mut claim = Fingerprint::new(0x510e_527f_ade6_82d1_9b05_688c_2b3e_6c1f);
    let mut counts: SmallVec<[u32; 8]> = SmallVec::from_elem(0, node.cut.len());
    for Step { process, choice } in steps {
        let process = process.index();
        if let Some(count) = counts.get_mut(process).filter(|count| **count < node.cut[process]) {
            *count += 1;
            claim = claim.then((process as u128) << 32 | u128::from(*choice));
        }
    }
    claim = claim.then(1 << 127 | (node.process as u128) << 32 | u128::from(node.number));
    for offer in &node.offers {
        claim = claim.then(u128::from(offer.number) << 32 | u128::from(offer.writes));
    }
    claim
}
