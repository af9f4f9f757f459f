//! Exceptions: from where they are thrown to their handlers.
//!
//! A call that has a landing pad is followed by [`Op::Landing`], so that where a function returns
//! to also tells where it goes if something is thrown. First the handler is looked for, up to the
//! first function of the thread. If there is none, the program ends where it throws. Otherwise
//! functions are left, up to the first one that has something to clean up, or to the handler; who
//! has cleaned up resumes, and so the next one is found.

use mazurka_core::verdict::ViolationKind;

use super::LlvmMachine;
use super::access::Halt;
use super::frame::AGAIN;
use crate::bytecode::own_words::CAUGHT;
use crate::bytecode::{Clause, Code, NOWHERE, Op, Pad, Pc};
use crate::memory::StackSpace;

/// Where the parts of an exception are, as `runtime/exceptions.c` has them, from what landing pads
/// are given.
const HEADER: u64 = 64;
const OBJECT: u64 = 48;

/// An exception on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thrown {
    /// What landing pads are given.
    pub(crate) thrown: u64,
    /// The description of its type.
    pub(crate) ty: u64,
    /// The object that was thrown.
    pub(crate) object: u64,
}

/// A function on a stack, at a call.
#[derive(Clone, Copy)]
pub(super) struct Caller {
    /// The call.
    pub(super) pc: Pc,
    pub(super) base: u32,
    /// Where the frame of the function starts that it calls, if that is one of the program.
    pub(super) callee: Option<u32>,
    /// Whether it calls a library function that calls back.
    pub(super) through_library: bool,
}

impl LlvmMachine {
    /// The exception that landing pads are given as `thrown`.
    pub(crate) fn thrown(&self, thread: usize, thrown: u64) -> Thrown {
        let header = thrown.wrapping_sub(HEADER);
        let part = |at| self.word(thread, header.wrapping_add(at)).unwrap_or(0);
        Thrown { thrown, ty: part(0), object: part(OBJECT) }
    }

    /// The functions on the stack of a thread, the one that calls at `pc` first.
    pub(super) fn callers(&self, thread: usize, pc: Pc) -> impl Iterator<Item = Caller> + '_ {
        let thread = &self.threads[thread];
        let base = thread.state.base;
        let first = Caller { pc, base, callee: None, through_library: false };
        std::iter::successors(Some(first), move |caller| {
            let base = caller.base as usize;
            let (back, result) = (thread.stack[base], (thread.stack[base + 1] >> 32) as u32);
            // A library function that calls back is called again; all else goes on behind the call.
            let through_library = result == AGAIN;
            let pc = if through_library { back as Pc } else { (back as Pc).wrapping_sub(1) };
            let (callee, base) = (Some(caller.base), (back >> 32) as u32);
            (caller.base != 0).then_some(Caller { pc, base, callee, through_library })
        })
    }

    /// Goes to the handler of an exception, or to what is to be cleaned up before; where that is.
    #[cold]
    #[inline(never)]
    pub(super) fn throw(
        &mut self,
        code: &Code,
        thread: usize,
        pc: Pc,
        exception: Thrown,
        mut permit: bool,
    ) -> Result<Pc, Halt> {
        let pad_of = |caller: &Caller| match code.ops.get(caller.pc as usize + 1) {
            Some(Op::Landing { pad }) => Some(&code.pads[*pad as usize]),
            _ => None,
        };
        let handler = self.callers(thread, pc).find_map(|caller| {
            let pad = pad_of(&caller)?;
            let (selector, part) = self.handles(thread, pad, &exception)?;
            Some((caller.base, pad, selector, part))
        });
        let Some((handler, _, selector, part)) = handler.filter(|(_, pad, ..)| !pad.gives_up)
        else {
            return Err(self.nobody_catches(thread, pc, &exception));
        };
        let wants_to_know = |caller: &Caller| match code.ops[caller.pc as usize] {
            Op::CallLibrary { function, .. } if caller.through_library => {
                code.library[function as usize].name.ends_with("_once")
            }
            _ => false,
        };
        let stops = |caller: &Caller| {
            wants_to_know(caller)
                || caller.base == handler
                || pad_of(caller).is_some_and(|pad| pad.cleans_up)
        };
        let target = self.callers(thread, pc).find(stops).expect("the handler is on the stack");
        if let Some(callee) = target.callee {
            self.leave(thread, pc, target.base, callee, &mut permit)?;
        }
        if wants_to_know(&target) {
            // It throws again when it has done what is to be done.
            self.threads[thread].state.phase = exception.thrown;
            return Ok(target.pc);
        }
        self.threads[thread].state.phase = 0;
        let pad = pad_of(&target).expect("it has a landing pad");
        let is_handler = target.base == handler;
        let caught = self.own_words(thread) + 8 * u64::from(CAUGHT);
        if let Ok(spot) = self.memory.find(thread, caught, 8) {
            self.write(thread, spot, 8, part);
        }
        self.landed = [exception.thrown, if is_handler { selector } else { 0 }];
        Ok(pad.to)
    }

    /// Whether a landing pad handles an exception: what it is told, and the part of the object that
    /// it asks for.
    fn handles(&self, thread: usize, pad: &Pad, exception: &Thrown) -> Option<(u64, u64)> {
        pad.clauses.iter().find_map(|clause| match clause {
            Clause::CatchAll => Some((1, self.whole(thread, exception))),
            Clause::Catch { ty, selector } => {
                Some((u64::from(*selector), self.part(thread, exception, *ty)?))
            }
            Clause::Only(types) => {
                let is_allowed = types.iter().any(|ty| self.part(thread, exception, *ty).is_some());
                (!is_allowed).then_some((u64::from(u32::MAX), exception.object))
            }
        })
    }

    /// Leaves all functions above the one whose frame starts at `base`; `callee` is what it called.
    pub(super) fn leave(
        &mut self,
        thread: usize,
        pc: Pc,
        base: u32,
        callee: u32,
        permit: &mut bool,
    ) -> Result<(), Halt> {
        if self.threads[thread].state.atomic > 0 {
            let message = "an exception leaves a part of the program that is atomic, which is not \
                           supported: catch it within";
            let violation = self.violation_at(pc, ViolationKind::Unsupported, message.to_owned());
            return Err(self.fail_at(thread, pc, violation));
        }
        let stack = &self.threads[thread].stack;
        let (locals, space) = (stack[callee as usize + 1] as u32, stack[callee as usize + 2]);
        if self.memory.locals(thread) > locals as usize {
            self.end_locals(thread, pc, locals as usize, permit)?;
        }
        self.save_frames(thread, base, NOWHERE);
        let slot = &mut self.threads[thread];
        slot.watch.progress();
        slot.state.space = StackSpace { next: space as u32, end: (space >> 32) as u32 };
        slot.state.base = base;
        slot.state.top = callee;
        Ok(())
    }

    /// Reports that an exception has no handler.
    fn nobody_catches(&mut self, thread: usize, pc: Pc, exception: &Thrown) -> Halt {
        let what = self.describe_thrown(thread, exception);
        // What throws may be the library, which users do not want to look at.
        let places = |caller: &Caller| self.code.place(caller.pc).is_some();
        let pc = self.callers(thread, pc).find(places).map_or(pc, |caller| caller.pc);
        let message = format!("the program throws {what}, and no handler catches it");
        let violation = self.violation_at(pc, ViolationKind::Exception, message);
        self.fail_at(thread, pc, violation)
    }
}
