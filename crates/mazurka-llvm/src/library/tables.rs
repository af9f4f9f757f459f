//! All library functions there are.

use super::{
    choices, condition, counters, cpp, heap, jumps, math, mutex, numbers, once, print, process,
    rwlock, spin_lock, strings, system, threads, time, wide_atomics,
};
use crate::machine::Run;

/// One table for each module.
pub(super) const ALL: &[&[(&str, Run)]] = &[
    choices::FUNCTIONS,
    condition::FUNCTIONS,
    counters::FUNCTIONS,
    cpp::FUNCTIONS,
    heap::FUNCTIONS,
    jumps::FUNCTIONS,
    math::FUNCTIONS,
    mutex::FUNCTIONS,
    numbers::FUNCTIONS,
    once::FUNCTIONS,
    print::FUNCTIONS,
    process::FUNCTIONS,
    rwlock::FUNCTIONS,
    spin_lock::FUNCTIONS,
    strings::FUNCTIONS,
    system::FUNCTIONS,
    threads::FUNCTIONS,
    time::FUNCTIONS,
    wide_atomics::FUNCTIONS,
];
