//! Calls with literal arguments, as they are written on a command line, in Erlang's or Elixir's syntax.

use num_bigint::BigInt;

use crate::term::{Atoms, Heap, Map, Number, Term};

/// A literal term.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Literal {
    Integer(BigInt),
    Float(f64),
    Atom(String),
    Text(String),
    Binary(String),
    List(Vec<Literal>),
    Tuple(Vec<Literal>),
    Map(Vec<(Literal, Literal)>),
}

impl Literal {
    /// Returns the name of the atom, if it is one.
    pub(crate) fn as_atom(&self) -> Option<&str> {
        match self {
            Literal::Atom(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the names of all atoms in it.
    pub(crate) fn atoms(&self) -> Vec<&str> {
        match self {
            Literal::Atom(name) => vec![name],
            Literal::List(all) | Literal::Tuple(all) => all.iter().flat_map(Self::atoms).collect(),
            Literal::Map(pairs) => pairs
                .iter()
                .flat_map(|(key, value)| [key.atoms(), value.atoms()].concat())
                .collect(),
            Literal::Integer(_) | Literal::Float(_) | Literal::Text(_) | Literal::Binary(_) => {
                Vec::new()
            }
        }
    }

    /// The term.
    pub(crate) fn build(&self, heap: &mut Heap, atoms: &mut Atoms) -> Term {
        match self {
            Literal::Integer(value) => Number::from(value.clone()).into_term(heap),
            Literal::Float(value) => heap.float(*value),
            Literal::Atom(name) => Term::atom(atoms.intern(name)),
            Literal::Text(text) => heap.string(text),
            Literal::Binary(text) => heap.binary(text.as_bytes()),
            Literal::List(all) => {
                let all: Vec<Term> = all.iter().map(|one| one.build(heap, atoms)).collect();
                heap.list(&all)
            }
            Literal::Tuple(all) => {
                let all: Vec<Term> = all.iter().map(|one| one.build(heap, atoms)).collect();
                heap.tuple(&all)
            }
            Literal::Map(entries) => {
                let entries = entries
                    .iter()
                    .map(|(key, value)| (key.build(heap, atoms), value.build(heap, atoms)))
                    .collect();
                Map::of_entries(heap, atoms, entries).term()
            }
        }
    }
}

/// Returns module, function and arguments of a call. The error says what is wrong.
///
/// `Shop.Stock.take("tea", :all)` is a call in Elixir's syntax, and its arguments are literals of Elixir.
pub(crate) fn parse_call(text: &str) -> Result<(String, String, Vec<Literal>), String> {
    let is_elixir = text.trim().starts_with(|c: char| c.is_ascii_uppercase() || c == ':');
    let mut parser = Parser { rest: text.trim(), is_elixir };
    let (module, function) = match is_elixir {
        true => parser.elixir_function()?,
        false => {
            let module = parser.atom()?;
            parser.expect(":")?;
            (module, parser.atom()?)
        }
    };
    parser.expect("(")?;
    let arguments = parser.sequence(")", Parser::literal)?;
    parser.accept(".");
    match parser.rest.trim_start() {
        "" => Ok((module, function, arguments)),
        rest => Err(format!("`{rest}` is left over")),
    }
}

/// Returns the only term of a file, such as the specification of an application.
pub(crate) fn parse_term(text: &str) -> Result<Literal, String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('%'));
    let text: Vec<&str> = lines.collect();
    let text = text.join("\n");
    Parser { rest: &text, is_elixir: false }.literal()
}

struct Parser<'a> {
    rest: &'a str,
    /// Whether literals are those of Elixir.
    is_elixir: bool,
}

impl Parser<'_> {
    fn accept(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        self.rest = rest.strip_prefix(token).unwrap_or(rest);
        self.rest.len() < rest.len()
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        match self.accept(token) {
            true => Ok(()),
            false if self.rest.is_empty() => Err(format!("`{token}` is missing at its end")),
            false => Err(format!("`{token}` is missing before `{}`", self.rest)),
        }
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken.to_owned()
    }

    fn atom(&mut self) -> Result<String, String> {
        match self.literal()? {
            Literal::Atom(name) => Ok(name),
            other => Err(format!("{other:?} is not an atom")),
        }
    }

    /// Reads `Module.function` or `:module.function`.
    fn elixir_function(&mut self) -> Result<(String, String), String> {
        let end = self.rest.find('(').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        let Some((module, function)) = name.trim_end().rsplit_once('.') else {
            return Err(format!("`{name}` is not a function of a module"));
        };
        self.rest = rest;
        let module = match module.strip_prefix(':') {
            Some(module) => module.to_owned(),
            None => format!("Elixir.{module}"),
        };
        Ok((module, function.to_owned()))
    }

    /// Reads a literal that Elixir writes in another way than Erlang, if there is one.
    fn elixir_literal(&mut self, first: char) -> Result<Option<Literal>, String> {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '?' | '!');
        Ok(Some(match first {
            '"' => {
                self.expect("\"")?;
                Literal::Binary(self.quoted('"')?)
            }
            '\'' => {
                self.expect("'")?;
                Literal::Text(self.quoted('\'')?)
            }
            ':' => {
                self.expect(":")?;
                match self.accept("\"") {
                    true => Literal::Atom(self.quoted('"')?),
                    false => Literal::Atom(self.take(is_name)),
                }
            }
            '%' => {
                self.expect("%{")?;
                Literal::Map(self.sequence("}", |parser| match parser.keyword()? {
                    Some(pair) => Ok(pair),
                    None => {
                        let key = parser.literal()?;
                        parser.expect("=>")?;
                        Ok((key, parser.literal()?))
                    }
                })?)
            }
            '[' => {
                self.expect("[")?;
                Literal::List(self.sequence("]", |parser| match parser.keyword()? {
                    Some((key, value)) => Ok(Literal::Tuple(vec![key, value])),
                    None => parser.literal(),
                })?)
            }
            c if c.is_ascii_uppercase() => {
                let alias = self.take(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
                Literal::Atom(format!("Elixir.{alias}"))
            }
            c if c.is_lowercase() => match self.take(is_name) {
                name if ["true", "false", "nil"].contains(&name.as_str()) => Literal::Atom(name),
                name => return Err(format!("`{name}` is not a literal; an atom is `:{name}`")),
            },
            _ => return Ok(None),
        }))
    }

    /// Reads `key: value`, if there is one.
    fn keyword(&mut self) -> Result<Option<(Literal, Literal)>, String> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (key, value) = rest.split_at(end);
        let starts = key.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match value.strip_prefix(": ") {
            Some(value) if starts => {
                self.rest = value;
                Ok(Some((Literal::Atom(key.to_owned()), self.literal()?)))
            }
            _ => Ok(None),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, String> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.rest = &self.rest[i + c.len_utf8()..];
                    return Ok(text);
                }
                '\\' => match chars.next().map(|(_, c)| c) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(c) => text.push(c),
                    None => break,
                },
                c => text.push(c),
            }
        }
        Err(format!("{quote} is missing at the end"))
    }

    fn sequence<T>(
        &mut self,
        end: &str,
        item: impl Fn(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut all = Vec::new();
        if self.accept(end) {
            return Ok(all);
        }
        loop {
            all.push(item(self)?);
            if self.accept(end) {
                return Ok(all);
            }
            if !self.accept(",") {
                return self.expect(end).map(|()| all);
            }
        }
    }

    fn literal(&mut self) -> Result<Literal, String> {
        self.rest = self.rest.trim_start();
        let Some(first) = self.rest.chars().next() else {
            return Err("a term is missing at the end".into());
        };
        if self.is_elixir
            && let Some(literal) = self.elixir_literal(first)?
        {
            return Ok(literal);
        }
        if self.accept("<<") {
            let text = match self.accept("\"") {
                true => self.quoted('"')?,
                false => String::new(),
            };
            self.expect(">>")?;
            return Ok(Literal::Binary(text));
        }
        if self.accept("#{") {
            let entries = self.sequence("}", |parser| {
                let key = parser.literal()?;
                parser.expect("=>")?;
                Ok((key, parser.literal()?))
            })?;
            return Ok(Literal::Map(entries));
        }
        match first {
            '[' => {
                self.expect("[")?;
                Ok(Literal::List(self.sequence("]", Parser::literal)?))
            }
            '{' => {
                self.expect("{")?;
                Ok(Literal::Tuple(self.sequence("}", Parser::literal)?))
            }
            '"' => {
                self.expect("\"")?;
                Ok(Literal::Text(self.quoted('"')?))
            }
            '\'' => {
                self.expect("'")?;
                Ok(Literal::Atom(self.quoted('\'')?))
            }
            c if c.is_lowercase() => {
                Ok(Literal::Atom(self.take(|c| c.is_alphanumeric() || c == '_' || c == '@')))
            }
            c if c.is_ascii_digit() || c == '-' => {
                let sign = if self.accept("-") { "-" } else { "" };
                let digits = self.take(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E'));
                let text = format!("{sign}{digits}");
                match text.contains('.') {
                    true => text.parse().map(Literal::Float).map_err(|e| e.to_string()),
                    false => text.parse().map(Literal::Integer).map_err(|e| format!("{text}: {e}")),
                }
            }
            _ => Err(format!("`{}` is not a literal", self.rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_in_the_syntax_of_elixir() {
        let (module, function, arguments) = parse_call(
            r#"Shop.Stock.take!("tea", :all, Shop, [n: 1, x: nil], %{1 => 'a', b: {2}})"#,
        )
        .expect("it is a call");
        assert_eq!((module.as_str(), function.as_str()), ("Elixir.Shop.Stock", "take!"));
        let atom = |name: &str| Literal::Atom(name.into());
        let number = |value: i64| Literal::Integer(value.into());
        let pair = |name: &str, value| Literal::Tuple(vec![atom(name), value]);
        let map = vec![
            (number(1), Literal::Text("a".into())),
            (atom("b"), Literal::Tuple(vec![number(2)])),
        ];
        let expected = [
            Literal::Binary("tea".into()),
            atom("all"),
            atom("Elixir.Shop"),
            Literal::List(vec![pair("n", number(1)), pair("x", atom("nil"))]),
            Literal::Map(map),
        ];
        assert_eq!(arguments, expected);
        let (module, function, _) = parse_call(":lists.seq(1, 2)").expect("it is a call");
        assert_eq!((module.as_str(), function.as_str()), ("lists", "seq"));
        let error = parse_call("Shop.run(all)").expect_err("it is not a literal");
        assert_eq!(error, "`all` is not a literal; an atom is `:all`");
    }
}
