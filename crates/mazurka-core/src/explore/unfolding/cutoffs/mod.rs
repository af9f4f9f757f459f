//! Cut-offs: events beyond which nothing new can happen.
//!
//! An event is a cut-off if another known event has a local configuration that leads to the same state
//! and is smaller in an *adequate order* (condition 7 of the paper, and 24 in its appendix). Whatever can
//! happen after the event can happen after the smaller one. [`states`] numbers states; this file compares
//! local configurations.
//!
//! The smaller event need not be in `U` any more. Take a configuration that contains a cut-off. There is a
//! smaller configuration that leads to the same state: the local configuration of the other event, and
//! then the same steps as after the cut-off. It exists in the unfolding whatever is in `U` or `G`. Either
//! it contains no cut-off, and is visited, or there is a smaller one again. So the sizes of removed events
//! are kept.

pub(crate) mod states;

use std::cmp::Ordering;

use self::states::StateId;
use crate::explore::unfolding::events::event::EventId;
use crate::explore::unfolding::events::prefix::Prefix;
use crate::model::{Forgone, Op, Step};
use crate::search::CutOffOrder;

/// The least event that leads to a state.
#[derive(Clone, Copy, Debug)]
struct Least {
    /// The size of its local configuration; `u32::MAX` if there is no event.
    size: u32,
    /// The event, unless it has been removed.
    event: EventId,
}

impl Least {
    const NONE: Least = Least { size: u32::MAX, event: EventId::NONE };
}

/// The least event for each state that has been met.
#[derive(Debug)]
pub(crate) struct Cutter {
    order: CutOffOrder,
    /// The initial state, which is that of ⊥.
    initial: Option<StateId>,
    /// For each state its least event.
    least: Vec<Least>,
}

impl Cutter {
    pub(crate) fn new(order: CutOffOrder) -> Self {
        Cutter { order, initial: None, least: Vec::new() }
    }

    /// Sets the initial state.
    pub(crate) fn set_initial(&mut self, state: Option<StateId>) {
        self.initial = state;
    }

    /// Returns the initial state.
    pub(crate) fn initial(&self) -> Option<StateId> {
        self.initial
    }

    /// Returns whether an event is a cut-off. An event that is not one may cut off later events.
    pub(crate) fn cuts_off(&mut self, prefix: &Prefix, event: EventId) -> bool {
        let Some(state) = prefix.get(event).state else { return false };
        // Nothing is smaller than ⊥.
        if self.initial == Some(state) {
            return true;
        }
        if self.least.len() <= state.index() {
            self.least.resize(state.index() + 1, Least::NONE);
        }
        let least = &mut self.least[state.index()];
        let size = prefix.get(event).size;
        let order = size.cmp(&least.size).then_with(|| match least.event {
            // A removed event is compared by its size alone.
            EventId::NONE => Ordering::Equal,
            known => self.order.compare(prefix, event, known),
        });
        if order.is_lt() || least.event == EventId::NONE && order.is_eq() {
            *least = Least { size, event };
        }
        order.is_gt()
    }

    /// Forgets the events that are not `kept`, but not their sizes.
    pub(crate) fn forget_events(&mut self, kept: impl Fn(EventId) -> bool) {
        let forgotten = |least: &&mut Least| least.event != EventId::NONE && !kept(least.event);
        self.least.iter_mut().filter(forgotten).for_each(|least| least.event = EventId::NONE);
    }

    /// Forgets all states but those that these events lead to.
    pub(crate) fn rebuild(&mut self, prefix: &Prefix, events: impl Iterator<Item = EventId>) {
        self.least.clear();
        for event in events {
            if !prefix.get(event).is_cut_off {
                self.cuts_off(prefix, event);
            }
        }
    }
}

impl CutOffOrder {
    /// Compares the local configurations of two events of the same size that lead to the same state.
    fn compare(self, prefix: &Prefix, a: EventId, b: EventId) -> Ordering {
        if a == b || self == CutOffOrder::Size {
            return Ordering::Equal;
        }
        let (mut of_a, mut of_b) = (Labels::of(prefix, a), Labels::of(prefix, b));
        let by_steps = of_a.by_steps().cmp(&of_b.by_steps());
        if by_steps.is_ne() || prefix.get(a).has_edges || prefix.get(b).has_edges {
            return by_steps;
        }
        of_a.compare_levels(&mut of_b)
    }
}

/// The label of an event: its step and its accesses.
type Label = (Step, Vec<(u32, (u8, u32, u32))>);

/// The labels of a local configuration, each with its level in the Foata normal form.
struct Labels(Vec<(u32, Label)>);

impl Labels {
    fn of(prefix: &Prefix, event: EventId) -> Self {
        let mut labels = Vec::new();
        for mark in prefix.marks(event) {
            let mut event = mark.event;
            while event != EventId::NONE {
                let this = prefix.get(event);
                let touches = this.touches.iter().map(|t| (t.cell.0, rank(t.op))).collect();
                labels.push((this.level, (this.step, touches)));
                event = this.previous;
            }
        }
        Labels(labels)
    }

    /// Returns the Parikh vector, as the sorted sequence of all steps.
    fn by_steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = self.0.iter().map(|(_, (step, _))| *step).collect();
        steps.sort_unstable();
        steps
    }

    /// Compares the Foata normal forms level by level. At the first level that differs, the one with fewer
    /// labels is smaller, or the one with lexicographically smaller labels.
    fn compare_levels(&mut self, other: &mut Labels) -> Ordering {
        self.0.sort_unstable();
        other.0.sort_unstable();
        let mut levels =
            self.0.chunk_by(|a, b| a.0 == b.0).zip(other.0.chunk_by(|a, b| a.0 == b.0));
        let by_level = levels.find_map(|(a, b)| {
            let ordering = a.len().cmp(&b.len()).then_with(|| a.cmp(b));
            ordering.is_ne().then_some(ordering)
        });
        by_level.unwrap_or(Ordering::Equal)
    }
}

/// Returns a key that orders operations, in an arbitrary way.
fn rank(op: Op) -> (u8, u32, u32) {
    match op {
        Op::Read => (0, 0, 0),
        Op::Write => (1, 0, 0),
        Op::Update => (2, 0, 0),
        Op::Add => (3, 0, 0),
        Op::Send { number, freed_by } => (4, number, freed_by),
        Op::Receive { number } => (5, number, 0),
        Op::ReceiveNone => (6, 0, 0),
        Op::SendNone => (7, 0, 0),
        Op::Deliver { message } => (8, message, 0),
        Op::Take { message } => (9, message, 0),
        Op::TakeNone => (10, 0, 0),
        Op::Miss { look } => (10, look, 1),
        Op::Hangup => (11, 0, 0),
        Op::Close => (12, 0, 0),
        Op::ReadPart => (15, 0, 0),
        Op::WritePart => (16, 0, 0),
        Op::Post { message } => (13, message, 0),
        Op::Dequeue { message } => (14, message, 0),
        Op::Forgone(Forgone::Deliver { message }) => (17, message, 0),
        Op::Forgone(forgone) => (18, forgone.op().map_or(0, |op| 1 + u32::from(rank(op).0)), 0),
        Op::Fence => (19, 0, 0),
        Op::LifePart => (20, 0, 0),
        Op::CoverPart => (21, 0, 0),
    }
}
