//! Modules: globals and functions.

use super::{DebugInfo, DebugVariable, Function, TypeId, Types};

/// The index of a global in its module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GlobalId(pub u32);

/// The index of a function in its module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FunctionId(pub u32);

/// A whole program: one file, or several that were linked.
#[derive(Clone, Default, Debug)]
pub struct Module {
    /// All types.
    pub types: Types,
    /// All variables, in the order of the file. Aliases are resolved.
    pub globals: Vec<Global>,
    /// All functions, declared ones included.
    pub functions: Vec<Function>,
    /// `llvm.global_ctors`, in the order in which they run.
    pub constructors: Vec<FunctionId>,
    /// `llvm.global_dtors`, in the order in which they run.
    pub destructors: Vec<FunctionId>,
    /// Further names of globals and functions. Everything in this module that uses one of them
    /// names its target instead; they are here for the other modules that it is linked with.
    pub aliases: Vec<Alias>,
    /// What the program's own words are.
    pub debug: DebugInfo,
    /// The IR files that it was read from, for complaints; `LIBRARY` for Mazurka's own.
    pub files: Vec<String>,
}

/// The name of the IR of the library. It defines functions by the types that the VM needs, which may not be
/// those of the headers: `fcntl` is not variadic.
pub(crate) const LIBRARY: &str = "the C library";

/// One more name of a global or a function.
#[derive(Clone, Debug)]
pub struct Alias {
    /// The name without the `@`.
    pub name: String,
    /// What it names.
    pub target: Constant,
    /// Whether other files cannot see it.
    pub internal: bool,
    /// Whether other definitions may replace it.
    pub weak: bool,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name without the `@`.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// What it is at first; `None` if it is declared only.
    pub initial: Option<Constant>,
    /// Whether it may not be written.
    pub constant: bool,
    /// Whether every thread has one of its own.
    pub thread_local: bool,
    /// Its alignment, if it is given.
    pub align: Option<u32>,
    /// Whether other files cannot see it.
    pub internal: bool,
    /// Whether other definitions may replace it (`linkonce`, `weak`, `common`). If it is declared
    /// only (`extern_weak`), no module may define it at all: its address is null then.
    pub weak: bool,
    /// What the source calls it.
    pub debug: Option<DebugVariable>,
}

/// A constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Constant {
    /// An integer, its bits zero-extended.
    Int(u128),
    /// A floating-point number, as the bits of its own type.
    Float(u128),
    /// A null pointer.
    Null,
    /// All zeros.
    Zero,
    /// `undef` or `poison`.
    Undefined,
    /// Bytes of a string.
    Bytes(Vec<u8>),
    /// An array, a vector or a struct.
    Aggregate(Vec<(TypeId, Constant)>),
    /// The address of a global.
    Global(GlobalId),
    /// The address of a function.
    Function(FunctionId),
    /// `blockaddress`: the address of a block.
    Label {
        /// The function that the block is in.
        function: FunctionId,
        /// The name of the block.
        block: String,
    },
    /// A constant that the VM does not know: an error when it is used.
    Unsupported(String),
    /// `getelementptr`: an address plus indices into `ty`.
    Element {
        /// What the base points to.
        ty: TypeId,
        /// The base.
        base: Box<Constant>,
        /// The indices with their types.
        indices: Vec<(TypeId, Constant)>,
    },
    /// A conversion.
    Cast {
        /// Which.
        op: super::CastOp,
        /// From this type.
        from: TypeId,
        /// Of this.
        value: Box<Constant>,
        /// To this type.
        to: TypeId,
    },
    /// Arithmetic.
    Binary {
        /// Which.
        op: super::BinaryOp,
        /// On this type.
        ty: TypeId,
        /// The left side.
        left: Box<Constant>,
        /// The right side.
        right: Box<Constant>,
    },
    /// `icmp` or `fcmp`.
    Compare {
        /// Which.
        predicate: super::Predicate,
        /// On this type.
        ty: TypeId,
        /// The left side.
        left: Box<Constant>,
        /// The right side.
        right: Box<Constant>,
    },
    /// `select`.
    Select(Box<[Constant; 3]>),
}
