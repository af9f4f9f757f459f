//! C and C++ programs under Mazurka's scheduler.
//!
//! clang turns them into LLVM IR without optimising; [`ir`] is that, as a reader of our own finds
//! it in its text form. It is lowered to a compact bytecode, which a machine with an undo log runs.
//!
//! ```no_run
//! use mazurka_core::explore::explore;
//! use mazurka_core::search::Options;
//! use mazurka_core::model::Program;
//! use mazurka_llvm::compile::Source;
//! use mazurka_llvm::{LlvmOptions, LlvmProgram};
//!
//! let module = Source::new(["peterson.c"]).load()?;
//! let program = LlvmProgram::new(&module, LlvmOptions::default())?;
//! let mut machine = program.start().expect("it fails before its threads do anything");
//! let verdict = explore(&mut machine, &Options::default(), &mut ());
//! println!("{} executions", verdict.executions);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is a step
//!
//! Accesses to memory that another thread can reach, and operations on locks and the like. What a
//! thread does in between (on its registers, its locals, and whatever it has allocated and not given
//! away) is part of the step before. As long as there is only the main thread there are no steps at
//! all. Creating, joining and waking threads are edges between steps.
//!
//! # What is checked
//!
//! Every access is checked against the bounds and the lifetime of its object, and every use of a lock
//! against the rules. Sequential consistency is assumed: fences do nothing, and atomics differ from
//! plain accesses only in that they do not race.

pub mod compile;
pub mod ir;
pub mod link;
pub mod read;

mod bytecode;
mod demangle;
mod layout;
mod library;
mod machine;
mod memory;

pub use machine::{LlvmMachine, LlvmOptions, LlvmProgram, LoadError, Random};
