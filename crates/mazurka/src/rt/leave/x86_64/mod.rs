//! Going to where the code of a process began.

mod bytes;
mod cfi;
mod frames;
mod lsda;
mod routes;

use std::arch::naked_asm;
use std::mem::{MaybeUninit, needs_drop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::Result;

#[cfg(test)]
use super::tests;
use crate::rt::{Runtime, teardown, with};
use frames::{Stretch, explore};
pub(in crate::rt) use routes::Routes;

/// Runs the code of the current process. The error is what it panicked with, be it in earnest or
/// because it is torn down.
pub(crate) fn run<T, F: FnOnce() -> T>(f: F) -> Result<T> {
    if needs_drop::<F>() {
        // What it has captured is in its frame, so it will be unwound. That goes through fewer
        // frames without all this.
        return catch_unwind(AssertUnwindSafe(f));
    }
    let root = with(|rt| &raw mut rt.processes[rt.current].root);
    let mut call = Call { f: Some(f), result: MaybeUninit::uninit() };
    let data = &raw mut call;
    let within = || {
        // SAFETY: `enter` gets what it wants, and `root` is written before anything else happens.
        unsafe { within(enter::<T, F>, data.cast(), root) }
    };
    let left = catch_unwind(AssertUnwindSafe(within));
    with(|rt| rt.processes[rt.current].root = 0);
    match left? {
        // SAFETY: `enter` has returned.
        false => Ok(unsafe { call.result.assume_init() }),
        true => Err(teardown::payload()),
    }
}

/// A call, and what it has returned.
struct Call<F, T> {
    f: Option<F>,
    result: MaybeUninit<T>,
}

type Enter = unsafe extern "C-unwind" fn(*mut ());

/// Makes a call. All frames that belong to it are above this one.
///
/// # Safety
///
/// `call` is a call that has not been made yet.
unsafe extern "C-unwind" fn enter<T, F: FnOnce() -> T>(call: *mut ()) {
    let call: *mut Call<F, T> = call.cast();
    // SAFETY: as the caller promises; the reference ends at once.
    if let Some(f) = unsafe { &mut (*call).f }.take() {
        let result = f();
        // SAFETY: as the caller promises.
        unsafe { (*call).result.write(result) };
    }
}

/// Calls `enter(data)`, and writes its own stack pointer to `root` before that. Returns `false` when
/// `enter` has returned, and `true` when a process [has come back](come_back) without.
///
/// # Safety
///
/// `root` can be written, and `enter` be called.
#[unsafe(naked)]
unsafe extern "C-unwind" fn within(enter: Enter, data: *mut (), root: *mut usize) -> bool {
    // The unwinder passes through here, so it must be told where registers are.
    naked_asm!(
        ".cfi_startproc",
        "sub rsp, 56",
        "mov [rsp + 8], r15",
        "mov [rsp + 16], r14",
        "mov [rsp + 24], r13",
        "mov [rsp + 32], r12",
        "mov [rsp + 40], rbx",
        "mov [rsp + 48], rbp",
        ".cfi_def_cfa_offset 64",
        ".cfi_offset r15, -56",
        ".cfi_offset r14, -48",
        ".cfi_offset r13, -40",
        ".cfi_offset r12, -32",
        ".cfi_offset rbx, -24",
        ".cfi_offset rbp, -16",
        "mov [rdx], rsp",
        "mov rax, rdi",
        "mov rdi, rsi",
        "call rax",
        "xor eax, eax",
        "add rsp, 56",
        ".cfi_def_cfa_offset 8",
        "ret",
        ".cfi_endproc",
    )
}

/// Returns from [`within`], with all registers that a call preserves as they were when it was called.
/// All frames above are gone.
///
/// # Safety
///
/// `root` is the stack pointer of a call of `within` that is on the current stack, and none of the
/// frames above has anything to drop or to catch.
#[unsafe(naked)]
unsafe extern "C" fn come_back(root: usize) -> ! {
    naked_asm!(
        "lea rsp, [rdi + 8]",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "mov eax, 1",
        "ret",
    )
}

/// Leaves the code of the current process, which is torn down, as if by a panic. Returns if it is in
/// a destructor that runs while it is being unwound: then it must do nothing.
#[unsafe(naked)]
pub(in crate::rt) extern "C-unwind" fn leave() {
    // No frame of its own: `leave_from` returns to the caller of this.
    naked_asm!(
        ".cfi_startproc",
        "lea rdi, [rsp + 8]",
        "mov rsi, [rsp]",
        "jmp {leave_from}",
        ".cfi_endproc",
        leave_from = sym leave_from,
    )
}

/// [`leave`], whose caller's stack pointer is `from` and that goes on `at`.
#[cold]
unsafe extern "C-unwind" fn leave_from(from: usize, at: usize) {
    if teardown::may_do_nothing() {
        return;
    }
    if let Some(root) = with(|rt| rt.way_out(from, at)) {
        #[cfg(test)]
        tests::LEFT.set(tests::LEFT.get() + 1);
        // SAFETY: unwinding the frames in between would run no code, so there is nothing in them to
        // drop or to catch.
        unsafe { come_back(root) };
    }
    teardown::unwind();
}

impl Runtime {
    /// The root of the current process, if all that unwinding would do is to go there.
    fn way_out(&mut self, from: usize, at: usize) -> Option<usize> {
        #[cfg(test)]
        if tests::ALWAYS_UNWIND.get() {
            return None;
        }
        let to = self.processes[self.current].root;
        // SAFETY: the first place is in the frame of the caller, and each of the others in the frame
        // to which the ones before have led.
        let peek = |place: usize| unsafe { ((from + place) as *const usize).read() };
        let does_nothing = self.routes.does_nothing(at, to.checked_sub(from)?, peek);
        let does_nothing = does_nothing.unwrap_or_else(|| self.explore(Stretch { from, at, to }));
        does_nothing.then_some(to)
    }

    #[cold]
    #[inline(never)]
    fn explore(&mut self, stretch: Stretch) -> bool {
        if self.routes.is_full() {
            return false;
        }
        let way = explore(stretch);
        self.routes.add(stretch.at, &way.returns, way.does_nothing);
        way.does_nothing
    }
}
