//! `atomics` and `counters`: what their operations are; the machine performs them.

use num_bigint::BigInt;

use crate::term::{Map, Term, atom};
use crate::vm::natives::Entry;
use crate::vm::process::AtomicOperation as A;
use crate::vm::{Out, Visible, Vm, badarg};

pub(super) const ATOMICS: &[Entry] = &[
    ("get", 2, |vm, a| on(vm, A::Get, a[0], a[1], Term::NIL)),
    ("put", 3, |vm, a| on(vm, A::Put, a[0], a[1], a[2])),
    ("add", 3, |vm, a| on(vm, A::Add, a[0], a[1], a[2])),
    ("add_get", 3, |vm, a| on(vm, A::AddGet, a[0], a[1], a[2])),
    ("exchange", 3, |vm, a| on(vm, A::Exchange, a[0], a[1], a[2])),
    ("compare_exchange", 4, |vm, a| {
        fits(vm, a[0], a[2])?;
        fits(vm, a[0], a[3])?;
        let values = vm.heap.tuple(&[a[2], a[3]]);
        on(vm, A::CompareExchange, a[0], a[1], values)
    }),
    ("info", 1, |vm, a| {
        let array = vm.array(a[0])?;
        let signed = vm.heap.element(array, 0).is_atom(atom::TRUE);
        let limits = match signed {
            true => [BigInt::from(i64::MAX), BigInt::from(i64::MIN)],
            false => [BigInt::from(u64::MAX), BigInt::from(0)],
        };
        let limits = limits.map(|limit| crate::term::Number::from(limit).into_term(&mut vm.heap));
        info(vm, array, &[("max", limits[0]), ("min", limits[1])])
    }),
];

/// What the modules themselves are made of.
pub(super) const ERTS_INTERNAL: &[Entry] = &[
    // The second argument has a bit for numbers with signs.
    ("atomics_new", 2, |vm, a| {
        let signed = a[1].as_small().ok_or_else(badarg)? & 1 == 1;
        vm.new_array(a[0], signed)
    }),
    ("counters_new", 1, |vm, a| vm.new_array(a[0], true)),
    ("counters_get", 2, |vm, a| on(vm, A::Get, a[0], a[1], Term::NIL)),
    ("counters_put", 3, |vm, a| on(vm, A::Put, a[0], a[1], a[2])),
    ("counters_add", 3, |vm, a| on(vm, A::Add, a[0], a[1], a[2])),
    ("counters_info", 1, |vm, a| {
        let array = vm.array(a[0])?;
        info(vm, array, &[])
    }),
];

fn info(vm: &mut Vm, array: Term, more: &[(&str, Term)]) -> Out {
    let size = vm.heap.arity(array).unwrap_or(1) as i64 - 1;
    let all = [("size", Term::int(size)), ("memory", Term::int(size * 8 + 40))];
    let mut map = Map::empty(&mut vm.heap);
    for (name, value) in all.iter().chain(more) {
        let key = Term::atom(vm.atoms.intern(name));
        map = map.put(&mut vm.heap, &vm.atoms, key, *value);
    }
    Ok(map.term())
}

/// Makes sure that a number can be kept in an array.
fn fits(vm: &mut Vm, array: Term, value: Term) -> Result<(), crate::vm::Stop> {
    let signed = vm.heap.element(vm.array(array)?, 0).is_atom(atom::TRUE);
    let value = vm.heap.as_integer(value).ok_or_else(badarg)?;
    match signed {
        true => i64::try_from(value).map(|_| ()).map_err(|_| badarg()),
        false => u64::try_from(value).map(|_| ()).map_err(|_| badarg()),
    }
}

fn on(vm: &mut Vm, operation: A, array: Term, index: Term, value: Term) -> Out {
    let size = vm.heap.arity(vm.array(array)?).unwrap_or(1) as i64 - 1;
    index.as_small().filter(|index| (1..=size).contains(index)).ok_or_else(badarg)?;
    match operation {
        A::Get | A::CompareExchange => {}
        A::Put | A::Exchange => fits(vm, array, value)?,
        A::Add | A::AddGet => {
            vm.heap.as_integer(value).ok_or_else(badarg)?;
        }
    }
    vm.intend(Visible::Atomic(operation), [array, index, value])
}
