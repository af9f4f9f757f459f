//! The beginning and the end of processes.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use corosensei::stack::DefaultStack;
use mazurka_core::model::ProcessId;
use mazurka_core::verdict::ViolationKind;
use mazurka_report::LineKind;

use super::process::{Handle, Process, Site, State, Suspender, Thread};
use super::recording::place_of;
use super::teardown::is_teardown;
use super::{Runtime, actors, panics, with};

/// What a process runs.
pub(super) enum Body {
    /// The closure that is checked. It outlives the machine.
    Main(*const dyn Fn()),
    Spawned(Box<dyn FnOnce()>),
}

/// Creates a process. It starts once the current one suspends or ends.
///
/// `body` must catch panics and report them by [`end_of_panicked`].
pub(crate) fn spawn(
    body: Box<dyn FnOnce()>,
    name: Option<Arc<str>>,
    stack_size: usize,
    handle: Handle,
    site: Site,
) -> io::Result<ProcessId> {
    with(|rt| {
        let stack = rt.take_stack(stack_size)?;
        let parent = rt.current;
        let (namer, _) = rt.namer();
        let slot = &mut rt.processes[parent];
        let children = match &mut slot.handles {
            Some(handling) => &mut handling.children,
            None => &mut slot.children,
        };
        let rank = *children as usize;
        *children += 1;
        let id = rt.names.child(namer, rank);
        rt.create(id, stack, Body::Spawned(body), name, handle);
        rt.processes[id].naming = rt.processes[parent].naming;
        rt.processes[id].pending.site = site;
        let child = ProcessId::new(id);
        rt.edge(ProcessId::new(parent), child);
        if rt.recorder.is_some() {
            let text = format!("spawn({})", rt.process_name(child));
            rt.record(place_of(site), text, LineKind::Spawn(child));
        }
        Ok(child)
    })
}

impl Runtime {
    pub(super) fn take_stack(&mut self, wanted: usize) -> io::Result<(usize, DefaultStack)> {
        let size = wanted.max(self.tuning.stack_size);
        match self.stacks.iter().rposition(|(has, _)| *has >= size) {
            Some(index) => Ok(self.stacks.swap_remove(index)),
            None => Ok((size, DefaultStack::new(size)?)),
        }
    }

    pub(super) fn create(
        &mut self,
        id: usize,
        (stack_size, stack): (usize, DefaultStack),
        body: Body,
        name: Option<Arc<str>>,
        handle: Handle,
    ) {
        while self.processes.len() <= id {
            self.processes.push(Process::absent());
        }
        let process = &mut self.processes[id];
        // SAFETY: what the closure borrows, if anything, outlives the coroutine: `Body::Main`
        // points to what the machine owns, and a machine ends all of its coroutines before it
        // goes; a scoped thread's body is ended before its scope is left, and in a teardown
        // before the process that owns the scope.
        let thread = unsafe {
            Thread::with_stack_unchecked(stack, move |suspender, ()| run(suspender, body))
        };
        process.thread = Some(thread);
        process.stack_size = stack_size;
        process.name = name;
        process.handle = handle;
        process.state = State::Running;
        self.created.push(id);
        self.runnable.push_back(id);
    }

    /// The current process is at its end.
    fn finish(&mut self) {
        let current = self.current;
        let id = ProcessId::new(current);
        let process = &mut self.processes[current];
        process.state = State::Ended;
        process.watch.clear();
        if self.dead {
            return;
        }
        let joiner = process.joiner.take();
        if process.panic.is_some() && process.handle == Handle::Dropped {
            self.report_panic(id);
        }
        if self.recorder.is_some() {
            self.record(None, "end".to_owned(), LineKind::End);
        }
        if let Some(joiner) = joiner {
            self.release(ProcessId::new(joiner));
        }
    }

    /// Makes the panic that ended `process` a violation.
    fn report_panic(&mut self, process: ProcessId) {
        let slot = &mut self.processes[process.index()];
        slot.handle = Handle::Claimed;
        if let Some(message) = slot.panic.clone() {
            self.fail(ViolationKind::Panic, message);
        }
    }

    /// Nobody has a handle to `process` any more: if it panicked, or will, that is a violation.
    pub(crate) fn detach(&mut self, process: ProcessId) {
        let slot = &mut self.processes[process.index()];
        if slot.handle != Handle::Held {
            return;
        }
        slot.handle = Handle::Dropped;
        if slot.state == State::Ended && slot.panic.is_some() {
            self.report_panic(process);
        }
    }
}

/// Takes note of a panic that ends the current process.
pub(crate) fn end_of_panicked(payload: &(dyn Any + Send)) {
    if is_teardown(payload) {
        return;
    }
    with(|rt| {
        let current = rt.current;
        let name = rt.process_name(ProcessId::new(current));
        if rt.recorder.is_some() && rt.processes[current].note.is_none() {
            // The hook was not asked: this one was passed on.
            rt.record(None, "panic".to_owned(), LineKind::Panic);
        }
        let slot = &mut rt.processes[current];
        let message = panics::describe(&name, payload, slot.note.take(), &slot.joined_panic);
        slot.panic = Some(message);
    });
}

/// The root of every coroutine.
fn run(suspender: &Suspender, body: Body) {
    with(|rt| {
        let current = rt.current;
        rt.processes[current].suspender = suspender;
    });
    match body {
        Body::Main(main) => {
            // SAFETY: the machine keeps the closure alive longer than its coroutines.
            let main = unsafe { &*main };
            if let Err(payload) = catch_unwind(AssertUnwindSafe(main)) {
                end_of_panicked(&*payload);
                with(|rt| rt.report_panic(ProcessId::MAIN));
                discard(payload);
            }
        }
        // The body catches panics itself. This is for a destructor of what it leaves behind.
        Body::Spawned(body) => {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
                end_of_panicked(&*payload);
                discard(payload);
            }
        }
    }
    drop_locals();
    actors::end_of_current();
    with(Runtime::finish);
}

/// Drops the thread-local values of the current process, the last one first.
fn drop_locals() {
    // A destructor may use other keys, and create values anew: `None` in the place of a value
    // says that it is gone for good.
    loop {
        let value = with(|rt| {
            let current = rt.current;
            let locals = &mut rt.processes[current].locals;
            locals.iter_mut().rev().find_map(|local| local.value.take())
        });
        let Some(value) = value else { break };
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
            end_of_panicked(&*payload);
            discard(payload);
        }
    }
    with(|rt| {
        let current = rt.current;
        rt.processes[current].locals.clear();
    });
}

/// Drops what a panic carried, which may panic again.
pub(super) fn discard(payload: Box<dyn Any + Send>) {
    if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        // Enough is enough.
        std::mem::forget(another);
    }
}
