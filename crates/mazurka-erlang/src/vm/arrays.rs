//! Arrays of `atomics` and `counters`.
//!
//! They are kept in a map from their references to tuples: whether numbers have signs, then the
//! numbers.

use num_bigint::BigInt;

use super::{Stop, Vm, badarg};
use crate::term::{Number, Term, equal_exact};

impl Vm {
    /// Makes an array of zeros.
    pub(crate) fn new_array(&mut self, size: Term, signed: bool) -> Result<Term, Stop> {
        let size = size.as_small().filter(|size| (1..1 << 20).contains(size)).ok_or_else(badarg)?;
        let mut content = vec![Term::int(0); size as usize + 1];
        content[0] = Term::bool(signed);
        let content = self.heap.tuple(&content);
        let reference = self.make_ref();
        let arrays = self.with(self.arrays, reference, content);
        self.set_arrays(arrays);
        Ok(reference)
    }

    /// The content of an array: its first element says whether its numbers have signs.
    pub(crate) fn array(&self, reference: Term) -> Result<Term, Stop> {
        self.heap.as_ref(reference).ok_or_else(badarg)?;
        self.lookup(self.arrays, reference).ok_or_else(badarg)
    }

    /// Puts a number in place.
    pub(crate) fn set_in_array(
        &mut self,
        reference: Term,
        index: usize,
        value: Term,
    ) -> Result<(), Stop> {
        let mut content = self.heap.elements(self.array(reference)?).ok_or_else(badarg)?;
        content[index] = value;
        let content = self.heap.tuple(&content);
        let arrays = self.with(self.arrays, reference, content);
        self.set_arrays(arrays);
        Ok(())
    }

    /// Returns the number in a place, and before it the different numbers that were there earlier in this
    /// execution: the latest first, at most so many.
    pub(crate) fn values_in_array(&self, reference: Term, index: usize, most: usize) -> Vec<Term> {
        let mut found: Vec<Term> = Vec::new();
        for arrays in std::iter::once(self.arrays).chain(self.former_arrays()) {
            let Some(content) = self.lookup(arrays, reference) else { continue };
            let value = self.heap.element(content, index);
            if !found.iter().any(|known| equal_exact(&self.heap, *known, value)) {
                found.push(value);
            }
            if found.len() == most {
                break;
            }
        }
        found
    }

    /// Returns a number as 64 bits, whether it has a sign or not.
    pub(crate) fn bits_of(&self, number: Term) -> u64 {
        if let Some(small) = number.as_small() {
            return small as u64;
        }
        let range = BigInt::from(1) << 64;
        let bits = self.heap.as_integer(number).map(|number| (number % &range + &range) % &range);
        bits.and_then(|bits| u64::try_from(bits).ok()).unwrap_or(0)
    }

    /// A sum as an array keeps it, in 64 bits.
    pub(crate) fn wrapped_sum(&mut self, a: Term, b: Term, signed: bool) -> Result<Term, Stop> {
        let [a, b] = [a, b].map(|term| self.heap.as_integer(term).ok_or_else(badarg));
        let range = BigInt::from(1) << 64;
        let mut sum = ((a? + b?) % &range + &range) % &range;
        if signed && sum >= BigInt::from(1) << 63 {
            sum -= range;
        }
        Ok(Number::from(sum).into_term(&mut self.heap))
    }
}
