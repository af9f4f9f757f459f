//! Random programs: every explorer sees what `naive` sees.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mazurka::{Algorithm, Check, ViolationKind};
use tokio::sync::{Mutex as AsyncMutex, Notify, Semaphore, mpsc, watch};
use tokio::task::{AbortHandle, yield_now};
use tokio::time::sleep;

/// What a task does.
#[derive(Clone, Copy, Debug)]
enum Act {
    Send(u8),
    TrySend(u8),
    Recv,
    TryRecv,
    SelectRecvOrTimer,
    SelectRecvOrNotified,
    NotifyOne,
    NotifyAll,
    Notified,
    Acquire,
    AddPermit,
    Lock(u8),
    Watch(u8),
    Changed,
    Abort(usize),
    Yield,
    Sleep,
}

type Program = Vec<Vec<Act>>;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % n
    }

    fn act(&mut self, tasks: u64) -> Act {
        let value = self.below(3) as u8;
        match self.below(17) {
            0 => Act::Send(value),
            1 => Act::TrySend(value),
            2 => Act::Recv,
            3 => Act::TryRecv,
            4 => Act::SelectRecvOrTimer,
            5 => Act::SelectRecvOrNotified,
            6 => Act::NotifyOne,
            7 => Act::NotifyAll,
            8 => Act::Notified,
            9 => Act::Acquire,
            10 => Act::AddPermit,
            11 => Act::Lock(value),
            12 => Act::Watch(value),
            13 => Act::Changed,
            14 => Act::Abort(self.below(tasks) as usize),
            15 => Act::Yield,
            _ => Act::Sleep,
        }
    }

    fn program(&mut self) -> Program {
        let tasks = 2;
        (0..tasks)
            .map(|task| {
                let length = if task == 0 { 1 + self.below(2) } else { 1 };
                (0..length).map(|_| self.act(tasks)).collect()
            })
            .collect()
    }
}

/// What the tasks share.
struct Shared {
    sender: mpsc::Sender<u8>,
    receiver: AsyncMutex<mpsc::Receiver<u8>>,
    notify: Notify,
    semaphore: Semaphore,
    number: AsyncMutex<u8>,
    watched: watch::Sender<u8>,
    handles: Mutex<Vec<AbortHandle>>,
}

async fn run(acts: &[Act], shared: &Shared) -> String {
    let mut log = String::new();
    let watches = acts.iter().any(|act| matches!(act, Act::Changed));
    let mut watched = watches.then(|| shared.watched.subscribe());
    for act in acts {
        match *act {
            Act::Send(value) => write!(log, "{:?}", shared.sender.send(value).await),
            Act::TrySend(value) => write!(log, "{:?}", shared.sender.try_send(value)),
            Act::Recv => write!(log, "{:?}", shared.receiver.lock().await.recv().await),
            Act::TryRecv => write!(log, "{:?}", shared.receiver.lock().await.try_recv()),
            Act::SelectRecvOrTimer => {
                let mut receiver = shared.receiver.lock().await;
                tokio::select! {
                    biased;
                    value = receiver.recv() => write!(log, "{value:?}"),
                    () = sleep(Duration::from_secs(1)) => write!(log, "late"),
                }
            }
            Act::SelectRecvOrNotified => {
                let mut receiver = shared.receiver.lock().await;
                tokio::select! {
                    value = receiver.recv() => write!(log, "{value:?}"),
                    () = shared.notify.notified() => write!(log, "notified"),
                }
            }
            Act::NotifyOne => write!(log, "{:?}", shared.notify.notify_one()),
            Act::NotifyAll => write!(log, "{:?}", shared.notify.notify_waiters()),
            Act::Notified => write!(log, "{:?}", shared.notify.notified().await),
            Act::Acquire => {
                let permit = shared.semaphore.acquire().await.unwrap();
                yield_now().await;
                drop(permit);
                write!(log, "acquired")
            }
            Act::AddPermit => write!(log, "{:?}", shared.semaphore.add_permits(1)),
            Act::Lock(value) => {
                let mut number = shared.number.lock().await;
                *number = number.wrapping_mul(5).wrapping_add(value);
                write!(log, "{number}")
            }
            Act::Watch(value) => write!(log, "{}", shared.watched.send_replace(value)),
            Act::Changed => {
                let watched = watched.as_mut().unwrap();
                watched.changed().await.unwrap();
                write!(log, "{}", *watched.borrow())
            }
            Act::Abort(task) => {
                let handle = shared.handles.lock().unwrap().get(task).cloned();
                write!(log, "{:?}", handle.map(|handle| handle.abort()))
            }
            Act::Yield => write!(log, "{:?}", yield_now().await),
            Act::Sleep => write!(log, "{:?}", sleep(Duration::from_secs(1)).await),
        }
        .unwrap();
        log.push(' ');
    }
    log
}

type Seen = (BTreeSet<String>, BTreeSet<(ViolationKind, String)>);

/// Returns what an explorer sees, and how many executions it runs. Returns `None` if there are too many.
fn explore(
    program: &Program,
    algorithm: Algorithm,
    spurious: u32,
    most: u64,
) -> Option<(Seen, u64)> {
    let outcomes = Mutex::new(BTreeSet::new());
    let check = Check::new().algorithm(algorithm).keep_going(true);
    let verdict = check.max_executions(most).spurious_polls(spurious).run(|| {
        let (sender, receiver) = mpsc::channel(1);
        let shared = Arc::new(Shared {
            sender,
            receiver: AsyncMutex::new(receiver),
            notify: Notify::new(),
            semaphore: Semaphore::new(1),
            number: AsyncMutex::new(0),
            watched: watch::Sender::new(0),
            handles: Mutex::default(),
        });
        // All handles are there before the first task runs: spawning is not a step.
        let tasks: Vec<_> = program
            .iter()
            .map(|acts| {
                let (acts, shared) = (acts.clone(), shared.clone());
                tokio::spawn(async move { run(&acts, &shared).await })
            })
            .collect();
        shared.handles.lock().unwrap().extend(tasks.iter().map(|task| task.abort_handle()));
        let log = mazurka::future::block_on(async {
            let mut log = String::new();
            for task in tasks {
                log += &task.await.unwrap_or_else(|error| error.to_string());
                log += "| ";
            }
            log
        });
        outcomes.lock().unwrap().insert(log);
    });
    let violations = verdict.violations.iter().map(|it| (it.kind, it.message.clone())).collect();
    let seen = (outcomes.into_inner().unwrap(), violations);
    verdict.is_complete().then_some((seen, verdict.executions))
}

/// Compares all explorers on random programs. Returns how many programs `naive` could explore.
fn compare(seeds: std::ops::Range<u64>, most: u64) -> usize {
    let mut compared = 0;
    for seed in seeds {
        let program = Random(seed).program();
        let spurious = u32::from(seed % 4 == 0);
        let Some((expected, _)) = explore(&program, Algorithm::Naive, spurious, most) else {
            continue;
        };
        compared += 1;
        let mut traces = None;
        for algorithm in Algorithm::ALL.into_iter().skip(1) {
            let (seen, executions) =
                explore(&program, algorithm, spurious, u64::MAX).expect("it is complete");
            assert_eq!(seen, expected, "{algorithm} on {program:?} (seed {seed})");
            if matches!(algorithm, Algorithm::Optimal | Algorithm::Unfolding) {
                let traces = *traces.get_or_insert(executions);
                assert_eq!(executions, traces, "{algorithm} on {program:?} (seed {seed})");
            }
        }
    }
    compared
}

#[test]
fn all_explorers_see_what_naive_sees() {
    assert!(compare(0..60, 2_000) >= 20);
}

/// `MAZURKA_LONG=1 cargo test -p mazurka-tokio --test random -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn all_explorers_see_what_naive_sees_in_many_programs() {
    compare(1_000..2_000, 100_000);
}
