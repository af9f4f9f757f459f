//! One function.

use super::constants::Constants;
use super::frame::Frame;
use super::lifetimes::Markers;
use super::uses::{self, Uses};
use super::{Builder, promote, signatures, source_name};
use crate::bytecode::{FRAME_HEADER, FunctionCode, NOWHERE, Op, Pc, Slot};
use crate::ir::{
    BlockId, CastOp, Function, Instruction, InstructionKind, Operand, Place, Predicate, Type,
    TypeId, ValueId,
};
use crate::layout;
use crate::memory::NEVER_WRITTEN;

pub(super) type Result<T> = std::result::Result<T, String>;

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Where {
    /// Nowhere yet.
    Unknown,
    /// In these slots; `true` if they are to be given back after its last use.
    Slots(Slot, bool),
    /// It is never computed: each instruction that uses it adds this to what is in the slot.
    Sum(Slot, i32),
    /// It is never computed: it is part of the branch at the end of its block.
    Fused,
    /// It is the address of a local that became the register in these slots.
    Register(Slot),
}

/// A jump whose target is not known yet.
pub(super) struct Fixup {
    pub(super) op: usize,
    pub(super) to: BlockId,
}

/// A function on its way to bytecode.
pub(super) struct Lowering<'a, 'm> {
    pub(super) builder: &'a mut Builder,
    pub(super) constants: &'a Constants<'m>,
    pub(super) function: &'m Function,
    pub(super) uses: Vec<Uses>,
    /// Whether the bits of a value are merged with others.
    pub(super) merged_bits: Vec<bool>,
    /// Where the lives of block variables begin and end.
    pub(super) markers: Markers,
    pub(super) values: Vec<Where>,
    pub(super) frame: Frame,
    pub(super) place: Option<Place>,
    pub(super) fixups: Vec<Fixup>,
    pub(super) starts: Vec<Pc>,
    /// Landing pads, and the blocks that they are in.
    pub(super) landings: Vec<(usize, BlockId)>,
    /// Slots to give back after the current instruction.
    temporaries: Vec<(Slot, u32)>,
    /// Values whose slots are to be given back.
    borrowed: Vec<ValueId>,
    /// The slot of the variable arguments.
    pub(super) variadic: Option<Slot>,
    pub(super) is_atomic: bool,
    /// The block and the instruction that are being lowered.
    pub(super) at: (usize, usize),
}

/// How many bytes a value in registers may have.
pub(super) const LARGEST_VALUE: u64 = 1 << 20;

/// Lowers a function that has a body.
pub(super) fn lower_function(
    builder: &mut Builder,
    constants: &Constants<'_>,
    function: &Function,
) -> Result<FunctionCode> {
    let types = &constants.module.types;
    if let Some(ty) = function.values.iter().find(|ty| layout::size_of(types, **ty) > LARGEST_VALUE)
    {
        return Err(format!(
            "{}: a value of {} bytes is too large",
            source_name(function),
            layout::size_of(types, *ty)
        ));
    }
    let values = vec![Where::Unknown; function.values.len()];
    let is_atomic = function.name.starts_with("__VERIFIER_atomic_");
    let uses = uses::uses(function);
    let merged_bits = uses::merged_bits(function);
    let markers = Markers::of(function, &uses);
    let mut lowering = Lowering {
        builder,
        constants,
        function,
        uses,
        merged_bits,
        markers,
        values,
        frame: Frame::new(),
        place: function.place,
        fixups: Vec::new(),
        starts: Vec::new(),
        landings: Vec::new(),
        temporaries: Vec::new(),
        borrowed: Vec::new(),
        variadic: None,
        is_atomic,
        at: (0, 0),
    };
    let entry = lowering.builder.here();
    for (i, parameter) in function.parameters.iter().enumerate() {
        let slot = lowering.frame.own(layout::slots_of(types, parameter.ty));
        lowering.values[i] = Where::Slots(slot, false);
    }
    let parameters = lowering.frame.len() - FRAME_HEADER;
    if function.variadic {
        lowering.variadic = Some(lowering.frame.own(1));
    }
    lowering.promote();
    lowering.fold();
    lowering.assign_escaping();
    if is_atomic {
        lowering.emit(Op::AtomicBegin);
    }
    lowering.lower_blocks()?;
    let exit = 0;
    let signature = signatures::of_function(constants.module, function);
    let signature = signature.map(|signature| lowering.builder.signature(signature));
    Ok(FunctionCode {
        name: function.name.clone(),
        source_name: source_name(function),
        entry: Some(entry),
        library: None,
        frame: lowering.frame.len(),
        parameters,
        variadic: lowering.variadic,
        signature,
        exit,
        initial: std::mem::take(&mut lowering.frame.initial),
    })
}

impl<'m> Lowering<'_, 'm> {
    pub(super) fn emit(&mut self, op: Op) -> usize {
        self.builder.ops.push(op);
        self.builder.places.push(self.place);
        self.builder.ops.len() - 1
    }

    pub(super) fn slots_of(&self, ty: TypeId) -> u32 {
        layout::slots_of(&self.constants.module.types, ty)
    }

    pub(super) fn ty(&self, ty: TypeId) -> &'m Type {
        self.constants.module.types.get(ty)
    }

    pub(super) fn ty_of(&self, operand: &Operand) -> TypeId {
        match operand {
            Operand::Value(ValueId(value)) => self.function.values[*value as usize],
            Operand::Constant(ty, _) => *ty,
        }
    }

    /// Gives locals that need no address a register. A parameter that is only kept in such a
    /// local shares its slot.
    fn promote(&mut self) {
        let types = &self.constants.module.types;
        let promotable = promote::promotable(types, self.function, &self.markers);
        let mut homes: Vec<Option<Slot>> = vec![None; promotable.len()];
        if let Some(entry) = self.function.blocks.first() {
            let mut touched = vec![false; promotable.len()];
            for instruction in &entry.instructions {
                let pointer = uses::address_of(instruction);
                let Some(Operand::Value(ValueId(address))) = pointer else { continue };
                if std::mem::replace(&mut touched[*address as usize], true) {
                    continue;
                }
                if let InstructionKind::Store {
                    value: Operand::Value(ValueId(value)),
                    pointer: Operand::Value(ValueId(pointer)),
                    ty,
                    ..
                } = &instruction.kind
                    && (*value as usize) < self.function.parameters.len()
                    && self.uses[*value as usize].count == 1
                    && homes[*pointer as usize].is_none()
                    && promotable[*pointer as usize] == Some(*ty)
                    && let Where::Slots(slot, _) = self.values[*value as usize]
                {
                    homes[*pointer as usize] = Some(slot);
                }
            }
        }
        for (value, ty) in promotable.iter().enumerate() {
            let Some(ty) = ty else { continue };
            let slot = match homes[value] {
                Some(slot) => slot,
                None => {
                    let slot = self.frame.own(self.slots_of(*ty));
                    for (i, leaf) in layout::leaves(types, *ty).iter().enumerate() {
                        // The upper bits, too, which says that there is no value.
                        self.frame.initial.push((slot + i as u32, NEVER_WRITTEN));
                        if leaf.slots() == 2 {
                            self.frame.initial.push((slot + 1, NEVER_WRITTEN));
                        }
                    }
                    slot
                }
            };
            self.values[value] = Where::Register(slot);
        }
    }

    /// Extends the lives of operands to the uses of values that are computed only there.
    fn fold(&mut self) {
        for block in &self.function.blocks {
            for instruction in block.instructions.iter().rev() {
                let Some(ValueId(result)) = instruction.result else { continue };
                if !self.is_folded(instruction) {
                    continue;
                }
                let last = self.uses[result as usize].last;
                uses::operands(instruction, |operand| {
                    if let Operand::Value(ValueId(value)) = operand {
                        let uses = &mut self.uses[*value as usize];
                        uses.last = uses.last.max(last);
                    }
                });
            }
        }
    }

    /// Whether an instruction emits nothing: the instructions that use its result do its work.
    pub(super) fn is_folded(&self, instruction: &Instruction) -> bool {
        let Some(ValueId(result)) = instruction.result else { return false };
        let uses = &self.uses[result as usize];
        if uses.escapes || uses.count == 0 {
            return false;
        }
        match &instruction.kind {
            InstructionKind::Cast { op, from, to, .. } => self.keeps_slot(*op, *from, *to),
            InstructionKind::Freeze(_) => true,
            InstructionKind::Element { indices, .. } => {
                let constant =
                    |(_, index): &(TypeId, Operand)| matches!(index, Operand::Constant(..));
                uses.only_address && indices.iter().all(constant)
            }
            InstructionKind::Compare { ty, .. } => {
                let block = &self.function.blocks[uses.block.unwrap_or_default() as usize];
                uses.count == 1
                    && layout::bits_of(&self.constants.module.types, *ty).is_some()
                    && matches!(self.ty(*ty), Type::Int(_) | Type::Pointer)
                    && matches!(
                        &block.terminator.kind,
                        crate::ir::TerminatorKind::ConditionalBranch { condition, .. }
                            if *condition == Operand::Value(ValueId(result))
                    )
            }
            _ => false,
        }
    }

    /// Whether a conversion leaves what is in the slot as it is.
    fn keeps_slot(&self, op: CastOp, from: TypeId, to: TypeId) -> bool {
        let bits = |ty| layout::bits_of(&self.constants.module.types, ty);
        let (Some(from), Some(to)) = (bits(from), bits(to)) else { return false };
        match op {
            CastOp::ZExt | CastOp::Bitcast | CastOp::AddrSpaceCast => true,
            CastOp::PtrToInt | CastOp::IntToPtr => to >= from || to >= 64,
            _ => false,
        }
    }

    /// Values that other blocks use have slots of their own; so do phis.
    fn assign_escaping(&mut self) {
        for (index, uses) in self.uses.iter().enumerate() {
            if uses.escapes && self.values[index] == Where::Unknown {
                let count =
                    layout::slots_of(&self.constants.module.types, self.function.values[index]);
                self.values[index] = Where::Slots(self.frame.own(count), false);
            }
        }
        for block in &self.function.blocks {
            for instruction in &block.instructions {
                if let (Some(ValueId(result)), InstructionKind::Phi { ty, .. }) =
                    (instruction.result, &instruction.kind)
                    && self.values[result as usize] == Where::Unknown
                {
                    let count = layout::slots_of(&self.constants.module.types, *ty);
                    self.values[result as usize] = Where::Slots(self.frame.own(count), false);
                }
            }
        }
    }

    fn lower_blocks(&mut self) -> Result<()> {
        let function = self.function;
        let heads = uses::loop_heads(&function.blocks);
        for (b, block) in function.blocks.iter().enumerate() {
            self.starts.push(self.builder.here());
            if heads[b] {
                let id = self.builder.loops.len() as u32;
                self.builder.loops.push(crate::bytecode::Loop::default());
                self.place = block.instructions.first().and_then(|first| first.place);
                self.emit(Op::LoopHead { id });
            }
            for (i, instruction) in block.instructions.iter().enumerate() {
                self.at = (b, i);
                self.place = instruction.place;
                let lowered = self.lower_instruction(instruction);
                lowered.map_err(|why| self.complaint(&why, instruction.line))?;
                self.after(i as u32);
            }
            self.at = (b, block.instructions.len());
            self.place = block.terminator.place;
            let lowered = self.lower_terminator(b);
            lowered.map_err(|why| self.complaint(&why, block.terminator.line))?;
            self.after(block.instructions.len() as u32);
        }
        for fixup in std::mem::take(&mut self.fixups) {
            let target = self.starts[fixup.to.0 as usize];
            match &mut self.builder.ops[fixup.op] {
                Op::Jump { to }
                | Op::JumpIf { to, .. }
                | Op::JumpUnless { to, .. }
                | Op::JumpCompare { to, .. } => *to = target,
                _ => unreachable!("only jumps have targets"),
            }
        }
        self.fix_landings();
        Ok(())
    }

    fn complaint(&self, why: &str, line: u32) -> String {
        let file = self.constants.module.files.get(self.function.file as usize);
        let file = file.map_or("the IR", String::as_str);
        let name = source_name(self.function);
        match self.place.and_then(|place| {
            let file = self.constants.module.debug.files.get(place.file as usize)?;
            Some(format!("{file}:{}", place.line))
        }) {
            Some(place) => format!("{place}: in `{name}`: {why} (line {line} of {file})"),
            None => format!("{file}:{line}: in `{name}`: {why}"),
        }
    }

    /// Gives back the slots of what is not used after the instruction at `index`.
    fn after(&mut self, index: u32) {
        for (slot, count) in std::mem::take(&mut self.temporaries) {
            self.frame.give_back(slot, count);
        }
        let mut borrowed = std::mem::take(&mut self.borrowed);
        borrowed.retain(|value| {
            let Where::Slots(slot, true) = self.values[value.0 as usize] else { return false };
            if self.uses[value.0 as usize].last > index {
                return true;
            }
            let count = self.slots_of(self.function.values[value.0 as usize]);
            self.frame.give_back(slot, count);
            self.values[value.0 as usize] = Where::Slots(slot, false);
            false
        });
        self.borrowed = borrowed;
    }

    /// Slots for use within the current instruction.
    pub(super) fn temporary(&mut self, count: u32) -> Slot {
        let slot = self.frame.borrow(count);
        self.temporaries.push((slot, count));
        slot
    }

    /// The slots in which the result of the current instruction goes.
    pub(super) fn result(&mut self, instruction: &Instruction) -> Slot {
        match instruction.result {
            Some(result) => self.result_slot(result),
            None => NOWHERE,
        }
    }

    pub(super) fn result_slot(&mut self, ValueId(result): ValueId) -> Slot {
        if let Where::Slots(slot, _) = self.values[result as usize] {
            return slot;
        }
        if let Some(slot) = self.stored_at_once(ValueId(result)) {
            self.values[result as usize] = Where::Slots(slot, false);
            return slot;
        }
        let count = self.slots_of(self.function.values[result as usize]);
        if count == 0 {
            return NOWHERE;
        }
        let slot = self.frame.borrow(count);
        self.values[result as usize] = Where::Slots(slot, true);
        self.borrowed.push(ValueId(result));
        slot
    }

    /// If the only thing that happens to a value is that it is stored in a register, and no instruction
    /// looks at that register in between: that register.
    fn stored_at_once(&self, value: ValueId) -> Option<Slot> {
        let uses = &self.uses[value.0 as usize];
        if uses.count != 1 || uses.escapes {
            return None;
        }
        let instructions = &self.function.blocks[self.at.0].instructions;
        let store = instructions.get(uses.last as usize)?;
        let InstructionKind::Store { value: Operand::Value(stored), pointer, .. } = &store.kind
        else {
            return None;
        };
        let Operand::Value(pointer) = pointer else { return None };
        let Where::Register(slot) = self.values[pointer.0 as usize] else { return None };
        if *stored != value || self.slots_of(self.function.values[value.0 as usize]) != 1 {
            return None;
        }
        let between = &instructions[self.at.1 + 1..uses.last as usize];
        let untouched = between.iter().all(|other| match &other.kind {
            InstructionKind::Load { pointer: Operand::Value(other), .. }
            | InstructionKind::Store { pointer: Operand::Value(other), .. } => other != pointer,
            other => self.markers.marked(other) != Some(*pointer),
        });
        // Earlier loads that stand for the register itself must be over.
        let earlier = &instructions[..=self.at.1];
        let over = earlier.iter().filter_map(|other| other.result).all(|ValueId(other)| {
            self.values[other as usize] != Where::Slots(slot, false)
                || self.uses[other as usize].last as usize <= self.at.1
        });
        (untouched && over).then_some(slot)
    }

    /// The slots of an operand.
    pub(super) fn operand(&mut self, operand: &Operand) -> Result<Slot> {
        match operand {
            Operand::Value(ValueId(value)) => match self.values[*value as usize] {
                Where::Slots(slot, _) => Ok(slot),
                Where::Sum(a, offset) => {
                    let d = self.temporary(1);
                    self.emit(Op::Offset { d, a, offset: i64::from(offset) });
                    Ok(d)
                }
                Where::Register(_) | Where::Fused => {
                    Err("a value is used that was not computed".to_owned())
                }
                // Of an instruction without a result worth keeping, or in code that is never
                // reached.
                Where::Unknown => {
                    let count = self.slots_of(self.function.values[*value as usize]);
                    Ok(self.frame.constant(vec![0; count.max(1) as usize]))
                }
            },
            Operand::Constant(ty, constant) => {
                if let Some((index, offset)) = self.constants.thread_local(constant)? {
                    let d = self.temporary(1);
                    self.emit(Op::ThreadLocal { d, index });
                    if offset != 0 {
                        self.emit(Op::Offset { d, a: d, offset: offset as i64 });
                    }
                    return Ok(d);
                }
                let mut slots = self.constants.slots(*ty, constant)?;
                if slots.is_empty() {
                    slots.push(0);
                }
                Ok(self.frame.constant(slots))
            }
        }
    }

    /// The slot of an address, and what to add to it.
    pub(super) fn address(&mut self, operand: &Operand) -> Result<(Slot, i32)> {
        if let Operand::Value(ValueId(value)) = operand
            && let Where::Sum(slot, offset) = self.values[*value as usize]
        {
            return Ok((slot, offset));
        }
        Ok((self.operand(operand)?, 0))
    }

    /// Whether a load from a register can stand for that register: nothing stores to it before the
    /// loaded value has been used for the last time.
    pub(super) fn is_alias(&self, result: ValueId, pointer: ValueId) -> bool {
        let uses = &self.uses[result.0 as usize];
        if uses.escapes || self.slots_of(self.function.values[result.0 as usize]) != 1 {
            return false;
        }
        let instructions = &self.function.blocks[self.at.0].instructions;
        let end = (uses.last as usize).min(instructions.len());
        if self.at.1 + 1 > end {
            return true;
        }
        instructions[self.at.1 + 1..end].iter().all(|other| match &other.kind {
            InstructionKind::Store { pointer: Operand::Value(other), .. } => *other != pointer,
            other => self.markers.marked(other) != Some(pointer),
        })
    }
}

/// The opposite of a comparison.
pub(super) fn opposite(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::Eq => Predicate::Ne,
        Predicate::Ne => Predicate::Eq,
        Predicate::Ugt => Predicate::Ule,
        Predicate::Uge => Predicate::Ult,
        Predicate::Ult => Predicate::Uge,
        Predicate::Ule => Predicate::Ugt,
        Predicate::Sgt => Predicate::Sle,
        Predicate::Sge => Predicate::Slt,
        Predicate::Slt => Predicate::Sge,
        Predicate::Sle => Predicate::Sgt,
        other => other,
    }
}
