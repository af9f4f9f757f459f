//! Integers and their texts, and pseudo-random numbers.

use mazurka_core::verdict::ViolationKind;

use crate::machine::{Call, OVERFLOW, Random, Run, Stop, Undefined};

const ERANGE: i32 = 34;
const EINVAL: i32 = 22;

/// Which of a thread's own words holds the state of `rand`.
const RANDOM: u32 = 1;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("atoi", |call| from_text(call, Kind::Int)),
    ("atol", |call| from_text(call, Kind::Signed)),
    ("atoll", |call| from_text(call, Kind::Signed)),
    ("strtol", |call| from_text(call, Kind::Signed)),
    ("strtoll", |call| from_text(call, Kind::Signed)),
    ("strtoimax", |call| from_text(call, Kind::Signed)),
    ("strtoul", |call| from_text(call, Kind::Unsigned)),
    ("strtoull", |call| from_text(call, Kind::Unsigned)),
    ("strtoumax", |call| from_text(call, Kind::Unsigned)),
    ("__isoc23_strtol", |call| from_text(call, Kind::Signed)),
    ("__isoc23_strtoll", |call| from_text(call, Kind::Signed)),
    ("__isoc23_strtoul", |call| from_text(call, Kind::Unsigned)),
    ("__isoc23_strtoull", |call| from_text(call, Kind::Unsigned)),
    ("atof", |call| float_from_text(call, false)),
    ("strtod", |call| float_from_text(call, false)),
    ("strtof", |call| float_from_text(call, true)),
    ("abs", |call| {
        check_absolute(call, call.signed(0).checked_abs().is_some())?;
        call.give_int(call.signed(0).wrapping_abs());
        Ok(())
    }),
    ("labs", absolute),
    ("llabs", absolute),
    ("imaxabs", absolute),
    ("div", |call| {
        let (a, b) = (call.signed(0), call.signed(1));
        let (Some(quotient), Some(rest)) = (a.checked_div(b), a.checked_rem(b)) else {
            return Err(division(call));
        };
        call.give(u64::from(quotient as u32) | u64::from(rest as u32) << 32);
        Ok(())
    }),
    ("ldiv", long_division),
    ("lldiv", long_division),
    ("ffs", |call| {
        call.give_int(first_bit(call.int(0) & 0xFFFF_FFFF));
        Ok(())
    }),
    ("ffsl", |call| {
        call.give_int(first_bit(call.int(0)));
        Ok(())
    }),
    ("ffsll", |call| {
        call.give_int(first_bit(call.int(0)));
        Ok(())
    }),
    ("rand", |call| {
        let state = call.own_word(RANDOM);
        random(call, state, 8)
    }),
    ("random", |call| {
        let state = call.own_word(RANDOM);
        random(call, state, 8)
    }),
    ("srand", seed),
    ("srandom", seed),
    ("rand_r", |call| {
        let state = call.pointer(0);
        random(call, state, 4)
    }),
];

/// Reports an absolute value that does not fit, unless signed overflow is allowed.
fn check_absolute(call: &Call<'_>, fits: bool) -> Result<(), Stop> {
    match fits || call.machine.options.allow.contains(Undefined::SignedOverflow) {
        true => Ok(()),
        false => {
            let message = format!("{OVERFLOW}: an absolute value does not fit");
            Err(call.violation(ViolationKind::UndefinedBehaviour, message))
        }
    }
}

fn absolute(call: &mut Call<'_>) -> Result<(), Stop> {
    check_absolute(call, (call.int(0) as i64).checked_abs().is_some())?;
    call.give((call.int(0) as i64).wrapping_abs() as u64);
    Ok(())
}

fn division(call: &Call<'_>) -> Stop {
    call.violation(mazurka_core::verdict::ViolationKind::UndefinedBehaviour, "division by zero")
}

fn long_division(call: &mut Call<'_>) -> Result<(), Stop> {
    let (a, b) = (call.int(0) as i64, call.int(1) as i64);
    let (Some(quotient), Some(rest)) = (a.checked_div(b), a.checked_rem(b)) else {
        return Err(division(call));
    };
    call.give_pair(quotient as u64, rest as u64);
    Ok(())
}

fn first_bit(number: u64) -> i32 {
    match number {
        0 => 0,
        number => number.trailing_zeros() as i32 + 1,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Int,
    Signed,
    Unsigned,
}

/// How many bytes at the start of a text are white space.
fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte == b' ' || (9..=13).contains(&byte)).count()
}

/// `strtol` and its like; `atoi` and its like, which have neither a base nor an end.
fn from_text(call: &mut Call<'_>, kind: Kind) -> Result<(), Stop> {
    let start = call.pointer(0);
    let text = call.c_string(start)?;
    let full = call.len() >= 3;
    let mut base = if full { call.int(2) as u32 } else { 10 };
    if base == 1 || base > 36 {
        call.set_errno(EINVAL)?;
        call.give(0);
        return Ok(());
    }
    let mut at = spaces(&text);
    let negative = text.get(at) == Some(&b'-');
    at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    let digit = |at: usize, base: u32| {
        text.get(at).and_then(|&byte| char::from(byte).to_digit(36)).filter(|&d| d < base)
    };
    let hexadecimal = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && digit(at + 2, 16).is_some();
    if base == 0 {
        base = match text.get(at) {
            Some(b'0') if hexadecimal => 16,
            Some(b'0') => 8,
            _ => 10,
        };
    }
    if base == 16 && hexadecimal {
        at += 2;
    }
    let first = at;
    let mut number: u128 = 0;
    while let Some(digit) = digit(at, base) {
        number = (number * u128::from(base) + u128::from(digit)).min(1 << 100);
        at += 1;
    }
    if full && call.pointer(1) != 0 {
        let end = if at == first { start } else { start.wrapping_add(at as u64) };
        call.write(call.pointer(1), 8, end)?;
    }
    let limit = match kind {
        Kind::Unsigned => u128::from(u64::MAX),
        _ => u128::from(i64::MAX.unsigned_abs()) + u128::from(negative),
    };
    let mut result = if negative { (number as u64).wrapping_neg() } else { number as u64 };
    if number > limit {
        call.set_errno(ERANGE)?;
        result = match kind {
            Kind::Unsigned => u64::MAX,
            _ if negative => i64::MIN as u64,
            _ => i64::MAX as u64,
        };
    }
    match kind {
        Kind::Int => call.give_int(result as i32),
        _ => call.give(result),
    }
    Ok(())
}

/// How long a text is that stands for a number at the start of this one, behind its spaces.
fn float_length(text: &[u8]) -> usize {
    let digits = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let rest = text[sign..].to_ascii_lowercase();
    for word in [&b"infinity"[..], b"inf", b"nan"] {
        if rest.starts_with(word) {
            return sign + word.len();
        }
    }
    let mut at = sign;
    let before = digits(at);
    at += before;
    let mut after = 0;
    if text.get(at) == Some(&b'.') {
        after = digits(at + 1);
        if before + after > 0 {
            at += 1 + after;
        }
    }
    if before + after == 0 {
        return 0;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
        let exponent = text.get(at + 1 + signed..).map_or(0, |_| digits(at + 1 + signed));
        if exponent > 0 {
            at += 1 + signed + exponent;
        }
    }
    at
}

fn float_from_text(call: &mut Call<'_>, single: bool) -> Result<(), Stop> {
    let start = call.pointer(0);
    let text = call.c_string(start)?;
    let skipped = spaces(&text);
    let len = float_length(&text[skipped..]);
    let digits = std::str::from_utf8(&text[skipped..skipped + len]).unwrap_or("");
    if call.len() >= 2 && call.pointer(1) != 0 {
        let end = if len == 0 { start } else { start.wrapping_add((skipped + len) as u64) };
        call.write(call.pointer(1), 8, end)?;
    }
    if single {
        let number: f32 = digits.parse().unwrap_or(0.0);
        call.give(u64::from(number.to_bits()));
    } else {
        call.give_double(digits.parse().unwrap_or(0.0));
    }
    Ok(())
}

/// The next of a fixed sequence of numbers, which each thread has for itself: so that who draws
/// first makes no difference.
fn random(call: &mut Call<'_>, state: u64, len: u32) -> Result<(), Stop> {
    let seed = match call.machine.options.random {
        Random::Seed(seed) => seed,
        Random::Choose(among) => {
            let choice = call.choose(among)?;
            call.give(u64::from(choice));
            return Ok(());
        }
    };
    let old = call.read(state, len)?.wrapping_add(seed);
    let new = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    call.write(state, len, new)?;
    let bits = if len == 4 { new >> 1 } else { new >> 33 };
    call.give(bits & 0x7FFF_FFFF);
    Ok(())
}

fn seed(call: &mut Call<'_>) -> Result<(), Stop> {
    call.write(call.own_word(RANDOM), 8, call.int(0) & 0xFFFF_FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_floats() {
        for (text, len) in [
            ("1.5e3x", 5),
            ("-.5", 3),
            (".", 0),
            ("1.", 2),
            ("1e", 1),
            ("1e+", 1),
            ("inf", 3),
            ("-Infinity!", 9),
            ("x", 0),
            ("", 0),
        ] {
            assert_eq!(float_length(text.as_bytes()), len, "{text}");
        }
    }
}
