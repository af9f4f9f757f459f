//! Modules that a program loads while it runs.
//!
//! Code is kept for ever: an *edition* is the code of a module that was loaded once, from a binary or from the
//! file of the module. Which editions of a module are current and old is part of the state. Calls of such a
//! module by name are steps, since they depend on the steps that load or delete it. Until a program is known
//! to load a module, calls of the module are not steps; see [`lessons`](super::lessons).

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::PoisonError;

use mazurka_core::model::Lesson;

use super::code::{Mfa, Module, Target};
use super::{Stop, Vm, load};
use crate::beam::Container;
use crate::term::Atom;

/// The editions of a module that are current and old, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Versions {
    pub(crate) current: Option<u32>,
    pub(crate) old: Option<u32>,
}

/// The code of a module.
#[derive(Debug)]
pub(crate) struct Edition {
    module: Atom,
    /// A digest of the binary. It is 0 for the file of the module.
    pub(crate) digest: u64,
    entries: HashMap<Mfa, u32>,
    info: Module,
    /// The places of its instructions.
    code: Range<u32>,
}

impl Vm {
    /// Returns whether the program is known to load a module while it runs.
    pub(crate) fn is_dynamic(&self, module: Atom) -> bool {
        !self.dynamic.is_empty() && self.dynamic.contains(&module)
    }

    /// Records that the program loads or deletes a module. From now on, calls of the module are steps, and the
    /// search starts over.
    pub(crate) fn watch_module(&mut self, module: Atom) {
        if self.dynamic.insert(module) {
            let name = self.atoms.name(module).to_owned();
            let modules = self.lessons.modules.lock();
            modules.unwrap_or_else(PoisonError::into_inner).insert(name);
            self.forget_targets(module);
            self.lesson = Some(Lesson::Modules);
        }
    }

    /// Records the modules that earlier machines have found out to be loaded by the program.
    pub(super) fn watch_known_modules(&mut self) {
        let modules = self.lessons.modules.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.dynamic = modules.iter().map(|name| self.atoms.intern(name)).collect();
    }

    /// Looks up the functions of a module again when they are called next.
    fn forget_targets(&mut self, module: Atom) {
        for import in self.code.imports.iter_mut().filter(|import| import.mfa.module == module) {
            if matches!(import.target, Target::Code(_)) {
                import.target = Target::Unknown;
            }
        }
    }

    /// Returns the versions of a module. At first, the current one is that of its file.
    pub(crate) fn versions_of(&mut self, module: Atom) -> Result<Versions, Stop> {
        match self.versions.get(&module) {
            Some(versions) => Ok(*versions),
            None => Ok(Versions { current: self.edition_of_file(module)?, old: None }),
        }
    }

    fn known_edition(&self, module: Atom, digest: u64) -> Option<u32> {
        let is_it = |edition: &Edition| edition.module == module && edition.digest == digest;
        self.editions.iter().position(is_it).map(|place| place as u32)
    }

    fn edition_of_file(&mut self, module: Atom) -> Result<Option<u32>, Stop> {
        if let Some(known) = self.known_edition(module, 0) {
            return Ok(Some(known));
        }
        if !self.ensure_loaded(module)? {
            return Ok(None);
        }
        let exports = self.code.exports.iter().filter(|(mfa, _)| mfa.module == module);
        let entries = exports.map(|(mfa, entry)| (*mfa, *entry)).collect();
        let info = self.code.modules[&module].clone();
        let mut functions = self.code.functions.iter();
        let start = functions.find(|f| f.mfa.module == module).map_or(0, |f| f.start);
        let end = functions.find(|f| f.mfa.module != module).map(|f| f.start);
        let code = start..end.unwrap_or(self.code.instructions.len() as u32);
        self.editions.push(Edition { module, digest: 0, entries, info, code });
        Ok(Some(self.editions.len() as u32 - 1))
    }

    /// Loads a binary without making it current. Returns `None` if it is no code of the module that can be
    /// loaded.
    pub(crate) fn load_edition(&mut self, module: Atom, bytes: &[u8], path: &str) -> Option<u32> {
        let mut hasher = DefaultHasher::new();
        (bytes, path).hash(&mut hasher);
        let digest = hasher.finish().max(1);
        if let Some(known) = self.known_edition(module, digest) {
            return Some(known);
        }
        let container = Container::read(bytes).ok()?;
        if container.atoms.first()? != self.atoms.name(module) {
            return None;
        }
        // The tables of exports and modules are those of files.
        let of_file = self.take_module(module);
        let start = self.code.instructions.len() as u32;
        let loaded = load::load(&mut self.code, &mut self.heap, &mut self.atoms, &container, path);
        let (entries, info) = self.take_module(module);
        self.code.exports.extend(of_file.0);
        self.code.modules.extend(of_file.1.map(|info| (module, info)));
        let (code, info) = (start..self.code.instructions.len() as u32, info?);
        loaded.ok()?;
        self.editions.push(Edition { module, digest, entries, info, code });
        Some(self.editions.len() as u32 - 1)
    }

    /// Removes the exports of a module from the table, and its description.
    fn take_module(&mut self, module: Atom) -> (HashMap<Mfa, u32>, Option<Module>) {
        let entries = self.code.exports.extract_if(|mfa, _| mfa.module == module).collect();
        (entries, self.code.modules.remove(&module))
    }

    /// Returns where the code of a function of an edition is.
    pub(crate) fn entry_in(&self, edition: u32, mfa: Mfa) -> Option<u32> {
        self.editions[edition as usize].entries.get(&mfa).copied()
    }

    /// Returns where the code of a function is that is called by name, if it is there now.
    pub(crate) fn loaded_function(&mut self, mfa: Mfa) -> Result<Option<u32>, Stop> {
        let current = self.versions_of(mfa.module)?.current;
        Ok(current.and_then(|edition| self.entry_in(edition, mfa)))
    }

    /// Returns the description of a module, if it is there now.
    pub(crate) fn loaded_module(&mut self, module: Atom) -> Result<Option<Module>, Stop> {
        if !self.is_dynamic(module) {
            self.ensure_loaded(module)?;
            return Ok(self.code.modules.get(&module).cloned());
        }
        let current = self.versions_of(module)?.current;
        Ok(current.map(|edition| self.editions[edition as usize].info.clone()))
    }

    /// Returns a process that runs an edition or returns to it.
    pub(crate) fn user_of(&self, edition: u32) -> Option<u32> {
        let code = &self.editions[edition as usize].code;
        let is_in = |pc: u32| pc > 0 && code.contains(&(pc - 1));
        let uses = |process: &u32| {
            let slot = &self.processes[*process as usize];
            // The stack of the running process is elsewhere.
            let (stack, cp) = match *process == self.current {
                true => (&self.stack, self.cp),
                false => (&slot.stack, slot.local.cp),
            };
            let returns = stack.iter().filter_map(|slot| slot.as_return());
            slot.local.is_alive() && returns.chain([cp, slot.local.pc]).any(is_in)
        };
        (0..self.processes.len() as u32).find(uses)
    }
}
