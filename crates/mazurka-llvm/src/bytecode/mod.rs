//! A compact bytecode for registers, and how LLVM IR becomes that.

mod code;
mod lower;
mod op;
mod signature;

pub(crate) use code::{
    Argument, ArgumentKind, CallSite, Clause, Code, Counted, FRAME_HEADER, FunctionCode,
    GlobalData, Loop, Outside, Pad, RoundStep, Shape, Switch, own_words, unknown_function,
};
pub(crate) use lower::lower;
pub(crate) use op::{Atomic, NOWHERE, Op, Orderings, Pc, Scalar, Slot};
pub(crate) use signature::{Further, Part, Signature};
