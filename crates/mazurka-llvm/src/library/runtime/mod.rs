//! Library functions in IR, which become part of the program: functions that call the program back, and
//! data that the program accesses.
//!
//! They are written in C (the `.c` files in this directory), and `cargo xtask runtime` compiles them. A
//! program gets the functions that it needs, directly and indirectly. Its own definitions take precedence.

use std::collections::{HashMap, HashSet};

use super::pools::add_pools;
use super::spins::shorten_spins;
use crate::ir::{FunctionId, LIBRARY, Module};
use crate::link::{LinkError, link};
use crate::read::read_module;

const TEXTS: [&str; 8] = [
    include_str!("c.ll"),
    include_str!("cpp.ll"),
    include_str!("containers.ll"),
    include_str!("exceptions.ll"),
    include_str!("verifier.ll"),
    include_str!("posix.ll"),
    include_str!("signals.ll"),
    include_str!("calendar.ll"),
];

/// What every function refers to that exceptions may pass through.
const PERSONALITY: &str = "__gxx_personality_v0";

/// What such a function calls that has cleaned up.
const RESUME: &str = "__mazurka_resume";

/// Throws the exception of `new` when there is not enough memory.
pub(super) const BAD_ALLOC: &str = "_ZSt17__throw_bad_allocv";

/// The operators that throw it.
const NEW: [&str; 4] = ["_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"];

/// Runs what is registered for the end of the program.
const AT_EXIT: &str = "__mazurka_at_exit";

/// Makes the standard streams; a part of the templates of the C++ library.
const START_STREAMS: &str = "__mazurka_start_streams";

/// Adds the functions of the library in IR that a program needs, and removes bodies that native library
/// functions replace.
///
/// `templates` returns more IR: the instances of the C++ library's templates. It is called only if the
/// program needs a name of the C++ library that is not defined elsewhere.
pub(crate) fn complete(
    mut program: Module,
    templates: &dyn Fn() -> Option<String>,
) -> Result<Module, LinkError> {
    remove_replaced(&mut program);
    shorten_spins(&mut program);
    add_pools(&mut program);
    let mut needed = undefined(&program);
    let at_exit = needed.contains("atexit") || needed.contains("__cxa_atexit");
    if at_exit {
        needed.insert(AT_EXIT);
    } else {
        // Nothing is registered: to end the program is all that there is to do.
        needed.remove("exit");
    }
    if NEW.iter().any(|new| needed.contains(new)) {
        needed.insert(BAD_ALLOC);
    }
    let mut libraries: Vec<Parts<'_>> = TEXTS.into_iter().map(parts).collect();
    let is_missing = |name: &&str| {
        is_of_std(name)
            && super::find(name).is_none()
            && !libraries.iter().any(|library| library.is_defined(name))
    };
    let missing: Vec<&str> = needed.iter().copied().filter(is_missing).collect();
    let templates = if missing.is_empty() { None } else { templates() };
    let templates = templates.as_deref().map(parts);
    let templates = templates.filter(|parts| missing.iter().any(|name| parts.is_defined(name)));
    let has_templates = templates.is_some();
    if let Some(templates) = templates {
        needed.insert(START_STREAMS);
        libraries.insert(0, templates);
    }
    if needed.contains(PERSONALITY) || has_templates {
        needed.insert(RESUME);
    }
    let texts = excerpts(&libraries, &needed);
    let texts = texts.iter().filter(|text| !text.is_empty());
    let modules: Result<Vec<Module>, _> = texts.map(|text| read_module(text, LIBRARY)).collect();
    let mut modules = match modules {
        Ok(modules) if modules.is_empty() => return Ok(program),
        Ok(modules) => modules,
        // The user's clang has made IR that cannot be taken apart.
        Err(_) if has_templates => return complete(program, &|| None),
        Err(error) => panic!("the library is right: {error}"),
    };
    modules.iter_mut().for_each(remove_replaced);
    let mut whole = link([vec![program], modules].concat())?;
    let id = |name: &str| {
        let position = whole.functions.iter().position(|function| function.name == name);
        FunctionId(position.expect("it is in the library") as u32)
    };
    let (runs, starts) = (at_exit.then(|| id(AT_EXIT)), has_templates.then(|| id(START_STREAMS)));
    if let Some(runs) = runs {
        whole.destructors.insert(0, runs);
    }
    if let Some(starts) = starts {
        whole.constructors.insert(0, starts);
    }
    Ok(whole)
}

/// Removes the names that the library defines in IR.
pub(crate) fn remove_defined(names: &mut HashSet<String>) {
    if !names.is_empty() {
        let libraries = TEXTS.map(parts);
        names.retain(|name| !libraries.iter().any(|library| library.is_defined(name)));
    }
}

/// Removes the bodies of functions that native library functions replace.
fn remove_replaced(module: &mut Module) {
    for function in &mut module.functions {
        if super::replaces(&function.name) {
            function.blocks.clear();
        }
    }
}

/// Returns whether a mangled name is one of the C++ library: in the namespace `std`, or a table or
/// description of a class there.
fn is_of_std(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("_Z") else { return false };
    let rest = ["TV", "TI", "TS", "TT", "Th", "Tv"]
        .iter()
        .find_map(|table| rest.strip_prefix(table))
        .unwrap_or(rest);
    let rest = rest.strip_prefix('N').unwrap_or(rest);
    let rest = rest.strip_prefix('K').unwrap_or(rest);
    let rest = rest.strip_prefix(['R', 'O']).unwrap_or(rest);
    ["St", "So", "Si", "Sd"].iter().any(|start| rest.starts_with(start))
}

/// Returns the names that a program declares and does not define.
fn undefined(program: &Module) -> HashSet<&str> {
    let functions = program.functions.iter().filter(|f| f.blocks.is_empty()).map(|f| &f.name[..]);
    let globals = program.globals.iter().filter(|g| g.initial.is_none()).map(|g| &g.name[..]);
    functions.chain(globals).collect()
}

/// Returns the parts of each library that define these names and all names that they refer to in turn.
///
/// If several libraries define a name, the first one counts. A later one is added as well if the same
/// library refers to it; the linker then drops it.
fn excerpts(libraries: &[Parts<'_>], names: &HashSet<&str>) -> Vec<String> {
    let mut taken = vec![HashSet::new(); libraries.len()];
    let first = |name: &str| libraries.iter().position(|library| library.is_defined(name));
    let mut wanted: Vec<(usize, &str)> =
        names.iter().filter_map(|name| Some((first(name)?, *name))).collect();
    while let Some((library, name)) = wanted.pop() {
        let Some(&index) = libraries[library].by_name.get(name) else { continue };
        if !taken[library].insert(index) {
            continue;
        }
        for name in references(libraries[library].all[index]) {
            wanted.push((library, name));
            wanted.extend(first(name).filter(|other| *other != library).map(|other| (other, name)));
        }
    }
    let texts = libraries.iter().zip(taken).map(|(library, taken)| {
        if taken.is_empty() {
            return String::new();
        }
        // In the order of the file, so that the same program is always the same.
        let all = library.all.iter().enumerate();
        let kept = all.filter(|(index, part)| taken.contains(index) || part.starts_with('%'));
        kept.map(|(_, part)| format!("{part}\n")).collect()
    });
    texts.collect()
}

/// A file of IR in its parts: a type, a global, a declaration or a function each.
struct Parts<'t> {
    all: Vec<&'t str>,
    by_name: HashMap<&'t str, usize>,
}

impl Parts<'_> {
    fn is_defined(&self, name: &str) -> bool {
        self.by_name.get(name).is_some_and(|&index| {
            let part = self.all[index];
            !part.starts_with("declare") && !part.contains(" = external ")
        })
    }
}

fn parts(text: &str) -> Parts<'_> {
    let mut parts = Parts { all: Vec::new(), by_name: HashMap::new() };
    let mut rest = text;
    while !rest.is_empty() {
        let line_end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let end = match rest.starts_with("define") {
            true => rest.find("\n}\n").map_or(rest.len(), |end| end + 3),
            false => line_end,
        };
        let part = rest[..end].trim_end();
        if let Some(name) = defined_name(part) {
            parts.by_name.insert(name, parts.all.len());
            parts.all.push(part);
        } else if part.starts_with('%') {
            parts.all.push(part);
        }
        rest = &rest[end..];
    }
    parts
}

/// The name that a part is about: the first one in it.
fn defined_name(part: &str) -> Option<&str> {
    let is_named = ["@", "define", "declare"].iter().any(|start| part.starts_with(start));
    is_named.then(|| references(part).next()).flatten()
}

/// Returns the names of globals and functions in a text. Names with unusual letters are in quotes.
fn references(part: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
    part.split('@').skip(1).map(move |behind| match behind.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default(),
        None => behind.split(|c| !is_name(c)).next().unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_library_can_be_read() {
        for text in TEXTS {
            read_module(text, "library").unwrap_or_else(|error| panic!("{error}"));
        }
    }

    #[test]
    fn a_program_gets_what_it_needs_and_no_more() {
        let program = |text: &str| complete(read_module(text, "p.ll").unwrap(), &|| None).unwrap();
        let names = |module: &Module| -> Vec<String> {
            module.functions.iter().map(|f| f.name.clone()).collect()
        };
        let none = program("declare i64 @strlen(ptr)\ndefine void @main() {\n ret void\n}");
        assert_eq!(names(&none), ["strlen", "main"]);
        let sorts = program("declare void @qsort(ptr, i64, i64, ptr)\n");
        let names = names(&sorts);
        assert!(names.iter().any(|name| name == "merge_sort"), "{names:?}");
        assert!(names.iter().all(|name| name != "strtok"), "{names:?}");
        assert!(sorts.functions.iter().any(|f| f.name == "qsort" && !f.blocks.is_empty()));
    }

    #[test]
    fn what_is_registered_for_the_end_is_run_there() {
        let text = "declare i32 @atexit(ptr)\ndeclare void @exit(i32)\n";
        let module = complete(read_module(text, "p.ll").unwrap(), &|| None).unwrap();
        let function = |id: FunctionId| &module.functions[id.0 as usize];
        assert_eq!(function(module.destructors[0]).name, AT_EXIT);
        let is_exit = |f: &&crate::ir::Function| f.name == "exit" && !f.blocks.is_empty();
        assert!(module.functions.iter().any(|f| is_exit(&f)));
        let module =
            complete(read_module("declare void @exit(i32)\n", "p.ll").unwrap(), &|| None).unwrap();
        assert!(!module.functions.iter().any(|f| is_exit(&f)));
    }

    #[test]
    fn the_program_s_own_definitions_come_first() {
        let text = "declare void @qsort(ptr, i64, i64, ptr)\n\
                    define void @qsort_r() {\n ret void\n}\n";
        let module = complete(read_module(text, "p.ll").unwrap(), &|| None).unwrap();
        let own: Vec<_> = module.functions.iter().filter(|f| f.name == "qsort_r").collect();
        assert_eq!(own.len(), 1);
        assert_eq!(own[0].blocks[0].instructions.len(), 0);
    }
}
