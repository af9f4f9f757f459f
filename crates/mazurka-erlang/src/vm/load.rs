//! From a file's instructions to those that the interpreter runs.

use num_bigint::BigInt;

use super::code::{Code, Function, Lambda, Line, Mfa, Module};
use super::instruction::{
    Flags, FloatOp, Instruction, Place, Row, Segment, SegmentKind, TypeTest, Utf,
};
use crate::beam::{ARITIES, Container, LAST_OPCODE, Operand, Operands};
use crate::term::{Atom, Atoms, Heap, Number, Term, atom, decode_etf};

/// The compiler of the pinned release, as modules name it.
const COMPILER: &str = "8.2";

/// Loads a module. The error says why it cannot be run.
pub(crate) fn load(
    code: &mut Code,
    heap: &mut Heap,
    atoms: &mut Atoms,
    container: &Container,
    path: &str,
) -> Result<Atom, String> {
    check_release(heap, atoms, container)?;
    let names: Vec<Atom> = container.atoms.iter().map(|name| atoms.intern(name)).collect();
    let mut literals = Vec::with_capacity(container.literals.len());
    for literal in &container.literals {
        let term = decode_etf(heap, atoms, literal);
        literals.push(term.map_err(|error| format!("a literal cannot be read ({error:?})"))?);
    }
    let raw = read_instructions(container)?;
    let mut loader = Loader {
        container,
        names: &names,
        literals,
        labels: vec![0; container.labels as usize + 1],
        imports: Vec::new(),
        first_lambda: code.lambdas.len() as u32,
        first_string: code.strings.len() as u32,
        code,
        heap,
        module: names[0],
    };
    loader.place_labels(&raw);
    loader.fill_tables();
    for (opcode, operands) in &raw {
        let opcode = *opcode;
        loader.translate(opcode, operands).ok_or_else(|| {
            format!("it has a malformed instruction (number {opcode}, {operands:?})")
        })?;
    }
    let attributes = decode_etf(loader.heap, atoms, &container.attributes).unwrap_or(Term::NIL);
    let exports =
        container.exports.iter().map(|[name, arity, _]| (names[*name as usize - 1], *arity));
    let module = Module { exports: exports.collect(), attributes, path: path.to_owned() };
    code.modules.insert(names[0], module);
    heap.keep_all();
    Ok(names[0])
}

/// Makes sure that the module was compiled by the release that the interpreter is made for.
fn check_release(heap: &mut Heap, atoms: &mut Atoms, container: &Container) -> Result<(), String> {
    let info = decode_etf(heap, atoms, &container.compile_info).unwrap_or(Term::NIL);
    let version = atoms.intern("version");
    let mut found = None;
    heap.walk(info, |entry| {
        if let Some([key, value]) = heap.tuple_of::<2>(entry)
            && key.is_atom(version)
        {
            let chars = heap.elements_of_list(value).unwrap_or_default();
            let text = chars.iter().filter_map(|c| c.as_small());
            found = Some(text.filter_map(|c| char::from_u32(c as u32)).collect::<String>());
        }
    });
    let is_pinned = |version: &str| {
        version.strip_prefix(COMPILER).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    match found {
        Some(version) if is_pinned(&version) => {}
        Some(version) => {
            return Err(format!(
                "it was compiled by version {version} of the compiler ({}); Mazurka runs modules \
                 of Erlang/OTP 25 (compiler {COMPILER}): compile it with the `erlc` of that release",
                release(&version)
            ));
        }
        None if container.last_opcode > LAST_OPCODE => {
            return Err("it was compiled by a later release than Erlang/OTP 25: compile it with \
                        the `erlc` of that release"
                .into());
        }
        // Compiled without saying by what: the instructions will show.
        None => {}
    }
    Ok(())
}

/// Of which release a version of the compiler is part.
fn release(version: &str) -> &'static str {
    let starts = |prefix: &str| version.starts_with(prefix);
    match () {
        () if starts("7.5") || starts("7.6") => "Erlang/OTP 22 or 23",
        () if starts("8.0") || starts("8.1") => "Erlang/OTP 24",
        () if starts("8.3") || starts("8.4") => "Erlang/OTP 26",
        () if starts("8.5") || starts("8.6") => "Erlang/OTP 27",
        () if starts("9.") => "Erlang/OTP 28 or later",
        () => "another release",
    }
}

type RawInstruction = (u32, Vec<Operand>);

fn read_instructions(container: &Container) -> Result<Vec<RawInstruction>, String> {
    let mut operands = Operands::new(&container.code);
    let mut raw = Vec::with_capacity(container.code.len() / 4);
    loop {
        let opcode = u32::from(operands.byte().ok_or("its code does not end")?);
        if opcode == 3 {
            return Ok(raw);
        }
        let Some(arity) = ARITIES.get(opcode as usize) else {
            return Err(format!(
                "it has the instruction {opcode}, which Erlang/OTP 25 does not know: compile it \
                 with the `erlc` of that release"
            ));
        };
        let all: Option<Vec<Operand>> = (0..*arity).map(|_| operands.operand()).collect();
        raw.push((opcode, all.ok_or("its code is malformed")?));
    }
}

struct Loader<'a> {
    container: &'a Container,
    names: &'a [Atom],
    literals: Vec<Term>,
    labels: Vec<u32>,
    /// Numbers of this file's imports in the table of all.
    imports: Vec<u32>,
    first_lambda: u32,
    first_string: u32,
    code: &'a mut Code,
    heap: &'a mut Heap,
    module: Atom,
}

impl Loader<'_> {
    /// Finds out where each label will be.
    fn place_labels(&mut self, raw: &[RawInstruction]) {
        let mut pc = self.code.instructions.len() as u32;
        for (opcode, operands) in raw {
            match (opcode, operands.first()) {
                (1, Some(Operand::Unsigned(label))) => {
                    if let Some(place) = self.labels.get_mut(*label as usize) {
                        *place = pc;
                    }
                }
                _ => pc += u32::from(emits(*opcode)),
            }
        }
    }

    fn fill_tables(&mut self) {
        let name = |names: &[Atom], number: u32| names[number as usize - 1];
        for [module, function, arity] in &self.container.imports {
            let mfa = Mfa::new(name(self.names, *module), name(self.names, *function), *arity);
            self.imports.push(self.code.import(mfa));
        }
        for [function, arity, label] in &self.container.exports {
            let mfa = Mfa::new(self.module, name(self.names, *function), *arity);
            self.code.exports.insert(mfa, self.labels[*label as usize]);
        }
        for lambda in &self.container.lambdas {
            self.code.lambdas.push(Lambda {
                module: self.module,
                name: name(self.names, lambda.name),
                arity: lambda.arity - lambda.free,
                entry: self.labels[lambda.label as usize],
                index: lambda.index,
                unique: lambda.unique,
            });
        }
        self.code.strings.extend_from_slice(&self.container.strings);
    }

    fn emit(&mut self, instruction: Instruction) {
        self.code.instructions.push(instruction);
    }

    // ---- operands

    fn number(&self, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Unsigned(value) => u32::try_from(*value).ok(),
            Operand::Integer(value) => u32::try_from(value).ok(),
            _ => None,
        }
    }

    fn label(&self, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Label(0) => Some(0),
            Operand::Label(label) => self.labels.get(*label as usize).copied(),
            // `nofail` and the like.
            Operand::Atom(_) => Some(0),
            _ => None,
        }
    }

    fn term(&mut self, operand: &Operand) -> Option<Term> {
        Some(match operand {
            Operand::Integer(value) => Number::from(BigInt::clone(value)).into_term(self.heap),
            Operand::Unsigned(value) => Number::from(BigInt::from(*value)).into_term(self.heap),
            Operand::Atom(0) => Term::NIL,
            Operand::Atom(number) => Term::atom(*self.names.get(*number as usize - 1)?),
            Operand::Literal(number) => *self.literals.get(*number as usize)?,
            _ => return None,
        })
    }

    fn place(&mut self, operand: &Operand) -> Option<Place> {
        Some(match operand {
            Operand::X(number) => Place::x(*number),
            Operand::Y(number) => Place::y(*number),
            Operand::F(number) => Place::float(*number),
            other => {
                let term = self.term(other)?;
                self.code.constant(term)
            }
        })
    }

    fn places(&mut self, operand: &Operand) -> Option<Row> {
        let Operand::List(all) = operand else { return None };
        let places: Option<Vec<Place>> = all.iter().map(|operand| self.place(operand)).collect();
        Some(self.code.operands(&places?))
    }

    fn import(&self, operand: &Operand) -> Option<u32> {
        self.imports.get(self.number(operand)? as usize).copied()
    }

    fn cases(&mut self, operand: &Operand, arities: bool) -> Option<Row> {
        let Operand::List(all) = operand else { return None };
        let start = self.code.cases.len() as u32;
        for pair in all.chunks_exact(2) {
            let value = match arities {
                true => Term::int(self.number(&pair[0])?.into()),
                false => self.term(&pair[0])?,
            };
            let to = self.label(&pair[1])?;
            self.code.cases.push((value, to));
        }
        Some(Row { start, len: all.len() as u32 / 2 })
    }

    fn segments(&mut self, operand: &Operand) -> Option<Row> {
        let Operand::List(all) = operand else { return None };
        let start = self.code.segments.len() as u32;
        for part in all.chunks_exact(6) {
            let kind = match self.term(&part[0])?.as_atom()? {
                atom::INTEGER => SegmentKind::Integer,
                atom::FLOAT => SegmentKind::Float,
                atom::BINARY | atom::APPEND | atom::PRIVATE_APPEND => SegmentKind::Bits,
                atom::STRING => SegmentKind::String,
                atom::UTF8 => SegmentKind::Utf(Utf::Utf8),
                atom::UTF16 => SegmentKind::Utf(Utf::Utf16),
                atom::UTF32 => SegmentKind::Utf(Utf::Utf32),
                _ => return None,
            };
            let unit = self.number(&part[2])?;
            let mut flags = Flags::default();
            let flag_list = self.term(&part[3])?;
            self.heap.walk(flag_list, |flag| {
                flags.little |= flag.is_atom(atom::LITTLE) || flag.is_atom(atom::NATIVE);
            });
            let value = match kind {
                SegmentKind::String => {
                    let offset = self.number(&part[4])? + self.first_string;
                    self.code.constant(Term::int(offset.into()))
                }
                _ => self.place(&part[4])?,
            };
            let size = self.place(&part[5])?;
            self.code.segments.push(Segment { kind, unit, flags, value, size });
        }
        Some(Row { start, len: all.len() as u32 / 6 })
    }

    fn flags(&self, operand: &Operand) -> Option<Flags> {
        let flags = self.number(operand)?;
        // Native is little-endian.
        Some(Flags { little: flags & (2 | 16) != 0, signed: flags & 4 != 0 })
    }

    fn function_info(&mut self, operands: &[Operand]) -> Option<Instruction> {
        let name = self.term(&operands[1])?.as_atom()?;
        let arity = self.number(&operands[2])?;
        let start = self.code.instructions.len() as u32;
        let function = self.code.functions.len() as u32;
        self.code.functions.push(Function { start, mfa: Mfa::new(self.module, name, arity) });
        Some(Instruction::FunctionClause { function })
    }

    fn line(&mut self, operand: &Operand) -> Option<()> {
        let (file, line) = *self.container.lines.get(self.number(operand)? as usize)?;
        let name = match self.container.files.get(file as usize).filter(|name| !name.is_empty()) {
            Some(name) => name.clone(),
            None => format!("{}.erl", self.container.atoms[0]),
        };
        let known = self.code.files.iter().rposition(|known| *known == name);
        let file = known.unwrap_or_else(|| {
            self.code.files.push(name);
            self.code.files.len() - 1
        });
        let start = self.code.instructions.len() as u32;
        self.code.lines.push(Line { start, file: file as u32, line });
        Some(())
    }

    fn bif(
        &mut self,
        fail: u32,
        import: &Operand,
        arguments: &[Operand],
        to: &Operand,
    ) -> Option<Instruction> {
        let import = self.import(import)?;
        let places: Option<Vec<Place>> = arguments.iter().map(|a| self.place(a)).collect();
        let (places, to) = (places?, self.place(to)?);
        let mfa = self.code.imports[import as usize].mfa;
        if let ([a, b], true) = (places[..].try_into().unwrap_or([to, to]), places.len() == 2) {
            if mfa.name == atom::PLUS {
                return Some(Instruction::Add { fail, a, b, to });
            }
            if mfa.name == atom::MINUS {
                return Some(Instruction::Subtract { fail, a, b, to });
            }
        }
        let arguments = self.code.operands(&places);
        Some(Instruction::Bif { fail, import, arguments, to })
    }

    /// Emits what an instruction of the file becomes; `None` if it is malformed.
    fn translate(&mut self, opcode: u32, o: &[Operand]) -> Option<()> {
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
            // Where a receive may start to look is of no interest: it looks at everything.
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
            opcode => I::Obsolete { opcode },
        };
        self.emit(instruction);
        Some(())
    }
}

/// Whether an instruction of a file becomes one of the interpreter. Those that say how much memory
/// is needed, and where to start to look for a message, do not.
fn emits(opcode: u32) -> bool {
    !matches!(opcode, 1 | 16 | 94 | 95 | 149 | 153 | 173 | 174 | 176 | 179)
}
