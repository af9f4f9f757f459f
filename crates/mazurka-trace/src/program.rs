//! Recordings as programs.

use std::fs;
use std::path::{Path, PathBuf};

use mazurka_core::model::{Action, ProcessId, Program};
use mazurka_core::verdict::Violation;

use crate::compile;
use crate::dependences::{self, Dependence};
use crate::error::TraceError;
use crate::machine::TraceMachine;
use crate::operation::Line;

/// No operation, message or counter.
pub(crate) const NONE: u32 = u32::MAX;

/// A recording that can be run: every interleaving of its operations that their meaning allows.
#[derive(Clone, Debug)]
pub struct TraceProgram {
    pub(crate) path: PathBuf,
    pub(crate) lines: Vec<Line>,
    /// The threads' numbers in the file, ascending; a process is an index into this.
    pub(crate) threads: Vec<u32>,
    /// The operations, those of one task behind each other.
    pub(crate) codes: Vec<Code>,
    /// Where the own code of each thread starts, or [`NONE`].
    pub(crate) starts: Vec<u32>,
    /// The events that have a handler.
    pub(crate) events: Vec<Event>,
    /// For each thread its `THREADEXIT` behind its handlers, and how many of these come before.
    pub(crate) exits: Vec<Option<(u32, u32)>>,
    /// Which counters the operations move on, as slices of this.
    pub(crate) bumps: Vec<Counter>,
    /// Who performs the operations, in the order in which they were recorded.
    pub(crate) recording: Vec<ProcessId>,
    pub(crate) sizes: Sizes,
}

/// How many there are of each kind of shared object.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Sizes {
    pub(crate) locks: u32,
    pub(crate) channels: u32,
    pub(crate) counters: u32,
}

/// An event with its handler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    /// Its `CALL`.
    pub(crate) call: u32,
}

/// How many of the sources of an operation have run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counter {
    pub(crate) counter: u32,
    /// The action that moves it on.
    pub(crate) action: Action,
}

/// An operation as it is run.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    /// Which of the lines it is.
    pub(crate) line: u32,
    pub(crate) thread: u32,
    pub(crate) effect: Effect,
    /// What it does to shared objects, as it is declared.
    pub(crate) action: Option<Action>,
    /// What holds it back.
    pub(crate) guard: Option<Action>,
    /// What it looks at besides: how many of its sources have run.
    pub(crate) looks: Option<Counter>,
    /// The counters that it moves on, as a range of [`TraceProgram::bumps`].
    pub(crate) bumps: (u32, u32),
    /// Whether it is the last recorded operation of its task.
    pub(crate) is_last: bool,
}

/// What an operation does to the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    Nothing,
    /// The thread is idle, and handles events from now on.
    Loop,
    /// The thread is idle again.
    Return,
    Fork {
        child: u32,
    },
    Attach,
    Exit,
    /// Posts an event, or [`NONE`] if its handler was not recorded.
    Post {
        event: u32,
        to: u32,
    },
    Call {
        event: u32,
    },
    Lock(u32),
    Unlock(u32),
    Notify {
        channel: u32,
    },
    Wait {
        channel: u32,
    },
    /// Waits until so many sources have run.
    Await {
        counter: u32,
        needed: u32,
    },
    Enable {
        channel: u32,
    },
    Trigger {
        channel: u32,
    },
}

impl TraceProgram {
    /// Reads a recording: a directory with `trace.txt` and perhaps `dependence.txt`, or a file,
    /// with `dependence.txt` beside it unless `dependence` says where it is.
    pub fn read(path: impl AsRef<Path>, dependence: Option<&Path>) -> Result<Self, TraceError> {
        let path = path.as_ref();
        let trace = if path.is_dir() { path.join("trace.txt") } else { path.to_owned() };
        let text = read_file(&trace)?;
        let beside = trace.with_file_name("dependence.txt");
        let dependence = match dependence {
            Some(path) => Some((path, read_file(path)?)),
            None if beside.exists() => Some((beside.as_path(), read_file(&beside)?)),
            None => None,
        };
        Self::parse(&trace, &text, dependence.as_ref().map(|(path, text)| (*path, text.as_str())))
    }

    /// Reads a recording from the texts of its files; `path` is for error messages.
    pub fn parse(
        path: impl AsRef<Path>,
        trace: &str,
        dependence: Option<(&Path, &str)>,
    ) -> Result<Self, TraceError> {
        let path = path.as_ref();
        let mut lines: Vec<Line> = Vec::new();
        for (i, text) in trace.lines().enumerate() {
            let line = Line::parse(i + 1, text);
            let Some(line) = line.map_err(|message| TraceError::at(path, i + 1, message))? else {
                continue;
            };
            if let Some(last) = lines.last().filter(|last| last.index >= line.index) {
                let (index, last) = (line.index, last.index);
                let message = format!(
                    "the index {index} must be greater than the index before it, which is {last}"
                );
                return Err(TraceError::at(path, i + 1, message));
            }
            lines.push(line);
        }
        let dependences: Vec<Dependence> = match dependence {
            Some((path, text)) => dependences::parse(path, text)?,
            None => Vec::new(),
        };
        let dependence_path = dependence.map_or(path, |(path, _)| path);
        let program = compile::compile(path, lines, dependence_path, &dependences)?;
        program.check_recording()?;
        Ok(program)
    }

    /// The file that it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The operations, as they were recorded.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The number that a process has in the file.
    pub fn thread(&self, process: ProcessId) -> u32 {
        self.threads[process.index()]
    }

    /// Makes sure that the recording is an execution of itself.
    fn check_recording(&self) -> Result<(), TraceError> {
        let mut machine = TraceMachine::new(self);
        for (line, process) in self.lines.iter().zip(&self.recording) {
            machine
                .repeat(*process, line)
                .map_err(|message| TraceError::at(&self.path, line.number, message))?;
        }
        Ok(())
    }
}

fn read_file(path: &Path) -> Result<String, TraceError> {
    let bytes = fs::read(path)
        .map_err(|error| TraceError::of(path, format!("the file cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let read = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = read.iter().filter(|byte| **byte == b'\n').count() + 1;
        TraceError::at(path, line, "this is not UTF-8 text; a recording is a text file")
    })
}

impl Program for TraceProgram {
    type Machine = TraceMachine;

    fn start(&self) -> Result<TraceMachine, Box<Violation>> {
        Ok(TraceMachine::new(self))
    }
}
