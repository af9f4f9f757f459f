//! Exceptions and their handlers.

use super::code::Mfa;
use super::{Trouble, Vm};
use crate::term::{Atom, Term, atom};

/// The class of an exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Error,
    Exit,
    Throw,
}

impl Class {
    pub(crate) fn name(self) -> Atom {
        match self {
            Class::Error => atom::ERROR,
            Class::Exit => atom::EXIT,
            Class::Throw => atom::THROW,
        }
    }

    pub(crate) fn of(term: Term) -> Option<Class> {
        match term.as_atom()? {
            atom::ERROR => Some(Class::Error),
            atom::EXIT => Some(Class::Exit),
            atom::THROW => Some(Class::Throw),
            _ => None,
        }
    }
}

/// An exception that is being raised.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Exception {
    pub(crate) class: Class,
    pub(crate) reason: Term,
    /// Its stack trace, if it is known already.
    pub(crate) trace: Option<Term>,
}

/// The reasons for which a built-in function returns no value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Stop {
    Raise(Exception),
    /// Its process has to take a step: see [`Vm::intent`].
    Suspend,
    /// It goes on with this code: the registers are set.
    Call(u32),
    /// It goes on with this code, and never returns.
    Jump(u32),
    /// The execution cannot go on: see [`Vm::trouble`].
    Trouble,
}

/// The result of a built-in function.
pub(crate) type Out = Result<Term, Stop>;

pub(crate) fn error(reason: Term) -> Stop {
    Stop::Raise(Exception { class: Class::Error, reason, trace: None })
}

pub(crate) fn badarg() -> Stop {
    error(Term::atom(atom::BADARG))
}

pub(crate) fn badarith() -> Stop {
    error(Term::atom(atom::BADARITH))
}

/// The number of calls in a stack trace.
const TRACE_DEPTH: usize = 8;

impl Vm {
    /// Returns the error with the reason `{Tag, Term}`.
    pub(crate) fn error_of(&mut self, tag: Atom, term: Term) -> Stop {
        error(self.heap.tuple(&[Term::atom(tag), term]))
    }

    /// What is kept of where an exception comes from: its class, the first entry of the trace if
    /// that is not the code itself, and the instructions that led there.
    pub(super) fn raw_trace(&mut self, class: Class, first: Term, pc: u32) -> Term {
        let call = |back: u32| Term::int(i64::from(back) - 1);
        let mut calls = vec![Term::int(pc.into())];
        if self.cp > 0 {
            calls.push(call(self.cp));
        }
        let mut returns = self.stack.iter().rev().filter_map(|slot| slot.as_return());
        while calls.len() < TRACE_DEPTH {
            match returns.next() {
                Some(0) => {}
                // A function that calls itself at one place counts once, as on the real machine.
                Some(pc) if calls.len() > 1 && calls.last() == Some(&call(pc)) => {}
                Some(pc) => calls.push(call(pc)),
                None => break,
            }
        }
        let calls = self.heap.list(&calls);
        let class = Term::atom(class.name());
        self.heap.tuple(&[Term::atom(atom::RAW_TRACE), class, first, calls])
    }

    /// Returns the instruction at which the running process is for traces, given the instruction `at` that
    /// calls a built-in function. After a tail call by `apply`, this is the call to which the process returns.
    pub(crate) fn caller(&self, at: u32) -> u32 {
        use super::instruction::Instruction::{CallExt, CallExtLast, CallExtOnly};
        let instruction = self.code.instructions.get(at as usize);
        let is_call = instruction.is_some_and(|instruction| {
            matches!(instruction, CallExt { .. } | CallExtLast { .. } | CallExtOnly { .. })
        });
        let is_stub = self.code.function_at(at).is_none_or(|f| f.mfa.module == atom::ERLANG);
        if is_call && !is_stub { at } else { self.me().pc.saturating_sub(1) }
    }

    /// Returns the trace of the running process, which calls a built-in function by the instruction `at`.
    pub(crate) fn current_trace(&mut self, at: u32) -> Term {
        let (at, back) = (self.caller(at), self.me().pc);
        // A tail call returns to another function.
        let cp = std::mem::replace(&mut self.cp, if back == at + 1 { 0 } else { back });
        let trace = self.raw_trace(Class::Error, Term::NIL, at);
        self.cp = cp;
        self.build_trace(trace)
    }

    /// Returns the class of the exception that a raw trace belongs to.
    pub(super) fn class_of_trace(&self, trace: Term) -> Class {
        let raw = self.heap.tuple_of::<4>(trace).map(|[tag, class, _, _]| (tag, class));
        let built = self.heap.tuple_of::<3>(trace).map(|[tag, class, _]| (tag, class));
        let class = raw.or(built).filter(|(tag, _)| tag.is_atom(atom::RAW_TRACE));
        class.and_then(|(_, class)| Class::of(class)).unwrap_or(Class::Error)
    }

    /// Returns a stack trace as programs see it.
    pub(super) fn build_trace(&mut self, trace: Term) -> Term {
        if let Some([tag, _, built]) = self.heap.tuple_of::<3>(trace)
            && tag.is_atom(atom::RAW_TRACE)
        {
            return built;
        }
        let Some([tag, _, first, calls]) = self.heap.tuple_of::<4>(trace) else { return trace };
        if !tag.is_atom(atom::RAW_TRACE) {
            return trace;
        }
        let mut entries = Vec::new();
        if !first.is_nil() {
            entries.push(first);
        }
        for pc in self.heap.elements_of_list(calls).unwrap_or_default() {
            let pc = pc.as_small().unwrap_or(0) as u32;
            let Some(function) = self.code.function_at(pc) else { continue };
            // A function that no clause of matches is in the first entry.
            if entries.is_empty() || !self.is_entry_of(entries[entries.len() - 1], function.mfa) {
                let entry = self.trace_entry(function.mfa, None, pc);
                entries.push(entry);
            }
        }
        self.heap.list(&entries)
    }

    fn is_entry_of(&self, entry: Term, mfa: Mfa) -> bool {
        let Some([module, name, arguments, _]) = self.heap.tuple_of::<4>(entry) else {
            return false;
        };
        let arity = self.heap.elements_of_list(arguments).map(|all| all.len());
        module.is_atom(mfa.module) && name.is_atom(mfa.name) && arity == Some(mfa.arity as usize)
    }

    /// `{Module, Function, Arity or Arguments, [{file, _}, {line, _}]}`.
    pub(super) fn trace_entry(&mut self, mfa: Mfa, arguments: Option<Term>, pc: u32) -> Term {
        let line = self.code.line_at(pc).map(|(file, line)| (file.to_owned(), line));
        let location = match line {
            None => Term::NIL,
            Some((file, line)) => {
                let file = self.heap.string(&file);
                let file = self.heap.tuple(&[Term::atom(atom::FILE), file]);
                let line = self.heap.tuple(&[Term::atom(atom::LINE), Term::int(line.into())]);
                self.heap.list(&[file, line])
            }
        };
        let arity = arguments.unwrap_or(Term::int(mfa.arity.into()));
        self.heap.tuple(&[Term::atom(mfa.module), Term::atom(mfa.name), arity, location])
    }

    /// Finds the handler of an exception and goes there; `None` if there is none, in which case
    /// the process comes to its end.
    pub(super) fn handle(&mut self, exception: Exception, first: Term, pc: u32) -> Option<u32> {
        let Exception { class, reason, trace } = exception;
        let trace = match trace {
            None => self.raw_trace(class, first, pc),
            Some(trace) if !trace.is_list() => trace,
            // The program has built it: the class is kept beside it.
            Some(built) => {
                let class = Term::atom(class.name());
                self.heap.tuple(&[Term::atom(atom::RAW_TRACE), class, built])
            }
        };
        if self.handlers == 0 {
            self.end_by(class, reason, trace);
            return None;
        }
        let mut top = self.stack.len();
        let mut at = self.stack.len();
        while at > 0 {
            at -= 1;
            let slot = self.stack[at];
            if let Some(handler) = slot.as_handler() {
                self.shrink_stack(top);
                self.x[0] = Term::NONE;
                self.x[1] = Term::atom(class.name());
                self.x[2] = reason;
                self.x[3] = trace;
                return Some(handler);
            }
            if slot.as_return().is_some() {
                top = at;
            }
        }
        self.end_by(class, reason, trace);
        None
    }

    /// Raises an exception at a place in the code, and goes on where it is handled.
    pub(crate) fn raise_at(&mut self, exception: Exception, pc: u32) {
        if let Some(handler) = self.handle(exception, Term::NIL, pc) {
            self.run(handler);
        }
    }

    /// Ends the running process because of an exception that is not handled.
    fn end_by(&mut self, class: Class, reason: Term, trace: Term) {
        let trace = self.build_trace(trace);
        let reason = match class {
            Class::Exit => reason,
            Class::Error => self.heap.tuple(&[reason, trace]),
            Class::Throw => {
                let nocatch = self.heap.tuple(&[Term::atom(atom::NOCATCH), reason]);
                self.heap.tuple(&[nocatch, trace])
            }
        };
        self.report_end(reason, trace);
        self.end_with(reason);
    }

    /// Reports that the running process ends, unless the reason is normal.
    pub(crate) fn report_end(&mut self, reason: Term, trace: Term) {
        if self.is_normal_end(reason) {
            return;
        }
        // Names that other processes give may come before or after: it is the same violation.
        let symbol = match self.me().named_itself {
            true => self.symbol(self.current),
            false => self.processes[self.current as usize].symbol.clone(),
        };
        let mut text = format!("{symbol} ended abnormally: {}", self.show_reason(reason));
        let mut seen_code = false;
        for entry in self.heap.elements_of_list(trace).unwrap_or_default() {
            if let Some(line) = self.show_trace_entry(entry).filter(|line| !is_own(line)) {
                text.push_str(if seen_code { "\n  called from " } else { "\n  in " });
                text.push_str(&line);
                seen_code = true;
            }
        }
        if self.is_time_out(reason) {
            text.push_str(
                "\n  A time-out may come at any time. If those of 5 seconds or more never do, say so: \
                 --never-after 5000",
            );
        }
        if reason.is_atom(atom::SHUTDOWN) {
            text.push_str(
                "\n  A supervisor that ends tells its children to end with this reason. To allow it, \
                 add --treat-as-normal shutdown",
            );
        }
        if let Some(module) = self.missing_module(reason, trace) {
            text.push_str(&format!(
                "\n  There is no module `{module}`. To give the directory of its file, add -pa, for \
                 example -pa _build/default/lib"
            ));
        }
        if reason.is_atom(atom::KILLED) {
            text.push_str(
                "\n  A process ended it by exit(_, kill), as supervisors do with some children. To allow \
                 it, add --treat-as-normal killed",
            );
        }
        if self.is_starting {
            self.watch_lives();
        }
        // The end must be a step: other processes are explored even if this process fails at once.
        if self.is_starting || self.lives && self.me().steps == 0 {
            self.early_ends.push((self.current, text));
            return;
        }
        match &mut self.trouble {
            None => self.trouble = Some(Trouble::Ended(text)),
            // A step may create several processes that end at once.
            Some(Trouble::Ended(all)) => {
                all.push('\n');
                all.push_str(&text);
            }
            Some(_) => {}
        }
    }

    /// Returns the module of a function that does not exist, if a process ends because it calls one of a
    /// module that was not found.
    fn missing_module(&self, reason: Term, trace: Term) -> Option<String> {
        let reason = self.heap.tuple_of::<2>(reason).map_or(reason, |[reason, _]| reason);
        let first = self.heap.elements_of_list(trace)?.first().copied()?;
        let module = self.heap.tuple_of::<4>(first)?[0].as_atom()?;
        let is_missing = reason.is_atom(atom::UNDEF) && !self.code.modules.contains_key(&module);
        let name = self.atoms.name(module);
        is_missing.then(|| name.strip_prefix("Elixir.").unwrap_or(name).to_owned())
    }

    /// Returns whether a reason says that a call of an OTP server timed out.
    fn is_time_out(&self, reason: Term) -> bool {
        let reason = self.heap.tuple_of::<2>(reason);
        self.never_after.is_none()
            && reason.is_some_and(|[what, call]| {
                what.is_atom(atom::TIMEOUT) && self.heap.tuple_of::<3>(call).is_some()
            })
    }

    /// Returns the text of a reason without its stack trace, which is shown separately.
    fn show_reason(&self, reason: Term) -> String {
        if let Some([reason, trace]) = self.heap.tuple_of::<2>(reason)
            && let Some(cons) = trace.as_cons()
            && self.show_trace_entry(self.heap.head(cons)).is_some()
        {
            return self.show_without_names(reason, 400);
        }
        self.show_without_names(reason, 400)
    }

    /// `module:function/arity (file, line n)`.
    fn show_trace_entry(&self, entry: Term) -> Option<String> {
        let [module, name, arity, location] = self.heap.tuple_of::<4>(entry)?;
        let (module, name) = (module.as_atom()?, name.as_atom()?);
        let (arity, arguments) = match arity.as_small() {
            Some(arity) => (arity as u32, None),
            None => (self.heap.elements_of_list(arity)?.len() as u32, Some(arity)),
        };
        let mut text = Mfa::new(module, name, arity).show(&self.atoms);
        if let Some(arguments) = arguments {
            text.push_str(&format!(" with {}", self.show_without_names(arguments, 200)));
        }
        let (mut file, mut line) = (None, None);
        for part in self.heap.elements_of_list(location)? {
            match self.heap.tuple_of::<2>(part) {
                Some([key, value]) if key.is_atom(atom::FILE) => file = Some(value),
                Some([key, value]) if key.is_atom(atom::LINE) => line = value.as_small(),
                _ => {}
            }
        }
        if let (Some(file), Some(line)) = (file, line) {
            let file = self.text_of(file).unwrap_or_default();
            text.push_str(&format!(" ({file}, line {line})"));
        }
        Some(text)
    }

    /// Returns whether a reason to end is normal.
    pub(crate) fn is_normal_end(&self, reason: Term) -> bool {
        let tag = match self.heap.arity(reason) {
            Some(1..) => self.heap.element(reason, 0),
            _ => reason,
        };
        let is_normal = |atom: &Atom| tag.is_atom(*atom);
        reason.is_atom(atom::NORMAL) || self.normal_reasons.iter().any(is_normal)
    }

    /// Returns the text of a list of characters or a binary.
    pub(crate) fn text_of(&self, term: Term) -> Option<String> {
        if let Some(bytes) = self.heap.binary_bytes(term) {
            return String::from_utf8(bytes).ok();
        }
        let chars = self.heap.elements_of_list(term)?;
        chars.iter().map(|c| char::from_u32(u32::try_from(c.as_small()?).ok()?)).collect()
    }
}

/// Returns whether an entry of a stack trace belongs to the module of Mazurka that runs tests.
fn is_own(entry: &str) -> bool {
    entry.starts_with("mazurka_tests:")
}
