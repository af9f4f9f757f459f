//! Channels without a bound.

use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::Location;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};

use super::bounded::{closed, receiver};
use super::channel::{Channel, Site};
use super::error::{SendError, TryRecvError};
use super::sender::sender;

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
}

sender!(UnboundedSender, WeakUnboundedSender);

/// The receiver of a channel without a bound.
pub struct UnboundedReceiver<T> {
    channel: Arc<Channel<T>>,
}

receiver!(UnboundedReceiver);
