//! Rewrites everything in a module from its own indices to those of the linked one.

use super::Ids;
use crate::ir::{
    Clause, Constant, DebugType, DebugTypeId, DebugVariable, Function, FunctionId, Global,
    InstructionKind, Module, Operand, Place, TerminatorKind, TypeId,
};

/// Moves one module into the linked one.
pub(super) struct Mover<'m> {
    pub(super) types: Vec<TypeId>,
    pub(super) debug_base: u32,
    /// The new index of each source file.
    pub(super) files: Vec<u32>,
    pub(super) maps: &'m [Ids],
    pub(super) index: usize,
}

impl Mover<'_> {
    pub(super) fn add(
        &mut self,
        mut module: Module,
        linked: &mut Module,
        destructors: &mut Vec<Vec<FunctionId>>,
    ) {
        for name in module.debug.files {
            let known = linked.debug.files.iter().position(|other| *other == name);
            let new = known.unwrap_or_else(|| {
                linked.debug.files.push(name);
                linked.debug.files.len() - 1
            });
            self.files.push(new as u32);
        }
        for mut ty in module.debug.types {
            self.debug_type(&mut ty);
            linked.debug.types.push(ty);
        }
        let ids = &self.maps[self.index];
        let file = linked.files.len() as u32;
        linked.files.append(&mut module.files);
        for (mut global, keep) in module.globals.into_iter().zip(&ids.keeps_global) {
            if *keep {
                self.global(&mut global);
                linked.globals.push(global);
            }
        }
        for (mut function, keep) in module.functions.into_iter().zip(&ids.keeps_function) {
            if *keep {
                function.file += file;
                self.function(&mut function);
                linked.functions.push(function);
            }
        }
        for (mut alias, keep) in module.aliases.into_iter().zip(&ids.keeps_alias) {
            if *keep {
                self.constant(&mut alias.target);
                linked.aliases.push(alias);
            }
        }
        let moved = |list: Vec<FunctionId>| -> Vec<FunctionId> {
            list.into_iter()
                .filter(|id| ids.keeps_function[id.0 as usize])
                .filter_map(|id| match ids.functions[id.0 as usize] {
                    Constant::Function(new) => Some(new),
                    _ => None,
                })
                .collect()
        };
        linked.constructors.extend(moved(module.constructors));
        destructors.push(moved(module.destructors));
    }

    fn ty(&self, id: &mut TypeId) {
        *id = self.types[id.0 as usize];
    }

    fn debug_id(&self, id: &mut Option<DebugTypeId>) {
        if let Some(DebugTypeId(id)) = id {
            *id += self.debug_base;
        }
    }

    fn debug_type(&self, ty: &mut DebugType) {
        match ty {
            DebugType::Pointer(to) => self.debug_id(to),
            DebugType::Array { element, .. } => self.debug_id(element),
            DebugType::Record { fields, .. } => {
                fields.iter_mut().for_each(|field| self.debug_id(&mut field.ty));
            }
            DebugType::Basic { .. } | DebugType::Enumeration { .. } | DebugType::Other => {}
        }
    }

    fn place(&self, place: &mut Option<Place>) {
        if let Some(place) = place {
            place.file = self.files[place.file as usize];
        }
    }

    fn variable(&self, variable: &mut Option<DebugVariable>) {
        if let Some(variable) = variable {
            self.debug_id(&mut variable.ty);
            self.place(&mut variable.place);
        }
    }

    fn global(&self, global: &mut Global) {
        self.ty(&mut global.ty);
        self.variable(&mut global.debug);
        if let Some(initial) = &mut global.initial {
            self.constant(initial);
        }
    }

    fn constant(&self, constant: &mut Constant) {
        let ids = &self.maps[self.index];
        match constant {
            Constant::Function(id) => *constant = ids.functions[id.0 as usize].clone(),
            Constant::Label { function, .. } => match &ids.functions[function.0 as usize] {
                Constant::Function(moved) => *function = *moved,
                _ => *constant = Constant::Unsupported("a label of an alias".to_owned()),
            },
            Constant::Global(id) => *constant = ids.globals[id.0 as usize].clone(),
            Constant::Aggregate(elements) => self.constants(elements),
            Constant::Element { ty, base, indices } => {
                self.ty(ty);
                self.constant(base);
                self.constants(indices);
            }
            Constant::Cast { from, value, to, .. } => {
                self.ty(from);
                self.constant(value);
                self.ty(to);
            }
            Constant::Binary { ty, left, right, .. }
            | Constant::Compare { ty, left, right, .. } => {
                self.ty(ty);
                self.constant(left);
                self.constant(right);
            }
            Constant::Select(parts) => parts.iter_mut().for_each(|part| self.constant(part)),
            Constant::Int(_)
            | Constant::Float(_)
            | Constant::Null
            | Constant::Zero
            | Constant::Undefined
            | Constant::Bytes(_)
            | Constant::Unsupported(_) => {}
        }
    }

    fn constants(&self, all: &mut [(TypeId, Constant)]) {
        for (ty, constant) in all {
            self.ty(ty);
            self.constant(constant);
        }
    }

    fn operand(&self, operand: &mut Operand) {
        if let Operand::Constant(ty, constant) = operand {
            self.ty(ty);
            self.constant(constant);
        }
    }

    fn operands(&self, all: &mut [(TypeId, Operand)]) {
        for (ty, operand) in all {
            self.ty(ty);
            self.operand(operand);
        }
    }

    fn function(&self, function: &mut Function) {
        self.ty(&mut function.result);
        self.place(&mut function.place);
        for parameter in &mut function.parameters {
            self.ty(&mut parameter.ty);
            parameter.by_value.iter_mut().for_each(|ty| self.ty(ty));
        }
        function.values.iter_mut().for_each(|ty| self.ty(ty));
        for block in &mut function.blocks {
            for instruction in &mut block.instructions {
                self.place(&mut instruction.place);
                self.instruction(&mut instruction.kind);
            }
            self.place(&mut block.terminator.place);
            self.terminator(&mut block.terminator.kind);
        }
    }

    fn instruction(&self, kind: &mut InstructionKind) {
        use InstructionKind as I;
        match kind {
            I::Alloca { ty, count, variable, .. } => {
                self.ty(ty);
                count.iter_mut().for_each(|count| self.operand(count));
                self.variable(variable);
            }
            I::Load { ty, pointer, .. } => {
                self.ty(ty);
                self.operand(pointer);
            }
            I::Store { value, ty, pointer, .. } | I::ReadModifyWrite { value, ty, pointer, .. } => {
                self.operand(value);
                self.ty(ty);
                self.operand(pointer);
            }
            I::CompareExchange { ty, pointer, expected, new, .. } => {
                self.ty(ty);
                [pointer, expected, new].into_iter().for_each(|operand| self.operand(operand));
            }
            I::Fence(_) | I::Unsupported(_) => {}
            I::Binary { ty, left, right, .. } | I::Compare { ty, left, right, .. } => {
                self.ty(ty);
                self.operand(left);
                self.operand(right);
            }
            I::Negate { ty, value } => {
                self.ty(ty);
                self.operand(value);
            }
            I::Cast { from, value, to, .. } => {
                self.ty(from);
                self.operand(value);
                self.ty(to);
            }
            I::Element { ty, base, indices } => {
                self.ty(ty);
                self.operand(base);
                self.operands(indices);
            }
            I::Select { condition, ty, yes, no } => {
                self.ty(ty);
                [condition, yes, no].into_iter().for_each(|operand| self.operand(operand));
            }
            I::Phi { ty, incoming } => {
                self.ty(ty);
                incoming.iter_mut().for_each(|(operand, _)| self.operand(operand));
            }
            I::ExtractValue { aggregate, ty, .. } => {
                self.operand(aggregate);
                self.ty(ty);
            }
            I::InsertValue { aggregate, ty, element, element_ty, .. } => {
                self.operand(aggregate);
                self.ty(ty);
                self.operand(element);
                self.ty(element_ty);
            }
            I::ExtractElement { vector, ty, index } => {
                self.operand(vector);
                self.ty(ty);
                self.operand(index);
            }
            I::InsertElement { vector, ty, element, index } => {
                self.ty(ty);
                [vector, element, index].into_iter().for_each(|operand| self.operand(operand));
            }
            I::ShuffleVector { left, right, ty, .. } => {
                self.operand(left);
                self.operand(right);
                self.ty(ty);
            }
            I::Freeze(value) | I::Lifetime { pointer: value, .. } => self.operand(value),
            I::Call { callee, result, arguments, by_value, .. } => {
                self.call(callee, result, arguments, by_value);
            }
            I::Assembly { result, arguments, .. } => {
                self.ty(result);
                self.operands(arguments);
            }
            I::VaArg { list, ty } => {
                self.operand(list);
                self.ty(ty);
            }
            I::LandingPad { ty, clauses, .. } => {
                self.ty(ty);
                for clause in clauses {
                    let (Clause::Catch(operand) | Clause::Filter(operand)) = clause;
                    self.operand(operand);
                }
            }
        }
    }

    fn call(
        &self,
        callee: &mut Operand,
        result: &mut TypeId,
        arguments: &mut [(TypeId, Operand)],
        by_value: &mut [Option<TypeId>],
    ) {
        self.operand(callee);
        self.ty(result);
        self.operands(arguments);
        by_value.iter_mut().flatten().for_each(|ty| self.ty(ty));
    }

    fn terminator(&self, kind: &mut TerminatorKind) {
        match kind {
            TerminatorKind::Return(value) => {
                value.iter_mut().for_each(|value| self.operand(value));
            }
            TerminatorKind::ConditionalBranch { condition, .. } => self.operand(condition),
            TerminatorKind::Switch { value, ty, .. } => {
                self.operand(value);
                self.ty(ty);
            }
            TerminatorKind::Invoke { callee, result, arguments, by_value, .. } => {
                self.call(callee, result, arguments, by_value);
            }
            TerminatorKind::Resume(value)
            | TerminatorKind::IndirectBranch { address: value, .. } => {
                self.operand(value);
            }
            TerminatorKind::Branch(_)
            | TerminatorKind::Unreachable
            | TerminatorKind::Unsupported(_) => {}
        }
    }
}
