//! Processes and their steps.

use std::fmt;

/// An entity that the scheduler steps: a thread, an actor, or a thread with an event queue.
///
/// Ids are dense and *stable*: the same process has the same id in every execution of one
/// exploration, whatever the order in which processes were created. A machine achieves this by
/// naming a process after its creator and its position among that creator's children.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(u32);

impl ProcessId {
    /// The process that exists from the start.
    pub const MAIN: ProcessId = ProcessId(0);

    /// Creates the id with this index.
    pub const fn new(index: usize) -> Self {
        ProcessId(index as u32)
    }

    /// Returns the index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the id with the next index.
    pub const fn next(self) -> Self {
        ProcessId(self.0 + 1)
    }
}

impl fmt::Debug for ProcessId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0)
    }
}

impl fmt::Display for ProcessId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// One step of a process: the process, and the alternative that it takes.
///
/// Most actions have one alternative, number 0. A user's choice, a `notify_one` with several
/// waiters, or an operation that may fail spuriously have more.
///
/// A step is written `3`, or `3.1` if it takes an alternative other than the first:
///
/// ```
/// use mazurka_core::model::{ProcessId, Step};
///
/// let step = Step { process: ProcessId::new(3), choice: 1 };
/// assert_eq!(step.to_string(), "3.1");
/// assert_eq!("3.1".parse(), Ok(step));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The process that moves.
    pub process: ProcessId,
    /// The alternative that it takes.
    pub choice: u32,
}

impl Step {
    /// Returns the step of a process that takes its first alternative, which is usually the only
    /// one.
    pub const fn of(process: ProcessId) -> Self {
        Step { process, choice: 0 }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.choice {
            0 => write!(f, "{}", self.process),
            choice => write!(f, "{}.{choice}", self.process),
        }
    }
}

impl std::str::FromStr for Step {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (process, choice) = text.split_once('.').unwrap_or((text, "0"));
        let process = ProcessId(process.parse()?);
        Ok(Step { process, choice: choice.parse()? })
    }
}
