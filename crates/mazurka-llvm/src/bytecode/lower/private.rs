//! Locals that no other thread can reach.
//!
//! Under a memory model all memory that has an address is visible to all threads: a thread may come by an
//! address without synchronisation, and then everything that was done to the memory before counts. But the
//! addresses of most locals never leave their thread: they are passed to functions that load and store
//! through them. Accesses to such a local need not be steps, and a loop that stores to one can still be a
//! loop that waits.
//!
//! This is Steensgaard's analysis. Each value has a *class*: the objects that it may point to. Each class has
//! another one, for what these objects contain. An assignment makes two classes one. The class
//! [`SHARED`] has everything that is not a local, and all that can be reached from there. A local is private
//! if its class is another one in the end.
//!
//! Integers count as pointers, so that it does not matter how a program copies an address.

use crate::ir::{
    Constant, Function, FunctionId, InstructionKind, Module, Operand, TerminatorKind, ValueId,
};

/// The class of what other threads can reach.
const SHARED: u32 = 0;
const NONE: u32 = u32::MAX;

/// A class: a node of a forest, and what its objects contain.
#[derive(Clone, Copy)]
struct Class {
    parent: u32,
    contents: u32,
}

/// The locals of a program that no other thread can reach.
pub(super) struct Private {
    classes: Vec<Class>,
    /// The class of the first value of each function. The class of its result comes before.
    first: Vec<u32>,
}

/// A call, as it is in an instruction or a terminator.
struct Call<'a> {
    callee: &'a Operand,
    arguments: &'a [(crate::ir::TypeId, Operand)],
    by_value: &'a [Option<crate::ir::TypeId>],
    result: Option<ValueId>,
}

impl Private {
    pub(super) fn of(module: &Module) -> Self {
        let mut private = Private {
            classes: vec![Class { parent: SHARED, contents: SHARED }],
            first: Vec::new(),
        };
        for function in &module.functions {
            private.new_class();
            private.first.push(private.classes.len() as u32);
            // Functions that are only declared have parameters, but no values.
            for _ in 0..function.values.len().max(function.parameters.len()) {
                private.new_class();
            }
        }
        let mut calls = vec![Calls::None; module.functions.len()];
        for global in &module.globals {
            global.initial.iter().for_each(|initial| note_addresses(initial, &mut calls));
        }
        for (id, function) in module.functions.iter().enumerate() {
            private.see(module, id, function, &mut calls);
        }
        for (id, function) in module.functions.iter().enumerate() {
            // The machine calls functions that the program does not call.
            if calls[id] != Calls::Direct {
                private.share(private.first[id] - 1);
                for parameter in 0..function.parameters.len() as u32 {
                    private.share(private.first[id] + parameter);
                }
            }
        }
        private
    }

    /// Returns whether no other thread can reach a local.
    pub(super) fn is_private(&mut self, function: usize, local: ValueId) -> bool {
        self.find(self.first[function] + local.0) != SHARED
    }

    fn new_class(&mut self) -> u32 {
        let class = self.classes.len() as u32;
        self.classes.push(Class { parent: class, contents: NONE });
        class
    }

    fn find(&mut self, mut class: u32) -> u32 {
        while self.classes[class as usize].parent != class {
            let parent = self.classes[class as usize].parent;
            let next = self.classes[parent as usize].parent;
            self.classes[class as usize].parent = next;
            class = next;
        }
        class
    }

    /// Returns the class of what the objects of a class contain.
    fn contents(&mut self, class: u32) -> u32 {
        let class = self.find(class) as usize;
        if self.classes[class].contents == NONE {
            self.classes[class].contents = self.new_class();
        }
        self.find(self.classes[class].contents)
    }

    /// Makes two classes one, and what their objects contain.
    fn unify(&mut self, a: u32, b: u32) {
        let (mut a, mut b) = (self.find(a), self.find(b));
        while a != b {
            // `SHARED` stays the root of its tree.
            let (root, child) = (a.min(b), a.max(b));
            let contents = [root, child].map(|class| self.classes[class as usize].contents);
            self.classes[child as usize].parent = root;
            match contents {
                [NONE, contents] => {
                    self.classes[root as usize].contents = contents;
                    return;
                }
                [_, NONE] => return,
                [first, second] => (a, b) = (self.find(first), self.find(second)),
            }
        }
    }

    fn share(&mut self, class: u32) {
        self.unify(class, SHARED);
    }

    /// Returns the class of an operand, if it may be an address.
    fn class(&self, function: usize, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Value(ValueId(value)) => Some(self.first[function] + value),
            Operand::Constant(_, constant) => may_be_address(constant).then_some(SHARED),
        }
    }

    fn see(&mut self, module: &Module, id: usize, function: &Function, calls: &mut [Calls]) {
        let class_of = |value: ValueId, private: &Self| private.first[id] + value.0;
        for block in &function.blocks {
            for instruction in &block.instructions {
                let result = instruction.result.map(|value| class_of(value, self));
                let kind = &instruction.kind;
                if let InstructionKind::Call { callee, arguments, by_value, .. } = kind {
                    let result = instruction.result;
                    self.call(module, id, Call { callee, arguments, by_value, result }, calls);
                    continue;
                }
                super::uses::operands(instruction, |operand| note_operand(operand, calls));
                self.instruction(id, kind, result, calls);
            }
            match &block.terminator.kind {
                TerminatorKind::Invoke { callee, arguments, by_value, value, .. } => {
                    let call = Call { callee, arguments, by_value, result: *value };
                    self.call(module, id, call, calls);
                }
                TerminatorKind::Return(Some(value)) => {
                    note_operand(value, calls);
                    if let Some(class) = self.class(id, value) {
                        self.unify(self.first[id] - 1, class);
                    }
                }
                other => super::uses::terminator_operands(other, |operand| {
                    note_operand(operand, calls);
                    if let (TerminatorKind::Resume(_), Some(class)) =
                        (other, self.class(id, operand))
                    {
                        self.share(class);
                    }
                }),
            }
        }
    }

    /// An instruction other than a call.
    fn instruction(
        &mut self,
        id: usize,
        kind: &InstructionKind,
        result: Option<u32>,
        calls: &mut [Calls],
    ) {
        use InstructionKind as K;
        match kind {
            K::Alloca { .. } | K::Fence(_) | K::Lifetime { .. } | K::Compare { .. } => {}
            K::Load { pointer, .. } => self.access(id, pointer, None, result),
            K::Store { pointer, value, .. } => self.access(id, pointer, Some(value), None),
            K::CompareExchange { pointer, new: value, .. }
            | K::ReadModifyWrite { pointer, value, .. } => {
                self.access(id, pointer, Some(value), result);
            }
            // An index is no address, unless it stands alone.
            K::Element { base, indices, .. } => match self.class(id, base) {
                Some(base) => self.assign(result, base),
                None => indices.iter().for_each(|(_, index)| self.copy(id, result, index)),
            },
            K::Select { yes, no, .. } => {
                self.copy(id, result, yes);
                self.copy(id, result, no);
            }
            K::Phi { incoming, .. } => {
                for (operand, _) in incoming {
                    note_operand(operand, calls);
                    self.copy(id, result, operand);
                }
            }
            K::Binary { left, right, .. } | K::ShuffleVector { left, right, .. } => {
                self.copy(id, result, left);
                self.copy(id, result, right);
            }
            K::Negate { value, .. } | K::Cast { value, .. } | K::Freeze(value) => {
                self.copy(id, result, value);
            }
            K::ExtractValue { aggregate, .. } => self.copy(id, result, aggregate),
            K::InsertValue { aggregate, element, .. } => {
                self.copy(id, result, aggregate);
                self.copy(id, result, element);
            }
            K::ExtractElement { vector, .. } => self.copy(id, result, vector),
            K::InsertElement { vector, element, .. } => {
                self.copy(id, result, vector);
                self.copy(id, result, element);
            }
            K::Assembly { arguments, .. } => {
                for (_, argument) in arguments {
                    self.share_operand(id, argument);
                }
                self.assign(result, SHARED);
            }
            K::VaArg { list, .. } => {
                self.share_operand(id, list);
                self.assign(result, SHARED);
            }
            K::LandingPad { .. } | K::Unsupported(_) => self.assign(result, SHARED),
            K::Call { .. } => unreachable!("calls are seen before"),
        }
    }

    /// A load or a store, or both.
    fn access(
        &mut self,
        id: usize,
        pointer: &Operand,
        stored: Option<&Operand>,
        loaded: Option<u32>,
    ) {
        let Some(pointer) = self.class(id, pointer) else { return };
        let contents = self.contents(pointer);
        if let Some(stored) = stored.and_then(|value| self.class(id, value)) {
            self.unify(contents, stored);
        }
        self.assign(loaded, contents);
    }

    fn assign(&mut self, result: Option<u32>, class: u32) {
        if let Some(result) = result {
            self.unify(result, class);
        }
    }

    fn copy(&mut self, id: usize, result: Option<u32>, operand: &Operand) {
        if let Some(class) = self.class(id, operand) {
            self.assign(result, class);
        }
    }

    fn share_operand(&mut self, id: usize, operand: &Operand) {
        if let Some(class) = self.class(id, operand) {
            self.share(class);
        }
    }

    fn call(&mut self, module: &Module, id: usize, call: Call<'_>, calls: &mut [Calls]) {
        let Call { callee, arguments, by_value, result } = call;
        arguments.iter().for_each(|(_, argument)| note_operand(argument, calls));
        let result = result.map(|ValueId(value)| self.first[id] + value);
        let called = match callee {
            Operand::Constant(_, Constant::Function(FunctionId(called))) => Some(*called as usize),
            _ => {
                note_operand(callee, calls);
                None
            }
        };
        if let Some(called) = called.filter(|called| calls[*called] == Calls::None) {
            calls[called] = Calls::Direct;
        }
        let function = called.map(|called| &module.functions[called]);
        match (called, function) {
            (Some(called), Some(function)) if !function.blocks.is_empty() => {
                let (parameters, first) = (function.parameters.len(), self.first[called]);
                for (rank, (_, argument)) in arguments.iter().enumerate() {
                    let is_copied = by_value.get(rank).is_some_and(Option::is_some);
                    // The copy of a structure is no local, and neither are further arguments.
                    if is_copied || rank >= parameters {
                        self.share_operand(id, argument);
                    }
                    if let Some(class) = self.class(id, argument).filter(|_| rank < parameters) {
                        self.unify(first + rank as u32, class);
                    }
                }
                self.assign(result, first - 1);
            }
            (_, Some(function)) => match effect(&function.name) {
                Effect::Nothing => {}
                Effect::Copies => {
                    let class = |rank: usize, private: &Self| {
                        arguments.get(rank).and_then(|(_, argument)| private.class(id, argument))
                    };
                    if let (Some(to), Some(from)) = (class(0, self), class(1, self)) {
                        let (to_contents, from) = (self.contents(to), self.contents(from));
                        self.unify(to_contents, from);
                    }
                    if let Some(to) = class(0, self) {
                        self.assign(result, to);
                    }
                }
                Effect::StoresTo(target) => {
                    for (rank, (_, argument)) in arguments.iter().enumerate() {
                        let Some(class) = self.class(id, argument) else { continue };
                        let shared = if rank == target { self.contents(class) } else { class };
                        self.share(shared);
                    }
                    self.assign(result, SHARED);
                }
                Effect::Unknown => self.call_unknown(id, arguments, result),
            },
            _ => self.call_unknown(id, arguments, result),
        }
    }

    /// A call of a function that may do anything with its arguments.
    fn call_unknown(
        &mut self,
        id: usize,
        arguments: &[(crate::ir::TypeId, Operand)],
        result: Option<u32>,
    ) {
        for (_, argument) in arguments {
            self.share_operand(id, argument);
        }
        self.assign(result, SHARED);
    }
}

/// How a function is called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Calls {
    /// Not at all.
    None,
    /// By its name only.
    Direct,
    /// By its address, too.
    ByAddress,
}

/// What a function that the program does not define does with its arguments.
enum Effect {
    /// It does not keep them, and its result is no address.
    Nothing,
    /// It copies what the second one points to, and returns the first one.
    Copies,
    /// It stores a value to where the argument with this rank points, and does not keep that address.
    StoresTo(usize),
    Unknown,
}

fn effect(name: &str) -> Effect {
    match name {
        "memcpy" | "memmove" => Effect::Copies,
        "memcmp" | "bcmp" | "strcmp" | "strncmp" | "strlen" => Effect::Nothing,
        // A handle of a thread, and what a thread returns.
        "pthread_create" | "thrd_create" => Effect::StoresTo(0),
        "pthread_join" | "thrd_join" => Effect::StoresTo(1),
        _ if name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.") => {
            Effect::Copies
        }
        _ if name.starts_with("llvm.memset.") || name.starts_with("llvm.dbg.") => Effect::Nothing,
        _ => Effect::Unknown,
    }
}

/// Returns whether a constant may be the address of a global or a function.
fn may_be_address(constant: &Constant) -> bool {
    match constant {
        Constant::Int(_) | Constant::Float(_) | Constant::Null | Constant::Zero => false,
        Constant::Undefined | Constant::Bytes(_) | Constant::Compare { .. } => false,
        Constant::Aggregate(elements) => {
            elements.iter().any(|(_, element)| may_be_address(element))
        }
        Constant::Global(_)
        | Constant::Function(_)
        | Constant::Label { .. }
        | Constant::Unsupported(_)
        | Constant::Element { .. }
        | Constant::Cast { .. }
        | Constant::Binary { .. }
        | Constant::Select(_) => true,
    }
}

fn note_operand(operand: &Operand, calls: &mut [Calls]) {
    if let Operand::Constant(_, constant) = operand {
        note_addresses(constant, calls);
    }
}

/// Notes the functions whose addresses are in a constant.
fn note_addresses(constant: &Constant, calls: &mut [Calls]) {
    match constant {
        Constant::Function(FunctionId(function)) => calls[*function as usize] = Calls::ByAddress,
        Constant::Aggregate(elements) => {
            elements.iter().for_each(|(_, element)| note_addresses(element, calls));
        }
        Constant::Element { base, indices, .. } => {
            note_addresses(base, calls);
            indices.iter().for_each(|(_, index)| note_addresses(index, calls));
        }
        Constant::Cast { value, .. } => note_addresses(value, calls),
        Constant::Binary { left, right, .. } | Constant::Compare { left, right, .. } => {
            note_addresses(left, calls);
            note_addresses(right, calls);
        }
        Constant::Select(parts) => parts.iter().for_each(|part| note_addresses(part, calls)),
        Constant::Int(_)
        | Constant::Float(_)
        | Constant::Null
        | Constant::Zero
        | Constant::Undefined
        | Constant::Bytes(_)
        | Constant::Global(_)
        | Constant::Label { .. }
        | Constant::Unsupported(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_module;

    const COMMON: &str = "@shared = global ptr null\n\
        declare void @outside(ptr)\n\
        declare i32 @memcmp(ptr, ptr, i64)\n\
        declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n\
        declare i32 @pthread_join(i64, ptr)\n\
        declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n\
        define void @sets(ptr %p, i32 %n) {\n store i32 %n, ptr %p\n ret void\n}\n\
        define ptr @same(ptr %p) {\n ret ptr %p\n}\n\
        define void @keeps(ptr %p) {\n store ptr %p, ptr @shared\n ret void\n}\n\
        define void @called(ptr %p) {\n ret void\n}\n";

    /// Returns which locals of `main` are private.
    fn private(body: &str) -> Vec<bool> {
        let main = format!("define i32 @main() {{\n{body}\n ret i32 0\n}}\n");
        let module = read_module(&format!("{COMMON}{main}"), "test.ll").expect("it is IR");
        let mut private = Private::of(&module);
        let main = module.functions.iter().position(|function| function.name == "main").unwrap();
        let instructions = &module.functions[main].blocks[0].instructions;
        let locals = instructions.iter().filter_map(|instruction| match instruction.kind {
            InstructionKind::Alloca { .. } => instruction.result,
            _ => None,
        });
        locals.map(|local| private.is_private(main, local)).collect()
    }

    #[test]
    fn a_local_that_functions_load_and_store_is_private() {
        assert_eq!(private("%x = alloca i32\n call void @sets(ptr %x, i32 1)"), [true]);
        let text = "%x = alloca i32\n %y = call ptr @same(ptr %x)\n store i32 1, ptr %y";
        assert_eq!(private(text), [true]);
        let text =
            "%x = alloca i32\n %y = alloca i32\n %r = call i32 @memcmp(ptr %x, ptr %y, i64 4)";
        assert_eq!(private(text), [true, true]);
    }

    #[test]
    fn a_local_whose_address_is_stored_elsewhere_is_shared() {
        assert_eq!(private("%x = alloca i32\n store ptr %x, ptr @shared"), [false]);
        assert_eq!(private("%x = alloca i32\n call void @keeps(ptr %x)"), [false]);
        assert_eq!(private("%x = alloca i32\n call void @outside(ptr %x)"), [false]);
        let text = "%x = alloca i32\n %r = cmpxchg ptr @shared, ptr null, ptr %x seq_cst seq_cst";
        assert_eq!(private(text), [false]);
    }

    #[test]
    fn what_a_shared_local_points_to_is_shared() {
        let text = "%x = alloca i32\n %y = alloca ptr\n store ptr %x, ptr %y";
        assert_eq!(private(text), [true, true]);
        let text = format!("{text}\n store ptr %y, ptr @shared");
        assert_eq!(private(&text), [false, false]);
    }

    #[test]
    fn an_address_is_followed_through_copies() {
        let copy = "%x = alloca i32\n %y = alloca ptr\n %z = alloca ptr\n store ptr %x, ptr %y\n \
            call void @llvm.memcpy.p0.p0.i64(ptr %z, ptr %y, i64 8, i1 0)\n %w = load ptr, ptr %z";
        assert_eq!(private(copy), [true, true, true]);
        let kept = format!("{copy}\n store ptr %w, ptr @shared");
        assert_eq!(private(&kept), [false, true, true]);
        let integer = "%x = alloca i32\n %i = ptrtoint ptr %x to i64\n %j = xor i64 %i, 5\n \
            store i64 %j, ptr @shared";
        assert_eq!(private(integer), [false]);
        let bytes = "%x = alloca i32\n %y = alloca ptr\n store ptr %x, ptr %y\n \
            %b = load i8, ptr %y\n store i8 %b, ptr @shared";
        assert_eq!(private(bytes), [false, true]);
    }

    #[test]
    fn where_a_handle_or_a_result_is_stored_is_private() {
        let text = "%t = alloca i64\n %x = alloca i32\n %r = alloca ptr\n \
            %e = call i32 @pthread_create(ptr %t, ptr null, ptr null, ptr %x)\n \
            %h = load i64, ptr %t\n %j = call i32 @pthread_join(i64 %h, ptr %r)";
        assert_eq!(private(text), [true, false, true]);
        // The thread may return its argument, which comes back to a local.
        let through = format!("{text}\n %p = load ptr, ptr %r\n store ptr %t, ptr %p");
        assert_eq!(private(&through), [false, false, true]);
        let kept = format!("{text}\n store ptr %r, ptr @shared");
        assert_eq!(private(&kept), [true, false, false]);
    }

    #[test]
    fn a_function_that_is_called_by_its_address_may_be_called_with_anything() {
        let direct = "%x = alloca i32\n call void @called(ptr %x)";
        assert_eq!(private(direct), [true]);
        let by_address = format!("{direct}\n store ptr @called, ptr @shared");
        assert_eq!(private(&by_address), [false]);
        let unknown = "%x = alloca i32\n %f = load ptr, ptr @shared\n call void %f(ptr %x)";
        assert_eq!(private(unknown), [false]);
    }
}
