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
use super::movable::{Movable, Sources, join};
use crate::execution::Execution;
use crate::explore::data_centric::graph::INITIAL;
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
        let mut cut: SmallVec<[u32; 8]> = cut.into();
        for index in from..self.frames.len() {
            let frame = &self.frames[index];
            join(&mut cut, &frame.cut);
            if frame.number <= cut[frame.process] {
                continue;
            }
            if frame.acquires {
                if frame.told_by.is_none() != self.others_come_first(frame, &cut) {
                    return false;
                }
                if frame.told_by.is_some() {
                    cut[frame.process] = frame.number;
                }
                continue;
            }
            match frame.told_by {
                // The event is left out in this child.
                None => continue,
                Some(_) if frame.is_deferred => return false,
                Some((process, number)) if (process, number) != (frame.process, frame.number) => {
                    if number > cut[process] {
                        return false;
                    }
                    continue;
                }
                Some(_) => {}
            }
            let Some(event) = self.graph.find(frame.process, frame.number) else { return false };
            let is_late = match frame.waits {
                true => self.comes_at_once(frame, event, &cut),
                false => {
                    let mut reads = self.graph.accesses(event).iter().filter(|a| a.reads);
                    self.graph.event(event).choice == 0
                        && reads.all(|access| self.graph.is_within(access.source, &cut))
                }
            };
            if !is_late {
                return false;
            }
            let (process, number) = (frame.process, frame.number);
            if let (false, Some(execution)) = (frame.waits, execution)
                && !self.observes_latest(event, &cut, execution)
            {
                return false;
            }
            cut[process] = number;
        }
        true
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

    /// Returns whether an event observes the latest writes within `cut` that it can observe.
    fn observes_latest(&mut self, event: u32, cut: &[u32], execution: &Execution) -> bool {
        let graph = &self.graph;
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
        for sources in lists {
            let observing = self.observing(cut.into(), &next, &sources, None, execution);
            let Some(observing) = observing else { continue };
            let identity = next.past.identity;
            if self.realised(&observing, identity, None).is_some() {
                return false;
            }
        }
        true
    }
}
