//! Tools for testing Mazurka.
//!
//! * [`script`] is a small language for concurrent programs, with a machine that runs it.
//! * [`random`] generates random programs in that language.
//! * [`looping`] generates random programs that may loop forever.
//! * [`oracle`] enumerates the whole behaviour of a program by brute force.
//! * [`compare`] compares the explorers with the oracle.
//! * [`loops`] does the same for programs with event loops.
//! * [`graphs`] compares `graphs` with all execution graphs of a program, by brute force.
//! * [`contract`] checks that a machine of any front end keeps the contract of
//!   [`Machine`](mazurka_core::model::Machine).
//! * [`division`] explores a search in parts.
//! * [`damage`] damages texts, for readers that must not panic.
//! * [`nats`] starts a NATS server, for tests of clusters.
//! * [`shrink`] finds a smaller program that still fails.
//! * [`catalogue`] reads the programs of the catalogue and the expected counts of each explorer.

pub mod catalogue;
pub mod compare;
pub mod contract;
pub mod damage;
pub mod division;
pub mod graphs;
pub mod looping;
pub mod loops;
pub mod nats;
pub mod oracle;
pub mod processors;
pub mod random;
pub mod script;
pub mod shrink;

/// Returns the number in a variable of the environment.
///
/// # Panics
///
/// If the variable contains something else.
pub fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text}: not a number")),
        Err(_) => default,
    }
}
