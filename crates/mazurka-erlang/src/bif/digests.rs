//! Digests of data.

use crate::term::Term;
use crate::vm::natives::Entry;
use crate::vm::{Out, Vm, badarg};

pub(super) const ERLANG: &[Entry] = &[
    ("md5", 1, |vm, a| {
        let bytes = vm.bytes_in(a[0])?;
        Ok(vm.heap.binary(&md5(&bytes)))
    }),
    // What is to be digested is kept until the end.
    ("md5_init", 0, |vm, _| Ok(vm.heap.binary(&[]))),
    ("md5_update", 2, |vm, a| {
        let mut bytes = vm.heap.binary_bytes(a[0]).ok_or_else(badarg)?;
        bytes.extend(vm.bytes_in(a[1])?);
        Ok(vm.heap.binary(&bytes))
    }),
    ("md5_final", 1, |vm, a| {
        let bytes = vm.heap.binary_bytes(a[0]).ok_or_else(badarg)?;
        Ok(vm.heap.binary(&md5(&bytes)))
    }),
    ("crc32", 1, |vm, a| crc32(vm, 0, a[0])),
    ("crc32", 2, |vm, a| {
        let before = a[0].as_small().and_then(|n| u32::try_from(n).ok()).ok_or_else(badarg)?;
        crc32(vm, before, a[1])
    }),
    ("adler32", 1, |vm, a| adler32(vm, 1, a[0])),
    ("adler32", 2, |vm, a| {
        let before = a[0].as_small().and_then(|n| u32::try_from(n).ok()).ok_or_else(badarg)?;
        adler32(vm, before, a[1])
    }),
];

fn crc32(vm: &mut Vm, before: u32, data: Term) -> Out {
    let mut crc = !before;
    for byte in vm.bytes_in(data)? {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    Ok(Term::int((!crc).into()))
}

fn adler32(vm: &mut Vm, before: u32, data: Term) -> Out {
    let (mut a, mut b) = (before & 0xffff, before >> 16);
    for byte in vm.bytes_in(data)? {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    Ok(Term::int((b << 16 | a).into()))
}

/// The digest of RFC 1321.
pub(super) fn md5(message: &[u8]) -> [u8; 16] {
    const SHIFTS: [[u32; 4]; 4] =
        [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    if padded.len() - message.len() < 9 {
        padded.resize(padded.len() + 64, 0);
    }
    let end = padded.len() - 8;
    padded[end..].copy_from_slice(&(message.len() as u64 * 8).to_le_bytes());
    let mut state = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in padded.chunks_exact(64) {
        let word = |i: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| block[i * 4 + byte]));
        let [mut a, mut b, mut c, mut d] = state;
        for i in 0..64 {
            let (mixed, place) = match i / 16 {
                0 => (b & c | !b & d, i),
                1 => (d & b | !d & c, (5 * i + 1) % 16),
                2 => (b ^ c ^ d, (3 * i + 5) % 16),
                _ => (c ^ (b | !d), 7 * i % 16),
            };
            let sine = (((i + 1) as f64).sin().abs() * 4_294_967_296.0) as u32;
            let sum = a.wrapping_add(mixed).wrapping_add(sine).wrapping_add(word(place));
            let turned = sum.rotate_left(SHIFTS[i / 16][i % 4]);
            (a, d, c, b) = (d, c, b, b.wrapping_add(turned));
        }
        for (total, part) in state.iter_mut().zip([a, b, c, d]) {
            *total = total.wrapping_add(part);
        }
    }
    let mut digest = [0; 16];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    digest
}
