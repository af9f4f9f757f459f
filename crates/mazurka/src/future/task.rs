//! Tasks, as their wakers see them.
//!
//! To the explorers the wake state of a task is one cell of its process. Every wake-up adds 1 to it and every
//! abort [`ABORT`], so that they commute. The task waits until the value is not 0, and resets it.
//!
//! The futures that a process blocks on share the cell, one after the other: a waker that is left from an
//! earlier one wakes the current one, as with executors that park their thread.

use std::cell::RefCell;
use std::sync::Arc;
use std::task::Wake;

use mazurka_core::model::{Action, Location, ObjectId, Op, ProcessId, When};

use super::time;
use crate::rt::{self, Blocker, Confined, Operation, Own, Runtime, Site};

/// What an abort adds to the wake state.
const ABORT: u64 = 1 << 32;

/// The wakers of a task own a task.
pub(super) struct Task {
    local: Confined<Local>,
    /// The execution that the task belongs to.
    execution: u64,
}

/// What is not a step.
struct Local {
    /// The process that polls the future, once it has started.
    process: Option<ProcessId>,
    /// Whether that process has woken the task itself. No other process can observe this.
    has_woken_itself: bool,
    /// The process that has taken the result.
    joined_by: Option<ProcessId>,
}

impl Task {
    /// Creates a task that the current process polls.
    pub(super) fn of_current() -> Arc<Task> {
        let task = Task::new();
        task.run_by(rt::with(|rt| rt.current()));
        Arc::new(task)
    }

    /// Creates a task without a process.
    pub(super) fn new() -> Task {
        let local = Local { process: None, has_woken_itself: false, joined_by: None };
        Task { local: Confined::new(local), execution: rt::with(|rt| rt.execution()) }
    }

    /// Makes this the task of a process.
    pub(super) fn run_by(&self, process: ProcessId) {
        self.local.get().process = Some(process);
    }

    pub(super) fn process(&self) -> Option<ProcessId> {
        self.local.try_get()?.process
    }

    /// Notes that the current process has taken the result.
    pub(super) fn note_joined(&self) {
        self.local.get().joined_by = Some(rt::with(|rt| rt.current()));
    }

    /// Returns whether the current process has taken the result.
    pub(super) fn is_joined_by_current(&self) -> bool {
        self.local.get().joined_by == Some(rt::with(|rt| rt.current()))
    }

    /// Returns the cell of the wake state, if the task has a process in this execution.
    fn object(&self) -> Option<ObjectId> {
        let process = self.process()?;
        rt::with(|rt| match rt.execution() == self.execution {
            true => Some(rt.own_object(process, Own::Wake)),
            false => None,
        })
    }

    /// Returns whether the task has woken itself since the last call.
    pub(super) fn take_own_wake(&self) -> bool {
        std::mem::take(&mut self.local.get().has_woken_itself)
    }

    /// Aborts the task. The first call starts the check over: from then on, a task looks before each poll
    /// whether it has been aborted.
    #[track_caller]
    pub(super) fn abort(&self, site: Site) {
        if rt::alive() && rt::watch_ends() {
            self.add(ABORT, "abort", site);
        }
    }

    /// Returns whether the task has been aborted. It is a step, if any task ever is.
    #[track_caller]
    pub(super) fn is_aborted(&self, site: Site) -> bool {
        if !rt::alive() || !rt::ends_are_watched() {
            return false;
        }
        let Some(object) = self.object() else { return false };
        let action = Action::new(Op::Read, Location::whole(object));
        Operation::new("poll", site).action(action).turn().is_some()
            && rt::with(|rt| {
                let value = rt.value(object);
                rt.perform(action.performed(value, value));
                let is_aborted = value >= ABORT;
                rt.log(site, |_| if is_aborted { "cancel" } else { "poll" }.to_owned());
                is_aborted
            })
    }

    /// Adds to the wake state.
    #[track_caller]
    fn add(&self, amount: u64, name: &'static str, site: Site) {
        let Some(object) = self.object() else { return };
        let action = Action::new(Op::Add, Location::whole(object));
        if Operation::new(name, site).action(action).turn().is_none() {
            return;
        }
        let process = self.process();
        rt::with(|rt| {
            let before = rt.value(object);
            rt.perform(action.performed(before, before + amount));
            rt.log(site, |rt| match process {
                Some(process) => format!("{name}({})", rt.process_name(process)),
                None => format!("{name}(a task)"),
            });
        });
    }

    /// Waits until the task is woken. Returns whether it has been aborted instead.
    #[track_caller]
    pub(super) fn wait(&self, waits: &Waits<'_>, site: Site) -> bool {
        if !rt::alive() {
            rt::abandon();
        }
        let Some(object) = self.object() else { rt::abandon() };
        let action = Action::new(Op::Update, Location::whole(object)).when(When::Differs(0));
        // A timer may fire at any moment, so that the task need not be woken.
        let action = Action { waits: !time::has_timer(), ..action };
        let site = waits.site().unwrap_or(site);
        if Operation::new("await", site).action(action).explained_by(waits).turn().is_none() {
            // A destructor waits while the execution is being torn down: nothing will wake it.
            rt::abandon();
        }
        let value = rt::with(|rt| {
            let value = rt.value(object);
            let op = action.op_at(value);
            let performed = Action { op, ..action }.performed(value, 0);
            match value {
                // A task that looks at nothing but its timers does not wait for other tasks.
                0 => rt.perform_unnoticed(performed),
                _ => rt.perform(performed),
            }
            rt.log(site, |_| {
                let outcome = match value {
                    0 => "timer fires",
                    ABORT.. => "cancelled",
                    _ => "woken",
                };
                outcome.to_owned()
            });
            value
        });
        if value == 0 {
            time::fire(site);
            // A timer has woken the task, which is polled now.
            self.take_own_wake();
        }
        value >= ABORT
    }
}

/// What the waker of a task refers to.
pub(super) struct Handle(pub(super) Arc<Task>);

impl Wake for Handle {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // Values that outlive a check may drop or wake what they have left.
        if !rt::is_inside() || !rt::alive() {
            return;
        }
        let (current, site) = rt::with(|rt| (rt.current(), rt.last_site()));
        match self.0.process() == Some(current) {
            true => self.0.local.get().has_woken_itself = true,
            false => self.0.add(1, "wake", site),
        }
    }
}

/// An operation that a poll has found pending.
#[derive(Clone, Copy)]
struct Awaited {
    process: ProcessId,
    name: &'static str,
    object: ObjectId,
    site: Site,
}

thread_local! {
    /// The operations that the last poll of each process has found pending. All processes of an execution
    /// run on one OS thread.
    static AWAITED: RefCell<Vec<Awaited>> = const { RefCell::new(Vec::new()) };
}

/// Notes that the current poll has found an operation pending.
pub(super) fn note_awaited(name: &'static str, object: ObjectId, site: Site) {
    let process = rt::with(|rt| rt.current());
    AWAITED.with_borrow_mut(|awaited| awaited.push(Awaited { process, name, object, site }));
}

/// Begins a poll of the current process.
pub(super) fn begin_poll() {
    let process = rt::with(|rt| rt.current());
    AWAITED.with_borrow_mut(|awaited| awaited.retain(|awaited| awaited.process != process));
}

/// What a pending task waits for.
pub(super) struct Waits<'a> {
    pub(super) task: &'a Task,
    /// The executor itself has two references to it.
    pub(super) handle: &'a Arc<Handle>,
}

impl Waits<'_> {
    fn awaited(&self) -> Vec<Awaited> {
        let process = self.task.process();
        AWAITED.with_borrow(|awaited| {
            let mine = awaited.iter().filter(|awaited| Some(awaited.process) == process);
            mine.copied().collect()
        })
    }

    /// Returns where the last pending operation is in the source.
    fn site(&self) -> Option<Site> {
        let process = self.task.process();
        AWAITED.with_borrow(|awaited| {
            let mut mine = awaited.iter().filter(|awaited| Some(awaited.process) == process);
            Some(mine.next_back()?.site)
        })
    }
}

impl Blocker for Waits<'_> {
    fn waits_for(&self, rt: &Runtime, _action: Option<&Action>) -> String {
        let awaited = self.awaited();
        let describe = |awaited: &Awaited| {
            format!("`{}` of {}", awaited.name, rt.describe_object(awaited.object))
        };
        let mut text = match awaited.split_last() {
            None => "a wake-up".to_owned(),
            Some((last, others)) => {
                let others = others.iter();
                let others = others.map(|it| format!("{} (at {}), or for ", describe(it), it.site));
                others.collect::<String>() + &describe(last)
            }
        };
        if Arc::strong_count(self.handle) <= 2 {
            text.push_str(" (no waker of this task is left)");
        }
        text
    }
}
