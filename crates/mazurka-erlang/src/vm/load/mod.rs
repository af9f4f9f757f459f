//! From a file's instructions to those that the interpreter runs.

mod newer;
mod older;
mod operands;
mod release;
mod translate;

use self::release::check_release;
use self::translate::emits;
use super::code::{Code, Function, Lambda, Line, Mfa, Module};
use super::instruction::Instruction;
use crate::beam::{ARITIES, Container, Operand, Operands};
use crate::term::{Atom, Atoms, Heap, Term, decode_etf};

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
    let raw = older::modernise(read_instructions(container)?, container)?;
    let raw = newer::lower(raw, container)?;
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

/// Reads a module and loads it, as a check does before it runs the module.
pub(crate) fn load_alone(bytes: &[u8]) -> Result<(), String> {
    let (mut code, mut heap, mut atoms) = (Code::default(), Heap::default(), Atoms::new(None));
    let container = Container::read(bytes)?;
    load(&mut code, &mut heap, &mut atoms, &container, "module.beam").map(|_| ())
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
                "it has the instruction {opcode}, which Erlang/OTP 27 does not know: compile it \
                 with the `erlc` of Erlang/OTP 22 to 27"
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
}
