//! Random programs with actors: every explorer sees exactly what `naive` sees, and none runs an
//! execution in vain.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mazurka::actor::{self, Builder, Down, Me, Pid, Reason};
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::{Algorithm, Check, MemoryModel, ViolationKind};

const PROGRAMS: usize = 150;
const SEED: u64 = 0x2545_f491_4f6c_dd1d;

/// What an actor does.
#[derive(Clone, Copy, Debug)]
enum Do {
    Send(usize),
    Receive,
    /// Receives an even, or an odd, message.
    ReceiveIf(u32),
    Try,
    /// The same, or runs out of time.
    ReceiveInTimeIf(u32),
    Store,
    Load,
    Monitor(usize),
    Link(usize),
    /// Panics if what it has seen last is even, or odd.
    PanicIf(u32),
    /// Sends to whoever has the name.
    SendToName,
    Register,
}

#[derive(Clone, Debug)]
struct Program {
    actors: Vec<Vec<Do>>,
    /// Which of them the main thread monitors.
    monitored: Vec<bool>,
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

    fn action(&mut self, actors: usize, with_ends: bool) -> Do {
        let parity = self.below(2) as u32;
        match self.below(if with_ends { 19 } else { 13 }) {
            0..6 => Do::Send(self.below(actors)),
            6 => Do::Receive,
            7 | 8 => Do::ReceiveIf(parity),
            9 => Do::Try,
            10 => Do::ReceiveInTimeIf(parity),
            11 => Do::Store,
            12 => Do::Load,
            13 | 14 => Do::Monitor(self.below(actors)),
            15 => Do::Link(self.below(actors)),
            16 => Do::PanicIf(parity),
            17 => Do::SendToName,
            _ => Do::Register,
        }
    }

    /// Half of the programs have to do with how actors end, and who is told.
    fn program(&mut self) -> Program {
        let (count, with_ends) = (2 + self.below(2), self.below(2) == 0);
        let actor = |random: &mut Self| {
            (0..1 + random.below(3)).map(|_| random.action(count, with_ends)).collect()
        };
        Program {
            actors: (0..count).map(|_| actor(self)).collect(),
            monitored: (0..count).map(|_| with_ends && self.below(2) == 0).collect(),
        }
    }
}

/// What every actor has seen, and then the main thread.
type Log = Vec<Vec<u32>>;

/// What an actor knows of the others.
#[derive(Clone)]
struct Shared {
    variable: Arc<AtomicU32>,
    pids: Arc<Mutex<Vec<Pid<u32>>>>,
    log: Arc<Mutex<Log>>,
}

const NOTHING: u32 = 99;

fn act(me: &Me<u32>, index: usize, actions: &[Do], shared: &Shared) {
    let note = |value: u32| shared.log.lock().unwrap()[index].push(value);
    let pid = |other: usize| shared.pids.lock().unwrap()[other].clone();
    let mut last = 0;
    for (position, action) in actions.iter().enumerate() {
        match *action {
            Do::Send(other) => pid(other).send((index * 10 + position) as u32 + last % 2),
            Do::Store => shared.variable.store(index as u32 + 1, SeqCst),
            Do::Monitor(other) => me.monitor(&pid(other), move |down| {
                500 + other as u32 * 2 + u32::from(down.reason != Reason::Normal)
            }),
            Do::Link(other) => me.link(&pid(other)),
            Do::PanicIf(parity) => assert_ne!(last % 2, parity, "it is told to"),
            Do::Receive => last = me.receive(),
            Do::ReceiveIf(parity) => last = me.receive_if(move |message| message % 2 == parity),
            Do::Try => last = me.try_receive().unwrap_or(NOTHING),
            Do::ReceiveInTimeIf(parity) => {
                let time = Duration::from_secs(1);
                let received = me.receive_timeout_if(time, move |message| message % 2 == parity);
                last = received.unwrap_or(NOTHING);
            }
            Do::Load => last = shared.variable.load(SeqCst),
            Do::SendToName => {
                let found = actor::whereis::<u32>("somebody");
                note(300 + u32::from(found.is_some()));
                if let Some(pid) = found {
                    pid.send(position as u32);
                }
            }
            Do::Register => {
                note(400 + u32::from(actor::register("somebody", &me.pid()).is_ok()));
            }
        }
        note(last);
    }
}

fn run(program: &Program, log: &Arc<Mutex<Log>>) {
    let variable = Arc::new(AtomicU32::new(0));
    let shared = Shared { variable, pids: Arc::default(), log: Arc::clone(log) };
    let main = actor::me::<u32>();
    for (index, actions) in program.actors.iter().enumerate() {
        let mut builder = Builder::new().name(format!("actor {index}"));
        if program.monitored[index] {
            let tell = move |down: Down| {
                1000 + 2 * index as u32 + u32::from(down.reason != Reason::Normal)
            };
            builder = builder.monitored_by(&main, tell);
        }
        let (actions, theirs) = (actions.clone(), shared.clone());
        let pid = builder.spawn(move |me: &Me<u32>| act(me, index, &actions, &theirs));
        shared.pids.lock().unwrap().push(pid);
    }
    for _ in program.monitored.iter().filter(|is_monitored| **is_monitored) {
        let message = main.receive();
        log.lock().unwrap()[program.actors.len()].push(message);
    }
}

#[derive(PartialEq, Eq, Debug)]
struct Outcome {
    /// What can be seen by the end of an execution.
    logs: BTreeSet<Log>,
    violations: BTreeSet<ViolationKind>,
}

/// How many executions an explorer runs, and what there is to see. `None` if that is too much.
fn explore(program: &Program, algorithm: Algorithm) -> Option<(u64, Outcome)> {
    explore_under(program, algorithm, MemoryModel::Sc)
}

fn explore_under(
    program: &Program,
    algorithm: Algorithm,
    model: MemoryModel,
) -> Option<(u64, Outcome)> {
    let logs = Mutex::new(Vec::new());
    // An execution's log is complete when the next one starts.
    let current: Mutex<Option<Arc<Mutex<Log>>>> = Mutex::default();
    let keep = |log: Option<Arc<Mutex<Log>>>| {
        logs.lock().unwrap().extend(log.map(|log| log.lock().unwrap().clone()));
    };
    let check = Check::new().algorithm(algorithm).keep_going(true).allow_idle_receivers(true);
    let check = check.memory_model(model);
    let verdict = check.max_executions(20_000).run(|| {
        let log = Arc::new(Mutex::new(vec![Vec::new(); program.actors.len() + 1]));
        keep(current.lock().unwrap().replace(Arc::clone(&log)));
        run(program, &log);
    });
    keep(current.lock().unwrap().take());
    if !matches!(algorithm, Algorithm::Source | Algorithm::Dpor | Algorithm::Graphs) {
        assert_eq!(verdict.blocked, 0, "{algorithm} on {program:?}");
    }
    let violations = verdict.violations.iter().map(|violation| violation.kind).collect();
    // A check that has learnt that ends matter starts anew: what it has seen before does not count.
    let runs = (verdict.executions + verdict.blocked) as usize;
    let logs = logs.into_inner().unwrap().into_iter().rev().take(runs).collect();
    verdict.is_complete().then_some((verdict.executions, Outcome { logs, violations }))
}

#[test]
fn every_explorer_sees_what_naive_sees_of_actors() {
    let mut random = Random(SEED);
    let mut programs = 0;
    while programs < PROGRAMS {
        let program = random.program();
        let Some((_, all)) = explore(&program, Algorithm::Naive) else { continue };
        programs += 1;
        let of = |algorithm| explore(&program, algorithm).expect("at most as many as naive runs");
        let (traces, seen) = of(Algorithm::Optimal);
        assert_eq!(seen, all, "optimal on {program:?}");
        let (executions, seen) = of(Algorithm::Observers);
        assert_eq!(seen, all, "observers on {program:?}");
        assert!(executions <= traces, "{executions} > {traces} on {program:?}");
        for algorithm in [Algorithm::Source, Algorithm::Dpor] {
            let (_, Outcome { logs, violations }) = of(algorithm);
            // Redundant executions are cut, and leave the beginnings of logs behind.
            assert!(logs.is_superset(&all.logs), "{algorithm} on {program:?}");
            assert_eq!(violations, all.violations, "{algorithm} on {program:?}");
        }
        for model in [MemoryModel::Sc, MemoryModel::Rc11] {
            let (_, Outcome { logs, violations }) =
                explore_under(&program, Algorithm::Graphs, model).expect("few graphs");
            assert!(logs.is_superset(&all.logs), "{model} on {program:?}");
            assert_eq!(violations, all.violations, "{model} on {program:?}");
        }
    }
}
