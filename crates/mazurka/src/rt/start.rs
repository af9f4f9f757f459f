//! The beginning and the end of processes.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use corosensei::stack::Stack as _;
use mazurka_core::model::ProcessId;
use mazurka_core::verdict::ViolationKind;
use mazurka_report::LineKind;

use super::leave::run;
use super::local_state::mix;
use super::process::{Handle, Process, Seat, Site, State, Suspender, Thread};
use super::recording::place_of;
use super::stack::Stack;
use super::teardown::{self, is_teardown};
use super::twins::Kin;
use super::{Runtime, actors, ahead, panics, with};

/// Creates a process. It starts once the current one suspends or ends.
///
/// `body` must [run](run) the code of the user, and report its panics by [`end_of_panicked`].
///
/// # Safety
///
/// What `body` borrows must outlive the process, in a teardown too: a scoped thread's is ended before
/// its scope is left, and in a teardown before the process that owns the scope.
pub(crate) unsafe fn spawn(
    body: impl FnOnce(),
    name: Option<&str>,
    stack_size: usize,
    handle: Handle,
    site: Site,
) -> io::Result<ProcessId> {
    if with(|rt| rt.ahead.is_some()) {
        with(Runtime::leave_ahead);
        ahead::stop();
    }
    let stack = with(|rt| rt.take_stack(stack_size))?;
    let (limit, stack_end) = (stack.limit().get(), stack.base().get());
    let (child, seat) = with(|rt| {
        let (child, seat) = rt.adopt(name, handle, site);
        let slot = &mut rt.processes[child.index()];
        (slot.stack_limit, slot.stack_end) = (limit, stack_end);
        (child, seat)
    });
    // SAFETY: as the caller promises.
    let thread = unsafe {
        Thread::with_stack_unchecked(stack, move |suspender, ()| {
            begin(suspender);
            // The body catches panics itself. This is for a destructor of what it leaves behind.
            if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
                end_of_panicked(&*payload);
                discard(payload);
            }
            end(suspender);
        })
    };
    take_seat(&seat, thread);
    Ok(child)
}

/// Puts a coroutine where it stays, word by word: a load of several words that were just written one
/// by one would have to wait for them.
#[inline(always)]
fn take_seat(seat: &Seat, thread: Thread) {
    debug_assert!(seat.borrow().is_none(), "whoever was there has ended");
    // SAFETY: it is not borrowed, and there is nothing in it to drop.
    unsafe { seat.as_ptr().write(Some(thread)) };
}

impl Runtime {
    /// Creates the next child of the current process, and tells where its coroutine goes.
    fn adopt(&mut self, name: Option<&str>, handle: Handle, site: Site) -> (ProcessId, Seat) {
        let parent = self.current;
        let (namer, _) = self.namer();
        let slot = &mut self.processes[parent];
        let handled = slot.handles.map(|handling| handling.event);
        let children = match &mut slot.handles {
            Some(handling) => &mut handling.children,
            None => &mut slot.children,
        };
        let rank = *children as usize;
        *children += 1;
        let naming = slot.naming;
        let id = self.names.child(namer, rank);
        let process = self.create(id, name, handle);
        process.naming = naming;
        process.origin = (parent, handled, rank as u32);
        process.pending.site = site;
        let seat = Rc::clone(&process.thread);
        let child = ProcessId::new(id);
        self.edge(ProcessId::new(parent), child);
        if self.recorder.is_some() {
            let text = format!("spawn({})", self.process_name(child));
            self.record(place_of(site), text, LineKind::Spawn(child));
        }
        (child, seat)
    }

    /// Creates the main process, which runs `main`.
    ///
    /// # Safety
    ///
    /// The closure stays valid until the execution has been torn down.
    pub(super) unsafe fn create_main(&mut self, main: *const dyn Fn()) -> io::Result<()> {
        let stack = self.take_stack(0)?;
        let (limit, stack_end) = (stack.limit().get(), stack.base().get());
        let process = self.create(0, None, Handle::Claimed);
        (process.stack_limit, process.stack_end) = (limit, stack_end);
        let seat = Rc::clone(&process.thread);
        // SAFETY: as the caller promises.
        let thread = unsafe {
            Thread::with_stack_unchecked(stack, move |suspender, ()| {
                begin(suspender);
                if let Err(payload) = run(&*main) {
                    end_of_panicked(&*payload);
                    with(|rt| rt.report_panic(ProcessId::MAIN));
                    discard(payload);
                }
                end(suspender);
            })
        };
        take_seat(&seat, thread);
        Ok(())
    }

    #[inline]
    fn take_stack(&mut self, wanted: usize) -> io::Result<Stack> {
        let size = wanted.max(self.tuning.stack_size);
        match self.stacks.iter().rposition(|stack| stack.size() >= size) {
            Some(index) => Ok(self.stacks.swap_remove(index)),
            None => Stack::new(size),
        }
    }

    /// Creates a process.
    #[inline(always)]
    fn create(&mut self, id: usize, name: Option<&str>, handle: Handle) -> &mut Process {
        if self.processes.len() <= id {
            self.make_room_for_processes(id + 1);
        }
        let rank = self.created.len();
        self.created.push(id);
        self.runnable.push_back(id);
        let process = &mut self.processes[id];
        process.call(name);
        process.rank = rank;
        process.kin = Kin::default();
        process.past = mix(0, id);
        process.handle = handle;
        process.state = State::Running;
        process
    }

    #[cold]
    #[inline(never)]
    fn make_room_for_processes(&mut self, needed: usize) {
        self.processes.resize_with(needed, Process::absent);
    }

    /// Whether there is anything to do before the current process can end.
    #[inline]
    fn leaves_something(&self) -> bool {
        let slot = &self.processes[self.current];
        self.watched.ends
            || !slot.locals.is_empty()
            || slot.mailbox.is_some()
            || !slot.watchers.is_empty()
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

    /// The current process takes the result of `process`. If that one panicked, the panic is no violation.
    pub(crate) fn claim_panic(&mut self, process: ProcessId) {
        let current = self.current;
        let slot = &mut self.processes[process.index()];
        slot.handle = Handle::Claimed;
        if let Some(panic) = slot.panic.clone() {
            self.processes[current].joined_panic = Some(panic);
        }
    }

    /// The last handle to `process` is gone: a panic of the process is now a violation.
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
        return teardown::end_of_unwinding();
    }
    with(|rt| {
        let current = rt.current;
        let name = rt.process_name(ProcessId::new(current));
        if rt.recorder.is_some() && rt.processes[current].note.is_none() {
            // The hook was not asked: this one was passed on.
            rt.record(None, "panic".to_owned(), LineKind::Failure);
        }
        let slot = &mut rt.processes[current];
        let message = panics::describe(&name, payload, slot.note.take(), &slot.joined_panic);
        slot.panic = Some(message);
    });
}

/// The beginning of every coroutine.
fn begin(suspender: &Suspender) {
    with(|rt| {
        let current = rt.current;
        rt.processes[current].suspender = suspender;
    });
}

/// The end of every coroutine. It is suspended for good, and does not return: to return from frames
/// that were entered before a switch takes longer than to leave them where they are.
fn end(suspender: &Suspender) {
    if with(|rt| rt.leaves_something()) {
        drop_locals();
        actors::end_of_current();
    }
    with(Runtime::finish);
    suspender.suspend(());
}

/// Drops the thread-local values of the current process, the last one first.
fn drop_locals() {
    if with(|rt| rt.processes[rt.current].locals.is_empty()) {
        return;
    }
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
pub(crate) fn discard(payload: Box<dyn Any + Send>) {
    if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        // Enough is enough.
        std::mem::forget(another);
    }
}
