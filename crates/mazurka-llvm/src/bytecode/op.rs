//! Instructions of the bytecode.

use mazurka_core::model::MemoryOrdering;

use crate::ir::{AtomicOp, BinaryOp, CastOp, Predicate};

/// A slot of the current frame: a register, or a constant that was put there when the function was
/// called.
pub(crate) type Slot = u32;

/// The index of an instruction in [`Code::ops`](super::Code::ops).
pub(crate) type Pc = u32;

/// No slot: the result is not wanted.
pub(crate) const NOWHERE: Slot = u32::MAX;

/// One instruction. `d` is where the result goes; `bits` is the width of a number, which is
/// zero-extended in its slot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Move {
        d: Slot,
        a: Slot,
    },
    MoveMany {
        d: Slot,
        a: Slot,
        count: u32,
    },
    /// Integers of up to 64 bits.
    Add {
        bits: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Sub {
        bits: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// An addition, subtraction or multiplication of signed integers, whose result must fit.
    Signed {
        op: BinaryOp,
        bits: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// Checks an index into an array that is not the last part of its object: it is at most `most`.
    CheckIndex {
        a: Slot,
        most: u32,
    },
    /// The other arithmetic on integers of up to 64 bits.
    Integer {
        op: BinaryOp,
        bits: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// A mask or a shift whose result was never written if an operand was not.
    Bits {
        op: BinaryOp,
        bits: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// Integers of up to 128 bits, in two slots each.
    Wide {
        op: BinaryOp,
        bits: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Float {
        op: BinaryOp,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Double {
        op: BinaryOp,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    LongDouble {
        op: BinaryOp,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// The other sign, of a float of so many bits.
    Negate {
        bits: u8,
        d: Slot,
        a: Slot,
    },
    Compare {
        predicate: Predicate,
        bits: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    CompareWide {
        predicate: Predicate,
        bits: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// Floats of 32, 64 or 80 bits.
    CompareFloat {
        predicate: Predicate,
        bits: u8,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Truncate {
        bits: u8,
        d: Slot,
        a: Slot,
    },
    SignExtend {
        from: u8,
        to: u8,
        d: Slot,
        a: Slot,
    },
    /// Conversions between wide integers, and from and to floats.
    Convert {
        op: CastOp,
        from: Scalar,
        to: Scalar,
        d: Slot,
        a: Slot,
    },
    Select {
        d: Slot,
        condition: Slot,
        a: Slot,
        b: Slot,
        count: u16,
    },
    /// An element of a vector, by an index that is computed.
    Extract {
        d: Slot,
        a: Slot,
        index: Slot,
        width: u8,
        count: u32,
    },
    Insert {
        d: Slot,
        element: Slot,
        index: Slot,
        width: u8,
        count: u32,
    },

    Jump {
        to: Pc,
    },
    JumpIf {
        a: Slot,
        to: Pc,
    },
    JumpUnless {
        a: Slot,
        to: Pc,
    },
    JumpCompare {
        predicate: Predicate,
        bits: u8,
        a: Slot,
        b: Slot,
        to: Pc,
    },
    Switch {
        a: Slot,
        table: u32,
    },
    /// Behind a call that may throw: where it goes then.
    Landing {
        pad: u32,
    },
    /// A landing pad takes what it is given: what was thrown, and what it is told of it.
    Landed {
        d: Slot,
    },
    /// Where a loop begins: a thread that comes back in the same state, having only read, spins.
    LoopHead {
        id: u32,
    },

    /// `d = a + offset`.
    Offset {
        d: Slot,
        a: Slot,
        offset: i64,
    },
    /// `d = a + index * scale`.
    Index {
        d: Slot,
        a: Slot,
        index: Slot,
        scale: u32,
    },

    Load {
        size: u8,
        /// Whether the address must be a multiple of the size.
        aligned: bool,
        atomic: Atomic,
        d: Slot,
        a: Slot,
        offset: i32,
    },
    Store {
        size: u8,
        /// Whether the address must be a multiple of the size.
        aligned: bool,
        atomic: Atomic,
        a: Slot,
        value: Slot,
        offset: i32,
    },
    /// Several scalars at once, by their shape.
    LoadMany {
        atomic: Atomic,
        d: Slot,
        a: Slot,
        shape: u32,
    },
    StoreMany {
        atomic: Atomic,
        a: Slot,
        value: Slot,
        shape: u32,
    },
    /// What was there goes to `d`, whether it was as expected to the slot behind.
    CompareExchange {
        size: u8,
        bits: u8,
        orderings: Orderings,
        d: Slot,
        a: Slot,
        expected: Slot,
        new: Slot,
    },
    ReadModifyWrite {
        op: AtomicOp,
        size: u8,
        bits: u8,
        ordering: MemoryOrdering,
        d: Slot,
        a: Slot,
        value: Slot,
    },
    /// A fence: a step of its own under a memory model, and nothing otherwise.
    Fence {
        ordering: MemoryOrdering,
    },
    /// A local that needs an address.
    Local {
        d: Slot,
        size: u32,
    },
    LocalMany {
        d: Slot,
        size: u32,
        count: Slot,
    },
    /// The life of a local that has an address begins or ends.
    Lifetime {
        a: Slot,
        begins: bool,
    },
    /// How many locals with an address there are.
    SaveStack {
        d: Slot,
    },
    /// All but so many locals with an address end.
    RestoreStack {
        a: Slot,
    },
    /// The calling thread's own instance of a thread-local variable.
    ThreadLocal {
        d: Slot,
        index: u32,
    },

    /// One of the words that the library has of its own in the calling thread.
    OwnWord {
        d: Slot,
        number: u32,
    },
    Call {
        function: u32,
        site: u32,
        d: Slot,
    },
    CallPointer {
        a: Slot,
        site: u32,
        d: Slot,
    },
    CallLibrary {
        function: u32,
        site: u32,
        d: Slot,
    },
    Return {
        a: Slot,
        count: u32,
    },
    /// Copies a block of memory; the slots from `state` on keep how far it got.
    CopyMemory {
        /// Whether source and target may overlap.
        overlaps: bool,
        to: Slot,
        from: Slot,
        len: Slot,
        state: Slot,
    },
    FillMemory {
        to: Slot,
        byte: Slot,
        len: Slot,
        state: Slot,
    },
    /// Sets up a list of variable arguments.
    VaStart {
        a: Slot,
        arguments: Slot,
    },
    AtomicBegin,
    AtomicEnd,
    /// The thread ends with this result.
    EndThread {
        a: Slot,
    },
    /// Where the program cannot get, or what cannot be run: an index into the messages.
    Trap {
        message: u32,
    },
    Unreachable,
}

/// A type of number, for conversions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    /// An integer of so many bits.
    Int(u8),
    Float,
    Double,
    LongDouble,
}

/// The memory ordering of an access, or `None` if it is plain.
pub(crate) type Atomic = Option<MemoryOrdering>;

/// The memory orderings of a compare-exchange, in a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Orderings(u8);

const ALL_ORDERINGS: [MemoryOrdering; 5] = [
    MemoryOrdering::Relaxed,
    MemoryOrdering::Acquire,
    MemoryOrdering::Release,
    MemoryOrdering::AcqRel,
    MemoryOrdering::SeqCst,
];

impl Orderings {
    pub(crate) fn new((success, failure): (MemoryOrdering, MemoryOrdering)) -> Self {
        Orderings(success as u8 * 8 + failure as u8)
    }

    pub(crate) fn success(self) -> MemoryOrdering {
        ALL_ORDERINGS[usize::from(self.0 / 8)]
    }

    pub(crate) fn failure(self) -> MemoryOrdering {
        ALL_ORDERINGS[usize::from(self.0 % 8)]
    }
}
