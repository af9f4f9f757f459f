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
//! they are found by the unwinder ([`frames`]); the answer is kept, and after that it takes one look
//! at each of them ([`Routes`]).
//!
//! This is for x86-64 with the unwinder of the Itanium ABI. Elsewhere a process is always unwound.

#[cfg(not(all(target_arch = "x86_64", target_os = "linux", panic = "unwind")))]
mod elsewhere;
#[cfg(all(target_arch = "x86_64", target_os = "linux", panic = "unwind"))]
mod frames;
#[cfg(all(target_arch = "x86_64", target_os = "linux", panic = "unwind"))]
mod here;
#[cfg(all(target_arch = "x86_64", target_os = "linux", panic = "unwind"))]
mod lsda;
mod routes;
#[cfg(test)]
mod tests;

#[cfg(not(all(target_arch = "x86_64", target_os = "linux", panic = "unwind")))]
use elsewhere as target;
#[cfg(all(target_arch = "x86_64", target_os = "linux", panic = "unwind"))]
use here as target;

/// Whether a test wants to see what unwinding does.
#[cfg_attr(not(test), inline(always), allow(clippy::missing_const_for_fn, reason = "not in tests"))]
fn is_unwinding_asked_for() -> bool {
    #[cfg(test)]
    return tests::ALWAYS_UNWIND.get();
    #[cfg(not(test))]
    false
}

pub(super) use routes::Routes;
pub(super) use target::leave;
pub(crate) use target::run;
