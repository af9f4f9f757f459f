//! Futexes, on which `std::atomic::wait` is built.
//!
//! A thread that finds the expected number sleeps until another thread wakes it, even if the number changes
//! meanwhile. To the explorers, the threads that sleep are bits in a word, as for a condition variable. The
//! words stand in a table. Futexes share a word if their addresses have the same remainder.
//!
//! `std::latch` and the semaphores of the C++ library wake threads whenever they change the number. So do
//! the library's own counters of notifications. For these a thread goes on as soon as the number has
//! changed, and being woken is no step, which saves executions.
//!
//! A thread that finds another number does not sleep. If its step came earlier, it might. Then the step
//! would have one more action. So a thread that does not sleep reads the word, too, and forgoes the
//! addition: explorers would otherwise take its step and that of a thread that wakes others for independent.
//!
//! # Under a memory model
//!
//! The kernel has a lock for the threads that sleep on a futex. A thread that is to sleep holds it while it
//! compares the number, and so does a thread that wakes others. A thread that wakes others is either before
//! such a thread, which then sees the new number, or behind it, and wakes it. The word is this lock, too:
//!
//! | step | actions |
//! |---|---|
//! | lock the word | `Update` that waits while the word is [`LOCKED`]; acquires |
//! | compare the number | relaxed `Read` of the number; `Write` of the word with the thread's bit, or without it; releases |
//! | wake | `Update` that waits while the word is [`LOCKED`]; acquires and releases |
//!
//! To wake no thread is an `Update`, too: a thread that is to sleep afterwards must see the new number. So the
//! operations on a word are totally ordered, as futex(2) promises. Being woken is an edge between processes.

use mazurka_core::model::{Action, Location, Machine as _, MemoryOrdering, Op, Ways, When};
use mazurka_core::verdict::ViolationKind;

use super::time::{Deadline, wait_ended};
use crate::machine::thread::{Probe, Status};
use crate::machine::{Call, FUTEX_LOCKED as LOCKED, Run, Stop};
use crate::memory::Spot;

const EAGAIN: i32 = 11;
const ETIMEDOUT: i32 = 110;

/// Operations.
const WAIT: u64 = 0;
const WAKE: u64 = 1;
const WAIT_BITSET: u64 = 9;
const WAKE_BITSET: u64 = 10;
const PRIVATE: u64 = 128;
const REALTIME: u64 = 256;

/// The phase of a wait that has ended because the thread was woken.
const WOKEN: u64 = 1;
/// The phase of a wait of which the thread has locked the word of the threads that sleep.
const COMPARES: u64 = 2;

/// How many words there are for threads that sleep.
const WORDS: u64 = 127;

/// The size of an entry of the table: the word, and what it was when it was locked.
const ENTRY: u64 = 16;

/// Returns the size of the table of these words that a library function needs, if it needs one.
pub(crate) fn futex_table(name: &str) -> Option<u64> {
    (name == "syscall").then_some(ENTRY * WORDS)
}

/// Functions of libstdc++ that count the threads that may sleep, so that others need not wake them.
///
/// They are replaced, and a notification always looks for threads that sleep. The library reads the counter
/// behind the change of the number without a fence between them. Where this change is a release store, the
/// processor may read the counter first, and miss a thread that is about to sleep.
pub(crate) const COUNTERS: &[(&str, Run)] = &[
    ("_ZNSt8__detail18__waiter_pool_base13_M_enter_waitEv", |_| Ok(())),
    ("_ZNSt8__detail18__waiter_pool_base13_M_leave_waitEv", |_| Ok(())),
    ("_ZNKSt8__detail18__waiter_pool_base10_M_waitingEv", |call| {
        call.give(1);
        Ok(())
    }),
];

/// `syscall(SYS_futex, word, operation, number, …)`
pub(super) fn call(call: &mut Call<'_>) -> Result<(), Stop> {
    let operation = call.int(2) & !(PRIVATE | REALTIME) & 0xFFFF_FFFF;
    match operation {
        WAKE | WAKE_BITSET => wake(call),
        WAIT | WAIT_BITSET if call.pointer(4) != 0 => look(call, operation),
        WAIT | WAIT_BITSET if needs_no_wake(call) => wait_for_change(call),
        WAIT | WAIT_BITSET if call.machine.has_memory_orderings() => wait_under_lock(call),
        WAIT | WAIT_BITSET => wait(call),
        _ => {
            let message = format!("the operation {operation} on a futex is not supported");
            Err(call.violation(ViolationKind::Unsupported, message))
        }
    }
}

/// Classes of the C++ library that wake threads whenever they change the number.
const CLASSES: [&str; 6] =
    ["latch", "counting_semaphore", "__atomic_semaphore", "barrier", "__tree_barrier", "__barrier"];

/// Returns whether a symbol is that of a member of one of these [`CLASSES`], in libstdc++ or libc++.
fn is_member(symbol: &str) -> bool {
    let Some(rest) = symbol.strip_prefix("_ZN") else { return false };
    let Some(rest) = rest.trim_start_matches('K').strip_prefix("St") else { return false };
    let class =
        rest.strip_prefix("3__1").unwrap_or(rest).trim_start_matches(|c: char| c.is_ascii_digit());
    CLASSES.iter().any(|name| class.starts_with(name))
}

/// Returns whether a thread goes on as soon as the number has changed: see the module.
fn needs_no_wake(call: &Call<'_>) -> bool {
    let is_counter = |name: &str| name.contains("__waiter_pool") || name == "_ZL13notifications";
    call.machine.is_called_by(call.thread, is_member)
        || call.machine.global_around(call.pointer(1)).is_some_and(is_counter)
}

/// The number, as the value of an action.
struct Number {
    location: Location,
    probe: Probe,
    expected: u64,
}

impl Number {
    fn of(call: &mut Call<'_>) -> Result<Self, Stop> {
        let (spot, location) = call.object(call.pointer(1), 4)?;
        let probe = Probe { byte: spot.byte, len: 4 };
        Ok(Number { location, probe, expected: call.int(3) & u64::from(u32::MAX) })
    }

    /// Performs a read of the number. Returns it. What the program knows of other memory then is up to its
    /// own accesses.
    fn read(&self, call: &mut Call<'_>, when: When, waits: bool) -> Result<u64, Stop> {
        let mut action = Action::new(Op::Read, self.location).when(when);
        if call.machine.has_memory_orderings() {
            action = action.ordered(MemoryOrdering::Relaxed);
        }
        let action = if waits { action.waiting() } else { action };
        call.turn(action, self.probe)?;
        let value = call.machine.memory.read(self.probe.byte, 4);
        call.perform(action.performed(value, value), self.probe);
        Ok(value)
    }
}

/// Waits until the number differs from the expected one.
fn wait_for_change(call: &mut Call<'_>) -> Result<(), Stop> {
    let number = Number::of(call)?;
    number.read(call, When::Differs(number.expected), true)?;
    call.give(0);
    Ok(())
}

/// A wait with a time limit does not wait at all: it times out if it finds the expected number, whenever
/// that is.
fn look(call: &mut Call<'_>, operation: u64) -> Result<(), Stop> {
    let number = Number::of(call)?;
    let timed_out = number.read(call, When::Always, false)? == number.expected;
    let limit = call.pointer(4);
    let deadline = match operation {
        WAIT => Deadline::for_timespec(call, limit)?,
        _ => Deadline::At(limit, u64::from(call.int(2) & REALTIME == 0)),
    };
    wait_ended(call, timed_out, deadline)?;
    match timed_out {
        true => fail(call, ETIMEDOUT),
        false => {
            call.give(0);
            Ok(())
        }
    }
}

fn fail(call: &mut Call<'_>, error: i32) -> Result<(), Stop> {
    call.set_errno(error)?;
    call.give(u64::MAX);
    Ok(())
}

/// The threads that sleep on a futex.
struct Sleepers {
    futex: u64,
    spot: Spot,
    location: Location,
}

impl Sleepers {
    fn of(call: &mut Call<'_>) -> Result<Self, Stop> {
        let futex = call.pointer(1);
        let Some(table) = call.machine.futexes() else {
            let message = "a program without futexes uses one";
            return Err(call.violation(ViolationKind::Unsupported, message));
        };
        let (spot, location) = call.object(table + ENTRY * (futex / 4 % WORDS), 8)?;
        Ok(Sleepers { futex, spot, location })
    }

    fn action(&self, op: Op) -> Action {
        Action::new(op, self.location)
    }

    fn probe(&self) -> Probe {
        Probe { byte: self.spot.byte, len: 8 }
    }

    fn bits(&self, call: &Call<'_>) -> u64 {
        call.machine.memory.read(self.spot.byte, 8)
    }

    /// Returns where the bits are while the word is locked.
    fn kept(&self) -> Spot {
        Spot { byte: self.spot.byte + 8, ..self.spot }
    }

    /// Returns the action of a thread that changes the word unless it is locked.
    fn change(&self, call: &Call<'_>) -> Action {
        let action = self.action(Op::Update);
        match call.machine.has_memory_orderings() {
            true => action.when(When::Differs(LOCKED)).waiting().ordered(MemoryOrdering::AcqRel),
            false => action.when(When::Differs(0)),
        }
    }

    /// Returns the violation of a thread that is to sleep although its bit is that of another one.
    fn check_bit(&self, call: &Call<'_>, bits: u64) -> Result<(), Stop> {
        let mine = bit(call.thread);
        if bits & mine != 0 || bits | mine == LOCKED {
            let message = "more than 63 threads wait on futexes, which is not supported";
            return Err(call.violation(ViolationKind::Unsupported, message));
        }
        Ok(())
    }

    /// Returns the bits of the threads that sleep on this futex, and not on another one.
    fn own(&self, call: &Call<'_>) -> u64 {
        let threads = call.machine.threads.iter().enumerate();
        let mine = threads.filter(|(_, thread)| thread.state.status == Status::Waiting(self.futex));
        mine.fold(0, |bits, (index, _)| bits | bit(index))
    }
}

/// What stands for a thread among those that sleep.
fn bit(thread: usize) -> u64 {
    1 << (thread % 64)
}

/// Sleeps until another thread wakes this one, if the number is the expected one.
fn wait(call: &mut Call<'_>) -> Result<(), Stop> {
    if call.phase() == WOKEN {
        call.give(0);
        return Ok(());
    }
    let number = Number::of(call)?;
    let value = number.read(call, When::Always, false)?;
    let sleepers = Sleepers::of(call)?;
    let (before, mine) = (sleepers.bits(call), bit(call.thread));
    if value != number.expected {
        call.perform(sleepers.action(Op::Read).performed(before, before), sleepers.probe());
        call.perform(
            sleepers.action(Op::Add.forgone()).performed(before, before),
            sleepers.probe(),
        );
        return fail(call, EAGAIN);
    }
    sleepers.check_bit(call, before)?;
    call.perform(sleepers.action(Op::Add).performed(before, before | mine), sleepers.probe());
    call.machine.write(call.thread, sleepers.spot, 8, before | mine);
    Err(sleep(call, &sleepers))
}

/// Suspends the thread until another one wakes it.
fn sleep(call: &mut Call<'_>, sleepers: &Sleepers) -> Stop {
    call.set_phase(WOKEN);
    call.machine.threads[call.thread].state.status = Status::Waiting(sleepers.futex);
    Stop::Wait
}

/// Performs a wait under a memory model, in two steps: see the module.
fn wait_under_lock(call: &mut Call<'_>) -> Result<(), Stop> {
    let sleepers = Sleepers::of(call)?;
    match call.phase() {
        WOKEN => {
            call.give(0);
            Ok(())
        }
        COMPARES => {
            let number = Number::of(call)?;
            let sleeps = number.read(call, When::Always, false)? == number.expected;
            let kept = call.machine.memory.read(sleepers.kept().byte, 8);
            if sleeps {
                sleepers.check_bit(call, kept)?;
            }
            let after = if sleeps { kept | bit(call.thread) } else { kept };
            let action = sleepers.action(Op::Write).ordered(MemoryOrdering::Release);
            call.perform(action.performed(LOCKED, after), sleepers.probe());
            call.machine.write(call.thread, sleepers.spot, 8, after);
            match sleeps {
                true => Err(sleep(call, &sleepers)),
                false => fail(call, EAGAIN),
            }
        }
        _ => {
            let action = sleepers.change(call).ordered(MemoryOrdering::Acquire);
            call.turn(action, sleepers.probe())?;
            let before = sleepers.bits(call);
            call.perform(action.performed(before, LOCKED), sleepers.probe());
            call.machine.write(call.thread, sleepers.kept(), 8, before);
            call.machine.write(call.thread, sleepers.spot, 8, LOCKED);
            call.set_phase(COMPARES);
            Err(Stop::Again)
        }
    }
}

/// Wakes one of the threads that sleep, or all.
fn wake(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give(0);
    if needs_no_wake(call) {
        return Ok(());
    }
    let most = call.int(3) & u64::from(u32::MAX);
    let sleepers = Sleepers::of(call)?;
    let action = sleepers.change(call);
    let action = if most == 1 { action.ways(Ways::PerBit) } else { action };
    call.turn(action, sleepers.probe())?;
    let (before, own) = (sleepers.bits(call), sleepers.own(call));
    let woken = match most {
        1 => {
            let mut left = before;
            for _ in 0..call.machine.choice {
                left &= left.wrapping_sub(1);
            }
            let chosen = left & left.wrapping_neg();
            if chosen & own == 0 && (own != 0 || call.machine.choice > 0) {
                // The schedule has picked a thread that sleeps on another futex.
                call.machine.threads[call.thread].state.status = Status::Stopped;
                call.machine.fail_assumption();
                return Err(Stop::Over);
            }
            chosen & own
        }
        _ if u64::from(own.count_ones()) <= most => own,
        _ => {
            let message = format!(
                "{most} of {} threads that wait on a futex are woken, which is not supported: wake \
                 one, or all",
                own.count_ones()
            );
            return Err(call.violation(ViolationKind::Unsupported, message));
        }
    };
    let (op, after) = (action.op_at(before), before & !woken);
    call.perform(Action { op, ..action }.performed(before, after), sleepers.probe());
    call.machine.write(call.thread, sleepers.spot, 8, after);
    for thread in 0..call.machine.threads.len() {
        let sleeps = call.machine.threads[thread].state.status == Status::Waiting(sleepers.futex);
        if sleeps && woken & bit(thread) != 0 {
            call.machine.release(call.thread, thread);
        }
    }
    call.give(u64::from(woken.count_ones()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_member;

    #[test]
    fn members_of_both_libraries() {
        for symbol in [
            "_ZNKSt5latch4waitEv",
            "_ZNSt18__atomic_semaphore10_M_acquireEv",
            "_ZNSt3__15latch10count_downEl",
            "_ZNSt3__123__atomic_semaphore_base7releaseEl",
        ] {
            assert!(is_member(symbol), "{symbol}");
        }
    }

    #[test]
    fn other_functions() {
        for symbol in [
            "main",
            "_ZNKSt13__atomic_baseIiE4waitEiSt12memory_order",
            "_ZNSt6thread8_InvokerISt5tupleIJPFvRSt5latchEEEE6_M_runEv",
            "_ZN2my5latch4waitEv",
        ] {
            assert!(!is_member(symbol), "{symbol}");
        }
    }
}
