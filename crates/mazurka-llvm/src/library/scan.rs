//! `sscanf` and `vsscanf`: numbers and words out of a text.

use super::arguments::{Source, VaList};
use crate::machine::{Call, Run, Stop};

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("sscanf", |call| scan(call, Source::Call(2))),
    ("__isoc99_sscanf", |call| scan(call, Source::Call(2))),
    ("__isoc23_sscanf", |call| scan(call, Source::Call(2))),
    ("vsscanf", scan_list),
    ("__isoc99_vsscanf", scan_list),
    ("__isoc23_vsscanf", scan_list),
];

fn scan_list(call: &mut Call<'_>) -> Result<(), Stop> {
    let list = VaList::new(call, call.pointer(2))?;
    scan(call, Source::List(list))
}

/// What stands between `%` and the letter.
struct Directive {
    /// Whether the value is not stored.
    skips: bool,
    width: usize,
    /// How many bytes an integer has that is stored.
    size: u32,
    /// Whether a floating-point number is a `double`.
    is_double: bool,
}

/// The text, and how far it was read.
struct Text {
    bytes: Vec<u8>,
    at: usize,
}

impl Text {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    fn skip_blanks(&mut self) {
        while self.rest().first().is_some_and(|byte| is_blank(*byte)) {
            self.at += 1;
        }
    }

    /// Takes the longest prefix whose bytes all satisfy a condition, of at most `most` bytes.
    fn take(&mut self, most: usize, mut fits: impl FnMut(u8) -> bool) -> Vec<u8> {
        let len = self.rest().iter().take(most).take_while(|byte| fits(**byte)).count();
        let taken = self.rest()[..len].to_vec();
        self.at += len;
        taken
    }

    /// Takes an integer in a base; base 0 finds out by its prefix. Negative numbers wrap around.
    fn integer(&mut self, most: usize, base: u32) -> Option<u64> {
        let rest = &self.rest()[..self.rest().len().min(most)];
        let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
        let is_hex = |rest: &[u8]| matches!(rest, [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit());
        let (base, prefix) = match base {
            0 | 16 if is_hex(&rest[sign..]) => (16, 2),
            0 if rest.get(sign) == Some(&b'0') => (8, 0),
            0 => (10, 0),
            base => (base, 0),
        };
        let digits = rest[sign + prefix..].iter();
        let digits: Vec<u64> =
            digits.map_while(|byte| char::from(*byte).to_digit(base).map(u64::from)).collect();
        if digits.is_empty() {
            return None;
        }
        let value = digits.iter().fold(0u64, |value, digit| {
            value.saturating_mul(u64::from(base)).saturating_add(*digit)
        });
        let is_negative = rest.first() == Some(&b'-');
        self.at += sign + prefix + digits.len();
        Some(if is_negative { value.wrapping_neg() } else { value })
    }

    /// Takes a floating-point number.
    fn number(&mut self, most: usize) -> Option<f64> {
        let rest = &self.rest()[..self.rest().len().min(most)];
        // The longest prefix that is a number.
        let may_be =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let longest = rest.iter().take_while(may_be).count();
        let parse = |len: &usize| std::str::from_utf8(&rest[..*len]).ok()?.parse::<f64>().ok();
        let len = (1..=longest).rev().find(|len| parse(len).is_some())?;
        let value = parse(&len)?;
        self.at += len;
        Some(value)
    }
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || (9..=13).contains(&byte)
}

fn scan(call: &mut Call<'_>, mut source: Source) -> Result<(), Stop> {
    let bytes = call.c_string(call.pointer(0))?;
    let format = call.c_string(call.pointer(1))?;
    let mut text = Text { bytes, at: 0 };
    let mut stored = 0;
    let ended_early = run(call, &format, &mut text, &mut source, &mut stored)?;
    // The end of the text before the first conversion is an error of its own.
    call.give_int(if stored == 0 && ended_early { -1 } else { stored });
    Ok(())
}

/// Reads as far as the text fits the format. Returns whether the text ended before a conversion.
fn run(
    call: &mut Call<'_>,
    format: &[u8],
    text: &mut Text,
    source: &mut Source,
    stored: &mut i32,
) -> Result<bool, Stop> {
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        at += 1;
        if is_blank(byte) {
            text.skip_blanks();
            continue;
        }
        if byte != b'%' || format.get(at) == Some(&b'%') {
            if byte == b'%' {
                at += 1;
                text.skip_blanks();
            }
            match text.rest().first() {
                Some(found) if *found == byte => text.at += 1,
                found => return Ok(found.is_none()),
            }
            continue;
        }
        let directive = directive(format, &mut at);
        let Some(&letter) = format.get(at) else { break };
        at += 1;
        if !matches!(letter, b'c' | b'[' | b'n') {
            text.skip_blanks();
        }
        if letter != b'n' && text.rest().is_empty() {
            return Ok(true);
        }
        let most = directive.width;
        let integer = |text: &mut Text, base| text.integer(most, base);
        let found: Vec<u8> = match letter {
            b'n' => {
                if !directive.skips {
                    let target = source.int(call)?;
                    call.write(target, directive.size, text.at as u64)?;
                }
                continue;
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' => {
                let base = match letter {
                    b'd' | b'u' => 10,
                    b'i' => 0,
                    b'o' => 8,
                    _ => 16,
                };
                let Some(value) = integer(text, base) else { return Ok(false) };
                let size = if letter == b'p' { 8 } else { directive.size };
                value.to_le_bytes()[..size as usize].to_vec()
            }
            b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G' => {
                let Some(value) = text.number(most) else { return Ok(false) };
                match directive.is_double {
                    true => value.to_le_bytes().to_vec(),
                    false => (value as f32).to_le_bytes().to_vec(),
                }
            }
            b'c' => {
                let count = if most == usize::MAX { 1 } else { most };
                let taken = text.take(count, |_| true);
                if taken.len() < count {
                    return Ok(false);
                }
                taken
            }
            b's' => {
                let mut word = text.take(most, |byte| !is_blank(byte));
                word.push(0);
                word
            }
            b'[' => {
                let set = set(format, &mut at);
                let mut word = text.take(most, |byte| set[usize::from(byte)]);
                if word.is_empty() {
                    return Ok(false);
                }
                word.push(0);
                word
            }
            letter => {
                let message = format!("`sscanf` with %{} is not supported", char::from(letter));
                let kind = mazurka_core::verdict::ViolationKind::Unsupported;
                return Err(call.violation(kind, message));
            }
        };
        if !directive.skips {
            let target = source.int(call)?;
            call.write_bytes(target, &found)?;
            *stored += 1;
        }
    }
    Ok(false)
}

/// Reads what stands between `%` and the letter.
fn directive(format: &[u8], at: &mut usize) -> Directive {
    let mut next = |byte: u8| {
        let is_next = format.get(*at) == Some(&byte);
        *at += usize::from(is_next);
        is_next
    };
    let skips = next(b'*');
    let mut width = 0usize;
    while let Some(digit) = (b'0'..=b'9').find(|digit| next(*digit)) {
        width = width.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
    }
    let (size, is_double) = match () {
        () if next(b'h') => (if next(b'h') { 1 } else { 2 }, false),
        () if next(b'l') => {
            next(b'l');
            (8, true)
        }
        () if next(b'j') || next(b'z') || next(b't') => (8, false),
        () => (4, false),
    };
    Directive { skips, width: if width == 0 { usize::MAX } else { width }, size, is_double }
}

/// Reads the bytes of `%[…]`, behind the bracket.
fn set(format: &[u8], at: &mut usize) -> [bool; 256] {
    let is_negated = format.get(*at) == Some(&b'^');
    *at += usize::from(is_negated);
    let mut set = [is_negated; 256];
    let first = *at;
    while let Some(&byte) = format.get(*at) {
        if byte == b']' && *at > first {
            *at += 1;
            break;
        }
        let range = match format.get(*at + 1..*at + 3) {
            Some([b'-', end]) if *end != b']' && *end >= byte => Some(*end),
            _ => None,
        };
        *at += if range.is_some() { 3 } else { 1 };
        for member in byte..=range.unwrap_or(byte) {
            set[usize::from(member)] = !is_negated;
        }
    }
    set
}
