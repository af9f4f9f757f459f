//! The standard order of terms, and equality.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::number::Number;
use super::{Atoms, Heap, Kind, Map, Term};

/// `==`: an integer equals the float of the same value.
pub(crate) fn equal(heap: &Heap, atoms: &Atoms, a: Term, b: Term) -> bool {
    a == b || compare(heap, atoms, a, b) == Ordering::Equal
}

/// `=:=`.
#[inline]
pub(crate) fn equal_exact(heap: &Heap, a: Term, b: Term) -> bool {
    a == b || (a.as_cons().is_some() || a.as_box().is_some()) && equal_deep(heap, a, b)
}

fn equal_deep(heap: &Heap, mut a: Term, mut b: Term) -> bool {
    loop {
        if a == b {
            return true;
        }
        if let (Some(x), Some(y)) = (a.as_cons(), b.as_cons()) {
            if !equal_exact(heap, heap.head(x), heap.head(y)) {
                return false;
            }
            (a, b) = (heap.tail(x), heap.tail(y));
            continue;
        }
        let (Some(x), Some(y)) = (a.as_box(), b.as_box()) else { return false };
        let ((kind, size), (other_kind, other_size)) = (heap.header(x), heap.header(y));
        if kind != other_kind {
            return false;
        }
        return match kind {
            Kind::Tuple | Kind::Map | Kind::Export | Kind::Fun => {
                size == other_size
                    && (1..=size).all(|i| equal_exact(heap, heap.word(x + i), heap.word(y + i)))
            }
            Kind::Float => f64::from_bits(heap.raw(x + 1)) == f64::from_bits(heap.raw(y + 1)),
            Kind::Big | Kind::Ref => {
                size == other_size && (1..=size).all(|i| heap.raw(x + i) == heap.raw(y + i))
            }
            Kind::MapTree => {
                let (m, n) = (Map::of(heap, a), Map::of(heap, b));
                let (Some(m), Some(n)) = (m, n) else { return false };
                m.size(heap) == n.size(heap) && {
                    let (m, n) = (m.entries(heap), n.entries(heap));
                    m.iter().zip(&n).all(|((k, v), (l, w))| {
                        equal_exact(heap, *k, *l) && equal_exact(heap, *v, *w)
                    })
                }
            }
            Kind::Bits => compare_bits(heap, a, b) == Ordering::Equal,
            Kind::MapNode | Kind::Match => false,
        };
    }
}

/// The standard order: number < atom < reference < function < port < process < tuple < map <
/// list < bit string.
pub(crate) fn compare(heap: &Heap, atoms: &Atoms, a: Term, b: Term) -> Ordering {
    order(heap, atoms, a, b, false)
}

/// Compares two terms as keys of a map: all integers come before all floats.
pub(crate) fn compare_exact(heap: &Heap, atoms: &Atoms, a: Term, b: Term) -> Ordering {
    order(heap, atoms, a, b, true)
}

fn rank(heap: &Heap, term: Term) -> u8 {
    if term.as_small().is_some() {
        return 0;
    }
    if term.as_atom().is_some() {
        return 1;
    }
    if term.as_pid().is_some() {
        return 5;
    }
    if term.is_nil() {
        return 8;
    }
    if term.as_cons().is_some() {
        return 9;
    }
    let Some(place) = term.as_box() else { return 11 };
    match heap.header(place).0 {
        Kind::Float | Kind::Big => 0,
        Kind::Ref => 2,
        Kind::Fun | Kind::Export => 3,
        Kind::Tuple => 6,
        Kind::Map | Kind::MapTree | Kind::MapNode => 7,
        Kind::Bits | Kind::Match => 10,
    }
}

fn order(heap: &Heap, atoms: &Atoms, mut a: Term, mut b: Term, exact: bool) -> Ordering {
    loop {
        if a == b {
            return Ordering::Equal;
        }
        if let (Some(a), Some(b)) = (a.as_small(), b.as_small()) {
            return a.cmp(&b);
        }
        let (rank_a, rank_b) = (rank(heap, a), rank(heap, b));
        if rank_a != rank_b {
            return rank_a.cmp(&rank_b);
        }
        if let (Some(a), Some(b)) = (a.as_atom(), b.as_atom()) {
            return atoms.name(a).cmp(atoms.name(b));
        }
        if let (Some(a), Some(b)) = (a.as_pid(), b.as_pid()) {
            return heap.lineage.compare(a, b);
        }
        if let (Some(x), Some(y)) = (a.as_cons(), b.as_cons()) {
            let heads = order(heap, atoms, heap.head(x), heap.head(y), exact);
            if heads != Ordering::Equal {
                return heads;
            }
            (a, b) = (heap.tail(x), heap.tail(y));
            continue;
        }
        return order_boxed(heap, atoms, a, b, exact);
    }
}

fn order_boxed(heap: &Heap, atoms: &Atoms, a: Term, b: Term, exact: bool) -> Ordering {
    if rank(heap, a) == 0 {
        let (Some(m), Some(n)) = (heap.as_number(a), heap.as_number(b)) else {
            return Ordering::Equal;
        };
        let is_float = |n: &Number| matches!(n, Number::Float(_));
        let by_value = compare_numbers(&m, &n);
        return match exact {
            true => is_float(&m).cmp(&is_float(&n)).then(by_value),
            false => by_value,
        };
    }
    let (Some(x), Some(y)) = (a.as_box(), b.as_box()) else { return Ordering::Equal };
    let ((kind, size), (other_kind, other_size)) = (heap.header(x), heap.header(y));
    let by_words = || {
        let pairs = (1..=size).map(|i| (heap.word(x + i), heap.word(y + i)));
        pairs
            .map(|(v, w)| order(heap, atoms, v, w, exact))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    match (kind, other_kind) {
        (Kind::Tuple, _) => size.cmp(&other_size).then_with(by_words),
        (Kind::Ref, _) => {
            let [x, y] = [x, y].map(|place| heap.raw(place + 1));
            let owners = heap.lineage.compare((x >> 32) as u32, (y >> 32) as u32);
            owners.then((x as u32).cmp(&(y as u32)))
        }
        (Kind::Bits, _) => compare_bits(heap, a, b),
        (Kind::Fun, Kind::Export) => Ordering::Less,
        (Kind::Export, Kind::Fun) => Ordering::Greater,
        (Kind::Fun, _) => {
            let by_code = heap.raw(x + 1).cmp(&heap.raw(y + 1));
            by_code.then(size.cmp(&other_size)).then_with(by_words)
        }
        (Kind::Export, _) => by_words(),
        (Kind::Map | Kind::MapTree, _) => {
            let (Some(m), Some(n)) = (Map::of(heap, a), Map::of(heap, b)) else {
                return Ordering::Equal;
            };
            let by_size = m.size(heap).cmp(&n.size(heap));
            by_size.then_with(|| {
                let (m, n) = (m.entries(heap), n.entries(heap));
                let by_keys = m.iter().zip(&n).map(|(m, n)| order(heap, atoms, m.0, n.0, true));
                let by_keys = by_keys.fold(Ordering::Equal, Ordering::then);
                by_keys.then_with(|| {
                    let values = m.iter().zip(&n).map(|(m, n)| order(heap, atoms, m.1, n.1, exact));
                    values.fold(Ordering::Equal, Ordering::then)
                })
            })
        }
        _ => Ordering::Equal,
    }
}

/// Compares two bit strings, bit by bit.
fn compare_bits(heap: &Heap, a: Term, b: Term) -> Ordering {
    let (Some(a), Some(b)) = (heap.as_bits(a), heap.as_bits(b)) else { return Ordering::Equal };
    let common = a.len.min(b.len);
    let mut done = 0;
    while done < common {
        let count = (common - done).min(32);
        let (x, y) = (heap.read_bits(a.start + done, count), heap.read_bits(b.start + done, count));
        if x != y {
            return x.cmp(&y);
        }
        done += count;
    }
    a.len.cmp(&b.len)
}

/// Compares two numbers by value.
pub(crate) fn compare_numbers(a: &Number, b: &Number) -> Ordering {
    match (a, b) {
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
        (Number::Float(_), _) => compare_numbers(b, a).reverse(),
        (Number::Small(a), Number::Small(b)) => a.cmp(b),
        (Number::Small(a), Number::Float(b)) if a.unsigned_abs() < 1 << 53 => {
            (*a as f64).partial_cmp(b).unwrap_or(Ordering::Equal)
        }
        (_, Number::Float(b)) => {
            let a = a.clone().into_big().expect("it is no float");
            compare_with_float(&a, *b)
        }
        _ => {
            let big = |n: &Number| n.clone().into_big().expect("it is no float");
            big(a).cmp(&big(b))
        }
    }
}

/// Compares a large integer with a float, exactly.
fn compare_with_float(a: &BigInt, b: f64) -> Ordering {
    let whole = float_to_big(b.trunc());
    a.cmp(&whole).then(0f64.partial_cmp(&b.fract()).unwrap_or(Ordering::Equal))
}

/// The integer that a float without a fraction is.
pub(crate) fn float_to_big(value: f64) -> BigInt {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1075;
    let mantissa = (bits & ((1 << 52) - 1)) | if exponent == -1075 { 0 } else { 1 << 52 };
    let magnitude = match exponent {
        0.. => BigInt::from(mantissa) << exponent as usize,
        -63..0 => BigInt::from(mantissa >> -exponent),
        _ => BigInt::from(0),
    };
    if value < 0.0 { -magnitude } else { magnitude }
}
