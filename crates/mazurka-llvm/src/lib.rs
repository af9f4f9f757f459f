//! C and C++ programs under Mazurka's scheduler.
//!
//! clang turns them into LLVM IR without optimising; [`ir`] is that, as a reader of our own finds
//! it in its text form.

pub mod compile;
pub mod ir;
pub mod link;
pub mod read;
