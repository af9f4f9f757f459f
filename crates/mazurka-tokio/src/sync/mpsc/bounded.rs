//! Bounded channels.

use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::Location;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use super::channel::{Channel, Site};
use super::error::{SendError, SendTimeoutError, TryRecvError, TrySendError};
use super::sender::sender;
use crate::sync::permits::{Place, Unavailable};

/// Creates a channel with room for `capacity` messages.
///
/// # Panics
///
/// If the capacity is 0.
#[track_caller]
pub fn channel<T>(capacity: usize) -> (Sender<T>, Receiver<T>) {
    assert!(capacity > 0, "mpsc bounded channel requires buffer > 0");
    let channel = Arc::new(Channel::new("mpsc::channel", Some(capacity)));
    (Sender { channel: Arc::clone(&channel) }, Receiver { channel })
}

/// A sender of a bounded channel.
pub struct Sender<T> {
    channel: Arc<Channel<T>>,
}

/// A future that has a place in the queue for room.
struct Queued<'a, T> {
    channel: &'a Channel<T>,
    place: Place,
    site: Site,
}

impl<T> Drop for Queued<'_, T> {
    fn drop(&mut self) {
        self.channel.cancel(&mut self.place, self.site);
    }
}

/// A future that waits until the receiver is closed.
struct Closing<'a, T> {
    channel: &'a Channel<T>,
    number: Option<u64>,
    site: Site,
}

impl<T> Drop for Closing<'_, T> {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            self.channel.cancel_closed(number, self.site);
        }
    }
}

pub(super) async fn closed<T>(channel: &Channel<T>, site: Site) {
    let mut closing = Closing { channel, number: None, site };
    poll_fn(|context| {
        let poll = channel.poll_closed(&mut closing.number, context.waker(), site);
        if poll.is_ready() {
            closing.number = None;
        }
        poll
    })
    .await;
}

impl<T> Sender<T> {
    /// Sends a message, and waits for room.
    #[track_caller]
    pub fn send(&self, message: T) -> impl Future<Output = Result<(), SendError<T>>> {
        let site = Location::caller();
        async move {
            let mut queued = Queued { channel: &self.channel, place: Place::new(1), site };
            let mut message = Some(message);
            poll_fn(|context| {
                self.channel.poll_send(&mut queued.place, &mut message, context.waker(), site)
            })
            .await;
            message.map_or(Ok(()), |message| Err(SendError(message)))
        }
    }

    /// Sends a message, unless there is no room for some time.
    #[track_caller]
    pub fn send_timeout(
        &self,
        message: T,
        timeout: Duration,
    ) -> impl Future<Output = Result<(), SendTimeoutError<T>>> {
        let reserve = crate::time::timeout(timeout, self.reserve());
        async move {
            match reserve.await {
                Err(_) => Err(SendTimeoutError::Timeout(message)),
                Ok(Err(_)) => Err(SendTimeoutError::Closed(message)),
                Ok(Ok(permit)) => {
                    permit.send(message);
                    Ok(())
                }
            }
        }
    }

    /// Sends a message if there is room.
    ///
    /// # Errors
    ///
    /// Returns the message if there is no room, or if the receiver is closed.
    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        let sent = self.channel.try_send("try_send", message, Location::caller());
        sent.map_err(|(message, error)| match error {
            Unavailable::Closed => TrySendError::Closed(message),
            Unavailable::NoPermits => TrySendError::Full(message),
        })
    }

    /// Sends a message, and blocks the current thread until there is room.
    ///
    /// # Errors
    ///
    /// Returns the message if the receiver is closed.
    #[track_caller]
    pub fn blocking_send(&self, message: T) -> Result<(), SendError<T>> {
        mazurka::future::block_on(self.send(message))
    }

    async fn acquire(&self, wanted: usize, site: Site) -> Result<(), SendError<()>> {
        let mut queued = Queued { channel: &self.channel, place: Place::new(wanted), site };
        let is_granted =
            poll_fn(|context| self.channel.poll_reserve(&mut queued.place, context.waker(), site))
                .await;
        if is_granted { Ok(()) } else { Err(SendError(())) }
    }

    /// Waits for room for one message.
    #[track_caller]
    pub fn reserve(&self) -> impl Future<Output = Result<Permit<'_, T>, SendError<()>>> {
        let site = Location::caller();
        async move {
            self.acquire(1, site).await?;
            Ok(Permit { channel: &self.channel, site })
        }
    }

    /// Waits for room for several messages.
    #[track_caller]
    pub fn reserve_many(
        &self,
        n: usize,
    ) -> impl Future<Output = Result<PermitIterator<'_, T>, SendError<()>>> {
        let site = Location::caller();
        async move {
            if Some(n) > self.channel.capacity {
                return Err(SendError(()));
            }
            self.acquire(n, site).await?;
            Ok(PermitIterator { channel: &self.channel, n, site })
        }
    }

    /// Waits for room for one message. The permit owns the sender.
    #[track_caller]
    pub fn reserve_owned(self) -> impl Future<Output = Result<OwnedPermit<T>, SendError<()>>> {
        let site = Location::caller();
        async move {
            self.acquire(1, site).await?;
            Ok(OwnedPermit { sender: Some(self), site })
        }
    }

    /// Takes room for one message if there is some.
    ///
    /// # Errors
    ///
    /// If there is no room, or if the receiver is closed.
    #[track_caller]
    pub fn try_reserve(&self) -> Result<Permit<'_, T>, TrySendError<()>> {
        let site = Location::caller();
        self.channel.try_reserve(1, site).map_err(unavailable(()))?;
        Ok(Permit { channel: &self.channel, site })
    }

    /// Takes room for several messages if there is enough.
    ///
    /// # Errors
    ///
    /// If there is not enough room, or if the receiver is closed.
    #[track_caller]
    pub fn try_reserve_many(&self, n: usize) -> Result<PermitIterator<'_, T>, TrySendError<()>> {
        let site = Location::caller();
        self.channel.try_reserve(n, site).map_err(unavailable(()))?;
        Ok(PermitIterator { channel: &self.channel, n, site })
    }

    /// Takes room for one message if there is some. The permit owns the sender.
    ///
    /// # Errors
    ///
    /// Returns the sender if there is no room, or if the receiver is closed.
    #[track_caller]
    pub fn try_reserve_owned(self) -> Result<OwnedPermit<T>, TrySendError<Self>> {
        let site = Location::caller();
        match self.channel.try_reserve(1, site) {
            Ok(()) => Ok(OwnedPermit { sender: Some(self), site }),
            Err(error) => Err(unavailable(self)(error)),
        }
    }

    /// Returns how many messages there is room for.
    #[track_caller]
    pub fn capacity(&self) -> usize {
        self.channel.room(Location::caller())
    }

    /// Returns how many messages there is room for in an empty channel.
    pub fn max_capacity(&self) -> usize {
        self.channel.capacity.unwrap_or(0)
    }
}

fn unavailable<T>(value: T) -> impl FnOnce(Unavailable) -> TrySendError<T> {
    move |error| match error {
        Unavailable::Closed => TrySendError::Closed(value),
        Unavailable::NoPermits => TrySendError::Full(value),
    }
}

sender!(Sender, WeakSender);

/// Room for one message.
#[must_use = "the room is released when the permit is dropped"]
pub struct Permit<'a, T> {
    channel: &'a Channel<T>,
    site: Site,
}

impl<T> Permit<'_, T> {
    /// Sends a message.
    #[track_caller]
    pub fn send(self, message: T) {
        self.channel.send_reserved(message, Location::caller());
        std::mem::forget(self);
    }
}

impl<T> Drop for Permit<'_, T> {
    fn drop(&mut self) {
        self.channel.release(1, self.site);
    }
}

impl<T> fmt::Debug for Permit<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit").finish_non_exhaustive()
    }
}

/// Room for several messages.
#[must_use = "the room is released when the permits are dropped"]
pub struct PermitIterator<'a, T> {
    channel: &'a Channel<T>,
    n: usize,
    site: Site,
}

impl<'a, T> Iterator for PermitIterator<'a, T> {
    type Item = Permit<'a, T>;

    fn next(&mut self) -> Option<Self::Item> {
        self.n = self.n.checked_sub(1)?;
        Some(Permit { channel: self.channel, site: self.site })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.n, Some(self.n))
    }
}

impl<T> ExactSizeIterator for PermitIterator<'_, T> {}

impl<T> Drop for PermitIterator<'_, T> {
    fn drop(&mut self) {
        if self.n > 0 {
            self.channel.release(self.n, self.site);
        }
    }
}

impl<T> fmt::Debug for PermitIterator<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PermitIterator").field("n", &self.n).finish_non_exhaustive()
    }
}

/// Room for one message, which owns the sender.
#[must_use = "the room is released when the permit is dropped"]
pub struct OwnedPermit<T> {
    sender: Option<Sender<T>>,
    site: Site,
}

impl<T> OwnedPermit<T> {
    /// Sends a message, and returns the sender.
    ///
    /// # Panics
    ///
    /// Never: a permit is used once.
    #[track_caller]
    pub fn send(mut self, message: T) -> Sender<T> {
        let sender = self.sender.take().expect("a permit is used once");
        sender.channel.send_reserved(message, Location::caller());
        sender
    }

    /// Releases the room, and returns the sender.
    ///
    /// # Panics
    ///
    /// Never: a permit is used once.
    #[track_caller]
    pub fn release(mut self) -> Sender<T> {
        let sender = self.sender.take().expect("a permit is used once");
        sender.channel.release(1, Location::caller());
        sender
    }
}

impl<T> Drop for OwnedPermit<T> {
    fn drop(&mut self) {
        if let Some(sender) = self.sender.take() {
            sender.channel.release(1, self.site);
        }
    }
}

impl<T> fmt::Debug for OwnedPermit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedPermit").finish_non_exhaustive()
    }
}

/// The receiver of a bounded channel.
pub struct Receiver<T> {
    channel: Arc<Channel<T>>,
}

macro_rules! receiver {
    ($name:ident) => {
        impl<T> $name<T> {
            /// Receives the next message, or `None` if the channel is empty and closed.
            #[track_caller]
            pub fn recv(&mut self) -> impl Future<Output = Option<T>> {
                let site = Location::caller();
                poll_fn(move |context| self.poll_recv_at(context, site))
            }

            /// Receives at most `limit` messages into `buffer`, but waits for the first one. Returns how
            /// many there were.
            #[track_caller]
            pub fn recv_many(
                &mut self,
                buffer: &mut Vec<T>,
                limit: usize,
            ) -> impl Future<Output = usize> {
                let site = Location::caller();
                poll_fn(move |context| match limit {
                    0 => Poll::Ready(0),
                    _ => self.channel.poll_recv(buffer, limit, context.waker(), site),
                })
            }

            /// Polls for the next message.
            #[track_caller]
            pub fn poll_recv(&mut self, context: &mut Context<'_>) -> Poll<Option<T>> {
                self.poll_recv_at(context, Location::caller())
            }

            /// Polls for at most `limit` messages.
            #[track_caller]
            pub fn poll_recv_many(
                &mut self,
                context: &mut Context<'_>,
                buffer: &mut Vec<T>,
                limit: usize,
            ) -> Poll<usize> {
                match limit {
                    0 => Poll::Ready(0),
                    _ => self.channel.poll_recv(buffer, limit, context.waker(), Location::caller()),
                }
            }

            fn poll_recv_at(&mut self, context: &mut Context<'_>, site: Site) -> Poll<Option<T>> {
                let mut messages = Vec::new();
                let poll = self.channel.poll_recv(&mut messages, 1, context.waker(), site);
                poll.map(|_| messages.pop())
            }

            /// Receives the next message if there is one.
            ///
            /// # Errors
            ///
            /// If the channel is empty.
            #[track_caller]
            pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
                self.channel.try_recv(Location::caller())
            }

            /// Receives the next message, and blocks the current thread meanwhile.
            #[track_caller]
            pub fn blocking_recv(&mut self) -> Option<T> {
                mazurka::future::block_on(self.recv())
            }

            /// Closes the channel: nothing can be sent any more. Messages that were sent before can be
            /// received.
            #[track_caller]
            pub fn close(&mut self) {
                self.channel.close("close", false, Location::caller());
            }

            /// Returns whether nothing can be sent any more.
            #[track_caller]
            pub fn is_closed(&self) -> bool {
                self.channel.is_closed_for_receiver(Location::caller())
            }

            /// Returns whether there is no message.
            #[track_caller]
            pub fn is_empty(&self) -> bool {
                self.channel.len(Location::caller()) == 0
            }

            /// Returns the number of messages.
            #[track_caller]
            pub fn len(&self) -> usize {
                self.channel.len(Location::caller())
            }

            /// Returns the number of senders.
            #[track_caller]
            pub fn sender_strong_count(&self) -> usize {
                self.channel.senders.count()
            }
        }

        impl<T> Drop for $name<T> {
            #[track_caller]
            fn drop(&mut self) {
                drop(self.channel.close("drop receiver", true, Location::caller()));
            }
        }

        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}
pub(super) use receiver;

receiver!(Receiver);

impl<T> Receiver<T> {
    /// Returns how many messages there is room for.
    #[track_caller]
    pub fn capacity(&self) -> usize {
        self.channel.room(Location::caller())
    }

    /// Returns how many messages there is room for in an empty channel.
    pub fn max_capacity(&self) -> usize {
        self.channel.capacity.unwrap_or(0)
    }
}
