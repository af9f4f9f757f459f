//! `setjmp`, `longjmp`, and what pthreads build on them: cleanup handlers.

use mazurka_core::verdict::ViolationKind;

use crate::bytecode::own_words::{CLEANUP, EXIT_VALUE};
use crate::machine::{Call, Run, Stop, Target};

/// What the first word of a `jmp_buf` is if `setjmp` has written it.
const WRITTEN: u64 = 0x6A6D_7062_7566_0001;
/// Where the list of handlers goes on in a buffer for cleanup (`__pad` of `__pthread_unwind_buf_t`).
const NEXT: u64 = 72;
/// Where a `sigjmp_buf` says whether it has the signals that were blocked, and where these are.
const HAS_MASK: u64 = 64;
const MASK: u64 = 72;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("setjmp", set),
    ("_setjmp", set),
    ("sigsetjmp", set_with_mask),
    ("__sigsetjmp", set_with_mask),
    ("longjmp", long),
    ("_longjmp", long),
    ("siglongjmp", |call| {
        let buffer = call.pointer(0);
        if call.read(buffer.wrapping_add(HAS_MASK), 4)? != 0 {
            let mask = call.read(buffer.wrapping_add(MASK), 8)?;
            call.write(call.machine.signal_word(call.thread, 0), 8, mask)?;
        }
        long(call)
    }),
    ("__pthread_register_cancel", register),
    ("__pthread_unregister_cancel", unregister),
    ("__pthread_unwind_next", |call| {
        let value = call.read(call.own_word(EXIT_VALUE), 8)?;
        end(call, value)
    }),
];

fn set(call: &mut Call<'_>) -> Result<(), Stop> {
    let buffer = call.pointer(0);
    let Target { pc, base, slot } = call.machine.target_here(call.thread);
    call.write(buffer, 8, WRITTEN ^ call.thread as u64)?;
    call.write(buffer.wrapping_add(8), 8, u64::from(pc) | u64::from(base) << 32)?;
    call.write(buffer.wrapping_add(16), 8, u64::from(slot))?;
    call.give(0);
    Ok(())
}

/// Saves the signals that the thread blocks, too, if the second argument says so.
fn set_with_mask(call: &mut Call<'_>) -> Result<(), Stop> {
    let (buffer, saves) = (call.pointer(0), call.signed(1) != 0);
    call.write(buffer.wrapping_add(HAS_MASK), 4, u64::from(saves))?;
    if saves {
        let mask = call.read(call.machine.signal_word(call.thread, 0), 8)?;
        call.write(buffer.wrapping_add(MASK), 8, mask)?;
    }
    set(call)
}

fn long(call: &mut Call<'_>) -> Result<(), Stop> {
    let value = match call.signed(1) {
        0 => 1,
        value => value as u32,
    };
    jump(call, call.pointer(0), u64::from(value))
}

fn jump(call: &mut Call<'_>, buffer: u64, value: u64) -> Result<(), Stop> {
    let mark = call.read(buffer, 8)?;
    if mark != WRITTEN ^ call.thread as u64 {
        let message = "`longjmp` uses a `jmp_buf` that `setjmp` has not written in this thread";
        return Err(call.violation(ViolationKind::UndefinedBehaviour, message));
    }
    let place = call.read(buffer.wrapping_add(8), 8)?;
    let slot = call.read(buffer.wrapping_add(16), 8)? as u32;
    let target = Target { pc: place as u32, base: (place >> 32) as u32, slot };
    Err(Stop::Jump(target, value))
}

/// Adds a handler to the thread's list.
fn register(call: &mut Call<'_>) -> Result<(), Stop> {
    let (buffer, list) = (call.pointer(0), call.own_word(CLEANUP));
    let before = call.read(list, 8)?;
    call.write(buffer.wrapping_add(NEXT), 8, before)?;
    call.write(list, 8, buffer)
}

/// Takes the last handler off the thread's list.
fn unregister(call: &mut Call<'_>) -> Result<(), Stop> {
    let list = call.own_word(CLEANUP);
    let before = call.read(call.pointer(0).wrapping_add(NEXT), 8)?;
    call.write(list, 8, before)
}

/// Ends the thread with a value: runs the last handler of its list, which calls this again, or ends it.
pub(super) fn end(call: &mut Call<'_>, value: u64) -> Result<(), Stop> {
    let list = call.own_word(CLEANUP);
    let buffer = call.read(list, 8)?;
    if buffer == 0 {
        if call.thread == 0 {
            call.machine.leave_main();
        }
        return Err(Stop::Exit(value));
    }
    let before = call.read(buffer.wrapping_add(NEXT), 8)?;
    call.write(list, 8, before)?;
    call.write(call.own_word(EXIT_VALUE), 8, value)?;
    jump(call, buffer, 1)
}
