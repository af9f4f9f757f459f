//! Finding functions: built-in ones, those of modules that are loaded, and those of modules that
//! are loaded when they are first called.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::code::{Function, Mfa, Target};
use super::instruction::{Instruction, Place};
use super::natives::{self, Library};
use super::{Stop, Trouble, Vm, load};
use crate::beam::Container;
use crate::term::{Atom, atom};

/// Where modules are found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finder {
    /// Modules that were given as files: name and content.
    pub(crate) given: Vec<(String, PathBuf)>,
    /// Directories, those of the user first.
    pub(crate) directories: Vec<PathBuf>,
    /// If the modules are copies, the modules that were not copied.
    pub(crate) left_behind: Arc<BTreeSet<String>>,
}

impl Finder {
    /// Returns the file of a module.
    pub(crate) fn find(&self, module: &str) -> Option<PathBuf> {
        if let Some((_, path)) = self.given.iter().find(|(name, _)| name == module) {
            return Some(path.clone());
        }
        self.find_file(&format!("{module}.beam"))
    }

    /// Returns the path of a file in the directories.
    pub(crate) fn find_file(&self, name: &str) -> Option<PathBuf> {
        self.directories.iter().map(|directory| directory.join(name)).find(|path| path.is_file())
    }
}

/// The directories of the installed OTP, those that are needed most first.
pub(crate) fn otp_directories(root: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(root.join("lib")) else { return Vec::new() };
    let mut directories: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok())
        .map(|entry| entry.path().join("ebin"))
        .filter(|path| path.is_dir())
        .collect();
    let rank = |path: &PathBuf| {
        let name = path.to_string_lossy();
        ["/stdlib-", "/kernel-", "/erts-"].iter().position(|part| name.contains(part)).unwrap_or(9)
    };
    directories.sort_by_key(|path| (rank(path), path.clone()));
    directories
}

impl Vm {
    /// Installs the built-in functions, the code at which processes end, and the stubs for output.
    pub(super) fn install(&mut self, library: Library) {
        self.code.instructions.push(Instruction::End);
        self.natives = natives::index(library, &mut self.atoms);
        let [io, format, formatted, io_lib, capture, put_chars] =
            ["io", "format", "$format", "io_lib", "$capture", "$put_chars"]
                .map(|name| self.atoms.intern(name));
        let formatting = self.code.import(Mfa::new(io_lib, format, 2));
        let flattening = {
            let [unicode, to_list] =
                ["unicode", "characters_to_list"].map(|n| self.atoms.intern(n));
            self.code.import(Mfa::new(unicode, to_list, 1))
        };
        let capturing = self.code.import(Mfa::new(io, capture, 1));
        for (name, arity) in [(formatted, 2), (put_chars, 1)] {
            let start = self.code.instructions.len() as u32;
            let mfa = Mfa::new(io, name, arity);
            self.code.functions.push(Function { start, mfa });
            let first = if arity == 1 { flattening } else { formatting };
            self.code.instructions.extend([
                Instruction::Allocate { frame: 0 },
                Instruction::CallExt { import: first },
                Instruction::Native { import: capturing },
                Instruction::Deallocate { frame: 0 },
                Instruction::Return,
            ]);
            self.code.exports.insert(mfa, start);
        }
        self.install_channel();
    }

    /// Writes the code of a channel, which forwards each message `{To, Message}`.
    fn install_channel(&mut self) {
        let mfa = Mfa::new(atom::DUMMY, self.atoms.intern("channel"), 0);
        let start = self.code.instructions.len() as u32;
        self.code.functions.push(Function { start, mfa });
        let [x0, x1, x2] = [0, 1, 2].map(Place::x);
        self.code.instructions.extend([
            Instruction::LoopReceive { empty: start + 6, to: x2 },
            Instruction::RemoveMessage,
            Instruction::GetElement { tuple: x2, index: 0, to: x0 },
            Instruction::GetElement { tuple: x2, index: 1, to: x1 },
            Instruction::Send,
            Instruction::Jump { to: start },
            Instruction::Wait { to: start },
        ]);
        self.code.exports.insert(mfa, start);
    }

    /// Returns whether some functions of a module are built in.
    pub(crate) fn has_natives(&self, module: Atom) -> bool {
        self.natives.keys().any(|mfa| mfa.module == module)
    }

    /// Runs the functions of a module from its code, even if they are built in.
    pub(crate) fn remove_natives(&mut self, module: &str) {
        let module = self.atoms.intern(module);
        self.natives.retain(|mfa, _| mfa.module != module);
    }

    /// Returns code that calls a built-in function and returns to the caller of that code.
    ///
    /// The call is a tail call: the code has no frame in which it could keep its own return
    /// address, and a built-in function such as `apply` may go on in other code.
    pub(super) fn stub_for(&mut self, import: u32) -> u32 {
        if let Some(&stub) = self.stubs.get(&import) {
            return stub;
        }
        let start = self.code.instructions.len() as u32;
        let mfa = self.code.imports[import as usize].mfa;
        self.code.functions.push(Function { start, mfa });
        self.code.instructions.push(Instruction::CallExtOnly { import });
        self.stubs.insert(import, start);
        start
    }

    /// Returns what a function is: `Unknown` if there is no such function.
    pub(crate) fn resolve(&mut self, import: u32) -> Result<Target, Stop> {
        let entry = self.code.imports[import as usize];
        if !matches!(entry.target, Target::Unknown) {
            return Ok(entry.target);
        }
        let mfa = entry.mfa;
        let target = match self.natives.get(&mfa) {
            Some(native) => Target::Native(*native),
            None if self.is_dynamic(mfa.module) => Target::Dynamic,
            None => match self.entry_point(mfa)? {
                Some(entry) => Target::Code(entry),
                None => Target::Unknown,
            },
        };
        self.code.imports[import as usize].target = target;
        Ok(target)
    }

    /// Where the code of an exported function is, if there is one.
    fn entry_point(&mut self, mfa: Mfa) -> Result<Option<u32>, Stop> {
        if let Some(&entry) = self.code.exports.get(&mfa) {
            return Ok(Some(entry));
        }
        if self.ensure_loaded(mfa.module)? {
            return Ok(self.code.exports.get(&mfa).copied());
        }
        Ok(None)
    }

    /// Whether a function is there: one of a module, or a built-in one.
    pub(crate) fn is_function(&mut self, mfa: Mfa) -> bool {
        self.natives.contains_key(&mfa) || matches!(self.entry_point(mfa), Ok(Some(_)))
    }

    /// Loads a module unless it is loaded. Whether it is there.
    pub(crate) fn ensure_loaded(&mut self, module: Atom) -> Result<bool, Stop> {
        if self.code.modules.contains_key(&module) {
            return Ok(true);
        }
        let name = self.atoms.name(module).to_owned();
        let Some(path) = self.finder.find(&name) else {
            if self.finder.left_behind.contains(&name) {
                return Err(self.refuse(format!(
                    "the program calls the module `{name}`, whose name is in none of its modules, so \
                     that the module is not on the cluster: name its file on the command line"
                )));
            }
            return Ok(false);
        };
        match self.load_file(&path) {
            Ok(_) => Ok(self.code.modules.contains_key(&module)),
            Err(error) => {
                self.trouble = Some(Trouble::Missing(error));
                Err(Stop::Trouble)
            }
        }
    }

    /// Loads a file. The error says why it cannot be run.
    pub(crate) fn load_file(&mut self, path: &Path) -> Result<Atom, String> {
        let name = path.display();
        let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
        let container = Container::read(&bytes).map_err(|error| format!("{name}: {error}"))?;
        let path = path.to_string_lossy();
        load::load(&mut self.code, &mut self.heap, &mut self.atoms, &container, &path)
            .map_err(|error| format!("{name}: {error}"))
    }

    /// Stops the program because it needs something that Mazurka does not support.
    pub(crate) fn refuse(&mut self, text: String) -> Stop {
        self.trouble = Some(Trouble::Missing(text));
        Stop::Trouble
    }

    /// Stops the program because the built-in function that is being called is not supported with
    /// these arguments.
    pub(crate) fn refuse_call(&mut self, call: &str) -> Stop {
        let (symbol, place) = (self.symbol(self.current), self.show_place(self.at));
        self.refuse(format!("{symbol} calls {call}, which Mazurka does not support, in {place}"))
    }

    /// Says that a built-in function is not there, and who wants it.
    pub(crate) fn missing(&mut self) -> Stop {
        // Its module has a stub for it, which has called this one.
        let name = self.code.function_at(self.at).map(|function| function.mfa.show(&self.atoms));
        let frames = self.stack.iter().rev().filter_map(|slot| slot.as_return());
        let returns = std::iter::once(self.cp).chain(frames).filter(|pc| *pc > 0);
        // Often a module of OTP calls it, and the program calls that one.
        let callers: Vec<String> = returns.take(4).map(|pc| self.show_place(pc - 1)).collect();
        let mut text = format!(
            "the built-in function {} is not there; {} calls it",
            name.unwrap_or_default(),
            callers.first().map_or("the program", String::as_str)
        );
        for caller in callers.iter().skip(1) {
            text.push_str("\n  called from ");
            text.push_str(caller);
        }
        self.refuse(text)
    }

    /// Returns whether an instruction belongs to the applications `kernel` and `stdlib`, to `erts`, or to
    /// Elixir's own library.
    pub(crate) fn is_of_otp(&self, pc: u32) -> bool {
        let module = self.code.function_at(pc).map(|function| function.mfa.module);
        module.is_none_or(|module| !self.is_dynamic(module) && self.is_module_of_otp(module))
    }

    /// Returns whether a module belongs to the applications `kernel` and `stdlib`, to `erts`, or to Elixir's own
    /// library.
    pub(crate) fn is_module_of_otp(&self, module: Atom) -> bool {
        let Some(module) = self.code.modules.get(&module) else { return true };
        let is_otp = |name: &str| {
            ["kernel-", "stdlib-", "erts-"].iter().any(|prefix| name.starts_with(prefix))
                || name == "elixir"
        };
        let application = Path::new(&module.path).parent().and_then(Path::parent);
        let name = application.and_then(Path::file_name).map(|name| name.to_string_lossy());
        name.is_some_and(|name| is_otp(&name))
    }

    /// A place in the code: `module:function/arity (file, line n)`.
    pub(crate) fn show_place(&self, pc: u32) -> String {
        let Some(function) = self.code.function_at(pc) else { return "unknown code".into() };
        let name = function.mfa.show(&self.atoms);
        match self.code.line_at(pc) {
            Some((file, line)) => format!("{name} ({file}, line {line})"),
            None => name,
        }
    }
}
