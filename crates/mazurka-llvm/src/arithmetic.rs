//! Arithmetic on what is in registers.

use crate::ir::{AtomicOp, BinaryOp, Predicate};

/// Why there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Undefined {
    DivisionByZero,
    Overflow,
}

impl Undefined {
    pub(crate) fn message(self) -> &'static str {
        match self {
            Undefined::DivisionByZero => "division by zero",
            Undefined::Overflow => {
                "signed integer overflow: the quotient of a division does not fit"
            }
        }
    }
}

/// The lowest `bits` of a number.
#[inline]
pub(crate) fn truncate(value: u64, bits: u8) -> u64 {
    match bits {
        64.. => value,
        0 => 0,
        bits => value & (u64::MAX >> (64 - bits)),
    }
}

/// A number of so many bits with its sign.
#[inline]
pub(crate) fn signed(value: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits.clamp(1, 64));
    (value << shift) as i64 >> shift
}

/// Arithmetic on integers of up to 64 bits.
#[inline]
pub(crate) fn integer(op: BinaryOp, bits: u8, a: u64, b: u64) -> Result<u64, Undefined> {
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b).ok_or(Undefined::DivisionByZero)?,
        BinaryOp::URem => a.checked_rem(b).ok_or(Undefined::DivisionByZero)?,
        BinaryOp::SDiv | BinaryOp::SRem if sb == 0 => return Err(Undefined::DivisionByZero),
        BinaryOp::SDiv | BinaryOp::SRem if sb == -1 && a == 1 << (bits.clamp(1, 64) - 1) => {
            return Err(Undefined::Overflow);
        }
        BinaryOp::SDiv => (sa / sb) as u64,
        BinaryOp::SRem => (sa % sb) as u64,
        // A shift by too much gives no defined result: what an x86 processor gives is as good as
        // any.
        BinaryOp::Shl => a.wrapping_shl(shift(b, bits)),
        BinaryOp::LShr => a.wrapping_shr(shift(b, bits)),
        BinaryOp::AShr => sa.wrapping_shr(shift(b, bits)) as u64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        _ => unreachable!("floats are not integers"),
    };
    Ok(truncate(result, bits))
}

/// Returns the result of an addition, subtraction or multiplication of signed integers of up to 64 bits, and
/// whether it fits.
#[inline]
pub(crate) fn signed_result(op: BinaryOp, bits: u8, a: u64, b: u64) -> (u64, bool) {
    let (a, b) = (signed(a, bits), signed(b, bits));
    let (result, overflows) = match op {
        BinaryOp::Add => a.overflowing_add(b),
        BinaryOp::Sub => a.overflowing_sub(b),
        _ => a.overflowing_mul(b),
    };
    let kept = truncate(result as u64, bits);
    (kept, !overflows && signed(kept, bits) == result)
}

fn shift(by: u64, bits: u8) -> u32 {
    (by & if bits > 32 { 63 } else { 31 }) as u32
}

/// The lowest `bits` of a wide number.
pub(crate) fn truncate_wide(value: u128, bits: u8) -> u128 {
    match bits {
        128.. => value,
        0 => 0,
        bits => value & (u128::MAX >> (128 - bits)),
    }
}

/// A wide number of so many bits with its sign.
pub(crate) fn signed_wide(value: u128, bits: u8) -> i128 {
    let shift = 128 - u32::from(bits.clamp(1, 128));
    (value << shift) as i128 >> shift
}

/// Arithmetic on integers of up to 128 bits.
pub(crate) fn wide(op: BinaryOp, bits: u8, a: u128, b: u128) -> Result<u128, Undefined> {
    let (sa, sb) = (signed_wide(a, bits), signed_wide(b, bits));
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b).ok_or(Undefined::DivisionByZero)?,
        BinaryOp::URem => a.checked_rem(b).ok_or(Undefined::DivisionByZero)?,
        BinaryOp::SDiv | BinaryOp::SRem if sb == 0 => return Err(Undefined::DivisionByZero),
        BinaryOp::SDiv => sa.checked_div(sb).ok_or(Undefined::Overflow)? as u128,
        BinaryOp::SRem => sa.checked_rem(sb).ok_or(Undefined::Overflow)? as u128,
        BinaryOp::Shl => a.wrapping_shl(b as u32),
        BinaryOp::LShr => a.wrapping_shr(b as u32),
        BinaryOp::AShr => sa.wrapping_shr(b as u32) as u128,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        _ => unreachable!("floats are not integers"),
    };
    Ok(truncate_wide(result, bits))
}

/// Compares integers of up to 64 bits.
#[inline]
pub(crate) fn compare(predicate: Predicate, bits: u8, a: u64, b: u64) -> bool {
    holds(predicate, (a, b), (signed(a, bits), signed(b, bits)))
}

/// Compares integers of up to 128 bits.
pub(crate) fn compare_wide(predicate: Predicate, bits: u8, a: u128, b: u128) -> bool {
    holds(predicate, (a, b), (signed_wide(a, bits), signed_wide(b, bits)))
}

/// Compares two integers, which are given without a sign and with one.
#[inline]
fn holds<U: Ord, S: Ord>(predicate: Predicate, (a, b): (U, U), (sa, sb): (S, S)) -> bool {
    match predicate {
        Predicate::Eq => a == b,
        Predicate::Ne => a != b,
        Predicate::Ugt => a > b,
        Predicate::Uge => a >= b,
        Predicate::Ult => a < b,
        Predicate::Ule => a <= b,
        Predicate::Sgt => sa > sb,
        Predicate::Sge => sa >= sb,
        Predicate::Slt => sa < sb,
        Predicate::Sle => sa <= sb,
        _ => false,
    }
}

/// Compares floats, given how they are ordered, if they are.
pub(crate) fn compare_floats(predicate: Predicate, order: Option<std::cmp::Ordering>) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match predicate {
        Predicate::FFalse => false,
        Predicate::FOeq => order == Some(Equal),
        Predicate::FOgt => order == Some(Greater),
        Predicate::FOge => matches!(order, Some(Greater | Equal)),
        Predicate::FOlt => order == Some(Less),
        Predicate::FOle => matches!(order, Some(Less | Equal)),
        Predicate::FOne => matches!(order, Some(Less | Greater)),
        Predicate::FOrd => order.is_some(),
        Predicate::FUno => order.is_none(),
        Predicate::FUeq => !matches!(order, Some(Less | Greater)),
        Predicate::FUgt => !matches!(order, Some(Less | Equal)),
        Predicate::FUge => order != Some(Less),
        Predicate::FUlt => !matches!(order, Some(Greater | Equal)),
        Predicate::FUle => order != Some(Greater),
        Predicate::FUne => order != Some(Equal),
        _ => true,
    }
}

/// What a read-modify-write puts in place of `old`.
pub(crate) fn modify(op: AtomicOp, bits: u8, old: u64, value: u64) -> u64 {
    let (a, b) = (signed(old, bits), signed(value, bits));
    let result = match op {
        AtomicOp::Exchange => value,
        AtomicOp::Add => old.wrapping_add(value),
        AtomicOp::Sub => old.wrapping_sub(value),
        AtomicOp::ReverseSub => value.wrapping_sub(old),
        AtomicOp::And => old & value,
        AtomicOp::Nand => !(old & value),
        AtomicOp::Or => old | value,
        AtomicOp::Xor => old ^ value,
        AtomicOp::Max => a.max(b) as u64,
        AtomicOp::Min => a.min(b) as u64,
        AtomicOp::UMax => old.max(value),
        AtomicOp::UMin => old.min(value),
        AtomicOp::FAdd | AtomicOp::FSub if bits == 32 => {
            let (a, b) = (f32::from_bits(old as u32), f32::from_bits(value as u32));
            u64::from(if op == AtomicOp::FAdd { a + b } else { a - b }.to_bits())
        }
        AtomicOp::FAdd => (f64::from_bits(old) + f64::from_bits(value)).to_bits(),
        AtomicOp::FSub => (f64::from_bits(old) - f64::from_bits(value)).to_bits(),
    };
    truncate(result, bits)
}
