//! Makes programs from seeds.

use super::program::{Do, Form, Program, VARIABLES};

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below `n`, by xorshift.
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn variable(&mut self) -> usize {
        self.below(VARIABLES)
    }

    fn value(&mut self) -> u32 {
        self.below(3) as u32
    }
}

/// Which statements go together. A program of all of them would have little to race for.
#[derive(Clone, Copy, Debug)]
enum Theme {
    Memory,
    Spins,
    Locks,
    RwLocks,
    Conditions,
    Onces,
    Channels,
    Threads,
    Handlers,
    Plain,
    Destructors,
    Anything,
}

const THEMES: [Theme; 12] = [
    Theme::Memory,
    Theme::Spins,
    Theme::Locks,
    Theme::RwLocks,
    Theme::Conditions,
    Theme::Onces,
    Theme::Channels,
    Theme::Threads,
    Theme::Handlers,
    Theme::Plain,
    Theme::Destructors,
    Theme::Anything,
];

/// Returns the program of a seed.
pub(super) fn program(seed: u64) -> Program {
    of_theme(THEMES[seed as usize % THEMES.len()], seed)
}

/// Returns a program with destructors.
pub(super) fn destructing(seed: u64) -> Program {
    of_theme(Theme::Destructors, seed)
}

/// Returns a program with spin loops.
pub(super) fn spinning(seed: u64) -> Program {
    of_theme(Theme::Spins, seed)
}

/// Returns a program with threads of `spawn_many`. They do what needs no name of its own: they create no threads
/// and handlers.
pub(super) fn with_twins(seed: u64) -> Program {
    let is_fit = |theme: &&Theme| !matches!(theme, Theme::Threads | Theme::Handlers);
    let themes: Vec<Theme> = THEMES.iter().filter(is_fit).copied().collect();
    let theme = themes[seed as usize % themes.len()];
    let mut random = Random::new(seed ^ 0x7477_696e);
    let (count, longest, others) = [(2, 2, 1), (2, 3, 0), (2, 2, 0), (3, 1, 1)][random.below(4)];
    let mut maker = Maker { random, theme, threads: others.max(1), depth: 0 };
    let block = std::iter::repeat_with(|| maker.block(longest))
        .find(|block| !block.iter().any(Do::creates));
    let block = block.expect("some of them creates no thread");
    Program {
        many: Some((count, block)),
        threads: (0..others).map(|_| maker.block(2)).collect(),
        bound: [None, Some(0), Some(1), Some(2)][maker.random.below(4)],
        joins: !maker.random.one_in(3),
        spurious: maker.random.one_in(4),
    }
}

fn of_theme(theme: Theme, seed: u64) -> Program {
    let mut random = Random::new(seed);
    let (threads, longest) = [(2, 3), (2, 2), (2, 4), (3, 2)][random.below(4)];
    let mut maker = Maker { random, theme, threads, depth: 0 };
    Program {
        many: None,
        threads: (0..threads).map(|_| maker.block(longest)).collect(),
        bound: [None, Some(0), Some(1), Some(2)][maker.random.below(4)],
        joins: !maker.random.one_in(3),
        spurious: maker.random.one_in(4),
    }
}

struct Maker {
    random: Random,
    theme: Theme,
    threads: usize,
    /// How many statements contain the next one.
    depth: usize,
}

impl Maker {
    fn block(&mut self, longest: usize) -> Vec<Do> {
        let length = 1 + self.random.below(longest);
        (0..length).map(|_| self.statement()).collect()
    }

    /// Returns the statements inside of another one: at most one, and no third level.
    fn inner(&mut self) -> Vec<Do> {
        if self.depth == 2 || self.random.one_in(3) {
            return Vec::new();
        }
        self.depth += 1;
        let statement = self.statement();
        self.depth -= 1;
        vec![statement]
    }

    fn statement(&mut self) -> Do {
        let theme = match self.theme {
            Theme::Anything => THEMES[self.random.below(THEMES.len() - 1)],
            // Whatever else a program does, what threads see of it must show in memory.
            theme if self.random.one_in(4) => match theme {
                Theme::Plain | Theme::Memory => theme,
                _ => Theme::Memory,
            },
            theme => theme,
        };
        match theme {
            Theme::Memory => self.memory(),
            Theme::Spins => self.spin(),
            Theme::Locks => self.lock(),
            Theme::RwLocks => self.rwlock(),
            Theme::Conditions => self.condition(),
            Theme::Onces => self.once(),
            Theme::Channels => self.channel(),
            Theme::Threads => self.thread(),
            Theme::Handlers => self.handler(),
            Theme::Destructors => self.destructor(),
            Theme::Plain | Theme::Anything => self.plain(),
        }
    }

    fn memory(&mut self) -> Do {
        let (on, value) = (self.random.variable(), self.random.value());
        match self.random.below(16) {
            0..4 => Do::Load(on),
            4..8 => Do::Store(on, value),
            8 => Do::Add(on),
            9 => Do::Swap(on, value),
            10 | 11 => {
                let weak = self.random.one_in(2);
                Do::Exchange { on, from: value, to: self.random.value(), weak }
            }
            12 => Do::If(on, value, self.inner()),
            13 => Do::AssertNot(on, value),
            14 => Do::Assume(on, value),
            _ => Do::Choose(2),
        }
    }

    fn spin(&mut self) -> Do {
        let (on, value) = (self.random.variable(), self.random.value());
        match self.random.below(24) {
            0 | 1 => Do::SpinUntil(on, value),
            2 | 3 => Do::SpinEither(on, self.random.variable(), value),
            4 => Do::SpinLock(on, self.inner()),
            5 => Do::SpinTryLock(self.inner()),
            6 => Do::SpinReceive,
            7 => Do::Retry(on),
            8 => Do::Yield,
            9 => Do::Send,
            10 => Do::Lock(0, self.inner()),
            11 => Do::Poll(on, 2),
            12 => Do::PollBoth(on, self.random.variable(), 2),
            13 => Do::Backoff(on),
            14 => Do::Await(on, value),
            15 => Do::Patience(on, value),
            16..20 => {
                let form = Form::ALL[self.random.below(Form::ALL.len())];
                Do::AwaitIn(form, on, self.random.variable(), value)
            }
            _ => Do::Store(on, value),
        }
    }

    fn lock(&mut self) -> Do {
        let mutex = self.random.below(2);
        match self.random.below(3) {
            0 | 1 => Do::Lock(mutex, self.inner()),
            _ => Do::TryLock(mutex, self.inner()),
        }
    }

    fn rwlock(&mut self) -> Do {
        let inner = self.inner();
        match self.random.below(6) {
            0 | 1 => Do::Read(inner),
            2 => Do::Write(inner),
            3 => Do::TryRead(inner),
            4 => Do::TryWrite(inner),
            _ => Do::Downgrade(inner),
        }
    }

    fn condition(&mut self) -> Do {
        match self.random.below(9) {
            0 | 1 => Do::Wait,
            2 | 3 => Do::WaitTimeout,
            4 | 5 => Do::NotifyOne,
            6 => Do::NotifyAll,
            7 => Do::Barrier,
            _ => Do::Lock(0, self.inner()),
        }
    }

    fn once(&mut self) -> Do {
        match self.random.below(8) {
            0..3 => Do::CallOnce(self.inner()),
            3 => Do::CallOnceForce(self.inner()),
            4 => Do::IsCompleted,
            5 => Do::SetOnce,
            6 => Do::GetOnce,
            _ => Do::WaitOnce,
        }
    }

    fn channel(&mut self) -> Do {
        match self.random.below(10) {
            0..3 => Do::Send,
            3 => Do::TrySend,
            4 | 5 => Do::Receive,
            6 => Do::TryReceive,
            7 => Do::ReceiveTimeout,
            8 => Do::HangUp,
            _ => Do::Close,
        }
    }

    fn thread(&mut self) -> Do {
        match self.random.below(7) {
            0 => Do::Park,
            1 => Do::ParkTimeout,
            2 | 3 => Do::Unpark(self.random.below(self.threads)),
            4 | 5 if self.depth < 2 => Do::Spawn(self.inner()),
            6 if self.depth < 2 => Do::Scope(self.inner(), self.inner()),
            _ => Do::Park,
        }
    }

    fn handler(&mut self) -> Do {
        match self.random.below(4) {
            0..3 if self.depth < 2 => Do::Post(self.inner()),
            _ => self.memory(),
        }
    }

    fn destructor(&mut self) -> Do {
        match self.random.below(12) {
            0..4 if self.depth < 2 => Do::Defer(self.inner(), self.inner()),
            4 | 5 => Do::PutBox,
            6 | 7 => Do::TakeBox,
            8 => self.lock(),
            9 => self.channel(),
            10 => self.condition(),
            11 if self.depth < 2 => self.thread(),
            _ => self.memory(),
        }
    }

    fn plain(&mut self) -> Do {
        match self.random.below(5) {
            0 | 1 => Do::Get,
            2 => Do::Set(self.random.value()),
            3 => Do::Lock(0, self.inner()),
            _ => self.memory(),
        }
    }
}
