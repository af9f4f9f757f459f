//! All library functions there are.

use super::{
    cancel, choices, condition, counters, cpp, futex, heap, jumps, keys, mapping, math, mutex,
    numbers, once, print, process, rwlock, scan, signals, spin_lock, strings, system, threads,
    time, wide_atomics,
};
use crate::machine::Run;

/// One table for each module.
pub(super) const ALL: &[&[(&str, Run)]] = &[
    cancel::FUNCTIONS,
    choices::FUNCTIONS,
    condition::FUNCTIONS,
    counters::FUNCTIONS,
    cpp::FUNCTIONS,
    futex::COUNTERS,
    heap::FUNCTIONS,
    jumps::FUNCTIONS,
    mapping::FUNCTIONS,
    math::FUNCTIONS,
    mutex::FUNCTIONS,
    numbers::FUNCTIONS,
    keys::FUNCTIONS,
    once::FUNCTIONS,
    print::FUNCTIONS,
    process::FUNCTIONS,
    rwlock::FUNCTIONS,
    scan::FUNCTIONS,
    signals::FUNCTIONS,
    spin_lock::FUNCTIONS,
    strings::FUNCTIONS,
    system::FUNCTIONS,
    threads::FUNCTIONS,
    time::FUNCTIONS,
    wide_atomics::FUNCTIONS,
];
