//! Random small programs.
//!
//! A program is generated from a seed, and the same seed always gives the same program. Most
//! programs have at most some ten thousand interleavings.

use fastrand::Rng;
use mazurka_core::model::Program;

use crate::script::{Channel, Half, Pattern, REGISTERS, Register, Script, ScriptProgram};
use crate::script::{Statement, Value, Variable};

/// The statements of a random program. All programs access atomic variables, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// Only reads, writes and read-modify-writes.
    Memory,
    /// Mutexes.
    Locks,
    /// Reader-writer locks.
    RwLocks,
    /// Condition variables, with waits with and without timeouts.
    Conditions,
    /// Channels, bounded and unbounded.
    Channels,
    /// Mailboxes, with several senders and selective receives.
    Mailboxes,
    /// Choices, and compare-exchanges that may fail.
    Choices,
    /// Spin loops that wait for a value, and other yields.
    Spins,
    /// Variables that are accessed as a whole and by halves.
    Halves,
    /// Plain memory.
    Plain,
    /// Assumptions.
    Assumptions,
    /// Parking.
    Parking,
    /// Any of the above except halves.
    Mixed,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 13] = [
        Profile::Memory,
        Profile::Locks,
        Profile::RwLocks,
        Profile::Conditions,
        Profile::Channels,
        Profile::Mailboxes,
        Profile::Choices,
        Profile::Spins,
        Profile::Halves,
        Profile::Plain,
        Profile::Assumptions,
        Profile::Parking,
        Profile::Mixed,
    ];
}

/// Returns the program of a seed, with a profile that depends on the seed.
pub fn script(seed: u64) -> Script {
    let profile = Profile::ALL[(seed % Profile::ALL.len() as u64) as usize];
    script_of(profile, seed)
}

/// Returns the program of a seed with this profile.
pub fn script_of(profile: Profile, seed: u64) -> Script {
    let mut random = Rng::with_seed(seed);
    loop {
        let script = attempt(profile, random.fork());
        if starts(&script) {
            return script;
        }
    }
}

/// Returns a program of a seed in which some processes are interchangeable: some of its processes are
/// copies of one.
pub fn script_with_twins(seed: u64) -> Script {
    let mut random = Rng::with_seed(!seed);
    for attempt in 0.. {
        let base = script(seed.wrapping_add(attempt * 1_000_003));
        let process = random.u8(..base.processes.len() as u8);
        let copies = random.u8(1..=2);
        let script = with_copies(&base, process, copies);
        if starts(&script) {
            return script;
        }
    }
    unreachable!("some program starts")
}

/// Returns a program with some more copies of a process. Statements that spawn or join the process spawn
/// or join all copies, and statements that unpark it are left out.
fn with_copies(script: &Script, process: u8, copies: u8) -> Script {
    fn block(statements: &[Statement], process: u8, copies: u8) -> Vec<Statement> {
        use Statement::*;
        let renamed = |named: u8| if named > process { named + copies } else { named };
        let all = process..=process + copies;
        let mut found = Vec::new();
        for statement in statements {
            match statement {
                Spawn(named) if *named == process => found.extend(all.clone().map(Spawn)),
                Join(named) if *named == process => found.extend(all.clone().map(Join)),
                Unpark(named) if *named == process => {}
                Spawn(named) => found.push(Spawn(renamed(*named))),
                Join(named) => found.push(Join(renamed(*named))),
                Unpark(named) => found.push(Unpark(renamed(*named))),
                If(register, value, then, otherwise) => {
                    let [then, otherwise] =
                        [then, otherwise].map(|branch| block(branch, process, copies));
                    found.push(If(*register, *value, then, otherwise));
                }
                While(register, value, body) => {
                    found.push(While(*register, *value, block(body, process, copies)));
                }
                other => found.push(other.clone()),
            }
        }
        found
    }
    let mut processes = Vec::new();
    for (index, statements) in script.processes.iter().enumerate() {
        let copies_of = if index == usize::from(process) { copies } else { 0 };
        let statements = block(statements, process, copies);
        processes.extend((0..=copies_of).map(|_| statements.clone()));
    }
    Script { channels: script.channels.clone(), processes }
}

/// Returns whether no process fails before its first step. A program in which one does is useless.
pub(crate) fn starts(script: &Script) -> bool {
    ScriptProgram::new(script).is_ok_and(|program| program.start().is_ok())
}

fn attempt(profile: Profile, mut random: Rng) -> Script {
    // Two long processes, or more short ones.
    let processes = random.choice([2, 2, 3, 3, 3, 4]).unwrap_or(2);
    let longest = [0, 0, 6, 4, 3][processes];
    let spawns = random.u8(..3) == 0;
    let mut generator = Generator {
        processes,
        profile,
        objects: random.u8(1..=2),
        channels: channels(&mut random),
        budget: 0,
        random,
    };

    let mut blocks = Vec::new();
    for process in 0..processes {
        generator.budget = generator.random.i32(1..=longest);
        if profile == Profile::Mailboxes && process == 0 {
            // A process that receives from several senders should receive often.
            generator.budget += 2;
        }
        let mut block = Vec::new();
        while generator.budget > 0 {
            generator.statements(process, 2, &mut block);
        }
        blocks.push(block);
    }
    if spawns {
        generator.spawn_and_join(&mut blocks);
    }
    let mut script = Script { channels: generator.channels, processes: blocks };
    drop_unused_channels(&mut script);
    script
}

fn channels(random: &mut Rng) -> Vec<Channel> {
    let mut channel = |_| Channel { capacity: random.bool().then(|| random.u32(1..=2)) };
    (0..2).map(&mut channel).collect()
}

fn drop_unused_channels(script: &mut Script) {
    let mut used = 0;
    script.visit(|_, statement| {
        use Statement::*;
        if let Send(q, _)
        | TrySend(_, q, _)
        | Receive(_, q)
        | TryReceive(_, q)
        | Hangup(q)
        | Close(q) = *statement
        {
            used = used.max(usize::from(q) + 1);
        }
    });
    script.channels.truncate(used);
}

struct Generator {
    random: Rng,
    profile: Profile,
    processes: usize,
    /// The number of objects of each kind.
    objects: u8,
    channels: Vec<Channel>,
    /// The approximate number of visible actions that the process may still get.
    budget: i32,
}

impl Generator {
    /// Appends a statement, or several that belong together. Branches are nested at most `depth`
    /// times.
    fn statements(&mut self, process: usize, depth: u32, block: &mut Vec<Statement>) {
        if depth > 0 && self.random.u8(..8) == 0 {
            let mut branches = [Vec::new(), Vec::new()];
            for branch in branches.iter_mut().take(1 + self.random.usize(..2)) {
                self.statements(process, depth - 1, branch);
            }
            let [then, otherwise] = branches;
            block.push(Statement::If(self.register(), self.constant(), then, otherwise));
            return;
        }
        if self.random.u8(..16) == 0 {
            block.push(Statement::Assert(self.register(), self.constant()));
            return;
        }
        let profile = match self.profile {
            // Without accesses between them, locks and waits would have nothing to protect.
            Profile::Memory => Profile::Memory,
            Profile::Mailboxes if self.random.u8(..6) > 0 => Profile::Mailboxes,
            _ if self.random.u8(..3) == 0 => Profile::Memory,
            // For halves, the oracle knows only the traces, not the classes of `observers`.
            Profile::Mixed => {
                let others = Profile::ALL.into_iter().filter(|profile| *profile != Profile::Halves);
                self.random.choice(others.collect::<Vec<_>>()).unwrap_or(Profile::Memory)
            }
            profile => profile,
        };
        match profile {
            Profile::Memory | Profile::Mixed => self.memory(block),
            Profile::Locks => self.mutex(process, depth, block),
            Profile::RwLocks => self.rwlock(process, depth, block),
            Profile::Conditions => self.condition(process, depth, block),
            Profile::Channels => self.channel(process, block),
            Profile::Mailboxes => self.mailbox(process, block),
            Profile::Choices => {
                let (r, x) = (self.register(), self.object());
                block.push(match self.random.bool() {
                    true => Statement::Choose(r, self.random.u32(1..=2)),
                    false => Statement::WeakCompareExchange(r, x, self.constant(), self.constant()),
                });
                self.budget -= 1;
            }
            Profile::Spins => self.spin(block),
            Profile::Halves => {
                let half = if self.random.bool() { Half::Low } else { Half::High };
                let variable = Variable::Half(self.object(), half);
                match self.random.u8(..5) {
                    0 => self.spin(block),
                    1..=2 => block.push(Statement::Read(self.register(), variable)),
                    _ => block.push(Statement::Write(variable, self.value())),
                }
                self.budget -= 1;
            }
            Profile::Plain => {
                let variable = Variable::Plain(self.object());
                block.push(match self.random.bool() {
                    true => Statement::Read(self.register(), variable),
                    false => Statement::Write(variable, self.value()),
                });
                self.budget -= 1;
            }
            Profile::Assumptions => {
                self.memory(block);
                block.push(Statement::Assume(self.register(), self.constant()));
            }
            Profile::Parking => {
                block.push(match self.random.bool() {
                    true => Statement::Park,
                    false => Statement::Unpark(self.random.u8(..self.processes as u8)),
                });
                self.budget -= 1;
            }
        }
    }

    fn memory(&mut self, block: &mut Vec<Statement>) {
        let (r, x) = (self.register(), self.object());
        block.push(match self.random.u8(..10) {
            0..=2 => Statement::Read(r, Variable::Atomic(x)),
            3..=5 => Statement::Write(Variable::Atomic(x), self.value()),
            6 => Statement::CompareExchange(r, x, self.constant(), self.constant()),
            7 => Statement::FetchAdd(r, x, 1),
            8 => Statement::Add(x, 1),
            _ => Statement::Swap(r, x, self.value()),
        });
        self.budget -= 1;
    }

    /// Returns a few statements to run under a lock and, in most cases, the statement that releases
    /// it.
    fn critical(&mut self, process: usize, depth: u32, release: Statement) -> Vec<Statement> {
        let mut block = Vec::new();
        self.budget -= 2;
        for _ in 0..self.random.u8(..=2) {
            self.statements(process, depth.saturating_sub(1), &mut block);
        }
        if self.random.u8(..8) > 0 {
            block.push(release);
        }
        block
    }

    fn mutex(&mut self, process: usize, depth: u32, block: &mut Vec<Statement>) {
        let (r, m) = (self.register(), self.object());
        let body = self.critical(process, depth, Statement::Unlock(m));
        if self.random.u8(..4) == 0 {
            block.push(Statement::TryLock(r, m));
            block.push(Statement::If(r, 1, body, Vec::new()));
        } else {
            block.push(Statement::Lock(m));
            block.extend(body);
        }
    }

    fn rwlock(&mut self, process: usize, depth: u32, block: &mut Vec<Statement>) {
        let (r, l) = (self.register(), self.object());
        let (lock, try_lock, unlock) = match self.random.bool() {
            true => {
                (Statement::ReadLock(l), Statement::TryReadLock(r, l), Statement::ReadUnlock(l))
            }
            false => {
                (Statement::WriteLock(l), Statement::TryWriteLock(r, l), Statement::WriteUnlock(l))
            }
        };
        let body = self.critical(process, depth, unlock);
        if self.random.u8(..4) == 0 {
            block.push(try_lock);
            block.push(Statement::If(r, 1, body, Vec::new()));
        } else {
            block.push(lock);
            block.extend(body);
        }
    }

    /// Appends one side of the usual protocols: wait while holding a mutex, or notify with or
    /// without it.
    fn condition(&mut self, process: usize, depth: u32, block: &mut Vec<Statement>) {
        let (r, x) = (self.register(), self.object());
        // One condition variable and one mutex: with more, waiters and notifiers seldom meet.
        let (c, m) = (0, 0);
        let notify = match self.random.bool() {
            true => Statement::NotifyOne(c),
            false => Statement::NotifyAll(c),
        };
        match self.random.u8(..6) {
            0 => {
                block.push(notify);
                self.budget -= 1;
            }
            1 => {
                block.push(Statement::Lock(m));
                block.push(Statement::Write(Variable::Atomic(x), Value::Constant(1)));
                block.push(notify);
                block.push(Statement::Unlock(m));
                self.budget -= 4;
            }
            2 => self.mutex(process, depth, block),
            kind => {
                let wait = match self.random.u8(..3) {
                    0 => Statement::WaitTimeout(r, c, m),
                    _ => Statement::Wait(c, m),
                };
                block.push(Statement::Lock(m));
                if kind == 3 {
                    block.push(Statement::Read(r, Variable::Atomic(x)));
                    block.push(Statement::If(r, 0, vec![wait], Vec::new()));
                } else {
                    block.push(wait);
                }
                block.push(Statement::Unlock(m));
                self.budget -= 4;
            }
        }
    }

    /// Appends an operation on a channel. Each channel has one receiver, as in Rust.
    fn channel(&mut self, process: usize, block: &mut Vec<Statement>) {
        // Prefer the first channel, so that senders and receivers meet.
        let q = u8::from(self.random.u8(..4) == 0);
        let r = self.register();
        let receives = process == usize::from(q);
        block.push(match (receives, self.random.u8(..8)) {
            (true, 0..=4) => Statement::Receive(r, q),
            (true, 5..=6) => Statement::TryReceive(r, q),
            (true, _) => Statement::Close(q),
            (false, 0..=4) => Statement::Send(q, self.value()),
            (false, 5) => Statement::TrySend(r, q, self.value()),
            (false, _) => Statement::Hangup(q),
        });
        self.budget -= 1;
    }

    /// Appends an operation on a mailbox. The first process receives from the first mailbox, the
    /// second from the second.
    fn mailbox(&mut self, process: usize, block: &mut Vec<Statement>) {
        // Prefer the first mailbox, so that it contains several messages.
        let other = u8::from(self.random.u8(..5) == 0);
        let b = if process == 0 && self.random.u8(..5) > 0 { 0 } else { other };
        let r = self.register();
        let receives = process == usize::from(b) && self.random.u8(..8) > 0;
        let statement = match (receives, self.random.u8(..4)) {
            (true, 0) => Statement::TryTake(r, b, self.pattern()),
            (true, _) => Statement::Take(r, b, self.pattern()),
            (false, _) => Statement::Deliver(b, self.value()),
        };
        block.push(statement);
        self.budget -= 1;
    }

    fn pattern(&mut self) -> Pattern {
        let constant = self.random.i64(1..=2);
        match self.random.u8(..8) {
            0..=3 => Pattern::Any,
            4..=5 => Pattern::Equals(constant),
            6 => Pattern::Differs(constant),
            _ => Pattern::Below(constant),
        }
    }

    fn spin(&mut self, block: &mut Vec<Statement>) {
        match self.random.u8(..4) {
            0 => block.push(Statement::Yield),
            1 => {
                let wanted = [0, 1].map(|x| (x, self.constant()));
                block.push(Statement::Await(wanted.to_vec()));
                self.budget -= 3;
            }
            _ => {
                let wanted = (self.object(), self.constant());
                block.push(Statement::Await(vec![wanted]));
                self.budget -= 2;
            }
        }
        self.budget -= 1;
    }

    /// Makes the first process spawn some of the others, and join some of these.
    fn spawn_and_join(&mut self, blocks: &mut [Vec<Statement>]) {
        for child in 1..self.processes as u8 {
            if self.random.u8(..3) > 0 {
                let at = self.random.usize(..=blocks[0].len());
                blocks[0].insert(at, Statement::Spawn(child));
                if self.random.bool() {
                    let at = self.random.usize(at + 1..=blocks[0].len());
                    blocks[0].insert(at, Statement::Join(child));
                }
            }
        }
    }

    fn register(&mut self) -> Register {
        // Use half of the registers, so that conditions often test a value that was read.
        self.random.u8(..REGISTERS as u8 / 2)
    }

    fn object(&mut self) -> u8 {
        self.random.u8(..self.objects)
    }

    fn constant(&mut self) -> i64 {
        self.random.i64(0..=2)
    }

    fn value(&mut self) -> Value {
        match self.random.u8(..3) {
            0 => Value::Sum(self.register(), self.random.i64(0..=1)),
            _ => Value::Constant(self.random.i64(1..=2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{self, Refused};

    #[test]
    fn programs_can_be_run_and_read_again() {
        for seed in 0..2_000 {
            let script = script(seed);
            assert_eq!(script.check(), Ok(()), "seed {seed}:\n{script}");
            assert_eq!(script.to_string().parse().as_ref(), Ok(&script), "seed {seed}");
        }
    }

    #[test]
    fn most_programs_are_small_enough() {
        let is_refused = |seed: &u64| {
            let program = ScriptProgram::new(&script(*seed)).unwrap();
            matches!(oracle::enumerate(&program, 5_000), Err(Refused::TooLarge))
        };
        let refused = (0..200).filter(is_refused).count();
        assert!(refused < 50, "{refused} of 200 are too large");
    }
}
