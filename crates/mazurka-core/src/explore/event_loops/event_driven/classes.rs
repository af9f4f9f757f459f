//! The classes that have been explored.
//!
//! An event is known by its *cone*: a hash of all that happens before it, and of itself. Two
//! executions are in one class exactly if their events have the same cones; and a class extends a
//! part of an execution exactly if it has all of that part's cones.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// The hash of an event and its past.
pub(super) type Cone = u128;

/// Cones are hashes already.
#[derive(Default, Debug)]
pub(super) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only cones are hashed");
    }

    fn write_u128(&mut self, cone: u128) {
        self.0 = cone as u64;
    }
}

type Build = BuildHasherDefault<AsIs>;

#[derive(Debug, Default)]
pub(super) struct Classes {
    /// For each cone the classes that have it, ascending.
    by_cone: HashMap<Cone, Vec<u32>, Build>,
    count: u32,
    /// The classes themselves, by the sums of their cones.
    known: HashSet<Cone, Build>,
    /// Targets that have been planned.
    planned: HashSet<Cone, Build>,
}

impl Classes {
    /// Adds a class; returns `false` if it is there already.
    pub(super) fn insert(&mut self, cones: impl Iterator<Item = Cone> + Clone) -> bool {
        if !self.known.insert(sum(cones.clone())) {
            return false;
        }
        for cone in cones {
            self.by_cone.entry(cone).or_default().push(self.count);
        }
        self.count += 1;
        true
    }

    /// Whether some class has all of these cones, of which the rarest should come first.
    pub(super) fn cover(&self, cones: &[Cone]) -> bool {
        let Some((first, others)) = cones.split_first() else { return self.count > 0 };
        let Some(candidates) = self.by_cone.get(first) else { return false };
        candidates.iter().any(|class| {
            let has = |cone: &Cone| {
                self.by_cone.get(cone).is_some_and(|of| of.binary_search(class).is_ok())
            };
            others.iter().all(has)
        })
    }

    /// Notes that a target is planned whose last step is in `task`, and of which some events are
    /// needed; returns `false` if it was before.
    pub(super) fn plan(
        &mut self,
        cones: &[Cone],
        task: Option<u32>,
        needed: impl Iterator<Item = Cone>,
    ) -> bool {
        let last = task.map_or(0, |task| mix(u128::from(task) << 3 | 1));
        let needed = mix(sum(needed));
        self.planned.insert(sum(cones.iter().copied()).wrapping_add(last).wrapping_add(needed))
    }
}

fn sum(cones: impl Iterator<Item = Cone>) -> Cone {
    cones.fold(0, |sum: Cone, cone| sum.wrapping_add(mix(cone)))
}

/// Spreads the bits of a number, so that sums of such numbers can be taken for hashes of sets.
pub(super) fn mix(value: u128) -> u128 {
    let half = |seed: u64, word: u64| {
        let mut x = word ^ seed;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    let (low, high) = (value as u64, (value >> 64) as u64);
    let a = half(0x9e37_79b9_7f4a_7c15, low ^ half(0x2545_f491_4f6c_dd1d, high));
    let b = half(a, high.rotate_left(17) ^ low);
    (u128::from(a) << 64) | u128::from(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_covers_its_parts() {
        let mut classes = Classes::default();
        assert!(!classes.cover(&[1]));
        let mut insert = |cones: &[Cone]| classes.insert(cones.iter().copied());
        assert!(insert(&[1, 2, 3]) && insert(&[1, 4]) && !insert(&[3, 2, 1]));
        let cover = |cones: &[Cone]| classes.cover(cones);
        assert!(cover(&[3, 1]) && cover(&[4]) && !cover(&[4, 2]));
    }

    #[test]
    fn a_plan_is_known_by_its_events_and_what_it_is_for() {
        let mut classes = Classes::default();
        let mut plan = |cones: &[Cone], task: Option<u32>, needed: &[Cone]| {
            classes.plan(cones, task, needed.iter().copied())
        };
        assert!(plan(&[1, 5], Some(1), &[]) && !plan(&[5, 1], Some(1), &[]));
        assert!(plan(&[1, 5], Some(2), &[]) && plan(&[1, 5], Some(1), &[5]));
        assert!(plan(&[1, 5], None, &[]));
    }
}
