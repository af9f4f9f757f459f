//! Iterations of loops that wait for one location.
//!
//! An iteration of a loop is *pure* if it performs one operation, which changes nothing, and perhaps fences, and leads
//! back to that operation in the same local state. In between it may wait in another loop for the same object, if it
//! comes back whatever values of the object it sees there: this is a [detour](Interpreter::detours). A native thread cannot be undone, so [`trial`](Trial::repeats) does not run
//! it: it interprets the machine code of the iteration on a copy of the thread's stack.
//!
//! # When two local states are the same
//!
//! The iteration begins where the thread is suspended at its operation, and sees a value there. If it writes
//! anywhere but to its own stack, calls the system, or comes to an instruction that is not known, it counts as
//! one that is not pure. Otherwise it is pure if it comes back to the operation, with the same arguments, the
//! same stack pointer, and the same contents of the registers that a function preserves and of the stack above
//! the stack pointer. Contents may differ if no thread depends on them:
//!
//! * The code writes a byte before it reads it, or leaves the frame that the byte is in, whatever the value is
//!   that the iteration begins with: no branch and no address before has depended on the value. Then threads in
//!   both states do the same until the byte is the same, too. In code that is not optimised, these are the bytes
//!   that hold the value and what is computed from it.
//! * The iteration leaves the byte undefined: it was in a frame that has been left, or in a register that a call
//!   does not preserve. Compiled code does not depend on such bytes.
//!
//! Bytes that the iteration writes after a branch on the value, without having read them, in a frame that it has
//! not left, may hold what the loop has written before, or anything, if it has not yet come there: then they are equal
//! by chance. Such states are [alike](Outcome::Alike) or [unlike](Outcome::Unlike).
//!
//! The compiler may give the first iteration code of its own, and may leave in a register what nobody reads any more.
//! So a state also counts as the same as the one after the iteration if that one is the same after a second
//! iteration, and the thread comes to one state from both, with every value that the location has had.
//!
//! Whether states are alike, and whether the thread comes to one state, is known only for what has been tried. If
//! it turns out otherwise, the search starts over, and iterations at this place in the source are pure only if neither
//! matters.
//!
//! The iteration may read memory that is not on its stack. It does not write there. Other threads may, but if they
//! do so before the thread has seen another value, and a memory model does not order that, it is a data race.
//!
//! This works on Unix on x86-64. Elsewhere no iteration is known to be pure.

#[cfg_attr(all(target_arch = "x86_64", unix), path = "x86_64/mod.rs")]
#[cfg_attr(not(all(target_arch = "x86_64", unix)), path = "elsewhere.rs")]
mod target;

pub(super) use target::{Interpreter, suspend_noting};

use super::process::Suspender;

/// The registers of a suspended process: the stack pointer, `rbx`, `rbp`, and `r12` to `r15`.
#[derive(Clone, Copy, Default, Debug)]
#[repr(C)]
pub(super) struct Noted {
    pub(super) words: [usize; 7],
}

/// How the local state after an iteration compares to the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// They are the same.
    Same,
    /// They are the same, perhaps by chance.
    Alike,
    /// They differ, perhaps only in bytes that do not matter.
    Unlike,
    /// They differ.
    Differs,
    /// The process does not come back to its operation, or what it does is not known.
    Leaves,
}

impl Outcome {
    /// Returns how two states compare if one part of them compares in this way, and the rest as `other` says.
    #[cfg_attr(
        not(all(target_arch = "x86_64", unix)),
        expect(dead_code, reason = "nothing is compared")
    )]
    fn and(self, other: Outcome) -> Outcome {
        if self as u8 > other as u8 { self } else { other }
    }
}

/// The functions of an operation.
///
/// Their arguments are the object, the place in the source, what is done to the object, memory orderings, where to
/// write what the caller learns, and this.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Functions {
    /// [`MAGIC`].
    pub(crate) magic: u64,
    /// Begins the operation, and finishes it.
    pub(crate) begin: *const (),
    pub(crate) finish: *const (),
    /// The size of what is done to the object.
    pub(crate) size: usize,
    /// Computes the new value from the old one, and from the address of a copy of what is done to the object.
    pub(crate) effect: fn(usize, u64) -> u64,
    /// Likewise, writes what the caller learns, and returns its size, if there is room for it.
    pub(crate) output: fn(usize, u64, &mut Output) -> Option<usize>,
}

// SAFETY: the pointers are addresses of functions.
unsafe impl Sync for Functions {}
// SAFETY: as above.
unsafe impl Send for Functions {}

/// Says that there are [`Functions`] in some memory.
pub(crate) const MAGIC: u64 = 0x6d61_7a75_726b_6121;

/// What is known of the operation that a process is suspended at, and of the runtime.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) functions: &'static Functions,
    /// The address of the function that yields.
    pub(crate) yields: usize,
    /// The address of the function that performs a fence, and orders nothing for a thread that waits on.
    pub(crate) fence: usize,
    /// The first three arguments of the [functions](Functions) of the operation.
    pub(crate) word: usize,
    pub(crate) site: usize,
    pub(crate) access: usize,
    /// What the function that begins an operation returns.
    pub(crate) suspender: usize,
    pub(crate) at: usize,
}

/// Room for what the caller of an operation learns.
pub(crate) type Output = [u8; 32];

/// Suspends the current process, whose suspender this is.
///
/// # Safety
///
/// The suspender is that of the current process.
unsafe extern "C-unwind" fn suspend(suspender: *const Suspender, _noted: *mut Noted) {
    // SAFETY: as the caller promises.
    unsafe { (*suspender).suspend(()) };
}
