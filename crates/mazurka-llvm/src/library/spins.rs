//! Loops of libstdc++ that spin before they wait on a futex.
//!
//! `__atomic_spin` evaluates a condition up to 16 times before a thread waits. Here it does so once. A round in
//! which the condition does not hold changes nothing. So an execution in which it holds in a later round has the
//! outcome of one in which the thread arrives later. Each further round would multiply the executions.

use crate::ir::{Constant, InstructionKind, Module, Operand};

/// The start of the name of each instance of `std::__detail::__atomic_spin`.
const SPIN: &str = "_ZNSt8__detail13__atomic_spinI";

/// How many rounds there are.
const ROUNDS: u128 = 16;

/// Lets the loops end after one round.
pub(super) fn shorten_spins(module: &mut Module) {
    let spins = module.functions.iter_mut().filter(|function| function.name.starts_with(SPIN));
    for block in spins.flat_map(|function| &mut function.blocks) {
        for instruction in &mut block.instructions {
            if let InstructionKind::Compare { right, .. } = &mut instruction.kind
                && let Operand::Constant(_, Constant::Int(rounds @ ROUNDS)) = right
            {
                *rounds = 1;
            }
        }
    }
}
