//! The functions that programs call but do not define.
//!
//! A library function is a plain Rust function on a [`Call`](crate::machine::Call), by which it gets at its arguments,
//! at the program's memory and at the scheduler:
//!
//! ```ignore
//! /// `size_t strlen(const char *)`
//! fn strlen(call: &mut Call<'_>) -> Result<(), Stop> {
//!     let text = call.c_string(call.pointer(0))?;
//!     call.give(text.len() as u64);
//!     Ok(())
//! }
//!
//! pub(super) const FUNCTIONS: &[(&str, Run)] = &[("strlen", strlen)];
//! ```
//!
//! Each module has such a table, and [`find`] looks through all of them.
//!
//! # Steps
//!
//! A function that touches memory that other threads can see must do so in a step. It needs not
//! care: the first time that it does, `?` takes it out with [`Stop::Visible`](crate::machine::Stop::Visible), all that it has
//! changed up to then is undone, and when the scheduler picks its thread it is called again, and
//! runs to its end as one step. So it must not keep anything outside of the program's memory, the
//! thread's [phase](crate::machine::Call::phase) and the output.

mod arguments;
mod cancel;
mod choices;
mod condition;
mod counters;
mod cpp;
mod decimal;
mod format;
mod futex;
mod heap;
mod intrinsics;
mod jumps;
mod keys;
mod life;
mod lock_all;
mod mapping;
mod math;
mod mutex;
mod numbers;
mod once;
mod overlap;
mod own_table;
mod pools;
mod print;
mod process;
mod robust;
pub(crate) mod runtime;
mod rwlock;
mod scan;
mod signals;
mod spin_lock;
mod spins;
mod strings;
mod system;
mod tables;
mod threads;
mod time;
mod wide_atomics;

pub(crate) use cancel::cancels;
pub(crate) use futex::futex_table;
pub(crate) use signals::signals_others;
pub(crate) use time::reads_clock;

use crate::machine::Run;

/// A library function.
#[derive(Clone, Copy)]
pub(crate) struct LibraryFunction {
    pub(crate) name: &'static str,
    pub(crate) run: Run,
}

/// The library function of this name.
pub(crate) fn find(name: &str) -> Option<LibraryFunction> {
    let found = tables::ALL.iter().flat_map(|table| table.iter()).find(|(known, _)| *known == name);
    let found = found.copied().or_else(|| intrinsics::find(name)).or_else(|| lock_all::find(name));
    found.map(|(name, run)| LibraryFunction { name, run })
}

/// Whether a library function takes the place of one that the program has got from a header.
///
/// `assume_abort_if_not` is one that benchmarks define: they call `abort`, which would be a violation.
/// `std::ios_base::width` is replaced by a function that writes only a different width.
pub(crate) fn replaces(name: &str) -> bool {
    matches!(name, "assume_abort_if_not" | cpp::SET_WIDTH)
        || futex::COUNTERS.iter().any(|(known, _)| *known == name)
        || lock_all::find(name).is_some()
}
