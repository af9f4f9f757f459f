//! Channels without a bound.

use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::Location;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};

use super::bounded::{closed, receiver};
use super::channel::{Channel, Site};
use super::error::{SendError, TryRecvError};

/// Creates a channel without a bound.
#[track_caller]
pub fn unbounded_channel<T>() -> (UnboundedSender<T>, UnboundedReceiver<T>) {
    let channel = Arc::new(Channel::new("mpsc::unbounded_channel", None));
    (UnboundedSender { channel: Arc::clone(&channel) }, UnboundedReceiver { channel })
}

/// A sender of a channel without a bound.
pub struct UnboundedSender<T> {
    channel: Arc<Channel<T>>,
}

impl<T> UnboundedSender<T> {
    /// Sends a message.
    ///
    /// # Errors
    ///
    /// Returns the message if the receiver is closed.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        let sent = self.channel.try_send("send", message, Location::caller());
        sent.map_err(|(message, _)| SendError(message))
    }

    /// Waits until the receiver is closed.
    #[track_caller]
    pub fn closed(&self) -> impl Future<Output = ()> {
        closed(&self.channel, Location::caller())
    }

    /// Returns whether the receiver is closed.
    #[track_caller]
    pub fn is_closed(&self) -> bool {
        self.channel.is_closed(Location::caller())
    }

    /// Returns whether both senders are of the same channel.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.channel, &other.channel)
    }

    /// Returns a sender that does not keep the channel open.
    pub fn downgrade(&self) -> WeakUnboundedSender<T> {
        self.channel.senders.share();
        WeakUnboundedSender { channel: Arc::downgrade(&self.channel) }
    }

    /// Returns the number of senders.
    #[track_caller]
    pub fn strong_count(&self) -> usize {
        self.channel.senders.count()
    }
}

impl<T> Clone for UnboundedSender<T> {
    fn clone(&self) -> Self {
        self.channel.senders.add();
        UnboundedSender { channel: Arc::clone(&self.channel) }
    }
}

impl<T> Drop for UnboundedSender<T> {
    #[track_caller]
    fn drop(&mut self) {
        self.channel.remove_sender(Location::caller());
    }
}

impl<T> fmt::Debug for UnboundedSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnboundedSender").finish_non_exhaustive()
    }
}

/// A sender that does not keep the channel open.
pub struct WeakUnboundedSender<T> {
    channel: Weak<Channel<T>>,
}

impl<T> WeakUnboundedSender<T> {
    /// Returns a sender, unless all senders are gone.
    #[track_caller]
    pub fn upgrade(&self) -> Option<UnboundedSender<T>> {
        let channel = self.channel.upgrade()?;
        channel.senders.revive().then(|| UnboundedSender { channel })
    }
}

impl<T> Clone for WeakUnboundedSender<T> {
    fn clone(&self) -> Self {
        WeakUnboundedSender { channel: Weak::clone(&self.channel) }
    }
}

impl<T> fmt::Debug for WeakUnboundedSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WeakUnboundedSender").finish_non_exhaustive()
    }
}

/// The receiver of a channel without a bound.
pub struct UnboundedReceiver<T> {
    channel: Arc<Channel<T>>,
}

receiver!(UnboundedReceiver);
