//! The loop that runs instructions.

use super::calls::After;
use super::code::{Mfa, Target};
use super::exception::{Class, Exception, Stop};
use super::flow::Flow;
use super::instruction::{Instruction, Row};
use super::process::Pending;
use super::{PATIENCE, Trouble, Vm};
use crate::term::{Kind, Map, Term, atom, equal, equal_exact};

impl Vm {
    /// Runs the current process from a place in the code, up to its next visible operation.
    pub(crate) fn run(&mut self, pc: u32) {
        self.interpret(pc);
    }

    /// Runs the patterns of a receive. Whether they match.
    pub(super) fn run_pattern(&mut self, pc: u32) -> bool {
        self.interpret(pc)
    }

    pub(super) fn suspend(&mut self, pc: u32) -> bool {
        let intent = self.intent;
        let me = self.me_mut();
        (me.pc, me.pending) = (pc, intent);
        false
    }

    /// Runs instructions until the process is suspended, or a pattern has matched or not.
    #[allow(clippy::too_many_lines)] // One arm an instruction.
    fn interpret(&mut self, start: u32) -> bool {
        use Instruction as I;
        let mut pc = start;
        let mut patience = PATIENCE;
        /// Goes to where a test fails, or on.
        macro_rules! test {
            ($holds:expr, $fail:expr) => {
                if $holds { pc += 1 } else { pc = $fail }
            };
        }
        macro_rules! raise {
            ($exception:expr) => {
                raise!($exception, Term::NIL)
            };
            ($exception:expr, $first:expr) => {
                match self.handle($exception, $first, pc) {
                    Some(handler) => pc = handler,
                    None => return false,
                }
            };
        }
        macro_rules! raise_error {
            ($reason:expr) => {{
                let reason = $reason;
                raise!(Exception { class: Class::Error, reason, trace: None })
            }};
        }
        macro_rules! raise_tagged {
            ($tag:expr, $value:expr) => {{
                let value = self.get($value);
                raise_error!(self.heap.tuple(&[Term::atom($tag), value]))
            }};
        }
        macro_rules! built_in {
            ($import:expr, $after:expr) => {
                match self.call_built_in($import, pc, $after) {
                    Ok(next) => pc = next,
                    Err(suspended) => return suspended,
                }
            };
        }
        macro_rules! call {
            ($import:expr, $after:expr) => {{
                let import = $import;
                match self.code.imports[import as usize].target {
                    Target::Code(to) => {
                        match $after {
                            After::Next => self.cp = pc + 1,
                            After::Return(Some(slots)) => self.deallocate(slots),
                            After::Return(None) => {}
                        }
                        pc = to;
                    }
                    _ => built_in!(import, $after),
                }
            }};
        }
        loop {
            patience -= 1;
            if patience == 0 {
                let symbol = self.symbol(self.current);
                let at = self.show_place(pc);
                let text = format!("{symbol} runs on and on without a visible operation, in {at}");
                self.trouble = Some(Trouble::Runs(text));
                self.intent = Pending::Nothing;
                return self.suspend(pc);
            }
            match self.code.instructions[pc as usize] {
                I::FunctionClause { function } => {
                    let mfa = self.code.functions[function as usize].mfa;
                    let arguments = self.x[..mfa.arity as usize].to_vec();
                    let arguments = self.heap.list(&arguments);
                    let first = self.trace_entry(mfa, Some(arguments), pc);
                    let reason = Term::atom(atom::FUNCTION_CLAUSE);
                    raise!(Exception { class: Class::Error, reason, trace: None }, first);
                }
                I::End => {
                    self.end_with(Term::atom(atom::NORMAL));
                    return false;
                }
                I::Call { to } => {
                    self.cp = pc + 1;
                    pc = to;
                }
                I::CallLast { to, frame } => {
                    self.deallocate(frame);
                    pc = to;
                }
                I::CallOnly { to } | I::Jump { to } => pc = to,
                I::CallExt { import } => call!(import, After::Next),
                I::CallExtLast { import, frame } => call!(import, After::Return(Some(frame))),
                I::CallExtOnly { import } => call!(import, After::Return(None)),
                I::CallFun { arity } => {
                    let function = self.x[arity as usize];
                    match self.prepare_fun(function, arity) {
                        Ok(to) => {
                            self.cp = pc + 1;
                            pc = to;
                        }
                        Err(stop) => match self.stopped(stop, pc, After::Next, None) {
                            Ok(next) => pc = next,
                            Err(suspended) => return suspended,
                        },
                    }
                }
                I::CallFun2 { arity, function } => {
                    let function = self.get(function);
                    match self.prepare_fun(function, arity) {
                        Ok(to) => {
                            self.cp = pc + 1;
                            pc = to;
                        }
                        Err(stop) => match self.stopped(stop, pc, After::Next, None) {
                            Ok(next) => pc = next,
                            Err(suspended) => return suspended,
                        },
                    }
                }
                I::Apply { arity } | I::ApplyLast { arity, .. } => {
                    let (module, name) = (self.x[arity as usize], self.x[arity as usize + 1]);
                    let after = match self.code.instructions[pc as usize] {
                        I::ApplyLast { frame, .. } => After::Return(Some(frame)),
                        _ => After::Next,
                    };
                    match (module.as_atom(), name.as_atom()) {
                        (Some(module), Some(name)) => {
                            let import = self.code.import(Mfa::new(module, name, arity));
                            call!(import, after);
                        }
                        _ => raise_error!(Term::atom(atom::BADARG)),
                    }
                }
                I::Return => pc = std::mem::take(&mut self.cp),
                I::Allocate { frame } => {
                    self.allocate(frame);
                    pc += 1;
                }
                I::Deallocate { frame } => {
                    self.deallocate(frame);
                    pc += 1;
                }
                I::Trim { count } => {
                    self.shrink_stack(self.stack.len() - count as usize);
                    pc += 1;
                }
                I::Clear { slots } => {
                    for i in slots.range() {
                        self.set(self.code.operands[i], Term::NIL);
                    }
                    pc += 1;
                }
                I::Move { from, to } => {
                    let term = self.get(from);
                    self.set(to, term);
                    pc += 1;
                }
                I::Swap { a, b } => {
                    let (x, y) = (self.get(a), self.get(b));
                    self.set(a, y);
                    self.set(b, x);
                    pc += 1;
                }
                I::GetList { list, head, tail } => {
                    let cons = self.get(list).as_cons().expect("it was tested");
                    let (first, rest) = (self.heap.head(cons), self.heap.tail(cons));
                    self.set(head, first);
                    self.set(tail, rest);
                    pc += 1;
                }
                I::GetHead { list, to } => {
                    let cons = self.get(list).as_cons().expect("it was tested");
                    self.set(to, self.heap.head(cons));
                    pc += 1;
                }
                I::GetTail { list, to } => {
                    let cons = self.get(list).as_cons().expect("it was tested");
                    self.set(to, self.heap.tail(cons));
                    pc += 1;
                }
                I::GetElement { tuple, index, to } => {
                    let element = self.heap.element(self.get(tuple), index as usize);
                    self.set(to, element);
                    pc += 1;
                }
                I::SetElement { value, tuple, index } => {
                    let place = self.get(tuple).as_box().expect("it was tested");
                    let value = self.get(value).to_word();
                    self.change_word(place + 1 + index as usize, value);
                    pc += 1;
                }
                I::PutList { head, tail, to } => {
                    let list = self.heap.cons(self.get(head), self.get(tail));
                    self.set(to, list);
                    pc += 1;
                }
                I::PutTuple { to, elements } => {
                    let place = self.heap.boxed(Kind::Tuple, elements.len as usize);
                    for i in elements.range() {
                        let element = self.get(self.code.operands[i]);
                        self.heap.push(element);
                    }
                    let tuple = self.heap.term_at(place);
                    self.set(to, tuple);
                    pc += 1;
                }
                I::UpdateTuple { from, to, updates } => {
                    let tuple = self.update_tuple(self.get(from), updates);
                    self.set(to, tuple);
                    pc += 1;
                }
                I::MakeFun { lambda, to, free } => {
                    let place = self.heap.boxed(Kind::Fun, 1 + free.len as usize);
                    self.heap.push(Term::int(lambda.into()));
                    for i in free.range() {
                        let term = self.get(self.code.operands[i]);
                        self.heap.push(term);
                    }
                    let function = self.heap.term_at(place);
                    self.set(to, function);
                    pc += 1;
                }
                I::PutMap { fail, map, to, entries, exact } => {
                    match self.put_map(self.get(map), entries, exact) {
                        Ok(map) => {
                            self.set(to, map);
                            pc += 1;
                        }
                        Err(_) if fail > 0 => pc = fail,
                        Err(reason) => raise_error!(reason),
                    }
                }
                I::HasMapFields { fail, map, keys } => {
                    let holds = Map::of(&self.heap, self.get(map)).is_some_and(|map| {
                        keys.range().all(|i| {
                            let key = self.get(self.code.operands[i]);
                            map.get(&self.heap, &self.atoms, key).is_some()
                        })
                    });
                    test!(holds, fail);
                }
                I::GetMapElements { fail, map, entries } => {
                    test!(self.get_map_elements(self.get(map), entries), fail);
                }
                I::Is { test, fail, term } => test!(self.has_type(test, self.get(term)), fail),
                I::IsFunction { fail, term, arity } => {
                    let arity = self.get(arity).as_small();
                    let holds = self.fun_arity(self.get(term)).map(i64::from) == arity;
                    test!(holds && arity.is_some(), fail);
                }
                I::HasArity { fail, tuple, arity } => {
                    test!(self.heap.arity(self.get(tuple)) == Some(arity as usize), fail);
                }
                I::IsTagged { fail, tuple, arity, tag } => {
                    let tuple = self.get(tuple);
                    let holds = self.heap.arity(tuple) == Some(arity as usize)
                        && self.heap.element(tuple, 0).is_atom(tag);
                    test!(holds, fail);
                }
                I::Less { fail, a, b } => test!(self.less(self.get(a), self.get(b)), fail),
                I::NotLess { fail, a, b } => test!(!self.less(self.get(a), self.get(b)), fail),
                I::Equal { fail, a, b } => {
                    test!(equal(&self.heap, &self.atoms, self.get(a), self.get(b)), fail);
                }
                I::NotEqual { fail, a, b } => {
                    test!(!equal(&self.heap, &self.atoms, self.get(a), self.get(b)), fail);
                }
                I::Same { fail, a, b } => {
                    test!(equal_exact(&self.heap, self.get(a), self.get(b)), fail);
                }
                I::NotSame { fail, a, b } => {
                    test!(!equal_exact(&self.heap, self.get(a), self.get(b)), fail);
                }
                I::SelectValue { term, fail, cases } => {
                    let term = self.get(term);
                    let cases = &self.code.cases[cases.range()];
                    // Values of selections are of one word, or literals.
                    let found = cases.iter().find(|(value, _)| {
                        *value == term
                            || value.as_box().is_some() && equal_exact(&self.heap, *value, term)
                    });
                    pc = found.map_or(fail, |(_, to)| *to);
                }
                I::SelectArity { tuple, fail, cases } => {
                    let arity = self.heap.arity(self.get(tuple)).map(|n| Term::int(n as i64));
                    let cases = &self.code.cases[cases.range()];
                    let found = cases.iter().find(|(value, _)| Some(*value) == arity);
                    pc = found.map_or(fail, |(_, to)| *to);
                }
                I::Add { fail, a, b, to } => {
                    let (x, y) = (self.get(a), self.get(b));
                    let sum = match (x.as_small(), y.as_small()) {
                        (Some(x), Some(y)) => Term::small(x + y),
                        _ => None,
                    };
                    match sum.map_or_else(|| self.add(x, y), Ok) {
                        Ok(sum) => {
                            self.set(to, sum);
                            pc += 1;
                        }
                        Err(_) if fail > 0 => pc = fail,
                        Err(_) => raise_error!(Term::atom(atom::BADARITH)),
                    }
                }
                I::Subtract { fail, a, b, to } => {
                    let (x, y) = (self.get(a), self.get(b));
                    let difference = match (x.as_small(), y.as_small()) {
                        (Some(x), Some(y)) => Term::small(x - y),
                        _ => None,
                    };
                    match difference.map_or_else(|| self.subtract(x, y), Ok) {
                        Ok(difference) => {
                            self.set(to, difference);
                            pc += 1;
                        }
                        Err(_) if fail > 0 => pc = fail,
                        Err(_) => raise_error!(Term::atom(atom::BADARITH)),
                    }
                }
                I::Bif { fail, import, arguments, to } => {
                    let mut all = [Term::NIL; 3];
                    for (argument, i) in all.iter_mut().zip(arguments.range()) {
                        *argument = self.get(self.code.operands[i]);
                    }
                    let all = &all[..arguments.len as usize];
                    match self.call_guard(import, all) {
                        Ok(term) => {
                            self.set(to, term);
                            pc += 1;
                        }
                        Err(_) if fail > 0 => pc = fail,
                        Err(stop) => {
                            let first = self.entry_of_built_in(import, all);
                            match self.stopped(stop, pc, After::Next, Some(first)) {
                                Ok(next) => pc = next,
                                Err(suspended) => return suspended,
                            }
                        }
                    }
                }
                I::Send => match self.begin_send(self.x[0], self.x[1]) {
                    Err(Stop::Suspend) => return self.suspend(pc + 1),
                    Ok(result) => {
                        self.x[0] = result;
                        pc += 1;
                    }
                    Err(_) => raise_error!(Term::atom(atom::BADARG)),
                },
                I::LoopReceive { empty, .. } => {
                    self.intent = self.receive_at(empty);
                    self.suspend(pc);
                    let current = self.current;
                    let found = self.look(current);
                    self.me_mut().found = found;
                    return false;
                }
                I::RemoveMessage => {
                    if self.is_matching {
                        return true;
                    }
                    pc += 1;
                }
                I::NextMessage { .. } => {
                    debug_assert!(self.is_matching, "a message is taken only if it matches");
                    return false;
                }
                // A receive without patterns.
                I::Wait { .. } => {
                    self.intent = Pending::Sleep;
                    return self.suspend(pc);
                }
                I::WaitTimeout { time, .. } => {
                    let time = self.get(time);
                    if time.is_atom(atom::INFINITY) {
                        self.intent = Pending::Sleep;
                        return self.suspend(pc);
                    }
                    match self.heap.as_integer(time) {
                        Some(limit) if limit >= num_bigint::BigInt::from(0) => {
                            self.pass_time(time.as_small());
                            pc += 1;
                        }
                        _ => raise_error!(Term::atom(self.atoms.intern("timeout_value"))),
                    }
                }
                I::TimedOut => pc += 1,
                I::Catch { slot, handler } => {
                    self.set(slot, Term::handler(handler));
                    self.handlers += 1;
                    pc += 1;
                }
                I::TryEnd { slot } => {
                    self.set(slot, Term::NIL);
                    self.handlers -= 1;
                    pc += 1;
                }
                I::CatchEnd { slot } => {
                    self.set(slot, Term::NIL);
                    self.handlers -= 1;
                    if self.x[0] == Term::NONE {
                        self.x[0] = self.caught();
                    }
                    pc += 1;
                }
                I::TryCase { slot } => {
                    self.set(slot, Term::NIL);
                    self.handlers -= 1;
                    self.x.copy_within(1..4, 0);
                    pc += 1;
                }
                I::Raise { trace, reason } => {
                    let (trace, reason) = (self.get(trace), self.get(reason));
                    let class = self.class_of_trace(trace);
                    raise!(Exception { class, reason, trace: Some(trace) });
                }
                I::RawRaise => match Class::of(self.x[0]) {
                    Some(class) => {
                        let (reason, trace) = (self.x[1], Some(self.x[2]));
                        raise!(Exception { class, reason, trace });
                    }
                    None => {
                        self.x[0] = Term::atom(atom::BADARG);
                        pc += 1;
                    }
                },
                I::BuildTrace => {
                    self.x[0] = self.build_trace(self.x[0]);
                    pc += 1;
                }
                I::BadMatch { value } => raise_tagged!(atom::BADMATCH, value),
                I::CaseEnd { value } => raise_tagged!(atom::CASE_CLAUSE, value),
                I::TryCaseEnd { value } => raise_tagged!(atom::TRY_CLAUSE, value),
                I::BadRecord { value } => raise_tagged!(atom::BADRECORD, value),
                I::IfEnd => raise_error!(Term::atom(atom::IF_CLAUSE)),

                I::FloatMove { .. }
                | I::FloatConvert { .. }
                | I::FloatArithmetic { .. }
                | I::FloatNegate { .. }
                | I::StartMatch { .. }
                | I::GetInteger { .. }
                | I::GetFloat { .. }
                | I::GetBits { .. }
                | I::SkipBits { .. }
                | I::GetUtf { .. }
                | I::TestTail { .. }
                | I::TestUnit { .. }
                | I::TestBits { .. }
                | I::MatchString { .. }
                | I::GetRest { .. }
                | I::GetPosition { .. }
                | I::SetPosition { .. }
                | I::CreateBits { .. }
                | I::InitWritable => {
                    match self.run_on_bits_or_floats(self.code.instructions[pc as usize]) {
                        Flow::Next => pc += 1,
                        Flow::To(to) => pc = to,
                        Flow::Raise(reason) => raise_error!(Term::atom(reason)),
                    }
                }
                I::Native { import } => built_in!(import, After::Next),
                I::Obsolete { opcode } => {
                    let text = format!(
                        "{} has the instruction {opcode}, which Mazurka does not know: compile it \
                         with the `erlc` of Erlang/OTP 25",
                        self.show_place(pc)
                    );
                    self.trouble = Some(Trouble::Missing(text));
                    self.intent = Pending::Nothing;
                    return self.suspend(pc);
                }
            }
        }
    }

    /// Copies a tuple, with other elements at some positions.
    fn update_tuple(&mut self, tuple: Term, updates: Row) -> Term {
        let len = self.heap.arity(tuple).expect("it was tested");
        let place = self.heap.boxed(Kind::Tuple, len);
        for index in 0..len {
            let update = updates.range().step_by(2).find(|update| {
                let position = self.get(self.code.operands[*update]).as_small();
                position == Some(index as i64 + 1)
            });
            let element = match update {
                Some(update) => self.get(self.code.operands[update + 1]),
                None => self.heap.element(tuple, index),
            };
            self.heap.push(element);
        }
        self.heap.term_at(place)
    }

    /// What a `catch` evaluates to when there was an exception.
    fn caught(&mut self) -> Term {
        let reason = self.x[2];
        let wrap = |vm: &mut Vm, reason| vm.heap.tuple(&[Term::atom(atom::EXIT_MESSAGE), reason]);
        match Class::of(self.x[1]) {
            Some(Class::Throw) => reason,
            Some(Class::Exit) => wrap(self, reason),
            _ => {
                let trace = self.build_trace(self.x[3]);
                let pair = self.heap.tuple(&[reason, trace]);
                wrap(self, pair)
            }
        }
    }
}
