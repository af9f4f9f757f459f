//! Locals that need no address: whatever is only loaded and stored as a whole becomes a register.

use super::lifetimes::Markers;
use crate::ir::{Function, InstructionKind, Operand, TypeId, Types, ValueId};
use crate::layout;

/// For every value, the type of the register that stands for it, if it is such a local.
pub(super) fn promotable(
    types: &Types,
    function: &Function,
    markers: &Markers,
) -> Vec<Option<TypeId>> {
    let mut found: Vec<Option<TypeId>> = vec![None; function.values.len()];
    let Some(entry) = function.blocks.first() else { return found };
    for instruction in &entry.instructions {
        if let (Some(ValueId(result)), InstructionKind::Alloca { ty, count: None, .. }) =
            (instruction.result, &instruction.kind)
            && is_scalar(types, *ty)
        {
            found[result as usize] = Some(*ty);
        }
    }
    let mut forbid = |operand: &Operand| {
        if let Operand::Value(ValueId(value)) = operand {
            found[*value as usize] = None;
        }
    };
    let size = |ty| layout::size_of(types, ty);
    let mut accesses: Vec<(ValueId, TypeId)> = Vec::new();
    for block in &function.blocks {
        for instruction in &block.instructions {
            match &instruction.kind {
                InstructionKind::Load { ty, pointer: Operand::Value(pointer), .. } => {
                    accesses.push((*pointer, *ty));
                }
                InstructionKind::Store { ty, pointer: Operand::Value(pointer), value, .. } => {
                    accesses.push((*pointer, *ty));
                    forbid(value);
                }
                InstructionKind::Phi { incoming, .. } => {
                    incoming.iter().for_each(|(operand, _)| forbid(operand));
                }
                InstructionKind::Lifetime { .. } if markers.marked(&instruction.kind).is_some() => {
                }
                InstructionKind::Cast { .. } if markers.converts(instruction.result).is_some() => {}
                _ => super::uses::operands(instruction, &mut forbid),
            }
        }
        super::uses::terminator_operands(&block.terminator.kind, &mut forbid);
    }
    for (ValueId(pointer), ty) in accesses {
        let local = &mut found[pointer as usize];
        if local.is_some_and(|local| !is_scalar(types, ty) || size(local) != size(ty)) {
            *local = None;
        }
    }
    found
}

/// Whether a type is one number or pointer.
fn is_scalar(types: &Types, ty: TypeId) -> bool {
    use crate::ir::Type;
    matches!(
        types.get(ty),
        Type::Int(1..=128) | Type::Float | Type::Double | Type::LongDouble | Type::Pointer
    )
}
