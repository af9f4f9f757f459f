//! Modules and functions.

use std::path::{Path, PathBuf};

use crate::term::{Atom, Kind, Term, atom};
use crate::vm::code::Module;
use crate::vm::natives::Entry;
use crate::vm::{Out, Vm, badarg};

pub(super) const ERLANG: &[Entry] = &[
    ("make_fun", 3, |vm, a| match (a[0].as_atom(), a[1].as_atom(), a[2].as_small()) {
        (Some(module), Some(name), Some(arity)) => Ok(vm.heap.export(module, name, arity as u32)),
        _ => Err(badarg()),
    }),
    ("fun_info", 2, |vm, a| {
        let value = fun_info(vm, a[0], a[1])?;
        Ok(vm.heap.tuple(&[a[1], value]))
    }),
    ("fun_info", 1, |vm, a| {
        let items = [atom::MODULE, atom::NAME, atom::ARITY, atom::ENV, atom::TYPE];
        let mut pairs = Vec::new();
        for item in items {
            let value = fun_info(vm, a[0], Term::atom(item))?;
            pairs.push(vm.heap.tuple(&[Term::atom(item), value]));
        }
        Ok(vm.heap.list(&pairs))
    }),
    ("fun_info_mfa", 1, |vm, a| {
        let parts = [atom::MODULE, atom::NAME, atom::ARITY];
        let mut values = Vec::new();
        for part in parts {
            values.push(fun_info(vm, a[0], Term::atom(part))?);
        }
        Ok(vm.heap.tuple(&values))
    }),
    ("check_process_code", 2, |_, _| Ok(Term::bool(false))),
];

pub(super) const CODE: &[Entry] = &[
    ("ensure_modules_loaded", 1, |vm, a| {
        let mut missing = Vec::new();
        for module in vm.heap.elements_of_list(a[0]).ok_or_else(badarg)? {
            if !vm.ensure_loaded(module.as_atom().ok_or_else(badarg)?)? {
                let reason = Term::atom(vm.atoms.intern("nofile"));
                missing.push(vm.heap.tuple(&[module, reason]));
            }
        }
        if missing.is_empty() {
            return Ok(Term::atom(atom::OK));
        }
        let missing = vm.heap.list(&missing);
        Ok(vm.heap.tuple(&[Term::atom(atom::ERROR), missing]))
    }),
    ("get_path", 0, |vm, _| {
        let path: Vec<String> =
            vm.finder.directories.iter().map(|path| path.display().to_string()).collect();
        let path: Vec<Term> = path.iter().map(|directory| vm.heap.string(directory)).collect();
        Ok(vm.heap.list(&path))
    }),
    ("where_is_file", 1, |vm, a| {
        let name = vm.text_of(a[0]).ok_or_else(badarg)?;
        match vm.finder.find_file(&name) {
            Some(path) => Ok(vm.heap.string(&path.display().to_string())),
            None => Ok(Term::atom(vm.atoms.intern("non_existing"))),
        }
    }),
    ("lib_dir", 1, |vm, a| library(vm, a[0], None)),
    ("lib_dir", 2, |vm, a| {
        let part = a[1].as_atom().map(|part| vm.atoms.name(part).to_owned());
        library(vm, a[0], part.as_deref())
    }),
    ("priv_dir", 1, |vm, a| library(vm, a[0], Some("priv"))),
];

pub(super) const ERL_PRIM_LOADER: &[Entry] = &[
    // Files belong to the program: they are the same in every execution.
    ("get_file", 1, |vm, a| {
        let name = vm.text_of(a[0]).ok_or_else(badarg)?;
        match std::fs::read(&name) {
            Ok(bytes) => {
                let (bytes, name) = (vm.heap.binary(&bytes), vm.heap.string(&name));
                Ok(vm.heap.tuple(&[Term::atom(atom::OK), bytes, name]))
            }
            Err(_) => Ok(Term::atom(atom::ERROR)),
        }
    }),
    // The same since Erlang/OTP 27, without the name.
    ("read_file", 1, |vm, a| {
        let name = vm.text_of(a[0]).ok_or_else(badarg)?;
        match std::fs::read(&name) {
            Ok(bytes) => {
                let bytes = vm.heap.binary(&bytes);
                Ok(vm.heap.tuple(&[Term::atom(atom::OK), bytes]))
            }
            Err(_) => Ok(Term::atom(atom::ERROR)),
        }
    }),
];

/// Returns the directory of an application, or a part of it.
fn library(vm: &mut Vm, application: Term, part: Option<&str>) -> Out {
    let name = match application.as_atom() {
        Some(name) => vm.atoms.name(name).to_owned(),
        None => vm.text_of(application).ok_or_else(badarg)?,
    };
    let is_of = |directory: &Path| {
        let directory = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let rest = directory.strip_prefix(name.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let ebin = |path: &&PathBuf| path.ends_with("ebin");
    let mut libraries = vm.finder.directories.iter().filter(ebin).filter_map(|path| path.parent());
    match libraries.find(|library| is_of(library)) {
        Some(library) => {
            let path = part.map_or(library.to_owned(), |part| library.join(part));
            Ok(vm.heap.string(&path.display().to_string()))
        }
        None => {
            let reason = Term::atom(vm.atoms.intern("bad_name"));
            Ok(vm.heap.tuple(&[Term::atom(atom::ERROR), reason]))
        }
    }
}

/// Returns an item of the description of a module, or all items if there is none.
pub(super) fn module_info(vm: &mut Vm, module: Atom, item: Term) -> Out {
    let info = vm.loaded_module(module)?.ok_or_else(badarg)?;
    if !item.is_nil() {
        return item_of(vm, module, &info, item);
    }
    let items = ["module", "exports", "attributes", "compile"].map(|name| vm.atoms.intern(name));
    let mut pairs = Vec::new();
    for item in items.map(Term::atom) {
        let value = item_of(vm, module, &info, item)?;
        pairs.push(vm.heap.tuple(&[item, value]));
    }
    Ok(vm.heap.list(&pairs))
}

fn item_of(vm: &mut Vm, module: Atom, info: &Module, item: Term) -> Out {
    match vm.atoms.name(item.as_atom().ok_or_else(badarg)?) {
        "module" => Ok(Term::atom(module)),
        "exports" | "functions" => {
            let exports: Vec<Term> = info
                .exports
                .iter()
                .map(|(name, arity)| {
                    vm.heap.tuple(&[Term::atom(*name), Term::int((*arity).into())])
                })
                .collect();
            Ok(vm.heap.list(&exports))
        }
        "attributes" => Ok(info.attributes),
        "compile" | "nifs" => Ok(Term::NIL),
        "md5" => Err(vm.refuse_call("module_info(md5)")),
        "native" => Ok(Term::bool(false)),
        _ => Err(badarg()),
    }
}

fn fun_info(vm: &mut Vm, function: Term, item: Term) -> Out {
    let item = item.as_atom().ok_or_else(badarg)?;
    if let Some(place) = vm.heap.as_kind(function, Kind::Export) {
        let [module, name, arity] = std::array::from_fn(|i| vm.heap.word(place + 1 + i));
        return match item {
            atom::MODULE => Ok(module),
            atom::NAME => Ok(name),
            atom::ARITY => Ok(arity),
            atom::ENV => Ok(Term::NIL),
            atom::TYPE => Ok(Term::atom(atom::EXTERNAL)),
            _ => Ok(Term::atom(atom::UNDEFINED)),
        };
    }
    let place = vm.heap.as_kind(function, Kind::Fun).ok_or_else(badarg)?;
    let (_, size) = vm.heap.header(place);
    let number = vm.heap.word(place + 1).as_small().ok_or_else(badarg)?;
    let lambda = vm.code.lambdas[number as usize];
    Ok(match item {
        atom::MODULE => Term::atom(lambda.module),
        atom::NAME => Term::atom(lambda.name),
        atom::ARITY => Term::int(lambda.arity.into()),
        atom::ENV => {
            let free: Vec<Term> = (2..=size).map(|i| vm.heap.word(place + i)).collect();
            vm.heap.list(&free)
        }
        atom::TYPE => Term::atom(atom::LOCAL),
        atom::INDEX => Term::int(lambda.index.into()),
        _ => Term::int(0),
    })
}
