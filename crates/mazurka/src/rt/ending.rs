//! How an execution has ended, and who waits for what.

use std::fmt::Write;

use mazurka_core::model::{Ending, ProcessId};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::Runtime;
use super::process::{Handle, State};

impl Runtime {
    /// How the execution has ended, when no process is enabled.
    pub(super) fn ending(&self) -> Ending {
        let is_done = |process: &usize| {
            let slot = &self.processes[*process];
            slot.state == State::Ended && slot.panic.is_none()
        };
        if !self.assumption_failed && self.created.iter().all(is_done) {
            return self.leak().map_or(Ending::Finished, Ending::Stuck);
        }
        // A panic that no process has learnt of explains every other problem.
        if let Some(panic) = self.unclaimed_panic() {
            let mut message = panic.to_owned();
            if !self.stuck().is_empty() {
                let _ = write!(message, "\nand then no thread could go on:\n{}", self.waits());
            }
            return Ending::Stuck(Box::new(Violation::new(ViolationKind::Panic, message)));
        }
        if self.assumption_failed {
            return Ending::AssumptionFailed;
        }
        let stuck = self.stuck();
        if stuck.is_empty() {
            return Ending::Finished;
        }
        let spins = |process: &usize| {
            self.is_at_possible_operation(*process) || self.processes[*process].awaits().is_some()
        };
        let joins = |process: &usize| {
            let state = self.processes[*process].state;
            matches!(state, State::Waiting(waiting) if waiting.process.is_some())
        };
        let livelock =
            stuck.iter().any(spins) && stuck.iter().all(|process| spins(process) || joins(process));
        let (kind, lead) = match livelock {
            true => (
                ViolationKind::Livelock,
                "a thread spins for ever: no other thread can change what it reads",
            ),
            false => (ViolationKind::Deadlock, "no thread can go on"),
        };
        let message = format!("{lead}\n{}", self.waits());
        Ending::Stuck(Box::new(Violation::new(kind, message)))
    }

    /// Processes that have not ended, and may not stay where they are. Their order does not depend on the
    /// schedule, as the order of their creation does, nor on the explorer, as ids do.
    pub(super) fn stuck(&self) -> Vec<usize> {
        let waits = |process: &usize| {
            matches!(self.processes[*process].state, State::AtOperation | State::Waiting(_))
        };
        let stuck = self.created.iter().copied().filter(waits);
        let mut stuck: Vec<_> = stuck.filter(|process| !self.is_idle(*process)).collect();
        stuck.sort_by_cached_key(|process| self.origins(*process));
        stuck
    }

    /// Returns where a process comes from, from the main process on: the event whose handler created each
    /// process on the way, if any, and its number among the children.
    fn origins(&self, process: usize) -> Vec<(Option<u32>, u32)> {
        let mut origins = Vec::new();
        let mut at = process;
        while at != ProcessId::MAIN.index() {
            let (parent, handled, number) = self.processes[at].origin;
            origins.push((handled, number));
            at = parent;
        }
        origins.reverse();
        origins
    }

    /// Returns the panic that no process has learnt of, and of several that of the first in this order.
    fn unclaimed_panic(&self) -> Option<&str> {
        let is_unclaimed = |process: &&usize| {
            let slot = &self.processes[**process];
            slot.handle != Handle::Claimed && slot.panic.is_some()
        };
        let unclaimed = self.created.iter().filter(is_unclaimed);
        let first = unclaimed.min_by_key(|process| self.origins(**process))?;
        self.processes[*first].panic.as_deref()
    }

    /// Who waits for what, a line each.
    fn waits(&self) -> String {
        let mut text = String::new();
        for process in self.stuck() {
            if !text.is_empty() {
                text.push('\n');
            }
            let name = self.process_name(ProcessId::new(process));
            let _ = write!(text, "  {name} {}", self.wait_of(process));
        }
        text
    }

    pub(super) fn wait_of(&self, process: usize) -> String {
        let slot = &self.processes[process];
        if let State::Waiting(waiting) = slot.state {
            let mut text = format!("waits for {}", waiting.what);
            if let Some(process) = waiting.process {
                let _ = write!(text, " {}", self.process_name(process));
            }
            if let Some(object) = waiting.object {
                let _ = write!(text, " {}", self.describe_object(object));
            }
            let _ = write!(text, ", at {}", waiting.site);
            return text;
        }
        let pending = &slot.pending;
        if let Some(action) = slot.awaits() {
            let object = self.describe_object(action.on.object);
            return format!("spins until another thread changes {object}, at {}", pending.site);
        }
        if self.is_at_possible_operation(process) {
            let guards = slot.watch.guards().iter();
            let watched: Vec<_> =
                guards.map(|guard| self.describe_object(guard.on.object)).collect();
            return format!(
                "spins until another thread changes {}, at {}",
                watched.join(" or "),
                pending.site
            );
        }
        let action = pending.action();
        let what = match pending.blocker {
            // SAFETY: the process is at the operation that the blocker belongs to.
            Some(blocker) => unsafe { blocker.as_ref() }.waits_for(self, action),
            None => match action {
                Some(action) => self.describe_object(action.on.object),
                None => "its turn".to_owned(),
            },
        };
        format!("waits for {what}, at {}", pending.site)
    }
}
