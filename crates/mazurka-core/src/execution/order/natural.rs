//! The happens-before relation of a whole execution, without the [precedences](crate::model::Precedence) of
//! twins.
//!
//! The clocks of an [`Execution`] contain these precedences. Symmetry reduction must know what the program
//! itself orders. It computes this relation at the end of an execution, and only if it needs it.

use super::Relation;
use crate::execution::{Access, Execution};
use crate::model::{Edge, Op, ProcessId};

/// The vector clocks of an execution.
#[derive(Debug, Default)]
pub(crate) struct NaturalOrder {
    /// The number of components of each clock.
    width: usize,
    /// By event.
    clocks: Vec<u32>,
    /// By process: the clock of what happens before its next event, whatever that accesses.
    pasts: Vec<u32>,
    /// By access: whether an event reads what it writes. Empty if all writes are ordered.
    observed: Vec<bool>,
}

impl NaturalOrder {
    /// Computes the relation of an execution with these edges, each with the event that has it.
    pub(crate) fn compute<R: Relation>(&mut self, execution: &Execution, edges: &[(u32, Edge)]) {
        self.width = execution.processes.len();
        self.clocks.clear();
        self.pasts.clear();
        self.pasts.resize(self.width * self.width, 0);
        self.observed.clear();
        if R::ORDERS_LATER {
            self.observe(execution);
        }
        let mut edges = edges.iter().peekable();
        for index in 0..execution.len() {
            let event = execution.event(index);
            let (start, end) = (index * self.width, (index + 1) * self.width);
            let process = event.step.process.index();
            self.clocks.extend_from_slice(&self.pasts[process * self.width..][..self.width]);
            let (first, last) = event.accesses;
            for access in first..last {
                self.order::<R>(execution, index, access);
            }
            self.clocks[start + process] = event.number;
            self.pasts[process * self.width..][..self.width]
                .copy_from_slice(&self.clocks[start..end]);
            while let Some((_, edge)) = edges.next_if(|(event, _)| *event as usize == index) {
                self.pass_on(edge.from.index(), edge.to.index());
            }
        }
    }

    /// Returns whether the clocks of the execution, which contain the precedences, order all that this order
    /// does.
    pub(crate) fn is_part_of(&self, execution: &Execution) -> bool {
        let events = execution.events.iter().zip(self.clocks.chunks(self.width));
        events.into_iter().all(|(event, natural)| {
            let all = execution.clocks.of(event.clock);
            natural.iter().zip(all).all(|(natural, all)| natural <= all)
        })
    }

    /// Returns the number of processes, with those of other executions.
    pub(crate) fn processes(&self) -> usize {
        self.width
    }

    /// Returns the number of events of a process that happen before an event, with the event itself.
    pub(crate) fn component(&self, event: u32, process: ProcessId) -> u32 {
        self.clocks[event as usize * self.width + process.index()]
    }

    /// Orders an event after those that one of its accesses conflicts with.
    fn order<R: Relation>(&mut self, execution: &Execution, event: usize, access: u32) {
        let new = &execution.accesses[access as usize];
        let is_observed =
            self.observed.get(access as usize).is_some_and(|is_observed| *is_observed);
        let before = |access: &Access| match new.op.is_read() {
            true => access.previous_write,
            false => access.previous,
        };
        let mut next = before(new);
        while let Some(earlier) = execution.accesses.get(next as usize) {
            next = before(earlier);
            let is_conflict = earlier.event as usize != event
                && R::conflict(execution, earlier, new, is_observed);
            if is_conflict && !self.has_seen(event, execution, earlier.event) {
                self.join(event, earlier.event as usize);
            }
            // All earlier accesses happen before an update whose result is read.
            if is_conflict && earlier.op == Op::Update && !earlier.unread {
                break;
            }
        }
    }

    fn has_seen(&self, event: usize, execution: &Execution, earlier: u32) -> bool {
        let earlier = execution.event(earlier as usize);
        self.component(event as u32, earlier.step.process) >= earlier.number
    }

    /// Joins the clock of an earlier event into that of the last one.
    fn join(&mut self, event: usize, earlier: usize) {
        let (head, tail) = self.clocks.split_at_mut(event * self.width);
        let theirs = &head[earlier * self.width..][..self.width];
        tail.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
    }

    fn pass_on(&mut self, from: usize, to: usize) {
        for process in 0..self.width {
            let theirs = self.pasts[from * self.width + process];
            let mine = &mut self.pasts[to * self.width + process];
            *mine = (*mine).max(theirs);
        }
    }

    /// Finds the writes that some event observes.
    fn observe(&mut self, execution: &Execution) {
        let accesses = &execution.accesses;
        self.observed.resize(accesses.len(), false);
        let is_blind = |op| matches!(op, Op::Write | Op::CoverPart | Op::LifePart);
        for access in accesses.iter().filter(|it| it.op.is_memory() && !is_blind(it.op)) {
            let mut next = access.previous;
            while let Some(earlier) = accesses.get(next as usize) {
                if earlier.event != access.event && earlier.op != Op::LifePart {
                    self.observed[next as usize] |= earlier.op == Op::Write;
                    break;
                }
                next = earlier.previous;
            }
        }
    }
}
