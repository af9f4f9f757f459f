//! Instructions.

use mazurka_core::verdict::ViolationKind;

use super::function::{Lowering, Result, Where};
use super::uses::selects_bits;
use crate::bytecode::{Op, Orderings, Pc, Scalar, Slot};
use crate::ir::{
    BinaryOp, CastOp, Instruction, InstructionKind, Operand, Predicate, Type, TypeId, ValueId,
};
use crate::layout;
use crate::memory::address::MAX_SIZE;

impl Lowering<'_, '_> {
    pub(super) fn lower_instruction(&mut self, instruction: &Instruction) -> Result<()> {
        use InstructionKind as K;
        if let Some(ValueId(local)) = self.markers.converts(instruction.result)
            && matches!(self.values[local as usize], Where::Register(_))
        {
            return Ok(());
        }
        if self.is_folded(instruction) {
            return self.lower_folded(instruction);
        }
        match &instruction.kind {
            K::Alloca { ty, count, variable, .. } => {
                let Some(result) = instruction.result else { return Ok(()) };
                if matches!(self.values[result.0 as usize], Where::Register(_)) {
                    return Ok(());
                }
                let d = self.result_slot(result);
                let size = layout::size_of(&self.constants.module.types, *ty);
                let too_large = || {
                    let name = variable.as_ref().map_or("a local variable", |local| &local.name);
                    format!(
                        "`{name}` has {size} bytes, and {MAX_SIZE} is the most that a variable can have"
                    )
                };
                let fits = u32::try_from(size).ok().filter(|_| size <= MAX_SIZE);
                let size = fits.ok_or_else(too_large)?;
                let op = match count {
                    None => Op::Local { d, size },
                    Some(Operand::Constant(_, crate::ir::Constant::Int(1))) => {
                        Op::Local { d, size }
                    }
                    Some(count) => Op::LocalMany { d, size, count: self.operand(count)? },
                };
                let pc = self.emit(op);
                let builder = &mut self.builder;
                if builder.private.is_private(builder.function, result) {
                    builder.private_locals.insert(pc as Pc);
                }
                if let Some(variable) = variable {
                    self.builder.locals.insert(pc as u32, variable.clone());
                }
                // Its block has not begun.
                if self.markers.local(result).is_some() {
                    self.emit(Op::Lifetime { a: d, begins: false });
                }
            }
            K::Load { ty, pointer, atomic, align, .. } => {
                self.load(instruction, *ty, pointer, *atomic, *align)?;
            }
            K::Store { value, ty, pointer, atomic, align, .. } => {
                self.store(value, *ty, pointer, *atomic, *align)?;
            }
            K::CompareExchange { ty, pointer, expected, new, weak, orderings } => {
                let a = self.operand(pointer)?;
                let (expected, new) = (self.operand(expected)?, self.operand(new)?);
                let (size, bits) = self.atomic_size(*ty)?;
                let d = self.result(instruction);
                let orderings = Orderings::new(*orderings);
                let op = Op::CompareExchange { size, bits, orderings, d, a, expected, new };
                let pc = self.emit(op);
                if *weak && size <= 8 {
                    self.builder.weak.push(pc as u32);
                }
            }
            K::ReadModifyWrite { op, ty, pointer, value, ordering } => {
                let (a, value) = (self.operand(pointer)?, self.operand(value)?);
                let (size, bits) = self.atomic_size(*ty)?;
                if size > 8 {
                    return Err("a read-modify-write of 16 bytes is not supported".to_owned());
                }
                let d = self.result(instruction);
                let ordering = *ordering;
                self.emit(Op::ReadModifyWrite { op: *op, size, bits, ordering, d, a, value });
            }
            K::Fence(Some(ordering)) => {
                self.emit(Op::Fence { ordering: *ordering });
            }
            K::Fence(None) => {}
            K::Binary { op, signed, ty, left, right } => {
                let (a, b) = (self.operand(left)?, self.operand(right)?);
                let d = self.result(instruction);
                let result = instruction.result.map(|ValueId(value)| value as usize);
                let keeps_bits = result.is_some_and(|value| self.merged_bits[value]);
                self.for_each_element(*ty, |this, element, i, width| {
                    let slots = (d + i * width, a + i * width, b + i * width);
                    this.binary(*op, (*signed, keeps_bits), element, slots)
                })?;
            }
            K::Negate { ty, value } => {
                let a = self.operand(value)?;
                let d = self.result(instruction);
                self.for_each_element(*ty, |this, element, i, width| {
                    let bits = match this.ty(element) {
                        Type::Float => 32,
                        Type::Double => 64,
                        _ => 80,
                    };
                    this.emit(Op::Negate { bits, d: d + i * width, a: a + i * width });
                    Ok(())
                })?;
            }
            K::Compare { predicate, ty, left, right } => {
                let (a, b) = (self.operand(left)?, self.operand(right)?);
                let d = self.result(instruction);
                self.for_each_element(*ty, |this, element, i, width| {
                    this.compare(*predicate, element, d + i, a + i * width, b + i * width)
                })?;
            }
            K::Cast { op, from, value, to } => self.cast(instruction, *op, *from, value, *to)?,
            K::Element { ty, base, indices } => self.element(instruction, *ty, base, indices)?,
            K::Select { condition, ty, yes, no } => {
                let condition_ty = self.ty_of(condition);
                let condition = self.operand(condition)?;
                let (a, b) = (self.operand(yes)?, self.operand(no)?);
                let d = self.result(instruction);
                if let Type::Vector(count, _) = self.ty(condition_ty) {
                    let width = self.slots_of(*ty) / *count as u32;
                    for i in 0..*count as u32 {
                        let (d, a, b) = (d + i * width, a + i * width, b + i * width);
                        let condition = condition + i;
                        self.emit(Op::Select { d, condition, a, b, count: width as u16 });
                    }
                } else {
                    let count = self.slots_of(*ty) as u16;
                    self.emit(Op::Select { d, condition, a, b, count });
                }
            }
            // The blocks before put the value in place.
            K::Phi { .. } => {}
            K::ExtractValue { aggregate, ty, indices } => {
                let a = self.operand(aggregate)?;
                let (at, part) = self.slot_path(*ty, indices)?;
                let d = self.result(instruction);
                self.moves(d, a + at, self.slots_of(part));
            }
            K::InsertValue { aggregate, ty, element, element_ty, indices } => {
                let a = self.operand(aggregate)?;
                let element = self.operand(element)?;
                let (at, _) = self.slot_path(*ty, indices)?;
                let d = self.result(instruction);
                self.moves(d, a, self.slots_of(*ty));
                self.moves(d + at, element, self.slots_of(*element_ty));
            }
            K::ExtractElement { vector, ty, index } => {
                let (a, index) = (self.operand(vector)?, self.operand(index)?);
                let (width, count) = self.vector(*ty)?;
                let d = self.result(instruction);
                self.emit(Op::Extract { d, a, index, width, count });
            }
            K::InsertElement { vector, ty, element, index } => {
                let a = self.operand(vector)?;
                let (element, index) = (self.operand(element)?, self.operand(index)?);
                let (width, count) = self.vector(*ty)?;
                let d = self.result(instruction);
                self.moves(d, a, u32::from(width) * count);
                self.emit(Op::Insert { d, element, index, width, count });
            }
            K::ShuffleVector { left, right, ty, mask } => {
                let (a, b) = (self.operand(left)?, self.operand(right)?);
                let (width, count) = self.vector(*ty)?;
                let width = u32::from(width);
                let d = self.result(instruction);
                for (i, element) in mask.iter().enumerate() {
                    let from = match element {
                        Some(element) if *element >= count => b + (element - count) * width,
                        Some(element) => a + element * width,
                        None => a,
                    };
                    self.moves(d + i as u32 * width, from, width);
                }
            }
            K::Freeze(value) => {
                let count = self.slots_of(self.ty_of(value));
                let a = self.operand(value)?;
                let d = self.result(instruction);
                self.moves(d, a, count);
            }
            K::Lifetime { .. } => self.lifetime(&instruction.kind)?,
            K::Call { callee, result, arguments, by_value, named } => {
                let d = self.result(instruction);
                self.call(callee, *result, arguments, (by_value, *named), d)?;
            }
            K::Assembly { .. } => self.assembly(instruction)?,
            K::VaArg { .. } => {
                self.trap("`va_arg` as an instruction is not supported".to_owned());
            }
            K::LandingPad { ty, .. } => {
                let d = self.result(instruction);
                self.landed(*ty, d)?;
            }
            K::Unsupported(what) => self.trap(format!("`{what}` is not supported")),
        }
        Ok(())
    }

    pub(super) fn trap(&mut self, message: String) {
        self.trap_as(ViolationKind::Unsupported, message);
    }

    /// Emits a trap that reports a violation of this kind.
    pub(super) fn trap_as(&mut self, kind: ViolationKind, message: String) {
        let index = self.builder.messages.len() as u32;
        self.builder.messages.push((kind, message));
        self.emit(Op::Trap { message: index });
    }

    /// An instruction whose work is done by the instructions that use its result.
    fn lower_folded(&mut self, instruction: &Instruction) -> Result<()> {
        let Some(ValueId(result)) = instruction.result else { return Ok(()) };
        self.values[result as usize] = match &instruction.kind {
            InstructionKind::Cast { value, .. } | InstructionKind::Freeze(value) => {
                let (slot, offset) = self.lasting_address(value)?;
                match offset {
                    0 => Where::Slots(slot, false),
                    offset => Where::Sum(slot, offset),
                }
            }
            InstructionKind::Element { ty, base, indices } => {
                let mut constant = Vec::new();
                for (ty, index) in indices {
                    if let Operand::Constant(_, index) = index {
                        constant.push((*ty, index.clone()));
                    }
                }
                let offset = self.constants.offset(*ty, &constant)? as i64;
                let (slot, before) = self.lasting_address(base)?;
                let sum = i32::try_from(i64::from(before) + offset)
                    .map_err(|_| "an offset is too large")?;
                Where::Sum(slot, sum)
            }
            _ => Where::Fused,
        };
        Ok(())
    }

    /// The slot of an address that stays as it is for longer than this instruction.
    fn lasting_address(&mut self, operand: &Operand) -> Result<(Slot, i32)> {
        if let Operand::Constant(_, constant) = operand
            && let Some((index, offset)) = self.constants.thread_local(constant)?
        {
            let d = self.frame.own(1);
            self.emit(Op::ThreadLocal { d, index });
            return Ok((d, i32::try_from(offset as i64).map_err(|_| "an offset is too large")?));
        }
        self.address(operand)
    }

    pub(super) fn moves(&mut self, d: Slot, a: Slot, count: u32) {
        match count {
            0 => {}
            _ if d == a || d == crate::bytecode::NOWHERE => {}
            1 => {
                self.emit(Op::Move { d, a });
            }
            count => {
                self.emit(Op::MoveMany { d, a, count });
            }
        }
    }

    /// Calls `lower` for each element of a vector, or once for anything else, with the element's
    /// type, its index and how many slots an element takes.
    fn for_each_element(
        &mut self,
        ty: TypeId,
        mut lower: impl FnMut(&mut Self, TypeId, u32, u32) -> Result<()>,
    ) -> Result<()> {
        match self.ty(ty) {
            Type::Vector(count, element) => {
                let width = self.slots_of(*element);
                (0..*count as u32).try_for_each(|i| lower(self, *element, i, width))
            }
            _ => {
                let width = self.slots_of(ty);
                lower(self, ty, 0, width)
            }
        }
    }

    fn vector(&self, ty: TypeId) -> Result<(u8, u32)> {
        match self.ty(ty) {
            Type::Vector(count, element) => Ok((self.slots_of(*element) as u8, *count as u32)),
            _ => Err("a vector was expected".to_owned()),
        }
    }

    fn slot_path(&self, ty: TypeId, indices: &[u32]) -> Result<(u32, TypeId)> {
        let mut at = (0, ty);
        for index in indices {
            let part = layout::slot_part(&self.constants.module.types, at.1, *index);
            let (by, part) = part.ok_or("an index goes into something that has no parts")?;
            at = (at.0 + by, part);
        }
        Ok(at)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        (signed, keeps_bits): (bool, bool),
        ty: TypeId,
        (d, a, b): (Slot, Slot, Slot),
    ) -> Result<()> {
        let op = match self.ty(ty) {
            Type::Float => Op::Float { op, d, a, b },
            Type::Double => Op::Double { op, d, a, b },
            Type::LongDouble => Op::LongDouble { op, d, a, b },
            Type::Int(bits @ 1..=64) => {
                let bits = *bits as u8;
                match op {
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if signed => {
                        Op::Signed { op, bits, d, a, b }
                    }
                    BinaryOp::Add => Op::Add { bits, d, a, b },
                    BinaryOp::Sub => Op::Sub { bits, d, a, b },
                    op if selects_bits(op) && !keeps_bits => Op::Bits { op, bits, d, a, b },
                    op => Op::Integer { op, bits, d, a, b },
                }
            }
            Type::Int(bits @ 65..=128) => Op::Wide { op, bits: *bits as u8, d, a, b },
            other => return Err(format!("arithmetic on {other:?} is not supported")),
        };
        self.emit(op);
        Ok(())
    }

    fn compare(
        &mut self,
        predicate: Predicate,
        ty: TypeId,
        d: Slot,
        a: Slot,
        b: Slot,
    ) -> Result<()> {
        let op = match self.ty(ty) {
            Type::Float => Op::CompareFloat { predicate, bits: 32, d, a, b },
            Type::Double => Op::CompareFloat { predicate, bits: 64, d, a, b },
            Type::LongDouble => Op::CompareFloat { predicate, bits: 80, d, a, b },
            Type::Pointer => Op::Compare { predicate, bits: 64, d, a, b },
            Type::Int(bits @ 1..=64) => Op::Compare { predicate, bits: *bits as u8, d, a, b },
            Type::Int(bits @ 65..=128) => Op::CompareWide { predicate, bits: *bits as u8, d, a, b },
            other => return Err(format!("a comparison of {other:?} is not supported")),
        };
        self.emit(op);
        Ok(())
    }

    fn scalar(&self, ty: TypeId) -> Result<Scalar> {
        Ok(match self.ty(ty) {
            Type::Int(bits @ 1..=128) => Scalar::Int(*bits as u8),
            Type::Pointer => Scalar::Int(64),
            Type::Float => Scalar::Float,
            Type::Double => Scalar::Double,
            Type::LongDouble => Scalar::LongDouble,
            other => return Err(format!("a conversion of {other:?} is not supported")),
        })
    }

    fn cast(
        &mut self,
        instruction: &Instruction,
        op: CastOp,
        from: TypeId,
        value: &Operand,
        to: TypeId,
    ) -> Result<()> {
        let a = self.operand(value)?;
        let d = self.result(instruction);
        let is_aggregate = |ty| matches!(self.ty(ty), Type::Vector(..));
        if op == CastOp::Bitcast && (is_aggregate(from) || is_aggregate(to)) {
            return self.reinterpret(from, to, d, a);
        }
        let (from_element, to_element, count) = match (self.ty(from), self.ty(to)) {
            (Type::Vector(count, from), Type::Vector(_, to)) => (*from, *to, *count as u32),
            _ => (from, to, 1),
        };
        let (from_width, to_width) = (self.slots_of(from_element), self.slots_of(to_element));
        for i in 0..count {
            let (d, a) = (d + i * to_width, a + i * from_width);
            let (from, to) = (self.scalar(from_element)?, self.scalar(to_element)?);
            let op = match (op, from, to) {
                (CastOp::ZExt | CastOp::Bitcast | CastOp::AddrSpaceCast, _, _)
                    if from_width == 1 && to_width == 1 =>
                {
                    Op::Move { d, a }
                }
                (CastOp::Bitcast, _, _) => Op::MoveMany { d, a, count: from_width },
                (
                    CastOp::Trunc | CastOp::PtrToInt | CastOp::IntToPtr,
                    Scalar::Int(..=64),
                    Scalar::Int(bits @ ..=64),
                ) => Op::Truncate { bits, d, a },
                (CastOp::SExt, Scalar::Int(from @ ..=64), Scalar::Int(to @ ..=64)) => {
                    Op::SignExtend { from, to, d, a }
                }
                (op, from, to) => Op::Convert { op, from, to, d, a },
            };
            self.emit(op);
        }
        Ok(())
    }

    /// A conversion between types that differ in how many numbers they are: by way of memory.
    fn reinterpret(&mut self, from: TypeId, to: TypeId, d: Slot, a: Slot) -> Result<()> {
        let size = layout::size_of(&self.constants.module.types, from);
        let memory = self.temporary(1);
        self.emit(Op::Local { d: memory, size: size as u32 });
        let shape = self.shape(from);
        self.emit(Op::StoreMany { atomic: None, a: memory, value: a, shape });
        let shape = self.shape(to);
        self.emit(Op::LoadMany { atomic: None, d, a: memory, shape });
        Ok(())
    }
}
