//! The formats of `printf`.

use mazurka_core::verdict::ViolationKind;

use super::arguments::Source;
use super::decimal::{Decimal, hexadecimal};
use crate::machine::{Call, Stop, Undefined};

/// `%-08.3ld`: all that stands between `%` and the letter.
#[derive(Clone, Copy, Default)]
pub(super) struct Directive {
    pub(super) left: bool,
    pub(super) plus: bool,
    pub(super) space: bool,
    pub(super) alternate: bool,
    pub(super) zero: bool,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
}

/// How many bits an integer has.
fn bits(length: &[u8]) -> u32 {
    match length {
        b"hh" => 8,
        b"h" => 16,
        b"" => 32,
        _ => 64,
    }
}

/// A string that a format has read.
pub(super) struct ReadString {
    pub(super) at: u64,
    pub(super) len: u64,
    /// How many bytes were read: one more if they include the zero at the end.
    pub(super) read: u64,
}

/// What a format and its arguments give.
#[derive(Default)]
pub(super) struct Formatted {
    pub(super) text: Vec<u8>,
    /// The strings that were read for it.
    pub(super) strings: Vec<ReadString>,
}

/// Returns what a format and its arguments give.
pub(super) fn format(
    call: &mut Call<'_>,
    format: &[u8],
    source: &mut Source,
) -> Result<Formatted, Stop> {
    let mut formatted = Formatted::default();
    let out = &mut formatted;
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            out.text.push(format[at]);
            at += 1;
            continue;
        }
        at += 1;
        let mut directive = Directive::default();
        flags(format, &mut at, &mut directive);
        if let Some(width) = number(call, format, &mut at, source)? {
            directive.left |= width < 0;
            directive.width = width.unsigned_abs() as usize;
        }
        if format.get(at) == Some(&b'.') {
            at += 1;
            let precision = number(call, format, &mut at, source)?.unwrap_or(0);
            directive.precision = usize::try_from(precision).ok();
        }
        let start = at;
        while format.get(at).is_some_and(|c| b"hlqjztL".contains(c)) {
            at += 1;
        }
        let length = &format[start..at];
        let Some(&letter) = format.get(at) else { break };
        at += 1;
        one(call, source, out, directive, length, letter)?;
    }
    Ok(formatted)
}

fn flags(format: &[u8], at: &mut usize, directive: &mut Directive) {
    while let Some(flag) = format.get(*at) {
        match flag {
            b'-' => directive.left = true,
            b'+' => directive.plus = true,
            b' ' => directive.space = true,
            b'#' => directive.alternate = true,
            b'0' => directive.zero = true,
            b'\'' => {}
            _ => return,
        }
        *at += 1;
    }
}

/// A width or a precision: digits, or `*` for an argument.
fn number(
    call: &mut Call<'_>,
    format: &[u8],
    at: &mut usize,
    source: &mut Source,
) -> Result<Option<i64>, Stop> {
    if format.get(*at) == Some(&b'*') {
        *at += 1;
        return Ok(Some(i64::from(source.int(call)? as i32)));
    }
    let start = *at;
    while format.get(*at).is_some_and(u8::is_ascii_digit) {
        *at += 1;
    }
    Ok(std::str::from_utf8(&format[start..*at]).ok().and_then(|digits| digits.parse().ok()))
}

fn one(
    call: &mut Call<'_>,
    source: &mut Source,
    formatted: &mut Formatted,
    directive: Directive,
    length: &[u8],
    letter: u8,
) -> Result<(), Stop> {
    let out = &mut formatted.text;
    match letter {
        b'%' => out.push(b'%'),
        b'd' | b'i' => {
            let unused = 64 - bits(length);
            let number = (source.int(call)? << unused) as i64 >> unused;
            directive.integer(out, number.unsigned_abs(), number < 0, true, 10, false);
        }
        b'u' | b'o' | b'x' | b'X' | b'b' => {
            let unused = 64 - bits(length);
            let number = source.int(call)? << unused >> unused;
            let base = match letter {
                b'u' => 10,
                b'o' => 8,
                b'b' => 2,
                _ => 16,
            };
            directive.integer(out, number, false, false, base, letter == b'X');
        }
        b'p' => match source.int(call)? {
            0 => directive.text(out, b"(nil)"),
            address => {
                let directive = Directive { alternate: true, ..directive };
                directive.integer(out, address, false, false, 16, false);
            }
        },
        b'c' => {
            let character = source.int(call)? as u8;
            Directive { precision: None, ..directive }.text(out, &[character]);
        }
        b's' => {
            let at = source.int(call)?;
            let most = directive.precision.map_or(u64::MAX, |most| most as u64);
            let text = match at {
                0 => null_string(call, most)?,
                _ if length == b"l" => wide_text(call, at, most)?,
                _ => {
                    let text = call.c_string_up_to(at, most)?;
                    let len = text.len() as u64;
                    formatted.strings.push(ReadString { at, len, read: most.min(len + 1) });
                    text
                }
            };
            directive.text(out, &text);
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let number = match length {
                b"L" => Number::of_long_double(source.long_double(call)?),
                _ => Number::of_double(source.double(call)?),
            };
            directive.number(out, &number, letter);
        }
        b'n' => {
            let address = source.int(call)?;
            call.write(address, bits(length) / 8, out.len() as u64)?;
        }
        b'm' => {
            let error = call.read(call.own_word(0), 4)? as i32;
            directive.text(out, super::system::error_name(error).as_bytes());
        }
        _ => {
            out.push(b'%');
            out.push(letter);
        }
    }
    Ok(())
}

/// Returns what `%s` prints for a null pointer, if that is allowed: what glibc prints.
fn null_string(call: &Call<'_>, most: u64) -> Result<Vec<u8>, Stop> {
    if !call.machine.options.allow.contains(Undefined::NullString) {
        let message = "the format prints a string (`%s`), but its argument is a null pointer";
        return Err(call.violation(ViolationKind::UndefinedBehaviour, message));
    }
    Ok(if most >= 6 { b"(null)".to_vec() } else { Vec::new() })
}

/// A string of `wchar_t`; what is not ASCII is written in UTF-8.
fn wide_text(call: &mut Call<'_>, address: u64, most: u64) -> Result<Vec<u8>, Stop> {
    let mut text = String::new();
    for i in 0.. {
        let code = call.read(address.wrapping_add(4 * i), 4)? as u32;
        let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        if code == 0 || (text.len() + character.len_utf8()) as u64 > most {
            break;
        }
        text.push(character);
    }
    Ok(text.into_bytes())
}

/// A floating-point number of any size.
pub(super) struct Number {
    negative: bool,
    kind: NumberKind,
}

enum NumberKind {
    Infinite,
    NotANumber,
    /// `mantissa * 2^exponent`; for `%a` the first digit stands in front of so many others.
    Finite {
        mantissa: u64,
        exponent: i32,
        digits: u32,
    },
}

impl Number {
    pub(super) fn of_double(number: f64) -> Number {
        let bits = number.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let kind = match (bits >> 52 & 0x7FF) as i32 {
            0x7FF if fraction == 0 => NumberKind::Infinite,
            0x7FF => NumberKind::NotANumber,
            0 => NumberKind::Finite { mantissa: fraction, exponent: -1074, digits: 13 },
            exponent => NumberKind::Finite {
                mantissa: fraction | 1 << 52,
                exponent: exponent - 1075,
                digits: 13,
            },
        };
        Number { negative: number.is_sign_negative(), kind }
    }

    fn of_long_double(bits: u128) -> Number {
        let mantissa = bits as u64;
        let kind = match (bits >> 64 & 0x7FFF) as i32 {
            0x7FFF if mantissa << 1 == 0 => NumberKind::Infinite,
            0x7FFF => NumberKind::NotANumber,
            exponent => {
                NumberKind::Finite { mantissa, exponent: exponent.max(1) - 16446, digits: 15 }
            }
        };
        Number { negative: bits >> 79 & 1 == 1, kind }
    }
}

impl Directive {
    /// Fills up to the width: with zeros behind the sign and the like, or with spaces.
    fn pad(&self, out: &mut Vec<u8>, prefix: &[u8], body: &[u8], zeros: bool) {
        let missing = self.width.saturating_sub(prefix.len() + body.len());
        let fill = |out: &mut Vec<u8>, with| out.extend(std::iter::repeat_n(with, missing));
        if !self.left && !zeros {
            fill(out, b' ');
        }
        out.extend_from_slice(prefix);
        if !self.left && zeros {
            fill(out, b'0');
        }
        out.extend_from_slice(body);
        if self.left {
            fill(out, b' ');
        }
    }

    fn text(&self, out: &mut Vec<u8>, text: &[u8]) {
        self.pad(out, b"", text, false);
    }

    fn sign(&self, negative: bool, signed: bool) -> &'static [u8] {
        match (negative, signed) {
            (true, _) => b"-",
            (false, true) if self.plus => b"+",
            (false, true) if self.space => b" ",
            _ => b"",
        }
    }

    pub(super) fn integer(
        &self,
        out: &mut Vec<u8>,
        number: u64,
        negative: bool,
        signed: bool,
        base: u32,
        capitals: bool,
    ) {
        let mut digits = match base {
            2 => format!("{number:b}"),
            8 => format!("{number:o}"),
            10 => format!("{number}"),
            _ if capitals => format!("{number:X}"),
            _ => format!("{number:x}"),
        };
        if number == 0 && self.precision == Some(0) {
            digits.clear();
        }
        let least = self.precision.unwrap_or(1);
        if digits.len() < least {
            digits.insert_str(0, &"0".repeat(least - digits.len()));
        }
        let mut prefix = self.sign(negative, signed);
        if self.alternate {
            match base {
                8 if !digits.starts_with('0') => digits.insert(0, '0'),
                16 if number != 0 => prefix = if capitals { b"0X" } else { b"0x" },
                2 if number != 0 => prefix = b"0b",
                _ => {}
            }
        }
        self.pad(out, prefix, digits.as_bytes(), self.zero && self.precision.is_none());
    }

    pub(super) fn number(&self, out: &mut Vec<u8>, number: &Number, letter: u8) {
        let mut prefix = self.sign(number.negative, true).to_vec();
        let capitals = letter.is_ascii_uppercase();
        let (mut text, finite) = match number.kind {
            NumberKind::Infinite => ("inf".to_owned(), false),
            NumberKind::NotANumber => ("nan".to_owned(), false),
            NumberKind::Finite { mantissa, exponent, digits } => {
                let precision = self.precision.unwrap_or(6);
                let decimal = || Decimal::new(mantissa, exponent);
                let text = match letter.to_ascii_lowercase() {
                    b'f' => decimal().fixed(precision, self.alternate),
                    b'e' => decimal().exponential(precision, self.alternate),
                    b'g' => decimal().general(precision, self.alternate),
                    _ => {
                        let exponent = if mantissa == 0 { 0 } else { exponent + 4 * digits as i32 };
                        hexadecimal(mantissa, digits, exponent, self.precision, self.alternate)
                    }
                };
                (text, true)
            }
        };
        if capitals {
            text.make_ascii_uppercase();
        }
        // Zeros go between `0x` and the digits.
        if finite && matches!(letter, b'a' | b'A') {
            prefix.extend_from_slice(&text.as_bytes()[..2]);
            text.drain(..2);
        }
        self.pad(out, &prefix, text.as_bytes(), self.zero && finite);
    }
}
