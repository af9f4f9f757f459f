//! Types.

use super::lexer::{Kind, unescape_name};
use super::{Parser, ReadError};
use crate::ir::{Type, TypeId};

/// A type that the file names, maybe before it says what it is.
pub(super) struct NamedType {
    pub(super) id: TypeId,
    /// The line of its first use, while it is not defined.
    pub(super) missing_since: Option<u32>,
}

/// Whether this word starts a type.
pub(super) fn starts_type(word: &str) -> bool {
    match word {
        "void" | "ptr" | "float" | "double" | "x86_fp80" | "half" | "bfloat" | "fp128"
        | "ppc_fp128" | "x86_mmx" | "x86_amx" | "label" | "token" | "metadata" | "opaque"
        | "target" => true,
        _ => integer_width(word).is_some(),
    }
}

fn integer_width(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('i')?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

impl<'t> Parser<'t> {
    /// Reads a type.
    pub(super) fn ty(&mut self) -> Result<TypeId, ReadError> {
        self.enter()?;
        let mut ty = self.simple_type()?;
        loop {
            if self.accept(b'*') {
                ty = self.common.pointer;
            } else if self.is_word("addrspace") && self.peek_at(1).kind == Kind::Punctuation(b'(') {
                self.bump();
                self.skip_balanced()?;
            } else if self.is(b'(') {
                ty = self.function_type(ty)?;
            } else {
                break;
            }
        }
        self.leave();
        Ok(ty)
    }

    fn simple_type(&mut self) -> Result<TypeId, ReadError> {
        let token = self.peek();
        match token.kind {
            Kind::Word => self.word_type(),
            Kind::Local => {
                self.bump();
                Ok(self.named_type(self.text(token), token.line))
            }
            Kind::Punctuation(b'[') => {
                self.bump();
                let count = self.unsigned()?;
                self.expect_word("x")?;
                let element = self.ty()?;
                self.expect(b']')?;
                Ok(self.types.intern(Type::Array(count, element)))
            }
            Kind::Punctuation(b'{') => {
                let fields = self.fields()?;
                Ok(self.types.intern(Type::Struct { fields, packed: false, name: None }))
            }
            Kind::Punctuation(b'<') => {
                self.bump();
                if self.is(b'{') {
                    let fields = self.fields()?;
                    self.expect(b'>')?;
                    return Ok(self.types.intern(Type::Struct {
                        fields,
                        packed: true,
                        name: None,
                    }));
                }
                if self.is_word("vscale") {
                    return Err(self.error(
                        "vectors of a size that only the processor knows (`vscale`) are not \
                         supported; compile without options such as `-march=…+sve`",
                    ));
                }
                let count = self.unsigned()?;
                self.expect_word("x")?;
                let element = self.ty()?;
                self.expect(b'>')?;
                Ok(self.types.intern(Type::Vector(count, element)))
            }
            _ => Err(self.unexpected("a type")),
        }
    }

    fn word_type(&mut self) -> Result<TypeId, ReadError> {
        let word = self.text(self.peek());
        let ty = match word {
            "ptr" => return self.done(self.common.pointer),
            "i32" => return self.done(self.common.i32),
            "i1" => return self.done(self.common.i1),
            "void" => return self.done(self.common.void),
            "float" => Type::Float,
            "double" => Type::Double,
            "x86_fp80" => Type::LongDouble,
            "label" | "token" | "metadata" => Type::Other,
            "target" => {
                self.bump();
                self.skip_balanced()?;
                return Ok(self.types.intern(Type::Other));
            }
            "half" | "bfloat" | "fp128" | "ppc_fp128" | "x86_mmx" | "x86_amx" => {
                return Err(self.error(format!(
                    "numbers of type `{word}` are not supported; \
                     use `float`, `double` or `long double` on x86-64"
                )));
            }
            _ => match integer_width(word) {
                Some(width @ 1..) => Type::Int(width),
                _ => return Err(self.unexpected("a type")),
            },
        };
        let ty = self.types.intern(ty);
        self.done(ty)
    }

    fn done(&mut self, ty: TypeId) -> Result<TypeId, ReadError> {
        self.bump();
        Ok(ty)
    }

    /// The fields of a struct, with their braces.
    fn fields(&mut self) -> Result<Vec<TypeId>, ReadError> {
        self.expect(b'{')?;
        let mut fields = Vec::new();
        if self.accept(b'}') {
            return Ok(fields);
        }
        loop {
            fields.push(self.ty()?);
            if self.accept(b'}') {
                return Ok(fields);
            }
            self.expect(b',')?;
        }
    }

    fn function_type(&mut self, result: TypeId) -> Result<TypeId, ReadError> {
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.accept(b')') {
            if self.peek().kind == Kind::Ellipsis {
                self.bump();
                variadic = true;
            } else {
                parameters.push(self.ty()?);
            }
            if !self.is(b')') {
                self.expect(b',')?;
            }
        }
        Ok(self.types.intern(Type::Function { result, parameters, variadic }))
    }

    fn named_type(&mut self, name: &'t str, line: u32) -> TypeId {
        if let Some(known) = self.named_types.get(name) {
            return known.id;
        }
        let id = self.types.intern(Type::Struct {
            fields: Vec::new(),
            packed: false,
            name: Some(unescape_name(name)),
        });
        self.named_types.insert(name, NamedType { id, missing_since: Some(line) });
        id
    }

    /// `%name = type …`
    pub(super) fn type_definition(&mut self) -> Result<(), ReadError> {
        self.within = "the definition of a type";
        let token = self.bump();
        let name = self.text(token);
        self.expect(b'=')?;
        self.expect_word("type")?;
        let id = self.named_type(name, token.line);
        let known = self.named_types.get_mut(name).expect("it was just named");
        if known.missing_since.take().is_none() {
            return Err(self.error_on(token.line, format!("the type %{name} is defined twice")));
        }
        if self.accept_word("opaque") {
            return Ok(());
        }
        let ty = self.ty()?;
        let mut definition = self.types.get(ty).clone();
        if let Type::Struct { name: own @ None, .. } = &mut definition {
            *own = Some(unescape_name(name));
        }
        self.types.define(id, definition);
        Ok(())
    }

    /// Whether everything that was named has been defined.
    pub(super) fn check_types(&self) -> Result<(), ReadError> {
        let missing = |(name, named): (&&'t str, &NamedType)| Some((named.missing_since?, *name));
        match self.named_types.iter().filter_map(missing).min() {
            Some((line, name)) => Err(self.error_on(
                line,
                format!(
                    "the type %{name} is used, but never defined: the file seems to be cut off"
                ),
            )),
            None => crate::layout::check(&self.types).map_err(|why| self.error(why)),
        }
    }
}
