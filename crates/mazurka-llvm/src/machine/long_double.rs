//! `long double`: the 80-bit floats of x86 processors, computed exactly.
//!
//! A number has a sign, an exponent of 15 bits and a significand of 64 bits, whose first bit is
//! written out. Results are rounded to the nearest, ties to even.

use std::cmp::Ordering;

use crate::ir::BinaryOp;

const BIAS: i32 = 16383;
const MAX_EXPONENT: i32 = 0x7FFF;
const INTEGER_BIT: u64 = 1 << 63;
const NAN: Unpacked = Unpacked { negative: true, class: Class::Nan, exponent: 0, significand: 0 };

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Zero,
    Finite,
    Infinite,
    Nan,
}

/// A number: `significand * 2^exponent`, the significand with its first bit set.
#[derive(Clone, Copy, Debug)]
struct Unpacked {
    negative: bool,
    class: Class,
    exponent: i32,
    significand: u64,
}

fn unpack(bits: u128) -> Unpacked {
    let significand = bits as u64;
    let negative = bits >> 79 & 1 != 0;
    let exponent = (bits >> 64) as i32 & MAX_EXPONENT;
    let class = match (exponent, significand) {
        (MAX_EXPONENT, INTEGER_BIT) => Class::Infinite,
        (MAX_EXPONENT, _) => Class::Nan,
        (_, 0) => Class::Zero,
        _ => Class::Finite,
    };
    let shift = if class == Class::Finite { significand.leading_zeros() } else { 0 };
    let exponent = exponent.max(1) - BIAS - 63 - shift as i32;
    Unpacked { negative, class, exponent, significand: significand << shift }
}

fn pack_special(negative: bool, class: Class) -> u128 {
    let sign = u128::from(negative) << 79;
    match class {
        Class::Infinite => sign | (MAX_EXPONENT as u128) << 64 | u128::from(INTEGER_BIT),
        Class::Nan => sign | (MAX_EXPONENT as u128) << 64 | u128::from(INTEGER_BIT | 1 << 62),
        _ => sign,
    }
}

/// Rounds `significand * 2^exponent` to a number; `sticky` says that it is a little more.
fn round(negative: bool, significand: u128, exponent: i32, sticky: bool) -> u128 {
    if significand == 0 {
        return pack_special(negative, Class::Zero);
    }
    // To 128 significant bits, of which the upper 64 stay.
    let shift = significand.leading_zeros();
    let significand = significand << shift;
    let exponent = exponent - shift as i32;
    let mut biased = exponent + 64 + 63 + BIAS;
    let mut keep = significand;
    let mut lost = sticky;
    if biased < 1 {
        // Too small for its first bit to be set.
        let by = (1 - biased) as u32;
        if by >= 128 {
            lost = true;
            keep = 0;
        } else {
            lost |= keep & ((1 << by) - 1) != 0;
            keep >>= by;
        }
        biased = 0;
    }
    let mut result = (keep >> 64) as u64;
    let rest = keep as u64;
    let up = match rest.cmp(&INTEGER_BIT) {
        Ordering::Greater => true,
        Ordering::Equal => lost || result & 1 != 0,
        Ordering::Less => false,
    };
    if up {
        let (next, carried) = result.overflowing_add(1);
        result = next;
        if carried {
            result = INTEGER_BIT;
            biased += 1;
        } else if biased == 0 && result & INTEGER_BIT != 0 {
            biased = 1;
        }
    }
    if biased >= MAX_EXPONENT {
        return pack_special(negative, Class::Infinite);
    }
    u128::from(negative) << 79 | (biased as u128) << 64 | u128::from(result)
}

fn add(a: Unpacked, b: Unpacked) -> u128 {
    use Class::{Infinite, Nan, Zero};
    match (a.class, b.class) {
        (Nan, _) | (_, Nan) => return pack_special(NAN.negative, Nan),
        (Infinite, Infinite) if a.negative != b.negative => return pack_special(true, Nan),
        (Infinite, _) => return pack_special(a.negative, Infinite),
        (_, Infinite) => return pack_special(b.negative, Infinite),
        (Zero, Zero) => return pack_special(a.negative && b.negative, Zero),
        (Zero, _) => return round(b.negative, u128::from(b.significand), b.exponent, false),
        (_, Zero) => return round(a.negative, u128::from(a.significand), a.exponent, false),
        _ => {}
    }
    let (large, small) = match a.exponent.cmp(&b.exponent).then(a.significand.cmp(&b.significand)) {
        Ordering::Less => (b, a),
        _ => (a, b),
    };
    // 62 bits below the last one are enough to round, with a sticky bit below them.
    let by = (large.exponent - small.exponent) as u32;
    let high = u128::from(large.significand) << 62;
    let wide = u128::from(small.significand) << 62;
    let (low, lost) = match by {
        0..=127 => (wide >> by, wide & ((1u128 << by) - 1) != 0),
        _ => (0, true),
    };
    let exponent = large.exponent - 62;
    if large.negative == small.negative {
        return round(large.negative, high + low, exponent, lost);
    }
    match high - low - u128::from(lost) {
        0 if !lost => pack_special(false, Zero),
        difference => round(large.negative, difference, exponent, lost),
    }
}

fn multiply(a: Unpacked, b: Unpacked) -> u128 {
    use Class::{Infinite, Nan, Zero};
    let negative = a.negative != b.negative;
    match (a.class, b.class) {
        (Nan, _) | (_, Nan) | (Infinite, Zero) | (Zero, Infinite) => pack_special(true, Nan),
        (Infinite, _) | (_, Infinite) => pack_special(negative, Infinite),
        (Zero, _) | (_, Zero) => pack_special(negative, Zero),
        _ => {
            let product = u128::from(a.significand) * u128::from(b.significand);
            round(negative, product, a.exponent + b.exponent, false)
        }
    }
}

fn divide(a: Unpacked, b: Unpacked) -> u128 {
    use Class::{Infinite, Nan, Zero};
    let negative = a.negative != b.negative;
    match (a.class, b.class) {
        (Nan, _) | (_, Nan) | (Infinite, Infinite) | (Zero, Zero) => pack_special(true, Nan),
        (Infinite, _) | (_, Zero) => pack_special(negative, Infinite),
        (Zero, _) | (_, Infinite) => pack_special(negative, Zero),
        _ => {
            // 64 bits of the quotient, then 62 more of what is left.
            let divisor = u128::from(b.significand);
            let dividend = u128::from(a.significand) << 64;
            let (quotient, rest) = (dividend / divisor, dividend % divisor);
            let more = rest << 62;
            let quotient = (quotient << 62) | (more / divisor);
            let exponent = a.exponent - b.exponent - 64 - 62;
            round(negative, quotient, exponent, more % divisor != 0)
        }
    }
}

fn remainder(a: Unpacked, b: Unpacked) -> u128 {
    use Class::{Infinite, Nan, Zero};
    match (a.class, b.class) {
        (Nan, _) | (_, Nan) | (Infinite, _) | (_, Zero) => return pack_special(true, Nan),
        (Zero, _) => return pack_special(a.negative, Zero),
        (_, Infinite) => return round(a.negative, u128::from(a.significand), a.exponent, false),
        _ => {}
    }
    let mut rest = u128::from(a.significand);
    let divisor = u128::from(b.significand);
    let mut exponent = a.exponent;
    if exponent < b.exponent {
        let by = (b.exponent - exponent) as u32;
        if by > 63 || rest < divisor << by.min(63) {
            return round(a.negative, rest, exponent, false);
        }
        rest %= divisor << by;
        return round(a.negative, rest, exponent, false);
    }
    rest %= divisor;
    while exponent > b.exponent {
        rest = (rest << 1) % divisor;
        exponent -= 1;
    }
    round(a.negative, rest, exponent, false)
}

/// Arithmetic on numbers, given by their bits.
pub(crate) fn arithmetic(op: BinaryOp, a: u128, b: u128) -> u128 {
    let (a, b) = (unpack(a), unpack(b));
    match op {
        BinaryOp::FAdd => add(a, b),
        BinaryOp::FSub => add(a, Unpacked { negative: !b.negative, ..b }),
        BinaryOp::FMul => multiply(a, b),
        BinaryOp::FDiv => divide(a, b),
        _ => remainder(a, b),
    }
}

/// How two numbers are ordered, if they are.
pub(crate) fn order(a: u128, b: u128) -> Option<Ordering> {
    let (a, b) = (unpack(a), unpack(b));
    let rank = |x: &Unpacked| match x.class {
        Class::Zero => 0,
        Class::Finite => 1,
        _ => 2,
    };
    if a.class == Class::Nan || b.class == Class::Nan {
        return None;
    }
    if a.class == Class::Zero && b.class == Class::Zero {
        return Some(Ordering::Equal);
    }
    let negative = |x: &Unpacked| x.negative && x.class != Class::Zero;
    let positive = |x: &Unpacked| !x.negative && x.class != Class::Zero;
    let sign = |x: &Unpacked| i32::from(positive(x)) - i32::from(negative(x));
    if sign(&a) != sign(&b) {
        return Some(sign(&a).cmp(&sign(&b)));
    }
    let size = rank(&a)
        .cmp(&rank(&b))
        .then(a.exponent.cmp(&b.exponent))
        .then(a.significand.cmp(&b.significand));
    Some(if a.negative { size.reverse() } else { size })
}

/// The number that a `double` is.
pub(crate) fn from_double(value: f64) -> u128 {
    let bits = value.to_bits();
    let negative = bits >> 63 != 0;
    let (exponent, fraction) = ((bits >> 52) as i32 & 0x7FF, bits & ((1 << 52) - 1));
    match exponent {
        0x7FF if fraction == 0 => pack_special(negative, Class::Infinite),
        0x7FF => pack_special(negative, Class::Nan),
        0 => round(negative, u128::from(fraction), -1074, false),
        _ => round(negative, u128::from(fraction | 1 << 52), exponent - 1075, false),
    }
}

/// The nearest number to an integer.
pub(crate) fn from_integer(value: u128, negative: bool) -> u128 {
    round(negative, value, 0, false)
}

/// Rounds to a float with so many significant bits and this least exponent; the significand and
/// the exponent.
fn round_to(number: Unpacked, bits: u32, least: i32) -> (u64, i32) {
    let mut by = 64 - bits as i32;
    if number.exponent + by < least {
        by = least - number.exponent;
    }
    if by > 65 {
        return (0, least);
    }
    let wide = u128::from(number.significand);
    let (kept, rest) = ((wide >> by) as u64, wide & ((1u128 << by) - 1));
    let half = 1u128 << (by - 1);
    let up = rest > half || (rest == half && kept & 1 != 0);
    (kept + u64::from(up), number.exponent + by)
}

/// The nearest `double`.
pub(crate) fn to_double(bits: u128) -> f64 {
    let number = unpack(bits);
    let magnitude = match number.class {
        Class::Zero => 0.0,
        Class::Infinite => f64::INFINITY,
        Class::Nan => return f64::NAN.copysign(if number.negative { -1.0 } else { 1.0 }),
        Class::Finite if number.exponent > 1024 => f64::INFINITY,
        Class::Finite => {
            let (significand, exponent) = round_to(number, 53, -1074);
            scale(significand as f64, exponent)
        }
    };
    if number.negative { -magnitude } else { magnitude }
}

/// `value * 2^exponent`, where that is exact or infinite.
fn scale(value: f64, exponent: i32) -> f64 {
    let power = |exponent: i32| f64::from_bits(((exponent + 1023) as u64) << 52);
    match exponent {
        ..-1000 => value * power(-500) * power(exponent + 500),
        -1000..=900 => value * power(exponent),
        _ => value * power(900) * power((exponent - 900).min(900)),
    }
}

/// The nearest `float`.
pub(crate) fn to_float(bits: u128) -> f32 {
    let number = unpack(bits);
    let magnitude = match number.class {
        Class::Zero => 0.0,
        Class::Infinite => f32::INFINITY,
        Class::Nan => return f32::NAN,
        Class::Finite if number.exponent > 128 => f32::INFINITY,
        Class::Finite => {
            let (significand, exponent) = round_to(number, 24, -149);
            scale(significand as f64, exponent) as f32
        }
    };
    if number.negative { -magnitude } else { magnitude }
}

/// The integer part, as far as it fits.
pub(crate) fn to_integer(bits: u128) -> i128 {
    let number = unpack(bits);
    let magnitude = match number.class {
        Class::Zero | Class::Nan => 0,
        Class::Infinite => i128::MAX,
        Class::Finite if number.exponent > 62 => i128::MAX,
        Class::Finite if number.exponent >= 0 => i128::from(number.significand) << number.exponent,
        Class::Finite if number.exponent > -64 => {
            i128::from(number.significand >> -number.exponent)
        }
        Class::Finite => 0,
    };
    if number.negative { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(op: BinaryOp, a: f64, b: f64) -> f64 {
        to_double(arithmetic(op, from_double(a), from_double(b)))
    }

    #[test]
    fn doubles_come_through_unchanged() {
        for value in [0.0, -0.0, 1.0, -2.5, 1e308, 5e-324, 1e-310, f64::MAX, f64::INFINITY, 0.1] {
            assert_eq!(to_double(from_double(value)).to_bits(), value.to_bits(), "{value}");
        }
        assert!(to_double(from_double(f64::NAN)).is_nan());
    }

    #[test]
    fn what_is_exact_is_as_with_doubles() {
        for (a, b) in [(1.0, 2.0), (-3.5, 0.25), (1e10, -7.0), (1024.0, 1024.0), (0.0, -5.0)] {
            assert_eq!(check(BinaryOp::FAdd, a, b), a + b);
            assert_eq!(check(BinaryOp::FSub, a, b), a - b);
            assert_eq!(check(BinaryOp::FMul, a, b), a * b);
            assert_eq!(check(BinaryOp::FRem, a, b), a % b);
            assert_eq!(order(from_double(a), from_double(b)), a.partial_cmp(&b));
        }
        assert_eq!(check(BinaryOp::FDiv, 1.0, 3.0), 1.0 / 3.0);
        assert_eq!(check(BinaryOp::FDiv, 1.0, 0.0), f64::INFINITY);
        assert_eq!(check(BinaryOp::FRem, 10.5, 3.0), 1.5);
    }

    #[test]
    fn there_are_eleven_more_bits() {
        let one = from_double(1.0);
        let tiny = from_double(2f64.powi(-60));
        let sum = arithmetic(BinaryOp::FAdd, one, tiny);
        assert_ne!(sum, one);
        assert_eq!(arithmetic(BinaryOp::FSub, sum, one), tiny);
        let third = arithmetic(BinaryOp::FDiv, one, from_double(3.0));
        assert_eq!(third, 0x3FFD << 64 | 0xAAAA_AAAA_AAAA_AAAB);
    }

    #[test]
    fn integers_convert_both_ways() {
        for value in [0i128, 1, -1, 12345, i128::from(i64::MAX), i128::from(i64::MIN)] {
            let bits = from_integer(value.unsigned_abs(), value < 0);
            assert_eq!(to_integer(bits), value);
        }
        assert_eq!(to_integer(from_double(-2.75)), -2);
    }
}
