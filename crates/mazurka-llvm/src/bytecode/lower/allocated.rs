//! What is allocated on the heap: the source says so by the pointer in which the address is kept.

use super::function::Lowering;
use crate::ir::{
    CastOp, Constant, DebugType, DebugTypeId, Function, InstructionKind, Operand, TerminatorKind,
    Type, ValueId,
};

/// A chain of pointers longer than this says nothing worth knowing.
const MAX_DEPTH: u32 = 8;

impl Lowering<'_, '_> {
    /// If the call that is being lowered returns an address: the type of what is there, as far as
    /// the pointer tells in which it is put.
    pub(super) fn allocated_here(&self) -> Option<DebugTypeId> {
        let block = &self.function.blocks[self.at.0];
        let result = match (block.instructions.get(self.at.1), &block.terminator.kind) {
            (Some(instruction), _) => instruction.result?,
            (None, TerminatorKind::Invoke { value, .. }) => (*value)?,
            _ => return None,
        };
        if !matches!(self.ty(self.function.values[result.0 as usize]), Type::Pointer) {
            return None;
        }
        self.pointee_by_use(result)
    }

    /// What a value points to, as those say who use it.
    fn pointee_by_use(&self, value: ValueId) -> Option<DebugTypeId> {
        let is_it = |operand: &Operand| *operand == Operand::Value(value);
        for block in &self.function.blocks {
            for instruction in &block.instructions {
                let found = match &instruction.kind {
                    InstructionKind::Store { value, pointer, .. } if is_it(value) => {
                        self.pointee_of_stored(pointer)
                    }
                    InstructionKind::Cast { op: CastOp::Bitcast, value, .. } if is_it(value) => {
                        instruction.result.and_then(|cast| self.pointee_by_use(cast))
                    }
                    // What a constructor is called on.
                    InstructionKind::Call { callee, arguments, .. } => {
                        let first = arguments.first().map(|(_, argument)| argument);
                        first.filter(|first| is_it(first)).and_then(|_| self.this_of(callee))
                    }
                    _ => None,
                };
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// What is pointed to by a pointer that is kept at an address.
    fn pointee_of_stored(&self, address: &Operand) -> Option<DebugTypeId> {
        let (ty, offset) = self.target_of(address, MAX_DEPTH)?;
        let debug = &self.constants.module.debug;
        match debug.get(debug.part(ty, offset, 8)?) {
            DebugType::Pointer(to) => *to,
            _ => None,
        }
    }

    /// The type of what an address lies in, and how far into it.
    fn target_of(&self, address: &Operand, depth: u32) -> Option<(DebugTypeId, u64)> {
        let depth = depth.checked_sub(1)?;
        let module = self.constants.module;
        let value = match address {
            Operand::Constant(_, Constant::Global(global)) => {
                let global = &module.globals[global.0 as usize];
                return Some((global.debug.as_ref()?.ty?, 0));
            }
            Operand::Constant(..) => return None,
            Operand::Value(value) => value,
        };
        match self.definition(*value)? {
            InstructionKind::Alloca { variable, .. } => Some((variable.as_ref()?.ty?, 0)),
            InstructionKind::Load { pointer, .. } => {
                let (ty, offset) = self.target_of(pointer, depth)?;
                match module.debug.get(module.debug.part(ty, offset, 8)?) {
                    DebugType::Pointer(Some(to)) => Some((*to, 0)),
                    _ => None,
                }
            }
            InstructionKind::Cast { op: CastOp::Bitcast, value, .. } => {
                self.target_of(value, depth)
            }
            InstructionKind::Element { ty, base, indices } => {
                let (target, offset) = self.target_of(base, depth)?;
                // All elements are alike, whatever the index.
                let indices: Vec<_> = indices
                    .iter()
                    .map(|(ty, index)| match index {
                        Operand::Constant(_, index) => (*ty, index.clone()),
                        Operand::Value(_) => (*ty, Constant::Int(0)),
                    })
                    .collect();
                let by = self.constants.offset(*ty, &indices).ok()?;
                Some((target, offset.wrapping_add(by)))
            }
            _ => None,
        }
    }

    fn definition(&self, value: ValueId) -> Option<&InstructionKind> {
        let mut instructions = self.function.blocks.iter().flat_map(|block| &block.instructions);
        let found = instructions.find(|instruction| instruction.result == Some(value))?;
        Some(&found.kind)
    }

    /// The type of which a member function is called.
    fn this_of(&self, callee: &Operand) -> Option<DebugTypeId> {
        let Operand::Constant(_, Constant::Function(function)) = callee else { return None };
        let module = self.constants.module;
        let function: &Function = &module.functions[function.0 as usize];
        let entry = function.blocks.first()?;
        let variables =
            entry.instructions.iter().filter_map(|instruction| match &instruction.kind {
                InstructionKind::Alloca { variable, .. } => variable.as_ref(),
                _ => None,
            });
        let this = variables.into_iter().find(|variable| variable.name == "this")?;
        match module.debug.get(this.ty?) {
            DebugType::Pointer(to) => *to,
            _ => None,
        }
    }
}
