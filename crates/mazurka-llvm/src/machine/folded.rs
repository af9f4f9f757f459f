//! Values that are too long for an action.

use mazurka_core::model::Digest;

/// Returns what stands for a value of 16 bytes in an action.
pub(crate) fn folded(low: u64, high: u64) -> u64 {
    let mut digest = Digest::of(low);
    digest.add(high);
    digest.spread().bits() as u64
}
