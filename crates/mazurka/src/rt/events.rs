//! What event loops need of the kernel: to know which handler a process is in.

use mazurka_core::model::{Action, Op};

use super::Runtime;
use super::names::Namer;
use super::process::{Handling, State};

impl Runtime {
    /// After whom things are named that the current process creates, and after how many steps.
    pub(super) fn namer(&self) -> (Namer, u32) {
        let slot = &self.processes[self.current];
        match slot.handles {
            Some(Handling { event, steps, .. }) => (Namer::Handler(event), steps),
            None => (Namer::Process(self.current), slot.steps),
        }
    }

    /// The current process begins to handle an event.
    pub(crate) fn begin_handler(&mut self, event: u32) {
        self.processes[self.current].handles = Some(Handling { event, steps: 0, children: 0 });
    }

    /// The current process has handled its event.
    pub(crate) fn end_handler(&mut self) {
        self.processes[self.current].handles = None;
    }

    /// Whether the current process is in the handler of an event.
    pub(crate) fn is_in_handler(&self) -> bool {
        self.processes[self.current].handles.is_some()
    }

    /// Whether a process is an event loop without an event.
    pub(super) fn is_idle_loop(&self, process: usize) -> bool {
        let slot = &self.processes[process];
        let action = slot.pending.action();
        let dequeues = |action: &Action| match action.op {
            Op::Dequeue { .. } => true,
            // Under a memory model; only the loop waits for its queue.
            _ => action.waits && self.is_queue(action.on.object),
        };
        slot.state == State::AtOperation
            && action.is_some_and(dequeues)
            && !self.is_at_possible_operation(process)
    }
}
