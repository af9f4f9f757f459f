//! What can be wrong with a program.

use std::fmt;

use super::Schedule;

/// What kind of thing went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ViolationKind {
    /// A failed assertion, or a panic.
    Panic,
    /// Processes wait for each other, or for something that will not happen.
    Deadlock,
    /// A process spins for ever, and nobody is left to change what it looks at.
    Livelock,
    /// Two processes access plain memory at once, and one of them writes.
    DataRace,
    /// Memory was used that may not be.
    InvalidMemory,
    /// A lock was used as it may not be.
    LockMisuse,
    /// The program does different things under the same schedule.
    Nondeterminism,
    /// The program does something that its front end cannot follow: calls a function that is not
    /// there, or runs on and on without a visible action. That is no verdict on the program, and
    /// ends the exploration.
    Unsupported,
}

impl ViolationKind {
    /// Whether the exploration cannot go on after it, even if it was told to.
    pub const fn ends_exploration(self) -> bool {
        matches!(self, ViolationKind::Nondeterminism | ViolationKind::Unsupported)
    }

    /// Its name in JSON, a stable interface.
    pub const fn name(self) -> &'static str {
        match self {
            ViolationKind::Panic => "panic",
            ViolationKind::Deadlock => "deadlock",
            ViolationKind::Livelock => "livelock",
            ViolationKind::DataRace => "data-race",
            ViolationKind::InvalidMemory => "invalid-memory",
            ViolationKind::LockMisuse => "lock-misuse",
            ViolationKind::Nondeterminism => "nondeterminism",
            ViolationKind::Unsupported => "unsupported",
        }
    }
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ViolationKind::Panic => "panic",
            ViolationKind::Deadlock => "deadlock",
            ViolationKind::Livelock => "livelock",
            ViolationKind::DataRace => "data race",
            ViolationKind::InvalidMemory => "use of invalid memory",
            ViolationKind::LockMisuse => "misuse of a lock",
            ViolationKind::Nondeterminism => "nondeterministic program",
            ViolationKind::Unsupported => "thing that Mazurka cannot follow",
        })
    }
}

/// Something wrong, and the schedule that leads to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What kind of thing went wrong.
    pub kind: ViolationKind,
    /// What went wrong, in a sentence or a few lines.
    pub message: String,
    /// The steps that lead to it. The explorer fills this in.
    pub schedule: Schedule,
    /// For a data race, the positions in the schedule of the two accesses.
    pub accesses: Option<(usize, usize)>,
    /// Which execution it was, counted from 1. The explorer fills this in.
    pub execution: u64,
}

impl Violation {
    /// A violation whose schedule is not known yet.
    pub fn new(kind: ViolationKind, message: impl Into<String>) -> Self {
        Violation {
            kind,
            message: message.into(),
            schedule: Schedule::default(),
            accesses: None,
            execution: 0,
        }
    }

    /// A data race of the steps at these two positions.
    pub(crate) fn data_race(first: usize, second: usize) -> Self {
        let message = "two threads access the same plain memory at once, and one of them writes";
        let accesses = Some((first, second));
        Violation { accesses, ..Violation::new(ViolationKind::DataRace, message) }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}
