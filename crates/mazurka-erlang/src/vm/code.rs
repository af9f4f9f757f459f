//! All code that has been loaded.

use std::collections::HashMap;

use super::instruction::{Instruction, Place, Row, Segment};
use super::natives::Native;
use crate::term::{Atom, Atoms, Term};

/// A function's name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Mfa {
    pub(crate) module: Atom,
    pub(crate) name: Atom,
    pub(crate) arity: u32,
}

impl Mfa {
    pub(crate) fn new(module: Atom, name: Atom, arity: u32) -> Mfa {
        Mfa { module, name, arity }
    }

    /// Returns the function as it is written in Erlang, or in Elixir if that is what its module is
    /// written in.
    pub(crate) fn show(&self, atoms: &Atoms) -> String {
        if let Some(module) = crate::term::alias(atoms, self.module) {
            return show_in_elixir(module, atoms.name(self.name), self.arity);
        }
        let name = |atom| crate::term::quoted(atoms, atom);
        format!("{}:{}/{}", name(self.module), name(self.name), self.arity)
    }
}

/// Returns the name of a function in Elixir's syntax.
///
/// The compiler calls anonymous functions `-race/0-fun-0-`: number 0 in `race/0`.
fn show_in_elixir(module: &str, name: &str, arity: u32) -> String {
    let parts = name.strip_prefix('-').and_then(|name| name.split_once("-fun-"));
    match parts {
        Some((function, _)) => format!("anonymous fn/{arity} in {module}.{function}"),
        None => format!("{module}.{name}/{arity}"),
    }
}

/// What a function that is called by name turns out to be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// It has not been looked up yet.
    Unknown,
    /// Code.
    Code(u32),
    /// A function of a module that the program loads while it runs.
    Dynamic,
    /// Part of the interpreter.
    Native(Native),
}

/// A function that is called by name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Import {
    pub(crate) mfa: Mfa,
    pub(crate) target: Target,
}

/// A function that values can be made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lambda {
    pub(crate) module: Atom,
    pub(crate) name: Atom,
    /// How many arguments a caller gives.
    pub(crate) arity: u32,
    pub(crate) entry: u32,
    pub(crate) index: u32,
    /// A number that tells versions of the module apart.
    pub(crate) unique: u32,
}

/// Where a function is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function {
    pub(crate) start: u32,
    pub(crate) mfa: Mfa,
}

/// Where an instruction comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// From this instruction on.
    pub(crate) start: u32,
    pub(crate) file: u32,
    pub(crate) line: u32,
}

/// A module that has been loaded.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) exports: Vec<(Atom, u32)>,
    pub(crate) attributes: Term,
    pub(crate) path: String,
}

/// The code of all modules, in tables that only grow.
#[derive(Default)]
pub(crate) struct Code {
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) constants: Vec<Term>,
    pub(crate) operands: Vec<Place>,
    /// Cases of selections: a value or an arity, and where to go.
    pub(crate) cases: Vec<(Term, u32)>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) strings: Vec<u8>,
    pub(crate) imports: Vec<Import>,
    by_import: HashMap<Mfa, u32>,
    pub(crate) exports: HashMap<Mfa, u32>,
    pub(crate) lambdas: Vec<Lambda>,
    pub(crate) functions: Vec<Function>,
    pub(crate) lines: Vec<Line>,
    pub(crate) files: Vec<String>,
    pub(crate) modules: HashMap<Atom, Module>,
}

impl Code {
    /// The entry for a function that is called by name.
    pub(crate) fn import(&mut self, mfa: Mfa) -> u32 {
        if let Some(&known) = self.by_import.get(&mfa) {
            return known;
        }
        let number = self.imports.len() as u32;
        self.imports.push(Import { mfa, target: Target::Unknown });
        self.by_import.insert(mfa, number);
        number
    }

    pub(crate) fn constant(&mut self, term: Term) -> Place {
        // Atoms and small integers come again and again, mostly soon.
        let recent = self.constants.len().saturating_sub(64);
        let known = self.constants[recent..].iter().rposition(|known| *known == term);
        let number = match known {
            Some(known) => recent + known,
            None => {
                self.constants.push(term);
                self.constants.len() - 1
            }
        };
        Place::constant(number as u32)
    }

    pub(crate) fn operands(&mut self, places: &[Place]) -> Row {
        let start = self.operands.len() as u32;
        self.operands.extend_from_slice(places);
        Row { start, len: places.len() as u32 }
    }

    /// The function that an instruction belongs to.
    pub(crate) fn function_at(&self, pc: u32) -> Option<Function> {
        let after = self.functions.partition_point(|function| function.start <= pc);
        self.functions.get(after.checked_sub(1)?).copied()
    }

    /// The line that an instruction comes from: its file, and the number.
    pub(crate) fn line_at(&self, pc: u32) -> Option<(&str, u32)> {
        let after = self.lines.partition_point(|line| line.start <= pc);
        let line = self.lines.get(after.checked_sub(1)?)?;
        let function = self.function_at(pc)?;
        (line.start >= function.start && line.line > 0)
            .then(|| (self.files[line.file as usize].as_str(), line.line))
    }
}
