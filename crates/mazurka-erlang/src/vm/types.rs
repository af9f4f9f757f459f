//! Tests of terms, and maps: what instructions of these kinds do.

use super::Vm;
use super::instruction::{Row, TypeTest};
use crate::term::{Kind, Map, Term, atom, compare};

impl Vm {
    pub(super) fn less(&self, a: Term, b: Term) -> bool {
        match (a.as_small(), b.as_small()) {
            (Some(a), Some(b)) => a < b,
            _ => compare(&self.heap, &self.atoms, a, b).is_lt(),
        }
    }

    pub(crate) fn has_type(&self, test: TypeTest, term: Term) -> bool {
        let heap = &self.heap;
        match test {
            TypeTest::Integer => heap.is_integer(term),
            TypeTest::Float => heap.is_kind(term, Kind::Float),
            TypeTest::Number => heap.is_integer(term) || heap.is_kind(term, Kind::Float),
            TypeTest::Atom => term.as_atom().is_some(),
            TypeTest::Pid => term.as_pid().is_some(),
            TypeTest::Reference => heap.is_kind(term, Kind::Ref),
            TypeTest::Port => false,
            TypeTest::Nil => term.is_nil(),
            TypeTest::Binary => heap.as_bits(term).is_some_and(|bits| bits.is_binary()),
            TypeTest::Bitstring => heap.is_kind(term, Kind::Bits),
            TypeTest::List => term.is_list(),
            TypeTest::NonemptyList => term.as_cons().is_some(),
            TypeTest::Tuple => heap.is_kind(term, Kind::Tuple),
            TypeTest::Function => heap.is_kind(term, Kind::Fun) || heap.is_kind(term, Kind::Export),
            TypeTest::Boolean => term.as_bool().is_some(),
            TypeTest::Map => Map::of(heap, term).is_some(),
        }
    }

    pub(super) fn put_map(&mut self, map: Term, entries: Row, exact: bool) -> Result<Term, Term> {
        let Some(mut new) = Map::of(&self.heap, map) else {
            return Err(self.heap.tuple(&[Term::atom(atom::BADMAP), map]));
        };
        let mut at = entries.range();
        while let (Some(key), Some(value)) = (at.next(), at.next()) {
            let (key, value) = (self.code.operands[key], self.code.operands[value]);
            let (key, value) = (self.get(key), self.get(value));
            if exact && new.get(&self.heap, &self.atoms, key).is_none() {
                return Err(self.heap.tuple(&[Term::atom(atom::BADKEY), key]));
            }
            new = new.put(&mut self.heap, &self.atoms, key, value);
        }
        Ok(new.term())
    }

    pub(super) fn get_map_elements(&mut self, map: Term, entries: Row) -> bool {
        let Some(map) = Map::of(&self.heap, map) else { return false };
        let mut at = entries.range();
        while let (Some(key), Some(to)) = (at.next(), at.next()) {
            let key = self.get(self.code.operands[key]);
            let Some(value) = map.get(&self.heap, &self.atoms, key) else { return false };
            self.set(self.code.operands[to], value);
        }
        true
    }
}
