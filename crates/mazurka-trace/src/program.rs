//! Recordings as programs.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use mazurka_core::model::{Action, ProcessId, Program};
use mazurka_core::verdict::Violation;

use crate::compile;
use crate::dependences::{self, Dependence};
use crate::error::TraceError;
use crate::machine::TraceMachine;
use crate::operation::Line;

/// The index that stands for "no operation", "no message" or "no counter".
pub(crate) const NONE: u32 = u32::MAX;

/// A recording as a program: all interleavings of its operations that their semantics allow.
#[derive(Clone, Debug)]
pub struct TraceProgram {
    pub(crate) path: PathBuf,
    pub(crate) lines: Vec<Line>,
    /// The numbers of the threads in the file, ascending. A process is an index into this list.
    pub(crate) threads: Vec<u32>,
    /// The operations, those of each task in sequence.
    pub(crate) codes: Vec<Code>,
    /// The start of each thread's own code, or [`NONE`].
    pub(crate) starts: Vec<u32>,
    /// The events that have a handler.
    pub(crate) events: Vec<Event>,
    /// For each thread that exits after handlers, its `THREADEXIT` and the number of handlers
    /// before it.
    pub(crate) exits: Vec<Option<(u32, u32)>>,
    /// The counters that the operations increment; each operation has a slice of this list.
    pub(crate) bumps: Vec<Counter>,
    /// The processes of the operations, in the order of the recording.
    pub(crate) recording: Vec<ProcessId>,
    pub(crate) sizes: Sizes,
}

/// The number of shared objects of each kind.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Sizes {
    pub(crate) locks: u32,
    pub(crate) channels: u32,
    pub(crate) counters: u32,
}

/// An event with its handler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    /// The index of its `CALL`.
    pub(crate) call: u32,
}

/// A counter of the sources of an operation that have run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counter {
    pub(crate) counter: u32,
    /// The action that increments it.
    pub(crate) action: Action,
}

/// A compiled operation.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    /// The index of its line.
    pub(crate) line: u32,
    pub(crate) thread: u32,
    pub(crate) effect: Effect,
    /// Its declared action on a shared object.
    pub(crate) action: Option<Action>,
    /// Its guard.
    pub(crate) guard: Option<Action>,
    /// The counter of its sources, which it reads.
    pub(crate) looks: Option<Counter>,
    /// The counters that it increments, as a range of [`TraceProgram::bumps`].
    pub(crate) bumps: (u32, u32),
    /// Whether it is the last recorded operation of its task.
    pub(crate) is_last: bool,
}

/// The effect of an operation on the state.
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
    /// Waits until this many sources have run.
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
    /// Reads a recording. `path` is a directory with `trace.txt` and optionally `dependence.txt`,
    /// or a file. For a file, `dependence.txt` is expected beside it unless `dependence` gives its
    /// path.
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

    /// Parses a recording from the texts of its files. `path` is used in error messages.
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

    /// Returns the file that it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the operations in the order of the recording.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Returns the number of a process in the file.
    pub fn thread(&self, process: ProcessId) -> u32 {
        self.threads[process.index()]
    }

    /// Checks that the recording is an execution of the program.
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

    fn for_workers(&self) -> Option<Self> {
        // All ids are known before the first step.
        Some(self.clone())
    }

    fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        // Where it was read from is only for people.
        let program = TraceProgram { path: PathBuf::new(), ..self.clone() };
        format!("{program:?}").hash(&mut hasher);
        hasher.finish()
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn restore(&self, saved: &[u8]) -> bool {
        saved.is_empty()
    }
}
