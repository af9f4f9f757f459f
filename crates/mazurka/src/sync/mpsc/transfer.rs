//! Sending and receiving.

use mazurka_core::model::{Action, Location, Op};

use super::channel::{Channel, Message, Receiving, Sending};
use super::ordered::{demanding, is_demanded, is_ordered};
use crate::report::recorded_value;
use crate::rt::{self, Operation, Site, Suspension, Waiting};

/// Why there is nothing to receive.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Nothing {
    Empty,
    Disconnected,
}

/// Why nothing was sent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Refusal {
    Full,
    Disconnected,
}

/// How a receiver receives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Manner {
    /// It waits for a message.
    Wait,
    /// It waits, but may give up.
    Timeout,
    /// It looks.
    Try,
}

impl Manner {
    fn name(self) -> &'static str {
        match self {
            Manner::Wait => "recv",
            Manner::Timeout => "recv_timeout",
            Manner::Try => "try_recv",
        }
    }
}

impl<T> Channel<T> {
    /// Sends, waiting for room. The error is the message, if there is no receiver.
    #[inline(always)]
    #[track_caller]
    pub(super) fn send(&self, content: T, site: Site) -> Result<(), T> {
        let blocker = Sending(self);
        if let Some(suspension) = self.begin_sending(&blocker, site) {
            suspension.suspend();
        }
        self.finish_sending(content, site)
    }

    #[inline(never)]
    #[track_caller]
    fn begin_sending<'a>(&self, blocker: &'a Sending<'a, T>, site: Site) -> Option<Suspension<'a>> {
        if !rt::alive() {
            return None;
        }
        let op = self.next_send(&self.state());
        let mut operation = Operation::new("send", site).action(self.action(op, self.is_bounded()));
        if self.is_bounded() {
            operation = operation.blocked_by(blocker);
        }
        operation.begin()
    }

    /// An operation on the queue, which waits or not.
    #[inline(always)]
    fn action(&self, op: Op, waits: bool) -> Action {
        if is_ordered() {
            return self.update(op, waits);
        }
        Action { waits, ..Action::new(op, Location::whole(self.id())) }
    }

    #[inline(never)]
    #[track_caller]
    fn finish_sending(&self, content: T, site: Site) -> Result<(), T> {
        if rt::turn_taken().is_none() {
            return self.send_dying(content).map_err(|(content, _)| content);
        }
        let action = self.action(Op::SendNone, self.is_bounded());
        let object = action.on.object;
        let value = recorded_value(&content).unwrap_or_default();
        let refused = rt::with(|rt| {
            let mut state = self.state();
            let refused = match state.closed {
                true => {
                    self.perform(rt, &state, action, Op::SendNone);
                    Some(content)
                }
                false => {
                    let sender = self.is_rendezvous().then(|| rt.current());
                    self.put(rt, &mut state, action, Message { content, sender });
                    None
                }
            };
            let outcome = if refused.is_some() { " → disconnected" } else { "" };
            rt.log(site, |rt| format!("{}.send({value}){outcome}", rt.object_name(object)));
            refused
        });
        match refused {
            Some(content) => Err(content),
            None if self.is_rendezvous() => {
                let what = "a receive from";
                rt::wait_for_release(Waiting { what, object: Some(object), process: None, site });
                self.returned()
            }
            None => Ok(()),
        }
    }

    /// Whether the message that the current process has waited for to be received came back.
    fn returned(&self) -> Result<(), T> {
        let me = rt::with(|rt| rt.current());
        let mut state = self.state();
        let mine = state.returned.iter().position(|message| message.sender == Some(me));
        match mine.map(|index| state.returned.remove(index)) {
            Some(message) => Err(message.content),
            None => Ok(()),
        }
    }

    /// Sends if that is possible at once; otherwise gives the message back.
    #[track_caller]
    pub(super) fn try_send(&self, content: T, site: Site) -> Result<(), (T, Refusal)> {
        if !rt::alive() {
            return self.send_dying(content);
        }
        let object = self.id();
        let op = self.next_send(&self.state());
        let action = self.action(op, false);
        if Operation::new("try_send", site).action(action).turn_here().is_none() {
            return self.send_dying(content);
        }
        let is_cell = action.op.is_memory();
        let demand = (self.is_rendezvous() && !is_cell).then(|| self.demand_id());
        let value = recorded_value(&content).unwrap_or_default();
        rt::with(|rt| {
            let mut state = self.state();
            let demanded = demand.map(|demand| rt.value(demand));
            let has_room = match self.is_rendezvous() {
                true => {
                    let is_demanded =
                        demanded.map_or_else(|| is_demanded(rt.value(object)), |value| value != 0);
                    is_demanded && state.messages.is_empty()
                }
                false => self.has_room(&state),
            };
            let result = match (state.closed, has_room) {
                (true, _) => Err((content, Refusal::Disconnected)),
                (false, false) => Err((content, Refusal::Full)),
                (false, true) => {
                    self.put(rt, &mut state, action, Message { content, sender: None });
                    Ok(())
                }
            };
            if result.is_err() {
                self.perform(rt, &state, action, Op::SendNone);
            }
            if let (Some(demand), Some(value)) = (demand, demanded) {
                rt.perform(Action::new(Op::Read, Location::whole(demand)).performed(value, value));
            }
            let outcome = match &result {
                Ok(()) => "sent",
                Err((_, Refusal::Full)) => "full",
                Err((_, Refusal::Disconnected)) => "disconnected",
            };
            rt.log(site, |rt| format!("{}.try_send({value}) → {outcome}", rt.object_name(object)));
            result
        })
    }

    /// Sends in a destructor, while the execution is being torn down. The process cannot wait then: if
    /// there is no room, it gets the message back, as from a channel whose receiver is gone.
    #[cold]
    fn send_dying(&self, content: T) -> Result<(), (T, Refusal)> {
        let mut state = self.state();
        if state.closed {
            return Err((content, Refusal::Disconnected));
        }
        if self.is_rendezvous() || !self.has_room(&state) {
            return Err((content, Refusal::Full));
        }
        state.messages.push_back(Message { content, sender: None });
        Ok(())
    }

    /// Receives in a destructor, while the execution is being torn down. The process cannot wait then:
    /// an empty channel is one whose senders are gone.
    #[cold]
    fn receive_dying(&self, manner: Manner) -> Result<T, Nothing> {
        let mut state = self.state();
        match state.messages.pop_front() {
            Some(message) => Ok(message.content),
            None if state.senders == 0 || manner == Manner::Wait => Err(Nothing::Disconnected),
            None => Err(Nothing::Empty),
        }
    }

    /// Receives a message, waiting for one.
    #[inline(always)]
    #[track_caller]
    pub(super) fn receive(&self, site: Site) -> Result<T, Nothing> {
        let blocker = Receiving(self);
        if let Some(suspension) = self.begin_receiving(&blocker, site) {
            suspension.suspend();
        }
        self.finish_receiving(site)
    }

    #[inline(never)]
    #[track_caller]
    fn begin_receiving<'a>(
        &self,
        blocker: &'a Receiving<'a, T>,
        site: Site,
    ) -> Option<Suspension<'a>> {
        if !rt::alive() || (self.is_rendezvous() && !self.announce(Manner::Wait, site)) {
            return None;
        }
        self.state().is_awaited = true;
        if is_ordered() && !self.watch_last_sender() {
            return None;
        }
        let number = self.state().received;
        let action = self.action(Op::Receive { number }, true);
        Operation::new(Manner::Wait.name(), site).action(action).blocked_by(blocker).begin()
    }

    #[inline(never)]
    #[track_caller]
    fn finish_receiving(&self, site: Site) -> Result<T, Nothing> {
        if rt::turn_taken().is_none() {
            return self.receive_dying(Manner::Wait);
        }
        self.take(Manner::Wait, true, site)
    }

    /// Receives a message in a manner that need not wait.
    #[track_caller]
    pub(super) fn poll(&self, manner: Manner, site: Site) -> Result<T, Nothing> {
        if !rt::alive() {
            return self.receive_dying(manner);
        }
        if self.is_rendezvous() && manner != Manner::Try && !self.announce(manner, site) {
            return self.receive_dying(manner);
        }
        let waits = manner == Manner::Try && self.is_spun_on(site);
        let number = self.state().received;
        let action = self.action(Op::Receive { number }, waits);
        let mut operation = Operation::new(manner.name(), site).action(action);
        let blocker = Receiving(self);
        if waits {
            operation = operation.blocked_by(&blocker);
        }
        if operation.turn_here().is_none() {
            return self.receive_dying(manner);
        }
        self.take(manner, waits, site)
    }

    /// Performs the step in which a message is received, or not.
    #[inline]
    #[track_caller]
    fn take(&self, manner: Manner, waits: bool, site: Site) -> Result<T, Nothing> {
        let action = self.action(Op::ReceiveNone, waits);
        let object = action.on.object;
        let registers = self.is_rendezvous() && manner != Manner::Try && !action.op.is_memory();
        let demand = registers.then(|| self.demand_id());
        self.state().is_awaited = false;
        if self.state().messages.is_empty() && !rt::watch_hangups() {
            return self.receive_dying(manner);
        }
        let (result, number) = rt::with(|rt| {
            let mut state = self.state();
            let message = state.messages.pop_front();
            let number = state.received;
            let op = if message.is_some() { Op::Receive { number } } else { Op::ReceiveNone };
            self.perform(rt, &state, action, op);
            if let Some(demand) = demand {
                rt.perform(Action::new(Op::Write, Location::whole(demand)).performed(1, 0));
            }
            let result = match message {
                Some(message) => {
                    state.received += 1;
                    if let Some(sender) = message.sender {
                        rt.release(sender);
                    }
                    Ok(message.content)
                }
                None if state.senders == 0 => Err(Nothing::Disconnected),
                None => Err(Nothing::Empty),
            };
            let is_empty = matches!(result, Err(Nothing::Empty));
            state.found_empty = is_empty.then(|| (rt.current(), rt.steps_of_current()));
            (result, number)
        });
        let value = result.as_ref().ok().and_then(recorded_value);
        rt::with(|rt| {
            rt.log(site, |rt| {
                let outcome = match (&result, value) {
                    (Ok(_), Some(value)) => &format!("message {number}: {value}"),
                    (Ok(_), None) => &format!("message {number}"),
                    (Err(Nothing::Empty), _) if manner == Manner::Timeout => "timed out",
                    (Err(Nothing::Empty), _) => "empty",
                    (Err(Nothing::Disconnected), _) => "disconnected",
                };
                format!("{}.{}() → {outcome}", rt.object_name(object), manner.name())
            });
        });
        result
    }

    /// Whether all that the receiver has done since it found the channel empty is to yield: then
    /// there is no point in looking before that has changed.
    fn is_spun_on(&self, site: Site) -> bool {
        rt::with(|rt| {
            let now = (rt.current(), rt.steps_of_current());
            rt.waits_for_message(site) && self.state().found_empty == Some(now)
        })
    }

    /// The receiver of a channel without room begins to wait. Returns `false` if the execution
    /// is being torn down.
    #[track_caller]
    fn announce(&self, manner: Manner, site: Site) -> bool {
        let is_cell = is_ordered();
        let action = match is_cell {
            true => self.update(Op::ReceiveNone, false),
            false => Action::new(Op::Write, Location::whole(self.demand_id())),
        };
        if Operation::new(manner.name(), site).action(action).turn_here().is_none() {
            return false;
        }
        let object = self.id();
        rt::with(|rt| {
            rt.perform(if is_cell { demanding(rt, action) } else { action.performed(0, 1) });
            rt.log(site, |rt| format!("{}.{}() begins", rt.object_name(object), manner.name()));
        });
        true
    }

    /// One more sender.
    pub(super) fn add_sender(&self) {
        self.state().senders += 1;
    }

    /// One sender less.
    #[inline(always)]
    #[track_caller]
    pub(super) fn hang_up(&self, site: Site) {
        if let Some(suspension) = self.begin_hanging_up(site) {
            suspension.suspend();
            self.finish_hanging_up(site);
        }
    }

    /// Returns `None` if that is over.
    #[inline(never)]
    #[track_caller]
    fn begin_hanging_up(&self, site: Site) -> Option<Suspension<'static>> {
        if !is_watched() || rt::hangs_up_unwatched() || !rt::alive() {
            self.remove_sender();
            if is_watched() && is_ordered() && rt::alive() {
                self.watch_last_sender();
            }
            return None;
        }
        let action = self.action(Op::Hangup, false);
        let suspension = Operation::new("drop", site).action(action).begin();
        if suspension.is_none() {
            self.finish_hanging_up(site);
        }
        suspension
    }

    #[inline(never)]
    fn finish_hanging_up(&self, site: Site) {
        if rt::turn_taken().is_some() {
            self.perform_leaving(Op::Hangup, "a sender", site);
        }
        self.remove_sender();
    }

    fn remove_sender(&self) {
        // On another OS thread nothing can be done about it: what is left there is never missed.
        if let Some(mut state) = self.state.try_get() {
            state.senders -= 1;
        }
    }

    /// The receiver goes. What is in the channel is dropped, or given back.
    #[track_caller]
    pub(super) fn close(&self, site: Site) {
        let is_step = is_watched() && rt::alive() && {
            let action = self.action(Op::Close, false);
            Operation::new("drop", site).action(action).turn_here().is_some()
        };
        if is_step {
            self.perform_leaving(Op::Close, "the receiver", site);
        }
        let (offers, messages): (Vec<_>, Vec<_>) = {
            let Some(mut state) = self.state.try_get() else { return };
            state.closed = true;
            if state.messages.is_empty() {
                return;
            }
            state.messages.drain(..).partition(|message| is_step && message.sender.is_some())
        };
        if !offers.is_empty() {
            rt::with(|rt| {
                for sender in offers.iter().filter_map(|offer| offer.sender) {
                    rt.release(sender);
                }
            });
            self.state().returned.extend(offers);
        }
        drop(messages);
    }

    /// The step in which one side goes.
    #[inline]
    fn perform_leaving(&self, op: Op, who: &str, site: Site) {
        let object = self.id();
        let action = self.action(op, false);
        rt::with(|rt| {
            self.perform(rt, &self.state(), action, op);
            rt.log(site, |rt| format!("drop {who} of {}", rt.object_name(object)));
        });
    }
}

/// Whether it matters that one side goes: neither if the execution is being torn down, nor if it is
/// over.
#[inline]
fn is_watched() -> bool {
    rt::try_with(|rt| rt.is_dead()) == Some(false)
}
