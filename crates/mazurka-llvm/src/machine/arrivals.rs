//! Arrivals at barriers: whether they commute.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mazurka_core::model::{Lesson, Op};

use super::LlvmMachine;

/// Which threads use which barriers.
pub(super) struct Arrivals {
    /// The threads that have arrived at a barrier in any execution, by its address.
    threads: HashMap<u64, Vec<usize>>,
    /// Whether some barrier is used by more threads than it waits for. Shared with the program.
    is_crowded: Arc<AtomicBool>,
    /// Whether that is known since the start of the execution.
    was_crowded: bool,
    /// Whether it has been reported.
    is_reported: bool,
}

impl Arrivals {
    pub(super) fn new(is_crowded: &Arc<AtomicBool>) -> Self {
        let known = is_crowded.load(Ordering::Relaxed);
        Arrivals {
            threads: HashMap::new(),
            is_crowded: Arc::clone(is_crowded),
            was_crowded: known,
            is_reported: known,
        }
    }

    /// Returns the lesson that arrivals do not commute, once.
    #[inline]
    pub(super) fn lesson(&mut self) -> Option<Lesson> {
        let is_new = !self.is_reported && self.is_crowded.load(Ordering::Relaxed);
        self.is_reported |= is_new;
        is_new.then_some(Lesson::Arrivals)
    }
}

impl LlvmMachine {
    /// The machine is in its initial state again: the next execution knows what has been learnt.
    pub(super) fn start_over(&mut self) {
        let knew = std::mem::replace(&mut self.arrivals.was_crowded, self.arrivals.is_reported);
        if knew == self.arrivals.was_crowded {
            return;
        }
        // Threads may have got to a barrier before the first step.
        for thread in &mut self.threads {
            let action = &mut thread.state.action;
            if action.op == Op::Add && action.unread {
                (action.op, action.unread) = (Op::Update, false);
            }
        }
    }

    /// Returns whether arrivals at barriers depend on each other.
    pub(crate) fn orders_arrivals(&self) -> bool {
        self.arrivals.was_crowded
    }

    /// Notes that a thread arrives at the barrier with an address, which waits for `count` threads.
    pub(crate) fn note_arrival(&mut self, barrier: u64, thread: usize, count: u64) {
        let threads = self.arrivals.threads.entry(barrier).or_default();
        if !threads.contains(&thread) {
            threads.push(thread);
            if threads.len() as u64 > count {
                self.arrivals.is_crowded.store(true, Ordering::Relaxed);
            }
        }
    }
}
