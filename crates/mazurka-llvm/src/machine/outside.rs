//! Calls of functions that are known by their address only, and of the library's.

use mazurka_core::model::Op;
use mazurka_core::verdict::ViolationKind;

use super::LlvmMachine;
use super::access::{Access, Halt, LIFE};
use super::allowed::Undefined;
use super::call::{Call, Stop};
use super::thread::Status;
use crate::arithmetic::truncate;
use crate::bytecode::{CallSite, Code, FunctionCode, NOWHERE, Pc};
use crate::memory::{Fault, NEVER_WRITTEN, function_at};

impl LlvmMachine {
    /// The function at an address, if it can be called.
    pub(super) fn function_to_call<'c>(
        &mut self,
        code: &'c Code,
        thread: usize,
        pc: Pc,
        address: u64,
    ) -> Option<&'c FunctionCode> {
        let function = function_at(address).and_then(|index| code.functions.get(index as usize));
        let (kind, message) = match function {
            Some(function) if function.entry.is_some() || function.library.is_some() => {
                return Some(function);
            }
            Some(function) => {
                (ViolationKind::Unsupported, crate::bytecode::unknown_function(&function.name))
            }
            None if address == 0 => {
                (ViolationKind::InvalidMemory, "a call of the null pointer".to_owned())
            }
            None if address == NEVER_WRITTEN => (
                ViolationKind::InvalidMemory,
                "a call of a function pointer that was never written".to_owned(),
            ),
            None => (
                ViolationKind::InvalidMemory,
                format!("a call of {address:#x}, which is no function"),
            ),
        };
        let violation = self.violation_at(pc, kind, message);
        self.fail_at(thread, pc, violation);
        None
    }

    /// Reports a call of a function by another type than it has, unless that is allowed.
    #[cold]
    #[inline(never)]
    pub(super) fn check_signature(
        &mut self,
        code: &Code,
        thread: usize,
        pc: Pc,
        function: &FunctionCode,
        site: &CallSite,
    ) -> Result<(), Halt> {
        let (Some(call), Some(own)) = (site.signature, function.signature) else { return Ok(()) };
        let (call, own) = (&code.signatures[call as usize], &code.signatures[own as usize]);
        if call.may_call(own) {
            return Ok(());
        }
        let message =
            format!("`{}` is called as `{call}`, but its type is `{own}`", function.source_name);
        self.undefined(thread, pc, Undefined::FunctionType, message)
    }

    /// Calls a library function; where to go on.
    #[inline(never)]
    pub(super) fn call_library(
        &mut self,
        code: &Code,
        thread: usize,
        pc: Pc,
        (function, site, d): (u32, u32, u32),
        permit: bool,
    ) -> Result<Pc, Halt> {
        if self.is_trying && !self.harmless[function as usize] {
            self.threads[thread].state.status = Status::Gone;
            return Err(Halt);
        }
        let run = self.library[function as usize];
        let site = &code.sites[site as usize];
        self.pc = pc;
        self.threads[thread].state.pc = pc;
        let before = self.threads[thread].state;
        let (mark, printed) = (self.memory.mark(), self.output.len());
        let mut call = Call::new(self, thread, site, permit);
        let stop = run(&mut call);
        let mut result = call.result;
        if result[0] != NEVER_WRITTEN {
            result[0] = truncate(result[0], site.bits);
        }
        if matches!(stop, Err(Stop::Visible(..) | Stop::Choice(_)))
            || (matches!(stop, Err(Stop::Fault(..))) && !permit)
        {
            self.memory.undo(&mark);
            self.output.truncate(printed);
            self.threads[thread].state = before;
        } else {
            self.memory.keep(&mark);
        }
        if self.memory.len() as u64 > self.options.memory_limit / 8 {
            let message = format!(
                "the program has allocated more than {} MiB of memory: free some of it, or raise the \
                 limit (on the command line, by --memory-limit)",
                self.options.memory_limit >> 20
            );
            let violation = self.violation_at(pc, ViolationKind::Unsupported, message);
            return Err(self.fail_at(thread, pc, violation));
        }
        match stop {
            Ok(()) => {
                let thread = &mut self.threads[thread];
                thread.state.phase = 0;
                if d != crate::bytecode::NOWHERE {
                    for i in 0..site.results.min(3) {
                        thread.stack[(thread.state.base + d + i) as usize] = result[i as usize];
                    }
                }
                Ok(pc + 1)
            }
            Err(Stop::Visible(action, probe)) => {
                self.suspend(thread, pc, action, probe);
                Err(Halt)
            }
            Err(Stop::Choice(alternatives)) => {
                let state = &mut self.threads[thread].state;
                state.status = Status::Choosing;
                state.alternatives = alternatives;
                state.action.ways = mazurka_core::model::Ways::One;
                Err(Halt)
            }
            Err(Stop::Run(address, arguments)) => {
                let Some(function) = self.function_to_call(code, thread, pc, address) else {
                    return Err(Halt);
                };
                let Some(entry) = function.entry else {
                    let message = format!("`{}` cannot be called back", function.name);
                    let violation = self.violation_at(pc, ViolationKind::Unsupported, message);
                    return Err(self.fail_at(thread, pc, violation));
                };
                self.call_back(thread, pc, function, entry, &arguments)
            }
            Err(Stop::Violation(violation)) => Err(self.fail_at(thread, pc, violation)),
            Err(Stop::Fault(address, len, fault)) => {
                // To free memory is an update of its life.
                let is_end = fault == Fault::FreedTwice || len == LIFE;
                let op = if is_end { Op::Update } else { Op::Write };
                let access = Access { op, ..Access::write(address, len, None) };
                Err(self.refuse(thread, pc, access, permit, fault))
            }
            Err(Stop::Again) => Ok(pc),
            Err(Stop::Wait | Stop::Over) => Err(Halt),
            Err(Stop::Throw(thrown)) => self.throw(code, thread, pc, thrown, permit),
            Err(Stop::Jump(target, value)) => self.jump(code, thread, pc, (target, value), permit),
            Err(Stop::Exit(result)) => Ok(self.unwind(code, thread, result)),
        }
    }

    /// Leaves all functions of a thread but the first, which ends it; where that goes on.
    ///
    /// If the thread ends the program, its frames stay behind the first one: what their variables lead to
    /// is not lost.
    fn unwind(&mut self, code: &Code, thread: usize, result: u64) -> Pc {
        self.save_frames(thread, 0, NOWHERE);
        let exits = self.exit_code_given().is_some();
        let stub = &code.functions[if thread == 0 { code.main } else { code.thread } as usize];
        let slot = &mut self.threads[thread];
        slot.watch.progress();
        slot.state.base = 0;
        slot.state.top = if exits { slot.state.top } else { stub.frame };
        slot.state.phase = 0;
        slot.state.atomic = 0;
        slot.stack[crate::bytecode::FRAME_HEADER as usize] = result;
        // By convention the first frame ends the thread with what is in its first slot, by its
        // last instructions.
        stub.exit
    }
}
