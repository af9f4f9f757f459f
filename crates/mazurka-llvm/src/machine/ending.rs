//! How an execution has ended, and who waits for what.

use std::fmt::Write;

use mazurka_core::model::{Action, Ending};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::LlvmMachine;
use super::awaits::Attempt;
use super::thread::Status;

impl LlvmMachine {
    /// How the execution has ended, when no thread is enabled.
    pub(super) fn how_it_ended(&self) -> Ending {
        let stuck = self.stuck();
        let is_dropped = |thread: &usize| {
            let is_in_vain = match self.is_awaiting(*thread) {
                Some(Attempt::FailsAssumption) => true,
                Some(Attempt::Retries) => self.has_retry_changed(*thread),
                Some(Attempt::GoesOn | Attempt::Loops) | None => false,
            };
            is_in_vain
                || self.has_chosen_wrong(*thread)
                || (self.has_spun(*thread) && self.guards_hold(*thread))
        };
        if self.ending_state.assumption_failed || stuck.iter().any(is_dropped) {
            return Ending::AssumptionFailed;
        }
        if self.ending_state.failed {
            return Ending::Finished;
        }
        // The process ends when `main` returns or a thread calls `exit`, whatever others wait for.
        let main_returned =
            self.threads[0].state.status == Status::Ended && !self.ending_state.main_left;
        let ends = main_returned || self.ending_state.exit_code.is_some();
        if stuck.is_empty() || ends {
            return match self.leak() {
                Some(leak) => Ending::Stuck(leak),
                None => Ending::Finished,
            };
        }
        let spins = |thread: &usize| self.spins(*thread);
        let joins =
            |thread: &usize| matches!(self.threads[*thread].state.status, Status::Joining(_));
        let livelock =
            stuck.iter().any(spins) && stuck.iter().all(|thread| spins(thread) || joins(thread));
        if livelock && self.ending_state.escapes {
            return Ending::AssumptionFailed;
        }
        let (kind, mut message) = match livelock {
            true => (
                ViolationKind::Livelock,
                "a thread spins for ever: no other thread can change what it reads".to_owned(),
            ),
            false => (ViolationKind::Deadlock, "no thread can go on".to_owned()),
        };
        for thread in stuck {
            let _ = write!(message, "\n  {} {}", self.thread_name(thread), self.wait_of(thread));
        }
        let violation = Violation::new(kind, message);
        match self.counts(&violation) {
            true => Ending::Stuck(Box::new(violation)),
            false => Ending::Finished,
        }
    }

    /// Threads that have not ended.
    pub(super) fn stuck(&self) -> Vec<usize> {
        let waits = |thread: &usize| {
            matches!(
                self.threads[*thread].state.status,
                Status::Ready | Status::Choosing | Status::Joining(_) | Status::Waiting(_)
            )
        };
        (self.ending_state.ended as usize..self.threads.len()).filter(waits).collect()
    }

    /// What a thread waits for, to go after its name.
    pub(super) fn wait_of(&self, thread: usize) -> String {
        let state = &self.threads[thread].state;
        let place = |pc| match self.code.place_name(self.own_place(thread, pc)) {
            Some(place) => format!(", at {place}"),
            None => String::new(),
        };
        let names = |guards: &[Action]| {
            let names: Vec<_> = guards.iter().map(|guard| self.location_name(guard.on)).collect();
            names.join(" or ")
        };
        let watch = &self.threads[thread].watch;
        let attempt = self.is_awaiting(thread);
        if attempt == Some(Attempt::Retries) {
            let (names, place) = (names(&watch.retry.guards), place(watch.retry.at));
            return format!("spins until another thread changes {names}{place}");
        }
        let place = place(state.pc);
        match state.status {
            Status::Joining(other) => {
                format!("waits for the end of {}{place}", self.thread_name(other as usize))
            }
            Status::Waiting(address) => {
                format!("waits to be woken at {}{place}", self.describe_memory(address, 1))
            }
            _ if attempt.is_some() => {
                let name = self.location_name(state.action.on);
                format!("spins until another thread changes {name}{place}")
            }
            _ if self.spins(thread) => {
                format!("spins until another thread changes {}{place}", names(&watch.guards))
            }
            _ => {
                let name = self.location_name(state.action.on);
                let holder = match self.holder(state.action.on) {
                    Some(holder) => format!(", held by {}", self.thread_name(holder)),
                    None => String::new(),
                };
                format!("waits for {name}{holder}{place}")
            }
        }
    }

    /// Returns whether a thread that is not enabled waits in a loop.
    fn spins(&self, thread: usize) -> bool {
        self.is_awaiting(thread).is_some() || self.is_at_possible_action(thread)
    }

    /// A location in C's words.
    pub(crate) fn location_name(&self, on: mazurka_core::model::Location) -> String {
        let address = self.memory.address_of(on.object) + u64::from(on.start);
        let size = || self.memory.object_at(address).map_or(1, |object| object.size);
        self.describe_memory(address, if on.is_life() { size() } else { on.len })
    }

    /// Who holds the lock at a location, if it is one and a thread does.
    fn holder(&self, on: mazurka_core::model::Location) -> Option<usize> {
        // Every lock of the library keeps its holder, counted from 1, in its second word.
        if on.len < 16 || on.is_life() {
            return None;
        }
        let address = self.memory.address_of(on.object) + u64::from(on.start) + 8;
        let object = self.memory.object_at(address)?;
        let byte = object.word as usize * 8 + on.start as usize + 8;
        let holder = self.memory.read(byte, 8) as usize;
        holder.checked_sub(1).filter(|holder| *holder < self.threads.len())
    }
}
