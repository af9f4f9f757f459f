//! Terms in Elixir's syntax.

use std::fmt::{self, Write};

use super::print::{escape, float, printable};
use super::{Atom, Atoms, Kind, Map, Printer, Term};

/// Returns the name of a module as Elixir writes it, if the atom is one: `Counter` for
/// `'Elixir.Counter'`.
pub(crate) fn alias(atoms: &Atoms, atom: Atom) -> Option<&str> {
    let name = atoms.name(atom).strip_prefix("Elixir.")?;
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase())
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    name.split('.').all(is_part).then_some(name)
}

/// Returns whether an atom needs no quotes.
fn is_plain(name: &str) -> bool {
    let body = name.strip_suffix(['?', '!']).unwrap_or(name);
    body.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && body.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '@')
}

/// Returns an atom in Elixir's syntax.
fn atom(atoms: &Atoms, atom: Atom) -> String {
    let name = atoms.name(atom);
    match alias(atoms, atom) {
        Some(alias) => alias.to_owned(),
        None if ["true", "false", "nil"].contains(&name) => name.to_owned(),
        None if is_plain(name) => format!(":{name}"),
        None => format!(":\"{}\"", escape(name, '"')),
    }
}

impl Printer<'_> {
    /// Writes a term in Elixir's syntax.
    pub(super) fn write_elixir(&self, term: Term, out: &mut String) -> fmt::Result {
        if out.len() > self.limit {
            return out.write_str("...");
        }
        if let Some(value) = term.as_small() {
            return write!(out, "{value}");
        }
        if let Some(name) = term.as_atom() {
            return out.write_str(&atom(self.atoms, name));
        }
        if let Some(process) = term.as_pid() {
            return out.write_str(&self.namer.process(process));
        }
        if term.is_list() {
            return self.elixir_list(term, out);
        }
        let Some(place) = term.as_box() else { return out.write_str("?") };
        let (kind, size) = self.heap.header(place);
        match kind {
            Kind::Tuple => {
                let elements = (1..=size).map(|i| self.heap.word(place + i));
                self.elixir_sequence('{', elements.collect(), '}', out)
            }
            Kind::Float => out.write_str(&float(f64::from_bits(self.heap.raw(place + 1)))),
            Kind::Bits | Kind::Match => self.elixir_bits(term, out),
            Kind::Map | Kind::MapTree | Kind::MapNode => self.elixir_map(term, out),
            Kind::Export => {
                let [module, name, arity] = std::array::from_fn(|i| self.heap.word(place + 1 + i));
                out.push('&');
                self.write_elixir(module, out)?;
                let name = name.as_atom().map_or("", |name| self.atoms.name(name));
                write!(out, ".{name}/{}", arity.as_small().unwrap_or(0))
            }
            // Numbers, functions and references look the same.
            Kind::Big | Kind::Fun | Kind::Ref => self.write_erlang(term, out),
        }
    }

    fn elixir_sequence(
        &self,
        open: char,
        terms: Vec<Term>,
        close: char,
        out: &mut String,
    ) -> fmt::Result {
        out.push(open);
        self.separated(", ", terms.into_iter(), out, |term, out| self.write_elixir(term, out))?;
        out.push(close);
        Ok(())
    }

    /// Writes pairs with keys that are atoms: `a: 1, b: 2`.
    fn keywords(&self, pairs: &[(Atom, Term)], out: &mut String) -> fmt::Result {
        self.separated(", ", pairs.iter(), out, |(key, value), out| {
            let name = self.atoms.name(*key);
            match is_plain(name) {
                true => write!(out, "{name}: ")?,
                false => write!(out, "\"{}\": ", escape(name, '"'))?,
            }
            self.write_elixir(*value, out)
        })
    }

    fn elixir_list(&self, list: Term, out: &mut String) -> fmt::Result {
        let mut elements = Vec::new();
        let end = self.heap.walk(list, |element| elements.push(element));
        if end.is_nil() && !elements.is_empty() {
            let text: Option<String> = elements.iter().map(|c| printable(*c)).collect();
            if let Some(text) = text {
                return write!(out, "'{}'", escape(&text, '\''));
            }
            let pair = |element: &Term| {
                let [key, value] = self.heap.tuple_of::<2>(*element)?;
                let key = key.as_atom().filter(|key| alias(self.atoms, *key).is_none())?;
                Some((key, value))
            };
            if let Some(pairs) = elements.iter().map(pair).collect::<Option<Vec<_>>>() {
                out.push('[');
                self.keywords(&pairs, out)?;
                out.push(']');
                return Ok(());
            }
        }
        if !end.is_nil() {
            out.push('[');
            self.separated(", ", elements.into_iter(), out, |element, out| {
                self.write_elixir(element, out)
            })?;
            out.push_str(" | ");
            self.write_elixir(end, out)?;
            out.push(']');
            return Ok(());
        }
        self.elixir_sequence('[', elements, ']', out)
    }

    fn elixir_map(&self, term: Term, out: &mut String) -> fmt::Result {
        let map = Map::of(self.heap, term);
        let mut entries = map.map(|map| map.entries(self.heap)).unwrap_or_default();
        let is_struct = |(key, _): &(Term, Term)| {
            key.as_atom().is_some_and(|key| self.atoms.name(key) == "__struct__")
        };
        let name = entries.iter().find(|entry| is_struct(entry)).map(|(_, name)| *name);
        let name = name.and_then(|name| alias(self.atoms, name.as_atom()?));
        if name.is_some() {
            let is_mark = |(key, _): &(Term, Term)| {
                key.as_atom().is_some_and(|key| self.atoms.name(key) == "__exception__")
            };
            entries.retain(|entry| !is_struct(entry) && !is_mark(entry));
        }
        if name == Some("Regex")
            && let Some(text) = self.regex(&entries)
        {
            return out.write_str(&text);
        }
        write!(out, "%{}{{", name.unwrap_or_default())?;
        let pair = |(key, value): &(Term, Term)| {
            let key = key.as_atom().filter(|key| alias(self.atoms, *key).is_none())?;
            Some((key, *value))
        };
        match entries.iter().map(pair).collect::<Option<Vec<_>>>() {
            Some(pairs) => self.keywords(&pairs, out)?,
            None => self.separated(", ", entries.into_iter(), out, |(key, value), out| {
                self.write_elixir(key, out)?;
                out.push_str(" => ");
                self.write_elixir(value, out)
            })?,
        }
        out.push('}');
        Ok(())
    }

    /// Returns a regular expression as a sigil, given the fields of the struct. Since Elixir 1.15, the options
    /// are a list of atoms, and the expression is shown as a struct if there are any.
    fn regex(&self, fields: &[(Term, Term)]) -> Option<String> {
        let field = |name: &str| {
            let is_named = |(key, _): &&(Term, Term)| {
                key.as_atom().is_some_and(|key| self.atoms.name(key) == name)
            };
            let (_, value) = fields.iter().find(is_named)?;
            let bytes = self.heap.as_bits(*value).map(|bits| self.heap.bytes_of(bits));
            match bytes {
                Some(bytes) => String::from_utf8(bytes.to_vec()).ok(),
                None => value.is_nil().then(String::new),
            }
        };
        let (source, options) = (field("source")?, field("opts")?);
        Some(format!("~r/{}/{options}", source.replace('/', "\\/")))
    }

    fn elixir_bits(&self, term: Term, out: &mut String) -> fmt::Result {
        let Some(bits) = self.heap.as_bits(term) else { return out.write_str("<<...>>") };
        let bytes = self.heap.bytes_of(bits);
        let text = std::str::from_utf8(&bytes).ok().filter(|_| bits.len % 8 == 0);
        match text.filter(|text| text.chars().all(|c| !c.is_control() || c == '\n' || c == '\t')) {
            Some(text) => write!(out, "\"{}\"", escape(text, '"')),
            None => self.write_erlang(term, out),
        }
    }
}
