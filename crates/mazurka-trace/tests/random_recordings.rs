//! The explorers on random recordings, compared with brute force.
//!
//! A recording is made by running a random program once: threads that fork, post, lock, notify,
//! access memory and exit, handlers that do the same, lifecycle events, and operations that wait
//! for others by `dependence.txt`. Then every interleaving is enumerated without an explorer. Each
//! explorer must reach the same outcomes and the same deadlocks, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use fastrand::Rng;
use mazurka_core::execution::Execution;
use mazurka_core::explore::Checkable;
use mazurka_core::model::{Ending, Machine, Performed, ProcessId, Program, Step};
use mazurka_core::search::{Algorithm, Monitor, Options, UnfoldingOptions};
use mazurka_core::verdict::{Violation, ViolationKind};
use mazurka_testkit::contract::{self, Walks};
use mazurka_trace::{Access, Operation, TraceMachine, TraceProgram};

/// A recording under construction: the state of the threads, and the lines so far.
struct Recorder<'a> {
    random: &'a mut Rng,
    threads: BTreeMap<u32, Thread>,
    trace: String,
    dependence: String,
    index: u64,
    events: u32,
    /// The holder of each lock.
    locks: [Option<u32>; 2],
    /// The number of lifecycle events that are enabled and not triggered yet.
    enabled: u32,
    /// Operations that others may wait for: their indices and threads.
    sources: Vec<(u64, u32)>,
}

#[derive(Clone, Default)]
struct Thread {
    has_queue: bool,
    loops: bool,
    handles: Option<u32>,
    queue: Vec<u32>,
    notified: u32,
    has_exited: bool,
}

impl Recorder<'_> {
    fn line(&mut self, text: &str) -> u64 {
        self.index += 1;
        let _ = writeln!(self.trace, "{} {text}", self.index);
        self.index
    }

    fn run(mut self, operations: usize) -> (String, String) {
        self.line("START");
        self.line("THREADINIT tid:1");
        self.threads.insert(1, Thread::default());
        for _ in 0..operations {
            let alive: Vec<u32> =
                self.threads.iter().filter(|(_, t)| !t.has_exited).map(|(id, _)| *id).collect();
            let Some(id) = self.random.choice(alive) else { break };
            self.operate(id);
        }
        // Finish all handlers and critical sections, because the recording must be complete.
        let ids: Vec<u32> = self.threads.keys().copied().collect();
        for id in ids {
            while let Some(event) = self.threads[&id].handles.or(self.next_event(id)) {
                match self.threads[&id].handles {
                    Some(_) => self.end_handler(id, event),
                    None => self.begin_handler(id, event),
                }
            }
        }
        (self.trace, self.dependence)
    }

    fn next_event(&self, id: u32) -> Option<u32> {
        let thread = &self.threads[&id];
        thread.queue.first().copied().filter(|_| thread.loops && !thread.has_exited)
    }

    fn begin_handler(&mut self, id: u32, event: u32) {
        self.line(&format!("CALL tid:{id} msg:{event}"));
        let thread = self.threads.get_mut(&id).unwrap();
        thread.queue.remove(0);
        thread.handles = Some(event);
    }

    fn end_handler(&mut self, id: u32, event: u32) {
        self.line(&format!("RET tid:{id} msg:{event}"));
        self.threads.get_mut(&id).unwrap().handles = None;
    }

    /// Adds a random operation of a thread, if it is possible.
    fn operate(&mut self, id: u32) {
        let thread = self.threads[&id].clone();
        if thread.loops && thread.handles.is_none() {
            match self.next_event(id) {
                Some(event) => self.begin_handler(id, event),
                None if self.random.u8(..6) == 0 => self.exit(id),
                None => {}
            }
            return;
        }
        if let Some(event) = thread.handles.filter(|_| self.random.u8(..3) == 0) {
            return self.end_handler(id, event);
        }
        match self.random.u8(..20) {
            0..4 => self.access(id),
            4 | 5 if self.threads.len() < 3 => {
                let child = self.threads.len() as u32 + 1;
                self.line(&format!("FORK par-tid:{id} child-tid:{child}"));
                self.threads.insert(child, Thread::default());
                self.line(&format!("THREADINIT tid:{child}"));
            }
            6 | 7 => self.post(id),
            8 if !thread.has_queue => {
                self.line(&format!("ATTACH-Q tid:{id} queue:{id}"));
                self.threads.get_mut(&id).unwrap().has_queue = true;
            }
            9 if thread.has_queue && thread.handles.is_none() => {
                self.line(&format!("LOOP tid:{id} queue:{id}"));
                self.threads.get_mut(&id).unwrap().loops = true;
            }
            10 | 16.. => self.lock_or_unlock(id),
            11 => {
                let others: Vec<u32> = self.threads.keys().copied().collect();
                let other = self.random.choice(others).unwrap();
                self.line(&format!("NOTIFY tid:{id} notifiedTid:{other}"));
                self.threads.get_mut(&other).unwrap().notified += 1;
            }
            12 if thread.notified > 0 => {
                self.line(&format!("WAIT tid:{id}"));
                self.threads.get_mut(&id).unwrap().notified -= 1;
            }
            13 => self.signal(id),
            14 => self.lifecycle(id),
            15 if thread.handles.is_none() && self.random.bool() => self.exit(id),
            _ => {}
        }
    }

    fn exit(&mut self, id: u32) {
        self.line(&format!("THREADEXIT tid:{id}"));
        self.threads.get_mut(&id).unwrap().has_exited = true;
    }

    fn access(&mut self, id: u32) {
        let name = if self.random.bool() { "READ" } else { "WRITE" };
        let field = self.random.u8(..2);
        match self.random.bool() {
            true => self.line(&format!("{name} tid:{id} obj:0x10 class:A field:{field}")),
            false => self.line(&format!("{name}-STATIC tid:{id} class:A field:{field}")),
        };
    }

    fn post(&mut self, id: u32) {
        let with_queue = self.threads.iter().filter(|(_, t)| t.has_queue && !t.has_exited);
        let to: Vec<u32> = with_queue.map(|(to, _)| *to).collect();
        let Some(to) = self.random.choice(to).filter(|_| self.events < 4) else { return };
        self.events += 1;
        let name = self.random.choice(["POST", "NATIVE-POST", "UI-POST", "DELAY-POST"]).unwrap();
        self.line(&format!("{name} src:{id} msg:{} dest:{to}", self.events));
        self.threads.get_mut(&to).unwrap().queue.push(self.events);
    }

    fn lock_or_unlock(&mut self, id: u32) {
        let lock = self.random.usize(..self.locks.len());
        match self.locks[lock] {
            None => {
                self.line(&format!("LOCK tid:{id} lock-obj:{lock}"));
                self.locks[lock] = Some(id);
            }
            Some(holder) if holder == id => {
                self.line(&format!("UNLOCK tid:{id} lock-obj:{lock}"));
                self.locks[lock] = None;
            }
            Some(_) => {}
        }
    }

    /// Adds an operation that others wait for, or one that waits for some of these.
    fn signal(&mut self, id: u32) {
        if self.random.bool() {
            let text = match self.random.bool() {
                true => format!("ENABLE-EVENT tid:{id} view:1 event:1"),
                false => format!("TRIGGER-SERVICE tid:{id} component:c id:1 state:CREATE"),
            };
            let index = self.line(&text);
            self.sources.push((index, id));
            return;
        }
        let others: Vec<u64> =
            self.sources.iter().filter(|(_, by)| *by != id).map(|(index, _)| *index).collect();
        let Some(source) = self.random.choice(others) else { return };
        let text = match self.random.bool() {
            true => format!("NOP tid:{id}"),
            false => format!("TRIGGER-EVENT tid:{id} view:1 event:1"),
        };
        let index = self.line(&text);
        let _ = writeln!(self.dependence, "src:{source} dest:{index}");
    }

    fn lifecycle(&mut self, id: u32) {
        let name = match self.enabled > 0 && self.random.bool() {
            true => "TRIGGER",
            false => "ENABLE",
        };
        self.line(&format!("{name}-LIFECYCLE tid:{id} component:c id:4 state:PAUSE"));
        match name {
            "TRIGGER" => self.enabled -= 1,
            _ => self.enabled += 1,
        }
    }
}

fn record(random: &mut Rng) -> (String, String) {
    let operations = random.usize(12..36);
    let recorder = Recorder {
        random,
        threads: BTreeMap::new(),
        trace: String::new(),
        dependence: String::new(),
        index: 0,
        events: 0,
        locks: [None; 2],
        enabled: 0,
        sources: Vec::new(),
    };
    recorder.run(operations)
}

/// The outcome of an execution: for each line that ran, the line whose write it reads, if it reads.
/// (It lacks the lines that did not run, so it shows a deadlock.)
type Outcome = BTreeMap<usize, Option<usize>>;

/// Adds a line to an outcome; `writers` are the last writes to each place.
fn add(
    outcome: &mut Outcome,
    writers: &mut BTreeMap<String, usize>,
    machine: &TraceMachine,
    process: ProcessId,
) {
    let Some(line) = machine.next_line(process) else { return };
    let seen = match &line.operation {
        Operation::Access(Access::Read, place) => writers.get(&place.to_string()).copied(),
        _ => None,
    };
    if let Operation::Access(Access::Write, place) = &line.operation {
        writers.insert(place.to_string(), line.number);
    }
    outcome.insert(line.number, seen);
}

#[derive(Default)]
struct Seen {
    outcomes: BTreeSet<Outcome>,
    deadlocks: BTreeSet<Outcome>,
}

/// Runs every interleaving. Returns `None` if there are more than `limit`.
fn enumerate(program: &TraceProgram, limit: usize) -> Option<Seen> {
    let mut machine = program.start().unwrap();
    let (mut seen, mut count) = (Seen::default(), 0);
    let mut open: Vec<(Vec<Step>, Outcome, BTreeMap<String, usize>)> = vec![Default::default()];
    let mut performed = Performed::default();
    while let Some((steps, outcome, writers)) = open.pop() {
        machine.rewind(0).unwrap();
        for step in &steps {
            performed.clear();
            machine.step(*step, &mut performed).unwrap();
        }
        let processes = (0..machine.processes()).map(ProcessId::new);
        let enabled: Vec<_> = processes.filter(|process| machine.is_enabled(*process)).collect();
        if enabled.is_empty() {
            count += 1;
            if matches!(machine.ending(), Ending::Stuck(_)) {
                seen.deadlocks.insert(outcome.clone());
            }
            seen.outcomes.insert(outcome);
            if count > limit {
                return None;
            }
            continue;
        }
        for process in enabled {
            let (mut outcome, mut writers) = (outcome.clone(), writers.clone());
            add(&mut outcome, &mut writers, &machine, process);
            let step = [Step::of(process)];
            open.push((steps.iter().copied().chain(step).collect(), outcome, writers));
        }
    }
    Some(seen)
}

struct Watcher {
    replay: TraceMachine,
    seen: Seen,
}

impl Monitor<TraceMachine> for Watcher {
    fn ended(
        &mut self,
        _machine: &TraceMachine,
        execution: &Execution,
        ending: Option<&Ending>,
        _violation: Option<&Violation>,
    ) {
        let Some(ending) = ending else { return };
        self.replay.rewind(0).unwrap();
        let (mut outcome, mut writers) = Default::default();
        let mut performed = Performed::default();
        for step in execution.steps() {
            add(&mut outcome, &mut writers, &self.replay, step.process);
            performed.clear();
            self.replay.step(step, &mut performed).unwrap();
        }
        if matches!(ending, Ending::Stuck(_)) {
            self.seen.deadlocks.insert(outcome.clone());
        }
        self.seen.outcomes.insert(outcome);
    }
}

/// Explores a recording. Returns the outcomes, and whether a deadlock was reported.
fn explored(program: &TraceProgram, algorithm: Algorithm) -> (Seen, bool) {
    let options = Options {
        algorithm,
        keep_going: true,
        unfolding: UnfoldingOptions { cut_offs: false, ..UnfoldingOptions::default() },
        ..Options::default()
    };
    let mut watcher = Watcher { replay: program.start().unwrap(), seen: Seen::default() };
    let verdict = TraceProgram::explore(&mut program.start().unwrap(), &options, &mut watcher);
    assert!(verdict.is_complete(), "{algorithm}");
    assert!(verdict.violations.iter().all(|v| v.kind == ViolationKind::Deadlock), "{algorithm}");
    (watcher.seen, !verdict.violations.is_empty())
}

/// Compares every explorer with brute force on the recordings of some seeds.
fn compare(seeds: impl Iterator<Item = u64>, limit: usize) {
    let (mut compared, mut stuck, mut skipped) = (0, 0, 0);
    for seed in seeds {
        let (trace, dependence) = record(&mut Rng::with_seed(seed));
        let file = (Path::new("dependence.txt"), dependence.as_str());
        let program = TraceProgram::parse("trace.txt", &trace, Some(file))
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{trace}"));
        contract::check(|| program.start(), Walks::default(), seed)
            .unwrap_or_else(|broken| panic!("seed {seed}: {broken}\n{trace}{dependence}"));
        let Some(expected) = enumerate(&program, limit) else {
            skipped += 1;
            continue;
        };
        for algorithm in Algorithm::ALL {
            let (seen, reported) = explored(&program, algorithm);
            let about = || format!("seed {seed}, {algorithm}\n{trace}{dependence}");
            assert_eq!(reported, !expected.deadlocks.is_empty(), "{}", about());
            assert_eq!(seen.deadlocks, expected.deadlocks, "{}", about());
            assert_eq!(seen.outcomes, expected.outcomes, "{}", about());
        }
        compared += 1;
        stuck += usize::from(!expected.deadlocks.is_empty());
    }
    println!("{compared} recordings, {stuck} with a deadlock; {skipped} were too large");
    assert!(compared > skipped / 4 && stuck > 0, "{compared} compared, {stuck} stuck");
}

#[test]
fn every_explorer_sees_what_brute_force_sees() {
    compare(0..80, 3_000);
}

/// A longer run: `MAZURKA_SEEDS=5000 cargo test --release -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn every_explorer_sees_what_brute_force_sees_for_long() {
    let seeds = std::env::var("MAZURKA_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    compare(60..seeds.unwrap_or(2_000), 20_000);
}
