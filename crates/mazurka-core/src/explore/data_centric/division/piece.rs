//! Open children: children that no worker has entered, with the nodes on the path to them.

use std::collections::HashSet;

use crate::explore::data_centric::graph::identity::Identity;
use crate::explore::data_centric::lessons::Lessons;
use crate::explore::data_centric::tree::frame::{Changed, Child, Frame, Guess, Offer as Offered};
use crate::explore::fingerprint::Fingerprint;
use crate::explore::parallel::weight::Weight;
use crate::explore::parallel::{Known, Offer};
use crate::model::Step;
use crate::wire::{Malformed, Reader, Wire, wire_struct};

/// A child that no worker has entered, with the nodes on the path to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OpenChild {
    /// The nodes on the path. The last one is the node of the child.
    pub(crate) path: Vec<Frame>,
    pub(crate) child: Child,
    /// Its weight, if the search is divided into parts.
    pub(crate) weight: Weight,
}

impl Offer for OpenChild {
    type Known = Shared;

    fn depth(&self) -> usize {
        self.path.len()
    }
}

/// What all workers share besides the open children.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// The lessons from which the search began, and the takers that workers have agreed on since then.
    pub(crate) lessons: Lessons,
    /// The claims that have been made.
    pub(crate) claims: HashSet<Fingerprint>,
    /// Whether the lessons are those for which the search starts over.
    has_learnt: bool,
}

impl Shared {
    /// Returns what the workers of a search share that begins with these lessons.
    pub(crate) fn new(lessons: Lessons) -> Self {
        Shared { lessons, ..Shared::default() }
    }

    /// Keeps the lessons of a worker for which the search starts over. If several workers have learnt
    /// something, those of the first are kept, and the search learns the others again.
    pub(crate) fn learn(&mut self, lessons: &Lessons) {
        if !std::mem::replace(&mut self.has_learnt, true) {
            self.lessons = lessons.clone();
        }
    }
}

impl Known for Shared {
    fn after_restart(self) -> Self {
        Shared::new(self.lessons)
    }
}

wire_struct!(Offered { number: number, writes: writes });
wire_struct!(Changed { process: process, number: number, identity: identity });
wire_struct!(Guess { takes_effect: takes_effect, is_idle: is_idle });

impl Wire for Fingerprint {
    fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.number().to_le_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let (bytes, rest) = from.0.split_first_chunk().ok_or(Malformed)?;
        from.0 = rest;
        Ok(Fingerprint::new(u128::from_le_bytes(*bytes)))
    }
}

wire_struct!(Identity { 0: fingerprint });

impl Wire for Child {
    fn write(&self, to: &mut Vec<u8>) {
        self.steps.len().write(to);
        self.steps.iter().for_each(|step| step.write(to));
        self.changed.write(to);
        (self.guess, self.leaves_out).write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let steps = Vec::<Step>::read(from)?.into_boxed_slice();
        let changed = Wire::read(from)?;
        let (guess, leaves_out) = Wire::read(from)?;
        Ok(Child { steps, changed, guess, leaves_out })
    }
}

/// Writes a node on the path of an open child. `before` is the cut of the node before it.
fn write_node(node: &Frame, before: &[u32], to: &mut Vec<u8>) {
    node.cut.len().write(to);
    for (process, count) in node.cut.iter().enumerate() {
        (count - before.get(process).copied().unwrap_or(0)).write(to);
    }
    node.process.write(to);
    let kinds = [node.waits, node.is_deferred, node.acquires, node.joins, node.looked_back];
    let kinds = kinds.iter().enumerate().map(|(bit, is_set)| u8::from(*is_set) << bit);
    kinds.sum::<u8>().write(to);
    (node.offered, node.written).write(to);
    node.offers.write(to);
    (node.first, node.told_by, node.claim).write(to);
}

fn read_node(before: &[u32], from: &mut Reader<'_>) -> Result<Frame, Malformed> {
    let mut cut = Vec::new();
    for process in 0..usize::read(from)? {
        let count = before.get(process).copied().unwrap_or(0);
        cut.push(count.checked_add(u32::read(from)?).ok_or(Malformed)?);
    }
    let process = usize::read(from)?;
    let number = cut.get(process).and_then(|count| count.checked_add(1)).ok_or(Malformed)?;
    let mut node = Frame::default();
    node.reset(cut.into_iter(), process, number);
    let kinds = u8::read(from)?;
    let [waits, is_deferred, acquires, joins, looked_back] =
        [0, 1, 2, 3, 4].map(|bit| kinds >> bit & 1 == 1);
    (node.waits, node.is_deferred) = (waits, is_deferred);
    (node.acquires, node.joins, node.looked_back) = (acquires, joins, looked_back);
    (node.offered, node.written) = Wire::read(from)?;
    node.offers = Wire::read(from)?;
    (node.first, node.told_by, node.claim) = Wire::read(from)?;
    let is_known = |(process, number): (usize, u32)| process < MOST_PROCESSES && number > 0;
    // Another execution may have shown fewer processes. The missing ones have no events.
    let mut missing = before.iter().skip(node.cut.len());
    let is_sound = missing.all(|count| *count == 0)
        && node.cut.len() <= MOST_PROCESSES
        && kinds < 1 << 5
        && node.told_by.is_none_or(is_known)
        && (node.looked_back || node.claim.is_some());
    if is_sound { Ok(node) } else { Err(Malformed) }
}

/// The maximum number of processes: tables have an entry for each.
const MOST_PROCESSES: usize = 1 << 20;

/// Writes open children. Each has most of its path in common with the one before it.
pub(crate) fn write(children: &[OpenChild], to: &mut Vec<u8>) {
    children.len().write(to);
    let mut before: &[Frame] = &[];
    for OpenChild { path, child, weight } in children {
        let common = path.iter().zip(before).take_while(|(mine, other)| mine == other).count();
        (common, path.len() - common).write(to);
        for index in common..path.len() {
            let above = index.checked_sub(1).map_or(&[][..], |above| &path[above].cut);
            write_node(&path[index], above, to);
        }
        child.write(to);
        weight.write(to);
        before = path;
    }
}

/// The maximum number of nodes on the paths of all open children that are read at once.
const MOST_NODES: usize = 5_000_000;

/// Reads open children, which may come from anywhere.
pub(crate) fn read(from: &mut Reader<'_>) -> Result<Vec<OpenChild>, Malformed> {
    let mut children: Vec<OpenChild> = Vec::new();
    // A few bytes could otherwise stand for paths that fill the memory.
    let mut room = MOST_NODES;
    for _ in 0..usize::read(from)? {
        let (common, others): (usize, usize) = Wire::read(from)?;
        let before = children.last().map_or(&[][..], |child| &child.path);
        let mut path = before.get(..common).ok_or(Malformed)?.to_vec();
        room = room.checked_sub(common).ok_or(Malformed)?;
        for _ in 0..others {
            room = room.checked_sub(1).ok_or(Malformed)?;
            let above = path.last().map_or(&[][..], |above| &above.cut);
            path.push(read_node(above, from)?);
        }
        let (child, weight) = Wire::read(from)?;
        let child = OpenChild { path, child, weight };
        if !child.is_sound() {
            return Err(Malformed);
        }
        children.push(child);
    }
    Ok(children)
}

impl OpenChild {
    /// Returns the number of its steps and of the nodes on its path.
    pub(crate) fn size(&self) -> usize {
        self.path.len() + self.child.steps.len()
    }

    /// Returns whether this can be an open child of some program: its steps contain the events of its node
    /// and those that differ.
    fn is_sound(&self) -> bool {
        let Some(node) = self.path.last() else { return false };
        let Child { steps, changed, leaves_out, .. } = &self.child;
        let mut counts = vec![0; node.cut.len()];
        for step in steps {
            let process = step.process.index();
            if process >= MOST_PROCESSES {
                return false;
            }
            if process >= counts.len() {
                counts.resize(process + 1, 0);
            }
            counts[process] += 1;
        }
        let has = |process: usize, number: u32| {
            number > 0 && counts.get(process).is_some_and(|count| number <= *count)
        };
        counts.iter().zip(&node.cut).all(|(count, needed)| count >= needed)
            && changed.iter().all(|changed| has(changed.process, changed.number))
            && *leaves_out == changed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use smallvec::smallvec;

    use super::*;
    use crate::model::ProcessId;

    fn open_child(depth: usize) -> OpenChild {
        let node = |count: usize| {
            let mut node = Frame::default();
            node.reset([count as u32, 1].into_iter(), 0, count as u32 + 1);
            node.offers = smallvec![Offered { number: 2, writes: 1 }];
            node.first = Some(Identity::of_process(count));
            (node.told_by, node.looked_back) = (Some((1, 2)), true);
            node
        };
        let path: Vec<Frame> = (0..depth).map(node).collect();
        let mut steps = vec![Step::of(ProcessId::new(0)); depth];
        steps.insert(0, Step { process: ProcessId::new(1), choice: 2 });
        let identity = Identity::INITIAL;
        let changed = smallvec![Changed { process: 0, number: depth as u32, identity }];
        let guess = Guess { takes_effect: true, is_idle: false };
        let child = Child { steps: steps.into(), changed, guess, leaves_out: false };
        OpenChild { path, child, weight: Weight::WHOLE }
    }

    #[test]
    fn open_children_are_read_as_they_were_written() {
        let mut undecided = open_child(4);
        let node = &mut undecided.path[1];
        (node.acquires, node.joins, node.looked_back) = (true, true, false);
        node.claim = Some(Fingerprint::new(77));
        let mut fewer_processes = open_child(4);
        fewer_processes.path[1].cut.extend([0, 0]);
        fewer_processes.path[2].cut.push(0);
        let children =
            vec![open_child(3), open_child(5), undecided, fewer_processes, open_child(1)];
        let mut bytes = Vec::new();
        write(&children, &mut bytes);
        let mut reader = Reader(&bytes);
        assert_eq!(read(&mut reader), Ok(children));
        assert!(reader.0.is_empty());
        for len in 0..bytes.len() {
            assert_eq!(read(&mut Reader(&bytes[..len])), Err(Malformed));
        }
    }

    #[test]
    fn steps_without_the_events_of_the_node_are_refused() {
        let mut short = open_child(3);
        short.child.steps = short.child.steps[..2].into();
        assert!(!short.is_sound() && open_child(3).is_sound());
        let mut other = open_child(3);
        other.child.changed[0].number = 9;
        assert!(!other.is_sound());
    }
}
