//! Uses of values that were never written.
//!
//! A slot that holds [`NEVER_WRITTEN`] has no value, whatever its width: the upper bits of a narrower
//! value would be zero. Loads of memory that was never written give it, and so does arithmetic on it.
//! Copies are fine. What matters is a use: a branch, an address, an argument of the library.
//!
//! An `or` makes a value of it again, because it may merge bits that were written with bits that were not:
//! an assignment to a bit-field does. The masks and shifts before such an `or` are [`Op::Integer`], and
//! also make a value. Other masks and shifts are [`Op::Bits`], and give [`NEVER_WRITTEN`].
//!
//! [`Op::Integer`]: crate::bytecode::Op::Integer
//! [`Op::Bits`]: crate::bytecode::Op::Bits

use mazurka_core::verdict::ViolationKind;

use super::LlvmMachine;
use super::access::Halt;
use super::allowed::Undefined;
use super::property::OVERFLOW;
use crate::arithmetic::{signed, truncate};
use crate::bytecode::Pc;
use crate::ir::BinaryOp;
use crate::memory::NEVER_WRITTEN;

/// Returns whether the result of an operation is not known if one of its operands is not.
pub(super) fn spreads(op: BinaryOp) -> bool {
    use BinaryOp::{AShr, And, LShr, Or, Shl, Xor};
    !matches!(op, And | Or | Xor | Shl | LShr | AShr)
}

/// Returns whether an operation is a shift.
pub(super) fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr)
}

impl LlvmMachine {
    /// Returns what a load gives of memory that looks as if it was never written.
    #[cold]
    #[inline(never)]
    pub(super) fn load_never_written(
        &mut self,
        pc: Pc,
        address: u64,
        byte: usize,
        len: u32,
    ) -> u64 {
        let value = truncate(NEVER_WRITTEN, (8 * len) as u8);
        if self.options.allow.contains(Undefined::Uninitialised)
            || !self.memory.is_never_written(byte, len)
        {
            return value;
        }
        self.origin = Some((pc, address, len));
        NEVER_WRITTEN
    }

    /// Takes note of memory that was never written, and of the instruction that has read it.
    pub(crate) fn note_origin(&mut self, pc: Pc, address: u64, len: u32) {
        self.origin = Some((pc, address, len));
    }

    /// Returns whether a slot that holds [`NEVER_WRITTEN`] really has no value.
    #[cold]
    #[inline(never)]
    pub(super) fn has_no_value(&self, bits: u8) -> bool {
        let allowed = self.options.allow.contains(Undefined::Uninitialised);
        !allowed && (bits < 64 || !self.memory.is_ambiguous())
    }

    /// Reports undefined behaviour, unless it is allowed.
    #[cold]
    #[inline(never)]
    pub(super) fn undefined(
        &mut self,
        thread: usize,
        pc: Pc,
        kind: Undefined,
        message: String,
    ) -> Result<(), Halt> {
        if self.options.allow.contains(kind) {
            return Ok(());
        }
        let violation = self.violation_at(pc, ViolationKind::UndefinedBehaviour, message);
        Err(self.fail_at(thread, pc, violation))
    }

    /// Reports arithmetic on signed integers whose result does not fit, unless that is allowed.
    #[cold]
    #[inline(never)]
    pub(super) fn overflows(
        &mut self,
        thread: usize,
        pc: Pc,
        op: BinaryOp,
        bits: u8,
        (a, b): (u64, u64),
    ) -> Result<(), Halt> {
        let sign = match op {
            BinaryOp::Add => '+',
            BinaryOp::Sub => '-',
            _ => '*',
        };
        let (a, b) = (signed(a, bits), signed(b, bits));
        let message = format!("{OVERFLOW}: {a} {sign} {b} does not fit into {bits} bits");
        self.undefined(thread, pc, Undefined::SignedOverflow, message)
    }

    /// Reports an index that leaves an array within its object.
    #[cold]
    #[inline(never)]
    pub(super) fn leaves_array(&mut self, thread: usize, pc: Pc, index: u64, most: u32) -> Halt {
        let message = format!(
            "the index {} leaves an array, whose greatest index is {most}, for its neighbour",
            index as i64
        );
        let violation = self.violation_at(pc, ViolationKind::InvalidMemory, message);
        self.fail_at(thread, pc, violation)
    }

    /// Reports an access that is not aligned, unless that is allowed.
    #[cold]
    #[inline(never)]
    pub(super) fn misaligned(
        &mut self,
        thread: usize,
        pc: Pc,
        address: u64,
        size: u8,
    ) -> Result<(), Halt> {
        // What else is wrong with the address is worse.
        if self.memory.find(thread, address, u32::from(size)).is_err() {
            return Ok(());
        }
        let message = format!(
            "an access to {size} bytes of {} is not aligned: it starts at byte {}",
            self.describe_object(address),
            self.memory.offset_of(address)
        );
        self.undefined(thread, pc, Undefined::Alignment, message)
    }

    /// Reports the use of a value that was never written.
    #[cold]
    #[inline(never)]
    pub(super) fn uses_no_value(&mut self, thread: usize, pc: Pc, how: &str) {
        let (kind, message) = self.describe_no_value(pc, how);
        let violation = self.violation_at(pc, kind, message);
        self.fail_at(thread, pc, violation);
    }

    /// Returns the kind of violation that the use of a value is that was never written, and its message.
    pub(crate) fn describe_no_value(&self, pc: Pc, how: &str) -> (ViolationKind, String) {
        if self.has_any_value {
            let message = format!(
                "{how} any value of `__VERIFIER_nondet_…`, which are too many to try: say from where to \
                 where (on the command line, by --nondet FROM..TO)"
            );
            return (ViolationKind::Unsupported, message);
        }
        let message = self.no_value(pc, how);
        match self.options.property {
            // It may be any value. The property can hold for some and not for others.
            Some(_) => (ViolationKind::Unsupported, format!("{message}: it may be any value")),
            None => (ViolationKind::UndefinedBehaviour, message),
        }
    }

    /// Returns whether a slot that holds [`NEVER_WRITTEN`] may hold any value of `__VERIFIER_nondet_…`. Then
    /// every operation gives any value: a definite result would stand for only one of them.
    pub(super) fn has_any_value(&self) -> bool {
        self.has_any_value
    }

    /// Takes note that the program has got an unknown value.
    pub(crate) fn note_any_value(&mut self) {
        self.has_any_value = true;
    }

    /// Returns the message about a use of a value that was never written.
    fn no_value(&self, pc: Pc, how: &str) -> String {
        match self.name_of_origin(pc) {
            Some(name) => format!("{how} `{name}`, which was never written"),
            None => format!("{how} a variable that was never written"),
        }
    }

    /// Returns the message about a use of a pointer that was never written.
    pub(super) fn pointer_never_written(&self, pc: Pc) -> String {
        match self.name_of_origin(pc) {
            Some(name) => format!("the pointer `{name}` is used, but was never written"),
            None => "a pointer is used that was never written".to_owned(),
        }
    }

    /// Returns the name of the memory that was never written, if it was loaded in the same line.
    fn name_of_origin(&self, pc: Pc) -> Option<String> {
        let line = |pc| self.code.place(pc).map(|place| (place.file, place.line));
        let (_, address, len) = self.origin.filter(|(load, ..)| line(*load) == line(pc))?;
        Some(self.describe_memory(address, len))
    }
}
