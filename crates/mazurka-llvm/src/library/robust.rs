//! Robust mutexes: a thread that ends leaves the mutexes that it holds to the next thread that locks them.
//!
//! Four bytes of a mutex say whether it is [`CONSISTENT`], [`ABANDONED`] or [`LOST`]. Every thread has a
//! table of the robust mutexes that it holds.

use super::mutex::Mutex;
use crate::bytecode::own_words::{KEY_VALUES, ROBUST};
use crate::machine::{Call, Stop};

const EINVAL: i32 = 22;
const EOWNERDEAD: i32 = 130;
const ENOTRECOVERABLE: i32 = 131;

/// The bit in the type of a mutex that is robust.
pub(super) const IS_ROBUST: u64 = 16;
/// Where the state is in a mutex.
const STATE: usize = 20;
const CONSISTENT: u64 = 0;
/// A thread has ended that held it.
const ABANDONED: u64 = 1;
/// It was unlocked before it was made consistent, and cannot be locked any more.
const LOST: u64 = 2;

/// How many robust mutexes a thread can hold.
const MOST: u64 = 32;

/// Returns what locking a mutex returns once it was acquired.
pub(super) fn outcome(call: &Call<'_>, mutex: Mutex) -> i32 {
    match mutex.get(call, STATE, 4) {
        ABANDONED if mutex.is_robust(call) => EOWNERDEAD,
        LOST if mutex.is_robust(call) => ENOTRECOVERABLE,
        _ => 0,
    }
}

/// Returns whether a mutex cannot be locked any more.
pub(super) fn is_lost(call: &Call<'_>, mutex: Mutex) -> bool {
    mutex.is_robust(call) && mutex.get(call, STATE, 4) == LOST
}

/// Changes the first entry of the thread's table that has a value.
fn exchange(call: &mut Call<'_>, value: u64, new: u64) -> Result<bool, Stop> {
    let mut table = call.read(call.own_word(ROBUST), 8)?;
    if table == 0 {
        table = call.allocate_own(8 * MOST);
        call.write(call.own_word(ROBUST), 8, table)?;
        // The end of a thread is looked at more closely if the thread has a table of values for keys.
        if call.read(call.own_word(KEY_VALUES), 8)? == 0 {
            let values = super::keys::new_values(call);
            call.write(call.own_word(KEY_VALUES), 8, values)?;
        }
    }
    for entry in (0..MOST).map(|index| table + 8 * index) {
        if call.read(entry, 8)? == value {
            call.write(entry, 8, new)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes note that the thread holds a mutex.
pub(super) fn hold(call: &mut Call<'_>, mutex: Mutex) -> Result<(), Stop> {
    match !mutex.is_robust(call) || exchange(call, 0, mutex.address())? {
        true => Ok(()),
        false => {
            let message = format!("a thread holds more than {MOST} robust mutexes: not supported");
            Err(call.violation(mazurka_core::verdict::ViolationKind::Unsupported, message))
        }
    }
}

/// Takes note that the thread unlocks a mutex. If it is not consistent, no thread can lock it any more.
pub(super) fn leave(call: &mut Call<'_>, mutex: Mutex) -> Result<(), Stop> {
    if mutex.is_robust(call) {
        exchange(call, mutex.address(), 0)?;
        if mutex.get(call, STATE, 4) == ABANDONED {
            mutex.set(call, STATE, 4, LOST);
        }
    }
    Ok(())
}

/// `pthread_mutex_consistent`.
pub(super) fn make_consistent(call: &mut Call<'_>) -> Result<(), Stop> {
    let mutex = Mutex::at(call, call.pointer(0))?;
    let is_abandoned = mutex.is_robust(call) && mutex.get(call, STATE, 4) == ABANDONED;
    match is_abandoned && mutex.holder(call) == Some(call.thread) {
        true => {
            mutex.set(call, STATE, 4, CONSISTENT);
            call.give_int(0);
        }
        false => call.give_int(EINVAL),
    }
    Ok(())
}

/// Lets others lock the robust mutexes that a thread holds at its end, each in a step of its own.
pub(super) fn abandon(call: &mut Call<'_>) -> Result<(), Stop> {
    let table = call.read(call.own_word(ROBUST), 8)?;
    if table == 0 {
        return Ok(());
    }
    for entry in (0..MOST).map(|index| table + 8 * index) {
        let address = call.read(entry, 8)?;
        if address == 0 {
            continue;
        }
        let mutex = Mutex::at(call, address)?;
        call.turn(mutex.releases(), mutex.probe())?;
        mutex.set(call, STATE, 4, ABANDONED);
        mutex.set(call, 4, 4, 0);
        mutex.release(call);
        call.write(entry, 8, 0)?;
    }
    Ok(())
}
