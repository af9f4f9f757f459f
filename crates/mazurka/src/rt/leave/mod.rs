//! Leaving the code of a process without unwinding it.
//!
//! A process that is torn down is unwound, so that the values on its stack are dropped. The unwinder
//! goes through every frame twice and interprets a table for each, which takes about 22,000 instructions
//! for one waiting actor. But often there is nothing to drop: an idle server holds nothing while it
//! waits, and does not catch panics.
//!
//! So [`leave`] first asks what unwinding would do. If no frame up to [`run`], where the code of the
//! process began, has a *landing pad* for the call that it is in, unwinding would run no code and end in
//! `run`. In this case `leave` goes there at once.
//!
//! The return addresses on the stack decide what unwinding would do. The unwinder finds them the first
//! time. The answer is kept, and from then on `leave` compares each of them once ([`Routes`]).
//!
//! This works on Linux on x86-64 with GNU's unwinder. Elsewhere a process is always unwound.
//!
//! # What it saves
//!
//! Instructions of whole checks with `observers`, without and with this module:
//!
//! | program | without | with |
//! |---|---|---|
//! | `lock`, N=7 (a server that is idle at the end of each of 5040 executions) | 512.0 M | 399.9 M |
//! | `lastzero`, N=8 (no process is torn down) | 57.5 M | 60.3 M |
//! | `mutex_counter`, N=5 (no process is torn down) | 4.26 M | 4.29 M |
//!
//! The tables are read by hand and not by a crate such as `gimli`: users build this crate in their test
//! suites, and half of what is read, the tables of landing pads, no such crate reads.

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
