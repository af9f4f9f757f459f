//! What senders and receivers share. Its state is one location; how many senders there are is another one.

use std::collections::VecDeque;
use std::panic::Location;
use std::task::{Poll, Waker};

use mazurka::future::{Access, Monitor};

use super::error::TryRecvError;
use crate::sync::counted::Handles;
use crate::sync::permits::{Permits, Place, Unavailable, Wakers, wake_all};

pub(super) type Site = &'static Location<'static>;

pub(super) struct Channel<T> {
    pub(super) state: Monitor<State<T>>,
    pub(super) senders: Handles,
    /// `None` if it is not bounded.
    pub(super) capacity: Option<usize>,
}

pub(super) struct State<T> {
    messages: VecDeque<T>,
    /// One for each place in the channel. There are none if it is not bounded.
    pub(super) room: Permits,
    /// Whether all senders are gone.
    has_no_sender: bool,
    /// Whether the receiver is closed.
    pub(super) is_closed: bool,
    /// The task that receives.
    receiver: Option<Waker>,
    /// The tasks that wait until the receiver is closed.
    closing: Vec<(u64, Waker)>,
    last: u64,
}

impl<T> State<T> {
    fn push(&mut self, message: T) -> Option<Waker> {
        self.messages.push_back(message);
        self.receiver.take()
    }
}

impl<T> Channel<T> {
    #[track_caller]
    pub(super) fn new(kind: &'static str, capacity: Option<usize>) -> Self {
        let state = State {
            messages: VecDeque::new(),
            room: Permits::new(capacity.unwrap_or(0)),
            has_no_sender: false,
            is_closed: false,
            receiver: None,
            closing: Vec::new(),
            last: 0,
        };
        let state = Monitor::new(kind, state);
        state.introduce();
        Channel { state, senders: Handles::one("senders"), capacity }
    }

    /// Sends without waiting.
    #[track_caller]
    pub(super) fn try_send(
        &self,
        name: &'static str,
        message: T,
        site: Site,
    ) -> Result<(), (T, Unavailable)> {
        let mut message = Some(message);
        let is_bounded = self.capacity.is_some();
        let sent = self.state.update(name, site, |state| {
            match is_bounded {
                true => state.room.check(1)?,
                false if state.is_closed => return Err(Unavailable::Closed),
                false => {}
            }
            if is_bounded {
                state.room.take(1);
            }
            Ok(message.take().and_then(|message| state.push(message)))
        });
        match (sent, message) {
            (Err(error), Some(message)) => Err((message, error)),
            (waker, _) => {
                wake_all(waker.ok().flatten().into_iter().collect());
                Ok(())
            }
        }
    }

    /// Sends once there is room. Returns whether the message was sent: otherwise the channel is closed.
    pub(super) fn poll_send(
        &self,
        place: &mut Place,
        message: &mut Option<T>,
        waker: &Waker,
        site: Site,
    ) -> Poll<bool> {
        let (mut old, mut receiver) = (Vec::new(), None);
        let poll = self.state.poll("send", site, |state| {
            if state.room.is_idle(place, waker) {
                return Poll::Pending;
            }
            let poll = state.room.poll(place, waker, &mut old);
            if poll == Poll::Ready(true) {
                receiver = message.take().and_then(|message| state.push(message));
            }
            poll
        });
        wake_all(receiver.into_iter().collect());
        poll
    }

    /// Acquires room.
    pub(super) fn poll_reserve(&self, place: &mut Place, waker: &Waker, site: Site) -> Poll<bool> {
        let mut old = Vec::new();
        self.state.poll("reserve", site, |state| match state.room.is_idle(place, waker) {
            true => Poll::Pending,
            false => state.room.poll(place, waker, &mut old),
        })
    }

    /// Acquires room if there is enough.
    #[track_caller]
    pub(super) fn try_reserve(&self, wanted: usize, site: Site) -> Result<(), Unavailable> {
        self.state.update("try_reserve", site, |state| {
            state.room.check(wanted)?;
            state.room.take(wanted);
            Ok(())
        })
    }

    /// Gives up a place in the queue for room.
    pub(super) fn cancel(&self, place: &mut Place, site: Site) {
        if place.is_queued() {
            let capacity = self.capacity;
            let (wakers, _own) = self.state.update_on_drop("cancel", site, |state| {
                let (mut wakers, own) = state.room.cancel(place);
                wakers.extend(receiver_of_idle(state, capacity));
                (wakers, own)
            });
            wake_all(wakers);
        }
    }

    /// Sends into room that was acquired before.
    #[track_caller]
    pub(super) fn send_reserved(&self, message: T, site: Site) {
        let waker = self.state.update("send", site, |state| state.push(message));
        wake_all(waker.into_iter().collect());
    }

    /// Gives back room that was acquired before.
    #[track_caller]
    pub(super) fn release(&self, released: usize, site: Site) {
        let capacity = self.capacity;
        wake_all(self.state.update_on_drop("release", site, |state| {
            let mut wakers = state.room.release(released);
            wakers.extend(receiver_of_idle(state, capacity));
            wakers
        }));
    }

    /// Polls for at most `most` messages, which are added to `messages`. Returns how many there were; with 0
    /// the channel is closed.
    pub(super) fn poll_recv(
        &self,
        messages: &mut Vec<T>,
        most: usize,
        waker: &Waker,
        site: Site,
    ) -> Poll<usize> {
        let (mut senders, mut old) = (Vec::new(), None);
        let capacity = self.capacity;
        let poll = self.state.poll("recv", site, |state| {
            let count = state.messages.len().min(most);
            if count > 0 {
                messages.extend(state.messages.drain(..count));
                senders = free(state, capacity, count);
                return Poll::Ready(count);
            }
            if is_over(state, capacity) {
                return Poll::Ready(0);
            }
            if !state.receiver.as_ref().is_some_and(|known| known.will_wake(waker)) {
                old = state.receiver.replace(waker.clone());
            }
            Poll::Pending
        });
        wake_all(senders);
        poll
    }

    #[track_caller]
    pub(super) fn try_recv(&self, site: Site) -> Result<T, TryRecvError> {
        let mut senders = Vec::new();
        let capacity = self.capacity;
        let received = self.state.update("try_recv", site, |state| {
            if state.messages.is_empty() {
                return Err(match is_over(state, capacity) {
                    true => TryRecvError::Disconnected,
                    false => TryRecvError::Empty,
                });
            }
            let message = state.messages.pop_front();
            senders = free(state, capacity, 1);
            message.ok_or(TryRecvError::Empty)
        });
        wake_all(senders);
        received
    }

    /// Closes the receiver, and returns the messages if it is dropped.
    #[track_caller]
    pub(super) fn close(&self, name: &'static str, is_dropped: bool, site: Site) -> VecDeque<T> {
        let (wakers, messages, _own) = self.state.update_on_drop(name, site, |state| {
            state.is_closed = true;
            let mut wakers = state.room.close();
            wakers.extend(state.closing.drain(..).map(|(_, waker)| waker));
            match is_dropped {
                true => (wakers, std::mem::take(&mut state.messages), state.receiver.take()),
                false => (wakers, VecDeque::new(), None),
            }
        });
        wake_all(wakers);
        messages
    }

    /// One sender less.
    #[track_caller]
    pub(super) fn remove_sender(&self, site: Site) {
        if self.senders.remove() {
            let waker = self.state.update_on_drop("drop last sender", site, |state| {
                state.has_no_sender = true;
                state.receiver.take()
            });
            wake_all(waker.into_iter().collect());
        }
    }

    /// Polls whether the receiver is closed. `number` identifies the future.
    pub(super) fn poll_closed(
        &self,
        number: &mut Option<u64>,
        waker: &Waker,
        site: Site,
    ) -> Poll<()> {
        let mut old = None;
        self.state.poll("closed", site, |state| {
            if state.is_closed {
                return Poll::Ready(());
            }
            let index = state.closing.iter().position(|(known, _)| Some(*known) == *number);
            match index {
                Some(index) if state.closing[index].1.will_wake(waker) => {}
                Some(index) => {
                    old = Some(std::mem::replace(&mut state.closing[index].1, waker.clone()));
                }
                None => {
                    state.last += 1;
                    *number = Some(state.last);
                    let entry = (state.last, waker.clone());
                    state.closing.push(entry);
                }
            }
            Poll::Pending
        })
    }

    /// Forgets a future that waits until the receiver is closed.
    pub(super) fn cancel_closed(&self, number: u64, site: Site) {
        let _old = self.state.update_on_drop("cancel", site, |state| {
            let index = state.closing.iter().position(|(known, _)| *known == number)?;
            Some(state.closing.swap_remove(index))
        });
    }

    #[track_caller]
    pub(super) fn is_closed(&self, site: Site) -> bool {
        self.state.read("is_closed", site, |state| state.is_closed)
    }

    /// Returns whether the receiver is closed, or no sender is left.
    #[track_caller]
    pub(super) fn is_closed_for_receiver(&self, site: Site) -> bool {
        self.state.read("is_closed", site, |state| state.is_closed || state.has_no_sender)
    }

    #[track_caller]
    pub(super) fn len(&self, site: Site) -> usize {
        self.state.read("len", site, |state| state.messages.len())
    }

    #[track_caller]
    pub(super) fn room(&self, site: Site) -> usize {
        self.state.read("capacity", site, |state| state.room.available())
    }
}

/// Makes room in a bounded channel.
fn free<T>(state: &mut Access<'_, State<T>>, capacity: Option<usize>, count: usize) -> Wakers {
    match capacity {
        Some(_) => state.room.release(count),
        None => Vec::new(),
    }
}

/// Returns whether no message can come any more.
fn is_over<T>(state: &State<T>, capacity: Option<usize>) -> bool {
    let is_idle = capacity.is_none_or(|capacity| state.room.available() == capacity);
    state.messages.is_empty() && (state.has_no_sender || state.is_closed && is_idle)
}

/// Returns the waker of a receiver that waits for nothing any more.
fn receiver_of_idle<T>(state: &mut Access<'_, State<T>>, capacity: Option<usize>) -> Option<Waker> {
    match state.is_closed && is_over(state, capacity) {
        true => state.receiver.take(),
        false => None,
    }
}
