//! What script programs are made of.

use super::mailbox::Pattern;

/// A register of a process. Registers start at 0, and nobody else can see them.
pub type Register = u8;

/// How many registers a process has.
pub const REGISTERS: usize = 4;

/// A shared variable. All start at 0.
///
/// A variable is either atomic in all of its accesses or plain in all of them, so that the
/// question whether an atomic access can race with a plain one does not come up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variable {
    /// `x0`, `x1`, …: accesses to it never race.
    Atomic(u8),
    /// `d0`, `d1`, …: conflicting accesses to it must be ordered by something else.
    Plain(u8),
    /// `x0.low`, `x0.high`: the lower or upper 32 bits of an atomic variable. Its location overlaps with
    /// that of the whole variable.
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
    /// How many messages it holds at most; `None` for any number.
    pub capacity: Option<u32>,
}

/// A statement. Its text form is given with each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// `r0 = read x0`
    Read(Register, Variable),
    /// `write x0 r1+1`
    Write(Variable, Value),
    /// `r0 = cas x0 1 2`: if `x0` is 1 makes it 2; 1 if that succeeded, and otherwise 0.
    CompareExchange(Register, u8, i64, i64),
    /// `r0 = fetch_add x0 1`: the value before.
    FetchAdd(Register, u8, i64),
    /// `add x0 1`: the same, without looking at the value before.
    Add(u8, i64),
    /// `r0 = swap x0 1`: the value before.
    Swap(Register, u8, Value),

    /// `lock m0`
    Lock(u8),
    /// `r0 = try_lock m0`: whether it succeeded, as 1 or 0.
    TryLock(Register, u8),
    /// `unlock m0`
    Unlock(u8),

    /// `read_lock l0`
    ReadLock(u8),
    /// `r0 = try_read_lock l0`: whether it succeeded, as 1 or 0.
    TryReadLock(Register, u8),
    /// `read_unlock l0`
    ReadUnlock(u8),
    /// `write_lock l0`
    WriteLock(u8),
    /// `r0 = try_write_lock l0`: whether it succeeded, as 1 or 0.
    TryWriteLock(Register, u8),
    /// `write_unlock l0`
    WriteUnlock(u8),

    /// `wait c0 m0`: waits to be notified, without holding the mutex.
    Wait(u8, u8),
    /// `r0 = wait_timeout c0 m0`: 1 if it was notified, 0 if it timed out.
    WaitTimeout(Register, u8, u8),
    /// `notify_one c0`: each of those that wait is one alternative.
    NotifyOne(u8),
    /// `notify_all c0`
    NotifyAll(u8),

    /// `spawn 1`: a process that somebody spawns does not exist before.
    Spawn(u8),
    /// `join 1`: waits until the process has ended.
    Join(u8),
    /// `r0 = choose 3`: every value below 3 is one alternative.
    Choose(Register, u32),

    /// `send q0 r1`: waits for room. Does nothing on a closed channel.
    Send(u8, Value),
    /// `r0 = try_send q0 r1`: 1, or 0 if there was no room or the channel is closed.
    TrySend(Register, u8, Value),
    /// `r0 = recv q0`: waits for a message; −1 once there is none and all senders have gone.
    Receive(Register, u8),
    /// `r0 = try_recv q0`: −1 if there is no message, −2 if all senders have gone, too.
    TryReceive(Register, u8),
    /// `hangup q0`: this sender goes away, and must not use the channel any more. Receivers are
    /// told once all of them have.
    Hangup(u8),
    /// `close q0`: the receiver goes away.
    Close(u8),

    /// `deliver b0 r1`: puts a message into a mailbox.
    Deliver(u8, Value),
    /// `r0 = take b0`, `r0 = take b0 if == 1`: takes the oldest message that matches, and waits
    /// until there is one. One process only may receive from a mailbox.
    Take(Register, u8, Pattern),
    /// `r0 = try_take b0`, `r0 = try_take b0 if < 1`: the same, or −1 if no message matches.
    TryTake(Register, u8, Pattern),

    /// `park`: waits for the process's own token, and takes it.
    Park,
    /// `unpark 1`: makes the token of a process available.
    Unpark(u8),

    /// `yield`: holds the process back until an atomic variable or a lock has another value than this
    /// process last saw since its previous yield. If it has looked at nothing since, does nothing.
    Yield,
    /// `await x0 == 1, x1 == 2`: reads the variables in turn; at the first that has another
    /// value yields and starts again.
    Await(Vec<(u8, i64)>),

    /// `if r0 == 1 {`, `} else {`, `}`
    If(Register, i64, Vec<Statement>, Vec<Statement>),
    /// `while r0 == 1 {`, `}`: a loop. Its body must have a visible action of its own, outside of
    /// branches, so that it cannot go round and round within one step.
    While(Register, i64, Vec<Statement>),
    /// `assert r0 == 1`: if not, the process ends, and that is a violation.
    Assert(Register, i64),
    /// `assume r0 == 1`: if not, the process stops for ever, and the execution does not count.
    Assume(Register, i64),
}

impl Statement {
    /// Whether a process cannot pass it without taking a step.
    pub fn is_visible(&self) -> bool {
        use Statement::*;
        !matches!(self, Spawn(_) | Join(_) | Yield | If(..) | While(..) | Assert(..) | Assume(..))
    }
}

/// A concurrent program.
///
/// Its variables, locks and condition variables are those that it mentions. Its processes exist
/// from the start, but for those that another one spawns.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Script {
    /// `channel q0`, `channel q1 capacity 1`
    pub channels: Vec<Channel>,
    /// `process 0 {`, …, `}`
    pub processes: Vec<Vec<Statement>>,
}

impl Script {
    /// Whether there is such a statement, be it in a branch.
    pub fn has(&self, is_it: impl Fn(&Statement) -> bool) -> bool {
        let mut found = false;
        self.visit(|_, statement| found |= is_it(statement));
        found
    }

    /// Calls `visit` with every statement, those in branches too, and its process.
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

    /// How many statements it has, those in branches too.
    pub fn len(&self) -> usize {
        let mut len = 0;
        self.visit(|_, _| len += 1);
        len
    }

    /// Whether it has no statement at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Why this is not a program that can be run, if it is not.
    ///
    /// Two processes that spawn the same one are refused: which of them created it would depend
    /// on the schedule, and a process must be named after its creator.
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
