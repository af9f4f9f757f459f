//! Instructions, decoded: what the interpreter runs.

use crate::term::Atom;

/// Where an operand comes from, or a result goes: a register, a slot of the stack, or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place(u32);

/// What a [`Place`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlaceKind {
    X(usize),
    Y(usize),
    Constant(usize),
    Float(usize),
}

impl Place {
    pub(crate) const fn x(number: u32) -> Place {
        Place(number << 2)
    }

    pub(crate) const fn y(number: u32) -> Place {
        Place((number << 2) | 1)
    }

    pub(crate) const fn constant(number: u32) -> Place {
        Place((number << 2) | 2)
    }

    pub(crate) const fn float(number: u32) -> Place {
        Place((number << 2) | 3)
    }

    #[inline]
    pub(crate) const fn kind(self) -> PlaceKind {
        let number = (self.0 >> 2) as usize;
        match self.0 & 3 {
            0 => PlaceKind::X(number),
            1 => PlaceKind::Y(number),
            2 => PlaceKind::Constant(number),
            _ => PlaceKind::Float(number),
        }
    }
}

/// A row in one of the tables beside the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Row {
    #[inline]
    pub(crate) const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// Tests of the type of one term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypeTest {
    Integer,
    Float,
    Number,
    Atom,
    Pid,
    Reference,
    Port,
    Nil,
    Binary,
    Bitstring,
    List,
    NonemptyList,
    Tuple,
    Function,
    Boolean,
    Map,
}

/// Arithmetic on floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
}

/// Encodings of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Utf {
    Utf8,
    Utf16,
    Utf32,
}

/// How bits are to be read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Flags {
    pub(crate) little: bool,
    pub(crate) signed: bool,
}

/// What a part of a bit string is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SegmentKind {
    Integer,
    Float,
    Bits,
    String,
    Utf(Utf),
}

/// A part of a bit string that is put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) kind: SegmentKind,
    pub(crate) unit: u32,
    pub(crate) flags: Flags,
    pub(crate) value: Place,
    pub(crate) size: Place,
}

/// One instruction. Places in the code are numbers of instructions; 0 is nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instruction {
    /// No clause of the function matches.
    FunctionClause {
        function: u32,
    },
    /// The process has come to its end.
    End,
    Call {
        to: u32,
    },
    CallLast {
        to: u32,
        frame: u32,
    },
    CallOnly {
        to: u32,
    },
    CallExt {
        import: u32,
    },
    CallExtLast {
        import: u32,
        frame: u32,
    },
    CallExtOnly {
        import: u32,
    },
    CallFun {
        arity: u32,
    },
    CallFun2 {
        arity: u32,
        function: Place,
    },
    Apply {
        arity: u32,
    },
    ApplyLast {
        arity: u32,
        frame: u32,
    },
    Return,
    Allocate {
        frame: u32,
    },
    Deallocate {
        frame: u32,
    },
    Trim {
        count: u32,
    },
    Clear {
        slots: Row,
    },
    Jump {
        to: u32,
    },

    Move {
        from: Place,
        to: Place,
    },
    Swap {
        a: Place,
        b: Place,
    },
    GetList {
        list: Place,
        head: Place,
        tail: Place,
    },
    GetHead {
        list: Place,
        to: Place,
    },
    GetTail {
        list: Place,
        to: Place,
    },
    GetElement {
        tuple: Place,
        index: u32,
        to: Place,
    },
    SetElement {
        value: Place,
        tuple: Place,
        index: u32,
    },
    PutList {
        head: Place,
        tail: Place,
        to: Place,
    },
    PutTuple {
        to: Place,
        elements: Row,
    },
    /// Copies a tuple with other elements: a row of positions, which count from 1, each with an element.
    UpdateTuple {
        from: Place,
        to: Place,
        updates: Row,
    },
    MakeFun {
        lambda: u32,
        to: Place,
        free: Row,
    },
    PutMap {
        fail: u32,
        map: Place,
        to: Place,
        entries: Row,
        exact: bool,
    },
    HasMapFields {
        fail: u32,
        map: Place,
        keys: Row,
    },
    GetMapElements {
        fail: u32,
        map: Place,
        entries: Row,
    },

    Is {
        test: TypeTest,
        fail: u32,
        term: Place,
    },
    IsFunction {
        fail: u32,
        term: Place,
        arity: Place,
    },
    HasArity {
        fail: u32,
        tuple: Place,
        arity: u32,
    },
    IsTagged {
        fail: u32,
        tuple: Place,
        arity: u32,
        tag: Atom,
    },
    Less {
        fail: u32,
        a: Place,
        b: Place,
    },
    NotLess {
        fail: u32,
        a: Place,
        b: Place,
    },
    Equal {
        fail: u32,
        a: Place,
        b: Place,
    },
    NotEqual {
        fail: u32,
        a: Place,
        b: Place,
    },
    Same {
        fail: u32,
        a: Place,
        b: Place,
    },
    NotSame {
        fail: u32,
        a: Place,
        b: Place,
    },
    SelectValue {
        term: Place,
        fail: u32,
        cases: Row,
    },
    SelectArity {
        tuple: Place,
        fail: u32,
        cases: Row,
    },

    Add {
        fail: u32,
        a: Place,
        b: Place,
        to: Place,
    },
    Subtract {
        fail: u32,
        a: Place,
        b: Place,
        to: Place,
    },
    /// A function that may be used in guards.
    Bif {
        fail: u32,
        import: u32,
        arguments: Row,
        to: Place,
    },
    FloatMove {
        from: Place,
        to: Place,
    },
    FloatConvert {
        from: Place,
        to: Place,
    },
    FloatArithmetic {
        op: FloatOp,
        a: Place,
        b: Place,
        to: Place,
    },
    FloatNegate {
        from: Place,
        to: Place,
    },

    Send,
    /// Looks at the next message, or goes to `empty`.
    LoopReceive {
        empty: u32,
        to: Place,
    },
    RemoveMessage,
    NextMessage {
        to: u32,
    },
    Wait {
        to: u32,
    },
    WaitTimeout {
        to: u32,
        time: Place,
    },
    TimedOut,

    Catch {
        slot: Place,
        handler: u32,
    },
    CatchEnd {
        slot: Place,
    },
    TryEnd {
        slot: Place,
    },
    TryCase {
        slot: Place,
    },
    TryCaseEnd {
        value: Place,
    },
    Raise {
        trace: Place,
        reason: Place,
    },
    RawRaise,
    BuildTrace,
    BadMatch {
        value: Place,
    },
    CaseEnd {
        value: Place,
    },
    IfEnd,
    BadRecord {
        value: Place,
    },

    StartMatch {
        fail: u32,
        from: Place,
        to: Place,
    },
    GetInteger {
        fail: u32,
        context: Place,
        size: Place,
        unit: u16,
        flags: Flags,
        to: Place,
    },
    GetFloat {
        fail: u32,
        context: Place,
        size: Place,
        unit: u16,
        flags: Flags,
        to: Place,
    },
    GetBits {
        fail: u32,
        context: Place,
        size: Place,
        unit: u16,
        to: Place,
    },
    SkipBits {
        fail: u32,
        context: Place,
        size: Place,
        unit: u16,
    },
    /// Reads a character, or skips it if there is nowhere to put it.
    GetUtf {
        fail: u32,
        context: Place,
        utf: Utf,
        little: bool,
        to: Option<Place>,
    },
    TestTail {
        fail: u32,
        context: Place,
        bits: u32,
    },
    TestUnit {
        fail: u32,
        context: Place,
        unit: u32,
    },
    /// Tests that so many bits are left, and behind them a multiple of `unit`.
    TestBits {
        fail: u32,
        context: Place,
        bits: u32,
        unit: u32,
    },
    MatchString {
        fail: u32,
        context: Place,
        bits: u32,
        string: u32,
    },
    GetRest {
        context: Place,
        to: Place,
    },
    GetPosition {
        context: Place,
        to: Place,
    },
    SetPosition {
        context: Place,
        position: Place,
    },
    CreateBits {
        fail: u32,
        to: Place,
        segments: Row,
    },
    InitWritable,

    /// Calls a built-in function with what is in the first registers, as part of a stub.
    Native {
        import: u32,
    },
    /// An instruction that this release's compiler does not emit any more.
    Obsolete {
        opcode: u32,
    },
}
