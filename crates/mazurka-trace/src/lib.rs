//! Recorded event-driven programs: threads with event queues, in the format of DroidRacer.
//!
//! A recording lists the operations that the threads and the event handlers of a program performed,
//! one per line, each with its thread. The operations of a thread up to its `LOOP` are the thread's
//! own code. After that, each `CALL … RET` is the handler of an event that was posted to the
//! thread's queue. Operations have no values and there are no branches, so every interleaving
//! performs the same operations. Only their order differs, and whether they are enabled.
//! [`TraceProgram`] is such a program, and [`TraceMachine`] runs it.
//!
//! ```
//! use mazurka_core::explore::Checkable;
//! use mazurka_core::search::{Algorithm, Options};
//! use mazurka_core::model::Program;
//! use mazurka_trace::TraceProgram;
//!
//! let program = TraceProgram::parse("race.txt", "
//! 1 THREADINIT tid:1
//! 2 FORK par-tid:1 child-tid:2
//! 3 THREADINIT tid:2
//! 4 WRITE tid:1 obj:0x10 class:Counter field:8
//! 5 READ tid:2 obj:0x10 class:Counter field:8
//! ", None).unwrap();
//!
//! let mut machine = program.start().unwrap();
//! let options = Options { algorithm: Algorithm::Optimal, ..Options::default() };
//! assert_eq!(TraceProgram::explore(&mut machine, &options, &mut ()).executions, 2);
//! ```
//!
//! # The format
//!
//! A recording is a text file with one operation per line. A line starts with an index, which
//! increases from line to line. `dependence.txt` refers to operations by their indices. The
//! operation and its fields follow, separated by blanks; a field is split at its first colon.
//! [`Operation`] lists the operations. The first line may be `1 START`, and the last one `End of
//! trace!!`. Empty lines and lines that begin with `#` are skipped. Any other line is an error: a
//! damaged line is never skipped.
//!
//! `dependence.txt` has a line `src:index dest:index` for each operation `dest` that comes after an
//! operation `src`.

mod compile;
mod dependences;
mod error;
mod fields;
mod machine;
mod operation;
mod program;
mod races;
mod stuck;
mod subject;

pub use error::TraceError;
pub use machine::TraceMachine;
pub use operation::{Access, Line, Operation, Place, PostKind};
pub use program::TraceProgram;
pub use races::Races;
