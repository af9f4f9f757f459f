//! LLVM IR as far as C and C++ programs need it, independent of the version that wrote it.
//!
//! The reader resolves names to dense indices: types, globals and functions of the module, and
//! values and blocks of a function. Typed pointers (LLVM 14) and opaque ones (15 and later) read
//! alike: a pointer's type is just [`Type::Pointer`], and whoever needs the type of what it points
//! to (a load, a `getelementptr`, a call) carries it.

mod debug;
mod function;
mod module;
mod types;

pub use debug::Place;
pub(crate) use debug::is_of_the_system;
pub use debug::{DebugInfo, DebugType, DebugTypeId, DebugVariable, Field};
pub use function::{
    AtomicOp, BinaryOp, Block, BlockId, CastOp, Clause, Function, Instruction, InstructionKind,
    Operand, Parameter, Predicate, Terminator, TerminatorKind, ValueId,
};
pub(crate) use module::LIBRARY;
pub use module::{Alias, Constant, FunctionId, Global, GlobalId, Module};
pub use types::{Type, TypeId, Types};
