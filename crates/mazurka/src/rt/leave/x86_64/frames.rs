//! Going through the frames of the stack, as the unwinder does.

use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;

use super::routes::{MOST_FRAMES, Return};
use super::{cfi, lsda};

/// What the unwinder knows of a frame.
#[repr(C)]
struct Context {
    _private: [u8; 0],
}

type Visit = extern "C" fn(*mut Context, *mut c_void) -> c_int;

const WORD: usize = size_of::<usize>();

/// Go on.
const NO_REASON: c_int = 0;
/// Do not.
const NORMAL_STOP: c_int = 4;

// Of the unwinder that the standard library is linked to.
unsafe extern "C" {
    fn _Unwind_Backtrace(visit: Visit, argument: *mut c_void) -> c_int;
    fn _Unwind_GetIPInfo(context: *mut Context, is_interrupted: *mut c_int) -> usize;
    /// Despite its name, it is the stack pointer in the frame of the context: what the frame that was
    /// called from there has as canonical frame address.
    fn _Unwind_GetCFA(context: *mut Context) -> usize;
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
    /// Where it goes on.
    address: usize,
    /// Whether unwinding it would run none of its code.
    is_left_alone: bool,
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
    // SAFETY: this is what `explore` has passed, and nothing else uses it meanwhile.
    let way = unsafe { &mut *way.cast::<Way>() };
    // SAFETY: the unwinder has called this with one of its contexts.
    let frame = unsafe { look_at(context) };
    match way.enter(frame) {
        ControlFlow::Continue(()) => NO_REASON,
        ControlFlow::Break(()) => NORMAL_STOP,
    }
}

/// # Safety
///
/// The context is one of the unwinder.
unsafe fn look_at(context: *mut Context) -> Frame {
    let mut is_interrupted = 0;
    // SAFETY: as the caller promises. What the unwinder says of a function belongs together. The call
    // that its frame is in is before the address.
    unsafe {
        let address = _Unwind_GetIPInfo(context, &mut is_interrupted);
        let table = _Unwind_GetLanguageSpecificData(context);
        let offset = || address - 1 - _Unwind_GetRegionStart(context);
        let has_no_pad = || table.is_null() || lsda::has_no_landing_pad(table, offset());
        Frame {
            stack_pointer: _Unwind_GetCFA(context),
            address,
            is_left_alone: is_interrupted == 0 && has_no_pad(),
        }
    }
}

impl Way {
    /// Goes on to the next frame, if there is nothing to be done in the last one.
    fn enter(&mut self, frame: Frame) -> ControlFlow<()> {
        let Stretch { from, at, to } = self.stretch;
        let Some(last) = self.last else {
            return match frame.stack_pointer {
                // One of those that ask.
                pointer if pointer < from => ControlFlow::Continue(()),
                pointer if pointer == from && frame.address == at => {
                    self.last = Some(frame);
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Break(()),
            };
        };
        if !last.is_left_alone || self.returns.len() == MOST_FRAMES {
            return ControlFlow::Break(());
        }
        self.returns.push(self.way_back(last, frame)?);
        self.last = Some(frame);
        self.does_nothing = frame.stack_pointer == to;
        match self.does_nothing {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// The return address by which the last frame goes back to the next one, if it is known to be
    /// always in the same place when the last one is where it is in its code.
    fn way_back(&self, last: Frame, next: Frame) -> ControlFlow<(), Return> {
        let Some(size) = cfi::size_of_frame(last.address) else { return ControlFlow::Break(()) };
        let is_next = last.stack_pointer.checked_add(size) == Some(next.stack_pointer);
        if !is_next || size < WORD || next.stack_pointer > self.stretch.to {
            return ControlFlow::Break(());
        }
        let place = next.stack_pointer - WORD;
        // SAFETY: this is in the last frame, and a return address is aligned.
        match unsafe { (place as *const usize).read() } == next.address {
            true => {
                let place = place - self.stretch.from;
                ControlFlow::Continue(Return { place, address: next.address })
            }
            false => ControlFlow::Break(()),
        }
    }
}
