//! EVENTS

pub(crate) mod configuration;
mod conflict;
pub(crate) mod event;
pub(crate) mod levels;
pub(crate) mod prefix;
