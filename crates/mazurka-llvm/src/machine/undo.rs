//! The log by which changes of threads are undone.
//!
//! A thread's step mostly changes a few slots of one frame. So when a thread is about to run for
//! the first time in a step, its state and its uppermost frame are copied; frames further down are
//! copied when the thread returns into them. Frames that are called need not be, since there was
//! nothing before.
//!
//! A function of thousands of lines has a large frame, most of which are constants and values that
//! no instruction looks at any more. Of such a frame only the slots are copied that matter to what follows.
//! The rest is never read before it is written, but for the constants; these are put back if the
//! function has returned, and others may have used its place.

use mazurka_core::model::Action;

use super::LlvmMachine;
use super::spin::Watch;
use super::thread::{State, Status};
use crate::bytecode::{Code, NOWHERE, Pc};
use crate::memory::Mark;

/// A thread as it was. Its state has the same index in another list, which is copied to without a detour.
#[derive(Clone, Copy)]
pub(super) struct ThreadRecord {
    thread: u32,
    watch: u32,
}

/// Frames with more slots than this are not copied as a whole.
const LARGE: u32 = 128;

/// A part of a thread's stack as it was.
pub(super) struct FrameRecord {
    thread: u32,
    at: u32,
    start: u32,
    /// Where the thread rests in that frame, if it is a large one, or [`NOWHERE`].
    rest: Pc,
}

/// What the machine was before a step.
pub(super) struct StepMark {
    pub(super) memory: Mark,
    threads: u32,
    frames: u32,
    claims: u32,
    output: u32,
    ending: EndingState,
}

/// What decides about how the execution ends.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct EndingState {
    /// Whether the program was ended by `exit` and the like, and with which code.
    pub(super) exit_code: Option<i32>,
    pub(super) assumption_failed: bool,
    pub(super) failed: bool,
    /// Whether threads that spin may see what other threads take back, and go on.
    pub(super) escapes: bool,
    /// Whether a thread has taken back an update.
    pub(super) takes_back: bool,
    /// Whether the main thread has ended by `pthread_exit`, which does not end the program.
    pub(super) main_left: bool,
    /// How many threads have been created but not joined.
    pub(super) unjoined: u32,
    /// The number of threads before the first one that may still run.
    pub(super) ended: u32,
}

/// Where no frame starts: behind all of them.
const NO_FRAME: u32 = u32::MAX - 1;

const NO_WATCH: u32 = u32::MAX;
/// The watch has not changed.
const SAME_WATCH: u32 = u32::MAX - 1;

#[derive(Default)]
pub(super) struct Undo {
    pub(super) steps: Vec<StepMark>,
    threads: Vec<ThreadRecord>,
    states: Vec<State>,
    frames: Vec<FrameRecord>,
    slots: Vec<u64>,
    /// Threads that were joined.
    pub(super) claims: Vec<u32>,
    watches: Vec<Watch>,
    watches_used: u32,
    /// Counts steps, those that were undone as well.
    pub(super) now: u64,
}

impl Undo {
    /// Tells of the threads that may have changed since a mark, and where the first frame starts that
    /// may have. A thread may be told of more than once.
    #[inline]
    pub(super) fn changed_threads(&self, since: &StepMark, mut tell: impl FnMut(usize, u32)) {
        let from = since.threads as usize;
        for (record, state) in self.threads[from..].iter().zip(&self.states[from..]) {
            tell(record.thread as usize, state.base);
        }
        for record in &self.frames[since.frames as usize..] {
            tell(record.thread as usize, record.at);
        }
        for thread in &self.claims[since.claims as usize..] {
            tell(*thread as usize, NO_FRAME);
        }
    }
}

impl LlvmMachine {
    /// A step begins.
    #[inline]
    pub(super) fn begin_step(&mut self) {
        self.undo.now += 1;
        let mark = StepMark {
            memory: self.memory.mark(),
            threads: self.undo.threads.len() as u32,
            frames: self.undo.frames.len() as u32,
            claims: self.undo.claims.len() as u32,
            output: self.output.len() as u32,
            ending: self.ending_state,
        };
        self.undo.steps.push(mark);
    }

    /// A thread is about to change: copies what it is, unless that was done in this step.
    #[inline]
    pub(super) fn save_thread(&mut self, index: usize) {
        let undo = &mut self.undo;
        let thread = &mut self.threads[index];
        if thread.saved_in == undo.now {
            return;
        }
        thread.saved_in = undo.now;
        let mut watch = NO_WATCH;
        if !thread.watch.is_empty() {
            watch = undo.watches_used;
            match undo.watches.get_mut(watch as usize) {
                Some(free) => free.clone_from(&thread.watch),
                None => undo.watches.push(thread.watch.clone()),
            }
            undo.watches_used += 1;
        }
        undo.threads.push(ThreadRecord { thread: index as u32, watch });
        undo.states.extend_from_slice(std::slice::from_ref(&thread.state));
        thread.saved_from = thread.state.top;
        let (base, rest) = (thread.state.base, thread.state.pc);
        self.save_frames(index, base, rest);
    }

    /// Only the state of a thread is about to change, but not its stack and not its watch: copies that state,
    /// unless the thread was copied in this step.
    #[inline]
    pub(super) fn save_state(&mut self, index: usize) {
        let thread = &self.threads[index];
        if thread.saved_in != self.undo.now {
            self.undo.threads.push(ThreadRecord { thread: index as u32, watch: SAME_WATCH });
            self.undo.states.extend_from_slice(std::slice::from_ref(&thread.state));
        }
    }

    /// Returns the pending action that a thread had before the current step, in which it was saved.
    pub(super) fn pending_before_step(&self, thread: usize) -> Option<Action> {
        let from = self.undo.steps.last()?.threads as usize;
        let records = &self.undo.threads[from..];
        let at = records.iter().position(|record| record.thread as usize == thread)?;
        let state = &self.undo.states[from + at];
        (state.status == Status::Ready).then_some(state.action)
    }

    /// Copies the part of a thread's stack from `from` on that has not been copied in this step. If
    /// that is one frame, `rest` is the instruction at which the thread rests in it, otherwise
    /// [`NOWHERE`].
    #[inline]
    pub(super) fn save_frames(&mut self, index: usize, from: u32, rest: Pc) {
        let undo = &mut self.undo;
        let thread = &mut self.threads[index];
        if from < thread.saved_from {
            let start = undo.slots.len() as u32;
            let stack = &thread.stack[from as usize..thread.saved_from as usize];
            let mut record = FrameRecord { thread: index as u32, at: from, start, rest: NOWHERE };
            if stack.len() > LARGE as usize && save_large(&self.code, stack, rest, &mut undo.slots)
            {
                record.rest = rest;
            } else {
                undo.slots.extend_from_slice(stack);
            }
            undo.frames.push(record);
            thread.saved_from = from;
        }
    }

    /// Takes the last step back.
    #[inline]
    pub(super) fn undo_step(&mut self) {
        let mark = self.undo.steps.pop().expect("there is a step to undo");
        if self.undo.steps.len() < self.known.get_mut().steps {
            self.forget_step(&mark);
        }
        let undo = &mut self.undo;
        // Threads of which a frame further down was changed: they have returned into it.
        let mut returned = 0u64;
        while undo.frames.len() > mark.frames as usize {
            let record = undo.frames.pop().expect("there are more frames");
            let stack = &mut self.threads[record.thread as usize].stack[record.at as usize..];
            let slots = &undo.slots[record.start as usize..];
            match record.rest {
                NOWHERE => stack[..slots.len()].copy_from_slice(slots),
                rest => {
                    let has_returned = returned >> (record.thread % 64) & 1 != 0;
                    restore_large(&self.code, stack, rest, slots, has_returned);
                }
            }
            returned |= 1 << (record.thread % 64);
            undo.slots.truncate(record.start as usize);
        }
        while undo.threads.len() > mark.threads as usize {
            let record = undo.threads.pop().expect("there are more threads");
            let thread = &mut self.threads[record.thread as usize];
            thread.state = undo.states[undo.threads.len()];
            match record.watch {
                NO_WATCH => thread.watch.clear(),
                SAME_WATCH => {}
                watch => {
                    std::mem::swap(&mut thread.watch, &mut undo.watches[watch as usize]);
                    undo.watches_used = watch;
                }
            }
        }
        undo.states.truncate(mark.threads as usize);
        for thread in &undo.claims[mark.claims as usize..] {
            self.threads[*thread as usize].claimed = false;
        }
        undo.claims.truncate(mark.claims as usize);
        self.output.truncate(mark.output as usize);
        self.ending_state = mark.ending;
        self.memory.undo(&mark.memory);
        // Whatever was saved in the step that is now the last one is still saved, but nobody
        // knows any more from where on: the next step is a new one anyway.
        self.undo.now += 1;
    }
}

impl LlvmMachine {
    /// The last step is about to be undone, and what is known of states covers it.
    #[cold]
    fn forget_step(&self, mark: &StepMark) {
        let mut known = self.known.borrow_mut();
        self.note_changes(&mut known, mark);
        known.steps = self.undo.steps.len();
    }
}

/// Copies what matters of a large frame in which a thread rests at an instruction: how to return
/// from it, what it was called with, and what is looked at later on. Says whether that is known.
#[cold]
fn save_large(code: &Code, frame: &[u64], rest: Pc, slots: &mut Vec<u64>) -> bool {
    let live = code.live_at(rest);
    let Some(function) = code.function_around(rest).filter(|_| !live.is_empty()) else {
        return false;
    };
    slots.extend_from_slice(&frame[..function.given() as usize]);
    slots.extend(live.iter().map(|slot| frame[*slot as usize]));
    true
}

/// Puts that back. If the function has returned since, something else may be there by now.
#[cold]
fn restore_large(code: &Code, frame: &mut [u64], rest: Pc, slots: &[u64], has_returned: bool) {
    let function = code.function_around(rest).expect("it was found when the frame was saved");
    if has_returned {
        function.initial.iter().for_each(|(slot, value)| frame[*slot as usize] = *value);
    }
    let (given, live) = slots.split_at(function.given() as usize);
    frame[..given.len()].copy_from_slice(given);
    for (slot, value) in code.live_at(rest).iter().zip(live) {
        frame[*slot as usize] = *value;
    }
}
