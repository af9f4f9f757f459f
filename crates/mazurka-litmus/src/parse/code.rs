//! The code of a thread.

use mazurka_core::model::MemoryOrdering;

use super::{Parser, Result};
use crate::test::{Expression, Instruction, Modify};
use crate::token::Token;

/// The operators, from those that bind least.
const LEVELS: [&[&str]; 8] =
    [&["||"], &["&&"], &["|"], &["^"], &["&"], &["==", "!="], &["<=", ">=", "<", ">"], &["+", "-"]];

/// Words that begin a declaration.
const TYPES: [&str; 9] =
    ["int", "atomic_int", "long", "unsigned", "volatile", "const", "_Atomic", "signed", "char"];

impl Parser {
    /// Reads the body of the last thread, whose parameters are `pointers`.
    pub(super) fn body(&mut self, pointers: Vec<String>) -> Result<()> {
        self.symbol("{")?;
        self.block(&pointers)
    }

    /// Reads statements up to the end of a block.
    fn block(&mut self, pointers: &[String]) -> Result<()> {
        while !self.take("}") {
            self.statement(pointers)?;
        }
        Ok(())
    }

    fn statement(&mut self, pointers: &[String]) -> Result<()> {
        if self.take(";") {
            return Ok(());
        }
        if self.take("{") {
            return self.block(pointers);
        }
        if self.take("*") {
            let to = self.pointer(pointers)?;
            self.symbol("=")?;
            let value = self.expression(pointers)?;
            self.emit(Instruction::Store { to, value, ordering: None });
            return self.symbol(";");
        }
        let name = self.name("a statement")?;
        match name.as_str() {
            "if" => return self.branch(pointers),
            "while" | "for" | "do" | "goto" => {
                return Err(
                    self.error(format!("`{name}` is not supported: litmus tests have no loops"))
                );
            }
            name if TYPES.contains(&name) => return self.declaration(pointers),
            _ => {}
        }
        if matches!(self.peek(), Token::Symbol("(")) {
            self.call(&name, pointers, false)?;
        } else {
            self.symbol("=")?;
            let value = self.expression(pointers)?;
            let to = self.register(&name);
            self.emit(Instruction::Set { to, value });
        }
        self.symbol(";")
    }

    fn declaration(&mut self, pointers: &[String]) -> Result<()> {
        let mut name = self.name("a register")?;
        while TYPES.contains(&name.as_str()) {
            name = self.name("a register")?;
        }
        loop {
            let to = self.register(&name);
            if self.take("=") {
                let value = self.expression(pointers)?;
                self.emit(Instruction::Set { to, value });
            }
            if !self.take(",") {
                return self.symbol(";");
            }
            name = self.name("a register")?;
        }
    }

    fn branch(&mut self, pointers: &[String]) -> Result<()> {
        self.symbol("(")?;
        let condition = self.expression(pointers)?;
        self.symbol(")")?;
        let jump = self.emit(Instruction::JumpUnless { condition, to: 0 });
        self.statement(pointers)?;
        let has_else = matches!(self.peek(), Token::Name(name) if name == "else");
        let over = has_else.then(|| {
            self.advance();
            self.emit(Instruction::Jump(0))
        });
        self.land(jump);
        if let Some(over) = over {
            self.statement(pointers)?;
            self.land(over);
        }
        Ok(())
    }

    /// Lets a jump go to the next instruction.
    fn land(&mut self, jump: usize) {
        let code = &mut self.test.threads.last_mut().expect("a thread is being read").code;
        let next = code.len();
        match &mut code[jump] {
            Instruction::JumpUnless { to, .. } | Instruction::Jump(to) => *to = next,
            _ => unreachable!("the instruction jumps"),
        }
    }

    fn emit(&mut self, instruction: Instruction) -> usize {
        let code = &mut self.test.threads.last_mut().expect("a thread is being read").code;
        code.push(instruction);
        code.len() - 1
    }

    fn register(&mut self, name: &str) -> usize {
        let thread = self.test.threads.last_mut().expect("a thread is being read");
        let known = thread.registers.iter().position(|known| known == name && !name.is_empty());
        known.unwrap_or_else(|| {
            thread.registers.push(name.to_owned());
            thread.initial.push(0);
            thread.registers.len() - 1
        })
    }

    fn expression(&mut self, pointers: &[String]) -> Result<Expression> {
        self.level(0, pointers)
    }

    fn level(&mut self, level: usize, pointers: &[String]) -> Result<Expression> {
        let Some(operators) = LEVELS.get(level) else { return self.product(pointers) };
        let mut left = self.level(level + 1, pointers)?;
        while let Some(op) = operators.iter().find(|op| self.take(op)) {
            let right = self.level(level + 1, pointers)?;
            left = Expression::Binary(op, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn product(&mut self, pointers: &[String]) -> Result<Expression> {
        let mut left = self.operand(pointers)?;
        while self.take("*") {
            left = Expression::Binary("*", Box::new(left), Box::new(self.operand(pointers)?));
        }
        Ok(left)
    }

    fn operand(&mut self, pointers: &[String]) -> Result<Expression> {
        for op in ["-", "!", "~"] {
            if self.take(op) {
                return Ok(Expression::Unary(op, Box::new(self.operand(pointers)?)));
            }
        }
        if self.take("*") {
            let from = self.pointer(pointers)?;
            let to = self.register("");
            self.emit(Instruction::Load { to, from, ordering: None });
            return Ok(Expression::Register(to));
        }
        if self.take("(") {
            // A cast has no effect.
            if matches!(self.peek(), Token::Name(name) if TYPES.contains(&name.as_str())) {
                while !self.take(")") {
                    self.advance();
                }
                return self.operand(pointers);
            }
            let inner = self.expression(pointers)?;
            self.symbol(")")?;
            return Ok(inner);
        }
        if let Token::Number(number) = self.peek() {
            self.advance();
            return Ok(Expression::Number(number));
        }
        let name = self.name("an expression")?;
        match matches!(self.peek(), Token::Symbol("(")) {
            true => self.call(&name, pointers, true),
            false => Ok(Expression::Register(self.register(&name))),
        }
    }

    /// Reads the name of a parameter.
    fn pointer(&mut self, pointers: &[String]) -> Result<usize> {
        let name = self.name("a location")?;
        match pointers.contains(&name) {
            true => Ok(self.location(&name)),
            false => Err(self.error(format!(
                "`{name}` is not a parameter of this thread: pass it as `int* {name}`"
            ))),
        }
    }

    /// Reads the arguments of a function and emits its accesses. Returns its value, if it is needed.
    fn call(&mut self, name: &str, pointers: &[String], is_needed: bool) -> Result<Expression> {
        self.symbol("(")?;
        let (function, is_explicit) = match name.strip_suffix("_explicit") {
            Some(function) => (function, true),
            None => (name, false),
        };
        let result = match function {
            "atomic_thread_fence" => {
                let ordering = self.ordering()?;
                self.emit(Instruction::Fence(ordering));
                None
            }
            "atomic_store" => {
                let to = self.pointer(pointers)?;
                self.symbol(",")?;
                let value = self.expression(pointers)?;
                let ordering = Some(self.last_ordering(is_explicit)?);
                self.emit(Instruction::Store { to, value, ordering });
                None
            }
            "atomic_load" => {
                let from = self.pointer(pointers)?;
                let ordering = Some(self.last_ordering(is_explicit)?);
                let to = self.register("");
                self.emit(Instruction::Load { to, from, ordering });
                Some(to)
            }
            "atomic_compare_exchange_strong" | "atomic_compare_exchange_weak" => {
                Some(self.compare_exchange(pointers, is_explicit)?)
            }
            _ => {
                let how = match function {
                    "atomic_exchange" => Modify::Exchange,
                    "atomic_fetch_add" => Modify::Add,
                    "atomic_fetch_sub" => Modify::Sub,
                    "atomic_fetch_or" => Modify::Or,
                    "atomic_fetch_xor" => Modify::Xor,
                    "atomic_fetch_and" => Modify::And,
                    _ => {
                        return Err(self.error(format!(
                            "the function `{name}` is not supported; there are those of <stdatomic.h>: \
                             atomic_load, atomic_store, atomic_exchange, atomic_fetch_add (sub, or, xor, \
                             and), atomic_compare_exchange_strong, atomic_thread_fence, each also with \
                             _explicit"
                        )));
                    }
                };
                let at = self.pointer(pointers)?;
                self.symbol(",")?;
                let value = self.expression(pointers)?;
                let ordering = self.last_ordering(is_explicit)?;
                let to = self.register("");
                self.emit(Instruction::Modify { to, at, how, value, ordering });
                Some(to)
            }
        };
        self.symbol(")")?;
        match result {
            Some(register) => Ok(Expression::Register(register)),
            None if is_needed => Err(self.error(format!("`{name}` has no value"))),
            None => Ok(Expression::Number(0)),
        }
    }

    /// Reads a compare-exchange. What it expects is in a register, by `&r`, or in plain memory.
    fn compare_exchange(&mut self, pointers: &[String], is_explicit: bool) -> Result<usize> {
        let at = self.pointer(pointers)?;
        self.symbol(",")?;
        let in_memory = match self.take("&") {
            true => None,
            false => Some(self.pointer(pointers)?),
        };
        let expected = match in_memory {
            None => {
                let name = self.name("a register")?;
                self.register(&name)
            }
            Some(from) => {
                let to = self.register("");
                self.emit(Instruction::Load { to, from, ordering: None });
                to
            }
        };
        self.symbol(",")?;
        let new = self.expression(pointers)?;
        let success = self.last_ordering(is_explicit)?;
        let failure = self.last_ordering(is_explicit)?;
        let to = self.register("");
        let orderings = (success, failure);
        self.emit(Instruction::Exchange { to, at, expected, new, orderings });
        if let Some(back) = in_memory {
            let failed = Expression::Unary("!", Box::new(Expression::Register(to)));
            let jump = self.emit(Instruction::JumpUnless { condition: failed, to: 0 });
            let value = Expression::Register(expected);
            self.emit(Instruction::Store { to: back, value, ordering: None });
            self.land(jump);
        }
        Ok(to)
    }

    /// Reads `, memory_order_…` if the function is explicit.
    fn last_ordering(&mut self, is_explicit: bool) -> Result<MemoryOrdering> {
        if !is_explicit {
            return Ok(MemoryOrdering::SeqCst);
        }
        self.symbol(",")?;
        self.ordering()
    }

    fn ordering(&mut self) -> Result<MemoryOrdering> {
        let name = self.name("a memory order")?;
        Ok(match name.strip_prefix("memory_order_").unwrap_or(&name) {
            "relaxed" => MemoryOrdering::Relaxed,
            "acquire" | "consume" => MemoryOrdering::Acquire,
            "release" => MemoryOrdering::Release,
            "acq_rel" => MemoryOrdering::AcqRel,
            "seq_cst" => MemoryOrdering::SeqCst,
            _ => {
                return Err(self.error(format!(
                    "`{name}` is not a memory order; there are memory_order_relaxed, _consume, _acquire, \
                     _release, _acq_rel and _seq_cst"
                )));
            }
        })
    }
}
