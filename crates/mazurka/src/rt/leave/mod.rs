//! Leaving the code of a process without unwinding it.
//!
//! A process that is torn down is unwound, so that what is on its stack is dropped. For that the
//! unwinder goes through every frame twice, and interprets a table for each: tens of thousands of
//! instructions, more than a short execution takes. But often there is nothing to drop: an idle
//! server holds nothing while it waits, and has nobody to catch a panic.
//!
//! So [`leave`], which would begin to unwind, asks first what unwinding would do. If no frame up to
//! [`run`], where the code of the process began, has a *landing pad* for the call that it is in, then
//! unwinding would run no code at all, and end in `run`. In this case `leave` goes there at once.
//!
//! What unwinding would do is decided by the return addresses that are on the stack. The first time
//! they are found by the unwinder; the answer is kept, and after that it takes one look at each of
//! them ([`Routes`]).
//!
//! This is for Linux on x86-64, with GNU's unwinder. Elsewhere a process is always unwound.

#[cfg_attr(
    all(target_arch = "x86_64", target_os = "linux", target_env = "gnu", panic = "unwind"),
    path = "x86_64/mod.rs"
)]
#[cfg_attr(
    not(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu", panic = "unwind")),
    path = "elsewhere.rs"
)]
mod target;
#[cfg(test)]
mod tests;

pub(crate) use target::run;
pub(super) use target::{Routes, leave};
