//! The queue of an event loop.
//!
//! The explorer `graphs` knows cells and no queues. So under a memory model a queue is a cell that holds the
//! number of events, and each operation is a read-modify-write of it. These read from each other in a chain.
//! Therefore the operations on a queue are totally ordered. A post releases, and the loop acquires when it
//! takes the event.

use std::cell::RefMut;
use std::collections::VecDeque;
use std::sync::OnceLock;

use mazurka_core::model::{Action, Location, MemoryOrdering, ObjectId, Op, ProcessId, When};

use crate::rt::{self, Blocker, Confined, Operation, Own, Runtime, Site};

/// What is done about an event.
pub(super) enum Event {
    /// It is handled.
    Handle(Box<dyn FnOnce() + Send>),
    /// The loop ends.
    Quit,
}

/// The events that wait to be handled, each with its number.
pub(super) struct Queue {
    home: OnceLock<(ProcessId, ObjectId)>,
    events: Confined<VecDeque<(u32, Event)>>,
}

/// Waiting for an event.
struct Dequeuing<'a>(&'a Queue);

impl Blocker for Dequeuing<'_> {
    fn is_enabled(&self, _rt: &Runtime, _action: Option<&Action>) -> bool {
        !self.0.events().is_empty()
    }

    fn waits_for(&self, _rt: &Runtime, _action: Option<&Action>) -> String {
        "an event".to_owned()
    }
}

/// Returns whether the program is checked under a memory model.
fn is_ordered() -> bool {
    rt::with(|rt| rt.tuning().memory_orderings)
}

/// Returns an action as performed. Under a memory model it adds to the number of events.
fn changing(rt: &Runtime, action: Action, added: i64) -> Action {
    let before = rt.value(action.on.object);
    match action.op.is_memory() {
        true => action.performed(before, before.wrapping_add_signed(added)),
        false => action,
    }
}

impl Queue {
    /// Returns an empty queue that belongs to no process.
    pub(super) fn new() -> Self {
        Queue { home: OnceLock::new(), events: Confined::new(VecDeque::new()) }
    }

    /// Makes it that of a process.
    pub(super) fn settle(&self, process: ProcessId) {
        let object = rt::with(|rt| rt.own_object(process, Own::Queue));
        let known = self.home.set((process, object));
        debug_assert!(known.is_ok(), "a queue has one owner");
    }

    fn events(&self) -> RefMut<'_, VecDeque<(u32, Event)>> {
        self.events.get()
    }

    fn front(&self) -> Op {
        let message = self.events().front().map_or(Op::NONE, |(number, _)| *number);
        Op::Dequeue { message }
    }

    /// Posts an event, in a step.
    #[track_caller]
    pub(super) fn post(&self, name: &'static str, event: Event, site: Site) {
        let Some((process, object)) = self.home.get().copied().filter(|_| rt::alive()) else {
            return;
        };
        let message = rt::with(Runtime::number_message);
        let action = match is_ordered() {
            true => {
                Action::new(Op::Update, Location::whole(object)).ordered(MemoryOrdering::Release)
            }
            false => Action::new(Op::Post { message }, Location::whole(object)),
        };
        if Operation::new(name, site).action(action).turn().is_none() {
            return;
        }
        self.events().push_back((message, event));
        let front = self.front();
        rt::with(|rt| {
            rt.perform(changing(rt, action, 1));
            rt.renew_pending(object, |owner, action| {
                // A handler may be about to post to its own loop.
                if owner == process && matches!(action.op, Op::Dequeue { .. }) {
                    action.op = front;
                }
            });
            rt.log(site, |rt| format!("{}.{name}()", rt.process_name(process)));
        });
    }

    /// Takes the first event out, once there is one, in a step. `None` if the execution is being
    /// torn down.
    #[track_caller]
    pub(super) fn dequeue(&self, site: Site) -> Option<(u32, Event)> {
        let (_, object) = self.home.get().copied().filter(|_| rt::alive())?;
        let (operation, blocker) = (Operation::new("next event", site), Dequeuing(self));
        let on = Location::whole(object);
        let action = match is_ordered() {
            true => {
                let action = Action::new(Op::Update, on).when(When::Differs(0)).waiting();
                let action = action.ordered(MemoryOrdering::Acquire);
                operation.action(action).explained_by(&blocker).turn()?;
                action
            }
            false => {
                let action = Action::new(self.front(), on).waiting();
                operation.action(action).blocked_by(&blocker).turn()?;
                action
            }
        };
        let (message, event) = self.events().pop_front()?;
        rt::with(|rt| {
            let op = if action.op.is_memory() { action.op } else { Op::Dequeue { message } };
            rt.perform(changing(rt, Action { op, ..action }, -1));
            rt.log(site, |_| match event {
                Event::Handle(_) => format!("begins to handle event {message}"),
                Event::Quit => "quits".to_owned(),
            });
        });
        Some((message, event))
    }
}
