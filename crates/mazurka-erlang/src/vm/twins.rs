//! Twins: processes that are interchangeable.
//!
//! Processes are twins if one step creates them one after the other, to call the same function with
//! identical arguments. A program tells twins apart only by their pids:
//!
//! * A twin obtains a term that identifies it: its own pid by `self`, a reference, a unique integer, or the
//!   pid of a process that it creates.
//! * A process sends a message to a twin.
//! * A process looks at the life of another one, or the program uses links, monitors, names or tables. Then
//!   lives matter, and no processes are twins.
//!
//! As long as nothing of this happens, the pid of a twin occurs only in terms that the creator has made. In
//! every execution it is the same term. The creator may compare, print, store and send it.
//!
//! If a program tells twins apart, the search starts over, and no processes are twins.

use std::sync::atomic::Ordering;

use super::Vm;
use super::life::Task;
use crate::term::{Heap, Kind, Map, Term, equal_exact};

/// The twins of a process.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Kin {
    /// The twin that was created immediately before it.
    pub(crate) twin: Option<u32>,
    has_twins: bool,
}

/// Whether the program tells twins apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Apart {
    /// Whether it is known to do so.
    is_known: bool,
    /// Whether that was known in the initial state of this execution.
    was_known: bool,
    /// Whether it has been found out since the last step.
    is_new: bool,
}

impl Apart {
    pub(super) fn new(is_known: bool) -> Self {
        Apart { is_known, was_known: is_known, is_new: false }
    }

    /// The machine is in its initial state again: the next execution uses all that is known.
    pub(crate) fn start_over(&mut self) {
        self.was_known = self.is_known;
    }

    /// Returns whether it has been found out since the last call.
    pub(crate) fn take(&mut self) -> bool {
        std::mem::take(&mut self.is_new)
    }
}

impl Vm {
    /// Makes a process that was just created the twin of the process that was created before, if they are
    /// interchangeable.
    pub(crate) fn meet_twin(&mut self, child: u32) {
        let can_have_twins = !self.apart.is_known
            && !self.lives
            && !self.times
            && !self.is_pairwise
            && self.dynamic.is_empty();
        let [.., (elder, its_task), (younger, task)] = self.born[..] else { return };
        let siblings = &self.processes[self.current as usize];
        let rank = siblings.local.children as usize;
        let are_neighbours = younger == child
            && rank > 1
            && siblings.child_ids.get(rank - 2..rank) == Some(&[elder, child]);
        if can_have_twins
            && are_neighbours
            && self.local(elder).priority == self.local(child).priority
            && is_same_task(&self.heap, its_task, task)
        {
            self.processes[elder as usize].kin.has_twins = true;
            self.processes[child as usize].kin = Kin { twin: Some(elder), has_twins: true };
        }
    }

    /// Returns the twin that was created immediately before a process that exists.
    pub(crate) fn twin(&self, process: u32) -> Option<u32> {
        let slot = self.processes.get(process as usize)?;
        let exists = slot.local.status != super::Status::Absent;
        slot.kin.twin.filter(|_| exists && !self.apart.was_known)
    }

    /// Records that the program tells a process apart from its twins, if it has some.
    #[inline]
    pub(crate) fn tell_apart(&mut self, process: u32) {
        if self.processes[process as usize].kin.has_twins && !self.apart.is_known {
            (self.apart.is_known, self.apart.is_new) = (true, true);
            self.lessons.apart.store(true, Ordering::Relaxed);
        }
    }
}

fn is_same_task(heap: &Heap, a: Task, b: Task) -> bool {
    match (a, b) {
        (Task::Fun(a), Task::Fun(b)) => is_identical(heap, a, b),
        (Task::Call(f, a), Task::Call(g, b)) => f == g && is_identical(heap, a, b),
        (Task::Timer, _) | (Task::Fun(_), Task::Call(..) | Task::Timer) => false,
        (Task::Call(..), Task::Fun(_) | Task::Timer) => false,
    }
}

/// Returns whether no function distinguishes two terms. `0.0` and `-0.0` are equal, but not identical.
fn is_identical(heap: &Heap, mut a: Term, mut b: Term) -> bool {
    while let (Some(x), Some(y)) = (a.as_cons(), b.as_cons())
        && a != b
    {
        if !is_identical(heap, heap.head(x), heap.head(y)) {
            return false;
        }
        (a, b) = (heap.tail(x), heap.tail(y));
    }
    let (Some(x), Some(y)) = (a.as_box(), b.as_box()) else { return a == b };
    let ((kind, size), (other_kind, other_size)) = (heap.header(x), heap.header(y));
    if kind != other_kind {
        return false;
    }
    match kind {
        Kind::Tuple | Kind::Map | Kind::Export | Kind::Fun => {
            size == other_size
                && (1..=size).all(|i| is_identical(heap, heap.word(x + i), heap.word(y + i)))
        }
        Kind::Float => heap.raw(x + 1) == heap.raw(y + 1),
        Kind::MapTree => {
            let (Some(m), Some(n)) = (Map::of(heap, a), Map::of(heap, b)) else { return false };
            let (m, n) = (m.entries(heap), n.entries(heap));
            let is_same = |((k, v), (l, w)): (&(Term, Term), &(Term, Term))| {
                is_identical(heap, *k, *l) && is_identical(heap, *v, *w)
            };
            m.len() == n.len() && m.iter().zip(&n).all(is_same)
        }
        Kind::Big | Kind::Ref | Kind::Bits | Kind::MapNode | Kind::Match => equal_exact(heap, a, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_of_different_signs_are_not_identical() {
        let mut heap = Heap::default();
        let [zero, other, negative] = [0.0, 0.0, -0.0].map(|float| heap.float(float));
        let [a, b, c] = [zero, other, negative].map(|float| heap.list(&[Term::int(1), float]));
        assert!(is_identical(&heap, a, b));
        assert!(equal_exact(&heap, a, c) && !is_identical(&heap, a, c));
        let longer = heap.list(&[Term::int(1), zero, Term::NIL]);
        assert!(!is_identical(&heap, a, longer));
        let [s, t] = [a, b].map(|list| heap.tuple(&[list, Term::NIL]));
        assert!(is_identical(&heap, s, t));
    }
}
