//! Cancelling threads: `pthread_cancel` and cancellation points.
//!
//! Every thread has a word that says whether it is to be cancelled. It is memory of the program, if the
//! program calls `pthread_cancel`: to cancel a thread is a write, and a cancellation point reads it.
//!
//! A thread that blocks at a cancellation point waits for two things, but an action waits for one
//! location only. So the thread chooses at the start of the call. Either it waits for what the call
//! is about, and it was not cancelled before; or it waits to be cancelled. An execution in which
//! it waits for ever for one thing although the other one has happened is dropped: there is another
//! execution, in which it has chosen otherwise.

use mazurka_core::model::{Action, Op, When};
use mazurka_core::verdict::ViolationKind;

use super::jumps;
use super::threads::thread;
use crate::bytecode::own_words::{CANCEL_CHOICE, CANCEL_STATE, CANCEL_TYPE};
use crate::machine::thread::{Probe, Status};
use crate::machine::{Call, CancelChoice, Run, Stop};
use crate::memory::Spot;

const EINVAL: i32 = 22;
/// What a thread that was cancelled returns.
const CANCELED: u64 = u64::MAX;
const ASYNCHRONOUS: u64 = 1;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("pthread_cancel", cancel),
    ("pthread_setcancelstate", |call| exchange(call, CANCEL_STATE)),
    ("pthread_setcanceltype", |call| exchange(call, CANCEL_TYPE)),
    ("pthread_testcancel", test),
    ("pause", |call| cancellable(call, pause)),
    ("__mazurka_begin_blocking", choose),
    ("__mazurka_end_blocking", end),
];

/// Returns whether a library function cancels threads.
pub(crate) fn cancels(name: &str) -> bool {
    name == "pthread_cancel"
}

/// Waits for a signal that never comes.
fn pause(call: &mut Call<'_>) -> Result<(), Stop> {
    call.machine.threads[call.thread].state.status = Status::Waiting(call.own_word(CANCEL_CHOICE));
    Err(Stop::Wait)
}

/// Sets a word of the thread, and returns what it was.
fn exchange(call: &mut Call<'_>, word: u32) -> Result<(), Stop> {
    let new = call.int(0) & 0xFFFF_FFFF;
    if new > 1 {
        call.give_int(EINVAL);
        return Ok(());
    }
    let (word, target) = (call.own_word(word), call.pointer(1));
    let old = call.read(word, 8)?;
    if target != 0 {
        call.write(target, 4, old)?;
    }
    call.write(word, 8, new)?;
    call.give_int(0);
    Ok(())
}

/// The word that says whether a thread is to be cancelled, as an action and its probe.
fn request(call: &mut Call<'_>, thread: usize, op: Op) -> Result<Option<(Action, Probe)>, Stop> {
    let Some(address) = call.machine.cancel_word(thread) else { return Ok(None) };
    let (spot, location) = call.object(address, 8)?;
    Ok(Some((Action::new(op, location), Probe { byte: spot.byte, len: 8 })))
}

fn cancel(call: &mut Call<'_>) -> Result<(), Stop> {
    let other = thread(call, call.int(0))?;
    let Some((action, probe)) = request(call, other, Op::Update)? else { return Ok(()) };
    call.turn(action, probe)?;
    let own = call.machine.own_words(other) + 8 * u64::from(CANCEL_TYPE);
    let is_asynchronous = call.machine.memory.find(other, own, 8);
    if is_asynchronous.is_ok_and(|spot| call.machine.memory.read(spot.byte, 8) == ASYNCHRONOUS) {
        let message = "a thread is cancelled that can be cancelled at any moment \
                       (PTHREAD_CANCEL_ASYNCHRONOUS), which is not supported";
        return Err(call.violation(ViolationKind::Unsupported, message));
    }
    let before = call.machine.memory.read(probe.byte, 8);
    call.perform(action.performed(before, 1), probe);
    if let Some(address) = call.machine.cancel_word(other) {
        let (spot, _) = call.object(address, 8)?;
        call.machine.write(call.thread, spot, 8, 1);
    }
    call.give_int(0);
    Ok(())
}

/// Returns the place of the choice of the calling thread. No other thread knows it, so that to read or
/// to write it is no access of the program.
fn place_of_choice(call: &Call<'_>) -> Result<Spot, Stop> {
    let word = call.own_word(CANCEL_CHOICE);
    let found = call.machine.memory.find(call.thread, word, 8);
    found.map_err(|fault| call.fault(word, 8, fault))
}

fn choice(call: &Call<'_>) -> Result<u64, Stop> {
    let spot = place_of_choice(call)?;
    Ok(call.machine.memory.read(spot.byte, 8))
}

fn set_choice(call: &mut Call<'_>, choice: CancelChoice) -> Result<(), Stop> {
    let spot = place_of_choice(call)?;
    if call.machine.memory.read(spot.byte, 8) != choice as u64 {
        call.machine.write(call.thread, spot, 8, choice as u64);
    }
    Ok(())
}

/// Returns whether the calling thread can be cancelled.
fn is_enabled(call: &mut Call<'_>) -> Result<bool, Stop> {
    if call.machine.cancel_word(call.thread).is_none() || call.is_in_atomic_section() {
        return Ok(false);
    }
    Ok(call.read(call.own_word(CANCEL_STATE), 8)? == 0)
}

/// Ends the calling thread. Its handlers cannot be cancelled again.
pub(super) fn act(call: &mut Call<'_>) -> Result<(), Stop> {
    set_choice(call, CancelChoice::None)?;
    call.write(call.own_word(CANCEL_STATE), 8, 1)?;
    call.set_phase(0);
    jumps::end(call, CANCELED)
}

/// A cancellation point that does not block.
fn test(call: &mut Call<'_>) -> Result<(), Stop> {
    if !is_enabled(call)? {
        return Ok(());
    }
    let Some((action, probe)) = request(call, call.thread, Op::Read)? else { return Ok(()) };
    call.turn(action, probe)?;
    let value = call.machine.memory.read(probe.byte, 8);
    call.perform(action.performed(value, value), probe);
    match value {
        0 => Ok(()),
        _ => act(call),
    }
}

/// Waits until the call can begin, at a cancellation point that blocks, or until the thread is
/// cancelled there.
fn choose(call: &mut Call<'_>) -> Result<(), Stop> {
    if decide(call)? {
        return Ok(());
    }
    wait_for_request(call)?;
    act(call)
}

/// The call is over.
pub(super) fn end(call: &mut Call<'_>) -> Result<(), Stop> {
    if call.machine.cancel_word(call.thread).is_none() {
        return Ok(());
    }
    set_choice(call, CancelChoice::None)
}

/// Chooses what a thread waits for at a cancellation point that blocks. Returns whether it waits for
/// what the call is about, and not to be cancelled.
pub(super) fn decide(call: &mut Call<'_>) -> Result<bool, Stop> {
    if !is_enabled(call)? {
        return Ok(true);
    }
    match choice(call)? {
        chosen if chosen == CancelChoice::None as u64 => {
            let chosen = match call.choose(2)? {
                0 => CancelChoice::Looks,
                _ => CancelChoice::IsCancelled,
            };
            set_choice(call, chosen)?;
            Err(Stop::Again)
        }
        chosen if chosen == CancelChoice::Looks as u64 => {
            let Some((action, probe)) = request(call, call.thread, Op::Read)? else {
                return Ok(true);
            };
            let action = action.when(When::Equals(0)).waiting();
            call.turn(action, probe)?;
            call.perform(action.performed(0, 0), probe);
            set_choice(call, CancelChoice::Waits)?;
            Err(Stop::Again)
        }
        chosen => Ok(chosen == CancelChoice::Waits as u64),
    }
}

/// Waits to be cancelled.
pub(super) fn wait_for_request(call: &mut Call<'_>) -> Result<(), Stop> {
    let Some((action, probe)) = request(call, call.thread, Op::Read)? else { return Ok(()) };
    let action = action.when(When::Differs(0)).waiting();
    call.turn(action, probe)?;
    let value = call.machine.memory.read(probe.byte, 8);
    call.perform(action.performed(value, value), probe);
    Ok(())
}

/// Runs a library function that is a cancellation point and may block.
pub(super) fn cancellable(call: &mut Call<'_>, run: Run) -> Result<(), Stop> {
    if call.machine.cancel_word(call.thread).is_none() {
        return run(call);
    }
    if call.phase() == 0 {
        choose(call)?;
    }
    run(call)?;
    end(call)
}

/// Runs a library function that is a cancellation point and does not block.
pub(super) fn point(call: &mut Call<'_>, run: Run) -> Result<(), Stop> {
    const TESTED: u64 = 1 << 63;
    if call.phase() == 0 && is_enabled(call)? {
        test(call)?;
        call.set_phase(TESTED);
        return Err(Stop::Again);
    }
    run(call)
}
