//! Violations: the mistakes that a check can find.

use std::fmt;
use std::str::FromStr;

use super::schedule::Schedule;

/// The kind of a violation.
///
/// A kind is named in the words of the language that the program is written in. Its
/// [name](ViolationKind::name) is the `kind` in JSON, in catalogues and on the command line. The
/// names are a stable interface: a new kind may be added, but no name changes its meaning.
///
/// | name | meaning | found in |
/// |---|---|---|
/// | `assertion` | an assertion failed: `assert`, `__VERIFIER_assert`, `reach_error` | C, C++ |
/// | `panic` | a thread panicked; `assert!` panics, too | Rust |
/// | `exception` | an exception was thrown that no handler catches | C++ |
/// | `abort` | the program ended itself: `abort`, `std::terminate`, `__builtin_trap` | C, C++ |
/// | `undefined-behaviour` | an operation without a meaning: division by zero, end of a function that must not return | C, C++ |
/// | `crash` | a process ended abnormally: an uncaught error, `exit(Reason)` | Erlang |
/// | `halt` | a process stopped the node: `halt` | Erlang |
/// | `marking` | the marking that the user asked for is reachable | Petri nets |
/// | `deadlock` | processes wait for each other, or for something that never happens | all |
/// | `livelock` | a process spins, and no process is left that could end the spinning | Rust, C, C++ |
/// | `data-race` | two threads access plain memory without ordering, and one of them writes | Rust, C, C++ |
/// | `invalid-memory` | an access to freed, uninitialised or foreign memory | Rust, C, C++ |
/// | `leak` | memory was never freed | Rust, C, C++ |
/// | `lock-misuse` | a lock was used against its rules: an unlock by a thread that does not hold it | Rust, C, C++ |
/// | `nondeterminism` | the program behaves differently under the same schedule | all |
/// | `unsupported` | the front end cannot run the program any further | all |
///
/// ```
/// use mazurka_core::verdict::ViolationKind;
///
/// assert_eq!(ViolationKind::DataRace.name(), "data-race");
/// assert_eq!(ViolationKind::DataRace.to_string(), "data race");
/// assert_eq!("data-race".parse(), Ok(ViolationKind::DataRace));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum ViolationKind {
    /// An assertion of a C or C++ program failed.
    Assertion,
    /// A Rust thread panicked. A failed `assert!` panics, too.
    Panic,
    /// A C++ exception was thrown that no handler catches.
    Exception,
    /// A C or C++ program ended itself by `abort`, `std::terminate` or a trap.
    Abort,
    /// A C or C++ program performed an operation that has no meaning, such as a division by zero.
    UndefinedBehaviour,
    /// An Erlang process ended abnormally.
    Crash,
    /// An Erlang process stopped the node.
    Halt,
    /// A Petri net reaches the marking that was asked for.
    Marking,
    /// Processes wait for each other, or for something that never happens.
    Deadlock,
    /// A process spins forever, and no process is left that could change the values it reads.
    Livelock,
    /// Two threads access plain memory, neither access happens before the other, and one of them
    /// is a write.
    DataRace,
    /// A program accessed memory that is freed, uninitialised, or not its own.
    InvalidMemory,
    /// A program did not free some memory.
    Leak,
    /// A lock was used against its rules.
    LockMisuse,
    /// The program behaves differently under the same schedule.
    Nondeterminism,
    /// The front end cannot run the program any further: the program calls an unknown function, or
    /// runs without end and without a visible action. This is no verdict on the program, and ends
    /// the exploration.
    Unsupported,
}

/// Every kind, with its name in JSON and in text.
const KINDS: [(ViolationKind, &str, &str); 16] = [
    (ViolationKind::Assertion, "assertion", "failed assertion"),
    (ViolationKind::Panic, "panic", "panic"),
    (ViolationKind::Exception, "exception", "uncaught exception"),
    (ViolationKind::Abort, "abort", "abort"),
    (ViolationKind::UndefinedBehaviour, "undefined-behaviour", "case of undefined behaviour"),
    (ViolationKind::Crash, "crash", "crash"),
    (ViolationKind::Halt, "halt", "halt"),
    (ViolationKind::Marking, "marking", "reachable marking"),
    (ViolationKind::Deadlock, "deadlock", "deadlock"),
    (ViolationKind::Livelock, "livelock", "livelock"),
    (ViolationKind::DataRace, "data-race", "data race"),
    (ViolationKind::InvalidMemory, "invalid-memory", "use of invalid memory"),
    (ViolationKind::Leak, "leak", "memory leak"),
    (ViolationKind::LockMisuse, "lock-misuse", "misuse of a lock"),
    (ViolationKind::Nondeterminism, "nondeterminism", "nondeterministic program"),
    (ViolationKind::Unsupported, "unsupported", "program that Mazurka cannot run"),
];

impl ViolationKind {
    /// Returns all kinds, in the order of the table above.
    pub fn all() -> impl ExactSizeIterator<Item = ViolationKind> {
        KINDS.iter().map(|(kind, ..)| *kind)
    }

    /// Returns whether the exploration ends with a violation of this kind even if the user asked
    /// to keep going.
    pub const fn ends_exploration(self) -> bool {
        matches!(self, ViolationKind::Nondeterminism | ViolationKind::Unsupported)
    }

    /// Returns whether the program reports the mistake itself, so that the message quotes the
    /// program and is shown as it is.
    pub const fn quotes_program(self) -> bool {
        use ViolationKind::{Abort, Assertion, Crash, Exception, Halt, Panic};
        matches!(self, Assertion | Panic | Exception | Abort | Crash | Halt)
    }

    /// Returns the name in JSON, a stable interface.
    pub const fn name(self) -> &'static str {
        KINDS[self as usize].1
    }
}

/// Writes the kind for people: `data race`.
impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(KINDS[*self as usize].2)
    }
}

/// A text that is not the name of a [`ViolationKind`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseKindError {
    text: String,
}

impl fmt::Display for ParseKindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = ViolationKind::all().map(ViolationKind::name).collect();
        write!(f, "`{}` is not a kind of violation: use one of {}", self.text, names.join(", "))
    }
}

impl std::error::Error for ParseKindError {}

/// Parses a [name](ViolationKind::name).
impl FromStr for ViolationKind {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = ViolationKind::all().find(|kind| kind.name() == text);
        named.ok_or_else(|| ParseKindError { text: text.to_owned() })
    }
}

/// A mistake of the program, and the schedule that leads to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The kind of mistake.
    pub kind: ViolationKind,
    /// A description of the mistake, in a sentence or a few lines.
    pub message: String,
    /// The steps that lead to it. The explorer fills this in.
    pub schedule: Schedule,
    /// For a data race, the positions of the two accesses in the schedule.
    pub accesses: Option<(usize, usize)>,
    /// For a data race under a memory model, the synchronisation that would order the two accesses.
    pub missing: Option<MissingSynchronisation>,
    /// The number of the execution that failed, counted from 1. The explorer fills this in.
    pub execution: u64,
}

/// A store and a load that would order two accesses that race: the store comes after the first access in
/// its thread, the load reads from it, and the second access comes after the load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MissingSynchronisation {
    /// The position of the store in the schedule.
    pub store: usize,
    /// The position of the load in the schedule.
    pub load: usize,
    /// Whether the store does not release.
    pub is_store_weak: bool,
    /// Whether the load does not acquire.
    pub is_load_weak: bool,
}

impl Violation {
    /// Returns a violation whose schedule is not known yet.
    pub fn new(kind: ViolationKind, message: impl Into<String>) -> Self {
        Violation {
            kind,
            message: message.into(),
            schedule: Schedule::default(),
            accesses: None,
            missing: None,
            execution: 0,
        }
    }

    /// Returns a data race between the steps at these two positions.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (index, kind) in ViolationKind::all().enumerate() {
            assert_eq!(kind as usize, index, "{kind:?}");
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        // A new kind is the last of the enum, or `name` would be out of bounds.
        assert_eq!(ViolationKind::Unsupported as usize + 1, ViolationKind::all().len());
    }

    #[test]
    fn unknown_names_are_refused_with_the_known_ones() {
        let error = "panics".parse::<ViolationKind>().unwrap_err().to_string();
        assert!(error.contains("`panics`") && error.contains("panic, "), "{error}");
    }
}
