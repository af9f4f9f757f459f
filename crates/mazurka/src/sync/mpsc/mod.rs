//! Channels, as [`std::sync::mpsc`].
//!
//! A receive depends only on the send of its own message: that other messages come behind it
//! does not matter to it. So n threads that send one message each make n! executions, however the
//! receiver's steps come between theirs.
//!
//! A receive with a timeout may time out whenever there is no message: both are explored,
//! whatever the duration. A loop that receives with a timeout again and again therefore has
//! executions without end; bound it in the program, or by
//! [`Check::max_depth`](crate::Check::max_depth).
//!
//! That a sender goes matters only to who finds the channel empty. A check whose program does so is
//! started anew once; in others, dropping a sender is no step.
//!
//! A loop that does nothing but [`Receiver::try_recv`] and a yield waits for a message, as one that
//! looks at an atomic waits for a change. If it does anything else besides, it does not.
//!
//! In a channel without room, [`SyncSender::try_send`] succeeds if a receiver is waiting in
//! [`Receiver::recv`] or [`Receiver::recv_timeout`]; whether it is already is explored.
//!
//! A channel belongs to the OS thread that has created it: to use it in a check that runs on another
//! one panics. Create it inside of the closure that you check.
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

/// A channel with room for any number of messages.
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let channel = Shared::new(Channel::new(None, None));
    (Sender::new(channel.clone()), Receiver::new(channel))
}

/// A channel with room for `bound` messages.
///
/// Without any room, who sends waits until the message has been received.
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

/// As [`channel`], with a name for reports.
#[track_caller]
pub fn channel_with_label<T>(label: &'static str) -> (Sender<T>, Receiver<T>) {
    let channel = Shared::new(Channel::new(None, Some(label)));
    (Sender::new(channel.clone()), Receiver::new(channel))
}

/// As [`sync_channel`], with a name for reports.
#[track_caller]
pub fn sync_channel_with_label<T>(
    bound: usize,
    label: &'static str,
) -> (SyncSender<T>, Receiver<T>) {
    let channel = Shared::new(Channel::new(Some(bound), Some(label)));
    (SyncSender::new(channel.clone()), Receiver::new(channel))
}
