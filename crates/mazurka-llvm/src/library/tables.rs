//! All library functions there are.

use super::{Run, cpp, heap, math, mutex, numbers, print, process, strings, system, threads};

/// One table for each module.
pub(super) const ALL: &[&[(&str, Run)]] = &[
    cpp::FUNCTIONS,
    heap::FUNCTIONS,
    math::FUNCTIONS,
    mutex::FUNCTIONS,
    numbers::FUNCTIONS,
    print::FUNCTIONS,
    process::FUNCTIONS,
    strings::FUNCTIONS,
    system::FUNCTIONS,
    threads::FUNCTIONS,
];
