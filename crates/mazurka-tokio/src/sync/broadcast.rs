//! A channel whose messages every receiver gets.

use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::Location;
use std::sync::Arc;
use std::task::{Poll, Waker};

use mazurka::future::{Access, Monitor};

use super::counted::Handles;
use super::permits::wake_all;

type Site = &'static Location<'static>;

/// The errors of this channel.
pub mod error {
    use std::fmt;

    /// There is no receiver: the value was not sent.
    #[derive(Debug)]
    pub struct SendError<T>(pub T);

    impl<T> fmt::Display for SendError<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("channel closed")
        }
    }

    impl<T: fmt::Debug> std::error::Error for SendError<T> {}

    /// No value was received.
    #[derive(Debug, PartialEq, Eq, Clone)]
    pub enum RecvError {
        /// No sender is left, and all values were received.
        Closed,
        /// The receiver was too slow, and has missed this many values.
        Lagged(u64),
    }

    impl fmt::Display for RecvError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                RecvError::Closed => f.write_str("channel closed"),
                RecvError::Lagged(missed) => write!(f, "channel lagged by {missed}"),
            }
        }
    }

    impl std::error::Error for RecvError {}

    /// No value was received at once.
    #[derive(Debug, PartialEq, Eq, Clone)]
    pub enum TryRecvError {
        /// There is no value.
        Empty,
        /// No sender is left, and all values were received.
        Closed,
        /// The receiver was too slow, and has missed this many values.
        Lagged(u64),
    }

    impl fmt::Display for TryRecvError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                TryRecvError::Empty => f.write_str("channel empty"),
                TryRecvError::Closed => f.write_str("channel closed"),
                TryRecvError::Lagged(missed) => write!(f, "channel lagged by {missed}"),
            }
        }
    }

    impl std::error::Error for TryRecvError {}
}

use error::{RecvError, SendError, TryRecvError};

struct State<T> {
    /// The values that some receiver may still get, the oldest first.
    values: VecDeque<Slot<T>>,
    /// The position of the next value.
    next: u64,
    /// The most values that are kept.
    capacity: usize,
    receivers: usize,
    is_closed: bool,
    /// The tasks that receive, by the numbers of their futures.
    waiting: Vec<(u64, Waker)>,
    /// The tasks that wait until there is no receiver.
    closing: Vec<(u64, Waker)>,
    last: u64,
}

struct Slot<T> {
    value: Arc<T>,
    position: u64,
    /// How many receivers have not got it yet.
    missing: usize,
}

impl<T> State<T> {
    /// Takes the value at a position for one receiver. A value that all have got is added to `old`.
    fn take(&mut self, position: u64, old: &mut Vec<Arc<T>>) -> Option<Arc<T>> {
        let index = self.values.iter().position(|slot| slot.position == position)?;
        let slot = &mut self.values[index];
        let value = Arc::clone(&slot.value);
        slot.missing -= 1;
        if slot.missing == 0 {
            old.extend(self.values.remove(index).map(|slot| slot.value));
        }
        Some(value)
    }

    /// The position of the oldest value that is kept for receivers.
    fn oldest(&self) -> u64 {
        self.next.saturating_sub(self.capacity as u64)
    }
}

struct Channel<T> {
    state: Monitor<State<T>>,
    senders: Handles,
}

/// Creates a channel that keeps at least `capacity` values. As in tokio, it is the next power of two.
///
/// # Panics
///
/// If the capacity is 0.
#[track_caller]
pub fn channel<T: Clone>(capacity: usize) -> (Sender<T>, Receiver<T>) {
    let sender = Sender::of_capacity(capacity, 1);
    let receiver = Receiver { channel: Arc::clone(&sender.channel), next: 0 };
    (sender, receiver)
}

/// A sender.
pub struct Sender<T> {
    channel: Arc<Channel<T>>,
}

impl<T> Sender<T> {
    /// Creates a sender without a receiver.
    #[track_caller]
    pub fn new(capacity: usize) -> Self {
        Sender::of_capacity(capacity, 0)
    }

    #[track_caller]
    fn of_capacity(capacity: usize, receivers: usize) -> Self {
        assert!(capacity > 0, "broadcast channel capacity cannot be zero");
        let state = State {
            values: VecDeque::new(),
            next: 0,
            capacity: capacity.next_power_of_two(),
            receivers,
            is_closed: false,
            waiting: Vec::new(),
            closing: Vec::new(),
            last: 0,
        };
        let state = Monitor::new("broadcast::channel", state);
        state.introduce();
        Sender { channel: Arc::new(Channel { state, senders: Handles::one("senders") }) }
    }

    /// Sends a value to all receivers, and returns how many there are.
    ///
    /// # Errors
    ///
    /// Returns the value if there is no receiver.
    #[track_caller]
    pub fn send(&self, value: T) -> Result<usize, SendError<T>> {
        let mut value = Some(value);
        let (receivers, wakers, _old) =
            self.channel.state.update("send", Location::caller(), |state| {
                if state.receivers == 0 {
                    return (0, Vec::new(), None);
                }
                let (position, missing) = (state.next, state.receivers);
                let value = value.take().map(Arc::new);
                state.values.extend(value.map(|value| Slot { value, position, missing }));
                state.next += 1;
                let oldest = state.oldest();
                let is_old = state.values.front().is_some_and(|slot| slot.position < oldest);
                let old = if is_old { state.values.pop_front() } else { None };
                let wakers = state.waiting.drain(..).map(|(_, waker)| waker).collect();
                (missing, wakers, old)
            });
        wake_all(wakers);
        match value {
            Some(value) => Err(SendError(value)),
            None => Ok(receivers),
        }
    }

    /// Creates a receiver of the values that are sent from now on.
    #[track_caller]
    pub fn subscribe(&self) -> Receiver<T> {
        subscribe(&self.channel, Location::caller())
    }

    /// Returns the number of values that some receiver has not got yet.
    #[track_caller]
    pub fn len(&self) -> usize {
        self.channel.state.read("len", Location::caller(), |state| state.values.len())
    }

    /// Returns whether all receivers have got all values.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of receivers.
    #[track_caller]
    pub fn receiver_count(&self) -> usize {
        self.channel.state.read("receiver_count", Location::caller(), |state| state.receivers)
    }

    /// Returns whether both senders are of the same channel.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.channel, &other.channel)
    }

    /// Returns the number of senders.
    #[track_caller]
    pub fn strong_count(&self) -> usize {
        self.channel.senders.count()
    }

    /// Waits until there is no receiver.
    #[track_caller]
    pub fn closed(&self) -> impl Future<Output = ()> {
        let site = Location::caller();
        let mut number = None;
        poll_fn(move |context| {
            let mut old = None;
            self.channel.state.poll("closed", site, |state| {
                if state.receivers == 0 {
                    return Poll::Ready(());
                }
                old = register(state, |state| &mut state.closing, &mut number, context.waker());
                Poll::Pending
            })
        })
    }
}

/// Registers the waker of a future in one of the lists. Returns the waker that it replaces.
fn register<T>(
    state: &mut Access<'_, State<T>>,
    list: impl Fn(&mut State<T>) -> &mut Vec<(u64, Waker)>,
    number: &mut Option<u64>,
    waker: &Waker,
) -> Option<Waker> {
    let index = list(state).iter().position(|(known, _)| Some(*known) == *number);
    match index {
        Some(index) => Some(std::mem::replace(&mut list(state)[index].1, waker.clone())),
        None => {
            state.last += 1;
            let own = *number.insert(state.last);
            list(state).push((own, waker.clone()));
            None
        }
    }
}

#[track_caller]
fn subscribe<T>(channel: &Arc<Channel<T>>, site: Site) -> Receiver<T> {
    let next = channel.state.update("subscribe", site, |state| {
        state.receivers += 1;
        state.next
    });
    Receiver { channel: Arc::clone(channel), next }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        self.channel.senders.add();
        Sender { channel: Arc::clone(&self.channel) }
    }
}

impl<T> Drop for Sender<T> {
    #[track_caller]
    fn drop(&mut self) {
        if self.channel.senders.remove() {
            wake_all(self.channel.state.update_on_drop(
                "drop last sender",
                Location::caller(),
                |state| {
                    state.is_closed = true;
                    state.waiting.drain(..).map(|(_, waker)| waker).collect()
                },
            ));
        }
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("broadcast::Sender")
    }
}

/// A receiver.
pub struct Receiver<T> {
    channel: Arc<Channel<T>>,
    /// The position of the value that it gets next.
    next: u64,
}

/// A future that may be registered as one that receives.
struct Waiting<'a, T> {
    channel: &'a Channel<T>,
    number: Option<u64>,
    site: Site,
}

impl<T> Drop for Waiting<'_, T> {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            let _old = self.channel.state.update_on_drop("cancel", self.site, |state| {
                let index = state.waiting.iter().position(|(known, _)| *known == number)?;
                Some(state.waiting.swap_remove(index))
            });
        }
    }
}

/// Looks for the value at a position, which goes on to the next one. A value that all receivers have got is
/// added to `old`.
fn look<T>(
    state: &mut Access<'_, State<T>>,
    next: &mut u64,
    old: &mut Vec<Arc<T>>,
) -> Result<Arc<T>, TryRecvError> {
    if *next == state.next {
        return Err(if state.is_closed { TryRecvError::Closed } else { TryRecvError::Empty });
    }
    let oldest = state.oldest();
    if *next < oldest {
        let missed = oldest - std::mem::replace(next, oldest);
        return Err(TryRecvError::Lagged(missed));
    }
    *next += 1;
    state.take(*next - 1, old).ok_or(TryRecvError::Empty)
}

impl<T> Receiver<T> {
    /// Returns the number of values that this receiver has not got yet.
    #[track_caller]
    pub fn len(&self) -> usize {
        let next = self.next;
        self.channel.state.read("len", Location::caller(), |state| (state.next - next) as usize)
    }

    /// Returns whether this receiver has got all values.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether both receivers are of the same channel.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.channel, &other.channel)
    }

    /// Returns whether no sender is left.
    #[track_caller]
    pub fn is_closed(&self) -> bool {
        self.channel.state.read("is_closed", Location::caller(), |state| state.is_closed)
    }

    /// Creates a receiver of the values that are sent from now on.
    #[track_caller]
    pub fn resubscribe(&self) -> Self {
        subscribe(&self.channel, Location::caller())
    }
}

impl<T: Clone> Receiver<T> {
    /// Receives the next value.
    #[track_caller]
    pub fn recv(&mut self) -> impl Future<Output = Result<T, RecvError>> {
        let site = Location::caller();
        async move {
            let Receiver { channel, next } = self;
            let mut waiting = Waiting { channel, number: None, site };
            poll_fn(|context| {
                let (mut old, mut waker) = (Vec::new(), None);
                let poll = channel.state.poll("recv", site, |state| {
                    let number = &mut waiting.number;
                    match look(state, next, &mut old) {
                        Err(TryRecvError::Empty) => {
                            waker = register(
                                state,
                                |state| &mut state.waiting,
                                number,
                                context.waker(),
                            );
                            Poll::Pending
                        }
                        Err(TryRecvError::Closed) => Poll::Ready(Err(RecvError::Closed)),
                        Err(TryRecvError::Lagged(missed)) => {
                            Poll::Ready(Err(RecvError::Lagged(missed)))
                        }
                        Ok(value) => Poll::Ready(Ok(value)),
                    }
                });
                drop((old, waker));
                poll
            })
            .await
            .map(|value| T::clone(&value))
        }
    }

    /// Receives the next value if there is one.
    ///
    /// # Errors
    ///
    /// If there is none, or if values were missed.
    #[track_caller]
    pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
        let mut old = Vec::new();
        let Receiver { channel, next } = self;
        let value = channel
            .state
            .update("try_recv", Location::caller(), |state| look(state, next, &mut old));
        value.map(|value| T::clone(&value))
    }

    /// Receives the next value, and blocks the current thread meanwhile.
    ///
    /// # Errors
    ///
    /// If no sender is left, or if values were missed.
    #[track_caller]
    pub fn blocking_recv(&mut self) -> Result<T, RecvError> {
        mazurka::future::block_on(self.recv())
    }
}

impl<T> Drop for Receiver<T> {
    #[track_caller]
    fn drop(&mut self) {
        let next = self.next;
        let (wakers, _old) =
            self.channel.state.update_on_drop("drop receiver", Location::caller(), |state| {
                state.receivers -= 1;
                let mut old = Vec::new();
                for position in next.max(state.oldest())..state.next {
                    state.take(position, &mut old);
                }
                let closing = if state.receivers == 0 {
                    std::mem::take(&mut state.closing)
                } else {
                    Vec::new()
                };
                (closing.into_iter().map(|(_, waker)| waker).collect(), old)
            });
        wake_all(wakers);
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("broadcast::Receiver")
    }
}
