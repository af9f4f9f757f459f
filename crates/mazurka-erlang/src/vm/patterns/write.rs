//! Patterns in Erlang's or Elixir's syntax.

use super::{Condition, Shape, Value, Way};
use crate::term::Term;
use crate::vm::Vm;
use crate::vm::instruction::TypeTest;

impl Way {
    pub(super) fn show(&self, vm: &Vm) -> String {
        // Parts that guards speak of have names.
        let mut names = Vec::new();
        for condition in &self.conditions {
            match condition {
                Condition::Has(_, value, _) => value.collect_parts(&mut names),
                Condition::Compares(_, a, b) => {
                    a.collect_parts(&mut names);
                    b.collect_parts(&mut names);
                }
            }
        }
        names.sort_unstable();
        names.dedup();
        let writer = Writer { vm, way: self, names };
        let conditions: Vec<String> =
            self.conditions.iter().map(|condition| writer.condition(condition)).collect();
        let mut text = writer.part(0);
        if !conditions.is_empty() {
            text.push_str(" when ");
            text.push_str(&conditions.join(if vm.is_elixir { " and " } else { ", " }));
        }
        text
    }
}

impl Value {
    fn collect_parts(&self, parts: &mut Vec<usize>) {
        match self {
            Value::Part(part) => parts.push(*part),
            Value::Known(_) => {}
            Value::Call(_, values) => values.iter().for_each(|value| value.collect_parts(parts)),
        }
    }
}

struct Writer<'a> {
    vm: &'a Vm,
    way: &'a Way,
    /// Parts that have names, in their order.
    names: Vec<usize>,
}

/// How many characters of a term are shown.
pub(super) const LIMIT: usize = 60;

impl Writer<'_> {
    fn name(&self, index: usize) -> String {
        let first = if self.vm.is_elixir { b'a' } else { b'A' };
        let letter = char::from(first + (index % 26) as u8);
        if index < 26 { letter.to_string() } else { format!("{letter}{}", index / 26) }
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Part(part) => match self.way.parts[*part] {
                Shape::Known(term) => self.vm.show(term, LIMIT),
                _ => {
                    let index = self.names.iter().position(|named| named == part);
                    self.name(index.unwrap_or_default())
                }
            },
            Value::Known(term) => self.vm.show(*term, LIMIT),
            Value::Call(name, values) => {
                let values: Vec<String> = values.iter().map(|value| self.value(value)).collect();
                let is_word = name.starts_with(|c: char| c.is_ascii_lowercase());
                match &values[..] {
                    [a, b] if !is_word || ["div", "rem", "and", "or"].contains(&name.as_str()) => {
                        format!("{a} {name} {b}")
                    }
                    _ => format!("{name}({})", values.join(", ")),
                }
            }
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Has(test, value, is) => {
                let not = if *is { "" } else { "not " };
                format!("{not}{}({})", guard_name(*test), self.value(value))
            }
            Condition::Compares("=:=", value, Value::Known(term))
                if matches!(value, Value::Call(..)) && term.as_bool() == Some(true) =>
            {
                self.value(value)
            }
            Condition::Compares(operator, a, b) => {
                format!("{} {} {}", self.value(a), self.operator(operator), self.value(b))
            }
        }
    }

    /// Returns an operator of Erlang as the language of the program writes it.
    fn operator<'a>(&self, operator: &'a str) -> &'a str {
        match operator {
            "=:=" if self.vm.is_elixir => "===",
            "=/=" if self.vm.is_elixir => "!==",
            "/=" if self.vm.is_elixir => "!=",
            "=<" if self.vm.is_elixir => "<=",
            operator => operator,
        }
    }

    fn part(&self, part: usize) -> String {
        let is_elixir = self.vm.is_elixir;
        let (comma, bar) = if is_elixir { (", ", " | ") } else { (",", "|") };
        let shape = match &self.way.parts[part] {
            Shape::Any => None,
            Shape::Known(term) => return self.vm.show(*term, LIMIT),
            Shape::Tuple(elements) => {
                let elements: Vec<String> = elements.iter().map(|part| self.part(*part)).collect();
                Some(format!("{{{}}}", elements.join(comma)))
            }
            Shape::Cons(head, tail) => {
                let (mut elements, mut rest) = (self.part(*head), *tail);
                while let Shape::Cons(head, tail) = &self.way.parts[rest] {
                    elements = format!("{elements}{comma}{}", self.part(*head));
                    rest = *tail;
                }
                match self.way.parts[rest] {
                    Shape::Known(Term::NIL) => Some(format!("[{elements}]")),
                    _ => Some(format!("[{elements}{bar}{}]", self.part(rest))),
                }
            }
            Shape::Map(entries) if is_elixir => Some(self.elixir_map(entries)),
            Shape::Map(entries) => {
                let entry = |(key, part): &(Term, usize)| {
                    format!("{} := {}", self.vm.show(*key, LIMIT), self.part(*part))
                };
                let entries: Vec<String> = entries.iter().map(entry).collect();
                Some(format!("#{{{}}}", entries.join(comma)))
            }
        };
        let name = self.names.iter().position(|named| *named == part).map(|i| self.name(i));
        match (shape, name) {
            (None, None) => "_".into(),
            (None, Some(name)) => name,
            (Some(shape), None) => shape,
            (Some(shape), Some(name)) => format!("{shape} = {name}"),
        }
    }
}

impl Writer<'_> {
    /// Returns a pattern of maps or structs in Elixir's syntax, such as `%State{count: 1}`.
    fn elixir_map(&self, entries: &[(Term, usize)]) -> String {
        let mut name = String::new();
        // Keys that are atoms come last.
        let (mut shown, mut keywords) = (Vec::new(), Vec::new());
        for (key, part) in entries {
            let (key, value) = (self.vm.show(*key, LIMIT), self.part(*part));
            match key.strip_prefix(':') {
                Some("__struct__") if value.starts_with(char::is_uppercase) => name = value,
                Some(key) => keywords.push(format!("{key}: {value}")),
                None => shown.push(format!("{key} => {value}")),
            }
        }
        shown.append(&mut keywords);
        format!("%{name}{{{}}}", shown.join(", "))
    }
}

fn guard_name(test: TypeTest) -> &'static str {
    match test {
        TypeTest::Integer => "is_integer",
        TypeTest::Float => "is_float",
        TypeTest::Number => "is_number",
        TypeTest::Atom => "is_atom",
        TypeTest::Pid => "is_pid",
        TypeTest::Reference => "is_reference",
        TypeTest::Port => "is_port",
        TypeTest::Binary => "is_binary",
        TypeTest::Bitstring => "is_bitstring",
        TypeTest::List | TypeTest::NonemptyList | TypeTest::Nil => "is_list",
        TypeTest::Tuple => "is_tuple",
        TypeTest::Function => "is_function",
        TypeTest::Boolean => "is_boolean",
        TypeTest::Map => "is_map",
    }
}
