//! Functions, blocks and instructions.

use mazurka_core::model::MemoryOrdering;

use super::{Constant, DebugVariable, Place, TypeId};

/// The index of a value in its function: parameters first, then the results of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ValueId(pub u32);

/// The index of a block in its function; the first one is where it starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name without the `@`.
    pub name: String,
    /// What it returns.
    pub result: TypeId,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// And whatever else.
    pub variadic: bool,
    /// Its body; empty if it is declared only.
    pub blocks: Vec<Block>,
    /// The type of each of its values, by [`ValueId`].
    pub values: Vec<TypeId>,
    /// Whether other files cannot see it.
    pub internal: bool,
    /// Whether other definitions may replace it (`linkonce`, `weak`). If it is declared only
    /// (`extern_weak`), no module may define it at all: its address is null then.
    pub weak: bool,
    /// Where the source defines it.
    pub place: Option<Place>,
    /// What the source calls it (`DISubprogram`'s name: unmangled).
    pub source_name: Option<String>,
    /// The IR file that it is in, as an index into [`Module::files`](super::Module::files).
    pub file: u32,
    /// The line of the IR, for complaints.
    pub line: u32,
}

/// A parameter; it is the value with its index.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its type.
    pub ty: TypeId,
    /// `byval(type)`: the callee gets a copy of what it points to.
    pub by_value: Option<TypeId>,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its label, or its number.
    pub name: String,
    /// What it does.
    pub instructions: Vec<Instruction>,
    /// How it ends.
    pub terminator: Terminator,
}

/// A value with its type.
#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// Something computed.
    Value(ValueId),
    /// A constant of a type.
    Constant(TypeId, Constant),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The value that it defines.
    pub result: Option<ValueId>,
    /// What it does.
    pub kind: InstructionKind,
    /// Where it is in the source.
    pub place: Option<Place>,
    /// The line of the IR, for complaints.
    pub line: u32,
}

/// How a block ends.
#[derive(Clone, Debug)]
pub struct Terminator {
    /// How.
    pub kind: TerminatorKind,
    /// Where it is in the source.
    pub place: Option<Place>,
    /// The line of the IR, for complaints.
    pub line: u32,
}

/// What an instruction does.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum InstructionKind {
    Alloca {
        ty: TypeId,
        count: Option<Operand>,
        align: Option<u32>,
        variable: Option<DebugVariable>,
    },
    Load {
        ty: TypeId,
        pointer: Operand,
        align: Option<u32>,
        /// Its memory ordering, if it is atomic.
        atomic: Option<MemoryOrdering>,
        volatile: bool,
    },
    Store {
        value: Operand,
        ty: TypeId,
        pointer: Operand,
        align: Option<u32>,
        /// Its memory ordering, if it is atomic.
        atomic: Option<MemoryOrdering>,
        volatile: bool,
    },
    CompareExchange {
        ty: TypeId,
        pointer: Operand,
        expected: Operand,
        new: Operand,
        weak: bool,
        /// The memory orderings of success and of failure.
        orderings: (MemoryOrdering, MemoryOrdering),
    },
    ReadModifyWrite {
        op: AtomicOp,
        ty: TypeId,
        pointer: Operand,
        value: Operand,
        ordering: MemoryOrdering,
    },
    /// A fence, or `None` if it orders only what the compiler does.
    Fence(Option<MemoryOrdering>),
    Binary {
        op: BinaryOp,
        /// Whether the result must fit (`nsw`), as in arithmetic on signed integers.
        signed: bool,
        ty: TypeId,
        left: Operand,
        right: Operand,
    },
    Negate {
        ty: TypeId,
        value: Operand,
    },
    Compare {
        predicate: Predicate,
        ty: TypeId,
        left: Operand,
        right: Operand,
    },
    Cast {
        op: CastOp,
        from: TypeId,
        value: Operand,
        to: TypeId,
    },
    Element {
        ty: TypeId,
        base: Operand,
        indices: Vec<(TypeId, Operand)>,
    },
    Select {
        condition: Operand,
        ty: TypeId,
        yes: Operand,
        no: Operand,
    },
    Phi {
        ty: TypeId,
        incoming: Vec<(Operand, BlockId)>,
    },
    ExtractValue {
        aggregate: Operand,
        ty: TypeId,
        indices: Vec<u32>,
    },
    InsertValue {
        aggregate: Operand,
        ty: TypeId,
        element: Operand,
        element_ty: TypeId,
        indices: Vec<u32>,
    },
    ExtractElement {
        vector: Operand,
        ty: TypeId,
        index: Operand,
    },
    InsertElement {
        vector: Operand,
        ty: TypeId,
        element: Operand,
        index: Operand,
    },
    ShuffleVector {
        left: Operand,
        right: Operand,
        ty: TypeId,
        mask: Vec<Option<u32>>,
    },
    Freeze(Operand),
    Call {
        callee: Operand,
        result: TypeId,
        arguments: Vec<(TypeId, Operand)>,
        by_value: Vec<Option<TypeId>>,
        /// The number of parameters before `...`, if the call is of a variadic type.
        named: Option<u32>,
    },
    /// The life of a block's variable begins or ends.
    Lifetime {
        begins: bool,
        pointer: Operand,
    },
    /// Inline assembly, by its text and constraints.
    Assembly {
        text: String,
        constraints: String,
        result: TypeId,
        arguments: Vec<(TypeId, Operand)>,
    },
    /// Gets the next argument of a variadic call.
    VaArg {
        list: Operand,
        ty: TypeId,
    },
    /// Only reached when something is thrown.
    LandingPad {
        ty: TypeId,
        cleanup: bool,
        clauses: Vec<Clause>,
    },
    /// An instruction that this reader knows of, but the VM does not run: an error when reached.
    Unsupported(String),
}

/// What a landing pad catches.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Clause {
    Catch(Operand),
    Filter(Operand),
}

/// How a block ends.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum TerminatorKind {
    Return(Option<Operand>),
    Branch(BlockId),
    ConditionalBranch {
        condition: Operand,
        yes: BlockId,
        no: BlockId,
    },
    Switch {
        value: Operand,
        ty: TypeId,
        default: BlockId,
        cases: Vec<(u128, BlockId)>,
    },
    /// `indirectbr`: a jump to the block with this address.
    IndirectBranch {
        address: Operand,
        /// The blocks to which it may jump.
        targets: Vec<BlockId>,
    },
    Invoke {
        callee: Operand,
        result: TypeId,
        arguments: Vec<(TypeId, Operand)>,
        by_value: Vec<Option<TypeId>>,
        /// The number of parameters before `...`, if the call is of a variadic type.
        named: Option<u32>,
        normal: BlockId,
        unwind: BlockId,
        value: Option<ValueId>,
    },
    Resume(Operand),
    Unreachable,
    /// A terminator that the VM does not run: an error when reached.
    Unsupported(String),
}

/// Arithmetic on integers and floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// What a read-modify-write does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    /// Puts the operand minus the old value there. LLVM has no such operation, but processors negate.
    ReverseSub,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Predicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
    FFalse,
    FOeq,
    FOgt,
    FOge,
    FOlt,
    FOle,
    FOne,
    FOrd,
    FUno,
    FUeq,
    FUgt,
    FUge,
    FUlt,
    FUle,
    FUne,
    FTrue,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    PtrToInt,
    IntToPtr,
    Bitcast,
    AddrSpaceCast,
}
