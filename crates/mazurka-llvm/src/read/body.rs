//! What the names in a function stand for, while it is read.

use std::collections::HashMap;

use super::lexer::Token;
use super::{Parser, ReadError};
use crate::ir::{Block, BlockId, Operand, TerminatorKind, TypeId, ValueId};

const NONE: u32 = u32::MAX;

/// Names and numbers to indices; LLVM numbers what has no name.
#[derive(Default)]
struct Names<'t> {
    named: HashMap<&'t str, u32>,
    numbered: Vec<u32>,
}

/// A name, or a number.
#[derive(Clone, Copy)]
pub(super) enum Name<'t> {
    Text(&'t str),
    Number(u32),
}

impl<'t> Names<'t> {
    fn clear(&mut self) {
        self.named.clear();
        self.numbered.clear();
    }

    /// The entry for this name, [`NONE`] if it is new.
    fn entry(&mut self, name: Name<'t>) -> &mut u32 {
        match name {
            Name::Text(text) => self.named.entry(text).or_insert(NONE),
            Name::Number(number) => {
                let number = number as usize;
                if self.numbered.len() <= number {
                    self.numbered.resize(number + 1, NONE);
                }
                &mut self.numbered[number]
            }
        }
    }
}

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Name::Text(text) => write!(f, "{text}"),
            Name::Number(number) => write!(f, "{number}"),
        }
    }
}

/// A block that something refers to, or that is defined.
struct BlockState<'t> {
    name: Name<'t>,
    /// The line that refers to it first.
    line: u32,
    block: Option<Block>,
}

/// A function's names; it is used for one function after the other.
#[derive(Default)]
pub(super) struct Body<'t> {
    values: Names<'t>,
    blocks: Names<'t>,
    /// The type of each value.
    pub(super) types: Vec<TypeId>,
    /// For each value: if it is not defined yet, the line that uses it first, and else 0.
    missing_since: Vec<u32>,
    states: Vec<BlockState<'t>>,
    /// The blocks in the order of the text.
    order: Vec<BlockId>,
    /// Whether the function has the attribute `optnone`.
    pub(super) is_unoptimised: bool,
    /// The number of the next value or block without a name.
    pub(super) next_number: u32,
    /// Which variable a value is the address of: the value, the metadata, the line.
    pub(super) declares: Vec<(ValueId, u32, u32)>,
    /// Where the `alloca` of a value is: the block and the instruction.
    pub(super) allocas: Vec<(ValueId, BlockId, usize)>,
}

impl Body<'_> {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.blocks.clear();
        self.types.clear();
        self.missing_since.clear();
        self.states.clear();
        self.order.clear();
        self.next_number = 0;
        self.declares.clear();
        self.allocas.clear();
    }
}

impl<'t> Parser<'t> {
    /// The name that a token is.
    pub(super) fn local_name(&self, token: Token) -> Result<Name<'t>, ReadError> {
        let text = self.text(token);
        if token.quoted || !text.bytes().all(|b| b.is_ascii_digit()) || text.is_empty() {
            return Ok(Name::Text(text));
        }
        // Numbers are dense: a larger one than there are tokens is no number of this file.
        match text.parse::<u32>() {
            Ok(number) if (number as usize) < self.tokens.len() => Ok(Name::Number(number)),
            _ => Err(self.error_on(token.line, format!("%{text} is too large a number"))),
        }
    }

    /// A use of a value.
    pub(super) fn value(&mut self, token: Token, ty: TypeId) -> Result<ValueId, ReadError> {
        let name = self.local_name(token)?;
        let entry = self.body.values.entry(name);
        if *entry == NONE {
            *entry = self.body.types.len() as u32;
            let id = ValueId(*entry);
            self.body.types.push(ty);
            self.body.missing_since.push(token.line);
            return Ok(id);
        }
        let id = ValueId(*entry);
        self.check_type(id, ty, name, token.line)?;
        Ok(id)
    }

    fn check_type(
        &self,
        id: ValueId,
        ty: TypeId,
        name: Name<'t>,
        line: u32,
    ) -> Result<(), ReadError> {
        if self.body.types[id.0 as usize] == ty {
            return Ok(());
        }
        Err(self.error_on(line, format!("%{name} is used with a type that is not its own")))
    }

    /// The definition of a value; without a name, it gets the next number.
    pub(super) fn define_value(
        &mut self,
        name: Option<Name<'t>>,
        ty: TypeId,
        line: u32,
    ) -> Result<ValueId, ReadError> {
        let name = name.unwrap_or(Name::Number(self.body.next_number));
        if let Name::Number(number) = name {
            self.body.next_number = number + 1;
        }
        let entry = self.body.values.entry(name);
        if *entry == NONE {
            *entry = self.body.types.len() as u32;
            let id = ValueId(*entry);
            self.body.types.push(ty);
            self.body.missing_since.push(0);
            return Ok(id);
        }
        let id = ValueId(*entry);
        if std::mem::take(&mut self.body.missing_since[id.0 as usize]) == 0 {
            return Err(self.error_on(line, format!("%{name} is defined twice")));
        }
        self.check_type(id, ty, name, line)?;
        Ok(id)
    }

    /// Gives a value another name. Returns `false` if that name has been used already.
    pub(super) fn alias_value(&mut self, name: Option<Name<'t>>, value: ValueId) -> bool {
        let name = name.unwrap_or(Name::Number(self.body.next_number));
        let entry = self.body.values.entry(name);
        if *entry != NONE {
            return false;
        }
        *entry = value.0;
        if let Name::Number(number) = name {
            self.body.next_number = number + 1;
        }
        true
    }

    /// A use of a block, by its token.
    pub(super) fn block(&mut self, token: Token) -> Result<BlockId, ReadError> {
        let name = self.local_name(token)?;
        Ok(self.block_named(name, token.line))
    }

    fn block_named(&mut self, name: Name<'t>, line: u32) -> BlockId {
        let entry = self.body.blocks.entry(name);
        if *entry == NONE {
            *entry = self.body.states.len() as u32;
            self.body.states.push(BlockState { name, line, block: None });
        }
        BlockId(*entry)
    }

    /// The start of a block; without a label, it gets the next number.
    pub(super) fn start_block(&mut self, label: Option<Token>) -> Result<BlockId, ReadError> {
        let name = match label {
            Some(token) => self.local_name(token)?,
            None => Name::Number(self.body.next_number),
        };
        if let Name::Number(number) = name {
            self.body.next_number = number + 1;
        }
        let line = self.line();
        let id = self.block_named(name, line);
        if self.body.states[id.0 as usize].block.is_some() {
            return Err(self.error_on(line, format!("the block %{name} is defined twice")));
        }
        self.body.order.push(id);
        Ok(id)
    }

    pub(super) fn end_block(&mut self, id: BlockId, mut block: Block) {
        let state = &mut self.body.states[id.0 as usize];
        block.name = super::lexer::unescape_name(&state.name.to_string());
        state.block = Some(block);
    }

    /// All blocks, in the order of the text; everything that was used must be there.
    pub(super) fn finish_blocks(&mut self) -> Result<Vec<Block>, ReadError> {
        if let Some(state) = self.body.states.iter().find(|state| state.block.is_none()) {
            return Err(self.error_on(
                state.line,
                format!(
                    "the block %{} is used in {}, but not there",
                    state.name,
                    self.whereabouts()
                ),
            ));
        }
        if let Some(id) = self.body.missing_since.iter().position(|&line| line != 0) {
            let line = self.body.missing_since[id];
            let name = self.body.values.name_of(id as u32);
            return Err(self.error_on(
                line,
                format!("%{name} is used in {}, but not defined there", self.whereabouts()),
            ));
        }
        // Ids were given in the order of the first mention: a block takes its place in the text.
        let mut places = vec![BlockId(0); self.body.states.len()];
        for (place, id) in self.body.order.iter().enumerate() {
            places[id.0 as usize] = BlockId(place as u32);
        }
        let mut blocks = Vec::with_capacity(places.len());
        for id in &self.body.order {
            let mut block = self.body.states[id.0 as usize].block.take().expect("it is defined");
            renumber(&mut block, &places);
            blocks.push(block);
        }
        for (_, block, _) in &mut self.body.allocas {
            *block = places[block.0 as usize];
        }
        Ok(blocks)
    }

    /// A value that the type before it is the type of.
    pub(super) fn operand(&mut self, ty: TypeId) -> Result<Operand, ReadError> {
        let token = self.peek();
        if token.kind == super::Kind::Local {
            self.bump();
            return Ok(Operand::Value(self.value(token, ty)?));
        }
        Ok(Operand::Constant(ty, self.constant(ty)?))
    }

    /// A type and a value of it.
    pub(super) fn typed_operand(&mut self) -> Result<(TypeId, Operand), ReadError> {
        let ty = self.ty()?;
        Ok((ty, self.operand(ty)?))
    }
}

impl Names<'_> {
    /// The name of something, for a complaint.
    fn name_of(&self, id: u32) -> String {
        let named = self.named.iter().find(|&(_, &other)| other == id);
        match named {
            Some((name, _)) => (*name).to_owned(),
            None => self.numbered.iter().position(|&o| o == id).unwrap_or(0).to_string(),
        }
    }
}

fn renumber(block: &mut Block, places: &[BlockId]) {
    let place = |id: &mut BlockId| *id = places[id.0 as usize];
    for instruction in &mut block.instructions {
        if let crate::ir::InstructionKind::Phi { incoming, .. } = &mut instruction.kind {
            incoming.iter_mut().for_each(|(_, from)| place(from));
        }
    }
    match &mut block.terminator.kind {
        TerminatorKind::Branch(target) => place(target),
        TerminatorKind::ConditionalBranch { yes, no, .. } => {
            place(yes);
            place(no);
        }
        TerminatorKind::Switch { default, cases, .. } => {
            place(default);
            cases.iter_mut().for_each(|(_, target)| place(target));
        }
        TerminatorKind::IndirectBranch { targets, .. } => targets.iter_mut().for_each(place),
        TerminatorKind::Invoke { normal, unwind, .. } => {
            place(normal);
            place(unwind);
        }
        TerminatorKind::Return(_)
        | TerminatorKind::Resume(_)
        | TerminatorKind::Unreachable
        | TerminatorKind::Unsupported(_) => {}
    }
}
