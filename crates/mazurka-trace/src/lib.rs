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
//! A line is an operation if it is longer than two characters and starts with a digit; every other
//! line is ignored. It starts with an index, by which `dependence.txt` refers to it. Fields are
//! separated by blanks, and each is split at its first colon. [`Operation`] lists what there is.
//! `dependence.txt` has a line `src:index dest:index` for every operation that another one comes
//! after, and ends at the first shorter line.

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
