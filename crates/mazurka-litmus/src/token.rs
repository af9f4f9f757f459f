//! Words of a litmus test.

use std::fmt;

/// A mistake in a litmus test, with its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: u32,
    /// What is wrong, and what to do.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

/// A word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Name(String),
    Number(i64),
    Symbol(&'static str),
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Name(name) => write!(f, "`{name}`"),
            Token::Number(number) => write!(f, "`{number}`"),
            Token::Symbol(symbol) => write!(f, "`{symbol}`"),
            Token::End => f.write_str("the end of the file"),
        }
    }
}

/// The symbols. A symbol comes before those that it begins with.
const SYMBOLS: [&str; 29] = [
    "/\\", "\\/", "&&", "||", "==", "!=", "<=", ">=", "(", ")", "{", "}", "[", "]", ";", ",", ":",
    "=", "*", "&", "|", "^", "+", "-", "<", ">", "!", "~", "%",
];

/// Splits a text into words, each with its line.
pub(crate) fn tokens(text: &str, first_line: u32) -> Result<Vec<(Token, u32)>, ParseError> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (text, first_line);
    while let Some(first) = rest.chars().next() {
        // `(*` is also the beginning of an expression.
        let is_comment =
            |start: &str, end: &str| rest.starts_with(start) && rest[2..].contains(end);
        if is_comment("(*", "*)") || is_comment("/*", "*/") {
            let end = if first == '(' { "*)" } else { "*/" };
            let len = rest[2..].find(end).unwrap_or_default() + 4;
            line += rest[..len].matches('\n').count() as u32;
            rest = &rest[len..];
        } else if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if first.is_whitespace() {
            line += u32::from(first == '\n');
            rest = &rest[first.len_utf8()..];
        } else if first == '"' {
            // A description.
            let message = "a text that begins with `\"` has no end".to_owned();
            let len = rest[1..].find('"').ok_or(ParseError { line, message })? + 2;
            line += rest[..len].matches('\n').count() as u32;
            rest = &rest[len..];
        } else if first.is_ascii_digit() {
            let len = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let digits = &rest[..len];
            let number = match digits.strip_prefix("0x") {
                Some(digits) => i64::from_str_radix(digits, 16),
                None => digits.parse(),
            };
            let message = format!("`{digits}` is not a number");
            let number = number.map_err(|_| ParseError { line, message })?;
            found.push((Token::Number(number), line));
            rest = &rest[len..];
        } else if first.is_ascii_alphabetic() || first == '_' {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
            let len = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            found.push((Token::Name(rest[..len].to_owned()), line));
            rest = &rest[len..];
        } else {
            let symbol = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol));
            let message = format!("`{first}` has no meaning here");
            let symbol = symbol.ok_or(ParseError { line, message })?;
            found.push((Token::Symbol(symbol), line));
            rest = &rest[symbol.len()..];
        }
    }
    found.push((Token::End, line));
    Ok(found)
}
