//! All library functions there are.

use super::{Run, heap, mutex, process, threads};

/// One table for each module.
pub(super) const ALL: &[&[(&str, Run)]] = 
    &[heap::FUNCTIONS, mutex::FUNCTIONS, process::FUNCTIONS, threads::FUNCTIONS];
