//! What each instruction of a file becomes.

use super::Loader;
use super::newer::{MATCH_NUMBER, TEST_BITS};
use num_bigint::BigInt;

use crate::beam::Operand;
use crate::term::Term;
use crate::vm::instruction::{FloatOp, Instruction, TypeTest, Utf};

impl Loader<'_> {
    /// Emits what an instruction of the file becomes; `None` if it is malformed.
    pub(super) fn translate(&mut self, opcode: u32, o: &[Operand]) -> Option<()> {
        use Instruction as I;
        let instruction = match opcode {
            1 => return Some(()),
            153 => return self.line(&o[0]),
            _ if !emits(opcode) => return Some(()),
            2 => self.function_info(o)?,
            4 => I::Call { to: self.label(&o[1])? },
            5 => I::CallLast { to: self.label(&o[1])?, frame: self.number(&o[2])? },
            6 => I::CallOnly { to: self.label(&o[1])? },
            7 => I::CallExt { import: self.import(&o[1])? },
            8 => I::CallExtLast { import: self.import(&o[1])?, frame: self.number(&o[2])? },
            9 => self.bif(0, &o[0], &[], &o[1])?,
            10 => self.bif(self.label(&o[0])?, &o[1], &o[2..3], &o[3])?,
            11 => self.bif(self.label(&o[0])?, &o[1], &o[2..4], &o[4])?,
            12..=15 => I::Allocate { frame: self.number(&o[0])? },
            18 => I::Deallocate { frame: self.number(&o[0])? },
            19 => I::Return,
            20 => I::Send,
            21 => I::RemoveMessage,
            22 => I::TimedOut,
            23 => I::LoopReceive { empty: self.label(&o[0])?, to: self.place(&o[1])? },
            24 => I::NextMessage { to: self.label(&o[0])? },
            25 => I::Wait { to: self.label(&o[0])? },
            26 => I::WaitTimeout { to: self.label(&o[0])?, time: self.place(&o[1])? },
            39..=44 => {
                let fail = self.label(&o[0])?;
                let (a, b) = (self.place(&o[1])?, self.place(&o[2])?);
                match opcode {
                    39 => I::Less { fail, a, b },
                    40 => I::NotLess { fail, a, b },
                    41 => I::Equal { fail, a, b },
                    42 => I::NotEqual { fail, a, b },
                    43 => I::Same { fail, a, b },
                    _ => I::NotSame { fail, a, b },
                }
            }
            45..=53 | 55..=57 | 77 | 114 | 129 | 156 => {
                let test = match opcode {
                    45 => TypeTest::Integer,
                    46 => TypeTest::Float,
                    47 => TypeTest::Number,
                    48 => TypeTest::Atom,
                    49 => TypeTest::Pid,
                    50 => TypeTest::Reference,
                    51 => TypeTest::Port,
                    52 => TypeTest::Nil,
                    53 => TypeTest::Binary,
                    55 => TypeTest::List,
                    56 => TypeTest::NonemptyList,
                    57 => TypeTest::Tuple,
                    77 => TypeTest::Function,
                    114 => TypeTest::Boolean,
                    129 => TypeTest::Bitstring,
                    _ => TypeTest::Map,
                };
                I::Is { test, fail: self.label(&o[0])?, term: self.place(&o[1])? }
            }
            58 => I::HasArity {
                fail: self.label(&o[0])?,
                tuple: self.place(&o[1])?,
                arity: self.number(&o[2])?,
            },
            59 => I::SelectValue {
                term: self.place(&o[0])?,
                fail: self.label(&o[1])?,
                cases: self.cases(&o[2], false)?,
            },
            60 => I::SelectArity {
                tuple: self.place(&o[0])?,
                fail: self.label(&o[1])?,
                cases: self.cases(&o[2], true)?,
            },
            61 => I::Jump { to: self.label(&o[0])? },
            62 | 104 => I::Catch { slot: self.place(&o[0])?, handler: self.label(&o[1])? },
            63 => I::CatchEnd { slot: self.place(&o[0])? },
            64 => I::Move { from: self.place(&o[0])?, to: self.place(&o[1])? },
            65 => I::GetList {
                list: self.place(&o[0])?,
                head: self.place(&o[1])?,
                tail: self.place(&o[2])?,
            },
            66 => I::GetElement {
                tuple: self.place(&o[0])?,
                index: self.number(&o[1])?,
                to: self.place(&o[2])?,
            },
            67 => I::SetElement {
                value: self.place(&o[0])?,
                tuple: self.place(&o[1])?,
                index: self.number(&o[2])?,
            },
            69 => I::PutList {
                head: self.place(&o[0])?,
                tail: self.place(&o[1])?,
                to: self.place(&o[2])?,
            },
            72 => I::BadMatch { value: self.place(&o[0])? },
            73 => I::IfEnd,
            74 => I::CaseEnd { value: self.place(&o[0])? },
            75 => I::CallFun { arity: self.number(&o[0])? },
            78 => I::CallExtOnly { import: self.import(&o[1])? },
            96 => I::FloatMove { from: self.place(&o[0])?, to: self.place(&o[1])? },
            97 => I::FloatConvert { from: self.place(&o[0])?, to: self.place(&o[1])? },
            98..=101 => {
                let op = match opcode {
                    98 => FloatOp::Add,
                    99 => FloatOp::Sub,
                    100 => FloatOp::Mul,
                    _ => FloatOp::Div,
                };
                let (a, b) = (self.place(&o[1])?, self.place(&o[2])?);
                I::FloatArithmetic { op, a, b, to: self.place(&o[3])? }
            }
            102 => I::FloatNegate { from: self.place(&o[1])?, to: self.place(&o[2])? },
            105 => I::TryEnd { slot: self.place(&o[0])? },
            106 => I::TryCase { slot: self.place(&o[0])? },
            107 => I::TryCaseEnd { value: self.place(&o[0])? },
            108 => I::Raise { trace: self.place(&o[0])?, reason: self.place(&o[1])? },
            112 => I::Apply { arity: self.number(&o[0])? },
            113 => I::ApplyLast { arity: self.number(&o[0])?, frame: self.number(&o[1])? },
            115 => I::IsFunction {
                fail: self.label(&o[0])?,
                term: self.place(&o[1])?,
                arity: self.place(&o[2])?,
            },
            117..=119 => {
                let (fail, context) = (self.label(&o[0])?, self.place(&o[1])?);
                let (size, unit) = (self.place(&o[3])?, self.number(&o[4])? as u16);
                let (flags, to) = (self.flags(&o[5])?, self.place(&o[6])?);
                match opcode {
                    117 => I::GetInteger { fail, context, size, unit, flags, to },
                    118 => I::GetFloat { fail, context, size, unit, flags, to },
                    _ => I::GetBits { fail, context, size, unit, to },
                }
            }
            120 => I::SkipBits {
                fail: self.label(&o[0])?,
                context: self.place(&o[1])?,
                size: self.place(&o[2])?,
                unit: self.number(&o[3])? as u16,
            },
            121 => I::TestTail {
                fail: self.label(&o[0])?,
                context: self.place(&o[1])?,
                bits: self.number(&o[2])?,
            },
            124 => self.bif(self.label(&o[0])?, &o[2], &o[3..4], &o[4])?,
            125 => self.bif(self.label(&o[0])?, &o[2], &o[3..5], &o[5])?,
            152 => self.bif(self.label(&o[0])?, &o[2], &o[3..6], &o[6])?,
            131 => I::TestUnit {
                fail: self.label(&o[0])?,
                context: self.place(&o[1])?,
                unit: self.number(&o[2])?,
            },
            132 => I::MatchString {
                fail: self.label(&o[0])?,
                context: self.place(&o[1])?,
                bits: self.number(&o[2])?,
                string: self.number(&o[3])? + self.first_string,
            },
            TEST_BITS => I::TestBits {
                fail: self.label(&o[0])?,
                context: self.place(&o[1])?,
                bits: self.number(&o[2])?,
                unit: self.number(&o[3])?,
            },
            MATCH_NUMBER => self.match_number(o)?,
            133 => I::InitWritable,
            136 => I::Trim { count: self.number(&o[0])? },
            138..=143 => {
                let utf = match opcode {
                    138 | 139 => Utf::Utf8,
                    140 | 141 => Utf::Utf16,
                    _ => Utf::Utf32,
                };
                let (fail, context) = (self.label(&o[0])?, self.place(&o[1])?);
                let little = self.flags(&o[3])?.little;
                let to = match o.get(4) {
                    Some(to) => Some(self.place(to)?),
                    None => None,
                };
                I::GetUtf { fail, context, utf, little, to }
            }
            154 | 155 => I::PutMap {
                fail: self.label(&o[0])?,
                map: self.place(&o[1])?,
                to: self.place(&o[2])?,
                entries: self.places(&o[4])?,
                exact: opcode == 155,
            },
            157 => I::HasMapFields {
                fail: self.label(&o[0])?,
                map: self.place(&o[1])?,
                keys: self.places(&o[2])?,
            },
            158 => I::GetMapElements {
                fail: self.label(&o[0])?,
                map: self.place(&o[1])?,
                entries: self.places(&o[2])?,
            },
            159 => I::IsTagged {
                fail: self.label(&o[0])?,
                tuple: self.place(&o[1])?,
                arity: self.number(&o[2])?,
                tag: self.term(&o[3])?.as_atom()?,
            },
            160 => I::BuildTrace,
            161 => I::RawRaise,
            162 => I::GetHead { list: self.place(&o[0])?, to: self.place(&o[1])? },
            163 => I::GetTail { list: self.place(&o[0])?, to: self.place(&o[1])? },
            164 => I::PutTuple { to: self.place(&o[0])?, elements: self.places(&o[1])? },
            165 => I::GetRest { context: self.place(&o[0])?, to: self.place(&o[1])? },
            166 => I::StartMatch {
                fail: self.label(&o[0])?,
                from: self.place(&o[1])?,
                to: self.place(&o[3])?,
            },
            167 => I::GetPosition { context: self.place(&o[0])?, to: self.place(&o[1])? },
            168 => I::SetPosition { context: self.place(&o[0])?, position: self.place(&o[1])? },
            169 => I::Swap { a: self.place(&o[0])?, b: self.place(&o[1])? },
            170 => I::StartMatch {
                fail: self.label(&o[0])?,
                from: self.place(&o[2])?,
                to: self.place(&o[3])?,
            },
            171 => I::MakeFun {
                lambda: self.first_lambda + self.number(&o[0])?,
                to: self.place(&o[1])?,
                free: self.places(&o[2])?,
            },
            172 => I::Clear { slots: self.places(&o[0])? },
            // This marks where a receive may start to search. Receives here search the whole mailbox.
            175 => {
                let nothing = self.code.constant(Term::NIL);
                I::Move { from: nothing, to: self.place(&o[0])? }
            }
            177 => I::CreateBits {
                fail: self.label(&o[0])?,
                to: self.place(&o[4])?,
                segments: self.segments(&o[5])?,
            },
            178 => I::CallFun2 { arity: self.number(&o[1])?, function: self.place(&o[2])? },
            180 => I::BadRecord { value: self.place(&o[0])? },
            181 => I::UpdateTuple {
                from: self.place(&o[2])?,
                to: self.place(&o[3])?,
                updates: self.places(&o[4])?,
            },
            opcode => I::Obsolete { opcode },
        };
        self.emit(instruction);
        Some(())
    }
}

impl Loader<'_> {
    /// Returns an instruction that compares the next bits with those of a number.
    fn match_number(&mut self, o: &[Operand]) -> Option<Instruction> {
        let (fail, context) = (self.label(&o[0])?, self.place(&o[1])?);
        let bits = self.number(&o[2])?;
        let value = match &o[3] {
            Operand::Unsigned(value) => BigInt::from(*value),
            Operand::Integer(value) => value.clone(),
            _ => return None,
        };
        let count = bits.div_ceil(8);
        // The bits come first in the string, and what fills its last byte is not compared.
        let mask = (BigInt::from(1) << bits) - 1;
        let shifted: BigInt = (value & mask) << (8 * count - bits);
        let bytes = shifted.magnitude().to_bytes_be();
        let string = self.code.strings.len() as u32;
        let padding = (count as usize).saturating_sub(bytes.len());
        self.code.strings.extend(std::iter::repeat_n(0, padding));
        self.code.strings.extend(bytes.iter().take(count as usize));
        Some(Instruction::MatchString { fail, context, bits, string })
    }
}

/// Whether an instruction of a file becomes one of the interpreter. Those that say how much memory
/// is needed, and where to start to look for a message, do not.
pub(super) fn emits(opcode: u32) -> bool {
    !matches!(opcode, 1 | 16 | 94 | 95 | 149 | 153 | 173 | 174 | 176 | 179)
}
