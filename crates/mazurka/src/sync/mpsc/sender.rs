//! Senders.

use std::fmt;
use std::panic::Location as SourceLocation;
use std::sync::mpsc::{SendError, TrySendError};

use super::channel::Channel;
use super::transfer::Refusal;
use crate::rt::Shared;

/// The sending half of a channel with unlimited capacity, as [`std::sync::mpsc::Sender`].
///
/// Dropping it is an operation: the receiver may find out that the last sender is gone.
pub struct Sender<T> {
    channel: Shared<Channel<T>>,
}

impl<T> Sender<T> {
    pub(super) fn new(channel: Shared<Channel<T>>) -> Self {
        Sender { channel }
    }

    /// Sends a message. It never waits.
    ///
    /// # Errors
    ///
    /// Returns the message if the receiver has been dropped.
    #[inline(always)]
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        self.channel.send(message, SourceLocation::caller()).map_err(SendError)
    }
}

/// The sending half of a channel with limited capacity, as [`std::sync::mpsc::SyncSender`].
///
/// Dropping it is an operation: the receiver may find out that the last sender is gone.
pub struct SyncSender<T> {
    channel: Shared<Channel<T>>,
}

impl<T> SyncSender<T> {
    pub(super) fn new(channel: Shared<Channel<T>>) -> Self {
        SyncSender { channel }
    }

    /// Sends a message, and waits until there is room for it. If the channel has no capacity, it waits
    /// until the message has been received.
    ///
    /// # Errors
    ///
    /// Returns the message if the receiver has been dropped.
    #[inline(always)]
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        self.channel.send(message, SourceLocation::caller()).map_err(SendError)
    }

    /// Sends a message if there is room for it. If the channel has no capacity, it sends the message if
    /// the receiver is waiting.
    ///
    /// # Errors
    ///
    /// Returns the message if there is no room, or if the receiver has been dropped.
    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        let result = self.channel.try_send(message, SourceLocation::caller());
        result.map_err(|(message, refusal)| match refusal {
            Refusal::Full => TrySendError::Full(message),
            Refusal::Disconnected => TrySendError::Disconnected(message),
        })
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        self.channel.add_sender();
        Sender { channel: self.channel.clone() }
    }
}

impl<T> Clone for SyncSender<T> {
    fn clone(&self) -> Self {
        self.channel.add_sender();
        SyncSender { channel: self.channel.clone() }
    }
}

impl<T> Drop for Sender<T> {
    #[inline(always)]
    #[track_caller]
    fn drop(&mut self) {
        self.channel.hang_up(SourceLocation::caller());
    }
}

impl<T> Drop for SyncSender<T> {
    #[inline(always)]
    #[track_caller]
    fn drop(&mut self) {
        self.channel.hang_up(SourceLocation::caller());
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for SyncSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncSender").finish_non_exhaustive()
    }
}
