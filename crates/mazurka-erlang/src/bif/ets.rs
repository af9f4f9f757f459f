//! `ets`: what its operations are; the machine performs them.

use crate::term::{Kind, Map, Term, atom};
use crate::vm::natives::Entry;
use crate::vm::process::{KeyOperation as K, TableOperation as T, Visible};
use crate::vm::{Out, Vm, badarg};

pub(super) const ETS: &[Entry] = &[
    ("new", 2, |vm, a| {
        vm.watch_lives();
        vm.intend(Visible::EtsNew, [a[0], a[1], Term::NIL])
    }),
    ("all", 0, |vm, _| vm.intend(Visible::EtsAll, [Term::NIL; 3])),
    ("delete", 1, |vm, a| on(vm, Visible::EtsDelete, a[0], Term::NIL, Term::NIL)),
    ("whereis", 1, |vm, a| match a[0].as_atom() {
        Some(_) => vm.intend(Visible::EtsWhereis, [a[0], Term::NIL, Term::NIL]),
        None => Err(badarg()),
    }),
    ("info", 1, |vm, a| on(vm, Visible::EtsInfo, a[0], Term::NONE, Term::NIL)),
    ("info", 2, |vm, a| on(vm, Visible::EtsInfo, a[0], a[1], Term::NIL)),
    ("give_away", 3, |vm, a| on(vm, Visible::EtsGiveAway, a[0], a[1], a[2])),
    ("setopts", 2, |vm, a| on(vm, Visible::EtsOptions, a[0], a[1], Term::NIL)),
    ("safe_fixtable", 2, |_, _| Ok(Term::bool(true))),
    ("lookup", 2, |vm, a| key(vm, K::Lookup, a[0], a[1], Term::NIL)),
    ("lookup_element", 3, |vm, a| key(vm, K::LookupElement, a[0], a[1], a[2])),
    ("lookup_element", 4, |vm, a| {
        let extra = vm.heap.tuple(&[a[2], a[3]]);
        key(vm, K::LookupElement, a[0], a[1], extra)
    }),
    ("member", 2, |vm, a| key(vm, K::Member, a[0], a[1], Term::NIL)),
    ("insert", 2, |vm, a| insert(vm, a, K::Insert, T::InsertList)),
    ("insert_new", 2, |vm, a| insert(vm, a, K::InsertNew, T::InsertNewList)),
    ("delete", 2, |vm, a| key(vm, K::Delete, a[0], a[1], Term::NIL)),
    ("delete_object", 2, |vm, a| key(vm, K::DeleteObject, a[0], a[1], Term::NIL)),
    ("take", 2, |vm, a| key(vm, K::Take, a[0], a[1], Term::NIL)),
    ("update_element", 3, |vm, a| key(vm, K::UpdateElement, a[0], a[1], a[2])),
    ("update_element", 4, |vm, a| {
        let extra = vm.heap.tuple(&[a[2], a[3], Term::NIL]);
        key(vm, K::UpdateElement, a[0], a[1], extra)
    }),
    ("update_counter", 3, |vm, a| {
        let extra = vm.heap.tuple(&[a[2], Term::NIL]);
        key(vm, K::UpdateCounter, a[0], a[1], extra)
    }),
    ("update_counter", 4, |vm, a| {
        let extra = vm.heap.tuple(&[a[2], a[3]]);
        key(vm, K::UpdateCounter, a[0], a[1], extra)
    }),
    ("delete_all_objects", 1, |vm, a| table(vm, T::DeleteAll, a[0], Term::NIL)),
    ("first", 1, |vm, a| table(vm, T::First, a[0], Term::NIL)),
    ("last", 1, |vm, a| table(vm, T::Last, a[0], Term::NIL)),
    ("next", 2, |vm, a| table(vm, T::Next, a[0], a[1])),
    ("prev", 2, |vm, a| table(vm, T::Prev, a[0], a[1])),
    ("first_lookup", 1, |vm, a| table(vm, T::FirstLookup, a[0], Term::NIL)),
    ("last_lookup", 1, |vm, a| table(vm, T::LastLookup, a[0], Term::NIL)),
    ("next_lookup", 2, |vm, a| table(vm, T::NextLookup, a[0], a[1])),
    ("prev_lookup", 2, |vm, a| table(vm, T::PrevLookup, a[0], a[1])),
    ("slot", 2, |vm, a| table(vm, T::Slot, a[0], a[1])),
    ("tab2list", 1, |vm, a| table(vm, T::ToList, a[0], Term::NIL)),
    ("match", 2, |vm, a| table(vm, T::Match, a[0], a[1])),
    ("match_object", 2, |vm, a| table(vm, T::MatchObject, a[0], a[1])),
    ("match_delete", 2, |vm, a| table(vm, T::MatchDelete, a[0], a[1])),
    ("select", 2, |vm, a| table(vm, T::Select, a[0], a[1])),
    ("select_count", 2, |vm, a| table(vm, T::SelectCount, a[0], a[1])),
    ("select_delete", 2, |vm, a| table(vm, T::SelectDelete, a[0], a[1])),
    ("select_reverse", 2, |vm, a| table(vm, T::SelectReverse, a[0], a[1])),
    ("select_replace", 2, |vm, a| table(vm, T::SelectReplace, a[0], a[1])),
    ("match", 3, |vm, a| some(vm, "match", a)),
    ("match_object", 3, |vm, a| some(vm, "match_object", a)),
    ("select", 3, |vm, a| some(vm, "select", a)),
    ("select_reverse", 3, |vm, a| some(vm, "select_reverse", a)),
    ("match", 1, |vm, a| more(vm, a[0])),
    ("match_object", 1, |vm, a| more(vm, a[0])),
    ("select", 1, |vm, a| more(vm, a[0])),
    ("select_reverse", 1, |vm, a| more(vm, a[0])),
    ("rename", 2, |vm, a| match a[1].as_atom() {
        Some(_) => on(vm, Visible::EtsRename, a[0], a[1], Term::NIL),
        None => Err(badarg()),
    }),
    ("internal_delete_all", 2, |vm, a| table(vm, T::DeleteAll, a[0], Term::NIL)),
    ("internal_select_delete", 2, |vm, a| table(vm, T::SelectDelete, a[0], a[1])),
    ("is_compiled_ms", 1, |vm, a| Ok(Term::bool(vm.heap.is_kind(a[0], Kind::Map)))),
    // A compiled specification is a map that holds it.
    ("match_spec_compile", 1, |vm, a| {
        vm.clauses(a[0])?;
        let tag = Term::atom(atom::DUMMY);
        let empty = Map::empty(&mut vm.heap);
        Ok(empty.put(&mut vm.heap, &vm.atoms, tag, a[0]).term())
    }),
    ("match_spec_run_r", 3, |vm, a| {
        let map = Map::of(&vm.heap, a[1]).ok_or_else(badarg)?;
        let specification = map.get(&vm.heap, &vm.atoms, Term::atom(atom::DUMMY));
        let clauses = vm.clauses(specification.ok_or_else(badarg)?)?;
        let mut results = a[2];
        for object in vm.heap.elements_of_list(a[0]).ok_or_else(badarg)? {
            if let Some(result) = vm.run_clauses(&clauses, object)? {
                results = vm.heap.cons(result, results);
            }
        }
        Ok(results)
    }),
];

fn on(vm: &mut Vm, what: Visible, table: Term, second: Term, third: Term) -> Out {
    match table.as_atom().is_some() || vm.heap.is_kind(table, Kind::Ref) {
        true => vm.intend(what, [table, second, third]),
        false => Err(badarg()),
    }
}

fn key(vm: &mut Vm, operation: K, table: Term, key: Term, extra: Term) -> Out {
    on(vm, Visible::EtsKey(operation), table, key, extra)
}

fn table(vm: &mut Vm, operation: T, table: Term, argument: Term) -> Out {
    on(vm, Visible::EtsTable(operation), table, argument, Term::NIL)
}

/// Asks for so many of the objects that match.
fn some(vm: &mut Vm, kind: &str, a: &[Term]) -> Out {
    a[2].as_small().filter(|limit| *limit > 0).ok_or_else(badarg)?;
    let kind = Term::atom(vm.atoms.intern(kind));
    let continuation = vm.heap.tuple(&[a[0], kind, a[1], a[2], Term::NIL, Term::int(0)]);
    table(vm, T::SelectSome, a[0], continuation)
}

/// Asks for those that come next.
fn more(vm: &mut Vm, continuation: Term) -> Out {
    if continuation.is_atom(atom::END_OF_TABLE) {
        return Ok(continuation);
    }
    let parts = vm.heap.tuple_of::<6>(continuation).ok_or_else(badarg)?;
    table(vm, T::SelectSome, parts[0], continuation)
}

/// Inserts one object, or a list of them.
fn insert(vm: &mut Vm, a: &[Term], one: K, many: T) -> Out {
    if a[1].is_nil() {
        return Ok(Term::bool(true));
    }
    match a[1].as_cons().map(|cons| (vm.heap.head(cons), vm.heap.tail(cons))) {
        None => key(vm, one, a[0], a[1], Term::NIL),
        Some((object, rest)) if rest.is_nil() => key(vm, one, a[0], object, Term::NIL),
        Some(_) => table(vm, many, a[0], a[1]),
    }
}
