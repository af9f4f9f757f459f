//! Arithmetic, comparison and logic.

use num_bigint::BigInt;

use crate::term::{Number, Term, compare, equal, equal_exact, float_to_big};
use crate::vm::natives::Entry;
use crate::vm::{Out, Stop, Vm, badarg, badarith, error};

pub(super) const ERLANG: &[Entry] = &[
    ("+", 2, |vm, a| vm.add(a[0], a[1])),
    ("-", 2, |vm, a| vm.subtract(a[0], a[1])),
    ("*", 2, |vm, a| vm.arithmetic(a[0], a[1], i64::checked_mul, |a, b| a * b, |a, b| a * b)),
    ("/", 2, divide),
    ("div", 2, |vm, a| vm.divide_integers(a[0], a[1], |a, b| a / b, |a, b| a / b)),
    ("rem", 2, |vm, a| vm.divide_integers(a[0], a[1], |a, b| a % b, |a, b| a % b)),
    ("band", 2, |vm, a| vm.bitwise(a[0], a[1], |a, b| a & b, |a, b| a & b)),
    ("bor", 2, |vm, a| vm.bitwise(a[0], a[1], |a, b| a | b, |a, b| a | b)),
    ("bxor", 2, |vm, a| vm.bitwise(a[0], a[1], |a, b| a ^ b, |a, b| a ^ b)),
    ("bsl", 2, |vm, a| shift(vm, a[0], a[1], false)),
    ("bsr", 2, |vm, a| shift(vm, a[0], a[1], true)),
    ("bnot", 1, |vm, a| match vm.heap.as_integer(a[0]) {
        Some(value) => Ok(Number::from(-value - BigInt::from(1)).into_term(&mut vm.heap)),
        None => Err(badarith()),
    }),
    ("+", 1, |vm, a| vm.heap.as_number(a[0]).map(|_| a[0]).ok_or_else(badarith)),
    ("-", 1, |vm, a| match vm.heap.as_number(a[0]) {
        Some(Number::Float(value)) => Ok(vm.heap.float(-value)),
        Some(_) => vm.subtract(Term::int(0), a[0]),
        None => Err(badarith()),
    }),
    ("abs", 1, |vm, a| match vm.heap.as_number(a[0]) {
        Some(Number::Float(value)) => Ok(vm.heap.float(value.abs())),
        Some(_) if compare(&vm.heap, &vm.atoms, a[0], Term::int(0)).is_lt() => {
            vm.subtract(Term::int(0), a[0])
        }
        Some(_) => Ok(a[0]),
        None => Err(badarg()),
    }),
    ("float", 1, |vm, a| {
        let value = vm.heap.as_number(a[0]).ok_or_else(badarg)?.to_float().ok_or_else(badarg)?;
        Ok(vm.heap.float(value))
    }),
    ("trunc", 1, |vm, a| to_integer(vm, a[0], f64::trunc)),
    ("round", 1, |vm, a| to_integer(vm, a[0], f64::round)),
    ("floor", 1, |vm, a| to_integer(vm, a[0], f64::floor)),
    ("ceil", 1, |vm, a| to_integer(vm, a[0], f64::ceil)),
    ("==", 2, |vm, a| Ok(Term::bool(equal(&vm.heap, &vm.atoms, a[0], a[1])))),
    ("/=", 2, |vm, a| Ok(Term::bool(!equal(&vm.heap, &vm.atoms, a[0], a[1])))),
    ("=:=", 2, |vm, a| Ok(Term::bool(equal_exact(&vm.heap, a[0], a[1])))),
    ("=/=", 2, |vm, a| Ok(Term::bool(!equal_exact(&vm.heap, a[0], a[1])))),
    ("<", 2, |vm, a| Ok(Term::bool(compare(&vm.heap, &vm.atoms, a[0], a[1]).is_lt()))),
    (">", 2, |vm, a| Ok(Term::bool(compare(&vm.heap, &vm.atoms, a[0], a[1]).is_gt()))),
    ("=<", 2, |vm, a| Ok(Term::bool(compare(&vm.heap, &vm.atoms, a[0], a[1]).is_le()))),
    (">=", 2, |vm, a| Ok(Term::bool(compare(&vm.heap, &vm.atoms, a[0], a[1]).is_ge()))),
    ("min", 2, |vm, a| {
        Ok(if compare(&vm.heap, &vm.atoms, a[0], a[1]).is_le() { a[0] } else { a[1] })
    }),
    ("max", 2, |vm, a| {
        Ok(if compare(&vm.heap, &vm.atoms, a[0], a[1]).is_ge() { a[0] } else { a[1] })
    }),
    ("and", 2, |_, a| logic(a, |a, b| a && b)),
    ("or", 2, |_, a| logic(a, |a, b| a || b)),
    ("xor", 2, |_, a| logic(a, |a, b| a != b)),
    ("not", 1, |_, a| a[0].as_bool().map(|value| Term::bool(!value)).ok_or_else(badarg)),
];

fn logic(arguments: &[Term], f: fn(bool, bool) -> bool) -> Out {
    match (arguments[0].as_bool(), arguments[1].as_bool()) {
        (Some(a), Some(b)) => Ok(Term::bool(f(a, b))),
        _ => Err(badarg()),
    }
}

fn divide(vm: &mut Vm, arguments: &[Term]) -> Out {
    let [a, b] = [0, 1].map(|i| vm.heap.as_number(arguments[i]).and_then(|n| n.to_float()));
    match (a, b) {
        (Some(a), Some(b)) if b != 0.0 && (a / b).is_finite() => Ok(vm.heap.float(a / b)),
        _ => Err(badarith()),
    }
}

fn shift(vm: &mut Vm, value: Term, by: Term, right: bool) -> Out {
    let value = vm.heap.as_integer(value).ok_or_else(badarith)?;
    let by = vm.heap.as_integer(by).ok_or_else(badarith)?;
    let by = i64::try_from(by).map_err(|_| system_limit(vm))?;
    let by = if right { -by } else { by };
    let result = match by {
        0..=10_000_000 => value << by,
        ..0 => value >> (-by).min(i64::from(u32::MAX)),
        _ => return Err(system_limit(vm)),
    };
    Ok(Number::from(result).into_term(&mut vm.heap))
}

fn system_limit(_: &mut Vm) -> Stop {
    error(Term::atom(crate::term::atom::SYSTEM_LIMIT))
}

fn to_integer(vm: &mut Vm, term: Term, f: fn(f64) -> f64) -> Out {
    match vm.heap.as_number(term) {
        Some(Number::Float(value)) => {
            Ok(Number::from(float_to_big(f(value))).into_term(&mut vm.heap))
        }
        Some(_) => Ok(term),
        None => Err(badarg()),
    }
}

impl Vm {
    pub(crate) fn add(&mut self, a: Term, b: Term) -> Out {
        self.arithmetic(a, b, i64::checked_add, |a, b| a + b, |a, b| a + b)
    }

    pub(crate) fn subtract(&mut self, a: Term, b: Term) -> Out {
        self.arithmetic(a, b, i64::checked_sub, |a, b| a - b, |a, b| a - b)
    }

    fn arithmetic(
        &mut self,
        a: Term,
        b: Term,
        small: fn(i64, i64) -> Option<i64>,
        big: fn(BigInt, BigInt) -> BigInt,
        float: fn(f64, f64) -> f64,
    ) -> Out {
        let (Some(x), Some(y)) = (self.heap.as_number(a), self.heap.as_number(b)) else {
            return Err(badarith());
        };
        if let (Number::Small(x), Number::Small(y)) = (&x, &y)
            && let Some(result) = small(*x, *y)
        {
            return Ok(self.heap.integer(result));
        }
        if matches!(x, Number::Float(_)) || matches!(y, Number::Float(_)) {
            let (Some(x), Some(y)) = (x.to_float(), y.to_float()) else { return Err(badarith()) };
            let result = float(x, y);
            return match result.is_finite() {
                true => Ok(self.heap.float(result)),
                false => Err(badarith()),
            };
        }
        match (x.into_big(), y.into_big()) {
            (Some(x), Some(y)) => Ok(Number::from(big(x, y)).into_term(&mut self.heap)),
            _ => Err(badarith()),
        }
    }

    fn divide_integers(
        &mut self,
        a: Term,
        b: Term,
        small: fn(i64, i64) -> i64,
        big: fn(BigInt, BigInt) -> BigInt,
    ) -> Out {
        if let (Some(a), Some(b)) = (a.as_small(), b.as_small()) {
            return match b {
                0 => Err(badarith()),
                b => Ok(self.heap.integer(small(a, b))),
            };
        }
        match (self.heap.as_integer(a), self.heap.as_integer(b)) {
            (Some(a), Some(b)) if b != BigInt::from(0) => {
                Ok(Number::from(big(a, b)).into_term(&mut self.heap))
            }
            _ => Err(badarith()),
        }
    }

    fn bitwise(
        &mut self,
        a: Term,
        b: Term,
        small: fn(i64, i64) -> i64,
        big: fn(BigInt, BigInt) -> BigInt,
    ) -> Out {
        if let (Some(a), Some(b)) = (a.as_small(), b.as_small()) {
            return Ok(self.heap.integer(small(a, b)));
        }
        match (self.heap.as_integer(a), self.heap.as_integer(b)) {
            (Some(a), Some(b)) => Ok(Number::from(big(a, b)).into_term(&mut self.heap)),
            _ => Err(badarith()),
        }
    }
}
