//! The scheduler's side: resuming coroutines.

use std::rc::Rc;

use corosensei::CoroutineResult;
use mazurka_core::verdict::Violation;

use super::Runtime;
use super::process::{State, Thread};
use super::runtime::NOBODY;
use super::teardown;

/// Starts an execution: runs the main process, and whatever it creates, up to the first visible
/// operations.
///
/// # Safety
///
/// `rt` is valid and entered, no reference into it exists, and `main` stays valid until the
/// execution has been torn down.
pub(super) unsafe fn begin(rt: *mut Runtime, main: *const dyn Fn()) -> std::io::Result<()> {
    {
        // SAFETY: as the caller promises; the reference ends before a coroutine runs.
        let rt = unsafe { &mut *rt };
        rt.clear();
        // SAFETY: as the caller promises.
        unsafe { rt.create_main(main) }?;
    }
    // SAFETY: as the caller promises.
    unsafe { drain(rt) };
    Ok(())
}

/// Takes a step of an enabled process.
///
/// # Safety
///
/// `rt` is valid and entered, and no reference into it exists.
pub(super) unsafe fn step(rt: *mut Runtime, process: usize, choice: u32) {
    {
        // SAFETY: as the caller promises; the reference ends before a coroutine runs.
        let rt = unsafe { &mut *rt };
        rt.begin_step(process, choice);
    }
    // SAFETY: as the caller promises.
    unsafe {
        resume(rt, process);
        drain(rt);
    }
    // SAFETY: as the caller promises; the coroutines are suspended again.
    let rt = unsafe { &mut *rt };
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
        unsafe {
            resume(rt, process?);
            drain(rt);
        }
    }
    Ok(())
}

/// Runs whoever is to run in this step.
///
/// # Safety
///
/// As for [`step`].
unsafe fn drain(rt: *mut Runtime) {
    loop {
        // SAFETY: as the caller promises; the reference ends at once.
        let next = unsafe { &mut *rt }.runnable.pop_front();
        match next {
            // SAFETY: as the caller promises.
            Some(process) => unsafe { resume(rt, process) },
            None => break,
        }
    }
}

/// Runs a process until it suspends or ends.
///
/// # Safety
///
/// As for [`step`].
pub(super) unsafe fn resume(rt: *mut Runtime, process: usize) {
    // SAFETY: as the caller promises; the reference ends at once.
    let thread = Rc::clone(&unsafe { &*rt }.processes[process].thread);
    let mut thread = thread.borrow_mut();
    let Some(coroutine) = thread.as_mut() else { return };
    // SAFETY: as the caller promises; the reference ends before the coroutine runs.
    unsafe { &mut *rt }.current = process;
    let result = coroutine.resume(());
    // SAFETY: as the caller promises; the coroutine is suspended or has ended.
    let rt = unsafe { &mut *rt };
    rt.current = NOBODY;
    let slot = &mut rt.processes[process];
    match result {
        CoroutineResult::Yield(()) if slot.state != State::Ended => {}
        CoroutineResult::Yield(()) => {
            // It has given up in the middle of something, and must never run again. What is on
            // its stack is not dropped.
            if std::mem::take(&mut slot.suspended_unwinding) {
                rt.unwinding_elsewhere -= 1;
            }
            if let Some(thread) = thread.take() {
                teardown::leak(thread);
            }
            rt.has_lost_panics = true;
        }
        CoroutineResult::Return(()) => {
            let stack = thread.take().map(Thread::into_stack);
            rt.stacks.extend(stack.map(|stack| (slot.stack_size, stack)));
        }
    }
    rt.settle_panics();
}
