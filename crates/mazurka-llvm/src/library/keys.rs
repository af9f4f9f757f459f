//! What every thread has of its own: `pthread_key_create`.
//!
//! A key names an object with two words: the destructor, and whether the key was deleted. In a program
//! that deletes no key, the object is a constant, so that every thread can read it without a step.

use mazurka_core::model::{Action, Op};
use mazurka_core::verdict::ViolationKind;

use crate::bytecode::own_words::KEY_VALUES;
use crate::machine::thread::Probe;
use crate::machine::{Call, Run, Stop};
use crate::memory::address::{HEAPS, address, id_of, table_of};
use crate::memory::{CONSTANT, Fault, Spot};

/// How many keys a thread can have values for.
const MOST_KEYS: u64 = 64;
/// How many bits of a key say which object it is; the others say which thread has created it.
const KEY_BITS: u32 = 20;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("pthread_key_create", key_create),
    ("pthread_key_delete", |call| key_delete(call, "pthread_key_delete")),
    ("pthread_setspecific", |call| set_specific(call, "pthread_setspecific")),
    ("pthread_getspecific", |call| get_specific(call, "pthread_getspecific")),
    ("tss_create", key_create),
    ("tss_delete", |call| key_delete(call, "tss_delete")),
    ("tss_set", |call| set_specific(call, "tss_set")),
    ("tss_get", |call| get_specific(call, "tss_get")),
    ("__mazurka_end_thread", end_thread),
];

/// Returns whether the program calls a function that deletes keys.
fn deletes_keys(call: &Call<'_>) -> bool {
    let deletes = |name| matches!(name, "pthread_key_delete" | "tss_delete");
    call.machine.code.library.iter().any(|outside| deletes(outside.name))
}

fn key_create(call: &mut Call<'_>) -> Result<(), Stop> {
    let destructor = call.pointer(1);
    let object = match deletes_keys(call) {
        true => call.allocate_key(destructor),
        false => call.allocate_constant(destructor),
    };
    let thread = (table_of(object) - HEAPS) as u64;
    let key = thread << KEY_BITS | u64::from(id_of(object));
    call.write(call.pointer(0), 4, key)?;
    call.give_int(0);
    Ok(())
}

/// Returns the key that is the first argument.
fn key_of(call: &Call<'_>) -> u64 {
    call.int(0) & 0xFFFF_FFFF
}

/// Returns the address of the object that a key names.
fn object_of(key: u64) -> u64 {
    address(HEAPS + (key >> KEY_BITS) as usize, key as u32 & ((1 << KEY_BITS) - 1))
}

/// Returns where the destructor of a key is, which never changes; `None` if there is no such key.
fn find(call: &mut Call<'_>, key: u64) -> Option<Spot> {
    let object = object_of(key);
    let memory = &mut call.machine.memory;
    let found = match memory.find(call.thread, object, 8) {
        // Another thread has created the key. Every thread can use it.
        Err(Fault::Hidden) => {
            memory.publish(object);
            memory.find(call.thread, object, 8)
        }
        found => found,
    };
    // The first object of every thread is the library's own.
    found.ok().filter(|_| id_of(object) != 0)
}

/// Returns whether a key was deleted. Deletes it if `op` is an update.
fn access(call: &mut Call<'_>, key: u64, op: Op) -> Result<bool, Stop> {
    let object = object_of(key);
    if find(call, key).is_none_or(|spot| spot.flags & CONSTANT != 0) {
        return Ok(false);
    }
    let (spot, location) = call.object(object + 8, 8)?;
    let (action, probe) = (Action::new(op, location), Probe { byte: spot.byte, len: 8 });
    call.turn(action, probe)?;
    let before = call.machine.memory.read(spot.byte, 8);
    let after = if op == Op::Read { before } else { 1 };
    call.perform(action.performed(before, after), probe);
    if op != Op::Read {
        call.machine.write(call.thread, spot, 8, after);
    }
    Ok(before != 0)
}

/// Reports the use of a key that was deleted, or that never was one.
fn check_key(call: &mut Call<'_>, key: u64, function: &str, op: Op) -> Result<(), Stop> {
    let what = match find(call, key) {
        None => "never created",
        Some(_) if access(call, key, op)? => "deleted",
        Some(_) => return Ok(()),
    };
    let message = format!("`{function}` is called with a key that was {what}");
    Err(call.violation(ViolationKind::UndefinedBehaviour, message))
}

/// Deletes a key. From now on, its destructor does not run in any thread.
fn key_delete(call: &mut Call<'_>, name: &str) -> Result<(), Stop> {
    call.give_int(0);
    check_key(call, key_of(call), name, Op::Update)
}

/// The address of the thread's value for a key, if it has one.
fn value_of(call: &mut Call<'_>, key: u64) -> Result<Option<u64>, Stop> {
    let values = call.read(call.own_word(KEY_VALUES), 8)?;
    if values == 0 {
        return Ok(None);
    }
    for index in 0..MOST_KEYS {
        let entry = values + 16 * index;
        match call.read(entry, 8)? {
            0 => return Ok(None),
            known if known == key + 1 => return Ok(Some(entry + 8)),
            _ => {}
        }
    }
    Ok(None)
}

fn set_specific(call: &mut Call<'_>, name: &str) -> Result<(), Stop> {
    let (key, value) = (key_of(call), call.int(1));
    check_key(call, key, name, Op::Read)?;
    call.give_int(0);
    if let Some(place) = value_of(call, key)? {
        return call.write(place, 8, value);
    }
    let mut values = call.read(call.own_word(KEY_VALUES), 8)?;
    if values == 0 {
        values = new_values(call);
        call.write(call.own_word(KEY_VALUES), 8, values)?;
    }
    for index in 0..MOST_KEYS {
        let entry = values + 16 * index;
        if call.read(entry, 8)? == 0 {
            call.write(entry, 8, key + 1)?;
            return call.write(entry + 8, 8, value);
        }
    }
    let message = format!("a thread has values for more than {MOST_KEYS} keys: not supported");
    Err(call.violation(ViolationKind::InvalidMemory, message))
}

/// Allocates a table of values for keys.
pub(super) fn new_values(call: &mut Call<'_>) -> u64 {
    call.allocate_own(16 * MOST_KEYS)
}

fn get_specific(call: &mut Call<'_>, name: &str) -> Result<(), Stop> {
    let key = key_of(call);
    check_key(call, key, name, Op::Read)?;
    let value = match value_of(call, key)? {
        Some(place) => call.read(place, 8)?,
        None => 0,
    };
    call.give(value);
    Ok(())
}

/// The end of a thread: destroys its values for keys, one after the other, and leaves its robust mutexes.
fn end_thread(call: &mut Call<'_>) -> Result<(), Stop> {
    let values = call.read(call.own_word(KEY_VALUES), 8)?;
    if values == 0 {
        return Ok(());
    }
    for index in 0..MOST_KEYS {
        let entry = values + 16 * index;
        let key = match call.read(entry, 8)? {
            0 => break,
            key => key - 1,
        };
        let value = call.read(entry + 8, 8)?;
        let Some(spot) = find(call, key).filter(|_| value != 0) else { continue };
        let destructor = call.machine.memory.read(spot.byte, 8);
        if destructor != 0 && !access(call, key, Op::Read)? {
            call.write(entry + 8, 8, 0)?;
            return Err(Stop::Run(destructor, vec![value]));
        }
    }
    super::robust::abandon(call)
}
