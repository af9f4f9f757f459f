//! Recordings: one execution in C's own words, for reports.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use mazurka_core::model::{
    Action, Ending, Machine, Op as ActionOp, Performed, ProcessId, Step, When,
};
use mazurka_core::verdict::{Schedule, Violation};
use mazurka_report::{Line, LineKind, Misfit, Place, Recording, Words};

use super::thread::Status;
use super::{LlvmMachine, Setup};
use crate::bytecode::{Op, Pc};
use crate::ir::AtomicOp;

/// What reports call `std::lock`.
pub(crate) const LOCK_ALL: &str = "std::lock";

/// The value of a word for threads that sleep on futexes while it is locked, under a memory model.
pub(crate) const FUTEX_LOCKED: u64 = u64::MAX;

/// What is written down while a machine runs.
#[derive(Default)]
pub(super) struct Recorder {
    lines: Vec<Line>,
    names: Vec<String>,
    steps: usize,
    /// The objects on the heap that have one name, in the order in which they were mentioned.
    allocated: RefCell<HashMap<String, Vec<u64>>>,
    /// What is wrong with the access that fails, in a few words.
    in_short: RefCell<Option<String>>,
}

impl Recorder {
    /// Notes what is wrong with an access, for the line of the thread that fails.
    pub(super) fn in_short(&self, text: Option<String>) {
        *self.in_short.borrow_mut() = text;
    }

    /// Takes that note.
    pub(super) fn take_short(&self) -> Option<String> {
        self.in_short.borrow_mut().take()
    }

    /// Which of the objects with a name one is, from 1.
    pub(super) fn rank_of(&self, name: &str, object: u64) -> usize {
        let mut allocated = self.allocated.borrow_mut();
        let objects = allocated.entry(name.to_owned()).or_default();
        if !objects.contains(&object) {
            objects.push(object);
        }
        1 + objects.iter().position(|other| *other == object).unwrap_or(0)
    }
}

impl LlvmMachine {
    /// Writes something down that a thread did, if that is wanted.
    #[cold]
    #[inline(never)]
    pub(crate) fn note(&mut self, thread: usize, pc: Option<Pc>, kind: LineKind, text: String) {
        let place = pc.and_then(|pc| self.place_of(self.own_place(thread, pc)));
        let named = if let LineKind::Spawn(child) = kind { child.index() } else { thread };
        let name = self.thread_name(named);
        let process = ProcessId::new(thread);
        if let Some(recorder) = &mut self.recorder {
            while recorder.names.len() <= named {
                let next = recorder.names.len();
                recorder.names.push(if next == 0 {
                    "main".into()
                } else {
                    format!("thread {next}")
                });
            }
            recorder.names[named] = name;
            let step = recorder.steps.saturating_sub(1);
            recorder.lines.push(Line { process, place, text, kind, step, object: None });
        }
    }

    pub(crate) fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }

    pub(super) fn place_of(&self, pc: Pc) -> Option<Place> {
        let place = self.code.place(pc)?;
        let file = self.code.debug.files.get(place.file as usize)?.clone();
        Some(Place { file, line: place.line, column: place.column })
    }

    /// Writes an action down that a thread has performed.
    #[cold]
    #[inline(never)]
    pub(super) fn note_action(&mut self, thread: usize, action: &Action) {
        let pc = self.pc;
        if action.op == ActionOp::Fence {
            let text = action.ordering.map_or("fence".to_owned(), |o| format!("fence({o:?})"));
            return self.note(thread, Some(pc), LineKind::Operation, text);
        }
        // A thread that does not sleep on a futex: its look at the number is written down as well.
        let looks = match action.op {
            ActionOp::Read => action.when == When::Always,
            ActionOp::Write => !action.after & (1 << (thread % 64)) != 0,
            _ => action.after == FUTEX_LOCKED,
        };
        if matches!(action.op, ActionOp::Forgone(_)) || looks && self.is_about_sleepers(action) {
            return;
        }
        let text = match self.code.ops[pc as usize] {
            Op::CallLibrary { function, .. } => {
                // What a library function does to memory is its own business, but for the
                // object that it is about.
                let name = self.code.library[function as usize].name;
                self.library_text(name, action)
            }
            op => self.access_text(&op, action),
        };
        self.note(thread, Some(pc), LineKind::Operation, text);
        let object = self.memory.address_of(action.on.object);
        let object = self.describe_object(object);
        if let Some(line) = self.recorder.as_mut().and_then(|recorder| recorder.lines.last_mut()) {
            line.object = Some(object);
        }
    }

    /// Returns whether an action is on the words for threads that sleep on futexes.
    fn is_about_sleepers(&self, action: &Action) -> bool {
        Some(self.memory.address_of(action.on.object)) == self.futexes()
    }

    /// An access to memory, in C's words.
    fn access_text(&self, op: &Op, action: &Action) -> String {
        let name = self.location_name(action.on);
        let show = |value| self.show(action.on, value);
        match (op, action.op) {
            (Op::CompareExchange { .. }, ActionOp::Update) => {
                let (before, after) = (show(action.before), show(action.after));
                format!("compare_exchange({name}: {before} → {after})")
            }
            (Op::CompareExchange { .. }, _) => {
                format!("compare_exchange({name}) fails, it is {}", show(action.before))
            }
            (Op::ReadModifyWrite { op, .. }, _) => {
                let (before, after) = (show(action.before), show(action.after));
                format!("{}({name}: {before} → {after})", atomic_name(*op))
            }
            (Op::Lifetime { begins: true, .. }, _) => format!("{name} begins"),
            _ if action.on.is_life() => format!("{name} ends"),
            (_, ActionOp::Read) => format!("{name} → {}", show(action.before)),
            _ => format!("{name} = {}", show(action.after)),
        }
    }

    fn library_text(&self, function: &str, action: &Action) -> String {
        let name = self.location_name(action.on);
        if let Some(word) = operator_name(function) {
            return format!("{word} {name}");
        }
        if self.is_about_sleepers(action) {
            let text = match action.op {
                ActionOp::Add | ActionOp::Write => "sleep until woken",
                ActionOp::Update if action.before != action.after => "wake",
                _ => "wake → no thread sleeps",
            };
            return text.to_owned();
        }
        if function == "syscall" {
            return format!("futex_wait({name} → {})", self.show(action.on, action.before));
        }
        if function == LOCK_ALL {
            return match (action.op, action.waits) {
                (ActionOp::Write, _) => format!("unlock({name})"),
                (ActionOp::Read, true) => format!("wait for {name}"),
                (ActionOp::Read, false) => format!("trylock({name}) → busy"),
                (_, true) => format!("lock({name})"),
                (_, false) => format!("trylock({name}) → locked"),
            };
        }
        let prefixes = ["pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_"];
        let c11 = ["mtx_", "cnd_"];
        let mut prefixes = prefixes.into_iter().chain(c11);
        let short = prefixes.find_map(|prefix| function.strip_prefix(prefix)).unwrap_or(function);
        let outcome = match (short, action.op) {
            _ if short.starts_with("try") || short.starts_with("timed") => match action.op {
                ActionOp::Read if short == "timedwait" => " → notified",
                ActionOp::Add if short == "timedwait" && action.after < action.before => {
                    " → timed out"
                }
                ActionOp::Read => " → busy",
                ActionOp::Add | ActionOp::Update if short != "timedwait" => " → locked",
                _ => "",
            },
            ("signal" | "broadcast", ActionOp::Read) => " → no thread waits",
            _ => "",
        };
        if matches!(short, "wait" | "timedwait") && function.contains("c") {
            return match action.op {
                ActionOp::Update => format!("{short}: locks {name} again"),
                ActionOp::Write => format!("{short}: unlocks {name}"),
                _ => format!("{short}({name}){outcome}"),
            };
        }
        match function.starts_with("sem_") {
            true => format!("{function}({name}) → {}", action.after),
            false => format!("{short}({name}){outcome}"),
        }
    }

    /// Writes down what those who cannot go on would do.
    fn note_stuck(&mut self) {
        for thread in self.stuck() {
            let text = self.wait_text(thread);
            let pc = self.threads[thread].state.pc;
            self.note(thread, Some(pc), LineKind::Stuck, text);
        }
    }

    /// What a thread waits for, without the place.
    fn wait_text(&self, thread: usize) -> String {
        let text = self.wait_of(thread);
        match text.rsplit_once(", at ") {
            Some((text, _)) => text.to_owned(),
            None => text,
        }
    }

    /// What is with a thread that cannot take a step.
    fn obstacle(&self, step: Step) -> String {
        let index = step.process.index();
        let name = self.thread_name(index);
        match self.threads.get(index).map(|thread| thread.state.status) {
            None | Some(Status::Absent) => format!("there is no thread {index} yet"),
            Some(Status::Ended | Status::Gone) => format!("{name} has ended"),
            Some(Status::Stopped) => format!("{name} has stopped at an assumption that failed"),
            Some(_) if self.is_enabled(step.process) => {
                let count = self.alternatives(step.process);
                format!("{name} has no alternative {} there, but {count}", step.choice)
            }
            Some(_) => format!("{name} {}", self.wait_text(index)),
        }
    }
}

/// What the source calls a function that is an operator.
fn operator_name(function: &str) -> Option<&'static str> {
    match function {
        _ if function.starts_with("_ZdlPv") => Some("delete"),
        _ if function.starts_with("_ZdaPv") => Some("delete[]"),
        _ => None,
    }
}

fn atomic_name(op: AtomicOp) -> &'static str {
    match op {
        AtomicOp::Exchange => "exchange",
        AtomicOp::Add | AtomicOp::FAdd => "fetch_add",
        AtomicOp::Sub | AtomicOp::FSub => "fetch_sub",
        AtomicOp::And => "fetch_and",
        AtomicOp::Nand => "fetch_nand",
        AtomicOp::Or => "fetch_or",
        AtomicOp::Xor => "fetch_xor",
        AtomicOp::Max | AtomicOp::UMax => "fetch_max",
        AtomicOp::Min | AtomicOp::UMin => "fetch_min",
        AtomicOp::ReverseSub => "negate",
    }
}

impl LlvmMachine {
    /// Runs one execution and returns what happens in it.
    ///
    /// The execution may itself show that threads wait which would otherwise make
    /// [round trips](super::zero_net). Then it is run again, with that knowledge.
    pub(crate) fn run_recorded(setup: &Setup, schedule: &Schedule) -> Recording {
        let setup = Setup { round_trips: Arc::default(), ..setup.clone() };
        let mut first = None;
        loop {
            let version = setup.round_trips.version();
            let recording = Self::run_recorded_knowing(&setup, schedule);
            if version == setup.round_trips.version() {
                return first.filter(|_| recording.misfit.is_some()).unwrap_or(recording);
            }
            first.get_or_insert(recording);
        }
    }

    /// Runs one execution with what is known.
    fn run_recorded_knowing(setup: &Setup, schedule: &Schedule) -> Recording {
        let (mut machine, started) = LlvmMachine::start(setup, true);
        let mut violation = started;
        let mut misfit = None;
        let mut taken = 0;
        let mut performed = Performed::default();
        for (index, step) in schedule.steps().iter().enumerate() {
            if violation.is_some() {
                break;
            }
            let sees = machine.memory_orderings;
            let possible = match sees {
                true => machine.next(step.process).is_some() || machine.is_enabled(step.process),
                false => {
                    machine.is_enabled(step.process)
                        && step.choice < machine.alternatives(step.process)
                }
            };
            if !possible {
                misfit = Some(Misfit { step: index, instead: machine.obstacle(*step) });
                break;
            }
            if let Some(recorder) = &mut machine.recorder {
                recorder.steps += 1;
            }
            performed.clear();
            violation = match sees {
                true => machine.step_seeing(*step, schedule.view(index), &mut performed).err(),
                false => machine.step(*step, &mut performed).err(),
            };
            taken += 1;
        }
        let at_end = (0..machine.processes()).all(|p| !machine.is_enabled(ProcessId::new(p)));
        if violation.is_none()
            && misfit.is_none()
            && at_end
            && let Ending::Stuck(stuck) = machine.ending()
        {
            machine.note_stuck();
            violation = Some(stuck);
        }
        let violation: Option<Violation> = violation.map(|mut violation| {
            violation.schedule = schedule.first(taken);
            *violation
        });
        let recorder = machine.recorder.take().map(|recorder| *recorder).unwrap_or_default();
        Recording {
            lines: recorder.lines,
            names: recorder.names,
            violation,
            misfit,
            output: String::from_utf8_lossy(&machine.output).into_owned(),
            words: Words { process: "thread" },
        }
    }
}
