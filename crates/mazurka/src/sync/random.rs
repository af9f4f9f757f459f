//! Random programs over all primitives: every explorer must see what `naive` sees.

use std::collections::BTreeSet;
use std::sync::Mutex as StdMutex;
use std::sync::atomic::{AtomicU32 as StdU32, Ordering::Relaxed};
use std::time::Duration;

use super::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use super::{Arc, Barrier, Condvar, Mutex, Once, OnceLock, RwLock, RwLockWriteGuard};
use crate::{Algorithm, Check, ViolationKind, thread};

const SOON: Duration = Duration::from_millis(1);

/// Small numbers out of a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) % n
    }
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Read,
    Write,
    TryRead,
    TryWrite,
    Downgrade,
    CallOnce,
    IsCompleted,
    SetCell,
    GetCell,
    WaitCell,
    Wait,
    WaitTimeout,
    NotifyOne,
    NotifyAll,
    Barrier,
    Send,
    TrySend,
    Receive,
    TryReceive,
    ReceiveTimeout,
    HangUp,
    Close,
}

const OPS: [Op; 22] = [
    Op::Read,
    Op::Write,
    Op::TryRead,
    Op::TryWrite,
    Op::Downgrade,
    Op::CallOnce,
    Op::IsCompleted,
    Op::SetCell,
    Op::GetCell,
    Op::WaitCell,
    Op::Wait,
    Op::WaitTimeout,
    Op::NotifyOne,
    Op::NotifyAll,
    Op::Barrier,
    Op::Send,
    Op::TrySend,
    Op::Receive,
    Op::TryReceive,
    Op::ReceiveTimeout,
    Op::HangUp,
    Op::Close,
];

/// Which of them go together: a program of all of them would have little to race for.
const THEMES: [&[usize]; 6] = [
    &[0, 1, 2, 3, 4],
    &[5, 5, 6, 7, 8, 9],
    &[10, 11, 11, 12, 12, 13],
    &[14, 1, 2, 10, 12],
    &[15, 15, 16, 17, 17, 18, 19, 20, 21],
    &[0, 1, 5, 6, 10, 11, 12, 15, 16, 17, 18],
];

#[derive(Clone, Debug)]
struct Script {
    threads: Vec<Vec<Op>>,
    /// `None` for a channel with any room.
    bound: Option<usize>,
}

impl Script {
    fn random(seed: u64) -> Self {
        let mut random = Random(seed);
        let theme = THEMES[random.below(THEMES.len() as u64) as usize];
        let (threads, ops) = [(2, 3), (2, 2), (3, 1), (3, 2)][random.below(4) as usize];
        let mut op = || OPS[theme[random.below(theme.len() as u64) as usize]];
        let threads = (0..threads).map(|_| (0..ops).map(|_| op()).collect()).collect();
        let bound = [None, Some(0), Some(0), Some(1), Some(2)][random.below(5) as usize];
        Script { threads, bound }
    }
}

struct Shared {
    lock: RwLock<u32>,
    once: Once,
    winner: StdU32,
    cell: OnceLock<u32>,
    mutex: Mutex<u32>,
    condvar: Condvar,
    barrier: Barrier,
}

enum Out {
    Any(Sender<u32>),
    Bounded(SyncSender<u32>),
}

impl Out {
    fn send(&self, value: u32) -> u32 {
        match self {
            Out::Any(sender) => sender.send(value).is_ok().into(),
            Out::Bounded(sender) => sender.send(value).is_ok().into(),
        }
    }

    fn try_send(&self, value: u32) -> u32 {
        match self {
            Out::Any(sender) => sender.send(value).is_ok().into(),
            Out::Bounded(sender) => match sender.try_send(value) {
                Ok(()) => 1,
                Err(super::mpsc::TrySendError::Full(_)) => 2,
                Err(super::mpsc::TrySendError::Disconnected(_)) => 3,
            },
        }
    }
}

/// Runs the ops of one thread, and tells what it has seen.
fn run(
    shared: &Shared,
    me: u32,
    ops: &[Op],
    out: Out,
    inbox: Option<Receiver<u32>>,
    log: &StdMutex<Vec<u32>>,
) {
    let (mut out, mut inbox) = (Some(out), inbox);
    for op in ops {
        let seen = match op {
            Op::Read => *shared.lock.read().unwrap(),
            Op::Write => {
                let mut guard = shared.lock.write().unwrap();
                *guard += 1;
                *guard
            }
            Op::TryRead => shared.lock.try_read().map_or(90, |guard| *guard),
            Op::TryWrite => shared.lock.try_write().map_or(90, |mut guard| {
                *guard += 1;
                *guard
            }),
            Op::Downgrade => {
                let mut guard = shared.lock.write().unwrap();
                *guard += 1;
                *RwLockWriteGuard::downgrade(guard)
            }
            Op::CallOnce => {
                shared.once.call_once(|| shared.winner.store(me, Relaxed));
                shared.winner.load(Relaxed)
            }
            Op::IsCompleted => shared.once.is_completed().into(),
            Op::SetCell => shared.cell.set(me).is_ok().into(),
            Op::GetCell => shared.cell.get().copied().unwrap_or(90),
            Op::WaitCell => *shared.cell.wait(),
            Op::Wait => {
                let guard = shared.mutex.lock().unwrap();
                let mut guard = shared.condvar.wait(guard).unwrap();
                *guard += 1;
                *guard
            }
            Op::WaitTimeout => {
                let guard = shared.mutex.lock().unwrap();
                let (guard, result) = shared.condvar.wait_timeout(guard, SOON).unwrap();
                *guard * 2 + u32::from(result.timed_out())
            }
            Op::NotifyOne => {
                shared.condvar.notify_one();
                0
            }
            Op::NotifyAll => {
                *shared.mutex.lock().unwrap() += 1;
                shared.condvar.notify_all();
                0
            }
            Op::Barrier => shared.barrier.wait().is_leader().into(),
            Op::Send => out.as_ref().map_or(80, |out| out.send(me)),
            Op::TrySend => out.as_ref().map_or(80, |out| out.try_send(me)),
            Op::Receive => match &inbox {
                Some(inbox) => inbox.recv().unwrap_or(90),
                None => out.as_ref().map_or(80, |out| out.send(me)),
            },
            Op::TryReceive => match &inbox {
                Some(inbox) => inbox.try_recv().unwrap_or_else(|error| 90 + error as u32),
                None => out.as_ref().map_or(80, |out| out.try_send(me)),
            },
            Op::ReceiveTimeout => inbox.as_ref().map_or(80, |inbox| {
                inbox.recv_timeout(SOON).unwrap_or_else(|error| 90 + error as u32)
            }),
            Op::HangUp => out.take().is_some().into(),
            Op::Close => inbox.take().is_some().into(),
        };
        log.lock().unwrap().push(seen);
    }
}

fn program(script: &Script) -> Vec<Vec<u32>> {
    let shared = Arc::new(Shared {
        lock: RwLock::new(0),
        once: Once::new(),
        winner: StdU32::new(0),
        cell: OnceLock::new(),
        mutex: Mutex::new(0),
        condvar: Condvar::new(),
        barrier: Barrier::new(2),
    });
    let logs: Vec<_> = script.threads.iter().map(|_| StdMutex::new(Vec::new())).collect();
    thread::scope(|s| {
        let mut outs: Vec<Out>;
        let n = script.threads.len();
        let inbox = match script.bound {
            None => {
                let (sender, receiver) = channel();
                outs = (1..n).map(|_| Out::Any(sender.clone())).collect();
                outs.push(Out::Any(sender));
                receiver
            }
            Some(bound) => {
                let (sender, receiver) = sync_channel(bound);
                outs = (1..n).map(|_| Out::Bounded(sender.clone())).collect();
                outs.push(Out::Bounded(sender));
                receiver
            }
        };
        let mut inbox = Some(inbox);
        for (me, ((ops, out), log)) in script.threads.iter().zip(outs).zip(&logs).enumerate() {
            let (shared, inbox) = (Arc::clone(&shared), inbox.take());
            s.spawn(move || run(&shared, me as u32 + 1, ops, out, inbox, log));
        }
    });
    logs.into_iter().map(|log| log.into_inner().unwrap()).collect()
}

/// Lets the hang-ups of senders be steps whether or not the program makes it necessary.
fn watch_departures() {
    let (sender, receiver) = channel::<()>();
    assert!(receiver.try_recv().is_err());
    drop((sender, receiver));
}

type Seen = (BTreeSet<Vec<Vec<u32>>>, BTreeSet<String>);

fn explore(script: &Script, check: &Check, departures_are_steps: bool) -> (Seen, crate::Verdict) {
    let seen = StdMutex::new(BTreeSet::new());
    let verdict = check.clone().keep_going(true).run(|| {
        if departures_are_steps {
            watch_departures();
        }
        let outcome = program(script);
        seen.lock().unwrap().insert(outcome);
    });
    assert!(
        verdict.violations.iter().all(|v| v.kind == ViolationKind::Deadlock),
        "{script:?}: {:#?}",
        verdict.violations
    );
    let messages = verdict.violations.iter().map(|v| v.message.clone()).collect();
    ((seen.into_inner().unwrap(), messages), verdict)
}

/// Compares the explorers on random programs; how many could be compared.
fn compare(seeds: std::ops::Range<u64>, check: &Check, limit: u64) -> u32 {
    let mut compared = 0;
    for seed in seeds {
        let script = Script::random(seed);
        let naive = check.clone().algorithm(Algorithm::Naive).max_executions(limit);
        // Whatever is not a step before it has to be is one there.
        let (expected, verdict) = explore(&script, &naive, true);
        if !verdict.is_complete() {
            continue;
        }
        compared += 1;
        let mut traces = None;
        for algorithm in Algorithm::ALL {
            let (seen, verdict) = explore(&script, &check.clone().algorithm(algorithm), false);
            assert_eq!(seen, expected, "{algorithm} on seed {seed}: {script:?}");
            // These run one execution for each trace, and neither leaves any to another.
            if matches!(algorithm, Algorithm::Optimal | Algorithm::Unfolding) {
                let traces = *traces.get_or_insert(verdict.executions);
                assert_eq!(verdict.executions, traces, "{algorithm} on seed {seed}: {script:?}");
                assert!(!verdict.notes.contains(&crate::Note::LateNames), "{script:?}");
            }
            if algorithm.shares_work() {
                let check = check.clone().algorithm(algorithm).workers(2).share_always(seed);
                let (seen, shared) = explore(&script, &check, false);
                assert_eq!(seen, expected, "{algorithm} by two on seed {seed}: {script:?}");
                let counts = |v: &crate::Verdict| (v.executions, v.blocked, v.max_depth);
                assert_eq!(counts(&shared), counts(&verdict), "{algorithm} on seed {seed}");
            }
        }
    }
    compared
}

#[test]
fn explorers_agree_on_random_programs() {
    assert!(compare(0..80, &Check::new(), 300) > 20);
    let spurious = Check::new().spurious_wakeups(true);
    assert!(compare(0..30, &spurious, 300) > 5);
}

#[test]
#[ignore = "takes minutes"]
fn explorers_agree_on_many_random_programs() {
    let seeds = std::env::var("MAZURKA_TEST_SEEDS").ok().and_then(|n| n.parse().ok());
    let compared = compare(1_000..1_000 + seeds.unwrap_or(5_000), &Check::new(), 20_000);
    println!("compared the explorers on {compared} programs");
}
