//! Channels, as in [`std::sync::mpsc`].
//!
//! A receive depends on the send of its own message only, not on later sends. So *n* threads that send
//! one message each have *n*! executions, whatever the receiver does.
//!
//! # Time-outs
//!
//! A receive with a timeout may time out whenever the channel is empty, whatever the duration. Both
//! outcomes are explored. A loop of such receives has executions of any length: bound it in the program,
//! or by [`Check::max_depth`](crate::Check::max_depth).
//!
//! # When dropping a sender is a step
//!
//! Dropping a sender matters only to a receiver that finds the channel empty. If a receiver does so, the
//! check starts over once, and from then on dropping a sender is a step. In other programs it is not.
//!
//! # Polling
//!
//! A loop that calls only [`Receiver::try_recv`] and [`yield_now`](crate::thread::yield_now) waits for
//! a message.
//!
//! # Channels without capacity
//!
//! If the channel has no capacity, [`SyncSender::try_send`] succeeds if a receiver waits in
//! [`Receiver::recv`] or [`Receiver::recv_timeout`]. Both cases are explored.
//!
//! # OS threads
//!
//! A channel panics if it is used on another OS thread than the one that created it. Create it inside of
//! the closure that you check.
//!
//! ```
//! use mazurka::sync::mpsc;
//! use mazurka::thread;
//!
//! mazurka::check(|| {
//!     let (sender, receiver) = mpsc::channel();
//!     let other = sender.clone();
//!     thread::spawn(move || sender.send(1).unwrap());
//!     thread::spawn(move || other.send(2).unwrap());
//!     assert_eq!(receiver.iter().sum::<i32>(), 3);
//! });
//! ```

mod channel;
mod ordered;
mod receiver;
#[cfg(test)]
mod rendezvous;
mod sender;
#[cfg(test)]
mod tests;
mod transfer;

pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

use crate::rt::Shared;
use channel::Channel;
pub use receiver::{IntoIter, Iter, Receiver, TryIter};
pub use sender::{Sender, SyncSender};

/// Creates a channel with unlimited capacity.
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let channel = Shared::new(Channel::new(None, None));
    (Sender::new(channel.clone()), Receiver::new(channel))
}

/// Creates a channel with room for `bound` messages.
///
/// If `bound` is 0, a sender waits until its message has been received.
///
/// ```
/// use mazurka::sync::mpsc;
/// use mazurka::thread;
///
/// mazurka::check(|| {
///     let (sender, receiver) = mpsc::sync_channel(1);
///     let other = thread::spawn(move || (0..3).for_each(|i| sender.send(i).unwrap()));
///     assert_eq!(receiver.iter().collect::<Vec<_>>(), [0, 1, 2]);
///     other.join().unwrap();
/// });
/// ```
#[track_caller]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let channel = Shared::new(Channel::new(Some(bound), None));
    (SyncSender::new(channel.clone()), Receiver::new(channel))
}

/// Creates a channel with unlimited capacity, and a name for reports.
#[track_caller]
pub fn channel_with_label<T>(label: &'static str) -> (Sender<T>, Receiver<T>) {
    let channel = Shared::new(Channel::new(None, Some(label)));
    (Sender::new(channel.clone()), Receiver::new(channel))
}

/// Creates a channel with room for `bound` messages, and a name for reports.
#[track_caller]
pub fn sync_channel_with_label<T>(
    bound: usize,
    label: &'static str,
) -> (SyncSender<T>, Receiver<T>) {
    let channel = Shared::new(Channel::new(Some(bound), Some(label)));
    (SyncSender::new(channel.clone()), Receiver::new(channel))
}
