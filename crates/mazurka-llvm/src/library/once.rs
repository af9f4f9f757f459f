//! What is done once, and what every thread has of its own: `pthread_once`, `pthread_key_create`.

use mazurka_core::model::{Action, Op, When};
use mazurka_core::verdict::ViolationKind;

use crate::bytecode::own_words::KEY_VALUES;
use crate::machine::thread::Probe;
use crate::machine::{Call, Run, Stop};
use crate::memory::address::{HEAPS, address, id_of, table_of};

const RUNNING: u64 = 1;
const DONE: u64 = 2;
/// The phase of `pthread_once` in which the function runs; behind it, what the function has thrown.
const CALLED: u64 = 1;
/// The size of a `pthread_once_t`.
const SIZE: u32 = 4;

/// How many keys a thread can have values for.
const MOST_KEYS: u64 = 64;
/// How many bits of a key say which object it is; the others say which thread has created it.
const KEY_BITS: u32 = 20;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("pthread_once", once),
    ("call_once", once),
    ("pthread_key_create", key_create),
    ("pthread_key_delete", key_delete),
    ("pthread_setspecific", set_specific),
    ("pthread_getspecific", get_specific),
    ("tss_create", key_create),
    ("tss_delete", key_delete),
    ("tss_set", set_specific),
    ("tss_get", get_specific),
    ("__mazurka_end_thread", end_thread),
];

fn once(call: &mut Call<'_>) -> Result<(), Stop> {
    let at = call.pointer(0);
    let (spot, on) = call.object(at, SIZE)?;
    let probe = Probe { byte: spot.byte, len: SIZE };
    if call.phase() != 0 {
        // The function has returned, or an exception has left it: then others may try.
        let thrown = Some(call.phase()).filter(|phase| *phase != CALLED);
        let after = if thrown.is_some() { 0 } else { DONE };
        let action = Action::new(Op::Write, on);
        call.turn(action, probe)?;
        call.perform(action.performed(RUNNING, after), probe);
        call.machine.write(call.thread, spot, SIZE, after);
        call.give_int(0);
        return match thrown {
            Some(thrown) => Err(Stop::Throw(call.machine.thrown(call.thread, thrown))),
            None => Ok(()),
        };
    }
    // While somebody else runs the function, wait for its end.
    let action = Action::new(Op::Update, on).when(When::Differs(RUNNING)).waiting();
    call.turn(action, probe)?;
    let before = call.machine.memory.read(spot.byte, SIZE);
    if before == DONE {
        call.perform(Action { op: Op::Read, ..action }.performed(DONE, DONE), probe);
        call.give_int(0);
        return Ok(());
    }
    call.perform(action.performed(before, RUNNING), probe);
    call.machine.write(call.thread, spot, SIZE, RUNNING);
    call.set_phase(CALLED);
    Err(Stop::Run(call.pointer(1), Vec::new()))
}

/// A key names an object that holds its destructor, and that nobody can change.
fn key_create(call: &mut Call<'_>) -> Result<(), Stop> {
    let object = call.allocate_constant(call.pointer(1));
    let thread = (table_of(object) - HEAPS) as u64;
    let key = thread << KEY_BITS | u64::from(id_of(object));
    call.write(call.pointer(0), 4, key)?;
    call.give_int(0);
    Ok(())
}

/// Deletes a key. The destructor does not run for the value that this thread has.
fn key_delete(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give_int(0);
    match value_of(call, call.int(0) & 0xFFFF_FFFF)? {
        Some(place) => call.write(place, 8, 0),
        None => Ok(()),
    }
}

fn destructor(call: &mut Call<'_>, key: u64) -> Result<u64, Stop> {
    let thread = (key >> KEY_BITS) as usize;
    let object = address(HEAPS + thread, key as u32 & ((1 << KEY_BITS) - 1));
    call.read(object, 8)
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

fn set_specific(call: &mut Call<'_>) -> Result<(), Stop> {
    let (key, value) = (call.int(0) & 0xFFFF_FFFF, call.int(1));
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

fn get_specific(call: &mut Call<'_>) -> Result<(), Stop> {
    let value = match value_of(call, call.int(0) & 0xFFFF_FFFF)? {
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
        let destructor = destructor(call, key)?;
        if value != 0 && destructor != 0 {
            call.write(entry + 8, 8, 0)?;
            return Err(Stop::Run(destructor, vec![value]));
        }
    }
    super::robust::abandon(call)
}
