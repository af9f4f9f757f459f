//! Reader-writer locks: nodes of acquisitions.
//!
//! An operation of a reader observes the last operation of a writer. An operation of a writer observes
//! the last operation of a writer, and all operations of readers since then. So an acquisition for
//! reading *conflicts* with the operations of writers, and one for writing with all operations on the
//! lock; see [`lock_epochs`](super::graph).
//!
//! # Nodes
//!
//! A release has no node: while its process holds the lock, no conflicting operation is enabled. An
//! acquisition `e` that is enabled after the events `S` has two children. In the first, it comes at once.
//! In the second, it is *left out* until a conflicting operation has come on the lock. The second child
//! is entered only if an execution below the first has an operation, performed or pending, that conflicts
//! with `e` and does not have `e` in its past. This misses nothing: let `y` be the first conflicting
//! operation in an execution of the second child. If `e` comes right before `y` instead, the execution is
//! below the first child, and `y` is performed or pending there without `e` in its past.
//!
//! The second child may turn out to be empty: the conflicting operation depends on something that only
//! happens after `e`. Then all enabled processes are left out, and the run is blocked. It is used for
//! mutation like any other run, since it is an execution of the program in which the processes that are
//! left out do not move.
//!
//! # Irregular use
//!
//! All this requires that a lock is only acquired, by processes that wait for it, and released by the
//! same processes. Other operations, such as initialisation, are allowed if the causal past orders them
//! with all other operations on the lock. If it does not (`try_lock`, say), the lock is *irregular*, and
//! all operations on it are ordered, as additions are.

use smallvec::SmallVec;

use crate::execution::Execution;
use crate::execution::clock::ClockId;
use crate::explore::data_centric::graph::GraphEvent;
use crate::explore::data_centric::graph::access::{GroupAccess, Share};
use crate::explore::data_centric::lessons::CellGroup;
use crate::explore::data_centric::tree::DataCentric;
use crate::explore::data_centric::tree::frame::{Child, Frame, Offer};
use crate::explore::data_centric::tree::movable::Movable;
use crate::model::{Machine, Op, ProcessId};

impl DataCentric {
    /// Returns whether an event is on a reader-writer lock.
    pub(crate) fn is_on_shared_lock(&self, event: u32) -> bool {
        self.graph.shared_access(event).is_some()
    }

    /// Makes the lock of the last event irregular if the lock has an operation other than acquire and
    /// release that the causal past does not order with the others.
    pub(crate) fn notice_irregular_use(&mut self) {
        let last = self.graph.len() as u32 - 1;
        let Some(access) = self.graph.shared_access(last).filter(|_| !self.lessons.has_news())
        else {
            return;
        };
        let (group, event) = (access.group, self.graph.event(last));
        let is_regular = self.graph.accesses(last).len() == 1
            && event.alternatives == 1
            && (access.waits || self.graph.is_release(last, access));
        let is_free = |other: u32| !self.graph.is_past(other, event.past.clock);
        let mut all = self.graph.events_on(group).iter();
        let is_irregular = match is_regular {
            true => self.graph.loose_on(group).any(is_free),
            false => all.any(|other| *other != last && is_free(*other)),
        };
        if is_irregular {
            self.lessons.is_irregular(group);
        } else if !is_regular {
            self.graph.note_loose();
        }
    }

    /// Makes locks irregular for which a process waits, likewise.
    pub(crate) fn notice_irregular_waiting(&mut self, waiting: &[Movable]) {
        for movable in waiting {
            for GroupAccess { group, .. } in
                movable.accesses.iter().filter(|a| a.share != Share::No)
            {
                let is_free = |other: u32| !self.graph.is_past(other, movable.past.clock);
                if self.graph.loose_on(*group).any(is_free) {
                    self.lessons.is_irregular(*group);
                }
            }
        }
    }

    /// Adds a node for the last event of the execution, which is on a reader-writer lock, if it acquires
    /// the lock.
    pub(crate) fn add_acquisition(&mut self, last: u32) {
        let Some(access) = self.graph.shared_access(last) else { return };
        let (group, share) = (access.group, access.share);
        if !access.waits {
            return;
        }
        let mut frame = self.new_frame(last);
        let earlier = self.graph.events_on(group).len() - 1;
        (frame.acquires, frame.joins) = (true, share == Share::Joins);
        frame.offered = self.graph.conflicts_among(group, earlier, share) + 1;
        self.frames.push(frame);
    }

    /// Finds the nodes of acquisitions for which a conflicting operation might come first, and adds their
    /// second children.
    pub(crate) fn look_for_others_on_locks(&mut self, waiting: &[Movable], execution: &Execution) {
        for index in 0..self.frames.len() {
            let frame = &self.frames[index];
            let is_left_out = frame.looked_back || frame.told_by.is_none();
            if !frame.acquires || is_left_out || !self.others_might_come_first(frame, waiting) {
                continue;
            }
            // The events of a node can be taken in the order of any execution that contains them.
            let steps = execution.steps().enumerate();
            let of_node = steps.filter(|(i, _)| self.graph.is_within(*i as u32, &frame.cut));
            let steps = of_node.map(|(_, step)| step).collect();
            let frame = &mut self.frames[index];
            frame.looked_back = true;
            let child = Child::leaving_out(steps);
            match frame.claim {
                None => frame.open.push(child),
                Some(_) => self.requests.push((index, child)),
            }
        }
    }

    /// Returns whether some operation conflicts with the acquisition of a node, does not have it in its
    /// past, and is not left out itself.
    fn others_might_come_first(&self, frame: &Frame, waiting: &[Movable]) -> bool {
        let Some(event) = self.graph.find(frame.process, frame.number) else { return false };
        let Some(own) = self.graph.shared_access(event) else { return false };
        let might_come_first = |share: Share, process: usize, number: u32, past| {
            let offer = frame.offers.get(process).filter(|offer| offer.number == number);
            own.share.conflicts(share)
                && process != frame.process
                && !frame.has(process, number)
                && self.graph.component(past, frame.process) < frame.number
                && offer.is_none_or(|offer| {
                    offer.writes <= self.conflicts_within(frame, own.group, share)
                })
                && (share == Share::Joins || self.readers_leave(frame, own.group, past))
        };
        // A process that holds the lock for reading excludes every writer, itself included.
        if self.graph.is_held_by(own.group, frame.process, event) {
            return false;
        }
        let mut performed = self.graph.events_on(own.group).iter();
        performed.any(|other| {
            let event = self.graph.event(*other);
            let share = self.graph.share(*other, own.group);
            might_come_first(share, event.process, event.number, event.past.clock)
        }) || waiting.iter().any(|movable| {
            let on_lock = movable.accesses.iter().find(|access| access.group == own.group);
            on_lock.is_some_and(|access| {
                might_come_first(access.share, movable.process, movable.number, movable.past.clock)
                    && !self.graph.is_held_by(own.group, movable.process, self.graph.len() as u32)
            })
        })
    }

    /// Returns whether all readers that hold a lock after the events of a node and of `past` release it
    /// without the node's acquisition in their past.
    fn readers_leave(&self, frame: &Frame, group: CellGroup, past: ClockId) -> bool {
        let graph = &self.graph;
        let is_needed =
            |event: u32| graph.is_within(event, &frame.cut) || graph.is_past(event, past);
        let mut holds: SmallVec<[(usize, i32); 8]> = SmallVec::new();
        for event in graph.events_on(group) {
            let GraphEvent { process, clock, .. } = *graph.event(*event);
            let share = graph.shared_access(*event).map(|access| (access.share, access.waits));
            let change = match share {
                Some((Share::Joins, true)) if is_needed(*event) => 1,
                Some((Share::Joins, false)) => -1,
                _ => continue,
            };
            if graph.component(clock, frame.process) >= frame.number {
                continue;
            }
            match holds.iter_mut().find(|(known, _)| *known == process) {
                Some((_, count)) => *count += change,
                None => holds.push((process, change)),
            }
        }
        holds.iter().all(|(_, count)| *count <= 0)
    }

    /// Returns how many events of a node on a lock conflict with an operation of this role.
    fn conflicts_within(&self, frame: &Frame, group: CellGroup, share: Share) -> u32 {
        let events = self.graph.events_on(group).iter();
        let within = events.filter(|event| self.graph.is_within(**event, &frame.cut));
        within.filter(|event| share.conflicts(self.graph.share(**event, group))).count() as u32
    }

    /// Returns whether `cut` contains an event outside of a node that conflicts with its acquisition.
    pub(crate) fn others_come_first(&self, frame: &Frame, cut: &[u32]) -> bool {
        let Some(group) = frame.observes.first() else { return false };
        let comes_first = |event: &u32| {
            self.graph.is_within(*event, cut) && !self.graph.is_within(*event, &frame.cut)
        };
        // A write conflicts even if the lock has a late name here that is not known to be a lock.
        self.graph.writes_to(*group).iter().any(comes_first)
            || (!frame.joins && self.graph.events_on(*group).iter().any(comes_first))
    }

    /// Enters the child of the deepest node that leaves its acquisition out.
    pub(crate) fn leave_out(&mut self, child: &Child) {
        self.is_first = false;
        let Some(frame) = self.frames.last_mut() else { return };
        (frame.told_by, frame.is_late) = (None, None);
        let Frame { process, number, offered, .. } = *frame;
        self.offers.clone_from(&frame.offers);
        self.set_offer(process, Offer { number, writes: offered });
        self.note_node(&child.steps);
    }

    /// Returns whether the next event of a process acquires a reader-writer lock and is left out.
    pub(crate) fn is_left_out(
        &self,
        machine: &dyn Machine,
        execution: &Execution,
        process: ProcessId,
    ) -> bool {
        let offered = self.offered_to(process.index());
        if offered == 0 {
            return false;
        }
        let Some(action) = machine.next(process).filter(|action| action.waits) else {
            return false;
        };
        let Some(cell) = execution.cell_of(action) else { return false };
        let group = self.lessons.group(cell);
        let share = if action.op == Op::Add { Share::Joins } else { Share::Ends };
        let all = self.graph.events_on(group).len();
        self.lessons.is_shared(group) && self.graph.conflicts_among(group, all, share) < offered
    }
}
