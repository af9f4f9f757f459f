//! Random programs with event loops.

use fastrand::Rng;

use super::syntax::{Block, Loops, Statement, Thread};

/// Returns a random program: two to four threads, one or two of which have queues, and up to four
/// events.
pub fn random(seed: u64) -> Loops {
    let mut random = Random::new(seed);
    match seed % 3 {
        0 => random.crossed_locks(),
        _ => random.program(),
    }
}

/// Returns a random program with more events and short handlers. Some handlers end their loop, and
/// some acquire two locks in different orders.
pub fn random_with_events(seed: u64, events: usize) -> Loops {
    Random::new(seed).many_events(events)
}

struct Random {
    rng: Rng,
    handlers: Vec<(usize, Block)>,
    loopers: Vec<usize>,
    variables: usize,
    locks: usize,
    /// The number of actions that may still be added.
    left: usize,
}

impl Random {
    fn new(seed: u64) -> Self {
        Random {
            rng: Rng::with_seed(seed),
            handlers: Vec::new(),
            loopers: Vec::new(),
            variables: 1,
            locks: 0,
            left: 0,
        }
    }

    fn program(&mut self) -> Loops {
        let threads = self.rng.usize(2..=3) + usize::from(self.rng.u8(0..4) == 0);
        let loopers = self.rng.usize(1..=2);
        self.loopers = (0..loopers).collect();
        self.variables = self.rng.usize(1..=3);
        self.locks = self.rng.usize(0..=2);
        self.left = self.rng.usize(4..=9);
        let events = self.rng.usize(2..=4);
        let mut found = vec![Thread::default(); threads];
        for (i, thread) in found.iter_mut().enumerate() {
            thread.loops = i < loopers;
            let most = if thread.loops { 1 } else { 3 };
            let len = self.rng.usize(0..=most);
            thread.code = self.block(len, 0, &[]);
        }
        // Every event is posted by a thread, or by the handler of an earlier event.
        for event in 0..events {
            let on = self.loopers[self.rng.usize(0..self.loopers.len())];
            let len = self.rng.usize(0..=2);
            let code = self.block(len, 0, &[]);
            let post = Statement::Post(event);
            let from_handler = event > 0 && self.rng.u8(0..3) == 0;
            let into = match from_handler {
                true => {
                    let poster = self.rng.usize(0..event);
                    &mut self.handlers[poster].1
                }
                false => {
                    let poster = self.rng.usize(0..threads);
                    &mut found[poster].code
                }
            };
            let place = self.rng.usize(0..=into.len());
            into.insert(place, post);
            self.handlers.push((on, code));
        }
        if threads > 2 && self.rng.u8(0..3) == 0 {
            let spawned = threads - 1;
            let spawn = Statement::Spawn(spawned);
            match self.rng.bool() {
                true => {
                    let (_, code) = &mut self.handlers[0];
                    code.push(spawn);
                }
                false => found[self.rng.usize(0..spawned)].code.push(spawn),
            }
        }
        if self.rng.u8(0..5) == 0 {
            let quits = self.rng.usize(0..events);
            self.handlers[quits].1.push(Statement::Quit);
        }
        Loops { threads: found, handlers: std::mem::take(&mut self.handlers) }
    }

    fn many_events(&mut self, events: usize) -> Loops {
        let loopers = self.rng.usize(1..=3);
        let threads = loopers + self.rng.usize(1..=2);
        self.variables = self.rng.usize(1..=2);
        self.left = self.rng.usize(2..=events);
        let mut found = vec![Thread::default(); threads];
        found[..loopers].iter_mut().for_each(|thread| thread.loops = true);
        let crosses = self.rng.bool();
        for event in 0..events {
            let mut code = match self.rng.u8(0..6) {
                0 if crosses => {
                    let outer = self.rng.usize(0..2);
                    vec![Statement::Locked(outer, vec![Statement::Locked(1 - outer, vec![])])]
                }
                1..=3 => self.block(1, 0, &[]),
                _ => Vec::new(),
            };
            if self.rng.u8(0..8) == 0 {
                code.push(Statement::Quit);
            }
            let post = Statement::Post(event);
            match event > 0 && self.rng.u8(0..3) == 0 {
                true => {
                    let poster = self.rng.usize(0..event);
                    self.handlers[poster].1.insert(0, post);
                }
                false => {
                    let poster = self.rng.usize(0..threads);
                    found[poster].code.push(post);
                }
            }
            self.handlers.push((self.rng.usize(0..loopers), code));
        }
        if crosses {
            let outer = self.rng.usize(0..2);
            let inner = vec![Statement::Locked(1 - outer, vec![])];
            found[threads - 1].code.push(Statement::Locked(outer, inner));
        }
        Loops { threads: found, handlers: std::mem::take(&mut self.handlers) }
    }

    /// Returns threads and handlers that acquire two locks, each in some order. Many of these
    /// programs have deadlocks.
    fn crossed_locks(&mut self) -> Loops {
        self.variables = 1;
        let crossed = |rng: &mut Rng| {
            let outer = rng.usize(0..2);
            let mut inner = Vec::new();
            if rng.bool() {
                inner.push(Statement::Write(0, 1));
            }
            vec![Statement::Locked(outer, vec![Statement::Locked(1 - outer, inner)])]
        };
        let mut threads = vec![Thread { code: Vec::new(), loops: true }, Thread::default()];
        threads[1].code = crossed(&mut self.rng);
        let events = self.rng.usize(1..=2);
        let mut handlers = vec![(0, crossed(&mut self.rng))];
        for _ in 1..=events {
            handlers.push((0, if self.rng.bool() { vec![Statement::Write(0, 2)] } else { vec![] }));
        }
        for event in 0..handlers.len() {
            match self.rng.u8(0..4) {
                0 if event > 0 => handlers[0].1.insert(0, Statement::Post(event)),
                0 | 1 => threads[0].code.push(Statement::Post(event)),
                2 => threads[1].code.insert(0, Statement::Post(event)),
                _ => {
                    let code = vec![Statement::Post(event)];
                    threads.push(Thread { code, loops: false });
                }
            }
        }
        Loops { threads, handlers }
    }

    fn block(&mut self, len: usize, depth: usize, held: &[usize]) -> Block {
        let mut block = Vec::new();
        for _ in 0..len {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let x = self.rng.usize(0..self.variables);
            let free: Vec<usize> = (0..self.locks).filter(|lock| !held.contains(lock)).collect();
            block.push(match self.rng.u8(0..12) {
                0..=3 => Statement::Read(x),
                4..=6 => Statement::Write(x, self.rng.u64(1..3)),
                7..=10 if !free.is_empty() => {
                    let lock = free[self.rng.usize(0..free.len())];
                    let mut all = held.to_vec();
                    all.push(lock);
                    let len = self.rng.usize(1..=2);
                    Statement::Locked(lock, self.block(len, depth + 1, &all))
                }
                11 if depth < 2 => Statement::IfZero(self.block(1, depth + 1, held)),
                _ => Statement::Write(x, 1),
            });
        }
        block
    }
}
