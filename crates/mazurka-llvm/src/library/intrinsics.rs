//! `llvm.…`: what the compiler asks for by name.
//!
//! Their names end in the types that they are about (`llvm.ctpop.i32`), which the call knows as
//! well, so they are looked up without.

use mazurka_core::verdict::ViolationKind;

use super::math;
use crate::arithmetic::{signed_wide, truncate_wide};
use crate::bytecode::ArgumentKind;
use crate::machine::{Call, Run, Stop};

/// The intrinsic of this name.
pub(super) fn find(name: &str) -> Option<(&'static str, Run)> {
    let name = name.strip_prefix("llvm.")?;
    let matches = |known: &str| {
        name.strip_prefix(known).is_some_and(|types| types.is_empty() || types.starts_with('.'))
    };
    let found = INTRINSICS.iter().filter(|(known, _)| matches(known));
    found.max_by_key(|(known, _)| known.len()).copied()
}

const INTRINSICS: &[(&str, Run)] = &[
    // About bits.
    ("ctpop", |call| integer(call, |x, _, _| u128::from(x.count_ones()))),
    ("ctlz", |call| {
        check_not_zero(call)?;
        integer(call, |x, _, bits| u128::from(x.leading_zeros()) + u128::from(bits) - 128)
    }),
    ("cttz", |call| {
        check_not_zero(call)?;
        integer(call, |x, _, bits| u128::from(x.trailing_zeros().min(bits.into())))
    }),
    ("bswap", |call| integer(call, |x, _, bits| x.swap_bytes() >> (128 - bits))),
    ("bitreverse", |call| integer(call, |x, _, bits| x.reverse_bits() >> (128 - bits))),
    ("fshl", |call| funnel(call, true)),
    ("fshr", |call| funnel(call, false)),
    ("ptrmask", |call| give(call, call.pointer(0) & call.int(1))),
    // Comparisons in three ways.
    ("ucmp", |call| {
        let order = wide(call, 0).cmp(&wide(call, 1));
        give(call, order as i64 as u64)
    }),
    ("scmp", |call| {
        let bits = width(call)?;
        let order = signed(wide(call, 0), bits).cmp(&signed(wide(call, 1), bits));
        give(call, order as i64 as u64)
    }),
    // Arithmetic on integers.
    ("umin", |call| integer(call, |x, y, _| x.min(y))),
    ("umax", |call| integer(call, |x, y, _| x.max(y))),
    ("smin", |call| integer(call, |x, y, bits| signed(x, bits).min(signed(y, bits)) as u128)),
    ("smax", |call| integer(call, |x, y, bits| signed(x, bits).max(signed(y, bits)) as u128)),
    ("abs", |call| integer(call, |x, _, bits| signed(x, bits).wrapping_abs() as u128)),
    ("uadd.sat", |call| {
        integer(call, |x, y, bits| x.saturating_add(y).min(truncate_wide(u128::MAX, bits)))
    }),
    ("usub.sat", |call| integer(call, |x, y, _| x.saturating_sub(y))),
    ("sadd.sat", |call| {
        integer(call, |x, y, bits| clamp(signed(x, bits).saturating_add(signed(y, bits)), bits))
    }),
    ("ssub.sat", |call| {
        integer(call, |x, y, bits| clamp(signed(x, bits).saturating_sub(signed(y, bits)), bits))
    }),
    ("ushl.sat", |call| {
        integer(call, |x, y, bits| {
            let shifted = x << y;
            let all = truncate_wide(u128::MAX, bits);
            if shifted >> y == x { shifted.min(all) } else { all }
        })
    }),
    ("sshl.sat", |call| {
        integer(call, |x, y, bits| {
            let x = signed(x, bits);
            let shifted = x << y;
            match shifted >> y == x {
                true => clamp(shifted, bits),
                false => clamp(if x < 0 { i128::MIN } else { i128::MAX }, bits),
            }
        })
    }),
    ("uadd.with.overflow", |call| {
        checked(call, false, u128::overflowing_add, i128::overflowing_add)
    }),
    ("sadd.with.overflow", |call| {
        checked(call, true, u128::overflowing_add, i128::overflowing_add)
    }),
    ("usub.with.overflow", |call| {
        checked(call, false, u128::overflowing_sub, i128::overflowing_sub)
    }),
    ("ssub.with.overflow", |call| {
        checked(call, true, u128::overflowing_sub, i128::overflowing_sub)
    }),
    ("umul.with.overflow", |call| {
        checked(call, false, u128::overflowing_mul, i128::overflowing_mul)
    }),
    ("smul.with.overflow", |call| {
        checked(call, true, u128::overflowing_mul, i128::overflowing_mul)
    }),
    // Arithmetic on floats.
    ("fabs", fabs),
    ("copysign", |call| float2(call, f32::copysign, f64::copysign)),
    ("sqrt", |call| float1(call, f32::sqrt, f64::sqrt)),
    ("floor", |call| float1(call, f32::floor, f64::floor)),
    ("ceil", |call| float1(call, f32::ceil, f64::ceil)),
    ("trunc", |call| float1(call, f32::trunc, f64::trunc)),
    ("round", |call| float1(call, f32::round, f64::round)),
    ("roundeven", |call| float1(call, f32::round_ties_even, f64::round_ties_even)),
    ("rint", |call| float1(call, f32::round_ties_even, f64::round_ties_even)),
    ("nearbyint", |call| float1(call, f32::round_ties_even, f64::round_ties_even)),
    ("canonicalize", |call| float1(call, |x| x, |x| x)),
    ("sin", |call| float1(call, f32::sin, f64::sin)),
    ("cos", |call| float1(call, f32::cos, f64::cos)),
    ("exp", |call| float1(call, f32::exp, f64::exp)),
    ("exp2", |call| float1(call, f32::exp2, f64::exp2)),
    ("log", |call| float1(call, f32::ln, f64::ln)),
    ("log2", |call| float1(call, f32::log2, f64::log2)),
    ("log10", |call| float1(call, f32::log10, f64::log10)),
    ("pow", |call| float2(call, f32::powf, f64::powf)),
    ("tan", |call| float1(call, f32::tan, f64::tan)),
    ("asin", |call| float1(call, f32::asin, f64::asin)),
    ("acos", |call| float1(call, f32::acos, f64::acos)),
    ("atan", |call| float1(call, f32::atan, f64::atan)),
    ("atan2", |call| float2(call, f32::atan2, f64::atan2)),
    ("sinh", |call| float1(call, f32::sinh, f64::sinh)),
    ("cosh", |call| float1(call, f32::cosh, f64::cosh)),
    ("tanh", |call| float1(call, f32::tanh, f64::tanh)),
    ("modf", |call| float_pair(call, math::fraction, f64::trunc)),
    ("sincos", |call| float_pair(call, f64::sin, f64::cos)),
    ("frexp", |call| {
        check_float(call)?;
        let (fraction, exponent) = math::fraction_and_exponent(call.double(0));
        call.give_pair(float_bits(call, fraction), u64::from(exponent as u32));
        Ok(())
    }),
    ("ldexp", |call| {
        check_float(call)?;
        give(call, float_bits(call, math::scale(call.double(0), call.signed(1))))
    }),
    ("is.fpclass", |call| give(call, u64::from(call.int(1) & class_of(call)? != 0))),
    ("minnum", |call| float2(call, f32::min, f64::min)),
    ("maxnum", |call| float2(call, f32::max, f64::max)),
    ("powi", |call| {
        let by = call.signed(1);
        match call.kind(0) {
            ArgumentKind::Float => give_float(call, (call.double(0) as f32).powi(by)),
            _ => call.give_double(call.double(0).powi(by)),
        }
        Ok(())
    }),
    ("fma", fma),
    ("fmuladd", |call| {
        // Rounded twice, as processors without a fused operation do it.
        match call.kind(0) {
            ArgumentKind::Float => {
                let (a, b, c) =
                    (call.double(0) as f32, call.double(1) as f32, call.double(2) as f32);
                give_float(call, a * b + c);
            }
            _ => call.give_double(call.double(0) * call.double(1) + call.double(2)),
        }
        Ok(())
    }),
    ("lround", |call| whole(call, f64::round)),
    ("llround", |call| whole(call, f64::round)),
    ("lrint", |call| whole(call, f64::round_ties_even)),
    ("llrint", |call| whole(call, f64::round_ties_even)),
    ("flt.rounds", |call| give(call, 1)),
    ("get.rounding", |call| give(call, 1)),
    // Hints.
    ("expect", same),
    ("expect.with.probability", same),
    ("launder.invariant.group", same),
    ("strip.invariant.group", same),
    ("ptr.annotation", same),
    ("annotation", same),
    ("threadlocal.address", same),
    ("ssa.copy", same),
    ("is.constant", |call| give(call, 0)),
    ("assume", nothing),
    ("lifetime.start", nothing),
    ("lifetime.end", nothing),
    ("invariant.start", nothing),
    ("invariant.end", nothing),
    ("experimental.noalias.scope.decl", nothing),
    ("var.annotation", nothing),
    ("dbg", nothing),
    ("donothing", nothing),
    ("sideeffect", nothing),
    ("pseudoprobe", nothing),
    ("prefetch", nothing),
    ("x86.sse2.pause", nothing),
    ("aarch64.hint", nothing),
    ("codeview.annotation", nothing),
    // The size of an object that the compiler does not know: as large, or as small, as can be.
    ("objectsize", |call| give(call, if call.int(1) & 1 == 1 { 0 } else { u64::MAX })),
    // What was allocated on the stack since then is gone when the function returns.
    ("stacksave", |call| give(call, 0)),
    ("stackrestore", nothing),
    ("frameaddress", |call| give(call, 0)),
    ("returnaddress", |call| give(call, 0)),
    ("va_end", nothing),
    ("va_copy", |call| {
        let list = super::strings::bytes(call, call.pointer(1), 24)?;
        call.write_bytes(call.pointer(0), &list)
    }),
    ("trap", |call| Err(trap(call))),
    ("debugtrap", |call| Err(trap(call))),
    ("ubsantrap", |call| Err(trap(call))),
    ("readcyclecounter", |call| give(call, 0)),
    ("memcpy", block_copy),
    ("memcpy.inline", block_copy),
    ("memmove", block_copy),
    ("memset", block_fill),
    ("memset.inline", block_fill),
];

fn nothing(_: &mut Call<'_>) -> Result<(), Stop> {
    Ok(())
}

fn give(call: &mut Call<'_>, value: u64) -> Result<(), Stop> {
    call.give(value);
    Ok(())
}

fn same(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give_pair(call.slot(0, 0), call.slot(0, 1));
    Ok(())
}

fn trap(call: &Call<'_>) -> Stop {
    call.violation(ViolationKind::Abort, "the program traps (`__builtin_trap`)")
}

fn signed(value: u128, bits: u8) -> i128 {
    signed_wide(value, bits)
}

/// The bits of an integer argument, with all of them.
fn wide(call: &Call<'_>, index: usize) -> u128 {
    u128::from(call.slot(index, 0)) | u128::from(call.slot(index, 1)) << 64
}

/// How many bits the first argument has; vectors are not supported.
fn width(call: &Call<'_>) -> Result<u8, Stop> {
    match call.kind(0) {
        ArgumentKind::Int(bits) => Ok(bits),
        ArgumentKind::Pointer => Ok(64),
        _ => Err(call.violation(
            ViolationKind::Unsupported,
            "this operation on vectors is not supported; compile without optimisation",
        )),
    }
}

/// A function of one or two integers, given their width.
/// Reports that the zeros of 0 are counted, by a function that is not defined for it (`__builtin_clz`).
fn check_not_zero(call: &Call<'_>) -> Result<(), Stop> {
    match wide(call, 0) == 0 && call.int(1) & 1 != 0 {
        true => {
            let message = "the zeros before or behind the bits of 0 are counted, which has none";
            Err(call.violation(ViolationKind::UndefinedBehaviour, message))
        }
        false => Ok(()),
    }
}

fn integer(call: &mut Call<'_>, function: fn(u128, u128, u8) -> u128) -> Result<(), Stop> {
    let bits = width(call)?;
    let result = truncate_wide(function(wide(call, 0), wide(call, 1), bits), bits);
    call.give_pair(result as u64, (result >> 64) as u64);
    Ok(())
}

/// The nearest number of so many bits.
fn clamp(number: i128, bits: u8) -> u128 {
    let largest = (u128::MAX >> (129 - u32::from(bits))) as i128;
    number.clamp(-largest - 1, largest) as u128
}

/// The high or the low part of two numbers that are shifted as one.
fn funnel(call: &mut Call<'_>, left: bool) -> Result<(), Stop> {
    let bits = width(call)?;
    let by = (wide(call, 2) % u128::from(bits)) as u32;
    let (high, low) = (wide(call, 0), wide(call, 1));
    let rest = u32::from(bits) - by;
    let result = match (left, by) {
        (true, 0) => high,
        (false, 0) => low,
        (true, _) => high << by | low >> rest,
        (false, _) => high << rest | low >> by,
    };
    let result = truncate_wide(result, bits);
    call.give_pair(result as u64, (result >> 64) as u64);
    Ok(())
}

/// Arithmetic that says whether the result fits.
fn checked(
    call: &mut Call<'_>,
    is_signed: bool,
    unsigned: fn(u128, u128) -> (u128, bool),
    with_sign: fn(i128, i128) -> (i128, bool),
) -> Result<(), Stop> {
    let bits = width(call)?;
    let (a, b) = (wide(call, 0), wide(call, 1));
    let (result, overflow) = if is_signed {
        let (result, overflow) = with_sign(signed(a, bits), signed(b, bits));
        (result as u128, overflow || signed(result as u128, bits) != result)
    } else {
        let (result, overflow) = unsigned(a, b);
        (result, overflow || truncate_wide(result, bits) != result)
    };
    let result = truncate_wide(result, bits);
    if bits > 64 {
        call.give_three(result as u64, (result >> 64) as u64, overflow.into());
    } else {
        call.give_pair(result as u64, overflow.into());
    }
    Ok(())
}

fn give_float(call: &mut Call<'_>, result: f32) {
    call.give(u64::from(result.to_bits()));
}

/// Checks that the first argument is a `float` or a `double`.
fn check_float(call: &Call<'_>) -> Result<(), Stop> {
    match call.kind(0) {
        ArgumentKind::Float | ArgumentKind::Double => Ok(()),
        _ => Err(call.violation(
            ViolationKind::Unsupported,
            "this operation is supported for `float` and `double` only",
        )),
    }
}

fn float1(call: &mut Call<'_>, float: fn(f32) -> f32, double: fn(f64) -> f64) -> Result<(), Stop> {
    check_float(call)?;
    match call.kind(0) {
        ArgumentKind::Float => give_float(call, float(call.double(0) as f32)),
        _ => call.give_double(double(call.double(0))),
    }
    Ok(())
}

fn float2(
    call: &mut Call<'_>,
    float: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
) -> Result<(), Stop> {
    check_float(call)?;
    match call.kind(0) {
        ArgumentKind::Float => {
            let result = float(call.double(0) as f32, call.double(1) as f32);
            give_float(call, result);
        }
        _ => call.give_double(double(call.double(0), call.double(1))),
    }
    Ok(())
}

/// Two functions of one float. In the precision of `double`, each is right for `float` too.
fn float_pair(
    call: &mut Call<'_>,
    first: fn(f64) -> f64,
    second: fn(f64) -> f64,
) -> Result<(), Stop> {
    check_float(call)?;
    let number = call.double(0);
    call.give_pair(float_bits(call, first(number)), float_bits(call, second(number)));
    Ok(())
}

/// The bits of a number as a float of the type of the first argument.
fn float_bits(call: &Call<'_>, number: f64) -> u64 {
    match call.kind(0) {
        ArgumentKind::Float => u64::from((number as f32).to_bits()),
        _ => number.to_bits(),
    }
}

fn fabs(call: &mut Call<'_>) -> Result<(), Stop> {
    if call.kind(0) == ArgumentKind::LongDouble {
        call.give_pair(call.slot(0, 0), call.slot(0, 1) & 0x7FFF);
        return Ok(());
    }
    float1(call, f32::abs, f64::abs)
}

fn fma(call: &mut Call<'_>) -> Result<(), Stop> {
    check_float(call)?;
    match call.kind(0) {
        ArgumentKind::Float => {
            let (a, b, c) = (call.double(0) as f32, call.double(1) as f32, call.double(2) as f32);
            give_float(call, a.mul_add(b, c));
        }
        _ => call.give_double(call.double(0).mul_add(call.double(1), call.double(2))),
    }
    Ok(())
}

/// Which class of floats an argument is in, as the bit that `llvm.is.fpclass` has for it: from a
/// signalling NaN over a quiet one and negative infinity up to positive infinity.
fn class_of(call: &Call<'_>) -> Result<u64, Stop> {
    let low = call.slot(0, 0);
    let (negative, exponent, fraction, quiet) = match call.kind(0) {
        ArgumentKind::Float => {
            let exponent = (low >> 23 & 0xFF) as u32;
            (low >> 31 & 1 != 0, (exponent, 0xFF), low & 0x7F_FFFF, low >> 22 & 1 != 0)
        }
        ArgumentKind::Double => {
            let exponent = (low >> 52 & 0x7FF) as u32;
            (low >> 63 != 0, (exponent, 0x7FF), low & ((1 << 52) - 1), low >> 51 & 1 != 0)
        }
        ArgumentKind::LongDouble => {
            // Its first bit is not left out.
            let high = call.slot(0, 1);
            let exponent = (high & 0x7FFF) as u32;
            (high >> 15 & 1 != 0, (exponent, 0x7FFF), low << 1, low >> 62 & 1 != 0)
        }
        _ => {
            let message = "this test is supported for floats only, not for vectors";
            return Err(call.violation(ViolationKind::Unsupported, message));
        }
    };
    let number = match (exponent, fraction) {
        ((exponent, last), 0) if exponent == last => 3,
        ((exponent, last), _) if exponent == last => return Ok(if quiet { 2 } else { 1 }),
        ((0, _), 0) => 0,
        ((0, _), _) => 1,
        _ => 2,
    };
    Ok(1 << if negative { 5 - number } else { 6 + number })
}

fn whole(call: &mut Call<'_>, round: fn(f64) -> f64) -> Result<(), Stop> {
    check_float(call)?;
    call.give(round(call.double(0)) as i64 as u64);
    Ok(())
}

fn block_copy(call: &mut Call<'_>) -> Result<(), Stop> {
    let bytes = super::strings::bytes(call, call.pointer(1), call.int(2))?;
    call.write_bytes(call.pointer(0), &bytes)
}

fn block_fill(call: &mut Call<'_>) -> Result<(), Stop> {
    super::strings::fill(call, call.pointer(0), call.int(1) as u8, call.int(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_without_their_types() {
        let name = |name| find(name).map(|(known, _)| known);
        assert_eq!(name("llvm.ctpop.i32"), Some("ctpop"));
        assert_eq!(name("llvm.memcpy.inline.p0.p0.i64"), Some("memcpy.inline"));
        assert_eq!(name("llvm.expect.with.probability.i64"), Some("expect.with.probability"));
        assert_eq!(name("llvm.va_end"), Some("va_end"));
        assert_eq!(name("llvm.ctpopulation"), None);
        assert_eq!(name("ctpop"), None);
    }

    #[test]
    fn saturation() {
        assert_eq!(clamp(200, 8), 127);
        assert_eq!(clamp(-200, 8) as i128, -128);
        assert_eq!(clamp(i128::MAX, 128), i128::MAX as u128);
    }
}
