//! Functions: their headers, and their bodies block by block.

use super::body::Name;
use super::constants::starts_value;
use super::lexer::{Kind, unescape_name};
use super::{Parser, ReadError};
use crate::ir::{
    Block, BlockId, CastOp, Function, Instruction, InstructionKind, Operand, Parameter, Terminator,
    TypeId,
};

impl<'t> Parser<'t> {
    /// `define …` or `declare …`
    pub(super) fn function(&mut self, defined: bool) -> Result<(), ReadError> {
        self.within = "the head of a function";
        let line = self.line();
        self.bump();
        let (mut internal, mut weak) = (false, false);
        let mut subprogram = None;
        loop {
            match self.peek().kind {
                Kind::Metadata => subprogram = self.subprogram_attachment()?.or(subprogram),
                Kind::Word if super::types::starts_type(self.text(self.peek())) => break,
                Kind::Word => {
                    match self.text(self.peek()) {
                        "private" | "internal" => internal = true,
                        "linkonce"
                        | "linkonce_odr"
                        | "weak"
                        | "weak_odr"
                        | "extern_weak"
                        | "available_externally" => weak = true,
                        _ => {}
                    }
                    self.skip_attribute()?;
                }
                Kind::String | Kind::Hash => self.skip_attribute()?,
                _ => break,
            }
        }
        let result = self.ty()?;
        let name = self.expect_kind(Kind::Global, "the name of a function")?;
        self.body.clear();
        self.body.is_unoptimised = self.is_unoptimised;
        let (parameters, variadic) = self.parameters(defined)?;
        // What follows a declaration on the next line does not belong to it.
        while defined || self.line() == self.tokens[self.at - 1].line {
            match self.peek().kind {
                Kind::Metadata => subprogram = self.subprogram_attachment()?.or(subprogram),
                Kind::Punctuation(b'{') if defined => break,
                Kind::Word
                    if matches!(self.word(), Some("personality" | "prefix" | "prologue")) =>
                {
                    self.bump();
                    self.typed_constant()?;
                }
                Kind::Word if matches!(self.word(), Some("section" | "partition" | "gc")) => {
                    self.bump();
                    self.expect_kind(Kind::String, "a name")?;
                }
                Kind::Word | Kind::String | Kind::Hash => {
                    self.body.is_unoptimised |= self.is_optnone();
                    self.skip_attribute()?;
                }
                _ if !defined => break,
                _ => return Err(self.unexpected("`{`")),
            }
        }
        let (source_name, place) = match subprogram {
            Some(number) => self.metadata.subprogram(number, line)?,
            None => (None, None),
        };
        let blocks = if defined { self.blocks(name)? } else { Vec::new() };
        self.module.functions.push(Function {
            name: unescape_name(name),
            result,
            parameters,
            variadic,
            blocks,
            values: self.body.types.clone(),
            internal,
            weak,
            place,
            source_name,
            file: 0,
            line,
        });
        Ok(())
    }

    /// Returns whether what comes is the attribute `optnone`, or a group that has it.
    fn is_optnone(&self) -> bool {
        let token = self.peek();
        match token.kind {
            Kind::Word => self.text(token) == "optnone",
            Kind::Hash => self.unoptimised.contains(self.text(token)),
            _ => false,
        }
    }

    /// `!dbg !5` in the head of a function.
    fn subprogram_attachment(&mut self) -> Result<Option<u32>, ReadError> {
        let kind = self.bump();
        let node = self.node_number();
        self.skip_metadata()?;
        Ok(node.filter(|_| self.text(kind) == "dbg"))
    }

    fn parameters(&mut self, defined: bool) -> Result<(Vec<Parameter>, bool), ReadError> {
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.accept(b')') {
            let line = self.line();
            if self.peek().kind == Kind::Ellipsis {
                self.bump();
                variadic = true;
            } else {
                let ty = self.ty()?;
                let by_value = self.parameter_attributes()?;
                parameters.push(Parameter { ty, by_value });
                let token = self.peek();
                let mut name = None;
                if token.kind == Kind::Local {
                    self.bump();
                    name = Some(self.local_name(token)?);
                }
                if defined {
                    self.define_value(name, ty, line)?;
                }
            }
            if !self.is(b')') {
                self.expect(b',')?;
            }
        }
        Ok((parameters, variadic))
    }

    /// Skips the attributes of a parameter or an argument, but for `byval(type)`.
    pub(super) fn parameter_attributes(&mut self) -> Result<Option<TypeId>, ReadError> {
        let mut by_value = None;
        loop {
            match self.peek().kind {
                Kind::Word => {
                    let word = self.text(self.peek());
                    if starts_value(word) {
                        return Ok(by_value);
                    }
                    if word == "byval" && self.peek_at(1).kind == Kind::Punctuation(b'(') {
                        self.bump();
                        self.bump();
                        by_value = Some(self.ty()?);
                        self.expect(b')')?;
                    } else {
                        self.skip_attribute()?;
                    }
                }
                Kind::String | Kind::Hash => self.skip_attribute()?,
                _ => return Ok(by_value),
            }
        }
    }

    fn blocks(&mut self, name: &'t str) -> Result<Vec<Block>, ReadError> {
        self.expect(b'{')?;
        self.function = Some(name);
        let mut open: Option<(BlockId, Vec<Instruction>)> = None;
        loop {
            let token = self.peek();
            match token.kind {
                Kind::Punctuation(b'}') if open.is_none() => {
                    self.bump();
                    break;
                }
                Kind::Label if open.is_none() => {
                    self.bump();
                    open = Some((self.start_block(Some(token))?, Vec::new()));
                }
                Kind::Label | Kind::Punctuation(b'}') => {
                    return Err(self.error(
                        "the block before this has no end: `br`, `ret` or the like is missing",
                    ));
                }
                Kind::Hash => self.debug_record()?,
                Kind::Word if matches!(self.word(), Some("uselistorder" | "uselistorder_bb")) => {
                    self.skip_line(token.line)?;
                }
                Kind::Word | Kind::Local => {
                    let (id, instructions) = match &mut open {
                        Some(block) => block,
                        None => open.insert((self.start_block(None)?, Vec::new())),
                    };
                    let id = *id;
                    let index = instructions.len();
                    match self.line_of_code(id, index)? {
                        Some(Code::Instruction(instruction)) => instructions.push(instruction),
                        Some(Code::Terminator(terminator)) => {
                            let instructions = std::mem::take(instructions);
                            let block = Block { name: String::new(), instructions, terminator };
                            self.end_block(id, block);
                            open = None;
                        }
                        None => {}
                    }
                }
                _ => return Err(self.unexpected("an instruction")),
            }
        }
        let mut blocks = self.finish_blocks()?;
        if blocks.is_empty() {
            return Err(self.error(format!("the function @{name} has no code")));
        }
        self.name_variables(&mut blocks)?;
        self.function = None;
        Ok(blocks)
    }

    /// `%x = …`, up to the end of what belongs to it. Nothing comes of what is only about debug
    /// information.
    fn line_of_code(&mut self, block: BlockId, index: usize) -> Result<Option<Code>, ReadError> {
        let token = self.peek();
        let line = token.line;
        let mut name: Option<Name<'t>> = None;
        if token.kind == Kind::Local {
            self.bump();
            name = Some(self.local_name(token)?);
            self.expect(b'=')?;
        }
        let Some(opcode) = self.word() else { return Err(self.unexpected("an instruction")) };
        if let Some(code) = self.terminator(opcode, name)? {
            return Ok(Some(Code::Terminator(code)));
        }
        let Some((kind, ty)) = self.instruction(opcode)? else { return Ok(None) };
        let place = self.attachments()?;
        // Up to version 14, clang converts the address of a local to a pointer to the type of the access. All
        // pointers have one type here, so that both are the same value.
        if let InstructionKind::Cast { op: CastOp::Bitcast, from, value: Operand::Value(local), to } =
            &kind
            && from == to
            && self.body.allocas.iter().any(|(alloca, _, _)| alloca == local)
            && self.alias_value(name, *local)
        {
            return Ok(None);
        }
        let result = match ty {
            Some(ty) => Some(self.define_value(name, ty, line)?),
            None if name.is_some() => {
                return Err(self.error_on(line, format!("`{opcode}` has no value to name here")));
            }
            None => None,
        };
        if let (InstructionKind::Alloca { .. }, Some(value)) = (&kind, result) {
            self.body.allocas.push((value, block, index));
        }
        Ok(Some(Code::Instruction(Instruction { result, kind, place, line })))
    }

    /// Tells each `alloca` which variable it is.
    fn name_variables(&mut self, blocks: &mut [Block]) -> Result<(), ReadError> {
        for (value, node, line) in std::mem::take(&mut self.body.declares) {
            let Some(variable) = self.metadata.variable(node, line)? else { continue };
            let alloca = self.body.allocas.iter().find(|(of, _, _)| *of == value);
            let Some(&(_, block, index)) = alloca else { continue };
            let kind = &mut blocks[block.0 as usize].instructions[index].kind;
            if let InstructionKind::Alloca { variable: own, .. } = kind {
                *own = Some(variable);
            }
        }
        Ok(())
    }

    /// `#dbg_declare(ptr %x, !1, !DIExpression(), !2)`, which LLVM 19 has instead of a call.
    fn debug_record(&mut self) -> Result<(), ReadError> {
        let record = self.bump();
        if !self.is(b'(') {
            return Err(self.unexpected("`(`"));
        }
        let end = {
            let start = self.at;
            self.skip_balanced()?;
            std::mem::replace(&mut self.at, start)
        };
        if self.text(record) == "dbg_declare" {
            self.bump();
            self.declared_variable()?;
        }
        self.at = end;
        Ok(())
    }

    /// The address and the variable of a `dbg.declare`, as far as the address is a value here.
    pub(super) fn declared_variable(&mut self) -> Result<(), ReadError> {
        if self.peek().kind == Kind::Metadata {
            return Ok(()); // `!{}` or a list: the variable is nowhere
        }
        let (_, address) = self.typed_operand()?;
        self.expect(b',')?;
        self.accept_word("metadata");
        let line = self.line();
        if let (crate::ir::Operand::Value(value), Some(node)) = (address, self.node_number()) {
            self.body.declares.push((value, node, line));
        }
        Ok(())
    }
}

enum Code {
    Instruction(Instruction),
    Terminator(Terminator),
}
