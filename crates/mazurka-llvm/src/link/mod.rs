//! Several modules into one program.
//!
//! What one file declares and another defines becomes one thing; `static` names stay apart. A weak
//! definition gives way to a strong one, and to an earlier weak one. Two strong ones are an error.

mod mover;

use std::collections::HashMap;
use std::fmt;

use self::mover::Mover;
use crate::demangle::demangled;
use crate::ir::{Constant, FunctionId, GlobalId, Module, Type, TypeId, Types};

/// Why modules do not fit together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkError {
    /// Two files define the same name.
    Duplicate {
        /// The name.
        name: String,
        /// The file that defines it first.
        first: String,
        /// The file that defines it again.
        second: String,
    },
    /// One file has a function by this name, another one a variable.
    Kind {
        /// The name.
        name: String,
        /// The file with the function.
        function: String,
        /// The file with the variable.
        variable: String,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::Duplicate { name, first, second } => write!(
                f,
                "`{}` is defined in {first} and again in {second}; \
                 remove one of them, or make them `static`",
                demangled(name)
            ),
            LinkError::Kind { name, function, variable } => {
                let name = demangled(name);
                write!(f, "`{name}` is a function in {function}, but a variable in {variable}")
            }
        }
    }
}

impl std::error::Error for LinkError {}

/// Links modules into one program.
pub fn link(modules: Vec<Module>) -> Result<Module, LinkError> {
    if modules.len() == 1 {
        return Ok(modules.into_iter().next().expect("there is one"));
    }
    let winners = winners(&modules)?;
    let maps = ids(&modules, &winners);
    let mut linked = Module::default();
    let mut structs = HashMap::new();
    let mut destructors = Vec::new();
    for (index, module) in modules.into_iter().enumerate() {
        if module.types.aligns_wide_integers() {
            linked.types.align_wide_integers();
        }
        let mut mover = Mover {
            types: types(&module.types, &mut linked.types, &mut structs),
            debug_base: linked.debug.types.len() as u32,
            files: Vec::new(),
            maps: &maps,
            index,
        };
        mover.add(module, &mut linked, &mut destructors);
    }
    // What was constructed last is destroyed first.
    linked.destructors = destructors.into_iter().rev().flatten().collect();
    Ok(linked)
}

/// A symbol of one of the modules.
#[derive(Clone, Copy, PartialEq)]
enum Item {
    Function(usize),
    Global(usize),
    Alias(usize),
}

/// How much a symbol counts against others of its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    WeaklyDeclared,
    Declared,
    Weak,
    Strong,
}

fn strength(defined: bool, weak: bool) -> Strength {
    match (defined, weak) {
        (false, true) => Strength::WeaklyDeclared,
        (false, false) => Strength::Declared,
        (true, true) => Strength::Weak,
        (true, false) => Strength::Strong,
    }
}

#[derive(Clone, Copy)]
struct Winner {
    module: usize,
    item: Item,
    strength: Strength,
}

fn file(module: &Module) -> String {
    module.files.first().cloned().unwrap_or_default()
}

/// Which symbol stands for a name that the modules share.
fn winners(modules: &[Module]) -> Result<HashMap<&str, Winner>, LinkError> {
    let mut winners: HashMap<&str, Winner> = HashMap::new();
    for (index, module) in modules.iter().enumerate() {
        let functions = module.functions.iter().enumerate().filter(|(_, f)| !f.internal);
        let globals = module.globals.iter().enumerate().filter(|(_, g)| !g.internal);
        let aliases = module.aliases.iter().enumerate().filter(|(_, a)| !a.internal);
        let symbols = functions
            .map(|(i, f)| (&f.name[..], Item::Function(i), strength(!f.blocks.is_empty(), f.weak)))
            .chain(globals.map(|(i, g)| {
                (&g.name[..], Item::Global(i), strength(g.initial.is_some(), g.weak))
            }))
            .chain(aliases.map(|(i, a)| (&a.name[..], Item::Alias(i), strength(true, a.weak))));
        for (name, item, strength) in symbols {
            let new = Winner { module: index, item, strength };
            let Some(old) = winners.get_mut(name) else {
                winners.insert(name, new);
                continue;
            };
            let files = |function: usize, variable: usize| LinkError::Kind {
                name: name.to_owned(),
                function: file(&modules[function]),
                variable: file(&modules[variable]),
            };
            match (old.item, item) {
                (Item::Function(_), Item::Global(_)) => return Err(files(old.module, index)),
                (Item::Global(_), Item::Function(_)) => return Err(files(index, old.module)),
                _ => {}
            }
            if old.strength == Strength::Strong && strength == Strength::Strong {
                return Err(LinkError::Duplicate {
                    name: name.to_owned(),
                    first: file(&modules[old.module]),
                    second: file(module),
                });
            }
            if strength > old.strength {
                *old = new;
            }
        }
    }
    Ok(winners)
}

/// What the symbols of a module are in the linked one.
struct Ids {
    functions: Vec<Constant>,
    globals: Vec<Constant>,
    /// Whether each of them is moved, or another one stands for it.
    keeps_function: Vec<bool>,
    keeps_global: Vec<bool>,
    keeps_alias: Vec<bool>,
}

fn ids(modules: &[Module], winners: &HashMap<&str, Winner>) -> Vec<Ids> {
    let wins = |module: usize, item: Item, name: &str, internal: bool| {
        internal || winners.get(name).is_some_and(|w| w.module == module && w.item == item)
    };
    let (mut next_function, mut next_global) = (0, 0);
    let mut all = Vec::new();
    for (index, module) in modules.iter().enumerate() {
        let mut ids = Ids {
            functions: Vec::new(),
            globals: Vec::new(),
            keeps_function: Vec::new(),
            keeps_global: Vec::new(),
            keeps_alias: Vec::new(),
        };
        for (i, function) in module.functions.iter().enumerate() {
            let keep = wins(index, Item::Function(i), &function.name, function.internal);
            ids.keeps_function.push(keep);
            ids.functions.push(Constant::Function(FunctionId(next_function)));
            next_function += keep as u32;
        }
        for (i, global) in module.globals.iter().enumerate() {
            let keep = wins(index, Item::Global(i), &global.name, global.internal);
            ids.keeps_global.push(keep);
            ids.globals.push(Constant::Global(GlobalId(next_global)));
            next_global += keep as u32;
        }
        for (i, alias) in module.aliases.iter().enumerate() {
            ids.keeps_alias.push(wins(index, Item::Alias(i), &alias.name, alias.internal));
        }
        all.push(ids);
    }
    // Those that lose become whoever wins; an alias that wins is what it stands for.
    for (index, module) in modules.iter().enumerate() {
        for i in 0..module.functions.len() {
            all[index].functions[i] = resolve(modules, winners, &all, index, Item::Function(i), 0);
        }
        for i in 0..module.globals.len() {
            all[index].globals[i] = resolve(modules, winners, &all, index, Item::Global(i), 0);
        }
    }
    all
}

/// How many aliases may stand for each other in a row.
const MAX_ALIASES: u32 = 16;

/// The constant, in the linked module, that a symbol of this module stands for.
fn resolve(
    modules: &[Module],
    winners: &HashMap<&str, Winner>,
    all: &[Ids],
    module: usize,
    item: Item,
    depth: u32,
) -> Constant {
    let (keeps, name, constant) = match item {
        Item::Function(i) => (
            all[module].keeps_function[i],
            &modules[module].functions[i].name,
            &all[module].functions[i],
        ),
        Item::Global(i) => {
            (all[module].keeps_global[i], &modules[module].globals[i].name, &all[module].globals[i])
        }
        Item::Alias(i) => {
            let alias = &modules[module].aliases[i];
            // With typed pointers, there is a cast around the target.
            let target = match &alias.target {
                Constant::Cast { value, .. } => value,
                target => target,
            };
            let target = match *target {
                Constant::Function(FunctionId(f)) => Item::Function(f as usize),
                Constant::Global(GlobalId(g)) => Item::Global(g as usize),
                _ => {
                    let what = format!("@{}, an alias of an expression", alias.name);
                    return Constant::Unsupported(what);
                }
            };
            if depth > MAX_ALIASES {
                let what = format!("@{}, an alias that stands for itself", alias.name);
                return Constant::Unsupported(what);
            }
            return resolve(modules, winners, all, module, target, depth + 1);
        }
    };
    if keeps {
        return constant.clone();
    }
    let winner = winners[&name[..]];
    resolve(modules, winners, all, winner.module, winner.item, depth)
}

/// The ids of a module's types in the linked one. Named structs that are the same in all but their
/// module are one there. A struct cannot contain itself (pointers do not tell what they point to),
/// so every type is ready once those that it contains are.
fn types(from: &Types, to: &mut Types, structs: &mut HashMap<Type, TypeId>) -> Vec<TypeId> {
    let mut map = vec![None; from.len()];
    (0..from.len()).map(|id| move_type(TypeId(id as u32), from, to, structs, &mut map)).collect()
}

fn move_type(
    id: TypeId,
    from: &Types,
    to: &mut Types,
    structs: &mut HashMap<Type, TypeId>,
    map: &mut [Option<TypeId>],
) -> TypeId {
    if let Some(known) = map[id.0 as usize] {
        return known;
    }
    let mut ty = from.get(id).clone();
    match &mut ty {
        Type::Array(_, element) | Type::Vector(_, element) => {
            *element = move_type(*element, from, to, structs, map);
        }
        Type::Struct { fields, .. } => {
            for field in fields {
                *field = move_type(*field, from, to, structs, map);
            }
        }
        Type::Function { result, parameters, .. } => {
            *result = move_type(*result, from, to, structs, map);
            for parameter in parameters {
                *parameter = move_type(*parameter, from, to, structs, map);
            }
        }
        _ => {}
    }
    let new = if matches!(ty, Type::Struct { name: Some(_), .. }) {
        *structs.entry(ty.clone()).or_insert_with(|| to.intern(ty))
    } else {
        to.intern(ty)
    };
    map[id.0 as usize] = Some(new);
    new
}

#[cfg(test)]
mod tests;
