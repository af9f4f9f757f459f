//! Equal writes.
//!
//! Two operations that put the same value in the same place commute: two processes insert the same
//! object in a table, say. To the explorers each of them is an [`Op::Add`] on the place, which depends
//! on reads and updates, but not on other additions. Operations that put different values there must not
//! commute, so the step accesses a few more cells, the *bits* of the place. The values of a place have
//! numbers. A step that puts the value with the number n there reads a bit that is 0 in n, and adds to
//! a bit that is 1. Numbers that differ do so in a bit, and a read of it depends on an addition to it.
//! Equal numbers access all bits in the same way, which commutes.
//!
//! The first [`MOST`] values that any execution puts in a place get a number. An operation that puts
//! another value there is an [`Op::Update`] of the place.

use mazurka_core::model::{Action, Location, ObjectId, Op, Performed};

use super::ErlangMachine;
use super::objects::Thing;
use crate::term::Term;

/// The number of bits of a place.
const BITS: u32 = 2;

/// The number of values of a place that have a number.
pub(crate) const MOST: usize = 1 << BITS;

/// A value that is put in a place.
#[derive(Clone, Copy)]
pub(super) enum Value {
    /// This term.
    Term(Term),
    /// This term, for this key.
    Keyed(Term, Term),
    /// No term any more: it is deleted.
    None,
    /// What was there without this term.
    Without(Term),
}

impl ErlangMachine {
    /// Returns the number of a value that is put in a place, if it has one.
    pub(super) fn number_of_value(&mut self, on: Location, value: Value) -> Option<u32> {
        let mut words = std::mem::take(&mut self.words);
        words.clear();
        match value {
            Value::Term(term) => {
                words.push(0);
                self.write_term(term, &mut words);
            }
            Value::Keyed(key, term) => {
                words.push(1);
                self.write_term(key, &mut words);
                self.write_term(term, &mut words);
            }
            Value::None => words.push(2),
            Value::Without(term) => {
                words.push(3);
                self.write_term(term, &mut words);
            }
        }
        let number = self.objects.number_of_value(on.object, &words);
        self.words = words;
        number
    }

    /// Returns the operation on a place that puts a value with this number there.
    pub(super) fn op_of_value(number: Option<u32>) -> Op {
        match number {
            Some(_) => Op::Add,
            None => Op::Update,
        }
    }

    /// Accesses the bits of a place in which a step puts a value with this number.
    pub(super) fn touch_bits(
        &mut self,
        on: Location,
        number: Option<u32>,
        performed: &mut Performed,
    ) {
        let Some(number) = number else { return };
        for bit in 0..BITS {
            let op = if number >> bit & 1 == 1 { Op::Add } else { Op::Read };
            self.touch(performed, op, Thing::Bit(on.object.0, bit));
        }
    }

    /// Puts a value in a place.
    pub(super) fn touch_value(&mut self, on: Location, value: Value, performed: &mut Performed) {
        if self.is_polled_entry(on) {
            // Explorers derive the value of the entry from the last write before it.
            performed.actions.push(Action::new(Op::Update, on));
            return;
        }
        let number = self.number_of_value(on, value);
        performed.actions.push(Action::new(Self::op_of_value(number), on));
        self.touch_bits(on, number, performed);
    }

    /// Returns the thing whose bit this is.
    pub(super) fn thing_with_bit(&self, object: u32) -> Thing {
        self.objects.thing(ObjectId(object))
    }
}
