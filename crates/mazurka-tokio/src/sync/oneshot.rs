//! A channel for one value.

use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use mazurka::future::Monitor;

/// The errors of this channel.
pub mod error {
    use std::fmt;

    /// The sender was dropped without sending.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RecvError(pub(super) ());

    impl fmt::Display for RecvError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("channel closed")
        }
    }

    impl std::error::Error for RecvError {}

    /// There is no value.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum TryRecvError {
        /// The sender has not sent yet.
        Empty,
        /// The sender was dropped without sending, or the value was received.
        Closed,
    }

    impl fmt::Display for TryRecvError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(match self {
                TryRecvError::Empty => "channel empty",
                TryRecvError::Closed => "channel closed",
            })
        }
    }

    impl std::error::Error for TryRecvError {}
}

use error::{RecvError, TryRecvError};

struct State<T> {
    value: Option<T>,
    /// Whether the sender has sent, or is gone.
    is_complete: bool,
    /// Whether the receiver does not want a value.
    is_closed: bool,
    receiver: Option<Waker>,
    sender: Option<Waker>,
}

type Shared<T> = Arc<Monitor<State<T>>>;

/// Creates a channel for one value.
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let state =
        State { value: None, is_complete: false, is_closed: false, receiver: None, sender: None };
    let shared = Arc::new(Monitor::new("oneshot", state));
    shared.introduce();
    let sender = Sender { shared: Some(Arc::clone(&shared)) };
    (sender, Receiver { shared: Some(shared), site: Location::caller() })
}

/// The sender of a value.
pub struct Sender<T> {
    shared: Option<Shared<T>>,
}

impl<T> Sender<T> {
    /// Sends the value.
    ///
    /// # Errors
    ///
    /// Returns the value if the receiver does not want it.
    #[track_caller]
    pub fn send(mut self, value: T) -> Result<(), T> {
        let Some(shared) = self.shared.take() else { return Err(value) };
        let mut value = Some(value);
        let (receiver, _sender) = shared.update("send", Location::caller(), |state| {
            state.is_complete = true;
            if !state.is_closed {
                state.value = value.take();
            }
            (state.receiver.take(), state.sender.take())
        });
        if let Some(waker) = receiver {
            waker.wake();
        }
        value.map_or(Ok(()), Err)
    }

    /// Waits until the receiver is closed or dropped.
    #[track_caller]
    pub fn closed(&mut self) -> impl Future<Output = ()> {
        let site = Location::caller();
        poll_fn(move |context| self.poll_closed_at(context, site))
    }

    /// Polls whether the receiver is closed or dropped.
    #[track_caller]
    pub fn poll_closed(&mut self, context: &mut Context<'_>) -> Poll<()> {
        self.poll_closed_at(context, Location::caller())
    }

    fn poll_closed_at(
        &mut self,
        context: &mut Context<'_>,
        site: &'static Location<'static>,
    ) -> Poll<()> {
        let Some(shared) = &self.shared else { return Poll::Ready(()) };
        let mut old = None;
        shared.poll("closed", site, |state| {
            if state.is_closed {
                return Poll::Ready(());
            }
            if !state.sender.as_ref().is_some_and(|known| known.will_wake(context.waker())) {
                old = state.sender.replace(context.waker().clone());
            }
            Poll::Pending
        })
    }

    /// Returns whether the receiver is closed or dropped.
    #[track_caller]
    pub fn is_closed(&self) -> bool {
        let look = |shared: &Shared<T>| {
            shared.read("is_closed", Location::caller(), |state| state.is_closed)
        };
        self.shared.as_ref().is_none_or(look)
    }
}

impl<T> Drop for Sender<T> {
    #[track_caller]
    fn drop(&mut self) {
        let Some(shared) = self.shared.take() else { return };
        let (receiver, _sender) =
            shared.update_on_drop("drop sender", Location::caller(), |state| {
                state.is_complete = true;
                (state.receiver.take(), state.sender.take())
            });
        if let Some(waker) = receiver {
            waker.wake();
        }
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

/// The receiver of a value: a future.
#[must_use = "futures do nothing unless polled"]
pub struct Receiver<T> {
    /// `None` once the value was received.
    shared: Option<Shared<T>>,
    site: &'static Location<'static>,
}

impl<T> Unpin for Receiver<T> {}

impl<T> Receiver<T> {
    /// Refuses a value from now on. A value that was sent before can be received.
    #[track_caller]
    pub fn close(&mut self) {
        if let Some(shared) = &self.shared {
            let waker = shared.update("close", Location::caller(), |state| {
                state.is_closed = true;
                state.sender.take()
            });
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }

    /// Receives the value if it is there.
    ///
    /// # Errors
    ///
    /// If it is not.
    #[track_caller]
    pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
        let Some(shared) = &self.shared else { return Err(TryRecvError::Closed) };
        let received = shared.update("try_recv", Location::caller(), |state| {
            match (state.value.is_some(), state.is_complete || state.is_closed) {
                (true, _) => state.value.take().ok_or(TryRecvError::Closed),
                (false, true) => Err(TryRecvError::Closed),
                (false, false) => Err(TryRecvError::Empty),
            }
        });
        if !matches!(received, Err(TryRecvError::Empty)) {
            self.shared = None;
        }
        received
    }

    /// Receives the value, and blocks the current thread meanwhile.
    ///
    /// # Errors
    ///
    /// If the sender was dropped without sending.
    #[track_caller]
    pub fn blocking_recv(self) -> Result<T, RecvError> {
        mazurka::future::block_on(self)
    }

    /// Returns whether there is no value now.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        let look = |shared: &Shared<T>| {
            shared.read("is_empty", Location::caller(), |state| state.value.is_none())
        };
        self.shared.as_ref().is_none_or(look)
    }

    /// Returns whether the value was received.
    pub fn is_terminated(&self) -> bool {
        self.shared.is_none()
    }
}

impl<T> Future for Receiver<T> {
    type Output = Result<T, RecvError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(shared) = &self.shared else {
            panic!("called after complete");
        };
        let mut old = None;
        let poll = shared.poll("recv", self.site, |state| {
            if state.value.is_some() {
                old = state.receiver.take();
                return Poll::Ready(state.value.take().ok_or(RecvError(())));
            }
            if state.is_complete || state.is_closed {
                return Poll::Ready(Err(RecvError(())));
            }
            if !state.receiver.as_ref().is_some_and(|known| known.will_wake(context.waker())) {
                old = state.receiver.replace(context.waker().clone());
            }
            Poll::Pending
        });
        drop(old);
        if poll.is_ready() {
            self.shared = None;
        }
        poll
    }
}

impl<T> Drop for Receiver<T> {
    #[track_caller]
    fn drop(&mut self) {
        let Some(shared) = self.shared.take() else { return };
        let (sender, _rest) = shared.update_on_drop("drop receiver", Location::caller(), |state| {
            state.is_closed = true;
            (state.sender.take(), (state.receiver.take(), state.value.take()))
        });
        if let Some(waker) = sender {
            waker.wake();
        }
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}
