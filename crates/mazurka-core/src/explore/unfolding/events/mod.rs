//! Events of the unfolding, and how they relate.
//!
//! [`event`] is an event ⟨t, H⟩ with its accesses. [`prefix`] is the set `U` of all known events, which
//! hands out ids and finds for each new event those in immediate conflict with it, by the relations of
//! [`conflict`]. [`configuration`] is `C`, the current configuration, as one of its interleavings.
//! [`levels`] keeps, for every prefix of `C`, the events that are enabled there and must be avoided.

pub(crate) mod configuration;
mod conflict;
pub(crate) mod event;
pub(crate) mod levels;
pub(crate) mod prefix;
