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
//! use mazurka_erlang::explore;
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

pub use machine::{Call, Delivery, ErlangError, ErlangMachine, ErlangProgram};

use mazurka_core::search::{Monitor, Options};
use mazurka_core::verdict::Verdict;

/// Explores the executions of a machine that is in its initial state, like
/// [`mazurka_core::explore::explore`].
///
/// That function is generic. Programs that call this one instead need not compile the explorers again.
pub fn explore(
    machine: &mut ErlangMachine,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<ErlangMachine>,
) -> Verdict {
    mazurka_core::explore::explore(machine, options, monitor)
}

/// Explores the executions of a program, like [`mazurka_core::explore::check`].
///
/// That function is generic. Programs that call this one instead need not compile the explorers again.
pub fn check(
    program: &ErlangProgram,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<ErlangMachine>,
) -> Verdict {
    mazurka_core::explore::check(program, options, monitor)
}
