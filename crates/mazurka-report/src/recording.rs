//! Recordings: one execution in the user's words.

use std::fmt;

use mazurka_core::model::ProcessId;
use mazurka_core::verdict::Violation;

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1; 0 if it is not known.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        match self.column {
            0 => Ok(()),
            column => write!(f, ":{column}"),
        }
    }
}

/// What sort of thing a process did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineKind {
    /// A visible operation: a step.
    Operation,
    /// It created a process.
    Spawn(ProcessId),
    /// Something else that is part of a step, a join say.
    Local,
    /// It failed: a panic that nothing in it caught, a failed assertion.
    Failure,
    /// It ended.
    End,
    /// What it could not do when nobody could go on.
    Stuck,
}

/// Something that a process did.
#[derive(Clone, Debug)]
pub struct Line {
    /// Who.
    pub process: ProcessId,
    /// Where in the source, unless it is nowhere in particular.
    pub place: Option<Place>,
    /// What, such as `counter.load() → 1`.
    pub text: String,
    /// What sort of thing.
    pub kind: LineKind,
    /// In which step, counted from 0; what happens before the first one counts as part of it.
    pub step: usize,
    /// The object of a visible operation, and where it was created.
    pub object: Option<String>,
}

/// A step of a schedule that could not be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// Which step, counted from 0.
    pub step: usize,
    /// What is with the process instead, such as `'worker' has ended`.
    pub instead: String,
}

/// What the users of a front end call things.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words {
    /// A process: `thread`, say.
    pub process: &'static str,
}

/// What Rust programmers call them.
impl Default for Words {
    fn default() -> Self {
        Words { process: "thread" }
    }
}

/// One execution in the user's words.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// What happened, in order.
    pub lines: Vec<Line>,
    /// What the processes are called, by process id; in single quotes, or as they are.
    pub names: Vec<String>,
    /// What went wrong, if it did on the way or at the end. Data races are not looked for.
    pub violation: Option<Violation>,
    /// Where the schedule could not be followed.
    pub misfit: Option<Misfit>,
    /// What the program printed, where the front end captures that.
    pub output: String,
    /// What things are called.
    pub words: Words,
}
