//! The core of Mazurka, a stateless model checker.
//!
//! A front end turns a concurrent program into a [`Machine`](model::Machine); an explorer steps
//! that machine through every meaningfully different schedule, once; the result is a
//! [`Verdict`](verdict::Verdict). Front ends and explorers know nothing of each other: they meet
//! at [`model`].
//!
//! * [`model`]: processes, actions, locations, dependence, and the machine contract;
//! * [`explore`]: the explorers, one module each, and what they share;
//! * [`verdict`]: violations, statistics, schedules.

pub mod explore;
pub mod model;
pub mod verdict;
