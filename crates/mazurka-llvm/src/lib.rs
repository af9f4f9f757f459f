//! C and C++ programs under Mazurka's scheduler.
//!
//! clang turns them into LLVM IR without optimising; [`ir`] is that, as a reader of our own finds
//! it in its text form. It is lowered to a compact bytecode, which a machine with an undo log runs.

pub mod compile;
pub mod ir;
pub mod link;
pub mod read;

mod bytecode;
mod layout;
mod library;
mod machine;
mod memory;

pub use machine::{LlvmMachine, LlvmOptions, LlvmProgram, LoadError, Random};
