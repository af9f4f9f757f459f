//! All library functions there are.

use super::{Run, choices, condition, counters, heap, mutex, once, process, rwlock, threads};

/// One table for each module.
pub(super) const ALL: &[&[(&str, Run)]] = &[
    choices::FUNCTIONS,
    condition::FUNCTIONS,
    counters::FUNCTIONS,
    heap::FUNCTIONS,
    mutex::FUNCTIONS,
    once::FUNCTIONS,
    process::FUNCTIONS,
    rwlock::FUNCTIONS,
    threads::FUNCTIONS,
];
