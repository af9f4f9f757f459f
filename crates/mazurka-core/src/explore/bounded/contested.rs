//! Which cells several processes contend for, and the preemptions that are kept aside until they do.
//!
//! A step contends with a step of another process if both touch a cell, and not both only read it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::execution::cells::CellId;
use crate::execution::footprint::Touch;
use crate::explore::bounded::Preemption;
use crate::model::{Op, ProcessId};

/// The processes that have done something to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Who {
    #[default]
    None,
    One(ProcessId),
    Several,
}

impl Who {
    fn add(&mut self, process: ProcessId) {
        *self = match *self {
            Who::None => Who::One(process),
            Who::One(other) if other == process => return,
            _ => Who::Several,
        };
    }

    fn is_another_than(self, process: ProcessId) -> bool {
        match self {
            Who::None => false,
            Who::One(other) => other != process,
            Who::Several => true,
        }
    }
}

/// The use of a cell.
#[derive(Debug, Default)]
struct Cell {
    /// The processes that touch it, and those that do more than read it.
    touched: Who,
    changed: Who,
    /// The preemptions before steps of a process that touch it; whether the steps only read it.
    aside: Vec<(ProcessId, bool, Arc<Preemption>)>,
}

impl Cell {
    fn is_contested(&self, by: ProcessId, reads: bool) -> bool {
        let others = if reads { self.changed } else { self.touched };
        others.is_another_than(by)
    }
}

/// The use of all cells, in all executions so far.
#[derive(Debug, Default)]
pub(super) struct Contested {
    cells: HashMap<u32, Cell>,
    /// The preemptions that are not needless any more.
    released: Vec<Arc<Preemption>>,
}

impl Contested {
    /// Returns whether another process contends with a step of this process that touches these cells.
    pub(super) fn is_contested(&self, process: ProcessId, touches: &[Touch]) -> bool {
        touches.iter().any(|touch| {
            let cell = self.cells.get(&touch.cell.0);
            cell.is_some_and(|cell| cell.is_contested(process, touch.op == Op::Read))
        })
    }

    /// Keeps a preemption aside until another process contends with the step of `process` before which
    /// it would happen.
    pub(super) fn keep_aside(
        &mut self,
        process: ProcessId,
        touches: &[Touch],
        preemption: &Arc<Preemption>,
    ) {
        for touch in touches {
            let cell = self.cells.entry(touch.cell.0).or_default();
            cell.aside.push((process, touch.op == Op::Read, preemption.clone()));
        }
    }

    /// Notes the operations of an event of a process.
    pub(super) fn note(&mut self, process: ProcessId, touches: impl Iterator<Item = Touch>) {
        for touch in touches {
            self.add(process, touch.cell, touch.op == Op::Read);
        }
    }

    /// Notes that a process waits for a cell.
    pub(super) fn note_pending(&mut self, process: ProcessId, cell: CellId) {
        self.add(process, cell, false);
    }

    fn add(&mut self, process: ProcessId, cell: CellId, reads: bool) {
        let cell = self.cells.entry(cell.0).or_default();
        let before = (cell.touched, cell.changed);
        cell.touched.add(process);
        if !reads {
            cell.changed.add(process);
        }
        if before == (cell.touched, cell.changed) || cell.aside.is_empty() {
            return;
        }
        let aside = std::mem::take(&mut cell.aside);
        let (needed, rest) =
            aside.into_iter().partition(|(process, reads, _)| cell.is_contested(*process, *reads));
        cell.aside = rest;
        let needed: Vec<(ProcessId, bool, Arc<Preemption>)> = needed;
        self.released.extend(needed.into_iter().map(|(_, _, preemption)| preemption));
    }

    /// Returns the preemptions that have been kept aside, and are needed now.
    pub(super) fn released(&mut self) -> Vec<Arc<Preemption>> {
        std::mem::take(&mut self.released)
    }
}
