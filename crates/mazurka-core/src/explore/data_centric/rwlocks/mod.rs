//! Reader-writer locks: what is done to them is ordered only as far as it matters.
//!
//! Who acquires such a lock for reading, or releases it then, *joins* the others who do: their operations
//! are not ordered. Who acquires it for writing *ends* what they have joined, and so does the release. An
//! operation of a reader observes the last one that has ended something, and one that ends something
//! observes this, too, and all that readers have done since. So an acquisition for reading *conflicts* with
//! those that end something, and one for writing with all.
//!
//! # Nodes
//!
//! A release is where it is: while its process holds the lock, nobody can do anything that it conflicts
//! with. An acquisition `e` that could come at once, behind the events `S`, has two children, which divide
//! the executions that have `S`: in one it does come at once; in the other it is *left out* until
//! something else has come on the lock that it conflicts with. Such executions exist only if there is
//! something of that kind without `e` in its past, and that is looked for in all executions below the
//! first child. Let `y` be the first operation of that kind in one of the second. If `e` comes right before
//! `y` instead, the execution is below the first child, and there `y` is performed, or its process
//! waits for it, and `e` is not in its past.
//!
//! A child is entered only if there is a reason, but it may turn out that there is none after all: what
//! was to come first does not, because it takes something that comes behind `e`. Then all that could go on
//! has been left out, and the run was in vain. It is looked at like any other: it is an execution of the
//! program in which who is left out does not move.
//!
//! # Irregular use
//!
//! All this takes locks that are only acquired, by processes that wait, and released by them. Something
//! else may be done to one, such as to initialise it, as long as it is before or behind whatever else is
//! done there because of what processes have seen. If it is not (an attempt that may fail, say), all
//! operations on the lock are ordered, as additions are.

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
    /// Whether an event is on a shared lock.
    pub(crate) fn is_on_shared_lock(&self, event: u32) -> bool {
        self.graph.shared_access(event).is_some()
    }

    /// Orders all operations on a lock from now on if there is an event that neither acquires nor releases
    /// it, and that is neither before nor behind the last one.
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

    /// The same for what processes wait to do.
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

    /// Adds a node for the last event of the execution, which is on a shared lock, if it acquires that.
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

    /// Finds out which acquisitions need not come at once, since there is something else on their locks
    /// that might come first.
    pub(crate) fn look_for_others_on_locks(&mut self, waiting: &[Movable], execution: &Execution) {
        for index in 0..self.frames.len() {
            let frame = &self.frames[index];
            let is_left_out = frame.looked_back || frame.told_by.is_none();
            if !frame.acquires || is_left_out || !self.others_might_come_first(frame, waiting) {
                continue;
            }
            // The events of a node can be taken in the order of any execution that has them.
            let steps = execution.steps().enumerate();
            let of_node = steps.filter(|(i, _)| self.graph.is_within(*i as u32, &frame.cut));
            let steps = of_node.map(|(_, step)| step).collect();
            let frame = &mut self.frames[index];
            frame.looked_back = true;
            frame.open.push(Child::leaving_out(steps));
        }
    }

    /// Whether there is an operation that conflicts with the acquisition of a node without having it in
    /// its past, and that is not itself left out until somebody else comes.
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
        // While a process holds the lock itself, it is not kept from it, and keeps itself from it.
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

    /// Whether all who hold a lock for reading, among the events of a node and in some past, release it
    /// without having the node's acquisition in their pasts.
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

    /// How many of the events of a node on a lock conflict with an operation of this kind.
    fn conflicts_within(&self, frame: &Frame, group: CellGroup, share: Share) -> u32 {
        let events = self.graph.events_on(group).iter();
        let within = events.filter(|event| self.graph.is_within(**event, &frame.cut));
        within.filter(|event| share.conflicts(self.graph.share(**event, group))).count() as u32
    }

    /// Whether something within `cut` that is not among the events of a node conflicts with its
    /// acquisition.
    pub(crate) fn others_come_first(&self, frame: &Frame, cut: &[u32]) -> bool {
        let Some(group) = frame.observes.first() else { return false };
        let comes_first = |event: &u32| {
            self.graph.is_within(*event, cut) && !self.graph.is_within(*event, &frame.cut)
        };
        // What is written ends what was there, even if the lock has a name here under which it is not
        // known to be shared.
        self.graph.writes_to(*group).iter().any(comes_first)
            || (!frame.joins && self.graph.events_on(*group).iter().any(comes_first))
    }

    /// Enters the child of the deepest node in which its acquisition is left out for now.
    pub(crate) fn leave_out(&mut self, child: &Child) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.told_by = None;
        let Frame { process, number, offered, .. } = *frame;
        self.offers.clone_from(&frame.offers);
        self.set_offer(process, Offer { number, writes: offered });
        self.note_node(&child.steps);
    }

    /// Whether a process is about to acquire a shared lock, and is left out for now.
    pub(crate) fn is_left_out<M: Machine>(
        &self,
        machine: &M,
        execution: &Execution,
        process: ProcessId,
    ) -> bool {
        let offered = self.offered_to(process.index());
        let Some(action) = machine.next(process).filter(|action| offered > 0 && action.waits)
        else {
            return false;
        };
        let Some(cell) = execution.cell_of(action) else { return false };
        let group = self.lessons.group(cell);
        let share = if action.op == Op::Add { Share::Joins } else { Share::Ends };
        let all = self.graph.events_on(group).len();
        self.lessons.is_shared(group) && self.graph.conflicts_among(group, all, share) < offered
    }
}
