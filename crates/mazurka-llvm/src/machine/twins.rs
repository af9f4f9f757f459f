//! Twins: threads that are interchangeable.
//!
//! Threads are twins if one step creates them one after the other, to call the same function with the
//! same argument. A program tells twins apart by what relates a thread to its handle:
//!
//! * A twin asks for its own handle.
//! * A thread joins one twin, but not all of them in a row: it performs an action in between, or ends.
//! * Twins return different results, and the thread that joins them asks for the results.
//! * A thread detaches or cancels a twin, or sends it a signal.
//!
//! What the creator does with the handles otherwise does not depend on what the twins do. It may compare,
//! print and store them.
//!
//! Then twins are not interchangeable. The search starts over, and no threads are twins.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mazurka_core::model::{Lesson, ProcessId};

use super::LlvmMachine;
use super::thread::Status;

/// Whether the program tells twins apart.
pub(super) struct Twins {
    /// Whether it is known to do so. Shared with the program.
    are_apart: Arc<AtomicBool>,
    /// Whether that was known when the machine was started.
    were_apart: bool,
    /// Whether it has been reported.
    is_reported: bool,
}

/// The twin of a thread that exists.
#[derive(Clone, Copy, Default)]
pub(crate) struct Kin {
    /// The number of steps after which the thread was created.
    created: usize,
    /// What it calls its function with.
    argument: u64,
    /// The twin that was created immediately before it.
    twin: Option<u32>,
    /// The first of its twins, which may be the thread itself.
    first: u32,
}

/// The twins that a thread has joined without an action since.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Joins {
    /// The number of twins that it has joined.
    joined: u32,
    /// The first of all the twins, if it has joined some.
    first: u32,
}

impl Joins {
    /// No twins.
    pub(crate) const NONE: Joins = Joins { joined: 0, first: 0 };

    /// Returns whether the thread has joined some of several twins, but not all.
    #[inline]
    pub(super) fn are_open(self) -> bool {
        self.joined != 0
    }
}

impl Twins {
    pub(super) fn new(are_apart: &Arc<AtomicBool>) -> Self {
        let known = are_apart.load(Ordering::Relaxed);
        Twins { are_apart: Arc::clone(are_apart), were_apart: known, is_reported: known }
    }

    /// Returns the lesson that twins are told apart, once.
    #[inline]
    pub(super) fn lesson(&mut self) -> Option<Lesson> {
        let is_new = !self.is_reported && self.are_apart.load(Ordering::Relaxed);
        self.is_reported |= is_new;
        is_new.then_some(Lesson::Twins)
    }

    /// The machine is in its initial state again: the next execution knows what has been learnt.
    pub(super) fn start_over(&mut self) {
        self.were_apart = self.is_reported;
    }
}

impl LlvmMachine {
    /// Notes that `parent` has just created a thread.
    pub(super) fn meet_twin(&mut self, parent: usize, child: usize, argument: u64) {
        let created = self.undo.steps.len();
        let ids = &self.threads[parent].child_ids;
        let rank = self.threads[parent].state.children as usize - 1;
        let elder = rank.checked_sub(1).map(|rank| ids[rank]);
        let is_twin = |elder: &u32| {
            let elder = &self.threads[*elder as usize];
            (elder.kin.created, elder.kin.argument, elder.function)
                == (created, argument, self.threads[child].function)
        };
        let twin = elder.filter(is_twin);
        let first = twin.map_or(child as u32, |twin| self.threads[twin as usize].kin.first);
        self.threads[child].kin = Kin { created, argument, twin, first };
    }

    /// Returns the twin that was created immediately before a thread.
    pub(super) fn twin_of(&self, process: ProcessId) -> Option<ProcessId> {
        if self.twins.were_apart {
            return None;
        }
        let thread = self.threads.get(process.index())?;
        let twin = thread.kin.twin.filter(|_| thread.state.status != Status::Absent)?;
        Some(ProcessId::new(twin as usize))
    }

    /// Returns the twins of a thread, with the thread itself.
    fn kin(&self, thread: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.threads[thread].kin.first;
        let is_kin = move |(index, other): &(usize, &super::Thread)| {
            // No thread creates the main thread.
            *index != 0 && other.kin.first == first && other.state.status != Status::Absent
        };
        self.threads.iter().enumerate().filter(is_kin).map(|(index, _)| index)
    }

    /// Notes that the program tells a thread apart from its twins.
    pub(crate) fn tell_apart(&mut self, thread: usize) {
        if thread != 0 && self.kin(thread).count() > 1 {
            self.twins.are_apart.store(true, Ordering::Relaxed);
        }
    }

    /// Notes that a thread has joined another one, and whether it asks for its result.
    pub(crate) fn note_join(&mut self, thread: usize, other: usize, asks: bool) {
        let twins = self.kin(other).count() as u32;
        if twins < 2 {
            return;
        }
        let result = self.threads[other].state.result;
        let differs = |twin: usize| {
            let state = &self.threads[twin].state;
            state.status == Status::Ended && state.result != result
        };
        let first = self.threads[other].kin.first;
        let joins = self.threads[thread].state.joins;
        let is_other = joins.are_open() && joins.first != first;
        if is_other || (asks && self.kin(other).any(differs)) {
            self.tell_apart(other);
        }
        let joined = joins.joined + 1;
        self.threads[thread].state.joins = match joined < twins {
            true => Joins { joined, first },
            false => Joins::NONE,
        };
    }

    /// A thread that has joined some twins but not all comes to its next action, or to its end.
    #[cold]
    pub(super) fn check_joins(&mut self, thread: usize) {
        let state = &self.threads[thread].state;
        let first = state.joins.first;
        let is_twin = |other: u32| self.threads[other as usize].kin.first == first;
        if !matches!(state.status, Status::Joining(other) if is_twin(other)) {
            self.threads[thread].state.joins = Joins::NONE;
            self.tell_apart(first as usize);
        }
    }
}
