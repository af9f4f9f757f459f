//! The core of Mazurka, a stateless model checker.
//!
//! A front end turns a concurrent program into a [`Machine`](model::Machine). An explorer steps
//! that machine through every meaningfully different schedule, once. The result is a
//! [`Verdict`](verdict::Verdict). Front ends and explorers know nothing of each other: they meet
//! at [`model`].
//!
//! Each folder uses only the folders above it in this list:
//!
//! * [`wire`]: a binary form of values, for searches that are saved;
//! * [`model`]: processes, actions, locations, dependence, and the machine contract;
//! * [`verdict`]: violations, statistics, schedules;
//! * [`execution`]: one run of a program and its happens-before relation;
//! * [`memory`]: memory models, and the execution graphs that they allow;
//! * [`search`]: the loop that drives an explorer, its options and its limits;
//! * [`explore`]: the explorers, one folder each.

mod algorithm;
pub mod execution;
pub mod explore;
pub mod memory;
pub mod model;
pub mod search;
pub mod verdict;
pub mod wire;
