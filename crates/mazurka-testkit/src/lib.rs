//! What Mazurka is tested with.
//!
//! * [`script`]: a tiny language for concurrent programs, and a machine that runs it;
//! * [`random`]: random programs in it;
//! * [`looping`]: random programs that may loop for ever;
//! * [`oracle`]: everything that a program can do, found by brute force;
//! * [`compare`]: whether the explorers agree with the oracle;
//! * [`loops`]: the same for programs with event loops;
//! * [`shrink`]: the smallest program that still fails;
//! * [`catalogue`]: the programs of the catalogue, and what each explorer must count.

pub mod catalogue;
pub mod compare;
pub mod looping;
pub mod loops;
pub mod oracle;
pub mod random;
pub mod script;
pub mod shrink;
