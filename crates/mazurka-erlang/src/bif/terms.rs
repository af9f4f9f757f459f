//! Types, tuples, lists: the functions of `erlang` that look at terms and take them apart.

use crate::term::{Map, Term, atom, equal_exact, hash};
use crate::vm::instruction::TypeTest;
use crate::vm::natives::Entry;
use crate::vm::{Out, Stop, Vm, badarg};

macro_rules! test {
    ($test:ident) => {
        |vm, a| Ok(Term::bool(vm.has_type(TypeTest::$test, a[0])))
    };
}

pub(super) const ERLANG: &[Entry] = &[
    ("is_atom", 1, test!(Atom)),
    ("is_binary", 1, test!(Binary)),
    ("is_bitstring", 1, test!(Bitstring)),
    ("is_boolean", 1, test!(Boolean)),
    ("is_float", 1, test!(Float)),
    ("is_function", 1, test!(Function)),
    ("is_function", 2, |vm, a| match a[1].as_small().filter(|arity| *arity >= 0) {
        Some(arity) => Ok(Term::bool(vm.fun_arity(a[0]).map(i64::from) == Some(arity))),
        None => Err(badarg()),
    }),
    ("is_integer", 1, test!(Integer)),
    ("is_list", 1, test!(List)),
    ("is_map", 1, test!(Map)),
    ("is_number", 1, test!(Number)),
    ("is_pid", 1, test!(Pid)),
    ("is_port", 1, test!(Port)),
    ("is_reference", 1, test!(Reference)),
    ("is_tuple", 1, test!(Tuple)),
    ("is_record", 2, |vm, a| Ok(Term::bool(is_record(vm, a[0], a[1], None)))),
    ("is_record", 3, |vm, a| Ok(Term::bool(is_record(vm, a[0], a[1], a[2].as_small())))),
    ("hd", 1, |vm, a| a[0].as_cons().map(|cons| vm.heap.head(cons)).ok_or_else(badarg)),
    ("tl", 1, |vm, a| a[0].as_cons().map(|cons| vm.heap.tail(cons)).ok_or_else(badarg)),
    ("length", 1, |vm, a| {
        let mut length = 0;
        let end = vm.heap.walk(a[0], |_| length += 1);
        if end.is_nil() { Ok(Term::int(length)) } else { Err(badarg()) }
    }),
    ("element", 2, |vm, a| match (a[0].as_small(), vm.heap.arity(a[1])) {
        (Some(index), Some(arity)) if index >= 1 && index as usize <= arity => {
            Ok(vm.heap.element(a[1], index as usize - 1))
        }
        _ => Err(badarg()),
    }),
    ("setelement", 3, |vm, a| {
        let mut elements = vm.heap.elements(a[1]).ok_or_else(badarg)?;
        let index = a[0].as_small().and_then(|index| usize::try_from(index - 1).ok());
        *elements.get_mut(index.ok_or_else(badarg)?).ok_or_else(badarg)? = a[2];
        Ok(vm.heap.tuple(&elements))
    }),
    ("tuple_size", 1, |vm, a| {
        vm.heap.arity(a[0]).map(|arity| Term::int(arity as i64)).ok_or_else(badarg)
    }),
    ("size", 1, |vm, a| match (vm.heap.arity(a[0]), vm.heap.as_bits(a[0])) {
        (Some(arity), _) => Ok(Term::int(arity as i64)),
        (_, Some(bits)) => Ok(Term::int((bits.len / 8) as i64)),
        _ => Err(badarg()),
    }),
    ("tuple_to_list", 1, |vm, a| {
        let elements = vm.heap.elements(a[0]).ok_or_else(badarg)?;
        Ok(vm.heap.list(&elements))
    }),
    ("list_to_tuple", 1, |vm, a| {
        let elements = vm.heap.elements_of_list(a[0]).ok_or_else(badarg)?;
        Ok(vm.heap.tuple(&elements))
    }),
    ("make_tuple", 2, |vm, a| {
        let arity = a[0].as_small().and_then(|arity| usize::try_from(arity).ok());
        let elements = vec![a[1]; arity.ok_or_else(badarg)?];
        Ok(vm.heap.tuple(&elements))
    }),
    ("make_tuple", 3, |vm, a| {
        let arity = a[0].as_small().and_then(|arity| usize::try_from(arity).ok());
        let mut elements = vec![a[1]; arity.ok_or_else(badarg)?];
        for entry in vm.heap.elements_of_list(a[2]).ok_or_else(badarg)? {
            let [place, value] = vm.heap.tuple_of::<2>(entry).ok_or_else(badarg)?;
            let index = place.as_small().and_then(|place| usize::try_from(place - 1).ok());
            *elements.get_mut(index.ok_or_else(badarg)?).ok_or_else(badarg)? = value;
        }
        Ok(vm.heap.tuple(&elements))
    }),
    ("append_element", 2, |vm, a| {
        let mut elements = vm.heap.elements(a[0]).ok_or_else(badarg)?;
        elements.push(a[1]);
        Ok(vm.heap.tuple(&elements))
    }),
    ("insert_element", 3, |vm, a| {
        let mut elements = vm.heap.elements(a[1]).ok_or_else(badarg)?;
        let index = a[0].as_small().and_then(|i| usize::try_from(i - 1).ok()).ok_or_else(badarg)?;
        if index > elements.len() {
            return Err(badarg());
        }
        elements.insert(index, a[2]);
        Ok(vm.heap.tuple(&elements))
    }),
    ("delete_element", 2, |vm, a| {
        let mut elements = vm.heap.elements(a[1]).ok_or_else(badarg)?;
        let index = a[0].as_small().and_then(|i| usize::try_from(i - 1).ok()).ok_or_else(badarg)?;
        if index >= elements.len() {
            return Err(badarg());
        }
        elements.remove(index);
        Ok(vm.heap.tuple(&elements))
    }),
    ("++", 2, append),
    ("append", 2, append),
    ("--", 2, subtract),
    ("subtract", 2, subtract),
    ("phash2", 1, |vm, a| Ok(Term::int((hash(&vm.heap, &vm.atoms, a[0]) & 0x7ff_ffff) as i64))),
    ("phash2", 2, |vm, a| match a[1].as_small().filter(|range| *range > 0) {
        Some(range) => Ok(Term::int((hash(&vm.heap, &vm.atoms, a[0]) % range as u64) as i64)),
        None => Err(badarg()),
    }),
    ("phash", 2, |vm, a| match a[1].as_small().filter(|range| *range > 0) {
        Some(range) => Ok(Term::int((hash(&vm.heap, &vm.atoms, a[0]) % range as u64) as i64 + 1)),
        None => Err(badarg()),
    }),
    ("external_size", 1, |vm, a| match crate::term::encode_etf(&vm.heap, &vm.atoms, a[0]) {
        Some(bytes) => Ok(Term::int(bytes.len() as i64)),
        None => Err(badarg()),
    }),
    ("term_to_binary", 1, to_binary),
    ("term_to_binary", 2, to_binary),
    ("binary_to_term", 1, from_binary),
    ("binary_to_term", 2, from_binary),
];

fn is_record(vm: &Vm, term: Term, tag: Term, arity: Option<i64>) -> bool {
    vm.heap.arity(term).is_some_and(|found| {
        found > 0
            && vm.heap.element(term, 0) == tag
            && arity.is_none_or(|arity| arity == found as i64)
    })
}

fn append(vm: &mut Vm, a: &[Term]) -> Out {
    if a[0].is_nil() {
        return Ok(a[1]);
    }
    let elements = vm.heap.elements_of_list(a[0]).ok_or_else(badarg)?;
    Ok(vm.heap.list_with_tail(&elements, a[1]))
}

fn subtract(vm: &mut Vm, a: &[Term]) -> Out {
    let mut elements = vm.heap.elements_of_list(a[0]).ok_or_else(badarg)?;
    for element in vm.heap.elements_of_list(a[1]).ok_or_else(badarg)? {
        let found = elements.iter().position(|other| equal_exact(&vm.heap, *other, element));
        found.into_iter().for_each(|found| {
            elements.remove(found);
        });
    }
    Ok(vm.heap.list(&elements))
}

fn to_binary(vm: &mut Vm, a: &[Term]) -> Out {
    match crate::term::encode_etf(&vm.heap, &vm.atoms, a[0]) {
        Some(bytes) => Ok(vm.heap.binary(&bytes)),
        None => Err(unsupported(vm, "the external form of functions")),
    }
}

fn from_binary(vm: &mut Vm, a: &[Term]) -> Out {
    let bytes = vm.heap.binary_bytes(a[0]).ok_or_else(badarg)?;
    match crate::term::decode_etf(&mut vm.heap, &mut vm.atoms, &bytes) {
        Ok(term) => Ok(term),
        Err(crate::term::EtfError::Malformed) => Err(badarg()),
        Err(crate::term::EtfError::Unsupported(tag)) => {
            Err(unsupported(vm, &format!("terms with the external tag {tag}")))
        }
    }
}

/// Says that something is not supported.
pub(super) fn unsupported(vm: &mut Vm, what: &str) -> Stop {
    let symbol = vm.symbol(vm.current);
    let text = format!("{symbol} needs {what}, which Mazurka does not support");
    vm.refuse(text)
}

/// The map that an argument must be.
pub(super) fn map_of(vm: &mut Vm, term: Term) -> Result<Map, Stop> {
    Map::of(&vm.heap, term).ok_or_else(|| vm.error_of(atom::BADMAP, term))
}
