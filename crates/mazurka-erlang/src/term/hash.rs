//! Hashes of terms, for telling locations apart.

use super::{Atoms, Heap, Kind, Map, Term};

/// Returns a hash. Equal terms (`=:=`) have the same hash, in every execution and on every machine.
pub(crate) fn hash(heap: &Heap, atoms: &Atoms, term: Term) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325;
    feed(heap, atoms, term, &mut state);
    finish(state)
}

/// Returns a digest of a text.
pub(super) fn digest_of(text: &str) -> u64 {
    let mut state = text.len() as u64;
    text.bytes().for_each(|byte| mix(&mut state, u64::from(byte)));
    finish(state)
}

/// Spreads what was added last over all bits.
pub(super) fn finish(mut state: u64) -> u64 {
    state ^= state >> 32;
    state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    state ^ (state >> 29)
}

/// Adds a word to a hash.
pub(super) fn mix(state: &mut u64, word: u64) {
    *state = (state.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
}

fn feed(heap: &Heap, atoms: &Atoms, mut term: Term, state: &mut u64) {
    while let Some(cons) = term.as_cons() {
        mix(state, 1);
        feed(heap, atoms, heap.head(cons), state);
        term = heap.tail(cons);
    }
    if let Some(process) = term.as_pid() {
        return mix(state, heap.lineage.digest(process));
    }
    if let Some(atom) = term.as_atom() {
        return mix(state, atoms.digest(atom));
    }
    let Some(place) = term.as_box() else { return mix(state, term.bits()) };
    let (kind, size) = heap.header(place);
    match kind {
        Kind::Tuple | Kind::Export => {
            mix(state, size as u64 + 2);
            (1..=size).for_each(|i| feed(heap, atoms, heap.word(place + i), state));
        }
        Kind::Fun => {
            mix(state, size as u64 + 2);
            // The first word is the number of its code, which depends on when modules are loaded.
            (2..=size).for_each(|i| feed(heap, atoms, heap.word(place + i), state));
        }
        Kind::Bits | Kind::Match => {
            let Some(bits) = heap.as_bits(term) else { return };
            mix(state, bits.len);
            heap.bytes_of(bits).iter().for_each(|byte| mix(state, u64::from(*byte)));
        }
        Kind::Map | Kind::MapTree | Kind::MapNode => {
            let Some(map) = Map::of(heap, term) else { return };
            for (key, value) in map.entries(heap) {
                feed(heap, atoms, key, state);
                feed(heap, atoms, value, state);
            }
        }
        Kind::Float if f64::from_bits(heap.raw(place + 1)) == 0.0 => mix(state, 0x0f),
        Kind::Ref => {
            let reference = heap.raw(place + 1);
            mix(state, heap.lineage.digest((reference >> 32) as u32));
            mix(state, reference & u64::from(u32::MAX));
        }
        Kind::Float | Kind::Big => {
            (1..=size).for_each(|i| mix(state, heap.raw(place + i)));
        }
    }
}
