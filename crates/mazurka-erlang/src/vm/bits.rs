//! Matching of bit strings, and putting them together.

use num_bigint::{BigInt, Sign};

use super::Vm;
use super::instruction::{Flags, Place, Row, Segment, SegmentKind, Utf};
use crate::term::{Atom, BitWriter, Bits, Kind, Number, Term, atom};

impl Vm {
    /// A context for matching: its position, its end, and where it started.
    pub(super) fn start_match(&mut self, from: Term) -> Option<Term> {
        if self.heap.is_kind(from, Kind::Match) {
            return Some(from);
        }
        let bits = self.heap.as_bits(from)?;
        let place = self.heap.boxed(Kind::Match, 3);
        self.heap.push_raw(bits.start);
        self.heap.push_raw(bits.start + bits.len);
        self.heap.push_raw(bits.start);
        Some(self.heap.term_at(place))
    }

    /// Returns the size of a bit string. Since Erlang/OTP 26, guards may ask for the size of what is left
    /// of one that is being matched.
    pub(crate) fn size_in_bits(&self, term: Term) -> Option<u64> {
        match self.heap.as_kind(term, Kind::Match) {
            Some(place) => Some(self.heap.raw(place + 2) - self.heap.raw(place + 1)),
            None => self.heap.as_bits(term).map(|bits| bits.len),
        }
    }

    fn context(&self, context: Place) -> usize {
        self.heap.as_kind(self.get(context), Kind::Match).expect("a match has been started")
    }

    pub(super) fn bits_left(&self, context: Place) -> u64 {
        let place = self.context(context);
        self.heap.raw(place + 2) - self.heap.raw(place + 1)
    }

    pub(super) fn rest(&self, context: Place) -> Bits {
        let place = self.context(context);
        let start = self.heap.raw(place + 1);
        Bits { start, len: self.heap.raw(place + 2) - start }
    }

    pub(super) fn position(&self, context: Place) -> u64 {
        let place = self.context(context);
        self.heap.raw(place + 1) - self.heap.raw(place + 3)
    }

    pub(super) fn set_position(&mut self, context: Place, position: u64) {
        let place = self.context(context);
        let start = self.heap.raw(place + 3);
        self.change_word(place + 1, start + position);
    }

    /// How many bits an instruction asks for; `None` if there are none to be had.
    pub(super) fn bits_wanted(&self, context: Place, size: Place, unit: u16) -> Option<u64> {
        let size = self.get(size);
        if size.is_atom(atom::ALL) {
            let left = self.bits_left(context);
            return left.is_multiple_of(u64::from(unit)).then_some(left);
        }
        u64::try_from(size.as_small()?).ok()?.checked_mul(u64::from(unit))
    }

    /// Goes on by so many bits.
    pub(super) fn advance(&mut self, context: Place, bits: u64) -> Option<Bits> {
        if bits > self.bits_left(context) {
            return None;
        }
        let place = self.context(context);
        let start = self.heap.raw(place + 1);
        self.change_word(place + 1, start + bits);
        Some(Bits { start, len: bits })
    }

    pub(super) fn read_integer(&mut self, context: Place, bits: u64, flags: Flags) -> Option<Term> {
        let part = self.advance(context, bits)?;
        if bits <= 56 && (!flags.little || bits <= 8) {
            let value = self.heap.read_bits(part.start, bits) as i64;
            let is_negative = flags.signed && bits > 0 && value >> (bits - 1) & 1 == 1;
            return Some(Term::int(if is_negative { value - (1 << bits) } else { value }));
        }
        let mut bytes = self.heap.bytes_of(part);
        let odd = bits % 8;
        let mut value = match flags.little {
            true => {
                // The last byte has the most significant bits, in its lower part.
                if let (Some(last), true) = (bytes.last_mut(), odd != 0) {
                    *last >>= 8 - odd;
                }
                BigInt::from_bytes_le(Sign::Plus, &bytes)
            }
            false => {
                let spare = if odd == 0 { 0 } else { 8 - odd };
                BigInt::from_bytes_be(Sign::Plus, &bytes) >> spare
            }
        };
        if flags.signed && bits > 0 && value.bit(bits - 1) {
            value -= BigInt::from(1) << bits;
        }
        Some(Number::from(value).into_term(&mut self.heap))
    }

    pub(super) fn read_float(&mut self, context: Place, bits: u64, flags: Flags) -> Option<Term> {
        if !matches!(bits, 16 | 32 | 64) || bits > self.bits_left(context) {
            return None;
        }
        let before = self.position(context);
        let part = self.advance(context, bits)?;
        let mut bytes = self.heap.bytes_of(part);
        if flags.little {
            bytes.reverse();
        }
        let value = match bits {
            64 => f64::from_be_bytes(bytes.try_into().expect("eight bytes")),
            32 => f32::from_be_bytes(bytes.try_into().expect("four bytes")).into(),
            _ => half_to_float(u16::from_be_bytes(bytes.try_into().expect("two bytes"))),
        };
        if !value.is_finite() {
            self.set_position(context, before);
            return None;
        }
        Some(self.heap.float(value))
    }

    pub(super) fn read_utf(&mut self, context: Place, utf: Utf, little: bool) -> Option<u32> {
        let rest = self.rest(context);
        let byte = |i: u64| {
            (8 * (i + 1) <= rest.len).then(|| self.heap.read_bits(rest.start + 8 * i, 8) as u32)
        };
        let wide = |i: u64| {
            let (a, b) = (byte(2 * i)?, byte(2 * i + 1)?);
            Some(if little { b << 8 | a } else { a << 8 | b })
        };
        let (c, len) = match utf {
            Utf::Utf8 => {
                let first = byte(0)?;
                let len = match first {
                    0..0x80 => 1,
                    0xc2..0xe0 => 2,
                    0xe0..0xf0 => 3,
                    0xf0..0xf5 => 4,
                    _ => return None,
                };
                let bytes: Option<Vec<u8>> = (0..len).map(|i| Some(byte(i)? as u8)).collect();
                let bytes = bytes?;
                (std::str::from_utf8(&bytes).ok()?.chars().next()? as u32, len)
            }
            Utf::Utf16 => {
                let first = wide(0)?;
                match first {
                    0xd800..0xdc00 => {
                        let second = wide(1).filter(|w| (0xdc00..0xe000).contains(w))?;
                        (0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00), 4)
                    }
                    0xdc00..0xe000 => return None,
                    first => (first, 2),
                }
            }
            Utf::Utf32 => {
                let (a, b) = (wide(0)?, wide(1)?);
                (if little { b << 16 | a } else { a << 16 | b }, 4)
            }
        };
        char::from_u32(c)?;
        self.advance(context, 8 * len)?;
        Some(c)
    }

    pub(super) fn match_string(&mut self, context: Place, bits: u32, string: u32) -> bool {
        let bits = u64::from(bits);
        if bits > self.bits_left(context) {
            return false;
        }
        let rest = self.rest(context);
        let mut done = 0;
        while done < bits {
            let count = (bits - done).min(8);
            let expected = self.code.strings[string as usize + (done / 8) as usize];
            let found = self.heap.read_bits(rest.start + done, count) << (8 - count);
            if found as u8 != expected & (0xffu16 << (8 - count)) as u8 {
                return false;
            }
            done += count;
        }
        self.advance(context, bits);
        true
    }

    /// Puts a bit string together. The error is why that is not possible.
    pub(super) fn create_bits(&mut self, segments: Row) -> Result<Term, Atom> {
        let start = self.heap.bytes.len();
        let mut writer = BitWriter::new(&self.heap);
        for i in segments.range() {
            let segment = self.code.segments[i];
            if let Err(reason) = self.write_segment(&mut writer, segment) {
                self.heap.bytes.truncate(start);
                return Err(reason);
            }
        }
        Ok(self.heap.bits(writer.finish()))
    }

    fn write_segment(&mut self, writer: &mut BitWriter, segment: Segment) -> Result<(), Atom> {
        let Segment { kind, unit, flags, value, size } = segment;
        let (value, size) = (self.get(value), self.get(size));
        let bits = || {
            let size = u64::try_from(size.as_small().ok_or(atom::BADARG)?);
            let bits = size.map_err(|_| atom::BADARG)?.checked_mul(u64::from(unit));
            bits.filter(|bits| *bits < 1 << 36).ok_or(atom::SYSTEM_LIMIT)
        };
        match kind {
            SegmentKind::Integer => self.write_integer(writer, value, bits()?, flags),
            SegmentKind::Float => {
                let number = self.heap.as_number(value).ok_or(atom::BADARG)?;
                let float = number.to_float().ok_or(atom::BADARG)?;
                let mut bytes = match bits()? {
                    64 => float.to_be_bytes().to_vec(),
                    32 if (float as f32).is_finite() => (float as f32).to_be_bytes().to_vec(),
                    16 => float_to_half(float).ok_or(atom::BADARG)?.to_be_bytes().to_vec(),
                    _ => return Err(atom::BADARG),
                };
                if flags.little {
                    bytes.reverse();
                }
                writer.put_bytes(&mut self.heap, &bytes);
                Ok(())
            }
            SegmentKind::Bits => {
                let part = self.heap.as_bits(value).ok_or(atom::BADARG)?;
                let len = match size.is_atom(atom::ALL) {
                    true => part.len,
                    false => bits()?,
                };
                if len > part.len || size.is_atom(atom::ALL) && len % u64::from(unit) != 0 {
                    return Err(atom::BADARG);
                }
                writer.put_bits(&mut self.heap, Bits { start: part.start, len });
                Ok(())
            }
            SegmentKind::String => {
                let start = value.as_small().unwrap_or(0) as usize;
                let len = size.as_small().unwrap_or(0) as usize;
                let bytes = self.code.strings[start..start + len].to_vec();
                writer.put_bytes(&mut self.heap, &bytes);
                Ok(())
            }
            SegmentKind::Utf(utf) => {
                let code = value.as_small().and_then(|code| u32::try_from(code).ok());
                let c = code.and_then(char::from_u32).ok_or(atom::BADARG)?;
                let mut bytes = Vec::new();
                let mut wide = |unit: u16| match flags.little {
                    true => bytes.extend(unit.to_le_bytes()),
                    false => bytes.extend(unit.to_be_bytes()),
                };
                match utf {
                    Utf::Utf8 => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
                    Utf::Utf16 => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| wide(*unit)),
                    Utf::Utf32 if flags.little => bytes.extend((c as u32).to_le_bytes()),
                    Utf::Utf32 => bytes.extend((c as u32).to_be_bytes()),
                }
                writer.put_bytes(&mut self.heap, &bytes);
                Ok(())
            }
        }
    }

    fn write_integer(
        &mut self,
        writer: &mut BitWriter,
        value: Term,
        bits: u64,
        flags: Flags,
    ) -> Result<(), Atom> {
        if let (Some(small), true) = (value.as_small(), bits <= 64 && !flags.little) {
            writer.put(&mut self.heap, small as u64, bits);
            return Ok(());
        }
        let value = self.heap.as_integer(value).ok_or(atom::BADARG)?;
        // The lowest bits of its two's complement.
        let modulus = BigInt::from(1) << bits;
        let value = ((value % &modulus) + &modulus) % &modulus;
        let (_, mut bytes) = value.to_bytes_le();
        bytes.resize(bits.div_ceil(8) as usize, 0);
        let odd = bits % 8;
        if flags.little {
            let (last, whole) = match (odd, bytes.split_last()) {
                (0, _) | (_, None) => (None, &bytes[..]),
                (_, Some((last, whole))) => (Some(*last), whole),
            };
            writer.put_bytes(&mut self.heap, whole);
            if let Some(last) = last {
                writer.put(&mut self.heap, u64::from(last), odd);
            }
        } else {
            bytes.reverse();
            for (i, byte) in bytes.iter().enumerate() {
                let count = if i == 0 && odd != 0 { odd } else { 8 };
                writer.put(&mut self.heap, u64::from(*byte), count);
            }
        }
        Ok(())
    }
}

fn half_to_float(half: u16) -> f64 {
    let sign = if half & 0x8000 != 0 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(half >> 10 & 31), f64::from(half & 1023));
    sign * match exponent {
        0 => fraction * (-24f64).exp2(),
        31 => f64::INFINITY,
        exponent => (1.0 + fraction / 1024.0) * f64::from(exponent - 15).exp2(),
    }
}

fn float_to_half(value: f64) -> Option<u16> {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return Some(sign);
    }
    let exponent = (magnitude.log2().floor() as i32).max(-14);
    let mut scaled = (magnitude / f64::from(exponent - 10).exp2()).round_ties_even();
    let mut exponent = exponent;
    if scaled >= 2048.0 {
        scaled /= 2.0;
        exponent += 1;
    }
    let bits = match scaled < 1024.0 {
        true => scaled as i32,
        false => ((exponent + 15) << 10) + (scaled as i32 - 1024),
    };
    (bits < 31 << 10).then_some(sign | bits as u16)
}
