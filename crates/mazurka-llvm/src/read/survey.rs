//! Where everything is defined: one pass over the tokens before anything is read.

use std::collections::{HashMap, HashSet};

use super::ReadError;
use super::lexer::{Kind, Token};
use crate::ir::{FunctionId, GlobalId};

/// What a name of the module stands for.
#[derive(Clone, Copy)]
pub(super) enum Symbol {
    Global(GlobalId),
    Function(FunctionId),
    /// The index of an alias, in the order of the file.
    Alias(usize),
}

/// What the file defines.
pub(super) struct Survey<'t> {
    pub(super) symbols: HashMap<&'t str, Symbol>,
    /// The position of each alias's name.
    pub(super) aliases: Vec<usize>,
    /// The position of each numbered metadata node; `None` where the file skips a number.
    pub(super) metadata: Vec<Option<u32>>,
    /// The groups of attributes with `optnone`, by their numbers.
    pub(super) unoptimised: HashSet<&'t str>,
}

/// Goes over the tokens of a file.
pub(super) fn survey<'t>(
    text: &'t str,
    file: &str,
    tokens: &[Token],
) -> Result<Survey<'t>, ReadError> {
    let of = |token: Token| &text[token.start as usize..token.end as usize];
    let mut found = Survey {
        symbols: HashMap::new(),
        aliases: Vec::new(),
        metadata: Vec::new(),
        unoptimised: HashSet::new(),
    };
    let (mut functions, mut globals, mut depth) = (0, 0, 0i32);
    for (at, &token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
            Kind::Punctuation(b')' | b']' | b'}') => depth -= 1,
            _ if depth != 0 => {}
            Kind::Word if matches!(of(token), "define" | "declare") => {
                // Its own name is the first one: types have none.
                let name = tokens[at..].iter().find(|t| t.kind == Kind::Global);
                let Some(&name) = name else { continue };
                insert(&mut found, of(name), Symbol::Function(FunctionId(functions)), file, name)?;
                functions += 1;
            }
            Kind::Word if of(token) == "attributes" => {
                let Some(&group) = tokens.get(at + 1).filter(|t| t.kind == Kind::Hash) else {
                    continue;
                };
                let is_end = |token: &&Token| token.kind == Kind::Punctuation(b'}');
                let mut attributes = tokens[at..].iter().take_while(|token| !is_end(token));
                if attributes.any(|token| of(*token) == "optnone") {
                    found.unoptimised.insert(of(group));
                }
            }
            Kind::Global if is_definition(tokens, at) => {
                let name = of(token);
                match role(text, &tokens[at..]) {
                    Role::Alias => {
                        let symbol = Symbol::Alias(found.aliases.len());
                        insert(&mut found, name, symbol, file, token)?;
                        found.aliases.push(at);
                    }
                    Role::Global if !is_reserved(name) => {
                        insert(&mut found, name, Symbol::Global(GlobalId(globals)), file, token)?;
                        globals += 1;
                    }
                    Role::Global => {}
                }
            }
            Kind::Metadata if is_definition(tokens, at) => {
                if let Ok(number) = of(token).parse::<usize>() {
                    if number >= tokens.len() {
                        let message = format!("metadata has too large a number: !{number}");
                        return Err(ReadError::new(file, token.line, message));
                    }
                    if found.metadata.len() <= number {
                        found.metadata.resize(number + 1, None);
                    }
                    found.metadata[number] = Some(at as u32);
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Names of lists for the linker and the like, which are no variables.
pub(super) fn is_reserved(name: &str) -> bool {
    name.starts_with("llvm.")
}

fn is_definition(tokens: &[Token], at: usize) -> bool {
    tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Punctuation(b'='))
}

enum Role {
    Global,
    Alias,
}

fn role(text: &str, tokens: &[Token]) -> Role {
    for token in tokens {
        match (token.kind, &text[token.start as usize..token.end as usize]) {
            (Kind::Word, "global" | "constant") => return Role::Global,
            (Kind::Word, "alias" | "ifunc") => return Role::Alias,
            _ => {}
        }
    }
    Role::Global
}

fn insert<'t>(
    found: &mut Survey<'t>,
    name: &'t str,
    symbol: Symbol,
    file: &str,
    token: Token,
) -> Result<(), ReadError> {
    if found.symbols.insert(name, symbol).is_some() {
        let message = format!("@{name} is defined twice");
        return Err(ReadError::new(file, token.line, message));
    }
    Ok(())
}
