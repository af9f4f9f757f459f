//! Text to tokens.
//!
//! The whole file becomes one vector of tokens, each a kind and a range of the text, so the parser
//! can look as far ahead as it likes: it notes where every symbol and every metadata node is
//! defined before it reads the first of them, and then every reference is to something known.

use super::ReadError;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A keyword, an opcode, a type such as `i32`.
    Word,
    /// `name:`, without the colon: a block's label, or the name of a metadata field.
    Label,
    /// `%name` or `%1`.
    Local,
    /// `@name`.
    Global,
    /// `!name` or `!1`; with nothing after it, just `!`.
    Metadata,
    /// `#1`, a group of attributes, or `#dbg_declare`.
    Hash,
    /// `$name`.
    Comdat,
    /// `"…"`, without its quotes.
    String,
    /// `c"…"`, without its quotes.
    Bytes,
    /// An integer in decimal.
    Integer,
    /// Any other number.
    Number,
    /// `...`
    Ellipsis,
    /// A single character of punctuation.
    Punctuation(u8),
    /// The end of the file.
    End,
}

/// A token: its kind, where its text is, and on which line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Whether a name was quoted, so that `%"1"` is not `%1`.
    pub(super) quoted: bool,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) line: u32,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_') || byte >= 0x80
}

/// Cuts a file into tokens; the last one is [`Kind::End`].
pub(super) fn tokens(text: &str, file: &str) -> Result<Vec<Token>, ReadError> {
    if text.len() > u32::MAX as usize {
        return Err(ReadError::new(file, 1, "the file has more than 4 GiB"));
    }
    let mut lexer = Lexer { bytes: text.as_bytes(), at: 0, line: 1, file };
    let mut all = Vec::with_capacity(text.len() / 4);
    loop {
        let token = lexer.next()?;
        all.push(token);
        if token.kind == Kind::End {
            return Ok(all);
        }
    }
}

struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
    line: u32,
    file: &'t str,
}

impl Lexer<'_> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn skip_space(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                // A comment; `^0 = …` is the summary of an index that no program needs.
                b';' | b'^' => {
                    while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    fn next(&mut self) -> Result<Token, ReadError> {
        self.skip_space();
        let start = self.at;
        let Some(&first) = self.bytes.get(start) else {
            return Ok(self.token(Kind::End, start, start));
        };
        match first {
            b'%' => self.sigil(Kind::Local),
            b'@' => self.sigil(Kind::Global),
            b'$' => self.sigil(Kind::Comdat),
            b'#' => self.sigil(Kind::Hash),
            b'!' => {
                self.at += 1;
                // `!"text"` is a string of metadata: `!`, then the string.
                let from = self.at;
                while is_name(self.peek()) || self.peek() == b'\\' {
                    self.at += 1;
                }
                Ok(self.token(Kind::Metadata, from, self.at))
            }
            b'"' => {
                let (from, to) = self.quoted()?;
                if self.peek() == b':' {
                    self.at += 1;
                    return Ok(Token { quoted: true, ..self.token(Kind::Label, from, to) });
                }
                Ok(self.token(Kind::String, from, to))
            }
            b'c' if self.bytes.get(start + 1) == Some(&b'"') => {
                self.at += 1;
                let (from, to) = self.quoted()?;
                Ok(self.token(Kind::Bytes, from, to))
            }
            b'.' if self.bytes[start..].starts_with(b"...") => {
                self.at += 3;
                Ok(self.token(Kind::Ellipsis, start, self.at))
            }
            b'0'..=b'9' | b'-' | b'+' => Ok(self.number()),
            _ if is_name(first) => {
                while is_name(self.peek()) {
                    self.at += 1;
                }
                Ok(self.word_or_label(Kind::Word, start))
            }
            b'=' | b',' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'*' | b'|'
            | b':' | b'/' | b'&' => {
                self.at += 1;
                Ok(self.token(Kind::Punctuation(first), start, self.at))
            }
            _ => Err(ReadError::new(
                self.file,
                self.line,
                format!(
                    "`{}` is no part of LLVM IR in its text form; \
                     make such a file with `clang -S -emit-llvm`",
                    char::from(first).escape_default()
                ),
            )),
        }
    }

    fn token(&self, kind: Kind, start: usize, end: usize) -> Token {
        Token { kind, quoted: false, start: start as u32, end: end as u32, line: self.line }
    }

    /// A name after its sigil.
    fn sigil(&mut self, kind: Kind) -> Result<Token, ReadError> {
        self.at += 1;
        if self.peek() == b'"' {
            let (from, to) = self.quoted()?;
            return Ok(Token { quoted: true, ..self.token(kind, from, to) });
        }
        let from = self.at;
        while is_name(self.peek()) {
            self.at += 1;
        }
        Ok(self.token(kind, from, self.at))
    }

    fn word_or_label(&mut self, kind: Kind, start: usize) -> Token {
        let end = self.at;
        if self.peek() == b':' {
            self.at += 1;
            return self.token(Kind::Label, start, end);
        }
        self.token(kind, start, end)
    }

    fn number(&mut self) -> Token {
        let start = self.at;
        self.at += 1;
        let mut decimal = true;
        loop {
            let byte = self.peek();
            let exponent = matches!(self.bytes[self.at - 1], b'e' | b'E');
            if byte.is_ascii_digit() {
                self.at += 1;
            } else if is_name(byte) || (byte == b'+' && exponent) {
                decimal = false;
                self.at += 1;
            } else {
                break;
            }
        }
        self.word_or_label(if decimal { Kind::Integer } else { Kind::Number }, start)
    }

    /// The range of a string without its quotes; it starts at the first of them.
    fn quoted(&mut self) -> Result<(usize, usize), ReadError> {
        let line = self.line;
        self.at += 1;
        let from = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok((from, self.at - 1));
                }
                b'\n' => self.line += 1,
                _ => {}
            }
            self.at += 1;
        }
        Err(ReadError::cut_off(self.file, line, "a string"))
    }
}

/// The bytes of a string: `\0A` is a byte in hexadecimal, `\\` a backslash.
pub(super) fn unescape(text: &str) -> Vec<u8> {
    let hex = |byte: u8| (byte as char).to_digit(16);
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            if bytes.get(at + 1) == Some(&b'\\') {
                out.push(b'\\');
                at += 2;
                continue;
            }
            let digits = bytes.get(at + 1).zip(bytes.get(at + 2));
            if let Some((high, low)) = digits.and_then(|(&h, &l)| hex(h).zip(hex(l))) {
                out.push((high * 16 + low) as u8);
                at += 3;
                continue;
            }
        }
        out.push(bytes[at]);
        at += 1;
    }
    out
}

/// A name as it is meant, without its escapes.
pub(super) fn unescape_name(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    String::from_utf8_lossy(&unescape(text)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, &str)> {
        let all = tokens(text, "t.ll").unwrap();
        all.iter().map(|t| (t.kind, &text[t.start as usize..t.end as usize])).collect()
    }

    #[test]
    fn every_kind_of_token() {
        let text = "define @f %1 %\"a b\" !dbg !12 ! #3 $c \"s\" c\"x\\00\" -5 1.0e+10 0xK3F ... a.b: ; rest\n7:";
        let expected = [
            (Kind::Word, "define"),
            (Kind::Global, "f"),
            (Kind::Local, "1"),
            (Kind::Local, "a b"),
            (Kind::Metadata, "dbg"),
            (Kind::Metadata, "12"),
            (Kind::Metadata, ""),
            (Kind::Hash, "3"),
            (Kind::Comdat, "c"),
            (Kind::String, "s"),
            (Kind::Bytes, "x\\00"),
            (Kind::Integer, "-5"),
            (Kind::Number, "1.0e+10"),
            (Kind::Number, "0xK3F"),
            (Kind::Ellipsis, "..."),
            (Kind::Label, "a.b"),
            (Kind::Label, "7"),
            (Kind::End, ""),
        ];
        assert_eq!(kinds(text), expected);
    }

    #[test]
    fn a_string_without_an_end_is_an_error_on_its_line() {
        let error = tokens("\n\n@x = c\"abc", "t.ll").unwrap_err();
        assert_eq!(error.line, 3);
        assert!(error.to_string().contains("cut off"), "{error}");
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape("a\\0A\\\\\\22\\zz"), b"a\n\\\"\\zz");
        assert_eq!(unescape_name("a\\22b"), "a\"b");
    }
}
