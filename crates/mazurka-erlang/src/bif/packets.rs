//! `erlang:decode_packet/3`.

use crate::term::{Term, atom};
use crate::vm::natives::Entry;
use crate::vm::{Out, Vm, badarg};

pub(super) const ERLANG: &[Entry] = &[("decode_packet", 3, decode)];

/// Splits the first packet off some bytes.
fn decode(vm: &mut Vm, a: &[Term]) -> Out {
    let bytes = vm.heap.binary_bytes(a[1]).ok_or_else(badarg)?;
    let header = match a[0].as_small() {
        Some(header @ (0 | 1 | 2 | 4)) => header as usize,
        Some(_) => return Err(badarg()),
        None => match a[0].as_atom().map(|kind| vm.atoms.name(kind).to_owned()).as_deref() {
            Some("raw") => 0,
            Some("line") => return line(vm, &bytes),
            Some(kind) => {
                let call = format!("erlang:decode_packet({kind}, ...)");
                return Err(vm.refuse_call(&call));
            }
            None => return Err(badarg()),
        },
    };
    if header == 0 {
        return match bytes.is_empty() {
            true => Ok(more(vm, None)),
            false => Ok(packet(vm, &bytes, &[])),
        };
    }
    let Some(length) = bytes.get(..header) else { return Ok(more(vm, None)) };
    let length = length.iter().fold(0usize, |length, byte| length << 8 | usize::from(*byte));
    let end = header + length;
    match bytes.get(header..end) {
        Some(content) => Ok(packet(vm, content, &bytes[end..])),
        None => Ok(more(vm, Some(end))),
    }
}

fn line(vm: &mut Vm, bytes: &[u8]) -> Out {
    match bytes.iter().position(|byte| *byte == b'\n') {
        Some(end) => Ok(packet(vm, &bytes[..=end], &bytes[end + 1..])),
        None => Ok(more(vm, None)),
    }
}

fn packet(vm: &mut Vm, content: &[u8], rest: &[u8]) -> Term {
    let (content, rest) = (vm.heap.binary(content), vm.heap.binary(rest));
    vm.heap.tuple(&[Term::atom(atom::OK), content, rest])
}

fn more(vm: &mut Vm, length: Option<usize>) -> Term {
    let length = match length {
        Some(length) => Term::int(length as i64),
        None => Term::atom(atom::UNDEFINED),
    };
    let more = Term::atom(vm.atoms.intern("more"));
    vm.heap.tuple(&[more, length])
}
