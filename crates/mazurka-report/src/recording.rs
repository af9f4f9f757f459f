//! Recordings: executions in the user's terms.

use std::fmt;

use mazurka_core::model::ProcessId;
use mazurka_core::verdict::Violation;

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The file, as it was passed to the compiler.
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

/// The kind of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineKind {
    /// A visible operation, which is a step.
    Operation,
    /// The creation of a process.
    Spawn(ProcessId),
    /// Another part of a step, such as a join.
    Local,
    /// A failure: an uncaught panic, a failed assertion.
    Failure,
    /// The end of the process.
    End,
    /// The operation that the process could not perform when no process was enabled.
    Stuck,
}

/// One line of a recording.
#[derive(Clone, Debug)]
pub struct Line {
    /// The process.
    pub process: ProcessId,
    /// The place in the source, if there is one.
    pub place: Option<Place>,
    /// The text, such as `counter.load() → 1`.
    pub text: String,
    /// The kind of the line.
    pub kind: LineKind,
    /// The step to which the line belongs, counted from 0. Lines before the first step belong to
    /// it.
    pub step: usize,
    /// The object of a visible operation, and where it was created.
    pub object: Option<String>,
}

/// A step of a schedule that could not be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// The number of the step, counted from 0.
    pub step: usize,
    /// The state of the process, such as `'worker' has ended`.
    pub instead: String,
}

/// The terms that users of a front end know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words {
    /// The term for a process, such as `thread`.
    pub process: &'static str,
}

/// The terms of Rust programmers.
impl Default for Words {
    fn default() -> Self {
        Words { process: "thread" }
    }
}

/// One execution in the user's terms.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The lines, in order.
    pub lines: Vec<Line>,
    /// The names of the processes, by process id; with or without single quotes.
    pub names: Vec<String>,
    /// The violation at the end of the execution, if there is one. Data races are not detected.
    pub violation: Option<Violation>,
    /// The step of the schedule that could not be taken, if there is one.
    pub misfit: Option<Misfit>,
    /// The output of the program, if the front end captures it.
    pub output: String,
    /// The terms that the users know.
    pub words: Words,
}
