//! The values of locations, according to the performed actions.

use std::collections::HashMap;

use mazurka_core::model::{Action, Location, Op, When};

use super::snapshot::{Kind, LATE};

/// The kind and the value of each location.
#[derive(Default)]
pub(super) struct Values {
    values: HashMap<Location, (Kind, u64)>,
}

impl Values {
    /// Records performed actions. It fails if a location has two kinds, or a value that no action
    /// wrote.
    pub(super) fn note(&mut self, actions: &[Action]) -> Result<(), String> {
        // Guards hold before the step. They come last, behind what the step changes.
        let (guards, others): (Vec<&Action>, Vec<&Action>) =
            actions.iter().partition(|action| action.guard);
        // An action that is not performed finds no value.
        let is_performed =
            |action: &&Action| action.on.object != LATE && !matches!(action.op, Op::Forgone(_));
        for action in guards.into_iter().chain(others).filter(is_performed) {
            let kind = Kind::of(action.op);
            let is_whole = self.is_whole(action.on);
            let known = self.values.insert(action.on, (kind, action.after));
            match known {
                Some((other, _)) if other != kind => {
                    return Err(format!("{action:?} is on a location of the kind {other:?}"));
                }
                // Explorers use values only for actions with a condition.
                Some((_, value))
                    if action.when != When::Always && is_whole && value != action.before =>
                {
                    return Err(format!("{action:?} does not find {value}, which was left there"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the value of the location of a pending action, if it is known.
    pub(super) fn of(&self, action: &Action) -> Option<u64> {
        match action.on.object != LATE && self.is_whole(action.on) {
            true => Some(self.values.get(&action.on).map_or(action.before, |(_, value)| *value)),
            false => None,
        }
    }

    /// Returns whether no other location overlaps with this one.
    fn is_whole(&self, on: Location) -> bool {
        self.values.keys().all(|other| *other == on || !other.overlaps(on))
    }
}
