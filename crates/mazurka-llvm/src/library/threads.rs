//! Threads: `pthread_create` and its like, and those of C11.

use mazurka_core::verdict::ViolationKind;
use mazurka_report::LineKind;

use super::cancel::cancellable;
use crate::machine::thread::Status;
use crate::machine::{Call, Run, Stop};
use crate::memory::address::MAX_THREADS;

const ESRCH: i32 = 3;
const EINVAL: i32 = 22;
const EDEADLK: i32 = 35;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("pthread_create", create),
    ("pthread_join", |call| cancellable(call, join)),
    ("pthread_detach", detach),
    ("pthread_exit", exit),
    ("pthread_self", current),
    ("pthread_equal", equal),
    ("thrd_create", c11_create),
    ("thrd_join", c11_join),
    ("thrd_detach", detach),
    ("thrd_exit", exit),
    ("thrd_current", current),
    ("thrd_equal", equal),
    ("pthread_attr_init", nothing),
    ("pthread_attr_destroy", nothing),
    ("pthread_attr_setdetachstate", nothing),
    ("pthread_attr_setstacksize", nothing),
    ("pthread_attr_setscope", nothing),
    ("pthread_setname_np", nothing),
    ("pthread_setconcurrency", nothing),
];

fn nothing(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give_int(0);
    Ok(())
}

/// What a program knows a thread by.
fn handle(thread: usize) -> u64 {
    thread as u64 + 1
}

/// The thread that a program means, and tells apart from its twins by that.
pub(super) fn thread(call: &mut Call<'_>, handle: u64) -> Result<usize, Stop> {
    let thread = any_thread(call, handle)?;
    call.machine.tell_apart(thread);
    Ok(thread)
}

/// The thread that a program means.
fn any_thread(call: &Call<'_>, handle: u64) -> Result<usize, Stop> {
    let index = (handle as usize).wrapping_sub(1);
    match call.machine.threads.get(index).map(|thread| thread.state.status) {
        None | Some(Status::Absent) => {
            let message = format!("{handle:#x} is used as a thread, and there is none");
            Err(call.violation(ViolationKind::InvalidMemory, message))
        }
        Some(_) => Ok(index),
    }
}

/// Starts a thread. That is no action: it is an edge.
fn start(call: &mut Call<'_>, function: u64, argument: u64) -> Result<(), Stop> {
    let own = call.machine.threads[call.thread].state.children as usize;
    let known = call.machine.threads[call.thread].child_ids.len() > own;
    if !known && call.machine.threads.len() >= MAX_THREADS {
        let most = MAX_THREADS - 1;
        let message =
            format!("the program creates more than {most} threads, which is not supported");
        return Err(call.violation(ViolationKind::Unsupported, message));
    }
    // The handle is written before the thread runs, so that it can be found by it. If others can
    // see where it is written, that is an action, and the thread starts in that step.
    let child = call.machine.next_child(call.thread);
    call.write(call.pointer(0), 8, handle(child))?;
    call.machine.spawn(call.thread, function, argument);
    call.give_int(0);
    Ok(())
}

fn create(call: &mut Call<'_>) -> Result<(), Stop> {
    start(call, call.pointer(2), call.pointer(3))
}

fn c11_create(call: &mut Call<'_>) -> Result<(), Stop> {
    start(call, call.pointer(1), call.pointer(2))
}

/// Waits for the end of a thread. That is no action: it is an edge.
fn wait(call: &mut Call<'_>, result_len: u32) -> Result<(), Stop> {
    let other = any_thread(call, call.int(0))?;
    if other == call.thread {
        call.machine.tell_apart(other);
        call.give_int(EDEADLK);
        return Ok(());
    }
    let claimed = call.machine.threads[other].claimed;
    let state = call.machine.threads[other].state;
    if claimed || state.detached {
        let name = call.machine.thread_name(other);
        call.machine.tell_apart(other);
        let why = if state.detached { "was detached" } else { "has been joined before" };
        let message = format!("{name} is joined, but {why}");
        return Err(call.violation(ViolationKind::LockMisuse, message));
    }
    if !matches!(state.status, Status::Ended) {
        call.machine.threads[call.thread].state.status = Status::Joining(other as u32);
        return Err(Stop::Wait);
    }
    let target = call.pointer(1);
    if target != 0 {
        call.write(target, result_len, state.result)?;
    }
    call.machine.note_join(call.thread, other, target != 0);
    call.machine.pass_on(other, call.thread);
    call.machine.claim(other);
    if call.machine.is_recording() {
        let (pc, name) = (call.machine.pc, call.machine.thread_name(other));
        call.machine.note(call.thread, Some(pc), LineKind::Local, format!("join({name})"));
    }
    call.give_int(0);
    Ok(())
}

fn join(call: &mut Call<'_>) -> Result<(), Stop> {
    wait(call, 8)
}

fn c11_join(call: &mut Call<'_>) -> Result<(), Stop> {
    wait(call, 4)
}

fn detach(call: &mut Call<'_>) -> Result<(), Stop> {
    let other = thread(call, call.int(0))?;
    let state = call.machine.threads[other].state;
    if state.detached {
        call.give_int(EINVAL);
        return Ok(());
    }
    if call.machine.threads[other].claimed {
        call.give_int(ESRCH);
        return Ok(());
    }
    call.machine.detach(other);
    call.give_int(0);
    Ok(())
}

/// Ends the calling thread. If that is the main thread, the program goes on until all threads have
/// ended.
fn exit(call: &mut Call<'_>) -> Result<(), Stop> {
    super::jumps::end(call, call.int(0))
}

fn current(call: &mut Call<'_>) -> Result<(), Stop> {
    call.machine.tell_apart(call.thread);
    call.give(handle(call.thread));
    Ok(())
}

/// Gives the number of the current thread. That of the main thread is the number of the process.
pub(super) fn number(call: &mut Call<'_>) -> Result<(), Stop> {
    call.machine.tell_apart(call.thread);
    call.give_int(call.thread as i32 + 1);
    Ok(())
}

fn equal(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give_int(i32::from(call.int(0) == call.int(1)));
    Ok(())
}
