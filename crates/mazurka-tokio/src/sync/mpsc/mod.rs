//! Channels with several senders and one receiver.

mod bounded;
mod channel;
pub mod error;
mod sender;
mod unbounded;

pub use bounded::{OwnedPermit, Permit, PermitIterator, Receiver, Sender, WeakSender, channel};
pub use unbounded::{UnboundedReceiver, UnboundedSender, WeakUnboundedSender, unbounded_channel};
