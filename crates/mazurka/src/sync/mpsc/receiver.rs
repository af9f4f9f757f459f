//! The receiver.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::Location as SourceLocation;
use std::sync::mpsc::{RecvError, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use super::channel::Channel;
use super::transfer::{Manner, Nothing};
use crate::rt::Shared;

/// The receiving half of a channel, as [`std::sync::mpsc::Receiver`].
///
/// Dropping it is an operation: senders may find out that it is gone.
pub struct Receiver<T> {
    channel: Shared<Channel<T>>,
    /// As `std`'s, it can be given to another thread, but not shared.
    marker: PhantomData<Cell<()>>,
}

impl<T> Receiver<T> {
    pub(super) fn new(channel: Shared<Channel<T>>) -> Self {
        Receiver { channel, marker: PhantomData }
    }

    /// Waits for a message, and receives it.
    ///
    /// # Errors
    ///
    /// If the channel is empty and all senders have been dropped.
    #[inline(always)]
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        self.channel.receive(SourceLocation::caller()).map_err(|_| RecvError)
    }

    /// Receives a message if there is one.
    ///
    /// # Errors
    ///
    /// If the channel is empty.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        let result = self.channel.poll(Manner::Try, SourceLocation::caller());
        result.map_err(|nothing| match nothing {
            Nothing::Empty => TryRecvError::Empty,
            Nothing::Disconnected => TryRecvError::Disconnected,
        })
    }

    /// Waits until there is a message or the time is up, and receives the message.
    ///
    /// # Errors
    ///
    /// If the time is up, or if the channel is empty and all senders have been dropped.
    #[track_caller]
    pub fn recv_timeout(&self, _timeout: Duration) -> Result<T, RecvTimeoutError> {
        let result = self.channel.poll(Manner::Timeout, SourceLocation::caller());
        result.map_err(|nothing| match nothing {
            Nothing::Empty => RecvTimeoutError::Timeout,
            Nothing::Disconnected => RecvTimeoutError::Disconnected,
        })
    }

    /// Returns an iterator that waits for messages. It ends when the channel is empty and all senders
    /// have been dropped.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { receiver: self }
    }

    /// Returns an iterator over the messages that are in the channel. It does not wait.
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter { receiver: self }
    }
}

impl<T> Drop for Receiver<T> {
    #[track_caller]
    fn drop(&mut self) {
        self.channel.close(SourceLocation::caller());
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}

/// An iterator that waits for messages; see [`Receiver::iter`].
#[derive(Debug)]
pub struct Iter<'a, T: 'a> {
    receiver: &'a Receiver<T>,
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

/// An iterator over the messages in a channel; see [`Receiver::try_iter`].
#[derive(Debug)]
pub struct TryIter<'a, T: 'a> {
    receiver: &'a Receiver<T>,
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.try_recv().ok()
    }
}

/// An iterator that owns the receiver and waits for messages.
#[derive(Debug)]
pub struct IntoIter<T> {
    receiver: Receiver<T>,
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter { receiver: self }
    }
}
