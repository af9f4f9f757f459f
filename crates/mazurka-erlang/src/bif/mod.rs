//! Built-in functions.

mod arithmetic;
mod lists;
mod processes;

use crate::vm::natives::Entry;

/// The modules that have them.
pub(crate) const MODULES: &[(&str, &[Entry])] =
    &[("erlang", arithmetic::ERLANG), ("erlang", processes::ERLANG), ("lists", lists::LISTS)];
