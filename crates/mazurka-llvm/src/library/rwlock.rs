//! Locks for many readers or one writer.
//!
//! | bytes | |
//! |---|---|
//! | 0 … 7 | how many readers have it, or [`WRITER`]: what the explorers see |
//! | 8 … 15 | which writer has it, counted from 1 |
//! | 24 … 31 | whether it was initialised or destroyed |

use mazurka_core::model::{Action, Machine as _, Op, When};
use mazurka_core::verdict::ViolationKind;

use super::life::Life;
use super::own_table;
use super::time::{Deadline, wait_ended};
use crate::bytecode::own_words::READ_LOCKS;
use crate::machine::thread::Probe;
use crate::machine::{Call, Run, Stop};
use crate::memory::Spot;

const EBUSY: i32 = 16;
const ETIMEDOUT: i32 = 110;
const WRITER: u64 = u64::MAX;
/// The size of a `pthread_rwlock_t`.
const SIZE: u32 = 56;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("pthread_rwlock_init", init),
    ("pthread_rwlock_destroy", destroy),
    ("pthread_rwlock_rdlock", |call| lock(call, Mode::Read)),
    ("pthread_rwlock_wrlock", |call| lock(call, Mode::Write)),
    ("pthread_rwlock_tryrdlock", |call| try_lock(call, Mode::Read, EBUSY)),
    ("pthread_rwlock_trywrlock", |call| try_lock(call, Mode::Write, EBUSY)),
    ("pthread_rwlock_timedrdlock", |call| {
        timed_lock(call, Mode::Read, Deadline::calendar(call, 1))
    }),
    ("pthread_rwlock_timedwrlock", |call| {
        timed_lock(call, Mode::Write, Deadline::calendar(call, 1))
    }),
    ("pthread_rwlock_clockrdlock", |call| timed_lock(call, Mode::Read, clock_deadline(call))),
    ("pthread_rwlock_clockwrlock", |call| timed_lock(call, Mode::Write, clock_deadline(call))),
    ("pthread_rwlock_unlock", unlock),
    ("pthread_rwlockattr_init", nothing),
    ("pthread_rwlockattr_destroy", nothing),
    ("pthread_rwlockattr_setpshared", nothing),
    ("pthread_rwlockattr_setkind_np", nothing),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Read,
    Write,
}

fn nothing(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give_int(0);
    Ok(())
}

struct Lock {
    address: u64,
    spot: Spot,
}

impl Lock {
    fn of(call: &mut Call<'_>) -> Result<Self, Stop> {
        let address = call.pointer(0);
        Ok(Lock { address, spot: call.object(address, SIZE)?.0 })
    }

    fn action(&self, op: Op) -> Action {
        Action::new(op, self.spot.location(SIZE))
    }

    fn acquires(&self, mode: Mode) -> Action {
        match mode {
            Mode::Read => self.action(Op::Add).when(When::Differs(WRITER)),
            Mode::Write => self.action(Op::Update).when(When::Equals(0)),
        }
    }

    fn probe(&self) -> Probe {
        Probe { byte: self.spot.byte, len: 8 }
    }

    fn value(&self, call: &Call<'_>) -> u64 {
        call.machine.memory.read(self.spot.byte, 8)
    }

    fn writer(&self, call: &Call<'_>) -> Option<usize> {
        (call.machine.memory.read(self.spot.byte + 8, 8) as usize).checked_sub(1)
    }

    fn set(&self, call: &mut Call<'_>, offset: usize, value: u64) {
        let spot = Spot { byte: self.spot.byte + offset, ..self.spot };
        call.machine.write(call.thread, spot, 8, value);
    }

    fn life(&self) -> Life {
        Life::new("reader-writer lock", self.address, self.spot, 24)
    }

    /// Returns the violation of using a destroyed lock, if it is one. Then this action fails.
    fn check(&self, call: &mut Call<'_>, verb: &str, action: Action) -> Result<(), Stop> {
        let checked = self.life().check(call, verb);
        if checked.is_err() {
            call.perform_failed(action, self.probe());
        }
        checked
    }

    /// Returns the address of how often the calling thread holds it for reading.
    fn reads(&self, call: &mut Call<'_>) -> Result<u64, Stop> {
        own_table::count(call, READ_LOCKS, self.address)
    }

    fn take(
        &self,
        call: &mut Call<'_>,
        mode: Mode,
        action: Action,
        before: u64,
    ) -> Result<(), Stop> {
        let after = if mode == Mode::Read { before + 1 } else { WRITER };
        call.perform(action.performed(before, after), self.probe());
        self.set(call, 0, after);
        match mode {
            Mode::Write => self.set(call, 8, call.thread as u64 + 1),
            Mode::Read => {
                let count = self.reads(call)?;
                let held = call.read(count, 8)?;
                call.write(count, 8, held + 1)?;
            }
        }
        Ok(())
    }
}

fn init(call: &mut Call<'_>) -> Result<(), Stop> {
    let lock = Lock::of(call)?;
    let action = lock.action(Op::Update);
    call.turn(action, lock.probe())?;
    let before = lock.value(call);
    call.perform(action.performed(before, 0), lock.probe());
    lock.life().begin(call)?;
    for offset in [0, 8] {
        lock.set(call, offset, 0);
    }
    call.give_int(0);
    Ok(())
}

fn destroy(call: &mut Call<'_>) -> Result<(), Stop> {
    let lock = Lock::of(call)?;
    let action = lock.action(Op::Update);
    call.turn(action, lock.probe())?;
    let value = lock.value(call);
    call.perform(action.performed(value, value), lock.probe());
    lock.life().end(call)?;
    if value != 0 {
        let message = "a reader-writer lock is destroyed that is held";
        return Err(call.violation(ViolationKind::LockMisuse, message));
    }
    call.give_int(0);
    Ok(())
}

fn lock(call: &mut Call<'_>, mode: Mode) -> Result<(), Stop> {
    let lock = Lock::of(call)?;
    let action = lock.acquires(mode).waiting();
    call.turn(action, lock.probe())?;
    lock.check(call, "locked", action)?;
    let before = lock.value(call);
    lock.take(call, mode, action, before)?;
    call.give_int(0);
    Ok(())
}

/// Returns the deadline of the functions that name a clock.
fn clock_deadline(call: &Call<'_>) -> Deadline {
    Deadline::At(call.pointer(2), call.int(1) & 0xFFFF_FFFF)
}

fn try_lock(call: &mut Call<'_>, mode: Mode, busy: i32) -> Result<(), Stop> {
    let locked = try_to_lock(call, mode)?;
    call.give_int(if locked { 0 } else { busy });
    Ok(())
}

fn timed_lock(call: &mut Call<'_>, mode: Mode, deadline: Deadline) -> Result<(), Stop> {
    let locked = try_to_lock(call, mode)?;
    wait_ended(call, !locked, deadline)?;
    call.give_int(if locked { 0 } else { ETIMEDOUT });
    Ok(())
}

/// Locks it if that is possible now, and returns whether it was.
fn try_to_lock(call: &mut Call<'_>, mode: Mode) -> Result<bool, Stop> {
    let lock = Lock::of(call)?;
    let action = lock.acquires(mode);
    call.turn(action, lock.probe())?;
    lock.check(call, "locked", action)?;
    let before = lock.value(call);
    if action.when.holds(before) {
        lock.take(call, mode, action, before)?;
        return Ok(true);
    }
    call.perform(Action { op: Op::Read, ..action }.performed(before, before), lock.probe());
    Ok(false)
}

fn unlock(call: &mut Call<'_>) -> Result<(), Stop> {
    let lock = Lock::of(call)?;
    // Whether the thread holds it itself depends on no other thread.
    let writes = lock.writer(call) == Some(call.thread);
    let count = if writes { None } else { Some(lock.reads(call)?) };
    let held = match count {
        Some(count) => call.read(count, 8)?,
        None => 0,
    };
    let action = lock.action(match writes {
        true => Op::Write,
        false if held > 0 => Op::Add,
        // Who holds it is state besides the value.
        false if call.machine.has_memory_orderings() => Op::Update,
        false => Op::Read,
    });
    call.turn(action, lock.probe())?;
    lock.check(call, "unlocked", action)?;
    let before = lock.value(call);
    if !writes && held == 0 {
        call.perform_failed(action, lock.probe());
        let message = match lock.writer(call) {
            Some(writer) => {
                let writer = call.machine.thread_name(writer);
                format!("a reader-writer lock is unlocked that is held by {writer}")
            }
            None if before > 0 => {
                "a reader-writer lock is unlocked by a thread that does not hold it".to_owned()
            }
            None => "a reader-writer lock is unlocked that is not held".to_owned(),
        };
        return Err(call.violation(ViolationKind::LockMisuse, message));
    }
    let after = if writes { 0 } else { before.saturating_sub(1) };
    call.perform(action.performed(before, after), lock.probe());
    lock.set(call, 0, after);
    match count {
        Some(count) => call.write(count, 8, held - 1)?,
        None => lock.set(call, 8, 0),
    }
    call.give_int(0);
    Ok(())
}
