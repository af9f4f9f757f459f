//! The functions of `lists` that are built in.

use crate::term::{Term, atom, equal, equal_exact};
use crate::vm::natives::Entry;
use crate::vm::{Out, Vm, badarg};

pub(super) const LISTS: &[Entry] = &[
    ("member", 2, |vm, a| {
        let mut rest = a[1];
        while let Some(cons) = rest.as_cons() {
            if equal_exact(&vm.heap, vm.heap.head(cons), a[0]) {
                return Ok(Term::bool(true));
            }
            rest = vm.heap.tail(cons);
        }
        proper(rest, Term::bool(false))
    }),
    ("reverse", 2, |vm, a| {
        let (mut rest, mut reversed) = (a[0], a[1]);
        while let Some(cons) = rest.as_cons() {
            reversed = vm.heap.cons(vm.heap.head(cons), reversed);
            rest = vm.heap.tail(cons);
        }
        proper(rest, reversed)
    }),
    ("reverse", 1, |vm, a| {
        let (mut rest, mut reversed) = (a[0], Term::NIL);
        while let Some(cons) = rest.as_cons() {
            reversed = vm.heap.cons(vm.heap.head(cons), reversed);
            rest = vm.heap.tail(cons);
        }
        proper(rest, reversed)
    }),
    ("keyfind", 3, |vm, a| Ok(find(vm, a)?.unwrap_or(Term::bool(false)))),
    ("keymember", 3, |vm, a| Ok(Term::bool(find(vm, a)?.is_some()))),
    ("keysearch", 3, |vm, a| match find(vm, a)? {
        Some(tuple) => {
            let value = vm.atoms.intern("value");
            Ok(vm.heap.tuple(&[Term::atom(value), tuple]))
        }
        None => Ok(Term::atom(atom::FALSE)),
    }),
];

fn proper(end: Term, result: Term) -> Out {
    if end.is_nil() { Ok(result) } else { Err(badarg()) }
}

/// The first tuple of a list whose element at a place equals a key.
fn find(vm: &mut Vm, arguments: &[Term]) -> Result<Option<Term>, crate::vm::Stop> {
    let (key, list) = (arguments[0], arguments[2]);
    let place = arguments[1].as_small().filter(|place| *place > 0).ok_or_else(badarg)? as usize;
    let mut rest = list;
    while let Some(cons) = rest.as_cons() {
        let tuple = vm.heap.head(cons);
        if vm.heap.arity(tuple).is_some_and(|arity| arity >= place)
            && equal(&vm.heap, &vm.atoms, vm.heap.element(tuple, place - 1), key)
        {
            return Ok(Some(tuple));
        }
        rest = vm.heap.tail(cons);
    }
    if rest.is_nil() { Ok(None) } else { Err(badarg()) }
}
