//! Terms in Erlang's syntax.

use std::fmt::{self, Write};

use super::{Atom, Atoms, Heap, Kind, Map, Term};

/// What things are called that have no syntax of their own.
pub(crate) trait Namer {
    /// A process.
    fn process(&self, process: u32) -> String;
    /// A function, by its number.
    fn function(&self, number: u64) -> String;
    /// A reference, by who made it and its number there.
    fn reference(&self, process: u32, number: u32) -> String;
}

/// Something that prints terms.
pub(crate) struct Printer<'a> {
    pub(crate) heap: &'a Heap,
    pub(crate) atoms: &'a Atoms,
    pub(crate) namer: &'a dyn Namer,
    /// After about so many characters it goes on with dots.
    pub(crate) limit: usize,
    /// Whether it writes Elixir's syntax.
    pub(crate) is_elixir: bool,
}

impl Printer<'_> {
    pub(crate) fn print(&self, term: Term) -> String {
        let mut text = String::new();
        let _ = match self.is_elixir {
            true => self.write_elixir(term, &mut text),
            false => self.write_erlang(term, &mut text),
        };
        text
    }

    pub(super) fn write_erlang(&self, term: Term, out: &mut String) -> fmt::Result {
        if out.len() > self.limit {
            return out.write_str("...");
        }
        if let Some(value) = term.as_small() {
            return write!(out, "{value}");
        }
        if let Some(atom) = term.as_atom() {
            return out.write_str(&quoted(self.atoms, atom));
        }
        if let Some(process) = term.as_pid() {
            return out.write_str(&self.namer.process(process));
        }
        if term.is_list() {
            return self.write_list(term, out);
        }
        let Some(place) = term.as_box() else { return out.write_str("?") };
        let (kind, size) = self.heap.header(place);
        match kind {
            Kind::Tuple => {
                out.push('{');
                self.write_all((1..=size).map(|i| self.heap.word(place + i)), out)?;
                out.push('}');
            }
            Kind::Float => out.push_str(&float(f64::from_bits(self.heap.raw(place + 1)))),
            Kind::Big => {
                let value = self.heap.as_integer(term).expect("it is an integer");
                write!(out, "{value}")?;
            }
            Kind::Bits | Kind::Match => self.write_bits(term, out)?,
            Kind::Map | Kind::MapTree | Kind::MapNode => {
                out.push_str("#{");
                let map = Map::of(self.heap, term);
                let entries = map.map(|map| map.entries(self.heap)).unwrap_or_default();
                self.separated(",", entries.into_iter(), out, |(key, value), out| {
                    self.write_erlang(key, out)?;
                    out.push_str(" => ");
                    self.write_erlang(value, out)
                })?;
                out.push('}');
            }
            Kind::Fun => out.push_str(&self.namer.function(self.heap.raw(place + 1) >> 3)),
            Kind::Export => {
                let [module, name, arity] = std::array::from_fn(|i| self.heap.word(place + 1 + i));
                out.push_str("fun ");
                self.write_erlang(module, out)?;
                out.push(':');
                self.write_erlang(name, out)?;
                out.push('/');
                self.write_erlang(arity, out)?;
            }
            Kind::Ref => {
                let word = self.heap.raw(place + 1);
                out.push_str(&self.namer.reference((word >> 32) as u32, word as u32));
            }
        }
        Ok(())
    }

    fn write_all(&self, terms: impl Iterator<Item = Term>, out: &mut String) -> fmt::Result {
        self.separated(",", terms, out, |term, out| self.write_erlang(term, out))
    }

    /// Writes items, and dots in the place of those that are beyond the limit.
    pub(super) fn separated<T>(
        &self,
        separator: &str,
        items: impl Iterator<Item = T>,
        out: &mut String,
        write: impl Fn(T, &mut String) -> fmt::Result,
    ) -> fmt::Result {
        for (i, item) in items.enumerate() {
            out.push_str(if i > 0 { separator } else { "" });
            if out.len() > self.limit {
                return out.write_str("...");
            }
            write(item, out)?;
        }
        Ok(())
    }

    fn write_list(&self, list: Term, out: &mut String) -> fmt::Result {
        let mut elements = Vec::new();
        let end = self.heap.walk(list, |element| elements.push(element));
        if end.is_nil() && !elements.is_empty() {
            let text: Option<String> = elements.iter().map(|c| printable(*c)).collect();
            if let Some(text) = text {
                return write!(out, "\"{}\"", escape(&text, '"'));
            }
        }
        out.push('[');
        self.write_all(elements.into_iter(), out)?;
        if !end.is_nil() {
            out.push('|');
            self.write_erlang(end, out)?;
        }
        out.push(']');
        Ok(())
    }

    fn write_bits(&self, term: Term, out: &mut String) -> fmt::Result {
        let Some(bits) = self.heap.as_bits(term) else { return out.write_str("<<...>>") };
        let bytes = self.heap.bytes_of(bits);
        let odd = bits.len % 8;
        let text = std::str::from_utf8(&bytes).ok().filter(|_| odd == 0 && !bytes.is_empty());
        if let Some(text) = text
            && text.is_ascii()
            && text.chars().all(|c| printable(Term::int(c as i64)).is_some())
        {
            return write!(out, "<<\"{}\">>", escape(text, '"'));
        }
        out.push_str("<<");
        for (i, byte) in bytes.iter().enumerate() {
            out.push_str(if i > 0 { "," } else { "" });
            match odd != 0 && i + 1 == bytes.len() {
                true => write!(out, "{}:{odd}", byte >> (8 - odd))?,
                false => write!(out, "{byte}")?,
            }
            if out.len() > self.limit {
                out.push_str("...");
                break;
            }
        }
        out.push_str(">>");
        Ok(())
    }
}

pub(super) fn printable(term: Term) -> Option<char> {
    let code = term.as_small()?;
    match code {
        8..=13 | 27 | 32..=126 => char::from_u32(code as u32),
        _ => None,
    }
}

pub(super) fn escape(text: &str, quote: char) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            '\r' => escaped.push_str("\\r"),
            '\u{8}' => escaped.push_str("\\b"),
            '\u{b}' => escaped.push_str("\\v"),
            '\u{c}' => escaped.push_str("\\f"),
            '\u{1b}' => escaped.push_str("\\e"),
            '\\' => escaped.push_str("\\\\"),
            c if c == quote => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

/// An atom, in quotes if it needs them.
pub(crate) fn quoted(atoms: &Atoms, atom: Atom) -> String {
    const RESERVED: &[&str] = &[
        "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case",
        "catch", "cond", "div", "end", "fun", "if", "let", "maybe", "not", "of", "or", "orelse",
        "receive", "rem", "try", "when", "xor",
    ];
    let name = atoms.name(atom);
    let is_plain = name.starts_with(|c: char| c.is_lowercase())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '@')
        && !RESERVED.contains(&name);
    match is_plain {
        true => name.to_owned(),
        false => format!("'{}'", escape(name, '\'')),
    }
}

/// A float, with as few digits as tell it from others.
pub(crate) fn float(value: f64) -> String {
    if value == 0.0 {
        return if value.is_sign_negative() { "-0.0".into() } else { "0.0".into() };
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').expect("it has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent is a number");
    // As short as either form, and in plain digits if those are no longer.
    let plain = {
        let text = format!("{value}");
        if text.contains('.') { text } else { text + ".0" }
    };
    let digits = if digits.contains('.') { digits.to_owned() } else { format!("{digits}.0") };
    let scientific = format!("{digits}e{exponent}");
    let is_large = value.abs() >= 9_007_199_254_740_992.0;
    match plain.len() <= scientific.len() && !is_large {
        true => plain,
        false => scientific,
    }
}
