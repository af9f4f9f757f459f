//! Condition variables.
//!
//! To the explorers one is a cell with a bit for each waiter that was not notified yet. To wait
//! is one step: it adds the waiter's bit and releases the mutex. Then the thread waits to be
//! released, which is no step of its own, and locks the mutex again. A wait with a timeout does not
//! wait to be released, but has a second step in which it finds out whether it was notified, and
//! takes its bit away if not: both are explored, whatever the time.
//!
//! | bytes | |
//! |---|---|
//! | 0 … 7 | the bits |
//! | 8 … 15 | zero: no thread holds it |
//! | 16 … 23 | the mutex that it is used with |
//! | 24 … 31 | whether it was initialised or destroyed |
//! | 32 … 39 | the clock by which waits time out |

use mazurka_core::model::{Action, Op, Ways, When};
use mazurka_core::verdict::ViolationKind;

use super::cancel;
use super::life::Life;
use super::mutex::Mutex;
use super::own_table;
use super::time::{Deadline, wait_ended};
use crate::bytecode::own_words::SPURIOUS;
use crate::machine::thread::{Probe, Status};
use crate::machine::{Call, Run, Stop};
use crate::memory::Spot;

const ETIMEDOUT: i32 = 110;
const C11_TIMEDOUT: i32 = 4;

/// The size of a `pthread_cond_t`.
const SIZE: u32 = 48;
/// Where the number of its clock is.
const CLOCK: usize = 32;

/// How far a wait got.
const BEGINS: u64 = 0;
const WOKEN: u64 = 1;
const LOOKS: u64 = 2;
const NOTIFIED: u64 = 3;
const TIMED_OUT: u64 = 4;
const MUST_BE_NOTIFIED: u64 = 5;
const WAKES_SPURIOUSLY: u64 = 6;
const LOOKS_SPURIOUSLY: u64 = 7;
const AWAITS_CANCEL: u64 = 8;
const LEAVES: u64 = 9;
const IS_CANCELLED: u64 = 10;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("pthread_cond_init", pthread_init),
    ("pthread_cond_destroy", destroy),
    ("pthread_cond_wait", wait),
    ("pthread_cond_timedwait", |call| timed_wait(call, ETIMEDOUT, None)),
    ("pthread_cond_clockwait", |call| {
        let deadline = Deadline::At(call.pointer(3), call.int(2) & 0xFFFF_FFFF);
        timed_wait(call, ETIMEDOUT, Some(deadline))
    }),
    ("pthread_cond_signal", signal),
    ("pthread_cond_broadcast", broadcast),
    ("pthread_condattr_init", |call| set_clock(call, 0)),
    ("pthread_condattr_destroy", nothing),
    ("pthread_condattr_setclock", |call| set_clock(call, call.int(1))),
    ("pthread_condattr_setpshared", nothing),
    ("cnd_init", |call| init(call, 0)),
    ("cnd_destroy", destroy),
    ("cnd_wait", wait),
    ("cnd_timedwait", |call| timed_wait(call, C11_TIMEDOUT, None)),
    ("cnd_signal", signal),
    ("cnd_broadcast", broadcast),
];

fn nothing(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give_int(0);
    Ok(())
}

struct Condition {
    address: u64,
    spot: Spot,
}

impl Condition {
    fn of(call: &mut Call<'_>) -> Result<Self, Stop> {
        let address = call.pointer(0);
        let (spot, _) = call.object(address, SIZE)?;
        Ok(Condition { address, spot })
    }

    fn action(&self, op: Op) -> Action {
        Action::new(op, self.spot.location(SIZE))
    }

    fn life(&self) -> Life {
        Life::new("condition variable", self.address, self.spot, 24)
    }

    /// Returns the violation of using a destroyed one, if it is one. Then this action fails.
    fn check(&self, call: &mut Call<'_>, verb: &str, action: Action) -> Result<(), Stop> {
        let checked = self.life().check(call, verb);
        if checked.is_err() {
            call.perform_failed(action, self.probe());
        }
        checked
    }

    /// Returns the violation of waiting on it with a mutex, if it is one.
    fn check_wait(&self, call: &Call<'_>, mutex: Mutex, address: u64) -> Result<(), Stop> {
        self.life().check(call, "waited on")?;
        mutex.check_holder(call)?;
        let bits = self.bits(call);
        let used_with = call.machine.memory.read(self.spot.byte + 16, 8);
        if bits != 0 && used_with != address {
            let message = "a condition variable is used with two mutexes at once";
            return Err(call.violation(ViolationKind::LockMisuse, message));
        }
        if bits & bit(call.thread) != 0 {
            let message =
                "more than 64 threads wait on a condition variable, which is not supported";
            return Err(call.violation(ViolationKind::Unsupported, message));
        }
        Ok(())
    }

    fn probe(&self) -> Probe {
        Probe { byte: self.spot.byte, len: 8 }
    }

    fn bits(&self, call: &Call<'_>) -> u64 {
        call.machine.memory.read(self.spot.byte, 8)
    }

    fn set(&self, call: &mut Call<'_>, offset: usize, value: u64) {
        let spot = Spot { byte: self.spot.byte + offset, ..self.spot };
        call.machine.write(call.thread, spot, 8, value);
    }

    /// Lets the waiters with these bits go on.
    fn release(&self, call: &mut Call<'_>, bits: u64) {
        for thread in 0..call.machine.threads.len() {
            let waits = call.machine.threads[thread].state.status == Status::Waiting(self.address);
            if waits && bits & bit(thread) != 0 {
                call.machine.release(call.thread, thread);
            }
        }
    }
}

/// What stands for a thread among the waiters.
fn bit(thread: usize) -> u64 {
    1 << (thread % 64)
}

/// Sets the clock of attributes.
fn set_clock(call: &mut Call<'_>, clock: u64) -> Result<(), Stop> {
    call.write(call.pointer(0), 4, clock)?;
    call.give_int(0);
    Ok(())
}

fn pthread_init(call: &mut Call<'_>) -> Result<(), Stop> {
    let clock = match call.pointer(1) {
        0 => 0,
        attributes => call.read(attributes, 4)?,
    };
    init(call, clock)
}

fn init(call: &mut Call<'_>, clock: u64) -> Result<(), Stop> {
    let condition = Condition::of(call)?;
    let action = condition.action(Op::Update);
    call.turn(action, condition.probe())?;
    let before = condition.bits(call);
    call.perform(action.performed(before, 0), condition.probe());
    condition.life().begin(call)?;
    for (offset, value) in [(0, 0), (8, 0), (16, 0), (CLOCK, clock)] {
        condition.set(call, offset, value);
    }
    call.give_int(0);
    Ok(())
}

fn destroy(call: &mut Call<'_>) -> Result<(), Stop> {
    let condition = Condition::of(call)?;
    let action = condition.action(Op::Update);
    call.turn(action, condition.probe())?;
    let bits = condition.bits(call);
    call.perform(action.performed(bits, bits), condition.probe());
    condition.life().end(call)?;
    if bits != 0 {
        let message = "a condition variable is destroyed on which a thread waits";
        return Err(call.violation(ViolationKind::LockMisuse, message));
    }
    call.give_int(0);
    Ok(())
}

/// The first step of a wait.
fn begin(call: &mut Call<'_>) -> Result<(), Stop> {
    let condition = Condition::of(call)?;
    let address = call.pointer(1);
    let mutex = Mutex::at(call, address)?;
    let action = condition.action(Op::Add);
    call.turn(action, condition.probe())?;
    if let Err(stop) = condition.check_wait(call, mutex, address) {
        // Both actions depend on the steps that made it fail.
        call.perform_failed(action, condition.probe());
        mutex.fail_to_release(call);
        return Err(stop);
    }
    let (before, mine) = (condition.bits(call), bit(call.thread));
    call.perform(action.performed(before, before.wrapping_add(mine)), condition.probe());
    condition.set(call, 0, before | mine);
    condition.set(call, 16, address);
    mutex.release(call);
    Ok(())
}

/// The last step of a wait.
fn lock_again(call: &mut Call<'_>, result: i32) -> Result<(), Stop> {
    let address = call.pointer(1);
    Mutex::at(call, address)?.lock(call)?;
    call.give_int(result);
    Ok(())
}

fn wait(call: &mut Call<'_>) -> Result<(), Stop> {
    match call.phase() {
        BEGINS if !cancel::decide(call)? => begin_to_be_cancelled(call),
        BEGINS => {
            let phase = match wakes_spuriously(call)? {
                true => WAKES_SPURIOUSLY,
                false => MUST_BE_NOTIFIED,
            };
            call.set_phase(phase);
            Err(Stop::Again)
        }
        MUST_BE_NOTIFIED => {
            begin(call)?;
            call.set_phase(WOKEN);
            let address = call.pointer(0);
            call.machine.threads[call.thread].state.status = Status::Waiting(address);
            Err(Stop::Wait)
        }
        WAKES_SPURIOUSLY => {
            begin(call)?;
            call.set_phase(LOOKS_SPURIOUSLY);
            Err(Stop::Again)
        }
        LOOKS_SPURIOUSLY => {
            leave(call)?;
            call.set_phase(WOKEN);
            Err(Stop::Again)
        }
        WOKEN => {
            cancel::end(call)?;
            lock_again(call, 0)
        }
        _ => be_cancelled(call),
    }
}

/// Chooses whether a wait ends without a notification. A thread does so at most once at a place:
/// otherwise a loop around the wait would have endless executions.
fn wakes_spuriously(call: &mut Call<'_>) -> Result<bool, Stop> {
    if !call.machine.options.spurious_wakeups || call.is_in_atomic_section() {
        return Ok(false);
    }
    let place = u64::from(call.own_place()) + 1;
    let count = own_table::count(call, SPURIOUS, place)?;
    let is_possible = call.read(count, 8)? == 0;
    let wakes = is_possible && call.choose(2)? == 1;
    if wakes {
        call.write(count, 8, 1)?;
    }
    Ok(wakes)
}

/// Leaves the waiters. Returns whether the thread was still one of them: it was not notified.
fn leave(call: &mut Call<'_>) -> Result<bool, Stop> {
    let condition = Condition::of(call)?;
    let mine = bit(call.thread);
    let action = condition.action(Op::Add).when(When::Any(mine));
    call.turn(action, condition.probe())?;
    let before = condition.bits(call);
    let op = action.op_at(before);
    let after = before & !mine;
    call.perform(Action { op, ..action }.performed(before, after), condition.probe());
    condition.set(call, 0, after);
    Ok(before != after)
}

/// The first step of a wait that ends because the thread is cancelled.
fn begin_to_be_cancelled(call: &mut Call<'_>) -> Result<(), Stop> {
    begin(call)?;
    call.set_phase(AWAITS_CANCEL);
    Err(Stop::Again)
}

/// The other steps of such a wait. The thread has the mutex again when its handlers run.
fn be_cancelled(call: &mut Call<'_>) -> Result<(), Stop> {
    match call.phase() {
        AWAITS_CANCEL => {
            cancel::wait_for_request(call)?;
            call.set_phase(LEAVES);
            Err(Stop::Again)
        }
        LEAVES => {
            // A thread that is cancelled takes no notification from others. If it has got one, the
            // execution is that of a thread that goes on.
            if !leave(call)? {
                call.machine.threads[call.thread].state.status = Status::Stopped;
                call.machine.fail_assumption();
                return Err(Stop::Over);
            }
            call.set_phase(IS_CANCELLED);
            Err(Stop::Again)
        }
        _ => {
            let address = call.pointer(1);
            Mutex::at(call, address)?.lock(call)?;
            cancel::act(call)
        }
    }
}

/// Waits until the deadline, which is by default that of the third argument on the condition
/// variable's own clock.
fn timed_wait(call: &mut Call<'_>, timed_out: i32, deadline: Option<Deadline>) -> Result<(), Stop> {
    match call.phase() {
        BEGINS if !cancel::decide(call)? => begin_to_be_cancelled(call),
        BEGINS => {
            begin(call)?;
            call.set_phase(LOOKS);
            Err(Stop::Again)
        }
        LOOKS => {
            let timed_out = leave(call)?;
            let condition = Condition::of(call)?;
            let clock = call.machine.memory.read(condition.spot.byte + CLOCK, 8);
            let deadline = deadline.unwrap_or(Deadline::At(call.pointer(2), clock));
            wait_ended(call, timed_out, deadline)?;
            cancel::end(call)?;
            call.set_phase(if timed_out { TIMED_OUT } else { NOTIFIED });
            Err(Stop::Again)
        }
        NOTIFIED => lock_again(call, 0),
        TIMED_OUT => lock_again(call, timed_out),
        _ => be_cancelled(call),
    }
}

fn signal(call: &mut Call<'_>) -> Result<(), Stop> {
    let condition = Condition::of(call)?;
    let action = condition.action(Op::Update).when(When::Differs(0)).ways(Ways::PerBit);
    call.turn(action, condition.probe())?;
    condition.check(call, "signalled", action)?;
    let before = condition.bits(call);
    // The waiter whom the schedule has picked.
    let mut left = before;
    for _ in 0..call.machine.choice {
        left &= left.wrapping_sub(1);
    }
    let chosen = left & left.wrapping_neg();
    notify(call, &condition, action, before, chosen);
    Ok(())
}

fn broadcast(call: &mut Call<'_>) -> Result<(), Stop> {
    let condition = Condition::of(call)?;
    let action = condition.action(Op::Update).when(When::Differs(0));
    call.turn(action, condition.probe())?;
    condition.check(call, "signalled", action)?;
    let before = condition.bits(call);
    notify(call, &condition, action, before, before);
    Ok(())
}

fn notify(call: &mut Call<'_>, condition: &Condition, action: Action, before: u64, bits: u64) {
    let (op, after) = (action.op_at(before), before & !bits);
    call.perform(Action { op, ..action }.performed(before, after), condition.probe());
    condition.set(call, 0, after);
    condition.release(call, bits);
    call.give_int(0);
}
