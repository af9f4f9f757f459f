//! From which execution a child is entered.
//!
//! A child in which the next event `e` of a node observes `w` can be found in every execution below the
//! node that has the past of `w`, and has `e` elsewhere. There may be many of them, and many children:
//! more than anybody could remember. So of all these executions, one is *canonical*, which can be told
//! by looking at it, and the child is entered from there.
//!
//! Let `Q` be the events of the node and the past of `w`. The canonical execution is the one that has `Q`,
//! and in which all other events come as late as possible: below the node, whenever the next event `g` is
//! not in `Q`, it observes the *latest* write in `Q` that it could observe at all, and joins `Q`. The
//! latest is the one with the largest past; of two that are equal in that, the one of the process with
//! the higher number. Both mean the same in all executions that have `Q`, and so does whether `Q` and `g`
//! with that observation can be realised.
//!
//! For an event that waits, the children of its node are itself and what could come next on its location
//! instead. If `Q` has something that comes next there, that decides; if not, then `g` comes at once.
//! So it is with an event that acquires a [shared lock](super::sharing): it comes at once unless `Q` has
//! something beyond its node that it conflicts with.

use smallvec::SmallVec;

use super::DataCentric;
use super::frame::Frame;
use super::movable::{Movable, Sources, join};
use crate::execution::Execution;
use crate::explore::data_centric::graph::INITIAL;

impl DataCentric {
    /// Whether the current execution is the canonical one to enter a child of a node from, all that
    /// comes before the child's last events being within `cut`.
    pub(crate) fn is_canonical(
        &mut self,
        frame: usize,
        cut: &[u32],
        execution: &Execution,
    ) -> bool {
        // What can be told from clocks alone comes first, and is known if the next event reads nothing
        // else than what was moved.
        let is_known_late = self.frames[frame].observes.len() == 1;
        (is_known_late || self.comes_late(frame, cut, None))
            && self.comes_late(frame, cut, Some(execution))
    }

    /// Whether all events that are not needed observe something within `cut` and what has joined it;
    /// with an `execution`, whether that is the latest that they could observe.
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
                // It is left out for now.
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

    /// Whether an event that waits comes at once, nothing within `cut` coming next on its locations.
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

    /// Whether an event observes the latest writes within `cut` that it could observe.
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
        let lateness = |sources: &Sources| -> SmallVec<[(u32, usize); 2]> {
            sources.iter().map(|source| graph.lateness(*source)).collect()
        };
        let current = lateness(&reads.map(|access| access.source).collect());
        let next = Movable::of_event(graph, execution, event);
        let may_observe = |source: u32| source == INITIAL || graph.is_within(source, cut);
        let mut lists = self.sources_of_next(&next, may_observe, None);
        lists.retain(|sources| lateness(sources) > current);
        for sources in lists {
            let observing = self.observing(cut.into(), &next, &sources, None, execution);
            let Some(observing) = observing else { continue };
            let identity = next.past.identity;
            if self.realised(observing, identity, None).is_some() {
                return false;
            }
        }
        true
    }
}
