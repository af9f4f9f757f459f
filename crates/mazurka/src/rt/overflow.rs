//! Reporting a stack overflow of a process.
//!
//! Below the stack of every coroutine is a guard page. A process that runs into it raises a signal, of
//! which the standard library knows nothing but that it is not about the stack of an OS thread. The
//! handler here, which runs on the alternate stack of the OS thread, says which process it is and aborts.
//! All other faults are [described](super::crash), and go to the handler that was there before.

#[cfg(unix)]
mod signal {
    use std::cell::Cell;
    use std::ffi::{c_int, c_void};
    use std::io::Write;
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::OnceLock;

    use crate::rt::{CURRENT, Runtime, crash, runtime::NO_EVENT};

    const SIGNALS: [c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];
    /// The size of an alternate stack.
    const ROOM: usize = 64 * 1024;

    static PREVIOUS: OnceLock<[libc::sigaction; 2]> = OnceLock::new();

    thread_local! {
        /// Whether this OS thread has an alternate stack.
        static HAS_STACK: Cell<bool> = const { Cell::new(false) };
    }

    pub(in crate::rt) fn install() {
        PREVIOUS.get_or_init(|| SIGNALS.map(replace));
        if !HAS_STACK.replace(true) {
            provide_stack();
        }
    }

    /// Installs the handler for a signal, and returns the one that was there.
    fn replace(signal: c_int) -> libc::sigaction {
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = handle;
        let mut previous = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: all fields of both may be zero, and what the call fills in is valid.
        unsafe {
            let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(signal, &action, previous.as_mut_ptr());
            previous.assume_init()
        }
    }

    /// Gives the OS thread an alternate stack, unless it has one: threads of the standard library do.
    fn provide_stack() {
        // SAFETY: all fields may be zero, and the memory is never freed.
        unsafe {
            let mut stack = MaybeUninit::<libc::stack_t>::zeroed().assume_init();
            libc::sigaltstack(ptr::null(), &mut stack);
            if stack.ss_flags & libc::SS_DISABLE != 0 {
                stack.ss_sp = Box::leak(vec![0_u8; ROOM].into_boxed_slice()).as_mut_ptr().cast();
                stack.ss_size = ROOM;
                stack.ss_flags = 0;
                libc::sigaltstack(&stack, ptr::null_mut());
            }
        }
    }

    extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        // SAFETY: the system has filled it in.
        let address = unsafe { (*info).si_addr() } as usize;
        let runtime = CURRENT.try_with(Cell::get).unwrap_or(ptr::null_mut());
        // SAFETY: the pointer is null, or of the runtime whose step this OS thread is in. It is in code of
        // the user, or else its stack would not be at its end.
        if let Some(runtime) = unsafe { runtime.as_ref() } {
            report(runtime, address);
            crash::describe(runtime, "an invalid memory access");
        }
        pass_on(signal, info, context);
    }

    /// Reports the fault and aborts, if it is at the end of the stack of the current process.
    fn report(rt: &Runtime, address: usize) {
        if rt.current == NO_EVENT {
            return;
        }
        let slot = &rt.processes[rt.current];
        // SAFETY: this has no preconditions.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        if !(slot.stack_limit..slot.stack_limit + page).contains(&address) {
            return;
        }
        // The heap may be in any state: nothing is allocated.
        let mut message = crash::Stderr;
        let _ = crash::write_name(rt, &mut message);
        let _ = writeln!(
            message,
            " of a Mazurka check has overflowed its stack of {} KiB.\nIf it does not recurse for ever, \
             set a larger stack by `Check::stack_size` or MAZURKA_STACK_SIZE, in bytes.",
            rt.tuning.stack_size / 1024
        );
        // SAFETY: the signal has a default action.
        unsafe {
            libc::signal(libc::SIGABRT, libc::SIG_DFL);
            libc::abort();
        }
    }

    /// Calls the handler that was there before.
    fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        let index = SIGNALS.iter().position(|known| *known == signal).unwrap_or(0);
        let previous = PREVIOUS.get().map(|all| all[index]);
        match previous {
            Some(action)
                if action.sa_sigaction != libc::SIG_DFL
                    && action.sa_sigaction != libc::SIG_IGN
                    && action.sa_flags & libc::SA_SIGINFO != 0 =>
            {
                type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
                // SAFETY: the system has said that this is such a handler.
                let previous: Handler = unsafe { std::mem::transmute(action.sa_sigaction) };
                previous(signal, info, context);
            }
            // The fault happens again when this returns.
            _ => {
                // SAFETY: this has no preconditions.
                unsafe { libc::signal(signal, libc::SIG_DFL) };
            }
        }
    }
}

/// Makes stack overflows of processes on this OS thread be reported.
pub(super) fn install() {
    #[cfg(unix)]
    signal::install();
}
