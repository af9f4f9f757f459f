//! Maps.

use super::terms::map_of;
use crate::term::{Map, Term, atom, compare_exact};
use crate::vm::natives::Entry;
use crate::vm::{Out, Vm, badarg};

pub(super) const ERLANG: &[Entry] = &[
    ("map_size", 1, |vm, a| Ok(Term::int(map_of(vm, a[0])?.size(&vm.heap) as i64))),
    ("map_get", 2, |vm, a| get(vm, a[0], a[1])),
    ("is_map_key", 2, |vm, a| {
        let map = map_of(vm, a[1])?;
        Ok(Term::bool(map.get(&vm.heap, &vm.atoms, a[0]).is_some()))
    }),
];

pub(super) const MAPS: &[Entry] = &[
    ("get", 2, |vm, a| get(vm, a[0], a[1])),
    ("find", 2, |vm, a| {
        let map = map_of(vm, a[1])?;
        Ok(match map.get(&vm.heap, &vm.atoms, a[0]) {
            Some(value) => vm.heap.tuple(&[Term::atom(atom::OK), value]),
            None => Term::atom(atom::ERROR),
        })
    }),
    ("is_key", 2, |vm, a| {
        let map = map_of(vm, a[1])?;
        Ok(Term::bool(map.get(&vm.heap, &vm.atoms, a[0]).is_some()))
    }),
    ("keys", 1, |vm, a| {
        let entries = map_of(vm, a[0])?.entries(&vm.heap);
        let keys: Vec<Term> = entries.into_iter().map(|(key, _)| key).collect();
        Ok(vm.heap.list(&keys))
    }),
    ("values", 1, |vm, a| {
        let entries = map_of(vm, a[0])?.entries(&vm.heap);
        let values: Vec<Term> = entries.into_iter().map(|(_, value)| value).collect();
        Ok(vm.heap.list(&values))
    }),
    ("to_list", 1, |vm, a| {
        let map = map_of(vm, a[0])?;
        let pairs = pairs(vm, map);
        Ok(vm.heap.list(&pairs))
    }),
    ("put", 3, |vm, a| {
        let map = map_of(vm, a[2])?;
        Ok(map.put(&mut vm.heap, &vm.atoms, a[0], a[1]).term())
    }),
    ("update", 3, |vm, a| {
        let map = map_of(vm, a[2])?;
        if map.get(&vm.heap, &vm.atoms, a[0]).is_none() {
            return Err(vm.error_of(atom::BADKEY, a[0]));
        }
        Ok(map.put(&mut vm.heap, &vm.atoms, a[0], a[1]).term())
    }),
    ("remove", 2, |vm, a| {
        let map = map_of(vm, a[1])?;
        Ok(map.remove(&mut vm.heap, &vm.atoms, a[0]).term())
    }),
    ("take", 2, |vm, a| {
        let map = map_of(vm, a[1])?;
        let Some(value) = map.get(&vm.heap, &vm.atoms, a[0]) else {
            return Ok(Term::atom(atom::ERROR));
        };
        let rest = map.remove(&mut vm.heap, &vm.atoms, a[0]).term();
        Ok(vm.heap.tuple(&[value, rest]))
    }),
    ("merge", 2, |vm, a| {
        let (one, two) = (map_of(vm, a[0])?, map_of(vm, a[1])?);
        let mut entries = one.entries(&vm.heap);
        entries.extend(two.entries(&vm.heap));
        Ok(Map::of_entries(&mut vm.heap, &vm.atoms, entries).term())
    }),
    ("from_list", 1, |vm, a| {
        let mut entries = Vec::new();
        for pair in vm.heap.elements_of_list(a[0]).ok_or_else(badarg)? {
            let [key, value] = vm.heap.tuple_of::<2>(pair).ok_or_else(badarg)?;
            entries.push((key, value));
        }
        Ok(Map::of_entries(&mut vm.heap, &vm.atoms, entries).term())
    }),
    ("from_keys", 2, |vm, a| {
        let keys = vm.heap.elements_of_list(a[0]).ok_or_else(badarg)?;
        let entries = keys.into_iter().map(|key| (key, a[1])).collect();
        Ok(Map::of_entries(&mut vm.heap, &vm.atoms, entries).term())
    }),
];

pub(super) const ERTS_INTERNAL: &[Entry] = &[
    // An iterator returns all remaining entries at once.
    ("map_next", 3, |vm, a| {
        let map = map_of(vm, a[1])?;
        if a[2].is_list() {
            let pairs = pairs(vm, map);
            return Ok(vm.heap.list_with_tail(&pairs, a[2]));
        }
        let entries = map.entries(&vm.heap);
        let end = Term::atom(atom::NONE);
        let iterator = entries
            .iter()
            .rev()
            .fold(end, |rest, (key, value)| vm.heap.tuple(&[*key, *value, rest]));
        Ok(iterator)
    }),
    ("cmp_term", 2, |vm, a| Ok(Term::int(compare_exact(&vm.heap, &vm.atoms, a[0], a[1]) as i64))),
];

fn pairs(vm: &mut Vm, map: Map) -> Vec<Term> {
    let entries = map.entries(&vm.heap);
    entries.into_iter().map(|(key, value)| vm.heap.tuple(&[key, value])).collect()
}

fn get(vm: &mut Vm, key: Term, map: Term) -> Out {
    let map = map_of(vm, map)?;
    match map.get(&vm.heap, &vm.atoms, key) {
        Some(value) => Ok(value),
        None => Err(vm.error_of(atom::BADKEY, key)),
    }
}
