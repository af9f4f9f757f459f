//! How a program ends, and what it says about itself: `exit`, `assert`, `__VERIFIER_…`.

use mazurka_core::verdict::ViolationKind;

use super::{Call, Run, Stop};
use crate::machine::thread::Status;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("__assert_fail", assert_fail),
    ("__assert_rtn", assert_fail_bsd),
    ("__assert", assert_fail),
    ("abort", abort),
    ("exit", exit),
    ("_exit", exit),
    ("_Exit", exit),
    ("quick_exit", exit),
    ("__VERIFIER_assume", assume),
    ("__VERIFIER_assert", verifier_assert),
    ("__VERIFIER_error", verifier_error),
    ("reach_error", verifier_error),
    ("sched_yield", nothing),
    ("thrd_yield", nothing),
    ("pthread_yield", nothing),
    ("usleep", nothing),
    ("sleep", nothing),
    ("nanosleep", nothing),
    ("thrd_sleep", nothing),
    ("clock_nanosleep", nothing),
    ("__errno_location", errno_location),
];

fn nothing(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give(0);
    Ok(())
}

fn errno_location(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give(call.own_word(0));
    Ok(())
}

fn text(call: &mut Call<'_>, index: usize) -> Result<String, Stop> {
    let bytes = call.c_string(call.pointer(index))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn assert_fail(call: &mut Call<'_>) -> Result<(), Stop> {
    let assertion = text(call, 0)?;
    Err(call.violation(ViolationKind::Panic, format!("assertion `{assertion}` failed")))
}

fn assert_fail_bsd(call: &mut Call<'_>) -> Result<(), Stop> {
    let assertion = text(call, 3)?;
    Err(call.violation(ViolationKind::Panic, format!("assertion `{assertion}` failed")))
}

fn verifier_assert(call: &mut Call<'_>) -> Result<(), Stop> {
    match call.signed(0) {
        0 => Err(call.violation(ViolationKind::Panic, "assertion failed")),
        _ => Ok(()),
    }
}

fn verifier_error(call: &mut Call<'_>) -> Result<(), Stop> {
    Err(call.violation(ViolationKind::Panic, "the program has reached an error"))
}

fn abort(call: &mut Call<'_>) -> Result<(), Stop> {
    Err(call.violation(ViolationKind::Panic, "the program calls `abort`"))
}

/// Ends the program. The other threads run on to their ends, though: whatever they do after this
/// they could as well have done before, and it is to be checked. But none of them is missed.
fn exit(call: &mut Call<'_>) -> Result<(), Stop> {
    let code = call.signed(0);
    call.machine.exit(call.thread, code);
    Err(Stop::Over)
}

fn assume(call: &mut Call<'_>) -> Result<(), Stop> {
    if call.signed(0) != 0 {
        return Ok(());
    }
    call.machine.threads[call.thread].state.status = Status::Stopped;
    call.machine.fail_assumption();
    Err(Stop::Over)
}
