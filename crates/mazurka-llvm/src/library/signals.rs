//! Signals, as far as `runtime/signals.c` cannot do it.

use mazurka_core::model::{Action, Op, When};
use mazurka_core::verdict::ViolationKind;

use crate::bytecode::own_words::SIGNALS;
use crate::machine::thread::Probe;
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
    ("__mazurka_signals", |call| {
        call.give(call.own_word(SIGNALS));
        Ok(())
    }),
    ("__mazurka_killed", |call| {
        let message = format!("the program is ended by {}", name(call.signed(0)));
        Err(call.violation(ViolationKind::Abort, message))
    }),
    ("__mazurka_signal_other", |call| {
        let name = name(call.signed(0));
        let message = format!(
            "{name} is sent to another thread, which is not supported: a thread can send signals to \
             itself"
        );
        Err(call.violation(ViolationKind::Unsupported, message))
    }),
    ("__mazurka_wait", wait),
];

fn name(signal: i32) -> String {
    let index = usize::try_from(signal).ok().and_then(|signal| signal.checked_sub(1));
    match index.and_then(|index| NAMES.get(index)) {
        Some(name) => (*name).to_owned(),
        None => format!("the signal {signal}"),
    }
}

/// Waits until a word of the library differs from zero.
fn wait(call: &mut Call<'_>) -> Result<(), Stop> {
    let (spot, location) = call.object(call.pointer(0), 8)?;
    let probe = Probe { byte: spot.byte, len: 8 };
    let action = Action::new(Op::Read, location).when(When::Differs(0)).waiting();
    call.turn(action, probe)?;
    let value = call.machine.memory.read(spot.byte, 8);
    call.perform(action.performed(value, value), probe);
    Ok(())
}
