//! How blocks end.

use super::body::Name;
use super::lexer::Kind;
use super::{Parser, ReadError};
use crate::ir::{BlockId, Constant, Operand, Terminator, TerminatorKind, Type};

impl<'t> Parser<'t> {
    /// Reads a terminator, if that is what this opcode starts.
    pub(super) fn terminator(
        &mut self,
        opcode: &'t str,
        name: Option<Name<'t>>,
    ) -> Result<Option<Terminator>, ReadError> {
        let line = self.line();
        let kind = match opcode {
            "ret" => {
                self.bump();
                // `void` may also be the start of the type of a function.
                let ty = self.ty()?;
                let value = if ty == self.common.void { None } else { Some(self.operand(ty)?) };
                TerminatorKind::Return(value)
            }
            "br" => {
                self.bump();
                if self.is_word("label") {
                    TerminatorKind::Branch(self.label()?)
                } else {
                    let (_, condition) = self.typed_operand()?;
                    self.expect(b',')?;
                    let yes = self.label()?;
                    self.expect(b',')?;
                    TerminatorKind::ConditionalBranch { condition, yes, no: self.label()? }
                }
            }
            "switch" => self.switch()?,
            "indirectbr" => self.indirect_branch()?,
            "invoke" => self.invoke(name)?,
            "resume" => {
                self.bump();
                TerminatorKind::Resume(self.typed_operand()?.1)
            }
            "unreachable" => {
                self.bump();
                TerminatorKind::Unreachable
            }
            "callbr" | "cleanupret" | "catchret" | "catchswitch" => {
                self.skip_line(line)?;
                if name.is_some() {
                    self.define_value(name, self.common.other, line)?;
                }
                let kind = TerminatorKind::Unsupported(opcode.to_owned());
                return Ok(Some(Terminator { kind, place: None, line }));
            }
            _ => return Ok(None),
        };
        let place = self.attachments()?;
        Ok(Some(Terminator { kind, place, line }))
    }

    /// `label %x`
    pub(super) fn label(&mut self) -> Result<BlockId, ReadError> {
        self.expect_word("label")?;
        self.block_token()
    }

    /// `%x`, a block.
    pub(super) fn block_token(&mut self) -> Result<BlockId, ReadError> {
        let token = self.peek();
        if token.kind != Kind::Local {
            return Err(self.unexpected("a block"));
        }
        self.bump();
        self.block(token)
    }

    fn switch(&mut self) -> Result<TerminatorKind, ReadError> {
        self.bump();
        let (ty, value) = self.typed_operand()?;
        self.expect(b',')?;
        let default = self.label()?;
        self.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.accept(b']') {
            let line = self.line();
            let (_, constant) = self.typed_constant()?;
            let number = match constant {
                Constant::Int(number) => number,
                Constant::Zero => 0,
                _ => return Err(self.error_on(line, "a case of a `switch` is an integer")),
            };
            self.expect(b',')?;
            cases.push((number, self.label()?));
        }
        Ok(TerminatorKind::Switch { value, ty, default, cases })
    }

    fn indirect_branch(&mut self) -> Result<TerminatorKind, ReadError> {
        self.bump();
        let (_, address) = self.typed_operand()?;
        self.expect(b',')?;
        self.expect(b'[')?;
        let mut targets = Vec::new();
        while !self.accept(b']') {
            targets.push(self.label()?);
            if !self.is(b']') {
                self.expect(b',')?;
            }
        }
        Ok(TerminatorKind::IndirectBranch { address, targets })
    }

    fn invoke(&mut self, name: Option<Name<'t>>) -> Result<TerminatorKind, ReadError> {
        let line = self.line();
        self.bump();
        let call = self.call_head()?;
        let arguments = self.arguments()?;
        while !self.is_word("to") {
            match self.peek().kind {
                Kind::Word | Kind::String | Kind::Hash => self.skip_attribute()?,
                Kind::Punctuation(b'[') => self.skip_balanced()?,
                _ => return Err(self.unexpected("`to label`")),
            }
        }
        self.expect_word("to")?;
        let normal = self.label()?;
        self.expect_word("unwind")?;
        let unwind = self.label()?;
        let value = match self.types.get(call.result) {
            Type::Void => None,
            _ => Some(self.define_value(name, call.result, line)?),
        };
        let callee = match call.assembly {
            None => call.callee,
            Some(_) => Operand::Constant(
                self.common.pointer,
                Constant::Unsupported("inline assembly that may throw".to_owned()),
            ),
        };
        Ok(TerminatorKind::Invoke {
            callee,
            result: call.result,
            arguments: arguments.values,
            by_value: arguments.by_value,
            named: call.named,
            normal,
            unwind,
            value,
        })
    }
}
