//! `<math.h>`, for `double` and `float`.

use crate::machine::{Call, Run, Stop, from_double, to_double};

/// A function of one number, for both types.
macro_rules! unary {
    ($double:expr) => {
        |call: &mut Call<'_>| {
            let function: fn(f64) -> f64 = $double;
            call.give_double(function(call.double(0)));
            Ok(())
        }
    };
    (float $float:expr) => {
        |call: &mut Call<'_>| {
            let function: fn(f32) -> f32 = $float;
            let result = function(call.double(0) as f32);
            call.give(u64::from(result.to_bits()));
            Ok(())
        }
    };
}

/// A function of two numbers.
macro_rules! binary {
    ($double:expr) => {
        |call: &mut Call<'_>| {
            let function: fn(f64, f64) -> f64 = $double;
            call.give_double(function(call.double(0), call.double(1)));
            Ok(())
        }
    };
    (float $float:expr) => {
        |call: &mut Call<'_>| {
            let function: fn(f32, f32) -> f32 = $float;
            let result = function(call.double(0) as f32, call.double(1) as f32);
            call.give(u64::from(result.to_bits()));
            Ok(())
        }
    };
}

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("sqrt", unary!(f64::sqrt)),
    ("sqrtf", unary!(float f32::sqrt)),
    ("cbrt", unary!(f64::cbrt)),
    ("cbrtf", unary!(float f32::cbrt)),
    ("fabs", unary!(f64::abs)),
    ("fabsf", unary!(float f32::abs)),
    ("fabsl", |call| {
        call.give_pair(call.slot(0, 0), call.slot(0, 1) & 0x7FFF);
        Ok(())
    }),
    // With the precision of `double`.
    ("logl", |call| {
        let argument = u128::from(call.slot(0, 0)) | u128::from(call.slot(0, 1)) << 64;
        let result = from_double(to_double(argument).ln());
        call.give_pair(result as u64, (result >> 64) as u64);
        Ok(())
    }),
    ("floor", unary!(f64::floor)),
    ("floorf", unary!(float f32::floor)),
    ("ceil", unary!(f64::ceil)),
    ("ceilf", unary!(float f32::ceil)),
    ("trunc", unary!(f64::trunc)),
    ("truncf", unary!(float f32::trunc)),
    ("round", unary!(f64::round)),
    ("roundf", unary!(float f32::round)),
    ("rint", unary!(f64::round_ties_even)),
    ("rintf", unary!(float f32::round_ties_even)),
    ("nearbyint", unary!(f64::round_ties_even)),
    ("nearbyintf", unary!(float f32::round_ties_even)),
    ("exp", unary!(f64::exp)),
    ("expf", unary!(float f32::exp)),
    ("exp2", unary!(f64::exp2)),
    ("exp2f", unary!(float f32::exp2)),
    ("expm1", unary!(f64::exp_m1)),
    ("log", unary!(f64::ln)),
    ("logf", unary!(float f32::ln)),
    ("log2", unary!(f64::log2)),
    ("log2f", unary!(float f32::log2)),
    ("log10", unary!(f64::log10)),
    ("log10f", unary!(float f32::log10)),
    ("log1p", unary!(f64::ln_1p)),
    ("sin", unary!(f64::sin)),
    ("sinf", unary!(float f32::sin)),
    ("cos", unary!(f64::cos)),
    ("cosf", unary!(float f32::cos)),
    ("tan", unary!(f64::tan)),
    ("tanf", unary!(float f32::tan)),
    ("asin", unary!(f64::asin)),
    ("asinf", unary!(float f32::asin)),
    ("acos", unary!(f64::acos)),
    ("acosf", unary!(float f32::acos)),
    ("atan", unary!(f64::atan)),
    ("atanf", unary!(float f32::atan)),
    ("sinh", unary!(f64::sinh)),
    ("cosh", unary!(f64::cosh)),
    ("tanh", unary!(f64::tanh)),
    ("asinh", unary!(f64::asinh)),
    ("acosh", unary!(f64::acosh)),
    ("atanh", unary!(f64::atanh)),
    ("pow", binary!(f64::powf)),
    ("powf", binary!(float f32::powf)),
    ("atan2", binary!(f64::atan2)),
    ("atan2f", binary!(float f32::atan2)),
    ("hypot", binary!(f64::hypot)),
    ("hypotf", binary!(float f32::hypot)),
    ("fmod", binary!(|a, b| a % b)),
    ("fmodf", binary!(float | a, b | a % b)),
    ("fmin", binary!(f64::min)),
    ("fminf", binary!(float f32::min)),
    ("fmax", binary!(f64::max)),
    ("fmaxf", binary!(float f32::max)),
    ("fdim", binary!(|a, b| if a.is_nan() || b.is_nan() { f64::NAN } else { (a - b).max(0.0) })),
    ("copysign", binary!(f64::copysign)),
    ("copysignf", binary!(float f32::copysign)),
    ("fma", |call| {
        call.give_double(call.double(0).mul_add(call.double(1), call.double(2)));
        Ok(())
    }),
    ("fmaf", |call| {
        let result = (call.double(0) as f32).mul_add(call.double(1) as f32, call.double(2) as f32);
        call.give(u64::from(result.to_bits()));
        Ok(())
    }),
    ("ldexp", |call| {
        call.give_double(scale(call.double(0), call.signed(1)));
        Ok(())
    }),
    ("scalbn", |call| {
        call.give_double(scale(call.double(0), call.signed(1)));
        Ok(())
    }),
    ("frexp", frexp),
    ("modf", modf),
    ("lround", |call| whole(call, f64::round)),
    ("llround", |call| whole(call, f64::round)),
    ("lroundf", |call| whole(call, f64::round)),
    ("lrint", |call| whole(call, f64::round_ties_even)),
    ("llrint", |call| whole(call, f64::round_ties_even)),
    ("lrintf", |call| whole(call, f64::round_ties_even)),
    ("__isnan", |call| {
        call.give_int(i32::from(call.double(0).is_nan()));
        Ok(())
    }),
    ("__isinf", |call| {
        let number = call.double(0);
        call.give_int(if number.is_infinite() { number.signum() as i32 } else { 0 });
        Ok(())
    }),
    ("__finite", |call| {
        call.give_int(i32::from(call.double(0).is_finite()));
        Ok(())
    }),
    ("__signbit", |call| {
        call.give_int(i32::from(call.double(0).is_sign_negative()));
        Ok(())
    }),
    ("__fpclassify", |call| {
        use std::num::FpCategory;
        call.give_int(match call.double(0).classify() {
            FpCategory::Nan => 0,
            FpCategory::Infinite => 1,
            FpCategory::Zero => 2,
            FpCategory::Subnormal => 3,
            FpCategory::Normal => 4,
        });
        Ok(())
    }),
];

/// `number * 2^by`.
pub(super) fn scale(number: f64, by: i32) -> f64 {
    let mut number = number;
    let mut by = by.clamp(-2200, 2200);
    // In steps that do not leave the range of normal numbers before the last one.
    while by > 1000 {
        number *= 2f64.powi(1000);
        by -= 1000;
    }
    while by < -960 {
        number *= 2f64.powi(-960);
        by += 960;
    }
    number * 2f64.powi(by)
}

fn frexp(call: &mut Call<'_>) -> Result<(), Stop> {
    let (fraction, exponent) = fraction_and_exponent(call.double(0));
    call.write(call.pointer(1), 4, u64::from(exponent as u32))?;
    call.give_double(fraction);
    Ok(())
}

/// A number as a fraction from a half to one, and by which power of two that is to be multiplied.
pub(super) fn fraction_and_exponent(number: f64) -> (f64, i32) {
    let (mut fraction, mut exponent) = (number, 0);
    if number != 0.0 && number.is_finite() {
        if number.is_subnormal() {
            fraction *= 2f64.powi(60);
            exponent -= 60;
        }
        let bits = fraction.to_bits();
        exponent += (bits >> 52 & 0x7FF) as i32 - 1022;
        fraction = f64::from_bits(bits & !(0x7FF << 52) | 1022 << 52);
    }
    (fraction, exponent)
}

fn modf(call: &mut Call<'_>) -> Result<(), Stop> {
    let number = call.double(0);
    call.write(call.pointer(1), 8, number.trunc().to_bits())?;
    call.give_double(fraction(number));
    Ok(())
}

/// What a number has behind the point.
pub(super) fn fraction(number: f64) -> f64 {
    let fraction = if number.is_infinite() { 0.0 } else { number - number.trunc() };
    fraction.copysign(number)
}

fn whole(call: &mut Call<'_>, round: fn(f64) -> f64) -> Result<(), Stop> {
    call.give(round(call.double(0)) as i64 as u64);
    Ok(())
}
