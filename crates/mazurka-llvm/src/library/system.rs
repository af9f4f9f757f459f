//! What a program asks of the system: characters, errors, clocks that stand still, an environment
//! that is empty.

use mazurka_core::verdict::ViolationKind;

use super::{futex, threads};
use crate::machine::{Call, Run, Stop};

/// A test of a character; `true` if it holds for this one.
macro_rules! kind {
    ($test:expr) => {
        |call: &mut Call<'_>| {
            let test: fn(u8) -> bool = $test;
            let holds = u8::try_from(call.signed(0)).is_ok_and(test);
            call.give_int(i32::from(holds));
            Ok(())
        }
    };
}

/// The error of a call that the kernel does not know.
const ENOSYS: i32 = 38;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("isalpha", kind!(|c| c.is_ascii_alphabetic())),
    ("isdigit", kind!(|c| c.is_ascii_digit())),
    ("isalnum", kind!(|c| c.is_ascii_alphanumeric())),
    ("isxdigit", kind!(|c| c.is_ascii_hexdigit())),
    ("isupper", kind!(|c| c.is_ascii_uppercase())),
    ("islower", kind!(|c| c.is_ascii_lowercase())),
    ("isspace", kind!(|c| c == b' ' || (9..=13).contains(&c))),
    ("isblank", kind!(|c| c == b' ' || c == b'\t')),
    ("ispunct", kind!(|c| c.is_ascii_punctuation())),
    ("isprint", kind!(|c| (32..127).contains(&c))),
    ("isgraph", kind!(|c| (33..127).contains(&c))),
    ("iscntrl", kind!(|c| c.is_ascii_control())),
    ("isascii", kind!(|c| c.is_ascii())),
    ("toupper", |call| case(call, u8::to_ascii_uppercase)),
    ("tolower", |call| case(call, u8::to_ascii_lowercase)),
    ("__ctype_get_mb_cur_max", |call| number(call, 1)),
    ("strerror", strerror),
    ("getenv", |call| number(call, 0)),
    ("secure_getenv", |call| number(call, 0)),
    ("setlocale", |call| number(call, 0)),
    ("system", |call| number(call, 0)),
    ("alarm", |call| number(call, 0)),
    ("syscall", system_call),
    ("getpid", |call| number(call, 1)),
    ("gettid", threads::number),
    ("getppid", |call| number(call, 0)),
    ("isatty", |call| number(call, 0)),
    ("get_nprocs", |call| number(call, 2)),
    ("sysconf", sysconf),
    // `PTHREAD_STACK_MIN` with `_GNU_SOURCE` is a call of this.
    ("__sysconf", sysconf),
    // There is no `fork`, so handlers for it never run.
    ("pthread_atfork", |call| {
        call.give_int(0);
        Ok(())
    }),
    ("gnu_get_libc_version", |call| {
        let text = call.allocate_text(b"2.36");
        call.give(text);
        Ok(())
    }),
    ("getpagesize", |call| number(call, 4096)),
    ("difftime", |call| {
        call.give_double(call.int(0) as i64 as f64 - call.int(1) as i64 as f64);
        Ok(())
    }),
    ("fork", processes),
    ("vfork", processes),
    ("execve", processes),
    ("waitpid", processes),
];

fn number(call: &mut Call<'_>, result: u64) -> Result<(), Stop> {
    call.give(result);
    Ok(())
}

fn case(call: &mut Call<'_>, change: fn(&u8) -> u8) -> Result<(), Stop> {
    let character = call.signed(0);
    let changed = u8::try_from(character).map_or(character, |c| i32::from(change(&c)));
    call.give_int(changed);
    Ok(())
}

/// Calls of the kernel: `futex`, on which waiting in C++ is built, `sched_yield` and `gettid`. There is
/// no `membarrier`, as in older kernels, and programs find that out.
fn system_call(call: &mut Call<'_>) -> Result<(), Stop> {
    // On x86-64 and on ARM.
    const FUTEX: [u64; 2] = [202, 98];
    const YIELD: [u64; 2] = [24, 124];
    const THREAD: [u64; 2] = [186, 178];
    const MEMBARRIER: [u64; 2] = [324, 283];
    match call.int(0) {
        known if FUTEX.contains(&known) => futex::call(call),
        known if YIELD.contains(&known) => number(call, 0),
        known if THREAD.contains(&known) => threads::number(call),
        known if MEMBARRIER.contains(&known) => {
            call.set_errno(ENOSYS)?;
            number(call, u64::MAX)
        }
        other => {
            let message = format!(
                "the program calls the kernel by the number {other}, which is not supported: \
                 futex, sched_yield and gettid are"
            );
            Err(call.violation(ViolationKind::Unsupported, message))
        }
    }
}

/// What an error is called.
pub(super) fn error_name(error: i32) -> String {
    let name = match error {
        0 => "Success",
        1 => "Operation not permitted",
        2 => "No such file or directory",
        3 => "No such process",
        4 => "Interrupted system call",
        9 => "Bad file descriptor",
        11 => "Resource temporarily unavailable",
        12 => "Cannot allocate memory",
        13 => "Permission denied",
        14 => "Bad address",
        16 => "Device or resource busy",
        17 => "File exists",
        22 => "Invalid argument",
        33 => "Numerical argument out of domain",
        34 => "Numerical result out of range",
        35 => "Resource deadlock avoided",
        38 => "Function not implemented",
        95 => "Operation not supported",
        110 => "Connection timed out",
        _ => return format!("Unknown error {error}"),
    };
    name.to_owned()
}

/// The text is in memory of its own, since C lets the next call replace it at the earliest.
fn strerror(call: &mut Call<'_>) -> Result<(), Stop> {
    let text = call.allocate_text(error_name(call.signed(0)).as_bytes());
    call.give(text);
    Ok(())
}

fn sysconf(call: &mut Call<'_>) -> Result<(), Stop> {
    let value: i64 = match call.signed(0) {
        30 => 4096,   // _SC_PAGESIZE
        75 => 16_384, // _SC_THREAD_STACK_MIN
        83 | 84 => 2, // _SC_NPROCESSORS_CONF and _ONLN
        _ => -1,
    };
    call.give(value as u64);
    Ok(())
}

fn unsupported(call: &Call<'_>, message: &str) -> Stop {
    call.violation(ViolationKind::Unsupported, message)
}

fn processes(call: &mut Call<'_>) -> Result<(), Stop> {
    Err(unsupported(call, "other processes are not supported; use threads"))
}
