//! The text form of scripts.

use std::fmt;

use super::mailbox::Pattern;
use super::syntax::{Channel, Half, Script, Statement, Value, Variable};

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Variable::Atomic(index) => write!(f, "x{index}"),
            Variable::Plain(index) => write!(f, "d{index}"),
            Variable::Half(index, Half::Low) => write!(f, "x{index}.low"),
            Variable::Half(index, Half::High) => write!(f, "x{index}.high"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Constant(constant) => write!(f, "{constant}"),
            Value::Sum(register, 0) => write!(f, "r{register}"),
            Value::Sum(register, constant) => write!(f, "r{register}{constant:+}"),
        }
    }
}

/// Formats a pattern as it follows a receive, with a leading space.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Any => Ok(()),
            Pattern::Equals(constant) => write!(f, " if == {constant}"),
            Pattern::Differs(constant) => write!(f, " if != {constant}"),
            Pattern::Below(constant) => write!(f, " if < {constant}"),
        }
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Channel { capacity }) in self.channels.iter().enumerate() {
            write!(f, "channel q{index}")?;
            if let Some(capacity) = capacity {
                write!(f, " capacity {capacity}")?;
            }
            writeln!(f)?;
        }
        for (index, block) in self.processes.iter().enumerate() {
            writeln!(f, "process {index} {{")?;
            write_block(f, block, 1)?;
            writeln!(f, "}}")?;
        }
        Ok(())
    }
}

fn write_block(f: &mut fmt::Formatter<'_>, block: &[Statement], depth: usize) -> fmt::Result {
    for statement in block {
        write!(f, "{:1$}", "", 4 * depth)?;
        if let Statement::If(register, constant, then, otherwise) = statement {
            writeln!(f, "if r{register} == {constant} {{")?;
            write_block(f, then, depth + 1)?;
            if !otherwise.is_empty() {
                writeln!(f, "{:1$}}} else {{", "", 4 * depth)?;
                write_block(f, otherwise, depth + 1)?;
            }
            writeln!(f, "{:1$}}}", "", 4 * depth)?;
        } else if let Statement::While(_, _, body) = statement {
            writeln!(f, "{statement} {{")?;
            write_block(f, body, depth + 1)?;
            writeln!(f, "{:1$}}}", "", 4 * depth)?;
        } else {
            writeln!(f, "{statement}")?;
        }
    }
    Ok(())
}

/// Formats a branch by its condition only; [`Script`] formats its blocks, too.
impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Statement::*;
        match self {
            Read(r, variable) => write!(f, "r{r} = read {variable}"),
            Write(variable, value) => write!(f, "write {variable} {value}"),
            CompareExchange(r, x, old, new) => write!(f, "r{r} = cas x{x} {old} {new}"),
            WeakCompareExchange(r, x, old, new) => {
                write!(f, "r{r} = weak_cas x{x} {old} {new}")
            }
            FetchAdd(r, x, amount) => write!(f, "r{r} = fetch_add x{x} {amount}"),
            Add(x, amount) => write!(f, "add x{x} {amount}"),
            Swap(r, x, value) => write!(f, "r{r} = swap x{x} {value}"),
            Lock(m) => write!(f, "lock m{m}"),
            TryLock(r, m) => write!(f, "r{r} = try_lock m{m}"),
            Unlock(m) => write!(f, "unlock m{m}"),
            ReadLock(l) => write!(f, "read_lock l{l}"),
            TryReadLock(r, l) => write!(f, "r{r} = try_read_lock l{l}"),
            ReadUnlock(l) => write!(f, "read_unlock l{l}"),
            WriteLock(l) => write!(f, "write_lock l{l}"),
            TryWriteLock(r, l) => write!(f, "r{r} = try_write_lock l{l}"),
            WriteUnlock(l) => write!(f, "write_unlock l{l}"),
            Wait(c, m) => write!(f, "wait c{c} m{m}"),
            WaitTimeout(r, c, m) => write!(f, "r{r} = wait_timeout c{c} m{m}"),
            NotifyOne(c) => write!(f, "notify_one c{c}"),
            NotifyAll(c) => write!(f, "notify_all c{c}"),
            Spawn(process) => write!(f, "spawn {process}"),
            Join(process) => write!(f, "join {process}"),
            Choose(r, count) => write!(f, "r{r} = choose {count}"),
            Send(q, value) => write!(f, "send q{q} {value}"),
            TrySend(r, q, value) => write!(f, "r{r} = try_send q{q} {value}"),
            Receive(r, q) => write!(f, "r{r} = recv q{q}"),
            TryReceive(r, q) => write!(f, "r{r} = try_recv q{q}"),
            Hangup(q) => write!(f, "hangup q{q}"),
            Close(q) => write!(f, "close q{q}"),
            Deliver(b, value) => write!(f, "deliver b{b} {value}"),
            Take(r, b, pattern) => write!(f, "r{r} = take b{b}{pattern}"),
            TryTake(r, b, pattern) => write!(f, "r{r} = try_take b{b}{pattern}"),
            Park => write!(f, "park"),
            Unpark(process) => write!(f, "unpark {process}"),
            Yield => write!(f, "yield"),
            Await(wanted) => {
                for (i, (x, value)) in wanted.iter().enumerate() {
                    let joint = if i == 0 { "await" } else { "," };
                    write!(f, "{joint} x{x} == {value}")?;
                }
                Ok(())
            }
            If(r, constant, ..) => write!(f, "if r{r} == {constant}"),
            While(r, constant, _) => write!(f, "while r{r} == {constant}"),
            Assert(r, constant) => write!(f, "assert r{r} == {constant}"),
            Assume(r, constant) => write!(f, "assume r{r} == {constant}"),
        }
    }
}
