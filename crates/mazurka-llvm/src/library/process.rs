//! How a program ends, and what it says about itself: `exit`, `assert`, `__VERIFIER_…`.

use mazurka_core::verdict::ViolationKind;

use crate::bytecode::own_words::ERRNO;
use crate::machine::thread::Status;
use crate::machine::{Call, REACHED, Run, Stop};

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("__assert_fail", assert_fail),
    ("__assert_rtn", assert_fail_bsd),
    ("__assert", assert_fail),
    ("abort", abort),
    ("exit", exit),
    ("_exit", exit_at_once),
    ("_Exit", exit_at_once),
    ("quick_exit", exit_at_once),
    ("__mazurka_end_main", end_main),
    ("__VERIFIER_assume", assume),
    ("__VERIFIER_assert", verifier_assert),
    ("__VERIFIER_error", verifier_error),
    ("reach_error", verifier_error),
    // Hints of GenMC and other tools. A loop that spins is recognised without them.
    ("__VERIFIER_loop_begin", nothing),
    ("__VERIFIER_loop_bound", nothing),
    ("__VERIFIER_spin_start", nothing),
    ("__VERIFIER_spin_end", nothing),
    ("__VERIFIER_potential_spin_end", nothing),
    ("__VERIFIER_faiZNE_spin_end", nothing),
    ("__VERIFIER_lockZNE_spin_end", nothing),
    // Whether to run a block that GenMC may leave out.
    ("__VERIFIER_opt_begin", |call| {
        call.give(1);
        Ok(())
    }),
    ("__VERIFIER_opt_end", nothing),
    ("__VERIFIER_annotate_begin", nothing),
    ("__VERIFIER_annotate_end", nothing),
    ("__VERIFIER_await", assume),
    ("__ESBMC_assume", assume),
    ("__CPROVER_assume", assume),
    ("assume_abort_if_not", assume),
    ("__ESBMC_assert", verifier_assert),
    ("__CPROVER_assert", verifier_assert),
    ("__ESBMC_yield", nothing),
    ("__VERIFIER_assertion_failed", verifier_error),
    ("sched_yield", nothing),
    ("thrd_yield", nothing),
    ("pthread_yield", nothing),
    ("__errno_location", errno_location),
];

fn nothing(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give(0);
    Ok(())
}

fn errno_location(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give(call.own_word(ERRNO));
    Ok(())
}

fn text(call: &mut Call<'_>, index: usize) -> Result<String, Stop> {
    let bytes = call.c_string(call.pointer(index))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn assert_fail(call: &mut Call<'_>) -> Result<(), Stop> {
    let assertion = text(call, 0)?;
    Err(call.violation(ViolationKind::Assertion, format!("assertion `{assertion}` failed")))
}

fn assert_fail_bsd(call: &mut Call<'_>) -> Result<(), Stop> {
    let assertion = text(call, 3)?;
    Err(call.violation(ViolationKind::Assertion, format!("assertion `{assertion}` failed")))
}

fn verifier_assert(call: &mut Call<'_>) -> Result<(), Stop> {
    match call.signed(0) {
        0 => Err(call.violation(ViolationKind::Assertion, "assertion failed")),
        _ => Ok(()),
    }
}

fn verifier_error(call: &mut Call<'_>) -> Result<(), Stop> {
    Err(call.violation(ViolationKind::Assertion, REACHED))
}

fn abort(call: &mut Call<'_>) -> Result<(), Stop> {
    Err(call.violation(ViolationKind::Abort, "the program calls `abort`"))
}

/// Ends the program. The other threads run on to their ends, though: whatever they do after this
/// they could as well have done before, and it is to be checked. But none of them is missed.
///
/// If it is the main thread that does this, it leaves its functions and runs what is to run at the
/// end.
fn exit(call: &mut Call<'_>) -> Result<(), Stop> {
    let code = call.signed(0);
    call.machine.set_exit_code(code);
    match call.thread {
        0 => Err(Stop::Exit(u64::from(code as u32))),
        _ => leave(call),
    }
}

/// Ends the program at once.
fn exit_at_once(call: &mut Call<'_>) -> Result<(), Stop> {
    call.machine.set_exit_code(call.signed(0));
    leave(call)
}

fn leave(call: &mut Call<'_>) -> Result<(), Stop> {
    call.machine.threads[call.thread].state.status = Status::Gone;
    Err(Stop::Over)
}

/// The main thread has returned, or called `exit`. Returns whether the exit handlers are to run, in
/// the main thread and beside the threads that are still running. They are not if the main thread has
/// called `pthread_exit` and other threads may go on.
fn end_main(call: &mut Call<'_>) -> Result<(), Stop> {
    let ends = call.machine.exit_code_given().is_some() || !call.machine.outlives_main();
    call.give(u64::from(ends));
    Ok(())
}

fn assume(call: &mut Call<'_>) -> Result<(), Stop> {
    if call.signed(0) != 0 {
        return Ok(());
    }
    call.machine.threads[call.thread].state.status = Status::Stopped;
    call.machine.fail_assumption();
    Err(Stop::Over)
}
