//! The scheduler's side: resuming coroutines.

use std::rc::Rc;

use mazurka_core::model::Action;
use mazurka_core::verdict::Violation;

use super::Runtime;
use super::process::{State, Thread};
use super::runtime::NO_EVENT;

/// Starts an execution: runs the main process, and whatever it creates, up to the first visible
/// operations.
///
/// # Safety
///
/// `rt` is valid and entered, no reference into it exists, and `main` stays valid until the
/// execution has been torn down.
#[inline(always)]
pub(super) unsafe fn begin(rt: *mut Runtime, main: *const dyn Fn()) -> std::io::Result<()> {
    {
        // SAFETY: as the caller promises; the reference ends before a coroutine runs.
        let rt = unsafe { &mut *rt };
        rt.clear();
        // SAFETY: as the caller promises.
        unsafe { rt.create_main(main) }?;
    }
    // SAFETY: as the caller promises; the reference ends before a coroutine runs.
    let main = unsafe { &mut *rt }.runnable.pop_front();
    // SAFETY: as the caller promises.
    unsafe { run(rt, main) };
    Ok(())
}

/// Takes a step of an enabled process.
///
/// # Safety
///
/// `rt` is valid and entered, and no reference into it exists.
#[inline(always)]
pub(super) unsafe fn step(rt: *mut Runtime, process: usize, choice: u32) {
    {
        // SAFETY: as the caller promises; the reference ends before a coroutine runs.
        let rt = unsafe { &mut *rt };
        rt.begin_step(process, choice);
    }
    // SAFETY: as the caller promises.
    unsafe { run(rt, Some(process)) };
    // SAFETY: as the caller promises; the coroutines are suspended again.
    let rt = unsafe { &mut *rt };
    if let Some(when) = rt.awaits.awaited.take()
        && let Some(first) = rt.performed().and_then(|performed| performed.actions.first_mut())
    {
        *first = Action { when, ..first.awaiting() };
    }
    if !rt.guards.is_empty() {
        let mut guards = std::mem::take(&mut rt.guards);
        if let Some(performed) = rt.performed() {
            performed.actions.append(&mut guards);
        }
        rt.guards = guards;
    }
}

/// Takes the steps again that are to be taken again.
///
/// # Safety
///
/// As for [`step`].
///
/// # Errors
///
/// If one of them is not what it was.
pub(super) unsafe fn replay(rt: *mut Runtime) -> Result<(), Box<Violation>> {
    // SAFETY: as the caller promises; the reference ends before a coroutine runs.
    while let Some(process) = unsafe { &mut *rt }.begin_next_again() {
        // SAFETY: as the caller promises.
        unsafe { run(rt, Some(process?)) };
    }
    Ok(())
}

/// Runs the first process, and then the other processes that run in this step.
///
/// Always inlined, as is [`resume`]: a process that begins or ends leaves the processor with wrong
/// ideas about the frames that the scheduler has yet to return from.
///
/// # Safety
///
/// As for [`step`].
#[inline(always)]
unsafe fn run(rt: *mut Runtime, first: Option<usize>) {
    let mut next = first;
    while let Some(process) = next {
        // SAFETY: as the caller promises.
        unsafe { resume(rt, process) };
        // SAFETY: as the caller promises; the reference ends at once.
        let rt = unsafe { &mut *rt };
        next = match rt.ahead {
            None => rt.runnable.pop_front(),
            Some(_) => rt.resumes_ahead(process).then_some(process),
        };
    }
}

/// Runs a process until it suspends or ends.
///
/// # Safety
///
/// As for [`step`].
#[inline(always)]
pub(super) unsafe fn resume(rt: *mut Runtime, process: usize) {
    // SAFETY: as the caller promises; the reference ends at once.
    let seat = Rc::as_ptr(&unsafe { &*rt }.processes[process].thread);
    // SAFETY: the process keeps its seat. Its slot may be moved while the coroutine runs, but not the
    // seat, and slots are dropped only when all coroutines have ended.
    let mut thread = unsafe { &*seat }.borrow_mut();
    let Some(coroutine) = thread.as_mut() else { return };
    {
        // SAFETY: as the caller promises; the reference ends before the coroutine runs.
        let rt = unsafe { &mut *rt };
        rt.current = process;
        rt.pulse.resume(&rt.processes[process]);
    }
    coroutine.resume(());
    // SAFETY: as the caller promises; the coroutine is suspended or has ended.
    let rt = unsafe { &mut *rt };
    rt.current = NO_EVENT;
    rt.pulse.rest();
    if rt.processes[process].state == State::Ended {
        rt.end_coroutine(process, &mut thread);
    }
    // A teardown does that itself.
    if !rt.dead {
        rt.settle_panics();
    }
}

impl Runtime {
    /// A process has ended, and this was its coroutine.
    #[inline(never)]
    fn end_coroutine(&mut self, process: usize, seat: &mut Option<Thread>) {
        let slot = &mut self.processes[process];
        if let Some(thread) = seat.as_mut().filter(|_| !slot.is_abandoned) {
            // SAFETY: it is suspended at the end of what it had to do, where everything that was on its
            // stack has been dropped.
            unsafe { thread.force_reset() };
        }
        let Some(thread) = seat.take() else { return };
        if !slot.is_abandoned {
            self.stacks.push(thread.into_stack());
            return;
        }
        // It must never run again. What is on its stack is not dropped.
        if std::mem::take(&mut slot.suspended_unwinding) {
            self.unwinding_elsewhere -= 1;
        }
        self.abandoned.push(thread);
        self.has_lost_panics = true;
    }
}
