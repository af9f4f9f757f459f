//! Library functions that are part of the program: those that call it back, or that it looks into.
//!
//! They are written in C (the `.c` files in this directory), and here in IR. A program gets
//! those that it needs, and those that they need in turn; its own definitions take their place.

use std::collections::{HashMap, HashSet};

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

/// Adds to a program what it needs of the library in IR, and takes out what is done by the library
/// that is not in IR.
pub(crate) fn complete(mut program: Module) -> Result<Module, LinkError> {
    for function in &mut program.functions {
        if super::replaces(&function.name) {
            function.blocks.clear();
        }
    }
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
    if needed.contains(PERSONALITY) {
        needed.insert(RESUME);
    }
    let texts = excerpts(&needed);
    let libraries = texts.iter().filter(|text| !text.is_empty());
    let libraries = libraries.map(|text| read_module(text, LIBRARY).expect("the library is right"));
    let modules: Vec<Module> = libraries.collect();
    if modules.is_empty() {
        return Ok(program);
    }
    let mut whole = link([vec![program], modules].concat())?;
    if at_exit {
        let runs = whole.functions.iter().position(|function| function.name == AT_EXIT);
        let id = runs.expect("it is in the library") as u32;
        whole.destructors.insert(0, FunctionId(id));
    }
    Ok(whole)
}

/// What a program declares and does not define.
fn undefined(program: &Module) -> HashSet<&str> {
    let functions = program.functions.iter().filter(|f| f.blocks.is_empty()).map(|f| &f.name[..]);
    let globals = program.globals.iter().filter(|g| g.initial.is_none()).map(|g| &g.name[..]);
    functions.chain(globals).collect()
}

/// The parts of all libraries that define these names, and all that they refer to.
fn excerpts(names: &HashSet<&str>) -> Vec<String> {
    let mut needed: HashSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    loop {
        let names: HashSet<&str> = needed.iter().map(String::as_str).collect();
        let texts: Vec<String> = TEXTS.iter().map(|text| excerpt(text, &names)).collect();
        // One library may need another.
        let more = texts.iter().flat_map(|text| references(text)).filter(|n| !names.contains(n));
        let more: Vec<String> = more.map(str::to_owned).collect();
        if more.is_empty() {
            break texts;
        }
        needed.extend(more);
    }
}

/// The part of a library that defines these names, and all that it refers to.
fn excerpt(library: &str, names: &HashSet<&str>) -> String {
    let parts = parts(library);
    let mut wanted: Vec<&str> =
        names.iter().copied().filter(|name| parts.is_defined(name)).collect();
    let mut taken = HashSet::new();
    while let Some(name) = wanted.pop() {
        let Some(&index) = parts.by_name.get(name) else { continue };
        if taken.insert(index) {
            wanted.extend(references(parts.all[index]));
        }
    }
    if taken.is_empty() {
        return String::new();
    }
    // In the order of the file, so that the same program is always the same.
    let all = parts.all.iter().enumerate();
    let kept = all.filter(|(index, part)| taken.contains(index) || part.starts_with('%'));
    kept.map(|(_, part)| format!("{part}\n")).collect()
}

/// A file of IR in its parts: a type, a global, a declaration or a function each.
struct Parts<'t> {
    all: Vec<&'t str>,
    by_name: HashMap<&'t str, usize>,
}

impl Parts<'_> {
    fn is_defined(&self, name: &str) -> bool {
        self.by_name.get(name).is_some_and(|&index| !self.all[index].starts_with("declare"))
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

/// The names of globals and functions in a text.
fn references(part: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
    part.split('@').skip(1).map(move |behind| {
        let end = behind.find(|c| !is_name(c)).unwrap_or(behind.len());
        &behind[..end]
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
        let program = |text: &str| complete(read_module(text, "p.ll").unwrap()).unwrap();
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
        let module = complete(read_module(text, "p.ll").unwrap()).unwrap();
        let function = |id: FunctionId| &module.functions[id.0 as usize];
        assert_eq!(function(module.destructors[0]).name, AT_EXIT);
        let is_exit = |f: &&crate::ir::Function| f.name == "exit" && !f.blocks.is_empty();
        assert!(module.functions.iter().any(|f| is_exit(&f)));
        let module = complete(read_module("declare void @exit(i32)\n", "p.ll").unwrap()).unwrap();
        assert!(!module.functions.iter().any(|f| is_exit(&f)));
    }

    #[test]
    fn the_program_s_own_definitions_come_first() {
        let text = "declare void @qsort(ptr, i64, i64, ptr)\n\
                    define void @qsort_r() {\n ret void\n}\n";
        let module = complete(read_module(text, "p.ll").unwrap()).unwrap();
        let own: Vec<_> = module.functions.iter().filter(|f| f.name == "qsort_r").collect();
        assert_eq!(own.len(), 1);
        assert_eq!(own[0].blocks[0].instructions.len(), 0);
    }
}
