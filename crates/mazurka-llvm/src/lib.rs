//! C and C++ programs under Mazurka's scheduler.
//!
//! clang turns them into LLVM IR without optimising; [`ir`] is that, as a reader of our own finds
//! it in its text form. It is lowered to a compact bytecode, which a machine with an undo log runs.
//!
//! ```no_run
//! use mazurka_core::explore::Checkable;
//! use mazurka_core::search::Options;
//! use mazurka_core::model::Program;
//! use mazurka_llvm::compile::Source;
//! use mazurka_llvm::{LlvmOptions, LlvmProgram};
//!
//! let module = Source::new(["peterson.c"]).load()?;
//! let program = LlvmProgram::new(&module, LlvmOptions::default())?;
//! let mut machine = program.start().expect("it fails before its threads do anything");
//! let verdict = LlvmProgram::explore(&mut machine, &Options::default(), &mut ());
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

//!
//! # How the crate is laid out
//!
//! Each module uses only modules above it:
//!
//! | module | what it does |
//! |---|---|
//! | [`ir`] | the types of LLVM IR |
//! | `layout`, `demangle`, `arithmetic`, `cache` | sizes of types, names of C++, operations on numbers, files in the user's cache |
//! | `headers` | headers for programs |
//! | `memory` | objects, addresses, and the log that undoes changes |
//! | [`read`], [`link`] | from text to modules, and from modules to one |
//! | `bytecode` | from a module to bytecode |
//! | `machine` | runs bytecode step by step, and offers library functions a `Call` |
//! | `library` | the functions of C and C++ that programs call but do not define |
//! | `templates` | the parts of the C++ library that are compiled from its headers |
//! | `units` | the files of a project, and which of them a program needs |
//! | `program`, [`compile`] | what users call: from files to a program to check |

pub mod compile;
pub mod ir;
pub mod link;
pub mod read;

mod arithmetic;
mod bytecode;
mod cache;
mod demangle;
mod headers;
mod layout;
mod library;
mod machine;
mod memory;
mod program;
mod templates;
mod units;

pub use machine::{Allowed, LlvmMachine, LlvmOptions, Property, Random, Undefined};
pub use program::{LlvmProgram, LoadError};
