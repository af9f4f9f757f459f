//! Steps that a run is to take, as far as they are possible.

use mazurka_core::model::{ProcessId, Step};

/// The steps of a plan that have not been taken.
pub(super) struct Plan<'a> {
    /// The steps that were not possible, in order.
    waiting: Vec<Step>,
    /// The steps after these.
    left: &'a [Step],
    /// A buffer: the processes of the steps that are not possible.
    blocked: Vec<ProcessId>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(steps: &'a [Step]) -> Self {
        Plan { waiting: Vec::new(), left: steps, blocked: Vec::new() }
    }

    /// Takes the first step that is possible now. Steps of one process stay in order.
    pub(super) fn next(&mut self, mut is_possible: impl FnMut(Step) -> bool) -> Option<Step> {
        self.blocked.clear();
        for (place, step) in self.waiting.iter().enumerate() {
            if self.blocked.contains(&step.process) {
                continue;
            }
            if is_possible(*step) {
                return Some(self.waiting.remove(place));
            }
            self.blocked.push(step.process);
        }
        while let Some((step, left)) = self.left.split_first() {
            self.left = left;
            let is_blocked = self.blocked.contains(&step.process);
            if !is_blocked && is_possible(*step) {
                return Some(*step);
            }
            self.waiting.push(*step);
            if !is_blocked {
                self.blocked.push(step.process);
            }
        }
        None
    }
}
