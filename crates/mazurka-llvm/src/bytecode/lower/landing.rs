//! Where exceptions go.

use super::function::{Lowering, Result};
use crate::bytecode::{Clause, NOWHERE, Op, Pad, Pc, Slot};
use crate::ir::{self, BlockId, Constant, InstructionKind, Operand, TypeId};
use crate::memory::address::id_of;

/// What goes on with the unwinding.
const RESUME: &str = "__mazurka_resume";

impl Lowering<'_, '_> {
    /// Lowers how a call goes on that may throw, at the end of a block.
    pub(super) fn land(&mut self, block: usize, normal: BlockId, unwind: BlockId) -> Result<()> {
        let pad = self.builder.pads.len();
        let new = self.pad(unwind)?;
        self.builder.pads.push(new);
        self.emit(Op::Landing { pad: pad as u32 });
        if !self.has_phis(unwind) {
            self.landings.push((pad, unwind));
            return self.go(block, normal);
        }
        self.phi_moves(block, normal)?;
        self.jump(Op::Jump { to: 0 }, normal);
        self.builder.pads[pad].to = self.edge(block, unwind)?;
        Ok(())
    }

    /// What a block that starts with a landing pad handles.
    fn pad(&self, block: BlockId) -> Result<Pad> {
        let instructions = &self.function.blocks[block.0 as usize].instructions;
        let found = instructions.iter().find_map(|instruction| match &instruction.kind {
            InstructionKind::LandingPad { cleanup, clauses, .. } => Some((*cleanup, clauses)),
            _ => None,
        });
        let Some((cleans_up, clauses)) = found else {
            return Err("an exception goes where there is no landing pad".to_owned());
        };
        let clauses = clauses.iter().map(|clause| self.clause(clause)).collect::<Result<_>>()?;
        let gives_up = instructions.iter().any(|instruction| {
            let InstructionKind::Call { callee, .. } = &instruction.kind else { return false };
            let Operand::Constant(_, Constant::Function(id)) = callee else { return false };
            let name = &self.constants.module.functions[id.0 as usize].name;
            matches!(&name[..], "__clang_call_terminate" | "__cxa_call_unexpected")
        });
        Ok(Pad { to: 0, clauses, cleans_up, gives_up })
    }

    fn clause(&self, clause: &ir::Clause) -> Result<Clause> {
        Ok(match clause {
            ir::Clause::Catch(ty) => match self.description(ty)?[..] {
                [0] => Clause::CatchAll,
                [ty, ..] => Clause::Catch { ty, selector: selector(ty) },
                [] => return Err("a landing pad catches nothing".to_owned()),
            },
            ir::Clause::Filter(types) => Clause::Only(self.description(types)?),
        })
    }

    /// The addresses of the descriptions of types.
    fn description(&self, operand: &Operand) -> Result<Vec<u64>> {
        match operand {
            Operand::Constant(ty, constant) => self.constants.slots(*ty, constant),
            Operand::Value(_) => Err("a type to catch that is not constant".to_owned()),
        }
    }

    /// What a landing pad is told if an exception of a type goes there.
    pub(super) fn selector_of(&mut self, ty: &Operand, d: Slot) -> Result<()> {
        let number = self.description(ty)?.first().map_or(0, |ty| selector(*ty));
        let constant = self.frame.constant(vec![u64::from(number)]);
        self.moves(d, constant, 1);
        Ok(())
    }

    /// Goes on with the unwinding.
    pub(super) fn resume(&mut self, exception: &Operand) -> Result<()> {
        let functions = &self.constants.module.functions;
        let Some(function) = functions.iter().position(|function| function.name == RESUME) else {
            return Err("an exception is to go on, but nothing can throw one".to_owned());
        };
        let a = self.operand(exception)?;
        let site = self.builder.simple_site(&[a]);
        self.emit(Op::Call { function: function as u32, site, d: NOWHERE });
        self.emit(Op::Unreachable);
        Ok(())
    }

    /// What a landing pad is given.
    pub(super) fn landed(&mut self, ty: TypeId, d: Slot) -> Result<()> {
        match (d, self.slots_of(ty)) {
            (NOWHERE, _) => Ok(()),
            (d, 2) => {
                self.emit(Op::Landed { d });
                Ok(())
            }
            _ => Err("a landing pad of this type is not supported".to_owned()),
        }
    }

    /// Tells landing pads where they are.
    pub(super) fn fix_landings(&mut self) {
        for (pad, to) in std::mem::take(&mut self.landings) {
            let to: Pc = self.starts[to.0 as usize];
            self.builder.pads[pad].to = to;
        }
    }
}

/// The number by which a landing pad knows a type, from the address of its description.
fn selector(ty: u64) -> u32 {
    id_of(ty) + 2
}
