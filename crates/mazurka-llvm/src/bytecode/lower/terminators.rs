//! How blocks end.

use mazurka_core::verdict::ViolationKind;

use super::function::{Fixup, Lowering, Result, Where, opposite};
use super::source_name;
use crate::bytecode::{NOWHERE, Op, Pc, Slot, Switch};
use crate::ir::{BlockId, InstructionKind, Operand, TerminatorKind, Type, ValueId};
use crate::layout;

/// A comparison or a condition that decides a branch.
enum Test {
    Compare { predicate: crate::ir::Predicate, bits: u8, a: Slot, b: Slot },
    Condition(Slot),
}

impl Lowering<'_, '_> {
    pub(super) fn lower_terminator(&mut self, block: usize) -> Result<()> {
        let function = self.function;
        match &function.blocks[block].terminator.kind {
            TerminatorKind::Return(value) => {
                let (a, count) = match value {
                    Some(value) => {
                        let count = self.slots_of(self.ty_of(value));
                        (self.operand(value)?, count)
                    }
                    None => (0, 0),
                };
                if self.is_atomic {
                    self.emit(Op::AtomicEnd);
                }
                self.emit(Op::Return { a, count });
            }
            TerminatorKind::Branch(to) => self.go(block, *to)?,
            TerminatorKind::ConditionalBranch { condition, yes, no } => {
                let test = self.test(block, condition)?;
                self.branch(block, test, *yes, *no)?;
            }
            TerminatorKind::Switch { value, ty, default, cases } => {
                let bits = match self.ty(*ty) {
                    Type::Int(bits @ 1..=64) => *bits as u8,
                    _ => return Err("a switch on such a type is not supported".to_owned()),
                };
                let a = self.operand(value)?;
                let table = self.builder.switches.len() as u32;
                self.builder.switches.push(Switch { cases: Vec::new(), default: 0 });
                self.emit(Op::Switch { a, table });
                let mut entries = Vec::new();
                for (case, to) in cases {
                    let case = crate::arithmetic::truncate(*case as u64, bits);
                    entries.push((case, self.edge(block, *to)?));
                }
                entries.sort_by_key(|(case, _)| *case);
                let default = self.edge(block, *default)?;
                self.builder.switches[table as usize] = Switch { cases: entries, default };
            }
            TerminatorKind::IndirectBranch { address, targets } => {
                self.indirect_branch(block, address, targets)?;
            }
            TerminatorKind::Invoke {
                callee,
                result,
                arguments,
                by_value,
                named,
                normal,
                unwind,
                value,
            } => {
                let d = match value {
                    Some(value) => self.result_slot(*value),
                    None => NOWHERE,
                };
                self.call(callee, *result, arguments, (by_value, *named), d)?;
                self.land(block, *normal, *unwind)?;
            }
            TerminatorKind::Resume(exception) => self.resume(exception)?,
            TerminatorKind::Unreachable => {
                self.emit(Op::Unreachable);
            }
            TerminatorKind::Unsupported(what) => self.trap(format!("`{what}` is not supported")),
        }
        Ok(())
    }

    /// Jumps to the block with an address: a switch over the addresses of all targets.
    fn indirect_branch(
        &mut self,
        block: usize,
        address: &Operand,
        targets: &[BlockId],
    ) -> Result<()> {
        let functions = &self.constants.module.functions;
        let own = functions.iter().position(|other| std::ptr::eq(other, self.function));
        let own = own.ok_or("a function is not part of its program")? as u32;
        let a = self.operand(address)?;
        let table = self.builder.switches.len() as u32;
        self.builder.switches.push(Switch { cases: Vec::new(), default: 0 });
        self.emit(Op::Switch { a, table });
        let mut cases = Vec::new();
        for to in targets {
            let label = self.constants.label(own, to.0 as usize);
            cases.push((label, self.edge(block, *to)?));
            let name = &self.function.blocks[to.0 as usize].name;
            self.builder.labels.insert(label, format!("&&{name}"));
        }
        cases.sort_by_key(|(label, _)| *label);
        let default = self.builder.here();
        let name = source_name(self.function);
        self.trap_as(
            ViolationKind::UndefinedBehaviour,
            format!("`goto *` jumps to an address that is no label of `{name}`"),
        );
        self.builder.switches[table as usize] = Switch { cases, default };
        Ok(())
    }

    fn test(&mut self, block: usize, condition: &Operand) -> Result<Test> {
        if let Operand::Value(ValueId(value)) = condition
            && self.values[*value as usize] == Where::Fused
        {
            let instructions = &self.function.blocks[block].instructions;
            let compare = instructions.iter().find(|i| i.result == Some(ValueId(*value)));
            if let Some(InstructionKind::Compare { predicate, ty, left, right }) =
                compare.map(|instruction| &instruction.kind)
            {
                let bits = layout::bits_of(&self.constants.module.types, *ty);
                let bits = bits.ok_or("a comparison of wide numbers was fused")?;
                let (a, b) = (self.operand(left)?, self.operand(right)?);
                return Ok(Test::Compare { predicate: *predicate, bits, a, b });
            }
        }
        Ok(Test::Condition(self.operand(condition)?))
    }

    fn branch(&mut self, block: usize, test: Test, yes: BlockId, no: BlockId) -> Result<()> {
        let next = BlockId(block as u32 + 1);
        // If the yes side comes next, jump over it to the no side.
        if yes == next && !self.has_phis(yes) && !self.has_phis(no) {
            let op = match test {
                Test::Compare { predicate, bits, a, b } => {
                    Op::JumpCompare { predicate: opposite(predicate), bits, a, b, to: 0 }
                }
                Test::Condition(a) => Op::JumpUnless { a, to: 0 },
            };
            self.jump(op, no);
            return Ok(());
        }
        let op = match test {
            Test::Compare { predicate, bits, a, b } => {
                Op::JumpCompare { predicate, bits, a, b, to: 0 }
            }
            Test::Condition(a) => Op::JumpIf { a, to: 0 },
        };
        if !self.has_phis(yes) {
            self.jump(op, yes);
            return self.go(block, no);
        }
        let jump = self.emit(op);
        self.phi_moves(block, no)?;
        self.jump(Op::Jump { to: 0 }, no);
        let here = self.builder.here();
        match &mut self.builder.ops[jump] {
            Op::JumpIf { to, .. } | Op::JumpCompare { to, .. } => *to = here,
            _ => {}
        }
        self.go(block, yes)
    }

    pub(super) fn jump(&mut self, op: Op, to: BlockId) {
        let op = self.emit(op);
        self.fixups.push(Fixup { op, to });
    }

    /// Goes on to another block, at the end of this one.
    pub(super) fn go(&mut self, block: usize, to: BlockId) -> Result<()> {
        self.phi_moves(block, to)?;
        if to.0 as usize != block + 1 {
            self.jump(Op::Jump { to: 0 }, to);
        }
        Ok(())
    }

    /// A place from which control goes to another block; it may have to be reached by a jump.
    pub(super) fn edge(&mut self, block: usize, to: BlockId) -> Result<Pc> {
        let here = self.builder.here();
        self.phi_moves(block, to)?;
        self.jump(Op::Jump { to: 0 }, to);
        Ok(here)
    }

    pub(super) fn has_phis(&self, block: BlockId) -> bool {
        let first = self.function.blocks[block.0 as usize].instructions.first();
        first.is_some_and(|first| matches!(first.kind, InstructionKind::Phi { .. }))
    }

    /// Gives the phis of a block their values: all at once.
    pub(super) fn phi_moves(&mut self, from: usize, to: BlockId) -> Result<()> {
        let function = self.function;
        let mut moves = Vec::new();
        for instruction in &function.blocks[to.0 as usize].instructions {
            let InstructionKind::Phi { ty, incoming } = &instruction.kind else { break };
            let Some(result) = instruction.result else { continue };
            let incoming = incoming.iter().find(|(_, block)| block.0 as usize == from);
            let Some((value, _)) = incoming else {
                return Err("a phi lacks a value for a block before it".to_owned());
            };
            let a = self.operand(value)?;
            let d = self.result_slot(result);
            moves.push((d, a, self.slots_of(*ty)));
        }
        let overlaps = moves.iter().enumerate().any(|(i, (d, _, count))| {
            let mut others = moves.iter().skip(i + 1);
            others.any(|(_, a, n)| a < &(d + count) && d < &(a + n))
        });
        if overlaps {
            for (_, a, count) in &mut moves {
                let kept = self.temporary(*count);
                self.moves(kept, *a, *count);
                *a = kept;
            }
        }
        for (d, a, count) in moves {
            self.moves(d, a, count);
        }
        Ok(())
    }
}
