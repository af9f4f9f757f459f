//! The arguments of functions that take any number of them, such as `printf`.

use mazurka_core::verdict::ViolationKind;

use crate::bytecode::ArgumentKind;
use crate::machine::{Call, Stop};

/// Where the arguments of a format come from.
pub(super) enum Source {
    /// The arguments of the call, from this one on.
    Call(usize),
    /// A `va_list`.
    List(VaList),
}

/// A `va_list` of x86-64: what was passed in registers is in one place, all else in another.
pub(super) struct VaList {
    general: u64,
    floating: u64,
    overflow: u64,
    saved: u64,
}

impl VaList {
    /// Reads one; what it stands at is not changed, as C allows.
    pub(super) fn new(call: &mut Call<'_>, address: u64) -> Result<VaList, Stop> {
        Ok(VaList {
            general: call.read(address, 4)?,
            floating: call.read(address.wrapping_add(4), 4)?,
            overflow: call.read(address.wrapping_add(8), 8)?,
            saved: call.read(address.wrapping_add(16), 8)?,
        })
    }

    fn word(&mut self, call: &mut Call<'_>, floating: bool) -> Result<u64, Stop> {
        let (next, size, end) = match floating {
            true => (&mut self.floating, 16, 176),
            false => (&mut self.general, 8, 48),
        };
        if *next < end {
            let address = self.saved.wrapping_add(*next);
            *next += size;
            return call.read(address, 8);
        }
        let address = self.overflow;
        self.overflow = address.wrapping_add(8);
        call.read(address, 8)
    }

    fn long_double(&mut self, call: &mut Call<'_>) -> Result<u128, Stop> {
        let address = self.overflow.wrapping_add(15) & !15;
        self.overflow = address.wrapping_add(16);
        let low = call.read(address, 8)?;
        let high = call.read(address.wrapping_add(8), 2)?;
        Ok(u128::from(low) | u128::from(high) << 64)
    }
}

impl Source {
    pub(super) fn int(&mut self, call: &mut Call<'_>) -> Result<u64, Stop> {
        match self {
            Source::Call(next) => {
                let is_it = |kind| matches!(kind, ArgumentKind::Int(_) | ArgumentKind::Pointer);
                let index = take(call, next, "an integer or a pointer", is_it)?;
                Ok(call.int(index))
            }
            Source::List(list) => list.word(call, false),
        }
    }

    pub(super) fn double(&mut self, call: &mut Call<'_>) -> Result<f64, Stop> {
        match self {
            Source::Call(next) => {
                let index = take(call, next, "a `double`", |kind| kind == ArgumentKind::Double)?;
                Ok(call.double(index))
            }
            Source::List(list) => list.word(call, true).map(f64::from_bits),
        }
    }

    /// The bits of a `long double`.
    pub(super) fn long_double(&mut self, call: &mut Call<'_>) -> Result<u128, Stop> {
        match self {
            Source::Call(next) => {
                let is_it = |kind| kind == ArgumentKind::LongDouble;
                let index = take(call, next, "a `long double`", is_it)?;
                let (low, high) = (call.slot(index, 0), call.slot(index, 1));
                Ok(u128::from(low) | u128::from(high) << 64)
            }
            Source::List(list) => list.long_double(call),
        }
    }
}

/// Takes the next argument of a call. It must be there, have a value, and be of the kind that the format
/// needs.
fn take(
    call: &Call<'_>,
    next: &mut usize,
    needed: &str,
    is_needed: impl Fn(ArgumentKind) -> bool,
) -> Result<usize, Stop> {
    let index = *next;
    *next += 1;
    let position = index + 1;
    let wrong = |message| call.violation(ViolationKind::UndefinedBehaviour, message);
    if index >= call.len() {
        return Err(wrong(format!(
            "the format needs {needed} as argument {position}, which is missing"
        )));
    }
    if !is_needed(call.kind(index)) {
        return Err(wrong(format!(
            "the format needs {needed} as argument {position}, which is none"
        )));
    }
    call.check_written(index)?;
    Ok(index)
}
