//! The registers of the interpreter, and its arithmetic on floating-point numbers.

use crate::bytecode::Slot;
use crate::ir::BinaryOp;

/// The slots of the current frame. Slots of an instruction lie within the frame of its function, as
/// the lowering has laid it out, and the stack of the thread reaches to the end of the current frame.
/// Whatever may move the stack takes the registers anew.
pub(super) struct Registers(*mut u64);

impl Registers {
    /// Returns the slots that start here.
    pub(super) fn new(frame: &mut [u64]) -> Self {
        Registers(frame.as_mut_ptr())
    }

    #[inline(always)]
    pub(super) fn get(&self, slot: Slot) -> u64 {
        // SAFETY: see above.
        unsafe { *self.0.add(slot as usize) }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, slot: Slot, value: u64) {
        // SAFETY: see above.
        unsafe { *self.0.add(slot as usize) = value }
    }

    /// Copies slots, which may overlap.
    pub(super) fn copy(&mut self, to: Slot, from: Slot, count: u32) {
        // SAFETY: see above.
        unsafe {
            let (from, to) = (self.0.add(from as usize), self.0.add(to as usize));
            std::ptr::copy(from, to, count as usize);
        }
    }
}

#[inline]
pub(super) fn float(op: BinaryOp, a: f32, b: f32) -> f32 {
    match op {
        BinaryOp::FAdd => a + b,
        BinaryOp::FSub => a - b,
        BinaryOp::FMul => a * b,
        BinaryOp::FDiv => a / b,
        _ => a % b,
    }
}

#[inline]
pub(super) fn double(op: BinaryOp, a: f64, b: f64) -> f64 {
    match op {
        BinaryOp::FAdd => a + b,
        BinaryOp::FSub => a - b,
        BinaryOp::FMul => a * b,
        BinaryOp::FDiv => a / b,
        _ => a % b,
    }
}
