//! Recorded event-driven programs: threads with event queues, as DroidRacer records them.
//!
//! A recording says which operations the threads and the event handlers of a program performed: it
//! is a list of operations, one a line, each of some thread. The operations of a thread up to its
//! `LOOP` are the thread's own code; after that, each `CALL … RET` is the handler of an event that
//! somebody has posted to the thread's queue. Nothing has a value and nothing branches, so that every
//! interleaving performs the same operations: only their order, and whether they can be performed at
//! all, is to be decided. [`TraceProgram`] is such a program, and [`TraceMachine`] runs it.
//!
//! ```
//! use mazurka_core::explore::explore;
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
//! assert_eq!(explore(&mut machine, &options, &mut ()).executions, 2);
//! ```
//!
//! # The format
//!
//! A recording is a text file with one operation a line. A line starts with an index, which grows
//! from line to line and by which `dependence.txt` refers to the operation. The operation and its
//! fields follow, separated by blanks; a field is split at its first colon. [`Operation`] lists the
//! operations. The first line may be `1 START` and the last one `End of trace!!`; empty lines and
//! lines that begin with `#` are skipped. Any other line is an error: a damaged line is never
//! skipped.
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
