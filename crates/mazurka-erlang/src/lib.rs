//! Erlang programs for the Mazurka model checker.
//!
//! Compiled modules are run by an interpreter of BEAM, those of OTP as they are: `lists`,
//! `gen_server`, `supervisor` and the rest. Processes, messages, signals, links, monitors, names,
//! timers and tables of `ets` are part of the interpreter, and are what the explorers see.
//!
//! ```no_run
//! use mazurka_core::explore::explore;
//! use mazurka_core::search::Options;
//! use mazurka_core::model::Program;
//! use mazurka_erlang::ErlangProgram;
//!
//! let program = ErlangProgram::new(&["lock.erl".into()], &[], "lock:test(4)".parse()?)?;
//! let mut machine = program.ignore_deadlocks(true).start().expect("it can be run");
//! let verdict = explore(&mut machine, &Options::default(), &mut ());
//! assert_eq!(verdict.executions, 24);
//! # Ok::<(), mazurka_erlang::ErlangError>(())
//! ```

mod beam;
mod bif;
mod machine;
mod regex;
mod syntax;
mod term;
mod vm;

pub use machine::{Call, ErlangError, ErlangMachine, ErlangProgram};
