//! Global variables, aliases, and the lists of constructors and destructors.

use super::lexer::{Kind, unescape_name};
use super::survey::is_reserved;
use super::{Parser, ReadError, Symbol};
use crate::ir::{Alias, Constant, FunctionId, Global};

/// An alias, which is read when it is first used.
pub(super) enum AliasState {
    /// It is at this token.
    Unread(usize),
    /// It is being read: a global that asks for it now is part of a circle.
    Reading,
    Known(Alias),
}

/// The words before `global`, `constant`, `alias` or `ifunc`.
#[derive(Default)]
struct Linkage {
    internal: bool,
    weak: bool,
    declared: bool,
    thread_local: bool,
}

impl<'t> Parser<'t> {
    fn linkage(&mut self) -> Result<Linkage, ReadError> {
        let mut linkage = Linkage::default();
        loop {
            match self.word() {
                Some("global" | "constant" | "alias" | "ifunc") => return Ok(linkage),
                Some("private" | "internal") => linkage.internal = true,
                Some("external") => linkage.declared = true,
                Some("extern_weak") => (linkage.declared, linkage.weak) = (true, true),
                Some("linkonce" | "linkonce_odr" | "weak" | "weak_odr" | "common") => {
                    linkage.weak = true;
                }
                // A copy of a definition that is elsewhere, for inlining.
                Some("available_externally") => linkage.weak = true,
                Some("thread_local") => linkage.thread_local = true,
                Some(_) => {}
                None => return Err(self.unexpected("`global`, `constant` or `alias`")),
            }
            self.skip_attribute()?;
        }
    }

    /// `@name = …`
    pub(super) fn global_or_alias(&mut self) -> Result<(), ReadError> {
        self.within = "the definition of a global";
        let token = self.bump();
        let name = self.text(token);
        self.expect(b'=')?;
        if let Some(&Symbol::Alias(index)) = self.symbols.get(name) {
            self.alias_target(index, token.line)?;
            // The tokens of the alias itself: reading it jumps back to where it was.
            return self.skip_line(token.line);
        }
        let linkage = self.linkage()?;
        let constant = self.bump();
        let constant = self.text(constant) == "constant";
        let ty = self.ty()?;
        let initial = if linkage.declared { None } else { Some(self.constant(ty)?) };
        let mut align = None;
        let mut debug = None;
        while self.accept(b',') {
            match self.peek().kind {
                Kind::Metadata => {
                    let line = self.line();
                    let kind = self.bump();
                    let node = self.node_number();
                    if self.text(kind) == "dbg" && debug.is_none() {
                        debug = match node {
                            Some(node) => self.metadata.global(node, line)?,
                            None => None,
                        };
                    }
                    self.skip_metadata()?;
                }
                Kind::Word if self.is_word("align") => {
                    self.bump();
                    align = Some(self.small()?);
                }
                Kind::Word if self.is_word("section") || self.is_word("partition") => {
                    self.bump();
                    self.expect_kind(Kind::String, "a name")?;
                }
                Kind::Word => {
                    self.skip_attribute()?;
                    if self.peek().kind == Kind::String && self.line() == token.line {
                        self.bump();
                    }
                }
                _ => return Err(self.unexpected("what belongs to a global")),
            }
        }
        // Attributes of the global, as a group.
        while self.peek().kind == Kind::Hash {
            self.bump();
        }
        if is_reserved(name) {
            self.reserved(name, initial);
            return Ok(());
        }
        self.module.globals.push(Global {
            name: unescape_name(name),
            ty,
            initial,
            constant,
            thread_local: linkage.thread_local,
            align,
            internal: linkage.internal,
            weak: linkage.weak,
            debug,
        });
        Ok(())
    }

    /// Lists that the linker or the start-up code would read.
    fn reserved(&mut self, name: &str, initial: Option<Constant>) {
        let Some(Constant::Aggregate(entries)) = initial else { return };
        match name {
            "llvm.global_ctors" => self.module.constructors = by_priority(&entries),
            "llvm.global_dtors" => {
                self.module.destructors = by_priority(&entries);
                self.module.destructors.reverse();
            }
            _ => {}
        }
    }

    /// The number of a metadata node, if one is next.
    pub(super) fn node_number(&self) -> Option<u32> {
        let token = self.peek();
        if token.kind != Kind::Metadata {
            return None;
        }
        self.text(token).parse().ok()
    }

    /// What an alias stands for; reads it if that has not happened yet.
    pub(super) fn alias_target(&mut self, index: usize, line: u32) -> Result<Constant, ReadError> {
        let at = match &self.aliases[index] {
            AliasState::Known(alias) => return Ok(alias.target.clone()),
            AliasState::Reading => return Err(self.error_on(line, "this alias stands for itself")),
            AliasState::Unread(at) => *at,
        };
        self.aliases[index] = AliasState::Reading;
        let back = std::mem::replace(&mut self.at, at);
        let name = self.bump();
        self.expect(b'=')?;
        let linkage = self.linkage()?;
        let word = self.bump();
        let ifunc = self.text(word) == "ifunc";
        let ty = self.ty()?;
        self.expect(b',')?;
        // With typed pointers, an expression stands here without its type.
        let expressions = ["bitcast", "addrspacecast", "inttoptr", "getelementptr"];
        let mut target = match expressions.iter().any(|word| self.is_word(word)) {
            true => self.constant(ty)?,
            false => self.typed_constant()?.1,
        };
        let name = unescape_name(self.text(name));
        if ifunc {
            target = Constant::Unsupported(format!(
                "@{name}, a function that is chosen when the program is loaded (`ifunc`)"
            ));
        }
        self.at = back;
        let alias =
            Alias { name, target: target.clone(), internal: linkage.internal, weak: linkage.weak };
        self.aliases[index] = AliasState::Known(alias);
        Ok(target)
    }

    pub(super) fn finish_aliases(&mut self) -> Result<(), ReadError> {
        for index in 0..self.aliases.len() {
            self.alias_target(index, 1)?;
        }
        for state in std::mem::take(&mut self.aliases) {
            if let AliasState::Known(alias) = state {
                self.module.aliases.push(alias);
            }
        }
        Ok(())
    }
}

/// The functions of `llvm.global_ctors`, those with the lowest number first.
fn by_priority(entries: &[(crate::ir::TypeId, Constant)]) -> Vec<FunctionId> {
    let mut all: Vec<(u128, FunctionId)> = Vec::new();
    for (_, entry) in entries {
        let Constant::Aggregate(fields) = entry else { continue };
        if let [(_, Constant::Int(priority)), (_, Constant::Function(function)), ..] = &fields[..] {
            all.push((*priority, *function));
        }
    }
    all.sort_by_key(|&(priority, _)| priority);
    all.into_iter().map(|(_, function)| function).collect()
}
