//! How the node was started: its flags, and the encoding of file names.

use crate::term::{Term, atom};
use crate::vm::natives::Entry;
use crate::vm::{Out, Stop, Vm};

pub(super) const INIT: &[Entry] = &[
    ("get_argument", 1, |vm, a| {
        for (name, value) in flags(vm)? {
            if a[0] == Term::atom(vm.atoms.intern(name)) {
                let value = vm.heap.string(&value);
                let values = vm.heap.list(&[value]);
                let values = vm.heap.list(&[values]);
                return Ok(vm.heap.tuple(&[Term::atom(atom::OK), values]));
            }
        }
        Ok(Term::atom(atom::ERROR))
    }),
    ("get_arguments", 0, get_arguments),
    ("get_plain_arguments", 0, |_, _| Ok(Term::NIL)),
];

pub(super) const CODE: &[Entry] = &[("root_dir", 0, |vm, _| {
    let root = root(vm)?;
    Ok(vm.heap.string(&root))
})];

pub(super) const FILE: &[Entry] =
    &[("native_name_encoding", 0, |vm, _| Ok(Term::atom(vm.atoms.intern("utf8"))))];

fn get_arguments(vm: &mut Vm, _: &[Term]) -> Out {
    let mut all = Vec::new();
    for (name, value) in flags(vm)? {
        let value = vm.heap.string(&value);
        let values = vm.heap.list(&[value]);
        let name = Term::atom(vm.atoms.intern(name));
        all.push(vm.heap.tuple(&[name, values]));
    }
    Ok(vm.heap.list(&all))
}

/// Returns the flags that `erl` gives to every node.
fn flags(vm: &mut Vm) -> Result<Vec<(&'static str, String)>, Stop> {
    let root = root(vm)?;
    let mut flags = vec![("root", root), ("progname", "erl".to_owned())];
    flags.extend(std::env::var("HOME").ok().map(|home| ("home", home)));
    Ok(flags)
}

/// Returns the directory in which OTP is installed.
fn root(vm: &mut Vm) -> Result<String, Stop> {
    // The file is in `lib/kernel-VERSION/ebin`.
    let kernel = vm.finder.find_file("kernel.app");
    match kernel.as_deref().and_then(|file| file.ancestors().nth(4)) {
        Some(root) => Ok(root.display().to_string()),
        None => Err(vm.refuse_call("code:root_dir")),
    }
}
