//! Parsing of scripts.

use std::fmt;
use std::str::FromStr;

use super::mailbox::Pattern;
use super::syntax::{Channel, Half, REGISTERS, Register, Script, Statement, Value, Variable};

/// A text that is not a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseScriptError {
    /// The line, counted from 1; 0 for the whole text.
    pub line: usize,
    /// The error.
    pub message: String,
}

impl fmt::Display for ParseScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for ParseScriptError {}

/// A block that is not closed yet.
enum Open {
    Process,
    Then(Register, i64),
    Else(Register, i64, Vec<Statement>),
    While(Register, i64),
}

impl FromStr for Script {
    type Err = ParseScriptError;

    /// Parses a script. Empty lines and comments after `#` are skipped.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut script = Script::default();
        let mut open: Vec<(Open, Vec<Statement>)> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                parse_line(line, &mut script, &mut open)
                    .map_err(|message| ParseScriptError { line: index + 1, message })?;
            }
        }
        let whole = |message| ParseScriptError { line: 0, message };
        if !open.is_empty() {
            return Err(whole("the last block is not closed by `}`".to_owned()));
        }
        script.check().map_err(whole)?;
        Ok(script)
    }
}

fn parse_line(
    line: &str,
    script: &mut Script,
    open: &mut Vec<(Open, Vec<Statement>)>,
) -> Result<(), String> {
    let words: Vec<&str> = line.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    match *words.as_slice() {
        ["channel", name, ref rest @ ..] if open.is_empty() => {
            if indexed('q', name)? as usize != script.channels.len() {
                return Err(format!("channels are numbered from 0, so `{name}` is out of order"));
            }
            let capacity = match *rest {
                [] => None,
                ["capacity", room] => Some(number(room)?),
                _ => return Err("write `channel q0` or `channel q0 capacity 1`".to_owned()),
            };
            script.channels.push(Channel { capacity });
        }
        ["process", index, "{"] if open.is_empty() => {
            if number::<usize>(index)? != script.processes.len() {
                return Err(format!("processes are numbered from 0, so {index} is out of order"));
            }
            open.push((Open::Process, Vec::new()));
        }
        _ if open.is_empty() => return Err(format!("`{line}` is outside of any process")),
        ["if", name, "==", constant, "{"] => {
            open.push((Open::Then(register(name)?, number(constant)?), Vec::new()));
        }
        ["while", name, "==", constant, "{"] => {
            open.push((Open::While(register(name)?, number(constant)?), Vec::new()));
        }
        ["}", "else", "{"] => match open.pop() {
            Some((Open::Then(register, constant), then)) => {
                open.push((Open::Else(register, constant, then), Vec::new()));
            }
            _ => return Err("this `else` has no `if`".to_owned()),
        },
        ["}"] => {
            let closed = open.pop().map(|(kind, block)| match kind {
                Open::Process => Err(block),
                Open::Then(register, constant) => {
                    Ok(Statement::If(register, constant, block, Vec::new()))
                }
                Open::Else(register, constant, then) => {
                    Ok(Statement::If(register, constant, then, block))
                }
                Open::While(register, constant) => Ok(Statement::While(register, constant, block)),
            });
            match (closed, open.last_mut()) {
                (Some(Ok(statement)), Some((_, block))) => block.push(statement),
                (Some(Err(process)), None) => script.processes.push(process),
                _ => unreachable!("only a process is outermost"),
            }
        }
        _ => {
            let statement = parse_statement(&words)?;
            open.last_mut().expect("a block is open").1.push(statement);
        }
    }
    Ok(())
}

fn parse_statement(words: &[&str]) -> Result<Statement, String> {
    use Statement::*;
    let x = |name: &str| indexed('x', name);
    let m = |name: &str| indexed('m', name);
    let l = |name: &str| indexed('l', name);
    let c = |name: &str| indexed('c', name);
    let q = |name: &str| indexed('q', name);
    let b = |name: &str| indexed('b', name);
    Ok(match *words {
        [r, "=", ref operation @ ..] => {
            let r = register(r)?;
            match *operation {
                ["read", name] => Read(r, variable(name)?),
                ["cas", name, old, new] => CompareExchange(r, x(name)?, number(old)?, number(new)?),
                ["weak_cas", name, old, new] => {
                    WeakCompareExchange(r, x(name)?, number(old)?, number(new)?)
                }
                ["fetch_add", name, amount] => FetchAdd(r, x(name)?, number(amount)?),
                ["swap", name, new] => Swap(r, x(name)?, value(new)?),
                ["try_lock", name] => TryLock(r, m(name)?),
                ["try_read_lock", name] => TryReadLock(r, l(name)?),
                ["try_write_lock", name] => TryWriteLock(r, l(name)?),
                ["wait_timeout", condition, mutex] => WaitTimeout(r, c(condition)?, m(mutex)?),
                ["choose", count] => Choose(r, number(count)?),
                ["try_send", name, sent] => TrySend(r, q(name)?, value(sent)?),
                ["recv", name] => Receive(r, q(name)?),
                ["try_recv", name] => TryReceive(r, q(name)?),
                ["take", name, ref rest @ ..] => Take(r, b(name)?, pattern(rest)?),
                ["try_take", name, ref rest @ ..] => TryTake(r, b(name)?, pattern(rest)?),
                _ => return Err(format!("there is no operation `{}`", operation.join(" "))),
            }
        }
        ["write", name, new] => Write(variable(name)?, value(new)?),
        ["add", name, amount] => Add(x(name)?, number(amount)?),
        ["lock", name] => Lock(m(name)?),
        ["unlock", name] => Unlock(m(name)?),
        ["read_lock", name] => ReadLock(l(name)?),
        ["read_unlock", name] => ReadUnlock(l(name)?),
        ["write_lock", name] => WriteLock(l(name)?),
        ["write_unlock", name] => WriteUnlock(l(name)?),
        ["wait", condition, mutex] => Wait(c(condition)?, m(mutex)?),
        ["notify_one", name] => NotifyOne(c(name)?),
        ["notify_all", name] => NotifyAll(c(name)?),
        ["spawn", process] => Spawn(number(process)?),
        ["join", process] => Join(number(process)?),
        ["send", name, sent] => Send(q(name)?, value(sent)?),
        ["hangup", name] => Hangup(q(name)?),
        ["close", name] => Close(q(name)?),
        ["deliver", name, sent] => Deliver(b(name)?, value(sent)?),
        ["park"] => Park,
        ["unpark", process] => Unpark(number(process)?),
        ["yield"] => Yield,
        ["await", ref wanted @ ..] => {
            let parse = |term: &[&str]| match *term {
                [name, "==", constant] => Ok((x(name)?, number(constant)?)),
                _ => Err("write `await x0 == 1, x1 == 2`".to_owned()),
            };
            Await(wanted.chunks(3).map(parse).collect::<Result<_, String>>()?)
        }
        ["assert", r, "==", constant] => Assert(register(r)?, number(constant)?),
        ["assume", r, "==", constant] => Assume(register(r)?, number(constant)?),
        _ => return Err(format!("there is no statement `{}`", words.join(" "))),
    })
}

/// Parses the pattern after a receive from a mailbox.
fn pattern(words: &[&str]) -> Result<Pattern, String> {
    match *words {
        [] => Ok(Pattern::Any),
        ["if", "==", constant] => number(constant).map(Pattern::Equals),
        ["if", "!=", constant] => number(constant).map(Pattern::Differs),
        ["if", "<", constant] => number(constant).map(Pattern::Below),
        _ => Err("write `take b0`, `take b0 if == 1`, `if != 1` or `if < 1`".to_owned()),
    }
}

fn number<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number that fits here"))
}

/// Returns the index of an object whose name is a letter and an index.
fn indexed(letter: char, name: &str) -> Result<u8, String> {
    let index = name.strip_prefix(letter).and_then(|index| index.parse().ok());
    index.ok_or_else(|| format!("expected a name such as `{letter}0`, not `{name}`"))
}

fn register(name: &str) -> Result<Register, String> {
    match indexed('r', name)? {
        index if usize::from(index) < REGISTERS => Ok(index),
        index => Err(format!("there are {REGISTERS} registers, and no `r{index}`")),
    }
}

fn variable(name: &str) -> Result<Variable, String> {
    if let Some(name) = name.strip_suffix(".low") {
        return indexed('x', name).map(|x| Variable::Half(x, Half::Low));
    }
    if let Some(name) = name.strip_suffix(".high") {
        return indexed('x', name).map(|x| Variable::Half(x, Half::High));
    }
    match name.starts_with('d') {
        true => indexed('d', name).map(Variable::Plain),
        false => indexed('x', name).map(Variable::Atomic),
    }
}

fn value(text: &str) -> Result<Value, String> {
    if !text.starts_with('r') {
        return number(text).map(Value::Constant);
    }
    match text.find(['+', '-']) {
        None => Ok(Value::Sum(register(text)?, 0)),
        Some(sign) => Ok(Value::Sum(register(&text[..sign])?, number(&text[sign..])?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERYTHING: &str = "\
channel q0
channel q1 capacity 1
process 0 {
    spawn 1
    r0 = read x0
    write x1 r0-1
    write d0 r0
    r3 = cas x0 -1 2
    r3 = weak_cas x0 0 2
    r1 = fetch_add x0 -1
    add x0 1
    r1 = swap x0 r2+3
    if r1 == 1 {
        lock m0
        if r0 == -2 {
            r0 = try_lock m1
        } else {
            unlock m0
        }
    }
    read_lock l0
    r0 = try_read_lock l0
    read_unlock l0
    write_lock l0
    r0 = try_write_lock l1
    write_unlock l0
    join 1
}
process 1 {
    wait c0 m0
    r2 = wait_timeout c0 m0
    notify_one c0
    notify_all c1
    r0 = choose 3
    send q0 4
    r0 = try_send q1 r1
    r0 = recv q0
    r0 = try_recv q1
    hangup q0
    close q1
    deliver b0 r1+2
    r0 = take b1
    r0 = take b1 if == 2
    r0 = try_take b1 if != -2
    r0 = try_take b1 if < 2
    park
    unpark 0
    yield
    await x0 == 1, x1 == 2
    assert r0 == 1
    assume r0 == 1
}
";

    #[test]
    fn what_is_printed_can_be_read_again() {
        let script: Script = EVERYTHING.parse().unwrap();
        assert_eq!(script.to_string(), EVERYTHING);
    }

    #[test]
    fn errors_name_the_line() {
        let error = "process 0 {\n\n  frobnicate x0\n}".parse::<Script>().unwrap_err();
        assert_eq!(error.to_string(), "line 3: there is no statement `frobnicate x0`");
        let error = "process 0 {\n  r9 = read x0\n}".parse::<Script>().unwrap_err();
        assert_eq!(error.to_string(), "line 2: there are 4 registers, and no `r9`");
    }

    #[test]
    fn a_mailbox_has_one_receiver() {
        let text = "process 0 {\nr0 = take b0\n}\nprocess 1 {\nr0 = try_take b0\n}";
        let error = text.parse::<Script>().unwrap_err();
        assert!(error.to_string().contains("several processes receive"), "{error}");
    }

    #[test]
    fn a_process_has_one_creator() {
        let text = "process 0 {\nspawn 2\n}\nprocess 1 {\nspawn 2\n}\nprocess 2 {\n}";
        let error = text.parse::<Script>().unwrap_err();
        assert!(error.to_string().contains("spawned by several"), "{error}");
    }
}
