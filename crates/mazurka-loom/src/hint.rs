//! Hints, as in [`std::hint`].

pub use mazurka::hint::{spin_loop, unreachable_unchecked};
