//! The reader: LLVM IR in its text form to [`Module`].
//!
//! There is no library that reads it without being tied to one version of LLVM, so this is a lexer
//! and a recursive-descent parser of our own. It reads what LLVM 14 writes, with typed pointers,
//! and what later versions write, with opaque ones.
//!
//! 1. `lexer` cuts the file into tokens.
//! 2. `survey` goes over them once and notes where every global, function, alias and metadata
//!    node is defined. From then on each name is an index, whether it is used before or after its
//!    definition, and nothing needs to be patched.
//! 3. The parser reads types, globals and functions in the order of the file. Metadata is read only
//!    where something refers to it: most of it is about types that nothing shows.
//!
//! An instruction that is not known becomes [`Unsupported`](crate::ir::InstructionKind::Unsupported)
//! and is an error only if the program gets there. Everything else that is not understood stops
//! the reader with the file, the line, and what was met.

mod body;
mod calls;
mod constants;
mod cursor;
mod error;
mod functions;
mod globals;
mod instructions;
mod lexer;
mod metadata;
mod survey;
mod terminators;
#[cfg(test)]
mod tests;
mod types;
mod words;

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};

pub use error::ReadError;

use self::body::Body;
use self::cursor::Cursor;
use self::globals::AliasState;
use self::lexer::Kind;
use self::metadata::Metadata;
use self::survey::{Survey, Symbol};
use self::types::NamedType;
use crate::ir::{Module, Type, TypeId, Types};

/// Constants and types nest no deeper than this in anything that a compiler writes; beyond it, the
/// reader would run out of stack.
const MAX_NESTING: u32 = 250;

/// Reads a file of LLVM IR. `file` is its name, for complaints.
///
/// ```
/// let text = "define i32 @main() {\n  ret i32 0\n}\n";
/// let module = mazurka_llvm::read::read_module(text, "small.ll").unwrap();
/// assert_eq!(module.functions[0].name, "main");
///
/// let cut = &text[..25];
/// let error = mazurka_llvm::read::read_module(cut, "small.ll").unwrap_err();
/// assert_eq!(error.line, 2);
/// ```
pub fn read_module(text: &str, file: &str) -> Result<Module, ReadError> {
    read(text, file, false)
}

/// Reads a file of LLVM IR that no pass of LLVM has changed. Its functions need no attribute to say so.
pub(crate) fn read_unoptimised(text: &str, file: &str) -> Result<Module, ReadError> {
    read(text, file, true)
}

fn read(text: &str, file: &str, is_unoptimised: bool) -> Result<Module, ReadError> {
    let tokens = lexer::tokens(text, file)?;
    let survey = survey::survey(text, file, &tokens)?;
    let cursor = Cursor { text, file, tokens: &tokens, at: 0, within: "a line", function: None };
    let mut parser = Parser::new(cursor, survey);
    parser.is_unoptimised = is_unoptimised;
    parser.module()
}

/// Types that are needed again and again.
struct Common {
    void: TypeId,
    i1: TypeId,
    i32: TypeId,
    pointer: TypeId,
    other: TypeId,
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    types: Types,
    common: Common,
    named_types: HashMap<&'t str, NamedType>,
    /// Whether no function was optimised.
    is_unoptimised: bool,
    /// The groups of attributes with `optnone`.
    unoptimised: std::collections::HashSet<&'t str>,
    symbols: HashMap<&'t str, Symbol>,
    aliases: Vec<AliasState>,
    metadata: Metadata<'t>,
    module: Module,
    body: Body<'t>,
    depth: u32,
}

impl<'t> Deref for Parser<'t> {
    type Target = Cursor<'t>;

    fn deref(&self) -> &Cursor<'t> {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

impl<'t> Parser<'t> {
    fn new(cursor: Cursor<'t>, survey: Survey<'t>) -> Parser<'t> {
        let mut types = Types::default();
        let common = Common {
            void: types.intern(Type::Void),
            i1: types.intern(Type::Int(1)),
            i32: types.intern(Type::Int(32)),
            pointer: types.intern(Type::Pointer),
            other: types.intern(Type::Other),
        };
        let metadata = Metadata::new(cursor.text, cursor.file, cursor.tokens, survey.metadata);
        Parser {
            types,
            common,
            named_types: HashMap::new(),
            symbols: survey.symbols,
            is_unoptimised: false,
            unoptimised: survey.unoptimised,
            aliases: survey.aliases.into_iter().map(AliasState::Unread).collect(),
            metadata,
            module: Module { files: vec![cursor.file.to_owned()], ..Module::default() },
            body: Body::default(),
            cursor,
            depth: 0,
        }
    }

    fn module(mut self) -> Result<Module, ReadError> {
        loop {
            let token = self.peek();
            let line = token.line;
            self.within = "a line";
            match token.kind {
                Kind::End => break,
                Kind::Local => self.type_definition()?,
                Kind::Global => self.global_or_alias()?,
                Kind::Comdat => self.skip_line(line)?,
                Kind::Metadata => self.skip_node()?,
                Kind::Word => match self.text(token) {
                    "define" => self.function(true)?,
                    "declare" => self.function(false)?,
                    "target" => self.target()?,
                    "source_filename" | "module" | "uselistorder" | "uselistorder_bb" => {
                        self.skip_line(line)?;
                    }
                    "attributes" => {
                        self.within = "a group of attributes";
                        self.bump();
                        self.bump();
                        self.expect(b'=')?;
                        if !self.is(b'{') {
                            return Err(self.unexpected("`{`"));
                        }
                        self.skip_balanced()?;
                    }
                    _ => return Err(self.not_ir()),
                },
                _ => return Err(self.not_ir()),
            }
        }
        self.check_types()?;
        self.finish_aliases()?;
        self.metadata.read_pending_types()?;
        self.module.types = self.types;
        self.module.debug = self.metadata.info;
        Ok(self.module)
    }

    fn not_ir(&self) -> ReadError {
        let mut error = self.unexpected("a global, a function, a type or metadata");
        if self.module.functions.is_empty() && self.module.globals.is_empty() {
            error.message = "this is no LLVM IR in its text form; \
                             make such a file with `clang -S -emit-llvm`"
                .to_owned();
        }
        error
    }

    /// `target datalayout = "…"` or `target triple = "…"`. The VM's memory is that of a 64-bit
    /// little-endian machine, so a program for another one would not be the same program.
    fn target(&mut self) -> Result<(), ReadError> {
        let line = self.line();
        self.bump();
        let layout = self.accept_word("datalayout");
        if !layout {
            self.expect_word("triple")?;
        }
        self.expect(b'=')?;
        let text = self.expect_kind(Kind::String, "a string")?;
        let foreign =
            |part: &str| part == "E" || part.starts_with("p:32") || part.starts_with("p:16");
        if layout && text.split('-').any(foreign) {
            return Err(self.error_on(
                line,
                "this is for a machine that is big-endian or has no 64-bit pointers; \
                 compile for another one, such as `--target=x86_64-linux-gnu`",
            ));
        }
        if layout && text.split('-').any(|part| part == "i128:128") {
            self.types.align_wide_integers();
        }
        Ok(())
    }

    /// `!name = …`: it is read where something refers to it.
    fn skip_node(&mut self) -> Result<(), ReadError> {
        self.within = "metadata";
        self.bump();
        self.expect(b'=')?;
        self.accept_word("distinct");
        self.skip_metadata()
    }

    fn enter(&mut self) -> Result<(), ReadError> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(
                self.error(format!("types or constants nest deeper than {MAX_NESTING} here"))
            );
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}
