//! The syntax of scripts.

use super::mailbox::Pattern;

/// A register of a process. Registers are initially 0, and private to the process.
pub type Register = u8;

/// The number of registers of a process.
pub const REGISTERS: usize = 4;

/// A shared variable, initially 0.
///
/// All accesses to a variable are atomic, or all are plain. There are no races between atomic and
/// plain accesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variable {
    /// `x0`, `x1`, …: accesses to it never race.
    Atomic(u8),
    /// `d0`, `d1`, …: conflicting accesses to it must be ordered by other operations.
    Plain(u8),
    /// `x0.low`, `x0.high`: the lower or upper 32 bits of an atomic variable. Its location overlaps
    /// with that of the whole variable.
    Half(u8, Half),
}

/// One of the two halves of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Half {
    /// The lower 32 bits.
    Low,
    /// The upper 32 bits.
    High,
}

/// A value that a process computes from its registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A constant.
    Constant(i64),
    /// The sum of a register and a constant.
    Sum(Register, i64),
}

/// A channel.
///
/// Its senders are the processes that send to it or hang up somewhere in their code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    /// The maximum number of messages in it; `None` for no limit.
    pub capacity: Option<u32>,
}

/// A statement, with its text form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// `r0 = read x0`
    Read(Register, Variable),
    /// `write x0 r1+1`
    Write(Variable, Value),
    /// `r0 = cas x0 1 2`: sets `x0` to 2 if it is 1. The result is 1 if it succeeds, and otherwise
    /// 0.
    CompareExchange(Register, u8, i64, i64),
    /// `r0 = weak_cas x0 1 2`: the same, but it may fail although `x0` is 1.
    WeakCompareExchange(Register, u8, i64, i64),
    /// `r0 = fetch_add x0 1`: returns the previous value.
    FetchAdd(Register, u8, i64),
    /// `add x0 1`: adds without returning the previous value.
    Add(u8, i64),
    /// `r0 = swap x0 1`: returns the previous value.
    Swap(Register, u8, Value),

    /// `lock m0`
    Lock(u8),
    /// `r0 = try_lock m0`: returns 1 if it succeeds, and otherwise 0.
    TryLock(Register, u8),
    /// `unlock m0`
    Unlock(u8),

    /// `read_lock l0`
    ReadLock(u8),
    /// `r0 = try_read_lock l0`: returns 1 if it succeeds, and otherwise 0.
    TryReadLock(Register, u8),
    /// `read_unlock l0`
    ReadUnlock(u8),
    /// `write_lock l0`
    WriteLock(u8),
    /// `r0 = try_write_lock l0`: returns 1 if it succeeds, and otherwise 0.
    TryWriteLock(Register, u8),
    /// `write_unlock l0`
    WriteUnlock(u8),

    /// `wait c0 m0`: releases the mutex, waits for a notification, and acquires the mutex again.
    Wait(u8, u8),
    /// `r0 = wait_timeout c0 m0`: returns 1 if it was notified, 0 if it timed out.
    WaitTimeout(Register, u8, u8),
    /// `notify_one c0`: has one alternative for each waiting process.
    NotifyOne(u8),
    /// `notify_all c0`
    NotifyAll(u8),

    /// `spawn 1`: starts a process, which does not exist before.
    Spawn(u8),
    /// `join 1`: waits until the process has ended.
    Join(u8),
    /// `r0 = choose 3`: has one alternative for every value below 3.
    Choose(Register, u32),

    /// `send q0 r1`: waits for room. Does nothing on a closed channel.
    Send(u8, Value),
    /// `r0 = try_send q0 r1`: returns 1, or 0 if there is no room or the channel is closed.
    TrySend(Register, u8, Value),
    /// `r0 = recv q0`: waits for a message. Returns −1 if there is none and all senders have hung
    /// up.
    Receive(Register, u8),
    /// `r0 = try_recv q0`: returns −1 if there is no message, and −2 if all senders have hung up,
    /// too.
    TryReceive(Register, u8),
    /// `hangup q0`: drops this sender, which must not use the channel any more. Receivers notice
    /// once all senders have hung up.
    Hangup(u8),
    /// `close q0`: drops the receiver.
    Close(u8),

    /// `deliver b0 r1`: puts a message into a mailbox.
    Deliver(u8, Value),
    /// `r0 = take b0`, `r0 = take b0 if == 1`: waits for a matching message, and takes the oldest.
    /// Only one process may receive from a mailbox.
    Take(Register, u8, Pattern),
    /// `r0 = try_take b0`, `r0 = try_take b0 if < 1`: takes the oldest matching message, or returns
    /// −1 if there is none.
    TryTake(Register, u8, Pattern),

    /// `park`: waits for the token of the process, and takes it.
    Park,
    /// `unpark 1`: makes the token of a process available.
    Unpark(u8),

    /// `yield`: disables the process until an atomic variable or a lock has another value than the
    /// process last saw since its previous yield. Does nothing if the process has accessed none
    /// since then.
    Yield,
    /// `await x0 == 1, x1 == 2`: reads the variables in order. At the first that has another value,
    /// it yields and starts again.
    Await(Vec<(u8, i64)>),

    /// `if r0 == 1 {`, `} else {`, `}`
    If(Register, i64, Vec<Statement>, Vec<Statement>),
    /// `while r0 == 1 {`, `}`: a loop. Its body must contain a visible action outside of branches,
    /// so that it cannot loop within one step.
    While(Register, i64, Vec<Statement>),
    /// `assert r0 == 1`: otherwise the process ends with a violation.
    Assert(Register, i64),
    /// `assume r0 == 1`: otherwise the process stops forever, and the execution does not count.
    Assume(Register, i64),
}

impl Statement {
    /// Returns whether a process cannot pass it without taking a step.
    pub fn is_visible(&self) -> bool {
        use Statement::*;
        !matches!(self, Spawn(_) | Join(_) | Yield | If(..) | While(..) | Assert(..) | Assume(..))
    }
}

/// A concurrent program.
///
/// It has the variables, locks and condition variables that it mentions. Its processes exist from
/// the start, except for spawned ones.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Script {
    /// `channel q0`, `channel q1 capacity 1`
    pub channels: Vec<Channel>,
    /// `process 0 {`, …, `}`
    pub processes: Vec<Vec<Statement>>,
}

impl Script {
    /// Returns whether some statement, including those in branches, satisfies a condition.
    pub fn has(&self, is_it: impl Fn(&Statement) -> bool) -> bool {
        let mut found = false;
        self.visit(|_, statement| found |= is_it(statement));
        found
    }

    /// Calls `visit` with the process and every statement, including those in branches.
    pub fn visit(&self, mut visit: impl FnMut(usize, &Statement)) {
        fn walk(process: usize, block: &[Statement], visit: &mut impl FnMut(usize, &Statement)) {
            for statement in block {
                visit(process, statement);
                if let Statement::If(_, _, then, otherwise) = statement {
                    walk(process, then, visit);
                    walk(process, otherwise, visit);
                } else if let Statement::While(_, _, body) = statement {
                    walk(process, body, visit);
                }
            }
        }
        for (process, block) in self.processes.iter().enumerate() {
            walk(process, block, &mut visit);
        }
    }

    /// Returns the number of statements, including those in branches.
    pub fn len(&self) -> usize {
        let mut len = 0;
        self.visit(|_, _| len += 1);
        len
    }

    /// Returns whether it has no statements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks that the program can be run. The error says why it cannot.
    ///
    /// A process must not be spawned by two others: its creator would depend on the schedule, and a
    /// process is named after its creator.
    pub fn check(&self) -> Result<(), String> {
        let mut creators = vec![None; self.processes.len()];
        let mut receivers = [None; 8];
        let mut error = None;
        self.visit(|process, statement| {
            use Statement::*;
            let known_process = |named: u8| match self.processes.get(usize::from(named)) {
                Some(_) => Ok(()),
                None => Err(format!("there is no process {named}")),
            };
            let result = match *statement {
                Spawn(child) => known_process(child).and_then(|()| {
                    let creator = creators[usize::from(child)].get_or_insert(process);
                    match *creator == process && usize::from(child) != process {
                        true => Ok(()),
                        false => Err(format!("process {child} is spawned by several, or itself")),
                    }
                }),
                Join(named) | Unpark(named) => known_process(named),
                Send(queue, _)
                | TrySend(_, queue, _)
                | Receive(_, queue)
                | TryReceive(_, queue)
                | Hangup(queue)
                | Close(queue) => match self.channels.get(usize::from(queue)) {
                    Some(_) => Ok(()),
                    None => Err(format!("channel q{queue} is not declared")),
                },
                Deliver(b, _) | Take(_, b, _) | TryTake(_, b, _) if b >= 8 => {
                    Err("there can be 8 mailboxes at most".to_owned())
                }
                Take(_, b, _) | TryTake(_, b, _) => {
                    match *receivers[usize::from(b)].get_or_insert(process) == process {
                        true => Ok(()),
                        false => Err(format!("several processes receive from mailbox b{b}")),
                    }
                }
                Lock(m) | TryLock(_, m) | Unlock(m) | Wait(_, m) | WaitTimeout(_, _, m)
                    if m >= 8 =>
                {
                    Err("there can be 8 mutexes at most".to_owned())
                }
                ReadLock(l)
                | TryReadLock(_, l)
                | ReadUnlock(l)
                | WriteLock(l)
                | TryWriteLock(_, l)
                | WriteUnlock(l)
                    if l >= 4 =>
                {
                    Err("there can be 4 reader-writer locks at most".to_owned())
                }
                While(_, _, ref body) if !body.iter().any(Statement::is_visible) => {
                    Err("the body of a loop needs a visible action outside of branches".to_owned())
                }
                Choose(_, 0) => Err("a choice needs at least one alternative".to_owned()),
                Await(ref wanted) if wanted.is_empty() => {
                    Err("an await needs something to wait for".to_owned())
                }
                _ => Ok(()),
            };
            if let (Err(message), None) = (result, &error) {
                error = Some(format!("process {process}: {message}"));
            }
        });
        if self.channels.len() > 8 {
            error = Some("there can be 8 channels at most".to_owned());
        }
        if self.channels.iter().any(|channel| channel.capacity == Some(0)) {
            error = Some("a channel needs room for at least one message".to_owned());
        }
        error.map_or(Ok(()), Err)
    }
}
