//! The classes that have been explored.
//!
//! An event is identified by its *cone*: a hash of the event and of all events that happen before
//! it. Two executions are in one class if and only if their events have the same cones. A class
//! extends a part of an execution if and only if it has all cones of that part.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::explore::fingerprint::Fingerprint;

/// The fingerprint of an event and its past.
pub(super) type Cone = Fingerprint;

#[derive(Debug, Default)]
pub(super) struct Classes {
    /// For each cone the classes that have it, ascending.
    by_cone: FxHashMap<Cone, Vec<u32>>,
    count: u32,
    /// The classes themselves, by the sums of their cones.
    known: FxHashSet<Cone>,
    /// Targets that have been planned.
    planned: FxHashSet<Cone>,
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

    /// Returns whether some class has all of these cones, of which the rarest should come first.
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
        let last = task.map_or(0, |task| u128::from(task) << 1 | 1);
        let target = sum(cones.iter().copied()).then(last).then_all_of(sum(needed));
        self.planned.insert(target)
    }
}

/// Returns the fingerprint of a set of cones.
fn sum(cones: impl Iterator<Item = Cone>) -> Fingerprint {
    cones.fold(Fingerprint::new(0), Fingerprint::and)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_covers_its_parts() {
        let mut classes = Classes::default();
        assert!(!classes.cover(&[Cone::new(1)]));
        let mut insert = |cones: &[u128]| classes.insert(cones.iter().copied().map(Cone::new));
        assert!(insert(&[1, 2, 3]) && insert(&[1, 4]) && !insert(&[3, 2, 1]));
        let cover = |cones: &[u128]| {
            classes.cover(&cones.iter().copied().map(Cone::new).collect::<Vec<_>>())
        };
        assert!(cover(&[3, 1]) && cover(&[4]) && !cover(&[4, 2]));
    }

    #[test]
    fn a_plan_is_known_by_its_events_and_what_it_is_for() {
        let mut classes = Classes::default();
        let mut plan = |cones: &[u128], task: Option<u32>, needed: &[u128]| {
            let cones: Vec<_> = cones.iter().copied().map(Cone::new).collect();
            classes.plan(&cones, task, needed.iter().copied().map(Cone::new))
        };
        assert!(plan(&[1, 5], Some(1), &[]) && !plan(&[5, 1], Some(1), &[]));
        assert!(plan(&[1, 5], Some(2), &[]) && plan(&[1, 5], Some(1), &[5]));
        assert!(plan(&[1, 5], None, &[]));
    }
}
