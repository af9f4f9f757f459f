//! An event of the unfolding, ⟨t, H⟩, and its accesses.

use smallvec::SmallVec;

use crate::execution::cells::CellId;
use crate::explore::unfolding::cutoffs::states::StateId;
use crate::model::{Op, ProcessId, Step, dependence};

/// The id of an event in a [`Prefix`](super::prefix::Prefix).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct EventId(pub(crate) u32);

impl EventId {
    /// No event; where an event is expected before all others, the paper's ⊥.
    pub(crate) const NONE: EventId = EventId(u32::MAX);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an event does to a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventAccess {
    pub(crate) cell: CellId,
    pub(crate) op: Op,
    /// The last event before it that replaced the cell's value. All events in immediate conflict with it
    /// on that cell have the same base; see [`separates`].
    pub(crate) base: EventId,
    /// Whether it is plain memory, which must not race.
    pub(crate) plain: bool,
}

impl EventAccess {
    /// Returns where those look for it, by cell and base, that may be in immediate conflict with
    /// it: it has one of these places in common with each of them.
    pub(crate) fn places(&self) -> impl Iterator<Item = (CellId, EventId)> + use<> {
        // A receive that finds nothing also conflicts with receives that take a message, which have no
        // base.
        let misses = matches!(self.op, Op::TakeNone | Op::Miss { .. });
        let also = misses && self.base != EventId::NONE;
        let cell = self.cell;
        std::iter::once(self.base)
            .chain(also.then_some(EventId::NONE))
            .map(move |base| (cell, base))
    }
}

/// Returns whether two events in immediate conflict on a cell, one of which performs `op`, have the
/// same last event before them that performs `earlier`.
///
/// In memory, this holds for operations that replace the value, since all operations depend on
/// them. A delivery depends on all other deliveries, and a receive that finds no message depends on
/// each of them. So if two of these are in immediate conflict, neither has a delivery in its past
/// that the other one lacks. The same holds for posts.
pub(crate) fn separates(earlier: Op, op: Op) -> bool {
    match op {
        Op::Deliver { .. } | Op::TakeNone | Op::Miss { .. } => {
            matches!(earlier, Op::Deliver { .. })
        }
        Op::Post { .. } => matches!(earlier, Op::Post { .. }),
        op => op.is_memory() && dependence::is_barrier(earlier),
    }
}

/// The accesses of an event.
pub(crate) type EventAccesses = SmallVec<[EventAccess; 2]>;

/// The maximal causes of an event, sorted.
pub(crate) type Parents = SmallVec<[EventId; 4]>;

/// Returns whether two steps with these accesses are dependent.
#[inline]
pub(crate) fn dependent(a: &[EventAccess], b: &[EventAccess]) -> bool {
    a.iter().any(|a| b.iter().any(|b| a.cell == b.cell && dependence::dependent(a.op, b.op)))
}

/// Returns the cell of plain memory on which two steps race if nothing orders them.
pub(crate) fn racing(a: &[EventAccess], b: &[EventAccess]) -> Option<CellId> {
    let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
    let races = |(a, b): &(&EventAccess, &EventAccess)| {
        a.cell == b.cell && (a.plain || b.plain) && dependence::dependent(a.op, b.op)
    };
    pairs.filter(races).map(|(a, _)| a.cell).next()
}

/// The last event of some process in a local configuration, and its number in that process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    pub(crate) event: EventId,
    pub(crate) number: u32,
}

impl Mark {
    pub(crate) const NONE: Mark = Mark { event: EventId::NONE, number: 0 };
}

/// An event: in the paper's terms ⟨t, H⟩.
///
/// The transition t is a step, the history H is given by its maximal events. They determine all
/// else, since machines are deterministic: what the event touches above all.
#[derive(Debug)]
pub(crate) struct UnfoldingEvent {
    pub(crate) step: Step,
    pub(crate) parents: Parents,
    /// Its rank in its process, from 1.
    pub(crate) number: u32,
    /// The event of its process before it.
    pub(crate) previous: EventId,
    /// An event of its process further back; see [`Prefix::ancestor`](super::prefix::Prefix::ancestor).
    pub(crate) jump: EventId,
    pub(crate) touches: EventAccesses,
    /// How many events its local configuration has, itself included.
    pub(crate) size: u32,
    /// Its level in the Foata normal form: one more than the highest level of its causes.
    pub(crate) level: u32,
    /// Whether an edge (spawn, join, notification) orders events of its local configuration.
    pub(crate) has_edges: bool,
    /// Whether its step had alternatives.
    pub(crate) is_choice: bool,
    /// The rank of the event in the order in which events became known. Causes come first.
    pub(crate) serial: u64,
    /// The events in immediate conflict with it, #ⁱ(e).
    pub(crate) conflicts: Vec<EventId>,
    /// The last event that was found to conflict with it or with one of its causes. Where many events
    /// conflict with one, most searches are refused by the same few events.
    pub(crate) foe: EventId,
    /// Its position in the current configuration, or [`UnfoldingEvent::OUTSIDE`].
    pub(crate) position: u32,
    /// The state that its local configuration leads to, if that is known.
    pub(crate) state: Option<StateId>,
    /// Whether it is a cut-off.
    pub(crate) is_cut_off: bool,
    /// The generation of the prefix in which the events of its step with smaller histories were added.
    pub(crate) extended_in: u32,
    /// The last search for an alternative that visited it, and the result.
    pub(crate) visit: Visit,
}

/// The result of a search for an alternative at an event.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Visit {
    pub(crate) search: u64,
    pub(crate) is_refused: bool,
}

impl UnfoldingEvent {
    /// The position of events that are not in the current configuration.
    pub(crate) const OUTSIDE: u32 = u32::MAX;

    pub(crate) fn process(&self) -> ProcessId {
        self.step.process
    }
}
