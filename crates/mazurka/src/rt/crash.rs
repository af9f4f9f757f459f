//! Describing a crash of the program under test.
//!
//! The code of the program runs natively. If it frees memory twice, or uses memory that is freed, the test
//! process may crash, and there is no report. So the handlers of the signals first say which thread of which
//! execution it was, and what had gone wrong before.
//!
//! The heap may be in any state: nothing is allocated.

use std::io::{self, Write};

use super::Runtime;
use super::runtime::NO_EVENT;

/// Says on standard error that the current process of an execution has crashed.
pub(super) fn describe(rt: &Runtime, what: &str) {
    let _ = write_description(rt, what, &mut Stderr);
}

fn write_description(rt: &Runtime, what: &str, to: &mut impl Write) -> io::Result<()> {
    match rt.current == NO_EVENT {
        true => write!(to, "\na Mazurka check")?,
        false => {
            write_name(rt, to)?;
            let pending = &rt.processes[rt.current].pending;
            write!(to, " of a Mazurka check")?;
            if !pending.name.is_empty() {
                write!(to, ", after its operation `{}` at {},", pending.name, pending.site)?;
            }
        }
    }
    writeln!(to, " has crashed by {what}.")?;
    for slot in rt.created.iter().map(|process| &rt.processes[*process]) {
        if let Some(note) = &slot.note {
            writeln!(to, "A thread of this execution had panicked before: {note}")?;
        }
    }
    if rt.dead || rt.runs_out {
        writeln!(
            to,
            "Mazurka was letting this execution end, since it had failed or would repeat another one."
        )?;
    }
    writeln!(
        to,
        "The program has probably used memory that was freed, or freed it twice. Valgrind and \
         AddressSanitizer\nfind the place; see \"Crashes\" in docs/limits.md."
    )
}

/// Writes what the current process is called.
pub(super) fn write_name(rt: &Runtime, to: &mut impl Write) -> io::Result<()> {
    let rank = rt.created.iter().position(|created| *created == rt.current).unwrap_or(0);
    match (rt.processes[rt.current].name(), rank) {
        (Some(name), _) => write!(to, "\nthread '{name}'"),
        (None, 0) => write!(to, "\nthread 'main'"),
        (None, rank) => write!(to, "\nthread 'thread {rank}'"),
    }
}

/// Standard error without a buffer: the stack of a handler is small.
pub(super) struct Stderr;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: the bytes are valid.
        unsafe { libc::write(libc::STDERR_FILENO, bytes.as_ptr().cast(), bytes.len()) };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
