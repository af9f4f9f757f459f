//! Calls: of built-in functions, of function values, and of functions by name.

use super::Vm;
use super::code::{Mfa, Target};
use super::exception::{Class, Exception, Stop};
use super::process::{CodeOperation, Pending, Visible};
use crate::term::{Kind, Term, atom};

/// How a call of a built-in function goes on.
#[derive(Clone, Copy)]
pub(super) enum After {
    /// Behind the call.
    Next,
    /// In the caller, once this many slots are gone.
    Return(Option<u32>),
}

impl Vm {
    /// Calls what is not known to be code: a built-in function, or one that has yet to be found.
    /// Says where to go on; the error is that the process has stopped.
    #[inline(never)]
    pub(super) fn call_built_in(
        &mut self,
        import: u32,
        pc: u32,
        after: After,
    ) -> Result<u32, bool> {
        self.at = pc;
        let arity = self.code.imports[import as usize].mfa.arity as usize;
        let result = match self.resolve(import) {
            Ok(Target::Code(to)) => Err(Stop::Call(to)),
            Ok(Target::Native(native)) => {
                let mut arguments = [Term::NIL; 8];
                let count = arity.min(8);
                arguments[..count].copy_from_slice(&self.x[..count]);
                match native(self, &arguments[..count]) {
                    Err(Stop::Raise(exception)) if exception.trace.is_none() => {
                        let first = self.first_entry(import, &arguments[..count], pc);
                        return self.stopped(Stop::Raise(exception), pc, after, Some(first));
                    }
                    result => result,
                }
            }
            Ok(Target::Dynamic) => self.call_dynamic(import),
            Ok(Target::Unknown) => {
                let arguments = self.x[..arity].to_vec();
                let first = self.entry_of_built_in(import, &arguments);
                let undef = super::error(Term::atom(atom::UNDEF));
                return self.stopped(undef, pc, after, Some(first));
            }
            Err(stop) => Err(stop),
        };
        match result {
            Ok(term) => {
                self.x[0] = term;
                Ok(match after {
                    After::Next => pc + 1,
                    After::Return(slots) => {
                        slots.into_iter().for_each(|slots| self.deallocate(slots));
                        std::mem::take(&mut self.cp)
                    }
                })
            }
            Err(stop) => self.stopped(stop, pc, after, None),
        }
    }

    /// Goes on when a call has not returned a value.
    pub(super) fn stopped(
        &mut self,
        stop: Stop,
        pc: u32,
        after: After,
        first: Option<Term>,
    ) -> Result<u32, bool> {
        if let Stop::Raise(exception) = stop {
            return self.handle(exception, first.unwrap_or(Term::NIL), pc).ok_or(false);
        }
        if let Stop::Jump(to) = stop {
            return Ok(to);
        }
        let next = match after {
            After::Next => pc + 1,
            After::Return(slots) => {
                slots.into_iter().for_each(|slots| self.deallocate(slots));
                std::mem::take(&mut self.cp)
            }
        };
        match stop {
            Stop::Call(to) => {
                self.cp = next;
                Ok(to)
            }
            Stop::Suspend => Err(self.suspend(next)),
            Stop::Trouble | Stop::Raise(_) | Stop::Jump(_) => {
                self.intent = Pending::Nothing;
                Err(self.suspend(pc))
            }
        }
    }

    /// The first entry of the trace when a built-in function has raised an exception: itself,
    /// unless that is what it is for.
    pub(super) fn first_entry(&mut self, import: u32, arguments: &[Term], pc: u32) -> Term {
        let mfa = self.code.imports[import as usize].mfa;
        let raises = matches!(mfa.name, atom::ERROR | atom::EXIT | atom::THROW);
        if mfa.module != atom::ERLANG || !raises {
            return self.entry_of_built_in(import, arguments);
        }
        // `error/2` is given the arguments of its caller.
        match (arguments.get(1), self.code.function_at(pc)) {
            (Some(given), Some(function)) if mfa.name == atom::ERROR && given.is_list() => {
                self.trace_entry(function.mfa, Some(*given), pc)
            }
            _ => Term::NIL,
        }
    }

    pub(super) fn entry_of_built_in(&mut self, import: u32, arguments: &[Term]) -> Term {
        let mfa = self.code.imports[import as usize].mfa;
        let arguments = self.heap.list(arguments);
        self.heap.tuple(&[Term::atom(mfa.module), Term::atom(mfa.name), arguments, Term::NIL])
    }

    pub(super) fn call_guard(&mut self, import: u32, arguments: &[Term]) -> super::Out {
        let target = match self.code.imports[import as usize].target {
            Target::Unknown => self.resolve(import)?,
            target => target,
        };
        match target {
            Target::Native(native) => native(self, arguments),
            _ => Err(super::error(Term::atom(atom::UNDEF))),
        }
    }

    /// How many arguments a function takes, if the term is one.
    pub(crate) fn fun_arity(&self, function: Term) -> Option<u32> {
        if let Some(place) = self.heap.as_kind(function, Kind::Fun) {
            let lambda = self.heap.word(place + 1).as_small()?;
            return Some(self.code.lambdas[lambda as usize].arity);
        }
        let place = self.heap.as_kind(function, Kind::Export)?;
        self.heap.word(place + 3).as_small().map(|arity| arity as u32)
    }

    /// Puts what a function has closed over behind its arguments. Returns where its code is.
    pub(crate) fn prepare_fun(&mut self, function: Term, arity: u32) -> Result<u32, Stop> {
        let Some(expected) = self.fun_arity(function) else {
            return Err(self.error_of(atom::BADFUN, function));
        };
        if expected != arity {
            let arguments = self.x[..arity as usize].to_vec();
            let arguments = self.heap.list(&arguments);
            let pair = self.heap.tuple(&[function, arguments]);
            return Err(self.error_of(atom::BADARITY, pair));
        }
        if let Some(place) = self.heap.as_kind(function, Kind::Fun) {
            let (_, size) = self.heap.header(place);
            for i in 0..size - 1 {
                self.x[arity as usize + i] = self.heap.word(place + 2 + i);
            }
            let lambda = self.heap.word(place + 1).as_small().unwrap_or(0);
            return Ok(self.code.lambdas[lambda as usize].entry);
        }
        let place = self.heap.as_kind(function, Kind::Export).expect("it has an arity");
        let [module, name] = std::array::from_fn(|i| self.heap.word(place + 1 + i));
        let (Some(module), Some(name)) = (module.as_atom(), name.as_atom()) else {
            return Err(super::badarg());
        };
        self.prepare_call(Mfa::new(module, name, arity))
    }

    /// Where the code of a function is that is called with what is in the registers. A built-in
    /// function is called by a stub.
    pub(crate) fn prepare_call(&mut self, mfa: Mfa) -> Result<u32, Stop> {
        let import = self.code.import(mfa);
        match self.resolve(import)? {
            Target::Code(to) => Ok(to),
            Target::Native(_) | Target::Dynamic => Ok(self.stub_for(import)),
            Target::Unknown => Err(self.undefined(mfa)),
        }
    }

    /// Makes the call of a function with what is in the registers the next step.
    fn call_dynamic(&mut self, import: u32) -> super::Out {
        let mfa = self.code.imports[import as usize].mfa;
        let arguments = self.x[..mfa.arity as usize].to_vec();
        let arguments = self.heap.list(&arguments);
        let what = Visible::Code(CodeOperation::Call);
        self.intend(what, [Term::atom(mfa.module), Term::atom(mfa.name), arguments])
    }

    /// Returns the error that a function is not there which is called with what is in the registers.
    pub(crate) fn undefined(&mut self, mfa: Mfa) -> Stop {
        let import = self.code.import(mfa);
        let arguments = self.x[..mfa.arity as usize].to_vec();
        let first = self.entry_of_built_in(import, &arguments);
        let trace = self.raw_trace(Class::Error, first, self.cp.saturating_sub(1));
        let reason = Term::atom(atom::UNDEF);
        Stop::Raise(Exception { class: Class::Error, reason, trace: Some(trace) })
    }
}
