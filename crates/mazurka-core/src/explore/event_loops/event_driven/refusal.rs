//! Programs that this explorer refuses, because handlers wait for something else than locks.
//!
//! A handler that waits forever for a lock does so in every execution that extends the current one, since
//! the holder of the lock waits forever too. A handler that waits for a message, say, may wait forever
//! only because the handler that would send it is stuck in a queue. No order of conflicting events
//! distinguishes such executions from those that continue.

use std::collections::HashSet;

use super::happens_before::HappensBefore;
use super::links::Links;
use crate::execution::cells::CellId;
use crate::execution::{Access, Execution};
use crate::explore::event_loops::tasks::Tasks;
use crate::model::Op;

/// Returns whether a handler, or a process that holds a lock, waited for something other than a lock that
/// another handler brought about.
pub(super) fn is_beyond_locks(
    graph: &HappensBefore,
    tasks: &Tasks,
    links: &Links,
    execution: &Execution,
) -> bool {
    let begun = || {
        let handlers = tasks.tasks.iter().filter(|task| task.is_handler);
        handlers.filter_map(|task| task.events.first().copied())
    };
    let is_after = |event: u32, begin: u32| event == begin || graph.past.has(event, begin);
    let taken = execution.accesses.iter().filter(|access| access.takes_lock());
    let locks: HashSet<CellId> = taken.map(|access| access.cell).collect();
    let mut locks_held = vec![0usize; tasks.current.len()];
    for (index, event) in tasks.events.iter().enumerate() {
        let task = &tasks.tasks[event.task as usize];
        let accesses = execution.accesses_of(index);
        let matters = task.is_handler || locks_held[event.step.process.index()] > 0;
        if matters && accesses.iter().any(is_wait) {
            let known = match event.number.checked_sub(1) {
                Some(previous) => task.events[previous as usize],
                None => task.post,
            };
            if begun().any(|begin| is_after(index as u32, begin) && !is_after(known, begin)) {
                return true;
            }
        }
        let held = &mut locks_held[event.step.process.index()];
        for access in accesses.iter().filter(|access| locks.contains(&access.cell)) {
            match access.op {
                Op::Update => *held += 1,
                Op::Write => *held = held.saturating_sub(1),
                _ => {}
            }
        }
        let released = links.links.iter().filter(|link| link.at as usize == index);
        let mut with_lock = released.filter(|link| locks_held[link.to.index()] > 0);
        if with_lock.any(|link| begun().any(|begin| is_after(link.from, begin))) {
            return true;
        }
    }
    links.has_released_a_handler
}

/// Returns whether an access waits for something else than a lock or an event.
fn is_wait(access: &Access) -> bool {
    let waits = access.waits || access.guard;
    waits && !access.takes_lock() && !matches!(access.op, Op::Dequeue { .. })
}
