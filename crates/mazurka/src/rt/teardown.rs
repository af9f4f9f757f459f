//! Ending an execution whose processes have not ended: a deadlock, or one that was cut short.
//!
//! Every coroutine is unwound, so that the values on its stack are dropped and the stack can be used
//! again. Each is resumed once more with the `dead` flag set. The operation that it is at then panics
//! silently ([`Teardown`]), and so does every operation that the process calls after it has caught that
//! panic. If unwinding would run no code, it is skipped ([`leave`](super::leave)). For destructors, the
//! thread does not panic ([`quiet`]).
//!
//! Destructors that run meanwhile may call operations. These must not panic, since that would abort the
//! program. They act on the current values, without a step. A process that does not end in this way is
//! abandoned: what is on its stack is never dropped.

use std::any::Any;
use std::collections::VecDeque;
use std::mem::ManuallyDrop;
use std::panic::resume_unwind;

use super::operation::suspend;
use super::process::{Quiet, State, Thread};
use super::runtime::NO_EVENT;
use super::stack::Stack;
use super::{Runtime, quiet, schedule, with};

/// What unwinds a process that is torn down.
struct Teardown;

/// Operations that a dying process may call before it is taken for one that never ends.
const PATIENCE: u32 = 10_000;

/// Returns whether a panic is that of a teardown, and no fault of the program.
pub(crate) fn is_teardown(payload: &(dyn Any + Send)) -> bool {
    payload.is::<Teardown>()
}

/// What a process that is torn down panics with.
pub(super) fn payload() -> Box<dyn Any + Send> {
    Box::new(Teardown)
}

/// Begins to unwind a process that is torn down, in the frame of the caller: the unwinder goes through
/// every frame several times.
#[inline(always)]
pub(super) fn unwind() -> ! {
    if with(|rt| rt.unwinds_alone()) {
        quiet::prepare();
    }
    // Dropped before any value of the program.
    let _quieten = Quieten;
    resume_unwind(payload());
}

/// Lets the unwinding that drops it not count as a panic.
struct Quieten;

impl Drop for Quieten {
    #[inline(never)]
    fn drop(&mut self) {
        if with(|rt| rt.unwinds_alone()) && quiet::lift() {
            with(|rt| rt.processes[rt.current].quiet = Quiet::Yes);
        }
    }
}

/// The current process has been unwound, and its panic was caught.
pub(super) fn end_of_unwinding() {
    let is_quiet = with(|rt| {
        let current = rt.current;
        rt.unwinds_alone()
            && std::mem::replace(&mut rt.processes[current].quiet, Quiet::No) != Quiet::No
    });
    if is_quiet {
        quiet::put_back();
    }
}

/// Whether an operation of a dying process is one of a destructor, and must do nothing.
#[cold]
pub(super) fn may_do_nothing() -> bool {
    if with(|rt| rt.current == NO_EVENT) {
        // What the execution has left behind is being dropped.
        return true;
    }
    let (quiet, unwinding, tired) = with(|rt| {
        let unwinding = rt.is_unwinding();
        let current = rt.current;
        let process = &mut rt.processes[current];
        process.dying += 1;
        process.panicked = true;
        (process.quiet, unwinding, process.dying > PATIENCE)
    });
    if tired {
        abandon();
    }
    match quiet {
        Quiet::No => unwinding,
        Quiet::Yes => quiet::is_unwinding(),
        // It may be in a destructor, in which another panic would abort the program.
        Quiet::Disturbed => true,
    }
}

/// Never runs the current process again. For an operation of a dying process that has nothing
/// to return.
pub(crate) fn abandon() -> ! {
    loop {
        with(|rt| {
            let current = rt.current;
            rt.processes[current].state = State::Ended;
            rt.processes[current].is_abandoned = true;
            rt.processes[current].locals.clear_without_drop();
            rt.processes[current].watchers.clear_without_drop();
            std::mem::forget(rt.processes[current].mailbox.take());
        });
        suspend();
    }
}

/// Emptying a list whose items must not be dropped.
trait ClearWithoutDrop {
    fn clear_without_drop(&mut self);
}

impl<T> ClearWithoutDrop for Vec<T> {
    fn clear_without_drop(&mut self) {
        self.drain(..).for_each(std::mem::forget);
    }
}

/// So many coroutines of earlier executions are left alone. The number of mappings that a program may have is
/// limited, and each stack takes two.
const MOST_ABANDONED: usize = 1_000;

/// The coroutines of abandoned processes, with everything on their stacks. Something may still point there, for
/// example a list in a `static`.
#[derive(Default)]
pub(super) struct Abandoned(VecDeque<ManuallyDrop<Thread>>);

impl Abandoned {
    /// Adds a coroutine, which must never run again.
    pub(super) fn push(&mut self, thread: Thread) {
        self.0.push_back(ManuallyDrop::new(thread));
    }

    /// An execution begins. Returns a stack that was abandoned long before it, if there are many.
    #[inline]
    pub(super) fn reuse(&mut self) -> Option<Stack> {
        if self.0.len() <= MOST_ABANDONED {
            return None;
        }
        let mut oldest = ManuallyDrop::into_inner(self.0.pop_front()?);
        // SAFETY: the coroutine never runs again. The values on its stack are lost without being dropped, which is
        // safe, and scoped threads that borrow from them have ended with its execution.
        unsafe { oldest.force_reset() };
        Some(oldest.into_stack())
    }
}

/// Ends every process of the current execution.
///
/// # Safety
///
/// `rt` is valid and entered, and no reference into it exists.
pub(super) unsafe fn tear_down(rt: *mut Runtime) {
    // The last one first: a scoped thread borrows from the stack of the one that created it.
    let mut left = {
        // SAFETY: as the caller promises; the reference ends before a coroutine runs.
        let rt = unsafe { &mut *rt };
        let is_there = |process: &usize| rt.processes[*process].thread.borrow().is_some();
        let Some(last) = rt.created.iter().rposition(is_there) else { return };
        rt.dead = true;
        rt.performed = None;
        if std::thread::panicking() && rt.unwinding_elsewhere == 0 {
            // The caller of the check unwinds through a machine.
            rt.unwinding_elsewhere = 1;
        }
        last + 1
    };
    while left > 0 {
        left -= 1;
        // SAFETY: as the caller promises; the reference ends at once.
        let process = unsafe { &mut *rt }.created[left];
        // SAFETY: as the caller promises. A process that has ended has no coroutine.
        unsafe { schedule::resume(rt, process) };
        // SAFETY: as above.
        let rt = unsafe { &mut *rt };
        if rt.unwinds_alone() {
            quiet::put_back();
            rt.has_lost_panics = false;
        }
        let slot = &mut rt.processes[process];
        if let Some(thread) = slot.thread.take() {
            // Operations of a dying process do not suspend: a mistake in one of them, then, but
            // not one to crash for.
            debug_assert!(false, "an operation has suspended in a teardown");
            slot.state = State::Ended;
            rt.abandoned.push(thread);
        }
    }
}
