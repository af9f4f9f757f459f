//! The channel between senders and receiver.
//!
//! To the explorers it is a queue whose messages are numbered as they come. A channel without room
//! has a cell besides, which says whether the receiver is waiting: only the receiver changes it,
//! and only `try_send` looks at it. Under a memory model, a channel is a cell: see [`ordered`](super::ordered).

use std::cell::RefMut;
use std::collections::VecDeque;

use mazurka_core::model::{Action, ObjectId, Op, ProcessId};

use crate::rt::{self, Blocker, Confined, ObjectCell, Retire, Runtime};

pub(super) struct Channel<T> {
    object: ObjectCell,
    /// Whether the receiver is waiting, if there is no room.
    demand: ObjectCell,
    capacity: Option<usize>,
    pub(super) state: Confined<State<T>>,
}

impl<T> Retire for Channel<T> {}

pub(super) struct State<T> {
    pub(super) messages: VecDeque<Message<T>>,
    sent: u32,
    pub(super) received: u32,
    pub(super) senders: usize,
    pub(super) closed: bool,
    /// Who has found the channel empty, after how many of its steps.
    pub(super) found_empty: Option<(ProcessId, u32)>,
    /// Whether the receiver waits for a message.
    pub(super) is_awaited: bool,
    /// Messages that are given back to who waited for them to be received.
    pub(super) returned: Vec<Message<T>>,
}

pub(super) struct Message<T> {
    pub(super) content: T,
    /// Who waits for it to be received.
    pub(super) sender: Option<ProcessId>,
}

pub(super) struct Sending<'a, T>(pub(super) &'a Channel<T>);

impl<T> Blocker for Sending<'_, T> {
    fn is_enabled(&self, _rt: &Runtime, _action: Option<&Action>) -> bool {
        let state = self.0.state();
        state.closed || self.0.has_room(&state)
    }

    fn waits_for(&self, rt: &Runtime, action: Option<&Action>) -> String {
        let object = action.map(|action| rt.describe_object(action.on.object));
        format!("room in {}", object.unwrap_or_default())
    }
}

pub(super) struct Receiving<'a, T>(pub(super) &'a Channel<T>);

impl<T> Blocker for Receiving<'_, T> {
    fn is_enabled(&self, _rt: &Runtime, _action: Option<&Action>) -> bool {
        let state = self.0.state();
        state.senders == 0 || !state.messages.is_empty()
    }

    fn waits_for(&self, rt: &Runtime, action: Option<&Action>) -> String {
        let object = action.map(|action| rt.describe_object(action.on.object));
        format!("a message in {}", object.unwrap_or_default())
    }
}

impl<T> Channel<T> {
    /// A channel with one sender.
    #[track_caller]
    pub(super) fn new(capacity: Option<usize>, label: Option<&'static str>) -> Self {
        let (mut object, mut demand) = (ObjectCell::new(), ObjectCell::new());
        if let Some(label) = label {
            object.set_label(label);
            demand.set_label(label);
        }
        let state = State {
            messages: VecDeque::new(),
            sent: 0,
            received: 0,
            senders: 1,
            closed: false,
            found_empty: None,
            is_awaited: false,
            returned: Vec::new(),
        };
        let channel = Channel { object, demand, capacity, state: Confined::new(state) };
        if rt::is_inside() {
            // Better now than by the process that happens to use it first.
            channel.id();
            if channel.is_rendezvous() {
                channel.demand_id();
            }
        }
        channel
    }

    #[inline]
    pub(super) fn id(&self) -> ObjectId {
        self.object.id_unshared("channel", 0)
    }

    pub(super) fn demand_id(&self) -> ObjectId {
        self.demand.id_unshared("waiting receiver", 0)
    }

    pub(super) fn is_rendezvous(&self) -> bool {
        self.capacity == Some(0)
    }

    /// Whether who sends may have to wait for room.
    pub(super) fn is_bounded(&self) -> bool {
        self.capacity.is_some_and(|capacity| capacity > 0)
    }

    /// Returns whether the capacity is limited.
    pub(super) fn is_limited(&self) -> bool {
        self.capacity.is_some()
    }

    /// Returns the capacity, or 0 if it is unlimited.
    pub(super) fn capacity(&self) -> u64 {
        self.capacity.unwrap_or(0) as u64
    }

    #[inline]
    #[track_caller]
    pub(super) fn state(&self) -> RefMut<'_, State<T>> {
        self.state.get()
    }

    /// Whether a message can be sent without the receiver. Without any room it is offered.
    pub(super) fn has_room(&self, state: &State<T>) -> bool {
        match self.capacity {
            None | Some(0) => true,
            Some(capacity) => state.messages.len() < capacity,
        }
    }

    /// What the next send is.
    #[inline]
    pub(super) fn next_send(&self, state: &State<T>) -> Op {
        let freed_by = match self.capacity.and_then(|capacity| u32::try_from(capacity).ok()) {
            Some(capacity) if capacity > 0 && state.sent >= capacity => state.sent - capacity,
            _ => Op::NONE,
        };
        Op::Send { number: state.sent, freed_by }
    }

    /// Performs an operation on the queue. Each changes the value, so that a yield which follows
    /// does not hold the process back: only memory can be watched for a change.
    #[inline(always)]
    pub(super) fn perform(&self, rt: &mut Runtime, state: &State<T>, action: Action, op: Op) {
        let before = rt.value(action.on.object);
        if action.op.is_memory() {
            let after = self.value_after(state, op, before);
            rt.perform(Action { op: action.op_at(before), ..action }.performed(before, after));
            match op {
                Op::ReceiveNone => rt.note_look(action.on),
                _ => rt.note_progress(),
            }
            return;
        }
        rt.perform(Action { op, ..action }.performed(before, before.wrapping_add(1)));
    }

    pub(super) fn put(
        &self,
        rt: &mut Runtime,
        state: &mut State<T>,
        action: Action,
        message: Message<T>,
    ) {
        self.perform(rt, state, action, self.next_send(state));
        state.messages.push_back(message);
        state.sent += 1;
        let next = self.next_send(state);
        rt.renew_pending(action.on.object, |_, action| {
            if let Op::Send { .. } = action.op {
                action.op = next;
            }
        });
    }
}
