//! The patterns of a receive, in Erlang's syntax: for reports.
//!
//! They are recovered from the compiled code, by symbolic execution of the instructions that test an
//! unknown message. Each test that holds on a path adds to the knowledge of the message. A path that
//! reaches the instruction that removes the message is a pattern. Variables that were bound before are
//! shown as their values, so `{Ref, Reply}` reads `{#Ref<P.1>,_}`. Since only the compiled code is needed,
//! this works for modules of OTP, too.

mod walk;
mod write;

use std::rc::Rc;

use self::walk::Walk;
use self::write::LIMIT;
use super::Vm;
use super::instruction::{Instruction, Place, TypeTest};
use crate::term::{Map, Term, compare, equal, equal_exact};

/// The most patterns that are shown.
const MOST: usize = 8;
/// The most instructions that are executed.
const PATIENCE: u32 = 2000;

/// The knowledge of a part of the message.
#[derive(Clone, Debug)]
enum Shape {
    Any,
    Tuple(Vec<usize>),
    Cons(usize, usize),
    /// Some of its entries.
    Map(Vec<(Term, usize)>),
    Known(Term),
}

/// The content of a register or a slot.
#[derive(Clone, Debug)]
enum Value {
    /// A part of the message.
    Part(usize),
    Known(Term),
    /// The result of a function.
    Call(String, Rc<[Value]>),
}

/// A condition of a guard.
#[derive(Clone, Debug)]
enum Condition {
    /// A test of a type, which holds or fails.
    Has(TypeTest, Value, bool),
    Compares(&'static str, Value, Value),
}

/// A path through the tests.
#[derive(Clone, Debug)]
struct Way {
    pc: u32,
    /// The first one is the message.
    parts: Vec<Shape>,
    conditions: Vec<Condition>,
    registers: Vec<(Place, Value)>,
}

/// The patterns of a receive.
pub(crate) struct Patterns {
    ways: Vec<Way>,
    /// Whether there are further patterns.
    more: bool,
}

impl Vm {
    /// Returns the patterns of the pending receive of a process that is not running.
    pub(crate) fn patterns(&self, process: u32) -> Patterns {
        let slot = &self.processes[process as usize];
        let pc = slot.local.pc;
        let mut patterns = Patterns { ways: Vec::new(), more: false };
        if let Instruction::LoopReceive { to, .. } = self.code.instructions[pc as usize] {
            let registers = vec![(to, Value::Part(0))];
            let way = Way { pc: pc + 1, parts: vec![Shape::Any], conditions: vec![], registers };
            let mut walk = Walk { vm: self, stack: &slot.stack, patience: PATIENCE };
            walk.follow(way, &mut patterns);
        }
        patterns
    }
}

impl Patterns {
    /// Adds a path that reaches the instruction that removes the message.
    fn add(&mut self, vm: &Vm, mut way: Way) {
        let parts = std::mem::take(&mut way.parts);
        let known = |part: usize| match parts[part] {
            Shape::Known(term) => Some(term),
            _ => None,
        };
        let is_possible =
            way.conditions.iter().all(|condition| condition.holds(vm, known) != Some(false));
        way.conditions.retain(|condition| condition.holds(vm, known).is_none());
        way.parts = parts;
        // Of patterns that include each other, the most general one is kept.
        let is_part = |vm: &Vm, a: &Way, b: &Way| a.pc == b.pc && b.takes_all_of(vm, a);
        if is_possible && !self.ways.iter().any(|other| is_part(vm, &way, other)) {
            self.ways.retain(|other| !is_part(vm, other, &way));
            self.ways.push(way);
        }
    }

    /// Returns whether the last pattern matches every message.
    fn has_everything(&self) -> bool {
        self.ways
            .last()
            .is_some_and(|way| matches!(way.parts[0], Shape::Any) && way.conditions.is_empty())
    }

    /// Returns the text of all patterns, or `None` if they match every message.
    pub(crate) fn show(&self, vm: &Vm) -> Option<String> {
        if self.ways.is_empty() || self.ways.len() == 1 && self.has_everything() {
            return None;
        }
        let mut texts: Vec<String> = self.ways.iter().map(|way| way.show(vm)).collect();
        texts.dedup();
        if self.more {
            texts.push("…".into());
        }
        Some(texts.join(" or "))
    }

    /// Returns the text of the pattern that matches a message, unless it matches every message.
    pub(crate) fn of_message(&self, vm: &Vm, message: Term) -> Option<String> {
        let way = self.ways.iter().find(|way| way.fits(vm, message))?;
        let text = way.show(vm);
        (text != "_" && text != vm.show(message, LIMIT)).then_some(text)
    }
}

impl Condition {
    /// Returns whether the condition holds, if the known parts decide this.
    fn holds(&self, vm: &Vm, term_of: impl Fn(usize) -> Option<Term>) -> Option<bool> {
        let known = |value: &Value| match value {
            Value::Part(part) => term_of(*part),
            Value::Known(term) => Some(*term),
            Value::Call(..) => None,
        };
        match self {
            Condition::Has(test, value, is) => Some(vm.has_type(*test, known(value)?) == *is),
            Condition::Compares(operator, a, b) => {
                let (a, b) = (known(a)?, known(b)?);
                let order = || compare(&vm.heap, &vm.atoms, a, b);
                Some(match *operator {
                    "=:=" => equal_exact(&vm.heap, a, b),
                    "=/=" => !equal_exact(&vm.heap, a, b),
                    "==" => equal(&vm.heap, &vm.atoms, a, b),
                    "/=" => !equal(&vm.heap, &vm.atoms, a, b),
                    "<" => order().is_lt(),
                    _ => order().is_ge(),
                })
            }
        }
    }

    /// Returns whether the condition equals another one with corresponding parts.
    fn is_like(&self, other: &Condition, counterparts: &[Option<usize>]) -> bool {
        match (self, other) {
            (Condition::Has(a, x, is), Condition::Has(b, y, other)) => {
                a == b && is == other && x.is_like(y, counterparts)
            }
            (Condition::Compares(a, x, y), Condition::Compares(b, v, w)) => {
                a == b && x.is_like(v, counterparts) && y.is_like(w, counterparts)
            }
            _ => false,
        }
    }
}

impl Value {
    fn is_like(&self, other: &Value, counterparts: &[Option<usize>]) -> bool {
        match (self, other) {
            (Value::Part(a), Value::Part(b)) => counterparts[*a] == Some(*b),
            (Value::Known(a), Value::Known(b)) => a == b,
            (Value::Call(f, x), Value::Call(g, y)) => {
                f == g
                    && x.len() == y.len()
                    && x.iter().zip(y.iter()).all(|(a, b)| a.is_like(b, counterparts))
            }
            _ => false,
        }
    }
}

impl Way {
    fn set(&mut self, place: Place, value: Value) {
        self.registers.retain(|(known, _)| *known != place);
        self.registers.push((place, value));
    }

    fn has_type(&mut self, test: TypeTest, value: Value) {
        match (test, &value) {
            (TypeTest::NonemptyList, Value::Part(part))
                if matches!(self.parts[*part], Shape::Any) =>
            {
                let part = *part;
                let head = self.parts.len();
                self.parts.resize(head + 2, Shape::Any);
                self.parts[part] = Shape::Cons(head, head + 1);
                self.forget_test(part, TypeTest::List);
            }
            (TypeTest::Nil, Value::Part(part)) if matches!(self.parts[*part], Shape::Any) => {
                self.parts[*part] = Shape::Known(Term::NIL);
            }
            (TypeTest::Tuple, Value::Part(part))
                if matches!(self.parts[*part], Shape::Tuple(_)) => {}
            (TypeTest::Nil, _) => {
                let nil = Value::Known(Term::NIL);
                self.conditions.push(Condition::Compares("=:=", value, nil));
            }
            _ => self.conditions.push(Condition::Has(test, value, true)),
        }
    }

    /// Removes tests of a part that its shape implies.
    fn forget_test(&mut self, part: usize, test: TypeTest) {
        self.conditions.retain(|condition| {
            !matches!(condition, Condition::Has(known, Value::Part(other), true)
                if *known == test && *other == part)
        });
    }

    /// Returns this path, continued at another place.
    fn at(&self, pc: u32) -> Way {
        Way { pc, ..self.clone() }
    }

    /// Returns whether the path matches a message. Conditions with calls are assumed to hold.
    fn fits(&self, vm: &Vm, message: Term) -> bool {
        let mut terms = vec![Term::NONE; self.parts.len()];
        self.bind(vm, 0, message, &mut terms)
            && self
                .conditions
                .iter()
                .all(|condition| condition.holds(vm, |part| Some(terms[part])) != Some(false))
    }

    /// Returns whether the path is known to match every message that another path matches.
    fn takes_all_of(&self, vm: &Vm, other: &Way) -> bool {
        let mut counterparts = vec![None; self.parts.len()];
        self.covers(vm, 0, other, 0, &mut counterparts)
            && self.conditions.iter().all(|condition| {
                other.conditions.iter().any(|known| condition.is_like(known, &counterparts))
            })
    }

    /// Returns whether the knowledge of a part holds for the corresponding part, too.
    fn covers(
        &self,
        vm: &Vm,
        part: usize,
        other: &Way,
        counterpart: usize,
        counterparts: &mut [Option<usize>],
    ) -> bool {
        counterparts[part] = Some(counterpart);
        match (&self.parts[part], &other.parts[counterpart]) {
            (Shape::Any, _) => true,
            (Shape::Known(a), Shape::Known(b)) => equal_exact(&vm.heap, *a, *b),
            (Shape::Tuple(a), Shape::Tuple(b)) => {
                a.len() == b.len()
                    && (a.iter().zip(b)).all(|(a, b)| self.covers(vm, *a, other, *b, counterparts))
            }
            (Shape::Cons(a, b), Shape::Cons(c, d)) => {
                self.covers(vm, *a, other, *c, counterparts)
                    && self.covers(vm, *b, other, *d, counterparts)
            }
            _ => false,
        }
    }

    /// Finds the terms that are the parts of a message. Returns whether the message has these parts.
    fn bind(&self, vm: &Vm, part: usize, term: Term, terms: &mut [Term]) -> bool {
        terms[part] = term;
        match &self.parts[part] {
            Shape::Any => true,
            Shape::Known(known) => equal_exact(&vm.heap, *known, term),
            Shape::Tuple(elements) => {
                vm.heap.arity(term) == Some(elements.len())
                    && (elements.iter().enumerate())
                        .all(|(i, part)| self.bind(vm, *part, vm.heap.element(term, i), terms))
            }
            Shape::Cons(head, tail) => term.as_cons().is_some_and(|cons| {
                self.bind(vm, *head, vm.heap.head(cons), terms)
                    && self.bind(vm, *tail, vm.heap.tail(cons), terms)
            }),
            Shape::Map(entries) => Map::of(&vm.heap, term).is_some_and(|map| {
                entries.iter().all(|(key, part)| {
                    let value = map.get(&vm.heap, &vm.atoms, *key);
                    value.is_some_and(|value| self.bind(vm, *part, value, terms))
                })
            }),
        }
    }
}
