//! A tiny language for concurrent programs, and a machine that runs it.
//!
//! ```
//! use mazurka_core::model::{Machine, Program};
//! use mazurka_testkit::script::{Script, ScriptProgram};
//!
//! let script: Script = "
//!     process 0 {
//!         lock m0
//!         r0 = read x0
//!         write x0 r0+1
//!         unlock m0
//!     }
//!     process 1 {
//!         r0 = fetch_add x0 1
//!         assert r0 == 0
//!     }
//! "
//! .parse()
//! .unwrap();
//! let machine = ScriptProgram::new(&script).unwrap().start().unwrap();
//! assert_eq!(machine.enabled_steps().len(), 2);
//! ```
//!
//! Names are a letter and a number: `x` for atomic variables (`x0.low` and `x0.high` for their
//! halves), `d` for plain ones, `m` for mutexes, `l` for reader-writer locks, `c` for condition
//! variables, `q` for channels, `b` for mailboxes, `r` for registers. Only channels are declared.
//! [`Statement`] lists the statements of a process.
//!
//! The table at [`Op`](mazurka_core::model::Op) defines how statements become actions.

mod compile;
mod display;
mod late_names;
mod machine;
mod mailbox;
mod parse;
mod state;
mod syntax;
mod twins;

pub use late_names::{LateNames, LatelyNamed};
pub use machine::{ScriptMachine, ScriptProgram};
pub use mailbox::Pattern;
pub use parse::ParseScriptError;
pub use state::{State, Status};
pub use syntax::{Channel, Half, REGISTERS, Register, Script, Statement, Value, Variable};
