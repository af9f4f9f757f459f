//! The pools of libstdc++ in which threads wait for atomics.
//!
//! A thread waits on the futex of a pool if the atomic itself is no futex: a `bool`, or a number of 64 bits. The
//! address of the atomic selects one of 16 pools, and a notification wakes all threads of its pool. Two atomics
//! that share a pool hide a missing notification: that of the other atomic wakes the thread. Whether they share
//! one depends on their addresses, and all globals of a program would share one here. So there are more pools,
//! and a prime number of them.

use crate::ir::{BinaryOp, Constant, InstructionKind, Module, Operand, Type};

/// `std::__detail::__waiter_pool_base::_S_for`, which selects a pool.
const SELECT: &str = "_ZNSt8__detail18__waiter_pool_base6_S_forEPKv";

/// Its pools.
const POOLS: &str = "_ZZNSt8__detail18__waiter_pool_base6_S_forEPKvE3__w";

/// How many pools the library has.
const FEW: u128 = 16;

/// How many pools there are here.
const MANY: u64 = 127;

/// Gives the library more pools, unless the compiler has optimised the function that selects one.
pub(super) fn add_pools(module: &mut Module) {
    let Module { globals, functions, types, .. } = module;
    let Some(pools) = globals.iter_mut().find(|global| global.name == POOLS) else { return };
    let Type::Array(_, pool) = *types.get(pools.ty) else { return };
    let instructions = functions
        .iter_mut()
        .filter(|function| function.name == SELECT)
        .flat_map(|function| &mut function.blocks)
        .flat_map(|block| &mut block.instructions);
    let divisor =
        instructions.map(|instruction| &mut instruction.kind).find_map(|kind| match kind {
            InstructionKind::Binary {
                op: BinaryOp::URem,
                right: Operand::Constant(_, Constant::Int(divisor @ FEW)),
                ..
            } => Some(divisor),
            _ => None,
        });
    let Some(divisor) = divisor else { return };
    match &mut pools.initial {
        Some(Constant::Zero) => {}
        Some(Constant::Aggregate(all)) => {
            let Some(first) = all.first().cloned() else { return };
            all.resize(MANY as usize, first);
        }
        _ => return,
    }
    *divisor = u128::from(MANY);
    pools.ty = types.intern(Type::Array(MANY, pool));
}
