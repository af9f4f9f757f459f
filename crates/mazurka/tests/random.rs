//! Random programs in Rust: every explorer sees exactly what `naive` sees.
//!
//! The test kit does the same, and more, with a machine of its own. What is particular here is how
//! objects come by their names: several are created in one place, and whoever touches one first
//! depends on the schedule.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex as StdMutex};

use mazurka::sync::Mutex;
use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::{Algorithm, Check, thread};

const PROGRAMS: usize = 300;
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const VARIABLES: usize = 3;

/// What a thread does, with the number of a variable or of a lock.
#[derive(Clone, Copy, Debug)]
enum Do {
    Load(usize),
    Store(usize, usize),
    Add(usize),
    Swap(usize, usize, usize),
    /// Skips what comes next if the variable has that value.
    SkipIf(usize, usize),
    /// Does what comes next under the lock.
    Lock(usize),
    /// The same, if the lock is free.
    TryLock(usize),
}

/// Xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn action(&mut self, variables: usize) -> Do {
        let on = self.below(variables);
        match self.below(12) {
            0..4 => Do::Load(on),
            4..8 => Do::Store(on, 1 + self.below(2)),
            8 => Do::Add(on),
            9 => Do::Swap(on, self.below(2), 2),
            10 => Do::SkipIf(on, self.below(2)),
            _ if self.below(2) == 0 => Do::Lock(on),
            _ => Do::TryLock(on),
        }
    }

    fn program(&mut self) -> Vec<Vec<Do>> {
        let variables = 1 + self.below(VARIABLES);
        let threads = 2 + self.below(2);
        let length = if threads == 2 { 4 } else { 3 };
        (0..threads)
            .map(|_| (0..1 + self.below(length)).map(|_| self.action(variables)).collect())
            .collect()
    }
}

#[derive(Default)]
struct Shared {
    variables: Vec<AtomicUsize>,
    locks: Vec<Mutex<()>>,
}

/// Runs a thread, and returns what it has seen.
fn act(shared: &Shared, actions: &[Do], seen: &mut Vec<usize>) {
    let [action, rest @ ..] = actions else { return };
    let variable = |on: usize| &shared.variables[on];
    match *action {
        Do::Load(on) => seen.push(variable(on).load(SeqCst)),
        Do::Store(on, value) => variable(on).store(value, SeqCst),
        Do::Add(on) => seen.push(variable(on).fetch_add(1, SeqCst)),
        Do::Swap(on, from, to) => {
            let swapped = variable(on).compare_exchange(from, to, SeqCst, SeqCst);
            seen.push(swapped.is_ok().into());
        }
        Do::SkipIf(on, value) => {
            let found = variable(on).load(SeqCst);
            seen.push(found);
            if found == value {
                return act(shared, rest.get(1..).unwrap_or_default(), seen);
            }
        }
        Do::Lock(on) | Do::TryLock(on) => {
            let guard = match action {
                Do::Lock(_) => shared.locks[on].lock().ok(),
                _ => shared.locks[on].try_lock().ok(),
            };
            seen.push(guard.is_some().into());
            // Locks are held while the next action takes place, and not longer.
            let (next, rest) = rest.split_at(rest.len().min(1));
            if !matches!(next, [Do::Lock(other)] if *other <= on) {
                act(shared, next, seen);
            }
            drop(guard);
            return act(shared, rest, seen);
        }
    }
    act(shared, rest, seen);
}

fn run(program: &[Vec<Do>]) -> Vec<Vec<usize>> {
    let mut shared = Shared::default();
    for _ in 0..VARIABLES {
        shared.variables.push(AtomicUsize::new(0));
        shared.locks.push(Mutex::new(()));
    }
    let shared = Arc::new(shared);
    let thread = |actions: &Vec<Do>| {
        let (shared, actions) = (Arc::clone(&shared), actions.clone());
        thread::spawn(move || {
            let mut seen = Vec::new();
            act(&shared, &actions, &mut seen);
            seen
        })
    };
    let threads: Vec<_> = program.iter().map(thread).collect();
    let mut seen: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    seen.push(shared.variables.iter().map(|variable| variable.load(SeqCst)).collect());
    seen
}

/// How many executions an explorer runs, and everything that it sees. `None` if that is too much.
fn explore(program: &[Vec<Do>], algorithm: Algorithm) -> Option<(u64, BTreeSet<Vec<Vec<usize>>>)> {
    let outcomes = StdMutex::new(BTreeSet::new());
    let verdict = Check::new().algorithm(algorithm).max_executions(20_000).run(|| {
        let outcome = run(program);
        outcomes.lock().unwrap().insert(outcome);
    });
    assert_eq!(verdict.violations, [], "{algorithm} on {program:?}");
    verdict.is_complete().then(|| (verdict.executions, outcomes.into_inner().unwrap()))
}

#[test]
fn every_explorer_sees_what_naive_sees() {
    let mut random = Random(SEED);
    let mut programs = 0;
    while programs < PROGRAMS {
        let program = random.program();
        let Some((_, all)) = explore(&program, Algorithm::Naive) else { continue };
        programs += 1;
        let of = |algorithm| explore(&program, algorithm).expect("at most as many as naive runs");
        let (traces, _) = of(Algorithm::Source);
        for algorithm in Algorithm::ALL {
            let (executions, seen) = of(algorithm);
            assert_eq!(seen, all, "{algorithm} on {program:?}");
            if matches!(algorithm, Algorithm::Source | Algorithm::Optimal) {
                assert_eq!(executions, traces, "{algorithm} on {program:?}");
            }
        }
    }
}
