//! Spin locks.
//!
//! The four bytes of a `pthread_spinlock_t` are its state: 0 if it is free, [`HELD`], [`DESTROYED`], or free and
//! initialised. The last one is derived from the address of the lock, because a copy of an initialised
//! lock is not an initialised lock.

use mazurka_core::model::{Action, Machine as _, Op, When};
use mazurka_core::verdict::ViolationKind;

use crate::machine::thread::Probe;
use crate::machine::{Call, Run, Stop};
use crate::memory::Spot;

const EBUSY: i32 = 16;

const HELD: u64 = 1;
const DESTROYED: u64 = 0xDEAD;
/// The upper half of the state of a lock that is free and was initialised.
const INITIALISED: u64 = 0x1A17_0000;
/// The size of a `pthread_spinlock_t`.
const SIZE: u32 = 4;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("pthread_spin_init", init),
    ("pthread_spin_destroy", destroy),
    ("pthread_spin_lock", lock),
    ("pthread_spin_trylock", try_lock),
    ("pthread_spin_unlock", unlock),
];

struct SpinLock(Spot, u64);

impl SpinLock {
    fn of(call: &mut Call<'_>) -> Result<Self, Stop> {
        let address = call.pointer(0);
        Ok(SpinLock(call.object(address, SIZE)?.0, address))
    }

    /// Returns the state in which the lock is free and was initialised.
    fn initialised(&self) -> u64 {
        INITIALISED ^ ((self.1 >> 32 ^ self.1 >> 2) & 0xFFFF_FFFF)
    }

    fn action(&self, op: Op) -> Action {
        Action::new(op, self.0.location(SIZE))
    }

    fn probe(&self) -> Probe {
        Probe { byte: self.0.byte, len: SIZE }
    }

    fn state(&self, call: &Call<'_>) -> u64 {
        call.machine.memory.read(self.0.byte, SIZE)
    }

    /// Changes the state as the action of this step.
    fn change(&self, call: &mut Call<'_>, action: Action, after: u64) {
        let before = self.state(call);
        call.perform(action.performed(before, after), self.probe());
        call.machine.write(call.thread, self.0, SIZE, after);
        call.give_int(0);
    }

    /// Reports that this action fails, and returns the violation.
    fn fail(&self, call: &mut Call<'_>, action: Action, message: &str) -> Stop {
        call.perform_failed(action, self.probe());
        call.violation(ViolationKind::LockMisuse, message)
    }
}

fn init(call: &mut Call<'_>) -> Result<(), Stop> {
    let lock = SpinLock::of(call)?;
    let action = lock.action(Op::Update);
    call.turn(action, lock.probe())?;
    match lock.state(call) {
        HELD => return Err(lock.fail(call, action, "a spin lock is initialised that is held")),
        state if state == lock.initialised() => {
            let message = "a spin lock is initialised twice, without being destroyed between";
            return Err(lock.fail(call, action, message));
        }
        _ => lock.change(call, action, lock.initialised()),
    }
    Ok(())
}

fn destroy(call: &mut Call<'_>) -> Result<(), Stop> {
    let lock = SpinLock::of(call)?;
    let action = lock.action(Op::Update);
    call.turn(action, lock.probe())?;
    match lock.state(call) {
        HELD => return Err(lock.fail(call, action, "a spin lock is destroyed that is held")),
        DESTROYED => {
            return Err(lock.fail(call, action, "a destroyed spin lock is destroyed again"));
        }
        _ => lock.change(call, action, DESTROYED),
    }
    Ok(())
}

fn lock(call: &mut Call<'_>) -> Result<(), Stop> {
    let lock = SpinLock::of(call)?;
    let action = lock.action(Op::Update).when(When::Differs(HELD)).waiting();
    call.turn(action, lock.probe())?;
    if lock.state(call) == DESTROYED {
        return Err(lock.fail(call, action, "a destroyed spin lock is locked"));
    }
    lock.change(call, action, HELD);
    Ok(())
}

fn try_lock(call: &mut Call<'_>) -> Result<(), Stop> {
    let lock = SpinLock::of(call)?;
    let action = lock.action(Op::Update).when(When::Differs(HELD));
    call.turn(action, lock.probe())?;
    match lock.state(call) {
        DESTROYED => return Err(lock.fail(call, action, "a destroyed spin lock is locked")),
        HELD => {
            call.perform(lock.action(Op::Read).performed(HELD, HELD), lock.probe());
            call.give_int(EBUSY);
        }
        _ => lock.change(call, action, HELD),
    }
    Ok(())
}

fn unlock(call: &mut Call<'_>) -> Result<(), Stop> {
    let lock = SpinLock::of(call)?;
    // Any thread may unlock, so that the state decides whether this is a misuse: it is read. Under a memory
    // model, a write of an unlock follows the write of its lock in any case.
    let op = if call.machine.has_memory_orderings() { Op::Write } else { Op::Update };
    let action = lock.action(op);
    call.turn(action, lock.probe())?;
    match lock.state(call) {
        HELD => lock.change(call, action, lock.initialised()),
        DESTROYED => return Err(lock.fail(call, action, "a destroyed spin lock is unlocked")),
        _ => return Err(lock.fail(call, action, "a spin lock is unlocked that is not held")),
    }
    Ok(())
}
