//! Instructions that access memory, or compute an address.

use super::function::{Lowering, Result, Where};
use crate::bytecode::{Atomic, Op, Shape};
use crate::ir::{Instruction, InstructionKind, Operand, Type, TypeId, ValueId};
use crate::layout;

impl Lowering<'_, '_> {
    pub(super) fn atomic_size(&self, ty: TypeId) -> Result<(u8, u8)> {
        match self.ty(ty) {
            Type::Int(bits @ 65..=128) => Ok((16, *bits as u8)),
            _ => {
                let bits = layout::bits_of(&self.constants.module.types, ty);
                let bits = bits.ok_or("an atomic access to such a type is not supported")?;
                Ok((layout::size_of(&self.constants.module.types, ty) as u8, bits))
            }
        }
    }

    pub(super) fn shape(&mut self, ty: TypeId) -> u32 {
        let leaves = layout::leaves(&self.constants.module.types, ty);
        self.builder.shapes.push(Shape { leaves });
        self.builder.shapes.len() as u32 - 1
    }

    pub(super) fn load(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        pointer: &Operand,
        atomic: Atomic,
        align: Option<u32>,
    ) -> Result<()> {
        let Some(result) = instruction.result else { return Ok(()) };
        if let Operand::Value(local) = pointer
            && let Where::Register(slot) = self.values[local.0 as usize]
        {
            if self.values[result.0 as usize] == Where::Unknown && self.is_alias(result, *local) {
                self.values[result.0 as usize] = Where::Slots(slot, false);
                return Ok(());
            }
            let d = self.result_slot(result);
            self.moves(d, slot, self.slots_of(ty));
            return Ok(());
        }
        let types = &self.constants.module.types;
        match layout::bits_of(types, ty) {
            Some(_) => {
                let size = layout::stored_size(types, ty) as u8;
                let (a, offset) = self.address(pointer)?;
                let d = self.result_slot(result);
                let aligned = atomic.is_none() && is_aligned(size, align);
                self.emit(Op::Load { size, aligned, atomic, d, a, offset });
            }
            None => {
                let shape = self.shape(ty);
                let a = self.operand(pointer)?;
                let d = self.result_slot(result);
                self.emit(Op::LoadMany { atomic, d, a, shape });
            }
        }
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        value: &Operand,
        ty: TypeId,
        pointer: &Operand,
        atomic: Atomic,
        align: Option<u32>,
    ) -> Result<()> {
        if let Operand::Value(local) = pointer
            && let Where::Register(slot) = self.values[local.0 as usize]
        {
            let a = self.operand(value)?;
            self.moves(slot, a, self.slots_of(ty));
            return Ok(());
        }
        let types = &self.constants.module.types;
        match layout::bits_of(types, ty) {
            Some(_) => {
                let size = layout::stored_size(types, ty) as u8;
                let (a, offset) = self.address(pointer)?;
                let value = self.operand(value)?;
                let aligned = atomic.is_none() && is_aligned(size, align);
                self.emit(Op::Store { size, aligned, atomic, a, value, offset });
            }
            None => {
                let a = self.operand(pointer)?;
                // Refuses a constant that is too large.
                let value = self.operand(value)?;
                let shape = self.shape(ty);
                self.emit(Op::StoreMany { atomic, a, value, shape });
            }
        }
        Ok(())
    }

    /// Returns the greatest index into an array that is a member, but not the last one, of a struct, or that
    /// is an element of another array. The end of other arrays is the end of their object, or they may be
    /// longer than declared, as flexible arrays are.
    fn most_index(
        &self,
        instruction: &Instruction,
        ty: TypeId,
        base: &Operand,
        indices: &[(TypeId, Operand)],
    ) -> Option<u32> {
        let Type::Array(count, _) = self.ty(ty) else { return None };
        let Operand::Constant(_, crate::ir::Constant::Int(0)) = indices.first()?.1 else {
            return None;
        };
        let Operand::Value(base) = base else { return None };
        let before = &self.function.blocks[self.at.0].instructions[..self.at.1];
        let outer = before.iter().rev().find(|outer| outer.result == Some(*base))?;
        let InstructionKind::Element { ty: outer_ty, indices: path, .. } = &outer.kind else {
            return None;
        };
        let is_inner = match (self.ty(*outer_ty), path.as_slice()) {
            (Type::Struct { fields, .. }, [_, (_, Operand::Constant(_, field))]) => {
                matches!(field, crate::ir::Constant::Int(field) if *field + 1 < fields.len() as u128)
            }
            (Type::Array(..), [_, _]) => true,
            _ => false,
        };
        if !is_inner || *count == 0 {
            return None;
        }
        // The address of the end may be computed, but must not be used.
        let uses = instruction.result.map(|ValueId(result)| &self.uses[result as usize]);
        let is_used = uses.is_some_and(|uses| uses.only_address);
        u32::try_from(*count - u64::from(is_used)).ok()
    }

    pub(super) fn element(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        base: &Operand,
        indices: &[(TypeId, Operand)],
    ) -> Result<()> {
        let types = &self.constants.module.types;
        let (mut current, before) = self.address(base)?;
        let mut offset = i64::from(before);
        let mut inner = ty;
        let d = self.result(instruction);
        for (i, (index_ty, index)) in indices.iter().enumerate() {
            let scale = match (i, self.ty(inner)) {
                (0, _) => layout::size_of(types, ty),
                (_, Type::Array(_, element) | Type::Vector(_, element)) => {
                    let element = *element;
                    inner = element;
                    layout::size_of(types, element)
                }
                (_, Type::Struct { .. }) => {
                    let Operand::Constant(_, index) = index else {
                        return Err("a field is chosen by an index that is computed".to_owned());
                    };
                    let index = self.constants.index(*index_ty, index)?;
                    let (by, field) = layout::part(types, inner, index)
                        .ok_or("an index goes into something that has no parts")?;
                    offset = offset.wrapping_add(by as i64);
                    inner = field;
                    continue;
                }
                _ => return Err("an index goes into something that has no parts".to_owned()),
            };
            if let Operand::Constant(_, index) = index {
                let index = self.constants.index(*index_ty, index)?;
                offset = offset.wrapping_add(index.wrapping_mul(scale) as i64);
                continue;
            }
            let mut index = self.operand(index)?;
            if let Type::Int(bits @ 1..=63) = self.ty(*index_ty) {
                let wide = self.temporary(1);
                self.emit(Op::SignExtend { from: *bits as u8, to: 64, d: wide, a: index });
                index = wide;
            }
            if i == 1
                && let Some(most) = self.most_index(instruction, ty, base, indices)
            {
                self.emit(Op::CheckIndex { a: index, most });
            }
            let scale = u32::try_from(scale).map_err(|_| "an element is too large")?;
            // Not into the result, which may be what an index is in.
            let sum = self.temporary(1);
            self.emit(Op::Index { d: sum, a: current, index, scale });
            current = sum;
        }
        match offset {
            0 => self.moves(d, current, 1),
            offset => {
                self.emit(Op::Offset { d, a: current, offset });
            }
        }
        Ok(())
    }
}

/// Returns whether an access of so many bytes has the alignment of its size.
fn is_aligned(size: u8, align: Option<u32>) -> bool {
    size > 1 && size.is_power_of_two() && align.is_some_and(|align| align >= u32::from(size))
}
