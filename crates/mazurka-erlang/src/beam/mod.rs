//! Compiled modules: the container, and the compact encoding of instructions.

mod container;
mod operand;

pub(crate) use container::Container;
pub(crate) use operand::{Operand, Operands};

/// The highest instruction of Erlang/OTP 27.
pub(crate) const LAST_OPCODE: u32 = 183;

/// How many operands each instruction has.
pub(crate) const ARITIES: [u8; LAST_OPCODE as usize + 1] = [
    0, 1, 3, 0, 2, 3, 2, 2, 3, 2, 4, 5, 2, 3, 2, 3, 2, 1, 1, 0, 0, 0, 0, 2, 1, 1, 2, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 1, 2, 1,
    2, 3, 3, 3, 3, 3, 2, 1, 1, 0, 1, 1, 3, 2, 2, 2, 5, 5, 5, 4, 2, 1, 1, 2, 2, 5, 5, 5, 2, 1, 0, 1,
    2, 2, 4, 4, 4, 4, 3, 1, 2, 1, 1, 1, 2, 6, 3, 5, 1, 2, 2, 3, 5, 7, 7, 7, 5, 3, 2, 2, 5, 6, 2, 2,
    2, 2, 1, 3, 4, 0, 8, 6, 2, 6, 5, 4, 5, 4, 5, 4, 3, 3, 3, 3, 3, 0, 1, 1, 7, 1, 5, 5, 2, 3, 3, 4,
    0, 0, 2, 2, 2, 3, 4, 3, 2, 2, 4, 3, 1, 2, 1, 1, 1, 6, 3, 0, 1, 5, 3, 2,
];
