//! Constants.

use super::lexer::{Kind, unescape, unescape_name};
use super::words::{binary_op, cast_op, predicate};
use super::{Parser, ReadError, Symbol};
use crate::ir::{Constant, Type, TypeId};

/// Whether this word starts a value, and so is no attribute.
pub(super) fn starts_value(word: &str) -> bool {
    matches!(
        word,
        "true"
            | "false"
            | "null"
            | "none"
            | "undef"
            | "poison"
            | "zeroinitializer"
            | "blockaddress"
            | "dso_local_equivalent"
            | "no_cfi"
            | "ptrauth"
            | "splat"
            | "getelementptr"
            | "icmp"
            | "fcmp"
            | "select"
            | "extractelement"
            | "insertelement"
            | "shufflevector"
            | "extractvalue"
            | "insertvalue"
            | "asm"
    ) || cast_op(word).is_some()
        || binary_op(word).is_some()
}

impl<'t> Parser<'t> {
    /// Reads a type and a constant of it.
    pub(super) fn typed_constant(&mut self) -> Result<(TypeId, Constant), ReadError> {
        let ty = self.ty()?;
        Ok((ty, self.constant(ty)?))
    }

    /// Reads a constant of this type.
    pub(super) fn constant(&mut self, ty: TypeId) -> Result<Constant, ReadError> {
        self.enter()?;
        let token = self.peek();
        let constant = match token.kind {
            Kind::Integer | Kind::Number => self.number(ty)?,
            Kind::Word => self.word_constant(ty)?,
            Kind::Global => {
                self.bump();
                self.symbol(self.text(token), token.line)?
            }
            Kind::Bytes => {
                self.bump();
                Constant::Bytes(unescape(self.text(token)))
            }
            Kind::Punctuation(b'[') => Constant::Aggregate(self.elements(b'[', b']')?),
            Kind::Punctuation(b'{') => Constant::Aggregate(self.elements(b'{', b'}')?),
            Kind::Punctuation(b'<') if self.peek_at(1).kind == Kind::Punctuation(b'{') => {
                self.bump();
                let fields = self.elements(b'{', b'}')?;
                self.expect(b'>')?;
                Constant::Aggregate(fields)
            }
            Kind::Punctuation(b'<') => Constant::Aggregate(self.elements(b'<', b'>')?),
            _ => return Err(self.unexpected("a constant")),
        };
        self.leave();
        Ok(constant)
    }

    fn elements(&mut self, open: u8, close: u8) -> Result<Vec<(TypeId, Constant)>, ReadError> {
        self.expect(open)?;
        let mut all = Vec::new();
        while !self.accept(close) {
            all.push(self.typed_constant()?);
            if !self.is(close) {
                self.expect(b',')?;
            }
        }
        Ok(all)
    }

    /// What `@name` stands for.
    pub(super) fn symbol(&mut self, name: &'t str, line: u32) -> Result<Constant, ReadError> {
        match self.symbols.get(name) {
            Some(Symbol::Global(id)) => Ok(Constant::Global(*id)),
            Some(Symbol::Function(id)) => Ok(Constant::Function(*id)),
            Some(&Symbol::Alias(index)) => self.alias_target(index, line),
            None => Err(self.error_on(
                line,
                format!("@{name} is used, but never declared: the file seems to be cut off"),
            )),
        }
    }

    fn number(&mut self, ty: TypeId) -> Result<Constant, ReadError> {
        let token = self.bump();
        let text = self.text(token);
        let wrong = |parser: &Self| {
            parser.error_on(token.line, format!("`{text}` is no value of the type it is given"))
        };
        match *self.types.get(ty) {
            Type::Int(width) => {
                if token.kind != Kind::Integer {
                    return Err(wrong(self));
                }
                let bits = match text.strip_prefix('-') {
                    Some(_) => text.parse::<i128>().map(|n| n as u128),
                    None => text.parse::<u128>(),
                };
                match bits {
                    Ok(bits) if width < 128 => Ok(Constant::Int(bits & ((1 << width) - 1))),
                    Ok(bits) if width == 128 || !text.starts_with('-') => Ok(Constant::Int(bits)),
                    _ => Ok(Constant::Unsupported(format!("the {width}-bit integer {text}"))),
                }
            }
            Type::Float => {
                let number = double(text).ok_or_else(|| wrong(self))? as f32;
                Ok(Constant::Float(number.to_bits().into()))
            }
            Type::Double => {
                let number = double(text).ok_or_else(|| wrong(self))?;
                Ok(Constant::Float(number.to_bits().into()))
            }
            Type::LongDouble => {
                let digits = text.strip_prefix("0xK").ok_or_else(|| wrong(self))?;
                let bits = u128::from_str_radix(digits, 16).map_err(|_| wrong(self))?;
                Ok(Constant::Float(bits))
            }
            _ => Err(wrong(self)),
        }
    }

    fn word_constant(&mut self, ty: TypeId) -> Result<Constant, ReadError> {
        let token = self.peek();
        let word = self.text(token);
        let simple = match word {
            "true" => Some(Constant::Int(1)),
            "false" => Some(Constant::Int(0)),
            "null" => Some(Constant::Null),
            "none" | "zeroinitializer" => Some(Constant::Zero),
            "undef" | "poison" => Some(Constant::Undefined),
            _ => None,
        };
        if let Some(constant) = simple {
            self.bump();
            return Ok(constant);
        }
        match word {
            "dso_local_equivalent" | "no_cfi" => {
                self.bump();
                self.constant(ty)
            }
            "splat" => {
                self.bump();
                self.expect(b'(')?;
                let element = self.typed_constant()?;
                self.expect(b')')?;
                match *self.types.get(ty) {
                    Type::Vector(count, _) if count <= 1 << 16 => {
                        Ok(Constant::Aggregate(vec![element; count as usize]))
                    }
                    _ => Err(self.error_on(token.line, "`splat` is for vectors")),
                }
            }
            "getelementptr" => self.element_constant(),
            "blockaddress" => self.label_constant(),
            "icmp" | "fcmp" => {
                self.bump();
                self.skip_flags();
                let Some(predicate) = self.word().and_then(|p| predicate(word, p)) else {
                    return Err(self.unexpected("a comparison"));
                };
                self.bump();
                let (ty, left, right) = self.two_constants()?;
                Ok(Constant::Compare { predicate, ty, left, right })
            }
            "select" => {
                self.bump();
                self.expect(b'(')?;
                let (_, condition) = self.typed_constant()?;
                self.expect(b',')?;
                let (_, yes) = self.typed_constant()?;
                self.expect(b',')?;
                let (_, no) = self.typed_constant()?;
                self.expect(b')')?;
                Ok(Constant::Select(Box::new([condition, yes, no])))
            }
            _ => {
                if let Some(op) = cast_op(word) {
                    self.bump();
                    self.skip_flags();
                    self.expect(b'(')?;
                    let (from, value) = self.typed_constant()?;
                    self.expect_word("to")?;
                    let to = self.ty()?;
                    self.expect(b')')?;
                    return Ok(Constant::Cast { op, from, value: Box::new(value), to });
                }
                if let Some(op) = binary_op(word) {
                    self.bump();
                    self.skip_flags();
                    let (ty, left, right) = self.two_constants()?;
                    return Ok(Constant::Binary { op, ty, left, right });
                }
                if starts_value(word) && word != "asm" {
                    self.bump();
                    self.skip_flags();
                    self.skip_balanced()?;
                    return Ok(Constant::Unsupported(format!("`{word}` in a constant")));
                }
                Err(self.unexpected("a constant"))
            }
        }
    }

    fn two_constants(&mut self) -> Result<(TypeId, Box<Constant>, Box<Constant>), ReadError> {
        self.expect(b'(')?;
        let (ty, left) = self.typed_constant()?;
        self.expect(b',')?;
        let (_, right) = self.typed_constant()?;
        self.expect(b')')?;
        Ok((ty, Box::new(left), Box::new(right)))
    }

    fn element_constant(&mut self) -> Result<Constant, ReadError> {
        self.bump();
        self.skip_flags();
        self.expect(b'(')?;
        let ty = self.ty()?;
        self.expect(b',')?;
        let (_, base) = self.typed_constant()?;
        let mut indices = Vec::new();
        while self.accept(b',') {
            self.accept_word("inrange");
            indices.push(self.typed_constant()?);
        }
        self.expect(b')')?;
        Ok(Constant::Element { ty, base: Box::new(base), indices })
    }

    /// `blockaddress(@function, %block)`
    fn label_constant(&mut self) -> Result<Constant, ReadError> {
        self.bump();
        self.expect(b'(')?;
        let (name, line) = (self.peek(), self.line());
        if name.kind != Kind::Global {
            return Err(self.unexpected("a function"));
        }
        self.bump();
        let Constant::Function(function) = self.symbol(self.text(name), line)? else {
            return Err(self.error_on(line, "`blockaddress` is for blocks of functions"));
        };
        self.expect(b',')?;
        let label = self.peek();
        if label.kind != Kind::Local {
            return Err(self.unexpected("a block"));
        }
        self.bump();
        self.expect(b')')?;
        let block = unescape_name(&self.local_name(label)?.to_string());
        Ok(Constant::Label { function, block })
    }

    /// Skips `nuw`, `inbounds`, `fast`, `inrange(…)` and their like, between an opcode and its
    /// operands. Returns whether `nsw` is among them.
    pub(super) fn skip_flags(&mut self) -> bool {
        let mut signed = false;
        loop {
            signed |= self.word() == Some("nsw");
            match self.word() {
                Some(
                    "nuw" | "nsw" | "exact" | "disjoint" | "nneg" | "samesign" | "inbounds"
                    | "nusw" | "fast" | "nnan" | "ninf" | "nsz" | "arcp" | "contract" | "afn"
                    | "reassoc",
                ) => {
                    self.bump();
                }
                Some("inrange") if self.peek_at(1).kind == Kind::Punctuation(b'(') => {
                    self.bump();
                    while self.bump().kind != Kind::Punctuation(b')')
                        && self.peek().kind != Kind::End
                    {}
                }
                _ => return signed,
            }
        }
    }
}

/// A number as LLVM prints it for `float` and `double`: in decimal if that is exact, or the bits of
/// a double in hexadecimal.
fn double(text: &str) -> Option<f64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(f64::from_bits),
        None => text.parse().ok(),
    }
}
