//! The kernel: runs a closure and its threads as coroutines under a scheduler's control.
//!
//! A process of the program is a coroutine. A *visible operation* of it
//!
//! 1. says what it is about to do ([`Operation::turn`]), and suspends;
//! 2. once the scheduler has picked it, does so to the state of its object and says how it went
//!    ([`Runtime::perform`]);
//! 3. runs on, as part of the same step, up to the next visible operation.
//!
//! Everything else is local. Threads are created without a step, and start in the step that
//! created them; who waits for another one's end goes on in the step in which that one ends.
//!
//! # How a primitive is written
//!
//! ```ignore
//! pub fn load(&self) -> u64 {
//!     let site = Location::caller();
//!     if !rt::alive() {
//!         return 0; // the execution is being torn down: be harmless
//!     }
//!     let object = self.object.id("Atomic", 0);
//!     let on = Location::whole(object);
//!     if Operation::new("load", site).action(Action::new(Op::Read, on)).turn().is_none() {
//!         return 0;
//!     }
//!     rt::with(|rt| {
//!         let value = rt.value(object);
//!         rt.perform(Action::new(Op::Read, on).performed(value, value));
//!         rt.log(site, |rt| format!("{}.load() → {value}", rt.object_name(object)));
//!         value
//!     })
//! }
//! ```
//!
//! A closure given to [`with`] must neither suspend nor run code of the user.
//!
//! # Where a process is suspended
//!
//! A processor predicts where a function returns to from where it was called. After a switch it is
//! wrong about every frame that was entered before, and about the switch back: that costs more than
//! the switch itself. So operations that are called often suspend in their own frame
//! ([`Operation::turn_here`]), and atomics, mutexes, channels and actors in that of the user's code
//! ([`Operation::begin`]). For the same reason there is one frame only between an explorer and the
//! coroutine that it resumes.

mod abort;
mod actors;
mod ahead;
mod awaits;
mod blocking;
mod confined;
#[cfg(unix)]
mod crash;
mod departures;
mod ending;
mod events;
mod fingerprint;
mod finished;
mod history;
mod iteration;
mod kept;
mod leave;
mod leftover;
mod local_state;
mod locals;
mod machine;
#[cfg(test)]
pub(crate) mod mutation;
mod names;
mod object;
mod operation;
mod overflow;
mod panics;
mod process;
mod program;
mod quiet;
mod recording;
mod replay;
mod resources;
mod run_out;
mod runtime;
mod saved;
mod schedule;
mod seeing;
mod shared;
mod spin;
mod stack;
mod start;
mod teardown;
#[cfg(test)]
mod tests;
mod twins;
mod watchdog;

use std::cell::Cell;
use std::ptr;

pub(crate) use actors::{Ended, Tell, Watcher};
pub(crate) use awaits::suspend_in_loop;
#[allow(unused_imports, reason = "for condition variables")]
pub(crate) use blocking::{Waiting, wait_for_release};
pub(crate) use blocking::{join, stop_for_ever, wait_for_end};
pub(crate) use confined::Confined;
pub(crate) use departures::{
    arrivals_commute, ends_are_watched, hangs_up_unwatched, watch_arrivals, watch_ends,
    watch_hangups,
};
pub(crate) use fingerprint::Fingerprint;
pub(crate) use finished::is_finished;
pub(crate) use iteration::{Functions, Known as KnownIteration, MAGIC};
pub(crate) use leave::run;
pub(crate) use leftover::{Heir, leave_behind};
pub(crate) use machine::RustMachine;
#[cfg(test)]
pub(crate) use mazurka_report::LineKind;
pub(crate) use names::Own;
pub(crate) use object::ObjectCell;
pub(crate) use operation::{Blocker, Operation, Suspension, look_at, turn_taken};
pub(crate) use process::{Handle, Site};
pub(crate) use program::{Main, RustProgram};
#[cfg(test)]
pub(crate) use recording::replay_recorded;
pub(crate) use resources::{
    Initialising, Scrutiny, count, identity_matters, look_at_count, memory, quietly, uncount,
    watched_count, without_operations,
};
pub(crate) use runtime::{Runtime, Tuning};
pub(crate) use seeing::{fence, fence_here, in_present, pointer_of_bits, pointer_to_bits};
pub(crate) use shared::{AnyShared, Retire, Shared};
pub(crate) use spin::{yield_here, yield_now};
pub(crate) use start::{discard, end_of_panicked, spawn};
pub(crate) use teardown::{abandon, is_teardown};
pub(crate) use twins::{pair_twins, tell_twins_apart};

thread_local! {
    /// The runtime whose step this OS thread is in.
    static CURRENT: Cell<*mut Runtime> = const { Cell::new(ptr::null_mut()) };
}

/// Gives access to the runtime of the current step.
///
/// `f` must neither suspend nor run code of the user: either could come back here.
///
/// Always inlined: most of what is done in this way takes no longer than a call.
///
/// # Panics
///
/// Outside of a check.
#[inline(always)]
#[track_caller]
pub(crate) fn with<R>(f: impl FnOnce(&mut Runtime) -> R) -> R {
    let runtime = CURRENT.get();
    if runtime.is_null() {
        outside();
    }
    // SAFETY: the pointer is set for the duration of a step only, during which the machine that
    // owns the runtime keeps it alive and holds no reference into it while a coroutine runs. Of
    // two calls of `with` on this OS thread none is inside the other, as `f` runs nothing that
    // could call it.
    f(unsafe { &mut *runtime })
}

/// Calls `f` with the runtime, or returns `None` outside of a check.
#[inline]
pub(crate) fn try_with<R>(f: impl FnOnce(&mut Runtime) -> R) -> Option<R> {
    match CURRENT.get().is_null() {
        true => None,
        false => Some(with(f)),
    }
}

/// Whether this code runs in a process of a check.
#[inline]
pub(crate) fn is_inside() -> bool {
    !CURRENT.get().is_null()
}

/// Whether an operation may go on as usual. The first thing that every operation asks.
///
/// `false` means that the execution is being torn down while this process unwinds: the operation
/// must return something harmless and do nothing. If the process does not unwind yet, this
/// does not return, but makes it.
///
/// # Panics
///
/// Outside of a check, unless this OS thread panics already: in a destructor, or in the message of that
/// panic, another panic would abort the test process.
#[inline]
#[track_caller]
pub(crate) fn alive() -> bool {
    if !is_inside() && std::thread::panicking() {
        return false;
    }
    if with(|rt| rt.dead || rt.is_restricted()) {
        resources::refuse_operation();
        if with(|rt| rt.dead) {
            leave::leave();
            return false;
        }
    }
    true
}

#[cold]
#[track_caller]
fn outside() -> ! {
    panic!(
        "Mazurka's threads, locks, atomics and cells work only inside of `mazurka::check`: move \
         this into the closure that you check, or use the type of the same name from `std` for \
         what is shared between executions"
    );
}

/// While it exists, this OS thread is in a step of a runtime.
struct Entered {
    before: *mut Runtime,
}

impl Entered {
    fn new(runtime: *mut Runtime) -> Self {
        Entered { before: CURRENT.replace(runtime) }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.before);
    }
}
