//! Semaphores and barriers: both count.
//!
//! | bytes | |
//! |---|---|
//! | 0 … 3 | the value of a semaphore, or how many threads wait at a barrier |
//! | 4 … 7 | how many threads a barrier waits for |
//! | 8 … 15 | whether it was initialised or destroyed |
//!
//! # Arrivals at a barrier
//!
//! Arrivals commute: each adds 1, and when the last thread arrives, every thread continues after
//! the arrivals of all. There are two exceptions. A thread that uses the result of
//! `pthread_barrier_wait` learns whether it was the last one, so its arrival depends on all others.
//! And if more threads use a barrier than it waits for, the order decides which of them continue
//! together. The machine finds that out only when one more thread arrives: it then reports
//! [`Lesson::Arrivals`](mazurka_core::model::Lesson::Arrivals), and the search starts over with
//! arrivals that depend on each other.

use mazurka_core::model::{Action, Op, When};
use mazurka_core::verdict::ViolationKind;

use super::cancel::cancellable;
use super::life::Life;
use super::time::{Deadline, wait_ended};
use crate::machine::thread::{Probe, Status};
use crate::machine::{Call, Run, Stop};
use crate::memory::Spot;

const EAGAIN: i32 = 11;
const EINVAL: i32 = 22;
const ETIMEDOUT: i32 = 110;
/// What the last thread gets from a barrier.
const SERIAL_THREAD: i32 = -1;
/// The size of a `sem_t` and of a `pthread_barrier_t`.
const SIZE: u32 = 32;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("sem_init", sem_init),
    ("sem_destroy", sem_destroy),
    ("sem_wait", |call| cancellable(call, sem_wait)),
    ("sem_trywait", |call| sem_try_wait(call, EAGAIN, None)),
    ("sem_timedwait", |call| sem_try_wait(call, ETIMEDOUT, Some(Deadline::calendar(call, 1)))),
    ("sem_clockwait", |call| {
        let deadline = Deadline::At(call.pointer(2), call.int(1) & 0xFFFF_FFFF);
        sem_try_wait(call, ETIMEDOUT, Some(deadline))
    }),
    ("sem_post", sem_post),
    ("sem_getvalue", sem_get_value),
    ("pthread_barrier_init", barrier_init),
    ("pthread_barrier_destroy", barrier_destroy),
    ("pthread_barrier_wait", barrier_wait),
    ("pthread_barrierattr_init", nothing),
    ("pthread_barrierattr_destroy", nothing),
    ("pthread_barrierattr_setpshared", nothing),
];

fn nothing(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give_int(0);
    Ok(())
}

const SEMAPHORE: &str = "semaphore";
const BARRIER: &str = "barrier";

/// A number that threads count with, in the first four bytes of its object.
struct Counter {
    address: u64,
    spot: Spot,
    life: Life,
}

impl Counter {
    fn of(call: &mut Call<'_>, what: &'static str) -> Result<Self, Stop> {
        let address = call.pointer(0);
        let (spot, _) = call.object(address, SIZE)?;
        Ok(Counter { address, spot, life: Life::new(what, address, spot, 8) })
    }

    /// Returns the violation of using a destroyed one, if it is one. Then this action fails.
    fn check(&self, call: &mut Call<'_>, verb: &str, action: Action) -> Result<(), Stop> {
        let checked = self.life.check(call, verb);
        if checked.is_err() {
            call.perform_failed(action, self.probe());
        }
        checked
    }

    fn action(&self, op: Op) -> Action {
        Action::new(op, self.spot.location(SIZE))
    }

    fn probe(&self) -> Probe {
        Probe { byte: self.spot.byte, len: 4 }
    }

    fn value(&self, call: &Call<'_>) -> u64 {
        call.machine.memory.read(self.spot.byte, 4)
    }

    /// Performs an action that changes the number.
    fn change(&self, call: &mut Call<'_>, action: Action, after: u64) {
        let before = self.value(call);
        call.perform(action.performed(before, after), self.probe());
        call.machine.write(call.thread, self.spot, 4, after);
    }

    /// The number behind it.
    fn limit(&self) -> Spot {
        Spot { byte: self.spot.byte + 4, ..self.spot }
    }
}

fn sem_init(call: &mut Call<'_>) -> Result<(), Stop> {
    let semaphore = Counter::of(call, SEMAPHORE)?;
    let action = semaphore.action(Op::Update);
    call.turn(action, semaphore.probe())?;
    let value = call.int(2) & 0xFFFF_FFFF;
    semaphore.change(call, action, value);
    semaphore.life.begin(call)?;
    call.give_int(0);
    Ok(())
}

fn sem_destroy(call: &mut Call<'_>) -> Result<(), Stop> {
    let semaphore = Counter::of(call, SEMAPHORE)?;
    let action = semaphore.action(Op::Update);
    call.turn(action, semaphore.probe())?;
    let value = semaphore.value(call);
    call.perform(action.performed(value, value), semaphore.probe());
    semaphore.life.end(call)?;
    call.give_int(0);
    Ok(())
}

fn sem_wait(call: &mut Call<'_>) -> Result<(), Stop> {
    let semaphore = Counter::of(call, SEMAPHORE)?;
    let action = semaphore.action(Op::Update).when(When::Differs(0)).waiting();
    call.turn(action, semaphore.probe())?;
    semaphore.check(call, "waited for", action)?;
    let value = semaphore.value(call);
    semaphore.change(call, action, value - 1);
    call.give_int(0);
    Ok(())
}

/// Takes one of a semaphore, or fails with an error if there is none, maybe by timing out.
fn sem_try_wait(call: &mut Call<'_>, errno: i32, deadline: Option<Deadline>) -> Result<(), Stop> {
    let semaphore = Counter::of(call, SEMAPHORE)?;
    let action = semaphore.action(Op::Update).when(When::Differs(0));
    call.turn(action, semaphore.probe())?;
    semaphore.check(call, "waited for", action)?;
    let value = semaphore.value(call);
    match value {
        0 => {
            let action = Action { op: Op::Read, ..action };
            call.perform(action.performed(0, 0), semaphore.probe());
            call.set_errno(errno)?;
            call.give_int(-1);
        }
        value => {
            semaphore.change(call, action, value - 1);
            call.give_int(0);
        }
    }
    if let Some(deadline) = deadline {
        wait_ended(call, value == 0, deadline)?;
    }
    Ok(())
}

/// To post is to look at the number, as far as the explorers are concerned: who waits for it
/// wants to know every one.
fn sem_post(call: &mut Call<'_>) -> Result<(), Stop> {
    let semaphore = Counter::of(call, SEMAPHORE)?;
    let action = semaphore.action(Op::Update);
    call.turn(action, semaphore.probe())?;
    semaphore.check(call, "posted", action)?;
    let value = semaphore.value(call);
    semaphore.change(call, action, value + 1);
    call.give_int(0);
    Ok(())
}

fn sem_get_value(call: &mut Call<'_>) -> Result<(), Stop> {
    let semaphore = Counter::of(call, SEMAPHORE)?;
    let action = semaphore.action(Op::Read);
    call.turn(action, semaphore.probe())?;
    semaphore.check(call, "read", action)?;
    let value = semaphore.value(call);
    call.perform(action.performed(value, value), semaphore.probe());
    call.write(call.pointer(1), 4, value)?;
    call.give_int(0);
    Ok(())
}

fn barrier_init(call: &mut Call<'_>) -> Result<(), Stop> {
    let barrier = Counter::of(call, BARRIER)?;
    let count = call.int(2) & 0xFFFF_FFFF;
    if count == 0 {
        call.give_int(EINVAL);
        return Ok(());
    }
    let action = barrier.action(Op::Update);
    call.turn(action, barrier.probe())?;
    barrier.change(call, action, 0);
    barrier.life.begin(call)?;
    call.machine.write(call.thread, barrier.limit(), 4, count);
    call.give_int(0);
    Ok(())
}

fn barrier_destroy(call: &mut Call<'_>) -> Result<(), Stop> {
    let barrier = Counter::of(call, BARRIER)?;
    let action = barrier.action(Op::Update);
    call.turn(action, barrier.probe())?;
    let value = barrier.value(call);
    call.perform(action.performed(value, value), barrier.probe());
    barrier.life.end(call)?;
    if value != 0 {
        let message = "a barrier is destroyed at which a thread waits";
        return Err(call.violation(ViolationKind::LockMisuse, message));
    }
    call.give_int(0);
    Ok(())
}

fn barrier_wait(call: &mut Call<'_>) -> Result<(), Stop> {
    if call.phase() != 0 {
        // Released by the last one.
        call.give_int(0);
        return Ok(());
    }
    let barrier = Counter::of(call, BARRIER)?;
    let commutes = call.is_result_unused() && !call.machine.orders_arrivals();
    let action = match commutes {
        true => barrier.action(Op::Add).unread(),
        false => barrier.action(Op::Update),
    };
    call.turn(action, barrier.probe())?;
    barrier.check(call, "waited at", action)?;
    let count = call.machine.memory.read(barrier.limit().byte, 4);
    let arrived = barrier.value(call) + 1;
    if count == 0 {
        let value = barrier.value(call);
        call.perform(action.performed(value, value), barrier.probe());
        let message = "a barrier is used that was not initialised";
        return Err(call.violation(ViolationKind::LockMisuse, message));
    }
    call.machine.note_arrival(barrier.address, call.thread, count);
    if arrived < count {
        barrier.change(call, action, arrived);
        call.set_phase(1);
        call.machine.threads[call.thread].state.status = Status::Waiting(barrier.address);
        return Err(Stop::Wait);
    }
    barrier.change(call, action, 0);
    let waits = Status::Waiting(barrier.address);
    let threads = 0..call.machine.threads.len();
    for thread in threads.clone() {
        if call.machine.threads[thread].state.status == waits {
            call.machine.pass_on(thread, call.thread);
        }
    }
    for thread in threads {
        if call.machine.threads[thread].state.status == waits {
            call.machine.release(call.thread, thread);
        }
    }
    call.give_int(SERIAL_THREAD);
    Ok(())
}
