//! Going through the frames of the stack, as the unwinder does.

use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;

use super::lsda;
use super::routes::{MOST_FRAMES, Return};

/// What the unwinder knows of a frame.
#[repr(C)]
struct Context {
    _private: [u8; 0],
}

type Visit = extern "C" fn(*mut Context, *mut c_void) -> c_int;

/// Go on.
const NO_REASON: c_int = 0;
/// Do not.
const NORMAL_STOP: c_int = 4;
/// The number of the register that may be a frame pointer, `rbp`.
const FRAME_POINTER: c_int = 6;

// Of the unwinder that the standard library is linked to.
unsafe extern "C" {
    fn _Unwind_Backtrace(visit: Visit, argument: *mut c_void) -> c_int;
    fn _Unwind_GetIPInfo(context: *mut Context, is_interrupted: *mut c_int) -> usize;
    /// Despite its name, it is the stack pointer in the frame of the context: what the frame that was
    /// called from there has as canonical frame address.
    fn _Unwind_GetCFA(context: *mut Context) -> usize;
    fn _Unwind_GetGR(context: *mut Context, register: c_int) -> usize;
    fn _Unwind_GetRegionStart(context: *mut Context) -> usize;
    fn _Unwind_GetLanguageSpecificData(context: *mut Context) -> *const u8;
}

/// A part of the stack.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    /// The stack pointer of the frame at which it begins.
    pub(super) from: usize,
    /// Where that frame goes on.
    pub(super) at: usize,
    /// The stack pointer of the frame before which it ends.
    pub(super) to: usize,
}

/// The way up a stretch of the current stack.
pub(super) struct Way {
    stretch: Stretch,
    /// The frame that was visited last.
    last: Option<Frame>,
    pub(super) returns: Vec<Return>,
    /// Whether unwinding the stretch would do nothing. If not, or if that is not known, the way ends
    /// at the frame that is to blame.
    pub(super) does_nothing: bool,
}

#[derive(Clone, Copy)]
struct Frame {
    stack_pointer: usize,
    frame_pointer: usize,
}

/// Finds out what unwinding would do, by visiting each frame of the stretch.
pub(super) fn explore(stretch: Stretch) -> Way {
    let mut way = Way { stretch, last: None, returns: Vec::new(), does_nothing: false };
    let argument = (&raw mut way).cast();
    // SAFETY: `visit` gets this argument, which lives longer than the call, and does not unwind.
    unsafe { _Unwind_Backtrace(visit, argument) };
    way
}

extern "C" fn visit(context: *mut Context, way: *mut c_void) -> c_int {
    // SAFETY: this is what `explore` has passed, and it is used by nobody else meanwhile.
    let way = unsafe { &mut *way.cast::<Way>() };
    // SAFETY: the unwinder has called this with one of its contexts.
    match unsafe { way.visit(context) } {
        ControlFlow::Continue(()) => NO_REASON,
        ControlFlow::Break(()) => NORMAL_STOP,
    }
}

impl Way {
    /// # Safety
    ///
    /// The context is one of the unwinder.
    unsafe fn visit(&mut self, context: *mut Context) -> ControlFlow<()> {
        let mut is_interrupted = 0;
        // SAFETY: as the caller promises.
        let (address, frame) = unsafe {
            let stack_pointer = _Unwind_GetCFA(context);
            let frame_pointer = _Unwind_GetGR(context, FRAME_POINTER);
            let address = _Unwind_GetIPInfo(context, &mut is_interrupted);
            (address, Frame { stack_pointer, frame_pointer })
        };
        let Some(last) = self.last.replace(frame) else {
            if frame.stack_pointer < self.stretch.from {
                // One of those that ask.
                self.last = None;
                return ControlFlow::Continue(());
            }
            let is_first = (frame.stack_pointer, address) == (self.stretch.from, self.stretch.at);
            // SAFETY: as the caller promises.
            return match is_first && unsafe { is_left_alone(context, address) } {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            };
        };
        self.enter(last, frame, address)?;
        if frame.stack_pointer == self.stretch.to {
            self.does_nothing = true;
            return ControlFlow::Break(());
        }
        // SAFETY: as the caller promises.
        match is_interrupted == 0 && unsafe { is_left_alone(context, address) } {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    /// Goes from one frame to the one that has called it, if where that is follows from where the
    /// first one was in its code.
    ///
    /// It does if the first one has its return address at a fixed distance from its stack pointer.
    /// Code that cannot know the size of its frame finds its return address by a frame pointer
    /// instead, which then always points into the frame. So if it does not once, there is none at
    /// this call; if it does, that may be by chance, but who knows.
    fn enter(&mut self, last: Frame, next: Frame, address: usize) -> ControlFlow<()> {
        let inside = last.stack_pointer..next.stack_pointer;
        if inside.contains(&last.frame_pointer)
            || next.stack_pointer > self.stretch.to
            || inside.len() < size_of::<usize>()
            || self.returns.len() == MOST_FRAMES
        {
            return ControlFlow::Break(());
        }
        let place = next.stack_pointer - size_of::<usize>();
        // SAFETY: this is in the frame `last`, and a return address is aligned.
        let found = unsafe { (place as *const usize).read() };
        if found != address {
            return ControlFlow::Break(());
        }
        self.returns.push(Return { place: place - self.stretch.from, address });
        ControlFlow::Continue(())
    }
}

/// Whether a frame is unwound without running any of its code.
///
/// # Safety
///
/// The context is one of the unwinder, and `address` is where its frame goes on after a call.
unsafe fn is_left_alone(context: *mut Context, address: usize) -> bool {
    // SAFETY: as the caller promises. The call is before the address. What the unwinder says of the
    // function belongs together.
    unsafe {
        let table = _Unwind_GetLanguageSpecificData(context);
        let function = _Unwind_GetRegionStart(context);
        table.is_null() || lsda::has_no_landing_pad(table, address - 1 - function)
    }
}
