//! The files of a project, each with flags of its own, as in `compile_commands.json`.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::ir::Module;
use crate::library;

/// A file of a project, and how it is compiled.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Unit {
    /// The file, from the directory on.
    pub file: PathBuf,
    /// The directory in which the compiler runs.
    pub directory: PathBuf,
    /// The flags that say what the file means. Those that say what to make of it are left out.
    pub flags: Vec<OsString>,
}

/// Flags that are followed by a word that belongs to them, and that are left out with it.
const PAIRS: &[&str] = &["-o", "-MF", "-MT", "-MQ", "-MJ", "--serialize-diagnostics"];

/// Flags that are left out.
const SINGLE: &[&str] = &["-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-pipe"];

/// The first letters of flags that are left out: optimisation, debug information, sanitisers, and what
/// turns warnings into errors.
const PREFIXES: &[&str] = &[
    "-O",
    "-g",
    "-o",
    "-flto",
    "-fsanitize",
    "-Werror",
    "-D_FORTIFY_SOURCE",
    "-Wp,-D_FORTIFY_SOURCE",
    "-Wp,-U_FORTIFY_SOURCE",
    "-Wp,-M",
];

impl Unit {
    /// Returns a file that is compiled in a directory by a command. The first argument is the compiler.
    pub fn new(file: PathBuf, directory: PathBuf, arguments: Vec<OsString>) -> Unit {
        let mut flags = Vec::new();
        let mut arguments = arguments.into_iter().skip(1);
        while let Some(argument) = arguments.next() {
            let text = argument.to_string_lossy();
            if PAIRS.contains(&&*text) {
                arguments.next();
            } else if !SINGLE.contains(&&*text)
                && !PREFIXES.iter().any(|prefix| text.starts_with(prefix))
                && directory.join(&*text) != directory.join(&file)
                && text != "--"
            {
                flags.push(argument);
            }
        }
        Unit { file, directory, flags }
    }

    /// Returns where the file is.
    pub fn path(&self) -> PathBuf {
        let path = self.directory.join(&self.file);
        path.canonicalize().unwrap_or(path)
    }

    /// Returns whether this is a file.
    pub(crate) fn is(&self, file: &Path) -> bool {
        file.canonicalize().is_ok_and(|file| file == self.path())
    }
}

/// Adds the modules that others need: those that define a function or a variable that is declared only,
/// and then those that they need in turn. A module with another `main` is not added.
pub(crate) fn add_needed<M: AsRef<Module>, E>(
    modules: &mut Vec<M>,
    units: &[&Unit],
    mut compile: impl FnMut(&Unit) -> Result<M, E>,
) -> Result<(), E> {
    let mut left: Vec<M> = Vec::new();
    let mut units = units.iter();
    loop {
        let missing = missing(modules);
        if missing.is_empty() {
            return Ok(());
        }
        let defines = |module: &M| {
            let module = module.as_ref();
            !is_defined(module, "main") && missing.iter().any(|name| is_defined(module, name))
        };
        if let Some(index) = left.iter().position(defines) {
            modules.push(left.remove(index));
            continue;
        }
        let Some(unit) = units.next() else { return Ok(()) };
        left.push(compile(unit)?);
    }
}

/// Returns the names that modules declare, and that neither they nor the library define.
pub(crate) fn missing(modules: &[impl AsRef<Module>]) -> HashSet<String> {
    let modules: Vec<&Module> = modules.iter().map(AsRef::as_ref).collect();
    let functions = modules.iter().flat_map(|module| &module.functions);
    let declared = functions.filter(|f| f.blocks.is_empty() && !f.weak).map(|f| &f.name);
    let globals = modules.iter().flat_map(|module| &module.globals);
    let declared = declared.chain(globals.filter(|g| g.initial.is_none()).map(|g| &g.name));
    let is_missing = |name: &&String| {
        !name.starts_with("llvm.")
            && library::find(name).is_none()
            && !modules.iter().any(|module| is_defined(module, name))
    };
    declared.filter(is_missing).cloned().collect()
}

/// Returns whether other modules can use a module's definition of a name.
pub(crate) fn is_defined(module: &Module, name: &str) -> bool {
    let mut functions = module.functions.iter();
    let mut globals = module.globals.iter();
    functions.any(|f| f.name == name && !f.blocks.is_empty() && !f.internal)
        || globals.any(|g| g.name == name && g.initial.is_some() && !g.internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_about_the_output_are_left_out() {
        let command = "cc -DN=2 -I../include -std=c11 -O2 -g3 -MD -MF a.d -o a.o -Werror -c ../a.c";
        let words = command.split(' ').map(OsString::from).collect();
        let unit = Unit::new("../a.c".into(), "/project/build".into(), words);
        assert_eq!(unit.flags, ["-DN=2", "-I../include", "-std=c11"]);
        assert_eq!(unit.path(), PathBuf::from("/project/build/../a.c"));
    }
}
