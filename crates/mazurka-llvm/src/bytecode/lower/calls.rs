//! Calls.

use mazurka_core::verdict::ViolationKind;

use super::function::{Lowering, Result};
use super::signatures;
use crate::bytecode::{Argument, ArgumentKind, CallSite, Op, Pc, Slot, unknown_function};
use crate::ir::{Constant, Operand, Type, TypeId};
use crate::layout;

/// How many slots copying or filling memory needs to know how far it got.
const COPY_STATE: u32 = 3;

impl Lowering<'_, '_> {
    pub(super) fn call(
        &mut self,
        callee: &Operand,
        result: TypeId,
        arguments: &[(TypeId, Operand)],
        (by_value, named): (&[Option<TypeId>], Option<u32>),
        d: Slot,
    ) -> Result<()> {
        let types = &self.constants.module.types;
        let passed = arguments.iter().map(|(ty, _)| *ty).zip(by_value.iter().copied());
        let signature = signatures::of_call(types, result, passed, named);
        // A call of a defined function by another type is checked where it happens.
        let fits = |function: &u32| {
            let function = &self.constants.module.functions[*function as usize];
            function.blocks.is_empty()
                || signatures::of_function(self.constants.module, function)
                    .is_none_or(|s| signature.may_call(&s))
        };
        let Some(function) = direct(callee).filter(fits) else {
            let site = self.site(result, arguments, by_value)?;
            let signature = self.builder.signature(signature);
            self.builder.sites[site as usize].signature = Some(signature);
            let a = self.operand(callee)?;
            self.emit(Op::CallPointer { a, site, d });
            return Ok(());
        };
        let declared = &self.constants.module.functions[function as usize];
        if !declared.blocks.is_empty() {
            let site = self.site(result, arguments, by_value)?;
            self.emit(Op::Call { function, site, d });
            return Ok(());
        }
        let name = declared.name.as_str();
        if self.built_in(name, result, arguments, d)? {
            return Ok(());
        }
        match self.builder.library_function(name) {
            Some(function) => {
                let site = self.site(result, arguments, by_value)?;
                let pc = self.emit(Op::CallLibrary { function, site, d });
                if let Some(ty) = self.allocated_here() {
                    self.builder.allocated.insert(pc as Pc, ty);
                }
            }
            None => self.trap(unknown_function(name)),
        }
        Ok(())
    }

    /// What is passed at a call.
    fn site(
        &mut self,
        result: TypeId,
        arguments: &[(TypeId, Operand)],
        by_value: &[Option<TypeId>],
    ) -> Result<u32> {
        let types = &self.constants.module.types;
        let bits = layout::bits_of(types, result).unwrap_or(64);
        let mut site = CallSite { results: self.slots_of(result), bits, ..CallSite::default() };
        for (i, (ty, operand)) in arguments.iter().enumerate() {
            if matches!(self.ty(*ty), Type::Other) {
                continue;
            }
            let slot = self.operand(operand)?;
            let slots = self.slots_of(*ty);
            let kind = match self.ty(*ty) {
                Type::Int(bits) => ArgumentKind::Int((*bits).min(128) as u8),
                Type::Float => ArgumentKind::Float,
                Type::Double => ArgumentKind::Double,
                Type::LongDouble => ArgumentKind::LongDouble,
                Type::Pointer => ArgumentKind::Pointer,
                _ => ArgumentKind::Aggregate,
            };
            let copied = by_value.get(i).copied().flatten();
            let copied = copied.map(|ty| layout::size_of(types, ty) as u32);
            site.copies |= copied.is_some();
            site.slots.extend(slot..slot + slots);
            site.arguments.push(Argument { slot, kind, slots, copied });
        }
        self.builder.sites.push(site);
        Ok(self.builder.sites.len() as u32 - 1)
    }

    /// Functions that are instructions of their own, or nothing.
    fn built_in(
        &mut self,
        name: &str,
        result: TypeId,
        arguments: &[(TypeId, Operand)],
        d: Slot,
    ) -> Result<bool> {
        let intrinsic = name.strip_prefix("llvm.").unwrap_or("");
        let is = |prefix: &str| intrinsic == prefix || intrinsic.starts_with(&format!("{prefix}."));
        let argument = |this: &mut Self, index: usize| match arguments.get(index) {
            Some((_, operand)) => this.operand(operand),
            None => Err(format!("`{name}` is called with too few arguments")),
        };
        if is("memcpy") || is("memmove") || matches!(name, "memcpy" | "memmove") {
            let (to, from) = (argument(self, 0)?, argument(self, 1)?);
            let len = argument(self, 2)?;
            let state = self.copy_state();
            let overlaps = is("memmove") || name == "memmove";
            self.emit(Op::CopyMemory { overlaps, to, from, len, state });
            if intrinsic.is_empty() {
                self.moves(d, to, 1);
            }
            return Ok(true);
        }
        if is("memset") || name == "memset" {
            let (to, byte) = (argument(self, 0)?, argument(self, 1)?);
            let len = argument(self, 2)?;
            let state = self.copy_state();
            self.emit(Op::FillMemory { to, byte, len, state });
            if intrinsic.is_empty() {
                self.moves(d, to, 1);
            }
            return Ok(true);
        }
        match name {
            "__VERIFIER_atomic_begin" | "__ESBMC_atomic_begin" | "__CPROVER_atomic_begin" => {
                self.emit(Op::AtomicBegin);
                return Ok(true);
            }
            "__VERIFIER_atomic_end" | "__ESBMC_atomic_end" | "__CPROVER_atomic_end" => {
                self.emit(Op::AtomicEnd);
                return Ok(true);
            }
            _ => {}
        }
        if is("eh.typeid.for") {
            match arguments.first() {
                Some((_, ty)) => self.selector_of(ty, d)?,
                None => return Err(format!("`{name}` is called with too few arguments")),
            }
        } else if is("va_start") {
            let a = argument(self, 0)?;
            let Some(arguments) = self.variadic else {
                return Err("`va_start` in a function without variable arguments".to_owned());
            };
            self.emit(Op::VaStart { a, arguments });
        } else if is("va_copy") {
            let (to, from) = (argument(self, 0)?, argument(self, 1)?);
            let len = self.frame.constant(vec![24]);
            let state = self.copy_state();
            self.emit(Op::CopyMemory { overlaps: true, to, from, len, state });
        } else if is("expect") || is("expect.with.probability") || is("threadlocal.address") {
            let a = argument(self, 0)?;
            self.moves(d, a, self.slots_of(result));
        } else if is("trap") || is("ubsantrap") || is("debugtrap") {
            self.trap_as(ViolationKind::Abort, "the program traps".to_owned());
        } else if [
            "dbg",
            // In optimised functions; see `Parser::lifetime_call`.
            "lifetime",
            "invariant",
            "assume",
            "donothing",
            "prefetch",
            "va_end",
            "experimental.noalias.scope.decl",
            "sideeffect",
            "var.annotation",
        ]
        .into_iter()
        .any(is)
        {
            // They say something to an optimiser, or end what needs no end.
        } else if is("stacksave") {
            self.emit(Op::SaveStack { d });
        } else if is("stackrestore") {
            let a = argument(self, 0)?;
            self.emit(Op::RestoreStack { a });
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Slots that are zero, and are so again when the instruction is done.
    fn copy_state(&mut self) -> Slot {
        let state = self.frame.own(COPY_STATE);
        self.frame.initial.extend((state..state + COPY_STATE).map(|slot| (slot, 0)));
        state
    }
}

/// The function that is called, if that is known.
fn direct(callee: &Operand) -> Option<u32> {
    let Operand::Constant(_, constant) = callee else { return None };
    let mut constant = constant;
    loop {
        match constant {
            Constant::Function(function) => return Some(function.0),
            Constant::Cast { value, .. } => constant = value,
            _ => return None,
        }
    }
}
