//! Conversions between numbers.

use super::long_double;
use crate::arithmetic::{signed_wide, truncate_wide};
use crate::bytecode::Scalar;
use crate::ir::CastOp;

/// Whether a number takes two slots.
pub(super) fn is_wide(scalar: Scalar) -> bool {
    match scalar {
        Scalar::Int(bits) => bits > 64,
        Scalar::LongDouble => true,
        Scalar::Float | Scalar::Double => false,
    }
}

/// Converts a number, given by its bits.
pub(super) fn convert(op: CastOp, from: Scalar, to: Scalar, value: u128) -> u128 {
    match (op, from, to) {
        (CastOp::SExt, Scalar::Int(from), Scalar::Int(to)) => {
            truncate_wide(signed_wide(value, from) as u128, to)
        }
        (CastOp::FpToSi, from, Scalar::Int(bits)) => to_signed(from, value, bits),
        (CastOp::FpToUi, from, Scalar::Int(bits)) => to_unsigned(from, value, bits),
        (CastOp::SiToFp, Scalar::Int(bits), to) => {
            let number = signed_wide(value, bits);
            match to {
                Scalar::Float => u128::from((number as f32).to_bits()),
                Scalar::Double => u128::from((number as f64).to_bits()),
                _ => long_double::from_integer(number.unsigned_abs(), number < 0),
            }
        }
        (CastOp::UiToFp, _, Scalar::Float) => u128::from((value as f32).to_bits()),
        (CastOp::UiToFp, _, Scalar::Double) => u128::from((value as f64).to_bits()),
        (CastOp::UiToFp, _, Scalar::LongDouble) => long_double::from_integer(value, false),
        (CastOp::FpTrunc | CastOp::FpExt, from, to) => convert_float(from, to, value),
        (_, _, Scalar::Int(bits)) => truncate_wide(value, bits),
        _ => value,
    }
}

/// Returns whether the integer type that a floating-point number is converted to can represent it.
#[inline]
pub(super) fn fits(op: CastOp, from: Scalar, to: Scalar, value: u128) -> bool {
    let Scalar::Int(bits) = to else { return true };
    let number = match (op, from) {
        (CastOp::FpToSi | CastOp::FpToUi, Scalar::Float) => f64::from(f32::from_bits(value as u32)),
        (CastOp::FpToSi | CastOp::FpToUi, Scalar::Double) => f64::from_bits(value as u64),
        _ => return true,
    };
    let number = number.trunc();
    match op {
        CastOp::FpToSi => {
            let end = f64::from(bits - 1).exp2();
            -end <= number && number < end
        }
        _ => 0.0 <= number && number < f64::from(bits).exp2(),
    }
}

fn convert_float(from: Scalar, to: Scalar, value: u128) -> u128 {
    match (from, to) {
        (Scalar::Float, Scalar::Double) => {
            u128::from(f64::from(f32::from_bits(value as u32)).to_bits())
        }
        (Scalar::Double, Scalar::Float) => {
            u128::from((f64::from_bits(value as u64) as f32).to_bits())
        }
        (Scalar::Float, Scalar::LongDouble) => {
            long_double::from_double(f64::from(f32::from_bits(value as u32)))
        }
        (Scalar::Double, Scalar::LongDouble) => {
            long_double::from_double(f64::from_bits(value as u64))
        }
        (Scalar::LongDouble, Scalar::Double) => u128::from(long_double::to_double(value).to_bits()),
        (Scalar::LongDouble, Scalar::Float) => u128::from(long_double::to_float(value).to_bits()),
        _ => value,
    }
}

fn to_signed(from: Scalar, value: u128, bits: u8) -> u128 {
    let number = match from {
        Scalar::Float => f32::from_bits(value as u32) as i128,
        Scalar::Double => f64::from_bits(value as u64) as i128,
        _ => long_double::to_integer(value),
    };
    // What does not fit is what an x86 processor makes of it: the smallest number there is.
    let smallest = -1i128 << (bits.clamp(1, 128) - 1);
    let fits = number >= smallest && number <= !smallest;
    truncate_wide(if fits { number } else { smallest } as u128, bits)
}

fn to_unsigned(from: Scalar, value: u128, bits: u8) -> u128 {
    let number = match from {
        Scalar::Float => f32::from_bits(value as u32) as u128,
        Scalar::Double => f64::from_bits(value as u64) as u128,
        _ => long_double::to_integer(value) as u128,
    };
    truncate_wide(number, bits)
}
