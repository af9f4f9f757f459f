//! Clocks, and waits that end at a deadline.
//!
//! Time may pass at any moment, and never goes back. The clock is a word of memory: the nanoseconds
//! since the program started. Reading it is an action with two ways to go. Either no time has passed
//! since the clock was read last by any thread, or more has passed than any deadline allows for
//! ([`LONG`]). A thread that sleeps, or whose wait times out, moves the clock to the end of that.
//!
//! So a deadline may have passed or not whenever a program asks, and a program that waits for one by
//! reading the clock in a loop leaves that loop. No time passes more than [`MOST_STILL`] times at the
//! same place of a thread: otherwise such a loop would have endless executions.
//!
//! Programs that never read a clock cannot tell when a wait ended. For them there is no clock, and
//! sleeping and timing out are no actions on it.

use mazurka_core::model::{Action, Location, Machine, MemoryOrdering, Op, Ways};
use mazurka_core::verdict::ViolationKind;

use super::cancel::point;
use super::own_table;
use crate::bytecode::own_words::STILL;
use crate::machine::thread::Probe;
use crate::machine::{Call, Run, Stop};
use crate::memory::Spot;

const SECOND: u64 = 1_000_000_000;
/// How far the clock moves when time passes: a year.
const LONG: u64 = 365 * 24 * 3600 * SECOND;
/// Where the clock stops, before it overflows in `std::chrono`: some 200 years.
const LATEST: u64 = 200 * LONG;
/// What the clock of the calendar shows at the start of the program, in the year 2023.
const CALENDAR: u64 = 1_700_000_000 * SECOND;
/// What other clocks show then: some time after the machine was started.
const UPTIME: u64 = 1_000 * SECOND;
/// How often no time passes at one place of a thread, at most.
const MOST_STILL: u64 = 2;

/// The number of the clock of the calendar; all others only measure.
const REALTIME: u64 = 0;
const MONOTONIC: u64 = 1;
/// For `clock_nanosleep`: until, not for.
const ABSOLUTE: u64 = 1;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("time", time),
    ("gettimeofday", gettimeofday),
    ("clock_gettime", clock_gettime),
    ("timespec_get", timespec_get),
    ("clock", clock),
    ("__mazurka_now", now),
    ("__mazurka_time_out", time_out_at),
    ("clock_getres", clock_getres),
    ("sleep", |call| point(call, |call| sleep(call, SECOND))),
    ("usleep", |call| point(call, |call| sleep(call, 1_000))),
    ("nanosleep", |call| point(call, |call| sleep_for(call, 0))),
    ("thrd_sleep", |call| sleep_for(call, 0)),
    ("clock_nanosleep", |call| point(call, clock_nanosleep)),
    ("poll", poll),
];

/// Returns whether a library function reads the clock.
pub(crate) fn reads_clock(name: &str) -> bool {
    let readers =
        ["time", "gettimeofday", "clock_gettime", "timespec_get", "clock", "__mazurka_now"];
    readers.contains(&name)
}

/// The word that the clock is.
struct Clock {
    spot: Spot,
    location: Location,
    /// Whether the program is checked under a memory model.
    is_ordered: bool,
}

impl Clock {
    /// Returns the clock, if the program reads it.
    fn of(call: &mut Call<'_>) -> Result<Option<Self>, Stop> {
        match call.machine.clock() {
            Some(address) => {
                let (spot, location) = call.object(address, 8)?;
                let is_ordered = call.machine.has_memory_orderings();
                Ok(Some(Clock { spot, location, is_ordered }))
            }
            None => Ok(None),
        }
    }

    fn action(&self, op: Op) -> Action {
        let action = Action::new(op, self.location);
        match self.is_ordered {
            // A look at the clock synchronises with nothing.
            true => action.ordered(MemoryOrdering::Relaxed),
            false => action,
        }
    }

    fn probe(&self) -> Probe {
        Probe { byte: self.spot.byte, len: 8 }
    }

    fn get(&self, call: &Call<'_>) -> u64 {
        call.machine.memory.read(self.spot.byte, 8)
    }

    /// Reads the clock, or sets it if that is later, as an action of the current step.
    fn move_to(&self, call: &mut Call<'_>, time: u64) {
        let before = self.get(call);
        let after = before.max(time.min(LATEST));
        let op = if before == after { Op::Read } else { Op::Update };
        call.perform(self.action(op).performed(before, after), self.probe());
        call.machine.write(call.thread, self.spot, 8, after);
    }
}

/// Returns the time since the program started. Some may pass before.
fn elapsed(call: &mut Call<'_>) -> Result<u64, Stop> {
    let Some(clock) = Clock::of(call)? else { return Ok(0) };
    // Before it is read for the first time, no thread can tell whether time has passed.
    let is_first = clock.get(call) == 0 && !call.machine.memory.is_shared();
    let passes = match () {
        () if is_first => false,
        // Nothing happens within an atomic section, not even that.
        () if call.is_in_atomic_section() => {
            call.turn(clock.action(Op::Read), clock.probe())?;
            false
        }
        () if has_stood_still(call)? => {
            call.turn(clock.action(Op::Update), clock.probe())?;
            true
        }
        () if call.machine.memory.is_shared() => {
            call.turn(clock.action(Op::Update).ways(Ways::MayFail), clock.probe())?;
            call.machine.choice == 0
        }
        () => call.choose(2)? == 0,
    };
    let before = clock.get(call);
    clock.move_to(call, if is_first { 1 } else { before + if passes { LONG } else { 0 } });
    if !is_first {
        note_still(call, !passes)?;
    }
    Ok(clock.get(call))
}

/// Returns the address of how often in a row no time has passed here.
fn still(call: &mut Call<'_>) -> Result<u64, Stop> {
    let place = u64::from(call.own_place()) + 1;
    own_table::count(call, STILL, place)
}

/// Returns whether so often no time has passed here that now some must.
fn has_stood_still(call: &mut Call<'_>) -> Result<bool, Stop> {
    let count = still(call)?;
    Ok(call.read(count, 8)? >= MOST_STILL)
}

fn note_still(call: &mut Call<'_>, is_still: bool) -> Result<(), Stop> {
    let count = still(call)?;
    let so_far = call.read(count, 8)?;
    call.write(count, 8, if is_still { so_far + 1 } else { 0 })
}

/// A wait with a time limit is over, and has `timed_out` or not: then it is as late as the
/// `deadline`. This is a part of the step in which that was found out.
pub(super) fn wait_ended(
    call: &mut Call<'_>,
    timed_out: bool,
    deadline: Deadline,
) -> Result<(), Stop> {
    let Some(clock) = Clock::of(call)? else { return Ok(()) };
    let time = if timed_out { deadline.since_start(call)? } else { 0 };
    clock.move_to(call, time);
    Ok(())
}

/// Until when to wait.
#[derive(Clone, Copy)]
pub(super) enum Deadline {
    /// The `timespec` at this address, on that clock.
    At(u64, u64),
    /// So many nanoseconds from now.
    After(u64),
}

impl Deadline {
    /// Returns a deadline by the calendar: what the argument with this index points to.
    pub(super) fn calendar(call: &Call<'_>, index: usize) -> Self {
        Deadline::At(call.pointer(index), REALTIME)
    }

    /// Returns the deadline that is as far away as the `timespec` at an address says.
    pub(super) fn for_timespec(call: &mut Call<'_>, address: u64) -> Result<Self, Stop> {
        Ok(Deadline::After(timespec(call, address)?))
    }

    fn since_start(self, call: &mut Call<'_>) -> Result<u64, Stop> {
        Ok(match self {
            Deadline::At(address, clock) => {
                let time = timespec(call, address)?;
                time.saturating_sub(start_of(clock))
            }
            Deadline::After(time) => match Clock::of(call)? {
                Some(clock) => clock.get(call).saturating_add(time),
                None => 0,
            },
        })
    }
}

/// Reads a `timespec`, in nanoseconds.
fn timespec(call: &mut Call<'_>, address: u64) -> Result<u64, Stop> {
    let seconds = call.read(address, 8)?;
    let rest = call.read(address.wrapping_add(8), 8)?;
    Ok(nanoseconds(seconds as i64, rest as i64))
}

fn nanoseconds(seconds: i64, rest: i64) -> u64 {
    (seconds.max(0) as u64).saturating_mul(SECOND).saturating_add(rest.max(0) as u64)
}

/// Returns what a clock shows at the start of the program.
fn start_of(clock: u64) -> u64 {
    if clock == REALTIME { CALENDAR } else { UPTIME }
}

fn now(call: &mut Call<'_>) -> Result<(), Stop> {
    let time = start_of(call.int(0)) + elapsed(call)?;
    call.give(time);
    Ok(())
}

/// Writes seconds and a rest, in parts of a second of so many nanoseconds.
fn write_time(call: &mut Call<'_>, address: u64, time: u64, part: u64) -> Result<(), Stop> {
    call.write(address, 8, time / SECOND)?;
    call.write(address.wrapping_add(8), 8, time % SECOND / part)
}

fn time(call: &mut Call<'_>) -> Result<(), Stop> {
    let seconds = (CALENDAR + elapsed(call)?) / SECOND;
    if call.pointer(0) != 0 {
        call.write(call.pointer(0), 8, seconds)?;
    }
    call.give(seconds);
    Ok(())
}

fn gettimeofday(call: &mut Call<'_>) -> Result<(), Stop> {
    let time = CALENDAR + elapsed(call)?;
    call.give(0);
    write_time(call, call.pointer(0), time, 1_000)
}

fn clock_gettime(call: &mut Call<'_>) -> Result<(), Stop> {
    let time = start_of(call.int(0) & 0xFFFF_FFFF) + elapsed(call)?;
    call.give(0);
    write_time(call, call.pointer(1), time, 1)
}

fn timespec_get(call: &mut Call<'_>) -> Result<(), Stop> {
    let time = CALENDAR + elapsed(call)?;
    call.give(call.int(1));
    write_time(call, call.pointer(0), time, 1)
}

/// The time of the processor, in microseconds.
fn clock(call: &mut Call<'_>) -> Result<(), Stop> {
    let time = elapsed(call)?;
    call.give(time / 1_000);
    Ok(())
}

fn clock_getres(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give(0);
    match call.pointer(1) {
        0 => Ok(()),
        address => write_time(call, address, 1, 1),
    }
}

/// Sleeps as long as the first argument says, in units of so many nanoseconds.
fn sleep(call: &mut Call<'_>, unit: u64) -> Result<(), Stop> {
    let time = (call.int(0) & 0xFFFF_FFFF).saturating_mul(unit);
    wait_until(call, Deadline::After(time))
}

/// Sleeps as long as the `timespec` says that the argument with this index points to.
fn sleep_for(call: &mut Call<'_>, index: usize) -> Result<(), Stop> {
    let time = timespec(call, call.pointer(index))?;
    wait_until(call, Deadline::After(time))
}

/// `poll` without files sleeps.
fn poll(call: &mut Call<'_>) -> Result<(), Stop> {
    let time = u64::try_from(call.signed(2)).ok().filter(|_| call.int(1) == 0);
    let Some(time) = time else {
        let message = "`poll` waits for files, which is not supported; without files it sleeps";
        return Err(call.violation(ViolationKind::Unsupported, message));
    };
    wait_until(call, Deadline::After(time.saturating_mul(1_000_000)))
}

fn clock_nanosleep(call: &mut Call<'_>) -> Result<(), Stop> {
    match call.int(1) & ABSOLUTE {
        0 => sleep_for(call, 2),
        _ => wait_until(call, Deadline::At(call.pointer(2), call.int(0) & 0xFFFF_FFFF)),
    }
}

/// `void __mazurka_time_out(int is_steady, long seconds, long nanoseconds)`: until then.
fn time_out_at(call: &mut Call<'_>) -> Result<(), Stop> {
    let clock = if call.int(0) & 1 == 0 { REALTIME } else { MONOTONIC };
    let until = nanoseconds(call.int(1) as i64, call.int(2) as i64);
    let until = until.saturating_sub(start_of(clock));
    let Some(clock) = Clock::of(call)? else { return Ok(()) };
    let after = until.saturating_sub(clock.get(call));
    wait_until(call, Deadline::After(after))
}

fn wait_until(call: &mut Call<'_>, deadline: Deadline) -> Result<(), Stop> {
    call.give(0);
    let Some(clock) = Clock::of(call)? else { return Ok(()) };
    call.turn(clock.action(Op::Update), clock.probe())?;
    let until = deadline.since_start(call)?;
    clock.move_to(call, until);
    Ok(())
}
