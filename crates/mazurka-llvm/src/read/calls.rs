//! Calls, and inline assembly.

use super::lexer::{Kind, unescape_name};
use super::{Parser, ReadError};
use crate::ir::{Constant, InstructionKind, Operand, Type, TypeId};

/// What is called, before the arguments.
pub(super) struct CallHead {
    pub(super) callee: Operand,
    pub(super) result: TypeId,
    /// The number of parameters before `...`, if the call is of a variadic type.
    pub(super) named: Option<u32>,
    /// The text and the constraints, if assembly is what is called.
    pub(super) assembly: Option<(String, String)>,
}

/// What a call gives to the callee.
#[derive(Default)]
pub(super) struct Arguments {
    pub(super) values: Vec<(TypeId, Operand)>,
    /// For each: what it points to, if the callee gets a copy of that.
    pub(super) by_value: Vec<Option<TypeId>>,
}

impl<'t> Parser<'t> {
    /// Everything from after `call` or `invoke` to the callee.
    pub(super) fn call_head(&mut self) -> Result<CallHead, ReadError> {
        self.skip_attributes_before_type()?;
        let ty = self.ty()?;
        let (result, named) = match self.types.get(ty) {
            Type::Function { result, parameters, variadic } => {
                (*result, variadic.then_some(parameters.len() as u32))
            }
            _ => (ty, None),
        };
        let pointer = self.common.pointer;
        if self.accept_word("asm") {
            while self.word().is_some() {
                self.bump(); // `sideeffect` and the like
            }
            let text = self.expect_kind(Kind::String, "assembly")?;
            self.expect(b',')?;
            let constraints = self.expect_kind(Kind::String, "the constraints of assembly")?;
            return Ok(CallHead {
                callee: Operand::Constant(pointer, Constant::Null),
                result,
                named,
                assembly: Some((unescape_name(text), unescape_name(constraints))),
            });
        }
        Ok(CallHead { callee: self.operand(pointer)?, result, named, assembly: None })
    }

    pub(super) fn arguments(&mut self) -> Result<Arguments, ReadError> {
        self.expect(b'(')?;
        let mut all = Arguments::default();
        while !self.accept(b')') {
            if self.accept_word("metadata") {
                self.metadata_argument()?;
                let nothing = Operand::Constant(self.common.other, Constant::Undefined);
                all.values.push((self.common.other, nothing));
                all.by_value.push(None);
            } else {
                let ty = self.ty()?;
                let by_value = self.parameter_attributes()?;
                all.values.push((ty, self.operand(ty)?));
                all.by_value.push(by_value);
            }
            if !self.is(b')') {
                self.expect(b',')?;
            }
        }
        Ok(all)
    }

    /// Metadata as an argument: a node, or a value that is wrapped in it.
    fn metadata_argument(&mut self) -> Result<(), ReadError> {
        if self.peek().kind == Kind::Metadata {
            return self.skip_metadata();
        }
        self.typed_operand().map(|_| ())
    }

    /// `call …`; nothing for a call that only carries debug information.
    pub(super) fn call(&mut self) -> Result<Option<(InstructionKind, Option<TypeId>)>, ReadError> {
        self.bump();
        if self.is_debug_call() {
            return self.debug_call().map(|()| None);
        }
        let lifetime = self.lifetime_call();
        let call = self.call_head()?;
        let arguments = self.arguments()?;
        let line = self.tokens[self.at - 1].line;
        while self.line() == line {
            match self.peek().kind {
                Kind::Word | Kind::String | Kind::Hash => self.skip_attribute()?,
                Kind::Punctuation(b'[') => self.skip_balanced()?,
                _ => break,
            }
        }
        let ty = match self.types.get(call.result) {
            Type::Void => None,
            _ => Some(call.result),
        };
        let Arguments { values: arguments, by_value } = arguments;
        if let (Some(begins), Some((_, pointer))) = (lifetime, arguments.last()) {
            let kind = InstructionKind::Lifetime { begins, pointer: pointer.clone() };
            return Ok(Some((kind, None)));
        }
        let (result, named) = (call.result, call.named);
        let kind = match call.assembly {
            Some((text, constraints)) => {
                InstructionKind::Assembly { text, constraints, result, arguments }
            }
            None => {
                InstructionKind::Call { callee: call.callee, result, arguments, by_value, named }
            }
        };
        Ok(Some((kind, ty)))
    }

    /// Returns whether the life of a variable begins or ends, if what comes is
    /// `void @llvm.lifetime.…(` in a function that was not optimised. Optimisers may move loads out
    /// of the life of a variable if their results do not matter.
    fn lifetime_call(&self) -> Option<bool> {
        let callee = self.peek_at(1);
        if !self.body.is_unoptimised || !self.is_word("void") || callee.kind != Kind::Global {
            return None;
        }
        let rest = self.text(callee).strip_prefix("llvm.lifetime.")?;
        match rest.split('.').next()? {
            "start" => Some(true),
            "end" => Some(false),
            _ => None,
        }
    }

    /// Whether what comes is `void @llvm.dbg.…(`.
    fn is_debug_call(&self) -> bool {
        let callee = self.peek_at(1);
        self.is_word("void")
            && callee.kind == Kind::Global
            && self.text(callee).starts_with("llvm.dbg.")
    }

    fn debug_call(&mut self) -> Result<(), ReadError> {
        self.bump();
        let callee = self.bump();
        let start = self.at;
        if !self.is(b'(') {
            return Err(self.unexpected("`(`"));
        }
        self.skip_balanced()?;
        let end = std::mem::replace(&mut self.at, start);
        if self.text(callee) == "llvm.dbg.declare" {
            self.bump();
            self.expect_word("metadata")?;
            self.declared_variable()?;
        }
        self.at = end;
        let line = self.tokens[end - 1].line;
        self.skip_line(line)
    }
}
