//! Loading modules while the program runs.

use crate::term::{Atom, Term, atom, decode_etf, encode_etf};
use crate::vm::code::Mfa;
use crate::vm::compiler::compile;
use crate::vm::editions::Versions;
use crate::vm::natives::Entry;
use crate::vm::process::CodeOperation;
use crate::vm::{Out, Stop, Visible, Vm, badarg};

pub(super) const ERLANG: &[Entry] = &[
    ("load_module", 2, |vm, a| change(vm, CodeOperation::Load, [a[0], a[1], Term::NIL])),
    ("delete_module", 1, |vm, a| change(vm, CodeOperation::DeleteModule, only(a[0]))),
    ("purge_module", 1, |vm, a| about_old(vm, CodeOperation::Purge, a[0], Term::bool(true))),
    ("check_old_code", 1, |vm, a| about_old(vm, CodeOperation::HasOld, a[0], Term::bool(false))),
    ("module_loaded", 1, |vm, a| ask(vm, CodeOperation::ModuleLoaded, only(a[0]))),
    ("function_exported", 3, |vm, a| ask(vm, CodeOperation::Exported, [a[0], a[1], a[2]])),
    ("get_module_info", 1, |vm, a| ask(vm, CodeOperation::Info, only(a[0]))),
    ("get_module_info", 2, |vm, a| ask(vm, CodeOperation::Info, [a[0], a[1], Term::NIL])),
];

pub(super) const CODE: &[Entry] = &[
    ("load_binary", 3, |vm, a| change(vm, CodeOperation::LoadBinary, [a[0], a[2], a[1]])),
    ("delete", 1, |vm, a| change(vm, CodeOperation::Delete, only(a[0]))),
    ("purge", 1, |vm, a| about_old(vm, CodeOperation::Purge, a[0], Term::bool(false))),
    ("soft_purge", 1, |vm, a| about_old(vm, CodeOperation::SoftPurge, a[0], Term::bool(true))),
    ("is_loaded", 1, |vm, a| ask(vm, CodeOperation::IsLoaded, only(a[0]))),
    ("ensure_loaded", 1, |vm, a| ask(vm, CodeOperation::EnsureLoaded, only(a[0]))),
    ("load_file", 1, |vm, a| match a[0].as_atom() {
        Some(module) if vm.is_dynamic(module) => {
            Err(vm.refuse_call("code:load_file of a module that it loads in another way, too"))
        }
        _ => ask(vm, CodeOperation::EnsureLoaded, only(a[0])),
    }),
    ("which", 1, |vm, a| ask(vm, CodeOperation::Which, only(a[0]))),
    ("load_abs", 1, |vm, _| Err(vm.refuse_call("code:load_abs"))),
    ("atomic_load", 1, |vm, _| Err(vm.refuse_call("code:atomic_load"))),
];

pub(super) const COMPILE: &[Entry] = &[
    ("forms", 1, |vm, a| {
        let options = ["verbose", "report_errors", "report_warnings"];
        let options = options.map(|name| Term::atom(vm.atoms.intern(name)));
        let options = vm.heap.list(&options);
        forms(vm, a[0], options)
    }),
    ("forms", 2, |vm, a| forms(vm, a[0], a[1])),
    ("noenv_forms", 2, |vm, a| forms(vm, a[0], a[1])),
    ("file", 1, |vm, _| Err(vm.refuse_call("compile:file"))),
    ("file", 2, |vm, _| Err(vm.refuse_call("compile:file"))),
    ("noenv_file", 2, |vm, _| Err(vm.refuse_call("compile:noenv_file"))),
];

fn only(module: Term) -> [Term; 3] {
    [module, Term::NIL, Term::NIL]
}

fn forms(vm: &mut Vm, forms: Term, options: Term) -> Out {
    let pair = vm.heap.tuple(&[forms, options]);
    let Some(arguments) = encode_etf(&vm.heap, &vm.atoms, pair) else {
        return Err(vm.refuse_call("compile:forms with functions, processes or references"));
    };
    match compile(arguments, vm.finder.directories.clone()) {
        Ok(result) => decode_etf(&mut vm.heap, &mut vm.atoms, &result).map_err(|_| badarg()),
        Err(text) => Err(vm.refuse(text)),
    }
}

/// A query. It is a step if the program is known to load the module.
fn ask(vm: &mut Vm, what: CodeOperation, arguments: [Term; 3]) -> Out {
    let module = arguments[0].as_atom().ok_or_else(badarg)?;
    match vm.is_dynamic(module) {
        true => vm.intend(Visible::Code(what), arguments),
        false => perform(vm, what, &arguments),
    }
}

/// An operation on the old code of a module. A module that the program does not load has none.
fn about_old(vm: &mut Vm, what: CodeOperation, module: Term, result: Term) -> Out {
    match vm.is_dynamic(module.as_atom().ok_or_else(badarg)?) {
        true => vm.intend(Visible::Code(what), only(module)),
        false => Ok(result),
    }
}

/// Loads or deletes a module.
fn change(vm: &mut Vm, what: CodeOperation, arguments: [Term; 3]) -> Out {
    let module = arguments[0].as_atom().ok_or_else(badarg)?;
    let is_load = matches!(what, CodeOperation::Load | CodeOperation::LoadBinary);
    if is_load && vm.heap.binary_bytes(arguments[1]).is_none() {
        return Err(badarg());
    }
    if !vm.is_dynamic(module) {
        let name = vm.atoms.name(module).to_owned();
        let is_there = vm.ensure_loaded(module)?;
        if vm.has_natives(module) || (is_there && vm.is_module_of_otp(module)) {
            if what == CodeOperation::LoadBinary {
                let reason = vm.atoms.intern("sticky_directory");
                return Ok(failure(vm, reason));
            }
            return Err(
                vm.refuse_call(&format!("a function that replaces the module {name} of OTP"))
            );
        }
        if !is_load && !is_there {
            return Ok(absent(what));
        }
        vm.watch_module(module);
    }
    vm.intend(Visible::Code(what), arguments)
}

/// Returns the result of deleting a module that is not there.
fn absent(what: CodeOperation) -> Term {
    match what {
        CodeOperation::DeleteModule => Term::atom(atom::UNDEFINED),
        _ => Term::bool(false),
    }
}

fn failure(vm: &mut Vm, reason: Atom) -> Term {
    vm.heap.tuple(&[Term::atom(atom::ERROR), Term::atom(reason)])
}

/// Performs an operation on a module.
pub(crate) fn perform(vm: &mut Vm, what: CodeOperation, arguments: &[Term; 3]) -> Out {
    let [first, second, third] = *arguments;
    let module = first.as_atom().ok_or_else(badarg)?;
    match what {
        CodeOperation::Call => call(vm, module, second, third),
        CodeOperation::Load | CodeOperation::LoadBinary => load(vm, what, module, second, third),
        CodeOperation::Delete | CodeOperation::DeleteModule => delete(vm, what, module),
        CodeOperation::Purge => {
            purge(vm, module)?;
            Ok(Term::bool(false))
        }
        CodeOperation::SoftPurge => {
            purge(vm, module)?;
            Ok(Term::bool(true))
        }
        CodeOperation::HasOld => Ok(Term::bool(vm.versions_of(module)?.old.is_some())),
        CodeOperation::ModuleLoaded => Ok(Term::bool(vm.loaded_module(module)?.is_some())),
        CodeOperation::Exported => {
            let (Some(name), Some(arity)) = (second.as_atom(), third.as_small()) else {
                return Err(badarg());
            };
            let mfa = Mfa::new(module, name, arity as u32);
            let is_there = match vm.is_dynamic(module) {
                true => vm.loaded_function(mfa)?.is_some(),
                false => vm.is_function(mfa),
            };
            Ok(Term::bool(is_there))
        }
        // As in the embedded mode of a real node, every file is loaded from the start: what other executions
        // have called must not matter.
        CodeOperation::IsLoaded => match vm.loaded_module(module)? {
            Some(info) => {
                let path = vm.heap.string(&info.path);
                Ok(vm.heap.tuple(&[Term::atom(atom::FILE), path]))
            }
            None => Ok(Term::bool(false)),
        },
        CodeOperation::EnsureLoaded => match vm.loaded_module(module)? {
            Some(_) => Ok(vm.heap.tuple(&[Term::atom(atom::MODULE), first])),
            None => {
                let reason = vm.atoms.intern("nofile");
                Ok(failure(vm, reason))
            }
        },
        CodeOperation::Which => match vm.loaded_module(module)? {
            Some(info) => Ok(vm.heap.string(&info.path)),
            None => Ok(Term::atom(vm.atoms.intern("non_existing"))),
        },
        CodeOperation::Info => super::code::module_info(vm, module, second),
    }
}

/// Calls a function of the current code, with a list of arguments.
fn call(vm: &mut Vm, module: Atom, name: Term, arguments: Term) -> Out {
    let arguments = vm.heap.elements_of_list(arguments).ok_or_else(badarg)?;
    let mfa = Mfa::new(module, name.as_atom().ok_or_else(badarg)?, arguments.len() as u32);
    vm.x[..arguments.len()].copy_from_slice(&arguments);
    match vm.loaded_function(mfa)? {
        Some(entry) => Err(Stop::Call(entry)),
        None => Err(vm.undefined(mfa)),
    }
}

fn load(vm: &mut Vm, what: CodeOperation, module: Atom, binary: Term, path: Term) -> Out {
    let is_file = what == CodeOperation::LoadBinary;
    let versions = vm.versions_of(module)?;
    let bytes = vm.heap.binary_bytes(binary).ok_or_else(badarg)?;
    let path = vm.text_of(path).unwrap_or_default();
    let Some(edition) = vm.load_edition(module, &bytes, &path) else {
        let reason = vm.atoms.intern("badfile");
        return Ok(failure(vm, reason));
    };
    if versions.old.is_some() && !is_file {
        let reason = vm.atoms.intern("not_purged");
        return Ok(failure(vm, reason));
    }
    purge(vm, module)?;
    let versions = Versions { current: Some(edition), old: versions.current };
    vm.set_versions(module, versions);
    Ok(vm.heap.tuple(&[Term::atom(atom::MODULE), Term::atom(module)]))
}

fn delete(vm: &mut Vm, what: CodeOperation, module: Atom) -> Out {
    let Versions { current, old } = vm.versions_of(module)?;
    if current.is_none() {
        return Ok(absent(what));
    }
    if old.is_some() {
        return match what {
            CodeOperation::DeleteModule => Err(badarg()),
            _ => Ok(Term::bool(false)),
        };
    }
    vm.set_versions(module, Versions { current: None, old: current });
    Ok(Term::bool(true))
}

/// Removes the old code of a module. A real node ends processes that run it.
fn purge(vm: &mut Vm, module: Atom) -> Result<(), Stop> {
    let versions = vm.versions_of(module)?;
    let Some(old) = versions.old else { return Ok(()) };
    if let Some(user) = vm.user_of(old).filter(|_| versions.current != Some(old)) {
        let (name, user) = (vm.atoms.name(module), vm.symbol(user));
        let text = format!(
            "{} purges the old code of the module `{name}`, which {user} runs. Mazurka does not support \
             that",
            vm.symbol(vm.current)
        );
        return Err(vm.refuse(text));
    }
    vm.set_versions(module, Versions { old: None, ..versions });
    Ok(())
}
