//! A compact bytecode for registers, and how LLVM IR becomes that.

mod code;
mod lower;
mod op;

pub(crate) use code::{
    Argument, ArgumentKind, CallSite, Code, FRAME_HEADER, FunctionCode, GlobalData, Loop, Shape,
    Switch,
};
pub(crate) use lower::lower;
pub(crate) use op::{NOWHERE, Op, Pc, Scalar, Slot};
