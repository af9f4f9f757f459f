//! The canonical execution, from which a child is entered.
//!
//! A child in which the next event `e` of a node observes `w` can be found in every execution below the
//! node that contains the past of `w` and has `e` elsewhere. There may be exponentially many such
//! executions, and children. So exactly one of these executions is *canonical*, which is decided by
//! looking at it alone, and the child is entered from there. In the paper's terms this replaces the
//! negative annotation.
//!
//! Let `Q` be the events of the node together with the past of `w`. In the canonical execution all other
//! events come as late as possible: at each node below, if the next event `g` is not in `Q`, it observes
//! the *latest* write in `Q` that it can observe, and joins `Q`. The latest write is the one with the
//! largest causal past, and among equals the one of the process with the highest name. Both mean the
//! same in all executions that contain `Q`, and so does whether `Q` and `g` with that observation can be
//! realised.
//!
//! If `g` waits, the children of its node are `g` itself and the events that could come next on its
//! location instead. If `Q` contains an event that comes next there, that decides; otherwise `g` comes
//! at once. Likewise, an acquisition of a [reader-writer lock](super::super::rwlocks) comes at once
//! unless `Q` contains an event outside of its node that conflicts with it.

use smallvec::SmallVec;

use super::DataCentric;
use super::frame::Frame;
use super::movable::{Movable, Sources, is_subset, join};
use crate::execution::Execution;
use crate::explore::data_centric::graph::INITIAL;
use crate::explore::data_centric::lessons::CellGroup;
use crate::explore::fingerprint::Fingerprint;

impl DataCentric {
    /// Returns whether the current execution is the canonical one for a child of a node. `cut` is the set
    /// `Q`.
    pub(crate) fn is_canonical(
        &mut self,
        frame: usize,
        cut: &[u32],
        execution: &Execution,
    ) -> bool {
        // The part that needs clocks alone comes first. `move_with` has checked it already if the next
        // event reads one group.
        let is_known_late = self.frames[frame].observes.len() == 1;
        (is_known_late || self.comes_late(frame, cut, None))
            && self.comes_late(frame, cut, Some(execution))
    }

    /// Returns whether all events outside of `cut` observe writes within `cut` and the events that have
    /// joined it; with an `execution`, also whether these are the latest that they can observe.
    pub(crate) fn comes_late(
        &mut self,
        from: usize,
        cut: &[u32],
        execution: Option<&Execution>,
    ) -> bool {
        if let Some(early) = self.last_early.filter(|early| *early >= from)
            && is_subset(cut, &self.frames[early].cut)
        {
            return false;
        }
        let mut cut: SmallVec<[u32; 8]> = SmallVec::from_slice(cut);
        for index in from..self.frames.len() {
            let frame = &self.frames[index];
            if is_subset(&cut, &frame.cut) {
                // None of the nodes from here on is early, or the first check would have failed.
                return true;
            }
            // The events that have joined `Q` are among the events of the next node.
            join(&mut cut, &frame.cut);
            if !self.comes_late_at(index, &cut, execution) {
                return false;
            }
        }
        true
    }

    /// Finds the deepest node whose next event is *early*: it observes another than the latest write within
    /// the node, or another child than the first is under way. No child with the events `Q` can be entered
    /// from this execution at a higher node if all of `Q` is within the deepest early node.
    ///
    /// This rejects most children before anything is built. On mutex_counter(6) it saves 45 % of the
    /// instructions.
    pub(crate) fn find_last_early(&mut self, execution: &Execution) {
        self.last_early = (0..self.frames.len()).rev().find(|index| {
            let is_late = self.frames[*index].is_late.unwrap_or_else(|| {
                if let Some(at_once) = self.comes_at_once_in_turn(*index) {
                    return at_once;
                }
                let mut cut: SmallVec<[u32; 8]> = SmallVec::from_slice(&self.frames[*index].cut);
                cut.resize(self.graph.processes(), 0);
                self.comes_late_at(*index, &cut, Some(execution))
            });
            self.frames[*index].is_late = Some(is_late);
            !is_late
        });
    }

    /// Returns whether the next event of a node comes late among the events of the node, if it is an event of the
    /// execution that waits and nothing else makes a difference. Nothing of the node comes after the node, so
    /// that the event comes late if it comes at once.
    fn comes_at_once_in_turn(&self, index: usize) -> Option<bool> {
        let frame = &self.frames[index];
        let own = Some((frame.process, frame.number));
        if !frame.waits || frame.acquires || frame.is_deferred || frame.told_by != own {
            return None;
        }
        let event = self.graph.find(frame.process, frame.number)?;
        Some(frame.first == Some(self.graph.event(event).identity))
    }

    /// Returns whether the next event of a node comes late if `Q` and the events of the node are those
    /// within `cut`.
    fn comes_late_at(&mut self, index: usize, cut: &[u32], execution: Option<&Execution>) -> bool {
        let frame = &self.frames[index];
        if frame.number <= cut[frame.process] {
            return true;
        }
        if frame.acquires {
            return frame.told_by.is_none() == self.others_come_first(frame, cut);
        }
        match frame.told_by {
            // The event is left out in this child.
            None => return true,
            Some(_) if frame.is_deferred => return false,
            Some((process, number)) if (process, number) != (frame.process, frame.number) => {
                return number <= cut[process];
            }
            Some(_) => {}
        }
        let Some(event) = self.graph.find(frame.process, frame.number) else { return false };
        if frame.waits {
            return self.comes_at_once(frame, event, cut);
        }
        let mut reads = self.graph.accesses(event).iter().filter(|access| access.reads);
        self.graph.event(event).choice == 0
            && reads.all(|access| self.graph.is_within(access.source, cut))
            && execution.is_none_or(|execution| self.observes_latest(event, cut, execution))
    }

    /// Returns whether a waiting event comes at once, and nothing within `cut` comes next on its groups.
    fn comes_at_once(&self, frame: &Frame, event: u32, cut: &[u32]) -> bool {
        let comes_next = |write: &u32| {
            self.graph.is_within(*write, cut) && !self.graph.is_within(*write, &frame.cut)
        };
        frame.first == Some(self.graph.event(event).identity)
            && !frame
                .observes
                .iter()
                .any(|group| self.graph.writes_to(*group).iter().any(comes_next))
    }

    /// Returns whether an event, whose only access observes `source` of a group, can observe a later write
    /// within `cut`.
    fn has_later_source(
        &mut self,
        event: u32,
        (source, group): (u32, CellGroup),
        cut: &[u32],
        execution: &Execution,
    ) -> bool {
        let graph = &self.graph;
        let (current, past) = (graph.lateness(source), graph.event(event).past.clock);
        let writes = graph.writes_to(group);
        let is_hidden = |write: u32| {
            let hides = |other: u32| {
                other != write && graph.is_past(other, past) && graph.follows(other, write)
            };
            writes.iter().any(|other| hides(*other))
        };
        let is_later = |write: &u32| {
            graph.is_within(*write, cut) && graph.lateness(*write) > current && !is_hidden(*write)
        };
        // The last ones usually fit behind all other events, which is quickly decided.
        let later: SmallVec<[u32; 8]> = writes.iter().rev().copied().filter(is_later).collect();
        if later.is_empty() {
            return false;
        }
        let next = Movable::of_event(graph, execution, event);
        later.into_iter().any(|write| {
            let (cut, sources) = (SmallVec::from_slice(cut), Sources::from_slice(&[write]));
            let observing = self.observing(cut, &next, &sources, None, execution);
            observing.is_some_and(|observing| self.is_possible(&observing, None).is_some())
        })
    }

    /// Returns whether an event observes the latest writes within `cut` that it can observe.
    fn observes_latest(&mut self, event: u32, cut: &[u32], execution: &Execution) -> bool {
        let graph = &self.graph;
        if let [only] = graph.accesses(event)
            && only.reads
        {
            let (source, group) = (only.source, only.group);
            return match self.lessons.is_ordered(group) && only.writes {
                // Each write observes the one before it, so no other write than the last can be observed.
                true => source == graph.last_write_within(group, cut),
                false => !self.has_later_source(event, (source, group), cut, execution),
            };
        }
        let within = |write: &&u32| graph.is_within(**write, cut);
        let reads = graph.accesses(event).iter().filter(|access| access.reads);
        let mut is_latest = true;
        for access in reads.clone() {
            let writes = graph.writes_to(access.group).iter().filter(within);
            let latest = writes.map(|write| graph.lateness(*write)).max();
            is_latest &= latest.is_none_or(|latest| latest == graph.lateness(access.source));
        }
        if is_latest {
            return true;
        }
        let lateness = |sources: &Sources| -> SmallVec<[(u32, Fingerprint); 2]> {
            sources.iter().map(|source| graph.lateness(*source)).collect()
        };
        let current = lateness(&reads.map(|access| access.source).collect());
        let next = Movable::of_event(graph, execution, event);
        let may_observe = |source: u32| source == INITIAL || graph.is_within(source, cut);
        let mut lists = self.sources_of_next(&next, (may_observe, self.graph.len() as u32), None);
        lists.retain(|sources| lateness(sources) > current);
        // The last ones usually fit behind all other events, which is quickly decided.
        for sources in lists.into_iter().rev() {
            let cut = SmallVec::from_slice(cut);
            let observing = self.observing(cut, &next, &sources, None, execution);
            let Some(observing) = observing else { continue };
            if self.is_possible(&observing, None).is_some() {
                return false;
            }
        }
        true
    }
}
