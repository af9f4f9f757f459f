//! Integers of any size, and arithmetic.

use num_bigint::{BigInt, Sign};

use super::{Heap, Kind, Term};

/// A number, out of its heap.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Number {
    Small(i64),
    Big(BigInt),
    Float(f64),
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        match Term::small(value) {
            Some(_) => Number::Small(value),
            None => Number::Big(BigInt::from(value)),
        }
    }
}

impl From<BigInt> for Number {
    fn from(value: BigInt) -> Self {
        match i64::try_from(&value) {
            Ok(small) if Term::small(small).is_some() => Number::Small(small),
            _ => Number::Big(value),
        }
    }
}

impl Number {
    pub(crate) fn into_term(self, heap: &mut Heap) -> Term {
        match self {
            Number::Small(value) => heap.integer_small(value),
            Number::Float(value) => heap.float(value),
            Number::Big(value) => {
                let (sign, digits) = value.to_u64_digits();
                let place = heap.boxed(Kind::Big, digits.len() + 1);
                heap.push_raw(u64::from(sign == Sign::Minus));
                for digit in digits {
                    heap.push_raw(digit);
                }
                heap.term_at(place)
            }
        }
    }

    /// The number as an integer, if it is one.
    pub(crate) fn into_big(self) -> Option<BigInt> {
        match self {
            Number::Small(value) => Some(BigInt::from(value)),
            Number::Big(value) => Some(value),
            Number::Float(_) => None,
        }
    }

    /// The number as a float; `None` if it is too large.
    pub(crate) fn to_float(&self) -> Option<f64> {
        match self {
            Number::Small(value) => Some(*value as f64),
            Number::Float(value) => Some(*value),
            Number::Big(value) => {
                let float = big_to_float(value);
                float.is_finite().then_some(float)
            }
        }
    }
}

/// The nearest float, ties to even; infinite if there is none.
fn big_to_float(value: &BigInt) -> f64 {
    // Its decimal form is parsed exactly.
    value.to_string().parse().unwrap_or(f64::INFINITY)
}

impl Heap {
    fn integer_small(&mut self, value: i64) -> Term {
        match Term::small(value) {
            Some(term) => term,
            None => Number::Big(BigInt::from(value)).into_term(self),
        }
    }

    /// The number that a term is.
    pub(crate) fn as_number(&self, term: Term) -> Option<Number> {
        if let Some(small) = term.as_small() {
            return Some(Number::Small(small));
        }
        let place = term.as_box()?;
        match self.header(place) {
            (Kind::Float, _) => Some(Number::Float(f64::from_bits(self.raw(place + 1)))),
            (Kind::Big, _) => Some(Number::Big(self.big_at(place))),
            _ => None,
        }
    }

    fn big_at(&self, place: usize) -> BigInt {
        let (_, size) = self.header(place);
        let digits: Vec<u32> = (2..=size)
            .flat_map(|i| {
                let digit = self.raw(place + i);
                [digit as u32, (digit >> 32) as u32]
            })
            .collect();
        let sign = if self.raw(place + 1) == 1 { Sign::Minus } else { Sign::Plus };
        BigInt::from_slice(sign, &digits)
    }

    /// The integer that a term is.
    pub(crate) fn as_integer(&self, term: Term) -> Option<BigInt> {
        self.as_number(term)?.into_big()
    }

    #[inline]
    pub(crate) fn is_integer(&self, term: Term) -> bool {
        term.as_small().is_some() || self.is_kind(term, Kind::Big)
    }
}
