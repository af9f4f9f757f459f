//! The state of a machine and of its current execution.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError};

use mazurka_core::model::{Action, ObjectId, Performed, ProcessId};
use mazurka_core::verdict::{Violation, ViolationKind};
use mazurka_report::LineKind;

use super::actors::Registered;
use super::ahead::Ahead;
use super::awaits::Awaits;
use super::departures::Departures;
use super::kept::Kept;
use super::leave::Routes;
use super::local_state::SuspendedAt;
use super::names::{Name, Names};
use super::object::{self, Object};
use super::process::{Process, Quiet, Site};
use super::program::Lessons;
use super::recording::{Recorder, place_of};
use super::replay::Replay;
use super::resources::{Resources, Restriction};
use super::seeing::{Pointers, Seeing};
use super::spin::Loops;
use super::stack::Stack;
use super::teardown::Abandoned;
use super::watchdog::Pulse;

/// How a program is run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tuning {
    /// The size of a thread's stack, in bytes.
    pub(crate) stack_size: usize,
    /// Whether `compare_exchange_weak` may fail for no reason.
    pub(crate) spurious_failures: bool,
    /// Whether condition variables may wake their waiters for no reason.
    pub(crate) spurious_wakeups: bool,
    /// How often a pending task may be polled without a wake-up.
    pub(crate) spurious_polls: u32,
    /// Whether a process may wait for a message for ever.
    pub(crate) allow_idle_receivers: bool,
    /// Whether an execution may end with memory that was not freed.
    pub(crate) allow_leaks: bool,
    /// Whether the program is checked under a memory model: fences are steps, and steps may see old
    /// values.
    pub(crate) memory_orderings: bool,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning {
            stack_size: 256 * 1024,
            spurious_failures: false,
            spurious_wakeups: false,
            spurious_polls: 0,
            allow_idle_receivers: false,
            allow_leaks: false,
            memory_orderings: false,
        }
    }
}

thread_local! {
    /// The runtimes of earlier checks on this OS thread: a fresh stack costs as much as several short
    /// executions, and so does making room for everything else.
    ///
    /// A check that fails has two at a time: one explores, and the other one records the failure.
    static SPARE: RefCell<[Option<Box<Runtime>>; 2]> = const { RefCell::new([None, None]) };
}

/// How many stacks are kept for the next check.
const SPARE_STACKS: usize = 64;

/// A runtime that has had more processes or objects than this does not keep the room for them.
const SPARE_NAMES: usize = 1024;

/// `current` while no process runs.
pub(super) const NO_EVENT: usize = usize::MAX;

pub(crate) struct Runtime {
    pub(super) tuning: Tuning,
    /// Names this execution among all executions of all checks.
    pub(super) stamp: u64,
    pub(super) names: Names,
    /// By process id.
    pub(super) processes: Vec<Process>,
    /// The processes of this execution, in the order of their creation.
    pub(super) created: Vec<usize>,
    /// Who is to run before the current step is over.
    pub(super) runnable: VecDeque<usize>,
    /// Who runs.
    pub(super) current: usize,
    /// By object id.
    pub(super) objects: Vec<Object>,
    /// Statics that are stamped by another check, by address.
    pub(super) borrowed: Vec<(usize, ObjectId)>,
    /// The alternative that the current step takes.
    pub(super) choice: u32,
    /// Where the current step records its actions. In a replay, no actions are recorded.
    pub(super) performed: Option<NonNull<Performed>>,
    /// The guards of the current step.
    pub(super) guards: Vec<Action>,
    /// What the current step has found.
    pub(super) violation: Option<Box<Violation>>,
    pub(super) assumption_failed: bool,
    /// Whether the execution is being torn down.
    pub(super) dead: bool,
    /// Whether code of the user runs in which operations are not allowed as usual.
    pub(super) restriction: Restriction,
    /// Reference counts and memory that the program must free.
    pub(super) resources: Resources,
    /// Who has which name.
    pub(super) registry: Vec<Registered>,
    /// Whether the OS thread was panicking before the check began.
    pub(super) panicking_outside: bool,
    /// Whether the standard library still counts panics of processes that were abandoned.
    pub(super) has_lost_panics: bool,
    /// How many suspended processes are in the middle of unwinding.
    pub(super) unwinding_elsewhere: usize,
    /// Which departures are steps.
    pub(super) watched: Departures,
    /// The departures that the program has asked about.
    pub(super) wanted: Departures,
    /// Whether the program is known to tell twins apart, and whether it has just done so.
    pub(super) twins_are_apart: bool,
    pub(super) tells_twins_apart: bool,
    /// The places that have created an object in this execution.
    pub(super) sites: Vec<(usize, Name)>,
    /// Whether no explorer has seen a name yet.
    pub(super) is_unheard_of: bool,
    /// The places that are known to create several objects in one execution.
    pub(super) plural_sites: Vec<usize>,
    /// A place that has just turned out to be one of these.
    pub(super) new_plural_site: Option<usize>,
    /// Whether the execution is only run to its end, and counts as none.
    pub(super) runs_out: bool,
    /// Whether an execution was run on and did not end.
    pub(super) never_ends: bool,
    pub(super) stacks: Vec<Stack>,
    pub(super) abandoned: Abandoned,
    /// What the execution before has left to this one.
    pub(super) kept: Kept,
    /// Where processes can be left without unwinding them.
    pub(super) routes: Routes,
    pub(super) replay: Replay,
    /// The process that runs ahead, if there is one: the current one.
    pub(super) ahead: Option<Box<Ahead>>,
    /// Whether the execution is run in such a way that local states can be compared.
    pub(super) is_exact: bool,
    /// Whether processes and objects have digests of their past.
    pub(super) tracks_past: bool,
    /// Where the process that was suspended last is.
    pub(super) suspended_at: SuspendedAt,
    /// Loops without a yield.
    pub(super) loops: Loops,
    /// Loops that wait for one location.
    pub(super) awaits: Awaits,
    /// What the current step sees of memory, until its first action is performed.
    pub(super) seeing: Option<Seeing>,
    /// Whether the first action of the current step has been performed.
    pub(super) is_settled: bool,
    /// The numbers of pointers.
    pub(super) pointers: Pointers,
    pub(super) recorder: Option<Box<Recorder>>,
    /// What the watchdog knows.
    pub(super) pulse: Arc<Pulse>,
}

impl Runtime {
    /// A runtime for a check of which so much is known.
    pub(super) fn new(tuning: Tuning, lessons: &Lessons) -> Box<Self> {
        let spare = SPARE.with_borrow_mut(|spare| spare.iter_mut().find_map(Option::take));
        let mut runtime = spare.unwrap_or_else(|| Box::new(Runtime::without_room()));
        runtime.tuning = tuning;
        runtime.stamp = object::enlist();
        runtime.panicking_outside = std::thread::panicking();
        runtime.watched = lessons.departures();
        runtime.twins_are_apart = lessons.twins_are_apart.load(Relaxed);
        let plural_sites = lessons.plural_sites.lock().unwrap_or_else(PoisonError::into_inner);
        runtime.plural_sites.extend_from_slice(&plural_sites);
        runtime.resources.learn(lessons);
        runtime.loops.learn(&lessons.loops.lock().unwrap_or_else(PoisonError::into_inner));
        runtime.awaits.learn(&lessons.lock_awaits());
        runtime
    }

    /// Ends it, all of whose coroutines have ended, and keeps what it has allocated for the next one.
    pub(super) fn retire(mut self: Box<Self>) {
        object::delist(self.stamp);
        self.clear();
        if self.processes.len().max(self.names.objects()) > SPARE_NAMES {
            self.names = Names::new();
            self.processes.truncate(1);
            self.objects = Vec::new();
        }
        self.names.clear();
        self.plural_sites.clear();
        self.new_plural_site = None;
        self.resources.forget_lessons();
        self.loops.clear();
        self.awaits.clear();
        self.tracks_past = false;
        self.is_unheard_of = true;
        self.wanted = Departures::default();
        self.tells_twins_apart = false;
        self.replay.clear();
        self.kept.clear();
        self.processes.iter_mut().for_each(|slot| slot.call(None));
        self.routes.clear();
        self.recorder = None;
        self.stacks.truncate(SPARE_STACKS);
        // At the end of the OS thread no later check can use it.
        let _ = SPARE.try_with(|spare| {
            if let Some(free) = spare.borrow_mut().iter_mut().find(|place| place.is_none()) {
                *free = Some(self);
            }
        });
    }

    fn without_room() -> Self {
        Runtime {
            tuning: Tuning::default(),
            stamp: 0,
            names: Names::new(),
            processes: vec![Process::absent()],
            created: Vec::new(),
            runnable: VecDeque::new(),
            current: NO_EVENT,
            objects: Vec::new(),
            borrowed: Vec::new(),
            choice: 0,
            performed: None,
            guards: Vec::new(),
            violation: None,
            assumption_failed: false,
            dead: false,
            restriction: Restriction::None,
            resources: Resources::default(),
            registry: Vec::new(),
            panicking_outside: false,
            has_lost_panics: false,
            unwinding_elsewhere: 0,
            watched: Departures::default(),
            wanted: Departures::default(),
            twins_are_apart: false,
            tells_twins_apart: false,
            sites: Vec::new(),
            is_unheard_of: true,
            plural_sites: Vec::new(),
            new_plural_site: None,
            runs_out: false,
            never_ends: false,
            stacks: Vec::new(),
            abandoned: Abandoned::default(),
            kept: Kept::default(),
            routes: Routes::default(),
            replay: Replay::default(),
            ahead: None,
            is_exact: false,
            tracks_past: false,
            suspended_at: SuspendedAt::default(),
            loops: Loops::default(),
            awaits: Awaits::default(),
            seeing: None,
            is_settled: false,
            pointers: Pointers::default(),
            recorder: None,
            pulse: Pulse::new(),
        }
    }

    /// Forgets the execution that is over; all of its coroutines have ended.
    pub(super) fn clear(&mut self) {
        self.stamp += 1;
        for process in self.created.drain(..) {
            self.processes[process].clear();
        }
        self.runnable.clear();
        self.borrowed.clear();
        self.sites.clear();
        self.guards.clear();
        self.violation = None;
        self.assumption_failed = false;
        self.dead = false;
        self.runs_out = false;
        self.restriction = Restriction::None;
        self.resources.clear();
        self.registry.clear();
        self.unwinding_elsewhere = 0;
        self.ahead = None;
        self.replay.start_again();
        self.awaits.start_again();
        self.seeing = None;
        self.pointers.clear();
        self.stacks.extend(std::iter::from_fn(|| self.abandoned.reuse()));
        self.settle_panics();
    }

    /// Returns whether the actions of the current step are recorded.
    #[inline]
    pub(crate) fn is_asked(&self) -> bool {
        self.performed.is_some()
    }

    /// Returns where the current step records its actions, if they are recorded.
    #[inline]
    pub(super) fn performed(&mut self) -> Option<&mut Performed> {
        // SAFETY: this is set for as long as `RustMachine::step` takes a step, which has borrowed the
        // buffer for that time and does not touch it.
        self.performed.map(|mut performed| unsafe { performed.as_mut() })
    }

    /// Names this execution among all executions of all checks.
    #[inline]
    pub(crate) fn execution(&self) -> u64 {
        self.stamp
    }

    /// What is kept for the next execution.
    pub(crate) fn kept(&mut self) -> &mut Kept {
        &mut self.kept
    }

    /// How the program is run.
    #[inline]
    pub(crate) fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// The name of a process in a message, in quotes.
    ///
    /// Processes are numbered in the order of their creation in this execution. Their ids are not: these
    /// are by the order in which they were created in any execution.
    pub(crate) fn process_name(&self, process: ProcessId) -> String {
        let index = process.index();
        let rank = self.created.iter().position(|created| *created == index).unwrap_or(index);
        let name = self.processes.get(index).and_then(Process::name);
        match name {
            Some(name) => {
                let before =
                    self.created.iter().take(rank).map(|created| &self.processes[*created]);
                let same = before.filter(|slot| slot.name() == Some(name)).count();
                match same {
                    0 => format!("'{name}'"),
                    _ => format!("'{name}#{}'", same + 1),
                }
            }
            None if process == ProcessId::MAIN => "'main'".to_owned(),
            None => format!("'thread {rank}'"),
        }
    }

    /// The name that its creator gave to a process.
    pub(crate) fn name_of(&self, process: ProcessId) -> Option<Arc<str>> {
        self.processes[process.index()].shared_name()
    }

    /// Fails the current step. Only the first failure of a step counts.
    pub(crate) fn fail(&mut self, kind: ViolationKind, message: String) {
        if !self.dead && self.violation.is_none() {
            self.violation = Some(Box::new(Violation::new(kind, message)));
        }
    }

    /// Whether the current process is unwinding from a panic.
    ///
    /// The standard library counts the panics of an OS thread, not of a coroutine. As long as no
    /// other coroutine is suspended in the middle of unwinding, its answer is right; otherwise
    /// what the panic hook has seen helps.
    #[inline]
    pub(crate) fn is_unwinding(&self) -> bool {
        std::thread::panicking()
            && (self.unwinding_elsewhere == 0 || self.processes[self.current].panicked)
            && self.processes.get(self.current).is_none_or(|slot| slot.quiet != Quiet::Yes)
    }

    /// Returns whether the only panics of this OS thread are those of the current process.
    pub(super) fn unwinds_alone(&self) -> bool {
        self.unwinding_elsewhere == 0 && !self.panicking_outside
    }

    /// The current process is about to be suspended, perhaps in the middle of unwinding.
    #[cold]
    pub(super) fn interrupt_unwinding(&mut self) {
        if self.is_unwinding() {
            self.unwinding_elsewhere += 1;
            self.processes[self.current].suspended_unwinding = true;
        }
    }

    /// Lets the standard library forget the panics of abandoned processes, once nobody else is in
    /// the middle of unwinding.
    #[inline]
    pub(super) fn settle_panics(&mut self) {
        if self.has_lost_panics && self.unwinding_elsewhere == 0 {
            self.has_lost_panics = false;
            if !self.panicking_outside {
                super::panics::forget_panics(usize::MAX);
            }
        }
    }

    #[inline]
    pub(super) fn after_suspension(&mut self) {
        // If it is in the middle of unwinding, it has been counted.
        if self.unwinding_elsewhere > 0 {
            self.go_on_unwinding();
        }
    }

    #[cold]
    fn go_on_unwinding(&mut self) {
        let process = &mut self.processes[self.current];
        if std::mem::take(&mut process.suspended_unwinding) {
            self.unwinding_elsewhere -= 1;
        }
    }

    /// Returns whether this execution is recorded.
    #[inline]
    pub(crate) fn is_recorded(&self) -> bool {
        self.recorder.is_some()
    }

    /// Writes a line into the recording, if there is one: what the current process did in its
    /// step, in the user's words.
    #[inline]
    pub(crate) fn log(&mut self, site: Site, text: impl FnOnce(&Runtime) -> String) {
        if self.recorder.is_some() {
            self.log_as(LineKind::Operation, site, text);
        }
    }

    /// Records a line of text that is not a step.
    #[inline]
    pub(crate) fn log_local(&mut self, site: Site, text: impl FnOnce(&Runtime) -> String) {
        if self.recorder.is_some() {
            self.log_as(LineKind::Local, site, text);
        }
    }

    // Apart, so that operations can be inlined: few executions are recorded.
    #[cold]
    #[inline(never)]
    fn log_as(&mut self, kind: LineKind, site: Site, text: impl FnOnce(&Runtime) -> String) {
        let text = text(self);
        self.record(place_of(site), text, kind);
    }

    /// Whether what happens is part of an execution: not while that is being torn down or run out, nor while a
    /// process runs ahead.
    #[cfg(test)]
    pub(crate) fn is_real(&self) -> bool {
        !self.dead && !self.runs_out && self.ahead.is_none()
    }

    /// Returns whether a process has not ended.
    pub(super) fn is_unfinished(&self) -> bool {
        self.created.iter().any(|process| self.processes[*process].thread.borrow().is_some())
    }

    /// Whether the execution is being torn down: then nothing that happens counts.
    #[inline]
    pub(crate) fn is_dead(&self) -> bool {
        self.dead
    }
}
