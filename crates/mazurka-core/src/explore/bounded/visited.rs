//! The beginnings of blocks that the search has met.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::execution::DigestHasher;
use crate::explore::fingerprint::Fingerprint;
use crate::model::{ProcessId, Step};

/// For the beginning of each block, the sets of steps that were asleep there.
#[derive(Debug, Default)]
pub(super) struct Visited {
    met: HashMap<u128, Vec<Box<[Step]>>, BuildHasherDefault<DigestHasher>>,
}

impl Visited {
    /// Records that `process` begins a block after a prefix whose trace has this digest, while some
    /// steps are asleep. Returns `false` if the search has been there with no other steps asleep: then
    /// it has explored everything that would be explored now.
    pub(super) fn insert(
        &mut self,
        prefix: u128,
        process: ProcessId,
        asleep: impl Iterator<Item = Step>,
    ) -> bool {
        let mut asleep: Box<[Step]> = asleep.collect();
        asleep.sort_unstable();
        let sets = self.met.entry(key(prefix, process)).or_default();
        let is_subset = |of: &[Step], set: &[Step]| set.iter().all(|step| of.contains(step));
        if sets.iter().any(|met| is_subset(&asleep, met)) {
            return false;
        }
        sets.retain(|met| !is_subset(met, &asleep));
        sets.push(asleep);
        true
    }
}

/// Returns the key of a prefix and a process.
fn key(prefix: u128, process: ProcessId) -> u128 {
    Fingerprint::new(prefix).then(process.index() as u128).number()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_steps_asleep_explore_more() {
        let (a, b) = (Step::of(ProcessId::new(1)), Step::of(ProcessId::new(2)));
        let mut visited = Visited::default();
        let mut insert =
            |asleep: &[Step]| visited.insert(7, ProcessId::MAIN, asleep.iter().copied());
        assert!(insert(&[a, b]));
        assert!(!insert(&[b, a]));
        assert!(insert(&[a]));
        assert!(insert(&[b]));
        assert!(!insert(&[a, b]));
        assert!(insert(&[]));
        assert!(!insert(&[a]));
        assert!(visited.insert(7, ProcessId::new(1), [].into_iter()));
    }
}
