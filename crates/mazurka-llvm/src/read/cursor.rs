//! Moving over the tokens, and complaining about them.

use super::ReadError;
use super::lexer::{Kind, Token};

/// A position in the tokens of a file.
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    pub(super) file: &'t str,
    pub(super) tokens: &'t [Token],
    pub(super) at: usize,
    /// What is being read, for the complaint if the file ends there.
    pub(super) within: &'t str,
    /// The function whose body is being read.
    pub(super) function: Option<&'t str>,
}

impl<'t> Cursor<'t> {
    pub(super) fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    /// The token so many after the next one, or the end.
    pub(super) fn peek_at(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    pub(super) fn text(&self, token: Token) -> &'t str {
        &self.text[token.start as usize..token.end as usize]
    }

    pub(super) fn line(&self) -> u32 {
        self.peek().line
    }

    pub(super) fn is(&self, punctuation: u8) -> bool {
        self.peek().kind == Kind::Punctuation(punctuation)
    }

    pub(super) fn accept(&mut self, punctuation: u8) -> bool {
        let there = self.is(punctuation);
        self.at += there as usize;
        there
    }

    pub(super) fn expect(&mut self, punctuation: u8) -> Result<(), ReadError> {
        if self.accept(punctuation) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{}`", punctuation as char)))
    }

    /// The next token, if it is a word.
    pub(super) fn word(&self) -> Option<&'t str> {
        let token = self.peek();
        (token.kind == Kind::Word).then(|| self.text(token))
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        self.at += there as usize;
        there
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), ReadError> {
        if self.accept_word(word) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{word}`")))
    }

    /// A token of this kind.
    pub(super) fn expect_kind(&mut self, kind: Kind, what: &str) -> Result<&'t str, ReadError> {
        let token = self.peek();
        if token.kind != kind {
            return Err(self.unexpected(what));
        }
        self.at += 1;
        Ok(self.text(token))
    }

    /// An integer that is not negative.
    pub(super) fn unsigned(&mut self) -> Result<u64, ReadError> {
        let token = self.peek();
        let number = (token.kind == Kind::Integer).then(|| self.text(token).parse().ok()).flatten();
        let Some(number) = number else { return Err(self.unexpected("a number")) };
        self.at += 1;
        Ok(number)
    }

    /// As [`unsigned`](Self::unsigned), for what fits in 32 bits.
    pub(super) fn small(&mut self) -> Result<u32, ReadError> {
        let line = self.line();
        let number = self.unsigned()?;
        u32::try_from(number)
            .map_err(|_| self.error_on(line, format!("{number} is too large here")))
    }

    /// What is being read, in words.
    pub(super) fn whereabouts(&self) -> String {
        match self.function {
            Some(name) => format!("the function @{name}"),
            None => self.within.to_owned(),
        }
    }

    pub(super) fn error(&self, message: impl Into<String>) -> ReadError {
        self.error_on(self.line(), message)
    }

    pub(super) fn error_on(&self, line: u32, message: impl Into<String>) -> ReadError {
        ReadError::new(self.file, line, message)
    }

    /// The next token is not what the grammar asks for.
    pub(super) fn unexpected(&self, expected: &str) -> ReadError {
        let token = self.peek();
        if token.kind == Kind::End {
            return ReadError::cut_off(self.file, token.line, &self.whereabouts());
        }
        // The lexer's ranges leave out sigils and quotes: people know tokens by them.
        let text = self.text(token);
        let met = match token.kind {
            Kind::Local => format!("%{text}"),
            Kind::Global => format!("@{text}"),
            Kind::Metadata => format!("!{text}"),
            Kind::Hash => format!("#{text}"),
            Kind::Comdat => format!("${text}"),
            Kind::String => format!("\"{text}\""),
            Kind::Bytes => format!("c\"{text}\""),
            Kind::Label => format!("{text}:"),
            _ => text.to_owned(),
        };
        self.error(format!(
            "met `{met}` where {expected} was expected, in {}; \
             the reader knows the IR of LLVM 14 and later",
            self.whereabouts()
        ))
    }

    /// Skips `(…)`, `[…]`, `{…}` or `<…>` with whatever is inside. It starts at the opening one.
    pub(super) fn skip_balanced(&mut self) -> Result<(), ReadError> {
        let line = self.line();
        let mut depth = 0usize;
        loop {
            match self.bump().kind {
                Kind::Punctuation(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Kind::Punctuation(b')' | b']' | b'}' | b'>') => match depth {
                    0 => return Err(self.unexpected("an opening bracket")),
                    1 => return Ok(()),
                    _ => depth -= 1,
                },
                Kind::End => {
                    return Err(ReadError::cut_off(self.file, line, &self.whereabouts()));
                }
                _ => {}
            }
        }
    }

    /// Skips all that is left of this line, and of the brackets that are open on it.
    pub(super) fn skip_line(&mut self, line: u32) -> Result<(), ReadError> {
        while self.peek().kind != Kind::End && self.line() == line {
            if matches!(self.peek().kind, Kind::Punctuation(b'(' | b'[' | b'{' | b'<')) {
                self.skip_balanced()?;
            } else {
                self.bump();
            }
        }
        Ok(())
    }

    /// Skips one attribute whose first token is next: a word with what belongs to it, a pair of
    /// strings, or a group. Attributes come and go with LLVM's versions, so none is known by name
    /// here but those that look unlike the rest.
    pub(super) fn skip_attribute(&mut self) -> Result<(), ReadError> {
        let token = self.bump();
        match token.kind {
            Kind::String if self.accept(b'=') => {
                self.expect_kind(Kind::String, "the value of an attribute")?;
            }
            Kind::Word if self.is(b'(') => self.skip_balanced()?,
            Kind::Word => {
                let counted = matches!(self.text(token), "align" | "alignstack" | "cc");
                if counted && self.peek().kind == Kind::Integer {
                    self.bump();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Skips the attributes before a type.
    pub(super) fn skip_attributes_before_type(&mut self) -> Result<(), ReadError> {
        loop {
            match self.peek().kind {
                Kind::Word if !super::types::starts_type(self.text(self.peek())) => {
                    self.skip_attribute()?;
                }
                Kind::String | Kind::Hash => self.skip_attribute()?,
                _ => return Ok(()),
            }
        }
    }

    /// Skips what stands for metadata: `!1`, `!"text"`, `!{…}`, `!DIExpression(…)`.
    pub(super) fn skip_metadata(&mut self) -> Result<(), ReadError> {
        let text = self.expect_kind(Kind::Metadata, "metadata")?;
        match self.peek().kind {
            Kind::String if text.is_empty() => {
                self.bump();
            }
            Kind::Punctuation(b'{') if text.is_empty() => self.skip_balanced()?,
            Kind::Punctuation(b'(') if !text.is_empty() => self.skip_balanced()?,
            _ if text.starts_with(|first: char| first.is_ascii_digit()) => {}
            _ => return Err(self.unexpected("metadata")),
        }
        Ok(())
    }
}
