//! Variables of blocks: where their lives begin and end.
//!
//! clang marks both by calls with the address of the variable, which is converted to `i8*` up to version
//! 14. A conversion that is used by such calls alone is no use of the address.

use std::collections::HashMap;

use super::function::{Lowering, Result, Where};
use super::uses::Uses;
use crate::bytecode::Op;
use crate::ir::{
    BlockId, CastOp, Function, Instruction, InstructionKind, Operand, TerminatorKind, TypeId,
    ValueId,
};
use crate::memory::NEVER_WRITTEN;

/// The markers of a function.
#[derive(Default)]
pub(super) struct Markers {
    /// The types of the locals with markers.
    types: HashMap<ValueId, TypeId>,
    /// The locals by the conversions of their addresses.
    converted: HashMap<ValueId, ValueId>,
    /// The conversions that only markers use.
    only_mark: Vec<ValueId>,
}

impl Markers {
    /// Returns the markers of a function. There are none if one of them is of something other than a
    /// local, because its begin and its end may then be marked in different ways.
    pub(super) fn of(function: &Function, uses: &[Uses]) -> Markers {
        let mut marks: HashMap<ValueId, u32> = HashMap::new();
        let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
        for instruction in instructions() {
            match &instruction.kind {
                InstructionKind::Lifetime { pointer: Operand::Value(value), .. } => {
                    *marks.entry(*value).or_default() += 1;
                }
                InstructionKind::Lifetime { .. } => return Markers::default(),
                _ => {}
            }
        }
        let mut found = Markers::default();
        let Some(entry) = function.blocks.first().filter(|_| !marks.is_empty()) else {
            return found;
        };
        for instruction in &entry.instructions {
            if let (Some(result), InstructionKind::Alloca { ty, count: None, .. }) =
                (instruction.result, &instruction.kind)
            {
                found.types.insert(result, *ty);
            }
        }
        for instruction in instructions() {
            if let (
                Some(result),
                InstructionKind::Cast { op: CastOp::Bitcast, value: Operand::Value(value), .. },
            ) = (instruction.result, &instruction.kind)
                && found.types.contains_key(value)
                && let Some(count) = marks.get(&result)
            {
                found.converted.insert(result, *value);
                if uses[result.0 as usize].count == *count {
                    found.only_mark.push(result);
                }
            }
        }
        found.only_mark.sort_unstable();
        let is_marked = |local: &ValueId| {
            marks.contains_key(local) || found.converted.values().any(|marked| marked == local)
        };
        let unmarked: Vec<ValueId> =
            found.types.keys().copied().filter(|local| !is_marked(local)).collect();
        for local in unmarked {
            found.types.remove(&local);
        }
        match marks.keys().all(|value| found.local(*value).is_some()) {
            true => found,
            false => Markers::default(),
        }
    }

    /// Returns the local whose address a value is.
    pub(super) fn local(&self, value: ValueId) -> Option<ValueId> {
        let known = self.types.contains_key(&value).then_some(value);
        known.or_else(|| self.converted.get(&value).copied())
    }

    /// Returns the local of a marker.
    pub(super) fn marked(&self, kind: &InstructionKind) -> Option<ValueId> {
        match kind {
            InstructionKind::Lifetime { pointer: Operand::Value(value), .. } => self.local(*value),
            _ => None,
        }
    }

    /// Returns the local that an instruction converts the address of for markers alone.
    pub(super) fn converts(&self, result: Option<ValueId>) -> Option<ValueId> {
        let result = result.filter(|result| self.only_mark.binary_search(result).is_ok())?;
        self.converted.get(&result).copied()
    }
}

impl Lowering<'_, '_> {
    /// The life of a variable begins or ends.
    pub(super) fn lifetime(&mut self, kind: &InstructionKind) -> Result<()> {
        let InstructionKind::Lifetime { begins, pointer } = kind else { return Ok(()) };
        let Some(local) = self.markers.marked(kind) else { return Ok(()) };
        match self.values[local.0 as usize] {
            Where::Register(slot) => {
                // It has no value again, unless it gets one at once.
                if *begins && !self.is_stored_next(local) {
                    let count = self.slots_of(self.markers.types[&local]);
                    let nothing = self.frame.constant(vec![NEVER_WRITTEN; count as usize]);
                    self.moves(slot, nothing, count);
                }
            }
            _ if !begins && self.returns_next() => {}
            _ => {
                let a = self.operand(pointer)?;
                self.emit(Op::Lifetime { a, begins: *begins });
            }
        }
        Ok(())
    }

    /// Returns whether the function returns after the current instruction, and only ends lives before
    /// that. Then all locals end in one step, when it returns. Those of `main` stay: threads that run on
    /// may use them.
    fn returns_next(&self) -> bool {
        let is_register = |operand: &Operand| {
            matches!(operand, Operand::Value(ValueId(value))
                if matches!(self.values[*value as usize], Where::Register(_)))
        };
        let is_quiet = |instruction: &Instruction| match &instruction.kind {
            InstructionKind::Lifetime { .. } | InstructionKind::Cast { .. } => true,
            InstructionKind::Load { pointer, .. } | InstructionKind::Store { pointer, .. } => {
                is_register(pointer)
            }
            _ => false,
        };
        let (mut block, mut from) = (self.at.0, self.at.1 + 1);
        for _ in 0..8 {
            let code = &self.function.blocks[block];
            if !code.instructions[from..].iter().all(is_quiet) {
                return false;
            }
            match &code.terminator.kind {
                TerminatorKind::Return(_) => return true,
                TerminatorKind::Branch(BlockId(to)) => (block, from) = (*to as usize, 0),
                _ => return false,
            }
        }
        false
    }

    /// Returns whether the next access to a register in the current block is a store.
    fn is_stored_next(&self, local: ValueId) -> bool {
        let (block, at) = self.at;
        let later = &self.function.blocks[block].instructions[at + 1..];
        let next = later.iter().find_map(|instruction| match &instruction.kind {
            InstructionKind::Store { pointer: Operand::Value(pointer), .. } => {
                (*pointer == local).then_some(true)
            }
            InstructionKind::Load { pointer: Operand::Value(pointer), .. } => {
                (*pointer == local).then_some(false)
            }
            _ => None,
        });
        next == Some(true)
    }
}
