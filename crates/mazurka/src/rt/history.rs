//! What the steps of an execution were, to tell whether a replay is the same execution.

use std::fmt::Write;

use mazurka_core::model::{Action, ProcessId, Step};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::Runtime;
use super::process::{Process, Site, State};

/// What a step of some process was, as far as it must be the same when the step is taken again.
#[derive(Clone, Copy)]
pub(super) struct Signature {
    pub(super) name: &'static str,
    pub(super) object: u32,
    pub(super) site: Site,
    pub(super) alternatives: u32,
}

impl Signature {
    /// The object that an operation is on, or a number that none has.
    #[inline]
    pub(super) fn object_of(action: Option<&Action>) -> u32 {
        action.map_or(u32::MAX, |action| action.on.object.0)
    }

    /// Whether it is the same, with its texts in the same places. Mostly, if it is the same at all.
    #[inline]
    pub(super) fn is_at_a_glance(&self, other: &Self) -> bool {
        self.object == other.object
            && self.alternatives == other.alternatives
            && std::ptr::eq(self.site, other.site)
            && std::ptr::eq(self.name, other.name)
    }
}

impl PartialEq for Signature {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.is_at_a_glance(other)
            || (self.object == other.object
                && self.alternatives == other.alternatives
                && self.site == other.site
                && self.name == other.name)
    }
}

/// How many operations of each history a message shows.
const SHOWN: usize = 6;

impl Runtime {
    /// The signature of the step that the process in a slot is about to take.
    #[inline]
    pub(super) fn signature(&self, slot: &Process) -> Signature {
        let pending = &slot.pending;
        Signature {
            name: pending.name,
            object: Signature::object_of(pending.action()),
            site: pending.site,
            alternatives: self.alternatives(slot),
        }
    }

    /// What `process`, which should take the next step, does instead.
    fn instead(&self, process: usize) -> String {
        let name = self.process_name(ProcessId::new(process));
        let Some(slot) = self.processes.get(process) else {
            return format!("{name}  does not exist");
        };
        match slot.state {
            State::AtOperation if self.is_enabled(process) => {
                self.describe(process, &self.signature(slot))
            }
            State::AtOperation => {
                format!("{}, but it has to wait", self.describe(process, &self.signature(slot)))
            }
            State::Waiting(_) | State::Stopped | State::Running => format!("{name}  waits"),
            State::Ended => format!("{name}  has ended"),
            State::Absent => format!("{name}  does not exist"),
        }
    }

    /// Why `step` cannot be taken, in words that go after "but".
    pub(super) fn obstacle(&self, step: Step) -> String {
        let process = step.process.index();
        let name = self.process_name(step.process);
        match self.processes.get(process).map(|slot| slot.state) {
            Some(State::AtOperation) if self.is_enabled(process) => {
                match self.alternatives(&self.processes[process]) {
                    1 => format!("{name} has no choice there"),
                    ways => format!("{name} has only {ways} ways to go on, counted from 0"),
                }
            }
            Some(State::AtOperation | State::Waiting(_)) => {
                format!("{name} {}", self.wait_of(process))
            }
            Some(State::Stopped | State::Running) => format!("{name} has stopped"),
            Some(State::Ended) => format!("{name} has ended"),
            Some(State::Absent) | None => format!("thread {} does not exist", step.process),
        }
    }

    fn describe(&self, process: usize, signature: &Signature) -> String {
        let process = self.process_name(ProcessId::new(process));
        let choices = match signature.alternatives {
            1 => String::new(),
            n => format!(", {n} ways"),
        };
        let object = match signature.object {
            u32::MAX => String::new(),
            object => format!(" of object {object}"),
        };
        format!("{process}  {}{object}  ({}){choices}", signature.name, signature.site)
    }

    /// The program did something else than the last time, at the step after `common`.
    pub(super) fn nondeterminism(
        &self,
        common: &[(Step, Signature)],
        expected: Option<&Signature>,
        process: usize,
    ) -> Box<Violation> {
        let mut message = String::from(
            "the program did not do the same as before under the same schedule\n  both times:\n",
        );
        let skipped = common.len().saturating_sub(SHOWN);
        if skipped > 0 {
            let _ = writeln!(message, "    … {skipped} operations");
        }
        for (step, signature) in &common[skipped..] {
            let _ = writeln!(message, "    {}", self.describe(step.process.index(), signature));
        }
        if common.is_empty() {
            message.push_str("    (nothing yet)\n");
        }
        let expected = match expected {
            Some(expected) => self.describe(process, expected),
            None => format!("{} could take a step", self.process_name(ProcessId::new(process))),
        };
        let _ = write!(
            message,
            "  then, the first time:\n    {expected}\n  and now:\n    {}\n  \
             A check needs a program whose only source of change is the schedule: no clocks, no \
             random numbers, no `HashMap` with a random seed, no addresses as keys, and no state \
             that one execution leaves to the next (a `static` of `std`, or something outside of \
             the closure). If a destructor uses threads, locks, atomics or channels, and its value is in \
             a `std::sync::Arc`, use `mazurka::sync::Arc`: which thread drops the last reference depends \
             on the schedule.",
            self.instead(process)
        );
        Box::new(Violation::new(ViolationKind::Nondeterminism, message))
    }
}
