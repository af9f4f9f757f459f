//! `crypto`: digests, and random bytes that are the same in every execution.

use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

use super::digests::md5;
use crate::term::Term;
use crate::vm::natives::Entry;
use crate::vm::{Vm, badarg};

pub(super) const CRYPTO: &[Entry] = &[
    ("hash", 2, |vm, a| {
        let bytes = vm.bytes_in(a[1])?;
        let digest = digest(vm, a[0], &bytes).ok_or_else(badarg)?;
        Ok(vm.heap.binary(&digest))
    }),
    // What is to be digested is kept until the end.
    ("hash_init", 1, |vm, a| {
        digest(vm, a[0], &[]).ok_or_else(badarg)?;
        let empty = vm.heap.binary(&[]);
        Ok(vm.heap.tuple(&[a[0], empty]))
    }),
    ("hash_update", 2, |vm, a| {
        let [kind, before] = vm.heap.tuple_of::<2>(a[0]).ok_or_else(badarg)?;
        let mut bytes = vm.heap.binary_bytes(before).ok_or_else(badarg)?;
        bytes.extend(vm.bytes_in(a[1])?);
        let bytes = vm.heap.binary(&bytes);
        Ok(vm.heap.tuple(&[kind, bytes]))
    }),
    ("hash_final", 1, |vm, a| {
        let [kind, bytes] = vm.heap.tuple_of::<2>(a[0]).ok_or_else(badarg)?;
        let bytes = vm.heap.binary_bytes(bytes).ok_or_else(badarg)?;
        let digest = digest(vm, kind, &bytes).ok_or_else(badarg)?;
        Ok(vm.heap.binary(&digest))
    }),
    ("mac", 4, |vm, a| {
        if !a[0].is_atom(vm.atoms.intern("hmac")) {
            let call = format!("crypto:mac({}, ...)", vm.show(a[0], 40));
            return Err(vm.refuse_call(&call));
        }
        let (key, bytes) = (vm.bytes_in(a[2])?, vm.bytes_in(a[3])?);
        let mac = mac(vm, a[1], &key, &bytes).ok_or_else(badarg)?;
        Ok(vm.heap.binary(&mac))
    }),
    ("strong_rand_bytes", 1, |vm, a| {
        let count = a[0].as_small().and_then(|n| usize::try_from(n).ok()).ok_or_else(badarg)?;
        let bytes = random_bytes(vm, count);
        Ok(vm.heap.binary(&bytes))
    }),
];

fn digest(vm: &Vm, kind: Term, bytes: &[u8]) -> Option<Vec<u8>> {
    Some(match vm.atoms.name(kind.as_atom()?) {
        "md5" => md5(bytes).to_vec(),
        "sha" => Sha1::digest(bytes).to_vec(),
        "sha224" => Sha224::digest(bytes).to_vec(),
        "sha256" => Sha256::digest(bytes).to_vec(),
        "sha384" => Sha384::digest(bytes).to_vec(),
        "sha512" => Sha512::digest(bytes).to_vec(),
        _ => return None,
    })
}

fn mac(vm: &Vm, kind: Term, key: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    macro_rules! hmac {
        ($digest:ty) => {{
            let mut mac = Hmac::<$digest>::new_from_slice(key).ok()?;
            mac.update(bytes);
            Some(mac.finalize().into_bytes().to_vec())
        }};
    }
    match vm.atoms.name(kind.as_atom()?) {
        "sha" => hmac!(Sha1),
        "sha224" => hmac!(Sha224),
        "sha256" => hmac!(Sha256),
        "sha384" => hmac!(Sha384),
        "sha512" => hmac!(Sha512),
        _ => None,
    }
}

/// Returns bytes that depend only on the process and on how many references it has made.
fn random_bytes(vm: &mut Vm, count: usize) -> Vec<u8> {
    vm.make_ref();
    let seed = [vm.heap.lineage.digest(vm.current), vm.me().references.into()];
    let seed: Vec<u8> = seed.iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
    let blocks = (0u64..).flat_map(|block| {
        Sha256::new().chain_update(&seed).chain_update(block.to_le_bytes()).finalize()
    });
    blocks.take(count).collect()
}
