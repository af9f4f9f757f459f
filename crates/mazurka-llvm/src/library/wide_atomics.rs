//! Atomic operations on objects of any size, which clang leaves to a library: `__atomic_load` and its kin.

use mazurka_core::model::{Action, Op};

use crate::machine::thread::Probe;
use crate::machine::{Call, Run, Stop, folded};

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("__atomic_load", load),
    ("__atomic_store", store),
    ("__atomic_exchange", exchange),
    ("__atomic_compare_exchange", compare_exchange),
    ("__atomic_is_lock_free", is_lock_free),
];

/// Returns what stands for a value in an action.
fn stands_for(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0, |so_far, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        folded(so_far, u64::from_le_bytes(word))
    })
}

/// Performs one action on an object: `change` gets its value, and returns the new one if there is one.
fn access(
    call: &mut Call<'_>,
    size: u64,
    address: u64,
    op: Op,
    change: impl FnOnce(&[u8]) -> Option<Vec<u8>>,
) -> Result<Vec<u8>, Stop> {
    let len = size as u32;
    let spot = call.find(address, len)?;
    let probe = Probe { byte: spot.byte, len: len.clamp(1, 8) };
    if spot.is_visible() {
        call.turn(Action::new(op, spot.location(len)), probe)?;
    }
    let mut before = vec![0; size as usize];
    call.machine.memory.read_bytes(spot, &mut before);
    let after = change(&before);
    if spot.is_visible() {
        let new = after.as_deref().unwrap_or(&before);
        let (old, new) = (stands_for(&before), stands_for(new));
        call.perform(Action::new(op, spot.location(len)).performed(old, new), probe);
    }
    if let Some(after) = after {
        call.machine.threads[call.thread].watch.progress();
        call.machine.memory.write_bytes(spot, &after);
    }
    Ok(before)
}

fn value_at(call: &mut Call<'_>, address: u64, size: u64) -> Result<Vec<u8>, Stop> {
    let mut bytes = vec![0; size as usize];
    call.read_bytes(address, &mut bytes)?;
    Ok(bytes)
}

/// `void __atomic_load(size_t size, void *from, void *to, int order)`
fn load(call: &mut Call<'_>) -> Result<(), Stop> {
    let value = access(call, call.int(0), call.pointer(1), Op::Read, |_| None)?;
    call.write_bytes(call.pointer(2), &value)
}

/// `void __atomic_store(size_t size, void *to, void *from, int order)`
fn store(call: &mut Call<'_>) -> Result<(), Stop> {
    let value = value_at(call, call.pointer(2), call.int(0))?;
    access(call, call.int(0), call.pointer(1), Op::Write, |_| Some(value))?;
    Ok(())
}

/// `void __atomic_exchange(size_t size, void *at, void *new, void *old, int order)`
fn exchange(call: &mut Call<'_>) -> Result<(), Stop> {
    let value = value_at(call, call.pointer(2), call.int(0))?;
    let before = access(call, call.int(0), call.pointer(1), Op::Update, |_| Some(value))?;
    call.write_bytes(call.pointer(3), &before)
}

/// `bool __atomic_compare_exchange(size_t size, void *at, void *expected, void *new, int, int)`
fn compare_exchange(call: &mut Call<'_>) -> Result<(), Stop> {
    let size = call.int(0);
    let expected = value_at(call, call.pointer(2), size)?;
    let new = value_at(call, call.pointer(3), size)?;
    let change = |now: &[u8]| (now == expected).then_some(new);
    let before = access(call, size, call.pointer(1), Op::Update, change)?;
    let same = before == expected;
    if !same {
        call.write_bytes(call.pointer(2), &before)?;
    }
    call.give(u64::from(same));
    Ok(())
}

fn is_lock_free(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give(u64::from(matches!(call.int(0), 1 | 2 | 4 | 8 | 16)));
    Ok(())
}
