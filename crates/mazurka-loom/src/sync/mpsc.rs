//! Channels, as in [`std::sync::mpsc`].

pub use mazurka::sync::mpsc::{Receiver, Sender, channel};
