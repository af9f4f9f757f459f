//! Time that may pass at any moment.
//!
//! A task that waits with a timer need not be woken: its wait can always take its step, and without a
//! wake-up it is the earliest timer that ends the wait. So a timer costs no process and no step of its own.
//!
//! The timers of one task fire in the order of their deadlines. For this, each process has a clock of its
//! own, which its timers move forward. Timers of different tasks fire in any order: how long code takes to
//! run is not known.

use std::cell::RefCell;
use std::future::Future;
use std::panic::Location as SourceLocation;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mazurka_core::model::{Action, Location, Op, ProcessId};

use crate::rt::{self, ObjectCell, Operation, Site};

/// The clock of a process, and the timers that it waits for.
struct Clock {
    process: ProcessId,
    execution: u64,
    now: Duration,
    timers: Vec<Timer>,
}

/// A timer that a poll has found pending.
struct Timer {
    number: u64,
    deadline: Duration,
    waker: Waker,
}

/// The clocks of the processes of an execution, which all run on one OS thread.
struct Clocks {
    clocks: Vec<Clock>,
    /// The number of the last timer.
    last: u64,
}

thread_local! {
    static CLOCKS: RefCell<Clocks> = const { RefCell::new(Clocks { clocks: Vec::new(), last: 0 }) };
}

impl Clocks {
    /// Returns the clock of the current process.
    fn current(&mut self) -> &mut Clock {
        let (process, execution) = rt::with(|rt| (rt.current(), rt.execution()));
        let clocks = &mut self.clocks;
        clocks.retain(|clock| clock.execution == execution);
        let known = clocks.iter().position(|clock| clock.process == process);
        let index = known.unwrap_or_else(|| {
            clocks.push(Clock { process, execution, now: Duration::ZERO, timers: Vec::new() });
            clocks.len() - 1
        });
        &mut clocks[index]
    }

    /// Forgets a timer, and returns it: to drop its waker may run code of the user.
    fn remove(&mut self, number: u64) -> Option<Timer> {
        self.clocks.iter_mut().find_map(|clock| {
            let index = clock.timers.iter().position(|timer| timer.number == number)?;
            Some(clock.timers.swap_remove(index))
        })
    }
}

/// Returns the time on the clock of the current process.
#[track_caller]
fn now() -> Duration {
    CLOCKS.with_borrow_mut(|clocks| clocks.current().now)
}

/// Returns whether the current process waits for a timer.
pub(super) fn has_timer() -> bool {
    CLOCKS
        .with_borrow_mut(|clocks| !clocks.clocks.is_empty() && !clocks.current().timers.is_empty())
}

/// Lets the earliest timer of the current process fire.
#[track_caller]
pub(super) fn fire(site: Site) {
    let (passed, fired) = CLOCKS.with_borrow_mut(|clocks| {
        let clock = clocks.current();
        let earliest = clock.timers.iter().map(|timer| timer.deadline).min();
        let next = earliest.unwrap_or(clock.now).max(clock.now);
        let fired: Vec<_> = clock.timers.extract_if(.., |timer| timer.deadline <= next).collect();
        (next - std::mem::replace(&mut clock.now, next), fired)
    });
    pass(passed, site);
    for timer in fired {
        timer.waker.wake();
    }
}

/// The time that has passed in the execution, in nanoseconds. Additions commute, so that only those who look
/// at the time are ordered with timers.
static ELAPSED: ObjectCell = ObjectCell::new();

/// Lets time pass, as a step.
#[track_caller]
fn pass(time: Duration, site: Site) {
    if !rt::alive() {
        return;
    }
    let object = ELAPSED.id("clock", 0);
    let action = Action::new(Op::Add, Location::whole(object));
    if Operation::new("time passes", site).action(action).turn().is_some() {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        rt::with(|rt| {
            let before = rt.value(object);
            // A task that does nothing but wait for timers spins, although time passes.
            rt.perform_unnoticed(action.performed(before, before.saturating_add(time)));
            rt.log(site, |_| "time passes".to_owned());
        });
    }
}

/// Returns how much time has passed since the execution began. Time passes only when a timer fires.
#[track_caller]
pub fn elapsed() -> Duration {
    let site = SourceLocation::caller();
    if !rt::alive() {
        return Duration::ZERO;
    }
    let object = ELAPSED.id("clock", 0);
    let action = Action::new(Op::Read, Location::whole(object));
    if Operation::new("now", site).action(action).turn().is_none() {
        return Duration::ZERO;
    }
    rt::with(|rt| {
        let value = rt.value(object);
        rt.perform(action.performed(value, value));
        let now = Duration::from_nanos(value);
        rt.log(site, |_| format!("now() → {now:?}"));
        now
    })
}

/// Returns a future that is ready after some time. That may be at any moment, but of two timers of a task
/// the one with the earlier deadline fires first.
///
/// ```
/// use mazurka::future;
/// use std::time::Duration;
///
/// mazurka::check(|| future::block_on(future::sleep(Duration::from_secs(3600))));
/// ```
#[track_caller]
pub fn sleep(duration: Duration) -> Sleep {
    let deadline = now().saturating_add(duration);
    let number = CLOCKS.with_borrow_mut(|clocks| {
        clocks.last += 1;
        clocks.last
    });
    Sleep { number, deadline, is_over: false, is_registered: false }
}

/// The future of [`sleep`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Sleep {
    number: u64,
    deadline: Duration,
    is_over: bool,
    is_registered: bool,
}

impl Sleep {
    /// Starts the timer again, from now.
    #[track_caller]
    pub fn reset(&mut self, duration: Duration) {
        self.set_deadline(now().saturating_add(duration));
    }

    /// Starts the timer again, from its last deadline.
    pub fn restart(&mut self, duration: Duration) {
        self.set_deadline(self.deadline.saturating_add(duration));
    }

    fn set_deadline(&mut self, deadline: Duration) {
        self.deregister();
        self.deadline = deadline;
        self.is_over = false;
    }

    /// Returns whether the timer is over on the clock of the current task. This is not a step.
    #[track_caller]
    pub fn is_over(&self) -> bool {
        self.is_over || self.deadline <= now()
    }

    /// Returns how much time is left on the clock of the current task. This is not a step.
    #[track_caller]
    pub fn remaining(&self) -> Duration {
        self.deadline.saturating_sub(now())
    }

    fn deregister(&mut self) {
        if std::mem::take(&mut self.is_registered) {
            drop(CLOCKS.try_with(|clocks| clocks.borrow_mut().remove(self.number)));
        }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.deregister();
        self.is_over = self.is_over();
        if self.is_over {
            return Poll::Ready(());
        }
        let (number, deadline) = (self.number, self.deadline);
        let timer = Timer { number, deadline, waker: context.waker().clone() };
        CLOCKS.with_borrow_mut(|clocks| clocks.current().timers.push(timer));
        self.is_registered = true;
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.deregister();
    }
}
