//! Adding nodes as the execution grows, and entering children.

use smallvec::smallvec;

use super::DataCentric;
use super::frame::{Changed, Child, Frame, Guess};
use super::movable::Movable;
use crate::execution::Execution;
use crate::explore::data_centric::graph::access::observed_groups;
use crate::explore::data_centric::graph::{GraphEvent, bit};
use crate::model::Step;

impl DataCentric {
    /// Adds a node whose next event is the last event of the execution, if the node can have several
    /// children.
    pub(crate) fn add_frame(&mut self, execution: &Execution) {
        let last = self.graph.len() as u32 - 1;
        if self.is_on_shared_lock(last) {
            self.add_acquisition(last);
            return;
        }
        let event = self.graph.event(last);
        let accesses = self.graph.accesses(last);
        if event.alternatives == 1 && !accesses.iter().any(|access| access.reads) {
            return;
        }
        let waits = event.waits;
        let mut frame = self.new_frame(last);
        frame.waits = waits;
        if let Some(awaited) = frame.observes.first().filter(|_| waits) {
            let writes = self.graph.writes_to(*awaited);
            frame.written = (writes.len() - usize::from(writes.last() == Some(&last)) + 1) as u32;
        }
        self.frames.push(frame);
        self.add_alternatives(last, execution);
    }

    /// Returns a node whose next event is `last`, the last event of the execution.
    pub(crate) fn new_frame(&mut self, last: u32) -> Frame {
        let mut frame = self.spare.pop().unwrap_or_default();
        let event = self.graph.event(last);
        let counts = (0..self.graph.processes())
            .map(|process| self.graph.count(process) - u32::from(process == event.process));
        frame.reset(counts, event.process, event.number);
        frame.observes.extend(observed_groups(self.graph.accesses(last)));
        frame.offers.extend_from_slice(&self.offers);
        let offer = self.offers.get(event.process).copied().unwrap_or_default();
        frame.offered = if offer.number == event.number { offer.writes } else { 0 };
        frame.first = Some(event.identity);
        frame.told_by = Some((event.process, event.number));
        frame
    }

    /// Adds the children of the deepest node that differ from the current one in the alternative that
    /// `event` takes.
    pub(crate) fn add_alternatives(&mut self, event: u32, execution: &Execution) {
        let deepest = self.frames.len().wrapping_sub(1);
        let Some(frame) = self.frames.last_mut() else { return };
        let GraphEvent { process, number, choice: chosen, alternatives, .. } =
            *self.graph.event(event);
        // Mutation finds an event that comes instead of a waiting event with all of its alternatives.
        let is_own = (process, number) == (frame.process, frame.number);
        if chosen != 0 || (frame.waits && !is_own) {
            return;
        }
        for choice in 1..alternatives {
            let mut steps: Box<[Step]> = execution.steps().collect();
            steps[event as usize].choice = choice;
            let identity = self.graph.identity_choosing(event, choice);
            let changed = smallvec![Changed { process, number, identity }];
            let child = Child { steps, changed, guess: Guess::default(), leaves_out: false };
            match self.detours.last_mut().and_then(|detour| detour.children_at(deepest)) {
                Some(children) => children.push((deepest, child)),
                None => frame.open.push(child),
            }
        }
    }

    /// Computes for each group the nodes whose next events observe it. An object may have another name
    /// in each execution, so this is done at the end of each.
    pub(crate) fn index_frames(&mut self, waiting: &[Movable]) {
        self.observers.iter_mut().for_each(Vec::clear);
        self.observing.iter_mut().for_each(Vec::clear);
        self.observes_several = false;
        for (index, frame) in self.frames.iter_mut().enumerate() {
            if frame.is_deferred {
                continue; // Its child without the next event has all other executions.
            }
            let accesses = match self.graph.find(frame.process, frame.number) {
                Some(event) => self.graph.accesses(event),
                // The event still waits: another event came instead.
                None => {
                    let mut pending = waiting.iter().filter(|m| m.is_of(frame.process));
                    pending.next().map_or(&[][..], Movable::accesses)
                }
            };
            frame.observes.clear();
            match accesses {
                [only] if only.reads => frame.observes.push(only.group),
                all => frame.observes.extend(observed_groups(all)),
            }
            self.observes_several |= frame.observes.len() > 1;
            if frame.acquires {
                continue; // As above: the second child has all other executions.
            }
            for group in &frame.observes {
                let needed = group.index() + 1;
                if self.observers.len() < needed {
                    self.observers.resize_with(needed, Vec::new);
                    self.observing.resize_with(needed, Vec::new);
                }
                self.observers[group.index()].push(index as u32);
                let observing = &mut self.observing[group.index()];
                let so_far = observing.last().copied().unwrap_or(0);
                observing.push(so_far | bit(frame.process));
            }
        }
    }

    /// Finds the processes whose next event at some node was overtaken.
    fn note_overtaken(&mut self) {
        let frames = self.frames.iter();
        let overtaken = frames.filter(|frame| {
            frame.told_by.is_some_and(|event| event != (frame.process, frame.number))
        });
        self.overtaken = overtaken.fold(0, |all, frame| all | bit(frame.process));
    }

    /// Removes the deepest node.
    pub(crate) fn drop_frame(&mut self) {
        self.spare.extend(self.frames.pop());
    }

    /// Starts to enter a child. Returns how many steps of the current execution it shares.
    pub(crate) fn go_to(&mut self, child: Child, execution: &Execution) -> usize {
        let common = execution.steps().zip(&child.steps).take_while(|(a, b)| a == *b).count();
        if child.leaves_out && common == child.steps.len() {
            self.graph.truncate(common);
            self.leave_out(&child);
            return common;
        }
        // The last step is taken again in any case, so that `enter` checks it.
        let len = common.min(child.steps.len() - 1);
        self.graph.truncate(len);
        self.entering = Some(child);
        len
    }

    /// Enters a child whose steps have all been taken, after checking that its events are as planned.
    pub(crate) fn enter(&mut self, child: &Child, execution: &Execution) {
        self.is_first = false;
        if child.leaves_out {
            self.leave_out(child);
            return;
        }
        for (i, changed) in child.changed.iter().enumerate() {
            let event = self.graph.find(changed.process, changed.number);
            let event = event.expect("it was among the steps");
            let is_last = i + 1 == child.changed.len();
            if self.graph.event(event).identity != changed.identity {
                // A guess that the moved event takes effect may be wrong. Otherwise the events did
                // something else than before, because some object has another name.
                if !(is_last && i > 0 && child.guess.takes_effect) {
                    self.lessons.doubt_names();
                }
                self.is_vain = true;
                return;
            }
            if is_last {
                let has_effect = self.graph.accesses(event).iter().any(|access| access.writes);
                if child.guess.is_idle && has_effect {
                    self.is_vain = true;
                    return;
                }
                self.settle(changed);
                self.note_node(&child.steps);
                if let Some(frame) = self.frames.last_mut() {
                    frame.told_by = Some((changed.process, changed.number));
                    frame.is_late = None;
                }
                self.note_overtaken();
                self.add_alternatives(event, execution);
            }
        }
    }
}
