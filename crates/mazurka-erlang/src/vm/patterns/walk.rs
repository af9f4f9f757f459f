//! Going through the instructions that try a message.

use std::rc::Rc;

use super::{Condition, MOST, Patterns, Shape, Value, Way};
use crate::term::Term;
use crate::vm::Vm;
use crate::vm::instruction::{Instruction, Place, PlaceKind, Row, TypeTest};

pub(super) struct Walk<'a> {
    pub(super) vm: &'a Vm,
    /// Of the process that receives.
    pub(super) stack: &'a [Term],
    /// How many instructions it still goes through.
    pub(super) patience: u32,
}

/// How a way goes on if a test does not hold.
struct Otherwise {
    way: Way,
    condition: Option<Condition>,
}

impl Walk<'_> {
    fn value(&self, way: &Way, place: Place) -> Value {
        if let Some((_, value)) = way.registers.iter().rev().find(|(known, _)| *known == place) {
            return value.clone();
        }
        Value::Known(match place.kind() {
            PlaceKind::Y(slot) => self.stack[self.stack.len() - 1 - slot],
            PlaceKind::Constant(number) => self.vm.code.constants[number],
            PlaceKind::X(_) | PlaceKind::Float(_) => Term::NONE,
        })
    }

    /// Goes on behind a comparison that holds. Returns where it goes on otherwise, with what is known
    /// there.
    fn compares(
        &self,
        way: &mut Way,
        [operator, opposite]: [&'static str; 2],
        [a, b]: [Place; 2],
        [holds, fails]: [u32; 2],
    ) -> Option<Otherwise> {
        let (a, b) = (self.value(way, a), self.value(way, b));
        let condition = Condition::Compares(opposite, a.clone(), b.clone());
        let otherwise = Otherwise { way: way.at(fails), condition: Some(condition) };
        way.pc = holds;
        match (operator, &a, &b) {
            ("=:=" | "==", Value::Part(part), Value::Known(term))
            | ("=:=" | "==", Value::Known(term), Value::Part(part))
                if matches!(way.parts[*part], Shape::Any) =>
            {
                way.parts[*part] = Shape::Known(*term);
            }
            _ => way.conditions.push(Condition::Compares(operator, a, b)),
        }
        Some(otherwise)
    }

    fn has_arity(&self, way: &mut Way, tuple: Place, arity: usize) {
        if let Value::Part(part) = self.value(way, tuple)
            && matches!(way.parts[part], Shape::Any)
        {
            let first = way.parts.len();
            way.parts.resize(first + arity, Shape::Any);
            way.parts[part] = Shape::Tuple((first..first + arity).collect());
            way.forget_test(part, TypeTest::Tuple);
        }
    }

    /// Finds the patterns that a way leads to.
    pub(super) fn follow(&mut self, mut way: Way, found: &mut Patterns) {
        use Instruction as I;
        loop {
            if self.patience == 0 || found.ways.len() == MOST {
                found.more = true;
                return;
            }
            self.patience -= 1;
            let instruction = self.vm.code.instructions[way.pc as usize];
            way.pc += 1;
            let other = |way: &Way, fail: u32| Otherwise { way: way.at(fail), condition: None };
            let mut or_else = None;
            match instruction {
                I::RemoveMessage => return found.add(self.vm, way),
                I::NextMessage { .. } => return,
                I::Jump { to } => way.pc = to,
                I::Move { from, to } => way.set(to, self.value(&way, from)),
                I::Swap { a, b } => {
                    let (x, y) = (self.value(&way, a), self.value(&way, b));
                    way.set(a, y);
                    way.set(b, x);
                }
                I::GetElement { tuple, index, to } => {
                    let tuple = self.value(&way, tuple);
                    let part = self.element(&way, tuple, index as usize);
                    way.set(to, part);
                }
                I::GetList { list, head, tail } => {
                    let list = self.value(&way, list);
                    way.set(head, self.half(&way, list.clone(), false));
                    way.set(tail, self.half(&way, list, true));
                }
                I::GetHead { list, to } => {
                    way.set(to, self.half(&way, self.value(&way, list), false));
                }
                I::GetTail { list, to } => {
                    way.set(to, self.half(&way, self.value(&way, list), true));
                }
                I::Is { test, fail, term } => {
                    let value = self.value(&way, term);
                    let condition = Some(Condition::Has(test, value.clone(), false));
                    or_else = Some(Otherwise { way: way.at(fail), condition });
                    way.has_type(test, value);
                }
                I::HasArity { fail, tuple, arity } => {
                    or_else = Some(other(&way, fail));
                    self.has_arity(&mut way, tuple, arity as usize);
                }
                I::IsTagged { fail, tuple, arity, tag } => {
                    or_else = Some(other(&way, fail));
                    self.has_arity(&mut way, tuple, arity as usize);
                    if let Value::Part(part) = self.value(&way, tuple)
                        && let Shape::Tuple(elements) = &way.parts[part]
                    {
                        let first = elements[0];
                        way.parts[first] = Shape::Known(Term::atom(tag));
                    }
                }
                I::Same { fail, a, b } => {
                    let to = [way.pc, fail];
                    or_else = self.compares(&mut way, ["=:=", "=/="], [a, b], to);
                }
                I::NotSame { fail, a, b } => {
                    let to = [fail, way.pc];
                    or_else = self.compares(&mut way, ["=:=", "=/="], [a, b], to);
                }
                I::Equal { fail, a, b } => {
                    let to = [way.pc, fail];
                    or_else = self.compares(&mut way, ["==", "/="], [a, b], to);
                }
                I::NotEqual { fail, a, b } => {
                    let to = [fail, way.pc];
                    or_else = self.compares(&mut way, ["==", "/="], [a, b], to);
                }
                I::Less { fail, a, b } => {
                    let to = [way.pc, fail];
                    or_else = self.compares(&mut way, ["<", ">="], [a, b], to);
                }
                I::NotLess { fail, a, b } => {
                    let to = [way.pc, fail];
                    or_else = self.compares(&mut way, [">=", "<"], [a, b], to);
                }
                I::SelectValue { term, fail, cases } => {
                    let value = self.value(&way, term);
                    for (case, to) in self.vm.code.cases[cases.range()].iter().copied() {
                        let mut taken = way.at(to);
                        match value {
                            Value::Part(part) if matches!(way.parts[part], Shape::Any) => {
                                taken.parts[part] = Shape::Known(case);
                            }
                            _ => taken.conditions.push(Condition::Compares(
                                "=:=",
                                value.clone(),
                                Value::Known(case),
                            )),
                        }
                        self.follow(taken, found);
                    }
                    way.pc = fail;
                }
                I::SelectArity { tuple, fail, cases } => {
                    for (arity, to) in self.vm.code.cases[cases.range()].iter().copied() {
                        let mut taken = way.at(to);
                        let arity = arity.as_small().unwrap_or(0) as usize;
                        self.has_arity(&mut taken, tuple, arity);
                        self.follow(taken, found);
                    }
                    way.pc = fail;
                }
                I::HasMapFields { fail, map, keys } => {
                    or_else = Some(other(&way, fail));
                    self.entries(&mut way, map, keys, false);
                }
                I::GetMapElements { fail, map, entries } => {
                    or_else = Some(other(&way, fail));
                    self.entries(&mut way, map, entries, true);
                }
                I::Bif { fail, import, arguments, to } => {
                    or_else = (fail > 0).then(|| other(&way, fail));
                    let name = self.vm.code.imports[import as usize].mfa.name;
                    let places = &self.vm.code.operands[arguments.range()];
                    let values = places.iter().map(|place| self.value(&way, *place)).collect();
                    way.set(to, Value::Call(self.vm.atoms.name(name).to_owned(), values));
                }
                I::Add { fail, a, b, to } | I::Subtract { fail, a, b, to } => {
                    or_else = (fail > 0).then(|| other(&way, fail));
                    let name = if matches!(instruction, I::Add { .. }) { "+" } else { "-" };
                    let values = [a, b].map(|place| self.value(&way, place));
                    way.set(to, Value::Call(name.to_owned(), Rc::new(values)));
                }
                // What is in a bit string is not told.
                I::StartMatch { fail, .. } => {
                    found.more = true;
                    way.pc = fail;
                }
                _ => {
                    found.more = true;
                    return;
                }
            }
            if let Some(Otherwise { way: mut other, condition }) = or_else {
                let before = found.ways.len();
                self.follow(way, found);
                if found.has_everything() {
                    return;
                }
                // If some pattern takes what the test holds of, it comes before the others, and that
                // is all. If none does, only the rest is taken.
                if found.ways.len() == before {
                    other.conditions.extend(condition);
                }
                way = other;
            }
        }
    }

    fn element(&self, way: &Way, tuple: Value, index: usize) -> Value {
        match tuple {
            Value::Part(part) => match &way.parts[part] {
                Shape::Tuple(elements) => Value::Part(elements[index]),
                _ => Value::Known(Term::NONE),
            },
            Value::Known(tuple) => Value::Known(self.vm.heap.element(tuple, index)),
            Value::Call(..) => Value::Known(Term::NONE),
        }
    }

    fn half(&self, way: &Way, list: Value, tail: bool) -> Value {
        match list {
            Value::Part(part) => match way.parts[part] {
                Shape::Cons(head, rest) => Value::Part(if tail { rest } else { head }),
                _ => Value::Known(Term::NONE),
            },
            _ => Value::Known(Term::NONE),
        }
    }

    /// Adds entries that a map must have. If they are read, every other operand is where to.
    fn entries(&self, way: &mut Way, map: Place, row: Row, reads: bool) {
        let operands = self.vm.code.operands[row.range()].to_vec();
        let Value::Part(map) = self.value(way, map) else { return };
        way.forget_test(map, TypeTest::Map);
        let mut known = match &way.parts[map] {
            Shape::Map(known) => known.clone(),
            _ => Vec::new(),
        };
        for entry in operands.chunks(if reads { 2 } else { 1 }) {
            let Value::Known(key) = self.value(way, entry[0]) else { continue };
            way.parts.push(Shape::Any);
            let part = way.parts.len() - 1;
            known.push((key, part));
            if let Some(to) = entry.get(1) {
                way.set(*to, Value::Part(part));
            }
        }
        way.parts[map] = Shape::Map(known);
    }
}
