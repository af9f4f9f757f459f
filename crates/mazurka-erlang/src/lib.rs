//! Erlang programs for the Mazurka model checker.
//!
//! An interpreter of BEAM runs compiled modules, and the modules of OTP as they are installed:
//! `lists`, `gen_server`, `supervisor` and the rest. Processes, messages, signals, links, monitors,
//! names, timers and `ets` tables are part of the interpreter, and are what the explorers see.
//!
//! Each module depends only on modules below it:
//!
//! | module | contents |
//! |---|---|
//! | `machine` | programs and machines: performs visible operations, and tells explorers what they access |
//! | `bif` | built-in functions; a visible operation only becomes the next step of its process |
//! | `vm` | the virtual machine: loads code, interprets it, keeps processes, and undoes steps |
//! | `regex`, `syntax`, `beam` | regular expressions; calls as users write them; files of compiled modules |
//! | `term` | terms: their heap, order, hashes and text |
//!
//! ```no_run
//! use mazurka_core::explore::Checkable;
//! use mazurka_core::search::Options;
//! use mazurka_core::model::Program;
//! use mazurka_erlang::ErlangProgram;
//!
//! let program = ErlangProgram::new(&["lock.erl".into()], &[], "lock:test(4)".parse()?)?;
//! let mut machine = program.ignore_deadlocks(true).start().expect("it can be run");
//! let verdict = ErlangProgram::explore(&mut machine, &Options::default(), &mut ());
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

pub use machine::{
    Call, Delivery, ErlangError, ErlangMachine, ErlangProgram, Start, remove_temporary_directories,
};

/// Loads a compiled module, and nothing else. For tests of damaged modules.
///
/// # Errors
///
/// If the module is damaged or of another release. The error says what is wrong with it.
#[doc(hidden)]
pub fn load_module(bytes: &[u8]) -> Result<(), String> {
    vm::load_alone(bytes)
}
