//! Compilation of the lines of a recording to a program.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::path::Path;

use mazurka_core::model::{Action, Location, ObjectId, Op, ProcessId, When};

use crate::dependences::Dependence;
use crate::error::TraceError;
use crate::operation::{Access, Line, Operation, Place};
use crate::program::{Code, Counter, Effect, Event, NONE, Sizes, TraceProgram};

/// A task: a thread's own code, or the handler of an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Task {
    Own(u32),
    Handler(u32),
    /// The `THREADEXIT` of a thread that loops.
    Exit(u32),
}

/// Compiles lines to a program.
pub(crate) fn compile(
    path: &Path,
    lines: Vec<Line>,
    dependence_path: &Path,
    dependences: &[Dependence],
) -> Result<TraceProgram, TraceError> {
    if lines.is_empty() {
        return Err(TraceError::of(
            path,
            "the file contains no operation; a recording has lines such as `2 THREADINIT tid:1`",
        ));
    }
    let tasks = Tasks::of(path, &lines)?;
    let mut objects = Objects::default();
    let counters = count_sources(dependence_path, &lines, dependences, &mut objects)?;
    let mut compiler = Compiler { tasks: &tasks, objects, program: empty(path, &tasks) };
    compiler.compile(&lines, dependences, &counters);
    let mut program = compiler.program;
    let process = |line: &Line| ProcessId::new(tasks.process(line.thread) as usize);
    program.recording = lines.iter().map(process).collect();
    program.lines = lines;
    Ok(program)
}

fn empty(path: &Path, tasks: &Tasks) -> TraceProgram {
    TraceProgram {
        path: path.to_owned(),
        lines: Vec::new(),
        threads: tasks.threads.clone(),
        codes: Vec::new(),
        starts: vec![NONE; tasks.threads.len()],
        events: Vec::new(),
        exits: vec![None; tasks.threads.len()],
        bumps: Vec::new(),
        recording: Vec::new(),
        sizes: Sizes::default(),
    }
}

/// The task of each line.
struct Tasks {
    threads: Vec<u32>,
    /// The task of each line.
    of_line: Vec<Task>,
    /// The lines of each task.
    lines: HashMap<Task, Vec<u32>>,
    /// The events with a handler, in the order of their posts.
    events: Vec<u32>,
    /// For each thread that exits while it loops, the number of handlers before its exit.
    handled_before_exit: HashMap<u32, u32>,
}

/// The state of a thread at some line.
#[derive(Default)]
struct Thread {
    loops: bool,
    handles: Option<u32>,
    handled: u32,
    has_exited: bool,
}

impl Tasks {
    fn of(path: &Path, lines: &[Line]) -> Result<Self, TraceError> {
        let mut threads: HashMap<u32, Thread> = HashMap::new();
        let mut posted: HashMap<u32, (usize, u32)> = HashMap::new();
        let (mut order, mut called) = (Vec::new(), BTreeSet::new());
        let mut found = Tasks {
            threads: Vec::new(),
            of_line: Vec::new(),
            lines: HashMap::new(),
            events: Vec::new(),
            handled_before_exit: HashMap::new(),
        };
        for (i, line) in lines.iter().enumerate() {
            let error = |message: String| TraceError::at(path, line.number, message);
            let thread = threads.entry(line.thread).or_default();
            let id = line.thread;
            if thread.has_exited {
                return Err(error(format!("thread {id} has already exited")));
            }
            let mut task = match thread.handles {
                Some(event) => Task::Handler(event),
                None => Task::Own(id),
            };
            let is_idle = thread.loops && thread.handles.is_none();
            match line.operation {
                Operation::Loop if thread.loops => {
                    return Err(error(format!("LOOP of thread {id}, which already loops")));
                }
                Operation::Loop => thread.loops = true,
                Operation::Call { message } => {
                    if !is_idle {
                        let why = match thread.handles {
                            Some(event) => format!("is handling event {event}"),
                            None => "has not reached its LOOP".to_owned(),
                        };
                        return Err(error(format!(
                            "CALL of event {message}, but thread {id} {why}"
                        )));
                    }
                    match posted.get(&message) {
                        None => {
                            let message =
                                format!("CALL of event {message}, which no line before posts");
                            return Err(error(message));
                        }
                        Some((_, to)) if *to != id => {
                            return Err(error(format!(
                                "CALL of event {message} by thread {id}, but it was posted to \
                                 thread {to}"
                            )));
                        }
                        Some(_) if !called.insert(message) => {
                            return Err(error(format!(
                                "CALL of event {message}, which was already called"
                            )));
                        }
                        Some(_) => {}
                    }
                    thread.handles = Some(message);
                    task = Task::Handler(message);
                }
                Operation::Return { message } if thread.handles != Some(message) => {
                    let why = match thread.handles {
                        Some(event) => format!("is handling event {event}"),
                        None => "is handling no event".to_owned(),
                    };
                    return Err(error(format!("RET of event {message}, but thread {id} {why}")));
                }
                Operation::Return { .. } => {
                    thread.handles = None;
                    thread.handled += 1;
                }
                Operation::ThreadExit => {
                    thread.has_exited = true;
                    if is_idle {
                        found.handled_before_exit.insert(id, thread.handled);
                        task = Task::Exit(id);
                    }
                }
                Operation::Post { message, to, .. } => {
                    if let Some((number, _)) = posted.insert(message, (line.number, to)) {
                        let message =
                            format!("event {message} was already posted in line {number}");
                        return Err(error(message));
                    }
                    order.push(message);
                }
                _ => {}
            }
            let is_outside = is_idle
                && !matches!(
                    line.operation,
                    Operation::Call { .. } | Operation::Return { .. } | Operation::ThreadExit
                );
            if is_outside {
                let message = format!(
                    "thread {id} has reached its LOOP: each of its operations must stand between \
                     CALL and RET"
                );
                return Err(error(message));
            }
            found.of_line.push(task);
            found.lines.entry(task).or_default().push(i as u32);
        }
        let mut all: BTreeSet<u32> = threads.into_keys().collect();
        for line in lines {
            match line.operation {
                Operation::Fork { child: thread }
                | Operation::Post { to: thread, .. }
                | Operation::Notify { thread } => {
                    all.insert(thread);
                }
                _ => {}
            }
        }
        found.threads = all.into_iter().collect();
        found.events = order.into_iter().filter(|event| called.contains(event)).collect();
        Ok(found)
    }

    fn process(&self, thread: u32) -> u32 {
        self.threads.binary_search(&thread).expect("all threads are known") as u32
    }

    /// Returns the index of the event with a number, or [`NONE`] if its handler was not recorded.
    fn event(&self, number: u32) -> u32 {
        self.events.iter().position(|event| *event == number).map_or(NONE, |event| event as u32)
    }
}

/// The shared objects, numbered in the order of first use.
#[derive(Default)]
struct Objects {
    known: HashMap<Object, ObjectId>,
    locks: Numbers<u64>,
    channels: Numbers<Channel>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Object {
    Memory(Place),
    Lock(u64),
    /// The queue of a thread.
    Queue(u32),
    /// Whether a thread has a queue and has not exited.
    Attached(u32),
    Channel(Channel),
    Counter(u32),
}

/// A channel for notifications, or for enabled lifecycle events.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Channel {
    Notifications(u32),
    Lifecycle(i64, String),
}

struct Numbers<T>(HashMap<T, u32>);

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Numbers(HashMap::new())
    }
}

impl<T: Eq + Hash> Numbers<T> {
    fn of(&mut self, of: T) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(of).or_insert(next)
    }
}

impl Objects {
    fn location(&mut self, object: Object) -> Location {
        let next = ObjectId(self.known.len() as u32);
        Location::whole(*self.known.entry(object).or_insert(next))
    }
}

/// Returns the counter of each operation that has sources, by the operation's index: the number of
/// the counter, the number of sources, and the location.
fn count_sources(
    path: &Path,
    lines: &[Line],
    dependences: &[Dependence],
    objects: &mut Objects,
) -> Result<HashMap<u64, (u32, u32, Location)>, TraceError> {
    let mut counters: HashMap<u64, (u32, u32, Location)> = HashMap::new();
    for dependence in dependences {
        for index in [dependence.src, dependence.dest] {
            if lines.binary_search_by_key(&index, |line| line.index).is_err() {
                let message = format!("the recording has no operation with the index {index}");
                return Err(TraceError::at(path, dependence.line, message));
            }
        }
        let next = counters.len() as u32;
        let counter = counters.entry(dependence.dest).or_insert_with(|| {
            let location = objects.location(Object::Counter(next));
            (next, 0, location)
        });
        counter.1 += 1;
    }
    Ok(counters)
}

struct Compiler<'a> {
    tasks: &'a Tasks,
    objects: Objects,
    program: TraceProgram,
}

impl Compiler<'_> {
    fn compile(
        &mut self,
        lines: &[Line],
        dependences: &[Dependence],
        counters: &HashMap<u64, (u32, u32, Location)>,
    ) {
        let tasks = self.tasks;
        let own = tasks.threads.iter().map(|thread| Task::Own(*thread));
        let handlers = tasks.events.iter().map(|event| Task::Handler(*event));
        let exits = tasks.threads.iter().map(|thread| Task::Exit(*thread));
        for task in own.chain(handlers).chain(exits) {
            let Some(members) = tasks.lines.get(&task) else { continue };
            let start = self.program.codes.len() as u32;
            match task {
                Task::Own(thread) => {
                    self.program.starts[tasks.process(thread) as usize] = start;
                }
                Task::Handler(_) => self.program.events.push(Event { call: start }),
                Task::Exit(thread) => {
                    let before = tasks.handled_before_exit[&thread];
                    self.program.exits[tasks.process(thread) as usize] = Some((start, before));
                }
            }
            for (i, member) in members.iter().enumerate() {
                let line = &lines[*member as usize];
                let mut code = self.code(*member, line, counters);
                code.is_last = i + 1 == members.len();
                let from = self.program.bumps.len() as u32;
                for dependence in dependences.iter().filter(|d| d.src == line.index) {
                    let (counter, _, location) = counters[&dependence.dest];
                    let action = Action::new(Op::Add, location);
                    self.program.bumps.push(Counter { counter, action });
                }
                code.bumps = (from, self.program.bumps.len() as u32);
                self.program.codes.push(code);
            }
        }
        self.program.sizes = Sizes {
            locks: self.objects.locks.0.len() as u32,
            channels: self.objects.channels.0.len() as u32,
            counters: counters.len() as u32,
        };
    }

    fn code(
        &mut self,
        number: u32,
        line: &Line,
        counters: &HashMap<u64, (u32, u32, Location)>,
    ) -> Code {
        let objects = &mut self.objects;
        let process = |thread: u32| self.tasks.process(thread);
        let mut guard = None;
        let (effect, action) = match &line.operation {
            Operation::ThreadInit | Operation::Nop | Operation::Signal => (Effect::Nothing, None),
            Operation::Loop => (Effect::Loop, None),
            Operation::Return { .. } => (Effect::Return, None),
            Operation::Fork { child } => (Effect::Fork { child: process(*child) }, None),
            Operation::AttachQueue => {
                let on = objects.location(Object::Attached(line.thread));
                (Effect::Attach, Some(Action::new(Op::Write, on)))
            }
            Operation::ThreadExit => {
                let has_queue = self.tasks.lines.contains_key(&Task::Own(line.thread))
                    && objects.known.contains_key(&Object::Attached(line.thread));
                let on = has_queue.then(|| objects.location(Object::Attached(line.thread)));
                (Effect::Exit, on.map(|on| Action::new(Op::Write, on)))
            }
            Operation::Post { message, to, .. } => {
                let event = self.tasks.event(*message);
                let attached = objects.location(Object::Attached(*to));
                let is_there = Action::new(Op::Read, attached).when(When::Equals(1)).guarding();
                guard = Some(is_there);
                let on = objects.location(Object::Queue(*to));
                let post = Action::new(Op::Post { message: event }, on);
                let post = if event == NONE { None } else { Some(post) };
                (Effect::Post { event, to: process(*to) }, post)
            }
            Operation::Call { message } => {
                let event = self.tasks.event(*message);
                let on = objects.location(Object::Queue(line.thread));
                let action = Action::new(Op::Dequeue { message: event }, on).waiting();
                (Effect::Call { event }, Some(action))
            }
            Operation::Access(access, place) => {
                let on = objects.location(Object::Memory(place.clone()));
                // The recording has no values, so the order of any two writes matters.
                let op = if *access == Access::Read { Op::Read } else { Op::Update };
                (Effect::Nothing, Some(Action::new(op, on)))
            }
            Operation::Lock { lock } => {
                let on = objects.location(Object::Lock(*lock));
                let action = Action::new(Op::Update, on).when(When::Equals(0)).waiting();
                let action = action.merely_locking();
                (Effect::Lock(objects.locks.of(*lock)), Some(action))
            }
            Operation::Unlock { lock } => {
                let on = objects.location(Object::Lock(*lock));
                (Effect::Unlock(objects.locks.of(*lock)), Some(Action::new(Op::Write, on)))
            }
            Operation::Notify { thread } => {
                let to = Channel::Notifications(*thread);
                let channel = objects.channels.of(to.clone());
                let on = objects.location(Object::Channel(to));
                (Effect::Notify { channel }, Some(Action::new(SENT, on)))
            }
            Operation::Wait => {
                let from = Channel::Notifications(line.thread);
                let channel = objects.channels.of(from.clone());
                let on = objects.location(Object::Channel(from));
                (Effect::Wait { channel }, Some(Action::new(RECEIVED, on).waiting()))
            }
            Operation::EnableLifecycle { id, state } => {
                let to = Channel::Lifecycle(*id, state.clone());
                let channel = objects.channels.of(to.clone());
                let on = objects.location(Object::Channel(to));
                (Effect::Enable { channel }, Some(Action::new(SENT, on)))
            }
            Operation::TriggerLifecycle { id, state } => {
                let from = Channel::Lifecycle(*id, state.clone());
                let channel = objects.channels.of(from.clone());
                let on = objects.location(Object::Channel(from));
                (Effect::Trigger { channel }, Some(Action::new(RECEIVED, on)))
            }
        };
        let mut code = Code {
            line: number,
            thread: process(line.thread),
            effect,
            action,
            guard,
            looks: None,
            bumps: (0, 0),
            is_last: false,
        };
        if let Some((counter, needed, on)) = counters.get(&line.index).copied() {
            let look = Action::new(Op::Read, on);
            if line.operation == Operation::Nop {
                code.effect = Effect::Await { counter, needed };
                code.action = Some(look.when(When::Equals(u64::from(needed))).waiting());
            } else {
                code.looks = Some(Counter { counter, action: look });
            }
        }
        code
    }
}

/// The numbers of sent and received items are known only when they are performed.
const SENT: Op = Op::Send { number: Op::NONE, freed_by: Op::NONE };
const RECEIVED: Op = Op::Receive { number: Op::NONE };
