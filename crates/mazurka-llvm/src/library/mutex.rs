//! Mutexes.
//!
//! The state of a mutex is in the program's own memory, where a static initialiser has put zeros:
//!
//! | bytes | |
//! |---|---|
//! | 0 … 3 | 1 if it is held: what the explorers see |
//! | 4 … 7 | how often a recursive one is held besides |
//! | 8 … 15 | who holds it, counted from 1 |
//! | 16 … 19 | its type, as the C library's initialisers put it |
//! | 20 … 23 | the state of a robust one, see `robust.rs` |
//! | 24 … 31 | whether it was initialised or destroyed |

use mazurka_core::model::{Action, Machine as _, Op, When};
use mazurka_core::verdict::ViolationKind;

use super::life::Life;
use super::robust::{self, IS_ROBUST};
use super::time::{Deadline, wait_ended};
use crate::machine::thread::Probe;
use crate::machine::{Call, Run, Stop};
use crate::memory::Spot;

const EPERM: i32 = 1;
const EBUSY: i32 = 16;
const EDEADLK: i32 = 35;
const ETIMEDOUT: i32 = 110;
const C11_BUSY: i32 = 1;
const C11_ERROR: i32 = 2;
const C11_TIMEDOUT: i32 = 4;

const NORMAL: u64 = 0;
const RECURSIVE: u64 = 1;
const ERROR_CHECK: u64 = 2;

/// The size of a `pthread_mutex_t`.
const SIZE: u32 = 40;
/// Where the word of its [`Life`] is.
const LIFE: usize = 24;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("pthread_mutex_init", init),
    ("pthread_mutex_destroy", destroy),
    ("pthread_mutex_lock", |call| lock(call, EDEADLK)),
    ("pthread_mutex_trylock", |call| try_lock(call, EBUSY)),
    ("pthread_mutex_timedlock", |call| timed_lock(call, ETIMEDOUT, Deadline::calendar(call, 1))),
    ("pthread_mutex_clocklock", |call| {
        let deadline = Deadline::At(call.pointer(2), call.int(1) & 0xFFFF_FFFF);
        timed_lock(call, ETIMEDOUT, deadline)
    }),
    ("pthread_mutex_unlock", unlock),
    ("pthread_mutex_consistent", robust::make_consistent),
    ("pthread_mutex_consistent_np", robust::make_consistent),
    ("pthread_mutexattr_init", |call| {
        call.write(call.pointer(0), 4, NORMAL)?;
        call.give_int(0);
        Ok(())
    }),
    ("pthread_mutexattr_settype", |call| set_attribute(call, 3, call.int(1) & 3)),
    ("pthread_mutexattr_destroy", nothing),
    ("pthread_mutexattr_setpshared", nothing),
    ("pthread_mutexattr_setprotocol", nothing),
    ("pthread_mutexattr_setrobust", |call| {
        let is_robust = call.int(1) & 1 != 0;
        set_attribute(call, IS_ROBUST, if is_robust { IS_ROBUST } else { 0 })
    }),
    ("mtx_init", c11_init),
    ("mtx_destroy", destroy),
    ("mtx_lock", |call| lock(call, C11_ERROR)),
    ("mtx_trylock", |call| try_lock(call, C11_BUSY)),
    ("mtx_timedlock", |call| timed_lock(call, C11_TIMEDOUT, Deadline::calendar(call, 1))),
    ("mtx_unlock", unlock),
];

fn nothing(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give_int(0);
    Ok(())
}

/// A mutex that a call is about.
#[derive(Clone, Copy)]
pub(super) struct Mutex {
    address: u64,
    spot: Spot,
}

impl Mutex {
    pub(super) fn at(call: &mut Call<'_>, address: u64) -> Result<Self, Stop> {
        let (spot, _) = call.object(address, SIZE)?;
        Ok(Mutex { address, spot })
    }

    fn life(self) -> Life {
        Life::new("mutex", self.address, self.spot, LIFE)
    }

    pub(super) fn probe(self) -> Probe {
        Probe { byte: self.spot.byte, len: 4 }
    }

    fn action(self, op: Op) -> Action {
        Action::new(op, self.spot.location(SIZE))
    }

    pub(super) fn get(self, call: &Call<'_>, offset: usize, len: u32) -> u64 {
        call.machine.memory.read(self.spot.byte + offset, len)
    }

    pub(super) fn set(self, call: &mut Call<'_>, offset: usize, len: u32, value: u64) {
        let spot = Spot { byte: self.spot.byte + offset, ..self.spot };
        call.machine.write(call.thread, spot, len, value);
    }

    pub(super) fn holder(self, call: &Call<'_>) -> Option<usize> {
        (self.get(call, 8, 8) as usize).checked_sub(1)
    }

    fn kind(self, call: &Call<'_>) -> u64 {
        self.get(call, 16, 4)
    }

    pub(super) fn is_robust(self, call: &Call<'_>) -> bool {
        self.kind(call) & IS_ROBUST != 0
    }

    pub(super) fn address(self) -> u64 {
        self.address
    }

    /// Returns the value of a mutex that the calling thread takes.
    ///
    /// Under a memory model, a release that fails may see the mutex as it was before a step that waits for a
    /// condition has released it. Then only the value tells who held it.
    fn taken(call: &Call<'_>) -> u64 {
        match call.machine.has_memory_orderings() {
            true => call.thread as u64 + 1,
            false => 1,
        }
    }

    /// Returns the thread that holds it in what the current step sees of memory.
    fn seen_holder(self, call: &Call<'_>) -> Option<usize> {
        match call.machine.has_memory_orderings() {
            true => (self.get(call, 0, 4) as usize).checked_sub(1),
            false => self.holder(call),
        }
    }

    fn take(self, call: &mut Call<'_>) -> Result<(), Stop> {
        self.set(call, 0, 4, Mutex::taken(call));
        self.set(call, 8, 8, call.thread as u64 + 1);
        robust::hold(call, self)
    }

    /// Returns the violation of using a destroyed mutex, if it is one. Then this action fails.
    fn check(self, call: &mut Call<'_>, verb: &str, action: Action) -> Result<(), Stop> {
        let checked = self.life().check(call, verb);
        if checked.is_err() {
            call.perform_failed(action, self.probe());
        }
        checked
    }

    /// What acquiring it is, waiting for it or not.
    fn acquires(self, waits: bool) -> Action {
        let action = self.action(Op::Update).when(When::Equals(0)).merely_locking();
        if waits { action.waiting() } else { action }
    }

    /// Waits for it and takes it.
    pub(super) fn lock(self, call: &mut Call<'_>) -> Result<(), Stop> {
        let action = self.acquires(true);
        call.turn(action, self.probe())?;
        self.check(call, "locked", action)?;
        if robust::is_lost(call, self) {
            call.perform(action.performed(0, 0), self.probe());
            return Ok(());
        }
        call.perform(action.performed(0, Mutex::taken(call)), self.probe());
        self.take(call)
    }

    /// Takes it if it is free; whether it was.
    fn try_lock(self, call: &mut Call<'_>) -> Result<bool, Stop> {
        let action = self.acquires(false);
        call.turn(action, self.probe())?;
        self.check(call, "locked", action)?;
        let held = self.get(call, 0, 4);
        let op = action.op_at(held);
        if held == 0 && robust::is_lost(call, self) {
            call.perform(action.performed(0, 0), self.probe());
            return Ok(true);
        }
        let after = if held == 0 { Mutex::taken(call) } else { held };
        call.perform(Action { op, ..action }.performed(held, after), self.probe());
        if held == 0 {
            self.take(call)?;
        }
        Ok(held == 0)
    }

    /// The thread holds it, and may lock it once more.
    fn lock_again(self, call: &mut Call<'_>) -> Result<(), Stop> {
        let count = self.get(call, 4, 4);
        self.set(call, 4, 4, count + 1);
        Ok(())
    }

    /// Waits until no thread holds it.
    pub(super) fn wait(self, call: &mut Call<'_>) -> Result<(), Stop> {
        let action = self.action(Op::Read).when(When::Equals(0)).waiting();
        call.turn(action, self.probe())?;
        self.check(call, "locked", action)?;
        call.perform(action.performed(0, 0), self.probe());
        Ok(())
    }

    /// Returns the violation of releasing it, unless the calling thread holds it. The caller
    /// performs the action that fails.
    pub(super) fn check_holder(self, call: &Call<'_>) -> Result<(), Stop> {
        self.life().check(call, "unlocked")?;
        if self.holder(call) == Some(call.thread) {
            return Ok(());
        }
        let message = match self.seen_holder(call) {
            Some(holder) => {
                let holder = call.machine.thread_name(holder);
                format!("a mutex is unlocked that is held by {holder}")
            }
            None => "a mutex is unlocked that is not held".to_owned(),
        };
        Err(call.violation(ViolationKind::LockMisuse, message))
    }

    /// Reports that releasing it fails.
    pub(super) fn fail_to_release(self, call: &mut Call<'_>) {
        call.perform_failed(self.releases(), self.probe());
    }

    /// What releasing it is.
    pub(super) fn releases(self) -> Action {
        self.action(Op::Write)
    }

    /// Releases it as a part of a step.
    pub(super) fn release(self, call: &mut Call<'_>) {
        call.perform(self.releases().performed(self.get(call, 0, 4), 0), self.probe());
        self.set(call, 0, 4, 0);
        self.set(call, 8, 8, 0);
    }
}

fn init(call: &mut Call<'_>) -> Result<(), Stop> {
    let attributes = call.pointer(1);
    let kind = if attributes == 0 { NORMAL } else { call.read(attributes, 4)? };
    set_up(call, kind)
}

fn c11_init(call: &mut Call<'_>) -> Result<(), Stop> {
    set_up(call, if call.int(1) & 1 != 0 { RECURSIVE } else { NORMAL })
}

fn set_up(call: &mut Call<'_>, kind: u64) -> Result<(), Stop> {
    let address = call.pointer(0);
    let mutex = Mutex::at(call, address)?;
    let action = mutex.action(Op::Update);
    call.turn(action, mutex.probe())?;
    let before = mutex.get(call, 0, 4);
    call.perform(action.performed(before, 0), mutex.probe());
    mutex.life().begin(call)?;
    for offset in [0, 8, 16] {
        mutex.set(call, offset, 8, 0);
    }
    mutex.set(call, 16, 4, kind);
    call.give_int(0);
    Ok(())
}

fn destroy(call: &mut Call<'_>) -> Result<(), Stop> {
    let address = call.pointer(0);
    let mutex = Mutex::at(call, address)?;
    // It must be known whether a thread holds it.
    let action = mutex.action(Op::Update);
    call.turn(action, mutex.probe())?;
    let held = mutex.get(call, 0, 4);
    call.perform(action.performed(held, held), mutex.probe());
    mutex.life().end(call)?;
    if held != 0 {
        let message = "a mutex is destroyed that is held";
        return Err(call.violation(ViolationKind::LockMisuse, message));
    }
    call.give_int(0);
    Ok(())
}

fn lock(call: &mut Call<'_>, deadlock: i32) -> Result<(), Stop> {
    let address = call.pointer(0);
    let mutex = Mutex::at(call, address)?;
    if mutex.holder(call) == Some(call.thread) && mutex.kind(call) & 3 == ERROR_CHECK {
        call.give_int(deadlock);
        return Ok(());
    }
    lock_at(call, address)?;
    call.give_int(robust::outcome(call, mutex));
    Ok(())
}

fn try_lock(call: &mut Call<'_>, busy: i32) -> Result<(), Stop> {
    let mutex = Mutex::at(call, call.pointer(0))?;
    let locked = try_lock_at(call, call.pointer(0))?;
    call.give_int(if locked { robust::outcome(call, mutex) } else { busy });
    Ok(())
}

/// Locks a mutex, or times out if it is held.
fn timed_lock(call: &mut Call<'_>, timed_out: i32, deadline: Deadline) -> Result<(), Stop> {
    let mutex = Mutex::at(call, call.pointer(0))?;
    let locked = try_lock_at(call, call.pointer(0))?;
    wait_ended(call, !locked, deadline)?;
    call.give_int(if locked { robust::outcome(call, mutex) } else { timed_out });
    Ok(())
}

/// Unlocks a mutex. One that checks for errors, or is recursive, refuses to be unlocked by a thread
/// that does not hold it; with any other, that is a mistake of the program.
fn unlock(call: &mut Call<'_>) -> Result<(), Stop> {
    let address = call.pointer(0);
    let mutex = Mutex::at(call, address)?;
    let refuses = matches!(mutex.kind(call) & 3, RECURSIVE | ERROR_CHECK) || mutex.is_robust(call);
    if refuses && mutex.holder(call) != Some(call.thread) {
        let action = mutex.action(Op::Read);
        call.turn(action, mutex.probe())?;
        mutex.check(call, "unlocked", action)?;
        let held = mutex.get(call, 0, 4);
        call.perform(action.performed(held, held), mutex.probe());
        call.give_int(EPERM);
        return Ok(());
    }
    let_go(call, address)?;
    call.give_int(0);
    Ok(())
}

/// Locks the mutex at an address.
pub(super) fn lock_at(call: &mut Call<'_>, address: u64) -> Result<(), Stop> {
    let mutex = Mutex::at(call, address)?;
    // Whether the thread holds it itself depends on no other thread.
    if mutex.holder(call) == Some(call.thread) && mutex.kind(call) & 3 == RECURSIVE {
        return mutex.lock_again(call);
    }
    mutex.lock(call)
}

/// Locks the mutex at an address if it is free; whether it was.
pub(super) fn try_lock_at(call: &mut Call<'_>, address: u64) -> Result<bool, Stop> {
    let mutex = Mutex::at(call, address)?;
    if mutex.holder(call) == Some(call.thread) && mutex.kind(call) & 3 == RECURSIVE {
        return mutex.lock_again(call).map(|()| true);
    }
    mutex.try_lock(call)
}

/// Unlocks the mutex at an address.
pub(super) fn let_go(call: &mut Call<'_>, address: u64) -> Result<(), Stop> {
    let mutex = Mutex::at(call, address)?;
    if mutex.holder(call) == Some(call.thread) {
        let count = mutex.get(call, 4, 4);
        if count > 0 {
            mutex.set(call, 4, 4, count - 1);
            return Ok(());
        }
    }
    call.turn(mutex.releases(), mutex.probe())?;
    if let Err(stop) = mutex.check_holder(call) {
        mutex.fail_to_release(call);
        return Err(stop);
    }
    robust::leave(call, mutex)?;
    mutex.release(call);
    Ok(())
}

/// Sets some of the bits of an attribute.
fn set_attribute(call: &mut Call<'_>, bits: u64, value: u64) -> Result<(), Stop> {
    let before = call.read(call.pointer(0), 4)?;
    call.write(call.pointer(0), 4, before & !bits | value)?;
    call.give_int(0);
    Ok(())
}
