//! Who uses which value, and where for the last time.

use crate::ir::{
    BinaryOp, Block, BlockId, Function, Instruction, InstructionKind, Operand, TerminatorKind,
    ValueId,
};

/// Calls `see` with every operand of an instruction, phis excepted.
pub(super) fn operands(instruction: &Instruction, mut see: impl FnMut(&Operand)) {
    use InstructionKind as K;
    match &instruction.kind {
        K::Alloca { count, .. } => count.iter().for_each(see),
        K::Load { pointer, .. } => see(pointer),
        K::Store { value, pointer, .. } => {
            see(value);
            see(pointer);
        }
        K::CompareExchange { pointer, expected, new, .. } => {
            see(pointer);
            see(expected);
            see(new);
        }
        K::ReadModifyWrite { pointer, value, .. } => {
            see(pointer);
            see(value);
        }
        K::Binary { left, right, .. } | K::Compare { left, right, .. } => {
            see(left);
            see(right);
        }
        K::Negate { value, .. } | K::Cast { value, .. } | K::Freeze(value) => see(value),
        K::Lifetime { pointer, .. } => see(pointer),
        K::Element { base, indices, .. } => {
            see(base);
            indices.iter().for_each(|(_, index)| see(index));
        }
        K::Select { condition, yes, no, .. } => {
            see(condition);
            see(yes);
            see(no);
        }
        K::ExtractValue { aggregate, .. } => see(aggregate),
        K::InsertValue { aggregate, element, .. } => {
            see(aggregate);
            see(element);
        }
        K::ExtractElement { vector, index, .. } => {
            see(vector);
            see(index);
        }
        K::InsertElement { vector, element, index, .. } => {
            see(vector);
            see(element);
            see(index);
        }
        K::ShuffleVector { left, right, .. } => {
            see(left);
            see(right);
        }
        K::Call { callee, arguments, .. } => {
            see(callee);
            arguments.iter().for_each(|(_, argument)| see(argument));
        }
        K::Assembly { arguments, .. } => arguments.iter().for_each(|(_, argument)| see(argument)),
        K::VaArg { list, .. } => see(list),
        K::Fence(_) | K::Phi { .. } | K::LandingPad { .. } | K::Unsupported(_) => {}
    }
}

/// Calls `see` with every operand of a terminator.
pub(super) fn terminator_operands(kind: &TerminatorKind, mut see: impl FnMut(&Operand)) {
    match kind {
        TerminatorKind::Return(value) => value.iter().for_each(see),
        TerminatorKind::ConditionalBranch { condition, .. } => see(condition),
        TerminatorKind::Switch { value, .. } => see(value),
        TerminatorKind::Invoke { callee, arguments, .. } => {
            see(callee);
            arguments.iter().for_each(|(_, argument)| see(argument));
        }
        TerminatorKind::Resume(value) | TerminatorKind::IndirectBranch { address: value, .. } => {
            see(value);
        }
        TerminatorKind::Branch(_)
        | TerminatorKind::Unreachable
        | TerminatorKind::Unsupported(_) => {}
    }
}

/// Where a block can go.
pub(super) fn successors(kind: &TerminatorKind) -> Vec<BlockId> {
    match kind {
        TerminatorKind::Branch(to) => vec![*to],
        TerminatorKind::ConditionalBranch { yes, no, .. } => vec![*yes, *no],
        TerminatorKind::Switch { default, cases, .. } => {
            let mut all = vec![*default];
            all.extend(cases.iter().map(|(_, to)| *to));
            all
        }
        TerminatorKind::IndirectBranch { targets, .. } => targets.clone(),
        TerminatorKind::Invoke { normal, .. } => vec![*normal],
        _ => Vec::new(),
    }
}

/// How a value is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uses {
    /// The block that defines it; `None` for parameters.
    pub(super) block: Option<u32>,
    pub(super) count: u32,
    /// Its last use in its block: the index of an instruction, or their number for the terminator.
    pub(super) last: u32,
    /// Whether other blocks use it.
    pub(super) escapes: bool,
    /// Whether it is only ever the address of loads, stores and the like.
    pub(super) only_address: bool,
}

/// How all values of a function are used.
pub(super) fn uses(function: &Function) -> Vec<Uses> {
    let fresh = Uses { block: None, count: 0, last: 0, escapes: false, only_address: true };
    let mut uses = vec![fresh; function.values.len()];
    for (b, block) in function.blocks.iter().enumerate() {
        let results = block.instructions.iter().filter_map(|instruction| instruction.result);
        let invoked = match &block.terminator.kind {
            TerminatorKind::Invoke { value, .. } => *value,
            _ => None,
        };
        for result in results.chain(invoked) {
            uses[result.0 as usize].block = Some(b as u32);
        }
    }
    let note = |uses: &mut Vec<Uses>, operand: &Operand, block: u32, at: u32, address: bool| {
        if let Operand::Value(ValueId(value)) = operand {
            let uses = &mut uses[*value as usize];
            uses.count += 1;
            uses.only_address &= address;
            match uses.block == Some(block) {
                true => uses.last = uses.last.max(at),
                false => uses.escapes = true,
            }
        }
    };
    for (b, block) in function.blocks.iter().enumerate() {
        let b = b as u32;
        for (i, instruction) in block.instructions.iter().enumerate() {
            let address = address_of(instruction);
            if let InstructionKind::Phi { incoming, .. } = &instruction.kind {
                for (operand, from) in incoming {
                    let end = function.blocks[from.0 as usize].instructions.len() as u32;
                    note(&mut uses, operand, from.0, end, false);
                }
            }
            operands(instruction, |operand| {
                let is_address = address.is_some_and(|address| std::ptr::eq(address, operand));
                note(&mut uses, operand, b, i as u32, is_address);
            });
        }
        let end = block.instructions.len() as u32;
        terminator_operands(&block.terminator.kind, |operand| {
            note(&mut uses, operand, b, end, false);
        });
    }
    uses
}

/// Returns whether an operation selects or moves the bits of its operands.
pub(super) fn selects_bits(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr)
}

/// Returns for each value whether an `or` merges its bits with other bits, perhaps after the value was
/// masked, shifted or converted. An assignment to a bit-field does that: it keeps the bits of its
/// neighbours, which may never have been written.
pub(super) fn merged_bits(function: &Function) -> Vec<bool> {
    let mut merged = vec![false; function.values.len()];
    let has_or = |block: &Block| {
        let is_or =
            |i: &Instruction| matches!(i.kind, InstructionKind::Binary { op: BinaryOp::Or, .. });
        block.instructions.iter().any(is_or)
    };
    let mut changed = function.blocks.iter().any(has_or);
    while std::mem::take(&mut changed) {
        for instruction in function.blocks.iter().rev().flat_map(|b| b.instructions.iter().rev()) {
            let is_merged = instruction.result.is_some_and(|value| merged[value.0 as usize]);
            let merges = match instruction.kind {
                InstructionKind::Binary { op: BinaryOp::Or, .. } => true,
                InstructionKind::Binary { op, .. } => is_merged && selects_bits(op),
                InstructionKind::Cast { .. } => is_merged,
                _ => false,
            };
            if merges {
                operands(instruction, |operand| {
                    if let Operand::Value(ValueId(value)) = operand {
                        changed |= !std::mem::replace(&mut merged[*value as usize], true);
                    }
                });
            }
        }
    }
    merged
}

/// The operand by which an instruction accesses memory, where an offset can be folded into it.
pub(super) fn address_of(instruction: &Instruction) -> Option<&Operand> {
    match &instruction.kind {
        InstructionKind::Load { pointer, .. } | InstructionKind::Store { pointer, .. } => {
            Some(pointer)
        }
        _ => None,
    }
}

/// The blocks at which loops begin.
pub(super) fn loop_heads(blocks: &[Block]) -> Vec<bool> {
    let mut heads = vec![false; blocks.len()];
    let mut state = vec![0u8; blocks.len()];
    let mut stack: Vec<(usize, Vec<BlockId>)> = Vec::new();
    if blocks.is_empty() {
        return heads;
    }
    state[0] = 1;
    stack.push((0, successors(&blocks[0].terminator.kind)));
    while let Some((block, left)) = stack.last_mut() {
        let Some(next) = left.pop() else {
            state[*block] = 2;
            stack.pop();
            continue;
        };
        let next = next.0 as usize;
        match state[next] {
            0 => {
                state[next] = 1;
                stack.push((next, successors(&blocks[next].terminator.kind)));
            }
            1 => heads[next] = true,
            _ => {}
        }
    }
    heads
}
