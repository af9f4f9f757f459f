//! A compact binary form of values, for searches that are saved and continued later.
//!
//! Integers are written in groups of seven bits, so that small ones take a byte. Whatever is read
//! may come from a damaged file: every error is reported, and no length is trusted before its
//! elements have been read. Front ends use it in [`Program::save`](crate::model::Program::save).

use std::time::Duration;

use smallvec::{Array, SmallVec};

/// Bytes that do not have the form of the value that was to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed;

/// The bytes that have not been read yet.
pub struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, Malformed> {
        let (first, rest) = self.0.split_first().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*first)
    }
}

/// A value with a binary form.
pub trait Wire: Sized {
    /// Appends the value.
    fn write(&self, to: &mut Vec<u8>);

    /// Reads a value.
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed>;
}

impl Wire for u64 {
    fn write(&self, to: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            to.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        to.push(rest as u8);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut value = 0_u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = from.byte()?;
            let bits = u64::from(byte & 0x7f);
            let shifted = bits << shift;
            if shifted >> shift != bits {
                return Err(Malformed);
            }
            value |= shifted;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed)
    }
}

macro_rules! wire_integers {
    ($($integer:ty),*) => {
        $(impl Wire for $integer {
            fn write(&self, to: &mut Vec<u8>) {
                (*self as u64).write(to);
            }

            fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
                u64::read(from)?.try_into().map_err(|_| Malformed)
            }
        })*
    };
}

wire_integers!(u8, u32, usize);

impl Wire for bool {
    fn write(&self, to: &mut Vec<u8>) {
        to.push(u8::from(*self));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed),
        }
    }
}

impl Wire for () {
    fn write(&self, _to: &mut Vec<u8>) {}

    fn read(_from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(())
    }
}

impl Wire for String {
    fn write(&self, to: &mut Vec<u8>) {
        self.len().write(to);
        to.extend_from_slice(self.as_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let len = usize::read(from)?;
        let (text, rest) = from.0.split_at_checked(len).ok_or(Malformed)?;
        from.0 = rest;
        String::from_utf8(text.to_vec()).map_err(|_| Malformed)
    }
}

impl Wire for Duration {
    fn write(&self, to: &mut Vec<u8>) {
        (self.as_nanos() as u64).write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        u64::read(from).map(Duration::from_nanos)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn write(&self, to: &mut Vec<u8>) {
        self.is_some().write(to);
        if let Some(value) = self {
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        bool::read(from)?.then(|| T::read(from)).transpose()
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn write(&self, to: &mut Vec<u8>) {
        self.len().write(to);
        self.iter().for_each(|value| value.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        // The elements are added one by one: the length may be wrong.
        (0..usize::read(from)?).map(|_| T::read(from)).collect()
    }
}

impl<A: Array<Item: Wire>> Wire for SmallVec<A> {
    fn write(&self, to: &mut Vec<u8>) {
        self.len().write(to);
        self.iter().for_each(|value| value.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut values = SmallVec::new();
        for _ in 0..usize::read(from)? {
            values.push(Wire::read(from)?);
        }
        Ok(values)
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn write(&self, to: &mut Vec<u8>) {
        self.0.write(to);
        self.1.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok((A::read(from)?, B::read(from)?))
    }
}

impl<A: Wire, B: Wire, C: Wire> Wire for (A, B, C) {
    fn write(&self, to: &mut Vec<u8>) {
        self.0.write(to);
        self.1.write(to);
        self.2.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok((A::read(from)?, B::read(from)?, C::read(from)?))
    }
}

/// Implements [`Wire`] for a struct, field by field. A field that is left out does not compile.
macro_rules! wire_struct {
    ($type:ty { $($key:tt: $field:ident),* $(,)? }) => {
        impl $crate::wire::Wire for $type {
            fn write(&self, to: &mut Vec<u8>) {
                let Self { $($key: $field),* } = self;
                $($crate::wire::Wire::write($field, to);)*
            }

            fn read(
                from: &mut $crate::wire::Reader<'_>,
            ) -> Result<Self, $crate::wire::Malformed> {
                $(let $field = $crate::wire::Wire::read(from)?;)*
                Ok(Self { $($key: $field),* })
            }
        }
    };
}
pub(crate) use wire_struct;

/// Implements [`Wire`] for an enum by the numbers of its variants. A variant that is left out does
/// not compile.
macro_rules! wire_enum {
    ($type:ty { $($number:literal => $variant:ident $({ $($key:tt: $field:ident),* })?),* $(,)? }) => {
        impl $crate::wire::Wire for $type {
            fn write(&self, to: &mut Vec<u8>) {
                match self {
                    $(Self::$variant { $($($key: $field),*)? } => {
                        to.push($number);
                        $($($crate::wire::Wire::write($field, to);)*)?
                    })*
                }
            }

            fn read(
                from: &mut $crate::wire::Reader<'_>,
            ) -> Result<Self, $crate::wire::Malformed> {
                Ok(match <u8 as $crate::wire::Wire>::read(from)? {
                    $($number => {
                        $($(let $field = $crate::wire::Wire::read(from)?;)*)?
                        Self::$variant { $($($key: $field),*)? }
                    })*
                    _ => return Err($crate::wire::Malformed),
                })
            }
        }
    };
}
pub(crate) use wire_enum;

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back<T: Wire + PartialEq + std::fmt::Debug>(value: T) {
        let mut bytes = Vec::new();
        value.write(&mut bytes);
        let mut reader = Reader(&bytes);
        assert_eq!(T::read(&mut reader), Ok(value));
        assert!(reader.0.is_empty(), "some bytes were not read");
        for len in 0..bytes.len() {
            assert_eq!(T::read(&mut Reader(&bytes[..len])), Err(Malformed));
        }
    }

    #[test]
    fn values_are_read_as_they_were_written() {
        [0, 1, 127, 128, 300, u64::MAX].into_iter().for_each(there_and_back);
        there_and_back((u32::MAX, "schedule".to_owned(), vec![Some(true), None]));
        there_and_back(Duration::from_millis(1500));
    }

    #[test]
    fn a_number_that_is_too_large_is_an_error() {
        assert_eq!(u64::read(&mut Reader(&[0xff; 10])), Err(Malformed));
        let mut bytes = Vec::new();
        u64::MAX.write(&mut bytes);
        assert_eq!(u32::read(&mut Reader(&bytes)), Err(Malformed));
    }

    #[test]
    fn a_wrong_length_allocates_nothing() {
        let mut bytes = Vec::new();
        u64::MAX.write(&mut bytes);
        assert_eq!(Vec::<u64>::read(&mut Reader(&bytes)), Err(Malformed));
        assert_eq!(String::read(&mut Reader(&bytes)), Err(Malformed));
    }
}
