//! Instructions, but for calls and the ends of blocks.

use mazurka_core::model::MemoryOrdering;

use super::lexer::Kind;
use super::words::{atomic_op, binary_op, cast_op, predicate};
use super::{Parser, ReadError};
use crate::ir::{Clause, Constant, InstructionKind, Operand, Place, Type, TypeId};

/// What an instruction does, and the type of its value if it has one.
type Read = (InstructionKind, Option<TypeId>);

impl<'t> Parser<'t> {
    /// Reads an instruction; nothing for one that only carries debug information.
    pub(super) fn instruction(&mut self, opcode: &'t str) -> Result<Option<Read>, ReadError> {
        if let Some(op) = binary_op(opcode) {
            self.bump();
            let signed = self.skip_flags();
            let (ty, left) = self.typed_operand()?;
            self.expect(b',')?;
            let right = self.operand(ty)?;
            return Ok(Some((InstructionKind::Binary { op, signed, ty, left, right }, Some(ty))));
        }
        if let Some(op) = cast_op(opcode) {
            self.bump();
            self.skip_flags();
            let (from, value) = self.typed_operand()?;
            self.expect_word("to")?;
            let to = self.ty()?;
            return Ok(Some((InstructionKind::Cast { op, from, value, to }, Some(to))));
        }
        let read = match opcode {
            "call" => return self.call(),
            "tail" | "musttail" | "notail" => {
                self.bump();
                if !self.is_word("call") {
                    return Err(self.unexpected("`call`"));
                }
                return self.call();
            }
            "load" => self.load()?,
            "store" => self.store()?,
            "alloca" => self.alloca()?,
            "getelementptr" => self.element()?,
            "icmp" | "fcmp" => self.compare(opcode)?,
            "phi" => self.phi()?,
            "select" => {
                self.bump();
                self.skip_flags();
                let (_, condition) = self.typed_operand()?;
                self.expect(b',')?;
                let (ty, yes) = self.typed_operand()?;
                self.expect(b',')?;
                let (_, no) = self.typed_operand()?;
                (InstructionKind::Select { condition, ty, yes, no }, Some(ty))
            }
            "fneg" => {
                self.bump();
                self.skip_flags();
                let (ty, value) = self.typed_operand()?;
                (InstructionKind::Negate { ty, value }, Some(ty))
            }
            "freeze" => {
                self.bump();
                let (ty, value) = self.typed_operand()?;
                (InstructionKind::Freeze(value), Some(ty))
            }
            "fence" => {
                self.bump();
                let ordering = self.ordering()?;
                (InstructionKind::Fence(ordering), None)
            }
            "cmpxchg" => self.compare_exchange()?,
            "atomicrmw" => self.read_modify_write()?,
            "extractvalue" => self.extract_value()?,
            "insertvalue" => self.insert_value()?,
            "extractelement" => {
                self.bump();
                let (ty, vector) = self.typed_operand()?;
                self.expect(b',')?;
                let (_, index) = self.typed_operand()?;
                let element = self.vector_element(ty)?;
                (InstructionKind::ExtractElement { vector, ty, index }, Some(element))
            }
            "insertelement" => {
                self.bump();
                let (ty, vector) = self.typed_operand()?;
                self.expect(b',')?;
                let (_, element) = self.typed_operand()?;
                self.expect(b',')?;
                let (_, index) = self.typed_operand()?;
                (InstructionKind::InsertElement { vector, ty, element, index }, Some(ty))
            }
            "shufflevector" => self.shuffle()?,
            "va_arg" => {
                self.bump();
                let (_, list) = self.typed_operand()?;
                self.expect(b',')?;
                let ty = self.ty()?;
                (InstructionKind::VaArg { list, ty }, Some(ty))
            }
            "landingpad" => self.landing_pad()?,
            _ => {
                // Its value, if it has one, is of a type that only it knows.
                let named =
                    self.at >= 2 && self.tokens[self.at - 1].kind == Kind::Punctuation(b'=');
                let line = self.line();
                self.skip_line(line)?;
                let ty = named.then_some(self.common.other);
                (InstructionKind::Unsupported(opcode.to_owned()), ty)
            }
        };
        Ok(Some(read))
    }

    /// `, !dbg !5, !tbaa !6 …`, up to the end of the instruction: where it is in the source.
    pub(super) fn attachments(&mut self) -> Result<Option<Place>, ReadError> {
        let mut place = None;
        while self.accept(b',') {
            let line = self.line();
            let kind = self.expect_kind(Kind::Metadata, "metadata")?;
            if kind == "dbg"
                && let Some(node) = self.node_number()
            {
                place = self.metadata.place(node, line)?;
            }
            self.skip_metadata()?;
        }
        Ok(place)
    }

    /// `, align 8`, if it is there.
    fn alignment(&mut self) -> Result<Option<u32>, ReadError> {
        let next = self.peek_at(1);
        if self.is(b',') && next.kind == Kind::Word && self.text(next) == "align" {
            self.bump();
            self.bump();
            return self.small().map(Some);
        }
        Ok(None)
    }

    /// `syncscope("…") seq_cst`; `None` if it is for a single thread: for signal handlers.
    fn ordering(&mut self) -> Result<Option<MemoryOrdering>, ReadError> {
        let is_scoped = self.accept_word("syncscope");
        if is_scoped {
            self.skip_balanced()?;
        }
        let ordering = match self.word() {
            Some("unordered" | "monotonic") => MemoryOrdering::Relaxed,
            Some("acquire") => MemoryOrdering::Acquire,
            Some("release") => MemoryOrdering::Release,
            Some("acq_rel") => MemoryOrdering::AcqRel,
            Some("seq_cst") => MemoryOrdering::SeqCst,
            _ => return Err(self.unexpected("a memory ordering")),
        };
        self.bump();
        Ok((!is_scoped).then_some(ordering))
    }

    /// The ordering of an access, which is relaxed if it orders things for a single thread only.
    fn access_ordering(&mut self) -> Result<MemoryOrdering, ReadError> {
        Ok(self.ordering()?.unwrap_or(MemoryOrdering::Relaxed))
    }

    /// Reads the ordering of an access, if it is atomic.
    fn ordering_if(&mut self, atomic: bool) -> Result<Option<MemoryOrdering>, ReadError> {
        atomic.then(|| self.access_ordering()).transpose()
    }

    fn load(&mut self) -> Result<Read, ReadError> {
        self.bump();
        let atomic = self.accept_word("atomic");
        let volatile = self.accept_word("volatile");
        let ty = self.ty()?;
        self.expect(b',')?;
        let (_, pointer) = self.typed_operand()?;
        let atomic = self.ordering_if(atomic)?;
        let align = self.alignment()?;
        Ok((InstructionKind::Load { ty, pointer, align, atomic, volatile }, Some(ty)))
    }

    fn store(&mut self) -> Result<Read, ReadError> {
        self.bump();
        let atomic = self.accept_word("atomic");
        let volatile = self.accept_word("volatile");
        let (ty, value) = self.typed_operand()?;
        self.expect(b',')?;
        let (_, pointer) = self.typed_operand()?;
        let atomic = self.ordering_if(atomic)?;
        let align = self.alignment()?;
        Ok((InstructionKind::Store { value, ty, pointer, align, atomic, volatile }, None))
    }

    fn alloca(&mut self) -> Result<Read, ReadError> {
        self.bump();
        self.accept_word("inalloca");
        self.accept_word("swifterror");
        let ty = self.ty()?;
        let mut count = None;
        let mut align = None;
        while self.is(b',') && self.peek_at(1).kind != Kind::Metadata {
            self.bump();
            match self.word() {
                Some("align") => {
                    self.bump();
                    align = Some(self.small()?);
                }
                Some("addrspace") => self.skip_attribute()?,
                _ => count = Some(self.typed_operand()?.1),
            }
        }
        let kind = InstructionKind::Alloca { ty, count, align, variable: None };
        Ok((kind, Some(self.common.pointer)))
    }

    fn element(&mut self) -> Result<Read, ReadError> {
        self.bump();
        self.skip_flags();
        let ty = self.ty()?;
        self.expect(b',')?;
        let (mut result, base) = self.typed_operand()?;
        let mut indices = Vec::new();
        while self.is(b',') && self.peek_at(1).kind != Kind::Metadata {
            self.bump();
            self.accept_word("inrange");
            let index = self.typed_operand()?;
            if let Type::Vector(count, _) = *self.types.get(index.0)
                && !matches!(self.types.get(result), Type::Vector(..))
            {
                result = self.types.intern(Type::Vector(count, self.common.pointer));
            }
            indices.push(index);
        }
        Ok((InstructionKind::Element { ty, base, indices }, Some(result)))
    }

    fn compare(&mut self, opcode: &str) -> Result<Read, ReadError> {
        self.bump();
        self.skip_flags();
        let Some(predicate) = self.word().and_then(|word| predicate(opcode, word)) else {
            return Err(self.unexpected("a comparison"));
        };
        self.bump();
        let (ty, left) = self.typed_operand()?;
        self.expect(b',')?;
        let right = self.operand(ty)?;
        let result = match *self.types.get(ty) {
            Type::Vector(count, _) => self.types.intern(Type::Vector(count, self.common.i1)),
            _ => self.common.i1,
        };
        Ok((InstructionKind::Compare { predicate, ty, left, right }, Some(result)))
    }

    fn phi(&mut self) -> Result<Read, ReadError> {
        self.bump();
        self.skip_flags();
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.expect(b'[')?;
            let value = self.operand(ty)?;
            self.expect(b',')?;
            incoming.push((value, self.block_token()?));
            self.expect(b']')?;
            if !self.is(b',') || self.peek_at(1).kind != Kind::Punctuation(b'[') {
                break;
            }
            self.bump();
        }
        Ok((InstructionKind::Phi { ty, incoming }, Some(ty)))
    }

    fn compare_exchange(&mut self) -> Result<Read, ReadError> {
        self.bump();
        let weak = self.accept_word("weak");
        self.accept_word("volatile");
        let (_, pointer) = self.typed_operand()?;
        self.expect(b',')?;
        let (ty, expected) = self.typed_operand()?;
        self.expect(b',')?;
        let (_, new) = self.typed_operand()?;
        let orderings = (self.access_ordering()?, self.access_ordering()?);
        self.alignment()?;
        let fields = vec![ty, self.common.i1];
        let result = self.types.intern(Type::Struct { fields, packed: false, name: None });
        Ok((
            InstructionKind::CompareExchange { ty, pointer, expected, new, weak, orderings },
            Some(result),
        ))
    }

    fn read_modify_write(&mut self) -> Result<Read, ReadError> {
        let line = self.line();
        self.bump();
        self.accept_word("volatile");
        let Some(word) = self.word() else { return Err(self.unexpected("an operation")) };
        self.bump();
        let (_, pointer) = self.typed_operand()?;
        self.expect(b',')?;
        let (ty, value) = self.typed_operand()?;
        let ordering = self.access_ordering()?;
        self.alignment()?;
        let kind = match atomic_op(word) {
            Some(op) => InstructionKind::ReadModifyWrite { op, ty, pointer, value, ordering },
            None => {
                self.skip_line(line)?;
                InstructionKind::Unsupported(format!("atomicrmw {word}"))
            }
        };
        Ok((kind, Some(ty)))
    }

    /// `, 0, 1`: indices into an aggregate.
    fn fixed_indices(&mut self) -> Result<Vec<u32>, ReadError> {
        let mut indices = Vec::new();
        while self.is(b',') && self.peek_at(1).kind == Kind::Integer {
            self.bump();
            indices.push(self.small()?);
        }
        Ok(indices)
    }

    fn extract_value(&mut self) -> Result<Read, ReadError> {
        self.bump();
        let (ty, aggregate) = self.typed_operand()?;
        let indices = self.fixed_indices()?;
        let mut part = ty;
        for &index in &indices {
            part = match self.types.get(part) {
                Type::Array(count, element) if u64::from(index) < *count => *element,
                Type::Struct { fields, .. } if (index as usize) < fields.len() => {
                    fields[index as usize]
                }
                _ => return Err(self.error(format!("there is no part {index} here"))),
            };
        }
        Ok((InstructionKind::ExtractValue { aggregate, ty, indices }, Some(part)))
    }

    fn insert_value(&mut self) -> Result<Read, ReadError> {
        self.bump();
        let (ty, aggregate) = self.typed_operand()?;
        self.expect(b',')?;
        let (element_ty, element) = self.typed_operand()?;
        let indices = self.fixed_indices()?;
        let kind = InstructionKind::InsertValue { aggregate, ty, element, element_ty, indices };
        Ok((kind, Some(ty)))
    }

    fn vector_element(&self, ty: TypeId) -> Result<TypeId, ReadError> {
        match *self.types.get(ty) {
            Type::Vector(_, element) => Ok(element),
            _ => Err(self.error("this is no vector")),
        }
    }

    fn shuffle(&mut self) -> Result<Read, ReadError> {
        self.bump();
        let (ty, left) = self.typed_operand()?;
        self.expect(b',')?;
        let (_, right) = self.typed_operand()?;
        self.expect(b',')?;
        let line = self.line();
        let (mask_ty, constant) = self.typed_constant()?;
        let Type::Vector(count, _) = *self.types.get(mask_ty) else {
            return Err(self.error_on(line, "the mask of a shuffle is a vector"));
        };
        let mask = match constant {
            Constant::Zero => vec![Some(0); count as usize],
            Constant::Undefined => vec![None; count as usize],
            Constant::Aggregate(elements) => elements
                .into_iter()
                .map(|(_, element)| match element {
                    Constant::Int(index) => u32::try_from(index).ok(),
                    _ => None,
                })
                .collect(),
            _ => return Err(self.error_on(line, "the mask of a shuffle is made of integers")),
        };
        let element = self.vector_element(ty)?;
        let result = self.types.intern(Type::Vector(count, element));
        Ok((InstructionKind::ShuffleVector { left, right, ty, mask }, Some(result)))
    }

    fn landing_pad(&mut self) -> Result<Read, ReadError> {
        self.bump();
        let ty = self.ty()?;
        let cleanup = self.accept_word("cleanup");
        let mut clauses: Vec<Clause> = Vec::new();
        loop {
            let clause: fn(Operand) -> Clause = match self.word() {
                Some("catch") => Clause::Catch,
                Some("filter") => Clause::Filter,
                _ => break,
            };
            self.bump();
            clauses.push(clause(self.typed_operand()?.1));
        }
        Ok((InstructionKind::LandingPad { ty, cleanup, clauses }, Some(ty)))
    }
}
