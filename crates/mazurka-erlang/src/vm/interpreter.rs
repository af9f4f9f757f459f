//! The loop that runs instructions.

use super::code::{Mfa, Target};
use super::exception::{Class, Exception, Stop};
use super::instruction::{FloatOp, Instruction, PlaceKind, Row, TypeTest};
use super::process::Pending;
use super::{PATIENCE, Trouble, Vm};
use crate::term::{Kind, Map, Number, Term, atom, compare, equal, equal_exact};

/// How a call of a built-in function goes on.
#[derive(Clone, Copy)]
enum After {
    /// Behind the call.
    Next,
    /// In the caller, once this many slots are gone.
    Return(Option<u32>),
}

impl Vm {
    /// Runs the current process from a place in the code, up to its next visible operation.
    pub(crate) fn run(&mut self, pc: u32) {
        self.interpret(pc);
    }

    /// Runs the patterns of a receive. Whether they match.
    pub(super) fn run_pattern(&mut self, pc: u32) -> bool {
        self.interpret(pc)
    }

    fn suspend(&mut self, pc: u32) -> bool {
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
                I::FloatMove { from, to } => {
                    match to.kind() {
                        PlaceKind::Float(number) => self.f[number] = self.get_float(from),
                        _ => {
                            let value = self.get_float(from);
                            let float = self.heap.float(value);
                            self.set(to, float);
                        }
                    }
                    pc += 1;
                }
                I::FloatConvert { from, to } => {
                    let number = self.heap.as_number(self.get(from));
                    match (number.and_then(|n| Number::to_float(&n)), to.kind()) {
                        (Some(value), PlaceKind::Float(number)) => {
                            self.f[number] = value;
                            pc += 1;
                        }
                        _ => raise_error!(Term::atom(atom::BADARITH)),
                    }
                }
                I::FloatArithmetic { op, a, b, to } => {
                    let (x, y) = (self.get_float(a), self.get_float(b));
                    let result = match op {
                        FloatOp::Add => x + y,
                        FloatOp::Sub => x - y,
                        FloatOp::Mul => x * y,
                        FloatOp::Div => x / y,
                    };
                    match to.kind() {
                        PlaceKind::Float(number) if result.is_finite() => {
                            self.f[number] = result;
                            pc += 1;
                        }
                        _ => raise_error!(Term::atom(atom::BADARITH)),
                    }
                }
                I::FloatNegate { from, to } => {
                    if let PlaceKind::Float(number) = to.kind() {
                        self.f[number] = -self.get_float(from);
                    }
                    pc += 1;
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
                        Some(time) if time >= num_bigint::BigInt::from(0) => pc += 1,
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

                I::StartMatch { fail, from, to } => {
                    let from = self.get(from);
                    match self.start_match(from) {
                        Some(context) => {
                            self.set(to, context);
                            pc += 1;
                        }
                        None => pc = fail,
                    }
                }
                I::GetInteger { fail, context, size, unit, flags, to } => {
                    let bits = self.bits_wanted(context, size, unit);
                    match bits.and_then(|bits| self.read_integer(context, bits, flags)) {
                        Some(term) => {
                            self.set(to, term);
                            pc += 1;
                        }
                        None => pc = fail,
                    }
                }
                I::GetFloat { fail, context, size, unit, flags, to } => {
                    let bits = self.bits_wanted(context, size, unit);
                    match bits.and_then(|bits| self.read_float(context, bits, flags)) {
                        Some(term) => {
                            self.set(to, term);
                            pc += 1;
                        }
                        None => pc = fail,
                    }
                }
                I::GetBits { fail, context, size, unit, to } => {
                    let bits = self.bits_wanted(context, size, unit);
                    match bits.and_then(|bits| self.advance(context, bits)) {
                        Some(bits) => {
                            let term = self.heap.bits(bits);
                            self.set(to, term);
                            pc += 1;
                        }
                        None => pc = fail,
                    }
                }
                I::SkipBits { fail, context, size, unit } => {
                    let bits = self.bits_wanted(context, size, unit);
                    test!(bits.and_then(|bits| self.advance(context, bits)).is_some(), fail);
                }
                I::GetUtf { fail, context, utf, little, to } => {
                    match self.read_utf(context, utf, little) {
                        Some(c) => {
                            if let Some(to) = to {
                                self.set(to, Term::int(c.into()));
                            }
                            pc += 1;
                        }
                        None => pc = fail,
                    }
                }
                I::TestTail { fail, context, bits } => {
                    test!(self.bits_left(context) == u64::from(bits), fail);
                }
                I::TestUnit { fail, context, unit } => {
                    test!(self.bits_left(context).is_multiple_of(u64::from(unit)), fail);
                }
                I::MatchString { fail, context, bits, string } => {
                    test!(self.match_string(context, bits, string), fail);
                }
                I::GetRest { context, to } => {
                    let rest = self.rest(context);
                    let term = self.heap.bits(rest);
                    self.set(to, term);
                    pc += 1;
                }
                I::GetPosition { context, to } => {
                    let position = self.position(context);
                    self.set(to, Term::int(position as i64));
                    pc += 1;
                }
                I::SetPosition { context, position } => {
                    let position = self.get(position).as_small().unwrap_or(0) as u64;
                    self.set_position(context, position);
                    pc += 1;
                }
                I::CreateBits { fail, to, segments } => match self.create_bits(segments) {
                    Ok(term) => {
                        self.set(to, term);
                        pc += 1;
                    }
                    Err(_) if fail > 0 => pc = fail,
                    Err(reason) => raise_error!(Term::atom(reason)),
                },
                I::InitWritable => {
                    self.x[0] = self.heap.binary(&[]);
                    pc += 1;
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

    /// Calls what is not known to be code: a built-in function, or one that has yet to be found.
    /// Says where to go on; the error is that the process has stopped.
    #[inline(never)]
    fn call_built_in(&mut self, import: u32, pc: u32, after: After) -> Result<u32, bool> {
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
    fn stopped(
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
    fn first_entry(&mut self, import: u32, arguments: &[Term], pc: u32) -> Term {
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

    fn entry_of_built_in(&mut self, import: u32, arguments: &[Term]) -> Term {
        let mfa = self.code.imports[import as usize].mfa;
        let arguments = self.heap.list(arguments);
        self.heap.tuple(&[Term::atom(mfa.module), Term::atom(mfa.name), arguments, Term::NIL])
    }

    fn call_guard(&mut self, import: u32, arguments: &[Term]) -> super::Out {
        let target = match self.code.imports[import as usize].target {
            Target::Unknown => self.resolve(import)?,
            target => target,
        };
        match target {
            Target::Native(native) => native(self, arguments),
            _ => Err(super::error(Term::atom(atom::UNDEF))),
        }
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

    /// Whether the receive that goes to `empty` without a message waits.
    fn receive_at(&self, empty: u32) -> Pending {
        let waits = match self.code.instructions[empty as usize] {
            Instruction::WaitTimeout { time, .. } => {
                let time = self.get(time);
                let never = |limit: i64| time.as_small().is_some_and(|time| time >= limit);
                time.is_atom(atom::INFINITY) || self.never_after.is_some_and(never)
            }
            Instruction::Wait { .. } => true,
            _ => false,
        };
        Pending::Receive { waits }
    }

    /// Where a receive goes on that has found nothing in time.
    pub(crate) fn after_timeout(&self, pc: u32) -> u32 {
        match self.code.instructions[pc as usize] {
            // Behind the instruction that waits, if there is one.
            Instruction::LoopReceive { empty, .. } => {
                match self.code.instructions[empty as usize] {
                    Instruction::WaitTimeout { .. } => empty + 1,
                    _ => empty,
                }
            }
            _ => pc + 1,
        }
    }

    /// Puts the message that a receive has taken where its patterns find it, and goes on there.
    pub(crate) fn receive(&mut self, pc: u32, message: Term) {
        if let Instruction::LoopReceive { to, .. } = self.code.instructions[pc as usize] {
            self.set(to, message);
        }
        self.run(pc + 1);
    }

    fn less(&self, a: Term, b: Term) -> bool {
        match (a.as_small(), b.as_small()) {
            (Some(a), Some(b)) => a < b,
            _ => compare(&self.heap, &self.atoms, a, b).is_lt(),
        }
    }

    pub(crate) fn has_type(&self, test: TypeTest, term: Term) -> bool {
        let heap = &self.heap;
        match test {
            TypeTest::Integer => heap.is_integer(term),
            TypeTest::Float => heap.is_kind(term, Kind::Float),
            TypeTest::Number => heap.is_integer(term) || heap.is_kind(term, Kind::Float),
            TypeTest::Atom => term.as_atom().is_some(),
            TypeTest::Pid => term.as_pid().is_some(),
            TypeTest::Reference => heap.is_kind(term, Kind::Ref),
            TypeTest::Port => false,
            TypeTest::Nil => term.is_nil(),
            TypeTest::Binary => heap.as_bits(term).is_some_and(|bits| bits.is_binary()),
            TypeTest::Bitstring => heap.is_kind(term, Kind::Bits),
            TypeTest::List => term.is_list(),
            TypeTest::NonemptyList => term.as_cons().is_some(),
            TypeTest::Tuple => heap.is_kind(term, Kind::Tuple),
            TypeTest::Function => heap.is_kind(term, Kind::Fun) || heap.is_kind(term, Kind::Export),
            TypeTest::Boolean => term.as_bool().is_some(),
            TypeTest::Map => Map::of(heap, term).is_some(),
        }
    }

    fn put_map(&mut self, map: Term, entries: Row, exact: bool) -> Result<Term, Term> {
        let Some(mut new) = Map::of(&self.heap, map) else {
            return Err(self.heap.tuple(&[Term::atom(atom::BADMAP), map]));
        };
        let mut at = entries.range();
        while let (Some(key), Some(value)) = (at.next(), at.next()) {
            let (key, value) = (self.code.operands[key], self.code.operands[value]);
            let (key, value) = (self.get(key), self.get(value));
            if exact && new.get(&self.heap, &self.atoms, key).is_none() {
                return Err(self.heap.tuple(&[Term::atom(atom::BADKEY), key]));
            }
            new = new.put(&mut self.heap, &self.atoms, key, value);
        }
        Ok(new.term())
    }

    fn get_map_elements(&mut self, map: Term, entries: Row) -> bool {
        let Some(map) = Map::of(&self.heap, map) else { return false };
        let mut at = entries.range();
        while let (Some(key), Some(to)) = (at.next(), at.next()) {
            let key = self.get(self.code.operands[key]);
            let Some(value) = map.get(&self.heap, &self.atoms, key) else { return false };
            self.set(self.code.operands[to], value);
        }
        true
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
            Target::Native(_) => Ok(self.stub_for(import)),
            Target::Unknown => {
                let arguments = self.x[..mfa.arity as usize].to_vec();
                let first = self.entry_of_built_in(import, &arguments);
                let trace = self.raw_trace(Class::Error, first, self.cp.saturating_sub(1));
                let reason = Term::atom(atom::UNDEF);
                Err(Stop::Raise(Exception { class: Class::Error, reason, trace: Some(trace) }))
            }
        }
    }
}
