//! Sets of values.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// A finite set of values, as part of a [condition](super::When).
///
/// Conditions are copied with every action, so sets are interned: each different set is stored once
/// and kept until the process ends. A program has few of them, because each is the set of values
/// that one location had while a process waited for it.
///
/// ```
/// use mazurka_core::model::Values;
///
/// let odd = Values::new(&[3, 1, 3]);
/// assert!(odd.contains(3) && !odd.contains(2));
/// assert_eq!(odd, Values::new(&[1, 3]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Values(&'static Vec<u64>);

type Interned = HashMap<&'static [u64], &'static Vec<u64>, FxBuildHasher>;

static INTERNED: Mutex<Interned> = Mutex::new(HashMap::with_hasher(FxBuildHasher));

impl Values {
    /// Returns the set of these values, in any order.
    pub fn new(values: &[u64]) -> Self {
        let mut sorted: SmallVec<[u64; 16]> = SmallVec::from_slice(values);
        sorted.sort_unstable();
        sorted.dedup();
        let mut interned = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
        match interned.get(&sorted[..]) {
            Some(known) => Values(known),
            None => {
                let kept: &'static Vec<u64> = Box::leak(Box::new(sorted.into_vec()));
                interned.insert(kept, kept);
                Values(kept)
            }
        }
    }

    /// Returns whether the set contains a value.
    #[inline]
    pub fn contains(self, value: u64) -> bool {
        self.0.binary_search(&value).is_ok()
    }

    /// Returns the values in ascending order.
    pub fn as_slice(self) -> &'static [u64] {
        self.0
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
