//! Binaries.

use crate::term::{BitWriter, Bits, Term, atom};
use crate::vm::natives::Entry;
use crate::vm::{Out, Stop, Vm, badarg};

pub(super) const ERLANG: &[Entry] = &[
    ("bit_size", 1, |vm, a| {
        vm.size_in_bits(a[0]).map(|bits| Term::int(bits as i64)).ok_or_else(badarg)
    }),
    ("byte_size", 1, |vm, a| {
        let bits = vm.size_in_bits(a[0]).ok_or_else(badarg)?;
        Ok(Term::int(bits.div_ceil(8) as i64))
    }),
    ("binary_to_list", 1, |vm, a| {
        let bytes = vm.heap.binary_bytes(a[0]).ok_or_else(badarg)?;
        Ok(bytes_list(vm, &bytes))
    }),
    ("binary_to_list", 3, |vm, a| {
        let bytes = vm.heap.binary_bytes(a[0]).ok_or_else(badarg)?;
        let (Some(start), Some(stop)) = (a[1].as_small(), a[2].as_small()) else {
            return Err(badarg());
        };
        let in_range = start >= 1 && start <= stop && stop as usize <= bytes.len();
        if !in_range {
            return Err(badarg());
        }
        Ok(bytes_list(vm, &bytes[start as usize - 1..stop as usize]))
    }),
    ("bitstring_to_list", 1, |vm, a| {
        let bits = vm.heap.as_bits(a[0]).ok_or_else(badarg)?;
        let odd = bits.len % 8;
        let whole = Bits { len: bits.len - odd, ..bits };
        let mut list: Vec<Term> =
            vm.heap.bytes_of(whole).into_iter().map(|byte| Term::int(byte.into())).collect();
        if odd > 0 {
            list.push(vm.heap.bits(Bits { start: whole.start + whole.len, len: odd }));
        }
        Ok(vm.heap.list(&list))
    }),
    ("list_to_binary", 1, |vm, a| if a[0].is_list() { iolist(vm, a[0]) } else { Err(badarg()) }),
    ("iolist_to_binary", 1, |vm, a| iolist(vm, a[0])),
    ("list_to_bitstring", 1, |vm, a| {
        let mut writer = BitWriter::new(&vm.heap);
        write_bits(vm, a[0], &mut writer)?;
        Ok(vm.heap.bits(writer.finish()))
    }),
    ("iolist_size", 1, |vm, a| {
        let mut bytes = Vec::new();
        collect(vm, a[0], &mut bytes)?;
        Ok(Term::int(bytes.len() as i64))
    }),
    ("iolist_to_iovec", 1, |vm, a| {
        let binary = iolist(vm, a[0])?;
        Ok(vm.heap.list(&[binary]))
    }),
    ("split_binary", 2, |vm, a| {
        let bits = vm.heap.as_bits(a[0]).ok_or_else(badarg)?;
        let at = a[1].as_small().and_then(|at| u64::try_from(at).ok()).ok_or_else(badarg)? * 8;
        if at > bits.len {
            return Err(badarg());
        }
        let first = vm.heap.bits(Bits { start: bits.start, len: at });
        let rest = vm.heap.bits(Bits { start: bits.start + at, len: bits.len - at });
        Ok(vm.heap.tuple(&[first, rest]))
    }),
    ("binary_part", 3, |vm, a| part(vm, a[0], a[1], a[2])),
    ("binary_part", 2, part_of_pair),
];

pub(super) const BINARY: &[Entry] = &[
    ("part", 3, |vm, a| part(vm, a[0], a[1], a[2])),
    ("part", 2, part_of_pair),
    ("at", 2, |vm, a| {
        let bytes = vm.heap.binary_bytes(a[0]).ok_or_else(badarg)?;
        let place = a[1].as_small().and_then(|place| usize::try_from(place).ok());
        let byte = bytes.get(place.ok_or_else(badarg)?).ok_or_else(badarg)?;
        Ok(Term::int((*byte).into()))
    }),
    ("first", 1, |vm, a| {
        let bytes = vm.heap.binary_bytes(a[0]).ok_or_else(badarg)?;
        bytes.first().map(|byte| Term::int((*byte).into())).ok_or_else(badarg)
    }),
    ("last", 1, |vm, a| {
        let bytes = vm.heap.binary_bytes(a[0]).ok_or_else(badarg)?;
        bytes.last().map(|byte| Term::int((*byte).into())).ok_or_else(badarg)
    }),
    ("copy", 1, |vm, a| {
        let bytes = vm.heap.binary_bytes(a[0]).ok_or_else(badarg)?;
        Ok(vm.heap.binary(&bytes))
    }),
    ("copy", 2, |vm, a| {
        let bytes = vm.heap.binary_bytes(a[0]).ok_or_else(badarg)?;
        let count = a[1].as_small().and_then(|count| usize::try_from(count).ok());
        let repeated = bytes.repeat(count.ok_or_else(badarg)?);
        Ok(vm.heap.binary(&repeated))
    }),
    ("bin_to_list", 1, |vm, a| {
        let bytes = vm.heap.binary_bytes(a[0]).ok_or_else(badarg)?;
        Ok(bytes_list(vm, &bytes))
    }),
    ("list_to_bin", 1, |vm, a| iolist(vm, a[0])),
    ("compile_pattern", 1, |_, a| Ok(a[0])),
    ("match", 2, |vm, a| find(vm, a[0], a[1], Term::NIL, false)),
    ("match", 3, |vm, a| find(vm, a[0], a[1], a[2], false)),
    ("matches", 2, |vm, a| find(vm, a[0], a[1], Term::NIL, true)),
    ("matches", 3, |vm, a| find(vm, a[0], a[1], a[2], true)),
    ("split", 2, |vm, a| split(vm, a[0], a[1], Term::NIL)),
    ("split", 3, |vm, a| split(vm, a[0], a[1], a[2])),
    ("longest_common_prefix", 1, |vm, a| common(vm, a[0], false)),
    ("longest_common_suffix", 1, |vm, a| common(vm, a[0], true)),
    ("referenced_byte_size", 1, |vm, a| {
        vm.heap.as_bits(a[0]).map(|bits| Term::int((bits.len / 8) as i64)).ok_or_else(badarg)
    }),
    ("decode_unsigned", 1, |vm, a| decode_unsigned(vm, a[0], Term::NIL)),
    ("decode_unsigned", 2, |vm, a| decode_unsigned(vm, a[0], a[1])),
    ("encode_unsigned", 1, |vm, a| encode_unsigned(vm, a[0], Term::NIL)),
    ("encode_unsigned", 2, |vm, a| encode_unsigned(vm, a[0], a[1])),
];

/// Whether the least significant byte comes first.
fn is_little(vm: &Vm, endian: Term) -> Result<bool, Stop> {
    match endian.as_atom().map(|endian| vm.atoms.name(endian)) {
        Some("little") => Ok(true),
        Some("big") => Ok(false),
        None if endian.is_nil() => Ok(false),
        _ => Err(badarg()),
    }
}

fn decode_unsigned(vm: &mut Vm, binary: Term, endian: Term) -> Out {
    let mut bytes = vm.heap.binary_bytes(binary).ok_or_else(badarg)?;
    if is_little(vm, endian)? {
        bytes.reverse();
    }
    let value = num_bigint::BigInt::from_bytes_be(num_bigint::Sign::Plus, &bytes);
    Ok(crate::term::Number::from(value).into_term(&mut vm.heap))
}

fn encode_unsigned(vm: &mut Vm, integer: Term, endian: Term) -> Out {
    let value = vm.heap.as_integer(integer).ok_or_else(badarg)?;
    let (sign, mut bytes) = value.to_bytes_be();
    if sign == num_bigint::Sign::Minus {
        return Err(badarg());
    }
    if is_little(vm, endian)? {
        bytes.reverse();
    }
    Ok(vm.heap.binary(&bytes))
}

fn bytes_list(vm: &mut Vm, bytes: &[u8]) -> Term {
    let list: Vec<Term> = bytes.iter().map(|byte| Term::int((*byte).into())).collect();
    vm.heap.list(&list)
}

impl Vm {
    /// The bytes of a deep list of bytes and binaries.
    pub(super) fn bytes_in(&mut self, data: Term) -> Result<Vec<u8>, Stop> {
        let binary = iolist(self, data)?;
        self.heap.binary_bytes(binary).ok_or_else(badarg)
    }
}

fn iolist(vm: &mut Vm, term: Term) -> Out {
    let mut bytes = Vec::new();
    collect(vm, term, &mut bytes)?;
    Ok(vm.heap.binary(&bytes))
}

/// Collects the bytes of a deep list of bytes and binaries.
fn collect(vm: &Vm, term: Term, bytes: &mut Vec<u8>) -> Result<(), Stop> {
    let mut rest = term;
    while let Some(cons) = rest.as_cons() {
        let head = vm.heap.head(cons);
        match head.as_small() {
            Some(byte) => bytes.push(u8::try_from(byte).map_err(|_| badarg())?),
            None => collect(vm, head, bytes)?,
        }
        rest = vm.heap.tail(cons);
    }
    if rest.is_nil() {
        return Ok(());
    }
    bytes.extend(vm.heap.binary_bytes(rest).ok_or_else(badarg)?);
    Ok(())
}

fn write_bits(vm: &mut Vm, term: Term, writer: &mut BitWriter) -> Result<(), Stop> {
    let mut rest = term;
    while let Some(cons) = rest.as_cons() {
        let head = vm.heap.head(cons);
        match head.as_small() {
            Some(byte) => {
                let byte = u8::try_from(byte).map_err(|_| badarg())?;
                writer.put(&mut vm.heap, byte.into(), 8);
            }
            None => write_bits(vm, head, writer)?,
        }
        rest = vm.heap.tail(cons);
    }
    if rest.is_nil() {
        return Ok(());
    }
    let bits = vm.heap.as_bits(rest).ok_or_else(badarg)?;
    writer.put_bits(&mut vm.heap, bits);
    Ok(())
}

fn part_of_pair(vm: &mut Vm, a: &[Term]) -> Out {
    let [start, len] = vm.heap.tuple_of::<2>(a[1]).ok_or_else(badarg)?;
    part(vm, a[0], start, len)
}

fn part(vm: &mut Vm, binary: Term, start: Term, len: Term) -> Out {
    let bits = vm.heap.as_bits(binary).filter(|bits| bits.is_binary()).ok_or_else(badarg)?;
    let (Some(mut start), Some(mut len)) = (start.as_small(), len.as_small()) else {
        return Err(badarg());
    };
    if len < 0 {
        (start, len) = (start + len, -len);
    }
    if start < 0 || (start + len) as u64 * 8 > bits.len {
        return Err(badarg());
    }
    let part = Bits { start: bits.start + start as u64 * 8, len: len as u64 * 8 };
    Ok(vm.heap.bits(part))
}

/// Looks for patterns in a binary.
fn find(vm: &mut Vm, subject: Term, patterns: Term, options: Term, all: bool) -> Out {
    let bytes = vm.heap.binary_bytes(subject).ok_or_else(badarg)?;
    let patterns = match patterns.is_list() {
        true => vm.heap.elements_of_list(patterns).ok_or_else(badarg)?,
        false => vec![patterns],
    };
    let patterns: Option<Vec<Vec<u8>>> = patterns
        .iter()
        .map(|pattern| vm.heap.binary_bytes(*pattern).filter(|bytes| !bytes.is_empty()))
        .collect();
    let patterns = patterns.filter(|patterns| !patterns.is_empty()).ok_or_else(badarg)?;
    let (mut at, mut end) = (0, bytes.len());
    for option in vm.heap.elements_of_list(options).ok_or_else(badarg)? {
        let [key, value] = vm.heap.tuple_of::<2>(option).ok_or_else(badarg)?;
        let [start, len] = vm.heap.tuple_of::<2>(value).ok_or_else(badarg)?;
        let (Some(start), Some(len)) = (start.as_small(), len.as_small()) else {
            return Err(badarg());
        };
        let (from, to) = (start.min(start + len), start.max(start + len));
        if !key.is_atom(atom::SCOPE) || from < 0 || to as usize > bytes.len() {
            return Err(badarg());
        }
        (at, end) = (from as usize, to as usize);
    }
    let mut found = Vec::new();
    while at < end {
        let longest = patterns
            .iter()
            .filter(|pattern| bytes[at..end].starts_with(pattern))
            .map(Vec::len)
            .max();
        match longest {
            Some(len) => {
                found.push(vm.heap.tuple(&[Term::int(at as i64), Term::int(len as i64)]));
                if !all {
                    return Ok(found[0]);
                }
                at += len;
            }
            None => at += 1,
        }
    }
    match all {
        true => Ok(vm.heap.list(&found)),
        false => Ok(Term::atom(atom::NOMATCH)),
    }
}

/// Splits a binary at patterns.
fn split(vm: &mut Vm, subject: Term, patterns: Term, options: Term) -> Out {
    let (mut global, mut trim, mut trim_all, mut scope) = (false, false, false, Term::NIL);
    for option in vm.heap.elements_of_list(options).ok_or_else(badarg)? {
        match option.as_atom().map(|option| vm.atoms.name(option)) {
            Some("global") => global = true,
            Some("trim") => trim = true,
            Some("trim_all") => (trim, trim_all) = (true, true),
            Some(_) => return Err(badarg()),
            None => scope = vm.heap.list(&[option]),
        }
    }
    let found = find(vm, subject, patterns, scope, true)?;
    let mut found = vm.heap.elements_of_list(found).ok_or_else(badarg)?;
    if !global {
        found.truncate(1);
    }
    let whole = vm.heap.as_bits(subject).ok_or_else(badarg)?;
    let (mut parts, mut at) = (Vec::new(), 0);
    for pair in found {
        let [start, len] = vm.heap.tuple_of::<2>(pair).ok_or_else(badarg)?;
        let (Some(start), Some(len)) = (start.as_small(), len.as_small()) else {
            return Err(badarg());
        };
        parts.push((at, start as u64 - at));
        at = (start + len) as u64;
    }
    parts.push((at, whole.len / 8 - at));
    if trim_all {
        parts.retain(|(_, len)| *len > 0);
    }
    while trim && parts.last().is_some_and(|(_, len)| *len == 0) {
        parts.pop();
    }
    let parts: Vec<Term> = parts
        .into_iter()
        .map(|(at, len)| vm.heap.bits(Bits { start: whole.start + at * 8, len: len * 8 }))
        .collect();
    Ok(vm.heap.list(&parts))
}

/// How many bytes binaries have in common, at their beginning or at their end.
fn common(vm: &mut Vm, binaries: Term, from_end: bool) -> Out {
    let binaries = vm.heap.elements_of_list(binaries).ok_or_else(badarg)?;
    let all: Option<Vec<Vec<u8>>> = binaries.iter().map(|b| vm.heap.binary_bytes(*b)).collect();
    let mut all = all.filter(|all| !all.is_empty()).ok_or_else(badarg)?;
    if from_end {
        all.iter_mut().for_each(|bytes| bytes.reverse());
    }
    let first = &all[0];
    let same = |other: &Vec<u8>| first.iter().zip(other).take_while(|(a, b)| a == b).count();
    let len = all[1..].iter().map(same).min().unwrap_or(first.len());
    Ok(Term::int(len as i64))
}
