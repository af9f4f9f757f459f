//! Signals, as far as `runtime/signals.c` cannot do it.

use mazurka_core::model::{Action, Op, When};
use mazurka_core::verdict::ViolationKind;

use crate::machine::thread::{Probe, Status};
use crate::machine::{Call, Run, Stop};

const NAMES: [&str; 31] = [
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR",
    "SIGSYS",
];

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("__mazurka_signal_mask", |call| words(call, 0)),
    ("__mazurka_signals_pending", |call| words(call, 1)),
    ("__mazurka_thread_count", |call| {
        call.give(call.machine.threads.len() as u64);
        Ok(())
    }),
    ("__mazurka_killed", |call| {
        let message = format!("the program is ended by {}", name(call.signed(0)));
        Err(call.violation(ViolationKind::Abort, message))
    }),
    ("__mazurka_signal_other", |call| {
        let name = name(call.signed(0));
        let message = format!(
            "{name} is sent to another thread, which would be interrupted by its handler. That is not \
             supported: let the thread block the signal, and take it by `sigwait` or `sigsuspend`"
        );
        Err(call.violation(ViolationKind::Unsupported, message))
    }),
    ("__mazurka_wait", |call| wait(call, 0)),
    ("__mazurka_wait_while", |call| wait(call, call.int(1))),
];

/// Returns whether a library function sends signals to other threads.
pub(crate) fn signals_others(name: &str) -> bool {
    name == "__mazurka_signal_other"
}

/// Gives the address of a word about the signals of a thread: its mask (0) or its pending signals (1). If
/// the program sends signals to other threads, it is memory of the program, which all threads access.
fn words(call: &mut Call<'_>, which: usize) -> Result<(), Stop> {
    let thread = (call.int(0) as usize).wrapping_sub(1);
    let status = call.machine.threads.get(thread).map(|thread| thread.state.status);
    let word = match status {
        None | Some(Status::Absent | Status::Ended) => 0,
        Some(_) => {
            if thread != call.thread {
                call.machine.tell_apart(thread);
            }
            call.machine.signal_word(thread, which)
        }
    };
    call.give(word);
    Ok(())
}

fn name(signal: i32) -> String {
    let index = usize::try_from(signal).ok().and_then(|signal| signal.checked_sub(1));
    match index.and_then(|index| NAMES.get(index)) {
        Some(name) => (*name).to_owned(),
        None => format!("the signal {signal}"),
    }
}

/// Waits until a word of the library has another value.
fn wait(call: &mut Call<'_>, value: u64) -> Result<(), Stop> {
    let (spot, location) = call.object(call.pointer(0), 8)?;
    let probe = Probe { byte: spot.byte, len: 8 };
    let action = Action::new(Op::Read, location).when(When::Differs(value)).waiting();
    call.turn(action, probe)?;
    let value = call.machine.memory.read(spot.byte, 8);
    call.perform(action.performed(value, value), probe);
    Ok(())
}
