//! From LLVM IR to bytecode.

mod accesses;
mod allocated;
mod assembly;
mod assembly_text;
mod calls;
mod constants;
mod counting;
mod flow;
mod frame;
mod function;
mod instructions;
mod landing;
mod lifetimes;
mod liveness;
mod private;
mod promote;
mod rounds;
mod signatures;
mod terminators;
mod uses;
mod waiting;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mazurka_core::verdict::ViolationKind;

use super::{
    Argument, ArgumentKind, CallSite, Code, FRAME_HEADER, FunctionCode, GlobalData, Loop, NOWHERE,
    Op, Outside, Pad, Pc, Shape, Signature, Slot, Switch, own_words,
};
use crate::demangle::demangled;
use crate::ir::{
    Constant, DebugTypeId, DebugVariable, Function, Global, Module, Place, is_of_the_system,
};
use crate::layout;
use crate::memory::address::{MAX_SIZE, indices};
use constants::{Constants, Home};
use private::Private;

/// Returns what reports call the function of the library with this symbol, if there is one.
pub(crate) type Provides = fn(&str) -> Option<&'static str>;

/// Bytecode that is being put together.
struct Builder {
    ops: Vec<Op>,
    places: Vec<Option<Place>>,
    sites: Vec<CallSite>,
    shapes: Vec<Shape>,
    switches: Vec<Switch>,
    loops: Vec<Loop>,
    messages: Vec<(ViolationKind, String)>,
    /// Returns the name in reports of a function that the library provides.
    provides: Provides,
    library: Vec<Outside>,
    library_ids: HashMap<String, Option<u32>>,
    locals: HashMap<Pc, DebugVariable>,
    allocated: HashMap<Pc, DebugTypeId>,
    pads: Vec<Pad>,
    labels: HashMap<u64, String>,
    live: Vec<(u32, u32)>,
    live_slots: Vec<Slot>,
    unused: Vec<bool>,
    weak: Vec<Pc>,
    private: Private,
    /// The index of the function that is lowered.
    function: usize,
    private_locals: HashSet<Pc>,
    signatures: Vec<Signature>,
    signature_ids: HashMap<Signature, u32>,
}

impl Builder {
    fn new(module: &Module, provides: Provides) -> Self {
        Builder {
            ops: Vec::new(),
            places: Vec::new(),
            sites: Vec::new(),
            shapes: Vec::new(),
            switches: Vec::new(),
            loops: Vec::new(),
            messages: Vec::new(),
            provides,
            library: Vec::new(),
            library_ids: HashMap::new(),
            locals: HashMap::new(),
            allocated: HashMap::new(),
            pads: Vec::new(),
            labels: HashMap::new(),
            live: Vec::new(),
            live_slots: Vec::new(),
            unused: Vec::new(),
            weak: Vec::new(),
            private: Private::of(module),
            function: 0,
            private_locals: HashSet::new(),
            signatures: Vec::new(),
            signature_ids: HashMap::new(),
        }
    }

    fn here(&self) -> Pc {
        self.ops.len() as Pc
    }

    fn emit(&mut self, op: Op) {
        self.ops.push(op);
        self.places.push(None);
    }

    /// The library function of a name, if there is one.
    fn library_function(&mut self, name: &str) -> Option<u32> {
        if let Some(known) = self.library_ids.get(name) {
            return *known;
        }
        let id = (self.provides)(name).map(|found| {
            self.library.push(Outside { symbol: name.to_owned(), name: found });
            self.library.len() as u32 - 1
        });
        self.library_ids.insert(name.to_owned(), id);
        id
    }

    /// A call with these arguments, one slot each.
    fn simple_site(&mut self, slots: &[Slot]) -> u32 {
        let argument = |slot: &Slot| Argument {
            slot: *slot,
            kind: ArgumentKind::Int(64),
            slots: 1,
            copied: None,
        };
        self.sites.push(CallSite {
            arguments: slots.iter().map(argument).collect(),
            slots: slots.to_vec(),
            results: 1,
            bits: 64,
            copies: false,
            signature: None,
        });
        self.sites.len() as u32 - 1
    }
}

/// Lowers a program whose undefined functions are those that the library `provides`.
///
/// # Errors
///
/// What cannot be run, and where.
pub(crate) fn lower(module: &Module, provides: Provides) -> Result<Code, String> {
    let main = module.functions.iter().position(|function| function.name == "main");
    let Some(main) = main.filter(|main| !module.functions[*main].blocks.is_empty()) else {
        return Err("the program has no function `main`: add the file that has it".to_owned());
    };
    let (globals, thread_locals, constants) = lower_globals(module, provides)?;
    let mut builder = Builder::new(module, provides);
    let mut functions = Vec::new();
    for (id, function) in module.functions.iter().enumerate() {
        builder.function = id;
        functions.push(match function.blocks.is_empty() {
            true => declared(&mut builder, module, function),
            false => lower_body(&mut builder, &constants, function)?,
        });
    }
    let (main, thread) = stubs(&mut builder, module, main, &mut functions);
    let entry = |(id, function): (usize, &FunctionCode)| Some((function.entry?, id as u32));
    let mut entries: Vec<_> = functions.iter().enumerate().filter_map(entry).collect();
    entries.sort_unstable();
    Ok(Code {
        entries,
        ops: builder.ops,
        places: builder.places,
        functions,
        sites: builder.sites,
        shapes: builder.shapes,
        switches: builder.switches,
        loops: builder.loops,
        messages: builder.messages,
        library: builder.library,
        globals,
        thread_locals,
        debug: module.debug.clone(),
        system_files: module.debug.files.iter().map(|file| is_of_the_system(file)).collect(),
        locals: builder.locals,
        allocated: builder.allocated,
        pads: builder.pads,
        labels: builder.labels,
        live: builder.live,
        live_slots: builder.live_slots,
        unused: builder.unused,
        weak: builder.weak,
        private_locals: Arc::new(builder.private_locals),
        signatures: builder.signatures,
        main,
        thread,
    })
}

/// What a function is called in the source.
fn source_name(function: &Function) -> String {
    let name = function.source_name.clone();
    name.unwrap_or_else(|| demangled(&function.name).into_owned())
}

fn declared(builder: &mut Builder, module: &Module, function: &Function) -> FunctionCode {
    let signature = signatures::of_function(module, function);
    FunctionCode {
        name: function.name.clone(),
        source_name: source_name(function),
        entry: None,
        library: builder.library_function(&function.name),
        frame: 0,
        parameters: 0,
        variadic: None,
        signature: signature.map(|signature| builder.signature(signature)),
        exit: 0,
        initial: Vec::new(),
    }
}

fn lower_body(
    builder: &mut Builder,
    constants: &Constants<'_>,
    function: &Function,
) -> Result<FunctionCode, String> {
    let entry = builder.here();
    let code = function::lower_function(builder, constants, function)?;
    find_live_slots(builder, entry, code.frame, &code.initial);
    Ok(code)
}

/// Notes which slots matter where threads can rest in the function that starts at `entry`, and which of
/// its loops count.
fn find_live_slots(builder: &mut Builder, entry: Pc, frame: u32, initial: &[(Slot, u64)]) {
    let tables = flow::Tables {
        sites: &builder.sites,
        shapes: &builder.shapes,
        switches: &builder.switches,
        pads: &builder.pads,
    };
    let ops = &builder.ops[entry as usize..];
    let mut found = liveness::liveness(&tables, ops, entry, frame);
    // Control may come back to a call of `setjmp` from any later call.
    let sets_jump = |op: &Op| match op {
        Op::CallLibrary { function, .. } => {
            builder.library[*function as usize].name.ends_with("setjmp")
        }
        _ => false,
    };
    let sets_jump = ops.iter().any(sets_jump);
    if sets_jump {
        for (_, live) in &mut found.rests {
            *live = (FRAME_HEADER..frame).collect();
        }
    }
    let loops = counting::Loops::new(&tables, ops, entry, frame, initial);
    for (at, live) in &found.rests {
        if let Op::LoopHead { id } = ops[*at] {
            let counts = loops.counts(*at, live);
            builder.loops[id as usize].counts = counts;
            builder.loops[id as usize].waits = !counts && waiting::waits(&tables, ops, entry, *at);
        }
    }
    if !sets_jump {
        find_rounds(&mut builder.loops, &rounds::Function::new(&tables, ops, entry), &found);
    }
    builder.live.resize(builder.ops.len(), (0, 0));
    builder.unused.resize(builder.ops.len(), false);
    for at in found.unused {
        builder.unused[entry as usize + at] = true;
    }
    for (at, live) in found.rests {
        let pc = entry as usize + at;
        let start = builder.live_slots.len() as u32;
        builder.live_slots.extend_from_slice(&live);
        builder.live[pc] = (start, builder.live_slots.len() as u32);
        if let Op::LoopHead { id } = builder.ops[pc] {
            builder.loops[id as usize].live = live;
        }
    }
}

/// Notes which loops of a function count their rounds.
fn find_rounds(
    loops: &mut [crate::bytecode::Loop],
    function: &rounds::Function<'_>,
    found: &liveness::Liveness,
) {
    let heads = || {
        found.rests.iter().filter_map(|(at, live)| match function.ops[*at] {
            Op::LoopHead { id } => Some((*at, id as usize, live)),
            _ => None,
        })
    };
    for (at, id, live) in heads() {
        let Some(counted) = function.counted(at, live, found) else { continue };
        loops[id].counted = Some(Box::new(counted));
        loops[id].has_rounds = true;
        for (outer, id, _) in heads() {
            loops[id].has_rounds |= function.encloses(outer, at);
        }
    }
}

/// The functions with which threads start: they call the program's, and end the thread with the
/// result, which is in their first slot.
fn stubs(
    builder: &mut Builder,
    module: &Module,
    main: usize,
    functions: &mut Vec<FunctionCode>,
) -> (u32, u32) {
    let (first, second) = (FRAME_HEADER, FRAME_HEADER + 1);
    let stub = |name: &str, entry: Pc, exit: Pc| FunctionCode {
        name: name.to_owned(),
        source_name: name.to_owned(),
        entry: Some(entry),
        library: None,
        frame: FRAME_HEADER + 3,
        parameters: 2,
        variadic: None,
        signature: None,
        exit,
        initial: vec![(FRAME_HEADER + 2, 0)],
    };
    let entry = builder.here();
    let nothing = builder.simple_site(&[]);
    for constructor in &module.constructors {
        if functions[constructor.0 as usize].entry.is_some() {
            builder.emit(Op::Call { function: constructor.0, site: nothing, d: NOWHERE });
        }
    }
    let site = builder.simple_site(&[first, second]);
    builder.emit(Op::Call { function: main as u32, site, d: first });
    let exit = builder.here();
    if let Some(function) = builder.library_function("__mazurka_end_main") {
        builder.emit(Op::CallLibrary { function, site: nothing, d: second });
    }
    let skip = builder.ops.len();
    builder.emit(Op::JumpUnless { a: second, to: 0 });
    for destructor in &module.destructors {
        if functions[destructor.0 as usize].entry.is_some() {
            builder.emit(Op::Call { function: destructor.0, site: nothing, d: NOWHERE });
        }
    }
    let end = builder.here();
    builder.ops[skip] = Op::JumpUnless { a: second, to: end };
    builder.emit(Op::EndThread { a: first });
    find_live_slots(builder, entry, FRAME_HEADER + 3, &[]);
    functions.push(stub("main", entry, exit));
    let entry = builder.here();
    let site = builder.simple_site(&[second]);
    builder.emit(Op::CallPointer { a: first, site, d: first });
    let exit = builder.here();
    // Mostly there is nothing to destroy.
    let (zero, number) = (FRAME_HEADER + 2, own_words::KEY_VALUES);
    builder.emit(Op::OwnWord { d: second, number });
    let to = builder.here() + 2;
    let predicate = crate::ir::Predicate::Eq;
    builder.emit(Op::JumpCompare { predicate, bits: 64, a: second, b: zero, to });
    if let Some(function) = builder.library_function("__mazurka_end_thread") {
        builder.emit(Op::CallLibrary { function, site: nothing, d: NOWHERE });
    }
    builder.emit(Op::EndThread { a: first });
    find_live_slots(builder, entry, FRAME_HEADER + 3, &[]);
    functions.push(stub("thread", entry, exit));
    (functions.len() as u32 - 2, functions.len() as u32 - 1)
}

type Globals<'m> = (Vec<GlobalData>, Vec<GlobalData>, Constants<'m>);

fn lower_globals(module: &Module, provides: Provides) -> Result<Globals<'_>, String> {
    let mut homes = Vec::new();
    let (mut count, mut thread_local) = (0, 0);
    for global in &module.globals {
        homes.push(match global.initial.is_none() {
            true if global.weak => Home::Null,
            true if !is_from_library(&global.name) => {
                return Err(format!(
                    "`{}` is declared, but no file of the program defines it: give the file that \
                     does as well",
                    demangled(&global.name)
                ));
            }
            _ => {
                let next = if global.thread_local { &mut thread_local } else { &mut count };
                let first = *next;
                *next += indices(global_size(module, global)?) as u32;
                match global.thread_local {
                    true => Home::ThreadLocal(first),
                    false => Home::Global(first),
                }
            }
        });
    }
    let mut blocks = 0;
    let blocks_before = |function: &Function| {
        blocks += function.blocks.len() as u32;
        blocks - function.blocks.len() as u32
    };
    let first_blocks = module.functions.iter().map(blocks_before).collect();
    let constants = Constants { module, provides, globals: homes, first_blocks };
    let (mut globals, mut thread_locals) = (Vec::new(), Vec::new());
    for (global, home) in module.globals.iter().zip(&constants.globals) {
        match home {
            Home::Global(_) => add_global(&mut globals, global_data(&constants, global)?),
            Home::ThreadLocal(_) => {
                add_global(&mut thread_locals, global_data(&constants, global)?);
            }
            Home::Null => {}
        }
    }
    Ok((globals, thread_locals, constants))
}

/// Returns whether a global is the C or C++ library's. What Mazurka has of it is in the runtime, so
/// the program must not access the others; but it may refer to them where it does not come by.
fn is_from_library(name: &str) -> bool {
    is_of_the_standard_library(name)
        || name.starts_with("__dso_handle")
        || matches!(name, "environ" | "__environ")
}

/// Returns whether a mangled name is in `std` or in the ABI's own namespace, or a table or a
/// description of something there.
fn is_of_the_standard_library(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("_Z") else { return false };
    let special = ["TV", "TT", "TI", "TS", "GV", "GR"];
    let rest = special.iter().find_map(|start| rest.strip_prefix(start)).unwrap_or(rest);
    // Descriptions of pointers, and names in namespaces.
    let rest = rest.trim_start_matches(['P', 'K', 'N']);
    // `St` is `std`; `Sa`, `Ss` and so on are its strings and streams.
    rest.starts_with('S') || rest.starts_with("10__cxxabiv1")
}

/// Adds a variable, and an entry for each further index that it takes.
fn add_global(globals: &mut Vec<GlobalData>, global: GlobalData) {
    let further = indices(global.size) - 1;
    let continuation = GlobalData {
        continues: true,
        is_missing: false,
        name: String::new(),
        size: 0,
        constant: true,
        initial: Vec::new(),
        debug: None,
    };
    globals.push(global);
    globals.extend(std::iter::repeat_n(continuation, further));
}

/// Returns how many bytes of memory a variable gets.
fn global_size(module: &Module, global: &Global) -> Result<u64, String> {
    let size = layout::size_of(&module.types, global.ty);
    if size > MAX_SIZE {
        return Err(format!(
            "`{}` has {size} bytes, and {MAX_SIZE} is the most that a variable can have",
            demangled(&global.name)
        ));
    }
    let has_none = global.initial.is_none() && is_of_the_standard_library(&global.name);
    Ok(if has_none { 0 } else { size })
}

fn global_data(constants: &Constants<'_>, global: &Global) -> Result<GlobalData, String> {
    let mut initial = vec![0; global_size(constants.module, global)? as usize];
    if let Some(constant) = &global.initial {
        constants
            .write(global.ty, constant, &mut initial)
            .map_err(|why| format!("the initial value of `{}`: {why}", global.name))?;
    }
    let constant = global.constant && global.initial != Some(Constant::Undefined);
    Ok(GlobalData {
        continues: false,
        is_missing: global.initial.is_none() && initial.is_empty(),
        name: global.name.clone(),
        size: initial.len() as u64,
        constant,
        initial,
        debug: global.debug.clone(),
    })
}
