//! Compilation of scripts to flat code, in which every visible action is one instruction.

use mazurka_core::model::{Location, ObjectId, Op, ProcessId, When};

use super::mailbox::Pattern;
use super::syntax::{Half, REGISTERS, Register, Script, Statement, Value, Variable};
use super::twins::twins;

/// The value of a reader-writer lock that is held for writing.
pub(super) const WRITER: u64 = u64::MAX;

/// A register that `await` reads into.
pub(super) const SCRATCH: Register = REGISTERS as Register;

/// The number of locks that a process can hold: one for each mutex, two for each reader-writer
/// lock.
pub(super) const LOCKS: usize = 16;

/// An access to a cell: a variable, a lock, a token.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) cell: usize,
    pub(super) op: Op,
    pub(super) when: When,
    pub(super) waits: bool,
    pub(super) plain: bool,
    /// Whether it may take no effect although its condition holds.
    pub(super) may_fail: bool,
    pub(super) effect: Effect,
    pub(super) result: Outcome,
    /// The lock that the process holds afterwards, if the access takes effect.
    pub(super) acquires: Option<usize>,
}

/// The effect of an access on its cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    Keep,
    Set(Value),
    Increase(i64),
}

/// The result of an access for its process.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Nothing,
    Before(Register),
    Success(Register),
}

#[derive(Clone, Debug)]
pub(super) enum Instruction {
    // Visible instructions: each is one step.
    Access(Access),
    /// Begins to wait on a condition variable, and unlocks the mutex (a cell).
    BeginWait {
        condition: usize,
        mutex: usize,
    },
    TimeOut {
        condition: usize,
        result: Register,
    },
    Notify {
        condition: usize,
        all: bool,
    },
    Choose(Register, u32),
    Send {
        queue: usize,
        value: Value,
        waits: bool,
        result: Option<Register>,
    },
    Receive {
        queue: usize,
        result: Register,
        waits: bool,
    },
    Hangup(usize),
    Close(usize),
    Deliver {
        mailbox: usize,
        value: Value,
    },
    Take {
        mailbox: usize,
        pattern: Pattern,
        result: Register,
        waits: bool,
    },

    /// Only an edge continues the process after this.
    AwaitNotification,

    // Local instructions.
    Release(usize),
    /// Fails if the process has hung up.
    RequireSender(usize),
    Spawn(usize),
    Join(usize),
    Yield,
    Jump(usize),
    JumpUnless(Register, i64, usize),
    Assert(Register, i64),
    Assume(Register, i64),
}

/// The numbering of objects: first all cells, then the channels, then the mailboxes.
///
/// After the last cell, there is a number for each half of an atomic variable. A half is not a cell
/// of its own, but a part of the variable's cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// A bit for each atomic variable that is accessed by halves.
    halved: u64,
    plain: usize,
    mutexes: usize,
    rwlocks: usize,
    conditions: usize,
    tokens: usize,
    pub(super) cells: usize,
    queues: usize,
    pub(super) mailboxes: usize,
}

impl Layout {
    fn new(script: &Script) -> Self {
        let [mut atomic, mut plain, mut mutexes, mut rwlocks, mut conditions] = [0; 5];
        let (mut mailboxes, mut halved) = (0, 0);
        script.visit(|_, statement| {
            use Statement::*;
            let mention = |count: &mut usize, index: u8| {
                *count = (*count).max(usize::from(index) + 1);
            };
            if let Read(_, Variable::Half(x, _)) | Write(Variable::Half(x, _), _) = *statement {
                mention(&mut atomic, x);
                halved |= 1 << (x % 64);
            }
            match *statement {
                Read(_, Variable::Plain(d)) | Write(Variable::Plain(d), _) => {
                    mention(&mut plain, d);
                }
                Read(_, Variable::Atomic(x))
                | Write(Variable::Atomic(x), _)
                | CompareExchange(_, x, ..)
                | WeakCompareExchange(_, x, ..)
                | FetchAdd(_, x, _)
                | Add(x, _)
                | Swap(_, x, _) => {
                    mention(&mut atomic, x);
                }
                Await(ref wanted) => wanted.iter().for_each(|(x, _)| mention(&mut atomic, *x)),
                Lock(m) | TryLock(_, m) | Unlock(m) => mention(&mut mutexes, m),
                ReadLock(l)
                | TryReadLock(_, l)
                | ReadUnlock(l)
                | WriteLock(l)
                | TryWriteLock(_, l)
                | WriteUnlock(l) => mention(&mut rwlocks, l),
                Wait(c, m) | WaitTimeout(_, c, m) => {
                    mention(&mut conditions, c);
                    mention(&mut mutexes, m);
                }
                NotifyOne(c) | NotifyAll(c) => mention(&mut conditions, c),
                Deliver(b, _) | Take(_, b, _) | TryTake(_, b, _) => mention(&mut mailboxes, b),
                _ => {}
            }
        });
        let mutexes_at = atomic + plain;
        let rwlocks_at = mutexes_at + mutexes;
        let conditions_at = rwlocks_at + rwlocks;
        let tokens_at = conditions_at + conditions;
        Layout {
            halved,
            plain: atomic,
            mutexes: mutexes_at,
            rwlocks: rwlocks_at,
            conditions: conditions_at,
            tokens: tokens_at,
            cells: tokens_at + script.processes.len(),
            queues: script.channels.len(),
            mailboxes,
        }
    }

    /// Returns the location of a cell, or of a half of one.
    pub(super) fn cell(&self, cell: usize) -> Location {
        let at = |cell: usize, start, len| Location { object: ObjectId(cell as u32), start, len };
        match self.half(cell) {
            Some((whole, Half::Low)) => at(whole, 0, 4),
            Some((whole, Half::High)) => at(whole, 4, 4),
            None if cell < self.plain && self.halved >> (cell % 64) & 1 != 0 => at(cell, 0, 8),
            None => Location::whole(ObjectId(cell as u32)),
        }
    }

    /// Returns whether some variable is accessed by halves.
    pub(super) fn has_halves(&self) -> bool {
        self.halved != 0
    }

    /// Returns the number of a half of an atomic variable.
    fn number_of_half(&self, x: u8, half: Half) -> usize {
        self.cells + 2 * usize::from(x) + usize::from(half == Half::High)
    }

    /// Returns the cell and the half that have this number, if it is that of a half.
    pub(super) fn half(&self, number: usize) -> Option<(usize, Half)> {
        let half = number.checked_sub(self.cells)?;
        Some((half / 2, if half % 2 == 0 { Half::Low } else { Half::High }))
    }

    /// Returns the location of a channel.
    pub(super) fn queue(&self, queue: usize) -> Location {
        Location::whole(ObjectId((self.cells + queue) as u32))
    }

    /// Returns the location of a mailbox.
    pub(super) fn mailbox(&self, mailbox: usize) -> Location {
        Location::whole(ObjectId((self.cells + self.queues + mailbox) as u32))
    }

    /// Returns the cell of a condition variable.
    pub(super) fn condition(&self, condition: usize) -> usize {
        self.conditions + condition
    }
}

/// A compiled script.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) script: Script,
    pub(super) layout: Layout,
    pub(super) processes: Vec<Vec<Instruction>>,
    /// Whether another process spawns the process, so that it does not exist from the start.
    pub(super) is_spawned: Vec<bool>,
    /// Whether the process ever yields, so that it must remember the values that it has read.
    pub(super) yields: Vec<bool>,
    /// The number of senders of each channel.
    pub(super) senders: Vec<u32>,
    /// The previous twin of each process.
    pub(super) twins: Vec<Option<ProcessId>>,
}

impl Code {
    pub(super) fn new(script: &Script) -> Self {
        let layout = Layout::new(script);
        let mut is_spawned = vec![false; script.processes.len()];
        let mut spins = false;
        script.visit(|_, statement| {
            if let Statement::Spawn(child) = *statement {
                is_spawned[usize::from(child)] = true;
            }
            spins |= matches!(*statement, Statement::Await(_) | Statement::Yield);
        });
        let compile = |(process, block): (usize, &Vec<Statement>)| {
            let mut compiler = Compiler { layout: &layout, process, spins, code: Vec::new() };
            compiler.block(block);
            compiler.code
        };
        let processes: Vec<Vec<_>> = script.processes.iter().enumerate().map(compile).collect();
        let is_yield = |instruction: &Instruction| matches!(instruction, Instruction::Yield);
        let yields = processes.iter().map(|code| code.iter().any(is_yield)).collect();
        let sends = |code: &&Vec<Instruction>, queue| {
            code.iter().any(|i| matches!(*i, Instruction::RequireSender(q) if q == queue))
        };
        let senders = (0..script.channels.len())
            .map(|queue| processes.iter().filter(|code| sends(code, queue)).count() as u32)
            .collect();
        let twins = twins(script);
        Code { script: script.clone(), layout, processes, is_spawned, yields, senders, twins }
    }
}

struct Compiler<'a> {
    layout: &'a Layout,
    process: usize,
    /// Whether some process of the script spins.
    spins: bool,
    code: Vec<Instruction>,
}

impl Compiler<'_> {
    fn block(&mut self, block: &[Statement]) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn access(&mut self, cell: usize, op: Op) -> &mut Access {
        self.code.push(Instruction::Access(Access {
            cell,
            op,
            when: When::Always,
            waits: false,
            plain: false,
            may_fail: false,
            effect: Effect::Keep,
            result: Outcome::Nothing,
            acquires: None,
        }));
        match self.code.last_mut() {
            Some(Instruction::Access(access)) => access,
            _ => unreachable!("it was just pushed"),
        }
    }

    /// Appends an access that acquires a lock, or tries to.
    fn acquire(&mut self, lock: Lock, result: Option<Register>) {
        let (cell, slot) = lock.place(self.layout);
        let op = if matches!(lock, Lock::Reading(_)) { Op::Add } else { Op::Update };
        let access = self.access(cell, op);
        access.waits = result.is_none();
        access.result = result.map_or(Outcome::Nothing, Outcome::Success);
        access.acquires = Some(slot);
        (access.when, access.effect) = match lock {
            Lock::Mutex(_) => (When::Equals(0), Effect::Set(Value::Constant(1))),
            Lock::Reading(_) => (When::Differs(WRITER), Effect::Increase(1)),
            Lock::Writing(_) => (When::Equals(0), Effect::Set(Value::Constant(WRITER as i64))),
        };
    }

    fn release(&mut self, lock: Lock) {
        let (cell, slot) = lock.place(self.layout);
        self.code.push(Instruction::Release(slot));
        match lock {
            Lock::Reading(_) => self.access(cell, Op::Add).effect = Effect::Increase(-1),
            _ => self.access(cell, Op::Write).effect = Effect::Set(Value::Constant(0)),
        }
    }

    /// Appends the beginning of a wait. Registering and unlocking are one step, as in every real
    /// condition variable. If they were two, a notification could come in between. Its edge would
    /// order it before the unlocking, although the two commute.
    fn begin_wait(&mut self, condition: u8, mutex: u8) {
        let (cell, slot) = Lock::Mutex(mutex).place(self.layout);
        self.code.push(Instruction::Release(slot));
        self.code.push(Instruction::BeginWait { condition: condition.into(), mutex: cell });
    }

    fn statement(&mut self, statement: &Statement) {
        use Statement::*;
        match *statement {
            Read(r, variable) => {
                let (cell, plain) = self.variable(variable);
                let access = self.access(cell, Op::Read);
                access.plain = plain;
                access.result = Outcome::Before(r);
            }
            Write(variable, value) => {
                let (cell, plain) = self.variable(variable);
                let access = self.access(cell, Op::Write);
                access.plain = plain;
                access.effect = Effect::Set(value);
            }
            CompareExchange(r, x, old, new) | WeakCompareExchange(r, x, old, new) => {
                let access = self.access(x.into(), Op::Update);
                access.may_fail = matches!(statement, WeakCompareExchange(..));
                access.when = When::Equals(old as u64);
                access.effect = Effect::Set(Value::Constant(new));
                access.result = Outcome::Success(r);
            }
            FetchAdd(r, x, amount) => {
                let access = self.access(x.into(), Op::Update);
                access.effect = Effect::Increase(amount);
                access.result = Outcome::Before(r);
            }
            Add(x, amount) => {
                // Additions commute only if no process waits for the value.
                let op = if self.spins { Op::Update } else { Op::Add };
                self.access(x.into(), op).effect = Effect::Increase(amount);
            }
            Swap(r, x, value) => {
                let access = self.access(x.into(), Op::Update);
                access.effect = Effect::Set(value);
                access.result = Outcome::Before(r);
            }
            Lock(m) => self.acquire(self::Lock::Mutex(m), None),
            TryLock(r, m) => self.acquire(self::Lock::Mutex(m), Some(r)),
            Unlock(m) => self.release(self::Lock::Mutex(m)),
            ReadLock(l) => self.acquire(self::Lock::Reading(l), None),
            TryReadLock(r, l) => self.acquire(self::Lock::Reading(l), Some(r)),
            ReadUnlock(l) => self.release(self::Lock::Reading(l)),
            WriteLock(l) => self.acquire(self::Lock::Writing(l), None),
            TryWriteLock(r, l) => self.acquire(self::Lock::Writing(l), Some(r)),
            WriteUnlock(l) => self.release(self::Lock::Writing(l)),
            Wait(c, m) => {
                self.begin_wait(c, m);
                self.code.push(Instruction::AwaitNotification);
                self.acquire(self::Lock::Mutex(m), None);
            }
            WaitTimeout(r, c, m) => {
                self.begin_wait(c, m);
                self.code.push(Instruction::TimeOut { condition: c.into(), result: r });
                self.acquire(self::Lock::Mutex(m), None);
            }
            NotifyOne(c) => {
                self.code.push(Instruction::Notify { condition: c.into(), all: false });
            }
            NotifyAll(c) => self.code.push(Instruction::Notify { condition: c.into(), all: true }),
            Spawn(process) => self.code.push(Instruction::Spawn(process.into())),
            Join(process) => self.code.push(Instruction::Join(process.into())),
            Choose(r, count) => self.code.push(Instruction::Choose(r, count)),
            Send(q, value) => self.send(q, value, None),
            TrySend(r, q, value) => self.send(q, value, Some(r)),
            Receive(result, q) => {
                self.code.push(Instruction::Receive { queue: q.into(), result, waits: true });
            }
            TryReceive(result, q) => {
                self.code.push(Instruction::Receive { queue: q.into(), result, waits: false });
            }
            Hangup(q) => {
                self.code.push(Instruction::RequireSender(q.into()));
                self.code.push(Instruction::Hangup(q.into()));
            }
            Close(q) => self.code.push(Instruction::Close(q.into())),
            Deliver(b, value) => {
                self.code.push(Instruction::Deliver { mailbox: b.into(), value });
            }
            Take(result, b, pattern) => self.take(b, pattern, result, true),
            TryTake(result, b, pattern) => self.take(b, pattern, result, false),
            Park => {
                let access = self.access(self.layout.tokens + self.process, Op::Update);
                access.when = When::Equals(1);
                access.waits = true;
                access.effect = Effect::Set(Value::Constant(0));
            }
            Unpark(process) => {
                let access = self.access(self.layout.tokens + usize::from(process), Op::Write);
                access.effect = Effect::Set(Value::Constant(1));
            }
            Yield => self.code.push(Instruction::Yield),
            Await(ref wanted) => self.spin(wanted),
            If(r, constant, ref then, ref otherwise) => {
                let branch = self.placeholder();
                self.block(then);
                let skip = self.placeholder();
                self.code[branch] = Instruction::JumpUnless(r, constant, self.code.len());
                self.block(otherwise);
                self.code[skip] = Instruction::Jump(self.code.len());
            }
            While(r, constant, ref body) => {
                let branch = self.placeholder();
                self.block(body);
                self.code.push(Instruction::Jump(branch));
                self.code[branch] = Instruction::JumpUnless(r, constant, self.code.len());
            }
            Assert(r, constant) => self.code.push(Instruction::Assert(r, constant)),
            Assume(r, constant) => self.code.push(Instruction::Assume(r, constant)),
        }
    }

    fn send(&mut self, q: u8, value: Value, result: Option<Register>) {
        let (queue, waits) = (q.into(), result.is_none());
        self.code.push(Instruction::RequireSender(queue));
        self.code.push(Instruction::Send { queue, value, waits, result });
    }

    fn take(&mut self, b: u8, pattern: Pattern, result: Register, waits: bool) {
        self.code.push(Instruction::Take { mailbox: b.into(), pattern, result, waits });
    }

    fn spin(&mut self, wanted: &[(u8, i64)]) {
        let again = self.code.len();
        let mut branches = Vec::new();
        for (x, constant) in wanted {
            self.access((*x).into(), Op::Read).result = Outcome::Before(SCRATCH);
            branches.push((self.placeholder(), *constant));
        }
        let done = self.placeholder();
        let spin = self.code.len();
        self.code.push(Instruction::Yield);
        self.code.push(Instruction::Jump(again));
        for (branch, constant) in branches {
            self.code[branch] = Instruction::JumpUnless(SCRATCH, constant, spin);
        }
        self.code[done] = Instruction::Jump(self.code.len());
    }

    /// Appends an instruction to be filled in once its target is known.
    fn placeholder(&mut self) -> usize {
        self.code.push(Instruction::Jump(usize::MAX));
        self.code.len() - 1
    }

    fn variable(&self, variable: Variable) -> (usize, bool) {
        match variable {
            Variable::Atomic(x) => (x.into(), false),
            Variable::Plain(d) => (self.layout.plain + usize::from(d), true),
            Variable::Half(x, half) => (self.layout.number_of_half(x, half), false),
        }
    }
}

/// A lock and its mode.
#[derive(Clone, Copy)]
enum Lock {
    Mutex(u8),
    Reading(u8),
    Writing(u8),
}

impl Lock {
    /// Returns the cell, and the index at which a process records whether it holds the lock.
    fn place(self, layout: &Layout) -> (usize, usize) {
        let half = LOCKS / 2;
        let (cell, slot) = match self {
            Lock::Mutex(m) => (layout.mutexes + usize::from(m), usize::from(m)),
            Lock::Reading(l) => (layout.rwlocks + usize::from(l), half + 2 * usize::from(l)),
            Lock::Writing(l) => (layout.rwlocks + usize::from(l), half + 2 * usize::from(l) + 1),
        };
        (cell, slot)
    }
}
